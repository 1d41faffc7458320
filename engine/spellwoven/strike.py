"""One attack, from the test to hit to the wound (SP-10, SP-11, SP-16, SP-17)."""

from __future__ import annotations

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, EnterNumber, Option
from loomtable.engine.spellwoven.armoury import Proximity, Tag, When
from loomtable.engine.spellwoven.attribute_tests import (
    QUICKNESS,
    Count,
    Leaning,
    count_roll,
    offer_talent,
    skill_test,
    usable_talents,
)
from loomtable.engine.spellwoven.events.fight import Attacked, EvasionCounted, Loaded, Moved, OverSwung
from loomtable.engine.spellwoven.events.people import TalentUsed
from loomtable.engine.spellwoven.events.wounds import ArmourPierced, BlowPulled, MenaceCounted
from loomtable.engine.spellwoven.levels import Severity, severity_of, stacked
from loomtable.engine.spellwoven.lookup import character, conflict
from loomtable.engine.spellwoven.reach import Grip, closes_in, loads
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.spellwoven.turns import momentum
from loomtable.engine.spellwoven.wounding import WeaponBlow, deal

EVASION_SLOTS, ENCUMBRANCE_SLOTS = 5, 6
MOST_DIFFICULTY = 6


def evasion_penalty(play: Play[Adventure], who: str) -> int:
    """What the weight of armour takes from Quickness Defence; shields weigh nothing (SP-16, SP-22)."""
    sheet = character(play, who)

    def slots(ruling: str) -> int:
        return stacked(*sheet.worn).total if play.ruled(ruling) == "on-the-sheet" else sheet.worn_slots

    evasion = slots("evasion-slots") // EVASION_SLOTS
    if play.ruled("encumbrance") == "off":
        return evasion
    encumbrance = slots("encumbrance-slots") // ENCUMBRANCE_SLOTS
    return encumbrance + (evasion if play.ruled("evasion-and-encumbrance") == "adds" else 0)


def quickness_defence(play: Play[Adventure], who: str) -> int:
    """What an attack on ``who`` has to reach: never below 0 for armour, more while on guard (SP-10, SP-16)."""
    bare = max(0, character(play, who).quickness_defence - evasion_penalty(play, who))
    own = play.state.conflict.combatants.get(who) if play.state.conflict else None
    return bare + (own.guard if own else 0)


def strike(
    play: Play[Adventure], who: str, target: str, grip: Grip, situation: Leaning, *, free: bool = False
) -> Steps[bool]:
    """Test to hit, then Menace for the wound; whether it hit (SP-10, SP-11, SP-17)."""
    weapon, use = grip
    if closes_in(play, who, target, use):
        for figure in (who, target):
            if conflict(play).combatants[figure].proximity is not Proximity.ENGAGED:
                yield Moved(who=figure, to=Proximity.ENGAGED)
    defence = quickness_defence(play, target)
    if evasion_penalty(play, target):
        yield EvasionCounted(who=target, penalty=evasion_penalty(play, target), defence=defence)
    leaning = situation + (yield from _openings(play, who, target))
    purpose = f"{who} attacks {target} with the {weapon.name}"
    rolled = yield from skill_test(
        play, who, use.skill, defence, purpose, rule="SP-10", leaning=leaning, at=When.ATTACK_ROLLED
    )
    hit = rolled.successes >= defence
    yield Attacked(who=who, target=target, weapon=weapon.name, hit=hit)
    if loads(play, weapon):
        yield Loaded(who=who, weapon=weapon.key, ready=False)
    if not free or play.ruled("free-attack-momentum") == "yes":
        yield momentum(who, hit)
        if play.ruled("initiative-on-defence") == "defender-too":
            yield momentum(target, not hit)
    if hit:
        yield from _wound(play, who, target, grip, rolled)
    elif Tag.VERY_HEAVY in weapon.tags and play.ruled("over-swing") == "on":
        yield OverSwung(who=who)
    return hit


def _openings(play: Play[Adventure], who: str, target: str) -> Steps[Leaning]:
    """What helps or hinders just this attack: an over-swing, a shield in the way, a talent (SP-9, SP-22)."""
    combatants = conflict(play).combatants
    favours, hinders = [], []
    if combatants[target].open_to_attack and play.ruled("over-swing") == "on":
        favours.append(f"{target} swung wide and is open")
    if combatants[who].hampered and play.ruled("shield-in-the-way") == "on":
        hinders.append(f"the shield of {who} is in the way")
    offered = usable_talents(play, who, When.BEFORE_ATTACK)
    talent = yield from offer_talent(who, offered, f"Before {who} attacks {target}")
    if talent is not None:
        yield TalentUsed(who=who, talent=talent.key)
        favours.append(talent.name)
    return Leaning(tuple(favours), tuple(hinders))


def _wound(play: Play[Adventure], who: str, target: str, grip: Grip, to_hit: Count) -> Steps[None]:
    """The Menace roll, what it pierces, and the wound (SP-11, SP-17)."""
    weapon = grip[0]
    opening = yield from offer_talent(who, usable_talents(play, who, When.HIT), f"After {who} hit {target}")
    if opening is not None:
        yield TalentUsed(who=who, talent=opening.key)
    menace = yield from count_roll(
        play,
        who,
        weapon.menace,
        f"Menace of the {weapon.name}, {who} against {target}",
        rule="SP-11",
        talents=lambda: usable_talents(play, who, When.MENACE_ROLLED),
        words=f"{who} hits {target}: add Effort to the damage?",
        brings=lambda successes: f"a {severity_of(successes).label} wound",
    )
    severity = severity_of(menace.successes)
    yield MenaceCounted(who=who, target=target, successes=menace.successes, severity=severity)
    because = _piercing(play, to_hit, menace)
    if opening is not None:
        because = opening.name
    if because:
        yield ArmourPierced(who=target, because=because, rule="SP-9" if opening else "SP-17")
    if severity is Severity.MORTAL:
        severity = yield from _pulled(play, who, target)
    powder = Tag.BLACKPOWDER in weapon.tags and play.ruled("blackpowder") == "on"
    arrow = Tag.ARROW in weapon.tags
    yield from deal(play, target, WeaponBlow(severity, pierces=bool(because), arrow=arrow, through_armour=powder))


def _piercing(play: Play[Adventure], to_hit: Count, menace: Count) -> str:
    """The triplet that ignores armour, by the ruling ``triplet-vs-worked-example`` (SP-17)."""
    counts = {"Menace": menace}
    if play.ruled("triplet-vs-worked-example") == "rule-text":
        counts = {"the attack": to_hit, **counts}
    return next((f"a triplet of {c.faces[0]} on {name}" for name, c in counts.items() if c.triplet), "")


def _pulled(play: Play[Adventure], who: str, target: str) -> Steps[Severity]:
    """An attacker who wants a prisoner makes a Mortal wound a Felling one (SP-22)."""
    way = play.ruled("intentional-incapacitation")
    if way == "off":
        return Severity.MORTAL
    options = (Option("kill", "Let it kill"), Option("spare", "Pull the blow", "Felling instead of Mortal."))
    chosen = yield from ask(Choose(f"{who} could kill {target}", options, by=who, rule="SP-22"))
    if chosen.key == "kill":
        return Severity.MORTAL
    if way == "with-test":
        asked = EnterNumber(
            f"Difficulty for {who} to pull the blow", 1, MOST_DIFFICULTY, by=STORYTELLER, rule="SP-22"
        )
        difficulty = (yield from ask(asked)).value
        purpose = f"{who} pulls the blow"
        pulled = yield from skill_test(play, who, QUICKNESS, difficulty, purpose, rule="SP-22")
        if pulled.successes < difficulty:
            return Severity.MORTAL
    yield BlowPulled(who=who, target=target)
    return Severity.FELLING
