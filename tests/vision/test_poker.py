"""Ordinary playing cards by their corners: what is sure is told, and doubt is never made a card."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import fontpkg_alegreya_sans
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from engine.kernel.components import ComponentId
from engine.kernel.poker import PokerCard, Suit
from vision.pictures import Picture, read_picture
from vision.poker import read_poker
from vision.poker.corners import HEIGHT, PER_MM, WIDTH, corner_of, network_input
from vision.poker.finding import find_cards
from vision.training.poker_corners import suit_outline
from vision.verdict import Verdict
from vision.virtual import LaidCard, Scene, Surface, VirtualCamera, photograph

PHOTOGRAPHS = Path(__file__).parents[3] / "shared" / "photos"
SHOWN = ("7H", "KS", "10D", "2C", "QH", "AS")


@cache
def faces() -> dict[str, Picture]:
    """Six cards as any deck has them: an index in two corners, and pips."""
    return {name: drawn(PokerCard(ComponentId.parse(name).number)) for name in SHOWN}


def drawn(card: PokerCard) -> Picture:
    """A card of 63 x 88 mm, RGB, eight pixels a millimetre."""
    assert card.suit is not None
    dots, rng = 8, np.random.default_rng(card.number)
    ink = (190, 20, 30) if card.suit in (Suit.HEARTS, Suit.DIAMONDS) else (20, 20, 24)
    face = np.full((88 * dots, 63 * dots, 3), 244, np.uint8)

    def sign(x: float, y: float, size: float) -> None:
        for outline in suit_outline(str(card.suit), np.random.default_rng(4)):
            points = (outline * size / 2 + [x, y]) * dots
            cv2.fillPoly(face, [np.round(points * 8).astype(np.int32)], ink, cv2.LINE_AA, 3)

    for half in range(2):
        picture = Image.fromarray(face)
        font = ImageFont.truetype(str(fontpkg_alegreya_sans.ROOT / "files" / "AlegreyaSans-Bold.ttf"), 11 * dots)
        ImageDraw.Draw(picture).text((5.2 * dots, 10.5 * dots), card.rank, font=font, fill=ink, anchor="ms")
        face = np.array(picture)
        sign(5.2, 14.6, 5.4)
        for _ in range(3):
            sign(float(rng.uniform(18, 45)), float(rng.uniform(16, 38)), 11)
        if half == 0:
            face = np.ascontiguousarray(np.rot90(face, 2))
    return face


def laid(*cards: tuple[str, float, float, float], tilt: float = 12, height: float = 300) -> Picture:
    camera = VirtualCamera(height=height, tilt=tilt)
    lying = tuple(LaidCard(faces()[name], x, y, turn) for name, x, y, turn in cards)
    return photograph(Scene(Surface("felt", seed=3), lying), camera, 4).picture


def shorts(picture: Picture) -> list[str]:
    return [one.card.short if one.card else "?" for one in read_poker(picture).cards]


def test_cards_are_found_whole_and_in_any_turn() -> None:
    places = (("7H", -75, -10, 20), ("KS", 10, 5, -100), ("10D", 95, 0, 170))
    found, _ = find_cards(laid(*places))
    assert len(found) == 3
    camera = VirtualCamera(height=300, tilt=12)
    for name, x, y, turn in places:
        outline = camera.project(LaidCard(faces()[name], x, y, turn).outline)
        best = min(np.abs(np.roll(one.quad, k, axis=0) - outline).max() for one in found for k in range(4))
        assert best < 4


@pytest.mark.parametrize(
    ("name", "turn"), [("7H", 0), ("KS", 180), ("10D", 95), ("2C", -40), ("QH", 15), ("AS", 200)]
)
def test_rank_and_suit_are_read_in_any_turn(name: str, turn: float) -> None:
    reading = read_poker(laid((name, 0, 0, turn), height=240))
    assert reading.sure == (PokerCard(ComponentId.parse(name).number),), reading.reason
    assert reading.verdict is Verdict.ACCEPTED


def test_count_and_emptiness_are_told_in_words() -> None:
    table = photograph(Scene(Surface("wood", seed=2)), VirtualCamera(), 1).picture
    assert read_poker(table).reason == "no card"
    assert read_poker(table, 2).reason == "no card, two expected"
    assert read_poker(np.full((3, 3, 3), 200, np.uint8)).verdict is Verdict.REJECTED
    two = laid(("7H", -50, 0, 0), ("KS", 50, 0, 0))
    assert read_poker(two, 3).verdict is Verdict.REJECTED
    assert "three expected" in read_poker(two, 3).reason


def test_the_same_card_twice_is_asked_about() -> None:
    reading = read_poker(laid(("7H", -50, 0, 0), ("7H", 50, 0, 0), height=250))
    assert reading.verdict is not Verdict.ACCEPTED


def test_white_paper_and_backs_are_no_cards() -> None:
    for paper in (
        np.full((200, 143, 3), 240, np.uint8),
        np.tile(np.array([200, 90, 60], np.uint8), (200, 143, 1)),
    ):
        camera = VirtualCamera(height=280, tilt=10)
        picture = photograph(Scene(Surface("felt", seed=3), (LaidCard(paper),)), camera, 4).picture
        assert read_poker(picture).sure == ()


def test_a_corner_is_cut_out_the_same_however_large_it_is_seen() -> None:
    face = cv2.cvtColor(faces()["KS"], cv2.COLOR_RGB2BGR)
    corners = []
    for scale in (1.0, 2.0, 3.0):
        large = cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        high, wide = large.shape[:2]
        quad = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], float) - 0.5
        corners.append(corner_of(np.asarray(large, np.uint8), quad).astype(float))
    assert corners[0].shape == (HEIGHT, WIDTH, 3)
    assert WIDTH / PER_MM < 63 / 2
    assert np.abs(corners[0] - corners[2]).mean() < 6
    taken = network_input([corner.astype(np.uint8) for corner in corners])
    assert taken.shape == (3, 3, HEIGHT, WIDTH)
    assert 0 <= taken.min() <= taken.max() <= 1.3


def photographs() -> list[dict[str, object]]:
    labels = PHOTOGRAPHS / "playing-cards.jsonl"
    return [json.loads(line) for line in labels.read_text().splitlines()] if labels.exists() else []


@pytest.mark.skipif(not photographs(), reason="the photographs of playing cards are not here")
def test_no_photographed_card_is_silently_taken_for_another() -> None:
    wrong = sure = 0
    for one in photographs()[::10]:
        reading = read_poker(read_picture(PHOTOGRAPHS / str(one["image"])))
        ranks = [card["rank"] for card in one["cards"]]  # type: ignore[attr-defined]
        for card in reading.sure:
            sure += 1
            wrong += card.rank not in ranks
    assert sure > 3
    assert wrong == 0
