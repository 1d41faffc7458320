"""Events of setting up and of turns (WO-1 to WO-4)."""

from __future__ import annotations

from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.play import changed
from loomtable.engine.woven.cards import tapestry_cards
from loomtable.engine.woven.events.base import ContestEvent, MageEvent, with_mage, with_mana
from loomtable.engine.woven.region_map import region_map
from loomtable.engine.woven.regions import MapEdge, RegionKey
from loomtable.engine.woven.spells import spells
from loomtable.engine.woven.state import Contest, Dye, Mage, Turn
from loomtable.engine.woven.tapestry import Spot

SEATS = (MapEdge.SOUTH, MapEdge.NORTH)
"""Where the two players of a game of two sit."""


class SetUp(ContestEvent, frozen=True, kw_only=True):
    """Map, stack and mages are on the table (WO-1)."""

    players: tuple[str, ...]
    map: RegionKey
    seed: str
    last_round: int | None
    colours: tuple[Dye, ...] = tuple(Dye)
    """Of the players, one after the other."""
    rule: str = "WO-1"

    def apply(self, state: Contest) -> Contest:
        edges = SEATS if len(self.players) == len(SEATS) else (None,) * len(self.players)
        homes = range(1, len(region_map(self.map).homes) + 1)
        return Contest(
            map=self.map,
            mages={
                name: Mage(name, edge=edge, colour=colour)
                for name, edge, colour in zip(self.players, edges, self.colours, strict=False)
            },
            stack=Deck(f"{self.seed}/tapestry", tuple(tapestry_cards())).shuffle(),
            homes=Deck(f"{self.seed}/homes", tuple(homes)).shuffle(),
            last_round=self.last_round,
        )


class HomeDealt(MageEvent, frozen=True, kw_only=True):
    """A player has a home card, which nobody else sees (WO-2)."""

    card: int
    rule: str = "WO-2"

    def apply(self, state: Contest) -> Contest:
        return changed(with_mage(state, self.who, home_card=self.card), homes=state.homes.take(self.card))


class SpellsDealt(ContestEvent, frozen=True, kw_only=True):
    """Everybody holds spells to choose from; the rest is set aside (WO-2)."""

    hands: dict[str, tuple[str, ...]]
    rule: str = "WO-2"

    def apply(self, state: Contest) -> Contest:
        for who, hand in self.hands.items():
            state = with_mage(state, who, dealt=hand)
        return state


class SpellKept(MageEvent, frozen=True, kw_only=True):
    """A player kept a spell, which nobody else sees (WO-16)."""

    spell: str
    rule: str = "WO-16"

    def apply(self, state: Contest) -> Contest:
        mage = state.mages[self.who]
        left = tuple(key for key in mage.dealt if key != self.spell)
        return with_mage(state, self.who, hand=(*mage.hand, self.spell), dealt=left)


class HandsPassed(ContestEvent, frozen=True, kw_only=True):
    """Everybody passed the spells that are left to the left (WO-2)."""

    rule: str = "WO-2"

    def apply(self, state: Contest) -> Contest:
        passed = {who: state.mages[who].dealt for who in state.mages}
        for who, hand in passed.items():
            state = with_mage(state, state.from_left_of(who)[0], dealt=hand)
        return state


class SpellsSetAside(ContestEvent, frozen=True, kw_only=True):
    """Spells that nobody was dealt were set aside (ruling ``fifth-player-leftover``)."""

    count: int
    shown: bool
    rule: str = "WO-2"

    def apply(self, state: Contest) -> Contest:
        kept = {key for mage in state.mages.values() for key in (*mage.hand, *mage.shown)}
        left = tuple(key for key in spells() if key not in kept)
        return changed(state, aside=left, aside_shown=self.shown)


class TurnBegun(MageEvent, frozen=True, kw_only=True):
    """A mage's turn began (WO-3)."""

    round: int
    rule: str = "WO-3"

    def apply(self, state: Contest) -> Contest:
        return changed(state, turn=Turn(self.who), round=self.round)


class MayActAgain(MageEvent, frozen=True, kw_only=True):
    """Another action may follow in this turn (WO-6, WO-9, WO-15)."""

    rule: str = "WO-6"

    def apply(self, state: Contest) -> Contest:
        return changed(state, turn=Turn(self.who, acted=True))


class Passed(MageEvent, frozen=True, kw_only=True):
    """A mage did nothing in a turn (ruling ``passing``)."""

    rule: str = "WO-3"


class Rested(MageEvent, frozen=True, kw_only=True):
    """A mage rested: a thread and all spent mana are in the pool again (WO-4)."""

    thread: Spot | None
    mana: int
    """What was spent before."""
    rule: str = "WO-4"

    def apply(self, state: Contest) -> Contest:
        mage, threads = state.mages[self.who], () if self.thread is None else (self.thread,)
        return with_mana(
            state,
            self.who,
            pool=self.mana + len(threads),
            spent=-self.mana,
            tapestry=mage.tapestry.without_threads(threads),
        )


class PointsScored(MageEvent, frozen=True, kw_only=True):
    """A mage holds cities at the end of a turn (ruling ``win-condition``)."""

    points: int
    rule: str = "WO-14"

    def apply(self, state: Contest) -> Contest:
        return with_mage(state, self.who, points=state.mages[self.who].points + self.points)


class ContestWon(ContestEvent, frozen=True, kw_only=True):
    """The game is over; several win where they are equal (ruling ``win-condition``)."""

    winners: tuple[str, ...]
    because: str
    rule: str = "WO-14"

    def apply(self, state: Contest) -> Contest:
        return changed(state, winners=self.winners, turn=None)
