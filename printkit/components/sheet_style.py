"""What all sheets share: parchment in a frame of twisted cord, a heading with an emblem, and panels.

A sheet is drawn for a page of A4 or Letter; on larger paper the whole of it grows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from loomtable.engine.kernel.session import Session
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.forms import Form
from loomtable.printkit.draw.palette import CREAM, WHITE, Colour, Style
from loomtable.printkit.draw.path import circle, lens, on_circle, rect, ribbon, rounded
from loomtable.printkit.draw.pen import Box, Pen
from loomtable.printkit.draw.type import Font, fit_line, width_of
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.pieces import PrintedPage

PARCHMENT = CREAM.towards(WHITE, 0.25)
_USUAL_WIDTH, _USUAL_HEIGHT = 197.0, 258.0
"""The smallest width and height (mm) that a sheet at its own size may find: A4's width, Letter's height."""
EDGE = 7.0
"""From the edge of a sheet to what stands in it (mm): the cord and a little air."""
HEADING = 24.0
"""Height of a sheet's heading (mm)."""
_CORD, _TWIST = 3.0, 6.2
"""Thickness of the cord round a sheet, and the length of one twist (mm)."""


@dataclass(frozen=True)
class Theme:
    """How the printed things of one game look.

    ``emblem`` draws a sign about the origin within a circle of 10 mm, ``scene`` the window of the quick start.
    """

    key: str
    title: str
    deep: Colour
    warm: Colour
    pale: Colour
    emblem: Callable[[Pen, Colour, Colour], None]
    scene: Callable[[Pen, Theme], None]


def emblem_named(name: str) -> Callable[[Pen, Colour, Colour], None]:
    """The emblem in ``templates/art/games`` of this name, for a theme."""
    return lambda pen, deep, light: art_named("games", name).draw(pen, {"deep": deep, "light": light})


@dataclass(frozen=True)
class Side:
    """One side of a sheet: its form, its theme, and what is left inside the frame and below the heading."""

    form: Form
    theme: Theme
    box: Box

    @property
    def pen(self) -> Pen:
        """The form's pen."""
        return self.form.pen

    @property
    def left(self) -> float:
        """The left edge of what is drawn."""
        return self.box[0]

    @property
    def width(self) -> float:
        """The width of what is drawn."""
        return self.box[2]

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.box[1] + self.box[3]

    @property
    def foot(self) -> float:
        """The lower edge."""
        return self.box[1]


Draw = Callable[[Side], None]


@dataclass(frozen=True)
class DrawnSheet:
    """A sheet of paper: what it is called, whose it is, and what stands on its sides."""

    name: str
    heading: str
    front: Draw
    back: Draw | None = None
    back_heading: str = ""


def game_sheets(
    theme: Theme, sheets: Callable[[Any], list[DrawnSheet]], options: RenderOptions
) -> list[PrintedPage]:
    """The pages of a game's sheets, which ``sheets`` makes of a session's state, or of ``None``."""
    session = session_of(options, theme)
    return sheet_pages(options, theme, sheets(session.state if session else None))


def session_of(options: RenderOptions, theme: Theme) -> Session[Any] | None:
    """The session that fills in this game's sheets, if one was given."""
    return options.session if options.session and options.session.system.key == theme.key else None


def sheet_pages(options: RenderOptions, theme: Theme, sheets: list[DrawnSheet]) -> list[PrintedPage]:
    """The pages of a game's sheets; each side of each has fields of its own names."""

    def page(number: int, sheet: DrawnSheet) -> PrintedPage:
        def drawn(draw: Draw, heading: str, side: str) -> Callable[[Pen], None]:
            return lambda pen: _side(pen, options, theme, sheet.name, heading, f"sheet{number}.{side}", draw)

        back = drawn(sheet.back, sheet.back_heading or sheet.heading, "back") if sheet.back else None
        return PrintedPage(None, sheet.name, drawn(sheet.front, sheet.heading, "front"), back)

    return [page(number, sheet) for number, sheet in enumerate(sheets, start=1)]


def _side(
    pen: Pen, options: RenderOptions, theme: Theme, called: str, heading: str, prefix: str, draw: Draw
) -> None:
    area = page_area(options.paper)
    form = Form(pen, called, prefix, options.fillable, theme.deep)
    draw_side(form, theme, heading, draw, area.width, area.height)


def draw_side(form: Form, theme: Theme, heading: str, draw: Draw, width: float, height: float) -> None:
    """One side of a sheet on an area of width x height mm, its lower left corner at the origin."""
    pen = form.pen
    scale = min(width / _USUAL_WIDTH, height / _USUAL_HEIGHT)
    width, height = width / scale, height / scale
    with pen.at(0, 0, scale=scale):
        draw_ground(pen, theme, width, height)
        draw_heading(pen, theme, EDGE, height - EDGE, heading)
        inner = (EDGE, EDGE, width - 2 * EDGE, height - 2 * EDGE - HEADING)
        draw(Side(form, theme, inner))


def draw_ground(pen: Pen, theme: Theme, width: float, height: float) -> None:
    """Parchment, and the cord round it."""
    pen.fill_background(rect(0, 0, width, height), PARCHMENT)
    draw_cord(pen, theme, width, height)


def draw_cord(pen: Pen, theme: Theme, width: float, height: float, inset: float = 1.0) -> None:
    """A cord of two strands all round a rectangle, ``inset`` mm within its edges, a knot at each corner."""
    middle = inset + _CORD / 2
    for length, turn, places in (
        (width - 2 * middle, 0, ((middle, middle), (middle, height - middle))),
        (height - 2 * middle, 90, ((middle, middle), (width - middle, middle))),
    ):
        twists = max(1, round((length - 3) / _TWIST))
        step = (length - 3) / twists
        name = f"cord-{theme.key}-{step:.3f}"
        for x, y in places:
            with pen.at(x, y, turn=turn):
                for at in range(twists):
                    with pen.at(1.5 + at * step, 0):
                        pen.place(name, (-0.4, -2, step + 0.8, 4), partial(_twist, theme=theme, step=step))
    for x in (middle, width - middle):
        for y in (middle, height - middle):
            pen.fill(circle(x, y, 2.3), theme.deep)
            pen.fill_background(circle(x, y, 1.7), theme.pale)
            pen.solid(circle(x, y, 0.8), theme.warm)


def _twist(pen: Pen, theme: Theme, step: float) -> None:
    half = _CORD / 2 - 0.55
    for rise, colour, light in ((-1, theme.warm, theme.pale), (1, theme.deep, theme.pale)):
        way = [
            (0.0, -rise * half),
            (step * 0.25, -rise * half * 0.72),
            (step * 0.75, rise * half * 0.72),
            (step, rise * half),
        ]
        if pen.style is not Style.LOW_INK:
            pen.fill_background(ribbon(way, [1.5, 1.7, 1.7, 1.5], 3), PARCHMENT)
        pen.fill(ribbon(way, [1.0, 1.25, 1.25, 1.0], 3), colour)
        if pen.style is not Style.LOW_INK:
            pen.fill_background(ribbon(way, [0.0, 0.3, 0.3, 0.0], 3), light)


def draw_heading(pen: Pen, theme: Theme, left: float, top: float, heading: str) -> None:
    """The game's emblem in a roundel, its title, and below it what this sheet is."""
    x, y = left + 10.5, top - 11.0
    draw_roundel(pen, theme, x, y, 9.6)
    pen.text(left + 23.5, top - 10.6, theme.title, Font.TITLE, 22, theme.deep, spacing=0.3)
    points = fit_line(heading, Font.TEXT_ITALIC, 54, 11.5, 7, theme.title)
    pen.text(left + 23.8, top - 16.6, heading, Font.TEXT_ITALIC, points, theme.warm)
    reach = max(width_of(theme.title, Font.TITLE, 22, 0.3), 46.0)
    pen.solid(lens(left + 23.5 + reach / 2, top - 19.2, reach, 0.5), theme.deep)


def draw_roundel(pen: Pen, theme: Theme, x: float, y: float, radius: float) -> None:
    """The emblem, light on a dark disc with a notched rim."""
    with pen.at(x, y, scale=radius / 12):
        pen.place(f"roundel-{theme.key}", (-12.2, -12.2, 24.4, 24.4), lambda inner: _roundel(inner, theme))


def _roundel(pen: Pen, theme: Theme) -> None:
    pen.fill(circle(0, 0, 12), theme.deep)
    pen.fill_background(circle(0, 0, 11.3), theme.pale)
    for at in range(36):
        pen.solid(lens(*on_circle(0, 0, 10.35, at * 10), 1.5, 0.55, at * 10 + 50), theme.deep)
    pen.fill(circle(0, 0, 9.3), theme.deep)
    pen.fill_background(circle(0, 0, 8.9), PARCHMENT)
    with pen.at(0, 0, scale=0.74):
        theme.emblem(pen, theme.deep, theme.pale)


def panel(side: Side, x: float, y: float, width: float, height: float, title: str, note: str = "") -> Box:
    """A framed part of a sheet with its title set into the frame; returns what is left inside of it."""
    draw_panel(side.pen, side.theme, x, y, width, height, title, note)
    return (x + 3, y + 2.6, width - 6, height - 8.6)


def row_panel(side: Side, y: float, height: float, title: str, note: str = "") -> Box:
    """A panel from the left edge of the side to the right one."""
    return panel(side, side.left, y, side.width, height, title, note)


def draw_panel(
    pen: Pen, theme: Theme, x: float, y: float, width: float, height: float, title: str, note: str = ""
) -> None:
    """The frame, the title in it, and at the right a note in small type."""
    pen.fill_background(rounded(x, y, width, height - 1.6, 2.2), WHITE.towards(CREAM, 0.2))
    pen.stroke(rounded(x, y, width, height - 1.6, 2.2), theme.deep, 0.45)
    pen.stroke(rounded(x + 0.8, y + 0.8, width - 1.6, height - 3.2, 1.6), theme.warm, 0.15)
    if title:
        wide = width_of(title, Font.TITLE, 10.5, 0.15)
        ground = rounded(x + 4, y + height - 4.2, wide + 7, 5.0, 1.4)
        pen.fill_background(ground, PARCHMENT)
        pen.stroke(ground, theme.deep, 0.3)
        pen.text(x + 7.5, y + height - 2.95, title, Font.TITLE, 10.5, theme.deep, spacing=0.15)
        for end in (x + 5.4, x + 9.6 + wide):
            pen.solid(lens(end, y + height - 1.7, 1.7, 0.8), theme.warm)
    if note:
        room = width - (width_of(title, Font.TITLE, 10.5, 0.15) + 22 if title else 10)
        points = fit_line(note, Font.LABEL, room, 7, 6, title or theme.title)
        wide = width_of(note, Font.LABEL, points)
        pen.fill_background(
            rect(x + width - 6.5 - wide, y + height - 2.6, wide + 2.5, 2), WHITE.towards(CREAM, 0.2)
        )
        pen.text(x + width - 5.2, y + height - 2.5, note, Font.LABEL, points, theme.warm, align="right")


def rule_lines(side: Side, box: Box, count: int) -> None:
    """So many lines to write on; none on a sheet that is typed into."""
    left, foot, wide, high = box
    for line in range(0 if side.form.fillable else count):
        side.pen.solid(lens(left + wide / 2, foot + line * high / count + 0.6, wide, 0.14), side.theme.deep)


def small(side: Side, x: float, y: float, words: str, *, align: str = "left", points: float = 7.5) -> None:
    """A label in small sans serif type."""
    side.pen.text(x, y, words, Font.LABEL, points, side.theme.deep, align=align)
