"""What a camera offers as the answer to the open question, or as what hands have done, until it is withdrawn or
taken.

A proposal is taken when somebody agrees; where the table has said so, a sure one is taken at once, or after a
countdown that everybody sees and anybody stops.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from enum import StrEnum
from typing import Protocol

from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.errors import LoomtableError, ReadingMisfit
from loomtable.engine.kernel.gestures import Control, Offer
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.requests import Flip, Request, Roll, as_part
from loomtable.engine.kernel.session import Session
from loomtable.table.hosting.card_row import CardRow
from loomtable.table.hosting.event_bus import Change, EventBus, Topic
from loomtable.table.hosting.layer import Pause
from loomtable.table.hosting.locks import Order, OrderedLock
from loomtable.table.hosting.proposal import Box, Proposal, gesture_of, proposal_of
from loomtable.table.reading.answers import CameraAnswer, corrected
from loomtable.vision.dice import TrayReading
from loomtable.vision.dice.enrolment.rolls import learn_roll
from loomtable.vision.pictures import BgrImage
from loomtable.vision.verdict import Verdict

logger = logging.getLogger(__name__)
COUNTDOWN = 2.0
"""Seconds that everybody has to stop what is taken by itself."""


class Taking(StrEnum):
    """When a table takes what its camera surely read."""

    ASK = "ask"
    COUNTDOWN = "countdown"
    AT_ONCE = "at once"


class Watched(Protocol):
    """What is needed of the session that a camera answers (a ``LiveSession``)."""

    bus: EventBus
    pause: Pause

    @property
    def revision(self) -> int: ...

    def held(self) -> AbstractContextManager[Session[object]]: ...

    def take(
        self, *steps: Action | Reading, by: str, revision: int, agreed: TrayReading | None = None
    ) -> tuple[str, ...]: ...

    def undo(self, *, by: str, revision: int) -> object: ...


class Proposals:
    """The proposal that stands, the one that a hand hides, and the cards of a row that wait for their question.

    Args:
        live: the session whose open question is answered.
        say: is told why something that should have been taken was not.
        used: is told of each thing that hands have done when it is taken.
    """

    def __init__(
        self, live: Watched, say: Callable[[str], None], used: Callable[[Offer], None] = lambda offer: None
    ) -> None:
        self._live, self._say, self.used = live, say, used
        self._lock = OrderedLock(Order.PROPOSALS)
        self._hidden: Proposal | None = None
        self._roll: TrayReading | None = None
        """The roll that was offered last."""
        self._numbered = 0
        self.current: Proposal | None = None
        self.row = CardRow()
        self._taking = Taking.ASK
        self._taken_by = ""
        """Who takes the proposal that stands when its countdown ends; empty where people are asked."""
        self._due: float | None = None
        """When that is, by the watch's clock; nothing while something disturbs the table."""

    @property
    def taking(self) -> Taking:
        """When a sure reading of what was thrown or laid is taken; a table that is to be asked lets no countdown
        end that has begun."""
        return self._taking

    @taking.setter
    def taking(self, when: Taking) -> None:
        with self._lock:
            self._taking = when
            if when is Taking.ASK:
                self._taken_by, self._due = "", None
        self._tell()

    def offer(
        self,
        request: Request,
        revision: int,
        seen: CameraAnswer,
        picture: BgrImage,
        *,
        roll: TrayReading | None = None,
        taken_by: str = "",
        at: float = 0.0,
    ) -> None:
        """Offer what was seen, or take it at once; nothing where somebody was quicker than the camera.

        A ``roll`` that is offered already is not offered again; one that a hand hid is offered as it was.
        ``taken_by`` is who takes what was thrown or laid for this question, if the table lets it; empty where that
        lay there before. ``at`` is the time by the watch's clock.
        """
        with self._lock:
            if self._live.revision != revision:
                return
            if roll is None or roll is not self._roll:
                self._roll, self._hidden = roll, None
                if seen.answer is None and self.current is not None and self.current.offers:
                    return  # what hands have done stands before dice that are not clear
                made = self._made(request, revision, seen, picture)
                taken_by = taken_by if seen.answer is not None and len(seen.cards) < 2 else ""
            elif self._hidden is not None:
                made, taken_by = self._hidden, self._taken_by
                self._hidden = None
            else:
                return
            self._stand(made, taken_by, at)
        self._tell()
        self.tick(at)

    def gesture(
        self,
        offers: tuple[Offer, ...],
        revision: int,
        picture: BgrImage,
        boxes: tuple[Box, ...],
        *,
        taken_by: str,
        at: float,
    ) -> None:
        """Offer what hands have done, as ``offer`` does; without any, none is offered any more.

        An answer card is an answer already, so a table that is asked takes it after the countdown too.
        """
        with self._lock:
            now = self.current
            if revision != self._live.revision or (now is not None and now.offers == offers and self._taken_by):
                return
            if not offers:
                if now is None or not now.offers:
                    return
                self.current = None
            else:
                self._numbered += 1
                made = gesture_of(self._numbered, revision, offers, picture, boxes)
                answers = {thing.kind for offer in offers for thing in offer.things} == {Kind.ANSWER}
                self._stand(made, taken_by if made.sure else "", at, agreed=answers)
        self._tell()
        self.tick(at)

    def _stand(self, made: Proposal, taken_by: str, at: float, *, agreed: bool = False) -> None:
        """``agreed`` is what somebody laid a card for, so that even a table that is asked takes it."""
        self.current = made
        self._taken_by = taken_by if agreed or self.taking is not Taking.ASK else ""
        self._due = at + (0.0 if self.taking is Taking.AT_ONCE else COUNTDOWN) if self._taken_by else None

    def tick(self, at: float) -> None:
        """Take what stands, if its time has come; nothing disturbs the table."""
        if self._due is None:
            return
        with self._live.held(), self._lock:
            proposal, by = self.current, self._taken_by
            if proposal is None or not by or self._due is None or at < self._due:
                return
            self._taken_by, self._due = "", None
            try:
                self._take(proposal, by, proposal.revision)
            except LoomtableError as error:
                self._say(str(error))

    @property
    def standing(self) -> Proposal | None:
        """What is offered, or hidden by a hand."""
        return self.current or self._hidden

    @property
    def counting(self) -> bool:
        """Whether what stands is taken by itself before long."""
        return bool(self.current is not None and self._taken_by and self._due is not None)

    def count_down(self, number: int, *, by: str, at: float) -> None:
        """Take the proposal of this number after a countdown, as somebody agreed by a card; as ``numbered``."""
        with self._lock:
            self._stand(self.numbered(number), by, at, agreed=True)
        self._tell()

    def hold(self, *, touched: bool) -> None:
        """Something moves: the countdown begins anew once it has stopped, and not at all where what stands was
        ``touched``."""
        with self._lock:
            before = self.counting
            self._due = None
            if touched:
                self._taken_by = ""
        if before:
            self._tell()

    def gesture_goes_on(self, at: float) -> None:
        """Hands are away, and what they have done still lies there: the countdown begins anew."""
        with self._lock:
            if self.current is None or not self.current.offers or not self._taken_by or self._due is not None:
                return
            self._due = at + COUNTDOWN
        self._tell()

    def show(self, request: Request, revision: int, seen: CameraAnswer, picture: BgrImage) -> Proposal:
        """Offer what was read in a photograph, whatever has happened since it was taken."""
        with self._lock:
            made = self.current = self._made(request, revision, seen, picture)
        self._tell()
        return made

    def hide(self) -> None:
        """Something moves: what was read of dice counts no more, unless they turn out to lie as they lay."""
        with self._lock:
            hidden = self.current
            if hidden is None or hidden.offers:
                return
            self.current, self._hidden = None, hidden
        self._tell()

    def withdraw(self, *, keeps_roll: bool = False) -> None:
        """Nothing that was seen before is offered any more; with ``keeps_roll`` not even once it is read again."""
        with self._lock:
            self.current, self._hidden, self._due, self._taken_by = None, None, None, ""
            self._roll = self._roll if keeps_roll else None
        self._tell()

    def numbered(self, number: int) -> Proposal:
        """The proposal that stands, if it is this one.

        Raises:
            ReadingMisfit: it is not.
        """
        with self._lock:
            if self.current is None or self.current.number != number:
                why = "the cards or dice have moved or been read again since; look at what is shown now"
                raise ReadingMisfit(why)
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
            self._taken_by, self._due = "", None
        self._tell()
        return made

    def accept(self, number: int, *, by: str, revision: int, which: int = 0) -> None:
        """Take the proposal; ``which`` of its offers, from 1, where there are several.

        Raises:
            ReadingMisfit: there is none of this number, or it is not sure.
            StalePage, LoomtableError: as ``LiveSession.take``.
        """
        with self._live.held(), self._lock:
            proposal = self.numbered(number)
            if 1 <= which <= len(proposal.offers):
                proposal = replace(proposal, offers=(proposal.offers[which - 1],))
            if not proposal.sure:
                doubted = proposal.verdict is Verdict.ASK
                doubtful = "correct the doubtful dice first" if doubted else "type the answer"
                way_on = "say which is meant" if proposal.offers else doubtful
                raise ReadingMisfit(f"this cannot be taken: {proposal.says}; {way_on}")
            self._take(proposal, by, revision, agreed=proposal.tray)

    def _take(self, proposal: Proposal, by: str, revision: int, agreed: TrayReading | None = None) -> None:
        if proposal.offers:
            self.play(proposal.offers[0], by=by, revision=revision)
        elif proposal.answer is not None and proposal.request is not None:
            answer = as_part(proposal.request, proposal.answer)
            self._live.take(answer, by=by, revision=revision, agreed=agreed)
            if len(proposal.cards) > 1:
                self.row = CardRow(proposal.cards[1:], proposal.request.by, by)
                self.go_on()

    def play(self, offer: Offer, *, by: str, revision: int) -> None:
        """Do what hands have done, in the session: all of its steps or, where one is refused, none.

        Raises:
            StalePage, LoomtableError: as ``LiveSession.take``.
        """
        with self._live.held() as session:
            if offer.control is Control.UNDO:
                self._live.undo(by=by, revision=revision)
            elif offer.control is not None:
                self._live.pause.set(offer.control is Control.PAUSE)
            if offer.steps:
                self._live.take(*offer.steps, by=by, revision=revision)
            self.used(offer)
            if offer.cards and session.pending is not None:
                self.row = CardRow(offer.cards, session.pending.by, by)
                self.go_on()

    def asked_anew(self, *, goes_on: bool) -> None:
        """The session changed: what was read for an earlier question counts no more, and a row of cards only where
        it was played on."""
        with self._lock:
            if self.current is not None and self.current.revision != self._live.revision:
                self.current, self._due, self._taken_by = None, None, ""
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


def learn(tray: TrayReading) -> None:
    """Keep the dice of a tray that somebody has confirmed; play goes on where that fails.

    It runs networks: no lock of the session is held.
    """
    try:
        learn_roll(tray)
    except (LoomtableError, OSError) as error:
        logger.warning("what was confirmed could not be learned: %s", error)
