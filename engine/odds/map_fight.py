"""Storm Weavers: a whole fight on a map, exactly, where Thymin keeps to a manner of fighting (SW-5 to SW-14).

A fight is a walk over (squares, Healths). It is walked forward, a phase at a time, all at once. Thymin's Health is
not part of a spot: each spot keeps one long whole number in which every Health, for every Health with which he
may have begun, has a lane of its own. An injury shifts all lanes; nothing ever spills from one into another. Where
nothing but death depends on Thymin's Health, one beginning stands for all: whoever began with less falls sooner.
What the figures do on given squares is asked of the engine once and kept.

Only fights that the paragraph ends after so many rounds can be reckoned: others may go on for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from loomtable.engine.odds.exact import OddsUnknown
from loomtable.engine.odds.fight_ends import DEAD, Chances, FightEnding, reduced
from loomtable.engine.odds.manners import Manner, every_ruling
from loomtable.engine.odds.map_figures import AttackPhase, Figures, Strike
from loomtable.engine.odds.map_moves import Alive, MoveBook, Squares
from loomtable.engine.odds.storm_weavers import SQUARE
from loomtable.engine.storm_weavers.endings import verdict
from loomtable.engine.storm_weavers.events.fights import RoundEnded
from loomtable.engine.storm_weavers.map_setup import placed_enemies, thymins_start, trouble_with_map_fight
from loomtable.engine.storm_weavers.plans import FightOutcome, MapFightPlan
from loomtable.engine.storm_weavers.sheet import Sheet
from loomtable.engine.storm_weavers.squares import Direction

Walk = dict["Standing", int]
"""Where the fight may stand, each with its lanes."""


class Standing(NamedTuple):
    """Where a fight stands between two phases: squares, the enemies' Healths, the round's injuries if asked."""

    spot: Squares
    healths: tuple[int, ...]
    caused: bool = False
    received: bool = False
    struck: tuple[int, ...] = ()
    """Within a phase of several attacks: whom Thymin has struck in it."""
    run_up: Direction | None = None
    """Within a phase of several attacks: the run-up that counts for the next one (SW-12)."""


class _Blow(NamedTuple):
    """One outcome of an attack, as far as it does not depend on anybody's Health."""

    to_thymin: int
    to_enemy: int
    ways: int
    pushed: Squares
    """The squares if the enemy stands after it."""
    collision: int
    """What the push costs the enemy besides."""
    fallen: Squares
    """The squares if the injuries fell the enemy."""
    fallen_pushed: Squares
    """The squares if only the collision does."""
    run_up: Direction | None


class _Meeting(NamedTuple):
    """An attack as it is made on given squares, whatever Health anybody has left."""

    spot: Squares
    enemy: int
    """Who meets Thymin; 0 for nobody."""
    struck: tuple[int, ...]
    by_health: tuple[tuple[range, tuple[_Blow, ...]], ...]
    """The blows by Thymin's Health."""


def map_fight_chances(
    thymin: Sheet,
    plan: MapFightPlan,
    manner: Manner,
    rulings: Mapping[str, str] | None = None,
    moves: MoveBook | None = None,
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
    book = moves or MoveBook(plan, thymin.speed, every_ruling(rulings))
    return _Fight(thymin, Figures(thymin, manner, book)).fought()


class _Lanes:
    """Lanes for Thymin's Health, 0 to ``most``, once for each Health from 1 on with which he may begin.

    If all are ``alike``, only for the highest: the others run along it, lower by what they lacked at the start.
    """

    def __init__(self, most: int, largest: int, *, alike: bool) -> None:
        self.most, self.bits, self.alike = most, largest.bit_length(), alike
        self.group = (most + 1) * self.bits
        lane = (1 << self.bits) - 1
        everyone = sum(1 << (start * self.group) for start in range(1 if alike else most))
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
        if self.alike:
            return 1 << (self.most * self.bits)
        return sum(1 << ((health - 1) * self.group + health * self.bits) for health in range(1, self.most + 1))

    def hurt(self, lanes: int, injuries: int) -> int:
        """The lanes of those who live on with so many injuries."""
        return (lanes & self.above[injuries]) >> (injuries * self.bits) if injuries <= self.most else 0

    def read(self, lanes: int, start: int) -> Iterator[tuple[int, int]]:
        """Each Health above 0 with its weight, for a fight begun with Health ``start``."""
        lacked = self.most - start if self.alike else 0
        group = lanes if self.alike else lanes >> ((start - 1) * self.group)
        for health in range(1, start + 1):
            weight = (group >> ((health + lacked) * self.bits)) & self._lane
            if weight:
                yield health, weight


class _Fight:
    def __init__(self, thymin: Sheet, figures: Figures) -> None:
        self.figures, plan = figures, figures.plan
        rounds = [end.at for end in plan.ends if end.when is FightOutcome.ROUNDS]
        if not rounds:
            raise OddsUnknown(
                f"a fight on the map {plan.map} can go on for ever; give it an end 'rounds' to know its odds"
            )
        self.plan, self.rounds = plan, min(rounds)
        self.scored = any(end.when in (FightOutcome.ROUND_WON, FightOutcome.ROUND_LOST) for end in plan.ends)
        self.movers = range(len(plan.enemies) + 1)
        self.phases = self.rounds * sum(figures.attacks(mover) for mover in self.movers)
        """Attacks that can still come: each multiplies the total by 36, made or not."""
        self.total = SQUARE**self.phases
        edges = {end.at + 1 for end in plan.ends if end.when is FightOutcome.THYMIN_HEALTH}
        self.lanes = _Lanes(thymin.health, self.total, alike=not edges and not figures.heeds_health)
        self.ended: dict[int, int] = {}
        bounds = sorted({1, *(edge for edge in edges if edge <= thymin.health), thymin.health + 1})
        self.bands = [range(low, high) for low, high in pairwise(bounds)]
        """Thymin's Healths between which no end of the fight makes a difference."""
        self._meetings: dict[tuple[Squares, Alive, int, int, tuple[int, ...], Direction | None], _Meeting] = {}
        self._verdicts: dict[tuple[tuple[int, ...], int, RoundEnded | None], int | None] = {}

    def fought(self) -> dict[int, Chances]:
        """Every round, then what was found, start by start; who is nowhere in the lanes has fallen."""
        enemies = placed_enemies(self.plan)
        spot = Squares(thymins_start(self.plan), tuple(e.square for e in enemies.values()))
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
        within, hurt = self.lanes.within, self.lanes.hurt
        for standing, lanes in walk.items():
            alive = self.figures.moves.alive(standing.healths)
            if mover and not alive[mover - 1]:
                after[standing] = after.get(standing, 0) + lanes * SQUARE
                continue
            key = (standing.spot, alive, mover, attack, standing.struck, standing.run_up)
            met = self._meetings.get(key)
            if met is None:
                met = self._meetings[key] = self._meeting(*key)
            if not met.enemy:
                moved = standing._replace(spot=met.spot, struck=(), run_up=None)
                after[moved] = after.get(moved, 0) + lanes * SQUARE
            for band, blows in met.by_health:
                concerned = within(lanes, band)
                for blow in blows if concerned else ():
                    left = self._left(standing, met, blow)
                    there = hurt(concerned, blow.to_thymin) if blow.to_thymin else concerned
                    after[left] = after.get(left, 0) + there * blow.ways
        return {left: there for left, lanes in after.items() if (there := self._still_on(left, lanes))}

    def _meeting(
        self,
        spot: Squares,
        alive: Alive,
        mover: int,
        attack: int,
        struck: tuple[int, ...],
        run_up: Direction | None,
    ) -> _Meeting:
        """An attack on these squares, whatever Health anybody has left."""
        figures = self.figures
        phase = (
            figures.striking(spot, alive, mover, struck, run_up) if attack else figures.moving(spot, alive, mover)
        )
        more = bool(phase.enemy) and attack + 1 < figures.attacks(mover)
        met = () if not more else struck if mover else (*struck, phase.enemy)
        by_health = tuple(
            (band, tuple(self._blow(phase, alive, mover, strike, blow, more=more) for blow in strike.blows))
            for band, strike in phase.by_health
        )
        return _Meeting(phase.spot, phase.enemy, met, by_health)

    def _blow(
        self,
        phase: AttackPhase,
        alive: Alive,
        mover: int,
        strike: Strike,
        blow: tuple[int, int, int],
        *,
        more: bool,
    ) -> _Blow:
        """A blow between Thymin and an enemy: the loser is hurt, perhaps pushed out and hurt again."""
        to_thymin, to_enemy, ways = blow
        figures, spot, enemy, collision, cost = self.figures, phase.spot, phase.enemy, 0, 0
        if to_thymin and strike.pushes:
            spot, cost = figures.pushed(spot, alive, 0, enemy, to_thymin)
        pushed = spot
        if to_enemy and strike.pushes:
            pushed, collision = figures.pushed(spot, alive, enemy, enemy, to_enemy)
        grave = strike.pushes and figures.pushes(to_enemy if mover else to_thymin)
        return _Blow(
            to_thymin + cost,
            to_enemy,
            ways,
            pushed,
            collision,
            figures.fallen(spot, enemy),
            figures.fallen(pushed, enemy),
            figures.run_up_left(phase.run_up if more else None, pushed=grave),
        )

    def _left(self, standing: Standing, met: _Meeting, blow: _Blow) -> Standing:
        """Where a blow leaves the fight."""
        spot, healths = blow.pushed, standing.healths
        if blow.to_enemy:
            left = healths[met.enemy - 1] - blow.to_enemy
            if left <= 0:
                spot = blow.fallen
            elif (left := left - blow.collision) <= 0:
                spot = blow.fallen_pushed
            healths = (*healths[: met.enemy - 1], max(left, 0), *healths[met.enemy :])
        caused = standing.caused or (self.scored and blow.to_enemy > 0)
        received = standing.received or (self.scored and blow.to_thymin > 0)
        return Standing(spot, healths, caused, received, met.struck, blow.run_up)

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
