"""Outlines in millimetres: plain values that can be mirrored, turned and drawn many times.

x grows to the right, y upwards. A path knows nothing of colour, paper or PDF.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

Point = tuple[float, float]
Step = tuple[str, tuple[Point, ...]]

_ROUND = 0.5522847498
"""Handle length that makes four Bezier curves a circle."""
_OPERATORS = {
    "m": "%.2f %.2f m",
    "l": "%.2f %.2f l",
    "c": "%.2f %.2f %.2f %.2f %.2f %.2f c",
    "z": "h",
}
"""A step of a path as PDF has it. A hundredth of a millimetre is half a dot at 1200 dpi."""


@dataclass(frozen=True)
class Traced:
    """A path of which only PDF's operators are known."""

    operators: str

    def getCode(self) -> str:  # noqa: N802 - all that a reportlab canvas asks of a path
        """The operators."""
        return self.operators


class Path:
    """A sequence of steps: ``m`` move, ``l`` line, ``c`` Bezier curve (two handles and an end), ``z`` close."""

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self.steps: list[Step] = list(steps)

    def move(self, x: float, y: float) -> Path:
        """Start a new part at (x, y)."""
        self.steps.append(("m", ((x, y),)))
        return self

    def line(self, x: float, y: float) -> Path:
        """A straight line to (x, y)."""
        self.steps.append(("l", ((x, y),)))
        return self

    def curve(self, x1: float, y1: float, x2: float, y2: float, x: float, y: float) -> Path:
        """A Bezier curve to (x, y)."""
        self.steps.append(("c", ((x1, y1), (x2, y2), (x, y))))
        return self

    def close(self) -> Path:
        """Back to the start of this part."""
        self.steps.append(("z", ()))
        return self

    @property
    def operators(self) -> str:
        """The path as PDF has it."""
        pattern = " ".join([_OPERATORS[kind] for kind, _ in self.steps])
        return pattern % tuple(chain.from_iterable(chain.from_iterable([points for _, points in self.steps])))

    def getCode(self) -> str:  # noqa: N802
        """The operators; reportlab's own paths, which format each number in turn, take twice as long."""
        return self.operators

    def traced(self) -> Traced:
        """The path for drawing it several times: its numbers are written once."""
        return Traced(self.operators)

    def __add__(self, other: Path) -> Path:
        return Path([*self.steps, *other.steps])

    def mapped(self, place: Callable[[float, float], Point]) -> Path:
        """Every point moved by ``place``, which should be affine."""
        return Path((kind, tuple(place(x, y) for x, y in points)) for kind, points in self.steps)

    def shifted(self, dx: float, dy: float) -> Path:
        """Moved by (dx, dy)."""
        return self.mapped(lambda x, y: (x + dx, y + dy))

    def mirrored(self, axis_x: float) -> Path:
        """Reflected in the upright line at ``axis_x``."""
        return self.mapped(lambda x, y: (2 * axis_x - x, y))

    def turned(self, degrees: float, about: Point = (0, 0)) -> Path:
        """Turned anticlockwise about a point."""
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        ox, oy = about
        return self.mapped(
            lambda x, y: (ox + (x - ox) * cos - (y - oy) * sin, oy + (x - ox) * sin + (y - oy) * cos)
        )


Outline = Path | Traced
"""What the pen can draw."""


def polygon(*points: Point) -> Path:
    """A closed shape with straight sides."""
    return polyline(*points).close()


def polyline(*points: Point) -> Path:
    """Straight lines from point to point."""
    path = Path().move(*points[0])
    for point in points[1:]:
        path.line(*point)
    return path


def rect(x: float, y: float, width: float, height: float) -> Path:
    """A rectangle with its lower left corner at (x, y)."""
    return polygon((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def round_arch(middle: float, foot: float, half: float, spring: float, rise: float) -> Path:
    """A gateway: straight jambs ``half`` mm either side of ``middle``, with an arch from their ``spring``."""
    left, right, top, pull = middle - half, middle + half, spring + rise, 0.58
    path = Path().move(left, foot).line(left, spring)
    path.curve(left, spring + pull * rise, middle - pull * half, top, middle, top)
    path.curve(middle + pull * half, top, right, spring + pull * rise, right, spring)
    return path.line(right, foot).close()


def rounded(x: float, y: float, width: float, height: float, radius: float) -> Path:
    """A rectangle with round corners."""
    k = radius * (1 - _ROUND)
    r, t = x + width, y + height
    path = Path().move(x + radius, y).line(r - radius, y).curve(r - k, y, r, y + k, r, y + radius)
    path.line(r, t - radius).curve(r, t - k, r - k, t, r - radius, t)
    path.line(x + radius, t).curve(x + k, t, x, t - k, x, t - radius)
    return path.line(x, y + radius).curve(x, y + k, x + k, y, x + radius, y).close()


def ellipse(x: float, y: float, rx: float, ry: float) -> Path:
    """An ellipse about (x, y)."""
    kx, ky = rx * _ROUND, ry * _ROUND
    path = Path().move(x + rx, y).curve(x + rx, y + ky, x + kx, y + ry, x, y + ry)
    path.curve(x - kx, y + ry, x - rx, y + ky, x - rx, y)
    path.curve(x - rx, y - ky, x - kx, y - ry, x, y - ry)
    return path.curve(x + kx, y - ry, x + rx, y - ky, x + rx, y).close()


def circle(x: float, y: float, radius: float) -> Path:
    """A circle about (x, y)."""
    return ellipse(x, y, radius, radius)


def on_circle(x: float, y: float, radius: float, degrees: float) -> Point:
    """The point at an angle (anticlockwise from the right)."""
    return x + radius * math.cos(math.radians(degrees)), y + radius * math.sin(math.radians(degrees))


def arc(x: float, y: float, radius: float, start: float, end: float) -> Path:
    """An open arc from ``start`` to ``end`` degrees, anticlockwise when ``end`` is larger."""
    parts = max(1, math.ceil(abs(end - start) / 60))
    step = math.radians(end - start) / parts
    handle = 4 / 3 * math.tan(step / 4)
    angle = math.radians(start)
    path = Path().move(x + radius * math.cos(angle), y + radius * math.sin(angle))
    for _ in range(parts):
        c1, s1 = math.cos(angle), math.sin(angle)
        c2, s2 = math.cos(angle + step), math.sin(angle + step)
        path.curve(
            x + radius * (c1 - handle * s1),
            y + radius * (s1 + handle * c1),
            x + radius * (c2 + handle * s2),
            y + radius * (s2 - handle * c2),
            x + radius * c2,
            y + radius * s2,
        )
        angle += step
    return path


def smooth(points: Sequence[Point], closed: bool = False) -> Path:
    """A flowing curve through every point (Catmull-Rom turned into Bezier curves)."""
    count = len(points)
    path = Path().move(*points[0])
    for at in range(count if closed else count - 1):
        before, start, end, after = _neighbours(points, at, closed)
        path.curve(
            start[0] + (end[0] - before[0]) / 6,
            start[1] + (end[1] - before[1]) / 6,
            end[0] - (after[0] - start[0]) / 6,
            end[1] - (after[1] - start[1]) / 6,
            *end,
        )
    return path.close() if closed else path


def blob(*points: Point) -> Path:
    """A closed shape with a flowing outline through these points."""
    return smooth(points, closed=True)


def _neighbours(points: Sequence[Point], at: int, closed: bool) -> tuple[Point, Point, Point, Point]:
    count = len(points)
    if closed:
        return points[at - 1], points[at], points[(at + 1) % count], points[(at + 2) % count]
    return points[max(at - 1, 0)], points[at], points[at + 1], points[min(at + 2, count - 1)]


def ribbon(points: Sequence[Point], widths: Sequence[float], parts: int = 6) -> Path:
    """A brush stroke: a filled curve through ``points`` whose width (mm) follows ``widths`` along its length.

    ``widths`` may have fewer entries than there are points; they are spread evenly. A width of 0 is a sharp end.
    Each edge is reckoned at ``parts`` places between two points.
    """
    return Path(_ribbon(tuple(points), tuple(widths), parts))


@lru_cache(maxsize=2048)
def _ribbon(points: tuple[Point, ...], widths: tuple[float, ...], parts: int) -> tuple[Step, ...]:
    """The steps of a ribbon; remembered, for every file of a kit draws the same borders and emblems."""
    centre: list[Point] = []
    for at in range(len(points) - 1):
        before, start, end, after = _neighbours(points, at, closed=False)
        centre += [_catmull(before, start, end, after, part / parts) for part in range(parts)]
    centre.append(points[-1])
    left, right = [], []
    last = len(centre) - 1
    for at, (x, y) in enumerate(centre):
        (ax, ay), (bx, by) = centre[max(at - 1, 0)], centre[min(at + 1, last)]
        length = math.hypot(bx - ax, by - ay) or 1.0
        half = _spread(widths, at / last) / 2
        nx, ny = -(by - ay) / length * half, (bx - ax) / length * half
        left.append((x + nx, y + ny))
        right.append((x - nx, y - ny))
    path = smooth(left)
    path.line(*right[-1])
    path.steps += smooth(right[::-1]).steps[1:]
    return tuple(path.close().steps)


def _spread(values: Sequence[float], share: float) -> float:
    place = share * (len(values) - 1)
    low = min(int(place), len(values) - 2)
    return values[low] + (values[low + 1] - values[low]) * (place - low)


def _catmull(p0: Point, p1: Point, p2: Point, p3: Point, t: float) -> Point:
    def one(a: float, b: float, c: float, d: float) -> float:
        return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)

    return one(p0[0], p1[0], p2[0], p3[0]), one(p0[1], p1[1], p2[1], p3[1])


def lens(x: float, y: float, length: float, thickness: float, degrees: float = 0) -> Path:
    """A thin almond centred on (x, y): the mark that a gouge leaves in a linocut."""
    half, bulge = length / 2, thickness * 2 / 3
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def at(px: float, py: float) -> Point:
        dx, dy = px - x, py - y
        return x + dx * cos - dy * sin, y + dx * sin + dy * cos

    left, right = at(x - half, y), at(x + half, y)
    over = (at(x - half / 3, y + bulge), at(x + half / 3, y + bulge), right)
    under = (at(x + half / 3, y - bulge), at(x - half / 3, y - bulge), left)
    return Path([("m", (left,)), ("c", over), ("c", under), ("z", ())])


def star(x: float, y: float, outer: float, inner: float, points: int = 4, turn: float = 90) -> Path:
    """A star with straight sides."""
    ring = [on_circle(x, y, outer if at % 2 == 0 else inner, turn + at * 180 / points) for at in range(2 * points)]
    return polygon(*ring)
