"""The marks by which a Silhouette cutter finds a printed page, and the grids that keep clear of them."""

from __future__ import annotations

from itertools import product

from loomtable.printkit.draw.path import Path, polygon, rect
from loomtable.printkit.sheet.grid import Grid, Layout, Rect, most_that_fit, too_small
from loomtable.printkit.sheet.papers import BLEED, CardSize, Paper

INSET, LENGTH, LINE, SQUARE = 10.0, 9.0, 0.5, 5.0
"""How far from the paper's edges, and how large (mm): Silhouette Studio takes an inset of 10 mm or more, lines of
5 to 20 mm, 0.5 to 1 mm thick."""
_CLEAR = 1.0
"""How far (mm) what is printed keeps from a mark."""
PACKED_INSET = INSET + SQUARE + _CLEAR + BLEED
"""Within this distance (mm) of the paper's edges nothing is packed, so that no mark is in the way."""


def _arms(width: float, height: float) -> list[tuple[Rect, ...]]:
    """The marks of a page as rectangles: a square upper left, angles upper right and lower left."""
    right, top = width - INSET, height - INSET
    return [
        (Rect(INSET, top - SQUARE, SQUARE, SQUARE),),
        (Rect(right - LENGTH, top - LINE, LENGTH, LINE), Rect(right - LINE, top - LENGTH, LINE, LENGTH)),
        (Rect(INSET, INSET, LENGTH, LINE), Rect(INSET, INSET, LINE, LENGTH)),
    ]


def registration_marks(layout: Layout) -> list[Path]:
    """Silhouette's three marks as outlines to be filled."""
    (square,), (top, right), (foot, left) = _arms(layout.page_width, layout.page_height)
    return [
        rect(square.x, square.y, square.width, square.height),
        polygon(
            (top.x, top.top), (top.right, top.top), (right.right, right.y),
            (right.x, right.y), (right.x, top.y), (top.x, top.y),
        ),
        polygon(
            (left.x, left.top), (foot.x, foot.y), (foot.right, foot.y),
            (foot.right, foot.top), (left.right, foot.top), (left.right, left.top),
        ),
    ]  # fmt: skip


def clear_of_marks(layout: Layout) -> bool:
    """Whether what is printed lies within the marks' frame and keeps clear of each of them."""
    area, frame = layout.bleed, INSET + LINE
    inside = Rect(frame, frame, layout.page_width - 2 * frame, layout.page_height - 2 * frame)
    if area.x < inside.x or area.y < inside.y or area.right > inside.right or area.top > inside.top:
        return False
    marks = _arms(layout.page_width, layout.page_height)
    return not any(arm.grown(_CLEAR).overlaps(area) for mark in marks for arm in mark)


def registered_grid(paper: Paper, card: CardSize, gutter: float) -> Grid:
    """The grid that takes the most cards clear of the marks; upright where both ways take the same.

    Raises:
        SheetTooSmall: not one card fits.
    """
    fitting: list[Grid] = []
    for width, height in ((paper.width, paper.height), (paper.height, paper.width)):
        most = (most_that_fit(width, card.width, gutter), most_that_fit(height, card.height, gutter))
        grids = (
            Grid(width, height, card, columns, rows, gutter)
            for columns, rows in product(range(1, most[0] + 1), range(1, most[1] + 1))
        )
        fitting += [grid for grid in grids if clear_of_marks(grid)]
    if not fitting:
        raise too_small(paper, card)
    return max(fitting, key=lambda grid: grid.per_page)
