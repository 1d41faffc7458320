"""From the renderer's light to the bytes of a cheap camera, and from the scene to its labels."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from loomtable.testing.virtual.lens import VirtualCamera
from loomtable.testing.virtual.sensor import develop
from loomtable.vision.pictures import BgrImage
from training.labels import KnownDie
from training.scenes import LaidDie, Scene
from training.views import Rendered, projected, upright_at


def photographed(scene: Scene, rendered: Rendered) -> BgrImage:
    """The picture (BGR) that the scene's camera takes of the rendered light."""
    film, light = scene.film, rendered.light
    height, width = light.shape[:2]
    if film.smaller < 1:
        small = (round(width * film.smaller / 2) * 2, round(height * film.smaller / 2) * 2)
        light = np.asarray(cv2.resize(light, small, interpolation=cv2.INTER_AREA), np.float32)
    camera = VirtualCamera(
        frame=(light.shape[1], light.shape[0]),
        blur=film.blur,
        motion=film.motion,
        noise=film.noise,
        exposure=film.exposure,
        warmth=film.warmth,
        vignetting=film.vignetting,
        sharpening=film.sharpening,
        jpeg_quality=film.jpeg_quality,
    )
    picture = develop(np.ascontiguousarray(light), camera, np.random.default_rng([scene.seed, 9]))
    if film.grey:
        picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)  # type: ignore[assignment]
    if picture.shape[:2] != (height, width):
        picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_CUBIC)  # type: ignore[assignment]
    return np.asarray(picture, np.uint8)


def labels(scene: Scene, which: NDArray[np.uint8]) -> tuple[KnownDie, ...]:
    """What lies where: dice of which a tenth and more can be seen."""
    found = []
    for number, die in enumerate(scene.dice, 1):
        rows, columns = np.nonzero(which == number)
        if len(rows) < 30:
            continue
        box = (float(columns.min()), float(rows.min()), float(columns.max() + 1), float(rows.max() + 1))
        seen = min(len(rows) / max(_outline_area(scene, die), 1.0), 1.0)
        if seen >= 0.1:
            found.append(_label(scene, die, box, round(seen, 3)))
    return tuple(found)


def _outline_area(scene: Scene, die: LaidDie) -> float:
    """Pixels that the die would cover with nothing before it and no edge of the picture."""
    corners = projected(scene.camera, die.solid.corners * die.inner @ die.turn.T + die.place)
    area = float(cv2.contourArea(cv2.convexHull(corners.astype(np.float32))))
    return area * (0.86 if die.ball < 2 else 0.95)


def _label(scene: Scene, die: LaidDie, box: tuple[float, float, float, float], seen: float) -> KnownDie:
    face, turned = die.solid.faces[die.up_face], die.marks[die.up_face].turn
    up = np.cos(turned) * face.up - np.sin(turned) * np.cross(face.up, face.normal)
    points = np.concatenate([face.middle[None], face.middle[None] + 0.2 * up, face.corners])
    pixels = projected(scene.camera, points * die.inner @ die.turn.T + die.place)
    x, y = pixels[1] - pixels[0]
    turn = None if die.kind == "d6" or die.value is None else float(np.degrees(np.arctan2(x, -y)))
    polygon = tuple((round(float(a), 1), round(float(b), 1)) for a, b in pixels[2:])
    top = (round(float(pixels[0, 0]), 1), round(float(pixels[0, 1]), 1))
    x, y = upright_at(scene.camera, die.place)
    upright = (round(float(x), 4), round(float(y), 4))
    return KnownDie(die.kind, die.value, box, top, polygon, turn, seen, die.cocked, upright)
