"""Frames of one virtual table, one after another and quickly: what lies still is drawn once for all of them.

A photograph of a table takes half a second to draw. Here the table as it lies still is drawn when it changes; a
frame with hands draws only the part of the picture that they are in, and every frame has its own noise, in a light
that grows and falls slowly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.testing.virtual.colour import displayed, linear
from loomtable.testing.virtual.cutout import Cutout
from loomtable.testing.virtual.lens import VirtualCamera
from loomtable.testing.virtual.placed_card import PlacedCard
from loomtable.testing.virtual.scene import Ground, Scene, bare_ground, light_over
from loomtable.testing.virtual.sensor import VEIL, automatic_gain, processed, veil, vignette, white_balance
from loomtable.vision.arrays import Float32Array
from loomtable.vision.pictures import BgrImage

_ROOM = 64
"""Pixels by which the noise that is kept is larger than a frame: each frame takes its own from another place."""
_ADAPTS = 0.3
"""The share of what is missing by which automatic exposure follows from one frame to the next."""


class Film:
    """A camera that films one table. The same scenes, cutouts and seed give the same frames.

    ``drift`` is the share by which the light grows and falls, ``period`` the frames that this takes.
    """

    def __init__(
        self, camera: VirtualCamera, seed: int = 0, *, drift: float = 0.05, period: float = 160.0
    ) -> None:
        self.camera = camera
        self._chance = np.random.default_rng([seed, 61])
        self._drift, self._period = drift, period
        self._taken = 0
        self._exposure = 0.0
        self._grounds: list[tuple[PlacedCard, Ground]] = []
        self._scene: Scene | None = None
        self._light: Float32Array
        self._veil: Float32Array
        self._gain = 1.0
        self._still: BgrImage

    def frame(self, scene: Scene, moving: Sequence[Cutout] = ()) -> BgrImage:
        """The next frame (BGR) of the scene, with what moves over it, the lowest first."""
        if scene is not self._scene:
            self._draw(scene)
        picture = self._still
        boxes = [cutout.box(self.camera, scene.light) for cutout in moving]
        if boxes:
            left, top = (min(box[side] for box in boxes) for side in (0, 1))
            right, bottom = (max(box[side] for box in boxes) for side in (2, 3))
            if right > left and bottom > top:
                crop = np.s_[top:bottom, left:right]
                light = self._light[crop].copy()
                for cutout in moving:
                    cutout.put_on(light, (left, top), self.camera, scene.light)
                picture = picture.copy()
                picture[crop] = self._developed(light, crop)
        return self._graded(picture)

    def forget(self) -> None:
        """The camera sees the table from elsewhere."""
        self._grounds.clear()

    def _draw(self, scene: Scene) -> None:
        """The scene without anything that moves, as light and as a picture without noise."""
        if self._scene is None or (scene.surface, scene.light) != (self._scene.surface, self._scene.light):
            self._grounds.clear()
        same = 0
        while same < min(len(self._grounds), len(scene.cards)) and self._grounds[same][0] is scene.cards[same]:
            same += 1
        del self._grounds[same:]
        ground = self._grounds[-1][1] if self._grounds else bare_ground(scene.surface, self.camera)
        for card in scene.cards[same:]:
            ground = ground.with_card(card, self.camera, scene.light)
            self._grounds.append((card, ground))
        self._light = light_over(ground, scene, self.camera)
        before, self._gain = self._gain, automatic_gain(self._light) * 2**self.camera.exposure
        self._exposure += math.log(before / self._gain) if self._scene is not None else 0.0
        self._scene = scene
        self._veil = veil(self._light)
        self._still = self._developed(self._light, np.s_[:, :])

    def _developed(self, light: Float32Array, crop: tuple[slice, ...]) -> BgrImage:
        """A part of the picture (BGR) from its light, without noise."""
        colours = white_balance(self.camera) * np.float32(self._gain)
        through = cv2.GaussianBlur(light, (0, 0), self.camera.blur) if self.camera.blur > 0.05 else light
        seen = through * (1 - VEIL) + self._veil[crop] * VEIL
        seen = np.clip(seen * (_vignette(self.camera)[crop][..., None] * colours), 0, 1)
        if self.camera.sharpening > 0:
            seen += self.camera.sharpening * (seen - cv2.GaussianBlur(seen, (0, 0), 1.1))
        return np.ascontiguousarray(displayed(seen)[..., ::-1])

    def _graded(self, picture: BgrImage) -> BgrImage:
        """The picture in the light of this moment, with the sensor's noise."""
        self._taken += 1
        self._exposure *= 1 - _ADAPTS
        slowly = 1 + self._drift * math.sin(2 * math.pi * self._taken / self._period)
        tones = displayed(_LINEAR * np.float32(slowly * math.exp(self._exposure)))
        y, x = (int(at) for at in self._chance.integers(0, _ROOM, 2))
        height, width = picture.shape[:2]
        noise = _noise(self.camera)[y : y + height, x : x + width]
        return np.asarray(cv2.add(cv2.LUT(picture, tones), noise, dtype=cv2.CV_8U), np.uint8)


def _untoned() -> Float32Array:
    """The light of each of 256 displayed values: the inverse of ``displayed``."""
    levels = displayed(np.linspace(0, 1, 4096, dtype=np.float32))
    return np.asarray(np.interp(np.arange(256), levels, np.linspace(0, 1, 4096)), np.float32)


_LINEAR = _untoned()


@lru_cache(maxsize=2)
def _vignette(camera: VirtualCamera) -> Float32Array:
    return vignette(camera)


@lru_cache(maxsize=2)
def _noise(camera: VirtualCamera) -> npt.NDArray[np.int16]:
    """The noise of a dim grey wall (BGR), somewhat larger than a frame."""
    width, height = camera.frame
    larger = replace(camera, frame=(width + _ROOM, height + _ROOM), vignetting=0.0)
    wall = np.full((height + _ROOM, width + _ROOM, 3), linear(128), np.float32)
    seen = displayed(processed(wall, larger, np.random.default_rng(31)))[..., ::-1].astype(np.int16)
    return np.ascontiguousarray(seen - np.median(seen, axis=(0, 1)).astype(np.int16))


__all__ = ["Film"]
