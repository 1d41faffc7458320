"""Figures as linocuts: dark silhouettes with light cuts, on their feet at the origin, at most 23 x 33 mm.

Each art is a function in ``figures_people``, ``figures_beasts`` or ``figures_mages``, registered under the name
that files of figures use.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from loomtable.printkit.draw.palette import INK, Colour, Style
from loomtable.printkit.draw.path import Path, Point, blob, circle, ellipse, lens, polygon, ribbon
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.errors import UnknownMotif

FIGURE_WIDTH, FIGURE_HEIGHT = 23.0, 33.0
"""The room of a figure in mm: half its width on each side of the origin, all of its height above."""
_FILES = ("figures_people", "figures_beasts", "figures_mages")


@dataclass(frozen=True)
class Cutter:
    """Cuts a figure: bodies dark, marks light; in the low-ink style outlines, and marks dark."""

    pen: Pen
    deep: Colour
    light: Colour

    def body(self, path: Path) -> None:
        """A dark part, in front of those before it."""
        self.pen.fill(path, self.deep)
        if self.pen.style is not Style.LOW_INK:
            self.pen.stroke(path, self.light, 0.22)

    def blob(self, *points: Point) -> None:
        """A dark part with a flowing outline through these points."""
        self.body(blob(*points))

    def plane(self, *points: Point) -> None:
        """A dark part with straight sides."""
        self.body(polygon(*points))

    def limb(self, points: list[Point], *widths: float) -> None:
        """A dark part along a line: an arm, a haft, a tail."""
        self.body(ribbon(points, widths, 4))

    def light_part(self, path: Path) -> None:
        """A light part with a dark edge: a face, a beard, a blade."""
        self.pen.fill(path, self.light)
        self.pen.stroke(path, self.deep, 0.3)

    def cut(self, *paths: Path) -> None:
        """Fine marks cut into dark parts."""
        for path in paths:
            if self.pen.style is Style.LOW_INK:
                self.pen.solid(path, INK)
            else:
                self.pen.fill_background(path, self.light)

    def ink(self, *paths: Path) -> None:
        """Fine dark marks on light parts."""
        for path in paths:
            self.pen.solid(path, self.deep)

    def hatch(self, *marks: tuple[float, float, float, float]) -> None:
        """Gouge marks: x, y, length and angle of each."""
        self.cut(*[lens(x, y, length, max(0.3, length * 0.13), angle) for x, y, length, angle in marks])

    def eyes(self, x: float, y: float, apart: float, size: float = 0.5) -> None:
        """Two light eyes in a dark face."""
        self.cut(*[ellipse(x + side * apart / 2, y, size, size * 0.75) for side in (-1, 1)])

    def dots(self, size: float, *places: Point) -> None:
        """Light studs."""
        self.cut(*[circle(x, y, size) for x, y in places])


Art = Callable[[Cutter], None]


@dataclass(frozen=True)
class FigureArt:
    """One figure's drawing and its two inks."""

    name: str
    draw: Art
    deep: Colour
    light: Colour


_KNOWN: dict[str, FigureArt] = {}


def figure_art(name: str, *, deep: str, light: str = "F1E4CC") -> Callable[[Art], Art]:
    """Register the decorated function as the drawing of a figure; the colours are written ``"1E2A44"``."""

    def register(draw: Art) -> Art:
        _KNOWN[name] = FigureArt(name, draw, Colour.hex(deep), Colour.hex(light))
        return draw

    return register


def art_names() -> list[str]:
    """Every figure's art there is, sorted."""
    for file in _FILES:
        importlib.import_module(f"loomtable.printkit.draw.{file}")
    return sorted(_KNOWN)


def art_named(name: str, figure: str) -> FigureArt:
    """The art for a figure.

    Raises:
        UnknownMotif: nobody drew it; the message names ``figure`` and the arts there are.
    """
    names = art_names()
    if name not in _KNOWN:
        raise UnknownMotif(f"{figure}: there is no art {name[:40]!r}; there are {', '.join(names)}")
    return _KNOWN[name]


def draw_figure(pen: Pen, art: FigureArt, *, mirrored: bool = False) -> None:
    """Draw a figure on its feet at the origin, or its mirror image; kept once in a file for each."""

    def draw(inner: Pen) -> None:
        cutter = Cutter(inner, art.deep, art.light)
        if mirrored:
            with inner.mirrored(0):
                art.draw(cutter)
        else:
            art.draw(cutter)

    box = (-FIGURE_WIDTH / 2 - 1, -1.0, FIGURE_WIDTH + 2, FIGURE_HEIGHT + 2)
    pen.place(f"figure-{art.name}{'-mirrored' if mirrored else ''}", box, draw)
