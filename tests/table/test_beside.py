"""A Challenge card beside one of two markers: whose it is, or a question, from any side and before any camera."""

from __future__ import annotations

import math
from collections import Counter

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.table.choices.taking import hands_shown
from loomtable.table.reading.beside import gap
from loomtable.testing.printed_things import printed_thing
from loomtable.testing.virtual import PlacedCard, Scene, Surface, VirtualCamera, photograph
from loomtable.vision.arrays import Float32Array
from loomtable.vision.pictures import BgrImage
from tests.systems import weave_table
from tests.table.hands_on import FRAME, Evening
from tests.tiers import thorough

APART = 90.0
"""Millimetres from middle to middle of the markers."""
LYING, PATIENCE = 6.0, 18.0
"""Seconds for which the markers lie there before the card comes; after which one was missed."""
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))


def piece(code: str, x: float, y: float, turn: float) -> PlacedCard:
    thing = printed_thing(ComponentId.parse(code))
    return PlacedCard(thing.front, x, y, turn, thing.width, thing.height, thing.id, thing.corner)


def outline(placed: PlacedCard) -> Float32Array:
    return np.asarray(placed.outline, np.float32)


class Laid:
    """Two markers, and a card beside one of them, drawn by a seed; never where it would lie over a marker, nor as
    near to the other one."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng([seed, 57])
        self.camera = VirtualCamera(height=310.0, tilt=float(rng.uniform(15, 40)), noise=0.8)
        self.whose = int(rng.integers(2))
        self.seed = seed
        while True:
            along = math.radians(float(rng.choice([0, 90]) + rng.uniform(-10, 10)))
            ends = [APART / 2 * k * np.array([math.cos(along), math.sin(along)]) for k in (-1, 1)]
            self.markers = [
                piece(code, *map(float, end), float(rng.uniform(-12, 12)))
                for code, end in zip(("R1", "R2"), ends, strict=True)
            ]
            turn = float(rng.choice([0, 90, 180, 270]) + rng.uniform(-8, 8))
            side = np.array(SIDES[int(rng.integers(4))])
            size = np.array([63.0, 88.0] if round(turn / 90) % 2 == 0 else [88.0, 63.0])
            off = (size + np.array([30.0, 46.0])) / 2 + rng.uniform(1, 15)
            at = ends[self.whose] + side * off + side[::-1] * rng.uniform(-12, 12)
            self.card = piece("C10", float(at[0]), float(at[1]), turn)
            mine, other = (gap(outline(self.card), outline(self.markers[k])) for k in (self.whose, 1 - self.whose))
            if 0 < mine < other and all(map(self.camera.shows, self._seen())):
                return

    def _seen(self) -> list[Float32Array]:
        return [self.camera.project(np.array(one.outline)) for one in (*self.markers, self.card)]

    def photograph(self, *codes: str) -> BgrImage:
        lying = tuple(one for one in (*self.markers, self.card) if str(one.card) in codes)
        surface = ("felt", "wood", "linen")[self.seed % 3]
        return photograph(Scene(Surface(surface, seed=self.seed), lying), self.camera, self.seed).picture


def came_of(seed: int) -> str:
    """Whether the card is right, asked about, wrong or missed."""
    laid = Laid(seed)
    evening = Evening(weave_table.Table().session)
    evening.film(laid.photograph("R1", "R2"), LYING)
    with_card = laid.photograph("R1", "R2", "C10")
    while evening.watch.proposals.current is None and evening.now < PATIENCE:
        evening.film(with_card, FRAME)
    evening.film(with_card, 0.7)
    proposal, shown = evening.watch.proposals.current, hands_shown(evening.watch, in_full=True)
    if proposal is None:
        return "missed"
    if not shown.counting:
        return "asked"
    return "right" if shown.says.startswith(("Ilse", "Odo")[laid.whose]) else "wrong"


def share(seeds: range) -> Counter[str]:
    return Counter(came_of(seed) for seed in seeds)


def test_a_card_beside_one_of_two_markers_is_right_or_asked_about() -> None:
    told = share(range(6))
    assert told["wrong"] == told["missed"] == 0 and told["right"] >= 4, told


@thorough
def test_at_most_one_in_five_is_asked_about() -> None:
    told = share(range(6, 66))
    assert told["wrong"] == 0 and told["asked"] <= 12 and told["missed"] <= 3, told


def test_a_marker_that_is_not_seen_now_makes_the_reading_unsure() -> None:
    laid = Laid(3)
    evening = Evening(weave_table.Table().session)
    mine = ("R1", "R2")[laid.whose]
    evening.film(laid.photograph("R1", "R2"), LYING)
    gone = laid.photograph("R1", "R2", "C10")
    quad = laid.camera.project(np.array(laid.markers[laid.whose].outline))
    cv2.fillPoly(gone, [quad.astype(np.int32)], (90, 90, 90))
    evening.film(gone, 6)
    assert evening.watch.proposals.current is not None
    assert not evening.watch.proposals.counting, f"{mine} lay there a moment ago"


@pytest.mark.parametrize("seed", [0, 4, 7])
def test_the_picture_laid_flat_tells_where_pieces_lie(seed: int) -> None:
    laid = Laid(seed)
    evening = Evening(weave_table.Table().session)
    evening.film(laid.photograph("R1", "R2", "C10"), LYING)
    seen = evening.watch._hands._outlines
    for marker, placed in zip(("R1", "R2"), laid.markers, strict=True):
        told = gap(seen[ComponentId.parse("C10")], seen[ComponentId.parse(marker)])
        assert told == pytest.approx(gap(outline(laid.card), outline(placed)), abs=5)
