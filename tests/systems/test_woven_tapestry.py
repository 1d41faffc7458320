"""The tapestry: cards on cards, threads covered and given back (WO-8, WO-11)."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings

from loomtable.engine.kernel.errors import UnknownComponent
from loomtable.engine.kernel.serialization import from_builtins, to_builtins
from loomtable.engine.woven.cards import CardSide, Element, tapestry_cards
from loomtable.engine.woven.tapestry import CardPlacement, Spot, Tapestry
from tests.short import refuses
from tests.systems.woven_tapestries import FIRST, laid, tapestries


def shown(tapestry: Tapestry) -> list[str]:
    """The tapestry as rows of letters; a dot is a box, a space nothing, an x a thread."""
    visible = tapestry.visible()
    columns = range(min(c for c, _ in visible), max(c for c, _ in visible) + 1)
    rows = range(min(r for _, r in visible), max(r for _, r in visible) + 1)

    def mark(spot: Spot) -> str:
        if spot in tapestry.threads:
            return "x"
        cell = visible.get(spot, ...)
        return " " if cell is ... else cell.letter if cell else "."

    return ["".join(mark(Spot(column, row)) for column in columns) for row in rows]


def test_a_card_as_it_is_printed_and_after_each_quarter_turn_clockwise() -> None:
    turned = [shown(laid(CardPlacement(1, CardSide.A, Spot(0, 0), turns))) for turns in range(4)]
    assert turned == [["A..", ".FE"], [".A", "F.", "E."], ["EF.", "..A"], [".E", ".F", "A."]]


def test_only_covered_threads_are_given_back() -> None:
    tapestry = laid(FIRST).with_thread(Spot(1, 0)).with_thread(Spot(0, 1))
    after, given_back = tapestry.with_card(CardPlacement(5, CardSide.B, Spot(1, 0)))
    assert (given_back, after.threads) == ((Spot(1, 0),), (Spot(0, 1),))


@pytest.mark.parametrize(
    ("placement", "why"),
    [
        (CardPlacement(2, CardSide.A, Spot(3, 0)), "card 2 would be beside the tapestry"),
        (CardPlacement(2, CardSide.A, Spot(0, -2)), "it must overlap at least one cell"),
        (CardPlacement(1, CardSide.B, Spot(0, 0)), "card 1 is in this tapestry already"),
        (CardPlacement(2, CardSide.A, Spot(0, 0), 4), "0 to 3 quarter turns, not 4"),
    ],
)
def test_a_card_that_cannot_be_laid_so_is_refused(placement: CardPlacement, why: str) -> None:
    refuses(laid(FIRST).with_card, why, placement)


def test_a_card_that_there_is_not_is_refused() -> None:
    with pytest.raises(UnknownComponent, match="no tapestry card 34; they are numbered 1 to 33"):
        laid(FIRST).with_card(CardPlacement(34, CardSide.A, Spot(0, 0)))


@pytest.mark.parametrize(
    ("spot", "why"),
    [
        (Spot(0, 0), r"column 0, row 0 shows the symbol of air; threads go into empty boxes"),
        (Spot(5, 5), r"there is no card at column 5, row 5"),
        (Spot(1, 0), r"there is a thread at column 1, row 0 already"),
    ],
)
def test_a_thread_goes_only_into_an_empty_box(spot: Spot, why: str) -> None:
    refuses(laid(FIRST).with_thread(Spot(1, 0)).with_thread, why, spot)


def test_threads_come_back_by_name_only() -> None:
    tapestry = laid(FIRST).with_thread(Spot(1, 0)).with_thread(Spot(2, 0))
    assert tapestry.without_threads([Spot(1, 0)]).threads == (Spot(2, 0),)
    refuses(tapestry.without_threads, r"there is no thread at column 0, row 1", [Spot(0, 1)])


def test_a_card_that_lies_can_be_laid_nowhere_else() -> None:
    assert laid(FIRST).legal_placements(FIRST.card) == ()


@given(tapestries(most_cards=6))
@settings(max_examples=40)
def test_all_legal_placements_are_those_that_are_not_refused(tapestry: Tapestry) -> None:
    card = next(number for number in tapestry_cards() if number not in {p.card for p in tapestry.placements})
    found = tapestry.legal_placements(card)
    columns = [column for column, _ in tapestry.visible()]
    rows = [row for _, row in tapestry.visible()]
    everywhere = (
        CardPlacement(card, side, Spot(column, row), turns)
        for side, turns in product(CardSide, range(4))
        for column in range(min(columns) - 4, max(columns) + 5)
        for row in range(min(rows) - 4, max(rows) + 5)
    )
    assert Counter(found) == Counter(p for p in everywhere if not tapestry.card_trouble(p))


@given(tapestries())
@settings(max_examples=60)
def test_what_is_seen_is_the_uppermost_card_and_threads_lie_in_boxes(tapestry: Tapestry) -> None:
    visible = tapestry.visible()
    for spot, cell in visible.items():
        uppermost = [p for p in tapestry.placements if spot in p.cells()][-1]
        assert uppermost.cells()[spot] == cell
    assert all(visible[spot] is None for spot in tapestry.threads)
    assert set(tapestry.free_boxes()) == {s for s, c in visible.items() if c is None} - set(tapestry.threads)
    assert from_builtins(to_builtins(tapestry), Tapestry) == tapestry


def test_every_card_carries_each_element_once_over_both_sides() -> None:
    for card in tapestry_cards().values():
        cells = [cell for side in CardSide for row in card.face(side) for cell in row]
        assert Counter(cells) == {None: 8, **dict.fromkeys(Element, 1)}
