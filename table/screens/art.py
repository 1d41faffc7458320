"""Pictures for screens, drawn by the same hands as the printed kit: cards, maps, symbols, as SVG."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import BadCode, Missing, UnknownComponent
from loomtable.printkit.draw.art import MOTIF_HEIGHT, MOTIF_WIDTH, art_named, art_names
from loomtable.printkit.draw.svg import drawn_as_svg

if TYPE_CHECKING:
    from loomtable.printkit.sheet.papers import CardSize
    from loomtable.printkit.sheet.pieces import Drawing


class NoSuchPicture(Missing):
    """There is no picture of this kind and name."""


@dataclass(frozen=True)
class Picture:
    """A drawing and its size in mm."""

    draw: Drawing
    width: float
    height: float


@lru_cache(maxsize=256)
def art(kind: str, name: str) -> str:
    """A picture as SVG.

    Raises:
        NoSuchPicture: there is none.
    """
    found = art_drawing(kind, name)
    return drawn_as_svg(found.draw, found.width, found.height)


def art_drawing(kind: str, name: str) -> Picture:
    """The picture of a kind (``card``, ``motif``, ``ground``, ``region``, ``element``, ``suit``) and name.

    Raises:
        NoSuchPicture: there is none.
    """
    if kind not in _ART:
        raise NoSuchPicture(f"there are no pictures of the kind {kind[:30]!r}; there are {', '.join(_ART)}")
    try:
        return _ART[kind](name)
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
        for card in component.cards() if component.has_cards else ():
            if card.id is not None:
                faces.setdefault(card.id, (card.front, card.size))
            if card.back_id is not None and card.back is not None:
                faces.setdefault(card.back_id, (card.back, card.size))
    return faces


def _ground(name: str) -> Picture:
    from loomtable.engine.storm_weavers.combat_map import combat_map, map_names
    from loomtable.printkit.games.storm_weavers.combat_map import draw_combat_map, map_size

    if name not in map_names():
        raise KeyError(name)
    plan = combat_map(name)
    return Picture(lambda pen: draw_combat_map(pen, plan), *map_size(plan))


def _region(name: str) -> Picture:
    from loomtable.engine.woven.region_map import map_names, region_map
    from loomtable.printkit.games.woven.region_map import draw_region_map

    if name not in map_names():
        raise KeyError(name)
    land = region_map(name)
    return Picture(lambda pen: draw_region_map(pen, land, land.size[0]), *land.size)


def _element(name: str) -> Picture:
    from loomtable.engine.woven.cards import Element
    from loomtable.printkit.draw.elements import draw_element

    element = Element(name)
    return Picture(lambda pen: draw_element(pen, element, 11, 11, 20), 22, 22)


def _suit(name: str) -> Picture:
    from loomtable.engine.weave.suits import Suit
    from loomtable.printkit.draw.suits import SUIT_COLOURS, draw_suit

    suit = Suit(name)
    deep, light = SUIT_COLOURS[suit]
    return Picture(lambda pen: draw_suit(pen, suit, 11, 11, 20, deep, light), 22, 22)


def _motif(name: str) -> Picture:
    """A motif by its name, or by the Story card that shows it."""
    from loomtable.engine.weave.decks import story_card

    importlib.import_module("loomtable.printkit.games.weave.story_card")  # registers the motifs
    if name not in art_names("motifs"):
        code = ComponentId.parse(name)
        if name != code.short:
            raise KeyError(name)
        name = story_card(code).motif
    return Picture(art_named("motifs", name, name).draw, MOTIF_WIDTH, MOTIF_HEIGHT)


_ART: dict[str, Callable[[str], Picture]] = {
    "card": _card,
    "motif": _motif,
    "ground": _ground,
    "region": _region,
    "element": _element,
    "suit": _suit,
}
