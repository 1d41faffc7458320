"""Every event of Spellwoven as a sentence: the one place to translate; and who may hear it."""

from __future__ import annotations

from loomtable.engine.kernel.play import Event
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.spellwoven.armoury import Effect, Proximity, skills
from loomtable.engine.spellwoven.events import fight as f
from loomtable.engine.spellwoven.events import healing as h
from loomtable.engine.spellwoven.events import order as o
from loomtable.engine.spellwoven.events import people as p
from loomtable.engine.spellwoven.events import wounds as w
from loomtable.engine.spellwoven.levels import LEVELS, Levels
from loomtable.engine.spellwoven.state import Adventure, Distraction, Left


def tell(event: Event, adventure: Adventure) -> str:
    """The event as a sentence for people; ``adventure`` is the adventure after it."""
    for chapter in (_people, _order, _fight, _wounds, _healing):
        if sentence := chapter(event, adventure):
            return sentence
    return ""


_OPEN = (
    p.EncounterOpened,
    p.EncounterClosed,
    p.Opposed,
    o.ConflictBegun,
    o.ConflictJoined,
    o.InitiativeSet,
    o.TieRolled,
    o.RoundBegun,
    o.RangedDeclared,
    o.Cooperated,
    o.CooperationPaid,
    o.TurnTaken,
    o.MomentumChanged,
    o.Distracted,
    o.LeftConflict,
    o.MoraleChecked,
    o.ConflictEnded,
    f.Moved,
    f.Talked,
    f.Attacked,
    f.OverSwung,
    f.Loaded,
    f.FreeAttackGiven,
    w.ArmourPierced,
    w.MenaceCounted,
    w.BlowPulled,
    w.ShieldDestroyed,
    w.Hampered,
    w.Collapsed,
    w.Incapacitated,
    w.Died,
    w.LastStandBegun,
    h.AidDeclared,
    h.AidLost,
    h.TimePassed,
)
"""What anybody at the table can see."""
_ON_THE_SHEET = (p.CharacterAdded, p.RollFaced)


def hears(event: Event, adventure: Adventure, viewer: str) -> bool:
    """Whether a viewer may hear the sentence of an event: what anybody can see, and what happens to the heroes.

    What stands on a sheet is for its player alone, and of those whom the storyteller plays for nobody.
    """
    if isinstance(event, _OPEN):
        return True
    sheet = adventure.characters.get(getattr(event, "who", ""))
    if sheet is None:
        return False
    return sheet.player == viewer or (sheet.is_player_character and not isinstance(event, _ON_THE_SHEET))


def _people(event: Event, adventure: Adventure) -> str:
    match event:
        case p.CharacterAdded(character=c):
            arms = ", ".join(w.name for w in c.weapons) or "bare hands"
            whose = f"{c.player} plays {c.name}" if c.player else f"{c.name} comes in for {c.side}"
            return f"{whose} ({arms})."
        case p.Equipped(who=who, weapons=weapons, put_away=put_away):
            away = f" {who} puts the shield away." if put_away else ""
            return f"{who} takes up other gear: {', '.join(w.name for w in weapons) or 'no weapon'}.{away}"
        case p.EffortChanged(who=who, by=by, reason=reason):
            left = adventure.characters[who].effort
            if not reason:
                return f"{who} spends {-by} Effort ({left} left)."
            return f"{who} {'gains' if by > 0 else 'loses'} {abs(by)} Effort: {reason} ({left} now)."
        case p.RollFaced(who=who, rating=rating, difficulty=difficulty, edge=edge):
            against = "" if difficulty is None else f", difficulty {difficulty}"
            leaning = {1: ", at an advantage", -1: ", at a disadvantage", 0: ""}[edge]
            return f"{who} rolls against {rating}{against}{leaning}."
        case p.Tested(faces=()):
            return f"{event.who} has no {_skill(event.what)} to test, so no success."
        case p.Tested(who=who, what=what, rating=rating, faces=faces, bonus=bonus, successes=successes):
            more = f", {bonus:+d}" if bonus else ""
            came = how_many(successes, "success", "successes")
            count = f"{_faces(faces)} against {_skill(what)} {rating}{more}: {came}"
            if event.difficulty is None:
                return f"{who}: {count}."
            return f"{who}: {count}, {event.difficulty} needed; {'passed' if event.passed else 'failed'}."
        case p.EncounterOpened(encounter=encounter):
            return f"{encounter.title}. {encounter.opening.strip()}"
        case p.EncounterClosed(follows=follows, reward=reward):
            return f"{follows.strip()} {reward.strip()}".strip()
        case p.Opposed(who=who, opposer=opposer, winner=winner):
            return f"{who} against {opposer}: {winner or 'nobody'} wins."
        case p.TalentUsed(who=who, talent=talent, instead_of=dice):
            known = {t.key: t.name for t in adventure.characters[who].talents}
            return f"{who} uses {known[talent]}{f': {_faces(dice)} is rolled again' if dice else ''}."
        case p.TalentWorked(who=who, effect=effect, by=by):
            match effect:
                case Effect.RAISE_DEFENCE:
                    return f"{who} is on guard: Quickness Defence +{by}."
                case Effect.LOWER_INITIATIVE:
                    return f"{who} will be slower: initiative -{by} next round."
            return f"{who} will be quicker: initiative +{by} next round."
    return ""


def _order(event: Event, adventure: Adventure) -> str:
    match event:
        case o.ConflictBegun(proximities=proximities):
            return f"A conflict begins: {', '.join(proximities)}."
        case o.ConflictJoined(who=who, proximity=proximity):
            return f"{who} comes into the conflict, {proximity.label}."
        case o.InitiativeSet(who=who, initiative=initiative):
            return f"{who} acts on {initiative}."
        case o.TieRolled(who=who, face=face):
            return f"Tie: {who} rolls {face}."
        case o.RoundBegun(round=number):
            return f"Round {number}: {_initiatives(adventure)}."
        case o.RangedDeclared(names=names):
            return f"Ranged attacks come first: {', '.join(names) or 'none here'}."
        case o.Cooperated(names=names, initiative=initiative):
            return f"{' and '.join(names)} act together, on {initiative}."
        case o.CooperationPaid(who=who):
            return f"Acting together costs {who} 5 initiative."
        case o.TurnTaken(who=who, doing=doing):
            return f"{who} {doing}."
        case o.MomentumChanged(who=who, by=by):
            return f"{who}: initiative {by:+d} next round."
        case o.LeftConflict(who=who, how=how):
            did = {Left.FLED: "flees", Left.SURRENDERED: "surrenders", Left.STOOD_DOWN: "stands down"}[how]
            return f"{who} {did}."
        case o.MoraleChecked(because=because):
            return f"Will they stand? {because}."
        case o.ConflictEnded(standing=standing, outcome=outcome, rounds=rounds):
            ending = outcome or (f"the field is held by {standing[0]}" if standing else "nobody stands")
            return f"The conflict is over after round {rounds}: {ending}."
    return ""


def _fight(event: Event, adventure: Adventure) -> str:
    match event:
        case o.Distracted(who=who, distraction=distraction, round=number):
            what = "acts last" if distraction is Distraction.ACTS_LAST else "loses the turn"
            return f"{who} {what} in round {number}."
        case f.Moved(who=who, to=to):
            where = "is Engaged" if to is Proximity.ENGAGED else f"is {to.label}"
            return f"{who} {where}."
        case f.Talked(who=who, target=target, intent=intent, succeeded=succeeded):
            outcome = "it works" if succeeded else "in vain"
            return f"{who} talks to {target} ({intent.value.replace('-', ' ')}): {outcome}."
        case f.Attacked(who=who, target=target, weapon=weapon, hit=hit):
            return f"{who} {'hits' if hit else 'misses'} {target} with the {weapon}."
        case f.OverSwung(who=who):
            return f"{who} swung wide and is open to the next attack."
        case f.Loaded(who=who, weapon=weapon, ready=ready):
            return f"{who}'s {weapon.replace('-', ' ')} is {'loaded' if ready else 'empty'}."
        case f.FreeAttackGiven(who=who, target=target, because=because):
            return f"{target} {because}: {who} gets a free attack."
        case f.EvasionCounted(who=who, penalty=penalty, defence=defence):
            return f"Armour slows {who}: Quickness Defence {defence} ({penalty} less)."
    return ""


def _wounds(event: Event, adventure: Adventure) -> str:
    match event:
        case w.ArmourPierced(who=who, because=because):
            return f"{who}'s armour and shield do not help: {because}."
        case w.MenaceCounted(target=target, successes=successes, severity=severity):
            return f"Menace, {how_many(successes, 'success', 'successes')}: a {severity.label} wound for {target}."
        case w.BlowPulled(who=who, target=target):
            return f"{who} pulls the blow: Felling, and {target} lives."
        case w.ShieldMarked(who=who):
            shield = adventure.characters[who].shield
            return f"{who} catches it on the shield ({shield.left if shield else 0} left)."
        case w.ShieldDestroyed(who=who):
            return f"{who}'s shield is destroyed."
        case w.Hampered(who=who):
            return f"The shield is in the way of {who}'s next attack."
        case w.SoakMarked(who=who, level=level):
            return f"{who}'s armour takes it ({level.label})."
        case w.WoundMarked(who=who, severity=severity, level=level):
            flowed = "" if severity is level else f", flowed from {severity.label}"
            return f"{who} is wounded: {level.label}{flowed}."
        case w.NoSlotLeft(who=who, severity=severity):
            return f"{who} has no slot left for a {severity.label} wound."
        case w.Collapsed(who=who):
            return f"It is too much for {who}."
        case w.Incapacitated(who=who):
            return f"{who} is incapacitated."
        case w.Died(who=who):
            return f"{who} dies."
        case w.LastStandBegun(who=who):
            return f"{who} will not fall before this is over: a heroic death."
        case w.Maimed(who=who):
            return f"{who} is maimed until fully healed."
    return ""


def _healing(event: Event, adventure: Adventure) -> str:
    match event:
        case h.AidDeclared(who=who, patient=patient):
            return f"{who} will tend {_other(who, patient)} at the end of the round."
        case h.AidLost(who=who, patient=patient, because=because):
            return f"{who} cannot tend {_other(who, patient)}: {because}."
        case h.AidGiven(who=who, patient=patient, successes=successes, wounds=wounds):
            if successes == 0:
                return f"{who} can do nothing for {_other(who, patient)}."
            return f"{who} tends {_other(who, patient)}, the bleeding stops; wounds now: {_levels(wounds)}."
        case h.Recuperated(who=who, days=days, activity=activity, wounds=wounds):
            how = {"bed-rest": "bed rest", "light": "light activity", "heavy": "heavy activity"}[activity]
            return f"{who}, {days} day{'' if days == 1 else 's'} of {how}; wounds now: {_levels(wounds)}."
        case h.TimePassed(hours=hours):
            return f"{hours} hour{'' if hours == 1 else 's'} pass{'es' if hours == 1 else ''}."
        case h.ShieldRepaired(who=who):
            return f"{who}'s shield is repaired."
        case h.ArmourMended(who=who):
            return f"{who}'s armour is whole again."
    return ""


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
