"""Playing cards as any deck has them, drawn and laid on felt before a camera."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.poker import CardSuit, PokerCard
from loomtable.printkit.draw.type import Font, font_file
from loomtable.testing.virtual import PlacedCard, Scene, Surface, VirtualCamera, photograph
from loomtable.vision.pictures import BgrImage
from training.poker_corners import suit_outline

SHOWN = ("7H", "KS", "10D", "2C", "QH", "AS")


@cache
def faces() -> dict[str, BgrImage]:
    """Six cards as any deck has them: an index in two corners, and pips; and a joker."""
    return {name: drawn(PokerCard(ComponentId.parse(name).number)) for name in SHOWN} | {"RJ": joker()}


def drawn(card: PokerCard) -> BgrImage:
    """A card of 63 x 88 mm, RGB, eight pixels a millimetre."""
    assert card.suit is not None
    dots, rng = 8, np.random.default_rng(card.number)
    ink = (190, 20, 30) if card.suit in (CardSuit.HEARTS, CardSuit.DIAMONDS) else (20, 20, 24)
    face = np.full((88 * dots, 63 * dots, 3), 244, np.uint8)

    def sign(x: float, y: float, size: float) -> None:
        for outline in suit_outline(str(card.suit), np.random.default_rng(3)):
            points = (outline * size / 2 + [x, y]) * dots
            cv2.fillPoly(face, [np.round(points * 8).astype(np.int32)], ink, cv2.LINE_AA, 3)

    for half in range(2):
        picture = Image.fromarray(face)
        font = ImageFont.truetype(font_file(Font.LABEL_BOLD), 11 * dots)
        ImageDraw.Draw(picture).text((5.2 * dots, 10.5 * dots), card.rank, font=font, fill=ink, anchor="ms")
        face = np.array(picture)
        sign(5.2, 14.6, 5.4)
        for _ in range(3):
            sign(float(rng.uniform(18, 45)), float(rng.uniform(16, 38)), 11)
        if half == 0:
            face = np.ascontiguousarray(np.rot90(face, 2))
    return face


def joker() -> BgrImage:
    """A red joker that looks much like a Jack: a J in two corners, with a star below, and a larger star."""
    dots, ink = 8, (190, 20, 30)
    face = Image.new("RGB", (63 * dots, 88 * dots), (244, 244, 244))
    turns = np.linspace(0, 2 * np.pi, 10, endpoint=False)
    star = np.stack([np.sin(turns), -np.cos(turns)], 1) * np.where(np.arange(10) % 2, 0.42, 1.0)[:, None]
    font = ImageFont.truetype(font_file(Font.LABEL_BOLD), 11 * dots)
    for _ in range(2):
        pen = ImageDraw.Draw(face)
        pen.text((5.2 * dots, 10.5 * dots), "J", font=font, fill=ink, anchor="ms")
        for x, y, reach in ((5.2, 14.6, 2.9), (31.5, 30.0, 12.0)):
            pen.polygon([(float(dx), float(dy)) for dx, dy in (star * reach + [x, y]) * dots], fill=ink)
        face = face.rotate(180)
    return np.array(face)


def laid(*cards: tuple[str, float, float, float], tilt: float = 12, height: float = 300) -> BgrImage:
    camera = VirtualCamera(height=height, tilt=tilt)
    lying = tuple(PlacedCard(faces()[name], x, y, turn) for name, x, y, turn in cards)
    return photograph(Scene(Surface("felt", seed=3), lying), camera, 4).picture
