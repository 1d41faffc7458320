"""The art of region maps: trees, mountains, grass, waves, towns, homes and bridges, as on old hand-tinted maps.

Each thing stands with its foot on the origin; a file holds its drawing once (``Pen.place``).
"""

from __future__ import annotations

from collections.abc import Callable

from loomtable.engine.woven.regions import Terrain
from loomtable.printkit.draw.palette import CREAM, Colour
from loomtable.printkit.draw.path import (
    Path,
    arc,
    blob,
    circle,
    ellipse,
    lens,
    on_circle,
    polygon,
    polyline,
    rect,
    ribbon,
    smooth,
    star,
)
from loomtable.printkit.draw.pen import Box, Pen
from loomtable.printkit.draw.type import Face

INK = Colour.hex("4A3A2A")
PARCHMENT = Colour.hex("F3E9D0")
GROUND: dict[Terrain, Colour] = {
    Terrain.PLAINS: Colour.hex("F1E7BF"),
    Terrain.FOREST: Colour.hex("CFDBAE"),
    Terrain.MOUNTAINS: Colour.hex("E2CDAE"),
    Terrain.WATER: Colour.hex("BFD8DC"),
}
"""The wash of each terrain."""
RIM: dict[Terrain, Colour] = {
    Terrain.PLAINS: Colour.hex("E3CF8E"),
    Terrain.FOREST: Colour.hex("A9BF7F"),
    Terrain.MOUNTAINS: Colour.hex("C9A97F"),
    Terrain.WATER: Colour.hex("94BCC6"),
}
"""The deeper wash along the inside of each region's border."""
RIVER, RIVER_EDGE = Colour.hex("86B4C4"), Colour.hex("3F7187")
_LEAF, _LEAF_DARK, _LEAF_LIGHT = Colour.hex("7E9C5C"), Colour.hex("4E6B3E"), Colour.hex("B4C88A")
_FIR, _FIR_LIGHT = Colour.hex("5F8560"), Colour.hex("9DBB8C")
_STONE, _SHADE, _SNOW = Colour.hex("CDB393"), Colour.hex("A08366"), Colour.hex("F7F0DF")
_GRASS = Colour.hex("A9995A")
_WAVE = Colour.hex("5E94A6")
_WALL, _ROOF, _ROOF_DARK = Colour.hex("F4E7CC"), Colour.hex("B4533C"), Colour.hex("8A3B2C")
_HOME, _GOLD = Colour.hex("4B3A6B"), Colour.hex("E4B94F")
_WOOD = Colour.hex("8A5F38")

Draw = Callable[[Pen], None]


def _leafy(pen: Pen, lean: float) -> None:
    """A round tree."""
    pen.solid(rect(-0.18, 0, 0.36, 0.9), _LEAF_DARK)
    crown = blob(
        (-1.15, 0.95),
        (-1.35, 1.75),
        (-0.85, 2.55 + lean),
        (0.0, 2.95),
        (0.9, 2.5 - lean),
        (1.3, 1.7),
        (1.05, 0.9),
        (0.0, 0.68),
    )
    pen.fill(crown, _LEAF)
    with pen.clipped(crown):
        pen.fill(ellipse(-0.45, 2.0 + lean, 0.85, 0.8), _LEAF_LIGHT.towards(_LEAF, 0.35), tone=True)
    pen.stroke(crown, _LEAF_DARK, 0.16)
    for x, y, turn in ((0.45, 1.35, 12), (0.1, 1.9, 8), (0.7, 1.9, 20), (-0.35, 1.3, -6)):
        pen.solid(lens(x, y, 0.62, 0.16, turn), _LEAF_DARK)


def _fir(pen: Pen) -> None:
    """A pointed tree."""
    pen.solid(rect(-0.16, 0, 0.32, 0.7), _LEAF_DARK)
    body = polygon(
        (0, 3.5), (0.62, 2.35), (0.32, 2.4), (0.92, 1.45), (0.5, 1.5), (1.15, 0.55), (-1.15, 0.55), (-0.5, 1.5),
        (-0.92, 1.45), (-0.32, 2.4), (-0.62, 2.35),
    )  # fmt: skip
    pen.fill(body, _FIR)
    with pen.clipped(body):
        pen.fill(polygon((0, 3.5), (-1.3, 0.5), (-0.1, 0.5)), _FIR_LIGHT, tone=True)
    pen.stroke(body, _LEAF_DARK, 0.15)


def _mountain(pen: Pen, skew: float) -> None:
    """A peak 8 mm wide and 6 high, lit from the left."""
    peak = (skew, 6.0)
    left = [(-4.0, 0.0), (-2.9, 1.5), (-2.3, 2.0), (-1.3 + skew / 2, 4.0), (-0.7 + skew, 4.9), peak]
    right = [peak, (0.6 + skew, 4.8), (1.5 + skew / 2, 3.7), (2.2, 2.2), (3.1, 1.3), (4.0, 0.0)]
    ridge = [peak, (0.25 + skew, 4.6), (-0.2 + skew, 3.7), (0.5, 2.7), (0.1, 1.6), (0.6, 0.5), (0.4, 0.0)]
    pen.fill(polygon(*left, *right[1:]), _STONE)
    pen.fill(polygon(*ridge, (4.0, 0.0), *right[::-1]), _SHADE, tone=True)
    pen.fill(
        polygon(
            peak, (-0.7 + skew, 4.9), (-0.35 + skew, 4.6), (0.0 + skew, 4.9), (0.3 + skew, 4.5), (0.6 + skew, 4.8)
        ),
        _SNOW,
        tone=True,
    )
    pen.stroke(polyline(*left), INK, 0.24)
    pen.stroke(polyline(*right), INK, 0.32)
    pen.stroke(polyline(*ridge[:5]), INK, 0.16)
    for x, y, length in ((1.1 + skew / 2, 3.3, 1.5), (1.3, 2.3, 1.6), (1.5, 1.4, 1.7), (2.4, 1.0, 1.2)):
        pen.solid(lens(x, y, length, 0.2, -58), INK)
    pen.solid(lens(-1.7 + skew / 3, 2.1, 1.3, 0.16, 52), INK)


def _hillock(pen: Pen) -> None:
    """A low foothill between the peaks."""
    crest = smooth([(-2.0, 0), (-1.1, 1.1), (0.1, 1.5), (1.2, 1.0), (2.0, 0)])
    pen.fill(Path([*crest.steps, ("z", ())]), _STONE)
    pen.stroke(crest, INK, 0.22)
    for x, y in ((0.6, 0.9), (1.0, 0.6)):
        pen.solid(lens(x, y, 0.8, 0.16, -48), INK)


def _tuft(pen: Pen) -> None:
    """Three blades of grass."""
    for lean, height in ((-0.55, 0.85), (0.0, 1.15), (0.55, 0.8)):
        pen.solid(
            ribbon([(lean * 0.3, 0), (lean * 0.6, height * 0.6), (lean * 1.2, height)], [0.2, 0.14, 0]), _GRASS
        )


def _wave(pen: Pen) -> None:
    """Two crests of water."""
    points = [(-1.9, 0.0), (-1.3, 0.42), (-0.6, 0.1), (0.0, 0.5), (0.7, 0.1), (1.3, 0.42), (1.9, 0.0)]
    pen.solid(ribbon(points, [0.05, 0.28, 0.28, 0.05]), _WAVE)


def _city(pen: Pen) -> None:
    """A walled town with a tower, 8 mm wide."""
    for x, width, height in ((-2.9, 2.2, 1.9), (0.9, 2.1, 1.7)):
        pen.fill(rect(x, 0.2, width, height), _WALL)
        pen.stroke(rect(x, 0.2, width, height), INK, 0.18)
        roof = polygon((x - 0.3, 0.2 + height), (x + width / 2, 1.6 + height), (x + width + 0.3, 0.2 + height))
        pen.fill(roof, _ROOF)
        pen.stroke(roof, INK, 0.2)
    pen.fill(rect(-0.95, 0, 1.9, 4.2), _WALL)
    pen.stroke(rect(-0.95, 0, 1.9, 4.2), INK, 0.2)
    spire = polygon((-1.3, 4.2), (0, 6.7), (1.3, 4.2))
    pen.fill(spire, _ROOF_DARK)
    pen.stroke(spire, INK, 0.22)
    pen.solid(
        Path([*arc(0, 0.9, 0.42, 0, 180).steps, ("l", ((-0.42, 0.0),)), ("l", ((0.42, 0.0),)), ("z", ())]), INK
    )
    pen.solid(rect(-0.22, 2.6, 0.44, 0.8), INK)
    wall = Path().move(-3.7, 0)
    for at in range(9):
        x = -3.7 + at * 0.82
        wall.line(x, 1.15).line(x + 0.45, 1.15).line(x + 0.45, 0.85).line(x + 0.82, 0.85)
    pen.stroke(polyline((-3.9, 0), (3.9, 0)), INK, 0.3)


def _home(pen: Pen) -> None:
    """The roundel of a home: a star on deep violet. The number is set over it."""
    pen.fill(circle(0, 3.3, 3.3), _GOLD)
    pen.stroke(circle(0, 3.3, 3.3), INK, 0.22)
    pen.fill(circle(0, 3.3, 2.9), _HOME)
    pen.fill(star(0, 3.3, 2.85, 2.1, 8), _GOLD)
    pen.fill(circle(0, 3.3, 1.9), CREAM)


def _field(pen: Pen) -> None:
    """A ploughed field: four furrows."""
    for y, reach, shift in ((0.0, 1.5, 0.0), (0.55, 1.9, 0.15), (1.1, 1.8, -0.1), (1.6, 1.3, 0.1)):
        points = [
            (shift - reach, y),
            (shift - reach / 3, y + 0.22),
            (shift + reach / 3, y + 0.2),
            (shift + reach, y),
        ]
        pen.solid(ribbon(points, [0, 0.17, 0.17, 0]), _GRASS)


def _bush(pen: Pen) -> None:
    """A bush on open land."""
    crown = blob((-0.75, 0.1), (-0.8, 0.6), (-0.2, 1.05), (0.4, 0.95), (0.8, 0.5), (0.7, 0.08))
    pen.fill(crown, _LEAF_LIGHT)
    pen.stroke(crown, _LEAF_DARK, 0.14)
    pen.solid(lens(0.3, 0.35, 0.5, 0.14, 12), _LEAF_DARK)


def _bridge(pen: Pen) -> None:
    """A bridge that leads along x over a river that flows along y; its middle is the origin."""
    deck = rect(-2.5, -1.05, 5.0, 2.1)
    pen.fill(deck, _WALL)
    for at in range(8):
        pen.stroke(polyline((-2.1 + at * 0.6, -0.95), (-2.1 + at * 0.6, 0.95)), _WOOD, 0.14)
    for side in (1.1, -1.1):
        pen.stroke(smooth([(-3.1, side * 1.4), (-2.4, side), (2.4, side), (3.1, side * 1.4)]), INK, 0.42)


def draw_compass(pen: Pen, x: float, y: float, radius: float) -> None:
    """A compass rose about (x, y); the letter of the north stands above it."""
    pen.stroke(circle(x, y, radius * 0.62), INK, 0.18)
    for turn in (45.0, 0.0):
        reach = radius * (0.62 if turn else 1.0)
        for at in range(4):
            angle = 90 * at + turn
            tip = on_circle(x, y, reach, angle)
            waist = reach * 0.2
            pen.fill(polygon((x, y), on_circle(x, y, waist, angle + 45), tip), CREAM)
            pen.fill(polygon((x, y), on_circle(x, y, waist, angle - 45), tip), INK)
            pen.stroke(
                polygon(on_circle(x, y, waist, angle + 45), tip, on_circle(x, y, waist, angle - 45)), INK, 0.12
            )
    pen.text(x, y + radius + 0.6, "N", Face.TITLE, 7.5, INK, align="middle")


_THINGS: dict[str, tuple[Box, Draw]] = {
    "tree-1": ((-1.7, -0.2, 3.4, 3.5), lambda pen: _leafy(pen, 0.12)),
    "tree-2": ((-1.7, -0.2, 3.4, 3.5), lambda pen: _leafy(pen, -0.15)),
    "fir": ((-1.5, -0.2, 3.0, 4.0), _fir),
    "mountain-1": ((-4.5, -0.4, 9.0, 6.9), lambda pen: _mountain(pen, -0.3)),
    "mountain-2": ((-4.5, -0.4, 9.0, 6.9), lambda pen: _mountain(pen, 0.5)),
    "hillock": ((-2.4, -0.3, 4.8, 2.2), _hillock),
    "tuft": ((-1.0, -0.2, 2.0, 1.6), _tuft),
    "wave": ((-2.2, -0.3, 4.4, 1.1), _wave),
    "city": ((-4.4, -0.4, 8.8, 7.5), _city),
    "home": ((-3.6, -0.3, 7.2, 7.2), _home),
    "field": ((-2.2, -0.3, 4.4, 2.4), _field),
    "bush": ((-1.0, -0.1, 2.0, 1.3), _bush),
    "bridge": ((-3.5, -1.9, 7.0, 3.8), _bridge),
}


def draw_thing(pen: Pen, name: str, x: float, y: float, *, scale: float = 1.0, turn: float = 0.0) -> None:
    """Draw one of the things with its foot (a bridge with its middle) at (x, y)."""
    box, draw = _THINGS[name]
    with pen.at(round(x, 2), round(y, 2), scale=round(scale, 2), turn=turn):
        pen.place(f"map-{name}", box, draw)


def draw_home(pen: Pen, number: int, x: float, y: float, *, scale: float = 1.0) -> None:
    """Draw the roundel of the home with this number, its foot at (x, y)."""
    draw_thing(pen, "home", x, y, scale=scale)
    pen.text(x, y + 2.28 * scale, str(number), Face.LABEL_BOLD, 8.5 * scale, INK, align="middle")
