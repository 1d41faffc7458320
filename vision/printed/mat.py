"""Finding the dice mat: from its tags to millimetres, and from them to how the camera looks at the table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from engine.kernel.mats import MATS, Mat
from vision.pictures import Picture
from vision.printed.rings import Floats, Grey
from vision.printed.views import FIELD_OF_VIEW, View

_LEAST_TAGS = 2
_MOST_OFF = 1.5
"""Millimetres by which the tags' corners may be out in the mean; a mat that is curled is worse."""


@dataclass(frozen=True)
class SeenMat:
    """A mat in a picture."""

    mat: Mat
    homography: Floats
    """(3, 3): from millimetres on the mat (x, y, 1) to pixels."""
    tags: int
    """How many of its four tags were seen."""
    view: View

    def places(self, pixels: Floats) -> Floats:
        """Millimetres (N, 2) on the mat under pixels (N, 2)."""
        return _mapped(_inverse(self.homography), pixels)

    def pixels(self, places: Floats) -> Floats:
        """Pixels (N, 2) of places (N, 2) on the mat."""
        return _mapped(self.homography, places)

    def holds(self, pixel: Floats, margin: float = 0.0) -> bool:
        """Whether a pixel shows a place on the mat, or at most ``margin`` mm beside it."""
        [(x, y)] = self.places(pixel[None])
        return bool(-margin < x < self.mat.width + margin and -margin < y < self.mat.height + margin)

    def scale(self, pixel: Floats) -> float:
        """Pixels for a millimetre of the mat at a pixel: the root of how much larger areas are."""
        place = self.places(pixel[None])[0]
        steps = self.pixels(place + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
        return float(abs(np.linalg.det(steps[1:] - steps[0])) ** 0.5)

    def rectified(self, picture: Picture, per_mm: float = 4.0) -> Picture:
        """The mat as seen from straight above, at ``per_mm`` pixels a millimetre."""
        scaled = np.diag([1 / per_mm, 1 / per_mm, 1.0])
        size = round(self.mat.width * per_mm), round(self.mat.height * per_mm)
        warp = self.homography @ scaled
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(picture, warp, size, flags=flags), np.uint8)


def find_mat(grey: Grey) -> SeenMat | None:
    """The mat in a grey picture; nothing where fewer than two of its tags are seen, or where they do not fit."""
    corners, numbers, _ = _detector().detectMarkers(grey)
    if not len(corners):
        return None
    seen = {
        int(number): np.asarray(quad[0], np.float64) for number, quad in zip(numbers.ravel(), corners, strict=True)
    }
    best: SeenMat | None = None
    for mat in MATS.values():
        own = [at for at, tag in enumerate(mat.tags) if tag in seen]
        if len(own) < _LEAST_TAGS or (best is not None and len(own) <= best.tags):
            continue
        places = np.array([corner for at in own for corner in mat.tag_corners(at)])
        pixels = np.concatenate([seen[mat.tags[at]] for at in own])
        found, _ = cv2.findHomography(places, pixels, 0)
        if np.size(found) != 9:
            continue
        homography = np.asarray(found, np.float64)
        off = np.linalg.norm(_mapped(_inverse(homography), pixels) - places, axis=1)
        if off.mean() < _MOST_OFF:
            best = SeenMat(mat, homography, len(own), _view(homography, grey.shape))
    return best


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    # The tags are large; the border's weaving is full of small quadrangles.
    settings.minMarkerPerimeterRate = 0.06
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    return cv2.aruco.ArucoDetector(family, settings)


def _inverse(matrix: Floats) -> Floats:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def _mapped(matrix: Floats, points: Floats) -> Floats:
    there = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(there[:, :2] / there[:, 2:])


def _view(homography: Floats, size: tuple[int, ...]) -> View:
    """The camera that sees the mat so: square pixels, its axis through the middle of the picture.

    How far it looks aslant tells its focal length; from straight above nothing does, and nothing depends on it.
    """
    middle = ((size[1] - 1) / 2, (size[0] - 1) / 2)
    centred = np.array([[1.0, 0.0, -middle[0]], [0.0, 1.0, -middle[1]], [0.0, 0.0, 1.0]]) @ homography
    focal = _focal_length(centred, size[1])
    across = np.diag([1 / focal, 1 / focal, 1.0]) @ centred
    # x runs right and y down on the mat, so their cross product points down into the table.
    down = np.cross(across[:, 0], across[:, 1])
    down *= np.sign(down[2]) or 1.0
    return View(focal, middle, -down / np.linalg.norm(down))


def _focal_length(centred: Floats, width: int) -> float:
    """From two rules: the mat's axes are at right angles, and equally long."""
    usual = width / 2 / np.tan(np.radians(FIELD_OF_VIEW) / 2)
    a, b = centred[:, 0], centred[:, 1]
    # For w = 1 / f^2: w (a0 b0 + a1 b1) + a2 b2 = 0, and w (a0^2 + a1^2 - b0^2 - b1^2) + a2^2 - b2^2 = 0.
    terms = np.array([a[0] * b[0] + a[1] * b[1], a[0] ** 2 + a[1] ** 2 - b[0] ** 2 - b[1] ** 2])
    known = np.array([a[2] * b[2], a[2] ** 2 - b[2] ** 2])
    aslant = float(known @ known) ** 0.5 * usual**2 / max(float(a[:2] @ a[:2]), 1e-12)
    inverse = -float(terms @ known) / max(float(terms @ terms), 1e-18)
    if aslant < 0.08 or inverse <= 0:
        return float(usual)
    return float(np.clip(inverse**-0.5, 0.6 * usual, 1.8 * usual))
