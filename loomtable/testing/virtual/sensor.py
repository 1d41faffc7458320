"""From the light that reaches the lens to the bytes that a webcam sends."""

from __future__ import annotations

import cv2
import numpy as np

from loomtable.testing.virtual.colour import displayed
from loomtable.testing.virtual.lens import VirtualCamera
from loomtable.vision.arrays import Float32Array
from loomtable.vision.pictures import BgrImage

_WELL = 3400.0
"""Electrons that fill one cell of a small webcam's sensor at the gain of a lit room."""

VEIL = 0.025
"""The share of the light that the lens strews."""


def develop(light: Float32Array, camera: VirtualCamera, rng: np.random.Generator) -> BgrImage:
    """The camera's picture (BGR) of linear light (H, W, 3) in RGB: lens, exposure, cells, processor, JPEG."""
    return _as_jpeg(displayed(processed(light, camera, rng))[..., ::-1], camera.jpeg_quality)


def processed(light: Float32Array, camera: VirtualCamera, rng: np.random.Generator) -> Float32Array:
    """The light (H, W, 3) that the camera believes it saw, before it is made a picture."""
    through = _lens(light, camera)
    exposed = through * (automatic_gain(through) * 2**camera.exposure) * vignette(camera)[..., None]
    seen = _cells(exposed * white_balance(camera), camera, rng)
    if camera.sharpening > 0:
        seen += camera.sharpening * (seen - cv2.GaussianBlur(seen, (0, 0), 1.1))
    return seen


def white_balance(camera: VirtualCamera) -> Float32Array:
    """The colour cast (3,), red, green, blue."""
    return np.array([1 + 0.16 * camera.warmth, 1.0, 1 - 0.2 * camera.warmth], np.float32)


def _lens(light: Float32Array, camera: VirtualCamera) -> Float32Array:
    blurred = cv2.GaussianBlur(light, (0, 0), camera.blur) if camera.blur > 0.05 else light.copy()
    if camera.motion >= 1:
        shake = np.full((1, int(np.ceil(camera.motion))), 1 / np.ceil(camera.motion), np.float32)
        blurred = cv2.filter2D(blurred, -1, shake)
    return np.asarray(blurred * (1 - VEIL) + veil(light) * VEIL, np.float32)


def veil(light: Float32Array) -> Float32Array:
    """The light (H, W, 3) of every bright thing, strewn over the whole picture: blacks are never quite black."""
    small = cv2.resize(light, None, fx=1 / 16, fy=1 / 16, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(cv2.GaussianBlur(small, (0, 0), 9), (light.shape[1], light.shape[0])), np.float32)


def automatic_gain(light: Float32Array) -> float:
    """The gain of automatic exposure: a middling picture in which white paper does not burn out if it is large."""
    small = cv2.resize(light, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA).max(axis=2)
    return min(0.29 / max(float(small.mean()), 1e-4), 0.88 / max(float(np.quantile(small, 0.98)), 1e-4))


def vignette(camera: VirtualCamera) -> Float32Array:
    """The share (H, W) of the light that the lens lets through."""
    width, height = camera.frame
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * np.float32(height / width)
    away = (x * x + y * y) / (1 + (height / width) ** 2)
    return np.asarray(1 - camera.vignetting * away**1.3, np.float32)


def _cells(light: Float32Array, camera: VirtualCamera, rng: np.random.Generator) -> Float32Array:
    """One colour for each cell, shot and read noise, and the two missing colours guessed from the neighbours."""
    cells = np.empty(light.shape[:2], np.float32)
    for row, column, channel in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
        cells[row::2, column::2] = light[row::2, column::2, channel]
    cells = np.clip(cells, 0, 1)
    if camera.noise > 0:
        strength = camera.noise * np.sqrt(cells / _WELL + 0.0022**2)
        cells += strength * rng.standard_normal(cells.shape, np.float32)
    mosaic = (np.clip(cells, 0, 1) * 60000).astype(np.uint16)
    return cv2.cvtColor(mosaic, cv2.COLOR_BayerRGGB2RGB).astype(np.float32) / np.float32(60000)


def _as_jpeg(picture: BgrImage, quality: int) -> BgrImage:
    ok, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert ok, "OpenCV always encodes JPEG"
    return np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)
