"""Papers by measure, and sheets of labels by their makers' numbers."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pikepdf
import pytest

from loomtable.printkit.catalogue import Component, RenderOptions, components
from loomtable.printkit.draw.palette import BLACK
from loomtable.printkit.draw.path import rect
from loomtable.printkit.errors import SheetTooSmall, UnknownPrintName
from loomtable.printkit.kit import PrintSettings, print_components
from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.imposition import ImpositionOptions, lay_out
from loomtable.printkit.sheet.labels import SHEETS, label_sheet_named
from loomtable.printkit.sheet.marks import CropMarks, mark_lines
from loomtable.printkit.sheet.papers import DECK_SIZES, LETTER, PAPERS, US_POKER, CardSize, paper_named
from loomtable.printkit.sheet.pieces import PrintedCard, PrintedPage
from tests.print.plain_cards import COIN, cards, nothing
from tests.short import raises


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("310x440mm", (310, 440)),
        ("44 x 31 cm", (310, 440)),
        ("8.5x14in", (215.9, 355.6)),
        ("LEGAL", (215.9, 355.6)),
    ],
)
def test_paper_of_any_size_stands_upright(name: str, size: tuple[float, float], tmp_path: Path) -> None:
    paper = paper_named(name)
    assert (paper.width, paper.height) == pytest.approx(size)
    part = Component("cards", "Cards", "", "test", lambda _: cards(40))
    [file] = print_components([part], tmp_path, PrintSettings(paper=paper))
    with pikepdf.open(file.path) as pdf:
        sides = sorted(float(v) * 25.4 / 72 for v in list(pdf.pages[0].mediabox)[2:])
    assert sides == pytest.approx(sorted(size), abs=0.01)


@pytest.mark.parametrize("name", ["10x20mm", "2x3in", "9000x9000mm", "310x440", "x", "310x440mmm"])
def test_what_is_no_paper_is_refused_in_a_sentence(name: str) -> None:
    raises(UnknownPrintName, "paper", paper_named, name)


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_takes_coins_with_all_that_stands_in_the_margin(name: str, tmp_path: Path) -> None:
    part = Component("coins", "Coins with a title that is rather long", "", "test", lambda _: cards(3, COIN))
    [file] = print_components([part], tmp_path, PrintSettings(paper=PAPERS[name]))
    assert file.cards == 3


@pytest.mark.parametrize("name", SHEETS)
def test_labels_lie_in_the_middle_of_their_paper_and_nothing_beside_them(name: str) -> None:
    sheet = SHEETS[name]
    size = CardSize("label", sheet.width, sheet.height)
    pieces = cards(sheet.columns * sheet.rows + 1, size)
    first, second = lay_out(pieces, ImpositionOptions(labels=sheet))
    slots = first.layout.slots()
    assert len(slots) == sheet.columns * sheet.rows and len(second.placements) == 1
    block = first.layout.block
    assert block.x == pytest.approx(sheet.paper.width - block.right)
    assert block.x >= -1e-6 and block.y >= -0.6, "the sheet holds its labels"
    assert not any(one.overlaps(other) for one, other in pairwise(slots))


def test_what_is_printed_keeps_within_its_label(tmp_path: Path) -> None:
    sheet = label_sheet_named("avery-5160")
    size = CardSize("small", 60, 25.4)
    card = PrintedCard(None, "card", lambda pen: pen.solid(rect(-9, -9, 90, 60), BLACK), lambda pen: None, size)
    part = Component("labels", "Labels", "", "test", lambda _: [card] * 30)
    [file] = print_components([part], tmp_path, PrintSettings(paper=sheet.paper, labels=sheet))
    assert file.pages == 1 and "avery-5160" in file.path.name
    seen = render_page(file.path, 0, 100).min(axis=2) < 100
    columns = np.nonzero(seen.any(axis=0))[0] / 100 * 25.4
    gaps = np.nonzero(np.diff(columns) > 1)[0]
    assert len(gaps) == 2
    assert columns[0] == pytest.approx(4.7625 + 0.3375, abs=0.4)
    rows = np.nonzero(seen.any(axis=1))[0] / 100 * 25.4
    assert (rows[0], rows[-1]) == pytest.approx((12.7, 266.7), abs=0.4)


def test_business_cards_fit_their_sheet_and_poker_cards_do_not() -> None:
    sheet = label_sheet_named("Avery-5371")
    assert len(lay_out(cards(10, DECK_SIZES["business"]), ImpositionOptions(labels=sheet))) == 1
    with pytest.raises(SheetTooSmall, match=r"a poker card .* does not fit labels of avery-5371"):
        lay_out(cards(1), ImpositionOptions(labels=sheet))
    raises(UnknownPrintName, "choose from avery-3651", label_sheet_named, "avery-1")


def test_whole_pages_are_refused_on_paper_for_which_they_are_not_drawn() -> None:
    page = PrintedPage(None, "Dice to fold", nothing)
    for name in ("a5", "4x6in", "200x400mm"):
        with pytest.raises(SheetTooSmall, match="Dice to fold is a whole page, made for A4, Letter and larger"):
            lay_out([page], ImpositionOptions(paper_named(name)))
    assert lay_out([page], ImpositionOptions(paper_named("legal")))


def test_other_large_paper_takes_the_largest_mat_that_fits() -> None:
    for name, held in (("legal", "A4"), ("sra3", "A3"), ("letter", "Letter")):
        [page] = components()["dice-mat"].pieces(RenderOptions(paper=paper_named(name)))
        assert page.name == f"Dice mat, {held}"
    with pytest.raises(SheetTooSmall, match="no dice mat fits A5 paper"):
        components()["dice-mat"].pieces(RenderOptions(paper=PAPERS["a5"]))


def test_narrow_margins_still_hold_marks_to_cut_by() -> None:
    """On Letter two rows of cards and their gaps leave 5.7 mm: the marks come nearer to the cards, and stay."""
    for gutter in (0.0, 2.0):
        layout = lay_out(cards(9, US_POKER), ImpositionOptions(LETTER, gutter=gutter))[0].layout
        lines = mark_lines(layout, CropMarks.CORNER, range(len(layout.slots())))
        assert lines and all(abs(a - c) + abs(b - d) >= 1.5 - 1e-6 for a, b, c, d in lines)
