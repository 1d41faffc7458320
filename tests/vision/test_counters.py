"""Woven's counters on maps and tapestries, before the virtual camera: which, whose, and where."""

from __future__ import annotations

import math

import numpy as np

from loomtable.engine.kernel.counter_codes import PLACES, counter_words, dark_places
from loomtable.engine.woven.region_map import region_map
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.woven.counter import COUNTER, CounterFace, draw_counter
from loomtable.printkit.games.woven.mages import MAGES
from loomtable.printkit.raster import picture_of
from loomtable.table.games.woven.board_regions import region_sheet
from loomtable.table.games.woven.board_tapestry import TAPESTRY_TAGS
from loomtable.table.games.woven.counters import COUNTERS, cell_of
from loomtable.vision.board.counters import SCALE, SeenCounter, counters_in, counters_on_grid, counters_on_sheet
from loomtable.vision.board.maps import SeenSheet, find_sheet
from loomtable.vision.board.tapestry import read_tapestry
from loomtable.vision.printed.plane import inverse, mapped
from loomtable.vision.table_looks import TableLook
from tests.tiers import thorough
from tests.vision.scenes.counters import counters_board


def test_counters_stay_apart_however_they_are_turned() -> None:
    words = [np.array(dark_places(word)) for word in counter_words()]
    assert len(words) == 56 and len(set(COUNTERS.words.values())) == len(MAGES) * len(CounterFace)
    for at, one in enumerate(words):
        apart = [int((one != np.roll(other, by)).sum()) for other in words[:at] for by in range(PLACES)]
        own = [int((one != np.roll(one, by)).sum()) for by in range(1, PLACES)]
        assert min(apart + own) >= 8


def _laid_flat(style: Style, turn: float) -> tuple[SeenCounter, ...]:
    """Every side of every counter on one sheet, each turned so far clockwise."""
    across, apart = len(CounterFace), 20.0

    def draw(pen):  # type: ignore[no-untyped-def]
        for row, mage in enumerate(MAGES):
            for column, face in enumerate(CounterFace):
                x, y = (column + 0.5) * apart, (len(MAGES) - row - 0.5) * apart
                with pen.at(x, y, turn=-turn), pen.at(-COUNTER.width / 2, -COUNTER.width / 2):
                    draw_counter(pen, mage, face)

    picture = picture_of(draw, across * apart, len(MAGES) * apart, SCALE * 25.4, style)
    return counters_in(picture.mean(axis=2).astype(np.float32), COUNTERS)


def test_every_side_is_read_in_every_style_and_turn() -> None:
    for style, turn in zip(Style, (0.0, 101.0, 250.0), strict=True):
        seen = _laid_flat(style, turn)
        said = [(mage.number, face.value) for mage in MAGES for face in CounterFace]
        assert sorted((one.figure, one.kind) for one in seen) == sorted(said)
        assert not any(one.doubt for one in seen)
        assert max(abs((one.rotation - turn + 180) % 360 - 180) for one in seen) < 360 / PLACES / 2


def test_counters_on_a_map_are_where_they_lie() -> None:
    board = counters_board(0)
    picture = board.shot.picture
    look = TableLook.at(picture)
    sheet = find_sheet(look.tags, region_sheet(region_map(board.map)), picture.shape)
    assert isinstance(sheet, SeenSheet)
    seen = counters_on_sheet(sheet, look, COUNTERS)
    assert len(seen) == len(board.counters) == 9 and not any(one.doubt for one in seen)
    for true in board.counters:
        nearest = min(seen, key=lambda one: math.dist(one.place, true.place))
        assert (nearest.figure, nearest.kind) == (true.figure, true.kind)
        assert math.dist(nearest.place, true.place) < 3


@thorough
def test_counters_on_a_tapestry_are_in_their_cells_and_a_coin_is_none() -> None:
    board = counters_board(1)
    look = TableLook.at(board.shot.picture)
    seen_cards = read_tapestry(look.tags, TAPESTRY_TAGS)
    assert seen_cards.homography is not None
    seen = counters_on_grid(seen_cards, look, COUNTERS)
    places = mapped(inverse(seen_cards.homography), np.array([true.middle for true in board.counters]))
    cells = {
        cell_of(tuple(at))[0]: (true.figure, true.kind) for at, true in zip(places, board.counters, strict=True)
    }
    assert {cell_of(one.place)[0]: (one.figure, one.kind) for one in seen} == cells
    assert not any(one.doubt for one in seen)
