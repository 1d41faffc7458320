"""A gamesmaster's screen: landscape panels to stand side by side, tables within, a woven picture without."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from loomtable.engine.kernel.reference import ScreenPanel
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.reference_blocks import draw_blocks
from loomtable.printkit.components.sheet_style import PARCHMENT, Theme, draw_cord, draw_ground, draw_roundel
from loomtable.printkit.draw.path import lens, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font
from loomtable.printkit.draw.weaving import Band, Lattice, draw_lattice
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.pieces import PrintedPage

_USUAL_WIDTH, _USUAL_HEIGHT = 266.0, 189.0
"""The smallest area (mm) that a panel may find: Letter's width, A4's height."""
_COLUMNS, _GUTTER, _EDGE, _HEAD = 3, 7.0, 8.0, 13.0
_POINTS, _LEAST = 22.0, 7.0


def percent(chance: Fraction) -> str:
    """``67 %``; never 0 or 100 for what is possible, or not certain."""
    if chance in (0, 1):
        return f"{100 * int(chance)}"
    return str(min(max(round(100 * chance), 1), 99))


def _scaled(pen: Pen, options: RenderOptions, draw: Callable[[float, float], None]) -> None:
    area = page_area(options.paper, landscape=True)
    scale = min(area.width / _USUAL_WIDTH, area.height / _USUAL_HEIGHT)
    with pen.at(0, 0, scale=scale):
        draw(area.width / scale, area.height / scale)


def draw_inside(pen: Pen, theme: Theme, panel: ScreenPanel, width: float, height: float) -> None:
    """The gamesmaster's side of a panel of width x height mm.

    Raises:
        TextTooLong: its tables do not fit; the message names the panel.
    """
    draw_ground(pen, theme, width, height)
    draw_roundel(pen, theme, _EDGE + 5.4, height - _EDGE - 5.0, 5.4)
    pen.text(_EDGE + 13.4, height - _EDGE - 7.2, panel.title, Font.TITLE, 19, theme.deep, spacing=0.25)
    pen.text(width - _EDGE, height - _EDGE - 7.0, theme.title, Font.TEXT_ITALIC, 11, theme.warm, align="right")
    pen.solid(lens(width / 2, height - _EDGE - 11.2, width - 2 * _EDGE, 0.4), theme.deep)
    each = (width - 2 * _EDGE - (_COLUMNS - 1) * _GUTTER) / _COLUMNS
    boxes = [(_EDGE + at * (each + _GUTTER), _EDGE, each, height - 2 * _EDGE - _HEAD) for at in range(_COLUMNS)]
    draw_blocks(pen, theme, boxes, panel.blocks, _POINTS, _LEAST, f"the screen of {theme.title}, {panel.title}")


def _outside(pen: Pen, theme: Theme, width: float, height: float) -> None:
    """The players' side: cloth from edge to edge, and the game's sign in the middle."""
    pen.fill_background(rect(0, 0, width, height), PARCHMENT)
    with pen.clipped(rect(5, 5, width - 10, height - 10)):
        rising = Band(6.4, theme.pale, theme.deep, theme.deep.towards(theme.pale, 0.45))
        falling = Band(6.4, theme.warm.towards(PARCHMENT, 0.72), theme.warm, theme.warm.towards(PARCHMENT, 0.4))
        draw_lattice(pen, Lattice(width, height, round(width / 15), round(height / 15)), 0, rising, falling)
    draw_cord(pen, theme, width, height)
    draw_roundel(pen, theme, width / 2, height / 2, min(width, height) * 0.3)


def screen_pages(
    theme: Theme, panels: Callable[[], Sequence[ScreenPanel]], options: RenderOptions
) -> list[PrintedPage]:
    """The pages of a game's screen."""

    def page(panel: ScreenPanel) -> PrintedPage:
        def front(pen: Pen) -> None:
            _scaled(pen, options, lambda w, h: draw_inside(pen, theme, panel, w, h))

        def back(pen: Pen) -> None:
            def draw(w: float, h: float) -> None:
                pen.place(f"screen-{theme.key}", (0, 0, w, h), lambda inner: _outside(inner, theme, w, h))

            _scaled(pen, options, draw)

        return PrintedPage(None, f"Screen, {panel.title.lower()}", front, back, landscape=True)

    return [page(panel) for panel in panels()]
