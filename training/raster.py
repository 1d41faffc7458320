"""The renderer: one shader pass a picture, on whatever OpenGL there is (a GPU, or Mesa on the processor)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import cv2
import numpy as np

from loomtable.vision.arrays import Float32Array
from training.covers import cover_texture, room_texture
from training.glyphs import Atlas, atlas
from training.scenes import Scene
from training.shader import FRAGMENT, VERTEX
from training.views import Rendered, RendererMissing, look_matrix

_COLUMNS = 10 + 3 * 20
_MOST_DICE, _MOST_THINGS = 8, 6


def rows_of(scene: Scene, marks: Atlas) -> Float32Array:
    """The dice as the shader reads them: (8, 70, 4); see ``shader.FRAGMENT`` for the cells."""
    rows = np.zeros((_MOST_DICE, _COLUMNS, 4), np.float32)
    for row, die in zip(rows, scene.dice, strict=False):
        shape = die.solid
        reach = min(shape.reach, die.ball) * die.inner * 1.001
        count = len(shape.faces)
        row[0] = (*die.place, die.inner)
        row[1] = (*die.turn[0], die.ball)
        row[2] = (*die.turn[1], die.sharpness)
        row[3] = (*die.turn[2], count)
        row[4] = (*die.body, die.swirl)
        row[5] = (*die.second, die.grain)
        row[6] = (*die.ink, die.depth)
        row[7] = (*die.ink_of_one, die.gloss)
        row[8] = (die.metal, die.clear, die.weight, die.size)
        row[9, 0] = reach
        for k, (face, mark) in enumerate(zip(shape.faces, die.marks, strict=True)):
            right = np.cross(face.up, face.normal)
            turned = np.cos(mark.turn) * right + np.sin(mark.turn) * face.up
            row[10 + 3 * k] = (*face.normal, marks.places[mark.mark, die.style, mark.text])
            row[11 + 3 * k] = (*face.middle, face.room)
            row[12 + 3 * k] = (*turned, float(mark.mark == "pips" and mark.text == "1"))
    return rows


class Rasteriser:
    """Draws scenes. Holds an OpenGL context: one for each process, made where it is used."""

    def __init__(self, finer: float = 1.5) -> None:
        """``finer``: pictures are drawn this much larger and reduced, which smooths edges.

        Raises:
            RendererMissing: moderngl is not installed, or there is no OpenGL to draw with.
        """
        self._gl: Any = _opened()
        self._program = self._gl.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
        corners = np.array([-1, -1, 3, -1, -1, 3], np.float32)
        self._screen = self._gl.vertex_array(self._program, self._gl.buffer(corners.tobytes()), "corner")
        self._atlas = atlas()
        tiles = self._atlas.tiles
        self._marks = self._gl.texture_array((tiles.shape[2], tiles.shape[1], len(tiles)), 1, tiles.tobytes())
        self._marks.repeat_x = self._marks.repeat_y = False
        self._rows = self._gl.texture((_COLUMNS, _MOST_DICE), 4, dtype="f4")
        self._finer = finer
        self._frames: dict[tuple[int, int], Any] = {}

    @property
    def typefaces(self) -> int:
        """How many typefaces numerals come in."""
        return self._atlas.typefaces

    def draw(self, scene: Scene) -> Rendered:
        """The scene's light in the size its camera asks for."""
        size = (round(scene.camera.width * self._finer), round(scene.camera.height * self._finer))
        frame = self._frame(size)
        self._rows.write(rows_of(scene, self._atlas).tobytes())
        cover, mean = cover_texture(scene.table)
        painted = self._gl.texture((cover.shape[1], cover.shape[0]), 3, (cover * 255).astype(np.uint8).tobytes())
        painted.build_mipmaps()
        painted.filter = (0x2703, 0x2601)
        room = room_texture(scene)
        around = self._gl.texture((room.shape[1], room.shape[0]), 3, room.tobytes(), dtype="f4")
        for place, texture in enumerate((self._rows, self._marks, painted, around)):
            texture.use(place)
        self._tell(scene, size, mean)
        frame.use()
        self._screen.render()
        light = np.frombuffer(frame.read(components=3, dtype="f4"), np.float32).reshape(size[1], size[0], 3)
        numbers = frame.read(components=1, attachment=1, alignment=1)
        which = np.frombuffer(numbers, np.uint8).reshape(size[1], size[0])
        painted.release()
        around.release()
        shape = (scene.camera.width, scene.camera.height)
        reduced = cv2.resize(light, shape, interpolation=cv2.INTER_AREA)
        nearest = cv2.resize(which, shape, interpolation=cv2.INTER_NEAREST)
        return Rendered(np.asarray(reduced, np.float32), np.asarray(nearest, np.uint8))

    def _frame(self, size: tuple[int, int]) -> Any:
        if size not in self._frames:
            targets = [self._gl.texture(size, 4, dtype="f4"), self._gl.texture(size, 1)]
            self._frames[size] = self._gl.framebuffer(targets)
        return self._frames[size]

    def _tell(self, scene: Scene, size: tuple[int, int], mean: Float32Array) -> None:
        things, lamps, dice = scene.things[:_MOST_THINGS], scene.lamps[:3], scene.dice[:_MOST_DICE]
        balls = [(*die.place, min(die.solid.reach, die.ball) * die.inner * 1.001) for die in dice]
        falls = np.array(scene.ambient)
        falls = falls + sum((np.array(lamp.colour) * lamp.towards[2] for lamp in lamps), np.zeros(3))
        table, camera = scene.table, scene.camera
        told: dict[str, object] = {
            "dice_rows": 0,
            "marks": 1,
            "cover": 2,
            "room": 3,
            "dice_count": len(dice),
            "thing_count": len(things),
            "lamp_count": len(lamps),
            "balls": _padded(balls, _MOST_DICE, 4),
            "thing_balls": _padded([(*thing.middle, thing.reach) for thing in things], _MOST_THINGS, 4),
            "thing_start": _padded([thing.start for thing in things], _MOST_THINGS, 3),
            "thing_end": _padded([thing.end for thing in things], _MOST_THINGS, 3),
            "thing_shape": _padded([(float(t.rod), t.radius, t.yaw, 0.0) for t in things], _MOST_THINGS, 4),
            "thing_colour": _padded([thing.colour for thing in things], _MOST_THINGS, 3),
            "lamp_towards": _padded([lamp.towards for lamp in lamps], 3, 3),
            "lamp_colour": _padded([lamp.colour for lamp in lamps], 3, 3),
            "lamp_softness": _padded([(lamp.softness,) for lamp in lamps], 3, 1),
            "ambient": scene.ambient,
            "bounce": tuple(mean * falls * 0.5),
            "eye": tuple(camera.eye),
            "look": tuple(look_matrix(camera).T.ravel()),
            "focal": camera.focal,
            "frame": (float(size[0]), float(size[1])),
            "table": (table.span, np.cos(table.turn), np.sin(table.turn), table.gloss),
        }
        for name, value in told.items():
            # What the shader's compiler found it can do without is not there to be told.
            if name in self._program:
                if isinstance(value, bytes):
                    self._program[name].write(value)
                else:
                    self._program[name].value = value


def _opened() -> Any:
    """An OpenGL context without a window."""
    try:
        moderngl = import_module("moderngl")
    except ImportError:
        raise RendererMissing("drawing scenes needs moderngl: pip install -e . -e training") from None
    # Mesa on the processor: one thread a process, since the work is spread over processes.
    os.environ.setdefault("LP_NUM_THREADS", "1")
    try:
        return moderngl.create_context(standalone=True, backend="egl")
    except Exception as error:  # noqa: BLE001  # glcontext raises bare exceptions
        raise RendererMissing(
            f"drawing scenes needs OpenGL 3.3 without a window, which did not open ({error}): install it "
            "(Debian and Ubuntu: apt install libegl1 libgl1-mesa-dri)"
        ) from None


def _padded(rows: Sequence[Any], most: int, columns: int) -> bytes:
    """Rows of numbers as an array of the shader's, (most, columns) float32."""
    full = np.zeros((most, columns), np.float32)
    for k, row in enumerate(rows):
        full[k] = row
    return full.tobytes()
