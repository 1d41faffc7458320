"""Finding rings: dark closed rims on light ground, wherever they lie and however they lean.

A ring is known by its rim's outer edge, a circle on the thing and an ellipse in the picture. The ellipse says
where the ring lies and how its plane leans, but not how it is turned in that plane: that is in its word. Numbers
here are set by hand, on trays below 3,150 of ``benchmarks.printed_scenes``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.engine.kernel.ring_codes import CLEAR_OUTSIDE, RIM_INSIDE
from loomtable.vision.arrays import Float64Array, GrayImage

LEAST_RADIUS = 7.0
"""Smallest half long axis, in pixels, at which a ring is looked for."""
RingPass = tuple[float, float]
"""How much the picture is enlarged, and by which share of the light a rim must be darker than its ground."""
FIRST_PASSES: tuple[RingPass, ...] = ((1.0, 0.2), (0.5, 0.2), (1.0, 0.4))
"""What finds nearly all rings in nearly all pictures."""
CLOSER_PASSES: tuple[RingPass, ...] = ((1.0, 0.06), (0.5, 0.06), (2.0, 0.06), (2.0, 0.2))
"""A second look, where things are missing: small rings, burnt out ones, and rims that touch their die's edge."""
_ANGLES = 60
"""Spokes of a ring."""
_KERNEL = 17
"""Dark things wider than this many pixels are no rims; in smaller copies of the picture larger ones are found."""
_LARGEST = 240
"""Longest side, in pixels, of a rim in the copy of the picture in which it is looked for."""
_TILE = 1024
"""Side, in pixels of the enlarged picture, of the tiles that are looked at one after another. Bound by memory."""
_SLIMMEST = 0.3
"""Least short over long axis."""
_HALF_RIM = (1 - RIM_INSIDE) / 2
"""Half a rim's breadth, in radii. As made."""
_FILLED = (0.1, 0.75)
"""Share of its box that a rim with its pegs fills, a third to two thirds as a rule; grain and threads do not."""
_HOLLOW = 1.15
"""Area within an outline, in parts of the dark within it, from which there is light in it."""
_DARKER = 3.0
"""Grey levels by which a rim must be darker, beside the share of the light."""
_CONVEX = 0.85
"""Area within an outline, in parts of that of its convex hull, at least."""
_LEAST_AXIS = 4.0
"""Shorter axis of an outline's ellipse, px, at least."""
_FITS_ELLIPSE = (0.88, 1.12)
"""Area within an outline, in parts of its ellipse's."""
_LEAST_RISE, _CLEAR_RISE = 1.0, 0.4
"""Grey levels a step from rim to ground: the median of all spokes; and, in parts of it, one whose edge counts."""
_EDGES_SEEN, _EDGES_FITTED = 0.7, 0.65
"""Shares of the spokes whose edges must be seen, and must lie on the ellipse."""
_AXES_OFF = (0.3, 3.0)
"""Squared inverse axes of the refined ellipse, in those of the guess: beyond these it is another thing."""
_OUTLIER, _LEAST_OUTLIER = 2.5, 0.02
"""Distance from the ellipse of a point that is left out: in median distances, and in radii at least."""
_LEAST_CONTRAST = 12.0
"""Grey levels from the rim to the ground, in the median."""
_DARK_SHARE, _LEAST_CLOSED = 0.4, 0.7
"""Part of the contrast by which a place on the rim is darker than the ground; how many places must be."""
ONE_RING = 0.35
"""Radii within which two rings are one."""


@dataclass(frozen=True)
class Ring:
    """A rim in the picture."""

    centre: Float64Array
    """(2,): x, y in pixels."""
    axes: Float64Array
    """(2, 2): takes places in units of the rim's radius (x right, y down on the thing, up to a rotation) to
    pixels."""
    contrast: float
    """Grey levels from the rim to the ground outside of it."""
    closed: float
    """Share of the rim that is darker than the ground beside it, 0 to 1."""

    @property
    def radius(self) -> float:
        """Half the long axis in pixels."""
        return float(np.linalg.svd(self.axes, compute_uv=False)[0])

    @property
    def aspect_ratio(self) -> float:
        """Short over long axis: 1 as seen from straight above."""
        long, short = np.linalg.svd(self.axes, compute_uv=False)
        return float(short / long)

    @property
    def shape(self) -> Float64Array:
        """(2, 2): the ellipse as a matrix, the same however the ring is rotated in its plane."""
        return np.asarray(self.axes @ self.axes.T)

    def points(self, on_ring: Float64Array) -> Float64Array:
        """Pixels (..., 2) of places (..., 2) in ring units."""
        return np.asarray(on_ring @ self.axes.T + self.centre)

    def inside(self, shape: tuple[int, ...]) -> bool:
        """Whether all of it, with its light ground, lies in a picture of this shape."""
        reach = CLEAR_OUTSIDE * np.linalg.norm(self.axes, axis=1)
        low, high = self.centre - reach, self.centre + reach
        return bool(low.min() >= -1 and high[0] <= shape[1] and high[1] <= shape[0])


def circle_points(angles: int, radii: Sequence[float] | Float64Array) -> Float64Array:
    """Places (angles, radii, 2) in ring units, clockwise from the head."""
    turn = np.arange(angles) * (2 * np.pi / angles)
    ways = np.column_stack([np.sin(turn), -np.cos(turn)])
    return np.asarray(ways[:, None, :] * np.asarray(radii, np.float64)[None, :, None])


def sample_bilinear(grey: GrayImage, places: Float64Array) -> Float64Array:
    """The picture's grey (...) at pixels (..., 2)."""
    at = places.reshape(-1, 1, 2).astype(np.float32)
    samples = cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(samples.reshape(places.shape[:-1]), np.float64)


def find_rings(
    grey: GrayImage, passes: Sequence[RingPass] = FIRST_PASSES, known: Sequence[Ring] = ()
) -> list[Ring]:
    """Every rim in a grey picture, the clearest first; each is found once.

    Smaller copies of the picture show large rings, larger ones small rings. Rings that are ``known`` already are
    given back with them.
    """
    found = list(known)
    if min(grey.shape) < 4 * LEAST_RADIUS:
        return found
    for zoom, share in passes:
        for centre, frame in _ellipses(grey, zoom, share):
            ring = refine_ring(grey, (centre + 0.5) / zoom - 0.5, frame / zoom)
            if ring is not None:
                found.append(ring)
    return _non_max_suppression(found)


def _resized(grey: GrayImage, zoom: float) -> GrayImage:
    if zoom == 1:
        return grey
    how = cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(grey, None, fx=zoom, fy=zoom, interpolation=how), np.uint8)


def _ellipses(grey: GrayImage, zoom: float, share: float) -> Iterator[tuple[Float64Array, Float64Array]]:
    """Centre and frame, in the enlarged picture, of every dark blob that has light in it and whose outline is an
    ellipse.

    Looked for tile by tile: enlarged, a picture of many megapixels would take hundreds of megabytes.
    """
    step, before, after = (2 * round(length / zoom / 2) for length in (_TILE, _KERNEL + 1, _LARGEST + _KERNEL + 1))
    for top in range(0, grey.shape[0], step):
        for left in range(0, grey.shape[1], step):
            y, x = max(top - before, 0), max(left - before, 0)
            tile = _resized(grey[y : top + step + after, x : left + step + after], zoom)
            own = np.array([left - x, top - y]) * zoom
            for corner, (centre, frame) in _ellipses_in(tile, share):
                if ((own <= corner) & (corner < own + _TILE)).all():  # else it is a neighbour's
                    yield centre + np.array([x, y]) * zoom, frame


def _ellipses_in(
    grey: GrayImage, share: float
) -> Iterator[tuple[npt.NDArray[np.int_], tuple[Float64Array, Float64Array]]]:
    """The top left corner of every such blob, and its centre and frame."""
    _, blobs, boxes, _ = cv2.connectedComponentsWithStats(_thin_dark(grey, share), ltype=cv2.CV_32S)
    wide, high, area = boxes[:, cv2.CC_STAT_WIDTH], boxes[:, cv2.CC_STAT_HEIGHT], boxes[:, cv2.CC_STAT_AREA]
    long, short = np.maximum(wide, high), np.minimum(wide, high)
    fits = (long >= 2 * LEAST_RADIUS) & (long <= _LARGEST) & (short >= 2 * LEAST_RADIUS * _SLIMMEST)
    fits &= (area > _FILLED[0] * wide * high) & (area < _FILLED[1] * wide * high)
    for at in np.flatnonzero(fits[1:]) + 1:
        x, y = int(boxes[at, cv2.CC_STAT_LEFT]), int(boxes[at, cv2.CC_STAT_TOP])
        blob = (blobs[y : y + int(high[at]), x : x + int(wide[at])] == at).astype(np.uint8)
        outlines, _ = cv2.findContours(blob, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        outline = np.asarray(max(outlines, key=len), np.int32)
        if cv2.contourArea(outline) > _HOLLOW * float(area[at]):
            fitted = _ellipse(outline)
            if fitted is not None:
                yield np.array([x, y]), (fitted[0] + (x, y), fitted[1])


def _thin_dark(grey: GrayImage, share: float) -> GrayImage:
    """What is darker by a share of the light than the ground on both sides of it, and not wider than the kernel.

    Held against the light nearby and not against a mean: a white die on dark felt would drag its own mean down.
    """
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (_KERNEL, _KERNEL))
    ground = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, kernel)
    # By a table of the 256 grey levels: to multiply all pixels takes eight times their memory.
    limits = np.ceil(np.maximum(np.arange(256) * (1 - share) - _DARKER, 0)).astype(np.uint8)
    return np.asarray(cv2.compare(grey, cv2.LUT(ground, limits), cv2.CMP_LT), np.uint8)


def _ellipse(outline: npt.NDArray[np.int32]) -> tuple[Float64Array, Float64Array] | None:
    _, _, width, height = cv2.boundingRect(outline)
    if max(width, height) < 2 * LEAST_RADIUS or min(width, height) < 2 * LEAST_RADIUS * _SLIMMEST:
        return None
    hull = cv2.convexHull(outline)
    area = cv2.contourArea(outline) + len(outline) / 2
    if area < _CONVEX * (cv2.contourArea(hull) + cv2.arcLength(hull, True) / 2) or len(hull) < 6:
        return None
    (x, y), (wide, high), angle = cv2.fitEllipse(hull)
    if min(wide, high) < _SLIMMEST * max(wide, high) or min(wide, high) < _LEAST_AXIS:
        return None
    if not _FITS_ELLIPSE[0] < area / (np.pi / 4 * (wide + 1) * (high + 1)) < _FITS_ELLIPSE[1]:
        return None
    rotation = np.radians(angle)
    axes = np.array([[np.cos(rotation), -np.sin(rotation)], [np.sin(rotation), np.cos(rotation)]])
    return np.array([x, y]), axes * np.array([wide + 1, high + 1]) / 2


_REACH = np.linspace(0.78, 1.24, 24)
_SCALES = (1.0, 0.94, 1.06)
"""Sizes that are tried, in that of the guess."""
_SPOKES = circle_points(_ANGLES, _REACH)


def refine_ring(grey: GrayImage, centre: Float64Array, frame: Float64Array) -> Ring | None:
    """The rim near a guess, its outer edge refined all round; nothing where there is none."""
    for _ in range(2):
        samples = sample_bilinear(grey, _SPOKES @ frame.T + centre)
        rise = np.gradient(cv2.GaussianBlur(samples, (5, 1), 0.9), axis=1)[:, 1:-1]
        at = rise.argmax(axis=1)
        rows = np.arange(_ANGLES)
        strength = rise[rows, at]
        level = float(np.median(strength))
        if level < _LEAST_RISE:
            return None
        good = (strength > _CLEAR_RISE * level) & (at > 0) & (at < rise.shape[1] - 1)
        if good.sum() < _EDGES_SEEN * _ANGLES:
            return None
        before, after = rise[rows, np.maximum(at - 1, 0)], rise[rows, np.minimum(at + 1, rise.shape[1] - 1)]
        bend = before - 2 * strength + after
        slip = np.where(np.abs(bend) > 1e-6, 0.5 * (before - after) / np.where(bend == 0, 1, bend), 0)
        reach = _REACH[1] + (at + np.clip(slip, -0.5, 0.5)) * (_REACH[1] - _REACH[0])
        ways = circle_points(_ANGLES, (1.0,))[:, 0]
        fitted = _fit_ellipse(ways * reach[:, None], good)
        if fitted is None:
            return None
        middle, inner = fitted
        centre, frame = centre + frame @ middle, frame @ inner
    return _verified(grey, centre, frame)


def refine_ring_near(grey: GrayImage, centre: Float64Array, frame: Float64Array, reach: float) -> Ring | None:
    """The rim at a place where one is looked for, at most ``reach`` pixels from it; also if it is a little larger
    or smaller than was thought."""
    for scale in _SCALES:
        ring = refine_ring(grey, centre, frame * scale)
        if ring is not None and np.linalg.norm(ring.centre - centre) < reach:
            return ring
    return None


def _fit_ellipse(points: Float64Array, good: npt.NDArray[np.bool_]) -> tuple[Float64Array, Float64Array] | None:
    """Centre and frame of the ellipse through points near the unit circle; points that lie off it are left out."""
    for _ in range(3):
        x, y = points[good].T
        terms = np.column_stack([x * x, x * y, y * y, x, y])
        conic, *_ = np.linalg.lstsq(terms, np.ones(len(x)), rcond=None)
        a, b, c, d, e = conic
        matrix = np.array([[a, b / 2], [b / 2, c]])
        if np.linalg.det(matrix) <= 1e-6 or np.trace(matrix) <= 0:
            return None
        middle = -np.linalg.solve(matrix, [d / 2, e / 2])
        scale = 1 + middle @ matrix @ middle
        values, vectors = np.linalg.eigh(matrix / scale)
        if values[0] <= _AXES_OFF[0] or values[1] > _AXES_OFF[1]:
            return None
        inner = vectors @ np.diag(1 / np.sqrt(values)) @ vectors.T
        off = np.abs(np.linalg.norm(np.linalg.solve(inner, (points - middle).T), axis=0) - 1)
        limit = max(_OUTLIER * float(np.median(off[good])), _LEAST_OUTLIER)
        kept = off < limit
        if kept.sum() < _EDGES_FITTED * len(points):
            return None
        if (kept == good).all():
            break
        good = kept
    return middle, inner


_RIM = circle_points(_ANGLES, (1 - _HALF_RIM,))
_OUTSIDE = circle_points(_ANGLES, ((1 + CLEAR_OUTSIDE) / 2 + 0.02,))


def _verified(grey: GrayImage, centre: Float64Array, frame: Float64Array) -> Ring | None:
    """The ring, if its rim is darker all round than the ground outside."""
    sizes = np.linalg.svd(frame, compute_uv=False)
    if sizes[0] < LEAST_RADIUS or sizes[1] < _SLIMMEST * sizes[0] or np.linalg.det(frame) <= 0:
        return None
    rim = sample_bilinear(grey, _RIM @ frame.T + centre)[:, 0]
    outside = sample_bilinear(grey, _OUTSIDE @ frame.T + centre)[:, 0]
    step = outside - rim
    contrast = float(np.median(step))
    if contrast < _LEAST_CONTRAST:
        return None
    closed = float((step > _DARK_SHARE * contrast).mean())
    return Ring(centre, frame, contrast, closed) if closed > _LEAST_CLOSED else None


def _non_max_suppression(rings: list[Ring]) -> list[Ring]:
    """Each ring once: of those that share a middle, the best closed."""
    kept: list[Ring] = []
    for ring in sorted(rings, key=lambda ring: (-round(ring.closed, 1), -ring.contrast * ring.radius)):
        if all(np.linalg.norm(ring.centre - other.centre) > ONE_RING * other.radius for other in kept):
            kept.append(ring)
    return kept
