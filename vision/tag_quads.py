"""Where in a picture a tag could stand, and where the edges of one that was read really are.

A tag is a dark square in a light rim. One whose rim or corner is covered leaves a dark patch with a dent, or one
that lacks a corner: such patches are tried as well, where there is time for it. Numbers here are set by hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float64Array, GrayImage

_MOST_QUADS = 6000
"""Quadrangles that are looked into. Bound by time."""
_LEAST_AROUND, _LEAST_AREA = 32, 42.7
"""Pixels round the smallest quadrangle that is looked into, and in it."""
_LEAST_FULL, _LEAST_BROKEN = 0.75, 0.15
"""The least share of its quadrangle that a dark patch fills, and one whose border is broken."""
_MOST_BORDER_ERRORS = 0.35
"""The share of border and rim that may look otherwise in a patch that is worth a closer look."""
_COARSE, _FINE = 0.05, 0.025
"""How far an outline may be from the corners that stand for it, as a share of its length."""
_MOST_ADDED, _MOST_RATIO, _LEAST_SIDE = 0.15, 4, 0.9
"""The share of a patch that may be missing at its corners; of its longest side to its shortest; and of this to the
smallest window. Measured: of 4000 tags that were read the least had 1.2."""


def dark_quadrangles(
    picture: GrayImage, windows: Sequence[int], contrast: float, cells: int, *, broken: bool
) -> Iterator[tuple[Float64Array, bool]]:
    """Corners (4, 2) of dark quadrangles on lighter ground, clockwise as seen, px; each once, whole ones first.

    Args:
        windows: sides of the squares (px) whose mean tells dark from light; the first is about the least tag.
        contrast: grey levels between dark and light.
        cells: how many cells are along a side of what is looked for.
        broken: whether patches that only could be a quadrangle are given too, where they have a dark border in a
            light rim; they come with ``True``.
    """
    known: dict[tuple[int, ...], None] = {}
    later: list[Float64Array] = []
    for window in windows:
        if window >= min(picture.shape):
            continue
        dark = cv2.adaptiveThreshold(
            picture, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, window, contrast / 2
        )
        outlines, _ = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        now: list[Float64Array] = []
        for outline in (one for one in outlines if len(one) >= _LEAST_AROUND):
            for quad, whole in _quadrangles(np.asarray(outline, np.int32), windows[0], broken):
                (now if whole else later).append(quad)
        # What is whole is looked at more kindly.
        for quad in _new_and_bordered(picture, now, known, contrast / 2, cells):
            yield quad, False
    for quad in _new_and_bordered(picture, later, known, contrast, cells):
        yield quad, True


def _new_and_bordered(
    picture: GrayImage,
    quads: Sequence[Float64Array],
    known: dict[tuple[int, ...], None],
    contrast: float,
    cells: int,
) -> Iterator[Float64Array]:
    """Those that are not known yet and are bordered like a tag; they are known from now on."""
    new = []
    for quad in quads:
        about = tuple(int(place) // 3 for place in quad[np.argsort(quad[:, 0] + 2 * quad[:, 1])].ravel())
        if about not in known and len(known) < _MOST_QUADS:
            known[about] = None
            new.append(quad)
    if new:
        every = np.array(new)
        yield from every[_is_bordered(picture, every, contrast, cells)]


def _is_bordered(picture: GrayImage, quads: Float64Array, contrast: float, cells: int) -> npt.NDArray[np.bool_]:
    """Which quads (N, 4, 2) have, by and large, a dark border in a light rim."""
    border, rim = _square_outline(0.5, cells), _square_outline(-0.5, cells)
    x, y = np.concatenate([border, rim]).T / cells
    shares = np.stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y])
    spots = np.einsum("cp,ncd->npd", shares, quads).astype(np.float32)
    grey = cv2.remap(picture, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inner, outer = grey[:, : len(border)], grey[:, len(border) :]
    dark, light = np.median(inner, axis=1), np.median(outer, axis=1)
    middle = ((dark + light) / 2)[:, None]
    border_errors = (inner > middle).sum(axis=1) + (outer < middle).sum(axis=1)
    return np.asarray((light - dark >= contrast) & (border_errors < _MOST_BORDER_ERRORS * len(x)))


def _square_outline(inset: float, cells: int) -> Float64Array:
    """Places (N, 2) round a square, a cell apart, ``inset`` cells inside its edges."""
    steps = np.arange(inset, cells - inset)
    far = np.full(len(steps), cells - inset)
    near, back = np.full(len(steps), inset), steps[::-1] + 1
    sides = ([steps, near], [far, steps], [back, far], [near, back])
    return np.concatenate([np.column_stack(side) for side in sides])


def _quadrangles(outline: npt.NDArray[np.int32], side: float, broken: bool) -> Iterator[tuple[Float64Array, bool]]:
    """The four corners of a dark patch, with ``True``; if it is ``broken``, those that it could have.

    Outlines of light patches run the other way round.
    """
    area = -cv2.contourArea(outline, oriented=True)
    if area < _LEAST_AREA:
        return
    hull = cv2.convexHull(outline, clockwise=False)
    around = cv2.arcLength(hull, True)
    corners = _corners(hull, _COARSE * around)
    if len(corners) == 4:
        filled = area / max(cv2.contourArea(corners.astype(np.float32)), 1e-6)
        if _is_square(corners, side) and filled >= (_LEAST_BROKEN if broken else _LEAST_FULL):
            yield corners, filled >= _LEAST_FULL
    if not broken:
        return
    # A cut corner can be lost in coarse strokes; in finer ones it shows.
    corners = _corners(hull, _FINE * around) if 4 <= len(corners) <= 6 else corners
    squared = _undo_cut_corners(corners) if 5 <= len(corners) <= 7 else None
    if squared is not None and _is_square(squared, side):
        yield squared, False


def _corners(hull: npt.NDArray[Any], off: float) -> Float64Array:
    return np.asarray(cv2.approxPolyDP(hull, off, True), np.float64).reshape(-1, 2)


def _is_square(quad: Float64Array, side: float) -> bool:
    """Whether its sides are about ``side`` px or more, and as much alike as a square's that is seen obliquely."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return bool(_LEAST_SIDE * side <= sides.min() >= sides.max() / _MOST_RATIO)


def _undo_cut_corners(corners: Float64Array) -> Float64Array | None:
    """A convex outline (N, 2) with its shortest cuts undone, until four corners are left."""
    most = _MOST_ADDED * cv2.contourArea(corners.astype(np.float32))
    left: list[list[float]] = corners.tolist()
    added = 0.0
    while len(left) > 4:
        rolled = [left[at:] + left[:at] for at in range(len(left))]
        met = [_intersection(*turned[:4]) for turned in rolled]
        cost, at = min((cost, at) for at, (_, cost) in enumerate(met))
        added += cost
        if added > most:
            return None
        # The sides before and after the cut are drawn out to where they meet.
        left = [rolled[at][0], met[at][0], *rolled[at][3:]]
    return np.array(left)


def _intersection(
    a: Sequence[float], b: Sequence[float], c: Sequence[float], d: Sequence[float]
) -> tuple[list[float], float]:
    """Where the first and the third side of an outline meet beyond the second, and the area that is won."""
    (ux, uy), (vx, vy) = (b[0] - a[0], b[1] - a[1]), (c[0] - d[0], c[1] - d[1])
    turn = ux * vy - uy * vx
    share = ((d[0] - a[0]) * vy - (d[1] - a[1]) * vx) / turn if abs(turn) >= 1e-9 else 0.0
    if share <= 1:
        return [], math.inf
    x, y = a[0] + share * ux, a[1] + share * uy
    return [x, y], abs((b[0] - x) * (c[1] - y) - (b[1] - y) * (c[0] - x)) / 2


_ALONG = np.linspace(0.06, 0.94, 24)
_ACROSS = np.linspace(-0.8, 0.8, 25)
"""Where the border is looked at: shares of a side, and cells outward from it."""
_TONES = np.asarray((np.arange(256) / 255) ** 1.6, np.float32)
"""Light, about, of grey levels. Pictures brighten the dark; blurred black would look too small in them."""
_LEAST_STEP, _ENOUGH_POINTS = 0.02, 10
"""Light between a border and its rim, and points along it, from which there is an edge."""


def refine_on_edges(picture: GrayImage, quad: Float64Array, cells: int) -> Float64Array | None:
    """The corners (4, 2) of a tag put where its four edges cross; nothing where one of them is not clear.

    Args:
        quad: its corners, px, each less than half a cell out.
        cells: how many cells are along a side; the outermost are dark, and a light rim is round them.
    """
    ahead = np.roll(quad, -1, axis=0)
    along = ahead - quad
    lengths = np.linalg.norm(along, axis=1)
    cell = float(lengths.mean()) / cells
    outward = np.column_stack([along[:, 1], -along[:, 0]]) / lengths[:, None]
    if cv2.contourArea(quad.astype(np.float32), oriented=True) < 0:
        outward = -outward
    across = _ACROSS * cell
    places = quad[:, None] + along[:, None] * _ALONG[:, None]
    spots = (places[:, :, None] + outward[:, None, None] * across[:, None]).reshape(-1, len(across), 2)
    grey = cv2.remap(
        picture, spots[..., 0].astype(np.float32), spots[..., 1].astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    light = _TONES[grey].reshape(4, len(_ALONG), len(across))
    steps = _edge_offsets(light, across)
    lines = []
    for side in range(4):
        line = _fit_line(steps[side], 0.04 * cell)
        if line is None:
            return None
        near, far = quad[side] + outward[side] * line[0], ahead[side] + outward[side] * (line[0] + line[1])
        lines.append(np.cross([*near, 1.0], [*far, 1.0]))
    crossed = np.array([np.cross(lines[at - 1], lines[at]) for at in range(4)])
    if np.abs(crossed[:, 2]).min() < 1e-12:
        return None
    found = crossed[:, :2] / crossed[:, 2:]
    return found if np.linalg.norm(found - quad, axis=1).max() < cell else None


def _edge_offsets(light: npt.NDArray[np.float32], across: Float64Array) -> Float64Array:
    """How far outward (4, N) dark becomes light beside each side; not a number where it does not."""
    cell = float(across[-1]) / 0.8
    inner, outer = (across > -0.6 * cell) & (across < -0.3 * cell), (across > 0.35 * cell) & (across < 0.65 * cell)
    dark, bright = (np.median(light[:, :, part], axis=(1, 2)) for part in (inner, outer))
    half = ((dark + bright) / 2)[:, None, None]
    rises = (light[..., :-1] < half) & (light[..., 1:] >= half) & (bright - dark > _LEAST_STEP)[:, None, None]
    at = np.where(rises, np.abs(across[:-1] + across[1:]), np.inf).argmin(axis=2)[..., None]
    low, high = np.take_along_axis(light, at, 2)[..., 0], np.take_along_axis(light, at + 1, 2)[..., 0]
    share = (half[..., 0] - low) / np.maximum(high - low, 1e-6)
    found = across[at[..., 0]] + share * (across[1] - across[0])
    return np.asarray(np.where(rises.any(axis=2), found, np.nan), np.float64)


def _fit_line(steps: Float64Array, least: float) -> tuple[float, float] | None:
    """The straight line (at the start, and what it rises along the side) through steps (N,), without strays."""
    good = ~np.isnan(steps)
    line = 0.0, 0.0
    for _ in range(3):
        if good.sum() < _ENOUGH_POINTS:
            return None
        along, seen = _ALONG[good], steps[good]
        about = along - along.mean()
        rise = float(about @ seen) / float(about @ about)
        start = float(seen.mean()) - rise * float(along.mean())
        line = start, rise
        away = np.abs(steps - start - rise * _ALONG)
        limit = max(2.5 * float(np.median(away[good])), least)
        good = ~np.isnan(steps) & (np.nan_to_num(away, nan=np.inf) < limit)
    return line
