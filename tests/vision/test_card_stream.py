"""Cards before a running camera: each is told once, in the order in which they lie, and once when it is gone."""

from functools import cache

import cv2
import numpy as np

from loomtable.engine.kernel.components import ComponentId
from loomtable.testing.virtual import PlacedCard, Scene, Surface, VirtualCamera, photograph
from loomtable.vision.cards import RefusalKind
from loomtable.vision.motion import MAX_HAND_SECONDS
from tests.vision.cards_drawn import Watched, printed

CAMERA = VirtualCamera(height=255, tilt=10, frame=(800, 450))
A_FRAME = 0.1
"""Seconds from one frame to the next."""
HAND = np.full((200, 90, 3), (214, 168, 140), np.uint8)


@cache
def face(words):
    """A card by its short code, or a card with a foreign code that says something else."""
    return printed(ComponentId.parse(words).code if len(words) < 4 else words)


@cache
def table(cards, hand=None, turn=0):
    """The table with cards from left to right (``S7 . S2``: a gap between), and an arm that reaches over one."""
    angle = np.radians(turn)
    laid = [
        PlacedCard(face(words), 80 * (k - 1) * np.cos(angle), 80 * (k - 1) * np.sin(angle), turn=turn + 3 * k)
        for k, words in enumerate(cards.split())
        if words != "."
    ]
    if hand is not None:
        laid.append(PlacedCard(HAND, 80 * (hand - 1), 60, width_mm=75, height_mm=160, corner_mm=20))
    return photograph(Scene(Surface("felt", seed=4), tuple(laid)), CAMERA, 5).picture


def test_a_card_is_told_once_while_it_lies_and_again_when_it_comes_back() -> None:
    evening = Watched(A_FRAME, grain=2)
    assert evening.shows(table(". .")) == []
    assert evening.shows(table("S7 S2")) == ["+S7", "+S2"]
    assert evening.shows(table("S7 S2"), 20) == []
    assert evening.shows(table(". S2"), 12) == []
    assert evening.lying == "S7 S2"
    assert evening.shows(table(". S2"), 8) == ["-S7"]
    assert evening.lying == "S2"
    assert evening.shows(table("S7 S2")) == ["+S7"]


def test_cards_out_of_focus_are_told_of_once_while_they_are_and_are_cards_again_in_focus() -> None:
    evening = Watched(A_FRAME, grain=2)
    blurred = cv2.GaussianBlur(table("S7 S2"), (0, 0), 4)
    asks = "?about two cards, out of focus: hold still, and let the camera focus again"
    assert evening.shows(blurred, 14) == []
    assert evening.shows(blurred, 30) == [asks]
    assert evening.shows(table("S7 S2"), 14) == ["+S7", "+S2"]
    assert evening.shows(table("S7 S2"), 20) == []


def test_a_card_that_flickers_is_neither_taken_away_nor_laid_again() -> None:
    evening = Watched(A_FRAME, grain=2)
    assert evening.shows(table("S7 S2")) == ["+S7", "+S2"]
    for _ in range(4):
        assert evening.shows(table(". S2"), 6) == []
        assert evening.shows(table("S7 S2"), 2) == []


def test_one_frame_alone_never_counts() -> None:
    evening = Watched(A_FRAME, grain=2)
    for _ in range(5):
        assert evening.shows(table("S2 . ."), 1) == []
        assert evening.shows(table(". . S2"), 1) == []
    assert evening.lying == ""
    assert evening.shows(table("S2 . ."), 2) == ["+S2"]


def test_a_hand_over_a_card_does_not_take_it_away() -> None:
    evening = Watched(A_FRAME, grain=2)
    assert evening.shows(table("S7 S2 S9"), 8) == ["+S7", "+S2", "+S9"]
    assert evening.shows(table("S7 S2 S9", hand=1), 60) == []
    assert evening.lying == "S7 S2 S9"
    # The hand takes the card with it.
    assert evening.shows(table("S7 . S9"), 30) == ["-S2"]
    assert evening.lying == "S7 S9"


def test_what_lies_over_a_card_for_good_does_take_it_away_in_the_end() -> None:
    evening = Watched(A_FRAME, grain=2)
    evening.shows(table("S7 S2 S9"), 8)
    assert evening.shows(table("S7 S2 S9", hand=1), round((MAX_HAND_SECONDS + 5) / (4 * A_FRAME)), 4) == ["-S2"]


def test_a_card_that_is_pushed_is_the_same_card_in_its_new_place() -> None:
    evening = Watched(A_FRAME, grain=2)
    evening.shows(table("S7 S2 ."))
    assert evening.shows(table(". S2 S7"), 30) == []
    assert evening.lying == "S2 S7"


def test_the_order_is_that_in_which_the_spread_was_laid_also_where_it_is_turned() -> None:
    evening = Watched(A_FRAME, grain=2)
    assert evening.shows(table("C3 S7 K7", turn=180)) == ["+C3", "+S7", f"+{ComponentId.parse('K7')}"]
    turned = cv2.rotate(table("C3 S7 K7"), cv2.ROTATE_180)
    again = Watched(A_FRAME, grain=2)
    assert again.shows(turned)[:2] == ["+C3", "+S7"]


def test_a_foreign_code_is_told_once_as_text() -> None:
    evening = Watched(A_FRAME, grain=2)
    told = evening.shows(table("S7 HTTPS://EXAMPLE.ORG/X"), 12)
    assert told == ["+S7", "!HTTPS://EXAMPLE.ORG/X"]
    assert evening.lying == "S7"
    assert RefusalKind.FOREIGN not in [card.card for card in evening.watch.present]


def test_of_a_torn_code_it_is_said_once_that_its_short_code_can_be_typed() -> None:
    whole = table("S7 S2 .").copy()
    before = Watched(A_FRAME, grain=2)
    before.shows(whole, 3)
    place = next(seen for seen in before.watch.present if str(seen.card) == "S2")
    # A strip torn across the middle of the code, and the corner that has no mark; the other three are still there.
    a, b, _, d = (np.array(corner) for corner in place.quad)
    for x, y, right, foot in ((0, 0.38, 1, 0.6), (0.4, 0.38, 1, 1)):
        torn = [a + u * (b - a) + v * (d - a) for u, v in ((x, y), (right, y), (right, foot), (x, foot))]
        cv2.fillConvexPoly(whole, np.round(torn).astype(np.int32), (240, 240, 240))
    told = Watched(A_FRAME, grain=2).shows(whole, 40)
    assert told[0] == "+S7"
    assert len(told) == 2
    assert told[1].startswith("?")
    assert "type the short code printed beside it" in told[1]
