"""Everything that can be printed, by name, as ``templates/components.yaml`` lists it.

A new one takes a function ``(options: RenderOptions) -> list[PrintedCard]`` that makes its pieces
(``printkit/sheet/pieces.py``: cards to cut out, whole pages, large drawings), and an entry that names that one.
Sheets, marks, backs, packing, tiling, files and the command line come by themselves. Another package registers a
tuple of ``Component`` in the entry-point group ``loomtable.printed``, under any name::

    PRINTED = (Component("ferry-cards", "Last ferry: cards", "Six passengers", "last-ferry", ferry_cards),)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from operator import attrgetter
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

import msgspec

from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.plugins import Hook
from loomtable.engine.kernel.yamlfile import Titled, parse_yaml
from loomtable.printkit.errors import UnknownPrintName
from loomtable.printkit.sheet.papers import POKER, CardSize, PaperOptions

if TYPE_CHECKING:
    from loomtable.engine.kernel.session import Session
    from loomtable.printkit.sheet.pieces import Piece, PrintedCard

EVERYTHING = "everything"
"""The kit that holds every component."""


@dataclass(frozen=True)
class RenderOptions(PaperOptions):
    """What was asked for, as far as it changes what a component draws.

    ``session`` is the game whose sheets are filled in; components of other systems leave it alone. ``fillable``
    asks for fields that can be typed into on a screen. ``tags`` asks for an AprilTag besides the code on cards
    that have room for one, for a camera that looks from afar. ``sleeved``: the cards go into sleeves, which boxes
    and dividers have to hold.
    """

    fillable: bool = False
    session: Session[object] | None = None
    tags: bool = False
    sleeved: bool = False


class _Held(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What kits and lists ask of a component."""

    kinds: tuple[Kind, ...] = ()
    """The kinds of ids among its pieces: nobody who looks for others has to make them."""
    aliases: tuple[str, ...] = ()
    in_kits: bool = True
    """Whether kits hold it; not where it is another form of what they hold already."""
    first: bool = False
    """Whether the first evening of its game needs it."""
    in_every_kit: bool = False
    """Whether the whole kits of all games hold it, and not only that of its system."""
    tag: float | None = None
    """Width (mm) of the smallest tag on what carries tags whatever is asked for."""
    on_paper: bool = False
    """Whether it is of use on paper alone, to be cut, folded or glued; no table on a screen has it."""


class Component(_Held, frozen=True):
    """Something that can be printed, by name: a deck, sheets, a map.

    ``system`` is the key of the game it belongs to (``weave``), or ``table`` for what serves them all; it is also
    the name of the kit that holds it. ``pieces`` are made when they are wanted; the same options give the same
    pieces.
    """

    name: str
    title: str
    description: str
    system: str
    pieces: Callable[[RenderOptions], Sequence[Piece]]

    def cards(self, size: CardSize = POKER) -> list[PrintedCard]:
        """Those of its pieces that are cards, for cards of ``size``."""
        from loomtable.printkit.sheet.pieces import PrintedCard

        return [piece for piece in self.pieces(RenderOptions(card_size=size)) if isinstance(piece, PrintedCard)]


class _Described(_Held, frozen=True):
    """An entry of the list: ``pieces`` and ``of`` are ``module:name``, which is imported when it is wanted.

    ``where`` is an attribute of what ``of`` lists: there is no component where it has none.
    """

    title: str
    description: str
    system: str
    pieces: str
    of: str = ""
    where: str = ""

    def components(self, name: str) -> Iterator[Component]:
        """The component of this name, or one for each of the things that ``of`` lists."""
        held = {key: getattr(self, key) for key in _Held.__struct_fields__}
        for key, thing in self._things().items():
            said = partial(str.format, name=key, of=thing)
            pieces = partial(_made, self.pieces, *filter(None, (key,)))
            told = said(self.title), said(self.description), said(self.system)
            yield Component(said(name), *told, pieces, **held)

    def _things(self) -> Mapping[str, object]:
        if not self.of:
            return {"": None}
        listed = _named(self.of)
        things: Mapping[str, object] = listed() if callable(listed) else listed
        return {key: thing for key, thing in things.items() if not self.where or attrgetter(self.where)(thing)}


def _named(where: str) -> Any:
    return resolve_name(f"loomtable.{where}")


def _made(function: str, *asked: object) -> Sequence[Piece]:
    pieces: Sequence[Piece] = _named(function)(*asked)
    return pieces


class _List(Titled, frozen=True):
    components: dict[str, _Described]


OF_STRANGERS: Hook[tuple[Component, ...]] = Hook("loomtable.printed")
"""What a stranger's game prints."""


def parse_components(text: str, name: str) -> Mapping[str, _Described]:
    """The list in the text of a file called ``name``.

    Raises:
        ContentInvalid: it does not hold together; the message says in which line.
    """
    return parse_yaml(text, _List, name)[0].components


def _declared() -> dict[str, Component]:
    found: dict[str, Component] = {}
    for name, entry in parse_components(*shipped("components.yaml")).items():
        found |= {component.name: component for component in entry.components(name)}
    for _, printed in OF_STRANGERS.load_all():
        for component in printed:
            found.setdefault(component.name, component)
    return found


def components() -> Mapping[str, Component]:
    """Every component by its name, in order."""
    if not _COMPONENTS:
        _COMPONENTS.update(_declared())
    return _COMPONENTS


def kits(*, whole: bool = False) -> Mapping[str, tuple[str, ...]]:
    """Every kit: what a first evening of each game needs, or all of it; what serves all games; and everything."""
    held = [component for component in components().values() if component.in_kits]
    found: dict[str, tuple[str, ...]] = {}
    for system in dict.fromkeys(component.system for component in held):
        every = [part for part in held if part.system == system or (whole and part.in_every_kit)]
        first = [part for part in every if part.first and not whole]
        found[system] = tuple(component.name for component in first or every)
    return found | {EVERYTHING: tuple(component.name for component in held)}


def is_everything(names: Sequence[str]) -> bool:
    """Whether the kit of every component is among these names."""
    return EVERYTHING in (name.strip().lower() for name in names)


def components_named(names: Sequence[str], *, whole: bool = False) -> list[Component]:
    """The components that names of components and kits stand for, each once, in the order first named.

    A game's kit is what its first evening needs, or the ``whole`` of it.

    Raises:
        UnknownPrintName: a name is neither, or there is no name at all.
    """
    every, grouped = components(), kits(whole=whole)
    # Other names, and the components for which each stands: one, or several of a sort (``sheets``).
    aliases: dict[str, tuple[str, ...]] = {}
    for component in components().values():
        for alias in component.aliases:
            aliases[alias] = (*aliases.get(alias, ()), component.name)
    if not names:
        raise UnknownPrintName("nothing to print: name a kit or a component; loom print --list shows them")
    wanted: dict[str, Component] = {}
    for name in names:
        tidy = name.strip().lower()
        parts = aliases.get(tidy) or grouped.get(tidy) or (tidy,)
        if parts[0] not in every:
            raise UnknownPrintName(_unknown(name, tidy, [*aliases, *grouped, *every]))
        for part in parts:
            wanted[part] = every[part]
    return list(wanted.values())


def _unknown(name: str, tidy: str, known: Sequence[str]) -> str:
    """That there is no such thing, and what was perhaps meant."""
    meant = [f"{near!r}" for near in get_close_matches(tidy[:40], known, n=3, cutoff=0.7)]
    guess = f"did you mean {' or '.join(meant)}? " if meant else ""
    return f"there is nothing to print called {name[:40]!r}; {guess}loom print --list shows all there is"


_COMPONENTS: dict[str, Component] = {}
