"""Less paper: sets that share their sheets, maps printed once, and all fronts before all backs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.printkit.catalogue import components, components_named
from loomtable.printkit.kit import PrintSettings, print_kit
from loomtable.printkit.picking import picks_in
from loomtable.printkit.sheet.grid import DuplexMode
from loomtable.printkit.sheet.imposition import ImpositionOptions, Sheet, lay_out, pages_of
from loomtable.printkit.sheet.papers import A3, A4, LETTER, POKER, CardSize
from loomtable.printkit.sheet.pieces import LargeDrawing, Piece, PrintedCard, PrintedPage
from loomtable.printkit.sheet.sharing import PieceSet, shared_sheets
from tests.print.plain_cards import COIN, DOMINO, nothing

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


def test_everything_gangs_the_small_pieces_of_a_game(tmp_path: Path) -> None:
    wanted = "mana-counters:1-3x9,thread-counters:1-2x4,mage-tokens:51,storm-tokens:1,spell-cards:1"
    printed = print_kit(["everything"], tmp_path, only=picks_in(wanted))
    assert [(file.component, file.cards, file.pages) for file in printed] == [
        ("spell-cards", 1, 2),
        ("woven-small-pieces", 36, 2),
        ("storm-tokens", 1, 2),
    ]
    assert sum(file.saved for file in printed) == 4, "three sheets became one"
    apart = print_kit(["mana-counters", "thread-counters"], tmp_path, only=picks_in(wanted.split(",mage")[0]))
    assert [file.component for file in apart] == ["mana-counters", "thread-counters"], "what is named comes apart"


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
