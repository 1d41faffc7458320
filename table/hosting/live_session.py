"""A live session: one that is being played here, by several devices at once.

A page says which revision it shows; what was sent from an older one is refused with a sentence that names who was
first. All methods may be called from any thread, one at a time gets through.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import takewhile
from typing import Any, TypeVar

from loomtable.engine.kernel.errors import IllegalAction, LoomtableError, NotNow
from loomtable.engine.kernel.journal import (
    Acted,
    Amended,
    Answered,
    Line,
    Opened,
    Restored,
    SavePoint,
    Voided,
    WentBack,
)
from loomtable.engine.kernel.play import Action, Game
from loomtable.engine.kernel.readings import DiceReading, Reading
from loomtable.engine.kernel.session import Consequences, Session
from loomtable.table.hosting.event_bus import Change, EventBus, Topic
from loomtable.table.hosting.handouts import Handouts
from loomtable.table.hosting.pause import Pause
from loomtable.table.hosting.proposals import learn
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.hosting.wishes import Wishes
from loomtable.table.store import StoreBehind

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
        session: Session[Any],
        reopened: Callable[[str], Session[Any]] | None = None,
        pause: Pause | None = None,
    ) -> None:
        self.name = name
        self.pause = pause or Pause()
        self.session = session
        self._reopened = reopened
        self.bus = EventBus()
        self._waiting: list[tuple[Action, str]] = []
        """Actions that others have begun while something was asked, with whose they are; the first is next."""
        self._lock = threading.RLock()
        self.watch = TableWatch(self)
        self.shared = ""
        """The secret in the address at which anybody in the house reads the chronicle; empty where nobody does."""
        self.handouts = Handouts(self._look_again)
        self.wishes = Wishes(self._look_again)

    # What there is

    def _look_again(self) -> None:
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
    def held(self) -> Iterator[Session[Any]]:
        """The session, kept as it is for as long as somebody looks at it: use it to make a page."""
        with self._lock:
            yield self.session

    def lines(self) -> tuple[Line, ...]:
        """Every line of the journal, struck-through ones included."""
        return self.session.lines()

    def at(self, seq: int) -> Game[Any]:
        """The table as it was after journal line ``seq``, with what counted then.

        Raises:
            IllegalAction: the journal has no such line.
        """
        return self.session_at(seq).game

    def session_at(self, seq: int) -> Session[Any]:
        """The session as it was after journal line ``seq``, its open question included; a copy, for looking at.

        Raises:
            IllegalAction: the journal has no such line.
        """
        from loomtable.engine.kernel.journal import MemoryJournal

        lines = self.lines()
        if not 0 <= seq < len(lines):
            raise IllegalAction(f"the journal has no line {seq}; it has lines 0 to {len(lines) - 1}")
        return Session(self.session.system, MemoryJournal(lines[: seq + 1]))

    def subscribe(self, heartbeat: float | None = None) -> AsyncIterator[Change | None]:
        """How things stand and what changes from now on, for one connection; ``None`` is a heartbeat."""
        return self.bus.subscribe(heartbeat, self._snapshot)

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
            self.bus.publish(Change(Topic.DEVICES, self.revision))

    # Playing

    def take(self, what: Action | Reading, *, by: str, revision: int, leads_on: bool = False) -> tuple[str, ...]:
        """Play one step; what happened, a sentence an event (for those who may see everything).

        What an action leads to begins by itself where it ``leads_on``: for a player, who has nothing else to do.

        Raises:
            StalePage: somebody else was first.
            LoomtableError: the rules do not allow it, or it cannot be written.
        """

        def play(session: Session[Any]) -> tuple[str, ...]:
            events = session.take(what, by=by)
            game = session.game
            told = tuple(session.system.tell(event, game) for event in events)
            if isinstance(what, Action) and leads_on:
                self._wait_for_next(what, by)
            self._begin_waiting()
            return told

        if isinstance(what, Action) and self.can_wait(what.name) and self.session.pending is not None:
            with self._lock:
                self.check(revision, by)
                if not self.waits(by):
                    self._waiting.append((what, by))
            self.bus.publish(Change(Topic.DEVICES, self.revision))
            return ()
        picture, self.watch.thrown = self.watch.thrown, None
        part = what.of if isinstance(what, DiceReading) else ()
        told = self._change(play, by, revision, goes_on=True, part=part)
        if picture is not None:
            learn(what, picture)
        return told

    def can_wait(self, action: str) -> bool:
        """Whether an action that is begun while something is asked waits for its turn."""
        rule = self.session.system.actions.get(action)
        return rule is not None and rule.then is not None

    def waits(self, by: str) -> bool:
        """Whether an action of this device waits for its turn."""
        return any(whose == by for _, whose in self._waiting)

    def _wait_for_next(self, done: Action, by: str) -> None:
        """What an action leads to is begun before what waits already."""
        rule = self.session.system.actions[done.name]
        then = rule.then(done.args) if rule.then is not None else ""
        if then:
            actor = self.session.system.actions[then].actor
            self._waiting.insert(0, (Action(then, {actor: done.args[rule.actor]}), by))

    def _begin_waiting(self) -> None:
        while self._waiting and self.session.pending is None:
            action, by = self._waiting.pop(0)
            try:
                self.session.take(action, by=by)
            except LoomtableError as error:  # it was possible when it began to wait
                logger.info("an action that waited is refused: %s", type(error).__name__)
            else:
                self._wait_for_next(action, by)

    def undo(self, *, by: str, revision: int) -> Line:
        """Undo what was done last; its line."""
        return self._change(lambda session: session.undo(by=by), by, revision)

    def redo(self, *, by: str, revision: int) -> Line:
        """Take the last undo back; the line that counts again."""
        return self._change(lambda session: session.redo(by=by), by, revision)

    def restore(self, seq: int, *, by: str, revision: int) -> None:
        """Take back the striking-through, the amendment or the way back in line ``seq``."""
        self._change(lambda session: session.restore(seq, by=by), by, revision)

    def save_point(self, name: str, *, by: str, revision: int) -> Line:
        """Give this moment a name."""
        return self._change(lambda session: session.save_point(name, by=by), by, revision, goes_on=True)

    def go_back(self, seq: int, *, by: str, revision: int) -> Consequences[Any]:
        """Let nothing count that was written after line ``seq``."""
        return self._change(lambda session: session.go_back(seq, by=by), by, revision)

    def void(self, seq: int, *, by: str, revision: int, why: str = "") -> Consequences[Any]:
        """Strike the action in line ``seq`` through, with what hangs on it."""
        return self._change(lambda session: session.void(seq, why, by=by), by, revision)

    def amend(
        self,
        seq: int,
        reading: Reading,
        inserted: Sequence[Reading] = (),
        *,
        by: str,
        revision: int,
        why: str = "",
    ) -> Consequences[Any]:
        """Put the reading in line ``seq`` right."""
        return self._change(lambda session: session.amend(seq, reading, *inserted, why=why, by=by), by, revision)

    def preview_void(self, seq: int) -> Consequences[Any]:
        """What ``void`` would do; nothing is written."""
        with self._lock:
            return self.session.preview_void(seq)

    def preview_amend(self, seq: int, reading: Reading, inserted: Sequence[Reading] = ()) -> Consequences[Any]:
        """What ``amend`` would do; nothing is written."""
        with self._lock:
            return self.session.preview_amend(seq, reading, *inserted)

    def _change(
        self,
        act: Callable[[Session[Any]], R],
        by: str,
        revision: int,
        *,
        goes_on: bool = False,
        part: Sequence[str] = (),
    ) -> R:
        """Change the journal; ``goes_on`` where it is played on, and what was shown for later questions counts."""
        with self._lock:
            self.check(revision, by, part)
            try:
                done = act(self.session)
            except StoreBehind:
                self._read_anew()
                raise StalePage(
                    "another program has played in this session; it has been read again, so look and try again"
                ) from None
            now = self.revision
        self.bus.publish(Change(Topic.PLAY, now))
        self.watch.played_on(goes_on=goes_on)
        return done

    def renamed(self, name: str, session: Session[Any]) -> None:
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
        if self._reopened is not None:
            self.session = self._reopened(self.name)
        self.bus.publish(Change(Topic.PLAY, self.revision))

    def check(self, revision: int, by: str = "", part: Sequence[str] = ()) -> None:
        """Refuse what was sent from a page that shows an older table.

        ``part`` are those whose dice were sent: others who roll with them may have been first.

        Raises:
            StalePage: it was; the sentence names who was first, and nothing that is hidden from anybody.
            NotNow: the table is paused.
        """
        self.pause.check()
        lines = self.lines()
        if unchanged_since(lines, part) <= revision <= len(lines):
            return
        if not 0 <= revision < len(lines):
            raise StalePage("this page was out of date; it is up to date now")
        first = lines[revision]
        who = first.who or "Somebody else"
        if by and who == by:
            who = "Another page of this device"
        sentence = f"{who} {_did(first)} first"
        raise StalePage(f"{sentence}; the page shows the table as it is now", first, sentence)


def unchanged_since(lines: Sequence[Line], part: Sequence[str] = ()) -> int:
    """The revision since which a page shows the same question: what others of one roll have rolled changes no
    question of those who have still to roll their ``part``."""
    others = partial(_rolled_by_others, part=part)
    return len(lines) - sum(1 for _ in takewhile(others, reversed(lines))) if part else len(lines)


def _rolled_by_others(line: Line, part: Sequence[str]) -> bool:
    match line.entry:
        case Answered(reading=DiceReading(of=of)):
            return bool(of) and set(of).isdisjoint(part)
    return False


def _did(line: Line) -> str:
    match line.entry:
        case Answered():
            return "answered"
        case Acted() | Opened():
            return "acted"
        case SavePoint():
            return "named this moment"
        case Voided() | WentBack():
            return "took something back"
        case Amended():
            return "corrected something"
        case Restored():
            return "brought something back"
