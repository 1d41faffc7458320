"""What moves before the virtual camera: flat pictures that float over the table, with the shadows they cast."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from loomtable.testing.virtual.lens import Points, VirtualCamera, rotated
from loomtable.testing.virtual.light import Light
from loomtable.vision.arrays import Float32Array

_COARSER = 4
"""Shadows are soft, so they are drawn so many times coarser than the picture."""
_NO_SLIDE = np.zeros(2)


@dataclass(frozen=True, eq=False)
class Cutout:
    """A flat picture over the table, of ``size_mm``, whose point ``hold_mm`` is over the place ``x``, ``y`` mm."""

    layers: Float32Array
    """Colour in white light times cover, and cover: (h, w, 4), linear RGB."""
    size_mm: tuple[float, float]
    hold_mm: tuple[float, float]
    """From its upper left corner."""
    x: float
    y: float
    turn: float
    height_mm: float
    blur_px: float = 0.0
    """How far it moves while the picture is taken."""

    def box(self, camera: VirtualCamera, light: Light) -> tuple[int, int, int, int]:
        """The part of the picture that it or its shadow changes: left, top, right, bottom (px)."""
        own, cast = self._corners(camera, _NO_SLIDE, self.height_mm), self._corners(camera, self._cast(light), 0.0)
        both, margin = np.vstack([own, cast]), 3 * self._softness(camera, light) + self.blur_px + 4
        low = np.clip(np.floor(both.min(axis=0) - margin), 0, camera.frame).astype(int)
        high = np.clip(np.ceil(both.max(axis=0) + margin), 0, camera.frame).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def put_on(self, light: Float32Array, origin: tuple[int, int], camera: VirtualCamera, lamp: Light) -> None:
        """Draw its shadow and it over a crop of the picture's light (h, w, 3), in place.

        ``origin`` is where the crop starts in the picture (px).
        """
        height, width = light.shape[:2]
        small = (-(-width // _COARSER), -(-height // _COARSER))
        corners = self._corners(camera, self._cast(lamp), 0.0)
        shade = self._warped(self.layers[..., 3], (corners - origin + 0.5) / _COARSER - 0.5, small)
        shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), self._softness(camera, lamp) / _COARSER), np.float32)
        over = cv2.GaussianBlur(shade, (0, 0), 10 * camera.pixels_per_mm / _COARSER)
        left = 1 - (0.62 * shade + 0.22 * over) / np.float32(1 + lamp.sky)
        light *= cv2.resize(left, (width, height), interpolation=cv2.INTER_LINEAR)[..., None]
        corners = self._corners(camera, _NO_SLIDE, self.height_mm)
        seen = self._warped(self.layers, corners - origin, (width, height))
        if self.blur_px >= 1:
            seen = np.asarray(cv2.blur(seen, (int(self.blur_px) | 1, int(self.blur_px) | 1)), np.float32)
        fall = np.float32(lamp.on_table(np.array([[self.x, self.y]]))[0])
        light *= 1 - seen[..., 3:]
        light += seen[..., :3] * (lamp.key_colour * fall + lamp.sky_colour)

    def _warped(self, layer: Float32Array, corners: Points, size: tuple[int, int]) -> Float32Array:
        """A layer on four corners (4, 2) px of a crop."""
        rows, columns = layer.shape[:2]
        own = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - np.float32(0.5)
        warp = cv2.getPerspectiveTransform(own, corners.astype(np.float32))
        return np.asarray(cv2.warpPerspective(layer, warp, size, flags=cv2.INTER_LINEAR), np.float32)

    def _corners(self, camera: VirtualCamera, slide: Points, height: float) -> Points:
        """Its corners (4, 2) in the picture, where it is slid by so many mm and is so high."""
        box = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * self.size_mm - np.array(self.hold_mm)
        flat = rotated(box, self.turn) + np.array([self.x, self.y]) + slide
        return camera.project(np.column_stack([flat, np.full(4, height)]))

    def _cast(self, light: Light) -> Points:
        """How far from it its shadow falls, mm."""
        cast: Points = -light.lamp[:2] / light.lamp[2] * np.array([1, -1]) * self.height_mm
        return cast

    def _softness(self, camera: VirtualCamera, light: Light) -> float:
        return max(1.5, self.height_mm * float(np.tan(np.radians(light.size))) * camera.pixels_per_mm)
