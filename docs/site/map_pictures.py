"""The documentation's picture of printed maps: a combat map and a region map, as they come from the printer."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from loomtable.printkit.catalogue import RenderOptions, components
from loomtable.printkit.raster import picture_of
from loomtable.printkit.sheet.pieces import LargeDrawing
from loomtable.vision.pictures import BgrImage, write_picture

_SHOWN = {"combat-maps": "The hall of the bell", "region-maps": "The Weft Wolds"}
"""Of each component, the map that is shown, by its title."""
_HIGH = 480
"""Pixels: enough to read a region's name, small enough for a repository."""
_FINE = 2
"""Drawn so many times finer than shown."""
_SPACE = 24
_MM_AN_INCH = 25.4


def make_map_pictures(folder: Path) -> list[Path]:
    """Write the picture of a combat map beside a region map into ``folder``."""
    between = np.full((_HIGH, _SPACE, 3), 255, np.uint8)
    drawn = [_drawn(_map(component, title)) for component, title in _SHOWN.items()]
    write_picture(folder / "maps.jpg", np.hstack([drawn[0], between, drawn[1]]))
    return [folder / "maps.jpg"]


def _map(component: str, title: str) -> LargeDrawing:
    maps = [piece for piece in components()[component].pieces(RenderOptions()) if isinstance(piece, LargeDrawing)]
    return next(one for one in maps if one.name == title)


def _drawn(drawing: LargeDrawing) -> BgrImage:
    dpi = _FINE * _HIGH * _MM_AN_INCH / drawing.height
    fine = picture_of(drawing.draw, drawing.width, drawing.height, round(dpi))
    width = round(_HIGH * drawing.width / drawing.height)
    return np.asarray(cv2.resize(fine[..., ::-1], (width, _HIGH), interpolation=cv2.INTER_AREA), np.uint8)
