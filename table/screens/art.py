"""Pictures for screens, drawn by the same hands as the printed kit: cards, maps, symbols, as SVG."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import BadCode, Missing, UnknownComponent
from loomtable.printkit.draw.art import MOTIF_HEIGHT, MOTIF_WIDTH, art_named, art_names
from loomtable.printkit.draw.elements import ELEMENT_COLOURS, draw_element
from loomtable.printkit.draw.palette import INK, WHITE
from loomtable.printkit.draw.path import circle
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.suits import SUIT_COLOURS, draw_suit_sign
from loomtable.printkit.draw.svg import drawn_as_svg
from loomtable.table.screens import Picture, game_screens
from loomtable.table.screens.emblems import EMBLEMS

if TYPE_CHECKING:
    from loomtable.printkit.sheet.papers import CardSize
    from loomtable.printkit.sheet.pieces import Drawing


class NoSuchPicture(Missing):
    """There is no picture of this kind and name."""


@lru_cache(maxsize=256)
def art(kind: str, name: str) -> str:
    """A picture as SVG.

    Raises:
        NoSuchPicture: there is none.
    """
    found = art_drawing(kind, name)
    return drawn_as_svg(found.draw, found.width, found.height)


def art_drawing(kind: str, name: str) -> Picture:
    """The picture of a kind (``card``, ``motif``, ``emblem``, ``element``, ``suit``, or a game's own) and name.

    Raises:
        NoSuchPicture: there is none.
    """
    kinds = _pictures()
    if kind not in kinds:
        raise NoSuchPicture(f"there are no pictures of the kind {kind[:30]!r}; there are {', '.join(kinds)}")
    try:
        return kinds[kind](name)
    except (UnknownComponent, BadCode, ValueError, KeyError):
        raise NoSuchPicture(f"there is no picture {name[:30]!r} of the kind {kind}") from None


def _card(name: str) -> Picture:
    from loomtable.printkit.sheet.papers import POKER

    code = ComponentId.parse(name)
    if name != code.short:  # one card, one address, so that nobody has the same picture kept many times
        raise KeyError(name)
    draw, size = _faces()[code]
    size = size or POKER
    return Picture(draw, size.width, size.height)


def card_codes() -> tuple[str, ...]:
    """The short codes of all cards that can be shown; the first call reads the decks."""
    return tuple(code.short for code in _faces())


@cache
def _faces() -> dict[ComponentId, tuple[Drawing, CardSize | None]]:
    """Every printed face that has an id of its own; of several drawings, the one that is named first."""
    from loomtable.printkit.catalogue import components

    faces: dict[ComponentId, tuple[Drawing, CardSize | None]] = {}
    for component in components().values():
        for card in component.cards() if component.kinds else ():
            if card.id is not None:
                faces.setdefault(card.id, (card.front, card.size))
            if card.back_id is not None and card.back is not None:
                faces.setdefault(card.back_id, (card.back, card.size))
    return faces


def _sign(draw: Callable[[Pen, str, float, float, float], None], known: Container[str], name: str) -> Picture:
    if name not in known:
        raise KeyError(name)
    return Picture(lambda pen: draw(pen, name, 11, 11, 20), 22, 22)


def _motif(name: str) -> Picture:
    if name not in art_names("motifs"):
        raise KeyError(name)
    return Picture(art_named("motifs", name, name).draw, MOTIF_WIDTH, MOTIF_HEIGHT)


def _emblem(name: str) -> Picture:
    """A player's emblem, on a disc that is light in every look."""
    if name not in EMBLEMS:
        raise KeyError(name)
    symbol = art_named("weaving-dice", name)

    def draw(pen: Pen) -> None:
        with pen.at(20, 20):
            pen.fill_background(circle(0, 0, 19), WHITE)
            pen.stroke(circle(0, 0, 19), INK, 1.4)
            with pen.at(0, 0, scale=0.72):
                symbol.draw(pen)

    return Picture(draw, 40, 40)


def _pictures() -> Mapping[str, Callable[[str], Picture]]:
    """How each kind is drawn: those of the kit, and those of every game's screen."""
    return {
        **{kind: draw for screen in game_screens().values() for kind, draw in screen.pictures.items()},
        "card": _card,
        "emblem": _emblem,
        "motif": _motif,
        "element": partial(_sign, draw_element, ELEMENT_COLOURS),
        "suit": partial(_sign, draw_suit_sign, SUIT_COLOURS),
    }
