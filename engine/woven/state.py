"""Everything about one game of Woven: mages with mana, tapestries and spells, the stack, whose turn it is."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

import msgspec

from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.woven.region_map import region_map
from loomtable.engine.woven.regions import MapEdge, RegionKey, RegionMap
from loomtable.engine.woven.spells import Spell, spell_named
from loomtable.engine.woven.tapestry import Spot, Tapestry

E = TypeVar("E")

MANA = 13
"""What each mage has, wherever it lies (WO-1)."""

ASTRAL: RegionKey = ""
"""The place of a mage who is not on the map: beside it before the first move, or in the Astral Plane."""


class Dye(StrEnum):
    """The colour of a player's mage and mana, called by its dye, as the printed counters are (WO-1, WO-2)."""

    MADDER = "madder"
    WOAD = "woad"
    MOSS = "moss"
    WELD = "weld"
    ORCHIL = "orchil"

    @property
    def label(self) -> str:
        """What it looks like: ``madder red``."""
        shades = {"madder": "red", "woad": "blue", "moss": "green", "weld": "yellow", "orchil": "purple"}
        return f"{self.value} {shades[self.value]}"


class Mage(msgspec.Struct, frozen=True):
    """One player's mage, and everything in front of that player."""

    name: str
    colour: Dye = Dye.MADDER
    edge: MapEdge | None = None
    """Where the player sits in a game of two (WO-2)."""
    home_card: int | None = None
    """With three players or more; hidden until the mage first comes onto the map (WO-2, WO-16)."""
    home_shown: bool = False
    pool: int = MANA
    spent: int = 0
    tapestry: Tapestry = Tapestry()
    drawn: int | None = None
    """A tapestry card that was drawn and is about to be laid (WO-8)."""
    hand: tuple[str, ...] = ()
    """Spells that were kept and have not been cast yet: hidden (WO-16)."""
    shown: tuple[str, ...] = ()
    """Spells that have been cast, in the order of their first time."""
    dealt: tuple[str, ...] = ()
    """Spells to choose from while the draft is on: hidden (WO-2)."""
    charges: dict[str, int] = {}
    tendrils: dict[RegionKey, int] = {}
    place: RegionKey = ASTRAL
    destroyed: int = 0
    """How often this mage's body was destroyed (WO-14)."""
    kills: int = 0
    """How often this mage destroyed another's body."""
    points: int = 0
    """For cities held (ruling ``win-condition``)."""

    @property
    def threads(self) -> tuple[Spot, ...]:
        """Where threads lie on the tapestry."""
        return self.tapestry.threads

    @property
    def mana(self) -> int:
        """All of it: pool, spent, threads, tendrils and charges."""
        return (
            self.pool + self.spent + len(self.threads) + sum(self.tendrils.values()) + sum(self.charges.values())
        )

    @property
    def on_map(self) -> bool:
        """Whether the mage has a body on the map."""
        return self.place != ASTRAL

    @property
    def spells(self) -> tuple[Spell, ...]:
        """All spells this mage can cast, in the order of their numbers."""
        return tuple(sorted(map(spell_named, (*self.shown, *self.hand)), key=lambda spell: spell.number))

    def charged(self) -> tuple[Spell, ...]:
        """The spells on which charges lie."""
        return tuple(spell_named(key) for key in self.charges)

    def standing(self, sort: type[E]) -> tuple[tuple[Spell, E], ...]:
        """The effects of one sort that hold now, each with the charged spell that it comes from (WO-12)."""
        return tuple(
            (spell, effect)
            for spell in self.charged()
            for effect in spell.while_charged
            if isinstance(effect, sort)
        )


class Turn(msgspec.Struct, frozen=True):
    """Whose turn it is, and whether something was done in it already (WO-3)."""

    mage: str
    acted: bool = False


NO_CARDS: Deck[int] = Deck("", ())


class Contest(msgspec.Struct, frozen=True):
    """One game of Woven."""

    map: str = ""
    mages: dict[str, Mage] = {}
    """In the order in which they sit, clockwise, which is the order of turns."""
    stack: Deck[int] = NO_CARDS
    """The tapestry cards that nobody has."""
    homes: Deck[int] = NO_CARDS
    aside: tuple[str, ...] = ()
    """Spells that nobody was dealt."""
    aside_shown: bool = False
    turn: Turn | None = None
    round: int = 0
    last_round: int | None = None
    winners: tuple[str, ...] = ()

    @property
    def ground(self) -> RegionMap:
        """The map that is played on."""
        return region_map(self.map)

    def mage(self, name: str) -> Mage:
        """The mage of this player.

        Raises:
            IllegalAction: there is none; the message lists those there are.
        """
        if name not in self.mages:
            there = f"there are {', '.join(self.mages)}" if self.mages else "nobody plays yet (Set up)"
            raise IllegalAction(f"there is no mage {name!r}; {there}")
        return self.mages[name]

    def from_left_of(self, name: str) -> tuple[str, ...]:
        """All mages clockwise, beginning on this one's left and ending with this one."""
        names = list(self.mages)
        after = names.index(name) + 1
        return tuple(names[after:] + names[:after])

    def home_of(self, mage: Mage) -> tuple[RegionKey, ...]:
        """Where a mage may come onto the map: the own edge, or the place of the home card (WO-2)."""
        if mage.edge is not None:
            return self.ground.edge(mage.edge)
        assert mage.home_card is not None, "a mage without an edge has a home card"
        return (self.ground.homes[mage.home_card - 1],)
