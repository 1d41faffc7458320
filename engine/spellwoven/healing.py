"""First aid, recuperation, repairs, and the hours that they take (SP-18, SP-19, SP-20)."""

from __future__ import annotations

from loomtable.engine.kernel.action_rules import PLAYER, STORYTELLER
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.spellwoven.arguments import Who, Whom
from loomtable.engine.spellwoven.attribute_tests import HEALING, skill_key, skill_test
from loomtable.engine.spellwoven.events.healing import (
    AidDeclared,
    AidGiven,
    AidLost,
    ArmourMended,
    Recuperated,
    ShieldRepaired,
    TimePassed,
)
from loomtable.engine.spellwoven.events.order import TurnTaken
from loomtable.engine.spellwoven.levels import LEVELS, Levels, Severity, healed
from loomtable.engine.spellwoven.lookup import at_peace, character, conflict, living
from loomtable.engine.spellwoven.state import AID_INTERVAL, RECUPERATION, Activity, Adventure, Character
from loomtable.engine.spellwoven.system import SPELLWOVEN
from loomtable.engine.spellwoven.turns import able, can_act, momentum, on_turn

MOST_DAYS = 366


@SPELLWOVEN.action("first-aid", "SP-19", begun_by=PLAYER, group="In a conflict")
def first_aid(play: Play[Adventure], *, who: Who, patient: Whom) -> Steps[None]:
    """Tend a patient's wounds; in a conflict it takes the action of the round and comes last in it."""
    living(play, who)
    skill_key(play, who, HEALING)
    _can_be_tended(play, patient)
    if play.state.conflict is None:
        able(play, who)
        yield from _give_aid(play, who, patient)
        return
    on_turn(play, who)
    if patient not in conflict(play).combatants:
        raise IllegalAction(f"{patient} is not where this conflict is")
    if any(c.aiding == patient for c in conflict(play).combatants.values()):
        raise IllegalAction(f"somebody tends {patient} already")
    yield TurnTaken(who=who, doing=f"kneels down beside {patient}" if who != patient else "binds their own wounds")
    yield AidDeclared(who=who, patient=patient)


def _can_be_tended(play: Play[Adventure], patient: str) -> None:
    sheet = living(play, patient)
    if sheet.wounds.total == 0 and not sheet.collapsed:
        raise IllegalAction(f"{patient} has no wounds to tend")
    if sheet.treated_at is not None and play.state.hours - sheet.treated_at < AID_INTERVAL:
        again = sheet.treated_at + AID_INTERVAL
        raise IllegalAction(f"{patient} had first aid in the last {AID_INTERVAL} hours; again from hour {again}")


def give_declared_aid(play: Play[Adventure]) -> Steps[None]:
    """At the end of the round the healers test, unless something came in between (SP-19)."""
    combatants = conflict(play).combatants
    healers = [n for n, c in combatants.items() if c.aiding is not None]
    for who in sorted(healers, key=lambda n: (-combatants[n].initiative, combatants[n].tie)):
        own = conflict(play).combatants[who]
        assert own.aiding is not None, "a healer without a patient"
        because = yield from _disturbed(play, who, own.aiding)
        if because:
            yield AidLost(who=who, patient=own.aiding, because=because)
            continue
        successes = yield from _give_aid(play, who, own.aiding)
        yield momentum(who, successes > 0)


def _disturbed(play: Play[Adventure], who: str, patient: str) -> Steps[str]:
    """Why first aid does not come about, or nothing."""
    if not can_act(play.state, who):
        return f"{who} cannot act any more"
    if character(play, patient).dead:
        return f"{patient} is dead"
    if not conflict(play).combatants[who].hurt_while_aiding:
        return ""
    options = (Option("goes-on", "Goes on all the same"), Option("disrupted", "It comes to nothing"))
    chosen = yield from ask(
        Choose(f"{who} was wounded while tending {patient}", options, by=STORYTELLER, rule="SP-19")
    )
    return f"{who} was wounded" if chosen.key == "disrupted" else ""


def _give_aid(play: Play[Adventure], who: str, patient: str) -> Steps[int]:
    """A Healing test; each success makes one wound a level milder (SP-19)."""
    tested = yield from skill_test(play, who, HEALING, None, f"{who} tends {patient}", rule="SP-19")
    sheet = character(play, patient)
    chosen = yield from _wounds_to_reduce(who, sheet, tested.successes)
    wounds = reduced(sheet, chosen, flows=play.ruled("first-aid-overflow") == "flows-down")
    helped = tested.successes > 0
    yield AidGiven(
        who=who,
        patient=patient,
        successes=tested.successes,
        reduced=chosen,
        wounds=wounds,
        rests=helped and play.ruled("rest-after-first-aid") == "enforced",
        tended=helped and wounds.felling > 0 and play.ruled("felling-tended") == "any-first-aid",
    )
    return tested.successes


def _wounds_to_reduce(who: str, patient: Character, successes: int) -> Steps[tuple[Severity, ...]]:
    """Which wounds get milder; asked only where there are more than successes (SP-19)."""
    wounds = [(f"{level}-{n}", level) for level in LEVELS for n in range(1, patient.wounds.at(level) + 1)]
    count = min(successes, len(wounds))
    if count == len(wounds) or count == 0 or len({level for _, level in wounds}) == 1:
        return tuple(level for _, level in wounds[:count])
    options = tuple(Option(key, f"{level.label} wound {key.rpartition('-')[2]}") for key, level in wounds)
    purpose = f"Which wounds of {patient.name} get milder"
    chosen = yield from ask(Choose(purpose, options, count, count, by=who, rule="SP-19"))
    return tuple(level for key, level in wounds if key in chosen.keys)


def reduced(patient: Character, chosen: tuple[Severity, ...], *, flows: bool) -> Levels:
    """The wounds after those chosen got a level milder, the mildest first, so that slots free up (SP-19)."""
    wounds = patient.wounds
    for level in sorted(chosen, key=LEVELS.index):
        wounds = healed(patient.wound_slots, wounds, level, flows=flows)
    return wounds


@SPELLWOVEN.action("recuperate", "SP-20", group="Time and healing")
def recuperate(play: Play[Adventure], *, who: dict[Who, Activity], days: int) -> Steps[None]:
    """Let days pass: wounds slide down after three of bed rest, five of light or seven of heavy activity."""
    at_peace(play, "recuperation")
    if not who or not 1 <= days <= MOST_DAYS:
        raise IllegalAction(f"say who recuperates, and for 1 to {MOST_DAYS} days")
    for name, activity in who.items():
        if living(play, name).incapacitated and activity is not Activity.BED_REST:
            raise IllegalAction(f"{name} is incapacitated, and can only keep to bed")
    yield TimePassed(hours=24 * days)
    for name in (n for n in play.state.characters if n in who):
        sheet, activity = character(play, name), who[name]
        changed = sheet.activity not in (None, activity)
        before = 0 if changed and play.ruled("mixed-recuperation") == "starts-anew" else sheet.rested
        slides, rested = divmod(before + days * RECUPERATION // activity.days, RECUPERATION)
        wounds, flows = sheet.wounds, play.ruled("recuperation-when-lower-slot-full") == "flows-down"
        for _ in range(slides):
            wounds = slid(sheet.wound_slots, wounds, flows=flows)
        if wounds.total == 0:
            rested = 0
        yield Recuperated(who=name, activity=activity, days=days, wounds=wounds, rested=rested)


def slid(slots: Levels, wounds: Levels, *, flows: bool) -> Levels:
    """All wounds one level milder, the mildest first; Shallow ones are gone (SP-20)."""
    for level in LEVELS:
        for _ in range(wounds.at(level)):
            wounds = healed(slots, wounds, level, flows=flows)
    return wounds


@SPELLWOVEN.action("pass-time", "SP-19", group="Time and healing")
def pass_time(play: Play[Adventure], *, hours: int) -> Steps[None]:
    """Let hours pass: a patient rests for one after first aid, and can be tended again after 24."""
    at_peace(play, "passing time")
    if not 1 <= hours <= 24 * MOST_DAYS:
        raise IllegalAction(f"{hours} hours cannot pass; 1 to {24 * MOST_DAYS} can")
    yield TimePassed(hours=hours, rule="SP-19")


@SPELLWOVEN.action("repair-shield", "SP-18", begun_by=PLAYER, group="Time and healing")
def repair_shield(play: Play[Adventure], *, who: Who) -> Steps[None]:
    """Have an armourer repair a shield that is only partly used up."""
    at_peace(play, "a repair")
    shield = living(play, who).shield
    if shield is None:
        raise IllegalAction(f"{who} has no shield")
    if shield.left == 0:
        raise IllegalAction(f"the shield of {who} is destroyed, and cannot be repaired")
    if shield.marked == 0:
        raise IllegalAction(f"the shield of {who} is whole")
    yield ShieldRepaired(who=who)


@SPELLWOVEN.action("mend-armour", "SP-15", begun_by=PLAYER, group="Time and healing")
def mend_armour(play: Play[Adventure], *, who: Who) -> Steps[None]:
    """Free the soak that was marked, when the storyteller finds the armour mended."""
    at_peace(play, "mending armour")
    if living(play, who).soak_marked.total == 0:
        raise IllegalAction(f"the armour of {who} is whole")
    yield ArmourMended(who=who)
