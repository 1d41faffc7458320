"""What all events of Woven share: changing one mage, and moving mana between the places where it can lie."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.play import Event, changed
from loomtable.engine.woven.regions import RegionKey
from loomtable.engine.woven.state import Contest, Mage


class ContestEvent(Event, frozen=True, kw_only=True):
    """An event of Woven."""

    def apply(self, state: Contest) -> Contest:
        """The contest after this event."""
        return state


class MageEvent(ContestEvent, frozen=True, kw_only=True):
    """An event that happens to one mage."""

    who: str


def with_mage(contest: Contest, who: str, **changes: Any) -> Contest:
    """The contest with some values of one mage changed."""
    return changed(contest, "mages", who, **changes)


def with_mana(contest: Contest, who: str, *, pool: int = 0, spent: int = 0, **changes: Any) -> Contest:
    """The contest with so much more (or less) in a mage's pool and spent mana, and other values changed."""
    mage = contest.mages[who]
    return with_mage(contest, who, pool=mage.pool + pool, spent=mage.spent + spent, **changes)


def counted(counts: dict[str, int], key: str, by: int) -> dict[str, int]:
    """One count changed; a key whose count is 0 is left out."""
    after = {**counts, key: counts.get(key, 0) + by}
    return {k: count for k, count in after.items() if count}


def tendrils_after(mage: Mage, *steps: tuple[RegionKey, int]) -> dict[RegionKey, int]:
    """A mage's tendrils with some more or fewer in these locations."""
    tendrils = mage.tendrils
    for place, by in steps:
        tendrils = counted(tendrils, place, by)
    return tendrils
