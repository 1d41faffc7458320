"""What was read is drawn round the cards exactly: outlines lie on the edges that are seen."""

from __future__ import annotations

import numpy as np
import pytest

from loomtable.table.reading.card_edges import is_edged, on_edges
from loomtable.table.reading.card_geometry import card_outline
from loomtable.table.reading.pictures import card_marks, cards_in
from loomtable.testing.virtual import (
    Light,
    PlacedCard,
    Scene,
    Surface,
    VirtualCamera,
    photograph,
    row_of_cards,
)
from loomtable.vision.cards import SeenCard
from tests.table.printed_rows import faces, ids

CARDS = ("S17", "S5", "C12", "S14")


@pytest.mark.parametrize(("cover", "seed"), [("wood", 3), ("felt", 6)])
def test_outlines_lie_on_the_edges_of_the_cards(cover: str, seed: int) -> None:
    camera = VirtualCamera(height=310, tilt=12, frame=(1920, 1080), noise=0.8)
    named = [one for one in ids(*CARDS) if one in faces()]
    scene = row_of_cards(
        [faces()[one] for one in named], seed, camera, cards=named, surface=Surface(cover, seed=seed)
    )
    shot = photograph(scene, camera, seed)
    true = {one.card: one.polygon for one in shot.truth.cards}
    seen = cards_in(shot.picture)
    assert len(seen.cards) == len(named) >= 3
    for one, mark in zip(seen.cards, card_marks(seen, shot.picture), strict=True):
        off = np.linalg.norm(np.array(mark.polygon) - true[one.card], axis=1)
        rough = np.linalg.norm(np.array(card_outline(one)) - true[one.card], axis=1)
        assert off.max() < 4, f"{one.card} is outlined {off.round(1)} pixels off its corners"
        assert off.max() < rough.max() / 3


def test_where_no_edge_is_seen_the_outline_stays_where_the_code_says() -> None:
    code = ((200.0, 220.0), (235.0, 222.0), (233.0, 257.0), (198.0, 255.0))
    card = SeenCard(ids("S17")[0], code, 1.5)
    assert np.allclose(on_edges(np.full((400, 400, 3), 128, np.uint8), card), card_outline(card))


def test_cards_near_one_another_on_dark_cloth_have_edges_and_a_picture_on_a_phone_has_not() -> None:
    """Both have something dark beside them that ends in a line: between cards it is no longer than they are."""
    camera, names = VirtualCamera(height=420, tilt=20, frame=(1280, 720), noise=0.8), ids("S17", "C10", "S14")
    row = tuple(PlacedCard(faces()[one], 68.0 * at, card=one) for at, one in zip((-1, 0, 1), names, strict=True))
    shot = photograph(Scene(Surface("felt", (30, 30, 32), 4), row, (), Light()), camera, 1).picture
    assert [is_edged(shot, card) for card in cards_in(shot).cards] == [True] * 3
    face = row[1].face
    high, wide = face.shape[:2]
    glass = np.full((wide * 153 // 66, wide * 74 // 66, 3), 20, np.uint8)
    top, left = (glass.shape[0] - high) // 2, (glass.shape[1] - wide) // 2
    glass[top : top + high, left : left + wide] = face
    phone = PlacedCard(glass, width_mm=74, height_mm=153, corner_mm=8, thickness_mm=8, curl_mm=0)
    for surface in (Surface("wood"), Surface("felt"), Surface("linen")):
        shot = photograph(Scene(surface, (phone,), (), Light()), camera, 2).picture
        assert [is_edged(shot, card) for card in cards_in(shot).cards] == [False]
