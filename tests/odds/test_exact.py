"""Chances as people and programs read them, and lists that were cut and say so."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.odds.exact import Distribution, OddsUnknown, decimal, distribution, percent, plain

chances = st.fractions(0, 1)


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (Fraction(0), "0.0%"),
        (Fraction(1), "100.0%"),
        (Fraction(233, 729), "32.0%"),
        (Fraction(1, 2000), "0.1%"),
        (Fraction(1, 2001), "<0.1%"),
        (1 - Fraction(1, 10**9), ">99.9%"),
        (Fraction(9994, 10000), "99.9%"),
        (Fraction(9996, 10000), ">99.9%"),
    ],
)
def test_a_chance_for_people(chance: Fraction, words: str) -> None:
    assert percent(chance) == words


@given(chances)
def test_only_never_and_always_look_like_it(chance: Fraction) -> None:
    assert (percent(chance) == "0.0%") == (chance == 0)
    assert (percent(chance) == "100.0%") == (chance == 1)


@given(st.fractions(-1000, 1000), st.integers(0, 6))
def test_rounding_is_never_off_by_more_than_half_a_digit(number: Fraction, digits: int) -> None:
    written = Fraction(decimal(number, digits))
    assert abs(written - number) <= Fraction(1, 2 * 10**digits)


@given(st.dictionaries(st.integers(0, 20), st.integers(0, 50), min_size=1), st.integers(0, 20))
def test_a_distribution_adds_up_wherever_it_is_cut(weights: dict[int, int], upto: int) -> None:
    total = sum(weights.values())
    if not total:
        return
    whole, cut = distribution(weights, total), distribution(weights, total, upto=upto)
    assert sum(whole.chances.values()) == 1
    assert sum(cut.chances.values()) + cut.rest == 1
    assert whole.rest == 0
    assert list(whole) == sorted(whole)
    assert whole.mean == Fraction(sum(n * w for n, w in weights.items()), total)
    for number in cut:
        assert cut[number] == whole[number]
        assert cut.at_least(number) == whole.at_least(number)


def test_a_cut_list_refuses_what_it_does_not_know() -> None:
    cut = Distribution({0: Fraction(1, 2), 1: Fraction(1, 4)}, Fraction(1, 4))
    assert cut.at_least(2) == Fraction(1, 4)
    for ask in (lambda: cut[2], lambda: cut.at_least(3), lambda: cut.mean):
        with pytest.raises(OddsUnknown):
            ask()


def test_plain_values_keep_the_exact_fraction_beside_the_decimal() -> None:
    spread = Distribution({3: Fraction(1, 3), 4: Fraction(2, 3)})
    third, two_thirds = {"exact": "1/3", "decimal": 1 / 3}, {"exact": "2/3", "decimal": 2 / 3}
    assert plain(spread) == {"chances": {"3": third, "4": two_thirds}, "rest": {"exact": "0", "decimal": 0.0}}
