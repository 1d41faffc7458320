"""Cards that are printed with code and tag, before a running camera: two witnesses, asked where they differ."""

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.tags import tag_of
from loomtable.printkit.draw.tags import tag_modules
from loomtable.table.reading.card_geometry import TAGGED, tag_by_code
from loomtable.vision.card_stream import AWAY
from loomtable.vision.cards import SeenCard, scan_cards
from loomtable.vision.table_looks import MOST_PLACES, TableLooks
from loomtable.vision.verdict import Verdict
from tests.short import present
from tests.vision.cards_drawn import Watched
from tests.vision.tagged_cards import DPI, TAG_MM, corner, forged, photographed, printed, torn

A_FRAME = 1 / 8
"""Seconds from one frame to the next."""


@pytest.mark.parametrize("turn", [0, 140])
def test_cards_whose_codes_and_tags_agree_are_sure_and_told_once(turn) -> None:
    faces = printed()
    evening = Watched(A_FRAME)
    assert set(evening.shows(photographed(faces["S7"], faces["S2"], turn=turn))) == {"+S7", "+S2"}
    assert evening.shows(photographed(faces["S7"], faces["S2"], turn=turn), 9) == []
    assert all(seen.verdict is Verdict.ACCEPTED for seen in evening.watch.present)


def test_a_card_with_the_tag_of_another_is_asked_about_when_it_is_told() -> None:
    evening = Watched(A_FRAME)
    told = evening.shows(photographed(forged("S7", "S9"), printed()["S2"]))
    assert sorted(told) == ["+S2", "+S7", "?S7: its code says S7 and its tag says S9; say which card it is"]
    assert {seen.card.short: seen.verdict for seen in evening.watch.present} == {
        "S7": Verdict.ASK,
        "S2": Verdict.ACCEPTED,
    }
    # It stays in doubt in the frames in which its tag is not looked for, and is not asked about again.
    assert evening.shows(photographed(forged("S7", "S9"), printed()["S2"]), 9) == []
    assert [seen.doubt != "" for seen in evening.watch.present] == [True, False]


def test_a_thumb_on_the_tag_hides_the_doubt_only_as_long_as_it_lies_there() -> None:
    hidden = forged("S7", "S9")
    corner(hidden)[:] = (214, 168, 140)
    evening = Watched(A_FRAME)
    assert evening.shows(photographed(hidden)) == ["+S7"]
    assert evening.shows(photographed(forged("S7", "S9")), 3) == [
        "?S7: its code says S7 and its tag says S9; say which card it is"
    ]


def test_a_doubt_ends_when_the_right_tag_is_seen() -> None:
    evening = Watched(A_FRAME)
    evening.shows(photographed(forged("S7", "S9")))
    assert evening.watch.present[0].doubt
    evening.shows(photographed(printed()["S7"]))
    assert not evening.watch.present[0].doubt


def test_a_card_whose_code_is_torn_is_told_by_its_tag_and_keeps_its_place() -> None:
    faces = printed()
    evening = Watched(A_FRAME)
    told = evening.shows(photographed(faces["S14"], torn("S9"), faces["S2"]), 18)
    assert sorted(said for said in told if not said.startswith("?")) == ["+S14", "+S2", "+S9"]
    assert [seen.card.short for seen in evening.watch.present] == ["S14", "S9", "S2"]
    assert all(seen.verdict is Verdict.ACCEPTED for seen in evening.watch.present)
    gone = evening.shows(photographed(faces["S14"], None, faces["S2"]), 4, AWAY / 2 / A_FRAME)
    assert [said for said in gone if said.startswith("-")] == ["-S9"]


def test_a_card_that_is_moved_is_not_told_a_second_time_by_its_tag() -> None:
    evening = Watched(A_FRAME)
    evening.shows(photographed(printed()["S7"], None), 4)
    assert evening.shows(photographed(None, printed()["S7"]), 12) == []


@pytest.mark.parametrize("scale", [1.2, 1.6])
def test_a_tag_with_a_thumb_on_its_corner_is_found_on_a_small_card_and_on_a_large_one(scale) -> None:
    face = cv2.resize(printed()["S7"], None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    (left, top), _ = np.array(TAG_MM) + 1.2
    per_mm = DPI * scale / 25.4
    cv2.circle(face, (round(left * per_mm), round(top * per_mm)), round(3 * per_mm), (214, 168, 140), -1)
    frame = np.full((1080, 1920, 3), 90, np.uint8)
    frame[40 : 40 + len(face), 300 : 300 + face.shape[1]] = face
    read = scan_cards(frame).cards
    assert [card.card.short for card in read] == ["S7"]
    [tag] = TableLooks().look(frame, [present(tag_by_code(card)) for card in read]).tags
    assert tag.number == tag_of(ComponentId.parse("S7"))


def test_where_the_tag_stands_is_told_by_the_code_and_the_other_way_round() -> None:
    code = ((200.0, 400.0), (260.0, 410.0), (250.0, 470.0), (190.0, 460.0))
    tag = tag_by_code(SeenCard(ComponentId.parse("S7"), code, 3))
    assert tag is not None
    assert np.array(TAGGED.code_by_tag(ComponentId.parse("S7"), tag)) == pytest.approx(np.array(code), abs=0.01)
    assert tag_by_code(SeenCard(ComponentId.parse("K7"), code, 3)) is None


def test_however_many_cards_lie_there_a_look_searches_few_corners() -> None:
    frame, searched = np.full((1080, 1920, 3), 200, np.uint8), []
    places = [
        ((30.0 * n, 400.0), (30.0 * n + 20, 400.0), (30.0 * n + 20, 420.0), (30.0 * n, 420.0)) for n in range(29)
    ]
    looks = TableLooks()
    for _ in range(4):
        looks.look(frame, places)
        searched.append(len(looks._searched))
    assert searched == [MOST_PLACES, 2 * MOST_PLACES, 29, 29]


def test_a_tag_is_found_as_soon_as_it_was_laid_wherever_that_was() -> None:
    frame, looks, card = np.full((1080, 1920, 3), 230, np.uint8), TableLooks(), ComponentId.parse("T7A")
    assert looks.look(frame).tags == ()
    tag = np.kron(np.where(np.array(tag_modules(tag_of(card))), 0, 255), np.ones((4, 4)))
    frame[960 : 960 + len(tag), 1700 : 1700 + len(tag)] = tag.astype(np.uint8)[..., None]
    assert looks.glance(frame) == (), "while something moves nothing is searched"
    assert [seen.number for seen in looks.look(frame).tags] == [tag_of(card)]
    assert looks.look(frame) is looks.last, "nothing has changed"
    frame[940:1020, 1680:1760] = 230
    assert looks.glance(frame) == looks.look(frame).tags == ()
