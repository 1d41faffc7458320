"""What an argument of an action can be: the names that exist now, as far as one viewer may know them.

Everything is taken from ``Session.view``, so that a form never offers what its reader must not see.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from loomtable.engine.kernel.arguments import Names, View, noted
from loomtable.engine.kernel.session import Session
from loomtable.table.hosting.devices import Device


class Offer(msgspec.Struct, frozen=True):
    """The names that fit; ``closed`` where nothing else can."""

    names: tuple[str, ...]
    closed: bool = True
    titles: tuple[str, ...] = ()
    """What people call them, one for each name; none where they are called by their names."""
    does: tuple[str, ...] = ()
    """What they do by the rules, or their content notes, one for each name; none where nothing is known of it."""

    def title(self, at: int) -> str:
        """What people call the name at this place."""
        return self.titles[at] if self.titles else self.names[at]


NOTHING = Offer((), closed=False)


class Offers:
    """What can be written for the arguments of actions, by what one device may see of a session now."""

    def __init__(self, session: Session[object], device: Device, joined: Sequence[str] = ()) -> None:
        self._able = session.system.candidates(session.game, device.viewer, players=joined)

    def __call__(self, declared: Names | None) -> Offer:
        """What can be written for an argument, from what its type declares."""
        if declared is None:
            return NOTHING
        view, names = self._able.seen, tuple(map(_written, self._able.names(declared)))
        if self._able.own is not None and declared.acting:
            return Offer(names)
        # Where there is nothing to choose from, the rules say why nothing that is written can be.
        return Offer(
            names,
            closed=declared.closed and bool(names),
            titles=tuple(map(declared.title, names)) if declared.title is not None else (),
            does=_does(declared, view, names),
        )


def _does(declared: Names, view: View, names: tuple[str, ...]) -> tuple[str, ...]:
    if declared.notes is not None:
        return tuple(noted(declared.notes(name)) for name in names)
    return tuple(declared.does(view, name) for name in names) if declared.does is not None else ()


def _written(name: Any) -> str:
    """A name as a form writes it; a place by its numbers."""
    return "/".join(map(str, name)) if isinstance(name, tuple) else str(name)
