"""The tables of the gamesmaster's screens, made from the engine's own tables and odds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from loomtable.engine.kernel.reference import Block
from loomtable.engine.odds.spellwoven import odds_of_test, wound_odds
from loomtable.engine.odds.weave import challenge_odds
from loomtable.engine.spellwoven.armoury import SkillSort, armour, shields, skills, weapons
from loomtable.engine.spellwoven.levels import LEVELS, severity_of
from loomtable.engine.spellwoven.reference import spellwoven_reference
from loomtable.engine.spellwoven.rulings import RULINGS as SPELLWOVEN_RULINGS
from loomtable.engine.spellwoven.state import COOPERATION_COST, Activity
from loomtable.engine.weave.combat import combat_level
from loomtable.engine.weave.decks import CHALLENGE_COPIES, CHALLENGE_LEVELS
from loomtable.engine.weave.playset import IN_PLAY
from loomtable.engine.weave.reference import die_faces, hand_in_words, level_rows, weave_reference
from loomtable.engine.weave.state import Npc, Outcome
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.tally import LOWEST_LEVEL, outcome_of

_POOLS = range(1, 10)
_BONUSES = range(6)
_RATINGS = range(1, 11)
_DIFFICULTIES = range(1, 5)


@dataclass(frozen=True)
class Panel:
    """One panel of a screen: its title, and what stands in its columns."""

    title: str
    blocks: tuple[Block, ...]


def percent(chance: Fraction) -> str:
    """``67 %``; never 0 or 100 for what is possible, or not certain."""
    if chance in (0, 1):
        return f"{100 * int(chance)}"
    return str(min(max(round(100 * chance), 1), 99))


def _weave_levels() -> tuple[int, ...]:
    return (LOWEST_LEVEL, *CHALLENGE_LEVELS)


def weave_outcomes() -> tuple[tuple[str, ...], ...]:
    """For each level, how many successes bring which outcome (WV-17, WV-18)."""
    rows: list[tuple[str, ...]] = [("Level", *(str(level) for level in _weave_levels()))]
    for outcome in Outcome:
        cells = []
        for level in _weave_levels():
            counts = [n for n in range(12) if outcome_of(n, level) is outcome]
            last = "+" if counts and counts[-1] == 11 else ""
            several = f"{counts[0]}-{counts[-1]}" if counts and not last and len(counts) > 1 else ""
            cells.append("\u2013" if not counts else several or f"{counts[0]}{last}")
        rows.append((outcome.value.capitalize(), *cells))
    return tuple(rows)


def weave_chances() -> tuple[tuple[str, ...], ...]:
    """The chance to pass, in percent, by dice and level (WV-17)."""
    rows: list[tuple[str, ...]] = [("Dice", *(str(level) for level in _weave_levels()))]
    for pool in _POOLS:
        rows.append((str(pool), *(percent(challenge_odds(pool, level).passed) for level in _weave_levels())))
    return tuple(rows)


def weave_epics() -> tuple[tuple[str, ...], ...]:
    """The chance of an epic pass, in percent, by dice and level (WV-18)."""
    rows: list[tuple[str, ...]] = [("Dice", *(str(level) for level in _weave_levels()))]
    for pool in _POOLS:
        odds = [challenge_odds(pool, level).outcomes for level in _weave_levels()]
        rows.append((str(pool), *(percent(one.get(Outcome.EPIC_PASS, Fraction(0))) for one in odds)))
    return tuple(rows)


def weave_averages() -> tuple[tuple[str, ...], ...]:
    """How many successes and Strikes a roll brings on average, by dice (WV-17)."""
    rows: list[tuple[str, ...]] = [("Dice", "Successes", "Strikes")]
    for pool in _POOLS:
        odds = challenge_odds(pool, LOWEST_LEVEL)
        rows.append((str(pool), *(f"{float(n):.1f}" for n in (odds.expected_successes, odds.expected_strikes))))
    return tuple(rows)


def weave_attack_levels() -> tuple[tuple[str, ...], ...]:
    """The level of an attack by both bonuses in its suit (WV-24)."""
    people = [Npc("", True, {Suit.FLAMES: bonus}) for bonus in _BONUSES]
    rows: list[tuple[str, ...]] = [("Target", *(f"+{bonus}" for bonus in _BONUSES))]
    for bonus, target in zip(_BONUSES, people, strict=True):
        rows.append((f"+{bonus}", *(str(combat_level(attacker, target, Suit.FLAMES)) for attacker in people)))
    return tuple(rows)


def weave_panels() -> tuple[Panel, ...]:
    """The three panels of Weave's screen."""
    card = weave_reference()
    suits, challenge, level, core, _ = card.front
    strikes, mechanics, encounter, attack, enticement = card.back
    count = len(Suit) * len(CHALLENGE_LEVELS) * CHALLENGE_COPIES
    return (
        Panel(
            "Challenges",
            (
                suits,
                Block("Ordinary dice", "WV-17", table=die_faces(), bare=True),
                Block(challenge.title, challenge.rules, challenge.text),
                level,
                Block("Outcomes by successes", "WV-17, WV-18", table=weave_outcomes()),
                Block("Chance to pass", "WV-17", "In percent, by dice and level.", table=weave_chances()),
                Block("Chance of an epic pass", "WV-18", table=weave_epics()),
                core,
            ),
        ),
        Panel(
            "Encounters",
            (
                Block(
                    encounter.title,
                    "WV-22, WV-23",
                    "The one who began it may act first. A Core Challenge in one suit makes the order. "
                    f"{encounter.text}",
                ),
                attack,
                Block(
                    "Level of an attack",
                    "WV-24",
                    "The attacker's bonus in the suit is across, the target's down.",
                    table=weave_attack_levels(),
                ),
                strikes,
                Block("A roll brings on average", "WV-17", table=weave_averages()),
                Block(
                    "Healing",
                    "WV-21",
                    "A Wound heals by what the story, a Talent or an Asset allows, with a Challenge of the "
                    "healer where you ask for one.",
                ),
                mechanics,
            ),
        ),
        Panel(
            "Episodes and scenes",
            (
                Block(
                    "An episode begins",
                    "WV-2, WV-11, WV-13",
                    "New Theme, Location and Boss, face down as its foundation. Offer Level Ups. Shuffle "
                    f"both decks ({count} Challenge cards); hold {hand_in_words()}, and fill up after every "
                    "play.",
                ),
                Block(
                    "A scene",
                    "WV-8, WV-14",
                    "What is played goes into the spread. At its end all but the foundation goes back, and "
                    "Strikes are cleared.",
                ),
                Block("A Story card brings", "WV-15", ", ".join(kind.label for kind in IN_PLAY) + "."),
                Block(
                    "Nothing fits?", "WV-19", "Let a character pass: discard any Challenge cards and draw as many."
                ),
                enticement,
                Block(
                    "People you play",
                    "WV-15, WV-20, WV-24",
                    "They roll as characters do, with the bonus of their card; Strikes and Wounds count as "
                    "for characters, unless you agreed on tracks of their own.",
                ),
                Block(
                    "A Subplot resolved",
                    "WV-16",
                    "Everybody involved takes the top Challenge card, to redeem later.",
                ),
                Block("Levels", "WV-11", table=(("Level", "brings"), *level_rows())),
            ),
        ),
    )


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
