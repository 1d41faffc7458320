"""Ordinary playing cards by their corners: what is sure is told, and doubt is never made a card."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.poker import CardSuit, PokerCard
from loomtable.testing.virtual import PlacedCard, Scene, Surface, VirtualCamera, photograph
from loomtable.vision.pictures import BgrImage, read_picture
from loomtable.vision.poker import read_poker
from loomtable.vision.poker.card_outlines import find_cards
from loomtable.vision.poker.corners import (
    HEIGHT,
    PER_MM,
    RANK_AT,
    SIGN_AT,
    SUITS,
    WIDTH,
    corner_about,
    network_input,
)
from loomtable.vision.poker.index_reading import read_indices
from loomtable.vision.poker.indices import index_places
from loomtable.vision.poker.pairing import CardIndices, cards_of
from loomtable.vision.poker.signs import suit_fits
from loomtable.vision.verdict import Verdict
from tests.tiers import mostly, thorough
from tests.vision.scenes.playing_cards import SHOWN, faces, laid

PHOTOGRAPHS = Path(__file__).parents[3] / "shared" / "photos"


def shorts(picture: BgrImage) -> list[str]:
    return [one.card.short if one.card else "?" for one in read_poker(picture).cards]


def test_cards_are_found_whole_and_in_any_turn() -> None:
    places = (("7H", -75, -10, 20), ("KS", 10, 5, -100), ("10D", 95, 0, 170))
    found, _ = find_cards(laid(*places))
    assert len(found) == 3
    camera = VirtualCamera(height=300, tilt=12)
    for name, x, y, turn in places:
        outline = camera.project(PlacedCard(faces()[name], x, y, turn).outline)
        best = min(np.abs(np.roll(one.quad, k, axis=0) - outline).max() for one in found for k in range(4))
        assert best < 4


TURNS = [("7H", 0, "10D", 95), ("KS", 180, "2C", -40), ("QH", 15, "AS", 200)]


@pytest.mark.parametrize(("one", "turn", "other", "its"), mostly(TURNS, TURNS[1:2]))
def test_rank_and_suit_are_read_in_any_turn(one: str, turn: float, other: str, its: float) -> None:
    reading = read_poker(laid((one, -50, 0, turn), (other, 50, 0, its), height=240))
    assert {card.short for card in reading.sure} == {one, other}, reading.reason
    assert reading.verdict is Verdict.ACCEPTED


def test_count_and_emptiness_are_told_in_words() -> None:
    table = photograph(Scene(Surface("wood", seed=2)), VirtualCamera(), 1).picture
    assert read_poker(table).reason == "no card"
    assert read_poker(np.full((3, 3, 3), 200, np.uint8), 2).reason == "no card, two expected"
    three = read_poker(laid(("7H", -50, 0, 0), ("KS", 50, 0, 0)), 3)
    assert three.verdict is Verdict.REJECTED
    assert "three expected" in three.reason


def test_the_same_card_twice_is_asked_about() -> None:
    reading = read_poker(laid(("7H", -50, 0, 0), ("7H", 50, 0, 0), height=250))
    assert reading.verdict is not Verdict.ACCEPTED


def test_white_paper_and_backs_are_no_cards() -> None:
    for paper in (
        np.full((200, 143, 3), 240, np.uint8),
        np.tile(np.array([200, 90, 60], np.uint8), (200, 143, 1)),
    ):
        camera = VirtualCamera(height=280, tilt=10)
        picture = photograph(Scene(Surface("felt", seed=3), (PlacedCard(paper),)), camera, 4).picture
        assert read_poker(picture).sure == ()


def on_face(place: tuple[float, float], scale: float) -> np.ndarray:
    """Where a point in mm is on a face of eight pixels a millimetre."""
    return (np.array(place) * 8 + 0.5) * scale - 0.5


def test_a_corner_is_cut_out_the_same_however_large_it_is_seen() -> None:
    face = cv2.cvtColor(faces()["KS"], cv2.COLOR_RGB2BGR)
    corners = []
    for scale in (0.5, 1.0, 3.0):
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        large = np.asarray(cv2.resize(face, None, fx=scale, fy=scale, interpolation=how), np.uint8)
        corners.append(corner_about(large, on_face(RANK_AT, scale), on_face(SIGN_AT, scale)).astype(float))
    assert corners[0].shape == (HEIGHT, WIDTH, 3)
    assert WIDTH / PER_MM < 63 / 2
    assert np.abs(corners[0] - corners[2]).mean() < 6
    assert np.abs(corners[1] - corners[2]).mean() < 6
    taken = network_input([corner.astype(np.uint8) for corner in corners])
    assert taken.shape == (3, 3, HEIGHT, WIDTH)
    assert 0 <= taken.min() <= taken.max() <= 1.3


def test_the_places_of_both_indices_are_among_those_that_are_looked_into() -> None:
    camera, card = VirtualCamera(height=240, tilt=12), PlacedCard(faces()["10D"], 0, 0, 130)
    picture = photograph(Scene(Surface("wood", seed=3), (card,)), camera, 4).picture
    ranks, signs = index_places(picture)
    for rank, sign in (((5.2, 6.8), (5.2, 14.6)), ((57.8, 81.2), (57.8, 73.4))):
        flat = card.places([rank, sign])
        there = camera.project(np.column_stack([flat, np.full(2, card.thickness_mm)]))
        away = np.linalg.norm(ranks - there[0], axis=1) + np.linalg.norm(signs - there[1], axis=1)
        assert away.min() < 5


@pytest.mark.parametrize("name", SHOWN)
def test_the_shape_and_the_ink_of_a_sign_say_its_suit(name: str) -> None:
    face = cv2.cvtColor(faces()[name], cv2.COLOR_RGB2BGR)
    card = PokerCard(ComponentId.parse(name).number)
    for scale in (0.2, 0.5):
        small = np.asarray(cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        fits, black = suit_fits(small, on_face((5.2, 6.8), scale), on_face((5.2, 14.6), scale))
        assert card.suit is not None
        red = card.suit in (CardSuit.HEARTS, CardSuit.DIAMONDS)
        assert (black < 0.5) if red else (black > 0.8)
        assert SUITS[int(fits[:2].argmax()) if red else 2 + int(fits[2:].argmax())] == card.suit


def test_cards_that_overlap_are_both_read() -> None:
    reading = read_poker(laid(("KS", 0, 0, 10), ("7H", 38, 6, 2), height=250))
    assert {card.short for card in reading.sure} >= {"7H"}
    assert {one.card.short: one.indices for one in reading.cards if one.card} == {"7H": 2, "KS": 1}


def test_a_card_on_white_ground_is_read() -> None:
    paper = PlacedCard(np.full((300, 300, 3), 245, np.uint8), 0, 0, 0, width_mm=290, height_mm=290)
    scene = Scene(Surface("felt", seed=3), (paper, PlacedCard(faces()["2C"], 10, 5, 25)))
    reading = read_poker(photograph(scene, VirtualCamera(height=230, tilt=8), 4).picture)
    assert [card.short for card in reading.sure] == ["2C"], reading.reason


def test_two_indices_are_of_one_card_only_where_they_stand_as_its_corners_do() -> None:
    whole = cards_of(read_indices(laid(("7H", -50, 0, 20), ("KS", 50, 0, 0), height=280)))
    assert sorted(len(card.corners) for card in whole if card.corners[0].rank_probabilities.max() > 0.9) == [2, 2]
    # The first index of one card and the second one of the other are none.
    pairs = [card for card in whole if len(card.corners) == 2]
    crossed = cards_of([pairs[0].corners[0], pairs[1].corners[1]])
    assert [len(card.corners) for card in crossed] == [1, 1]
    outline = VirtualCamera(height=280, tilt=12).project(PlacedCard(faces()["KS"], 50, 0, 0).outline)
    rough = [CardIndices(pair.corners).quad for pair in pairs]
    best = min(np.abs(np.roll(quad, k, axis=0) - outline).max() for quad in rough for k in range(4))
    assert best < 0.1 * np.ptp(outline[:, 1])


def photographs() -> list[dict[str, object]]:
    labels = PHOTOGRAPHS / "playing-cards.jsonl"
    return [json.loads(line) for line in labels.read_text().splitlines()] if labels.exists() else []


@thorough
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
