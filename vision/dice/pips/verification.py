"""The second cue: the face's own pixels, read without the spots that the first one found.

A fitted face is rectified and every pixel is placed between the body's colour (0) and the ink's (1). Each of the
nine sites where a pip may lie must then be clearly inked or clearly bare, and so must the rest of the face: a pip
lost in glare, a scratch or a neighbour's edge shows as a site that is neither.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float64Array
from loomtable.vision.dice.pips.faces import SITES, FaceFit, determinant
from loomtable.vision.pictures import BgrImage
from loomtable.vision.pip_layouts import LAYOUTS

GRID = 41
"""Pixels along the side of a rectified face; the outer sites lie 10 pixels from its middle."""
_UNIT = 10.0
_HALF = GRID // 2
_VALUES = {frozenset(sites): value for value, sites in LAYOUTS.items()}
_Y, _X = np.mgrid[-_HALF : _HALF + 1, -_HALF : _HALF + 1].astype(np.float64)
_FROM_MIDDLE = np.hypot(_X, _Y)
_FROM_SITES = np.stack([np.hypot(_X - _UNIT * u, _Y - _UNIT * v) for u, v in SITES])
_OUT = np.maximum(abs(_X), abs(_Y))
_TO_SITES = np.array([round(_UNIT) * (u + GRID * v) for u, v in SITES])
"""From the middle's pixel to each site's, in a flattened face."""
_BETWEEN = _OUT < 1.3 * _UNIT
"""Where the face lies between and close round its sites."""
_RIM = (_OUT < 1.6 * _UNIT) & (_FROM_MIDDLE < 2.0 * _UNIT) & ~_BETWEEN
"""Its outer strip."""
_CORE, _LEAST_CORE = 0.6, 1.5
"""Radius of the disc at a site that must be inked or bare: in pip radii, and in pixels at least."""
_ROUND_PIP = 1.45
"""Pip radii from a pip's middle to where the body is surely seen."""
_INKED, _UNLIKE_BODY, _FAINTLY_UNLIKE = 0.5, 0.5, 0.35
"""From the body's colour (0) to the ink's (1): from where a site is inked; and how far off the body's colour a
place between the sites, and one on the outer strip, does not count as body. All set by hand."""
_NEXT_SITE = 1.25
"""How far round a lone pip the body must show, in distances from the middle to an outer site; set by hand."""
_CORNERS = tuple(np.maximum(abs(_X - side * _UNIT), abs(_Y + side * _UNIT)) < 4 for side in (-1, 1))
"""Those that hold no pip of a two or three."""


@dataclass(frozen=True)
class Verification:
    """What the pixels of a face say."""

    value: int | None
    """The layout that the inked sites make; nothing where they make none."""
    inked: float
    """The least inked of the layout's sites, 0 to 1."""
    bare: float
    """The most inked of the other sites, 0 to 1."""
    spill: float
    """Share of the face between the sites that is not of the body's colour."""
    rim: float
    """Share of the face's outer strip, beyond the sites, that is not of the body's colour."""
    corner: float
    """The same for the worse of the two corners that hold no pip of a two or three."""

    @property
    def margin(self) -> float:
        """How clearly inked and bare sites differ, at most 1."""
        return self.inked - self.bare


def verify_face(picture: BgrImage, fit: FaceFit, ink: Float64Array, body: Float64Array) -> Verification:
    """Read the face's pixels for themselves.

    Args:
        picture: the picture in which ``fit`` was found.
        fit: the face; only its frame and pip size are used, never its value, except that a face of one pip has
            no known turn, so that only the ring round it can be asked.
        ink: (3,) colour of its pips.
        body: (3,) colour between them.
    """
    axis = ink - body
    length = max(float(axis @ axis), 1.0)
    off = rectify_face(picture, fit).reshape(-1, 3) - body
    along = off @ axis / length
    between = np.clip(along, 0, 1)
    # By Pythagoras, which takes a third of the time that the distances of all colours do.
    across = np.einsum("nc,nc->n", off, off) + length * between * (between - 2 * along)
    shade = np.clip(along, -0.5, 1.5).reshape(GRID, GRID)
    stray = np.sqrt(np.maximum(across, 0) / length).reshape(GRID, GRID)
    radius = _UNIT * fit.diameter / 2 / max(abs(determinant(fit.axes)) ** 0.5, 1e-6)
    if fit.value == 1:
        return _single(shade, stray, radius)
    # The disc about the middle, and the same pixels about each of the sites.
    disc = np.flatnonzero((max(_CORE * radius, _LEAST_CORE) > _FROM_MIDDLE) & (_OUT < _UNIT))
    discs = disc + _TO_SITES[:, None]
    filling, odd = np.median(np.stack([shade.ravel()[discs], stray.ravel()[discs]]), axis=2)
    return _verify(filling, odd, shade, stray, radius)


def _verify(
    filling: Float64Array, odd: Float64Array, shade: Float64Array, stray: Float64Array, radius: float
) -> Verification:
    inked = frozenset(site for site, level in zip(SITES, filling, strict=True) if level > _INKED)
    value = _VALUES.get(inked)
    member = np.array([site in inked for site in SITES])
    least = float(filling[member].min()) if member.any() else 0.0
    # A bare site must have the body's colour, not merely little of the ink's: glare has neither.
    most = float(np.maximum(np.abs(filling), odd)[~member].max()) if not member.all() else 1.0
    clear = (_FROM_SITES[member] if member.any() else _FROM_SITES).min(axis=0) > _ROUND_PIP * radius
    unlike = np.maximum(np.abs(shade), stray)
    spill = _share(unlike > _UNLIKE_BODY, clear & _BETWEEN)
    faint = unlike > _FAINTLY_UNLIKE
    rim = _share(faint, clear & _RIM)
    corners = [_share(faint, corner) for corner in _CORNERS]
    return Verification(value, least, most, spill, rim, max(corners))


def _share(mask: npt.NDArray[np.bool_], zone: npt.NDArray[np.bool_]) -> float:
    # To count takes a third of the time that a mean of what lies in the zone does.
    return float(np.count_nonzero(mask & zone)) / max(int(np.count_nonzero(zone)), 1)


def _single(shade: Float64Array, stray: Float64Array, radius: float) -> Verification:
    """One pip: its middle must be inked, and the ring round it bare as far as any neighbour could lie."""
    unlike = np.maximum(np.abs(shade), stray)
    ring = (_ROUND_PIP * radius < _FROM_MIDDLE) & (_FROM_MIDDLE < _UNIT * _NEXT_SITE)
    middle = max(_CORE * radius, _LEAST_CORE) > _FROM_MIDDLE
    level = float(np.median(shade[middle]))
    spill = float((unlike[ring] > _UNLIKE_BODY).mean())
    return Verification(
        1 if level > _INKED else None, level, float(np.percentile(unlike[ring], 90)), spill, 0.0, 0.0
    )


def rectify_face(picture: BgrImage, fit: FaceFit) -> BgrImage:
    """The face as a square of ``GRID`` pixels, its centre in the middle."""
    scale = fit.axes / _UNIT
    shift = fit.centre - scale @ np.array([_HALF, _HALF])
    warp = np.column_stack([scale, shift])
    flat = cv2.warpAffine(
        picture, warp, (GRID, GRID), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(flat, np.uint8)
