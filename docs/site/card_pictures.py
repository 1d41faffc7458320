"""The pictures of docs/reading-cards.md: printed cards under the virtual camera, with what was read on them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from loomtable.engine.kernel.components import ComponentId
from loomtable.printkit.draw.qr import ErrorCorrection, qr_modules
from loomtable.printkit.raster import card_faces
from loomtable.table.reading.pictures import card_marks, cards_in
from loomtable.testing.virtual import Glare, Light, PlacedCard, Scene, Surface, VirtualCamera, photograph
from loomtable.vision.advice import advice
from loomtable.vision.overlay import draw_caption, draw_marks
from loomtable.vision.pictures import BgrImage, write_picture
from loomtable.vision.verdict import Verdict

SHOWN = {"story-cards": "S7 S2 S9 S14", "challenge-cards": "C12 C25", "spell-cards": "P3", "poker-deck": "QH"}
WIDEST = 1100


def make_card_pictures(folder: Path) -> list[Path]:
    """Write the pictures into ``folder``; returns them."""
    faces: dict[ComponentId, BgrImage] = {}
    for deck, shorts in SHOWN.items():
        faces |= card_faces(deck, 150, only=[ComponentId.parse(short) for short in shorts.split()])
    pictures = {"cards-anyhow.jpg": _anyhow(faces), "cards-advice.jpg": _gleam(faces)}
    for name, picture in pictures.items():
        write_picture(folder / name, picture)
    return [folder / name for name in pictures]


def _anyhow(faces: dict[ComponentId, BgrImage]) -> BgrImage:
    """Eight cards of four decks in any turn, and one that is none of ours."""
    chance = np.random.default_rng(3)
    cards = sorted(faces)
    places = [(x, y) for y in (-60.0, 60.0) for x in (-190.0, -95.0, 0.0, 95.0, 190.0)][:9]
    laid = [
        PlacedCard(
            faces[card] if card is not None else _stranger(),
            x + float(chance.uniform(-6, 6)) + (48 if y > 0 else 0),
            y + float(chance.uniform(-8, 8)),
            turn=float(chance.uniform(-180, 180)),
            card=card,
        )
        for (x, y), card in zip(places, [*cards, None], strict=True)
    ]
    camera = VirtualCamera(height=440, tilt=14, frame=(1920, 1080))
    picture = photograph(Scene(Surface("felt", seed=8), tuple(laid)), camera, 8).picture
    scan = cards_in(picture)
    drawn = draw_marks(picture, card_marks(scan))
    words = f"{len(scan.cards)} cards read; {scan.refused[0].reason if scan.refused else 'nothing refused'}"
    return _narrowed(draw_caption(drawn, words, Verdict.ACCEPTED))


def _gleam(faces: dict[ComponentId, BgrImage]) -> BgrImage:
    """Three cards with a lamp over the left one, and the advice about it."""
    light = Light(glare=Glare(-80.0, 20.0, radius=40.0, strength=2.2))
    laid = [
        PlacedCard(face, 80.0 * k - 80, turn=3.0 * k, card=card)
        for k, (card, face) in enumerate(faces.items())
        if k < 3
    ]
    camera = VirtualCamera(height=250, tilt=8, frame=(1280, 640))
    picture = photograph(Scene(Surface("wood", seed=5), tuple(laid), (), light), camera, 5).picture
    scan = cards_in(picture)
    said = "; ".join(advice(picture, scan)) or "all is well"
    return _narrowed(draw_caption(draw_marks(picture, card_marks(scan)), said, Verdict.ASK))


def _stranger() -> BgrImage:
    """A white card with a code that leads elsewhere."""
    dark = np.array(qr_modules("HTTPS://EXAMPLE.ORG", ErrorCorrection.M))
    code = np.kron(np.where(dark, 0, 255), np.ones((7, 7))).astype(np.uint8)
    face = np.full((520, 372, 3), 246, np.uint8)
    side = code.shape[0]
    face[300 : 300 + side, 160 : 160 + side] = code[..., None]
    return face


def _narrowed(picture: BgrImage) -> BgrImage:
    size = (WIDEST, round(picture.shape[0] * WIDEST / picture.shape[1]))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
