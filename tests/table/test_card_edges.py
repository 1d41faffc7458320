"""What was read is drawn round the cards exactly: outlines lie on the edges that are seen."""

from __future__ import annotations

import numpy as np
import pytest

from loomtable.table.reading.card_edges import on_edges
from loomtable.table.reading.card_geometry import card_outline
from loomtable.table.reading.pictures import card_marks, cards_in
from loomtable.testing.virtual import Surface, VirtualCamera, photograph, row_of_cards
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
    grey = np.full((400, 400, 3), 128, np.uint8)
    outline = ((100.0, 80.0), (240.0, 85.0), (235.0, 290.0), (95.0, 280.0))
    assert np.allclose(on_edges(grey, outline), outline)
