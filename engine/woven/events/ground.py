"""Events on the map: mages, tendrils, attacks and destroyed bodies (WO-5, WO-7, WO-9, WO-12 to WO-15)."""

from __future__ import annotations

from loomtable.engine.woven.effects import Loss
from loomtable.engine.woven.events.base import ContestEvent, MageEvent, tendrils_after, with_mage, with_mana
from loomtable.engine.woven.regions import RegionKey
from loomtable.engine.woven.state import ASTRAL, Contest


class Entered(MageEvent, frozen=True, kw_only=True):
    """A mage came onto the map; the home card is known from now on (WO-2, WO-5, WO-14)."""

    at: RegionKey
    cost: int
    rule: str = "WO-5"

    def apply(self, state: Contest) -> Contest:
        shown = state.mages[self.who].home_card is not None
        return with_mana(state, self.who, pool=-self.cost, spent=self.cost, place=self.at, home_shown=shown)


class Moved(MageEvent, frozen=True, kw_only=True):
    """A mage moved: paid into an adjacent location (WO-5), or by a spell over ``by`` (WO-15)."""

    start: RegionKey
    end: RegionKey
    cost: int = 0
    spell: str = ""
    rule: str = "WO-5"

    def apply(self, state: Contest) -> Contest:
        return with_mana(state, self.who, pool=-self.cost, spent=self.cost, place=self.end)


class Teleported(MageEvent, frozen=True, kw_only=True):
    """A mage is somewhere else at once (WO-15)."""

    start: RegionKey
    end: RegionKey
    spell: str
    rule: str = "WO-15"

    def apply(self, state: Contest) -> Contest:
        return with_mage(state, self.who, place=self.end)


class Pushed(MageEvent, frozen=True, kw_only=True):
    """A mage was pushed out of a location; one who could be pushed nowhere stays (WO-15)."""

    by: str
    start: RegionKey
    end: RegionKey
    rule: str = "WO-15"

    def apply(self, state: Contest) -> Contest:
        return with_mage(state, self.who, place=self.end)


class TendrilPlaced(MageEvent, frozen=True, kw_only=True):
    """One mana went from the pool onto the map (WO-7, WO-12); ``cost`` is mana spent besides."""

    at: RegionKey
    spell: str = ""
    cost: int = 0
    rule: str = "WO-7"

    def apply(self, state: Contest) -> Contest:
        tendrils = tendrils_after(state.mages[self.who], (self.at, 1))
        return with_mana(state, self.who, pool=-1 - self.cost, spent=self.cost, tendrils=tendrils)


class TendrilMoved(MageEvent, frozen=True, kw_only=True):
    """A tendril of ``who`` was moved by ``by`` (WO-7, WO-15)."""

    by: str
    start: RegionKey
    end: RegionKey
    spell: str = ""
    cost: int = 0
    rule: str = "WO-7"

    def apply(self, state: Contest) -> Contest:
        moved = tendrils_after(state.mages[self.who], (self.start, -1), (self.end, 1))
        return with_mana(with_mage(state, self.who, tendrils=moved), self.by, pool=-self.cost, spent=self.cost)


class TendrilLost(MageEvent, frozen=True, kw_only=True):
    """A tendril was removed or consumed; it is spent mana now (WO-12, WO-15)."""

    at: RegionKey
    loss: Loss
    by: str
    rule: str = "WO-15"

    def apply(self, state: Contest) -> Contest:
        tendrils = tendrils_after(state.mages[self.who], (self.at, -1))
        return with_mana(state, self.who, spent=1, tendrils=tendrils)


class TendrilSacrificed(MageEvent, frozen=True, kw_only=True):
    """A mage gave a tendril up: to spent mana, or into a location (WO-15)."""

    at: RegionKey
    spell: str
    to: RegionKey | None = None
    rule: str = "WO-15"

    def apply(self, state: Contest) -> Contest:
        mage = state.mages[self.who]
        if self.to is not None:
            return with_mage(state, self.who, tendrils=tendrils_after(mage, (self.at, -1), (self.to, 1)))
        return with_mana(state, self.who, spent=1, tendrils=tendrils_after(mage, (self.at, -1)))


class TendrilKept(MageEvent, frozen=True, kw_only=True):
    """A tendril was to be lost and was not (WO-15)."""

    at: RegionKey
    spell: str
    rule: str = "WO-15"


class TendrilRecovered(MageEvent, frozen=True, kw_only=True):
    """A mage took a tendril back into the pool (WO-9)."""

    at: RegionKey
    rule: str = "WO-9"

    def apply(self, state: Contest) -> Contest:
        tendrils = tendrils_after(state.mages[self.who], (self.at, -1))
        return with_mana(state, self.who, pool=1, tendrils=tendrils)


class Attacked(ContestEvent, frozen=True, kw_only=True):
    """An attack struck a location (WO-13)."""

    by: str
    spell: str
    at: RegionKey
    strength: int
    rule: str = "WO-13"


class Struck(MageEvent, frozen=True, kw_only=True):
    """A reflected attack struck the attacker alone (WO-15)."""

    by: str
    spell: str
    strength: int
    rule: str = "WO-15"


class Protected(MageEvent, frozen=True, kw_only=True):
    """A mage was protected from a whole attack (WO-13)."""

    spell: str
    strength: int
    rule: str = "WO-13"


class BodyDestroyed(MageEvent, frozen=True, kw_only=True):
    """One damage: to the Astral Plane; all tendrils and charges are spent mana (WO-14)."""

    by: str
    """Whose attack it was."""
    rule: str = "WO-14"

    def apply(self, state: Contest) -> Contest:
        mage = state.mages[self.who]
        gone = sum(mage.tendrils.values()) + sum(mage.charges.values())
        after = with_mana(
            state,
            self.who,
            spent=gone,
            place=ASTRAL,
            tendrils={},
            charges={},
            destroyed=mage.destroyed + 1,
        )
        if self.by == self.who:
            return after
        return with_mage(after, self.by, kills=after.mages[self.by].kills + 1)
