"""The first picture of the README: a printed kit on a table, with what is read there drawn on it.

``python docs/site/pictures.py kit`` writes it. Everything comes out of the PDFs that are printed; the virtual
camera photographs it, and the readers that play also read it here.
"""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np

from docs.site.printed_pictures import OF_PAPER
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.ring_codes import RingMark
from loomtable.engine.storm_weavers.combat_map import CombatMap, combat_map
from loomtable.engine.storm_weavers.squares import column_and_row
from loomtable.printkit.components.figure_file import figures
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.storm_weavers.combat_map import map_size
from loomtable.printkit.games.weave.weave_die import draw_weave_side
from loomtable.printkit.raster import card_faces, picture_of
from loomtable.table.reading.pictures import card_marks, cards_in
from loomtable.testing.places_on_maps import square_middle
from loomtable.testing.virtual import TINTS, Light, PlacedCard, Scene, Surface, VirtualCamera
from loomtable.testing.virtual.colour import linear
from loomtable.testing.virtual.lens import Points, rotated
from loomtable.testing.virtual.printed_die import PrintedDie
from loomtable.testing.virtual.scene import light_of
from loomtable.testing.virtual.sensor import develop
from loomtable.vision.arrays import Float32Array
from loomtable.vision.overlay import Mark, draw_marks
from loomtable.vision.pictures import BgrImage, write_picture
from loomtable.vision.printed import read_printed
from loomtable.vision.verdict import Verdict
from tests.vision.scenes.boards import Panel
from tests.vision.scenes.maps import combat_picture, facing, standing_panels

WIDEST = 1280
MAP = "sluice-yard"
_MAP_AT, _MAP_TURN = (64.0, -44.0), 4.0
_STANDING = (
    ("Stair-wolf", "F2", 14.0),
    ("Thymin", "B4", 10.0),
    ("Frost Carter 1", "E4", -14.0),
    ("Pass Archer 1", "G6", -4.0),
)
"""Who stands on the map, on which square, turned by how many degrees."""
_CARDS = (
    ("S3", -180.0, -96.0, -7.0),
    ("S8", -107.0, -100.0, 3.0),
    ("S7", -160.0, 10.0, 6.0),
    ("C12", -87.0, 8.0, -5.0),
)
"""Cards: which, and where they lie."""
_DICE = ((-24.0, 68.0, 24.0, 1), (20.0, 80.0, 65.0, 5), (64.0, 70.0, -18.0, 3), (108.0, 82.0, 40.0, 6))
"""Weave dice folded from paper: x, y, turn, the side that lies up."""
_EDGE = 18.0
_LAMP = Light(azimuth=116, elevation=47, distance=1150, size=9, sky=0.6, tint=(1.0, 0.95, 0.87))
_CAMERA = VirtualCamera(
    height=415, tilt=33, field_of_view=52, aim=(-16.0, -18.0), frame=(2560, 1440), noise=0.5, blur=0.8,
    vignetting=0.36, sharpening=0.4, jpeg_quality=95, warmth=0.25,
)  # fmt: skip


def kit_on_a_table() -> BgrImage:
    """The photograph (BGR), with the cards and dice that were read marked."""
    plan = combat_map(MAP)
    light = light_of(Scene(Surface("wood", TINTS["wood"][1], 9), _laid(plan), _dice(), _LAMP), _CAMERA)
    for name, square, turn in _STANDING:
        _stand(light, plan, name, square, turn)
    picture = develop(light, _CAMERA, np.random.default_rng(11))
    return draw_marks(picture, [*card_marks(cards_in(picture), picture), *_read(picture)])


def make_kit_picture(folder: Path) -> list[Path]:
    """Write ``kit.jpg`` into ``folder``."""
    picture = kit_on_a_table()
    size = (WIDEST, round(picture.shape[0] * WIDEST / picture.shape[1]))
    path = folder / "kit.jpg"
    write_picture(path, np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8))
    return [path]


def _laid(plan: CombatMap) -> tuple[PlacedCard, ...]:
    wide, high = map_size(plan)
    ground = PlacedCard(
        combat_picture(plan.name, Style.COLOUR), *_MAP_AT, _MAP_TURN, wide, high, corner_mm=0.5, curl_mm=0.4,
        shine=0.2,
    )  # fmt: skip
    cards = [
        PlacedCard(card_faces(f"{card.kind}-cards", 260, only=[card])[card], x, y, turn, card=card)
        for short, x, y, turn in _CARDS
        for card in [ComponentId.parse(short)]
    ]
    return (ground, *cards)


def _dice() -> tuple[PrintedDie, ...]:
    dice = []
    for number, (x, y, turn, value) in enumerate(_DICE, start=1):
        sides = tuple(_side(RingMark(Die.WEAVE, number, face)) for face in Die.WEAVE.faces)
        dice.append(PrintedDie(value, x, y, turn, _EDGE, **OF_PAPER, sides=sides, side_mm=_EDGE))
    return tuple(dice)


def _side(mark: RingMark) -> BgrImage:
    return picture_of(lambda pen: draw_weave_side(pen, mark, _EDGE), _EDGE, _EDGE, 300)


def _read(picture: BgrImage) -> list[Mark]:
    reading = read_printed(picture, (len(_DICE), Die.WEAVE))
    return [
        Mark(die.polygon, str(die.face), Verdict.ASK if die.doubt else Verdict.ACCEPTED) for die in reading.dice
    ]


def _stand(light: Float32Array, plan: CombatMap, name: str, square: str, turn: float) -> None:
    """Put a folded figure and its shadow on the map, in place."""
    x, y = square_middle(plan, *column_and_row(square))
    wide, high = map_size(plan)
    [place] = rotated([[x - wide / 2, y - high / 2]], _MAP_TURN) + np.array(_MAP_AT)
    one = next(figure for figure in figures() if figure.called == name)
    panels = standing_panels(one, Style.COLOUR, (float(place[0]), float(place[1])), turn, 0.8)
    upright = next(panel for panel in panels if panel.key == "front")
    _shade(light, upright.corners)
    for panel in facing(panels, _CAMERA):
        _paint(light, panel)


def _shade(light: Float32Array, corners: Points) -> None:
    """The shadow that an upright panel throws on the table: sharper and darker at its foot."""
    way = -_LAMP.lamp[:2] / _LAMP.lamp[2] * np.array([1, -1])
    left = np.ones(light.shape[:2], np.float32)
    for share, soft, strength in ((0.35, 0.8, 0.32), (1.0, 2.0, 0.32)):
        feet = corners[2:][::-1]
        tops = feet[:, :2] + way * (corners[:2, 2] * share)[:, None]
        outline = np.vstack([feet[:, :2], tops[::-1]])
        cast = np.zeros(light.shape[:2], np.uint8)
        cv2.fillPoly(cast, [np.round(_CAMERA.project(outline) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        softened = cv2.GaussianBlur(cast, (0, 0), soft * _CAMERA.pixels_per_mm).astype(np.float32) / 255
        left *= 1 - strength * softened
    light *= left[..., None]


def _paint(light: Float32Array, panel: Panel) -> None:
    """A panel's print in the light that falls on it, in place."""
    corners = panel.corners * [1, -1, 1]
    normal = np.cross(corners[1] - corners[0], corners[0] - corners[3])
    normal /= np.linalg.norm(normal)
    flat = math.sin(math.radians(_LAMP.elevation))
    towards = max(float(normal @ (_LAMP.lamp / np.linalg.norm(_LAMP.lamp))), 0.0) / flat
    lit = min(towards, 1.2) * _LAMP.key_colour + (0.6 + 0.4 * abs(float(normal[2]))) * _LAMP.sky_colour
    pixels = _CAMERA.project(panel.corners)
    low = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 1, 0)
    top = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 2, light.shape[1::-1])
    fine = 3
    size = tuple(((top - low) * fine).tolist())
    face = linear(panel.face)
    high, wide = face.shape[:2]
    at = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(at, ((pixels - low + 0.5) * fine - 0.5).astype(np.float32))
    layers = np.dstack([face, np.ones((high, wide), np.float32)])
    drawn = cv2.warpPerspective(layers, warp, size, flags=cv2.INTER_LINEAR)
    small = cv2.resize(drawn, (size[0] // fine, size[1] // fine), interpolation=cv2.INTER_AREA)
    crop = np.s_[low[1] : top[1], low[0] : top[0]]
    light[crop] = light[crop] * (1 - small[..., 3:]) + small[..., :3] * lit
