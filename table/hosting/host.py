"""The host: everything that runs on this machine - the store, the sessions that are open, devices, cameras."""

from __future__ import annotations

import logging
import random
import secrets
import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Self

import msgspec

from loomtable.engine.kernel.errors import Broken, LoomtableError
from loomtable.engine.kernel.journal import Journal, Line
from loomtable.engine.kernel.requests import Request
from loomtable.engine.kernel.session import Session
from loomtable.engine.ready_evening import begun_from_cards, begun_ready, ready_evenings
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.addresses import Addresses
from loomtable.table.hosting.devices import Device, Devices, Role, new_code
from loomtable.table.hosting.errors import NotThere
from loomtable.table.hosting.event_bus import Change, EventBus, Topic
from loomtable.table.hosting.following import Follower, read_anew
from loomtable.table.hosting.layer import Pause
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.settings import house_rules
from loomtable.table.store import NameTaken, Store, StoreUnusable
from loomtable.table.store.packing import pack, unpack

logger = logging.getLogger(__name__)

MOST_IDLE = 16
"""Live sessions that are kept in memory although nobody looks at them; set by hand."""


class SessionSummary(msgspec.Struct, frozen=True):
    """A session as a list shows it."""

    name: str
    system: str
    """Its key, e.g. ``"weave"``; empty where the journal cannot be read."""
    title: str
    """The system's name for people."""
    begun: str
    """When, UTC, ISO 8601."""
    last_played: str
    lines: int
    pending: Request | None
    """What is asked now; known only of sessions that are open here or could be read."""
    trouble: str = ""
    """Why it cannot be played on, where it cannot."""


class TableHost:
    """Runs sessions for pages. Use it as a context manager, or ``close`` it.

    Args:
        store: where journals are kept.
        earlier_devices: the file in which an earlier Loomtable kept who has joined; it is read once.
    """

    def __init__(self, store: Store, earlier_devices: Path | None = None) -> None:
        self.store = store
        self.addresses = Addresses()
        """Where it is served; empty until it is."""
        self.pause = Pause(self.tell)
        self.hands_lead = False
        """Whether hands lead each table that is opened from now on."""
        self._lock = threading.RLock()
        self._live_sessions: OrderedDict[str, LiveSession] = OrderedDict()
        """The one that was asked for last stands last."""
        self._summaries: dict[str, SessionSummary] = {}
        self._follower = Follower(self.catch_up)
        self.bus = EventBus()
        """For pages of no session: who joins and goes, and that a session is opened."""
        self._opened = ""
        self._shows_code: bool | None = None
        self.large_code = False
        """Whether the host has asked for the table's code at full size."""
        self.devices = Devices(store, earlier_devices, self.tell)

    # The session that is open

    @property
    def opened(self) -> str:
        """The session that is open: all guests' devices follow it.

        It is the one that was opened last, at first the one played last; empty where there is none.
        """
        if not self._opened:
            self._opened = next((session.name for session in self.sessions() if not session.trouble), "")
        return self._opened

    def open(self, name: str) -> LiveSession:
        """Open a session for everybody.

        Raises:
            NotThere, JournalCorrupt: there is none, or it cannot be played.
        """
        with self._lock:
            live = self.live_session(name)
            if self._opened != name:
                for other in self._live_sessions.values():
                    other.share(False)
                self._opened, self._shows_code, self.large_code = name, None, False
                self.tell()
            return live

    def shared(self, secret: str) -> LiveSession:
        """The session whose chronicle is shared under this secret.

        Raises:
            NotThere: none is, or not any more.
        """
        for live in tuple(self._live_sessions.values()):
            if live.shared and secrets.compare_digest(live.shared.encode(), secret.encode()):
                return live
        raise NotThere("this chronicle is not shared any more; ask at the table for a new code")

    def people(self) -> dict[str, Device | None]:
        """Everybody who plays in the open session, with the device that is theirs, if one has joined."""
        return {**dict.fromkeys(self._players()), **self.devices.holders(self.opened)}

    def _players(self) -> Collection[str]:
        if not self.opened:
            return ()
        session = self.live_session(self.opened).session
        return session.system.people(session.game)

    @property
    def inviting(self) -> bool:
        """Whether the table's code is shown, and works: until everybody has joined, or as the host says."""
        if self._shows_code is not None:
            return self._shows_code
        players = self._players()
        return not players or not self.devices.holders(self.opened).keys() >= set(players)

    def lets_in(self, code: str) -> bool:
        """Whether this is the table's code, and shown."""
        return self.devices.is_the_tables(code) and self.inviting

    def show_code(self, shown: bool, large: bool = False) -> None:
        """Show the table's code, or fold it away; the one that was folded away never works again."""
        if not shown:
            self.devices.code = new_code()
        self._shows_code, self.large_code = shown, shown and large
        self.tell()

    def has_seat(self, device: Device) -> bool:
        """Whether a guest's device is in the session that is open, as somebody."""
        named = bool(device.person) or device.role is not Role.PLAYER
        return named and device.session == self._opened != ""

    def seat(self, device: Device) -> Device:
        """Let a guest's device follow to the session that is open, as who it is there."""
        return self.devices.seat(device.id, self.opened, self._players())

    def asks_who(self, device: Device) -> bool:
        """Whether a player's phone has to say first whose it is."""
        if device.role is not Role.PLAYER or device.person:
            return False
        return not self.opened or not self.live_session(self.opened).session.system.solo

    # Sessions

    def sessions(self) -> tuple[SessionSummary, ...]:
        """Every session in the store, the last played first; if it cannot be read, those that are open here.

        Raises:
            StoreUnusable: it cannot be read, and none is.
        """
        trouble = ""
        try:
            last = self.store.last_played()
        except StoreUnusable as error:
            here = {name: live.lines() for name, live in tuple(self._live_sessions.items())}
            last = {name: (lines[-1].at, len(lines)) for name, lines in here.items()}
            trouble = str(error)
            if not last:
                raise
        found = [self._summary(name, *played, trouble) for name, played in last.items()]
        return tuple(sorted(found, key=lambda session: session.last_played, reverse=True))

    def begin(
        self,
        system: str,
        name: str,
        *,
        seed: str = "",
        rulings: Mapping[str, str] | None = None,
        setup: Mapping[str, Any] | None = None,
    ) -> LiveSession:
        """Begin a session; rulings that are not given are decided by your house rules, or as usual.

        ``seed`` is the name of another session, or a word, to deal the same cards again.

        Raises:
            JournalCorrupt: that other session is damaged.
            UnknownSystem, UnknownRuling, ContentInvalid: it cannot be begun so.
            NameTaken: there is one of this name already.
            StoreUnusable: it cannot be written.
        """
        played = SYSTEMS[system]
        with self._lock:
            journal = self.store.journal(name)
            if journal.lines():
                raise NameTaken(f"there is a session {name!r} already; take it up, or choose another name")
            ruled = {**house_rules(played), **(rulings or {})}
            shuffled = self.store.seed_of(seed)
            session = Session.open(played, seed=shuffled, setup=setup, rulings=ruled, journal=journal)
            logger.info("the session %r of %s is begun", name, played.title)
            self._go_live(name, session)
            return self.open(name)

    def begin_ready(
        self, system: str, *, from_cards: bool = False, title: str = "", seed: str = ""
    ) -> LiveSession:
        """Begin a session that is set up already, under a name that none has yet; all of it is kept, or nothing.

        ``title`` names one of the game's ready evenings; without it, it is the first. With a ``seed``, a program
        gets the same evening each time, what is left to chance included.

        Raises:
            UnknownSystem, ContentInvalid: there is no such game or evening, or it cannot be begun so.
            StoreUnusable: it cannot be written.
        """
        played = SYSTEMS[system]
        with self._lock:
            told = title or next((evening.title for evening in ready_evenings(played)), "")
            name = self.unused_name(told if told and not from_cards else played.title)
            source = random.Random(seed) if seed else random.SystemRandom()
            ruled = house_rules(played)
            session = (
                begun_from_cards(played, seed, source, ruled)
                if from_cards
                else begun_ready(played, seed, source, title, ruled)
            )
            self.store.bring_in(name, session.lines())
            logger.info("the session %r of %s is begun, set up already", name, played.title)
            return self.open(name)

    def unused_name(self, wanted: str) -> str:
        """A name for a session, with a number behind it where there is one of this name."""
        taken = set(self.store.sessions())
        return next(name for at in count(1) if (name := f"{wanted} {at}" if at > 1 else wanted) not in taken)

    def live_session(self, name: str) -> LiveSession:
        """The session of this name, taken up where it was left.

        Raises:
            NotThere: there is none.
            JournalCorrupt: it is damaged, or of rules that are not played here.
        """
        with self._lock:
            if name in self._live_sessions:
                self._live_sessions.move_to_end(name)
                return self._live_sessions[name]
            if name not in self.store.sessions():
                raise NotThere(f"there is no session {name!r}; it may have another name now")
            resumed = self._reopened(name)
            logger.info("the session %r of %s is taken up", name, resumed.system.title)
            return self._go_live(name, resumed)

    def rename(self, old: str, new: str) -> LiveSession:
        """Give a session another name.

        Raises:
            NotThere, StoreUnusable: there is none, or another one of this name.
        """
        with self._lock:
            self.live_session(old)
            self.store.rename(old, new)
            live = self._live_sessions.pop(old)
            self._summaries.clear()
            if self._opened == old:
                self._opened = new
            live.renamed(new, self._reopened(new))
            self._live_sessions[new] = live
            self.devices.renamed(old, new)
            logger.info("the session %r is called %r now", old, new)
            return live

    def export(self, name: str) -> bytes:
        """A session as one file, to keep or to take elsewhere.

        Raises:
            NotThere: there is none.
            StoreUnusable, JournalCorrupt: it cannot be read, and is not open here either.
        """
        live = self._live_sessions.get(name)
        here = live.lines() if live is not None else ()
        try:
            kept = self.store.lines(name)
        except Broken:
            if not here:
                raise
            kept = ()
        if not (kept or here):
            raise NotThere(f"there is no session {name!r}; it may have another name now")
        return pack(name, max(kept, here, key=len))

    def bring_in(self, packed: bytes, name: str | None = None) -> LiveSession:
        """Keep a session from a file, under its own name or another.

        Raises:
            PackInvalid: the file is no session, or damaged.
            NameTaken: there is a session of this name already.
            JournalCorrupt: it is of rules that are not played here.
        """
        own_name, lines = unpack(packed)
        name = name or own_name
        _folded(lines)
        with self._lock:
            if name in self.store.sessions():
                raise NameTaken(f"there is a session {name!r} already; bring this one in under another name")
            self.store.bring_in(name, lines)
            logger.info("the session %r is brought in", name)
            return self.open(name)

    def _go_live(self, name: str, session: Session[object]) -> LiveSession:
        idle = [other for other, candidate in self._live_sessions.items() if candidate.idle]
        for other in idle[: max(0, len(idle) - MOST_IDLE + 1)]:
            # Whoever still holds it is told at the next change that the session was played on elsewhere.
            del self._live_sessions[other]
            logger.info("the session %r is closed: nobody looks at it", other)
        live = self._live_sessions[name] = LiveSession(name, session, partial(read_anew, self.store), self.pause)
        live.watch.leads = self.hands_lead
        return live

    def _reopened(self, name: str) -> Session[object]:
        """The session read anew, where another program has written to it."""
        return Session.resume(SYSTEMS, self.store.journal(name))

    def _summary(self, name: str, last_played: str, lines: int, trouble: str) -> SessionSummary:
        known = self._summaries.get(name)
        if known is not None and known.lines == lines and not trouble:
            return known
        try:
            open_here = self._live_sessions.get(name)
            session = open_here.session if open_here is not None else _folded(self.store.lines(name))
            begun, key, title = session.lines()[0].at, session.system.key, session.system.title
            made = SessionSummary(name, key, title, begun, last_played, lines, session.pending, trouble)
        except LoomtableError as error:
            made = SessionSummary(name, "", "", "", last_played, lines, None, str(error))
        if not trouble:
            self._summaries[name] = made
        return made

    # Devices

    def tell(self, topic: Topic = Topic.DEVICES) -> None:
        """Tell every page who has joined or is here, that all are paused, or that the table closes."""
        for live in tuple(self._live_sessions.values()):
            live.bus.publish(Change(topic, live.revision))
        self.bus.publish(Change(topic, -1))

    # Other programs

    def follow(self) -> None:
        """Keep looking whether other programs play in sessions that somebody looks at here, until ``close``."""
        self._follower.start()

    def catch_up(self) -> None:
        """Read anew what other programs have changed; a session that they have renamed is closed here.

        Raises:
            StoreUnusable, JournalCorrupt: the store cannot be read.
        """
        self.devices.catch_up()
        watched = {
            name: session for name, session in tuple(self._live_sessions.items()) if session.bus.subscribers
        }
        if not watched:
            return
        counts = self.store.line_counts(watched)
        for name, live in watched.items():
            if name in counts:
                live.catch_up(counts[name])
            else:
                self._close_if_gone(name)

    def _close_if_gone(self, name: str) -> None:
        with self._lock:  # it may have been renamed here, meanwhile
            if name not in self._live_sessions or name in self.store.sessions():
                return
            live = self._live_sessions.pop(name)
            if self._opened == name:
                self._opened = ""
        live.watch.stop()
        live.bus.publish(Change(Topic.CLOSED, live.revision))

    # Closing

    def close(self) -> None:
        """Stop all cameras, end what listens, and give the store back."""
        self._follower.stop()
        with self._lock:
            for live in self._live_sessions.values():
                live.watch.stop()
                live.bus.publish(Change(Topic.CLOSED, live.revision))
            self._live_sessions.clear()
        self.devices.catch_up()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _folded(lines: Sequence[Line]) -> Session[object]:
    """The session of a journal, to look at.

    Raises:
        JournalCorrupt: it is of a system or of rules that are not played here, or cannot be folded.
    """
    return Session.resume(SYSTEMS, Journal(lines))


def table_folder() -> Path:
    """Where this machine keeps what a table needs from evening to evening: joined devices, its certificate."""
    from platformdirs import user_data_path

    return user_data_path("loomtable", appauthor=False) / "table"
