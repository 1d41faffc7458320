"""What a die looks like under a light, and the shadow that it leaves on the table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from loomtable.testing.virtual.colour import linear, noise
from loomtable.testing.virtual.lens import Points, VirtualCamera
from loomtable.testing.virtual.light import Light, sky_directions
from loomtable.testing.virtual.placed_die import PlacedDie, distance_to_pips, normals, trace
from loomtable.vision.arrays import Float32Array

_FINER = 3
"""Rays along each side of a pixel."""
_LAMP_RAYS, _SKY_RAYS = 28, 40


@dataclass(frozen=True, eq=False)
class Sprite:
    """A drawn die: where its crop starts in the picture (x, y px), its light times cover, and its cover 0 to 1."""

    x: int
    y: int
    light: Float32Array
    cover: Float32Array

    def put_on(self, light: Float32Array) -> None:
        """Draw it over the picture's light (H, W, 3), in place."""
        height, width = self.cover.shape
        crop = np.s_[self.y : self.y + height, self.x : self.x + width]
        light[crop] = light[crop] * (1 - self.cover[..., None]) + self.light


def cast_shadows(
    dice: tuple[PlacedDie, ...], camera: VirtualCamera, light: Light
) -> tuple[Float32Array, Float32Array]:
    """The shares (H, W) of the lamp and of the light from all round that the dice leave to the table."""
    width, height = camera.frame
    lamp, sky = np.ones((height, width), np.float32), np.ones((height, width), np.float32)
    for die in dice:
        x, y, hidden = _shadow(die, camera, light)
        crop = np.s_[y : y + hidden.shape[0], x : x + hidden.shape[1]]
        lamp[crop] *= 1 - hidden[..., 0]
        sky[crop] *= 1 - hidden[..., 1]
    return lamp, sky


@lru_cache(maxsize=32)
def _shadow(die: PlacedDie, camera: VirtualCamera, light: Light) -> tuple[int, int, Float32Array]:
    """Where a die's shadow starts in the picture (x, y px), and what it takes there of the lamp and of the light
    from all round, shares (h, w, 2). Kept, since most dice lie still while something else is moved.
    """
    reach = die.size_mm * (1.3 + 1.2 / math.tan(math.radians(max(light.elevation, 20))))
    step = max(0.35, 0.7 / camera.pixels_per_mm, reach / 75)
    line = np.arange(-reach, reach + step, step)
    x, y = np.meshgrid(line + die.x, line + die.y)
    points = np.column_stack([x.ravel(), -y.ravel(), np.zeros(x.size)]).astype(np.float32)
    hidden = np.stack(
        [
            die.occluder.occludes(points, light.lamp_directions(die.centre, _LAMP_RAYS)),
            die.occluder.occludes(points, sky_directions(_SKY_RAYS)),
        ],
        axis=1,
    ).reshape(len(line), len(line), 2)
    corners = camera.project(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * line[-1] + [die.x, die.y])
    low = np.clip(np.floor(corners.min(axis=0)).astype(int) - 1, 0, camera.frame)
    high = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 2, low, camera.frame)
    if np.any(high == low):
        return 0, 0, np.zeros((0, 0, 2), np.float32)
    grid = np.array([[step, 0, die.x - reach], [0, step, die.y - reach], [0, 0, 1]])
    there = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ camera.homography @ grid
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    seen = cv2.warpPerspective(cv2.GaussianBlur(hidden, (0, 0), 0.8), there, size, flags=cv2.INTER_LINEAR)
    return int(low[0]), int(low[1]), np.asarray(seen, np.float32)


def those_near(die: PlacedDie, dice: tuple[PlacedDie, ...]) -> tuple[PlacedDie, ...]:
    """Those of the dice that may shade it."""
    return tuple(
        other
        for other in dice
        if other is not die and np.hypot(other.x - die.x, other.y - die.y) <= 1.6 * (other.size_mm + die.size_mm)
    )


@lru_cache(maxsize=32)
def draw_die(
    die: PlacedDie,
    others: tuple[PlacedDie, ...],
    under: tuple[float, float, float],
    camera: VirtualCamera,
    light: Light,
) -> Sprite | None:
    """The die as the camera sees it, or nothing where it is outside the picture. Kept, as its shadow is.

    ``others`` may shade it; ``under`` is the light that the table beside it gives back, linear RGB.
    """
    outline = die.outline(camera)
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 3, np.array(camera.frame))
    if np.any(high <= low):
        return None
    width, height = (int(side) for side in high - low)
    fine = (np.arange(_FINER) + 0.5) / _FINER - 0.5
    x, y = np.meshgrid(
        (np.arange(low[0], high[0])[:, None] + fine).ravel(), (np.arange(low[1], high[1])[:, None] + fine).ravel()
    )
    rays = camera.rays(np.column_stack([x.ravel(), y.ravel()]))
    met, at = trace(die, camera, rays)
    layers = np.zeros((x.size, 4), np.float32)
    layers[met, :3] = _shade(die, others, np.asarray(under, np.float32), at, rays[met], light)
    layers[met, 3] = 1
    small = layers.reshape(height, _FINER, width, _FINER, 4).mean(axis=(1, 3))
    return Sprite(int(low[0]), int(low[1]), small[..., :3], small[..., 3])


def _shade(
    die: PlacedDie,
    others: tuple[PlacedDie, ...],
    under: Float32Array,
    at: Float32Array,
    rays: Points,
    light: Light,
) -> Float32Array:
    """The light (N, 3) that own points (N, 3) send back along ``rays`` (N, 3, right-handed table axes)."""
    turn = die.axes.T.astype(np.float32)
    normal, place = normals(die, at) @ turn, at @ turn + die.centre.astype(np.float32)
    lamp_open, sky_open = _open(die, others, place, normal, light)
    to_lamp = (light.lamp - die.centre) / np.linalg.norm(light.lamp - die.centre)
    facing = normal @ to_lamp.astype(np.float32)
    strength = float(light.on_table(np.array([[die.x, die.y]]))[0]) / float(light.lamp[2] / light.distance)
    key = light.key_colour * np.float32(strength)
    # Plastic lets a little light through its edges: the shadow line is softer and reaches further than on plaster.
    direct = np.maximum((facing + 0.12) / 1.12, 0) * lamp_open
    up = (1 + normal[:, 2]) / 2
    near_table = np.clip(place[:, 2] / (0.8 * die.size_mm), 0.12, 1)
    deep = np.clip((die.half - np.abs(at).max(axis=1)) / (die.pip * die.pip_depth * die.size_mm), 0, 1)
    deep *= die.drilled
    hollow = 1 - 0.4 * deep
    round_about = (up * sky_open * hollow)[:, None] * light.sky_colour
    bounce = ((1 - up) * near_table * hollow)[:, None] * under
    paint = _paint(die, at)
    diffuse = paint * (direct[:, None] * key + round_about + bounce)
    mirrored = _gloss(die, rays, normal, lamp_open, sky_open * hollow, key, under, light)
    return np.asarray(diffuse + mirrored, np.float32)


def _open(
    die: PlacedDie, others: tuple[PlacedDie, ...], place: Float32Array, normal: Float32Array, light: Light
) -> tuple[Float32Array, Float32Array]:
    """The shares (N,) of the lamp and of the ceiling that the other dice leave to places (N, 3) on this one."""
    lamp, sky = np.ones(len(place), np.float32), np.ones(len(place), np.float32)
    for other in others:
        lamp *= 1 - other.occluder.occludes(place, light.lamp_directions(die.centre, 9))
        sky *= 1 - 0.8 * other.occluder.occludes(place + 0.2 * normal, sky_directions(14))
    return lamp, sky


def _paint(die: PlacedDie, at: Float32Array) -> Float32Array:
    """The colour (N, 3) in white light: print or ink in the pips, and plastic that is not quite even."""
    rng = np.random.default_rng([die.value, int(abs(die.x) * 97), int(abs(die.y) * 89)])
    clouds = noise((32, 32), (7, 7), rng)
    cell = np.clip(((at[:, :2] + 0.6 * at[:, 2:]) / die.size_mm + 1) * 15, 0, 31).astype(np.intp)
    even = 1 + 0.025 * clouds[cell[:, 1], cell[:, 0]]
    body = linear(die.body) * even[:, None]
    print_on = die.printed(at)
    if print_on is not None:
        colour, cover = print_on
        return np.asarray(body * (1 - cover[:, None]) + colour * cover[:, None], np.float32)
    ink = np.clip(0.5 - distance_to_pips(die, at) / 0.1 + 0.5, 0, 1)[:, None]
    return np.asarray(body * (1 - ink) + linear(die.pips) * ink, np.float32)


def _gloss(
    die: PlacedDie,
    rays: Points,
    normal: Float32Array,
    lamp_open: Float32Array,
    sky_open: Float32Array,
    key: Float32Array,
    under: Float32Array,
    light: Light,
) -> Float32Array:
    """The mirrored room (N, 3): the lamp's disc, a bright ceiling, darker walls, the table."""
    view = -rays.astype(np.float32)
    cosine = np.clip((view * normal).sum(axis=1), 0, 1)
    back = 2 * cosine[:, None] * normal - view
    to_lamp = ((light.lamp - die.centre) / np.linalg.norm(light.lamp - die.centre)).astype(np.float32)
    away = np.degrees(np.arccos(np.clip(back @ to_lamp, -1, 1)))
    rough = 3 + 24 * (1 - die.gloss) ** 1.5
    wide = math.hypot(light.size, rough)
    # The lamp's mirror image spreads over a wider spot on duller plastic and is dimmer by as much.
    spot = 1 / (1 + np.exp(np.minimum((away - wide) / (0.22 * rough), 50))) / math.sin(math.radians(wide)) ** 2
    ceiling = np.clip(back[:, 2], 0, 1) ** 0.7
    room = (sky_open * (0.25 + 1.1 * ceiling))[:, None] * light.sky_colour
    below = np.clip(-back[:, 2:] * 4 + 0.2, 0, 1)
    mirrored = room * (1 - below) + under * below + np.minimum(spot * lamp_open, 60)[:, None] * key
    share = (0.04 + 0.5 * (1 - cosine) ** 5) * (0.35 + 0.65 * die.gloss)
    return np.asarray(mirrored * share[:, None], np.float32)
