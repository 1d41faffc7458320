"""Storm Weavers: the exact chance to win an adventure, by a simple and by the best line of play (SW-17).

Every stage (``adventure_stages``) is worth the chance to come from it to a victory. The worth of a stage follows
from those to which it leads, so it is found from the endings backwards. For the best line each decision is the one
that is worth most; decisions within a fight are not made one by one, but by a manner chosen when it begins
(``manners``).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

import msgspec

from loomtable.engine.odds.adventure_stages import FALLEN, AdventureStage, Line, Spread, Stages, StageWay
from loomtable.engine.odds.exact import ONE, ZERO, OddsUnknown, whole
from loomtable.engine.storm_weavers.adventure import Adventure
from loomtable.engine.storm_weavers.sheet import ATTRIBUTE_BASE, ATTRIBUTE_POINTS, MAX_HEALTH, Sheet
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH, AdventureEnding

Place = tuple[AdventureStage, int]
"""A stage, and Thymin's Health there."""


class AdventureOdds(msgspec.Struct, frozen=True):
    """What an adventure may bring, by one line of play."""

    line: Line
    dexterity_points: int
    """How many of Thymin's four points go to Dexterity."""
    won: Fraction
    """The chance of an ending that is a victory."""
    endings: dict[int, Fraction]
    """The chance of each ending, by its paragraph; those that cannot come are left out."""
    read: dict[int, Fraction]
    """How often each paragraph is read on average."""
    stages: int
    """How many different stages were looked at, each for all of Thymin's Healths."""


def adventure_odds(
    adventure: Adventure, line: Line, dexterity_points: int, rulings: Mapping[str, str] | None = None
) -> AdventureOdds:
    """The odds of an adventure for a new Thymin, by a line of play.

    Raises:
        OddsUnknown: the points are out of bounds, a way leads back to where it began with nothing changed, no
            choice is open, or a fight cannot be reckoned (``map_fight``, ``short_fight``).
        UnknownRuling: there is no such ruling, or it has no such choice.
    """
    return AdventurePlan(adventure, line, dexterity_points, rulings).odds()


def new_thymin(dexterity_points: int) -> Sheet:
    """A new sheet with so many points on Dexterity and the rest on Wisdom (SW-1).

    Raises:
        OddsUnknown: there are not so many.
    """
    whole(dexterity_points, "the points for Dexterity", 0, ATTRIBUTE_POINTS)
    wisdom = ATTRIBUTE_BASE + ATTRIBUTE_POINTS - dexterity_points
    return Sheet(ATTRIBUTE_BASE + dexterity_points, wisdom)


class AdventurePlan:
    """A line of play worked out for an adventure: what every stage is worth, and what is decided there.

    Raises:
        OddsUnknown, UnknownRuling: as ``adventure_odds``.
    """

    def __init__(
        self,
        adventure: Adventure,
        line: Line,
        dexterity_points: int,
        rulings: Mapping[str, str] | None = None,
    ) -> None:
        self.line, self.dexterity_points = line, dexterity_points
        self.stages = Stages(adventure, line, rulings)
        self.decided: dict[AdventureStage, list[StageWay | None]] = {}
        """What is decided at each stage by Thymin's Health; ``None`` where it is an ending, or nothing is open."""
        self._worth: dict[AdventureStage, list[Fraction]] = {FALLEN: [ZERO] * (MAX_HEALTH + 1)}
        self._open: set[AdventureStage] = set()
        self.first = self.stages.first(new_thymin(dexterity_points))
        self.won = self.worth(*self.first)

    @property
    def stages_seen(self) -> int:
        """How many different stages were looked at, each for all of Thymin's Healths."""
        return len(self._worth)

    def worth(self, stage: AdventureStage, health: int) -> Fraction:
        """The chance to come from here, with this Health, to a victory; 0 without Health."""
        if stage not in self._worth:
            ending = self.stages.ending(stage)
            if ending is None:
                self._decide(stage)
            else:
                self._worth[stage] = [ZERO] + [ONE if ending is AdventureEnding.VICTORY else ZERO] * MAX_HEALTH
        return self._worth[stage][health]

    def _decide(self, stage: AdventureStage) -> None:
        """Find the worth of a stage for every Health, and what is decided there."""
        if stage in self._open:
            raise OddsUnknown(
                f"a way leads from paragraph {stage.paragraph} back to it with nothing changed; "
                "a play that can go round for ever has no odds"
            )
        self._open.add(stage)
        best, decided = [ZERO] * (MAX_HEALTH + 1), list[StageWay | None]([None] * (MAX_HEALTH + 1))
        for way in self.stages.ways(stage):
            for health, (spread, total) in way.spreads.items():
                if decided[health] is not None and self.line is Line.SIMPLE:
                    continue
                worth = self._mean(spread, total)
                if decided[health] is None or worth > best[health]:
                    best[health], decided[health] = worth, way
            if self.line is Line.SIMPLE and None not in decided[1:]:
                break
        self._open.remove(stage)
        self._worth[stage], self.decided[stage] = best, decided

    def _mean(self, spread: Spread, total: int) -> Fraction:
        """The worth of a spread; brought to one denominator at once, much quicker than step by step."""
        if len(spread) == 1:
            return self.worth(*spread[0][:2])
        parts = [(weight, self.worth(stage, health)) for stage, health, weight in spread]
        common = lcm(*(worth.denominator for _, worth in parts))
        weighted = sum(weight * worth.numerator * (common // worth.denominator) for weight, worth in parts)
        return Fraction(weighted, common * total)

    def decision(self, stage: AdventureStage, health: int) -> StageWay | None:
        """What is decided at a stage with this Health; ``None`` at an ending.

        Raises:
            OddsUnknown: no choice is open there.
        """
        if not health or self.stages.ending(stage) is not None:
            return None
        way = self.decided[stage][health]
        if way is None:
            raise OddsUnknown(f"paragraph {stage.paragraph} leaves Thymin no choice that is open")
        return way

    def odds(self) -> AdventureOdds:
        """How the adventure may end by this line, found forwards along its decisions."""
        reached: dict[Place, Fraction] = {self.first: ONE}
        endings: dict[int, Fraction] = {}
        read: dict[int, Fraction] = {}
        for place in self._in_order():
            chance, (stage, health) = reached.pop(place), place
            paragraph = stage.paragraph if health else DEATH_PARAGRAPH
            read[paragraph] = read.get(paragraph, ZERO) + chance
            way = self.decision(stage, health)
            if way is None:
                endings[paragraph] = endings.get(paragraph, ZERO) + chance
                continue
            spread, total = way.spreads[health]
            for there, left, weight in spread:
                reached[there, left] = reached.get((there, left), ZERO) + chance * Fraction(weight, total)
        return AdventureOdds(
            self.line,
            self.dexterity_points,
            self.won,
            dict(sorted(endings.items())),
            dict(sorted(read.items())),
            self.stages_seen,
        )

    def _in_order(self) -> list[Place]:
        """The places that this line can come to, each after all those that lead to it."""
        order: list[Place] = []
        seen: set[Place] = {self.first}
        waiting = [(self.first, iter(self._onward(self.first)))]
        while waiting:
            place, onward = waiting[-1]
            there = next((p for p in onward if p not in seen), None)
            if there is None:
                order.append(place)
                waiting.pop()
            else:
                seen.add(there)
                waiting.append((there, iter(self._onward(there))))
        return order[::-1]

    def _onward(self, place: Place) -> list[Place]:
        way = self.decision(*place)
        return [(stage, health) for stage, health, _ in way.spreads[place[1]][0]] if way else []
