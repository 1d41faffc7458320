"""Each answer card has a code of its own that leads back to what it says."""

from __future__ import annotations

from loomtable.engine.kernel.answer_cards import AnswerCard, answer_of
from loomtable.engine.kernel.components import ANSWER_CARDS, ComponentId, Kind
from loomtable.engine.kernel.errors import UnknownComponent
from tests.short import raises


def test_every_code_of_an_answer_card_says_one_thing() -> None:
    cards = [ComponentId(Kind.ANSWER, number) for number in range(1, ANSWER_CARDS + 1)]
    assert [answer_of(ComponentId.from_code(card.code)) for card in cards] == list(AnswerCard)
    assert [answer.id for answer in AnswerCard] == cards


def test_printed_codes_never_change() -> None:
    assert AnswerCard.A.id.code == "LT1A001A1R"
    assert AnswerCard.PAUSE.id.short == "A14"


def test_another_card_is_no_answer() -> None:
    raises(UnknownComponent, "S7 is no answer card", answer_of, ComponentId(Kind.STORY, 7))
