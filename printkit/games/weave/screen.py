"""The tables of Weave's screen, made from the engine's own tables and odds."""

from __future__ import annotations

from fractions import Fraction

from loomtable.engine.kernel.reference import Block
from loomtable.engine.odds.weave import challenge_odds
from loomtable.engine.weave.combat import combat_level
from loomtable.engine.weave.decks import CHALLENGE_COPIES, CHALLENGE_LEVELS
from loomtable.engine.weave.playset import IN_PLAY
from loomtable.engine.weave.reference import die_faces, hand_in_words, level_rows, weave_reference
from loomtable.engine.weave.state import Npc, Outcome
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.tally import LOWEST_LEVEL, outcome_of
from loomtable.printkit.components.screen_panels import Panel, percent, screen
from loomtable.printkit.games.weave.theme import THEME

_POOLS = range(1, 10)
_BONUSES = range(6)


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


PRINTED = (screen(THEME, weave_panels),)
"""What this file prints."""
