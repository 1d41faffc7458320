"""What stands in the margin of every page: a ruler of 100 mm and the line that says how to print it.

Both stand in the wider margin: below the cards on A4, beside them (reading upwards) on Letter.
"""

from __future__ import annotations

from printkit.draw.palette import INK
from printkit.draw.path import polyline
from printkit.draw.pen import Pen
from printkit.draw.type import Face, fit_line
from printkit.sheet.grid import Grid, Sides
from printkit.sheet.imposition import Page
from printkit.sheet.papers import BLEED, PRINTER_MARGIN, Paper

RULER = 100.0
_TEXT_POINTS = 6.5
_GAP = 8.0


def settings_line(paper: Paper, sides: Sides, page: Page) -> str:
    """``Letter · duplex, long edge · print at 100 %, scaling off · page 1 of 6 fronts``."""
    return (
        f"{paper.name} · {sides.label} · print at 100 %, scaling off · page {page.number} of {page.of} {page.side}"
    )


def draw_margin(pen: Pen, grid: Grid, paper: Paper, sides: Sides, page: Page, title: str) -> None:
    """Draw ruler and settings line, clear of the bleed and of the edge that printers cannot reach."""
    block = grid.block
    line = f"{settings_line(paper, sides, page)} · {title}"
    if grid.strip_below:
        _draw_strip(pen, 0, 0, 0, block.x, block.width, block.y, line)
    else:
        _draw_strip(pen, grid.page_width, 0, 90, block.y, block.height, block.x, line)


def _draw_strip(
    pen: Pen, x: float, y: float, turn: float, start: float, length: float, depth: float, line: str
) -> None:
    """A strip along one edge of the page, ``depth`` mm deep, of which the outer 5 and the inner 3 stay empty."""
    base = PRINTER_MARGIN + 0.35
    room = depth - BLEED - PRINTER_MARGIN
    with pen.at(x, y, turn=turn):
        _draw_ruler(pen, start, base, min(room - 0.3, 2.6))
        text_x = start + RULER + _GAP
        points = fit_line(line, Face.LABEL, length - RULER - _GAP, _TEXT_POINTS, 4.0, "the settings line")
        pen.text(text_x, base + 0.4, line, Face.LABEL, points, INK)


def _draw_ruler(pen: Pen, x: float, y: float, height: float) -> None:
    """100 mm, a tick at each millimetre; if it measures anything else, the printer has scaled the page."""
    pen.stroke(polyline((x, y), (x + RULER, y)), INK, 0.15, butt=True)
    for at in range(int(RULER) + 1):
        share = 1.0 if at % 10 == 0 else 0.7 if at % 5 == 0 else 0.4
        pen.stroke(polyline((x + at, y), (x + at, y + height * share)), INK, 0.15, butt=True)
    pen.text(x + RULER + 1.2, y + 0.4, "100 mm", Face.LABEL_BOLD, 5, INK)
