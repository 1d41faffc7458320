"""The tables of Spellwoven's screen, made from the engine's own tables and odds."""

from __future__ import annotations

from functools import partial

from loomtable.engine.kernel.reference import Rows, ScreenPanel, read_panels
from loomtable.engine.odds.played import fair_fights, spellwoven_fight
from loomtable.engine.odds.spellwoven import odds_of_test, wound_odds
from loomtable.engine.spellwoven.armoury import SkillSort, armour, shields, skills, weapons
from loomtable.engine.spellwoven.levels import LEVELS
from loomtable.engine.spellwoven.people import incidentals, npcs
from loomtable.engine.spellwoven.reference import FILE, figures
from loomtable.engine.spellwoven.rulings import RULINGS as SPELLWOVEN_RULINGS
from loomtable.engine.spellwoven.state import Activity
from loomtable.printkit.components.screen_panels import percent, screen_pages
from loomtable.printkit.games.spellwoven.theme import THEME

_RATINGS = range(1, 11)
_DIFFICULTIES = range(1, 5)


def spellwoven_chances() -> Rows:
    """The chance to pass, in percent, by rating and difficulty (SP-1)."""
    rows: list[tuple[str, ...]] = [("Rating", *(str(d) for d in _DIFFICULTIES))]
    for rating in _RATINGS:
        rows.append((str(rating), *(percent(odds_of_test(rating, d).passed) for d in _DIFFICULTIES)))
    return tuple(rows)


TYPICAL_MENACE = 9
"""Weapons have Menace 2 to 9; what goes beyond is rare, and ``loom odds`` tells it."""


def spellwoven_severities(effort: int = 0) -> Rows:
    """The chance, in percent, of each severity or a graver one, by Menace, with so much Effort (SP-2, SP-11)."""
    rows: list[tuple[str, ...]] = [("Menace", *(level.label[:2] for level in LEVELS))]
    for menace in range(1, TYPICAL_MENACE + 1):
        odds = wound_odds(menace, effort=effort).with_effort[effort]
        rows.append((str(menace), *(percent(odds[level]) for level in LEVELS)))
    return tuple(rows)


def spellwoven_weapons(*, ranged: bool) -> Rows:
    """Every installed weapon that can be thrown or shot, or that cannot (SP-10)."""
    rows: list[tuple[str, ...]] = [("Weapon", "Menace", "Skill")]
    for weapon in weapons().values():
        if any(use.ranged for use in weapon.uses) is ranged:
            uses = [skills()[u.skill].name + (f" ({u.reach.label})" if u.ranged else "") for u in weapon.uses]
            rows.append((weapon.name, str(weapon.menace), ", ".join(uses)))
    return tuple(rows)


def spellwoven_armour() -> Rows:
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


def spellwoven_fights() -> Rows:
    """How often the four ready characters won against each ready foe, alone and as three, and how many fell."""
    rows: list[tuple[str, ...]] = [("Foe", "one", "three")]
    for key, sheet in (npcs() | incidentals()).items():
        fights = (fair_fights().fair_fights["spellwoven"][spellwoven_fight(key, n)] for n in (1, 3))
        rows.append((sheet.name, *(fought.short for fought in fights)))
    return tuple(rows)


def spellwoven_panels() -> tuple[ScreenPanel, ...]:
    """The three panels of Spellwoven's screen."""
    sorts = tuple(
        (sort.value.capitalize(), ", ".join(skill.name for skill in skills().values() if skill.sort is sort))
        for sort in SkillSort
    )
    tables = {
        "chances": spellwoven_chances(),
        "skills": sorts,
        "severities": spellwoven_severities(),
        "severities_with_effort": spellwoven_severities(1),
        "triplet": percent(wound_odds(TYPICAL_MENACE).triplet),
        "melee": spellwoven_weapons(ranged=False),
        "ranged": spellwoven_weapons(ranged=True),
        "soak": spellwoven_armour(),
        "shield_soak": tuple((shield.name, f"{shield.soak} in all") for shield in shields().values()),
        "long_rest": tuple((a.value.replace("-", " ").capitalize(), f"{a.days} days") for a in Activity),
        "fights": spellwoven_fights(),
        "options": ", ".join(spellwoven_options()),
    }
    return read_panels(FILE, {**figures(), **tables})


screen = partial(screen_pages, THEME, spellwoven_panels)
