"""The tables of Weave's screen, made from the engine's own tables and odds."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from loomtable.engine.kernel.reference import Rows, ScreenPanel, read_panels
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.odds.played import fair_fights, weave_fight
from loomtable.engine.odds.weave import challenge_odds
from loomtable.engine.weave.cards.decks import CHALLENGE_LEVELS
from loomtable.engine.weave.challenge.tally import LOWEST_LEVEL, outcome_of
from loomtable.engine.weave.encounter.combat import combat_level
from loomtable.engine.weave.reference import FILE, figures
from loomtable.engine.weave.state import ChallengeOutcome, Npc
from loomtable.engine.weave.suits import Suit
from loomtable.printkit.components.screen_panels import percent, screen_pages
from loomtable.printkit.games.weave.theme import THEME

_POOLS = range(1, 10)
_BONUSES = range(6)
_FOES = (1, 2, 4)
_LEVELS = (LOWEST_LEVEL, *CHALLENGE_LEVELS)


def weave_outcomes() -> Rows:
    """For each level, how many successes bring which outcome (WV-17, WV-18)."""
    rows: list[tuple[str, ...]] = [("Level", *(str(level) for level in _LEVELS))]
    for outcome in ChallengeOutcome:
        cells = []
        for level in _LEVELS:
            counts = [n for n in range(12) if outcome_of(n, level) is outcome]
            last = "+" if counts and counts[-1] == 11 else ""
            several = f"{counts[0]}-{counts[-1]}" if counts and not last and len(counts) > 1 else ""
            cells.append("\u2013" if not counts else several or f"{counts[0]}{last}")
        rows.append((outcome.value.capitalize(), *cells))
    return tuple(rows)


def weave_chances() -> Rows:
    """The chance to pass, in percent, by dice and level (WV-17)."""
    rows: list[tuple[str, ...]] = [("Dice", *(str(level) for level in _LEVELS))]
    for pool in _POOLS:
        rows.append((str(pool), *(percent(challenge_odds(pool, level).passed) for level in _LEVELS)))
    return tuple(rows)


def weave_epics() -> Rows:
    """The chance of an epic pass, in percent, by dice and level (WV-18)."""
    rows: list[tuple[str, ...]] = [("Dice", *(str(level) for level in _LEVELS))]
    for pool in _POOLS:
        odds = [challenge_odds(pool, level).outcomes for level in _LEVELS]
        rows.append(
            (str(pool), *(percent(chances.get(ChallengeOutcome.EPIC_PASS, Fraction(0))) for chances in odds))
        )
    return tuple(rows)


def weave_averages() -> Rows:
    """How many successes and Strikes a roll brings on average, by dice (WV-17)."""
    rows: list[tuple[str, ...]] = [("Dice", "Successes", "Strikes")]
    for pool in _POOLS:
        odds = challenge_odds(pool, LOWEST_LEVEL)
        rows.append((str(pool), *(f"{float(n):.1f}" for n in (odds.expected_successes, odds.expected_strikes))))
    return tuple(rows)


def weave_attack_levels() -> Rows:
    """The level of an attack by both bonuses in its suit (WV-24)."""
    people = [Npc("", True, {Suit.FLAMES: bonus}) for bonus in _BONUSES]
    rows: list[tuple[str, ...]] = [("Target", *(f"+{bonus}" for bonus in _BONUSES))]
    for bonus, target in zip(_BONUSES, people, strict=True):
        rows.append((f"+{bonus}", *(str(combat_level(attacker, target, Suit.FLAMES)) for attacker in people)))
    return tuple(rows)


def weave_fights() -> Rows:
    """How often four heroes of level 3 won, and their Wounds, by the dice and the number of foes (WV-24)."""
    rows: list[tuple[str, ...]] = [("Dice", *(how_many(n, "foe", "foes") for n in _FOES))]
    for bonus in _BONUSES:
        fights = (fair_fights().fair_fights["weave"][weave_fight(4, 3, n, bonus)] for n in _FOES)
        rows.append((f"+{bonus}", *(fought.short for fought in fights)))
    return tuple(rows)


def weave_panels() -> tuple[ScreenPanel, ...]:
    """The three panels of Weave's screen."""
    tables = {
        "outcomes": weave_outcomes(),
        "chances": weave_chances(),
        "epic_passes": weave_epics(),
        "averages": weave_averages(),
        "attack_levels": weave_attack_levels(),
        "fights": weave_fights(),
    }
    return read_panels(FILE, {**figures(), **tables})


screen = partial(screen_pages, THEME, weave_panels)
