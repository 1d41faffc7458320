"""A live session: one that is being played here, by several devices at once.

A page says which revision it shows; what was sent from an older one is refused with a sentence that names who was
first. All methods may be called from any thread, one at a time gets through.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from loomtable.engine.kernel.errors import IllegalAction, NotNow
from loomtable.engine.kernel.journal import (
    Amended,
    Answered,
    Line,
    Restored,
    Struck,
    Voided,
    WentBack,
    draft_of,
    drafts,
)
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import DiceReading, Reading
from loomtable.engine.kernel.session import Session
from loomtable.table.hosting.event_bus import Change, EventBus, Topic
from loomtable.table.hosting.layer import Handouts, Pause
from loomtable.table.hosting.locks import Order, OrderedLock
from loomtable.table.hosting.proposals import learn
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.hosting.wishes import Wishes
from loomtable.table.journal_words import did_in_words
from loomtable.table.store import StoreBehind
from loomtable.vision.dice import TrayReading

logger = logging.getLogger(__name__)
R = TypeVar("R")
SECRET_BYTES = 16
"""Of the address of a shared chronicle: 128 bits, more than anybody can try."""


class StalePage(NotNow):
    """The page was older than the table: ``line`` is what somebody else wrote first, and ``first`` says so."""

    def __init__(self, message: str, line: Line | None = None, first: str = "") -> None:
        super().__init__(message)
        self.line = line
        self.first = first


class LiveSession:
    """One session being played here, the camera that watches it, and everybody who listens."""

    def __init__(
        self,
        name: str,
        session: Session[object],
        read_anew: Callable[[str, Session[object]], Session[object]] = lambda _, session: session,
        pause: Pause | None = None,
    ) -> None:
        self.name = name
        self.pause = pause or Pause()
        self.session = session
        self._kept_now = read_anew
        self.bus = EventBus()
        self._drafts: dict[str, tuple[int, Session[object]]] = {}
        """The drafts as they were looked at last, and at which revision."""
        self._lock = OrderedLock(Order.SESSION)
        self.watch = TableWatch(self)
        self.shared = ""
        """The secret in the address at which anybody in the house reads the chronicle; empty where nobody does."""
        self.read = -1
        """The line of the latest result that somebody has put away."""
        self.handouts = Handouts(self.look_again)
        self.wishes = Wishes(self.look_again)
        self._settle_drafts()  # one may have been done when the program ended

    # What there is

    def look_again(self) -> None:
        """Let every page of the session look again at what no line of the journal holds."""
        self.bus.publish(Change(Topic.DEVICES, self.revision))

    @property
    def idle(self) -> bool:
        """Whether nobody listens to it, no camera watches it and its chronicle is not shared."""
        return not (self.bus.subscribers or self.watch.busy or self.shared)

    @property
    def revision(self) -> int:
        """How many lines the journal has; every change makes it larger."""
        return len(self.session.journal.lines())

    @contextmanager
    def held(self, whose: str = "") -> Iterator[Session[object]]:
        """The session, kept as it is for as long as somebody looks at it: use it to make a page.

        ``whose`` is a player, who sees the own draft where there is one.
        """
        with self._lock:
            yield self._draft(whose) if whose in self.drafts else self.session

    @property
    def drafts(self) -> tuple[str, ...]:
        """The players who do something of their own while the others play on."""
        return tuple(drafts(self.lines()))

    def _draft(self, whose: str) -> Session[object]:
        at, draft = self._drafts.get(whose, (-1, self.session))
        if at != self.revision:
            draft = self.session.draft(whose)
            self._drafts[whose] = self.revision, draft
        return draft

    def lines(self) -> tuple[Line, ...]:
        """Every line of the journal, struck-through ones included."""
        return self.session.lines()

    def session_at(self, seq: int) -> Session[object]:
        """The session as it was after journal line ``seq``, its open question included; a copy, for looking at.

        Raises:
            IllegalAction: the journal has no such line.
        """
        from loomtable.engine.kernel.journal import Journal

        lines = self.lines()
        if not 0 <= seq < len(lines):
            raise IllegalAction(f"the journal has no line {seq}; it has lines 0 to {len(lines) - 1}")
        return Session(self.session.system, Journal(lines[: seq + 1]))

    def subscribe(self, heartbeat: float | None = None, screen: str = "") -> AsyncIterator[Change | None]:
        """How things stand and what changes from now on, for one connection; ``None`` is a heartbeat."""
        return self.bus.subscribe(heartbeat, self._snapshot, screen)

    def _snapshot(self) -> Iterator[Change]:
        yield Change(Topic.PLAY, self.revision)
        if self.watch.busy:
            # What it has read since the page was made changes no line of the journal.
            yield Change(Topic.CAMERA, self.revision)

    def share(self, on: bool) -> None:
        """Share what everybody may know of the chronicle with the house, or do so no longer.

        The evening is over then, as televisions say. An address that was shared once never works again.
        """
        if on != bool(self.shared):
            self.shared = secrets.token_urlsafe(SECRET_BYTES) if on else ""
            self.look_again()

    # Playing

    def take(
        self, *steps: Action | Reading, by: str, revision: int, whose: str = "", agreed: TrayReading | None = None
    ) -> tuple[str, ...]:
        """Play one step, or several of which none is played where one is refused; what happened, a sentence an
        event (for those who may see everything).

        ``whose`` is the player whose device it is. An action that is ``drafted`` begins a draft there, for which
        nobody waits; it goes on with what the action leads to, and joins the evening when nothing is asked.
        ``agreed`` are the dice with which somebody has agreed: they are learned.

        Raises:
            StalePage: somebody else was first.
            LoomtableError: the rules do not allow it, or it cannot be written.
        """
        what = steps[0]
        begins = isinstance(what, Action) and self.can_draft(what.name)
        drafted = bool(whose) and (begins or whose in self.drafts)

        def play(session: Session[object]) -> tuple[str, ...]:
            played = session.draft(whose) if drafted else session
            events = [event for step in steps for event in played.take(step, by=by)]
            events += played.answer_obvious(by=by)
            return tuple(played.system.tell(event, played.game) for event in events)

        part = what.of if isinstance(what, DiceReading) else ()
        with self._lock:
            told = self.change(play, by=by, revision=revision, goes_on=True, part=part, whose=whose)
            for action in [step for step in steps if isinstance(step, Action)]:
                self.wishes.begun(action)
            if agreed is not None:
                self._lock.afterwards(partial(learn, agreed))
        return told

    def asks_again(self, whose: str) -> bool:
        """Whether a draft is asked again what was answered already, for others have played on meanwhile."""
        lines = self.lines()
        for line in reversed(lines):
            if draft_of(line) == whose:
                return False
            if isinstance(line.entry, Voided) and draft_of(lines[line.entry.targets[0]]) == whose:
                return line.entry.why == Struck.MISFIT
        return False

    def can_draft(self, action: str) -> bool:
        """Whether a player's device begins an action in a draft."""
        rule = self.session.system.actions.get(action)
        return rule is not None and rule.drafted

    def _settle_drafts(self) -> None:
        """Fit every draft to what was played, begin what it leads to, and let it join once nothing is asked."""
        waiting = list(self.drafts)
        while waiting:
            whose = waiting.pop(0)
            if lost := self.session.fit_draft(whose):
                logger.info("%d lines of a draft do not fit any more", len(lost))
            if whose not in self.drafts:
                continue
            _go_on(self.session.draft(whose), whose)
            if self.session.pending is None and self._draft(whose).pending is None:
                self.session.join(whose, by=whose)
                waiting = list(self.drafts)

    def undo(self, *, by: str, revision: int, whose: str = "") -> Line:
        """Undo what was done last, in the draft of ``whose`` device asks where there is one; its line."""

        def undone(session: Session[object]) -> Line:
            return (session.draft(whose) if whose in self.drafts else session).undo(by=by)

        return self.change(undone, by=by, revision=revision, whose=whose)

    def change(
        self,
        act: Callable[[Session[object]], R],
        *,
        by: str,
        revision: int,
        goes_on: bool = False,
        part: Sequence[str] = (),
        whose: str = "",
    ) -> R:
        """Change the journal by a method of ``Session``, such as ``redo`` or ``void``.

        ``goes_on`` where it is played on, and what was shown for later questions counts; ``part`` and ``whose``
        are as in ``check``.

        Raises:
            StalePage: somebody else was first.
            LoomtableError: it cannot be done, or cannot be written.
        """
        with self._lock:
            self.check(revision, by, part, whose)
            try:
                with self.session.together():
                    done = act(self.session)
                    self._settle_drafts()
            except StoreBehind:
                self._read_anew()
                why = "another program has played in this session; it has been read again, so look and try again"
                raise StalePage(why) from None
            # Told in the order of the changes: a page keeps the latest news alone until it reads them.
            self.bus.publish(Change(Topic.PLAY, self.revision))
        self.watch.played_on(goes_on=goes_on)
        return done

    def renamed(self, name: str, session: Session[object]) -> None:
        """The session has another name now."""
        with self._lock:
            self.name, self.session = name, session
        self.bus.publish(Change(Topic.CLOSED, self.revision))

    def catch_up(self, lines: int) -> None:
        """Read the session anew if the store has more lines of it: another program has played on."""
        with self._lock:
            if lines <= self.revision:
                return
            self._read_anew()
        self.watch.played_on(goes_on=False)

    def _read_anew(self) -> None:
        self.session = self._kept_now(self.name, self.session)
        self._settle_drafts()
        self.bus.publish(Change(Topic.PLAY, self.revision))

    def check(self, revision: int, by: str = "", part: Sequence[str] = (), whose: str = "") -> None:
        """Refuse what was sent from a page that shows an older table.

        ``part`` are those whose dice were sent: others who roll with them may have been first. ``whose`` is as in
        ``take``.

        Raises:
            StalePage: it was; the sentence names who was first, and nothing that is hidden from anybody.
            NotNow: the table is paused.
        """
        self.pause.check()
        lines = self.lines()
        if not 0 <= revision <= len(lines):
            raise StalePage("this page was out of date and has been updated")
        first = next(filter(_changing(lines, part, whose), lines[revision:]), None)
        if first is None:
            return
        who = first.who or "Somebody else"
        if by and who == by:
            who = "Another page of this device"
        sentence = f"{who} {did_in_words(first)} first"
        raise StalePage(f"{sentence}; the page shows the table as it is now", first, sentence)


def unchanged_since(lines: Sequence[Line], part: Sequence[str] = (), whose: str = "") -> int:
    """The revision since which a page shows the same question; the rest is as in ``LiveSession.check``."""
    changing = _changing(lines, part, whose)
    return next((at for at in range(len(lines), 0, -1) if changing(lines[at - 1])), 0)


def _changing(lines: Sequence[Line], part: Sequence[str], whose: str) -> Callable[[Line], bool]:
    """Whether a line changes what a device is asked.

    What others of one roll have rolled does not, for those who have still to roll their part; what is done in a
    draft changes that draft alone, and what is played changes no draft unless it is struck out there.
    """
    draft = whose if whose in drafts(lines) else ""

    def changes(line: Line) -> bool:
        if part and _rolled_by_others(line, part):
            return False
        return draft_of(line) == draft or isinstance(line.entry, Voided | Amended | WentBack | Restored)

    return changes


def _go_on(draft: Session[object], by: str) -> None:
    """Begin what the actions of a draft lead to."""
    while draft.pending is None:
        done = draft.last_action
        rule = draft.system.actions[done.name]
        then = rule.then(done.args) if rule.then is not None else ""
        if not then:
            return
        draft.take(Action(then, {draft.system.actions[then].actor: done.args[rule.actor]}), by=by)


def _rolled_by_others(line: Line, part: Sequence[str]) -> bool:
    match line.entry:
        case Answered(reading=DiceReading(of=of)):
            return bool(of) and set(of).isdisjoint(part)
    return False
