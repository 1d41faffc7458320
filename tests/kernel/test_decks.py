"""Decks: nothing is ever lost, and the same seed deals the same cards for ever."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.decks import Deck
from tests.short import refuses


def test_a_seed_deals_the_same_cards_for_ever() -> None:
    # Written down on the first day: a journal from then has to deal this order for as long as Loomtable lives.
    assert Deck("seed", tuple("ABCDEFGH")).shuffle().pile == tuple("HGFBEACD")
    assert Deck("seed", tuple("ABCDEFGH")).shuffle().shuffle().pile == tuple("EFGAHDCB")


def test_every_order_is_as_likely_as_any_other() -> None:
    deals = Counter(Deck(str(n), (1, 2, 3, 4)).shuffle().pile for n in range(24_000))
    assert set(deals) == set(permutations((1, 2, 3, 4)))
    # 24 orders of 1000 expected each; chi-square with 23 degrees of freedom stays below 49.7 but once in 1000.
    assert sum((n - 1000) ** 2 / 1000 for n in deals.values()) < 49.7


@given(st.lists(st.sampled_from(["draw", "discard", "put back", "shuffle"]), max_size=30), st.text(max_size=5))
def test_whatever_is_done_every_card_is_somewhere_once(doings: list[str], seed: str) -> None:
    deck, hand = Deck(seed, tuple(range(12))).shuffle(), list[int]()
    for doing in doings:
        if doing == "draw" and len(hand) < 12:
            drawn, deck = deck.draw()
            hand.extend(drawn)
        elif doing == "discard" and hand:
            deck = deck.discard(hand.pop())
        elif doing == "put back":
            deck, hand = deck.put_back(*hand), []
        elif doing == "shuffle":
            deck = deck.shuffle()
        assert sorted([*deck.pile, *deck.discards, *hand]) == list(range(12))


def test_discards_are_shuffled_in_only_when_the_pile_runs_out() -> None:
    deck = Deck("s", ("a", "b"), ("c", "d"))
    two, left = deck.draw(2)
    assert two == ("a", "b")
    assert left.discards == ("c", "d")
    three, rest = deck.draw(3)
    assert three[:2] == ("a", "b")
    assert set(three[2:]) | set(rest.pile) == {"c", "d"}
    assert rest.discards == ()


def test_refusals() -> None:
    refuses(Deck("s", ("a", "b")).draw, "holds 2 cards; this needs 3", 3)
    refuses(Deck("s", ("a", "b")).take, "c is not in the draw pile", "c")
    assert Deck("s", ("a", "b", "c")).take("b").pile == ("a", "c")
