"""What helps people cut, fold and join, drawn: rounded corners, creases, and where tiles lie over each other."""

from __future__ import annotations

from loomtable.printkit.draw.palette import INK, WHITE
from loomtable.printkit.draw.path import Path, Point, arc, circle, polygon, polyline, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font
from loomtable.printkit.sheet.grid import Layout, Rect
from loomtable.printkit.sheet.imposition import Placement
from loomtable.printkit.sheet.marks import LINE_WIDTH, overlap_lines
from loomtable.printkit.sheet.papers import CORNER
from loomtable.printkit.sheet.pieces import Piece, PrintedCard
from loomtable.printkit.sheet.tiled import OVERLAP, Tile, tile_name

_DASH, _GAP = 2.0, 1.5
_CUT_DASH = 0.8


def corner_guides(layout: Layout, placement: Placement) -> list[Path]:
    """The arcs along which a card's corners are rounded; they lie just outside of what is kept."""
    if not isinstance(placement.piece, PrintedCard):
        return []
    trim = layout.slot(placement.slot)
    size = placement.piece.size
    radius = min(size.corner if size else CORNER, trim.width / 2, trim.height / 2)
    if radius <= 0:
        return []
    outer = radius + LINE_WIDTH / 2
    return [
        arc(x, y, outer, start, start + 90)
        for x, y, start in (
            (trim.right - radius, trim.top - radius, 0),
            (trim.x + radius, trim.top - radius, 90),
            (trim.x + radius, trim.y + radius, 180),
            (trim.right - radius, trim.y + radius, 270),
        )
    ]


def draw_cut_line(pen: Pen, layout: Layout, placement: Placement) -> None:
    """The line along which a card is cut out: its trim's outline, the whole line outside of what is kept.

    Dark dashes on a light line show on every ground.
    """
    line = outline_of(layout.slot(placement.slot).grown(LINE_WIDTH / 2), is_round(placement.piece))
    pen.stroke(line, WHITE, LINE_WIDTH, butt=True)
    pen.stroke(line, INK, LINE_WIDTH, butt=True, dash=(_CUT_DASH, _CUT_DASH))


def is_round(piece: Piece) -> bool:
    """Whether a piece is cut out as a circle."""
    size = piece.size if isinstance(piece, PrintedCard) else None
    return size is not None and 2 * size.corner >= max(size.width, size.height)


def outline_of(trim: Rect, as_circle: bool) -> Path:
    """The outline of a trim: a rectangle, or the circle in it."""
    if as_circle:
        return circle(trim.x + trim.width / 2, trim.y + trim.height / 2, trim.width / 2)
    return rect(trim.x, trim.y, trim.width, trim.height)


def draw_crease(pen: Pen, start: Point, end: Point) -> None:
    """A dashed line, told from a cut by its dashes."""
    pen.stroke(polyline(start, end), INK, LINE_WIDTH, butt=True, dash=(_DASH, _GAP))


def draw_overlaps(pen: Pen, tile: Tile) -> None:
    """Ticks at the overlaps, the tile's own letter, and beside each overlap an arrow with its neighbour's."""
    for x1, y1, x2, y2 in overlap_lines(tile):
        pen.stroke(polyline((x1, y1), (x2, y2)), INK, 0.25, butt=True)
    if tile.columns * tile.rows == 1:
        return
    area = tile.area
    pen.text(area.x, area.top + 1.2, tile.name, Font.LABEL_BOLD, 9, INK)
    middle_x, middle_y = area.x + area.width / 2, area.y + area.height / 2
    neighbours = (
        (tile.column > 0, -1, 0, area.x - 2.4, middle_y, 180),
        (tile.column < tile.columns - 1, 1, 0, area.right + 2.4, middle_y, 0),
        (tile.row > 0, 0, -1, middle_x, area.top + 2.4, 90),
        (tile.row < tile.rows - 1, 0, 1, middle_x, area.y - 1.2, 270),
    )
    for there, right, down, x, y, turn in neighbours:
        if there:
            with pen.at(x, y):
                with pen.at(0, 0, turn=turn):
                    pen.solid(polygon((-0.8, 0.8), (0.8, 0), (-0.8, -0.8)), INK)
                name = tile_name(tile.column + right, tile.row + down)
                across, up, align = (1.6, -0.7, "left") if down else (0, 1.6, "middle")
                pen.text(across, up, name, Font.LABEL, 6, INK, align=align)


__all__ = ["OVERLAP", "corner_guides", "draw_crease", "draw_cut_line", "draw_overlaps", "is_round", "outline_of"]
