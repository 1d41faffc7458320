"""Where tags are on printed maps and figures, in the measures of the readers of ``vision``.

Drawings are measured from their lower left corner, y upwards; what is read is measured from the upper left one, y
downwards.
"""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.tags import map_tags
from loomtable.printkit.components import figure
from loomtable.printkit.draw.tags import TAG_MODULES
from loomtable.vision.board.figures import FigurePrint
from loomtable.vision.board.maps import TaggedSheet
from loomtable.vision.quads import Point, Quad

UNCLEAR = 1.5
"""Millimetres: a figure whose middle is nearer to a border could as well stand beyond it."""
BASE_CARD = 1.5
"""Height of a standee's base and of a token, mm: card, and what it is glued to."""


def _square(left: float, top: float, side: float) -> Quad:
    return (left, top), (left + side, top), (left + side, top + side), (left, top + side)


def tagged_map(number: int, width: float, height: float, corners: Sequence[Point], side: float) -> TaggedSheet:
    """A map of this size, mm, with its tags by their upper left corners; number 0 has none and cannot be found."""
    component = ComponentId(Kind.MAP, number or 1)
    tags = map_tags(component) if number else ()
    return TaggedSheet(
        component, width, height, {tag: _square(*at, side) for tag, at in zip(tags, corners, strict=bool(tags))}
    )


def _print(name: str, left: float, low: float, side: float, base_middle: Point, tags: int = 1) -> FigurePrint:
    """A print whose tag's lower left corner is (left, low), as drawn."""
    across, up = base_middle[0] - left - side / 2, base_middle[1] - low - side / 2
    return FigurePrint(name, side, (across, -up), figure.BASE, BASE_CARD, tags)


_FLAP, _EDGE, _HALF = (figure.FLAP - figure.FLAP_TAG) / 2, figure.TOKEN_TAG / TAG_MODULES, figure.BASE / 2
_LEFT = figure.BASE - 1.6 - figure.TOKEN_TAG - _EDGE
FIGURE_PRINTS = (
    _print("standee", _FLAP + 0.2, _FLAP, figure.FLAP_TAG, (_HALF, figure.FLAP), tags=2),
    # On its two sides a token's tag stands 2.15 mm higher or lower: the middle between them serves both.
    _print("token", _LEFT, (4.9 + 1.8 + _EDGE) / 2, figure.TOKEN_TAG, (_HALF, _HALF)),
)
"""The ways in which figures are printed: standing, or flat."""
