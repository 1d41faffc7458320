"""Tapestry cards on their grid: which card, which side up, how it is turned, and which cells it covers.

All tags of these cards are equally large, lie on one plane and stand in the corners of the grid's cells. So the
tags themselves tell how the camera looks, which way the grid runs, how large its cells are seen and where they
are; no mat is needed. A tag's place in its cell tells which corner of its card it is, and thereby where the whole
card lies, even where other cards cover all the rest of it. Numbers here are set by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.tags import tagged
from loomtable.vision.arrays import Float64Array
from loomtable.vision.printed.plane import inverse, mapped
from loomtable.vision.quads import Quad
from loomtable.vision.tags import SeenTag

_MOST_OFF = 4.2
"""Millimetres by which a card may lie off the grid and still be put on it. Neighbouring corners of cells are 10.8
mm apart, so what is further off than 5.4 mm would be taken for another one."""
_ENOUGH_TAGS, _FAR_APART = 4, 4
"""Tags, and how far apart in their sides, from which the perspective can be told."""
_AS_WELL = 0.8
"""Millimetres by which a second way to lay the grid must be worse to be out of the question."""
_SQUARE_OFF = 20.0
"""Degrees by which a card may be turned off the grid."""


@dataclass(frozen=True)
class CardTags:
    """How tapestry cards are printed."""

    cell: float
    """Side of a cell, mm."""
    columns: int
    rows: int
    side: float
    """Width of the black of a tag, mm."""
    inset: float
    """From the card's edges to the middle of a tag, mm."""


@dataclass(frozen=True)
class GridCard:
    """A tapestry card on the grid. Cells are counted from any one: columns to the right, rows down."""

    card: ComponentId
    """The card with the side that is up."""
    column: int
    """Of the upper left cell that it covers as it lies."""
    row: int
    turns: int
    """Quarter turns clockwise, 0 to 3."""
    outline: Quad
    """Corners of the card in the picture, px, in the order of its own upper left, upper right and so on."""
    off: float
    """How far its tags are from where the grid puts them, mm."""
    doubt: str = ""
    """Why its place is not sure, as the end of a sentence; empty where it is."""


@dataclass(frozen=True)
class SeenTapestry:
    """The cards of one grid, in the order of their numbers."""

    cards: tuple[GridCard, ...]
    homography: Float64Array | None = None
    """(3, 3): from millimetres on the grid to pixels; the corner of cell (0, 0) is the origin."""


@dataclass(frozen=True)
class _Tag:
    """One tag on the plane, mm, with its quarter turns against the grid."""

    card: ComponentId
    place: tuple[float, float]
    turns: int
    askew: float
    """Degrees off that turn."""


def read_tapestry(tags: Sequence[SeenTag], printed: CardTags) -> SeenTapestry:
    """The tapestry cards that these tags show, on one grid; tags of other things are left out."""
    own = [tag for tag in tags if (of := tagged(tag.number)) is not None and of[0].kind is Kind.TAPESTRY]
    if not own:
        return SeenTapestry(())
    plane, clear = _plane(own, printed), False
    for _ in range(2):
        start, clear = _grid_phase([_tag_on_plane(tag, plane) for tag in own], printed)
        plane = plane @ np.array([[1, 0, start[0]], [0, 1, start[1]], [0, 0, 1.0]])
        plane = _refitted(plane, own, [_tag_on_plane(tag, plane) for tag in own], printed)
    return SeenTapestry(_cards([_tag_on_plane(tag, plane) for tag in own], plane, printed, clear=clear), plane)


def _plane(tags: Sequence[SeenTag], printed: CardTags) -> Float64Array:
    """A first homography (3, 3) from millimetres to pixels, with the origin anywhere.

    How large equal squares are seen, to the power of two thirds, grows evenly across the picture. That takes the
    perspective away; what is left turns all tags into one parallelogram in four turns.
    """
    quads = np.array([tag.quad for tag in tags])
    middles = quads.mean(axis=1)
    centre = middles.mean(axis=0)
    straight = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1.0]])
    sides = np.sqrt([cv2.contourArea(quad.astype(np.float32)) for quad in quads])
    if len(tags) >= _ENOUGH_TAGS and np.ptp(middles, axis=0).max() > _FAR_APART * sides.mean():
        terms = np.column_stack([np.ones(len(tags)), middles - centre])
        level, across, down = np.linalg.lstsq(terms, sides ** (2 / 3), rcond=None)[0]
        straight = np.array([[1, 0, 0], [0, 1, 0], [across / level, down / level, 1.0]]) @ straight
    corners = mapped(straight, quads.reshape(-1, 2)).reshape(-1, 4, 2)
    right = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    down_edges = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    first = right[0], down_edges[0]
    rights, downs = [], []
    for edge, other in zip(right, down_edges, strict=True):
        # In which of its four turns a tag looks most like the first one.
        turns = [(edge, other), (-other, edge), (-edge, -other), (other, -edge)]
        a, b = max(turns, key=lambda pair: float(pair[0] @ first[0] + pair[1] @ first[1]))
        rights.append(a)
        downs.append(b)
    basis = np.column_stack([np.median(rights, axis=0), np.median(downs, axis=0)]) / printed.side
    affine = np.eye(3)
    affine[:2, :2] = basis
    return np.asarray(inverse(straight) @ affine)


def _tag_on_plane(tag: SeenTag, plane: Float64Array) -> _Tag:
    corners = mapped(inverse(plane), np.array(tag.quad))
    right = corners[1] - corners[0] + corners[2] - corners[3]
    angle = float(np.degrees(np.arctan2(right[1], right[0])))
    turns = round(angle / 90) % 4
    found = tagged(tag.number)
    assert found is not None, "only tapestry tags come here"
    x, y = corners.mean(axis=0)
    return _Tag(found[0], (float(x), float(y)), turns, (angle + 45) % 90 - 45)


def _grid_phase(on_plane: Sequence[_Tag], printed: CardTags) -> tuple[tuple[float, float], bool]:
    """Where the corners of cells are, mm within a cell, and whether that is clear.

    It is the place in which the cards' tags agree best about where they lie, and are least off their corners.
    Where tags stand in one corner of their cells only, another place is as good.
    """
    places = np.array([tag.place for tag in on_plane])
    ranked: list[tuple[int, float, tuple[float, float]]] = []
    for x, y in product(_along(places[:, 0], printed), _along(places[:, 1], printed)):
        moved = [replace(tag, place=(tag.place[0] - x, tag.place[1] - y)) for tag in on_plane]
        spots = {(tag.card.number, _card_cell(tag, printed)) for tag in moved}
        off = float(np.mean([min(_off(tag, printed), _MOST_OFF) for tag in moved]))
        ranked.append((len(spots), off, (x, y)))
    ranked.sort()
    fewest, least, best = ranked[0]
    rivals = [(x, y) for spots, off, (x, y) in ranked if spots == fewest and off < least + _AS_WELL]
    return best, all(_round_off(np.subtract(other, best), printed.cell).max() < printed.inset for other in rivals)


def _along(places: Float64Array, printed: CardTags) -> list[float]:
    """The starts of cells (mm) that fit best along one axis, and those that take a tag for the one opposite."""
    starts = np.arange(0, printed.cell, 0.25)
    away = np.minimum(
        _round_off(places[:, None] - starts - printed.inset, printed.cell),
        _round_off(places[:, None] - starts + printed.inset, printed.cell),
    )
    # Few tags that lie askew must not pull the others with them.
    cost = np.minimum(away, _MOST_OFF).mean(axis=0)
    first = float(starts[int(cost.argmin())])
    found = [first]
    for shift in (2 * printed.inset, -2 * printed.inset):
        at = round(((first + shift) % printed.cell) / 0.25) % len(starts)
        around = [(at + by) % len(starts) for by in range(-6, 7)]
        found.append(float(starts[min(around, key=lambda i: cost[i])]))
    return found


def _round_off(distance: Float64Array, cell: float) -> Float64Array:
    return np.asarray(np.abs((distance + cell / 2) % cell - cell / 2))


def _right_place(tag: _Tag, printed: CardTags) -> tuple[float, float]:
    """Where the tag should stand: the nearest corner of a cell, an inset inside."""
    x, y = (_nearest_corner(at, printed) for at in tag.place)
    return x, y


def _nearest_corner(at: float, printed: CardTags) -> float:
    start = float(np.floor(at / printed.cell)) * printed.cell
    near, far = printed.inset, printed.cell - printed.inset
    return min(
        (start + side for side in (-near, near, far, printed.cell + near)), key=lambda place: abs(place - at)
    )


def _off(tag: _Tag, printed: CardTags) -> float:
    x, y = _right_place(tag, printed)
    return float(np.hypot(x - tag.place[0], y - tag.place[1]))


def _card_cell(tag: _Tag, printed: CardTags) -> tuple[int, int, int]:
    """Column and row of the upper left cell of the tag's card as it lies, and its turns."""
    x, y = _right_place(tag, printed)
    column, row = int(x // printed.cell), int(y // printed.cell)
    wide, high = (printed.columns, printed.rows) if tag.turns % 2 == 0 else (printed.rows, printed.columns)
    # A tag in the right half of its cell is in the right corner of its card, as the card lies.
    if x % printed.cell > printed.cell / 2:
        column -= wide - 1
    if y % printed.cell > printed.cell / 2:
        row -= high - 1
    return column, row, tag.turns


def _refitted(
    plane: Float64Array, tags: Sequence[SeenTag], on_plane: Sequence[_Tag], printed: CardTags
) -> Float64Array:
    """The homography through all tags that lie well on the grid."""
    good = [
        at for at, tag in enumerate(on_plane) if _off(tag, printed) < _MOST_OFF and abs(tag.askew) < _SQUARE_OFF
    ]
    if len(good) < _ENOUGH_TAGS:
        return plane
    places, pixels = [], []
    half = printed.side / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    for at in good:
        # Corner k of a tag turned by t quarters stands where corner k + t of an upright one would.
        places.append(np.roll(square, -on_plane[at].turns, axis=0) + _right_place(on_plane[at], printed))
        pixels.append(np.array(tags[at].quad))
    found, _ = cv2.findHomography(np.concatenate(places), np.concatenate(pixels), cv2.RANSAC, 6.0)
    return np.asarray(found, np.float64) if np.size(found) == 9 else plane


def _cards(
    on_plane: Sequence[_Tag], plane: Float64Array, printed: CardTags, *, clear: bool
) -> tuple[GridCard, ...]:
    by_number: dict[int, list[_Tag]] = {}
    for tag in on_plane:
        by_number.setdefault(tag.card.number, []).append(tag)
    return tuple(_card(by_number[number], plane, printed, clear) for number in sorted(by_number))


def _card(tags: Sequence[_Tag], plane: Float64Array, printed: CardTags, clear: bool) -> GridCard:
    """One card, by all of its tags that are seen."""
    said = Counter((tag.card, _card_cell(tag, printed)) for tag in tags)
    (card, (column, row, turns)), _ = max(said.items(), key=lambda entry: entry[1])
    off = max(_off(tag, printed) for tag in tags)
    outline = _outline(column, row, turns, plane, printed)
    return GridCard(card, column, row, turns, outline, off, _doubt(tags, len(said), off, clear))


def _doubt(tags: Sequence[_Tag], spots: int, off: float, clear: bool) -> str:
    if len({tag.card for tag in tags}) > 1:
        return "shows both of its sides, so there are two prints of it"
    if max(abs(tag.askew) for tag in tags) > _SQUARE_OFF:
        return "is askew; turn it until its edges run along the grid"
    if spots > 1:
        return "seems to be in two places, or off the grid"
    if off > _MOST_OFF:
        return "is off the grid; push it until its lines meet those of the others"
    return "" if clear else "shows too few corners to tell where the grid runs"


def _outline(column: int, row: int, turns: int, plane: Float64Array, printed: CardTags) -> Quad:
    wide, high = (printed.columns, printed.rows) if turns % 2 == 0 else (printed.rows, printed.columns)
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]]) + np.array([column, row])
    # The card's own upper left corner comes first.
    a, b, c, d = np.roll(mapped(plane, corners * printed.cell), -turns, axis=0).tolist()
    return tuple(a), tuple(b), tuple(c), tuple(d)
