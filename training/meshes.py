"""Dice and clutter as triangles, for the renderer that follows light: the same smoothed solids as the quick one's.

A die's surface is found by marching cubes on a coarse grid; then edges are split where the picture needs it (round
the paint, on blunt edges, in swirls), every corner is moved onto the true surface, and marks are cut into it.
Lengths within a die are inner radii, as in ``solids``; finished meshes are in millimetres on the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module

import cv2
import numpy as np
from numpy.typing import NDArray

from loomtable.vision.arrays import Float64Array
from training.glyphs import SPAN, Atlas
from training.scenes import LaidDie, Thing

Numbers = NDArray[np.int64]

_CELL = 0.11
"""Side of the coarse grid's cells, inner radii."""
_ROUNDS = 5
"""An edge is halved at most so many times: down to 0.0035 inner radii."""
_LIFT = np.array([0, 0, 0.02])
"""Millimetres between a thing and the table, so that surfaces are never in the same place."""


@dataclass(frozen=True)
class Mesh:
    """Triangles with what the paint is at each corner."""

    points: Float64Array
    """(n, 3) mm on the table."""
    triangles: Numbers
    """(m, 3) numbers of points, anticlockwise from outside."""
    slopes: Float64Array
    """(n, 3) unit vectors outwards."""
    paint: Float64Array
    """(n, 3) linear red, green, blue."""
    inked: Float64Array
    """(n,) 1 in a mark, 0 beside it."""


def smoothed(die: LaidDie, points: Float64Array) -> tuple[Float64Array, Float64Array, Numbers]:
    """The die's blunt surface as the shader has it: distances (n,), slopes (n, 3) and nearest faces (n,)."""
    normals, sharp = die.solid.normals, die.sharpness
    out_by = points @ normals.T - 1
    face = out_by.argmax(axis=1)
    top = out_by.max(axis=1)
    weights = np.exp(sharp * (out_by - top[:, None]))
    far = top + np.log(weights.sum(axis=1)) / sharp
    slopes = _unit(weights @ normals)
    length = np.linalg.norm(points, axis=1)
    tumbled = length - die.ball > far
    far = np.where(tumbled, length - die.ball, far)
    slopes = np.where(tumbled[:, None], points / np.maximum(length, 1e-9)[:, None], slopes)
    return far, slopes, face


def coarse(die: LaidDie) -> tuple[Float64Array, Numbers]:
    """The die's surface in triangles about ``_CELL`` wide."""
    reach = min(die.solid.reach, die.ball) + 2 * _CELL
    steps = np.arange(-reach, reach + _CELL, _CELL)
    grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), -1)
    far = smoothed(die, grid.reshape(-1, 3))[0].reshape(grid.shape[:3])
    points, triangles, _, _ = import_module("skimage.measure").marching_cubes(far, 0.0)
    return steps[0] + points * _CELL, _outwards(points - len(steps) / 2, triangles.astype(np.int64))


def _outwards(points: Float64Array, triangles: Numbers) -> Numbers:
    """Triangles that all go round the same way, turned so that their normals point out of the solid."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    six_volumes = float((a * np.cross(b, c)).sum())
    return triangles if six_volumes > 0 else np.ascontiguousarray(triangles[:, ::-1])


def _each_outwards(points: Float64Array, triangles: Numbers) -> Numbers:
    """The triangles of patches that go round this way and that, each turned to face away from the middle."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    inwards = (np.cross(b - a, c - a) * (a + b + c)).sum(axis=1) < 0
    return np.where(inwards[:, None], triangles[:, ::-1], triangles)


def split(
    points: Float64Array, triangles: Numbers, wanted: Callable[[Numbers], NDArray[np.bool_]]
) -> tuple[Float64Array, Numbers]:
    """Halve the edges that are wanted; neighbours agree on every edge, so that the surface stays closed.

    Args:
        points: (n, 3); new ones are added behind them.
        triangles: (m, 3).
        wanted: for (k, 2) edges, which of them are to be halved.
    """
    sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    _, first, back = np.unique(sides[:, 0] * len(points) + sides[:, 1], return_index=True, return_inverse=True)
    edges = sides[first]
    chosen = wanted(edges)
    number = np.where(chosen, len(points) + np.cumsum(chosen) - 1, -1)
    middles = number[back.reshape(-1)].reshape(-1, 3)
    count = (middles >= 0).sum(axis=1)
    # Turn each triangle so that its halved edges come first.
    lone = np.where(count == 1, (middles >= 0).argmax(axis=1), 0)
    start = np.where(count == 2, ((middles < 0).argmax(axis=1) + 1) % 3, lone)
    order = (start[:, None] + np.arange(3)) % 3
    corners = np.take_along_axis(triangles, order, 1)
    halves = np.take_along_axis(middles, order, 1)
    made = [corners[count == 0]]
    (a, b, c), (ab, bc, ca) = corners.T, halves.T
    for halved, patterns in (
        (1, ((a, ab, c), (ab, b, c))),
        (2, ((ab, b, bc), (a, ab, c), (ab, bc, c))),
        (3, ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))),
    ):
        made += [np.stack(pattern, 1)[count == halved] for pattern in patterns]
    new = points[edges[chosen]].mean(axis=1)
    return np.concatenate([points, new]), np.concatenate(made)


@dataclass(frozen=True)
class _Skin:
    """What is known at each corner of a die's mesh."""

    points: Float64Array
    slopes: Float64Array
    mark: Float64Array
    """Distance to the paint's edge in inner radii, inside positive."""
    wide: Float64Array
    """Over what distance from its edge the mark gets deeper: its wall's width, or a pip's radius."""
    first: NDArray[np.bool_]
    """Whether the mark is a one of pips, which may have its own colour."""


def _skin(die: LaidDie, points: Float64Array, marks: Atlas) -> _Skin:
    """Corners moved onto the surface, and where they lie in their faces' marks."""
    for _ in range(4):
        far, slopes, face = smoothed(die, points)
        points = points - far[:, None] * slopes
    _, slopes, face = smoothed(die, points)
    mark, wide = np.full(len(points), -1.0), np.ones(len(points))
    first = np.zeros(len(points), bool)
    for k, (own, painted) in enumerate(zip(die.solid.faces, die.marks, strict=True)):
        here = np.flatnonzero(face == k)
        right = np.cross(own.up, own.normal)
        right = np.cos(painted.turn) * right + np.sin(painted.turn) * own.up
        up = np.cross(own.normal, right)
        size = die.size * own.room
        at = np.stack([(points[here] - own.middle) @ right, -(points[here] - own.middle) @ up], 1) / size
        tile = marks.tiles[marks.places[painted.mark, die.style, painted.text]]
        far = (_looked_up(tile, at) - 128) / 127 * SPAN + die.weight / 2
        mark[here] = np.where(np.abs(at).max(axis=1) < 1, far, -1.0) * size
        deepest = (float(tile.max()) - 128) / 127 * SPAN * size
        wide[here] = deepest if painted.mark == "pips" else min(0.045, deepest)
        first[here] = painted.mark == "pips" and painted.text == "1"
    return _Skin(points, slopes, mark, np.maximum(wide, 1e-3), first)


def _looked_up(tile: NDArray[np.uint8], at: Float64Array) -> Float64Array:
    """A tile's values at places over [-1, 1] × [-1, 1], y downwards."""
    if not len(at):
        return np.zeros(0)
    pixels = ((at * 0.5 + 0.5) * tile.shape[0] - 0.5).astype(np.float32)
    # remap takes at most 32,767 rows.
    found = [
        cv2.remap(
            tile.astype(np.float32), some[:, :1], some[:, 1:], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        for some in np.array_split(pixels, len(pixels) // 30_000 + 1)
    ]
    return np.concatenate(found)[:, 0].astype(np.float64)


def die_mesh(die: LaidDie, number: int, marks: Atlas, eye: Float64Array, focal: float) -> Mesh:
    """The die as it lies, as fine as the picture shows it.

    Args:
        die: what to build.
        number: its place among the scene's dice, from 0; swirls differ by it.
        marks: all tiles.
        eye: the lens, mm.
        focal: in pixels.
    """
    pixel = float(np.linalg.norm(eye - die.place)) / focal / die.inner
    fine = max(0.9 * pixel, 0.006)
    towards = _unit((eye - die.place) @ die.turn)
    points, triangles = coarse(die)
    skin = _skin(die, points, marks)
    for _ in range(_ROUNDS):
        points, triangles = split(skin.points, triangles, partial(_too_long, die, skin, fine, towards))
        if len(points) == len(skin.points):
            break
        skin = _skin(die, points, marks)
    paint, inked = _painted(die, number, skin, fine)
    low = _depth(die, skin)
    points = skin.points - low[:, None] * skin.slopes
    cut = np.abs(skin.mark) < skin.wide + 2 * fine
    slopes = np.where((cut & (die.depth > 0))[:, None], _geometric(points, triangles), skin.slopes)
    lifted = die.place + _LIFT
    return Mesh(points * die.inner @ die.turn.T + lifted, triangles, slopes @ die.turn.T, paint, inked)


def _too_long(die: LaidDie, skin: _Skin, fine: float, towards: Float64Array, edges: Numbers) -> NDArray[np.bool_]:
    """Edges over which the picture would show that the surface is made of triangles."""
    a, b = edges.T
    length = np.linalg.norm(skin.points[a] - skin.points[b], axis=1)
    zone = np.where(
        skin.mark > 0, np.maximum(skin.mark - skin.wide, 0) if die.depth > 0 else skin.mark, -skin.mark
    )
    at_the_paint = (zone[a] + zone[b] < 1.2 * length) | ((skin.mark[a] > 0) != (skin.mark[b] > 0))
    bent = (skin.slopes[a] * skin.slopes[b]).sum(axis=1) < 0.97
    busy = at_the_paint | bent | (die.swirl > 0.02)
    shown = np.maximum(skin.slopes[a] @ towards, skin.slopes[b] @ towards) > -0.15
    longest = fine * np.where(shown, 1.0, 2.0 if die.clear > 0 else 6.0)
    return np.asarray(busy & (length > 1.4 * longest))


def _depth(die: LaidDie, skin: _Skin) -> Float64Array:
    """How far below the smooth surface each corner lies: bowls for pips, walls and a flat ground for numerals."""
    share = np.clip(skin.mark / skin.wide, 0, 1)
    if die.kind == "d6":
        return np.asarray(die.depth * 0.55 * skin.wide * (1 - (1 - share) ** 2))
    return np.asarray(die.depth * 0.07 * share * share * (3 - 2 * share))


def _painted(die: LaidDie, number: int, skin: _Skin, fine: float) -> tuple[Float64Array, Float64Array]:
    """Colours (n, 3) and the share of ink (n,)."""
    soft = max(0.5 * fine, 0.008)
    share = np.clip((skin.mark + soft) / (2 * soft), 0, 1)
    inked = share * share * (3 - 2 * share)
    paint = np.broadcast_to(np.array(die.body), skin.points.shape)
    if die.swirl > 0:
        at = skin.points / die.grain + number * 13.0
        veins = np.clip((cloud(at + 1.5 * cloud(at * 0.6 + 3.0)[:, None]) - 0.42) / 0.2, 0, 1)
        blend = (veins * veins * (3 - 2 * veins) * die.swirl)[:, None]
        paint = paint * (1 - blend) + np.array(die.second) * blend
    # Of a clear die light takes the colour on its way through, so its surface may take little of it.
    paint = paint * (1 - die.clear) + np.clip(1.4 * paint + 0.08, 0, 1) ** 0.5 * die.clear
    ink = np.where(skin.first[:, None], np.array(die.ink_of_one), np.array(die.ink))
    return paint * (1 - inked[:, None]) + ink * inked[:, None], inked


def _geometric(points: Float64Array, triangles: Numbers) -> Float64Array:
    """Unit normals at corners, from the triangles round them."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    corners = triangles.ravel()
    summed = [np.bincount(corners, np.repeat(across[:, k], 3), len(points)) for k in range(3)]
    return _unit(np.stack(summed, 1))


def _unit(vectors: Float64Array) -> Float64Array:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12))


def cloud(points: Float64Array) -> Float64Array:
    """The shader's noise in three octaves, 0 to 1, at points (n, 3)."""
    return np.asarray(
        0.55 * _noise(points) + 0.3 * _noise(points * 2.1 + 5.0) + 0.15 * _noise(points * 4.3 + 9.0), np.float64
    )


def _noise(points: Float64Array) -> Float64Array:
    low = np.floor(points)
    share = points - low
    share = share * share * (3 - 2 * share)
    total = np.zeros(len(points))
    for corner in np.ndindex(2, 2, 2):
        weight = np.where(corner, share, 1 - share).prod(axis=1)
        place = np.modf((low + corner) * 0.3183099 + 0.1 + 1000)[0] * 17.0
        total += weight * np.modf(place.prod(axis=1) * place.sum(axis=1))[0]
    return total


def thing_mesh(thing: Thing) -> Mesh:
    """A rod with round ends or a block with round edges, in triangles."""
    points, slopes, triangles = _rod(thing) if thing.rod else _block(thing)
    triangles = _each_outwards(points - thing.middle, triangles)
    paint = np.array(thing.colour) * (0.75 + 0.5 * cloud(points * 0.25))[:, None]
    return Mesh(points + _LIFT, triangles, slopes, paint, np.ones(len(points)))


def _rod(thing: Thing) -> tuple[Float64Array, Float64Array, Numbers]:
    """Rings from pole to pole; the rod's length lies between two rings."""
    axis = _unit(thing.end - thing.start)
    side = _unit(np.cross(axis, [0.3, 0.5, 0.81]))
    other = np.cross(axis, side)
    rise = np.concatenate([np.linspace(-np.pi / 2, 0, 10), np.linspace(0, np.pi / 2, 10)])
    # Along the rod, rings stand close enough for its mottled colour.
    between = np.linspace(0, 1, max(2, int(np.linalg.norm(thing.end - thing.start) / 2)))
    rise = np.concatenate([rise[:10], np.zeros(len(between) - 2), rise[10:]])
    along = np.concatenate([np.zeros(9), between, np.ones(9)])
    turn = np.linspace(0, 2 * np.pi, 33)
    round_about = np.cos(turn)[:, None] * side + np.sin(turn)[:, None] * other
    slopes = np.cos(rise)[:, None, None] * round_about + (np.sin(rise)[:, None] * axis)[:, None]
    points = (thing.start + along[:, None] * (thing.end - thing.start))[:, None] + thing.radius * slopes
    return points.reshape(-1, 3), slopes.reshape(-1, 3), _net(len(rise), len(turn))


def _block(thing: Thing) -> tuple[Float64Array, Float64Array, Numbers]:
    """Six nets over a box; near its edges they are bent round."""
    half = thing.end
    radius = min(thing.radius, float(half.min()))
    points: list[Float64Array] = []
    slopes: list[Float64Array] = []
    triangles: list[Numbers] = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            others = [k for k in range(3) if k != axis]
            lines = [_lines(half[k], radius) for k in others]
            net = np.zeros((len(lines[0]), len(lines[1]), 3))
            net[..., axis] = sign * half[axis]
            net[..., others[0]], net[..., others[1]] = np.meshgrid(*lines, indexing="ij")
            flat: Float64Array = net.reshape(-1, 3)
            inner = np.clip(flat, radius - half, half - radius)
            slope = _unit(flat - inner)
            triangles.append(_net(len(lines[0]), len(lines[1])) + sum(len(some) for some in points))
            points.append(inner + radius * slope)
            slopes.append(slope)
    c, s = np.cos(thing.yaw), np.sin(thing.yaw)
    turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    return np.concatenate(points) @ turn + thing.start, np.concatenate(slopes) @ turn, np.concatenate(triangles)


def _lines(half: float, radius: float) -> Float64Array:
    """Where a net over a side of a box has its lines: close together where it bends."""
    bent = half - radius + radius * np.tan(np.linspace(0, np.pi / 4, 6))
    flat = np.linspace(radius - half, half - radius, max(2, int(half)))
    return np.unique(np.concatenate([-bent, flat, bent]))


def _net(rows: int, columns: int) -> Numbers:
    """Two triangles for each mesh of a net of corners."""
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    one = np.stack([corner, corner + 1, corner + columns], 1)
    two = np.stack([corner + 1, corner + columns + 1, corner + columns], 1)
    return np.concatenate([one, two])
