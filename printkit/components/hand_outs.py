"""Hand-outs: a letter and a notice, to write on or to type into, then to lay on the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.sheet_style import Theme, draw_cord, draw_roundel
from loomtable.printkit.components.sheet_themes import theme_for
from loomtable.printkit.draw.forms import Form
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import Path, Point, circle, lens, polygon, polyline, rect
from loomtable.printkit.draw.pen import Box, Pen
from loomtable.printkit.draw.type import Font
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.pieces import PrintedPage

_PAPER, _LINE = Colour.hex("F6EBD2"), Colour.hex("B79B6B")
_STEP = 9.5
"""From line to line (mm), for a pen."""
_EDGE = 18.0


@dataclass(frozen=True)
class _HandOut:
    """A page that is being drawn, width x height mm."""

    form: Form
    theme: Theme
    width: float
    height: float

    def text(self, name: str, label: str, box: Box) -> None:
        """A place for several lines: ruled, or one field to type into."""
        x, y, wide, high = box
        if not self.form.fillable:
            for at in range(int(high / _STEP) + 1):
                line = polyline((x, y + high - at * _STEP), (x + wide, y + high - at * _STEP))
                self.form.pen.stroke(line, _LINE, 0.2)
        self.form.paragraph(name, label, box, points=14)

    def line(self, name: str, label: str, box: Box, points: float = 14) -> None:
        """A place for one line, in its middle."""
        x, y, wide, _ = box
        if not self.form.fillable:
            self.form.pen.stroke(polyline((x, y), (x + wide, y)), _LINE, 0.3)
        self.form.write(name, label, box, points=points, middle=True)


def _torn(width: float, height: float) -> Path:
    """The outline of a sheet whose edges are worn: each a little beside where it should be, always alike."""
    points: list[Point] = []
    for x0, y0, across, up in ((0, 0, 1, 0), (1, 0, 0, 1), (1, 1, -1, 0), (0, 1, 0, -1)):
        count = int((width if across else height) / 6)
        for at in range(count):
            x, y, inset = (
                (x0 + across * at / count) * width,
                (y0 + up * at / count) * height,
                1 + at * 37 % 11 * 0.16,
            )
            points.append((min(max(x, inset), width - inset), min(max(y, inset), height - inset)))
    return polygon(*points)


def _draw_letter(page: _HandOut) -> None:
    pen, wide = page.form.pen, page.width - 2 * _EDGE
    outline = _torn(page.width, page.height)
    pen.fill_background(outline, _PAPER)
    pen.stroke(outline, _LINE, 0.4)
    page.line("greeting", "Greeting", (_EDGE, page.height - 38, wide * 0.6, 10))
    page.text("letter", "The letter", (_EDGE, 58, wide, page.height - 108))
    page.line("name", "Who wrote it", (_EDGE, 32, wide * 0.5, 10))
    pen.solid(circle(page.width - _EDGE - 18, 36, 15), Colour.hex("8E2430"))
    draw_roundel(pen, page.theme, page.width - _EDGE - 18, 36, 11)


def _draw_notice(page: _HandOut) -> None:
    pen, middle = page.form.pen, page.width / 2
    pen.fill_background(rect(0, 0, page.width, page.height), _PAPER)
    draw_cord(pen, page.theme, page.width, page.height, 3)
    pen.text(middle, page.height - 38, "NOTICE", Font.TITLE, 60, page.theme.deep, align="middle", spacing=2)
    pen.solid(lens(middle, page.height - 45, page.width * 0.7, 1.0), page.theme.warm)
    page.line("headline", "Headline", (_EDGE, page.height - 66, page.width - 2 * _EDGE, 14), points=24)
    picture = rect(middle - 45, page.height - 160, 90, 84)
    pen.fill_background(picture)
    pen.stroke(picture, page.theme.deep, 0.5)
    page.text("words", "What is made known", (_EDGE, 46, page.width - 2 * _EDGE, page.height - 226))
    pen.text(middle, 31, "Reward", Font.TITLE, 18, page.theme.warm, align="middle")
    page.line("reward", "Reward", (middle - 50, 16, 100, 12), points=22)


_PAGES = (("A letter", _draw_letter), ("A notice", _draw_notice))


def hand_outs(options: RenderOptions) -> list[PrintedPage]:
    """The letter and the notice, a page each."""
    area, theme = page_area(options.paper), theme_for("table")

    def front(pen: Pen, name: str, draw: Callable[[_HandOut], None]) -> None:
        form = Form(pen, name, name.lower().replace(" ", "-"), options.fillable, _LINE)
        draw(_HandOut(form, theme, area.width, area.height))

    return [PrintedPage(None, name, partial(front, name=name, draw=draw)) for name, draw in _PAGES]
