"""A camera that watches a live session: it waits until what is asked lies still, and proposes what it has read.

A proposal is offered to the people, and taken when one of them agrees; where the table has said so, a sure one is
taken at once. No picture is ever kept: the last one lies in memory until the next. Of dice that somebody confirmed
their crops are, on this machine, unless that is switched off.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import LoomtableError, ReadingMisfit
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import CardReading, Reading, Source
from loomtable.engine.kernel.requests import Flip, Request, Roll, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import card_name
from loomtable.table.hosting.backoff import Backoff
from loomtable.table.hosting.camera_words import GETTING_READY, waiting_for
from loomtable.table.hosting.card_row import CardRow, as_row, fits
from loomtable.table.hosting.dice_watch import DiceWatch
from loomtable.table.hosting.errors import CameraGone
from loomtable.table.hosting.event_bus import Change, EventBus, Topic
from loomtable.table.hosting.proposals import Proposal, as_jpeg, proposal_of
from loomtable.table.hosting.sources import PushedFrames, open_camera
from loomtable.table.reading.answers import CameraAnswer, answer_of_tray, corrected, look_at
from loomtable.table.reading.card_geometry import MIDDLE
from loomtable.table.reading.card_tags import TAGGED
from loomtable.vision.camera import FrameSource
from loomtable.vision.card_stream import CardWatch
from loomtable.vision.dice import TrayReading, warm_up
from loomtable.vision.dice.enrolment.rolls import learn_roll
from loomtable.vision.pictures import BgrImage
from loomtable.vision.verdict import Verdict

logger = logging.getLogger(__name__)

AGAIN_AFTER = 2.0
"""Seconds after which a camera that was lost is tried again."""


class Watched(Protocol):
    """What a camera's watch needs of the session that it answers (a ``LiveSession``)."""

    name: str
    bus: EventBus

    @property
    def revision(self) -> int: ...

    def held(self) -> AbstractContextManager[Session[Any]]: ...

    def take(self, what: Action | Reading, *, by: str, revision: int) -> tuple[str, ...]: ...


class CameraWatch:
    """Watches with one camera for one live session, in a thread of its own.

    Args:
        live: the session whose open request is answered.
        opens: opens a camera by what people call it.
    """

    def __init__(self, live: Watched, opens: Callable[[str], FrameSource] = open_camera) -> None:
        self._live = live
        self._opens = opens
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._source: FrameSource | None = None
        self._frame: BgrImage | None = None
        self._encoded: bytes | None = None
        self._dice = DiceWatch()
        self._asked: tuple[int, Request | None] = (-1, None)
        self._moved = False
        self._cards = CardWatch(MIDDLE, tagged=TAGGED)
        self._shown: tuple[ComponentId, ...] = ()
        self._row = CardRow()
        self._laid: set[ComponentId] = set()
        self._lifted: Proposal | None = None
        self._numbered = 0
        self.name = ""
        """What people call the camera; empty where none is on."""
        self.says = "no camera is on"
        """What it is waiting for, in words."""
        self.trouble = ""
        """What is wrong with the camera, in words; empty where all is well."""
        self.proposal: Proposal | None = None
        self.takes_itself = False
        """Whether a sure reading of dice that were seen to move is taken without asking."""

    @property
    def public_says(self) -> str:
        """What it is waiting for, without what was read of a card."""
        with self._lock:
            if self.trouble:
                return self.trouble
            return "looking for a card" if isinstance(self._asked[1], ShowCard) else self.says

    # Choosing a camera

    @property
    def on(self) -> bool:
        """Whether a camera is watching, or is being tried again."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, spec: str) -> None:
        """Watch with this camera: a number, an address, a file or a folder.

        Raises:
            CameraMissing, FileUnreadable, CameraGone: it cannot be opened.
        """
        source = self._opens(spec)
        self._begin(source, spec)

    def push(self, picture: BgrImage, by: str) -> None:
        """A frame that a phone has sent; the phone is the camera from then on."""
        source = self._source
        if not isinstance(source, PushedFrames) or source.name != by or not self.on:
            source = PushedFrames(by)
            self._begin(source, None)
        source.push(picture)

    def stop(self) -> None:
        """Give the camera back."""
        self._stop.set()
        source, thread = self._source, self._thread
        if source is not None and isinstance(source, PushedFrames):
            source.close()
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=5)
        with self._lock:
            self._thread, self._source, self._frame, self._encoded = None, None, None, None
            self.name, self.trouble, self.says, self.proposal = "", "", "no camera is on", None
        self._tell()

    def _begin(self, source: FrameSource, spec: str | None) -> None:
        self.stop()
        logger.info("the camera %r is open, for the session %r", source.name, self._live.name)
        with self._lock:
            self._stop = threading.Event()
            self._source, self.name = source, source.name
            self._begin_anew()
            run = (source, spec, self._stop)
            self._thread = threading.Thread(target=self._run, args=run, name="camera", daemon=True)
            self._thread.start()

    # What a page asks for

    @property
    def pictures(self) -> bool:
        """Whether there is a picture to look at."""
        return self.proposal is not None or self._frame is not None

    def picture(self, *, close: bool = False) -> bytes | None:
        """The latest frame as a JPEG; while a proposal stands, what was read, drawn on it or ``close`` by."""
        with self._lock:
            proposal, frame, encoded = self.proposal, self._frame, self._encoded
        if proposal is not None:
            return proposal.close_up_jpeg if close else proposal.jpeg
        if encoded is None and frame is not None:
            encoded = as_jpeg(frame)
            with self._lock:
                if self._frame is frame:
                    self._encoded = encoded
        return encoded

    def accept(self, number: int, *, by: str, revision: int) -> tuple[str, ...]:
        """Take the proposal as the answer.

        Raises:
            ReadingMisfit: there is none of this number, or it is not sure.
            StalePage, LoomtableError: as ``LiveSession.take``.
        """
        proposal = self._proposed(number)
        if proposal.answer is None:
            way_on = "put the doubtful dice right first" if proposal.verdict is Verdict.ASK else "type the answer"
            raise ReadingMisfit(f"this cannot be taken: {proposal.says}; {way_on}")
        happened = self._live.take(proposal.answer, by=by, revision=revision)
        if proposal.tray is not None:
            self._learn(proposal.tray)
        if len(proposal.cards) > 1:
            with self._lock:
                self._row = CardRow(proposal.cards[1:], proposal.request.by, by)
            self._go_on()
        return happened

    @property
    def waiting(self) -> tuple[ComponentId, ...]:
        """Cards of a row that was taken which wait for their question."""
        return self._row.cards

    def _go_on(self) -> None:
        """The next card of a row answers as soon as it is asked for."""
        with self._live.held() as session:
            row, asked = self._row, session.pending
            answer = row.answer(asked)
            if not row.cards or (answer is None and row.still_asked(asked)):
                return
            self._row = row.rest() if answer is not None else CardRow()
            if answer is None:
                return
            try:
                self._live.take(answer, by=row.taken_by, revision=self._live.revision)
            except LoomtableError as error:
                self._row = CardRow()
                self._set(says=str(error))

    def _learn(self, confirmed: TrayReading) -> None:
        """Keep the dice that somebody has confirmed; play goes on where that fails."""
        try:
            learn_roll(confirmed)
        except (LoomtableError, OSError) as error:
            logger.warning("what was confirmed could not be learned: %s", error)

    def correct(self, number: int, place: int, face: str) -> Proposal:
        """Say what die ``place`` (from 1) of the proposal shows.

        Raises:
            ReadingMisfit: there is no such proposal or die, or the die has no such face.
        """
        with self._lock:
            proposal = self._proposed(number)
            if proposal.tray is None or proposal.picture is None:
                raise ReadingMisfit("there are no dice here to correct")
            seen = corrected(proposal.tray, place, face)
            tray = seen.tray_after if seen.tray_after is not None else proposal.tray
            self.proposal = proposal_of(
                number, proposal.revision, proposal.request, seen, proposal.picture, tray, proposal.size
            )
        self._tell()
        return self.proposal

    def look_again(self) -> None:
        """Forget what was read, and read what lies there now.

        Raises:
            CameraGone: no camera is on.
        """
        with self._lock:
            if not self.on:
                raise CameraGone("no camera is on; choose one, or type what you rolled")
            self.proposal = None
            self._begin_anew()
        self._tell()

    def wanted(self) -> tuple[int, Request]:
        """What is asked that a photograph can answer, and the journal's length.

        Raises:
            ReadingMisfit: nothing is asked, or nothing that can be photographed.
        """
        revision, request = self._pending()
        if request is None:
            raise ReadingMisfit("nothing is asked for at the moment, so there is nothing to photograph")
        if not isinstance(request, Roll | Flip | ShowCard):
            raise ReadingMisfit("only dice, coins and cards can be photographed; type the answer")
        return revision, request

    def show(self, picture: BgrImage) -> Proposal:
        """Read one photograph that somebody took of what is asked.

        Raises:
            ReadingMisfit: nothing is asked, or nothing that can be photographed.
        """
        revision, request = self.wanted()
        seen = look_at(request, picture)
        with self._live.held() as session:
            seen = as_row(session, seen)
        with self._lock:
            self.proposal = self._proposal(request, revision, seen, picture, seen.tray_after)
        self._tell()
        return self.proposal

    def asked_anew(self, *, goes_on: bool = False) -> None:
        """The session changed: what was read for an earlier request counts no more, and a row of cards only where
        it was played on."""
        with self._lock:
            if self.proposal is not None and self.proposal.revision != self._live.revision:
                self.proposal = None
            if not goes_on:
                self._row = CardRow()
        self._go_on()

    # Watching

    def _run(self, source: FrameSource, spec: str | None, stop: threading.Event) -> None:
        """Look at every frame until the source ends or is given back. Nothing that goes wrong ends the thread."""
        opened: FrameSource | None = source
        self._get_ready()
        reading, looking = Backoff(), Backoff()
        look_from, anew = 0.0, False
        while not stop.is_set():
            try:
                if opened is None:
                    opened = self._opens(spec or "")
                frame = opened.read()
            except Exception as error:  # noqa: BLE001 - this thread's last net; it is logged, said and tried again
                self._failed(error, "the camera gave no picture, and it is our fault", stop)
                anew = True
                if spec is not None:  # a phone is waited for, not opened
                    _close(opened)
                    opened = None
                if not isinstance(error, LoomtableError):
                    stop.wait(reading.failed())
                elif spec is not None:
                    stop.wait(AGAIN_AFTER)
                continue
            if frame is None:
                if not stop.is_set():
                    self._set(says="the recording has come to its end", trouble="")
                break
            reading.worked()
            with self._lock:
                self._frame, self._encoded = frame, None
            if not looking.failing:
                self._set(trouble="")
            if time.monotonic() < look_from:
                continue  # after a defect the picture is still shown, and looked at again after a pause
            try:
                if anew:
                    self._begin_anew()
                    anew = False
                if self._look(frame) and looking.failing:
                    looking.worked()
                    self._set(trouble="")
            except Exception as error:  # noqa: BLE001 - as above
                self._failed(error, "the picture could not be read, and it is our fault", stop)
                look_from, anew = time.monotonic() + looking.failed(), True
        _close(opened)

    def _get_ready(self) -> None:
        """Load the networks before the first roll is waited for."""
        self._set(says=GETTING_READY)
        try:
            warm_up()
        except Exception:  # this thread's last net; what is wrong is said when dice are asked for
            logger.exception("the networks could not be made ready")

    def _failed(self, error: Exception, defect: str, stop: threading.Event) -> None:
        """Say on the page what went wrong, a defect in the words for it, and on the terminal where it happened."""
        if not isinstance(error, LoomtableError):
            logger.error("%s: %s", self.name, defect, exc_info=error)
        elif not self.trouble:  # it is tried again and again, and logged once
            logger.info("the camera %r is lost, and tried again", self.name)
        if not stop.is_set():
            words = str(error) if isinstance(error, LoomtableError) else defect
            with self._lock:
                self._frame, self._encoded = None, None
            self._set(trouble=f"{words}; it is tried again, and everything can be typed meanwhile")

    def _begin_anew(self) -> None:
        """Look as if for the first time: another camera, or the same one elsewhere."""
        with self._lock:
            self._dice.begin_anew()
            self._cards = CardWatch(MIDDLE, tagged=TAGGED)
            self._moved, self._lifted, self._shown, self._laid = False, None, (), set()
            self._asked, self.says = (-1, None), "looking"

    def _look(self, frame: BgrImage) -> bool:
        """Look at a frame for what is asked; whether it could be read, as far as there was anything to read."""
        revision, request = self._pending()
        with self._lock:
            anew = self._asked[0] != revision
            if anew:
                self._asked = (revision, request)
                self._moved, self._lifted, self._shown, self._laid = False, None, (), set()
                self._dice.expect(request)
        if anew:
            self._set(says=waiting_for(request))
        if isinstance(request, ShowCard):
            self._look_for_card(request, revision, frame)
            return True
        if isinstance(request, Roll | Flip):
            return self._look_for_dice(request, revision, frame, anew)
        return True

    def _look_for_dice(self, request: Roll | Flip, revision: int, frame: BgrImage, anew: bool) -> bool:
        seen = self._dice.read_frame(request, frame)
        if seen.moves:
            self._moved = not anew  # what moved before the first look at a question was not thrown for it
            self._drop()
        if seen.says:
            self._set(says=seen.says)
        if seen.roll is not None:
            self._offer(request, revision, answer_of_tray(request, seen.roll), frame, seen.roll)
        elif seen.unmoved:
            self._offer_again(revision)
        return seen.was_read

    def _look_for_card(self, request: ShowCard, revision: int, frame: BgrImage) -> None:
        seen = self._cards.update(frame)
        self._laid |= {card.card for card in seen.placed}
        sure = [c.card for c in seen.present if not c.doubt]
        fitting = tuple(card for card in sure if fits(request, card))
        if len(fitting) > 1:  # what lay there before it was asked for is not what is shown, but in a row
            laid = tuple(card for card in fitting if card in self._laid)
            fitting = laid if len(laid) == 1 or len(sure) < len(seen.present) else laid or fitting
        if fitting and fitting == self._shown:
            return
        self._shown = fitting
        self._moved = bool(fitting) and set(fitting) <= self._laid
        if len(fitting) == 1:
            [card] = fitting
            says = f"accepted: {card} {card_name(card)}"
            self._offer(request, revision, CameraAnswer(says, CardReading(card, Source.CAMERA)), frame, None)
            return
        with self._live.held() as session:
            several = as_row(session, CameraAnswer("several cards could be meant; show one", cards=fitting))
        if several.answer is not None and len(sure) == len(seen.present):
            self._offer(request, revision, several, frame, None)
            return
        others = "; ".join(seen.asks) or seen.says
        self._set(says=several.says if fitting else others or "looking for a card")

    def _offer(
        self, request: Request, revision: int, seen: CameraAnswer, frame: BgrImage, tray: TrayReading | None
    ) -> None:
        with self._lock:
            if self._live.revision != revision:
                return  # somebody was quicker than the camera
            proposal = self._proposal(request, revision, seen, frame, tray)
            self.proposal = proposal
            takes = self.takes_itself and self._moved and proposal.answer is not None and len(seen.cards) < 2
        self._tell()
        if takes and proposal.answer is not None:
            try:
                self._live.take(proposal.answer, by=f"the camera ({self.name})", revision=revision)
            except LoomtableError as error:
                self._set(says=str(error))

    def _drop(self) -> None:
        """Dice are picked up, or a hand hides them: what was read of them counts no more."""
        with self._lock:
            dropped, self.proposal = self.proposal, None
            self._lifted = dropped or self._lifted
        if dropped is not None:
            self._tell()

    def _offer_again(self, revision: int) -> None:
        """The hand only passed: what was read of the dice for this question still counts. It is never taken by
        itself, since nothing was thrown."""
        with self._lock:
            lifted, self._lifted = self._lifted, None
            if lifted is None or not lifted.revision == revision == self._live.revision:
                return
            self.proposal = lifted
        self._tell()

    def _proposal(
        self, request: Request, revision: int, seen: CameraAnswer, picture: BgrImage, tray: TrayReading | None
    ) -> Proposal:
        self._numbered += 1
        return proposal_of(self._numbered, revision, request, seen, picture, tray)

    def _proposed(self, number: int) -> Proposal:
        with self._lock:
            if self.proposal is None or self.proposal.number != number:
                raise ReadingMisfit("the dice have moved or been read again since; look at what is shown now")
            return self.proposal

    def _pending(self) -> tuple[int, Request | None]:
        with self._live.held() as session:
            return self._live.revision, session.pending

    def _set(self, *, says: str | None = None, trouble: str | None = None) -> None:
        with self._lock:
            before = (self.says, self.trouble)
            self.says = self.says if says is None else says
            self.trouble = self.trouble if trouble is None else trouble
            changed = before != (self.says, self.trouble)
        if changed:
            self._tell()

    def _tell(self) -> None:
        self._live.bus.publish(Change(Topic.CAMERA, self._live.revision))


def _close(source: FrameSource | None) -> None:
    try:
        if source is not None:
            source.close()
    except Exception:  # a camera that cannot even be given back must not keep the next one from being opened
        logger.exception("the camera %s could not be given back", source.name if source else "")
