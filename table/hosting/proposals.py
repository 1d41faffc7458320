"""What a camera offers as the answer to the open question, from when it is offered until it is withdrawn or taken.

A proposal is taken when somebody agrees; where the table has said so, a sure one is taken at once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from loomtable.engine.kernel.errors import LoomtableError, ReadingMisfit
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import CoinReading, Reading, Source
from loomtable.engine.kernel.requests import Flip, Request, Roll, as_part
from loomtable.engine.kernel.session import Session
from loomtable.table.hosting.card_row import CardRow
from loomtable.table.hosting.event_bus import Change, EventBus, Topic
from loomtable.table.hosting.proposal import Proposal, proposal_of
from loomtable.table.reading.answers import CameraAnswer, corrected
from loomtable.vision.dice import TrayReading
from loomtable.vision.dice.enrolment.flips import learn_flip
from loomtable.vision.dice.enrolment.rolls import learn_roll
from loomtable.vision.pictures import BgrImage
from loomtable.vision.verdict import Verdict

logger = logging.getLogger(__name__)


class Watched(Protocol):
    """What is needed of the session that a camera answers (a ``LiveSession``)."""

    bus: EventBus

    @property
    def revision(self) -> int: ...

    def held(self) -> AbstractContextManager[Session[Any]]: ...

    def take(self, what: Action | Reading, *, by: str, revision: int) -> tuple[str, ...]: ...


class Proposals:
    """The proposal that stands, the one that a hand hides, and the cards of a row that wait for their question.

    Args:
        live: the session whose open question is answered.
        say: is told why something that should have been taken was not.
    """

    def __init__(self, live: Watched, say: Callable[[str], None]) -> None:
        self._live, self._say = live, say
        self._lock = threading.RLock()
        self._hidden: Proposal | None = None
        self._roll: TrayReading | None = None
        """The roll that was offered last."""
        self._numbered = 0
        self.current: Proposal | None = None
        self.row = CardRow()
        self.takes_itself = False
        """Whether a sure reading of what was thrown or laid is taken without asking."""

    def offer(
        self,
        request: Request,
        revision: int,
        seen: CameraAnswer,
        picture: BgrImage,
        *,
        roll: TrayReading | None = None,
        taken_by: str = "",
    ) -> None:
        """Offer what was seen, or take it at once; nothing where somebody was quicker than the camera.

        A ``roll`` that is offered already is not offered again; one that a hand hid is offered as it was, and
        never taken by itself. ``taken_by`` is who takes what was thrown or laid for this question, if the table
        lets it; empty where that lay there before.
        """
        with self._lock:
            if self._live.revision != revision:
                return
            takes = False
            if roll is None or roll is not self._roll:
                self._roll, self._hidden = roll, None
                self.current = self._made(request, revision, seen, picture)
                takes = self.takes_itself and bool(taken_by) and len(seen.cards) < 2
            elif self._hidden is not None:
                self.current, self._hidden = self._hidden, None
            else:
                return
        self._tell()
        if takes and seen.answer is not None:
            try:
                self._live.take(as_part(request, seen.answer), by=taken_by, revision=revision)
            except LoomtableError as error:
                self._say(str(error))

    def show(self, request: Request, revision: int, seen: CameraAnswer, picture: BgrImage) -> Proposal:
        """Offer what was read in a photograph, whatever has happened since it was taken."""
        with self._lock:
            made = self.current = self._made(request, revision, seen, picture)
        self._tell()
        return made

    def hide(self) -> None:
        """Something moves: what was read of dice counts no more, unless they turn out to lie as they lay."""
        with self._lock:
            hidden, self.current = self.current, None
            self._hidden = hidden or self._hidden
        if hidden is not None:
            self._tell()

    def withdraw(self) -> None:
        """Nothing that was seen before is offered any more."""
        with self._lock:
            self.current, self._hidden, self._roll = None, None, None
        self._tell()

    def numbered(self, number: int) -> Proposal:
        """The proposal that stands, if it is this one.

        Raises:
            ReadingMisfit: it is not.
        """
        with self._lock:
            if self.current is None or self.current.number != number:
                raise ReadingMisfit("the dice have moved or been read again since; look at what is shown now")
            return self.current

    def correct(self, number: int, place: int, face: str) -> Proposal:
        """Say what die ``place`` (from 1) of the proposal shows.

        Raises:
            ReadingMisfit: there is no such proposal or die, or the die has no such face.
        """
        with self._lock:
            proposal = self.numbered(number)
            if proposal.tray is None or not isinstance(proposal.request, Roll | Flip):
                raise ReadingMisfit("there are no dice here to correct")
            seen = corrected(proposal.request, proposal.tray, place, face)
            made = self.current = proposal_of(
                number, proposal.revision, proposal.request, seen, proposal.picture, proposal.size
            )
        self._tell()
        return made

    def accept(self, number: int, *, by: str, revision: int) -> None:
        """Take the proposal as the answer.

        Raises:
            ReadingMisfit: there is none of this number, or it is not sure.
            StalePage, LoomtableError: as ``LiveSession.take``.
        """
        proposal = self.numbered(number)
        if proposal.answer is None:
            way_on = "put the doubtful dice right first" if proposal.verdict is Verdict.ASK else "type the answer"
            raise ReadingMisfit(f"this cannot be taken: {proposal.says}; {way_on}")
        self._live.take(as_part(proposal.request, proposal.answer), by=by, revision=revision)
        learn(proposal.answer, proposal.picture, proposal.tray)
        if len(proposal.cards) > 1:
            self.row = CardRow(proposal.cards[1:], proposal.request.by, by)
            self.go_on()

    def asked_anew(self, *, goes_on: bool) -> None:
        """The session changed: what was read for an earlier question counts no more, and a row of cards only where
        it was played on."""
        with self._lock:
            if self.current is not None and self.current.revision != self._live.revision:
                self.current = None
            if not goes_on:
                self.row = CardRow()
        self.go_on()

    def go_on(self) -> None:
        """The next card of a row answers as soon as it is asked for."""
        with self._live.held() as session:
            row, asked = self.row, session.pending
            answer = row.answer(asked)
            if not row.cards or (answer is None and row.still_asked(asked)):
                return
            self.row = row.rest() if answer is not None else CardRow()
            if answer is None:
                return
            try:
                self._live.take(answer, by=row.taken_by, revision=self._live.revision)
            except LoomtableError as error:
                self.row = CardRow()
                self._say(str(error))

    def _tell(self) -> None:
        self._live.bus.publish(Change(Topic.CAMERA, self._live.revision))

    def _made(self, request: Request, revision: int, seen: CameraAnswer, picture: BgrImage) -> Proposal:
        self._numbered += 1
        return proposal_of(self._numbered, revision, request, seen, picture)


def learn(answer: Action | Reading, picture: BgrImage, tray: TrayReading | None = None) -> None:
    """Keep the dice of a tray that somebody has confirmed, or the coin in a picture whose side somebody has said;
    play goes on where that fails."""
    try:
        if isinstance(answer, CoinReading) and answer.how in (Source.TYPED, Source.CORRECTED):
            learn_flip(answer.side, picture)
        elif tray is not None:
            learn_roll(tray)
    except (LoomtableError, OSError) as error:
        logger.warning("what was confirmed could not be learned: %s", error)
