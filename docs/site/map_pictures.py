"""The documentation's pictures of printed maps: ours as they come from the printer, and one of another tool's."""

from __future__ import annotations

import base64
import io
import json
import tempfile
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
import platformdirs
from PIL import Image, ImageDraw

from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.printkit.catalogue import RenderOptions, components
from loomtable.printkit.games.storm_weavers.combat_map import map_drawing
from loomtable.printkit.raster import picture_of
from loomtable.printkit.sheet.pieces import LargeDrawing
from loomtable.table.commands.main import run
from loomtable.vision.pictures import BgrImage, write_picture

_SHOWN = {"combat-maps": "The hall of the bell", "region-maps": "The Weft Wolds"}
"""Of each component, the map that is shown, by its title."""
_HIGH = 480
"""Pixels: enough to read a region's name, small enough for a repository."""
_FINE = 2
"""Drawn so many times finer than shown."""
_SPACE = 24
_MM_AN_INCH = 25.4


_SIDE = 70
"""Pixels across a square of the map that another tool drew."""
_ROOMS = (((1, 1, 7, 6), (196, 178, 140)), ((7, 3, 9, 5), (178, 164, 136)), ((9, 1, 13, 8), (176, 184, 164)))
"""Left, top, right, bottom in squares, and the floor's colour."""
_WALLS = (
    ((7, 3), (7, 1), (1, 1), (1, 6), (7, 6), (7, 5), (9, 5), (9, 8), (13, 8), (13, 1), (9, 1), (9, 3), (7, 3)),
    ((9, 5), (13, 5)),
    ((3.2, 3.2), (3.8, 3.2), (3.8, 3.8), (3.2, 3.8), (3.2, 3.2)),
)
_DOOR = ((11, 5), (12, 5))


def make_map_pictures(folder: Path) -> list[Path]:
    """Write the picture of a combat map beside a region map into ``folder``."""
    between = np.full((_HIGH, _SPACE, 3), 255, np.uint8)
    drawn = [_drawn(_map(component, title)) for component, title in _SHOWN.items()]
    write_picture(folder / "maps.jpg", np.hstack([drawn[0], between, drawn[1]]))
    return [folder / "maps.jpg", _imported(folder / "imported-map.jpg")]


def _imported(file: Path) -> Path:
    """Write the picture of a map that another tool drew, beside what comes out of the printer."""
    drawn = _drawn_elsewhere()
    encoded = io.BytesIO()
    drawn.save(encoded, "PNG")
    lines = [[{"x": x, "y": y} for x, y in line] for line in (*_WALLS, _DOOR)]
    told = {
        "resolution": {"map_size": {"x": drawn.width // _SIDE, "y": drawn.height // _SIDE}},
        "line_of_sight": lines[:-1],
        "portals": [{"bounds": lines[-1]}],
        "image": base64.b64encode(encoded.getvalue()).decode(),
    }
    with tempfile.TemporaryDirectory() as home, patch.object(platformdirs, "user_data_dir", lambda *_, **__: home):
        cellar = Path(home) / "old-cellar.dd2vtt"
        cellar.write_text(json.dumps(told), "utf-8")
        if run(["import", str(cellar)]):
            raise RuntimeError("the map for the picture cannot be imported")
        printed = _drawn(map_drawing(combat_map("old-cellar")))
    before = np.full((_HIGH, _SPACE * 2 + drawn.width // 2, 3), 255, np.uint8)
    small = np.asarray(drawn.resize((drawn.width // 2, drawn.height // 2)))[..., ::-1]
    top = (_HIGH - small.shape[0]) // 2
    before[top : top + small.shape[0], : small.shape[1]] = small
    write_picture(file, np.hstack([before, printed]))
    return file


def _drawn_elsewhere() -> Image.Image:
    drawn = Image.new("RGB", (14 * _SIDE, 9 * _SIDE), (38, 34, 40))
    pen = ImageDraw.Draw(drawn)
    for (left, top, right, bottom), floor in _ROOMS:
        pen.rectangle((left * _SIDE, top * _SIDE, right * _SIDE, bottom * _SIDE), floor)
    grain = np.random.default_rng(3).normal(0, 5, (drawn.height, drawn.width, 1))
    drawn = Image.fromarray(np.clip(np.asarray(drawn) + grain, 0, 255).astype(np.uint8))
    pen = ImageDraw.Draw(drawn)
    for line in _WALLS[:-1]:
        pen.line([(x * _SIDE, y * _SIDE) for x, y in line], (20, 16, 14), 10)
    pen.ellipse((3.15 * _SIDE, 3.15 * _SIDE, 3.85 * _SIDE, 3.85 * _SIDE), (94, 88, 84), (20, 16, 14), 5)
    pen.line([(x * _SIDE, y * _SIDE) for x, y in _DOOR], (132, 80, 36), 14)
    return drawn


def _map(component: str, title: str) -> LargeDrawing:
    maps = [piece for piece in components()[component].pieces(RenderOptions()) if isinstance(piece, LargeDrawing)]
    return next(one for one in maps if one.name == title)


def _drawn(drawing: LargeDrawing) -> BgrImage:
    dpi = _FINE * _HIGH * _MM_AN_INCH / drawing.height
    fine = picture_of(drawing.draw, drawing.width, drawing.height, round(dpi))
    width = round(_HIGH * drawing.width / drawing.height)
    return np.asarray(cv2.resize(fine[..., ::-1], (width, _HIGH), interpolation=cv2.INTER_AREA), np.uint8)
