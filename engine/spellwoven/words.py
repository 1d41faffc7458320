"""Every event of Spellwoven in words: the one place to translate; what the chronicle keeps; and who may hear it.

Of figures that the storyteller plays, a player is told what anybody at the table can see.
"""

from __future__ import annotations

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.chronicle import (
    Decisive,
    EndingMark,
    Lead,
    Mark,
    PassageMark,
    RollMark,
    SceneMark,
    Sentence,
    Spoken,
    Telling,
)
from loomtable.engine.kernel.play import Event, Open
from loomtable.engine.kernel.wording import ended, how_many, listed
from loomtable.engine.spellwoven.armoury import Proximity, TalentEffect, skills
from loomtable.engine.spellwoven.events import fight as f
from loomtable.engine.spellwoven.events import healing as h
from loomtable.engine.spellwoven.events import order as o
from loomtable.engine.spellwoven.events import people as p
from loomtable.engine.spellwoven.events import wounds as w
from loomtable.engine.spellwoven.levels import LEVELS, Levels
from loomtable.engine.spellwoven.state import Adventure, Distraction, Left

_DAY = 24


def tell(event: Event, adventure: Adventure, viewer: str) -> Telling:
    """The event in words for a viewer; ``adventure`` is the adventure after it."""
    for chapter in (_people, _order, _fight, _wounds, _healing):
        if telling := chapter(event, adventure, viewer):
            return telling
    return ""


_ON_THE_SHEET = (p.CharacterAdded, p.RollFaced)


def hears(event: Event, adventure: Adventure, viewer: str) -> bool:
    """Whether a viewer may hear the sentence of an event: what anybody can see, and what happens to the heroes.

    What stands on a sheet is for its player alone, and of those whom the storyteller plays for nobody.
    """
    if isinstance(event, Open):
        return True
    sheet = adventure.characters.get(getattr(event, "who", ""))
    if sheet is None:
        return False
    return sheet.player == viewer or (sheet.is_player_character and not isinstance(event, _ON_THE_SHEET))


def _people(event: Event, adventure: Adventure, viewer: str) -> Telling:
    match event:
        case p.CharacterAdded(character=c):
            arms = listed(w.name for w in c.weapons) or "bare hands"
            if c.player:
                return Sentence(f"{c.player} plays {c.name}: {arms}.")
            return Spoken(f"{c.name} comes in for {c.side}: {arms}.")
        case p.Equipped(who=who, weapons=weapons, put_away=put_away):
            away = f" {who} puts the shield away." if put_away else ""
            return Spoken(f"{who} takes up other gear: {', '.join(w.name for w in weapons) or 'no weapon'}.{away}")
        case p.Advanced(who=who, advance=advance):
            mine = viewer in (STORYTELLER, adventure.characters[who].player)
            to = f" ({advance.rating} now)" if mine and advance.rating else ""
            verb = "gets better at" if advance.rating else "learns"
            return Sentence(f"{who} {verb} {advance.what}{to}: {ended(advance.because)}")
        case p.EffortChanged(who=who, by=by, reason=reason):
            left = adventure.characters[who].effort
            if not reason:
                return Spoken(f"{who} spends {-by} Effort ({left} left).")
            return Spoken(f"{who} {'gains' if by > 0 else 'loses'} {abs(by)} Effort: {reason} ({left} now).")
        case p.RollFaced(who=who, rating=rating, difficulty=difficulty, edge=edge):
            against = "" if difficulty is None else f", difficulty {difficulty}"
            leaning = {1: ", at an advantage", -1: ", at a disadvantage", 0: ""}[edge]
            return Spoken(f"{who} rolls against {rating}{against}{leaning}.")
        case p.Tested(faces=()):
            return Spoken(f"{event.who} has no {_skill(event.what)} to test, so no success.")
        case p.Tested(who=who, what=what, rating=rating, faces=faces, bonus=bonus, successes=successes):
            more = f", {bonus:+d}" if bonus else ""
            came = how_many(successes, "success", "successes")
            count = f"{_faces(faces)} against {_skill(what)} {rating}{more}: {came}"
            if event.difficulty is None:
                return Spoken(f"{who}: {count}.")
            passed = f"{event.difficulty} needed; {'passed' if event.passed else 'failed'}"
            return Spoken(f"{who}: {count}, {passed}.", *_kept_of(event))
        case p.EncounterOpened(encounter=encounter):
            opening = encounter.opening.strip()
            return Spoken(
                f"{encounter.title}. {opening}",
                SceneMark(encounter.title, episode=encounter.title),
                PassageMark(opening),
            )
        case p.EncounterClosed(follows=follows, reward=reward):
            told = follows.strip()
            return Spoken(f"{told} {reward.strip()}".strip(), PassageMark(told), EndingMark(told), SceneMark())
        case p.Opposed(who=who, opposer=opposer, winner=winner):
            return RollMark(f"{who} against {opposer}: {winner or 'nobody'} wins.")
        case p.TalentUsed(who=who, talent=talent, instead_of=dice):
            known = {t.key: t.name for t in adventure.characters[who].talents}
            return Spoken(f"{who} uses {known[talent]}{f': {_faces(dice)} is rolled again' if dice else ''}.")
        case p.TalentWorked(who=who, effect=effect, by=by):
            match effect:
                case TalentEffect.RAISE_DEFENCE:
                    return Spoken(f"{who} is on guard: Quickness Defence +{by}.")
                case TalentEffect.LOWER_INITIATIVE:
                    return Spoken(f"{who} will be slower: initiative -{by} next round.")
            return Spoken(f"{who} will be quicker: initiative +{by} next round.")
    return ""


def _order(event: Event, adventure: Adventure, viewer: str) -> Telling:
    match event:
        case o.ConflictBegun(proximities=proximities):
            return Sentence(f"It comes to a fight: {listed(proximities)}.", apart=True)
        case o.RoundBegun(round=number):
            return Spoken(
                f"Round {number}: {_initiatives(adventure)}.", *([Lead(f"Round {number}.")] if number > 1 else ())
            )
        case o.RangedDeclared(names=names):
            return Spoken(f"Ranged attacks come first: {', '.join(names) or 'none here'}.")
        case o.Cooperated(names=names, initiative=initiative):
            return Spoken(f"{' and '.join(names)} act together, on {initiative}.")
        case o.TurnTaken(who=who, doing=doing):
            by_itself = doing.startswith(("attacks ", "talks to ", "moves "))  # what comes of it is told
            return Spoken(f"{who} {doing}.") if by_itself else Sentence(f"{who} {ended(doing)}")
        case o.LeftConflict(who=who, how=how):
            did = {Left.FLED: "flees", Left.SURRENDERED: "gives up", Left.STOOD_DOWN: "stands down"}[how]
            return Sentence(f"{who} {did}.")
        case o.ConflictEnded(standing=standing, outcome=outcome, rounds=rounds):
            sentence = ended(outcome or (f"{standing[0]} hold the field" if standing else "nobody stands"))
            over = Sentence(f"The fight is over: {sentence}", apart=True)
            ending = EndingMark(sentence[:1].upper() + sentence[1:])
            return Spoken(f"The fight is over after round {rounds}: {sentence}", over, ending)
    return ""


def _fight(event: Event, adventure: Adventure, viewer: str) -> Telling:
    match event:
        case o.Distracted(who=who, distraction=distraction, round=number):
            what = "acts last" if distraction is Distraction.ACTS_LAST else "loses the turn"
            return Spoken(f"{who} {what} in round {number}.")
        case f.Moved(who=who, to=to):
            where = "is Engaged" if to is Proximity.ENGAGED else f"is {to.label}"
            return Spoken(f"{who} {where}.")
        case f.Talked(who=who, target=target, intent=intent, succeeded=succeeded):
            how = f"({intent.value.replace('-', ' ')}){'' if succeeded else ', in vain'}"
            sentence = f"{who} talks to {target} {how}."
            return RollMark(sentence, ("pass",), missed=not succeeded, word="pass" if succeeded else "fail")
        case f.Attacked(who=who, target=target, weapon=weapon, hit=hit):
            sentence = f"{who} {'hits' if hit else 'misses'} {target} with the {weapon}."
            return RollMark(sentence, ("pass",), missed=not hit, word="hit" if hit else "miss", minor=True)
        case f.Loaded(who=who, weapon=weapon, ready=ready):
            return Spoken(f"{who}'s {weapon.replace('-', ' ')} is {'loaded' if ready else 'empty'}.")
    return ""


def _wounds(event: Event, adventure: Adventure, viewer: str) -> Telling:
    match event:
        case w.MenaceCounted(who=who, target=target, successes=successes, severity=severity):
            odds = (f"{severity.label} or graver",)
            mark = RollMark(f"{who} hits {target}: {severity.label}.", odds, minor=not successes)
            came = how_many(successes, "success", "successes")
            return Spoken(f"Menace, {came}: a {severity.label} wound for {target}.", mark)
        case w.ShieldMarked(who=who):
            shield = adventure.characters[who].shield
            return Spoken(f"{who} catches it on the shield ({shield.left if shield else 0} left).")
        case w.WoundMarked(who=who, severity=severity, level=level):
            if viewer != STORYTELLER and not adventure.characters[who].is_player_character:
                return Sentence(f"{who} is wounded.")
            flowed = "" if severity is level else f", flowed from {severity.label}"
            return Spoken(
                f"{who} is wounded: {level.label}{flowed}.", Sentence(f"{who} is wounded: {level.label}.")
            )
        case w.Incapacitated(who=who):
            return Spoken(f"{who} is incapacitated.", Decisive(f"{who} falls."))
    return ""


def _healing(event: Event, adventure: Adventure, viewer: str) -> Telling:
    match event:
        case h.AidDeclared(who=who, patient=patient):
            return Spoken(f"{who} will tend {_other(who, patient)} at the end of the round.")
        case h.AidLost(who=who, patient=patient, because=because):
            return Spoken(f"{who} cannot tend {_other(who, patient)}: {because}.")
        case h.AidGiven(who=who, patient=patient, successes=successes, wounds=wounds):
            helped = f"{who} tends {patient}" if successes else f"{who} can do nothing for {_other(who, patient)}"
            kept = [RollMark(f"{helped}.")] if who != patient else ()
            if not successes:
                return Spoken(f"{helped}.", *kept)
            whole = f"{who} tends {_other(who, patient)}, the bleeding stops; wounds now: {_levels(wounds)}."
            return Spoken(whole, *kept)
        case h.Recuperated(who=who, days=days, activity=activity, wounds=wounds):
            how = {"bed-rest": "bed rest", "light": "light activity", "heavy": "heavy activity"}[activity]
            return Spoken(f"{who}, {how_many(days, 'day', 'days')} of {how}; wounds now: {_levels(wounds)}.")
        case h.TimePassed(hours=hours):
            if hours >= _DAY:
                return Sentence(f"{how_many(hours // _DAY, 'day passes', 'days pass')}.", apart=True)
            return Spoken(f"{how_many(hours, 'hour passes', 'hours pass')}.")
    return ""


def _kept_of(tested: p.Tested) -> tuple[Mark, ...]:
    """A test that was made for something, with the lines of the odds that say how likely it was to pass."""
    if not tested.doing:
        return ()
    odds = (f"pass, with up to {tested.bonus} Effort", "pass") if tested.bonus > 0 else ("pass",)
    sentence, word = f"{tested.who} {ended(tested.doing)}", "pass" if tested.passed else "fail"
    return (RollMark(sentence, odds, missed=not tested.passed, word=word),)


def _other(who: str, patient: str) -> str:
    return "their own wounds" if who == patient else patient


def _initiatives(adventure: Adventure) -> str:
    if adventure.conflict is None:
        return ""
    standing = {n: c for n, c in adventure.conflict.combatants.items() if c.left is None}
    ordered = sorted(standing, key=lambda n: -standing[n].initiative)
    return ", ".join(f"{n} {standing[n].initiative}" for n in ordered if not adventure.characters[n].dead)


def _levels(levels: Levels) -> str:
    marked = [f"{levels.at(level)} {level.label}" for level in LEVELS if levels.at(level)]
    return ", ".join(marked) or "none"


def _skill(key: str) -> str:
    return skills()[key].name if key in skills() else key.replace("-", " ").capitalize()


def _faces(faces: tuple[int, ...]) -> str:
    return "-".join(map(str, faces))
