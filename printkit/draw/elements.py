"""The four elements of Woven: a light symbol cut into a dark plate, told apart by both their shapes.

Air is three gusts on a round plate, Fire a flame on a jagged one, Earth a cut stone on a square one, Water three
waves on a wavy one. All are known again whichever way up a card lies. A thread is a small cross stitch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from loomtable.engine.woven.cards import Element
from loomtable.printkit.draw.palette import INK, WHITE, Colour, Style
from loomtable.printkit.draw.path import (
    Path,
    Point,
    blob,
    circle,
    lens,
    on_circle,
    polygon,
    polyline,
    ribbon,
    rounded,
    star,
    svg_path,
)
from loomtable.printkit.draw.pen import Pen

ELEMENT_COLOURS: Mapping[Element, tuple[Colour, Colour]] = {
    Element.AIR: (Colour.hex("5A4B8C"), Colour.hex("D9D0EC")),
    Element.FIRE: (Colour.hex("A3301C"), Colour.hex("F6C877")),
    Element.EARTH: (Colour.hex("45602C"), Colour.hex("D5DCA4")),
    Element.WATER: (Colour.hex("1D5878"), Colour.hex("AEDBE0")),
}
"""Each element's deep colour and its light one."""
THREAD_COLOUR = Colour.hex("7A4A21")
_REACH = 10.6
"""Every symbol stays within this radius where it is drawn 20 mm wide."""


def draw_element(pen: Pen, element: Element, x: float, y: float, size: float) -> None:
    """Draw an element's symbol, ``size`` mm across, about (x, y); kept once in a file for each size."""
    with pen.at(x, y, scale=size / 20):
        pen.place(
            f"element-{element}-{size:g}",
            (-_REACH, -_REACH, 2 * _REACH, 2 * _REACH),
            lambda inner: _draw(inner, element, size),
        )


def _draw(pen: Pen, element: Element, size: float) -> None:
    deep, light = ELEMENT_COLOURS[element]
    plate, inner, cut = _PLATES[element], _INNER[element], _CUTS[element]()
    low = pen.style is Style.LOW_INK
    if low and size >= 6:
        line = 20 / size
        pen.fill_background(plate(10))
        pen.stroke(plate(9.8), INK, 0.35 * line)
        pen.stroke(plate(8.8), INK, 0.13 * line)
        for path in cut:
            pen.solid(path, INK)
        return
    pen.solid(plate(10), deep)
    if not low:
        pen.stroke(inner, light.towards(deep, 0.45), 0.3)
    for path in cut:
        pen.fill_background(path, WHITE if low else light)


def _round(radius: float) -> Path:
    return circle(0, 0, radius)


def _jagged(radius: float) -> Path:
    return star(0, 0, radius * 1.05, radius * 0.86, 12)


def _square(radius: float) -> Path:
    half = radius * 0.86
    return rounded(-half, -half, 2 * half, 2 * half, radius * 0.16)


def _wavy(radius: float) -> Path:
    ring = [on_circle(0, 0, radius * (0.95 + 0.055 * math.cos(math.radians(at * 45))), at * 5) for at in range(72)]
    return blob(*ring[::2])


_PLATES: Mapping[Element, Callable[[float], Path]] = {
    Element.AIR: _round,
    Element.FIRE: _jagged,
    Element.EARTH: _square,
    Element.WATER: _wavy,
}
_INNER: Mapping[Element, Path] = {
    Element.AIR: circle(0, 0, 9.0),
    Element.FIRE: circle(0, 0, 8.0),
    Element.EARTH: rounded(-7.7, -7.7, 15.4, 15.4, 1.0),
    Element.WATER: circle(0, 0, 8.5),
}


def _gusts() -> list[Path]:
    """Three gusts that wind out of the middle, each curling at its end."""
    paths = []
    for turn in (90, 210, 330):
        line: list[Point] = [(0.4, 0.6), (0.2, 2.6), (-0.9, 4.6), (-2.9, 6.0), (-5.0, 5.9)]
        curl = [(-6.3, 4.6), (-6.0, 2.9), (-4.5, 2.3), (-3.5, 3.3)]
        paths.append(ribbon([*line, *curl], [0.5, 1.7, 2.0, 1.9, 1.5, 0.3], 4).turned(turn - 90))
    return paths


def _flame() -> list[Path]:
    body = svg_path(
        "M0.5 7.7 C1.0 5.2 3.6 4.0 3.9 1.2 C4.5 1.8 4.7 2.8 4.6 3.8 C6.6 1.6 7.0 -1.2 6.0 -3.4 "
        "C4.9 -6.0 2.6 -7.3 0 -7.3 C-2.8 -7.3 -5.2 -5.8 -6.0 -3.0 C-6.7 -0.4 -5.5 1.6 -4.2 3.4 "
        "C-4.2 2.0 -3.8 1.0 -3.0 0.3 C-3.0 3.4 -0.6 5.0 0.5 7.7 Z"
    )
    heart = svg_path(
        "M0.3 1.6 C0.5 -0.4 2.7 -1.4 2.5 -3.6 C2.3 -5.2 1.2 -6.0 0 -6.0 C-1.5 -6.0 -2.6 -5.0 -2.6 -3.6 "
        "C-2.6 -2.2 -1.7 -1.6 -1.4 -0.7 C-1.1 -1.4 -0.8 -1.7 -0.4 -2.0 C-0.4 -0.6 0.2 0.4 0.3 1.6 Z"
    )
    return [body + reversed_path(heart), lens(0, -4.2, 2.3, 0.9, 90)]


def _stone() -> list[Path]:
    """A stone cut in facets, seen from above: four sides about a table."""
    outer = [(-6.6, -6.6), (6.6, -6.6), (6.6, 6.6), (-6.6, 6.6)]
    table = [(0, -3.7), (3.7, 0), (0, 3.7), (-3.7, 0)]
    gap = 0.45
    paths = [polygon(*[(px * 0.88, py * 0.88) for px, py in table])]
    for at in range(4):
        ax, ay = outer[at]
        for side in (-1, 1):
            bx, by = table[at] if side > 0 else table[at - 1]
            mx, my = (bx * 6.6 / 3.7, by * 6.6 / 3.7)
            middle = ((ax + bx + mx) / 3, (ay + by + my) / 3)
            facet = [(ax, ay), (bx, by), (mx, my)]
            paths.append(polygon(*[_nearer(point, middle, gap) for point in facet]))
    return paths


def _nearer(point: Point, middle: Point, by: float) -> Point:
    share = by / (math.dist(point, middle) or 1.0)
    return point[0] + (middle[0] - point[0]) * share, point[1] + (middle[1] - point[1]) * share


def _waves() -> list[Path]:
    paths = []
    for y, half in ((3.9, 5.6), (0.0, 7.2), (-3.9, 5.6)):
        wave = [(-half + half * at / 8, y + 1.25 * math.sin(math.radians(45 * at))) for at in range(17)]
        paths.append(ribbon(wave, [0, 2.0, 2.3, 2.3, 2.0, 0], 2))
    return paths


def reversed_path(path: Path) -> Path:
    """One closed part drawn the other way round."""
    start = path.steps[0][1][0]
    nodes = [start]
    segments: list[tuple[str, tuple[Point, ...]]] = []
    for kind, points in path.steps[1:]:
        if kind == "z":
            continue
        segments.append((kind, points))
        nodes.append(points[-1])
    turned = Path().move(*nodes[-1])
    for (kind, points), end in zip(reversed(segments), reversed(nodes[:-1]), strict=True):
        if kind == "l":
            turned.line(*end)
        else:
            turned.curve(*points[1], *points[0], *end)
    return turned.close()


_CUTS: Mapping[Element, Callable[[], list[Path]]] = {
    Element.AIR: _gusts,
    Element.FIRE: _flame,
    Element.EARTH: _stone,
    Element.WATER: _waves,
}


def draw_thread(pen: Pen, x: float, y: float, size: float, colour: Colour = THREAD_COLOUR) -> None:
    """A thread as patterns show it: a cross stitch ``size`` mm wide about (x, y), one strand over the other.

    A file keeps it once for each colour.
    """
    with pen.at(x, y, scale=size / 10):
        name = f"thread-{round(colour.red * 255):02x}{round(colour.green * 255):02x}{round(colour.blue * 255):02x}"
        pen.place(name, (-6, -6, 12, 12), lambda inner: _stitch(inner, colour))


def _stitch(pen: Pen, colour: Colour) -> None:
    reach, width = 4.6, 2.0
    under = ribbon([(-reach, -reach), (0, 0), (reach, reach)], [width * 0.7, width, width * 0.7], 2)
    over = ribbon([(-reach, reach), (0, 0), (reach, -reach)], [width * 0.7, width, width * 0.7], 2)
    edge = ribbon([(-reach * 0.45, reach * 0.45), (0, 0), (reach * 0.45, -reach * 0.45)], [width * 1.7] * 3, 2)
    pen.solid(under, colour)
    pen.fill_background(edge)
    pen.solid(over, colour)


def draw_thread_box(pen: Pen, x: float, y: float, size: float, colour: Colour = THREAD_COLOUR) -> None:
    """The empty box that takes a thread: ``size`` mm wide about (x, y), stitched all round."""
    half = size / 2
    pen.fill_background(rounded(x - half, y - half, size, size, size * 0.28), WHITE)
    pen.stroke(rounded(x - half, y - half, size, size, size * 0.28), colour, 0.5)
    inner = half * 0.8
    for at in range(-3, 4):
        along = at * inner * 0.24
        for ends in (
            ((along - 0.3, inner), (along + 0.3, inner)),
            ((along - 0.3, -inner), (along + 0.3, -inner)),
            ((inner, along - 0.3), (inner, along + 0.3)),
            ((-inner, along - 0.3), (-inner, along + 0.3)),
        ):
            pen.stroke(polyline(*[(x + px, y + py) for px, py in ends]), colour, 0.25)
