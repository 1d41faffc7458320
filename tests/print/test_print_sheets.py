"""Slots, backs behind fronts, crop marks, margins: the geometry, and the same on rendered pages."""

from __future__ import annotations

import numpy as np
import pytest

from loomtable.printkit.catalogue import components
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.errors import SheetTooSmall
from loomtable.printkit.raster import picture_of, render_page
from loomtable.printkit.sheet.document import SheetSettings, pages_to_pdf
from loomtable.printkit.sheet.grid import DuplexMode, grid_for
from loomtable.printkit.sheet.marks import CropMarks
from loomtable.printkit.sheet.papers import (
    A3,
    A4,
    BLEED,
    LETTER,
    POKER,
    PRINTER_MARGIN,
    US_POKER,
    CardSize,
    Paper,
)
from tests.print.plain_cards import deck_pages
from tests.short import raises

DPI = 60


@pytest.mark.parametrize(
    ("paper", "size", "count"),
    [(A4, POKER, 9), (LETTER, POKER, 9), (A4, US_POKER, 9), (LETTER, US_POKER, 9), (A3, POKER, 18)],
    ids=lambda value: getattr(value, "name", str(value)),
)
@pytest.mark.parametrize("gutter", [0.0, 1.25])
def test_slots_fill_the_page_within_the_margins(paper: Paper, size: CardSize, count: int, gutter: float) -> None:
    grid = grid_for(paper, size, gutter)
    slots = grid.slots()
    assert len(slots) == count
    for at, slot in enumerate(slots):
        assert (slot.width, slot.height) == (size.width, size.height)
        assert slot.x >= PRINTER_MARGIN - 1e-9
        assert slot.y >= PRINTER_MARGIN - 1e-9
        assert slot.right <= grid.page_width - PRINTER_MARGIN + 1e-9
        assert slot.top <= grid.page_height - PRINTER_MARGIN + 1e-9
        assert not any(slot.overlaps(other) for other in slots[at + 1 :])


def test_a_card_larger_than_the_paper_is_refused() -> None:
    raises(SheetTooSmall, r"poster.*A4", grid_for, A4, CardSize("poster", 400, 500))


def test_a_part_filled_last_page_keeps_its_slots() -> None:
    grid, pages = deck_pages(components()["story-cards"], A4, POKER, DuplexMode.LONG_EDGE)
    full = [placement.slot for placement in pages[0].placements]
    assert full == list(range(9))
    last_fronts, last_backs = pages[-2], pages[-1]
    assert [placement.slot for placement in last_fronts.placements] == [0, 1, 2, 3]
    assert {placement.slot for placement in last_backs.placements} == {0, 1, 2, 5}
    assert [(page.number, page.of, page.side) for page in pages[:2]] == [(1, 3, "fronts"), (1, 3, "backs")]
    assert grid == grid_for(A4, POKER)


@pytest.mark.parametrize("component", ["story-cards", "challenge-cards"])
@pytest.mark.parametrize("style", list(Style))
def test_backs_look_the_same_turned_half_round(component: str, style: Style) -> None:
    """Rendered alone, so that the turn maps pixels to pixels."""
    card = components()[component].cards(POKER)[0]
    assert card.back is not None
    back = picture_of(card.back, POKER.width, POKER.height, 254, style).astype(int)
    assert back.std() > 20
    assert np.abs(back - back[::-1, ::-1]).mean() < 0.02 * back.std()


def test_a_card_beside_an_empty_slot_bleeds_into_it() -> None:
    grid = grid_for(A4, POKER)
    assert grid.with_bleed(4, {4}) == grid.slot(4).grown(BLEED)
    assert grid.with_bleed(4, set(range(9))) == grid.slot(4)
    corner = grid.with_bleed(0, {0, 1})
    assert (corner.x, corner.right) == (grid.slot(0).x - BLEED, grid.slot(0).right)
    assert (corner.y, corner.top) == pytest.approx((grid.slot(0).y - BLEED, grid.slot(0).top + BLEED))


def test_a_card_beside_a_wide_gutter_has_its_bleed_and_no_more() -> None:
    grid = grid_for(A3, POKER, gutter=10)
    assert grid.with_bleed(5, set(range(grid.per_page))) == grid.slot(5).grown(BLEED)


def test_the_ruler_measures_a_hundred_millimetres() -> None:
    for paper in (A4, LETTER):
        grid, pages = deck_pages(components()["story-cards"], paper, POKER, DuplexMode.FRONTS_ONLY)
        settings = SheetSettings(
            title="test", paper=paper, sides=DuplexMode.FRONTS_ONLY, marks=CropMarks.NONE, style=Style.COLOUR
        )
        picture = render_page(pages_to_pdf(pages[:1], settings), 0, 254)
        dark = picture.mean(axis=2) < 140
        below, beside = round(grid.block.y * 10), round(grid.block.x * 10)
        runs = dark[-below:] if paper is A4 else dark[:, -beside:].T
        assert longest_run(runs) == pytest.approx(1000, abs=4)


def longest_run(rows: np.ndarray) -> int:
    best = 0
    for row in rows:
        edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(int), [0]))))
        best = max(best, int((edges[1::2] - edges[::2]).max(initial=0)))
    return best
