"""Card codes: what is printed comes back, and damage never becomes another card."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.components import CODE_LENGTH, ComponentId, Kind, most_of
from loomtable.engine.kernel.errors import BadCode, DamagedCode, ForeignCode, OtherCodeVersion, UnknownComponent
from tests.short import raises

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def checksum(body: str) -> str:
    """As docs/extending.md tells it."""
    value = sum((ALPHABET.index(sign) + 1) * 37**power for power, sign in enumerate(reversed(body))) % 46_649
    return np.base_repr(value, 36).zfill(3)


def sides(kind: Kind) -> tuple[str, ...]:
    return ("A", "B") if kind is Kind.TAPESTRY else ("",)


components = st.sampled_from(Kind).flatmap(
    lambda kind: st.builds(ComponentId, st.just(kind), st.integers(1, most_of(kind)), st.sampled_from(sides(kind)))
)


@given(components)
def test_code_and_short_code_come_back(card: ComponentId) -> None:
    assert ComponentId.from_code(card.code) == card
    assert ComponentId.parse(card.short) == card
    assert ComponentId.parse(f" {card.code.lower()} ") == card
    assert pickle.loads(pickle.dumps(card)) == card


@given(components)
def test_a_code_fits_qr_version_1_at_level_h(card: ComponentId) -> None:
    assert len(card.code) == CODE_LENGTH == 10
    assert set(card.code) <= set(ALPHABET)


def test_no_two_things_share_a_code() -> None:
    cards = [ComponentId(k, n, s) for k in Kind for n in range(1, most_of(k) + 1) for s in sides(k)]
    assert len({c.code for c in cards}) == len({c.short for c in cards}) == len(cards)


@pytest.mark.parametrize(
    "card", [ComponentId(Kind.STORY, 7), ComponentId(Kind.TAPESTRY, 33, "B"), ComponentId(Kind.HOME, 20_000)]
)
def test_one_wrong_character_is_always_noticed(card: ComponentId) -> None:
    for place, character in itertools.product(range(CODE_LENGTH), ALPHABET):
        torn = card.code[:place] + character + card.code[place + 1 :]
        if torn != card.code:
            with pytest.raises(BadCode):
                ComponentId.from_code(torn)


@given(components, st.integers(0, 9), st.integers(0, 9))
def test_two_exchanged_characters_are_always_noticed(card: ComponentId, one: int, other: int) -> None:
    letters = list(card.code)
    letters[one], letters[other] = letters[other], letters[one]
    torn = "".join(letters)
    if torn == card.code:
        assert ComponentId.from_code(torn) == card
    else:
        with pytest.raises(BadCode):
            ComponentId.from_code(torn)


@given(st.text(max_size=40) | st.text(alphabet=ALPHABET, max_size=12).map(lambda t: "LT1" + t))
def test_any_text_is_a_card_or_one_of_the_documented_errors(text: str) -> None:
    try:
        card = ComponentId.from_code(text)
    except BadCode as error:
        assert str(error)
    else:
        assert card.code == text


@given(st.text(max_size=20))
def test_any_typed_text_is_a_card_or_refused(text: str) -> None:
    try:
        assert isinstance(ComponentId.parse(text), ComponentId)
    except (UnknownComponent, BadCode) as error:
        assert "\n" not in str(error)


def test_each_trouble_has_its_name_and_its_words() -> None:
    code = ComponentId(Kind.STORY, 7).code
    raises(ForeignCode, "not a Loomtable card code", ComponentId.from_code, "HTTPS://EXAMPLE.ORG")
    raises(OtherCodeVersion, "version 2; this Loomtable reads version 1", ComponentId.from_code, "LT2" + code[3:])
    raises(DamagedCode, "checksum", ComponentId.from_code, code[:-1] + ("0" if code[-1] != "0" else "1"))
    raises(UnknownComponent, "looks like S7", ComponentId.parse, "seven")


@pytest.mark.parametrize(
    ("kind", "number", "side"),
    [
        (Kind.STORY, 0, ""),
        (Kind.STORY, 1000, ""),
        (Kind.HOME, 34_696, ""),
        (Kind.ANSWER, 15, ""),
        (Kind.MARKER, 13, ""),
        (Kind.STORY, 1, "A"),
        (Kind.TAPESTRY, 1, ""),
    ],
)
def test_things_that_do_not_exist(kind: Kind, number: int, side: str) -> None:
    with pytest.raises(UnknownComponent):
        ComponentId(kind, number, side)


def test_home_cards_have_numbers_beyond_three_digits() -> None:
    assert [ComponentId(Kind.HOME, n).code[4:7] for n in (999, 1000, 1036, 34_695)] == ["999", "A00", "A10", "ZZZ"]
    assert str(ComponentId.parse("o-01000")) == "O1000"


@pytest.mark.parametrize("body", ["LT1SA00", "LT1O1A0", "LT1O000", "LT1XA00"])
def test_a_number_that_no_card_has_is_damage(body: str) -> None:
    raises(DamagedCode, "names no kind of card", ComponentId.from_code, body + checksum(body))


def test_a_component_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        ComponentId(Kind.STORY, 7).number = 8  # type: ignore[misc]
