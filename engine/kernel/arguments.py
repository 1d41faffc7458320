"""What an argument of an action can be, declared where the rule is, as the annotation of its parameter::

    WHO = Names(lambda seen: seen["characters"], acting=True)

    @WEAVE.action("heal", "WV-21", begun_by=PLAYER, group="Challenges")
    def heal(play, *, who: Annotated[str, WHO], suit: Suit | None = None): ...

Forms, the list of legal actions and what a player's phone may send are all made from these declarations.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

import msgspec

from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.yamlfile import ReadLater, parse_yaml

View = Mapping[str, Any]
"""What one viewer may see of a game, as plain values."""


@dataclass(frozen=True)
class Names:
    """An argument that is one of the names there are.

    ``among`` finds them in what a viewer may see, so that no form offers what its reader must not know.
    """

    among: Callable[[View], Iterable[Any]]
    closed: bool = True
    """Whether nothing else fits, as long as there is any such name."""
    acting: bool = False
    """Whether it says who acts: a player's phone may only give the player's own names."""
    title: Callable[[str], str] | None = None
    """What people call what has such a name, where that is something else."""
    does: Callable[[View, str], str] | None = None
    """What it does by the rules, as far as the viewer may know."""
    notes: Callable[[str], str] | None = None
    """Content notes: what people may want to know of it before they play it."""


def noted(notes: str) -> str:
    """Content notes as they are shown, ``"In it: ..."``; nothing where there are none."""
    return f"In it: {notes.strip()}" if notes.strip() else ""


@dataclass(frozen=True)
class HostsOnly:
    """An argument that only the host gives; a player leaves it out, and it is asked for at the table."""

    why: str
    """The refusal, as a sentence."""


@dataclass(frozen=True)
class Usual:
    """An argument that may be left out, but that a form asks for at once, beside what has to be given."""


USUAL = Usual()
Declared = Names | HostsOnly | Usual


class _ArgumentsFile(msgspec.Struct, forbid_unknown_fields=True):
    arguments: dict[str, str]


def parse_arguments(text: str, name: str) -> Mapping[str, str]:
    """One line of help for each argument of a game's actions, from the text of a file called ``name``.

    Raises:
        ContentInvalid: it does not hold together; the message names the file and the line.
    """
    return parse_yaml(text, _ArgumentsFile, name)[0].arguments


def shipped_arguments(game: str) -> Mapping[str, str]:
    """The lines of help of a game of ours (``"storm_weavers"``), read when one is wanted."""
    return ReadLater(lambda: parse_arguments(*shipped(game, "arguments.yaml")))


@cache
def fields_in(shape: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """The fields of a struct. msgspec evaluates its annotations at each call: here once for each struct."""
    return msgspec.structs.fields(shape)


def declared_of(shape: Any) -> tuple[Declared, ...]:
    """What the annotation of an argument declares, of the argument itself or of each value in a list of them."""
    if typing.get_origin(shape) is Annotated:
        own = tuple(found for found in shape.__metadata__ if isinstance(found, Declared))
        return (*own, *declared_of(shape.__origin__))
    if _is_union(shape) or typing.get_origin(shape) in (tuple, dict):
        return tuple(found for part in typing.get_args(shape) for found in declared_of(part))
    return ()


def names_in(shape: Any) -> Names | None:
    """The names that an argument can be, if it declares any."""
    return next((found for found in declared_of(shape) if isinstance(found, Names)), None)


def without_declarations(shape: Any) -> Any:
    """The type itself, what it declares left out; types within it keep what they declare."""
    while typing.get_origin(shape) is Annotated:
        shape = shape.__origin__
    return shape


def without_none(shape: Any) -> tuple[Any, bool]:
    """The type of an argument without its declarations, and without ``None`` where that is all else it can be.

    The second value says whether it can be ``None``.
    """
    shape = without_declarations(shape)
    if not _is_union(shape):
        return shape, False
    rest = [part for part in typing.get_args(shape) if part is not type(None)]
    optional = len(rest) < len(typing.get_args(shape))
    return (without_declarations(rest[0]), True) if optional and len(rest) == 1 else (shape, optional)


def _is_union(shape: Any) -> bool:
    return typing.get_origin(shape) in (typing.Union, types.UnionType)
