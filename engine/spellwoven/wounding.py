"""What a blow does: shield, soak, wound track, and who falls (SP-12 to SP-15, SP-18)."""

from __future__ import annotations

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, EnterNumber, Option
from loomtable.engine.spellwoven.armoury import ShieldSize
from loomtable.engine.spellwoven.attribute_tests import FORTITUDE, MANOEUVRE, rating_of, skill_test
from loomtable.engine.spellwoven.events.wounds import (
    Collapsed,
    Died,
    Hampered,
    Incapacitated,
    LastStandBegun,
    Maimed,
    NoSlotLeft,
    ShieldDestroyed,
    ShieldMarked,
    SoakMarked,
    WoundMarked,
)
from loomtable.engine.spellwoven.levels import Severity, landing
from loomtable.engine.spellwoven.lookup import character
from loomtable.engine.spellwoven.state import Adventure

WOUND_LIMIT = 12
MOST_DIFFICULTY = 6


class WeaponBlow(msgspec.Struct, frozen=True):
    """A blow that landed: how grave, and what it goes past."""

    severity: Severity
    pierces: bool = False
    """Ignores armour and shield (SP-17)."""
    arrow: bool = False
    through_armour: bool = False
    """Marks soak and wound at once: blackpowder (SP-22)."""


def deal(play: Play[Adventure], target: str, blow: WeaponBlow) -> Steps[None]:
    """Shield, then soak at the rolled level, then the wound track (SP-12, SP-15, SP-18)."""
    severity = blow.severity
    if severity is Severity.GLANCE:
        return
    if not blow.pierces:
        caught = yield from _shield(play, target, blow)
        if caught and not (blow.arrow and play.ruled("shields-and-arrows-1") == "on"):
            return
        severity = Severity.SHALLOW if caught else severity
        sheet = character(play, target)
        if sheet.soak_marked.at(severity) < sheet.soak_slots.at(severity):
            yield SoakMarked(who=target, level=severity)
            if not blow.through_armour:
                return
    yield from _mark_wound(play, target, severity)


def _shield(play: Play[Adventure], target: str, blow: WeaponBlow) -> Steps[bool]:
    """Catch the blow on the shield, by declaration; whether it was caught (SP-18)."""
    sheet = character(play, target)
    if sheet.shield is None or sheet.shield.left == 0 or (sheet.incapacitated and not sheet.heroic):
        return False
    what = f"{blow.severity.label} {'shot' if blow.arrow else 'blow'}"
    options = (
        Option("catch", "Catch it on the shield", f"It can catch {sheet.shield.left} more."),
        Option("let-through", "Let it through"),
    )
    purpose = f"A {what} at {target}: catch it on the shield?"
    chosen = yield from ask(Choose(purpose, options, by=target, rule="SP-18"))
    if chosen.key == "let-through":
        return False
    marks = 1
    if blow.arrow and play.ruled("shields-and-arrows-2") == "on":
        marks = 0  # any number of arrows can be caught, each by a test
        if not (yield from _arrow_caught(play, target)):
            return False
    yield ShieldMarked(who=target, severity=blow.severity, marks=marks)
    if sheet.shield.left == marks:
        yield ShieldDestroyed(who=target)
    if sheet.shield.size is not ShieldSize.SMALL and play.ruled("shield-in-the-way") == "on":
        yield Hampered(who=target)
    return True


def _arrow_caught(play: Play[Adventure], target: str) -> Steps[bool]:
    """A test of Manoeuvre, as difficult as the storyteller says (SP-22)."""
    asked = EnterNumber(
        f"Difficulty for {target} to catch the arrow", 1, MOST_DIFFICULTY, by=STORYTELLER, rule="SP-22"
    )
    difficulty = (yield from ask(asked)).value
    caught = yield from skill_test(
        play, target, MANOEUVRE, difficulty, f"{target} catches the arrow", rule="SP-22", exempt=True
    )
    return caught.successes >= difficulty


def _mark_wound(play: Play[Adventure], target: str, severity: Severity) -> Steps[None]:
    """Mark the wound where a slot is free, and see who falls (SP-12, SP-13, SP-14)."""
    sheet = character(play, target)
    was_down = sheet.incapacitated
    level = landing(sheet.wound_slots, sheet.wounds, severity)
    if level is None:
        yield NoSlotLeft(who=target, severity=severity)
    else:
        missing = any(sheet.wound_slots.at(x) == 0 for x in severity.and_above if x not in level.and_above)
        yield WoundMarked(who=target, severity=severity, level=level, rule="SP-14" if missing else "SP-12")
    if sheet.dead or character(play, target).heroic:
        return
    yield from _maimed(play, target)
    fatal = level is Severity.MORTAL or (level is None and play.ruled("mortal-overflow") == "kills")
    limit = play.ruled("wound-limit") == "on" and character(play, target).wounds.total >= WOUND_LIMIT
    if was_down and not fatal:
        if level is None or limit:
            yield from _collapse(play, target, level)
    elif fatal or level is None or limit or level is Severity.FELLING:
        yield from _fall(play, target, level, fatal=fatal)


def _maimed(play: Play[Adventure], target: str) -> Steps[None]:
    """More wounds than Fortitude hinder until fully healed (SP-22)."""
    sheet = character(play, target)
    if (
        play.ruled("maiming") == "on"
        and not sheet.maimed
        and sheet.wounds.total > (rating_of(play, target, FORTITUDE) or 0)
    ):
        yield Maimed(who=target)


def _collapse(play: Play[Adventure], target: str, level: Severity | None) -> Steps[None]:
    """Incapacitated, though no Felling wound says so (SP-12, SP-22)."""
    if not character(play, target).collapsed:
        yield Collapsed(who=target, rule="SP-12" if level is None else "SP-22")


def _fall(play: Play[Adventure], target: str, level: Severity | None, *, fatal: bool) -> Steps[None]:
    """Incapacitated or dead - or, by the optional rules, what the player decides (SP-13, SP-22)."""
    fate = "dies" if fatal else "incapacitated"
    if character(play, target).is_player_character:
        fate = yield from _players_choice(play, target, fate)
    if fate == "heroic":
        yield LastStandBegun(who=target)
        return
    if fate == "dies":
        yield Died(who=target)
        return
    if not character(play, target).incapacitated:  # no wound on the track says so by itself
        yield from _collapse(play, target, level)
    yield Incapacitated(who=target)


def _players_choice(play: Play[Adventure], target: str, fate: str) -> Steps[str]:
    """A heroic death, or only incapacitated, where the options allow it (SP-22)."""
    heroic = play.ruled("heroic-death") == "on" and play.state.conflict is not None
    options: list[Option] = []
    if heroic:
        options.append(
            Option("heroic", "A heroic death", "Nothing stops you until the conflict ends; then you die.")
        )
    if fate == "dies" and (heroic or play.ruled("death-at-discretion") == "on"):
        options.append(Option("dies", "Dies"))
    if not options:
        return fate
    options.append(Option("incapacitated", "Incapacitated"))
    chosen = yield from ask(Choose(f"{target} falls", tuple(options), by=target, rule="SP-22"))
    return chosen.key
