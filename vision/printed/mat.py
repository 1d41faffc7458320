"""Finding the dice mat: from its tags to millimetres, and from them to how the camera looks at the table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from loomtable.engine.kernel.mats import MATS, Mat
from loomtable.vision.arrays import Float64Array, GrayImage
from loomtable.vision.printed.plane import SeenPlane, camera_over, inverse, mapped

_LONGEST = 2048
"""Pixels of the longer side in which the tags are looked for: they are large, and grain in a large picture costs
the detector hundreds of megabytes. Bound by memory."""
_LEAST_TAGS = 2
"""Tags by which a mat is found. Set by hand."""
_MOST_OFF = 1.5
"""Millimetres by which the tags' corners may be out in the mean; a mat that is curled is worse. Set by hand."""


@dataclass(frozen=True)
class SeenMat(SeenPlane):
    """A mat in a picture."""

    mat: Mat
    tags: int
    """How many of its four tags were seen."""

    def holds(self, pixel: Float64Array, margin: float = 0.0, height: float = 0.0) -> bool:
        """Whether a pixel shows what is ``height`` mm over the mat, or at most ``margin`` mm beside it."""
        [(x, y)] = self.places(pixel[None], height)
        return bool(-margin < x < self.mat.width + margin and -margin < y < self.mat.height + margin)


def find_mat(grey: GrayImage) -> SeenMat | None:
    """The mat in a grey picture; nothing where fewer than two of its tags are seen, or where they do not fit."""
    scale = min(1.0, _LONGEST / max(grey.shape))
    small = grey if scale == 1 else cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    corners, numbers, _ = _detector().detectMarkers(small)
    if not len(corners):
        return None
    centres = {
        int(number): (np.asarray(quad[0], np.float64) + 0.5) / scale - 0.5
        for number, quad in zip(numbers.ravel(), corners, strict=True)
    }
    best: SeenMat | None = None
    for mat in MATS.values():
        own = [at for at, tag in enumerate(mat.tags) if tag in centres]
        if len(own) < _LEAST_TAGS or (best is not None and len(own) <= best.tags):
            continue
        places = np.array([corner for at in own for corner in mat.tag_corners(at)])
        pixels = np.concatenate([centres[mat.tags[at]] for at in own])
        found, _ = cv2.findHomography(places, pixels, 0)
        if np.size(found) != 9:
            continue
        homography = np.asarray(found, np.float64)
        off = np.linalg.norm(mapped(inverse(homography), pixels) - places, axis=1)
        if off.mean() < _MOST_OFF:
            best = SeenMat(homography, camera_over(homography, grey.shape), mat, len(own))
    return best


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.ArucoDetector:
    """OpenCV's detector: it finds these large tags in a quarter of the time of ``vision.tags`` (21 ms and 87
    ms, 24 trays), and of 40 trays 38 are accepted with it, 36 with ours."""
    settings = cv2.aruco.DetectorParameters()
    # The tags are large; the border's weaving is full of small quadrangles.
    settings.minMarkerPerimeterRate = 0.06
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    return cv2.aruco.ArucoDetector(family, settings)
