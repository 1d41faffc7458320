"""The tables of Spellwoven's screen, made from the engine's own tables and odds."""

from __future__ import annotations

from loomtable.engine.kernel.reference import Block
from loomtable.engine.odds.spellwoven import odds_of_test, wound_odds
from loomtable.engine.spellwoven.armoury import SkillSort, armour, shields, skills, weapons
from loomtable.engine.spellwoven.levels import LEVELS, severity_of
from loomtable.engine.spellwoven.reference import spellwoven_reference
from loomtable.engine.spellwoven.rulings import RULINGS as SPELLWOVEN_RULINGS
from loomtable.engine.spellwoven.state import COOPERATION_COST, Activity
from loomtable.printkit.components.screen_panels import Panel, percent, screen
from loomtable.printkit.games.spellwoven.theme import THEME

_RATINGS = range(1, 11)
_DIFFICULTIES = range(1, 5)


def spellwoven_chances() -> tuple[tuple[str, ...], ...]:
    """The chance to pass, in percent, by rating and difficulty (SP-1)."""
    rows: list[tuple[str, ...]] = [("Rating", *(str(d) for d in _DIFFICULTIES))]
    for rating in _RATINGS:
        rows.append((str(rating), *(percent(odds_of_test(rating, d).passed) for d in _DIFFICULTIES)))
    return tuple(rows)


def spellwoven_wounds() -> tuple[tuple[str, ...], ...]:
    """What a Menace roll inflicts (SP-11)."""
    graves = [(f"{n}+" if n == len(LEVELS) else str(n), severity_of(n).label) for n in range(len(LEVELS) + 1)]
    return (("Successes", "Wound"), *graves)


TYPICAL_MENACE = 9
"""Weapons have Menace 2 to 9; what goes beyond is rare, and ``loom odds`` tells it."""


def spellwoven_severities(effort: int = 0) -> tuple[tuple[str, ...], ...]:
    """The chance, in percent, of each severity or a graver one, by Menace, with so much Effort (SP-2, SP-11)."""
    rows: list[tuple[str, ...]] = [("Menace", *(level.label[:2] for level in LEVELS))]
    for menace in range(1, TYPICAL_MENACE + 1):
        odds = wound_odds(menace, effort=effort).with_effort[effort]
        rows.append((str(menace), *(percent(odds[level]) for level in LEVELS)))
    return tuple(rows)


def spellwoven_weapons(*, ranged: bool) -> tuple[tuple[str, ...], ...]:
    """Every installed weapon that can be thrown or shot, or that cannot (SP-10)."""
    rows: list[tuple[str, ...]] = [("Weapon", "Menace", "Skill")]
    for weapon in weapons().values():
        if any(use.ranged for use in weapon.uses) is ranged:
            uses = [skills()[u.skill].name + (f" ({u.reach.label})" if u.ranged else "") for u in weapon.uses]
            rows.append((weapon.name, str(weapon.menace), ", ".join(uses)))
    return tuple(rows)


def spellwoven_armour() -> tuple[tuple[str, ...], ...]:
    """Every installed piece of armour, with its soak at each level (SP-15)."""
    rows: list[tuple[str, ...]] = [("Armour", *(level.label[:2] for level in LEVELS))]
    for piece in armour().values():
        rows.append((piece.name, *(str(piece.soak.at(level) or "\u2013") for level in LEVELS)))
    return tuple(rows)


def spellwoven_options() -> tuple[str, ...]:
    """The optional rules, by name (SP-22)."""
    return tuple(
        ruling.id.replace("-", " ")
        for ruling in SPELLWOVEN_RULINGS.values()
        if ruling.rule == "SP-22" and ruling.default == "off"
    )


def spellwoven_panels() -> tuple[Panel, ...]:
    """The three panels of Spellwoven's screen."""
    card = spellwoven_reference()
    test, round_, attack, _ = card.front
    where, worn, talk, aid, _ = card.back
    by_sort = tuple(
        (sort.value.capitalize(), ", ".join(s.name for s in skills().values() if s.sort is sort))
        for sort in SkillSort
    )
    caught = tuple((kind.name, f"{kind.soak} in all") for kind in shields().values())
    rest = tuple((a.value.replace("-", " ").capitalize(), f"{a.days} days") for a in Activity)
    return (
        Panel(
            "Tests and rounds",
            (
                test,
                Block(
                    "Chance to pass",
                    "SP-1",
                    "In percent, by rating and what it needs.",
                    table=spellwoven_chances(),
                ),
                round_,
                Block(
                    "Cooperation",
                    "SP-5",
                    f"On the highest of their initiatives; each needs {COOPERATION_COST} and loses "
                    f"{COOPERATION_COST} when the round ends.",
                ),
                talk,
                Block(
                    "Leaving a fight",
                    "SP-21",
                    "Flee, surrender, or lose heart: morale is your call, and takes an action of yours.",
                ),
                Block("Skills", "SP-1", table=by_sort, bare=True),
            ),
        ),
        Panel(
            "Blows and wounds",
            (
                attack,
                Block("Menace", "SP-11", table=spellwoven_wounds()),
                Block(
                    "Chance in percent",
                    "SP-11",
                    "Of such a wound, or a graver one.",
                    table=spellwoven_severities(),
                ),
                Block(
                    "Three equal dice",
                    "SP-11",
                    f"Armour and shield are passed in {percent(wound_odds(TYPICAL_MENACE).triplet)} roll of 100.",
                ),
                Block(
                    "Chance with 1 Effort",
                    "SP-2, SP-11",
                    "Of such a wound, or a graver one, in percent.",
                    table=spellwoven_severities(1),
                ),
                where,
                worn,
                Block(
                    "Incidental people",
                    "SP-14",
                    "Their track may lack Shallow, Deep or Grievous; a wound there flows up.",
                ),
            ),
        ),
        Panel(
            "Arms, armour, healing",
            (
                Block("Hand to hand", "SP-7, SP-10", table=spellwoven_weapons(ranged=False)),
                Block("Thrown and shot", "SP-7, SP-10", table=spellwoven_weapons(ranged=True)),
                Block("Soak", "SP-15", table=spellwoven_armour()),
                Block("Shields", "SP-18", table=caught, bare=True),
                aid,
                Block("Wounds ease by a level after", "SP-20", table=rest, bare=True),
                Block("If your table plays them", "SP-22", f"{', '.join(spellwoven_options())}."),
            ),
        ),
    )


PRINTED = (screen(THEME, spellwoven_panels),)
"""What this file prints."""
