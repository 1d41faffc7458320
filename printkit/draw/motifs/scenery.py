"""The shared vocabulary of the Story cards' pictures: skies, discs, hills, water, clouds, trees, stars.

Everything is flat colour laid over flat colour, as a linocut prints it: far things first, then nearer ones, then
the fine tapered marks that the gouge leaves. All lengths are millimetres on the motif's panel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from random import Random

from loomtable.printkit.draw.motifs.registry import HEIGHT, WIDTH
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import (
    Path,
    Point,
    blob,
    circle,
    ellipse,
    lens,
    on_circle,
    polygon,
    rect,
    ribbon,
    smooth,
    star,
)
from loomtable.printkit.draw.pen import Pen

EDGE = 1.0
"""How far scenery reaches past the panel, so that no light gap shows at its frame."""


def c(code: str) -> Colour:
    """A colour by its six hexadecimal digits."""
    return Colour.hex(code)


def sky(pen: Pen, colours: Sequence[Colour], top: float = HEIGHT, bottom: float = 0.0, sway: float = 0.8) -> None:
    """Bands of colour from ``top`` down to ``bottom``, their edges softly swaying; the last reaches the foot."""
    pen.fill(rect(-EDGE, -EDGE, WIDTH + 2 * EDGE, HEIGHT + 2 * EDGE), colours[0], tone=True)
    for at, colour in enumerate(colours[1:], start=1):
        level = top - (top - bottom) * at / len(colours)
        crest = [(x, level + sway * math.sin(x / 9.0 + at * 1.7)) for x in range(-2, int(WIDTH) + 6, 6)]
        pen.fill(below(crest), colour, tone=True)


def below(crest: Sequence[Point], foot: float = -EDGE) -> Path:
    """The shape between a flowing crest line (left to right) and the foot of the panel."""
    path = smooth(crest)
    return path.line(crest[-1][0], foot).line(crest[0][0], foot).close()


def hill(pen: Pen, heights: Sequence[float], colour: Colour, foot: float = -EDGE) -> list[Point]:
    """Land whose crest passes through ``heights``, spread evenly over the panel's width; returns the crest."""
    span = WIDTH + 2 * EDGE
    crest = [(-EDGE + span * at / (len(heights) - 1), height) for at, height in enumerate(heights)]
    pen.fill(below(crest, foot), colour)
    return crest


def height_at(crest: Sequence[Point], x: float) -> float:
    """The height of a crest at ``x``, near enough to stand something on it."""
    for (ax, ay), (bx, by) in pairwise(crest):
        if ax <= x <= bx:
            share = (x - ax) / (bx - ax)
            return ay + (by - ay) * share * share * (3 - 2 * share)
    return crest[-1][1]


def furrows(
    pen: Pen, crest: Sequence[Point], colour: Colour, rows: int, gap: float, seed: int, thickness: float = 0.28
) -> None:
    """Gouge marks that follow a crest, row below row, as light lies on a slope."""
    dice = Random(seed)
    for row in range(1, rows + 1):
        x = crest[0][0] + dice.random() * 3
        while x < crest[-1][0]:
            length = 2.0 + dice.random() * 4.5
            middle = x + length / 2
            drop = row * gap + dice.random() * gap * 0.35
            tilt = math.degrees(math.atan2(height_at(crest, middle + 1.2) - height_at(crest, middle - 1.2), 2.4))
            pen.solid(lens(middle, height_at(crest, middle) - drop, length, thickness, tilt), colour)
            x += length + 1.0 + dice.random() * 3.2


def halo(pen: Pen, x: float, y: float, rings: Sequence[tuple[float, Colour]]) -> None:
    """Discs one within the other, the largest first; the last is the sun, moon or lamp itself."""
    for radius, colour in rings[:-1]:
        pen.fill(circle(x, y, radius), colour, tone=True)
    pen.fill(circle(x, y, rings[-1][0]), rings[-1][1])


def rays(
    pen: Pen,
    x: float,
    y: float,
    inner: float,
    outer: float,
    count: int,
    width: float,
    colour: Colour,
    turn: float = 0,
) -> None:
    """Tapered rays around a point: ``width`` mm at the root, sharp at the far end, every second one shorter."""
    for at in range(count):
        angle = turn + 360 * at / count
        reach = outer if at % 2 == 0 else inner + (outer - inner) * 0.62
        near_left = on_circle(x, y, inner, angle - math.degrees(width / 2 / inner))
        near_right = on_circle(x, y, inner, angle + math.degrees(width / 2 / inner))
        pen.solid(polygon(near_left, on_circle(x, y, reach, angle), near_right), colour)


def beams(
    pen: Pen, x: float, y: float, outer: float, count: int, colour: Colour, start: float = 0, end: float = 360
) -> None:
    """Broad wedges of light from a point, as wide as the gaps between them."""
    step = (end - start) / count
    for at in range(count):
        first = start + step * at
        wedge = polygon((x, y), on_circle(x, y, outer, first), on_circle(x, y, outer, first + step / 2))
        pen.fill(wedge, colour, tone=True)


def stars(
    pen: Pen,
    seed: int,
    count: int,
    colour: Colour,
    area: tuple[float, float, float, float] = (1, 22, 53, 27),
    clear_of: tuple[float, float, float] | None = None,
) -> None:
    """Stars strewn over ``area`` (x, y, width, height), none within the circle ``clear_of`` (x, y, radius)."""
    dice = Random(seed)
    placed: list[Point] = []
    for _ in range(count * 30):
        if len(placed) >= count:
            break
        x, y = area[0] + dice.random() * area[2], area[1] + dice.random() * area[3]
        size = dice.random()
        if clear_of and math.hypot(x - clear_of[0], y - clear_of[1]) < clear_of[2]:
            continue
        if any(math.hypot(x - px, y - py) < 3.0 for px, py in placed):
            continue
        placed.append((x, y))
        if size > 0.72:
            pen.solid(star(x, y, 0.75 + size * 0.5, 0.16), colour)
        else:
            pen.solid(circle(x, y, 0.13 + size * 0.16), colour)


def crescent(pen: Pen, x: float, y: float, radius: float, colour: Colour, turn: float = 20) -> None:
    """A waxing moon, its horns to the right before it is turned."""
    path = Path()
    tip = radius * 0.94
    path.move(radius * 0.34, tip).curve(
        -radius * 1.62, radius * 1.02, -radius * 1.62, -radius * 1.02, radius * 0.34, -tip
    )
    path.curve(-radius * 0.72, -radius * 0.62, -radius * 0.72, radius * 0.62, radius * 0.34, tip).close()
    pen.fill(path.turned(turn).shifted(x, y), colour)


def cloud(pen: Pen, x: float, y: float, width: float, colour: Colour, line: Colour, flip: bool = False) -> None:
    """A long scroll of cloud whose curls open to one side; (x, y) is the middle of its flat foot."""
    w, h = width / 2, width * 0.2
    shape = blob(
        (-w, 0),
        (-w * 0.86, h * 0.32),
        (-w * 0.66, h * 0.42),
        (-w * 0.5, h * 0.86),
        (-w * 0.16, h * 0.92),
        (0.06 * w, h * 1.22),
        (w * 0.38, h * 1.12),
        (w * 0.52, h * 0.66),
        (w * 0.78, h * 0.54),
        (w * 0.86, h * 0.2),
        (w, 0),
        (w * 0.5, -h * 0.1),
        (0, h * 0.02),
        (-w * 0.5, -h * 0.1),
    )
    curls = [
        ribbon(
            [
                (w * 0.44, h * 0.5),
                (w * 0.36, h * 0.92),
                (w * 0.06, h * 0.98),
                (-w * 0.04, h * 0.6),
                (w * 0.14, h * 0.44),
                (w * 0.22, h * 0.64),
            ],
            [0, width * 0.02, width * 0.024, 0],
        ),
        ribbon(
            [
                (-w * 0.14, h * 0.36),
                (-w * 0.2, h * 0.66),
                (-w * 0.46, h * 0.64),
                (-w * 0.5, h * 0.36),
                (-w * 0.36, h * 0.3),
            ],
            [0, width * 0.018, width * 0.018, 0],
        ),
        ribbon(
            [(-w * 0.8, h * 0.12), (-w * 0.3, h * 0.18), (w * 0.3, h * 0.14), (w * 0.76, h * 0.2)],
            [0, width * 0.012, 0],
        ),
    ]
    side = -1.0 if flip else 1.0
    pen.fill(shape.scaled(side, 1).shifted(x, y), colour)
    for curl in curls:
        pen.solid(curl.scaled(side, 1).shifted(x, y), line)


def water(
    pen: Pen, top: float, bottom: float, colours: Sequence[Colour], line: Colour, seed: int, gap: float = 1.5
) -> None:
    """Still water from ``top`` down: bands that darken, and gouge marks that lengthen towards the viewer."""
    for at, colour in enumerate(colours):
        level = top - (top - bottom) * at / len(colours)
        pen.fill(rect(-EDGE, -EDGE, WIDTH + 2 * EDGE, level + EDGE), colour, tone=at > 0)
    dice = Random(seed)
    y, step = top - 0.8, gap * 0.55
    while y > bottom:
        near = (top - y) / max(top - bottom, 0.1)
        x = -4 + dice.random() * 6
        while x < WIDTH + 2:
            length = 2.2 + near * 5 + dice.random() * 3
            pen.solid(lens(x + length / 2, y + dice.random() * 0.4, length, 0.16 + near * 0.22), line)
            x += length + 3 + dice.random() * (7 - 3 * near)
        y -= step
        step += gap * 0.12


def glitter(pen: Pen, x: float, top: float, bottom: float, width: float, colour: Colour, seed: int) -> None:
    """The broken path of light that a sun or moon lays on water."""
    dice = Random(seed)
    y, at = top - 0.5, 0
    while y > bottom:
        near = (top - y) / (top - bottom)
        length = width * (1.0 - 0.55 * near) * (0.7 + 0.5 * dice.random())
        pen.fill(lens(x + (dice.random() - 0.5) * 1.6, y, length, 0.45 + 0.3 * near), colour)
        if at % 2:
            shift = (length / 2 + 1.2 + dice.random()) * (1 if at % 4 == 1 else -1)
            pen.fill(lens(x + shift, y - 0.3, length * 0.3, 0.3), colour)
        y -= 1.0 + 0.5 * near
        at += 1


def cypress(pen: Pen, x: float, y: float, height: float, colour: Colour, light: Colour | None = None) -> None:
    """A flame-shaped tree standing on (x, y), its side marks in ``light``."""
    w = height * 0.13
    body = blob(
        (x, y),
        (x - w, y + height * 0.16),
        (x - w * 0.92, y + height * 0.45),
        (x - w * 0.4, y + height * 0.8),
        (x + w * 0.1, y + height),
        (x + w * 0.5, y + height * 0.76),
        (x + w, y + height * 0.42),
        (x + w * 0.95, y + height * 0.14),
    )
    pen.fill(rect(x - height * 0.012, y - height * 0.06, height * 0.03, height * 0.1), colour)
    pen.fill(body, colour)
    if light:
        for share, side in ((0.2, 0.45), (0.36, 0.5), (0.52, 0.4), (0.68, 0.25), (0.3, -0.1), (0.5, -0.05)):
            pen.solid(lens(x + w * side, y + height * share, height * 0.15, height * 0.02, 82), light)


def pine(pen: Pen, x: float, y: float, height: float, colour: Colour, light: Colour | None = None) -> None:
    """A fir of drooping tiers standing on (x, y)."""
    tiers = 5
    path = Path().move(x, y + height)
    w = height * 0.25
    for at in range(1, tiers + 1):
        level, reach = y + height * (1 - at / (tiers + 0.4)), w * (0.25 + 0.75 * at / tiers)
        path.curve(
            x + reach * 0.25, level + height * 0.09, x + reach * 0.6, level + height * 0.02, x + reach, level
        )
        path.line(x + reach * 0.42, level + height * 0.02)
    path.line(x + w * 0.08, y + height * 0.07).line(x + w * 0.08, y - height * 0.05)
    path.line(x - w * 0.08, y - height * 0.05).line(x - w * 0.08, y + height * 0.07)
    for at in range(tiers, 0, -1):
        level, reach = y + height * (1 - at / (tiers + 0.4)), w * (0.25 + 0.75 * at / tiers)
        path.line(x - reach * 0.42, level + height * 0.02).line(x - reach, level)
        path.curve(
            x - reach * 0.6,
            level + height * 0.02,
            x - reach * 0.25,
            level + height * 0.09,
            x,
            level + height / (tiers + 0.4),
        )
    pen.fill(path.close(), colour)
    if light:
        for at in range(1, tiers + 1):
            level, reach = y + height * (1 - at / (tiers + 0.4)), w * (0.25 + 0.75 * at / tiers)
            pen.solid(lens(x + reach * 0.42, level + height * 0.06, reach * 0.7, height * 0.018, -38), light)


def bough(pen: Pen, points: Sequence[Point], widths: Sequence[float], colour: Colour) -> None:
    """A branch: a brush stroke in a dark colour, solid in every style."""
    pen.fill(ribbon(points, widths), colour)


def leaf(x: float, y: float, length: float, degrees: float, width: float = 0.36) -> Path:
    """A leaf that springs from (x, y)."""
    half = length * width
    path = Path().move(0, 0).curve(length * 0.25, half, length * 0.7, half * 0.9, length, 0)
    path.curve(length * 0.7, -half * 0.9, length * 0.25, -half, 0, 0).close()
    return path.turned(degrees).shifted(x, y)


def spray(
    pen: Pen,
    points: Sequence[Point],
    leaf_length: float,
    count: int,
    colour: Colour,
    vein: Colour | None = None,
    stem: float = 0.4,
) -> None:
    """A stem with pairs of leaves, growing along ``points``."""
    pen.fill(ribbon(points, [stem, stem * 0.7, 0.1]), colour)
    for at in range(count):
        share = 0.15 + 0.85 * at / max(count - 1, 1)
        place = share * (len(points) - 1)
        low = min(int(place), len(points) - 2)
        (ax, ay), (bx, by) = points[low], points[low + 1]
        x, y = ax + (bx - ax) * (place - low), ay + (by - ay) * (place - low)
        along = math.degrees(math.atan2(by - ay, bx - ax))
        size = leaf_length * (1.0 - 0.45 * share)
        for side in (48, -48) if at < count - 1 else (0,):
            pen.fill(leaf(x, y, size, along + side), colour)
            if vein:
                tip = on_circle(x, y, size * 0.5, along + side)
                pen.solid(lens(*tip, size * 0.62, 0.1, along + side), vein)


def grass(pen: Pen, x: float, y: float, height: float, colour: Colour, lean: float = 0.3, blades: int = 5) -> None:
    """A tuft of tapering blades."""
    for at in range(blades):
        spread = (at - (blades - 1) / 2) * height * 0.16
        tall = height * (1 - 0.13 * abs(at - (blades - 1) / 2))
        tip = (x + spread * 2.2 + lean * tall, y + tall)
        pen.solid(
            ribbon([(x + spread * 0.4, y), (x + spread, y + tall * 0.55), tip], [height * 0.09, height * 0.07, 0]),
            colour,
        )


def bird(pen: Pen, x: float, y: float, span: float, colour: Colour, tilt: float = 0) -> None:
    """A far bird on the wing."""
    left = ribbon([(-span / 2, span * 0.04), (-span * 0.28, span * 0.2), (0, 0)], [0, span * 0.07, span * 0.06])
    right = ribbon([(0, 0), (span * 0.24, span * 0.22), (span / 2, span * 0.1)], [span * 0.06, span * 0.07, 0])
    pen.solid(left.turned(tilt).shifted(x, y), colour)
    pen.solid(right.turned(tilt).shifted(x, y), colour)


def mountain(
    pen: Pen,
    x: float,
    foot: float,
    height: float,
    width: float,
    shade: Colour,
    light: Colour,
    snow: Colour | None = None,
) -> None:
    """A peak above (x, foot), lit from the left, its ridge broken, marked with gouge strokes on the dark side."""
    top = foot + height
    left, right = x - width / 2, x + width / 2
    ridge = [
        (x, top),
        (x + width * 0.03, top - height * 0.2),
        (x - width * 0.02, top - height * 0.36),
        (x + width * 0.05, top - height * 0.6),
        (x, foot),
    ]
    outline = [
        (left, foot),
        (x - width * 0.32, foot + height * 0.36),
        (x - width * 0.24, foot + height * 0.46),
        (x - width * 0.1, foot + height * 0.8),
        (x, top),
        (x + width * 0.11, foot + height * 0.76),
        (x + width * 0.2, foot + height * 0.6),
        (x + width * 0.3, foot + height * 0.36),
        (right, foot),
    ]
    pen.fill(polygon(*outline), shade)
    pen.fill(polygon(*outline[:5], *ridge[1:]), light, tone=True)
    if snow:
        cap = [
            (x - width * 0.1, foot + height * 0.8),
            (x, top),
            (x + width * 0.11, foot + height * 0.76),
            (x + width * 0.06, foot + height * 0.79),
            (x + width * 0.03, foot + height * 0.68),
            (x, foot + height * 0.78),
            (x - width * 0.04, foot + height * 0.66),
        ]
        pen.fill(polygon(*cap), snow)
    for at in range(5):
        share = 0.28 + at * 0.13
        pen.solid(lens(x + width * 0.36 * share, top - height * share, height * 0.24, height * 0.018, -58), light)


def pool_of_light(pen: Pen, x: float, y: float, rx: float, ry: float, colours: Sequence[Colour]) -> None:
    """Light lying on level ground: flattened discs, the largest first."""
    for at, colour in enumerate(colours):
        share = 1 - at / (len(colours) + 0.4)
        pen.fill(ellipse(x, y, rx * share, ry * share), colour, tone=True)
