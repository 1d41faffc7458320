"""A card that lies on the table: rounded corners, a thin edge, a shadow where it lifts, a slight curl of light."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.engine.kernel.components import ComponentId
from loomtable.testing.virtual.colour import linear
from loomtable.testing.virtual.lens import ImpossibleScene, Points, VirtualCamera, rotated
from loomtable.testing.virtual.light import Light
from loomtable.vision.arrays import Float32Array
from loomtable.vision.pictures import BgrImage

_FINER = 3
"""Cards are drawn this many times finer than the picture and averaged, so that small print does not shimmer."""
_STOCK = np.array([0.62, 0.6, 0.56], np.float32)
"""The colour of the cut edge of card stock, linear RGB."""


@dataclass(frozen=True, eq=False)
class PlacedCard:
    """A card with its ``face`` (RGB, shape (height, width, 3), uint8) and its middle at ``x``, ``y`` mm.

    ``turn`` is clockwise in degrees; 0 has the card's head away from the viewer.

    Raises:
        ImpossibleScene: the face is no RGB picture, or the card has no size.
    """

    face: BgrImage
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    width_mm: float = 63.0
    height_mm: float = 88.0
    card: ComponentId | None = None
    """What the truth of the photograph calls it."""
    corner_mm: float = 3.0
    thickness_mm: float = 0.32
    curl_mm: float = 0.7
    """How far its shorter edges stand off the table; negative where its middle does."""
    shine: float = 0.8
    """How much of a glare it gives back, 0 to 1."""

    def __post_init__(self) -> None:
        if self.face.ndim != 3 or self.face.shape[2] != 3 or self.face.dtype != np.uint8:
            raise ImpossibleScene(
                f"a card's face is (height, width, 3) uint8, not {self.face.shape} {self.face.dtype}"
            )
        if min(self.width_mm, self.height_mm) <= 0:
            raise ImpossibleScene(f"a card of {self.width_mm:g} x {self.height_mm:g} mm has no size")

    @property
    def outline(self) -> Points:
        """Its corners on the table in mm, shape (4, 2): top left, top right, bottom right, bottom left as read."""
        return self.places(np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * [self.width_mm, self.height_mm])

    def places(self, on_card: npt.ArrayLike) -> Points:
        """Table places (N, 2) of points on the card, given in mm from its top left corner."""
        points = np.asarray(on_card, np.float64) - [self.width_mm / 2, self.height_mm / 2]
        laid: Points = rotated(points, self.turn) + np.array([self.x, self.y])
        return laid

    @property
    def rounded(self) -> Points:
        """Its outline with the corners rounded, on the table in mm, shape (N, 2)."""
        angles = np.radians(np.linspace(180, 270, 7))
        arc = self.corner_mm * (1 + np.column_stack([np.cos(angles), np.sin(angles)]))
        size = np.array([self.width_mm, self.height_mm])
        flips = ((arc, 1), (arc * [-1, 1] + [size[0], 0], -1), (size - arc, 1), (arc * [1, -1] + [0, size[1]], -1))
        return self.places(np.concatenate([corner[::way] for corner, way in flips]))

    def polygon(self, camera: VirtualCamera) -> Points:
        """Its corners in the picture, shape (4, 2) px, in the order of ``outline``."""
        return camera.project(np.column_stack([self.outline, np.full(4, self.thickness_mm)]))


def place_card(
    card: PlacedCard,
    albedo: Float32Array,
    lit: Float32Array,
    shine: Float32Array,
    camera: VirtualCamera,
    light: Light,
) -> None:
    """Draw the card into the table layers, in place.

    ``albedo`` (H, W, 3) is colour in white light, ``lit`` (H, W) the share of the lamp that arrives, ``shine``
    (H, W) how much of a glare is given back. Cards that lie outside the picture change nothing.
    """
    polygon = card.polygon(camera)
    margin = int(8 * camera.pixels_per_mm) + 4
    low = np.maximum(np.floor(polygon.min(axis=0)).astype(int) - margin, 0)
    high = np.minimum(np.ceil(polygon.max(axis=0)).astype(int) + margin, np.array(camera.frame))
    if np.any(high <= low):
        return
    crop = np.s_[low[1] : high[1], low[0] : high[0]]
    lit[crop] *= _shadow(card, camera, light, low, high)
    edge = _mask(camera.project(card.rounded), low, high)[..., None]
    albedo[crop] = albedo[crop] * (1 - edge) + _STOCK * edge
    face, mask = _face(card, polygon, low, high)
    albedo[crop] = albedo[crop] * (1 - mask[..., None]) + face
    bend = _bend(card, polygon, low, high, light)
    lit[crop] = lit[crop] * (1 - mask) + bend * mask
    shine[crop] = shine[crop] * (1 - mask) + card.shine * mask


def _face(card: PlacedCard, polygon: Points, low: Points, high: Points) -> tuple[Float32Array, Float32Array]:
    """The printed face in the crop, times its mask, and the mask; both averaged down from a finer drawing."""
    width, height = (int(side) * _FINER for side in high - low)
    # The face is first brought near the size at which it is seen: a warp alone would skip over fine print.
    longest = max(np.linalg.norm(polygon[1] - polygon[0]), np.linalg.norm(polygon[2] - polygon[3])) * _FINER
    shrink = min(1.0, 1.1 * float(longest) / card.face.shape[1])
    size = (max(2, round(card.face.shape[1] * shrink)), max(2, round(card.face.shape[0] * shrink)))
    near = cv2.resize(linear(card.face), size, interpolation=cv2.INTER_AREA)
    alpha = _corners(size, card.corner_mm * size[0] / card.width_mm)
    corners = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32) - 0.5
    there = ((polygon - low + 0.5) * _FINER - 0.5).astype(np.float32)
    warp = cv2.getPerspectiveTransform(corners, there)
    layers = np.dstack([near * alpha[..., None], alpha])
    drawn = cv2.warpPerspective(layers, warp, (width, height), flags=cv2.INTER_LINEAR)
    small = cv2.resize(drawn, (width // _FINER, height // _FINER), interpolation=cv2.INTER_AREA)
    return np.asarray(small[..., :3], np.float32), np.asarray(small[..., 3], np.float32)


def _corners(size: tuple[int, int], radius: float) -> Float32Array:
    """1 on the card, 0 beyond its rounded corners; shape (height, width)."""
    x = np.abs(np.arange(size[0]) + 0.5 - size[0] / 2) - size[0] / 2 + radius
    y = np.abs(np.arange(size[1]) + 0.5 - size[1] / 2) - size[1] / 2 + radius
    reach = np.hypot(np.maximum(x[None, :], 0), np.maximum(y[:, None], 0))
    return np.asarray(np.clip(radius - reach + 0.5, 0, 1), np.float32)


def _mask(polygon: Points, low: Points, high: Points) -> Float32Array:
    """How much of each pixel of the crop a polygon (N, 2) covers, 0 to 1."""
    width, height = (int(side) for side in high - low)
    mask = np.zeros((height, width), np.uint8)
    points = np.round((polygon - low) * 16).astype(np.int32)
    cv2.fillPoly(mask, [points], 255, lineType=cv2.LINE_AA, shift=4)
    return np.asarray(mask / np.float32(255), np.float32)


def _shadow(card: PlacedCard, camera: VirtualCamera, light: Light, low: Points, high: Points) -> Float32Array:
    """What the card leaves of the light around it: a tight dark line where it touches, softer where it lifts."""
    scale = camera.pixels_per_mm
    way = -light.lamp[:2] / light.lamp[2] * np.array([1, -1])
    left = np.ones((int(high[1] - low[1]), int(high[0] - low[0])), np.float32)
    for lift, soft, strength in (
        (card.thickness_mm + 0.25, 0.45, 0.6),
        (card.thickness_mm + abs(card.curl_mm) + 1.0, 1.4, 0.5),
    ):
        cast = _mask(camera.project(card.rounded + way * lift), low, high)
        left *= 1 - strength * cv2.GaussianBlur(cast, (0, 0), max(soft * scale, 0.5))
    return left


def _bend(card: PlacedCard, polygon: Points, low: Points, high: Points, light: Light) -> Float32Array:
    """The lamp's share on the curled card, against a flat one: shape of the crop, about 1."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    inverse = cv2.getPerspectiveTransform((polygon - low).astype(np.float32), corners)
    y, x = np.mgrid[0 : int(high[1] - low[1]), 0 : int(high[0] - low[0])].astype(np.float64)
    depth = inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2]
    along = np.clip((inverse[1, 0] * x + inverse[1, 1] * y + inverse[1, 2]) / depth, -1.2, 1.2)
    # A parabola that rises by curl_mm at both ends: the surface there leans towards the middle of the card.
    slope = 2 * card.curl_mm / (card.height_mm / 2) * along
    angle = math.radians(card.turn)
    towards = light.lamp @ np.array([-math.sin(angle), -math.cos(angle), 0.0]) / light.lamp[2]
    return np.asarray(np.clip(1 - slope * towards, 0.3, 1.7), np.float32)
