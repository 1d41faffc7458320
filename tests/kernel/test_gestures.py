"""What hands say on a table becomes steps of a game: the answer cards of every game, and what a game declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.gestures import Control, Lying, Offer, Situation, Table
from loomtable.engine.kernel.offered import offers
from loomtable.engine.kernel.play import Action, Play, Steps, ask
from loomtable.engine.kernel.readings import ChoiceReading, NumberReading, Source, TextReading
from loomtable.engine.kernel.requests import Choose, EnterNumber, EnterText, Option, Request
from loomtable.engine.kernel.rulings import RulingBook
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import Looks, Rules, SettingUp, System, Words, no_setup

A, B, C, D, *_ = AnswerCard
YES, NO, KEEP, GO_ON, UNDO, PAUSE = tuple(AnswerCard)[8:]


def laid(*cards: AnswerCard | str) -> Table:
    return Table(tuple(Lying(c.id if isinstance(c, AnswerCard) else ComponentId.parse(c)) for c in cards))


def asking(request: Request | None) -> Session[Any]:
    """A game in which this is asked."""
    system: System[int] = System(
        "asks",
        "Asks",
        rules=Rules("1", RulingBook({})),
        setting_up=SettingUp(begin=no_setup("Asks", int)),
        words=Words(tell=lambda event, state, viewer: ""),
        looks=Looks(view=lambda state, viewer: {}),
    )

    @system.action("ask")
    def asks(play: Play[int]) -> Steps[None]:
        """Ask it."""
        if request is not None:
            yield from ask(request)

    @system.gesture("ask")
    def story_card(situation: Situation[int]) -> Iterator[Offer]:
        """A Story card asks it again."""
        for one in situation.table.laid(Kind.STORY):
            yield Offer("it is asked again", Action("ask"), things=(one.thing,))

    session = Session.open(system)
    if request is not None:
        session.perform("ask")
    return session


def choose(*labels: str, least: int = 1, most: int = 1) -> Session[Any]:
    options = tuple(Option(label.casefold().replace(" ", "-"), label) for label in labels)
    return asking(Choose("What now?", options, least, most, by="Ada", rule="X-1"))


def said(session: Session[Any], *cards: AnswerCard | str) -> Offer:
    [offer] = offers(session, laid(*cards))
    assert offer.things == tuple(sorted(one.thing for one in laid(*cards).lying))
    return offer


PICK = ("Red", "Green", "Blue")
AGAIN = EnterNumber(
    "How many?", 0, 2, (Option("0", "Keep"), Option("1", "One"), Option("2", "Both")), by="Ada", rule="X-1"
)
NAME = EnterText("Name", by="Ada", rule="X-1", suggestions=("Ilse", "Odo"))


@pytest.mark.parametrize(
    ("session", "card", "answer"),
    [
        (choose(*PICK), B, ("green",)),
        (choose("Accept", "Refuse"), YES, ("accept",)),
        (choose("Accept", "Refuse"), NO, ("refuse",)),
        (choose("Agree to Stones", "Keep Gales"), NO, ("keep-gales",)),
        (choose("Agree to Stones", "Keep Gales"), KEEP, ("keep-gales",)),
        (choose("Attack the Wolf", "Hold back"), GO_ON, ("hold-back",)),
        (choose("Read on"), GO_ON, ("read-on",)),
        (choose("Redeem it", least=0), YES, ("redeem-it",)),
        (choose("Redeem it", least=0), NO, ()),
        (asking(AGAIN), KEEP, 0),
        (asking(AGAIN), GO_ON, 0),
        (asking(AGAIN), C, 2),
        (asking(NAME), B, "Odo"),
    ],
)
def test_an_answer_card_answers_what_is_asked(session: Session[Any], card: AnswerCard, answer: Any) -> None:
    offer = said(session, card)
    assert offer.legal, offer.reason
    [reading] = offer.answers
    value = {ChoiceReading: "keys", NumberReading: "value", TextReading: "text"}[type(reading)]  # type: ignore[index]
    assert (getattr(reading, value), reading.how) == (answer, Source.CAMERA)  # type: ignore[union-attr]
    session.take(reading)
    assert session.pending is None
    session.undo()


@pytest.mark.parametrize(
    ("session", "cards", "reason"),
    [
        (choose(*PICK), (D,), "there are 3 answers to choose from"),
        (choose(*PICK), (YES,), "it does not answer what is asked"),
        (choose("No way", "No more", "Yes"), (NO,), "it does not answer what is asked"),
        (choose(*PICK), (A, B), "lay one of them"),
        (choose(*PICK, most=2), (A,), "lay Go on beside it when that is all"),
        (asking(None), (YES,), "nothing is asked"),
        (choose(*PICK), ("C1",), "Ada is asked something else"),
        (asking(None), ("C1",), "nothing can be begun with that now"),
    ],
)
def test_a_card_that_says_nothing_is_told_so(
    session: Session[Any], cards: tuple[AnswerCard | str, ...], reason: str
) -> None:
    offer = said(session, *cards)
    assert (offer.legal, offer.reason) == (False, reason)


def test_several_letters_and_go_on_choose_several() -> None:
    session = choose(*PICK, least=0, most=3)
    assert said(session, GO_ON, C, A).answers == (ChoiceReading(("red", "blue"), Source.CAMERA),)
    assert said(session, A, B, C).legal, "that is all there is"
    assert said(session, GO_ON).answers == (ChoiceReading((), Source.CAMERA),)


def test_a_card_that_is_an_option_chooses_itself_and_a_square_of_the_same_name_does_not() -> None:
    """The answer cards A and D are A1 and A4, as squares of a map are; so is a Challenge card C3."""
    cards = asking(
        Choose("Which card?", tuple(Option(key, key) for key in ("C3", "C12", "none")), by="Ada", rule="R-1")
    )
    assert said(cards, "C3").answers == (ChoiceReading(("C3",), Source.CAMERA),)
    squares = asking(
        Choose("Where to?", tuple(Option(key, key) for key in ("stay", "A4", "C3")), by="Ada", rule="R-1")
    )
    assert said(squares, A).answers == (ChoiceReading(("stay",), Source.CAMERA),)
    assert said(squares, D).reason == "there are 3 answers to choose from"
    assert said(squares, "C3").reason == "Ada is asked something else"


def test_what_an_answer_says_is_told_to_those_alone_who_are_asked() -> None:
    assert said(choose("The Lost Heir", "The Empty Crown"), A).says == "A answers what is asked"


def test_undo_and_pause_are_for_the_table() -> None:
    session = choose(*PICK)
    assert [said(session, card).control for card in (UNDO, PAUSE)] == [Control.UNDO, Control.PAUSE]
    assert said(session, UNDO).legal


def test_a_games_own_gesture_is_held_against_its_rules() -> None:
    assert said(asking(None), "S7").legal
    refused = said(choose(*PICK), "S7")
    assert refused.reason, "something else is asked"
    assert offers(asking(None), Table((Lying(ComponentId.parse("S7"), new=False),))) == ()
