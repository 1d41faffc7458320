"""What a step of Weave would do with the cards that lie there: played on a copy of the session, card by card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.plugins import Hook
from loomtable.engine.kernel.readings import CardReading, ChoiceReading, Reading, Source
from loomtable.engine.kernel.requests import Choose, EnterNumber, EnterText, Option, Request, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import listed
from loomtable.engine.systems import card_name

Question = Choose | EnterText | EnterNumber


@dataclass(frozen=True)
class CardSteps:
    """What cards are scanned for in a game."""

    names: Sequence[str]
    set_up: Callable[..., int]
    """Sets one up in the terminal; 0 once it was done. It is called as ``scan_for`` of Weave."""
    playsets: Callable[[], Sequence[str]]
    """The names that fit ``--playset``."""


CARD_STEPS: Hook[CardSteps] = Hook("loomtable.card_steps")


def card_steps() -> list[CardSteps]:
    """Those of all games."""
    return [steps for _, steps in CARD_STEPS.load_all()]


@dataclass(frozen=True)
class Laid:
    """A card of the flow: what it is shown for, and what it offers there."""

    card: ComponentId
    purpose: str
    """The engine's words: ``Story card for the Theme``."""
    offers: tuple[str, ...] = ()
    """The names of the options that it gives."""
    chosen: str = ""
    """Which of them was chosen; nothing where nobody has yet."""


class CardProposal:
    """What confirming a step would do: it is played on a copy of the session with the cards and answers there are.

    Args:
        how: how each card was read; by default by the camera.
        answers: those there are, by the purposes of their questions.
        may_wait: whether a card may lie there that nothing asks for yet.
    """

    def __init__(
        self,
        session: Session[Any],
        action: Action | None,
        cards: Sequence[ComponentId],
        how: Mapping[ComponentId, Source],
        answers: Mapping[str, Reading],
        may_wait: Callable[[ComponentId], bool],
    ) -> None:
        self.action = action
        """Nothing where a question that is open already is answered."""
        self.readings: list[Reading] = []
        """The answers that would be given, in order."""
        self.laid: list[Laid] = []
        self.missing: ShowCard | None = None
        """The card that is still asked for."""
        self.questions: list[Question] = []
        """What people have to say before it can be confirmed, in order."""
        self.refusal = ""
        """Why it cannot be done, in the engine's words."""
        self.refused: ComponentId | None = None
        """The card that is to blame for it, where one is."""
        self._left, self._how, self._answers, self._may_wait = list(cards), how, answers, may_wait
        self._copy: Session[Any] = session.copy()
        self._play()

    @property
    def ready(self) -> bool:
        """Whether it can be confirmed."""
        return not (self.missing or self.questions or self.refusal)

    def _play(self) -> None:
        try:
            if self.action is not None:
                self._copy.take(self.action)
            while self._step(self._copy.pending):
                pass
        except LoomtableError as error:
            self.refusal = str(error)
            return
        if self.missing is None:
            if self._left:
                names = listed(called(card) for card in self._left)
                self.refusal = f"nothing asks for {names} any more; the cards are all there"
                self.refused = self._left[0]
            return
        self.questions = []
        self.refused = next((card for card in self._left if not self._may_wait(card)), None)
        if self.refused is not None:
            kind, asked = self.refused.kind, self.missing.purpose
            self.refusal = f"{called(self.refused)} is a {kind} card; what is asked for is the {asked}"

    def _step(self, pending: Request | None) -> bool:
        """Answer what is asked, if that can be done; whether it was."""
        match pending:
            case ShowCard():
                card = self._fitting(pending)
                if card is None:
                    self.missing = pending
                    return False
                self._left.remove(card)
                self.laid.append(Laid(card, pending.purpose))
                self.refused = card
                self._give(CardReading(card, self._how.get(card, Source.CAMERA)))
                self.refused = None
            case Choose() if redeems(pending):
                keys = [option.key for option in pending.options]
                kept = [card for card in self._left if card.short in keys]
                self._left = [card for card in self._left if card not in kept]
                self.laid += [Laid(card, pending.purpose) for card in kept]
                self._give(ChoiceReading(tuple(card.short for card in kept), Source.CAMERA))
            case Choose() | EnterText() | EnterNumber():
                return self._asked(pending)
            case _:
                return False
        return True

    def _fitting(self, asked: ShowCard) -> ComponentId | None:
        """The first card that can be shown now; else one of its kind, for the engine to say why it cannot."""
        same = [card for card in self._left if card.kind is asked.kind]
        good = [card for card in same if card.number in asked.among]
        return next(iter(good or [card for card in same if not self._may_wait(card)]), None)

    def _asked(self, question: Question) -> bool:
        answer = self._answers.get(question.purpose)
        if isinstance(question, Choose):
            self._offers(question, answer)
        if answer is None:
            self.questions.append(question)
            if not isinstance(question, Choose):
                return False
            # What comes after hardly hangs on it: the rest is tried with the first that may be chosen.
            answer = ChoiceReading(tuple(option.key for option in question.options[: question.at_least]))
        self._give(answer)
        return True

    def _offers(self, question: Choose, answer: Reading | None) -> None:
        """Keep what the card laid last gives to choose from."""
        if not self.laid or not question.purpose.endswith(f" from {self.laid[-1].card}"):
            return
        keys = answer.keys if isinstance(answer, ChoiceReading) else ()
        last = self.laid[-1]
        names = tuple(option.label for option in question.options)
        chosen = " and ".join(option.label for option in question.options if option.key in keys)
        both = " and ".join(filter(None, (last.chosen, chosen)))
        self.laid[-1] = Laid(last.card, last.purpose, last.offers + names, both)

    def _give(self, reading: Reading) -> None:
        self._copy.answer(reading)
        self.readings.append(reading)


def redeems(pending: Request) -> bool:
    """Whether kept Challenge cards are asked for: options that are cards, as many as one likes."""
    return isinstance(pending, Choose) and pending.at_least == 0 and all(map(_is_challenge_card, pending.options))


def _is_challenge_card(option: Option) -> bool:
    try:
        return ComponentId.parse(option.key).kind is Kind.CHALLENGE
    except LoomtableError:
        return False


def called(card: ComponentId) -> str:
    """The card by its short code and its name."""
    return f"{card} {card_name(card)}"


def proposal_lines(proposal: CardProposal) -> Iterator[str]:
    """The proposal for people: every card with what it is for and what it offers."""
    for place, laid in enumerate(proposal.laid, start=1):
        offers = laid.chosen or (f"one of {listed(laid.offers)}" if laid.offers else "")
        yield f"{place}  {called(laid.card)}: {laid.purpose}" + (f" - {offers}" if offers else "")
