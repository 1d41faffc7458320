"""Storm Weavers: a fight without a map with the ends that its paragraph names, exactly (SW-8, SW-9, SW-14, SW-15).

A fight is a walk over (Thymin's Health, the enemy's Health, whose attack it is, what the round has brought so
far). Where the paragraph counts rounds, so does the walk, and it ends. Where it does not, two idle attacks lead
back to where they began; the endless to and fro is summed at once: with A and B of 36 throws hurting nobody, what
leaves it is scaled by 1296 / (1296 - AB).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from loomtable.engine.odds.exact import OddsUnknown
from loomtable.engine.odds.fight_ends import DEAD, Chances, FightEnding, certain, mixed
from loomtable.engine.odds.manners import Manner, every_ruling, passing_strikes, prefers_cunning
from loomtable.engine.odds.storm_weavers import (
    CUNNING_STRIKE_INJURIES,
    SQUARE,
    Blow,
    blows,
)
from loomtable.engine.storm_weavers.endings import verdict
from loomtable.engine.storm_weavers.events.fights import RoundEnded
from loomtable.engine.storm_weavers.fights import trouble_with_fight
from loomtable.engine.storm_weavers.plans import FightOutcome, FightPlan
from loomtable.engine.storm_weavers.sheet import Sheet

_IDLE = Blow(0, 0)


class _Spot(NamedTuple):
    """Healths, whose attack it is, whether this round has brought injuries, and the round (0: uncounted)."""

    thymin: int
    enemy: int
    answers: bool = False
    caused: int = 0
    received: int = 0
    round: int = 0


def short_fight_chances(
    thymin: Sheet, plan: FightPlan, manner: Manner, rulings: Mapping[str, str] | None = None
) -> dict[int, Chances]:
    """How a fight without a map may end, for each Health from which Thymin may begin it, up to his own.

    Raises:
        OddsUnknown: the fight cannot be fought, need not end, or the table counts each attack as a round.
        UnknownRuling: there is no such ruling, or it has no such choice.
    """
    trouble = trouble_with_fight(plan)
    if trouble:
        raise OddsUnknown(trouble)
    walk = _Walk(thymin, plan, manner, every_ruling(rulings))
    return {health: walk.begun(health) for health in walk.healths}


class _Walk:
    def __init__(self, thymin: Sheet, plan: FightPlan, manner: Manner, rulings: Mapping[str, str]) -> None:
        if rulings["round-without-map"] != "both-attacks":
            raise OddsUnknown("the chances of an adventure are worked out with rounds of both attacks")
        self.plan, self.thymin, self.manner, self.rulings = plan, thymin, manner, rulings
        self.healths = range(1, thymin.health + 1)
        self.counted = any(end.when is FightOutcome.ROUNDS for end in plan.ends)
        self.first = int(self.counted)
        self.of_rounds = any(end.when.of_a_round for end in plan.ends)
        self.answer = self._blows(by_thymin=False)
        self.strikes = {health: self._strike(health) for health in self.healths}
        self.known: dict[_Spot, Chances] = {}
        self._ends: dict[tuple[int, int, RoundEnded | None], FightEnding | None] = {}

    def _blows(self, *, by_thymin: bool) -> dict[Blow, int]:
        extra, rulings = self.plan.modifiers, self.rulings
        return blows(self.thymin, self.plan.enemy, by_thymin=by_thymin, modifiers=extra, rulings=rulings)

    def _strike(self, health: int) -> dict[Blow, int]:
        now = msgspec.structs.replace(self.thymin, health=health)
        allowed = self.rulings["cunning-strike-without-map"] == "as-the-example"
        if not allowed or not prefers_cunning(
            self.manner, now, self.plan.enemy, self.plan.modifiers, self.rulings, self.plan.strike_test
        ):
            return self._blows(by_thymin=True)
        passing = passing_strikes(now, self.plan.strike_test, health, self.rulings)
        hurt = CUNNING_STRIKE_INJURIES
        return {Blow(0, hurt): passing, Blow(hurt, 0): SQUARE - passing}

    def begun(self, health: int) -> Chances:
        """What may come of the fight from its beginning, which an end that holds already keeps from coming."""
        spot = _Spot(health, self.plan.enemy.health, round=self.first)
        over = self._over(spot)
        return self.from_spot(spot) if over is None else certain(over)

    def from_spot(self, spot: _Spot) -> Chances:
        """What may come from here; the fight is not over yet."""
        if spot not in self.known:
            self.known[spot] = self._step(spot)
        return self.known[spot]

    def _step(self, spot: _Spot) -> Chances:
        if spot.answers:
            return mixed(((ways, self._after(spot, blow)) for blow, ways in self.answer.items()), SQUARE)
        strike = self.strikes[spot.thymin]
        idle, idle_answer = strike.get(_IDLE, 0), self.answer.get(_IDLE, 0)
        lost = self._round_over(spot._replace(answers=True))
        if not idle or not idle_answer or lost is not None or self.counted:
            return mixed(((ways, self._after(spot, blow)) for blow, ways in strike.items()), SQUARE)
        if idle == idle_answer == SQUARE:
            enemy = self.plan.enemy.name
            raise OddsUnknown(f"neither Thymin nor {enemy} can ever hurt the other; the fight would not end")
        parts = [(SQUARE * ways, self._after(spot, blow)) for blow, ways in strike.items() if blow != _IDLE]
        waiting = spot._replace(answers=True)
        parts += [(idle * ways, self._after(waiting, blow)) for blow, ways in self.answer.items() if blow != _IDLE]
        return mixed(parts, SQUARE * SQUARE - idle * idle_answer)

    def _after(self, spot: _Spot, blow: Blow) -> Chances:
        """What may come once an attack of this spot has done what it did."""
        left = spot._replace(
            thymin=max(spot.thymin - blow.to_thymin, 0),
            enemy=max(spot.enemy - blow.to_enemy, 0),
            caused=spot.caused + blow.to_enemy,
            received=spot.received + blow.to_thymin,
        )
        over = self._over(left)
        if over is None and spot.answers:
            over = self._round_over(left)
        if over is not None:
            return certain(over)
        if not spot.answers:
            shown = (min(left.caused, 1), min(left.received, 1)) if self.of_rounds else (0, 0)
            return self.from_spot(left._replace(answers=True, caused=shown[0], received=shown[1]))
        return self.from_spot(
            _Spot(left.thymin, left.enemy, round=spot.round + 1 if self.counted else 0),
        )

    def _over(self, spot: _Spot, finished: RoundEnded | None = None) -> FightEnding | None:
        key = (spot.thymin, spot.enemy, finished)
        if key not in self._ends:
            self._ends[key] = self._verdict(spot.thymin, spot.enemy, finished)
        return self._ends[key]

    def _verdict(self, thymin: int, enemy: int, finished: RoundEnded | None) -> FightEnding | None:
        found = verdict(self.plan.ends, thymin, {1: enemy}, finished)
        if found is None:
            return None
        if found.outcome is FightOutcome.THYMIN_DEAD:
            return FightEnding(DEAD, 0)
        if found.end is None:
            raise OddsUnknown(f"the fight against {self.plan.enemy.name} does not say where victory leads")
        return FightEnding(self.plan.ends.index(found.end), thymin)

    def _round_over(self, spot: _Spot) -> FightEnding | None:
        """The end that a round brings which is over with these injuries, if it brings one (SW-14)."""
        if not self.of_rounds:
            return None
        won = spot.caused > 0 and spot.received == 0
        shown = (min(spot.caused, 1), min(spot.received, 1))
        finished = RoundEnded(round=spot.round, caused=shown[0], received=shown[1], won=won)
        return self._over(spot, finished)
