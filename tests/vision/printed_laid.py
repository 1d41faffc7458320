"""Our printed dice and coins, drawn flat as the PDF has them, and laid on a table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.ring_codes import RingMark
from loomtable.printkit.components.coin_token import COIN, draw_coin_side
from loomtable.printkit.draw import facecode
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.weave.weave_die import STICKER, draw_weave_side
from loomtable.printkit.raster import card_faces, picture_of
from loomtable.testing.virtual import VirtualCamera, photograph, row_of_cards
from loomtable.vision.pictures import BgrImage
from loomtable.vision.plane_pose import FlatPrint, flat_rectangle

WOOD = (62, 96, 140)


def printed(mark: RingMark, style: Style = Style.COLOUR) -> BgrImage:
    """A printed side, BGR, ten pixels a millimetre."""
    size = COIN.width if mark.die is Die.COIN else STICKER.width

    def draw(pen: facecode.Pen) -> None:
        if mark.die is Die.COIN:
            draw_coin_side(pen, mark.face)
        else:
            draw_weave_side(pen, mark, size)

    return np.ascontiguousarray(picture_of(draw, size, size, 254, style)[..., ::-1])


def laid(sides: list[tuple[BgrImage, float, float, float, float]], size: tuple[int, int] = (300, 420)) -> BgrImage:
    """Sides on a table: each a picture, its middle (x, y), its edge in pixels and its turn in degrees."""
    rng = np.random.default_rng(4)
    fine = 3
    table = np.full((size[0] * fine, size[1] * fine, 3), WOOD, np.uint8)
    for side, x, y, edge, turn in sides:
        scale = edge * fine / side.shape[0]
        small = cv2.resize(side, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        place = cv2.getRotationMatrix2D(((small.shape[1] - 1) / 2, (small.shape[0] - 1) / 2), turn, 1.0)
        place[:, 2] += np.array([x, y]) * fine - (np.array(small.shape[1::-1]) - 1) / 2
        cv2.warpAffine(
            small, place, table.shape[1::-1], table, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT
        )
    seen = cv2.resize(table, None, fx=1 / fine, fy=1 / fine, interpolation=cv2.INTER_AREA)
    seen = cv2.GaussianBlur(seen, (0, 0), 0.7).astype(np.float32) + rng.normal(0, 2.5, seen.shape)
    return np.asarray(np.clip(seen, 0, 255), np.uint8)


def one(mark: RingMark, edge: float = 60, turn: float = 20, style: Style = Style.COLOUR) -> BgrImage:
    return laid([(printed(mark, style), 210, 150, edge, turn)])


@cache
def cards_seen_aslant() -> BgrImage:
    """Three Story cards in a row, seen from 52 degrees above the table."""
    faces = {c: f for c, f in card_faces("story-cards", 150).items() if c.kind is Kind.STORY and c.number <= 3}
    camera = VirtualCamera(height=310, tilt=38)
    return photograph(row_of_cards(list(faces.values()), 3, camera, cards=list(faces)), camera, 3).picture


def squares_seen(camera: VirtualCamera, places: Sequence[Sequence[float]], side: float = 20) -> list[FlatPrint]:
    """Printed squares at these places of the table, each turned otherwise, as a camera sees their corners."""
    prints = []
    for number, place in enumerate(places):
        turn = np.radians(25.0 + 70 * number)
        right, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        corners = [np.array(place) + side * (x * right + y * down) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
        a, b, c, d = camera.project(corners).tolist()
        prints.append(flat_rectangle((tuple(a), tuple(b), tuple(c), tuple(d)), side, side))
    return prints
