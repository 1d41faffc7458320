"""Less paper: sets that share their sheets, maps printed once, and all fronts before all backs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.printkit.catalogue import components, components_named
from loomtable.printkit.kit import PrintSettings, print_kit
from loomtable.printkit.picking import picks_in
from loomtable.printkit.sheet.grid import DuplexMode
from loomtable.printkit.sheet.imposition import ImpositionOptions, Sheet, lay_out, pages_of
from loomtable.printkit.sheet.papers import A3, A4, LETTER, POKER, CardSize, Paper
from loomtable.printkit.sheet.pieces import LargeDrawing, Piece, PrintedCard, PrintedPage
from loomtable.printkit.sheet.sharing import PieceSet, shared_sheets
from loomtable.printkit.sheet.tiled import Tile
from tests.print.plain_cards import COIN, DOMINO, nothing
from tests.tiers import mostly

A4_HOME = PrintSettings()
SIZES = (POKER, COIN, DOMINO, CardSize("strip", 25, 97), CardSize("wide", 150, 200))
SETS = st.lists(st.tuples(st.integers(1, 40), st.sampled_from(SIZES), st.booleans()), min_size=1, max_size=6)


def piece_sets(drawn: list[tuple[int, CardSize, bool]]) -> list[PieceSet]:
    return [
        PieceSet(f"game {at % 2}", [PrintedCard(None, f"{at}", nothing, nothing if back else None, size)] * count)
        for at, (count, size, back) in enumerate(drawn)
    ]


def names_on(sheet: Sheet) -> Counter[str]:
    return Counter(placement.piece.name for placement in sheet.fronts)


@given(SETS, st.sampled_from([A4, LETTER, A3]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_sharing_never_takes_more_pages_and_scatters_no_set(
    drawn: list[tuple[int, CardSize, bool]], paper: object, register: bool
) -> None:
    options = replace(ImpositionOptions(), paper=paper, registration=register)
    sets = piece_sets([one for one in drawn if one[1].name != "wide"] if register else drawn)
    both, fronts = shared_sheets(sets, options)
    apart = sum(len(lay_out(one.pieces, options)) for one in sets)
    assert len(pages_of(both, options)) + len(pages_of(fronts, options)) <= apart
    assert all(sheet.backs for sheet in both) and not any(sheet.backs for sheet in fronts)
    on_sheets = [names_on(sheet) for sheet in [*both, *fronts]]
    for at, one in enumerate(sets):
        name = one.pieces[0].name
        assert sum(held[name] for held in on_sheets) == len(one.pieces)
        shared = [held for held in on_sheets if held[name] and len(held) > 1]
        assert len(shared) <= 1, f"set {at} is scattered over {len(shared)} shared sheets"


def test_small_sets_of_one_game_lie_together_before_those_of_two() -> None:
    def tokens(name: str) -> list[Piece]:
        return [PrintedCard(None, name, nothing, nothing, COIN)] * 30

    games = [PieceSet(game, tokens(f"{game} {at}")) for at in (1, 2) for game in ("weave", "woven")]
    both, _ = shared_sheets(games, ImpositionOptions())
    assert [{name.split()[0] for name in names_on(sheet)} for sheet in both] == [{"weave"}, {"woven"}]


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_everything_packed_saves_paper_and_has_no_blank_page(paper: object) -> None:
    options = replace(A4_HOME, paper=paper)
    named = components_named(["everything"])
    sets = [PieceSet(part.system, [p for p in part.pieces(options) for _ in range(p.copies)]) for part in named]
    apart = sum(len(lay_out(one.pieces, options)) for one in sets)
    pages = [page for half in shared_sheets(sets, options) for page in pages_of(half, options)]
    assert all(page.placements for page in pages)
    assert len(pages) < 0.9 * apart


def test_no_map_is_printed_twice_in_one_order(tmp_path: Path) -> None:
    booklet = "the-bell-of-hollow-pass-booklet"
    [alone] = print_kit([booklet], tmp_path / "alone")
    maps, beside = print_kit(["combat-maps", booklet], tmp_path)
    its_own = alone.cards - beside.cards
    assert its_own > 0 and alone.pages > beside.pages, "by itself a booklet brings its maps"
    assert maps.cards == len(components()["combat-maps"].pieces(A4_HOME))
    before, after = print_kit([booklet, "combat-maps"], tmp_path / "other")
    assert (before.cards, after.cards) == (alone.cards, maps.cards - its_own)


def used_share(page: pypdfium2.PdfPage) -> float:
    """How much of a page is used: squares of 10 mm with any ink, clear of the margins with ruler and marks."""
    inked = page.render(scale=0.5 * 25.4 / 72, grayscale=True).to_numpy() < 250
    high, wide = ((side - 12) // 5 * 5 for side in inked.shape)
    return float(inked[6 : high + 6, 6 : wide + 6].reshape(high // 5, 5, wide // 5, 5).any(axis=(1, 3)).mean())


@pytest.mark.parametrize("paper", mostly([A4, LETTER], [LETTER]), ids=lambda paper: paper.name)
def test_hardly_a_page_of_everything_is_nearly_empty(paper: Paper, tmp_path: Path) -> None:
    """Of some 230 pages only both sides of the die card that is left over are under a quarter used."""
    poor, pages = [], 0
    for file in print_kit(["everything"], tmp_path, PrintSettings(paper=paper)):
        for number, page in enumerate(pypdfium2.PdfDocument(file.path), start=1):
            pages += 1
            if used_share(page) < 0.25:
                poor.append(f"{file.component}, page {number}")
    assert pages > 200 and len(poor) <= 2, poor
    assert not [page for page in poor if "maps" in page or "boxes" in page or "small" in page]


def test_no_map_has_a_sheet_for_a_strip_of_its_frame() -> None:
    """Beside the squares that another sheet has already, each shows others; at true scale, on A4 and Letter."""
    for paper, across, down in product((A4, LETTER), range(4, 14), range(4, 14)):
        drawing = LargeDrawing(None, "map", 25 * across + 35, 25 * down + 35, nothing, spare_edge=2)
        for page in lay_out([drawing], ImpositionOptions(paper)):
            shown = page.placements[0].piece
            assert isinstance(page.layout, Tile) and isinstance(shown, LargeDrawing)
            part, frame = page.layout.part, (shown.width - 25 * across) / 2
            new = part.x + (10 if page.layout.column else 0), part.top - (10 if page.layout.row else 0)
            assert min(part.right, shown.width - frame) - max(new[0], frame) > 20, (paper.name, across, down)
            assert min(new[1], shown.height - frame) - max(part.y, frame) > 20, (paper.name, across, down)


def test_everything_gangs_the_small_pieces(tmp_path: Path) -> None:
    wanted = "mana-counters:1-3x9,thread-counters:1-2x4,mage-tokens:51,storm-tokens:1,spell-cards:1"
    printed = print_kit(["everything"], tmp_path, only=picks_in(wanted))
    assert [(file.component, file.cards, file.pages) for file in printed] == [
        ("spell-cards", 1, 2),
        ("small-pieces", 37, 2),
    ]
    assert sum(file.saved for file in printed) == 6, "four sheets became one"
    apart = print_kit(["mana-counters", "thread-counters"], tmp_path, only=picks_in(wanted.split(",mage")[0]))
    assert [file.component for file in apart] == ["mana-counters", "thread-counters"], "what is named comes apart"


def test_everything_gangs_what_is_cut_out_and_decks_that_end_nearly_empty(tmp_path: Path) -> None:
    wanted = (
        "weave-dividers:1,woven-dividers:1,storm-weavers-dividers:1,spellwoven-items:1-11,spellwoven-foes:1-10"
    )
    files = {file.component: file for file in print_kit(["everything"], tmp_path, only=picks_in(wanted))}
    assert set(files) == {"boxes-and-tents", "spellwoven-cards"}
    boxes, cards = files["boxes-and-tents"], files["spellwoven-cards"]
    assert boxes.pages < 3 and boxes.saved == 3 - boxes.pages, "the dividers of three games"
    assert (cards.cards, cards.pages, cards.saved) == (21, 6, 2), "nine, nine, and what is left of both decks"


def test_all_fronts_come_before_all_backs_and_the_printer_is_not_told_to_turn(tmp_path: Path) -> None:
    [file] = print_kit(["story-cards"], tmp_path, PrintSettings(backs_last=True))
    assert file.path.name == "story-cards-a4-long-edge-backs-last.pdf"
    with pikepdf.open(file.path) as pdf:
        labels = [str(label["/P"]) for label in list(pdf.Root.PageLabels.Nums)[1::2]]
        assert labels == ["1 fronts", "2 fronts", "3 fronts", "1 backs", "2 backs", "3 backs"]
        assert pdf.Root.ViewerPreferences.Duplex == "/Simplex"


def test_sheets_without_backs_stay_in_step_when_backs_come_last() -> None:
    page, drawing = PrintedPage(None, "sheet", nothing, nothing), LargeDrawing(None, "map", 100, 100, nothing)
    pages = lay_out([drawing, page], ImpositionOptions(backs_last=True))
    assert [(p.number, p.is_back, len(p.placements)) for p in pages] == [
        (1, False, 1), (2, False, 1), (1, True, 0), (2, True, 1),
    ]  # fmt: skip
    assert [
        p.is_back for p in lay_out([page], ImpositionOptions(sides=DuplexMode.FRONTS_ONLY, backs_last=True))
    ] == [False]
