"""All game systems, by the name they have on the command line: those that are installed here."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from loomtable.engine.kernel.answer_cards import answer_of
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import LoomtableError, Missing
from loomtable.engine.kernel.installation import again
from loomtable.engine.kernel.plugins import Hook, warn
from loomtable.engine.kernel.poker import PokerCard
from loomtable.engine.kernel.system import System

GAMES: Hook[System[Any]] = Hook("loomtable.games")
"""The games themselves, each under its own key."""


class UnknownSystem(Missing, KeyError):
    """No game system of that name is played here."""

    __str__ = Exception.__str__  # one sentence, which a KeyError would quote


class _Installed(Mapping[str, System[Any]]):
    """The games that are registered as entry points, each imported when it is first wanted."""

    def __init__(self) -> None:
        self._refused: set[str] = set()

    def __getitem__(self, key: str) -> System[Any]:
        if (found := self._found(key)) is not None:
            return found
        if not self:
            raise UnknownSystem(f"no game is installed; {again()}")
        near = difflib.get_close_matches(key, self, n=2, cutoff=0.7)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(self)}"
        raise UnknownSystem(f"there is no system {key!r}; {hint}")

    def _found(self, key: str) -> System[Any] | None:
        system = GAMES.load(key)
        if isinstance(system, System) and system.key == key:
            return system
        entry = GAMES.entry(key)
        if system is not None and entry is not None and key not in self._refused:
            self._refused.add(key)
            what = f"a game of the key {system.key!r}" if isinstance(system, System) else "no game"
            warn(entry, f"it is registered as {key!r} and is {what}")
        return None

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._found(key) is not None

    def __iter__(self) -> Iterator[str]:
        return (key for key in GAMES.games() if key in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


SYSTEMS: Mapping[str, System[Any]] = _Installed()


def card_name(card: ComponentId) -> str:
    """What people call a card: ``The Lantern``, ``Gales 2``; its kind alone if it is not installed here."""
    try:
        if card.kind is Kind.POKER:
            return PokerCard(card.number).name
        if card.kind is Kind.ANSWER:
            return f"the answer {answer_of(card)}"
        for system in SYSTEMS.values():
            if named := system.presentation.card_names.get(card.kind):
                return named(card)
    except LoomtableError:
        pass
    return f"an unknown {card.kind} card"
