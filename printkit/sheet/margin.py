"""What stands in the margin of every page: a ruler of 100 mm and the line that says how to print it.

Both stand in the wider margin: below the cards on A4, beside them (reading upwards) on Letter.
"""

from __future__ import annotations

from loomtable.printkit.draw.palette import INK
from loomtable.printkit.draw.path import polyline
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font, fit_line, has_letters, width_of
from loomtable.printkit.sheet.grid import DuplexMode
from loomtable.printkit.sheet.imposition import Page
from loomtable.printkit.sheet.papers import BLEED, PAGE_SIDE, PRINTER_MARGIN, Paper
from loomtable.printkit.sheet.tiled import Tile, WholePage, tile_name

RULER = 100.0
_TEXT_POINTS, _LEAST_POINTS = 6.5, 6.0
_LEAST_LENGTH = 180.0
"""Narrower blocks (mm) leave the strip the page's whole width."""
_GAP = 9.0
_ON_SMALL_PAPER = "print at 100 %, scaling off"
"""All that is said where neither the ruler nor the settings have room."""


def settings_line(paper: Paper, sides: str, page: Page, printer: str) -> str:
    """``Letter · duplex, long edge · print at 100 %, scaling off · page 1 of 6 fronts``."""
    part = f" {page.side}" if sides != DuplexMode.GUTTERFOLD.label else ""
    words = [paper.name, sides, "print at 100 %, scaling off", f"page {page.number} of {page.of}{part}"]
    layout = page.layout
    if isinstance(layout, Tile) and layout.columns * layout.rows > 1:
        words.append(f"tile {layout.name} of A1 to {tile_name(layout.columns - 1, layout.rows - 1)}")
    if printer:
        words.append(f"for printer {printer}")
    return " · ".join(words)


def draw_margin(pen: Pen, paper: Paper, sides: str, page: Page, title: str, printer: str) -> None:
    """Draw ruler and settings line, clear of the bleed and of the edge that printers cannot reach."""
    layout = page.layout
    inner = layout.area if isinstance(layout, WholePage) else layout.block
    line = settings_line(paper, sides, page, printer)
    if layout.strip_below:
        start, length = _reach(inner.x, inner.width, layout.page_width)
        _draw_strip(pen, 0, 0, 0, start, length, inner.y, line, title)
    else:
        start, length = _reach(inner.y, inner.height, layout.page_height)
        _draw_strip(pen, layout.page_width, 0, 90, start, length, inner.x, line, title)


def _reach(start: float, length: float, page: float) -> tuple[float, float]:
    """Where the strip begins and how long it is: as the cards, unless they are too narrow for it."""
    return (start, length) if length >= _LEAST_LENGTH else (PAGE_SIDE, page - 2 * PAGE_SIDE)


def _draw_strip(
    pen: Pen, x: float, y: float, turn: float, start: float, length: float, depth: float, line: str, title: str
) -> None:
    """A strip along one edge of the page, ``depth`` mm deep, of which the outer 5 and the inner 3 stay empty."""
    base = PRINTER_MARGIN + 0.35
    room = depth - BLEED - PRINTER_MARGIN
    with pen.at(x, y, turn=turn):
        has_ruler = length >= RULER + _GAP
        if has_ruler:
            _draw_ruler(pen, start, base, min(room - 0.3, 2.6))
            start, length = start + RULER + _GAP, length - RULER - _GAP
        space = length
        if width_of(line, Font.LABEL, _LEAST_POINTS) > space:
            line = line.split(" · ")[-1] if has_ruler else _ON_SMALL_PAPER
        if width_of(line, Font.LABEL, _LEAST_POINTS) > space:
            return  # so small a paper that only the ruler fits
        whole = _line_that_fits(line, title, space)
        points = fit_line(whole, Font.LABEL, space, _TEXT_POINTS, _LEAST_POINTS, "the settings line")
        pen.text(start, base + 0.4, whole, Font.LABEL, points, INK)


def _line_that_fits(line: str, title: str, space: float) -> str:
    """Settings and as much of the title as there is room for: the settings matter, the title is on the file."""
    if not has_letters(Font.LABEL, title):
        return line
    for end in range(len(title), 0, -1):
        shown = title if end == len(title) else title[:end].rstrip() + "…"
        whole = f"{line} · {shown}"
        if width_of(whole, Font.LABEL, _LEAST_POINTS) <= space:
            return whole
    return line


def _draw_ruler(pen: Pen, x: float, y: float, height: float) -> None:
    """100 mm, a tick at each millimetre; if it measures anything else, the printer has scaled the page."""

    def draw(inner: Pen) -> None:
        lines = polyline((0, 0), (RULER, 0))
        for at in range(int(RULER) + 1):
            share = 1.0 if at % 10 == 0 else 0.7 if at % 5 == 0 else 0.4
            lines += polyline((at, 0), (at, height * share))
        inner.stroke(lines, INK, 0.15, butt=True)
        inner.text(RULER + 1.2, 0.4, "100 mm", Font.LABEL_BOLD, 6, INK)

    with pen.at(x, y):
        pen.place(f"ruler-{height:.3f}", (-1, -1, RULER + _GAP, height + 2), draw)
