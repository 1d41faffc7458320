"""Storm Weavers: how much of Thymin's gold can still make a difference, paragraph by paragraph.

Where later choices ask for 15 and for 30 crowns, 31 crowns are as good as 30. The amounts that count at a
paragraph are those for which it asks itself, and those that count after it, less what is gained on the way.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping

from loomtable.engine.storm_weavers.adventure import Paragraph
from loomtable.engine.storm_weavers.plans import Change
from loomtable.engine.storm_weavers.sheet import Attribute

MOST_AMOUNTS = 60
"""Where more amounts count (a market that can be come back to), gold is left as it is."""


class GoldThatMatters:
    """For each paragraph, the amounts of gold between which nothing can tell the difference."""

    def __init__(self, paragraphs: Mapping[int, Paragraph]) -> None:
        self._amounts: dict[int, set[int]] = {number: _asked_here(page) for number, page in paragraphs.items()}
        leads = {number: list(_leads(page)) for number, page in paragraphs.items()}
        grown = True
        while grown:
            grown = False
            for number, ways in leads.items():
                mine = self._amounts[number]
                if len(mine) > MOST_AMOUNTS:
                    continue
                for to, changes in ways:
                    if to in paragraphs:
                        wider = _before(self._amounts[to], (*changes, *paragraphs[to].changes)) - mine
                        mine |= wider
                        grown = grown or bool(wider)
        self._steps = {number: sorted(amounts) for number, amounts in self._amounts.items()}

    def kept(self, number: int, gold: int) -> int:
        """The least amount that is as good as ``gold`` once a paragraph was read."""
        steps = self._steps[number]
        if len(steps) > MOST_AMOUNTS:
            return gold
        place = bisect_right(steps, gold)
        return steps[place - 1] if place else 0


def _asked_here(page: Paragraph) -> set[int]:
    asked = {choice.needs.gold for choice in page.choices}
    asked |= {choice.needs.at_least.get(Attribute.GOLD, 0) for choice in page.choices}
    return {amount for amount in asked if amount > 0}


def _leads(page: Paragraph) -> Iterator[tuple[int, tuple[Change, ...]]]:
    """Where a paragraph leads, and the changes on the way there."""
    for choice in page.choices:
        yield choice.to, choice.changes
    for plan in (page.fight, page.map_fight):
        for end in plan.ends if plan else ():
            if end.to is not None:
                yield end.to, end.changes
    if not page.choices and page.fight is None and page.map_fight is None:
        for to, _ in page.exits():
            yield to, ()


def _before(amounts: Iterable[int], changes: tuple[Change, ...]) -> set[int]:
    """The amounts that have to be there before these changes, so that these are there after them."""
    left = set(amounts)
    for change in reversed(changes):
        if change.attribute is Attribute.GOLD:
            left = {amount - (change.by or 0) for amount in left} if change.to is None else set()
    return {amount for amount in left if amount > 0}
