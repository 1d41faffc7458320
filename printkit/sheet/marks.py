"""Crop marks: a policy, and the lines it asks for. No mark ever lies inside a card's trim."""

from __future__ import annotations

from enum import StrEnum

from printkit.sheet.grid import Grid
from printkit.sheet.papers import STRIP

CLEAR = 0.5
"""How far (mm) a mark keeps from the block, so that a cut a hair too wide shows no ink."""
TICK = 4.0
"""Length (mm) of a corner mark, where the margin has room for it."""
PAPER_EDGE = 2.0
"""Where an edge mark ends: as near the paper's edge as any printer goes (mm)."""
_TICK_EDGE = 3.0
"""A tick ends here at the latest: nearer to the paper's edge (mm) few printers would show it."""
LINE_WIDTH = 0.15

Segment = tuple[float, float, float, float]
"""x1, y1, x2, y2 in mm on the page."""


class Marks(StrEnum):
    """Which crop marks are printed.

    ``corner`` sets a short tick at the end of every cut; ``edge`` runs each cut's line from the block out to the
    paper's edge, for a ruler or a guillotine; ``none`` prints none.
    """

    NONE = "none"
    CORNER = "corner"
    EDGE = "edge"


def mark_lines(grid: Grid, marks: Marks) -> list[Segment]:
    """The marks of a page; all of them stand in the margin around the block, clear of ruler and settings line."""
    if marks is Marks.NONE:
        return []
    block = grid.block
    below = _length(block.y, marks, grid.strip_below)
    above = _length(block.y, marks, False)
    left = _length(block.x, marks, False)
    right = _length(block.x, marks, not grid.strip_below)
    lines: list[Segment] = []
    for x in _cuts(block.x, grid.card.width, grid.columns, grid.gutter):
        lines.append((x, block.y - CLEAR, x, block.y - CLEAR - below))
        lines.append((x, block.top + CLEAR, x, block.top + CLEAR + above))
    for y in _cuts(block.y, grid.card.height, grid.rows, grid.gutter):
        lines.append((block.x - CLEAR, y, block.x - CLEAR - left, y))
        lines.append((block.right + CLEAR, y, block.right + CLEAR + right, y))
    return lines


def _length(margin: float, marks: Marks, beside_strip: bool) -> float:
    """How long a mark is in a margin of this width; ``beside_strip``: where ruler and settings line stand."""
    end = STRIP + LINE_WIDTH if beside_strip else PAPER_EDGE if marks is Marks.EDGE else _TICK_EDGE
    room = margin - CLEAR - end
    return room if marks is Marks.EDGE else min(TICK, room)


def _cuts(start: float, size: float, count: int, gutter: float) -> list[float]:
    """Both edges of every card along one direction; cards that touch share a cut."""
    edges: list[float] = []
    for at in range(count):
        near = start + at * (size + gutter)
        if not edges or near - edges[-1] > 1e-6:
            edges.append(near)
        edges.append(near + size)
    return edges
