"""Cards photographed by the virtual camera are read: which, where, and in which order."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.testing.virtual import (
    PlacedCard,
    Scene,
    Surface,
    VirtualCamera,
    any_light,
    handful_of_dice,
    photograph,
    row_of_cards,
)
from loomtable.vision import code_reading
from loomtable.vision.cards import CardScan, RefusalKind, SeenCard, reading_order, scan_cards
from loomtable.vision.quads import quad_rotation
from tests.tiers import mostly
from tests.vision.cards_drawn import printed

CODE_MM = ((38.0, 63.0), (58.0, 63.0), (58.0, 83.0), (38.0, 83.0))
"""Where the code stands on the test cards."""


def story(*numbers):
    return [ComponentId(Kind.STORY, number) for number in numbers]


def shot_of(scene, camera, seed=1):
    return photograph(scene, camera, seed)


ROWS = [
    (1, 0, 0, 330, "wood"),
    (2, 12, 20, 350, "felt"),
    (3, 22, -35, 345, "linen"),
    (4, 30, 8, 330, "wood"),
    (5, 15, 180, 345, "felt"),
    (6, 8, -160, 350, "linen"),
]


@pytest.mark.parametrize(("seed", "tilt", "turn", "height", "cover"), mostly(ROWS, [ROWS[2], ROWS[5]]))
def test_a_row_is_read_whole_in_its_place_and_in_its_order(seed, tilt, turn, height, cover) -> None:
    camera = VirtualCamera(height=height, tilt=tilt, roll=seed - 3)
    ids = story(7, 123, 41)
    scene = row_of_cards(
        [printed(card.code) for card in ids], seed, camera, cards=ids, turn=turn, surface=Surface(cover, seed=seed)
    )
    shot = shot_of(scene, camera, seed)
    scan = scan_cards(shot.picture)
    assert list(scan.ids) == ids
    assert scan.refused == ()
    for seen, true in zip(scan.cards, shot.truth.cards, strict=True):
        there = camera.project(true.placed.places(CODE_MM))
        assert np.abs(np.array(seen.quad) - there).max() < 4
        assert np.linalg.norm(np.array(seen.centre) - there.mean(axis=0)) < 2.5
        assert abs((seen.rotation - quad_rotation(there) + 180) % 360 - 180) < 4


def test_a_code_on_two_cards_is_seen_twice_and_on_one_card_once() -> None:
    camera = VirtualCamera(height=330, tilt=10)
    two = row_of_cards([printed(story(9)[0].code)] * 2, 3, camera)
    assert [str(card) for card in scan_cards(shot_of(two, camera).picture).ids] == ["S9", "S9"]
    one = row_of_cards([printed(story(9)[0].code)], 3, camera)
    assert [str(card) for card in scan_cards(shot_of(one, camera).picture).ids] == ["S9"]


def test_a_reversed_card_does_not_turn_the_row_round() -> None:
    camera = VirtualCamera(height=340, tilt=10)
    ids = story(31, 12, 23)
    laid = [
        PlacedCard(printed(card.code), x=78 * (place - 1), turn=turn + 10, card=card)
        for place, (card, turn) in enumerate(zip(ids, (0, 180, 0), strict=True))
    ]
    shot = shot_of(Scene(cards=tuple(laid)), camera)
    # The code stands in a corner: the card's middle is 16.5 mm left of the code's middle and 29 mm above it.
    middle = (0.5 - 16.5 / 20, 0.5 - 29 / 20)
    scan = scan_cards(shot.picture, middle=middle)
    assert list(scan.ids) == ids
    assert abs(abs(scan.cards[1].rotation) - 170) < 12
    for seen, true in zip(scan.cards, shot.truth.cards, strict=True):
        there = camera.project([[true.placed.x, true.placed.y]])[0]
        assert np.linalg.norm(np.array(seen.place(middle)) - there) < 8


@pytest.mark.parametrize(
    ("payload", "trouble", "words"),
    [
        ("HELLO WORLD", RefusalKind.FOREIGN, "not a Loomtable card code"),
        ("HTTP://EVIL.ORG", RefusalKind.FOREIGN, "EVIL"),
        ("LT2S007ABC", RefusalKind.OTHER_VERSION, "version 2"),
        ("LT1S007AAA", RefusalKind.DAMAGED, "checksum"),
        (b"\xff\x00\x01\xfe\x80", RefusalKind.FOREIGN, "not a Loomtable card code"),
    ],
)
def test_codes_that_are_not_our_cards_are_refused_with_the_reason(payload, trouble, words) -> None:
    camera = VirtualCamera(height=300, tilt=8)
    good = story(5)[0]
    faces = [printed(good.code), printed(payload, level="M")]
    shot = shot_of(row_of_cards(faces, 4, camera), camera)
    scan = scan_cards(shot.picture)
    assert scan.ids == (good,)
    (refused,) = scan.refused
    assert refused.kind is trouble
    assert words in refused.reason
    assert refused.reason.isprintable()
    there = camera.project(shot.truth.cards[1].placed.places(CODE_MM))
    assert np.abs(np.array(refused.quad) - there).max() < 4


def test_where_there_is_no_card_none_is_read() -> None:
    assert scan_cards(np.full((480, 640, 3), 255, np.uint8)) == CardScan()
    assert scan_cards(np.zeros((1, 1, 3), np.uint8)) == CardScan()
    camera = VirtualCamera(height=260, tilt=15)
    dice = shot_of(handful_of_dice([6, 5, 4, 6, 5], 8, camera), camera)
    assert scan_cards(dice.picture) == CardScan()


def test_codes_too_small_bring_advice_and_large_ones_none() -> None:
    ids = story(3)
    near, far = VirtualCamera(height=300, tilt=0), VirtualCamera(height=500, tilt=0)
    scene = Scene(cards=(PlacedCard(printed(ids[0].code), card=ids[0]),))
    close = scan_cards(shot_of(scene, near).picture)
    assert close.ids == tuple(ids)
    assert close.advice is None
    small = scan_cards(shot_of(scene, far).picture)
    assert small.advice is not None
    assert "pixels a module" in small.advice
    assert "closer" in small.advice


def test_closer_passes_read_what_the_first_misses_and_are_left_out_when_not_needed(monkeypatch) -> None:
    camera = VirtualCamera(height=430, tilt=10)
    ids = story(14, 15, 16)
    picture = shot_of(row_of_cards([printed(card.code) for card in ids], 2, camera), camera).picture
    assert len(scan_cards(picture, quick=True).cards) < 3
    assert list(scan_cards(picture).ids) == ids
    enlarged = []
    passes = code_reading.ENLARGED_PASSES
    counted = [lambda grey, places, one=one: enlarged.append(one) or one(grey, places) for one in passes]
    monkeypatch.setattr(code_reading, "ENLARGED_PASSES", tuple(counted))
    assert list(scan_cards(picture, expected=3).ids) == ids
    assert enlarged
    near = VirtualCamera(height=260, tilt=0)
    large = shot_of(Scene(cards=(PlacedCard(printed(ids[0].code)),)), near).picture
    enlarged.clear()
    assert list(scan_cards(large, expected=1).ids) == ids[:1]
    assert enlarged == []


def test_a_grey_picture_reads_as_a_coloured_one_does() -> None:
    camera = VirtualCamera(height=330)
    picture = shot_of(row_of_cards([printed(story(77)[0].code)], 1, camera), camera).picture
    assert scan_cards(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)) == scan_cards(picture)


def seen_at(number, x, y, turn, side=50.0):
    """A sighting with its middle at x, y px, turned clockwise by degrees."""
    angle = math.radians(turn)
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    quad = tuple(
        (
            x + side / 2 * (u * math.cos(angle) - v * math.sin(angle)),
            y + side / 2 * (u * math.sin(angle) + v * math.cos(angle)),
        )
        for u, v in corners
    )
    return SeenCard(ComponentId(Kind.STORY, number), quad, side / 21)


@settings(max_examples=150, deadline=None)
@given(
    turn=st.floats(-180, 180),
    columns=st.integers(1, 5),
    rows=st.integers(1, 3),
    askew=st.lists(st.tuples(st.floats(-9, 9), st.floats(-18, 18), st.floats(-30, 30)), min_size=15, max_size=15),
    climb=st.floats(-0.25, 0.25),
    mixed=st.randoms(),
)
def test_rows_keep_their_order_however_they_are_turned(turn, columns, rows, askew, climb, mixed) -> None:
    # Poker cards with a code of 20 mm, at 2.5 pixels a millimetre; askew in degrees and mm.
    angle = math.radians(turn)
    laid = []
    for row in range(rows):
        for column in range(columns):
            number = row * columns + column
            tilt, along, across = askew[number]
            if columns == 1 or rows > 1:
                across, climb = across / 3, 0.0
            x, y = 2.5 * (70 * column + along / 3), 2.5 * (96 * row + across / 2 + climb * 70 * column)
            place = (x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle))
            laid.append(seen_at(number + 1, *place, turn + tilt))
    shuffled = laid[:]
    mixed.shuffle(shuffled)
    assert [seen.card.number for seen in reading_order(shuffled)] == [seen.card.number for seen in laid]


@pytest.mark.parametrize(("apart", "order"), [(1.9, [1, 2, 3, 4]), (2.1, [2, 1, 4, 3]), (3.3, [2, 1, 4, 3])])
def test_cards_two_codes_apart_stand_in_two_rows(apart: float, order: list[int]) -> None:
    """The right one of each pair lies higher: in one row it comes second, as a row of its own it comes first.

    3.3 sides of a code of 20 mm are 66 mm: poker cards laid on their long sides, row under row.
    """
    low, high = apart * 50.0, 0.0
    pair = [seen_at(1, 100, low, 0), seen_at(2, 400, high, 0)]
    below = [seen_at(3, 100, low + 400, 0), seen_at(4, 400, high + 400, 0)]
    assert [seen.card.number for seen in reading_order([*pair, *below])] == order


def test_cards_that_lie_anyhow_are_ordered_by_the_picture() -> None:
    cards = [
        seen_at(1, 100, 100, 0),
        seen_at(2, 300, 105, 90),
        seen_at(3, 500, 95, 180),
        seen_at(4, 700, 100, -90),
    ]
    assert [seen.card.number for seen in reading_order(cards[::-1])] == [1, 2, 3, 4]
    assert reading_order([]) == ()


@pytest.mark.parametrize("seed", mostly(range(10, 16), [11, 14]))
def test_any_light_and_surface_leaves_codes_of_sufficient_size_readable(seed: int) -> None:
    rng = np.random.default_rng(seed)
    camera = VirtualCamera(height=330, tilt=float(rng.uniform(0, 20)), noise=float(rng.uniform(0.5, 1.8)))
    ids = story(*(int(number) for number in rng.choice(np.arange(1, 200), 3, replace=False)))
    scene = row_of_cards(
        [printed(card.code) for card in ids],
        seed,
        camera,
        turn=float(rng.choice([0, 180]) + rng.uniform(-30, 30)),
        light=any_light(rng),
    )
    assert set(scan_cards(shot_of(scene, camera, seed).picture).ids) == set(ids)
