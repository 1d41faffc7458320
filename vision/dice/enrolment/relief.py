"""Ordinary coins: after some flips that people confirmed, this machine reads the flips of this coin.

A coin is an ellipse with an edge all round. Laid flat and unrolled about its middle, turning it is a shift, so
that two pictures of one side can be laid over one another in every turn at once. What is compared is where its
relief has edges: light and dark change sides as a coin turns under a lamp, its edges stay where they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float32Array, GrayImage
from loomtable.vision.pictures import BgrImage

Ellipse = tuple[float, float, float, float, float]
"""Middle x, y, both axes (diameters) and the turn in degrees, as OpenCV gives them; pixels."""

SIDES = ("heads", "tails")
FLAT_SIDE = 128
"""Side of a coin laid flat, pixels."""
RAYS, RINGS = 180, 28
"""Directions and distances at which a coin is unrolled."""
SEARCH_SIDE = 800
"""Pictures are brought to this length before coins are sought."""
MIN_AXIS, MAX_AXIS_SHARE = 24, 0.9
"""A coin's shorter axis in pixels of the searched picture, and its longer one as a share of the picture's
shorter side."""
MIN_RIM_SHARE = 0.7
"""Share of the ellipse that must lie on an edge. Set by hand, as are all limits here."""
MIN_SIMILARITY = 0.42
"""Similarity from which it is the coin that was shown."""
MIN_SIDE_MARGIN = 0.12
"""How much more similar the one side must be than the other."""
MIN_EXAMPLES = 2
"""So many pictures of each side are needed before it counts: one may be labelled wrongly."""
MIN_CONTOUR_POINTS = 50
"""A contour with fewer is no rim."""
MIN_MIDDLE_DISTANCE = 0.5
"""How far apart the middles of two coins lie, in longer axes of the clearer one."""
MIN_ASPECT_RATIO = 0.55
"""Short over long axis of a coin from which it is not seen too obliquely."""


@dataclass(frozen=True)
class DetectedCoin:
    """A coin in a picture."""

    ellipse: Ellipse
    flat: GrayImage
    """(128, 128): laid flat, as it lies."""

    @property
    def outline(self) -> tuple[tuple[float, float], ...]:
        """24 corners along its rim, pixels."""
        return tuple((float(x), float(y)) for x, y in _ellipse_points(self.ellipse, 24))


@dataclass(frozen=True)
class LearnedCoin:
    """A coin that was confirmed: at least ``MIN_EXAMPLES`` pictures by side, each (180, 28) unrolled."""

    examples: dict[str, tuple[Float32Array, ...]]

    def similarity(self, flat: GrayImage) -> dict[str, list[float]]:
        """Correlations with the pictures of each side, -1 to 1, in whichever turn is best; the highest first."""
        mine = np.fft.rfft(unroll(flat), axis=0)

        def correlation(example: Float32Array) -> float:
            shifted = np.fft.irfft((mine * np.conj(np.fft.rfft(example, axis=0))).sum(axis=1), n=RAYS)
            return float(shifted.max())

        return {side: sorted(map(correlation, shown), reverse=True) for side, shown in self.examples.items()}


@dataclass(frozen=True)
class CoinSide:
    """Which side of a known coin lies up."""

    coin: DetectedCoin
    side: str
    margin: float
    """By how much more similar this side is than the other; from ``MIN_SIDE_MARGIN`` it is believed."""


def sides_up(picture: BgrImage, known: LearnedCoin) -> list[CoinSide]:
    """Everything in a picture that is like the known coin, and the side that lies up."""
    found: list[CoinSide] = []
    for coin in find_coins(picture):
        alike = known.similarity(coin.flat)
        # As with dice: two pictures speak for a side, and any one of the other against it.
        means = {side: float(np.mean(shown[:MIN_EXAMPLES])) for side, shown in alike.items()}
        side = max(SIDES, key=means.__getitem__)
        rival = max(shown[0] for other, shown in alike.items() if other != side)
        if means[side] >= MIN_SIMILARITY:
            found.append(CoinSide(coin, side, means[side] - rival))
    return found


def find_coins(picture: BgrImage) -> list[DetectedCoin]:
    """Everything round in a picture that may be a coin, the clearest rim first; each once."""
    scale = min(SEARCH_SIDE / max(picture.shape[:2]), 1.0)
    view = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    smooth = cv2.GaussianBlur(view, (0, 0), 1.4)
    edges = np.zeros(view.shape[:2], np.uint8)
    for channel in cv2.split(smooth):
        edges |= np.asarray(cv2.Canny(channel, 30, 80), np.uint8)
    near = cv2.dilate(edges, np.ones((3, 3), np.uint8)) > 0
    shapes, _ = cv2.findContours(
        cv2.dilate(edges, np.ones((2, 2), np.uint8)), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE
    )
    rated: list[tuple[float, Ellipse]] = []
    for shape in shapes:
        if len(shape) < MIN_CONTOUR_POINTS:
            continue
        for points in (shape, cv2.convexHull(shape)):
            ellipse = _ellipse(points)
            if ellipse is not None and _fits(ellipse, view.shape):
                rim = _on_edge(ellipse, near)
                if rim > MIN_RIM_SHARE:
                    rated.append((rim * math.sqrt(ellipse[2] * ellipse[3]), ellipse))
    kept: list[Ellipse] = []
    for _, ellipse in sorted(rated, reverse=True):
        # The largest of several rings about one middle is the rim; those within it are the coin's own art.
        if all(math.dist(ellipse[:2], other[:2]) > MIN_MIDDLE_DISTANCE * max(other[2:4]) for other in kept):
            kept.append(ellipse)
    whole = [(x / scale, y / scale, a / scale, b / scale, turn) for x, y, a, b, turn in kept]
    return [DetectedCoin(ellipse, rectify_coin(picture, ellipse)) for ellipse in whole]


def rectify_coin(picture: BgrImage, ellipse: Ellipse) -> GrayImage:
    """A coin (128, 128) grey as if seen from straight above, filling the square."""
    x, y, a, b, turn = ellipse
    angle = math.radians(turn)
    along = np.array([math.cos(angle), math.sin(angle)])
    across = np.array([-along[1], along[0]])
    # Stretched along the axes and turned back, so that the coin keeps the turn in which it lies.
    stretch = a / 2 * np.outer(along, along) + b / 2 * np.outer(across, across)
    warp = np.column_stack([stretch * 2 / FLAT_SIDE, np.array([x, y]) - stretch @ np.array([1.0, 1.0])])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpAffine(picture, warp, (FLAT_SIDE, FLAT_SIDE), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)


def unroll(flat: GrayImage) -> Float32Array:
    """(180, 28), of length 1: the strength of the relief's edges by direction and distance from the middle."""
    smooth = cv2.GaussianBlur(flat.astype(np.float32), (0, 0), 1.2)
    strength = np.sqrt(np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)))
    middle = (FLAT_SIDE - 1) / 2
    polar = cv2.warpPolar(strength, (RINGS + 4, RAYS), (middle, middle), 0.93 * middle, cv2.WARP_POLAR_LINEAR)[
        :, 4:
    ]
    # Without what is the same all round (rings), and without slow changes of light.
    wrapped = np.vstack([polar[-20:], polar, polar[:20]])
    detail = (wrapped - cv2.blur(wrapped, (9, 31)))[20:-20]
    detail = detail - detail.mean(axis=0, keepdims=True)
    return np.asarray(detail / max(float(np.linalg.norm(detail)), 1e-6), np.float32)


def _ellipse(points: cv2.typing.MatLike) -> Ellipse | None:
    if len(points) < 12:
        return None
    (x, y), (a, b), turn = cv2.fitEllipse(points)
    good = all(math.isfinite(value) for value in (x, y, a, b, turn))
    return (x, y, a, b, turn) if good else None


def _fits(ellipse: Ellipse, shape: Sequence[int]) -> bool:
    x, y, a, b, _ = ellipse
    inside = 0 <= x < shape[1] and 0 <= y < shape[0]
    return (
        inside
        and min(a, b) >= MIN_AXIS
        and max(a, b) <= MAX_AXIS_SHARE * min(shape[:2])
        and min(a, b) > MIN_ASPECT_RATIO * max(a, b)
    )


def _ellipse_points(ellipse: Ellipse, count: int) -> npt.NDArray[np.float64]:
    x, y, a, b, turn = ellipse
    angle = np.arange(count) * 2 * np.pi / count
    lean = math.radians(turn)
    u, v = a / 2 * np.cos(angle), b / 2 * np.sin(angle)
    return np.column_stack(
        [x + u * math.cos(lean) - v * math.sin(lean), y + u * math.sin(lean) + v * math.cos(lean)]
    )


def _on_edge(ellipse: Ellipse, near: npt.NDArray[np.bool_]) -> float:
    """Share of the ellipse's points that lie on an edge of the picture."""
    points = np.rint(_ellipse_points(ellipse, 96)).astype(int)
    height, width = near.shape
    inside = (points[:, 0] >= 0) & (points[:, 0] < width) & (points[:, 1] >= 0) & (points[:, 1] < height)
    pixels = points[inside]
    return float(near[pixels[:, 1], pixels[:, 0]].sum()) / len(points)
