"""The outline of a thing in its crop: buttons, counters and round tokens end in an ellipse, dice in edges.

Along rays from the middle it is seen where the body's colour ends, and an ellipse is fitted to these places.
Numbers here are set by hand, on photographs of d6 and on 220 pictures of ``benchmarks.flat_things``.
"""

from __future__ import annotations

import cv2
import numpy as np

from loomtable.vision.arrays import Float64Array
from loomtable.vision.boxes import Box
from loomtable.vision.dice.crops import CROP_MARGIN
from loomtable.vision.pictures import BgrImage

MAX_ROUND_MISFIT = 0.012
"""Median distance of the outline from an ellipse, in parts of its radius, up to which a thing is round: most
buttons and counters have 0.006 to 0.012, nearly all dice over 0.03. At 0.015 ten of 173 very blunt dice
(``tomitomi-crops``) would be asked about, with this limit three."""
_RAYS, _STEPS = 48, 45
"""Rays, and places along each."""
_NEAREST, _FARTHEST, _ENDS = 0.5, 1.4, 1.12
"""Between which parts of the box's reach a ray may end, and how far it is followed."""
_ALIKE = 11.0
"""Distance of a colour from the body's, in Lab with less weight on lightness, from which it is another's."""
_LIGHTNESS = 0.7
"""Weight of lightness in it."""
_INNER = 0.55
"""Squared part of the box's reach within which the body's colour is taken."""
_MIN_ENDING, _RUNS_ON = 0.85, 0.5
"""Share of the rays on which the body must be seen to end; and of one ray's places beyond it, where it runs on."""


def is_round(crop: BgrImage, box: Box) -> bool:
    """Whether the thing that fills a box has an ellipse for its outline.

    Args:
        crop: (size, size, 3) the square about the box (``crops.square_about``).
        box: of the thing, pixels of the picture.
    """
    size, (x0, y0, x1, y1) = len(crop), box
    reach = size / CROP_MARGIN / 2 * np.array([x1 - x0, y1 - y0]) / max(x1 - x0, y1 - y0, 1e-6)
    soft = cv2.GaussianBlur(crop, (0, 0), 1).astype(np.float32) / 255
    colours = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB) * np.array([_LIGHTNESS, 1, 1], np.float32)
    middle, pixels = (size - 1) / 2, np.indices((size, size))[::-1]
    inner = (((pixels - middle) / reach[:, None, None]) ** 2).sum(axis=0) < _INNER
    body = np.median(colours[inner], axis=0)
    ways, far, parts = _rays(reach)
    along = (middle + (ways * far[:, None])[:, None] * parts[:, None]).astype(np.float32)
    traced = cv2.remap(colours, along[..., 0], along[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alike = np.linalg.norm(traced - body, axis=2) < _ALIKE
    runs_on = alike[:, parts > _ENDS].mean(axis=1) > _RUNS_ON
    alike &= parts < _ENDS
    last = parts[_STEPS - 1 - alike[:, ::-1].argmax(axis=1)]
    ends = alike.any(axis=1) & (last > _NEAREST) & ~runs_on
    if ends.mean() < _MIN_ENDING:
        return False
    x, y = ((ways * (far * last)[:, None])[ends] / size).T
    conic = np.column_stack([x * x, x * y, y * y, x, y])
    form = conic @ np.linalg.lstsq(conic, np.ones(len(conic)), rcond=None)[0]
    return bool(np.median(np.abs(np.sqrt(np.maximum(form, 0)) - 1)) < MAX_ROUND_MISFIT)


def _rays(reach: Float64Array) -> tuple[Float64Array, Float64Array, Float64Array]:
    """(rays, 2) unit vectors, how far the box reaches along each, and the parts of that at which they are seen."""
    angle = np.arange(_RAYS) * (2 * np.pi / _RAYS)
    ways = np.column_stack([np.cos(angle), np.sin(angle)])
    return ways, (reach / np.maximum(np.abs(ways), 1e-6)).min(axis=1), np.linspace(0.3, _FARTHEST, _STEPS)
