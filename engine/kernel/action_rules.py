"""An action as a game declares it, and who may begin it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from loomtable.engine.kernel.arguments import Declared, HostsOnly, Names, declared_of, fields_in
from loomtable.engine.kernel.play import Steps

Rule = Callable[..., Steps[None]]

STORYTELLER = "storyteller"
"""The viewer who may see everything, and who decides where a person has to."""
PLAYER = "player"
"""Whoever plays a figure, as the one who may begin an action for it."""

ASKED = "asked"
"""The host, whom players may ask for it, for their own figures."""


class ActionRule(msgspec.Struct, frozen=True):
    """An action that people can take: its name, what it does, its arguments, and the rules it plays."""

    name: str
    says: str
    rules: tuple[str, ...]
    wants: Callable[[], type[msgspec.Struct]]
    """Makes ``arguments``; the same at each call."""
    run: Rule
    begun_by: str = STORYTELLER
    """``PLAYER``, where players may begin it for their own figures; ``ASKED``, where they may ask for it."""
    group: str = ""
    """The heading under which a list shows it."""
    opens: bool = False
    """Whether an evening begins with it."""
    then: Callable[[Mapping[str, Any]], str] | None = None
    """Given its arguments, the action that the same figure begins next at a table; empty for none."""
    drafted: bool = False
    """Whether a player's own device begins it in a draft, while the others play on."""
    help: Mapping[str, str] = {}
    """A line for each argument of the game's actions, by its name or ``action.name``; parts of one by ``.part``
    or ``group.part``; under ``action.also`` other words that people type for it."""
    deed: str = ""
    """How a journal tells it, with arguments that it always has: ``{who}: a {suit} Challenge``."""

    @property
    def arguments(self) -> type[msgspec.Struct]:
        """The arguments' types, with what they declare (``arguments.py``)."""
        return self.wants()

    @property
    def actor(self) -> str:
        """The argument that says who acts; empty where none does."""
        return next(
            (f.encode_name for f, given in self._declared() if isinstance(given, Names) and given.acting), ""
        )

    @property
    def hosts_only(self) -> Mapping[str, HostsOnly]:
        """The arguments that only the host gives."""
        return {f.encode_name: declared for f, declared in self._declared() if isinstance(declared, HostsOnly)}

    def help_of(self, path: str) -> str:
        """What an argument is, or a part of one (``"enticement.card"``); empty where its name says it all."""
        steps = [step for step in path.split(".") if not step.isdecimal()]
        ways = (".".join((self.name, *steps)), ".".join(steps), ".".join(steps[-2:]), f".{steps[-1]}")
        return next((self.help[way] for way in ways if way in self.help), "")

    def _declared(self) -> list[tuple[msgspec.structs.FieldInfo, Declared]]:
        return [(f, declared) for f in fields_in(self.arguments) for declared in declared_of(f.type)]
