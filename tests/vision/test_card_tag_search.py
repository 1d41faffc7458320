"""Cards that are printed with code and tag, before a running camera: two witnesses, asked where they differ."""

import itertools

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.tags import map_tags, tag_of
from loomtable.printkit.draw.tags import tag_modules
from loomtable.table.reading.card_geometry import MIDDLE, TAGGED, tag_by_code
from loomtable.vision.card_stream import AWAY, CardWatch
from loomtable.vision.card_tag_search import MOST_CORNERS, OVERLAP, WINDOW, TagSearch, windows
from loomtable.vision.cards import SeenCard, scan_cards
from loomtable.vision.motion import Motion
from loomtable.vision.verdict import Verdict
from tests.vision.tagged_cards import DPI, TAG_MM, corner, forged, photographed, printed, torn


class Evening:
    """Shows pictures to a watch, thirty frames a second, and keeps what it tells."""

    def __init__(self):
        self.watch, self.now = CardWatch(MIDDLE, tagged=TAGGED), 0.0

    def shows(self, picture, frames=3, seconds=1 / 30):
        told = []
        for _ in range(frames):
            self.now += seconds
            seen = self.watch.update(picture, self.now)
            told += [f"+{one.card}" for one in seen.placed] + [f"-{one.card}" for one in seen.taken]
            told += [f"?{ask}" for ask in seen.asks]
        return told


@pytest.mark.parametrize("turn", [0, 140])
def test_cards_whose_codes_and_tags_agree_are_sure_and_told_once(turn) -> None:
    faces = printed()
    evening = Evening()
    assert set(evening.shows(photographed(faces["S7"], faces["S2"], turn=turn))) == {"+S7", "+S2"}
    assert evening.shows(photographed(faces["S7"], faces["S2"], turn=turn), 9) == []
    assert all(seen.verdict is Verdict.ACCEPTED for seen in evening.watch.present)


def test_a_card_with_the_tag_of_another_is_asked_about_when_it_is_told() -> None:
    evening = Evening()
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
    evening = Evening()
    assert evening.shows(photographed(hidden)) == ["+S7"]
    assert evening.shows(photographed(forged("S7", "S9")), 3) == [
        "?S7: its code says S7 and its tag says S9; say which card it is"
    ]


def test_a_doubt_ends_when_the_right_tag_is_seen() -> None:
    evening = Evening()
    evening.shows(photographed(forged("S7", "S9")))
    assert evening.watch.present[0].doubt
    evening.shows(photographed(printed()["S7"]))
    assert not evening.watch.present[0].doubt


def test_a_card_whose_code_is_torn_is_told_by_its_tag_and_keeps_its_place() -> None:
    faces = printed()
    evening = Evening()
    told = evening.shows(photographed(faces["S14"], torn("S9"), faces["S2"]), 18)
    assert sorted(said for said in told if not said.startswith("?")) == ["+S14", "+S2", "+S9"]
    assert [seen.card.short for seen in evening.watch.present] == ["S14", "S9", "S2"]
    assert all(seen.verdict is Verdict.ACCEPTED for seen in evening.watch.present)
    gone = evening.shows(photographed(faces["S14"], None, faces["S2"]), 4, AWAY / 2)
    assert [said for said in gone if said.startswith("-")] == ["-S9"]


def test_a_card_that_is_moved_is_not_told_a_second_time_by_its_tag() -> None:
    evening = Evening()
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
    [tag] = TagSearch(TAGGED).search_frame(frame, read, set())
    assert tag.number == tag_of(ComponentId.parse("S7"))


def test_where_the_tag_stands_is_told_by_the_code_and_the_other_way_round() -> None:
    code = ((200.0, 400.0), (260.0, 410.0), (250.0, 470.0), (190.0, 460.0))
    tag = tag_by_code(SeenCard(ComponentId.parse("S7"), code, 3))
    assert tag is not None
    assert np.array(TAGGED.code_by_tag(ComponentId.parse("S7"), tag)) == pytest.approx(np.array(code), abs=0.01)
    assert tag_by_code(SeenCard(ComponentId.parse("K7"), code, 3)) is None


def test_every_place_of_a_frame_is_looked_at_in_turn() -> None:
    for size in ((1080, 1920), (720, 1280), (300, 500), (90, 100)):
        seen = np.zeros(size, bool)
        found = windows(*size)
        for left, top, right, foot in found:
            assert right - left == foot - top == WINDOW
            seen[top:foot, left:right] = True
        assert seen.all()
        for side, step in ((0, 1), (1, 0)):
            starts = sorted({window[side] for window in found})
            assert all(b - a <= WINDOW - OVERLAP for a, b in itertools.pairwise(starts)), step


def test_however_many_cards_lie_there_a_frame_looks_into_few_corners() -> None:
    def card(number):
        left, right = 30.0 * number, 30.0 * number + 20
        quad = ((left, 400.0), (right, 400.0), (right, 420.0), (left, 420.0))
        return SeenCard(ComponentId.parse(f"S{number}"), quad, 1)

    frame, cards = np.full((1080, 1920, 3), 200, np.uint8), [card(number) for number in range(1, 30)]
    looks = TagSearch(TAGGED)
    assert len(looks.corners(frame, cards[:3], set())) == 3
    assert len(looks.corners(frame, cards, set())) == MOST_CORNERS
    assert len(looks.corners(frame, cards, {seen.card for seen in cards})) == 1


def test_the_tags_of_maps_and_figures_are_not_looked_for_again_in_every_frame() -> None:
    frame = np.full((600, 900, 3), 230, np.uint8)
    figure, card, land = (ComponentId.parse(short) for short in ("F3", "T7A", "M1"))
    for place, number in enumerate((tag_of(figure), map_tags(land)[0], tag_of(card))):
        modules = np.array(tag_modules(number))
        tag = np.kron(np.where(modules, 0, 255), np.ones((10, 10))).astype(np.uint8)
        frame[100 : 100 + len(tag), 60 + 300 * place : 60 + 300 * place + len(tag)] = tag[..., None]
    looks = TagSearch(TAGGED)
    found = [looks.search_frame(frame, (), set()) for _ in range(2)][-1]
    assert len(found) == 3
    assert len(looks.corners(frame, (), set())) == 1, "the card's, which has to stay in sight"


def test_a_tag_is_found_soon_after_it_was_laid_wherever_that_was() -> None:
    frame, motion, looks = np.full((1080, 1920, 3), 230, np.uint8), Motion(), TagSearch(TAGGED)
    card = ComponentId.parse("T7A")

    def search() -> set[int]:
        motion.change(frame)
        return {tag.number for tag in looks.search_frame(frame, (), {card}, motion)}

    assert not any(search() for _ in range(60)), "every place has been searched"
    tag = np.kron(np.where(np.array(tag_modules(tag_of(card))), 0, 255), np.ones((4, 4)))
    frame[960 : 960 + len(tag), 1700 : 1700 + len(tag)] = tag.astype(np.uint8)[..., None]
    assert {tag_of(card)} in [search() for _ in range(4)]
    frame[940:1020, 1680:1760] = 230
    assert {tag_of(card)} not in [search() for _ in range(2)], "and missed as soon as it was taken away"
