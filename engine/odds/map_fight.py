"""Storm Weavers: a whole fight on a map, exactly, where Thymin keeps to a manner of fighting (SW-5 to SW-14).

A fight is a walk over (squares, Healths). It is walked forward, a phase at a time, all at once. Thymin's Health is
not part of a spot: each spot keeps one long whole number in which every Health, for every Health with which he may
have begun, has a lane of its own. An injury shifts all lanes; nothing ever spills from one into another. What the
figures do on given squares is asked of the engine once and kept.

Only fights that the paragraph ends after so many rounds can be reckoned: others may go on for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from loomtable.engine.odds.exact import OddsUnknown, added
from loomtable.engine.odds.fight_ends import DEAD, Chances, FightEnding, reduced
from loomtable.engine.odds.manners import Manner, every_ruling
from loomtable.engine.odds.map_figures import Figures, Strike
from loomtable.engine.odds.map_moves import Alive, Moves, Spot
from loomtable.engine.odds.storm_weavers import SQUARE
from loomtable.engine.storm_weavers.endings import verdict
from loomtable.engine.storm_weavers.events import RoundEnded
from loomtable.engine.storm_weavers.map_setup import placed_enemies, thymins_start, trouble_with_map_fight
from loomtable.engine.storm_weavers.plans import MapFightPlan, Outcome
from loomtable.engine.storm_weavers.sheet import Sheet
from loomtable.engine.storm_weavers.squares import Direction

Walk = dict["Standing", int]
"""Where the fight may stand, each with its lanes."""


class Standing(NamedTuple):
    """Where a fight stands between two phases: squares, the enemies' Healths, the round's injuries if asked."""

    spot: Spot
    healths: tuple[int, ...]
    caused: bool = False
    received: bool = False
    struck: tuple[int, ...] = ()
    """Within a phase of several attacks: whom Thymin has struck in it."""
    run_up: Direction | None = None
    """Within a phase of several attacks: the run-up that counts for the next one (SW-12)."""


Steps = tuple[tuple[range, tuple[tuple[Standing, int, int], ...]], ...]
"""By Thymin's Health: where a phase leads, the injuries that it costs him, and in how many of 36 throws."""


def map_fight_chances(
    thymin: Sheet,
    plan: MapFightPlan,
    manner: Manner,
    rulings: Mapping[str, str] | None = None,
    moves: Moves | None = None,
) -> dict[int, Chances]:
    """How a fight on a map may end, for each Health from which Thymin may begin it, up to his own.

    ``moves`` is what the figures of this plan were seen to do before, if anything; it grows.

    Raises:
        OddsUnknown: the fight cannot be fought, or has no end after so many rounds.
        ContentInvalid: there is no such map.
        UnknownRuling: there is no such ruling, or it has no such choice.
    """
    trouble = trouble_with_map_fight(plan)
    if trouble:
        raise OddsUnknown(trouble)
    seen = moves or Moves(plan, thymin.speed, every_ruling(rulings))
    return _Fight(thymin, Figures(thymin, manner, seen)).fought()


class _Lanes:
    """Lanes for Thymin's Health, 0 to ``most``, once for each Health from 1 on with which he may begin."""

    def __init__(self, most: int, largest: int) -> None:
        self.most, self.bits = most, largest.bit_length()
        self.group = (most + 1) * self.bits
        lane = (1 << self.bits) - 1
        everyone = sum(1 << (start * self.group) for start in range(most))
        of_health = [everyone * (lane << (health * self.bits)) for health in range(most + 1)]
        self._lane, self._of_health = lane, of_health
        self.above = [sum(of_health[health + 1 :]) for health in range(most + 1)]
        self._masks: dict[range, int] = {}

    def within(self, lanes: int, healths: range) -> int:
        """The lanes of these Healths alone."""
        if healths not in self._masks:
            self._masks[healths] = sum(self._of_health[healths.start : healths.stop])
        return lanes & self._masks[healths]

    def begun(self) -> int:
        """One fight for each Health, as it begins."""
        return sum(1 << ((health - 1) * self.group + health * self.bits) for health in range(1, self.most + 1))

    def hurt(self, lanes: int, injuries: int) -> int:
        """The lanes of those who live on with so many injuries."""
        return (lanes & self.above[injuries]) >> (injuries * self.bits) if injuries <= self.most else 0

    def read(self, lanes: int, start: int) -> Iterator[tuple[int, int]]:
        """Each Health above 0 with its weight, for a fight begun with Health ``start``."""
        group = lanes >> ((start - 1) * self.group)
        for health in range(1, start + 1):
            weight = (group >> (health * self.bits)) & self._lane
            if weight:
                yield health, weight


class _Fight:
    def __init__(self, thymin: Sheet, figures: Figures) -> None:
        self.figures, plan = figures, figures.plan
        rounds = [end.at for end in plan.ends if end.when is Outcome.ROUNDS]
        if not rounds:
            raise OddsUnknown(
                f"a fight on the map {plan.map} can go on for ever; only with an end 'rounds' can it be reckoned"
            )
        self.plan, self.rounds = plan, min(rounds)
        self.scored = any(end.when in (Outcome.ROUND_WON, Outcome.ROUND_LOST) for end in plan.ends)
        self.movers = range(len(plan.enemies) + 1)
        self.phases = self.rounds * sum(figures.attacks(mover) for mover in self.movers)
        """Attacks that can still come: each multiplies the total by 36, made or not."""
        self.total = SQUARE**self.phases
        self.lanes = _Lanes(thymin.health, self.total)
        self.ended: dict[int, int] = {}
        edges = {end.at + 1 for end in plan.ends if end.when is Outcome.THYMIN_HEALTH}
        bounds = sorted({1, *(edge for edge in edges if edge <= thymin.health), thymin.health + 1})
        self.bands = [range(low, high) for low, high in pairwise(bounds)]
        """Thymin's Healths between which no end of the fight makes a difference."""
        self._steps: dict[tuple[Standing, int, int], Steps] = {}
        self._verdicts: dict[tuple[tuple[int, ...], int, RoundEnded | None], int | None] = {}

    def fought(self) -> dict[int, Chances]:
        """Every round, then what was found, start by start; who is nowhere in the lanes has fallen."""
        enemies = placed_enemies(self.plan)
        spot = Spot(thymins_start(self.plan), tuple(e.square for e in enemies.values()))
        first = Standing(spot, tuple(e.health for e in enemies.values()))
        walk: Walk = {first: self._still_on(first, self.lanes.begun())}
        for number in range(1, self.rounds + 1):
            walk = self._round_over(self._round(walk), number)
        found: dict[int, Chances] = {}
        for start in range(1, self.lanes.most + 1):
            weights = {
                FightEnding(end, health): weight
                for end, lanes in self.ended.items()
                for health, weight in self.lanes.read(lanes, start)
            }
            weights[FightEnding(DEAD, 0)] = self.total - sum(weights.values())
            found[start] = reduced(weights, self.total)
        return found

    def _round(self, walk: Walk) -> Walk:
        for mover in self.movers:
            for attack in range(self.figures.attacks(mover)):
                self.phases -= 1
                walk = self._phase(walk, mover, attack)
        return walk

    def _phase(self, walk: Walk, mover: int, attack: int) -> Walk:
        """One figure's attack, with its move before the first; whatever ends the fight is put aside, at the scale
        of the fight's end."""
        after: Walk = {}
        steps, lanes_of = self._steps, self.lanes
        for standing, lanes in walk.items():
            known = steps.get((standing, mover, attack))
            if known is None:
                known = steps[standing, mover, attack] = self._steps_from(standing, mover, attack)
            for band, outcomes in known:
                concerned = lanes_of.within(lanes, band)
                if concerned:
                    for left, injuries, ways in outcomes:
                        there = ways * (lanes_of.hurt(concerned, injuries) if injuries else concerned)
                        after[left] = after.get(left, 0) + there
        return {left: there for left, lanes in after.items() if (there := self._still_on(left, lanes))}

    def _steps_from(self, standing: Standing, mover: int, attack: int) -> Steps:
        """Where an attack leads from here: by Thymin's Health, each outcome with what it costs him and ways."""
        alive = self.figures.moves.alive(standing.healths)
        everybody = range(1, self.lanes.most + 1)
        if mover and not alive[mover - 1]:
            return ((everybody, ((standing, 0, SQUARE),)),)
        figures, spot = self.figures, standing.spot
        phase = (
            figures.striking(spot, alive, mover, standing.struck, standing.run_up)
            if attack
            else figures.moving(spot, alive, mover)
        )
        moved = standing._replace(spot=phase.spot, struck=(), run_up=None)
        if not phase.enemy:
            return ((everybody, ((moved, 0, SQUARE),)),)
        if attack + 1 < figures.attacks(mover):
            struck = standing.struck if mover else (*standing.struck, phase.enemy)
            moved = moved._replace(struck=struck, run_up=phase.run_up)
        steps = []
        for band, strike in phase.by_health:
            outcomes = (
                (self._struck(moved, alive, mover, phase.enemy, strike, b[:2]), b[2]) for b in strike.blows
            )
            steps.append((band, tuple((*outcome, ways) for outcome, ways in added(outcomes).items())))
        return tuple(steps)

    def _struck(
        self, standing: Standing, alive: Alive, mover: int, enemy: int, strike: Strike, injuries: tuple[int, int]
    ) -> tuple[Standing, int]:
        """A blow between Thymin and an enemy: the loser is hurt, perhaps pushed out and hurt again."""
        to_thymin, to_enemy = injuries
        spot, healths, figures = standing.spot, standing.healths, self.figures
        caused, received = standing.caused or (self.scored and to_enemy > 0), standing.received
        grave = strike.pushes and figures.pushes(to_enemy if mover else to_thymin)
        run_up = figures.run_up_left(standing.run_up, pushed=grave)
        if to_thymin:
            if strike.pushes:
                spot, collision = figures.pushed(spot, alive, 0, enemy, to_thymin)
                to_thymin += collision
            received = received or self.scored
        if to_enemy:
            left = healths[enemy - 1] - to_enemy
            if left > 0 and strike.pushes:
                spot, collision = figures.pushed(spot, alive, enemy, enemy, to_enemy)
                left -= collision
            healths = (*healths[: enemy - 1], max(left, 0), *healths[enemy:])
            if left <= 0:
                spot = figures.fallen(spot, enemy)
        return Standing(spot, healths, caused, received, standing.struck, run_up), to_thymin

    def _still_on(self, standing: Standing, lanes: int, finished: RoundEnded | None = None) -> int:
        """The lanes in which the fight goes on; the others are put aside by the end that they came to."""
        on = 0
        for band in self.bands:
            there = self.lanes.within(lanes, band)
            if there:
                end = self._end(standing.healths, band.start, finished)
                if end is None:
                    on |= there
                else:
                    self.ended[end] = self.ended.get(end, 0) + there * SQUARE**self.phases
        return on

    def _end(self, healths: tuple[int, ...], thymin: int, finished: RoundEnded | None) -> int | None:
        """The place of the end that holds; ``None`` where the fight goes on."""
        key = (healths, thymin, finished)
        if key not in self._verdicts:
            over = verdict(self.plan.ends, thymin, dict(enumerate(healths, start=1)), finished)
            if over is not None and over.end is None:
                raise OddsUnknown(f"the fight on the map {self.plan.map} does not say where victory leads")
            self._verdicts[key] = None if over is None or over.end is None else self.plan.ends.index(over.end)
        return self._verdicts[key]

    def _round_over(self, walk: Walk, number: int) -> Walk:
        after: Walk = {}
        for standing, lanes in walk.items():
            won = standing.caused and not standing.received
            finished = RoundEnded(round=number, caused=standing.caused, received=standing.received, won=won)
            on = self._still_on(standing, lanes, finished)
            if on:
                fresh = standing._replace(caused=False, received=False)
                after[fresh] = after.get(fresh, 0) + on
        return after
