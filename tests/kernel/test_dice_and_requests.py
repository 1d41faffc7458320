"""Faces, pools, and answers held against what was asked."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.dice import Die, parse_pool, percentile_of
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.readings import (
    CardReading,
    ChoiceReading,
    CoinReading,
    DiceReading,
    NumberReading,
    ReadDie,
    Reading,
    Source,
    TextReading,
    rolled,
)
from loomtable.engine.kernel.requests import (
    Choose,
    EnterNumber,
    EnterText,
    Flip,
    Option,
    Request,
    Roll,
    ShowCard,
    same_question,
)
from loomtable.engine.kernel.serialization import from_json, to_json
from tests.short import as_a, raises

PIPS = ("flames", "brooks", "gales", "stones", "weave", "strike")
ROLL = Roll(Die.D10, 3, "Menace", by="Ash", rule="SP-11")
WEAVE_ROLL = Roll(Die.WEAVE, 2, "Stones Challenge", PIPS, by="Ash", rule="WV-17")
CHOICE = Choose("Which?", (Option("a", "A"), Option("b", "B"), Option("c", "C")), 1, 2, by="Ash", rule="WV-6")
CARD = ShowCard(Kind.STORY, "Theme", (1, 2, 7), by="storyteller", rule="WV-1")
ASKED: list[Request] = [
    ROLL,
    WEAVE_ROLL,
    Flip("Coin test", by="Thymin", rule="SW-4"),
    CARD,
    CHOICE,
    EnterNumber("How many?", 0, 4, by="Ash", rule="WV-17"),
    EnterText("Name", 12, by="Ash", rule="WV-6"),
]


@pytest.mark.parametrize(
    ("text", "pool"),
    [
        ("3d10", (3, Die.D10)),
        ("2D6", (2, Die.D6)),
        ("5dW", (5, Die.WEAVE)),
        ("1 coin", (1, Die.COIN)),
        ("8 d 8", (8, Die.D8)),
        ("1d4", (1, Die.D4)),
        ("2d20", (2, Die.D20)),
        ("1d100", (1, Die.D100)),
    ],
)
def test_pools_as_people_write_them(text: str, pool: tuple[int, Die]) -> None:
    assert parse_pool(text) == pool


@pytest.mark.parametrize("text", ["", "d6", "0d6", "3d7", "three d6", "100d6"])
def test_no_pools(text: str) -> None:
    raises(ReadingMisfit, "write it like 3d10", parse_pool, text)


def test_a_percentile_pair_is_one_to_a_hundred() -> None:
    """The tens of a percentile d10 and the units of a d10, whose 0 is 10 in play; 00 and 0 are 100."""
    shown = [percentile_of(int(tens), int(units)) for tens in Die.D100.faces for units in Die.D10.faces]
    assert sorted(shown) == list(range(1, 101))
    assert (percentile_of(0, 10), percentile_of(90, 10), percentile_of(0, 7)) == (100, 90, 7)


def test_typed_faces() -> None:
    assert Die.WEAVE.parse_face("fl") == "flames"
    assert Die.D10.parse_face("0") == 10
    assert (Die.D100.parse_face("00"), Die.D20.parse_face("20")) == (0, 20)
    raises(ReadingMisfit, "could be stones or strike", Die.WEAVE.parse_face, "st")
    raises(ReadingMisfit, "no face 0", Die.D6.parse_face, "0")
    raises(ReadingMisfit, "no face ''", Die.WEAVE.parse_face, " ")
    raises(ReadingMisfit, "no face 7; its faces are 1, 2, 3, 4, 5, 6", Die.D6.parse_face, "7")


@pytest.mark.parametrize(
    ("request_", "answer", "words"),
    [
        (ROLL, rolled(Die.D10, 4, 5), "two dice, three expected"),
        (ROLL, rolled(Die.D6, 4, 5, 6), "there is a d6, but a d10 was asked for"),
        (ROLL, DiceReading((ReadDie(Die.D10, 11),) * 3), "no face 11"),
        (ROLL, DiceReading((ReadDie(Die.D10, True),) * 3), "no face True"),
        (ROLL, CoinReading("heads"), "a coin flip does not answer a roll of 3 d10s"),
        (WEAVE_ROLL, rolled(Die.D8, 1, 2), "there is a d8, but a Weave die was asked for"),
        (ASKED[2], CoinReading("rim"), "no face 'rim'"),
        (CARD, CardReading(ComponentId(Kind.CHALLENGE, 7)), "C7 is a challenge card; a story card was asked for"),
        (CARD, CardReading(ComponentId(Kind.STORY, 3)), "S3 is not one of the story cards that can be shown now"),
        (CHOICE, ChoiceReading(("d",)), "'d' is not among the choices: a, b, c"),
        (CHOICE, ChoiceReading(("a", "a")), "taken twice"),
        (CHOICE, ChoiceReading(()), "0 chosen, 1 to 2 expected"),
        (CHOICE, ChoiceReading(("a", "b", "c")), "3 chosen, 1 to 2 expected"),
        (ASKED[5], NumberReading(5), "5 is not from 0 to 4"),
        (ASKED[6], TextReading("  "), "empty"),
        (ASKED[6], TextReading("x" * 13), "13 characters; at most 12 fit"),
        (ASKED[6], TextReading("a\x1bb"), "cannot be shown"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_with_the_reason(
    request_: Request, answer: Reading, words: str
) -> None:
    with pytest.raises(ReadingMisfit) as refused:
        request_.check(answer)
    assert words in str(refused.value)


def test_ordinary_dice_stand_in_for_weave_dice_and_keep_where_they_came_from() -> None:
    lying = DiceReading((ReadDie(Die.D6, 5, Source.CAMERA, 0.93), ReadDie(Die.WEAVE, "strike")))
    answer = WEAVE_ROLL.check(lying)
    assert answer.faces == ("weave", "strike")
    assert answer.dice[0] == ReadDie(Die.WEAVE, "weave", Source.CAMERA, 0.93)


@given(st.sampled_from(ASKED), st.integers(0, 2**32))
def test_the_computers_answers_always_fit_and_survive_json(request_: Request, seed: int) -> None:
    answer = random_answer(request_, random.Random(seed))
    request_.check(answer)
    assert from_json(to_json(answer), Reading) == answer  # type: ignore[arg-type]
    assert from_json(to_json(request_), Request) == request_  # type: ignore[arg-type]


def test_an_old_journal_knows_a_question_that_has_got_better_words_and_more_to_press() -> None:
    number = EnterNumber("Dice to roll again", 0, 1, by="Ash", rule="WV-17")
    pressed = msgspec.structs.replace(
        number, words="Roll it again?", options=(Option("0", "Keep"), Option("1", "Roll"))
    )
    assert same_question(number, pressed)
    assert not same_question(number, msgspec.structs.replace(pressed, high=2))
    tick = Choose("What holds?", (Option("1", "It is dark"),), 0, 1, by="Ash", rule="WV-10")
    more = msgspec.structs.replace(tick, options=(*tick.options, Option("always-1", "Always", stays=True)))
    assert same_question(tick, more)
    assert not same_question(tick, msgspec.structs.replace(tick, options=(*tick.options, Option("2", "It rains"))))
    seen = {
        key for seed in range(40) for key in as_a(ChoiceReading, random_answer(more, random.Random(seed))).keys
    }
    assert seen == {"1"}, "chance decides about this time only"


def test_the_same_question_with_another_explanation() -> None:
    assert same_question(ROLL, Roll(Die.D10, 3, "Menace", by="Ash", rule="SP-11", why="because"))
    assert same_question(ROLL, Roll(Die.D10, 3, "Menace", by="Ash", rule="SP-11", words="How bad is it?"))
    assert not same_question(ROLL, Roll(Die.D10, 2, "Menace", by="Ash", rule="SP-11"))
    assert not same_question(ROLL, Roll(Die.D10, 3, "Menace", by="Birk", rule="SP-11"))
