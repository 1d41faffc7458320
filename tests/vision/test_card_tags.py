"""A card's code and its tag are two witnesses: where they disagree, a person is asked."""

import numpy as np
import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.tags import tag_of
from loomtable.printkit.raster import card_faces
from loomtable.table.reading.card_geometry import TAGGED, code_corners
from loomtable.testing.virtual import PlacedCard, Scene, Surface, VirtualCamera, photograph
from loomtable.vision.card_tags import with_tags
from loomtable.vision.cards import CardScan, SeenCard
from loomtable.vision.tags import SeenTag, find_tags
from loomtable.vision.verdict import Verdict


def square(x, y, side):
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def coded(short, x=200.0, y=200.0):
    return SeenCard(ComponentId.parse(short), square(x, y, 60.0), 60 / 21)


def tag(short, x, y, side=24.0):
    return SeenTag(tag_of(ComponentId.parse(short)), square(x, y, side))


def test_where_code_and_tag_agree_the_card_is_one_and_sure() -> None:
    scan = with_tags(CardScan((coded("T3B"),)), [tag("T3B", 80, 90), tag("T3B", 330, 90)], TAGGED)
    assert [str(seen.card) for seen in scan.cards] == ["T3B"]
    assert scan.cards[0].verdict is Verdict.ACCEPTED


def test_where_they_disagree_a_person_is_asked() -> None:
    scan = with_tags(CardScan((coded("T3B"), coded("S7", 900))), [tag("T4A", 150, 90)], TAGGED)
    sure, doubtful = scan.cards
    assert doubtful.verdict is Verdict.ASK
    assert doubtful.doubt == "its code says T3B and its tag says T4A"
    assert sure.verdict is Verdict.ACCEPTED


def corner_tag(short, x, y):
    """The tag of a Story card whose code would stand at x, y with sides of 60 px: 3 px a mm."""
    left, top = code_corners()[0]
    return tag(short, x + 3 * (47.75 - left), y + 3 * (5.25 - top), 30.0)


def test_a_story_card_with_both_is_held_against_its_own_tag_and_no_neighbours() -> None:
    cards = CardScan((coded("S7", 200, 400), coded("S2", 420, 400)))
    tags = [corner_tag("S7", 200, 400), corner_tag("S9", 420, 400), SeenTag(12, square(900, 500, 30.0))]
    scan = with_tags(cards, tags, TAGGED)
    assert [str(seen.card) for seen in scan.cards] == ["S7", "S2"]
    assert [seen.doubt for seen in scan.cards] == ["", "its code says S2 and its tag says S9"]


def test_a_card_whose_code_is_torn_is_read_by_its_tag_and_keeps_its_place_in_the_order() -> None:
    cards = CardScan((coded("S7", 200, 400), coded("S2", 640, 400)))
    scan = with_tags(cards, [corner_tag("S9", 420, 400)], TAGGED)
    assert [str(seen.card) for seen in scan.cards] == ["S7", "S9", "S2"]
    torn = scan.cards[1]
    assert torn.centre == pytest.approx((450, 430), abs=1)
    assert torn.verdict is Verdict.ACCEPTED


@pytest.mark.parametrize("turn", [0, 90, 200])
def test_printed_tapestry_cards_are_read_by_their_tags(turn) -> None:
    ids = [ComponentId.parse(short) for short in ("T3A", "T17A")]
    faces = card_faces("tapestry-cards", 150, only=ids)
    laid = tuple(
        PlacedCard(faces[card], 120.0 * k - 60, 0, turn, width_mm=90, height_mm=60, card=card, corner_mm=2)
        for k, card in enumerate(ids)
    )
    camera = VirtualCamera(height=270, tilt=10, frame=(1440, 810))
    picture = photograph(Scene(Surface("felt", seed=1), laid), camera, 1).picture
    scan = with_tags(CardScan(), find_tags(picture), TAGGED)
    assert sorted(seen.card for seen in scan.cards) == sorted(ids)
    assert all(np.abs((seen.rotation - turn + 180) % 360 - 180) < 8 for seen in scan.cards)
