"""Events of the tapestry, of casting and of charges (WO-6, WO-8 to WO-12)."""

from __future__ import annotations

from enum import StrEnum

from loomtable.engine.kernel.play import changed
from loomtable.engine.woven.events.base import ContestEvent, MageEvent, counted, with_mage, with_mana
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.tapestry import CardPlacement, Spot, Tapestry


class CardDrawn(MageEvent, frozen=True, kw_only=True):
    """A mage drew a tapestry card, and paid for it (WO-8)."""

    card: int
    cost: int = 0
    rule: str = "WO-8"

    def apply(self, state: Contest) -> Contest:
        drawn = with_mana(state, self.who, pool=-self.cost, spent=self.cost, drawn=self.card)
        return changed(drawn, stack=state.stack.take(self.card))


class CardLaid(MageEvent, frozen=True, kw_only=True):
    """A mage laid the card that was drawn; covered threads are in the pool again (WO-8)."""

    placement: CardPlacement
    covered: tuple[Spot, ...] = ()
    rule: str = "WO-8"

    def apply(self, state: Contest) -> Contest:
        tapestry, covered = state.mages[self.who].tapestry.with_card(self.placement)
        return with_mana(state, self.who, pool=len(covered), tapestry=tapestry, drawn=None)


class StackRenewed(ContestEvent, frozen=True, kw_only=True):
    """Discarded tapestry cards made a new stack (ruling ``tapestry-stack-empty``)."""

    cards: int
    rule: str = "WO-8"

    def apply(self, state: Contest) -> Contest:
        return changed(state, stack=state.stack.put_back())


class TapestryDiscarded(MageEvent, frozen=True, kw_only=True):
    """A tapestry went with its mage's body; its threads are spent (ruling ``death-tapestry``)."""

    rule: str = "WO-14"

    def apply(self, state: Contest) -> Contest:
        tapestry = state.mages[self.who].tapestry
        cards = tuple(laid.card for laid in tapestry.placements)
        gone = with_mana(state, self.who, spent=len(tapestry.threads), tapestry=Tapestry())
        return changed(gone, stack=state.stack.discard(*cards))


class ThreadPlaced(MageEvent, frozen=True, kw_only=True):
    """A mage placed a thread in an empty box (WO-6, WO-11)."""

    at: Spot
    rule: str = "WO-11"

    def apply(self, state: Contest) -> Contest:
        tapestry = state.mages[self.who].tapestry.with_thread(self.at)
        return with_mana(state, self.who, pool=-1, tapestry=tapestry)


class ThreadsRecovered(MageEvent, frozen=True, kw_only=True):
    """Threads went from the tapestry into the pool by a spell (WO-15)."""

    spell: str
    at: tuple[Spot, ...]
    rule: str = "WO-15"

    def apply(self, state: Contest) -> Contest:
        tapestry = state.mages[self.who].tapestry.without_threads(self.at)
        return with_mana(state, self.who, pool=len(self.at), tapestry=tapestry)


class SpellCast(MageEvent, frozen=True, kw_only=True):
    """A mage cast a spell; a hidden one is face up from now on (WO-10)."""

    spell: str
    symbols: tuple[Spot, ...]
    threads: tuple[Spot, ...]
    revealed: bool
    rule: str = "WO-10"

    def apply(self, state: Contest) -> Contest:
        mage = state.mages[self.who]
        if not self.revealed:
            return state
        hand = tuple(key for key in mage.hand if key != self.spell)
        return with_mage(state, self.who, hand=hand, shown=(*mage.shown, self.spell))


class NoEffect(MageEvent, frozen=True, kw_only=True):
    """A part of a spell did nothing, and why (WO-12, WO-15)."""

    spell: str
    why: str
    rule: str = "WO-15"


class ChargePlaced(MageEvent, frozen=True, kw_only=True):
    """One mana went from the pool onto a spell (WO-12)."""

    spell: str
    rule: str = "WO-12"

    def apply(self, state: Contest) -> Contest:
        charges = counted(state.mages[self.who].charges, self.spell, 1)
        return with_mana(state, self.who, pool=-1, charges=charges)


class ChargeLoss(StrEnum):
    """How a charge went to spent mana."""

    SPENT = "spent"
    DISPELLED = "dispelled"
    REMOVED = "removed"


class ChargeLost(MageEvent, frozen=True, kw_only=True):
    """A charge went to spent mana: its mage spent it, or it was dispelled or removed (WO-12, WO-13)."""

    spell: str
    loss: ChargeLoss
    rule: str = "WO-12"

    def apply(self, state: Contest) -> Contest:
        charges = counted(state.mages[self.who].charges, self.spell, -1)
        return with_mana(state, self.who, spent=1, charges=charges)


class ChargeRecovered(MageEvent, frozen=True, kw_only=True):
    """A mage took a charge back into the pool (WO-9)."""

    spell: str
    rule: str = "WO-9"

    def apply(self, state: Contest) -> Contest:
        charges = counted(state.mages[self.who].charges, self.spell, -1)
        return with_mana(state, self.who, pool=1, charges=charges)
