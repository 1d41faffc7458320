"""What was asked for, what dice are called, and which number stands on a face."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.vision.dice import Kind, Pool, parse_dice
from loomtable.vision.die_kinds import KINDS, kind_of, numeral_class


def test_a_mixed_pool_is_read_and_said() -> None:
    pool = parse_dice("5d6+3d10")
    assert (pool.total, pool.dice, pool.count(Die.D10)) == (8, (Die.D6, Die.D10), 3)
    assert (pool.words, str(pool)) == ("five d6s and three d10s", "5d6+3d10")
    assert parse_dice("2d6 + 1d6") == Pool(((Die.D6, 3),))
    assert parse_dice("1d8").words == "one d8"


@pytest.mark.parametrize("text", ["", "3d", "10", "3d10+", "0d6", "3d7", "three dice", "3d10-1"])
def test_what_is_no_pool_is_said_so(text: str) -> None:
    with pytest.raises(ReadingMisfit, match="write it like 3d10 or 5d6"):
        parse_dice(text)


def test_one_die_may_be_asked_for_without_its_number() -> None:
    assert parse_dice("d20+2d6") == Pool(((Die.D20, 1), (Die.D6, 2)))
    assert parse_dice("1d4").words == "one d4"


def test_a_d100_is_asked_for_as_a_pair() -> None:
    pair = Pool(((Die.D100, 1), (Die.D10, 1)))
    assert parse_dice("d100") == parse_dice("1d100") == parse_dice("d100+d10") == pair
    assert pair.words == "one percentile d10 and one d10"
    assert parse_dice("2d6+d100").total == 4


@pytest.mark.parametrize("text", ["2d100", "d100+d100", "d100+2d10"])
def test_tens_and_units_that_could_be_mixed_up_are_refused(text: str) -> None:
    with pytest.raises(ReadingMisfit, match="which d10 goes with which tens cannot be told"):
        parse_dice(text)


@given(
    st.dictionaries(
        st.sampled_from([die for die in Die if die is not Die.D100]), st.integers(1, 12), min_size=1, max_size=4
    )
)
def test_a_pool_is_read_back_from_how_it_is_written(counts: dict[Die, int]) -> None:
    pool = Pool(tuple(counts.items()))
    assert parse_dice(str(pool)) == pool


def test_callers_may_say_count_and_die() -> None:
    assert Pool.of((3, Die.D10)) == parse_dice("3d10")
    assert Pool.of(None) is None
    assert Pool.lying([Die.D6, Die.D10, Die.D6]) == parse_dice("2d6+1d10")


def test_a_d10s_nought_is_ten_in_play_and_nought_in_print() -> None:
    assert (Kind.D10.face(0), Kind.D10.printed(10)) == (10, 0)
    assert [Kind.D100.face(tens) for tens in (0, 90)] == [0, 90]


@pytest.mark.parametrize("kind", KINDS)
def test_printed_numbers_and_faces_belong_together(kind: Kind) -> None:
    faces = [kind.face(printed) for printed in kind.numbers]
    assert [kind.printed(face) for face in faces] == list(kind.numbers)
    assert sorted(map(int, faces)) == list(kind.die.faces)
    assert kind_of(kind.die) is (Kind.D6 if kind is Kind.D6_NUMERAL else kind)
    if kind is not Kind.D6:
        classes = [numeral_class(kind, printed) for printed in kind.numbers]
        assert len(set(classes)) == len(classes)
        assert set(classes) <= set(range(21))


def test_kinds_are_spoken_of_in_words() -> None:
    assert Kind.D100.some(1) == "a percentile d10"
    assert Kind.D8.some(3) == "three d8s"
    assert Kind.D6_NUMERAL.some(2) == "two d6s with numerals"
