"""Adventures on paper: leaves in the order in which they are read once the booklet is folded, nothing left out."""

from __future__ import annotations

import re
from functools import partial

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.storm_weavers.adventure import Condition
from loomtable.engine.storm_weavers.adventure_check import ADVENTURES, adventure_names, playable_adventure
from loomtable.engine.storm_weavers.sheet import Attribute
from loomtable.printkit.catalogue import RenderOptions, components
from loomtable.printkit.draw.art import art_names
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.running import columns_of, draw_parts, height_of
from loomtable.printkit.draw.type import typographic
from loomtable.printkit.games.storm_weavers.adventure_booklet import LEAVES, sheets_of
from loomtable.printkit.games.storm_weavers.adventure_leaves import HEIGHT as LEAF_HEIGHT
from loomtable.printkit.games.storm_weavers.adventure_leaves import WIDTH as LEAF_WIDTH
from loomtable.printkit.games.storm_weavers.adventure_leaves import draw_cover, leaves_of, maps_of
from loomtable.printkit.games.storm_weavers.adventure_setting import TOGETHER, parts_of
from loomtable.printkit.games.storm_weavers.adventure_words import condition_in_words, passages_of
from loomtable.printkit.sheet.document import leaves_to_pdf
from loomtable.printkit.sheet.papers import A4
from loomtable.printkit.sheet.pieces import LargeDrawing, PrintedPage
from tests.print.drawn_cards import drawn, same_pictures
from tests.table.reading_pdf import words_of_pdf

HEIGHT, WIDTH = 175.0, 60.0


@given(st.integers(1, 15))
def test_a_folded_booklet_is_read_in_order(sheets: int) -> None:
    """Turning the leaves of nested sheets: fronts' right halves inwards, then backs' right halves outwards."""
    leaves = list(range(LEAVES * sheets))
    laid = sheets_of(leaves)  # type: ignore[arg-type]
    inwards = [leaf for _, right, behind, _ in laid for leaf in (right, behind)]
    outwards = [leaf for left, _, _, behind in reversed(laid) for leaf in (behind, left)]
    assert [*inwards, *outwards] == leaves  # type: ignore[comparison-overlap]


@pytest.mark.parametrize("name", adventure_names())
def test_every_number_is_named_where_it_leads(name: str) -> None:
    """Whoever has only the paper can go wherever the engine goes."""
    for number, page in playable_adventure(name).paragraphs.items():
        told = " ".join(words for passage in passages_of(page) for words, _ in passage.runs)
        named = [int(found) for found in re.findall(r"[Tt]urn to (\d+)\.", told)]
        leads = [to for to, _ in page.exits()]
        fights = page.fight is not None or page.map_fight is not None
        assert named == ([*leads, 225] if fights else leads), f"paragraph {number}"


@pytest.mark.parametrize("name", adventure_names())
def test_columns_hold_every_line_once_and_break_well(name: str) -> None:
    adventure = playable_adventure(name)
    set_ = [parts_of(n, passages_of(page), WIDTH, name) for n, page in sorted(adventure.paragraphs.items())]
    columns = columns_of((part for parts in set_ for part in parts), HEIGHT)
    assert [part for column in columns for part in column] == [part for parts in set_ for part in parts]
    numbers = {id(parts[0]) for parts in set_}
    for column in columns:
        assert height_of(column) <= HEIGHT + 1e-6
        tops = [at for at, part in enumerate(column) if id(part) in numbers]
        before = column[: tops[0] if tops else None]
        assert not before or len(before) >= TOGETHER
        if tops:
            assert len(column) - tops[-1] > TOGETHER


@pytest.mark.parametrize("name", adventure_names())
def test_a_booklet_has_its_leaves_and_its_maps(name: str) -> None:
    adventure = playable_adventure(name)
    assert len(leaves_of(adventure, LEAVES)) % LEAVES == 0
    for component in (f"{name}-booklet", f"{name}-pages"):
        pieces = components()[component].pieces(RenderOptions())
        maps = [piece.name for piece in pieces if isinstance(piece, LargeDrawing)]
        assert maps == [plan.title for plan in maps_of(adventure)]
        assert all(piece.back for piece in pieces if isinstance(piece, PrintedPage))


def test_every_booklet_has_a_cover_of_its_own() -> None:
    """Those with a scene, and those drawn from the map of their last fight, as a stranger's is."""
    ours = [playable_adventure(name) for name in adventure_names()]
    others = [
        msgspec.structs.replace(one, name=f"my-{one.name}") for one in ours if one.name in art_names("scenes")
    ]
    covers = [
        drawn(partial(draw_cover, adventure=one), (LEAF_WIDTH, LEAF_HEIGHT), Style.GREY, 40)[100:250]
        for one in [*ours, *others]
    ]
    assert len(covers) > len(ours)
    assert same_pictures(covers) == []


def test_a_condition_is_said_as_a_person_says_it() -> None:
    needs = Condition(item="Rope", gold=10, at_least={Attribute.WISDOM: 7}, unvisited=12)
    said = "If you have the Rope, you have 10 crowns, your Wisdom is 7 or more and you have not read 12"
    assert condition_in_words(needs) == said


def test_booklets_are_called_by_their_adventures_titles() -> None:
    for name in adventure_names():
        assert ADVENTURES.titles()[name] == playable_adventure(name).title
        assert playable_adventure(name).title in components()[f"{name}-booklet"].title


def test_quotation_marks_and_minuses_are_a_printers() -> None:
    assert typographic('"Then wash," says the carters\' "old" dog.') == "“Then wash,” says the carters’ “old” dog."
    assert typographic("a well-kept axe: -1 to the dice, 3-4") == "a well-kept axe: −1 to the dice, 3-4"
    assert typographic("(\"'Tis his,\" she said: 'no')") == "(“‘Tis his,” she said: ‘no’)"
    assert typographic("the same, with ':hints Ada'") == "the same, with ‘:hints Ada’"
    adventure = playable_adventure("the-bell-of-hollow-pass")
    parts = [
        part for n, page in adventure.paragraphs.items() for part in parts_of(n, passages_of(page), WIDTH, "")
    ]
    leaves = [partial(draw_parts, x=20, y=280, parts=column) for column in columns_of(parts, 260)]
    said = words_of_pdf(leaves_to_pdf(leaves, A4, "An adventure", "its text"))
    assert said.count("”") > 20 and not set("\"'") & set(said)
