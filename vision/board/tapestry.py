"""Tapestry cards on their grid: which card, which side up, how it is turned, and which cells it covers.

All tags of these cards are equally large, lie on one plane and stand in the corners of the grid's cells. So the
tags themselves tell how the camera looks, which way the grid runs, how large its cells are seen and where they
are; no mat is needed. A tag's place in its cell tells which corner of its card it is, and thereby where the whole
card lies, even where other cards cover all the rest of it. Numbers here are set by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

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
    doubt: str = ""
    """Why its place is not sure, as the end of a sentence; empty where it is."""


@dataclass(frozen=True)
class SeenTapestry:
    """The cards of one grid, in the order of their numbers."""

    cards: tuple[GridCard, ...]
    homography: Float64Array | None = None
    """(3, 3): from millimetres on the grid to pixels; the corner of cell (0, 0) is the origin."""


class _OnPlane:
    """Tags of tapestry cards on their plane."""

    def __init__(self, tags: Sequence[SeenTag], plane: Float64Array) -> None:
        corners = mapped(inverse(plane), np.array([tag.quad for tag in tags]).reshape(-1, 2)).reshape(-1, 4, 2)
        across, down = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]).T
        angles = np.degrees(np.arctan2(down, across))
        self.cards = [found[0] for tag in tags if (found := tagged(tag.number)) is not None]
        self.places: Float64Array = corners.mean(axis=1)
        """(N, 2): their middles, mm."""
        self.turns = np.round(angles / 90).astype(int) % 4
        """(N,): quarter turns against the grid."""
        self.askew: Float64Array = np.abs((angles + 45) % 90 - 45)
        """(N,): degrees off these turns."""


def read_tapestry(tags: Sequence[SeenTag], printed: CardTags) -> SeenTapestry:
    """The tapestry cards that these tags show, on one grid; tags of other things are left out."""
    own = [tag for tag in tags if (of := tagged(tag.number)) is not None and of[0].kind is Kind.TAPESTRY]
    if not own:
        return SeenTapestry(())
    plane, clear = _plane(own, printed), False
    for _ in range(2):
        start, clear = _grid_phase(_OnPlane(own, plane), printed)
        plane = plane @ np.array([[1, 0, start[0]], [0, 1, start[1]], [0, 0, 1.0]])
        plane = _refitted(plane, own, _OnPlane(own, plane), printed)
    return SeenTapestry(_cards(_OnPlane(own, plane), plane, printed, clear=clear), plane)


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
    down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    # In which of its four turns each tag looks most like the first one.
    turns = np.array([(right, down), (-down, right), (-right, -down), (down, -right)])
    best = (turns * turns[:1, :, :1]).sum(axis=(1, 3)).argmax(axis=0)
    basis = np.median(turns[best, :, np.arange(len(tags))], axis=0).T / printed.side
    affine = np.eye(3)
    affine[:2, :2] = basis
    return np.asarray(inverse(straight) @ affine)


def _grid_phase(tags: _OnPlane, printed: CardTags) -> tuple[tuple[float, float], bool]:
    """Where the corners of cells are, mm within a cell, and whether that is clear.

    It is the place in which the cards' tags agree best about where they lie, and are least off their corners.
    Where tags stand in one corner of their cells only, another place is as good.
    """
    ranked: list[tuple[int, float, tuple[float, float]]] = []
    for x, y in product(*(_along(at, printed) for at in tags.places.T)):
        cells, off = _on_grid(tags.places - (x, y), tags.turns, printed)
        spots = {(card.number, *cell) for card, cell in zip(tags.cards, cells, strict=True)}
        ranked.append((len(spots), float(np.minimum(off, _MOST_OFF).mean()), (x, y)))
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


def _right_places(places: Float64Array, printed: CardTags) -> Float64Array:
    """Where tags should stand: in the nearest corner of a cell, an inset inside."""
    lines = np.round(places / printed.cell) * printed.cell
    return np.asarray(lines + np.where(places < lines, -printed.inset, printed.inset))


def _on_grid(
    places: Float64Array, turns: npt.NDArray[np.intp], printed: CardTags
) -> tuple[list[tuple[int, int, int]], Float64Array]:
    """Of tags the column and row of the upper left cell of their cards as they lie, with their turns; and how far
    (mm) they are from where they should stand."""
    right = _right_places(places, printed)
    cells = np.floor(right / printed.cell).astype(int)
    wide_high = np.where(turns[:, None] % 2, (printed.rows, printed.columns), (printed.columns, printed.rows))
    # A tag in the right half of its cell is in the right corner of its card, as the card lies.
    cells -= np.where(right % printed.cell > printed.cell / 2, wide_high - 1, 0)
    found = [(int(column), int(row), int(turn)) for (column, row), turn in zip(cells, turns, strict=True)]
    return found, np.linalg.norm(right - places, axis=1)


def _refitted(plane: Float64Array, tags: Sequence[SeenTag], on_plane: _OnPlane, printed: CardTags) -> Float64Array:
    """The homography through all tags that lie well on the grid."""
    right = _right_places(on_plane.places, printed)
    off = np.linalg.norm(right - on_plane.places, axis=1)
    good = np.flatnonzero((off < _MOST_OFF) & (on_plane.askew < _SQUARE_OFF))
    if len(good) < _ENOUGH_TAGS:
        return plane
    half = printed.side / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    # Corner k of a tag turned by t quarters stands where corner k + t of an upright one would.
    places = [np.roll(square, -on_plane.turns[at], axis=0) + right[at] for at in good]
    pixels = [tags[at].quad for at in good.tolist()]
    found, _ = cv2.findHomography(np.concatenate(places), np.concatenate(pixels), cv2.RANSAC, 6.0)
    return np.asarray(found, np.float64) if np.size(found) == 9 else plane


def _cards(tags: _OnPlane, plane: Float64Array, printed: CardTags, *, clear: bool) -> tuple[GridCard, ...]:
    """Each card, by all of its tags that are seen."""
    cells, off = _on_grid(tags.places, tags.turns, printed)
    cards = []
    for number in sorted({card.number for card in tags.cards}):
        own = [at for at, card in enumerate(tags.cards) if card.number == number]
        said = Counter((tags.cards[at], cells[at]) for at in own)
        (card, (column, row, turns)), _ = said.most_common(1)[0]
        if len({card for card, _ in said}) > 1:
            doubt = "shows both of its sides, so there are two prints of it"
        elif tags.askew[own].max() > _SQUARE_OFF:
            doubt = "is askew; turn it until its edges run along the grid"
        elif len(said) > 1:
            doubt = "seems to be in two places, or off the grid"
        elif off[own].max() > _MOST_OFF:
            doubt = "is off the grid; push it until its lines meet those of the others"
        else:
            doubt = "" if clear else "shows too few corners to tell where the grid runs"
        cards.append(GridCard(card, column, row, turns, _outline(column, row, turns, plane, printed), doubt))
    return tuple(cards)


def _outline(column: int, row: int, turns: int, plane: Float64Array, printed: CardTags) -> Quad:
    wide, high = (printed.columns, printed.rows) if turns % 2 == 0 else (printed.rows, printed.columns)
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]]) + np.array([column, row])
    # The card's own upper left corner comes first.
    a, b, c, d = np.roll(mapped(plane, corners * printed.cell), -turns, axis=0).tolist()
    return tuple(a), tuple(b), tuple(c), tuple(d)
