"""How the printed things of Storm Weavers look: colours, emblem, and the picture of the quick start."""

from __future__ import annotations

from loomtable.printkit.components.quick_start_art import HEIGHT, WIDTH
from loomtable.printkit.components.sheet_style import Theme
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.figures import draw_figure
from loomtable.printkit.draw.palette import WHITE, Colour, Style
from loomtable.printkit.draw.path import Path, lens, on_circle, rect, ribbon, rounded, svg_path
from loomtable.printkit.draw.pen import Pen


def _emblem(pen: Pen, deep: Colour, light: Colour) -> None:
    """An axe before a whirl of storm."""
    whirl = [on_circle(0, 0, 8.8 - turn * 0.0088, 200 - turn) for turn in range(0, 640, 32)]
    pen.solid(ribbon(whirl, [0, 1.1, 1.4, 1.3, 1.1, 0.9, 0], 3), deep)
    with pen.at(0, 0, turn=-32):
        pen.fill_background(rounded(-1.35, -9.4, 2.7, 18.4, 1.2), light)
        pen.solid(rounded(-0.75, -9.0, 1.5, 17.6, 0.7), deep)
        for flip in (1, -1):
            head = svg_path("M0 7.4 C2.6 6.8 4.4 7.4 6.4 8.8 C7.4 5.8 7.4 2.6 6.4 -0.2 C4.4 1.2 2.6 1.8 0 1.4 Z")
            placed = head if flip == 1 else head.mirrored(0)
            pen.fill_background(placed.scaled(1.08).shifted(0, -0.35), light)
            pen.solid(placed, deep)
            pen.fill_background(lens(flip * 4.9, 4.3, 5.6, 0.6, 90 - flip * 4), light)


def _scene(pen: Pen, theme: Theme) -> None:
    """Thymin and the Frost Carter face to face in the snow, a cliff behind them."""
    pen.fill_background(rect(0, 0, WIDTH, HEIGHT), theme.deep.towards(WHITE, 0.62))
    cliff = (
        Path()
        .move(0, HEIGHT)
        .line(0, 30)
        .line(9, 33)
        .line(15, 27)
        .line(22, 31)
        .line(28, 44)
        .line(34, HEIGHT)
        .close()
    )
    pen.fill(cliff, theme.deep.towards(WHITE, 0.4), tone=True)
    far = Path().move(66, HEIGHT).line(66, 30).line(58, 32).line(52, 45).line(46, 52).line(43, HEIGHT).close()
    pen.fill(far, theme.deep.towards(WHITE, 0.48), tone=True)
    for at in range(60):
        x, y = (at * 23.7) % 70, (at * 37.3) % 76
        if pen.style is not Style.LOW_INK:
            pen.fill_background(lens(x, y, 3.2 + at % 3, 0.5, 22), WHITE)
    snow = svg_path("M0 0 L0 11 C14 14 26 8.5 38 10.5 C50 12.5 58 9 66 11.5")
    pen.fill_background(snow.line(66, 0).close(), WHITE)
    for x, mirrored, name in ((19.0, False, "thymin"), (47.0, True, "frost-carter")):
        with pen.at(x, 10.0, scale=1.36):
            draw_figure(pen, art_named("figures", name, "the quick start of Storm Weavers"), mirrored=mirrored)
    for at in range(12):
        pen.solid(lens(5 + at * 5.1, 4.6 + (at % 3) * 1.3, 3.4, 0.3, 4), theme.deep.towards(WHITE, 0.5))


THEME = Theme(
    "storm-weavers",
    "Storm Weavers",
    Colour.hex("2F4A55"),
    Colour.hex("9A5B2E"),
    Colour.hex("DDE8EA"),
    _emblem,
    _scene,
)
