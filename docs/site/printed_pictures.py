"""The documentation's pictures of printed dice: what comes out of the printer, and a tray as it is read."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.mats import MATS
from loomtable.engine.kernel.ring_codes import DICE_NUMBERS, RingMark
from loomtable.printkit.components.coin_token import COIN, draw_coin_side
from loomtable.printkit.components.dice_mat import draw_mat
from loomtable.printkit.components.plain_dice import D10_RADIUS, draw_paper_d10
from loomtable.printkit.components.plain_dice_net import cube, trapezohedron, unfolded
from loomtable.printkit.draw.palette import WHITE
from loomtable.printkit.draw.path import circle, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.games.weave.weave_die import EDGE, draw_paper_die, draw_weave_side
from loomtable.printkit.raster import picture_of
from loomtable.testing.virtual import Scene, Surface, VirtualCamera, photograph
from loomtable.testing.virtual.placed_card import PlacedCard
from loomtable.testing.virtual.printed_die import PrintedDie
from loomtable.vision.overlay import Mark, draw_marks
from loomtable.vision.pictures import BgrImage, write_picture
from loomtable.vision.printed import read_printed
from loomtable.vision.verdict import Verdict

_SHEET = (190.0, 122.0)
_LYING = (
    (-78.0, -22.0, 20.0, 1),
    (-30.0, 24.0, 65.0, 5),
    (14.0, -34.0, -12.0, 3),
    (44.0, 22.0, 40.0, 2),
    (86.0, -8.0, 8.0, 6),
)
"""Where the dice of the picture lie on the mat: x, y, turn, value."""
OF_PAPER: dict[str, Any] = {
    "body": (240, 238, 232),
    "edge_mm": 0.35,
    "corner": 0.0,
    "gloss": 0.05,
    "corner_mm": 0.1,
}


def draw_sampler(pen: Pen) -> None:
    """A Weave die's net, its six sides, a d10's net and both sides of a coin, together on one sheet."""
    pen.fill_background(rect(0, 0, *_SHEET), WHITE)
    with pen.at(4, 20):
        draw_paper_die(pen, 1, unfolded(cube(EDGE)), EDGE)
    for at, face in enumerate(Die.WEAVE.faces):
        with pen.at(76 + (at % 3) * 19, 100 - (at // 3) * 19):
            draw_weave_side(pen, RingMark(Die.WEAVE, 2, face), 17)
    for at, face in enumerate(Die.COIN.faces):
        with pen.at(137 + at * 27, 88), pen.clipped(circle(COIN.width / 2, COIN.width / 2, COIN.width / 2)):
            draw_coin_side(pen, face)
    with pen.at(90, 8):
        draw_paper_d10(pen, unfolded(trapezohedron(D10_RADIUS)), D10_RADIUS)


def five_dice(camera: VirtualCamera, *, on_the_mat: bool) -> tuple[BgrImage, tuple[Face, ...]]:
    """A photograph of five paper Weave dice, and the faces that lie up."""
    mat = MATS["A4"]
    laid = PlacedCard(_mat(), 0, 0, 0, mat.width, mat.height, corner_mm=0.5, curl_mm=0.3, shine=0.2)
    dice = []
    for at, (x, y, turn, value) in enumerate(_LYING):
        number = at % DICE_NUMBERS + 1
        sides = tuple(_side(RingMark(Die.WEAVE, number, face)) for face in Die.WEAVE.faces)
        dice.append(PrintedDie(value, x, y, turn, EDGE, **OF_PAPER, sides=sides, side_mm=EDGE))
    scene = Scene(Surface(seed=3), (laid,) if on_the_mat else (), tuple(dice))
    return photograph(scene, camera, 3).picture, tuple(Die.WEAVE.faces[value - 1] for *_, value in _LYING)


@cache
def _mat() -> BgrImage:
    mat = MATS["A4"]
    return picture_of(lambda pen: draw_mat(pen, mat), mat.width, mat.height, 160)


@cache
def _side(mark: RingMark) -> BgrImage:
    return picture_of(lambda pen: draw_weave_side(pen, mark, EDGE), EDGE, EDGE, 254)


def tray_as_read() -> BgrImage:
    """Five Weave dice on the mat, and what was read drawn on them."""
    camera = VirtualCamera(tilt=33, height=292, field_of_view=62, aim=(0.0, 4.0))
    picture, lying = five_dice(camera, on_the_mat=True)
    reading = read_printed(picture, (len(lying), Die.WEAVE))
    seen = [
        Mark(die.polygon, str(die.face), Verdict.ASK if die.doubt else Verdict.ACCEPTED) for die in reading.dice
    ]
    return draw_marks(picture, seen)


def make_printed_pictures(folder: Path) -> list[Path]:
    """Write both pictures into ``folder``."""
    sheet = np.asarray(picture_of(draw_sampler, *_SHEET, 147)[..., ::-1], np.uint8)
    tray = np.asarray(cv2.resize(tray_as_read(), (1100, 619), interpolation=cv2.INTER_AREA), np.uint8)
    written = []
    for name, picture in (("printed-dice.jpg", sheet), ("read-printed-dice.jpg", tray)):
        write_picture(folder / name, picture)
        written.append(folder / name)
    return written
