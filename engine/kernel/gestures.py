"""What hands do on a table, as steps of a game: from the state, what is asked, and what lies there, to ``Offer``s.

Nothing here knows pictures. Things are ``ComponentId``s and the names of fields; who sees them says only what is
sure. A game declares its gestures beside its actions, with ``@SYSTEM.gesture``; answer cards are for all games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from loomtable.engine.kernel.answer_cards import AnswerCard, answer_of
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.play import Action, Game
from loomtable.engine.kernel.readings import (
    ChoiceReading,
    DiceReading,
    NumberReading,
    Reading,
    Source,
    TextReading,
)
from loomtable.engine.kernel.requests import Choose, EnterNumber, EnterText, Option, Request
from loomtable.engine.kernel.wording import listed

S = TypeVar("S")

LETTERS = tuple(AnswerCard)[:8]
"""The answer cards that choose between several things, in order."""
AS_NEAR = 1.4
"""Of two things beside another, the farther one could be meant too where it is not this much farther off."""
AT_FIGURE = 4.0
"""Sides of a figure's base within which dice lie at it: about a hand's breadth."""
_WORDS: dict[AnswerCard, tuple[str, ...]] = {
    AnswerCard.YES: ("yes", "accept", "agree"),
    AnswerCard.NO: ("no", "refuse", "decline", "none"),
    AnswerCard.KEEP: ("keep",),
    AnswerCard.GO_ON: ("go", "keep", "stay", "hold", "stop", "done", "pass", "none", "no"),
}
"""With which words an option begins, in its key or its label, that a card chooses; the first word counts most."""


_NO_OPTIONS = (Kind.ANSWER, Kind.FIGURE, Kind.MAP, Kind.MARKER)
"""What is never chosen by being laid."""


class Control(StrEnum):
    """What an answer card does to the table rather than to the game."""

    UNDO = "undo"
    PAUSE = "pause"
    GO_ON = "go on"


class Lying(msgspec.Struct, frozen=True):
    """A card or a marker that surely lies on the table, face up."""

    thing: ComponentId
    new: bool = True
    """Whether it was laid since, and has meant nothing yet."""
    on: ComponentId | None = None
    """The card on which it was laid."""
    beside: tuple[ComponentId, ...] = ()
    """What lies near it, the nearest first; several only where they are about as near."""
    sure: bool = True
    """Whether all of that is seen now; a marker that lay there a minute ago is not gone."""


class Stood(msgspec.Struct, frozen=True):
    """A figure that surely stands on a field of a map, by the names that the game has for both."""

    who: str
    field: str
    new: bool = True
    """Whether it came there since, and the record has it elsewhere."""


class Counted(msgspec.Struct, frozen=True):
    """Counters of one kind and one person on one field, all of them surely seen; the record has another number."""

    who: str
    kind: str
    field: str
    count: int
    record: int
    new: bool = True
    """Whether so many have not meant anything yet."""

    @property
    def name(self) -> str:
        """What an offer or a line is about."""
        return f"{self.who}'s {self.kind} on {self.field}"

    @property
    def more(self) -> int:
        """How many more there are than in the record; below 0 where some are gone."""
        return self.count - self.record


class ThrownAgain(msgspec.Struct, frozen=True):
    """Some of the dice that lay there, picked up and thrown again while the others were left lying."""

    picked_up: DiceReading
    """What they had shown."""
    dice: DiceReading
    """What they show now."""


class Thrown(msgspec.Struct, frozen=True):
    """Dice that were thrown before a roll was asked for."""

    dice: DiceReading | None
    """Nothing where one of them is in doubt."""
    far: Mapping[str, float] = {}
    """How far from them figures stand, in sides of the figure's base; none where dice have a tray of their own."""
    unread: str = ""
    """Why they cannot be read at all."""

    def beside(self, whom: Iterable[str]) -> tuple[str, ...]:
        """Beside which of these they fell: the nearest, and who is about as near; all where that is not seen."""
        asked = tuple(whom)
        near = AS_NEAR * min((self.far[who] for who in asked if who in self.far), default=0)
        return tuple(who for who in asked if who in self.far and self.far[who] <= near) or asked

    def at(self, who: str) -> bool:
        """Whether they surely fell where somebody stands."""
        return self.far.get(who, math.inf) <= AT_FIGURE


class Table(msgspec.Struct, frozen=True):
    """What is sure of a table; what is in doubt is left out."""

    lying: tuple[Lying, ...] = ()
    """In reading order."""
    figures: tuple[Stood, ...] = ()
    counters: tuple[Counted, ...] = ()
    thrown_again: ThrownAgain | None = None
    thrown: Thrown | None = None

    def laid(self, kind: Kind) -> tuple[Lying, ...]:
        """What is new of a kind."""
        return tuple(lies for lies in self.lying if lies.new and lies.thing.kind is kind)

    def things(self, kind: Kind) -> tuple[ComponentId, ...]:
        """The things themselves that are new of a kind."""
        return tuple(lies.thing for lies in self.laid(kind))


class Situation(msgspec.Struct, Generic[S], frozen=True):
    """What a gesture is judged by."""

    game: Game[S]
    asked: Request | None
    turn: str
    """Whose turn it is; empty where it is nobody's."""
    table: Table

    @property
    def state(self) -> S:
        """The game's state."""
        return self.game.state

    def go_on(self, says: str, action: str, **given: str) -> Iterator[Offer]:
        """An action for the card Go on, where nothing is asked and no other answer card was laid."""
        things = self.table.things(Kind.ANSWER)
        if self.asked is None and things == (AnswerCard.GO_ON.id,):
            yield Offer(says, Action(action, given), about=str(AnswerCard.GO_ON), things=things)


class Takes(Protocol):
    """What plays steps: a session."""

    def take(self, what: Action | Reading, *, by: str) -> object:
        """Play one."""


@dataclass(frozen=True)
class Offer:
    """What somebody seems to have done with their hands, as steps of the game."""

    says: str
    """One sentence about it, fit for everybody: it names nothing that lies hidden. Empty for things that the game
    knows and that say nothing."""
    action: Action | None = None
    """What it would begin with, where nothing is asked yet."""
    answers: tuple[Reading, ...] = ()
    """Answers to what is asked then, in order."""
    reason: str = ""
    """Why it cannot be taken: the rules' own refusal, or what is not clear; empty where it can."""
    about: str = ""
    """The name of the figure that was moved or of the counters that were laid, or the short code of the card."""
    things: tuple[ComponentId, ...] = ()
    """The cards and markers by which it was said; once it is taken or refused by a person they are used up."""
    cards: tuple[ComponentId, ...] = ()
    """Cards that lie ready for what is asked after that, in order."""
    control: Control | None = None
    """What it does to the table instead."""
    by: str = ""
    """Which cards say so, and where they are: ``C10, beside the star marker``."""
    sure: bool = True
    """Whether hands surely mean it; where they may only be on their way to something else, people are asked."""
    first: Action | None = None
    """What has to be done before the action."""

    @property
    def steps(self) -> tuple[Action | Reading, ...]:
        """Everything that would be played."""
        return tuple(action for action in (self.first, self.action) if action is not None) + self.answers

    @property
    def legal(self) -> bool:
        """Whether there is something to do, and the rules allow it."""
        return bool(self.steps or self.control) and not self.reason

    def take(self, session: Takes, *, by: str = "") -> None:
        """Play it in a session.

        Raises:
            LoomtableError: the rules refuse it; what was played before that stays played.
        """
        for step in self.steps:
            session.take(step, by=by)


Gesture = Callable[[Situation[Any]], Iterable[Offer]]


def answer_cards(situation: Situation[S]) -> Iterator[Offer]:
    """What the answer cards say that were laid; letters first, for they say what Go on finishes."""
    things = tuple(sorted(situation.table.things(Kind.ANSWER), key=lambda thing: thing.number))
    cards, asked = [answer_of(thing) for thing in things], situation.asked
    letters = [card for card in cards if card in LETTERS]
    yield from _options_laid(situation)
    controls = {AnswerCard.UNDO: Control.UNDO, AnswerCard.PAUSE: Control.PAUSE}
    if not cards:
        return
    about = listed(str(card) for card in cards)
    if len(cards) == 1 and cards[0] in controls:
        yield Offer(str(cards[0]), control=controls[cards[0]], about=about, things=things)
        return
    if asked is None:
        if cards != [AnswerCard.GO_ON]:  # a game may know what to go on with
            yield Offer(f"the card {about} is on the table", reason="nothing is asked", about=about, things=things)
        return
    several = isinstance(asked, Choose) and asked.at_most > 1 and len(letters) >= len(cards) - 1
    if len(cards) > 1 and not several:
        yield Offer(f"the cards {about} are on the table", reason="lay one of them", about=about, things=things)
        return
    answer, reason = _answer(asked, cards, letters)
    # What the option says may be for those alone who are asked.
    says = f"{about} answers what is asked" if answer is not None else f"the card {about} is on the table"
    yield Offer(says, answers=(answer,) if answer is not None else (), reason=reason, about=about, things=things)


def _options_laid(situation: Situation[S]) -> Iterator[Offer]:
    """Cards that are options themselves, such as those that can be redeemed, choose what they are.

    Squares of a map have such names too: there is a card C3, and the answer card A is A1.
    """
    asked = situation.asked
    if not isinstance(asked, Choose):
        return
    keys = [option.key for option in asked.options]
    new = [lies.thing for lies in situation.table.lying if lies.new and lies.thing.kind not in _NO_OPTIONS]
    laid = tuple(thing for thing in new if str(thing) in keys and _all_of(thing.kind, keys))
    if 0 < len(laid) <= asked.at_most and len(laid) >= asked.at_least:
        chosen = ChoiceReading(tuple(map(str, laid)), Source.CAMERA)
        yield Offer(f"{listed(map(str, laid))} answers what is asked", answers=(chosen,), things=laid)


def _all_of(kind: Kind, keys: Sequence[str]) -> bool:
    """Whether options are cards of one kind, but for one that chooses none of them."""
    others = 0
    for key in keys:
        try:
            others += ComponentId.parse(key).kind is not kind
        except LoomtableError:
            others += 1
    return others <= 1


def _answer(
    asked: Request, cards: Sequence[AnswerCard], letters: Sequence[AnswerCard]
) -> tuple[Reading | None, str]:
    """What cards answer; or nothing, and why."""
    options = options_shown(asked)
    chosen = [options[place] for place in map(LETTERS.index, letters) if place < len(options)]
    if len(chosen) < len(letters):
        return None, f"there are {len(options)} answers to choose from" if options else "that needs no such card"
    if isinstance(asked, Choose) and asked.at_most > 1:
        if AnswerCard.GO_ON in cards or len(chosen) == asked.at_most:
            return _chosen(asked, chosen), ""
        if letters:
            return None, "lay Go on beside it when that is all"
    if not chosen and (option := _by_word(options, cards[0])) is not None:
        chosen = [option]
    if chosen:
        return _chosen(asked, chosen), ""
    if isinstance(asked, Choose) and not asked.at_least and cards[0] in (AnswerCard.NO, AnswerCard.GO_ON):
        return ChoiceReading((), Source.CAMERA), ""
    return None, "it does not answer what is asked"


def options_shown(asked: Request) -> tuple[Option, ...]:
    """What can be chosen where a question is asked, in the order in which it is shown: A is the first."""
    match asked:
        case Choose(options=options):
            return options
        case EnterNumber(low=low, high=high, options=options):
            numbers = range(low, min(high, low + len(LETTERS) - 1) + 1)
            return options or tuple(Option(str(n), str(n)) for n in numbers)
        case EnterText(suggestions=suggestions):
            return tuple(Option(text, text) for text in suggestions)
        case _:
            return ()


def _by_word(options: Sequence[Option], card: AnswerCard) -> Option | None:
    """The one option that a card with a word on it chooses."""
    if len(options) == 1 and card in (AnswerCard.YES, AnswerCard.GO_ON):
        return options[0]
    found = _begins_with(options, _WORDS.get(card, ()))
    other = {AnswerCard.YES: AnswerCard.NO, AnswerCard.NO: AnswerCard.YES}.get(card)
    if found is None and other is not None and len(options) == 2:
        rest = _begins_with(options, _WORDS[other])
        found = next((option for option in options if option is not rest), None) if rest is not None else None
    return found


def _begins_with(options: Sequence[Option], words: Sequence[str]) -> Option | None:
    for word in words:
        fitting = [o for o in options if word in (_first_word(o.key), _first_word(o.label))]
        if len(fitting) == 1:
            return fitting[0]
    return None


def _first_word(text: str) -> str:
    return text.casefold().replace("-", " ").partition(" ")[0]


def _chosen(asked: Request, chosen: Sequence[Option]) -> Reading:
    keys = tuple(option.key for option in chosen)
    if isinstance(asked, EnterNumber):
        return NumberReading(int(keys[0]), Source.CAMERA)
    return (
        TextReading(keys[0], Source.CAMERA) if isinstance(asked, EnterText) else ChoiceReading(keys, Source.CAMERA)
    )
