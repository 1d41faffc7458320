"""A row of cards that is shown at once: the first answers what is asked, the others what is asked after it.

Whether a row is meant is tried on a copy of the session: every card has to answer a question of the same person,
with nothing but choices and words in between. Otherwise several cards could be meant, and one has to be shown.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.readings import CardReading, Source
from loomtable.engine.kernel.requests import Choose, EnterNumber, EnterText, Request, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import listed, number_word
from loomtable.engine.systems import card_name
from loomtable.table.reading.answers import CameraAnswer, fits

MOST_BETWEEN = 4
"""Questions that are answered in other ways between two cards of a row."""


class CardRow(msgspec.Struct, frozen=True):
    """Cards of a row that wait for their question."""

    cards: tuple[ComponentId, ...] = ()
    shown_by: str = ""
    """Whose questions they answer."""
    taken_by: str = ""
    """Who took the row: the author of its lines in the journal."""

    def answer(self, asked: Request | None) -> CardReading | None:
        """What the next card answers; nothing while something else is asked of the same person."""
        if self.cards and isinstance(asked, ShowCard) and self.still_asked(asked):
            return CardReading(self.cards[0], Source.CAMERA)
        return None

    def still_asked(self, asked: Request | None) -> bool:
        """Whether the row can still be meant."""
        if asked is None or asked.by != self.shown_by:
            return False
        return not isinstance(asked, ShowCard) or fits(asked, self.cards[0])

    def rest(self) -> CardRow:
        """The cards behind the first one."""
        return msgspec.structs.replace(self, cards=self.cards[1:])


def is_row(session: Session[object], cards: Sequence[ComponentId]) -> bool:
    """Whether these cards, in this order, answer what is asked now and then, one after another."""
    trial = session.copy()
    chance, by = random.Random(0), session.pending.by if session.pending is not None else ""
    try:
        for card in cards:
            for _ in range(MOST_BETWEEN):
                asked = trial.pending
                if not isinstance(asked, Choose | EnterText | EnterNumber):
                    break
                trial.take(random_answer(asked, chance))
            asked = trial.pending
            if not isinstance(asked, ShowCard) or asked.by != by or not fits(asked, card):
                return False
            trial.take(CardReading(card, Source.CAMERA))
    except LoomtableError:  # the rules refuse one of them
        return False
    return True


def as_row(session: Session[object], reading: CameraAnswer) -> CameraAnswer:
    """What was seen; where several cards fit, and a row of them is meant, that they answer one after another."""
    if reading.answer is not None or len(reading.cards) < 2 or not is_row(session, reading.cards):
        return reading
    named = listed(f"{card} {card_name(card)}" for card in reading.cards)
    sentence = f"accepted: {number_word(len(reading.cards))} cards: {named}"
    return replace(reading, says=sentence, answer=CardReading(reading.cards[0], Source.CAMERA))
