"""Drawings larger than paper: tiles that overlap, true scale, as few pages as may be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.printkit.catalogue import components
from loomtable.printkit.draw.palette import INK
from loomtable.printkit.draw.path import polyline
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import ImpositionOptions, lay_out
from loomtable.printkit.sheet.papers import A3, A4, LETTER, Paper
from loomtable.printkit.sheet.pieces import LargeDrawing
from loomtable.printkit.sheet.tiled import OVERLAP, Tile, saving_scale, tiles


@given(st.floats(50, 1500), st.floats(50, 1500), st.sampled_from([A4, LETTER, A3]))
@settings(max_examples=60, deadline=None)
def test_tiles_cover_a_drawing_at_true_scale_and_overlap(width: float, height: float, paper: Paper) -> None:
    pages = tiles(width, height, paper)
    by_place = {(tile.column, tile.row): tile for tile in pages}
    assert len(by_place) == len(pages) == pages[0].columns * pages[0].rows
    for tile in pages:
        assert (tile.area.width, tile.area.height) == pytest.approx((tile.part.width, tile.part.height))
        right, below = by_place.get((tile.column + 1, tile.row)), by_place.get((tile.column, tile.row + 1))
        if right:
            assert tile.part.right - right.part.x == pytest.approx(OVERLAP)
        else:
            assert tile.part.right == pytest.approx(width)
        if below:
            assert below.part.top - tile.part.y == pytest.approx(OVERLAP)
        else:
            assert tile.part.y == pytest.approx(0, abs=1e-6)


def test_tiles_laid_over_each_other_show_the_whole_drawing() -> None:
    def ruled(pen: Pen) -> None:
        for at in range(0, 421, 20):
            pen.stroke(polyline((at, 0), (at, 300)), INK, 0.5, butt=True)
            pen.stroke(polyline((0, at), (420, at)), INK, 0.5, butt=True)

    drawing = LargeDrawing(None, "ruled", 420, 300, ruled)
    pages = lay_out([drawing], ImpositionOptions())
    pdf = pages_to_pdf(pages, PrintSettings().sheets("test"))
    dpi, scale = 50.8, 2
    whole = np.zeros((300 * scale, 420 * scale), bool)
    for at, page in enumerate(pages):
        tile = page.layout
        assert isinstance(tile, Tile)
        picture = render_page(pdf, at, dpi).mean(axis=2) < 170
        for y in np.arange(tile.part.y + 0.25, tile.part.top, 0.5):
            row = int((tile.page_height - (tile.area.y + y - tile.part.y)) * scale)
            left = int(tile.area.x * scale)
            start = round(tile.part.x * scale)
            length = min(int(tile.part.width * scale), whole.shape[1] - start)
            whole[int((300 - y) * scale), start : start + length] |= picture[row, left : left + length]
    for at in range(20, 420, 20):
        assert whole[:, at * scale - 2 : at * scale + 2].any(axis=1).mean() > 0.97, f"line at {at} mm is broken"


@given(st.floats(150, 900), st.floats(150, 900), st.sampled_from([A4, LETTER, A3]), st.floats(0.85, 1.0))
@settings(max_examples=60, deadline=None)
def test_a_drawing_is_shrunk_only_where_that_saves_a_page(
    width: float, height: float, paper: Paper, least: float
) -> None:
    scale = saving_scale(width, height, paper, least)
    whole = len(tiles(width, height, paper))
    assert least <= scale <= 1
    shrunk = len(tiles(width * scale, height * scale, paper))
    fewest = min(len(tiles(width * s, height * s, paper)) for s in np.linspace(least, 1, 30))
    assert shrunk <= fewest <= whole
    assert (scale == 1) == (shrunk == whole)
    if scale < 1:
        larger = scale * 1.0005
        assert larger > 1 or len(tiles(width * larger, height * larger, paper)) > shrunk


def test_the_largest_region_map_needs_no_third_page_and_is_drawn_whole() -> None:
    sheets = components()["region-maps"].pieces(PrintSettings())
    pages = [lay_out([sheet], ImpositionOptions()) for sheet in sheets]
    assert sorted(map(len, pages)) == [1, 1, 2]
    [left, right] = next(two for two in pages if len(two) == 2)
    assert isinstance(left.layout, Tile) and isinstance(right.layout, Tile)
    drawn = left.placements[0].piece
    assert isinstance(drawn, LargeDrawing)
    assert right.layout.part.right == pytest.approx(drawn.width)
    assert drawn.width >= 0.94 * max(sheet.width for sheet in sheets if isinstance(sheet, LargeDrawing))


def test_what_is_played_by_its_scale_keeps_it() -> None:
    for piece in components()["combat-maps"].pieces(PrintSettings()):
        [placement] = lay_out([piece], ImpositionOptions())[0].placements
        assert placement.piece is piece
