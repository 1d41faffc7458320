"""When a fight is over, and by which of the ways that its paragraph names (SW-5). Pure, and nobody asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from loomtable.engine.kernel.play import Play
from loomtable.engine.storm_weavers.events.fights import RoundEnded
from loomtable.engine.storm_weavers.plans import FightEnd, FightOutcome
from loomtable.engine.storm_weavers.state import Round, Tale


class FightVerdict(msgspec.Struct, frozen=True):
    """How a fight ended: by what, and the consequences that the paragraph names for it, if any."""

    outcome: FightOutcome
    end: FightEnd | None = None


def verdict(
    ends: Sequence[FightEnd],
    thymin: int,
    enemies: Mapping[int, int],
    finished: RoundEnded | None = None,
) -> FightVerdict | None:
    """Whether the fight is over: ``thymin`` is his Health, ``enemies`` theirs by number.

    ``finished`` is the round that has just come to its end; without it only Health is looked at. Thymin's death
    comes before everything (SW-16); then the first of ``ends`` that holds counts, in the order of the paragraph;
    and the death of all enemies ends a fight even where the paragraph does not name it.
    """
    if thymin <= 0:
        return FightVerdict(FightOutcome.THYMIN_DEAD)
    for end in ends:
        if end.when.of_a_round:
            holds = finished is not None and _of_a_round(end, finished)
        else:
            holds = _of_health(end, thymin, enemies)
        if holds:
            return FightVerdict(end.when, end)
    return FightVerdict(FightOutcome.ALL_DEAD) if max(enemies.values()) <= 0 else None


def _of_a_round(end: FightEnd, finished: RoundEnded) -> bool:
    if end.when is FightOutcome.ROUNDS:
        return finished.round >= end.at
    return finished.won == (end.when is FightOutcome.ROUND_WON)


def _of_health(end: FightEnd, thymin: int, enemies: Mapping[int, int]) -> bool:
    if end.when is FightOutcome.THYMIN_HEALTH:
        return thymin <= end.at
    if end.when is FightOutcome.ALL_DEAD:
        return max(enemies.values()) <= 0
    meant = [enemies[end.enemy]] if end.enemy else enemies.values()
    return any(health <= end.at for health in meant)


def round_ended(over: Round) -> RoundEnded:
    """The end of a round: won where injuries were caused and none received, lost otherwise (SW-14)."""
    won = over.caused > 0 and over.received == 0
    return RoundEnded(round=over.number, caused=over.caused, received=over.received, won=won)


def healths(play: Play[Tale]) -> tuple[int, dict[int, int]]:
    """Thymin's Health and that of every enemy in the fight that is on, by number."""
    tale = play.state
    assert tale.thymin is not None
    if tale.fight is not None:
        return tale.thymin.health, {1: tale.fight.enemy.health}
    assert tale.map_fight is not None
    return tale.thymin.health, {number: e.health for number, e in tale.map_fight.enemies.items()}
