"""The river bank: who stands there, and what has happened so far, as events that know how they change it."""

from __future__ import annotations

import msgspec

from loomtable.game import ComponentId, Event

COINS = 3


class Passenger(msgspec.Struct, frozen=True):
    """One passenger: the coins left, the crossings made, and a lucky card kept from the last one."""

    coins: int = COINS
    crossings: int = 0
    lucky: ComponentId | None = None


class Bank(msgspec.Struct, frozen=True):
    """Everything there is to know about the game."""

    passengers: dict[str, Passenger] = {}


class CardTurned(Event, frozen=True, kw_only=True):
    """A card says how deep the water is."""

    who: str
    card: ComponentId
    depth: int

    def apply(self, state: Bank) -> Bank:
        """Whoever crosses for the first time steps onto the bank."""
        there = state.passengers.get(self.who, Passenger())
        return Bank({**state.passengers, self.who: there})


class Crossed(Event, frozen=True, kw_only=True):
    """The dice said whether the far bank was reached; the card of a crossing that went well is kept."""

    who: str
    card: ComponentId
    total: int
    over: bool

    def apply(self, state: Bank) -> Bank:
        """A crossing more, or a coin less."""
        was = state.passengers[self.who]
        now = (
            Passenger(was.coins, was.crossings + 1, self.card)
            if self.over
            else Passenger(was.coins - 1, was.crossings, was.lucky)
        )
        return Bank({**state.passengers, self.who: now})
