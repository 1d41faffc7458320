"""Faces: which pips belong to one face of a die, and which of the six layouts they make.

The first cue. The pips of one face are circles seen under one affine map, so their common ellipse gives the
map up to a rotation: measured in that ellipse, a face is seen from straight above again. A four, five or six must
then be a square of pips, with or without its centre or two sides' middles; a three a straight line with its
middle; pips of a side face have other ellipses and do not fit in.

All limits here were set by hand, unless it is said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float64Array
from loomtable.vision.dice.pips.spots import Pips

Rows = npt.NDArray[np.intp]

SITES = tuple((u, v) for u in (-1, 0, 1) for v in (-1, 0, 1))
SIDE_OVER_PITCH = 1.85
"""Half a face's side in units of the distance from its centre to an outer row of pips."""
SIDE_OVER_PITCH_OF_SIX = 1.5
"""The same for a six, whose three pips in a row reach further out. Medians of the tuning photographs."""
TYPICAL_PITCH = 2.75
"""Distance between the outer rows in pip diameters, where one pip alone must tell."""

# Pips that may be of one face.
_APART = (1.4, 6.6)
"""Their distance in diameters."""
_SMALL_PIP = 9.0
"""Diameter (px) below which pips may differ more."""
_AREA_RATIO, _AREA_RATIO_OF_SMALL = 1.9, 2.3
"""Area of the larger to the smaller, at most."""
_SWELL, _SWELL_OF_SMALL = 1.17, 1.25
"""Area of the mean of their ellipses to the mean of their areas, at most: more, and the ellipses cross."""
_SAME_WAY = 0.5
"""Scalar product of their steps from body to ink, in squares of the fainter one's, at least."""
_OTHER_COLOUR = 0.75
"""Distance of their inks, and of their bodies, in contrasts of the fainter one, at most."""

# Fours, fives and sixes.
_DIAGONAL = (2.1, 6.6)
"""Length of a diagonal in pip diameters."""
_CROSSING = 0.45
"""How far apart the middles of both diagonals may be, in pip diameters."""
_HALF_PITCH = (0.7, 2.3)
"""Half the distance between outer rows, in pip diameters."""
_OBLONG, _OBLONG_UNLESS_SIX = 1.9, 1.45
"""Longer over shorter side of the outer pips' frame, at most."""
_MAX_SHEAR = 0.35
"""Cosine between the sides of the frame, at most."""
_INSIDE = 1.25
"""How far out, in half pitches, another pip of the face may lie."""
_OFF_SITE = 0.3
"""How far from its site, in half pitches, a pip may lie."""
_STRETCH_OF_SIX = 0.4
"""What the stretch of a six's frame counts, in parts of another face's."""
_PER_STRAY = 0.3
"""What a pip at no site adds to the skew."""

# Twos and threes.
_ACROSS_FACE = (1.45, 6.2)
"""Distance of the outer two in pip diameters."""

# Ones.
_EDGE_PER_REACH = 0.93
"""Half the side of a one's face in the reach of its body."""
_HALF_SIDE_OF_ONE = (1.6, 3.6)
"""The least and the most of it, in pip diameters."""


def determinant(matrix: Float64Array) -> float:
    """Of one matrix (2, 2): for so small a one the library takes twenty times as long."""
    (a, b), (c, d) = matrix.tolist()
    return float(a * d - b * c)


@dataclass(frozen=True)
class FaceFit:
    """One face as its pips tell it."""

    value: int
    pips: tuple[int, ...]
    """Rows of the candidates that make it up."""
    centre: Float64Array
    """(2,): x, y in pixels."""
    axes: Float64Array
    """(2, 2): columns are the steps, in pixels, from the centre to the outer rows along both sides."""
    ellipse: Float64Array
    """(2, 2): the pips' mean covariance in square pixels."""
    residual: float
    """Largest distance of a pip from its site, in units of the half pitch."""
    skew: float
    """How far the frame is from a square seen in the pips' own ellipse: 0 is square."""

    @property
    def diameter(self) -> float:
        """Mean pip diameter in pixels."""
        return float(4 * determinant(self.ellipse) ** 0.25)

    @property
    def aspect_ratio(self) -> float:
        """Short over long axis of the pips: 1 seen from straight above, 0.5 at 30 degrees above the table."""
        (xx, xy), (_, yy) = self.ellipse.tolist()
        mean, half = (xx + yy) / 2, math.hypot((xx - yy) / 2, xy)
        return math.sqrt(max(mean - half, 0.0) / (mean + half))

    @property
    def pitch(self) -> float:
        """Distance between the outer rows in pip diameters."""
        return float(2 * abs(determinant(self.axes)) ** 0.5 / self.diameter)

    @property
    def half_side(self) -> float:
        """Half the face's side in units of ``axes``."""
        return SIDE_OVER_PITCH_OF_SIX if self.value == 6 else SIDE_OVER_PITCH

    @property
    def side(self) -> float:
        """Mean side of the face in pixels, foreshortened as it is seen."""
        return float(2 * self.half_side * abs(determinant(self.axes)) ** 0.5)

    @property
    def corners(self) -> Float64Array:
        """(4, 2): the corners of the face in pixels, in order round it."""
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * self.half_side
        return np.asarray(self.centre + square @ self.axes.T)

    def outward(self, point: Float64Array) -> float:
        """How far out a point lies in half sides: 0 in the middle, 1 on the face's edge."""
        return float(np.abs(np.linalg.solve(self.axes, point - self.centre)).max() / self.half_side)


@dataclass(frozen=True)
class _Pairs:
    """Pips that could lie on one face, two by two (``i < j``), with their distance in pip diameters."""

    i: Rows
    j: Rows
    apart: Float64Array
    alike: npt.NDArray[np.bool_]
    """(n, n) bool: which candidates could lie on one face at all."""


def fit_faces(pips: Pips) -> list[FaceFit]:
    """Every face that some pips could make, the surest and fullest first; they overlap."""
    if not len(pips):
        return []
    pairs = _pairs(pips)
    fits = [*_squares(pips, pairs), *_lines(pips, pairs), *_singles(pips)]
    return sorted(fits, key=lambda fit: (-fit.value, fit.residual + fit.skew))


def _pairs(pips: Pips) -> _Pairs:
    step = pips.centre[:, None] - pips.centre[None]
    mean = (pips.spread[:, None] + pips.spread[None]) / 2
    apart = np.sqrt(np.maximum(_quadratic(_inverse(mean), step), 0)) / 4
    area = np.sqrt(determinants(pips.spread))
    ratio = np.maximum(area[:, None], area) / np.minimum(area[:, None], area)
    # The mean of two like ellipses is no larger than they; of two ellipses that cross it is.
    swell = np.sqrt(determinants(mean)) / np.sqrt(area[:, None] * area)
    contrast = np.minimum(pips.contrast[:, None], pips.contrast)
    ink = np.linalg.norm(pips.ink[:, None] - pips.ink[None], axis=2)
    body = np.linalg.norm(pips.body[:, None] - pips.body[None], axis=2)
    same_way = np.einsum("nc,mc->nm", pips.ink - pips.body, pips.ink - pips.body) > _SAME_WAY * contrast**2
    small = np.minimum(pips.diameter[:, None], pips.diameter) < _SMALL_PIP
    alike = (apart < _APART[1]) & (ratio < np.where(small, _AREA_RATIO_OF_SMALL, _AREA_RATIO))
    alike &= swell < np.where(small, _SWELL_OF_SMALL, _SWELL)
    alike &= same_way & (ink < _OTHER_COLOUR * contrast) & (body < _OTHER_COLOUR * contrast)
    np.fill_diagonal(alike, False)
    i, j = np.nonzero(np.triu(alike & (apart > _APART[0])))
    return _Pairs(i, j, apart[i, j], alike)


def _inverse(matrices: Float64Array) -> Float64Array:
    a, b, d = matrices[..., 0, 0], matrices[..., 0, 1], matrices[..., 1, 1]
    determinant = np.maximum(a * d - b * b, 1e-9)
    return np.stack([d, -b, -b, a], axis=-1).reshape(matrices.shape) / determinant[..., None, None]


def determinants(matrices: Float64Array) -> Float64Array:
    """(...) of symmetric matrices (..., 2, 2)."""
    return np.asarray(matrices[..., 0, 0] * matrices[..., 1, 1] - matrices[..., 0, 1] ** 2)


def _quadratic(matrices: Float64Array, steps: Float64Array) -> Float64Array:
    return np.asarray(np.einsum("...i,...ij,...j->...", steps, matrices, steps))


def _whitening(ellipses: Float64Array) -> Float64Array:
    """The maps (..., 2, 2) under which ellipses (..., 2, 2) are circles of diameter one: a quarter of the inverse
    of their roots, which for two rows and columns is no more than this."""
    root = np.sqrt(np.maximum(determinants(ellipses), 1e-9))
    trace = ellipses[..., 0, 0] + ellipses[..., 1, 1]
    whole = (ellipses + root[..., None, None] * np.eye(2)) / np.sqrt(trace + 2 * root)[..., None, None]
    return np.asarray(_inverse(whole) / 4)


def _squares(pips: Pips, pairs: _Pairs) -> Iterator[FaceFit]:
    """Fours, fives and sixes: two diagonals that halve each other."""
    diagonal = np.flatnonzero((pairs.apart > _DIAGONAL[0]) & (pairs.apart < _DIAGONAL[1]))
    i, j = pairs.i[diagonal], pairs.j[diagonal]
    middle = (pips.centre[i] + pips.centre[j]) / 2
    reach = _CROSSING * (pips.diameter[i] + pips.diameter[j]) / 2
    cells: dict[tuple[int, int], list[int]] = {}
    for row, (x, y) in enumerate((middle // 16).astype(int).tolist()):
        cells.setdefault((x, y), []).append(row)
    seen: set[tuple[int, ...]] = set()
    for row, (x, y) in enumerate((middle // 16).astype(int).tolist()):
        span = range(-1, 2) if reach[row] < 16 else range(-3, 4)
        near = [r for dx in span for dy in span for r in cells.get((x + dx, y + dy), ()) if r > row]
        for other in near:
            if np.hypot(*(middle[row] - middle[other])) > reach[row]:
                continue
            a, c, b, d = int(i[row]), int(j[row]), int(i[other]), int(j[other])
            key = tuple(sorted((a, b, c, d)))
            if len(set(key)) < 4 or key in seen:
                continue
            seen.add(key)
            if pairs.alike[np.ix_(key, key)].sum() == 12 and (fit := _square(pips, pairs, (a, b, c, d))):
                yield fit


def _square(pips: Pips, pairs: _Pairs, ring: tuple[int, int, int, int]) -> FaceFit | None:
    """The face whose outer pips are ``ring`` (in order round it), or nothing if that is no square."""
    corners = pips.centre[list(ring)]
    ellipse = pips.spread[list(ring)].mean(axis=0)
    centre = corners.mean(axis=0)
    frame = np.column_stack([corners[1] + corners[2] - 2 * centre, corners[2] + corners[3] - 2 * centre]) / 2
    u, v = (_whitening(ellipse) @ frame).T
    long, wide = float(np.hypot(*u)), float(np.hypot(*v))
    shorter, longer = sorted((long, wide))
    if shorter < _HALF_PITCH[0] or longer > _HALF_PITCH[1] or longer > _OBLONG * shorter:
        return None
    shear = abs(float(u @ v)) / (long * wide)
    if shear > _MAX_SHEAR:
        return None
    touching = np.flatnonzero(pairs.alike[list(ring)].sum(axis=0) >= 2)
    inner = np.linalg.solve(frame, (pips.centre[touching] - centre).T).T if len(touching) else np.zeros((0, 2))
    at_site: dict[tuple[int, int], tuple[int, float]] = {}
    strays = 0
    for row, place in zip(touching.tolist(), inner, strict=True):
        if row in ring or np.abs(place).max() > _INSIDE:
            continue
        site = (round(place[0]), round(place[1]))
        off = float(np.abs(place - site).max())
        if off < _OFF_SITE and site not in at_site and 0 in site:
            at_site[site] = (row, off)
        else:
            strays += 1
    filled = frozenset(at_site)
    value = {
        frozenset[tuple[int, int]](): 4,
        frozenset({(0, 0)}): 5,
        frozenset({(0, -1), (0, 1)}): 6,
        frozenset({(-1, 0), (1, 0)}): 6,
    }.get(filled)
    if value is None or (value != 6 and longer > _OBLONG_UNLESS_SIX * shorter):
        return None
    if (0, -1) in filled:
        frame = frame[:, ::-1]
    inside = np.linalg.solve(frame, (corners - centre).T)
    residual = max([float(np.abs(np.abs(inside) - 1).max()), *(off for _, off in at_site.values())])
    # The rows of a six may lie closer or wider than a square; with six pips in place that is no doubt.
    stretch = abs(np.log(long / wide)) * (_STRETCH_OF_SIX if value == 6 else 1.0)
    skew = shear + stretch + _PER_STRAY * strays
    rows = (*ring, *(row for row, _ in at_site.values()))
    return FaceFit(value, rows, centre, frame, pips.spread[list(rows)].mean(axis=0), residual, skew)


def _lines(pips: Pips, pairs: _Pairs) -> Iterator[FaceFit]:
    """Twos and threes: the outer pips lie across the face, from corner to corner."""
    fits = np.flatnonzero((pairs.apart > _ACROSS_FACE[0]) & (pairs.apart < _ACROSS_FACE[1]))
    i, j = pairs.i[fits], pairs.j[fits]
    centres = (pips.centre[i] + pips.centre[j]) / 2
    ellipses = (pips.spread[i] + pips.spread[j]) / 2
    steps = (pips.centre[j] - pips.centre[i]) / 2
    white = _whitening(ellipses)
    across = np.einsum("nij,nj->ni", white, steps)
    rotated = np.einsum("nij,nj->ni", _inverse(white), np.stack([-across[:, 1], across[:, 0]], axis=1))
    frames = np.stack([(steps + rotated) / 2, (steps - rotated) / 2], axis=2)
    off = np.abs(_in_frames(frames, pips.centre[None] - centres[:, None])).max(axis=2, initial=0)
    off[~(pairs.alike[i] & pairs.alike[j])] = np.inf
    between = off.argmin(axis=1)
    for at, (first, last, middle) in enumerate(zip(i.tolist(), j.tolist(), between.tolist(), strict=True)):
        residual = float(off[at, middle])
        if residual < _OFF_SITE:
            rows = (first, last, middle)
            ellipse = pips.spread[list(rows)].mean(axis=0)
            yield FaceFit(3, rows, centres[at], frames[at], ellipse, residual, 0.0)
        else:
            yield FaceFit(2, (first, last), centres[at], frames[at], ellipses[at], 0.0, 0.0)


def _in_frames(frames: Float64Array, steps: Float64Array) -> Float64Array:
    """Steps (n, m, 2) in pixels as parts of the columns of frames (n, 2, 2)."""
    a, b, c, d = (frames[:, row, column, None] for row in (0, 1) for column in (0, 1))
    area = a * d - b * c
    x, y = steps[..., 0], steps[..., 1]
    return np.stack([d * x - b * y, a * y - c * x], axis=-1) / np.where(area == 0, 1e-9, area)[..., None]


def _singles(pips: Pips) -> Iterator[FaceFit]:
    values, vectors = np.linalg.eigh(pips.spread)
    frames = vectors * np.sqrt(np.maximum(values, 1e-6))[:, None, :] * 4 * TYPICAL_PITCH / 2
    for row in range(len(pips)):
        yield FaceFit(1, (row,), pips.centre[row], frames[row], pips.spread[row], 0.0, 0.0)


def single_sized(fit: FaceFit, reach: float) -> FaceFit:
    """A one with the size that its body has: ``reach`` is the body's in pip diameters from the middle."""
    least, most = _HALF_SIDE_OF_ONE
    half = min(max(_EDGE_PER_REACH * reach, least), most)
    return replace(fit, axes=fit.axes * (2 * half / SIDE_OVER_PITCH / TYPICAL_PITCH))
