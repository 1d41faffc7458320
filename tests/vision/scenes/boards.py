"""Boards that nobody has seen, photographed: maps with figures on them, tapestries, sheets full of tags.

Everything printed comes out of the PDF that is printed. It is laid on the table as textured rectangles, lying or
standing, seen by the virtual camera; where things lie, how the camera looks, light, lens and sensor are drawn by
chance from a seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from loomtable.testing.virtual.colour import linear
from loomtable.testing.virtual.lens import Points, VirtualCamera, rotated
from loomtable.testing.virtual.sensor import automatic_gain, develop
from loomtable.testing.virtual.surfaces import TINTS, Cover, Surface, paint
from loomtable.vision.arrays import Float32Array
from loomtable.vision.pictures import BgrImage

_FINER = 2
"""Boards are drawn so many times finer than the picture and averaged."""
_SKIN = ((208, 158, 128), (146, 98, 70), (232, 190, 164), (92, 60, 44))


@dataclass(frozen=True, eq=False)
class Panel:
    """A printed rectangle in space: ``face`` (RGB, uint8) and its corners (4, 3) on the table in mm, z upwards.

    The corners are in the order of a ``Quad``, as the print is read.
    """

    face: BgrImage
    corners: Points
    key: str = ""
    """What the truth calls it."""
    round: bool = False
    """Whether it is cut out round."""


def lying(
    face: BgrImage, size: tuple[float, float], middle: tuple[float, float], turn: float, height: float
) -> Panel:
    """A print of ``size`` mm that lies flat at ``height`` mm, its middle at a place, turned clockwise."""
    wide, high = size
    flat = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    laid = rotated(flat, turn) + np.array(middle)
    return Panel(face, np.column_stack([laid, np.full(4, height)]))


@dataclass(frozen=True)
class Lens:
    """What the virtual camera does not do by itself."""

    bend: float = 0.0
    """Radial distortion: the share by which the picture's corners are moved outward, below 0 inward."""
    shade: tuple[float, float] = (0.0, 0.0)
    """By how much the light grows from the left to the right edge, and from the top to the foot."""
    gleam: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 0.0)
    """A lamp's mirror image: its place as shares of the picture, its radius as a share, its strength."""


Hand = tuple[Points, int]
"""The outline (N, 2) px of a hand that reaches into the picture, and the number of its skin."""


@dataclass(frozen=True, eq=False)
class Board:
    """What lies on a table, the lowest first, and how it is looked at."""

    panels: tuple[Panel, ...]
    camera: VirtualCamera
    surface: Surface = field(default_factory=Surface)
    lens: Lens = field(default_factory=Lens)
    hands: tuple[Hand, ...] = ()


@dataclass(frozen=True, eq=False)
class Shot:
    """A photograph of a board, and what is in sight."""

    picture: BgrImage
    covers: list[Points]
    """The outlines (N, 2) px of everything that was drawn, in the order of drawing."""
    drawn: list[int]
    """When each panel was drawn: its place in ``covers``."""

    def in_sight(self, place: Points, panel: int) -> float:
        """The share of an outline (N, 2) px on a panel that is in the picture, and that nothing covers."""
        low = np.floor(place.min(axis=0)).astype(int) - 1
        wide, high = (np.ceil(place.max(axis=0)).astype(int) + 2 - low).tolist()
        mine, others = np.zeros((high, wide), np.uint8), np.zeros((high, wide), np.uint8)
        cv2.fillConvexPoly(mine, np.round((place - low) * 16).astype(np.int32), 1, shift=4)
        for cover in self.covers[self.drawn[panel] + 1 :]:
            cv2.fillPoly(others, [np.round((cover - low) * 16).astype(np.int32)], 1, shift=4)
        height, width = self.picture.shape[:2]
        rows, columns = np.arange(high) + low[1], np.arange(wide) + low[0]
        inside = ((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width))[None]
        return float((mine * (1 - others) * inside).sum() / max(int(mine.sum()), 1))


def take(board: Board, rng: np.random.Generator) -> Shot:
    """The photograph. Panels that stand are drawn after those that lie, the furthest first."""
    camera = board.camera
    width, height = camera.frame
    light: Float32Array = _table(board.surface, camera)
    order = sorted(range(len(board.panels)), key=lambda at: _drawn_at(board.panels[at], at, camera))
    covers = []
    fine = np.array([[_FINER, 0, (_FINER - 1) / 2], [0, _FINER, (_FINER - 1) / 2], [0, 0, 1.0]])
    drawn = np.zeros((height * _FINER, width * _FINER, 3), np.uint8)
    mask = np.zeros((height * _FINER, width * _FINER), np.uint8)
    for at in order:
        pixels = camera.project(board.panels[at].corners)
        covers.append(pixels)
        _draw(drawn, mask, board.panels[at], pixels, fine)
    share = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255
    printed = cv2.resize(_LINEAR[drawn], (width, height), interpolation=cv2.INTER_AREA)
    light = np.asarray(light * (1 - share) + printed, np.float32)
    for outline, skin in board.hands:
        covers.append(outline)
        _draw_hand(light, outline, _SKIN[skin])
    light = _bent(_shaded(light, board.lens), board.lens)
    drawn_at = [order.index(at) for at in range(len(order))]
    return Shot(_exposed(light, camera, rng), covers, drawn_at)


def _drawn_at(panel: Panel, at: int, camera: VirtualCamera) -> tuple[int, float]:
    stands = float(np.ptp(panel.corners[:, 2])) > 1
    far = float(np.linalg.norm(panel.corners.mean(axis=0) * [1, -1, 1] - camera.position))
    return (1, -far) if stands else (0, float(at))


def _table(surface: Surface, camera: VirtualCamera) -> Float32Array:
    """The bare table in linear light."""
    width, height = camera.frame
    painted = paint(surface, 900, 700, 1.0)
    grid = np.array([[1.0, 0, -450], [0, 1.0, -350], [0, 0, 1.0]])
    return np.asarray(
        cv2.warpPerspective(
            painted, camera.homography @ grid, (width, height), flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT_101,
        ),
        np.float32,
    )  # fmt: skip


_LINEAR = np.asarray(linear(np.arange(256)), np.float32)


def _draw(drawn: BgrImage, mask: BgrImage, panel: Panel, pixels: Points, fine: Points) -> None:
    """Put a face on its quadrangle, in place; it is first brought near the size at which it is seen."""
    face = panel.face
    seen = max(np.linalg.norm(pixels[1] - pixels[0]), np.linalg.norm(pixels[2] - pixels[3])) * _FINER
    tall = max(np.linalg.norm(pixels[3] - pixels[0]), np.linalg.norm(pixels[2] - pixels[1])) * _FINER
    wide, high = (
        max(2, min(side, round(1.15 * float(to))))
        for side, to in zip(face.shape[1::-1], (seen, tall), strict=True)
    )
    near = cv2.resize(face, (wide, high), interpolation=cv2.INTER_AREA)
    there = cv2.perspectiveTransform(pixels[None].astype(np.float64), fine)[0]
    low = np.maximum(np.floor(there.min(axis=0)).astype(int) - 1, 0)
    top = np.minimum(np.ceil(there.max(axis=0)).astype(int) + 2, np.array(drawn.shape[1::-1]))
    if np.any(top <= low):
        return
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(corners, (there - low).astype(np.float32))
    size = tuple((top - low).tolist())
    crop = np.s_[low[1] : top[1], low[0] : top[0]]
    laid = cv2.warpPerspective(near, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = np.zeros(size[::-1], np.uint8)
    outline = there - low
    if panel.round:
        angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        circle = (1 + np.column_stack([np.cos(angles), np.sin(angles)])) / 2 * [wide, high] - 0.5
        outline = cv2.perspectiveTransform(circle[None], warp)[0]
    cv2.fillConvexPoly(inside, np.round(outline * 16).astype(np.int32), 255, shift=4)
    drawn[crop][inside > 0] = laid[inside > 0]
    mask[crop][inside > 0] = 255


def _draw_hand(light: Float32Array, outline: Points, skin: tuple[int, int, int]) -> None:
    """A hand in place: skin with a soft edge, and a shadow round it."""
    cover = np.zeros(light.shape[:2], np.uint8)
    cv2.fillPoly(cover, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    shade = cv2.GaussianBlur(cover, (0, 0), 14).astype(np.float32)[..., None] / 255
    share = cv2.GaussianBlur(cover, (0, 0), 1.5).astype(np.float32)[..., None] / 255
    light *= 1 - 0.45 * shade
    light[...] = light * (1 - share) + np.asarray(linear(skin), np.float32) * (0.75 + 0.25 * shade) * share


def _shaded(light: Float32Array, lens: Lens) -> Float32Array:
    height, width = light.shape[:2]
    x = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None, :]
    y = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None]
    level = 1 + lens.shade[0] * x + lens.shade[1] * y
    lit = light * np.clip(level, 0.25, 1.75)[..., None]
    across, down, radius, strength = lens.gleam
    if strength:
        away = ((x + 0.5 - across) ** 2 + ((y + 0.5 - down) * height / width) ** 2) / radius**2
        lit += strength * np.exp(-0.5 * away)[..., None]
    return np.asarray(lit, np.float32)


def bent_places(places: Points, bend: float, frame: tuple[int, int]) -> Points:
    """Where a lens of this bend puts pixels (N, 2) of a straight picture: the inverse of what ``take`` does."""
    middle = (np.array(frame) - 1) / 2
    reach = float(np.linalg.norm(middle))
    away = (places - middle) / reach
    there = away.copy()
    for _ in range(8):
        there = away / (1 + bend * (there**2).sum(axis=1, keepdims=True))
    return np.asarray(there * reach + middle)


def _bent(light: Float32Array, lens: Lens) -> Float32Array:
    if not lens.bend:
        return light
    height, width = light.shape[:2]
    middle = np.array([(width - 1) / 2, (height - 1) / 2], np.float32)
    reach = float(np.linalg.norm(middle))
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    far = ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / reach**2
    grow = np.float32(1) + np.float32(lens.bend) * far
    return np.asarray(
        cv2.remap(light, (x - middle[0]) * grow + middle[0], (y - middle[1]) * grow + middle[1], cv2.INTER_CUBIC,
                  borderMode=cv2.BORDER_REFLECT_101),
        np.float32,
    )  # fmt: skip


def _exposed(light: Float32Array, camera: VirtualCamera, rng: np.random.Generator) -> BgrImage:
    """The picture, exposed so that white paper comes out between dim and a little burnt out."""
    stops = math.log2(float(rng.uniform(0.5, 1.15)) / automatic_gain(light))
    return develop(np.maximum(light, 0), replace(camera, exposure=stops), rng)


def any_lens(rng: np.random.Generator) -> Lens:
    """A lens and a light by chance: webcams bend lines a little, and light is never even."""
    shade = (float(rng.uniform(-0.7, 0.7)), float(rng.uniform(-0.7, 0.7)))
    gleam = (0.0, 0.0, 1.0, 0.0)
    if rng.random() < 0.3:
        gleam = (
            float(rng.random()),
            float(rng.random()),
            float(rng.uniform(0.04, 0.2)),
            float(rng.uniform(0.1, 0.5)),
        )
    return Lens(float(rng.uniform(-0.02, 0.01)), shade, gleam)


def any_camera(
    rng: np.random.Generator,
    seen: Callable[[VirtualCamera], Points],
    frame: tuple[int, int],
    tilt: float,
    fill: float,
) -> VirtualCamera:
    """A camera tilted by ``tilt`` degrees whose picture the places ``seen`` by it fill to a share ``fill``."""
    camera = VirtualCamera(
        tilt=tilt, roll=float(rng.uniform(-12, 12)), frame=frame, field_of_view=float(rng.uniform(55, 76)),
        blur=float(rng.uniform(0.55, 1.0)), noise=float(rng.uniform(0.4, 2.2)),
        warmth=float(rng.uniform(-0.6, 0.6)), sharpening=float(rng.uniform(0.0, 0.9)),
        jpeg_quality=int(rng.integers(72, 96)), motion=float(rng.choice([0.0, 0.0, 0.0, 2.0])), height=800.0,
    )  # fmt: skip
    for _ in range(12):
        pixels = seen(camera)
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        size = np.array(frame) - 1
        too_large = float(((high - low) / size).max() / fill)
        off = (low + high) / 2 - size / 2
        aim = camera.place([(size / 2 + off)])[0]
        camera = replace(
            camera, height=float(np.clip(camera.height * too_large, 120, 3000)), aim=(float(aim[0]), float(aim[1]))
        )
    return camera


def any_table(rng: np.random.Generator) -> Surface:
    """One of a dozen tables, so that few have to be painted."""
    covers: tuple[Cover, ...] = ("wood", "felt", "linen")
    cover = covers[int(rng.integers(3))]
    return Surface(cover, TINTS[cover][int(rng.integers(len(TINTS[cover])))], 1)


def any_hand(rng: np.random.Generator, at: Sequence[float], reach: float) -> Hand:
    """A hand's outline (N, 2) px that covers a place, coming from the nearer side."""
    angles = np.linspace(0, 2 * math.pi, 40, endpoint=False)
    knuckles = 1 + 0.12 * np.cos(5 * angles + rng.uniform(0, 6)) + 0.05 * rng.normal(size=40)
    outline = np.column_stack([np.cos(angles) * reach, np.sin(angles) * reach * 1.4]) * knuckles[:, None]
    return np.asarray(outline + np.array(at)), int(rng.integers(len(_SKIN)))
