"""Storm Weavers: an adventure as a graph of stages: where Thymin is, and whatever of him can still matter (SW-17).

Two ways of coming to a paragraph are one stage if nothing that differs is ever asked for again: gold once nothing
can be bought any more, an item that no later paragraph names. That keeps the graph small and loses nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

import msgspec

from loomtable.engine.odds.adventure_gold import GoldThatMatters
from loomtable.engine.odds.exact import OddsUnknown
from loomtable.engine.odds.fight_ends import DEAD, Chances
from loomtable.engine.odds.manners import Manner, every_ruling, prefers_cunning
from loomtable.engine.odds.map_fight import map_fight_chances
from loomtable.engine.odds.map_moves import MoveBook
from loomtable.engine.odds.short_fight import short_fight_chances
from loomtable.engine.odds.storm_weavers import added_when_hurt, passing_throws, throws_in_all
from loomtable.engine.storm_weavers.adventure import Adventure, AttributeTest, Paragraph
from loomtable.engine.storm_weavers.paragraphs import change_by
from loomtable.engine.storm_weavers.plans import Change, FightPlan, MapFightPlan
from loomtable.engine.storm_weavers.sheet import MAX_HEALTH, Attribute, Gear, Sheet
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH, AdventureEnding


class Line(StrEnum):
    """A line of play: how every decision of an adventure is made."""

    SIMPLE = "simple"
    """Always the first choice that is open, every item that helps in a test, and plain fighting."""
    BEST = "best"
    """At each choice, test and beginning of a fight whatever makes victory likeliest."""


class AdventureStage(NamedTuple):
    """A paragraph that was read, with the sheet and the paragraphs read before, as far as they still matter.

    Thymin's Health is left out (0 on the sheet): a stage stands for all his Healths at once.
    """

    paragraph: int
    sheet: Sheet
    visited: frozenset[int] = frozenset()


Spread = tuple[tuple[AdventureStage, int, int], ...]
"""Stages with Thymin's Health there (0 where he has fallen) and their weights."""


class StageWay(NamedTuple):
    """Something that can be decided at a stage, and where it leads from each Health at which it is open.

    ``key`` is the choice's option, the items used in a test, or the manner of a fight; a spread's weights add up
    to the number beside it.
    """

    key: tuple[str, ...]
    spreads: Mapping[int, tuple[Spread, int]]


class _Asked(NamedTuple):
    """What a paragraph or any that may come after it can ask about."""

    attributes: frozenset[Attribute] = frozenset()
    items: frozenset[str] = frozenset()
    visited: frozenset[int] = frozenset()

    def along_with(self, other: _Asked) -> _Asked:
        return _Asked(self.attributes | other.attributes, self.items | other.items, self.visited | other.visited)


HEALTHS = range(1, MAX_HEALTH + 1)
FALLEN = AdventureStage(DEATH_PARAGRAPH, Sheet(0, 0, 0, health=0, gold=0, items=()))
"""Where whoever has no Health left is (SW-16)."""
_NOTHING = _Asked()
_FOUGHT_WITH = frozenset(
    {Attribute.DEXTERITY, Attribute.WISDOM, Attribute.WEAPON_BONUS, Attribute.ARMOUR_CLASS, Attribute.SPEED}
)


class Stages:
    """The stages of an adventure, as one line of play and one table's rulings find them."""

    def __init__(self, adventure: Adventure, line: Line, rulings: Mapping[str, str] | None = None) -> None:
        self.adventure, self.line, self.rulings = adventure, line, every_ruling(rulings)
        self.below_zero = self.rulings["below-zero"]
        self._asked = _asked_from(adventure.paragraphs, adventure.items.keys())
        self._gold = GoldThatMatters(adventure.paragraphs)
        self._moves: dict[tuple[int, int], MoveBook] = {}
        self._fights: dict[tuple[int, Manner, Sheet], dict[int, Chances]] = {}

    def first(self, thymin: Sheet) -> tuple[AdventureStage, int]:
        """Where it begins, and with what Health."""
        stage, healths = self._led((), self.adventure.start, thymin, frozenset())
        return stage, healths[thymin.health]

    def ending(self, stage: AdventureStage) -> AdventureEnding | None:
        """How the adventure ended at this stage, if it did."""
        return self.adventure.paragraphs[stage.paragraph].ending

    def ways(self, stage: AdventureStage) -> list[StageWay]:
        """Everything that may be decided here, in the order of the paragraph.

        Raises:
            OddsUnknown: a fight cannot be reckoned.
        """
        return list(self._ways(stage, self.adventure.paragraphs[stage.paragraph]))

    # What a paragraph offers

    def _ways(self, stage: AdventureStage, page: Paragraph) -> Iterator[StageWay]:
        if page.choices:
            yield from self._choices(stage, page)
        elif page.test is not None:
            yield from self._tests(stage, page.test)
        elif page.coin is not None:
            yield self._way((), stage, page.coin.passed, page.coin.failed, dict.fromkeys(HEALTHS, 1), 2)
        elif page.fight is not None or page.map_fight is not None:
            yield from self._manners(stage, page)
        elif page.then is not None:
            there, left = self._led((), page.then, stage.sheet, stage.visited)
            yield StageWay((), {health: (((there, left[health], 1),), 1) for health in HEALTHS})

    def _choices(self, stage: AdventureStage, page: Paragraph) -> Iterator[StageWay]:
        again: dict[int, int] = {}
        for choice in page.choices:
            again[choice.to] = again.get(choice.to, 0) + 1
            key = f"to-{choice.to}" + (f"-{again[choice.to]}" if again[choice.to] > 1 else "")
            visited = tuple(stage.visited)
            open_at = [h for h in HEALTHS if choice.needs.holds(with_health(stage.sheet, h), visited)]
            if open_at:
                there, left = self._led(choice.changes, choice.to, stage.sheet, stage.visited)
                yield StageWay((key,), {health: (((there, left[health], 1),), 1) for health in open_at})

    def _tests(self, stage: AdventureStage, test: AttributeTest) -> Iterator[StageWay]:
        """Every set of items that may be used; first the one with all that help."""
        has = [item for item in test.items if item in stage.sheet.items]
        helpful = tuple(item for item in has if test.items[item] < 0)
        others = (used for count in range(len(has) + 1) for used in combinations(has, count))
        for used in (helpful, *(o for o in others if o != helpful)):
            least = stage.sheet.value(test.attribute) - test.modifier - sum(test.items[item] for item in used)
            passing = {h: passing_throws(least - added_when_hurt(h, self.rulings), test.dice) for h in HEALTHS}
            yield self._way(used, stage, test.passed, test.failed, passing, throws_in_all(test.dice))

    def _manners(self, stage: AdventureStage, page: Paragraph) -> Iterator[StageWay]:
        plan = page.fight or page.map_fight
        assert plan is not None
        led: dict[int, tuple[AdventureStage, tuple[int, ...]]] = {DEAD: (FALLEN, (0,) * (MAX_HEALTH + 1))}
        for number, end in enumerate(plan.ends):
            if end.to is None:
                raise OddsUnknown(f"paragraph {stage.paragraph} does not say where its fight leads")
            led[number] = self._led(end.changes, end.to, stage.sheet, stage.visited)
        for manner in self._worth_trying(stage.sheet, plan):
            spreads = {}
            for health, chances in self._fought(stage, manner, plan).items():
                spread = [(led[e.end][0], led[e.end][1][e.health], w) for e, w in chances.weights.items()]
                spreads[health] = (tuple(spread), chances.total)
            yield StageWay((str(manner),), spreads)

    def _worth_trying(self, thymin: Sheet, plan: FightPlan | MapFightPlan) -> list[Manner]:
        """The manners that can differ in this fight, plain first."""
        enemies = (
            [(enemy, plan.modifiers_against(n)) for n, enemy in enumerate(plan.enemies, start=1)]
            if isinstance(plan, MapFightPlan)
            else [(plan.enemy, plan.modifiers)]
        )
        weighed = any(
            prefers_cunning(
                Manner.WEIGHING,
                with_health(thymin, health),
                enemy,
                modifiers,
                self.rulings,
                plan.strike_test,
            )
            for health in HEALTHS
            for enemy, modifiers in enemies
        )
        if self.line is Line.SIMPLE:
            return [Manner.PLAIN]
        return [Manner.PLAIN, *([Manner.WEIGHING] if weighed else [])]

    def _fought(self, stage: AdventureStage, manner: Manner, plan: FightPlan | MapFightPlan) -> dict[int, Chances]:
        """How the fight of this stage may end; reckoned once for every Health."""
        helpful = tuple(item for item in stage.sheet.items if item in plan.strike_test.items)
        thymin = msgspec.structs.replace(stage.sheet, health=MAX_HEALTH, gold=0, items=helpful, gear=())
        if manner is Manner.PLAIN:
            thymin = msgspec.structs.replace(thymin, wisdom=0, items=())
        key = (stage.paragraph, manner, thymin)
        if key not in self._fights:
            self._fights[key] = (
                map_fight_chances(thymin, plan, manner, self.rulings, self._seen(stage.paragraph, thymin, plan))
                if isinstance(plan, MapFightPlan)
                else short_fight_chances(thymin, plan, manner, self.rulings)
            )
        return self._fights[key]

    def _seen(self, paragraph: int, thymin: Sheet, plan: MapFightPlan) -> MoveBook:
        """What the figures of this fight were seen to do, with whatever sheet Thymin had."""
        key = (paragraph, thymin.speed)
        if key not in self._moves:
            self._moves[key] = MoveBook(plan, thymin.speed, self.rulings)
        return self._moves[key]

    # Coming to paragraphs

    def _way(
        self,
        key: tuple[str, ...],
        stage: AdventureStage,
        passed: int,
        failed: int,
        passing: Mapping[int, int],
        total: int,
    ) -> StageWay:
        """A test: where passing and where failing lead, and in how many of ``total`` ways it is passed."""
        good, left = self._led((), passed, stage.sheet, stage.visited)
        bad, worse = self._led((), failed, stage.sheet, stage.visited)
        spreads: dict[int, tuple[Spread, int]] = {}
        for health, ways in passing.items():
            both = ((good, left[health], ways), (bad, worse[health], total - ways))
            spreads[health] = (tuple(part for part in both if part[2]), total)
        return StageWay(key, spreads)

    def _led(
        self, changes: tuple[Change, ...], number: int, sheet: Sheet, visited: frozenset[int]
    ) -> tuple[AdventureStage, tuple[int, ...]]:
        """The stage at a paragraph, changes made, and what is left of each Health from 0 on (SW-16, SW-17)."""
        page = self.adventure.paragraphs[number]
        left = [0]
        for health in HEALTHS:
            after = self._changed(with_health(sheet, health), changes)
            after = self._changed(after, page.changes) if after.health > 0 else after
            left.append(max(after.health, 0) if number != DEATH_PARAGRAPH else 0)
        alive = self._changed(with_health(sheet, MAX_HEALTH), (*changes, *page.changes))
        return self.at(number, alive, visited | {number}), tuple(left)

    def _changed(self, sheet: Sheet, changes: Iterable[Change]) -> Sheet:
        return changed(sheet, changes, self.below_zero, self.adventure.items)

    def at(self, number: int, sheet: Sheet, visited: frozenset[int]) -> AdventureStage:
        """The stage of whoever stands at a paragraph that was read, whatever his Health."""
        asked = self._asked[number]
        kept = {a.value: sheet.value(a) if a in asked.attributes else 0 for a in Attribute}
        kept["gold"] = self._gold.kept(number, sheet.gold) if Attribute.GOLD in asked.attributes else 0
        items = tuple(sorted(set(sheet.items) & asked.items))
        gear = tuple(piece for piece in sheet.gear if piece.item in items)
        return AdventureStage(
            number, Sheet(**{**kept, "health": 0}, items=items, gear=gear), visited & asked.visited
        )


def with_health(sheet: Sheet, health: int) -> Sheet:
    """The sheet, with this Health."""
    return msgspec.structs.replace(sheet, health=health)


def changed(
    sheet: Sheet,
    changes: Iterable[Change],
    below_zero: str = "falls-below",
    known: Mapping[str, Gear] | None = None,
) -> Sheet:
    """The sheet after a paragraph's changes, which take no more than there is (SW-2, SW-17).

    ``known`` are the bonuses that items carry.
    """
    for change in changes:
        if change.gain:
            gear = (known or {}).get(change.gain, Gear())
            sheet = sheet.taking(change.gain, sheet.brought_by(gear, below_zero))
        elif change.lose:
            if change.lose in sheet.items:
                sheet = sheet.losing(change.lose, sheet.taken_with(change.lose, below_zero))
        elif change.attribute is not None:
            now = sheet.value(change.attribute)
            left = now + change_by(now, change, below_zero)
            sheet = msgspec.structs.replace(sheet, **{change.attribute.value: left})
    return sheet


def _asked_from(paragraphs: Mapping[int, Paragraph], carrying: Collection[str]) -> dict[int, _Asked]:
    """What each paragraph and all that can come after it ask about; ``carrying`` are items with bonuses."""
    asked = {number: _asked_by(page, carrying) for number, page in paragraphs.items()}
    grown = True
    while grown:
        grown = False
        for number, page in paragraphs.items():
            wider = asked[number]
            for to, _ in page.exits():
                wider = wider.along_with(asked.get(to, _NOTHING))
            if wider != asked[number]:
                asked[number], grown = wider, True
    return asked


def _asked_by(page: Paragraph, carrying: Collection[str]) -> _Asked:
    lost = (change.lose for change, _ in page.all_changes() if change.lose in carrying)
    asked = _Asked(items=frozenset(lost))
    for needs in (choice.needs for choice in page.choices):
        attributes = frozenset(needs.at_least) | (frozenset([Attribute.GOLD]) if needs.gold else frozenset())
        items = frozenset(item for item in (needs.item, needs.without) if item)
        paragraphs = frozenset(number for number in (needs.visited, needs.unvisited) if number is not None)
        asked = asked.along_with(_Asked(attributes, items, paragraphs))
    if page.test is not None:
        asked = asked.along_with(_Asked(frozenset([page.test.attribute])))
    if page.fight is not None or page.map_fight is not None:
        asked = asked.along_with(_Asked(_FOUGHT_WITH))
    return asked.along_with(_Asked(items=frozenset(item for item, _ in page.helpful_items())))
