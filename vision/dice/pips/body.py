"""How far a die's body reaches round a pip: what tells a one from a speck on the table.

From the pip's middle, rays run outwards in the pip's own ellipse (so that a face seen obliquely counts as if seen
from above) until the colour is no longer the body's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from loomtable.vision.dice.pips.spots import Pips
from loomtable.vision.pictures import BgrImage

RAYS = 24
REACH = 5.0
"""How far a ray is traced, in pip diameters from the pip's middle."""
_STEP = 0.125
_BORDER, _BORDER_SHARE = 12, 0.1
"""Distance of colours at which the body ends: grey levels, and a share of the pip's contrast more; set by hand."""
_OTHER_BODY = 0.4
"""Distance of a ray's first colours from the body's, in the pip's contrast, from which it begins off the body; set
by hand."""


@dataclass(frozen=True)
class Extent:
    """The body round one spot."""

    nearest: float
    """Where the closest tenth of the rays leave the body, in pip diameters from the middle."""
    third: float
    """Where a third of them have left it."""
    middle: float
    """Where half of them have left it."""
    open_share: float
    """Share of rays that meet no border within reach."""


def extents(picture: BgrImage, pips: Pips, rows: npt.NDArray[np.intp]) -> list[Extent]:
    """How far the body round each candidate of ``rows`` reaches."""
    if not len(rows):
        return []
    values, vectors = np.linalg.eigh(pips.spread[rows])
    root = np.einsum("nij,nj,nkj->nik", vectors, 4 * np.sqrt(np.maximum(values, 1e-6)), vectors)
    angles = np.arange(RAYS) * 2 * np.pi / RAYS
    distance = np.arange(0.8, REACH, _STEP)
    unit = np.einsum("nij,rj->nri", root, np.stack([np.cos(angles), np.sin(angles)], axis=1))
    points = pips.centre[rows][:, None, None] + unit[:, :, None] * distance[:, None]
    x, y = np.rint(points[..., 0]).astype(np.intp), np.rint(points[..., 1]).astype(np.intp)
    height, width = picture.shape[:2]
    outside = (x < 0) | (y < 0) | (x >= width) | (y >= height)
    colour = picture[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)].astype(np.float32)
    contrast = pips.contrast[rows]
    # Shading drifts across a face, so each ray is held against its own beginning, not against the ring's mean.
    start = np.median(colour[:, :, :4], axis=2, keepdims=True)
    step = colour - start
    away = (
        np.sqrt(np.einsum("nrdc,nrdc->nrd", step, step)) > (_BORDER + _BORDER_SHARE * contrast)[:, None, None]
    ) | outside
    away[..., :-1] &= away[..., 1:]
    border = np.where(away.any(axis=2), distance[away.argmax(axis=2)], REACH + 1)
    other = np.linalg.norm(start[:, :, 0] - pips.body[rows][:, None], axis=2) > _OTHER_BODY * contrast[:, None]
    border = np.where(other, distance[0], border)
    nearest, third, middle = np.percentile(border, (10, 35, 50), axis=1)
    open_share = (border > REACH).mean(axis=1)
    columns = (column.tolist() for column in (nearest, third, middle, open_share))
    return [Extent(*row) for row in zip(*columns, strict=True)]
