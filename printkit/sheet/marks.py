"""What people cut and fold by: crop marks as a policy, rounded corners, creases, overlaps. Lines only, as values.

No mark ever lies inside a card's trim.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from loomtable.printkit.sheet.folded import Folded
from loomtable.printkit.sheet.grid import Layout, Rect
from loomtable.printkit.sheet.papers import STRIP
from loomtable.printkit.sheet.tiled import OVERLAP, Tile, WholePage

CLEAR = 0.5
"""How far (mm) a line in the margin keeps from what is kept whole: creases and overlaps."""
_BETWEEN = 1.4
"""How far (mm) a mark between two cards keeps from their trims: as far as leaves something to cut by."""
TICK = 4.0
"""Length (mm) of a corner mark, where the margin has room for it."""
PAPER_EDGE = 2.0
"""Where an edge mark ends: as near the paper's edge as any printer goes (mm)."""
_TICK_EDGE = 3.0
"""A tick ends here at the latest: nearer to the paper's edge (mm) few printers would show it."""
_LEAST_TICK = 1.5
"""A mark in a narrow margin is at least so long (mm), and stands that much nearer to the cards."""
_SHORTEST = 0.9
"""A mark between two cards that would be shorter (mm) is left out: nobody could cut by it."""
LINE_WIDTH = 0.15

Segment = tuple[float, float, float, float]
"""x1, y1, x2, y2 in mm on the page."""


class CropMarks(StrEnum):
    """Which crop marks are printed.

    ``corner`` sets a short tick at the end of every cut; ``edge`` runs each cut's line from the block out to the
    paper's edge, for a ruler or a guillotine; ``full`` also outlines each card by a hairline
    (``guides.draw_cut_line``); ``none`` prints none.
    """

    NONE = "none"
    CORNER = "corner"
    EDGE = "edge"
    FULL = "full"


class MarkedSides(StrEnum):
    """On which sides of the paper crop marks stand."""

    FRONT = "front"
    BACK = "back"
    BOTH = "both"


def mark_lines(layout: Layout, marks: CropMarks, filled: Collection[int]) -> list[Segment]:
    """The crop marks round the slots ``filled``, clear of trims and bleed, of ruler and settings line."""
    if marks is CropMarks.NONE or not filled or not layout.has_margin or isinstance(layout, WholePage):
        return []
    slots = [layout.slot(number) for number in sorted(filled)]
    clear = slots[0].x - layout.with_bleed(min(filled), filled).x
    edge = _TICK_EDGE if marks is CropMarks.CORNER else PAPER_EDGE
    low_y = STRIP + LINE_WIDTH if layout.strip_below else edge
    high_x = layout.page_width - (edge if layout.strip_below else STRIP + LINE_WIDTH)
    upright = [
        (x, low, x, high)
        for x, low, high in _cut_lines(slots, low_y, layout.page_height - edge, marks, layout.aligned, clear)
    ]
    # x and y exchanged, so that what is said of upright lines also holds for lying ones.
    swapped = [Rect(slot.y, slot.x, slot.height, slot.width) for slot in slots]
    lying = [(low, y, high, y) for y, low, high in _cut_lines(swapped, edge, high_x, marks, layout.aligned, clear)]
    return upright + lying


def _cut_lines(
    slots: Sequence[Rect], first: float, last: float, marks: CropMarks, aligned: bool, clear: float
) -> list[tuple[float, float, float]]:
    """The upright lines (x, low, high) between y = ``first`` and ``last`` that mark the left and right edges."""
    lines: list[tuple[float, float, float]] = []
    for x in _distinct([edge for slot in slots for edge in (slot.x, slot.right)]):
        crossed = [slot for slot in slots if slot.x - LINE_WIDTH < x < slot.right + LINE_WIDTH]
        in_the_way = sorted((s.y, s.top, min(abs(x - s.x), abs(x - s.right)) < 1e-6) for s in crossed)
        below, below_is_own = first, False
        for start, end, own in [*in_the_way, (last, last, False)]:
            outer = below == first or start == last
            gap = min(clear, max(CLEAR, start - below - _LEAST_TICK)) if outer else _BETWEEN
            stretch = (below if below == first else below + gap, start if start == last else start - gap)
            if stretch[1] > stretch[0]:
                lines += _kept(x, stretch, (below_is_own, own), marks, outer, aligned)
            if end > below:
                below, below_is_own = end, own
    return lines


def _kept(
    x: float, stretch: tuple[float, float], own: tuple[bool, bool], marks: CropMarks, outer: bool, aligned: bool
) -> list[tuple[float, float, float]]:
    """What the policy prints of a stretch free of trims; ``own``: whether either end is a card's with this cut."""
    low, high = stretch
    if not any(own) or (not outer and high - low < _SHORTEST):
        return []
    if marks is CropMarks.FULL or (marks is CropMarks.EDGE and outer):
        return [(x, low, high)]
    if not outer and aligned:
        return []
    if high - low <= TICK * sum(own):
        return [(x, low, high)]
    ticks = [(x, low, low + TICK)] if own[0] else []
    return [*ticks, (x, high - TICK, high)] if own[1] else ticks


def _distinct(values: Sequence[float]) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > 1e-6:
            found.append(value)
    return found


def crease_lines(layout: Layout) -> list[Segment]:
    """Where a folded page is creased: two lines in its margins, clear of the cards."""
    if not isinstance(layout, Folded):
        return []
    block = layout.block
    x1, y1, x2, y2 = layout.crease
    foot = STRIP + LINE_WIDTH if layout.strip_below else PAPER_EDGE
    right = layout.page_width - (PAPER_EDGE if layout.strip_below else STRIP + LINE_WIDTH)
    if layout.upright_fold:
        return [(x1, foot, x1, block.y - CLEAR), (x2, block.top + CLEAR, x2, layout.page_height - PAPER_EDGE)]
    return [(PAPER_EDGE, y1, block.x - CLEAR, y1), (block.right + CLEAR, y2, right, y2)]


def overlap_lines(tile: Tile) -> list[Segment]:
    """The ticks at which tiles lie over each other: each marks how far the neighbour on that side reaches."""
    area, lines = tile.area, []
    for beyond, x in ((tile.column > 0, area.x + OVERLAP), (tile.column < tile.columns - 1, area.right - OVERLAP)):
        if beyond:
            lines += [(x, area.y - CLEAR, x, area.y - 2.0), (x, area.top + CLEAR, x, area.top + TICK)]
    for beyond, y in ((tile.row > 0, area.top - OVERLAP), (tile.row < tile.rows - 1, area.y + OVERLAP)):
        if beyond:
            lines += [(area.x - CLEAR, y, area.x - TICK, y), (area.right + CLEAR, y, area.right + TICK, y)]
    return lines
