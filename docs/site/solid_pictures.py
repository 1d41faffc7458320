"""Pictures of rendered scenes: as the networks learn from them, and with the solids that were found in some."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from loomtable.engine.kernel.dice import Die
from loomtable.table.reading.pictures import dice_marks
from loomtable.vision.boxes import Box
from loomtable.vision.dice import read_dice
from loomtable.vision.die_kinds import Kind
from loomtable.vision.overlay import draw_close_ups, draw_marks
from loomtable.vision.pictures import BgrImage
from loomtable.vision.pool import Pool
from training.develop import photographed
from training.invent import make_scene
from training.raster import Rasteriser

SCENES = ((Kind.D6, 7_300_017), (Kind.D8, 7_300_004), (Kind.D10, 7_300_007), (Kind.D12, 7_300_009))
"""Scenes whose dice can be told apart at the size of a page, by the seeds that make them."""
ELEVATIONS = (32.0, 50.0)
"""Degrees above the table."""
EXPLAINED = ((7_400_000, (50.0, 65.0)), (7_400_011, (50.0, 65.0)))
"""Scenes of one d20 whose faces can be read, and their elevations."""
ROOM = 60
"""Pixels about the dice, in which their names are written."""


def scenes_side_by_side() -> BgrImage:
    """Two rows of four scenes, as a cheap camera takes them.

    Raises:
        RendererMissing: the renderer cannot work here.
    """
    renderer = Rasteriser(finer=2.0)
    scenes = [make_scene(seed, typefaces=renderer.typefaces, size=(480, 360)) for seed in range(8)]
    pictures = [photographed(scene, renderer.draw(scene)) for scene in scenes]
    return np.vstack([np.hstack(pictures[:4]), np.hstack(pictures[4:])])


def solids_on_the_table() -> BgrImage:
    """Two rows of two scenes, each with its dice as they were read.

    Raises:
        RendererMissing: the renderer cannot work here.
    """
    renderer = Rasteriser(finer=2.0)
    drawn = []
    for kind, seed in SCENES:
        scene = make_scene(
            seed, typefaces=renderer.typefaces, size=(960, 720), kinds=(kind.value,), elevations=ELEVATIONS
        )
        picture = photographed(scene, renderer.draw(scene))
        tray = read_dice(picture, Pool.of((len(scene.dice), kind.die)))
        drawn.append(_close_up(draw_marks(picture, dice_marks(tray)), [die.box for die in tray.dice]))
    return np.vstack([np.hstack(drawn[:2]), np.hstack(drawn[2:])])


def faces_that_were_read() -> BgrImage:
    """What ``loom read --explain`` draws, of two d20 beside each other.

    Raises:
        RendererMissing: the renderer cannot work here.
    """
    renderer = Rasteriser(finer=2.0)
    drawn = []
    for seed, elevations in EXPLAINED:
        scene = make_scene(
            seed, typefaces=renderer.typefaces, size=(960, 720), kinds=(Kind.D20.value,), elevations=elevations
        )
        picture = photographed(scene, renderer.draw(scene))
        (die,) = read_dice(picture, Pool.of((1, Die.D20))).dice
        drawn.append(draw_close_ups(picture, [(die.box, die.read)]))
    return np.hstack(drawn)


def _close_up(picture: BgrImage, boxes: Sequence[Box]) -> BgrImage:
    """The part in which the dice are, with room for their names, as wide as every other."""
    height, width = picture.shape[:2]
    (x0, y0), (x1, y1) = np.min(boxes, axis=0)[:2], np.max(boxes, axis=0)[2:]
    half = min(max((x1 - x0) / 2 + ROOM, (y1 - y0 + 2 * ROOM) / 2 * width / height), width / 2)
    x = float(np.clip((x0 + x1) / 2, half, width - half))
    y = float(np.clip((y0 + y1) / 2, half * height / width, height * (1 - half / width)))
    scale = width / 2 / half
    shift = np.array([[scale, 0, width / 2 - scale * x], [0, scale, height / 2 - scale * y]])
    return np.asarray(cv2.warpAffine(picture, shift, (width, height), flags=cv2.INTER_CUBIC), np.uint8)
