"""Looking instead of typing: our own coin and Weave dice answer what the game asks."""

from __future__ import annotations

import numpy as np
import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.readings import CoinReading, DiceReading, Source
from loomtable.engine.kernel.requests import Choose, Flip, Option, Roll
from loomtable.engine.kernel.ring_codes import WORDS
from loomtable.table.reading.answers import look_at
from tests.vision.printed_laid import laid, one, printed


@pytest.mark.parametrize("side", ["heads", "tails"])
def test_a_coin_token_answers_a_flip(side: str) -> None:
    mark = next(mark for mark in WORDS if mark.die is Die.COIN and mark.face == side)
    seen = look_at(Flip("call it", by="Thymin", rule="SW-4"), one(mark, 80, 130))
    assert isinstance(seen.answer, CoinReading)
    assert (seen.answer.side, seen.answer.how) == (side, Source.CAMERA)
    assert seen.says == f"accepted: {side}"


def test_an_empty_table_is_no_flip() -> None:
    seen = look_at(Flip("call it", by="Thymin", rule="SW-4"), np.full((300, 420, 3), 120, np.uint8))
    assert seen.answer is None
    assert seen.says.endswith("flip it again, or type the side")


def test_printed_weave_dice_answer_a_roll_for_which_d6_could_stand_in() -> None:
    marks = [mark for mark in WORDS if mark.die is Die.WEAVE][:2]
    picture = laid([(printed(mark), 120.0 + 160 * k, 150.0, 62.0, 20.0 * k) for k, mark in enumerate(marks)])
    seen = look_at(
        Roll(Die.WEAVE, 2, "a challenge", by="Ilse", rule="WV-12", stand_in=tuple(map(str, Die.WEAVE.faces))),
        picture,
    )
    assert isinstance(seen.answer, DiceReading), seen.says
    assert seen.answer.faces == tuple(mark.face for mark in marks)


def test_a_choice_is_not_looked_at() -> None:
    asked = Choose("Which?", (Option("a", "A"), Option("b", "B")), by="Ilse", rule="WV-1")
    with pytest.raises(ReadingMisfit, match="only dice, coins and cards can be looked at"):
        look_at(asked, np.zeros((90, 90, 3), np.uint8))
