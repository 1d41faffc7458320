"""How large a QR code must be for a camera, and from how far one can be read.

A reader needs four pixels across each module, five through a soft lens; measured on our own pictures, tilted by up
to 25 degrees, blurred and noisy.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from loomtable.printkit.draw.codes import MODULES, QUIET
from loomtable.printkit.draw.tags import TAG_MODULES
from loomtable.printkit.errors import CodeUnreadable
from loomtable.printkit.sheet.papers import chosen

PIXELS_PER_MODULE = 4.0
TAG_PIXELS_PER_MODULE = 2.5
"""The same for a tag, which has fewer and larger modules."""
LEAST_MODULE = 0.34
"""Four dots of a printer with 300 dots per inch (mm): smaller modules run into each other."""


@dataclass(frozen=True)
class CameraKind:
    """A camera as it is sold: pixels across its picture, and how wide it sees (degrees)."""

    name: str
    pixels: int
    angle: float

    def pixels_per_mm(self, distance: float) -> float:
        """Pixels that a millimetre covers in the middle of the picture, ``distance`` mm away."""
        return self.pixels / (2 * distance * math.tan(math.radians(self.angle / 2)))


CAMERAS: Mapping[str, CameraKind] = {
    camera.name: camera
    for camera in (
        CameraKind("480p", 640, 60),
        CameraKind("720p", 1280, 65),
        CameraKind("1080p", 1920, 70),
        CameraKind("1440p", 2560, 75),
        CameraKind("4k", 3840, 78),
        CameraKind("phone", 4032, 65),
    )
}
_LENGTH = re.compile(r"(\d+(?:[.,]\d+)?)\s*(mm|cm|m|in)", re.I)
_MM = {"mm": 1.0, "cm": 10.0, "m": 1000.0, "in": 25.4}


def camera_named(name: str) -> CameraKind:
    """The kind of camera of this name.

    Raises:
        UnknownPrintName: there is none.
    """
    return chosen(name, CAMERAS, "kind of camera")


def distance_in(text: str) -> float:
    """A distance in mm: ``40cm``, ``0.4 m``, ``400 mm``, ``16in``.

    Raises:
        CodeUnreadable: it is no distance, or not one at which anybody holds a card.
    """
    found = _LENGTH.fullmatch(text.strip())
    distance = float(found[1].replace(",", ".")) * _MM[found[2].lower()] if found else 0.0
    if not 20 <= distance <= 10_000:
        why = f"{text[:20]!r} is no distance between camera and card; write it as 40cm, from 2cm to 10m"
        raise CodeUnreadable(why)
    return distance


def module_for(camera: CameraKind, distance: float) -> float:
    """The width (mm) that a module needs to be read from ``distance`` mm, straight in front of the camera."""
    return max(LEAST_MODULE, PIXELS_PER_MODULE / camera.pixels_per_mm(distance))


def reach_of(camera: CameraKind, module: float) -> float:
    """From how far (mm) a code with modules of ``module`` mm is read."""
    return module * camera.pixels_per_mm(1.0) / PIXELS_PER_MODULE


def tag_reach(camera: CameraKind, width: float) -> float:
    """From how far (mm) a tag whose black is ``width`` mm wide is read."""
    return width / TAG_MODULES * camera.pixels_per_mm(1.0) / TAG_PIXELS_PER_MODULE


def fitting_module(camera: CameraKind, distance: float, room: float, card: str) -> float:
    """The module width (mm) of a code of version 1 that this camera reads, within ``room`` mm with its quiet zone.

    Raises:
        CodeUnreadable: none that fits could be read; the message says what would do.
    """
    module = module_for(camera, distance)
    across = MODULES + 2 * QUIET
    if module * across <= room + 1e-9:
        return module
    reach = reach_of(camera, room / across)
    raise CodeUnreadable(
        f"{card}: codes are {room:.1f} mm wide and read from up to {reach / 10:.0f} cm; you said "
        f"{distance / 10:g} cm: move the camera closer, or make room for {module * across:.1f} mm"
    )
