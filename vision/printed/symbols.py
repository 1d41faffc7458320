"""Recognising a symbol by its looks: the second cue, which knows nothing of the ring's word.

The pictures it compares with are those of the printed sides themselves, kept in ``models/printed-symbols.png``
(made by ``python -m docs.site.printed_symbols``): one square for each face of a Weave die and a coin, in the order
of ``FACES``. Numbers here are set by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import cv2
import numpy as np

from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.ring_codes import CELLS_INSIDE
from loomtable.vision.arrays import Float64Array, GrayImage
from loomtable.vision.pictures import read_picture
from loomtable.vision.printed.rings import Ring, sample_bilinear

FACES: tuple[Face, ...] = (*Die.WEAVE.faces, *Die.COIN.faces)
SIDE = 48
"""Pixels across one kept picture, which shows the disc inside the cells. As made."""
REACH = CELLS_INSIDE
"""What half a picture's side is, in ring radii."""
_GRID = 28
"""Cells along a side, which are compared."""
_BLURS, _ROTATIONS, _SHIFTS = (0.3, 0.9, 1.7), (-8.0, 0.0, 8.0), (-1.2, 0.0, 1.2)
"""By how much the kept pictures are blurred, turned (degrees) and moved; in cells of the grid."""


@dataclass(frozen=True)
class SymbolMatch:
    """The symbol in a ring, by its looks."""

    face: Face
    correlation: float
    """Correlation with the kept picture, -1 to 1."""
    margin: float
    """By how much it is better than the next face's."""


def _grid_places() -> tuple[Float64Array, np.typing.NDArray[np.bool_]]:
    line = (np.arange(_GRID) + 0.5) / _GRID * 2 - 1
    x, y = np.meshgrid(line, line)
    return np.stack([x, y], axis=-1) * REACH, np.hypot(x, y) < 0.93


_PLACES, _DISC = _grid_places()


@lru_cache(maxsize=1)
def _templates() -> tuple[Float64Array, np.typing.NDArray[np.intp]]:
    """Kept pictures a little blurred, turned and shifted, as unit vectors (n, pixels); and the face of each."""
    strip = cv2.cvtColor(read_picture(package_file("models", "printed-symbols.png")), cv2.COLOR_BGR2GRAY)
    vectors, of = [], []
    for at in range(len(FACES)):
        whole = strip[:, at * SIDE : (at + 1) * SIDE].astype(np.float32)
        for blur, rotation, dx, dy in product(_BLURS, _ROTATIONS, _SHIFTS, _SHIFTS):
            place = np.asarray(
                cv2.getRotationMatrix2D(((SIDE - 1) / 2, (SIDE - 1) / 2), rotation, 1.0), np.float64
            )
            place[:, 2] += np.array([dx, dy]) * SIDE / _GRID
            moved = cv2.warpAffine(whole, place, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
            if blur:
                moved = cv2.GaussianBlur(moved, (0, 0), blur * SIDE / _GRID)
            small = cv2.resize(moved, (_GRID, _GRID), interpolation=cv2.INTER_AREA)
            vectors.append(_unit(small[_DISC].astype(np.float64)))
            of.append(at)
    return np.array(vectors), np.array(of, np.intp)


def _unit(values: Float64Array) -> Float64Array:
    level = values - values.mean()
    return np.asarray(level / max(float(np.linalg.norm(level)), 1e-6))


def match_symbol(grey: GrayImage, ring: Ring, rotation: float) -> SymbolMatch:
    """The symbol in a ring whose head is turned by ``turn`` radians clockwise."""
    cos, sin = np.cos(rotation), np.sin(rotation)
    places = ring.points(_PLACES @ np.array([[cos, -sin], [sin, cos]]).T)
    vectors, of = _templates()
    correlations = vectors @ _unit(sample_bilinear(grey, places)[_DISC])
    best = np.full(len(FACES), -1.0)
    np.maximum.at(best, of, correlations)
    order = np.argsort(-best)
    first, second = float(best[order[0]]), float(best[order[1]])
    return SymbolMatch(FACES[int(order[0])], first, first - second)
