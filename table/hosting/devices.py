"""Devices that have joined: pairing codes that work once, tokens that are kept only as hashes, roles.

A device joins with a short code that the host asked for. It gets a token of its own, which its browser keeps in a
cookie; here only the token's hash is kept, with the role that the code was made for.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.errors import BadInput

logger = logging.getLogger(__name__)
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What codes are made of: nothing that is easily taken for something else."""
CODE_LENGTH = 6
CODE_SECONDS = 300
"""How long a pairing code works, if nobody uses it."""
FORGOTTEN_AFTER = 90 * 24 * 3600
"""Seconds after which a device that was not seen has to join anew."""
SEEN_KEPT_EVERY = 24 * 3600
"""Seconds after which it is written down again that a device was seen: not at every request."""
MOST_DEVICES = 64
MOST_CODES = 32
LONGEST_NAME = 40
ROOM = "the room"
"""The viewer who sees what anybody in the room may see."""


class Role(StrEnum):
    """What a device may do."""

    HOST = "host"
    """Everything: the person who runs the table."""
    PLAYER = "player"
    """One person's own sheet, hidden cards and questions."""
    CAMERA = "camera"
    """Sends pictures of the table, sees nothing but what was read in them."""
    SCREEN = "screen"
    """Shows to the room what everybody may see; changes nothing."""


class NotJoined(BadInput):
    """A device could not be joined; the message says why."""


class Device(msgspec.Struct, frozen=True):
    """A device that has joined."""

    id: str
    name: str
    """As the journal names it: ``"Ilse's phone"``."""
    role: Role
    person: str = ""
    """Whose device it is: a player's name in the game."""
    session: str = msgspec.field(default="", name="sitting")
    """The session it belongs to; empty for devices that may see all sessions (the host's). Kept as ``sitting``."""
    joined: str = ""
    """When, UTC, ISO 8601."""
    seen: float = 0.0
    """When it was last heard of, in seconds of the clock (since 1970)."""

    @property
    def viewer(self) -> str:
        """Through whose eyes it sees: the storyteller's, its person's, or the room's."""
        if self.role is Role.HOST:
            return STORYTELLER
        return self.person if self.role is Role.PLAYER else ROOM


class Pairing(msgspec.Struct, frozen=True):
    """A code that lets one device join, once."""

    code: str
    role: Role
    person: str
    session: str
    until: float
    """When it stops working, in seconds of a clock that nobody sets (``time.monotonic``)."""
    makes_room: bool = False
    """Whether another device is let go where too many have joined: a host's, the one longest away."""

    def is_for(self, device: Device) -> bool:
        """Whether this device is already what the code would make of it."""
        mine = (device.role, device.person, device.session)
        return mine == (self.role, self.person, self.session)


class Note(msgspec.Struct, frozen=True):
    """A sentence that one device is shown once, on one page: what came of the form it sent from there."""

    says: str
    where: str
    """The path of that page."""
    trouble: bool = False


class _Kept(msgspec.Struct):
    token_hash: str
    device: Device


class Devices:
    """All devices of this machine's table; safe to use from several threads.

    Args:
        file: where joined devices are kept from one evening to the next; in memory only if ``None``.
        clock: seconds since 1970.
        steady: seconds of a clock that only runs on, whatever the machine's is set to: codes live by it.
    """

    def __init__(
        self,
        file: Path | None = None,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._file = file
        self._clock = clock
        self._steady = steady
        self._lock = threading.RLock()
        self._pairings: dict[str, Pairing] = {}
        self._kept: dict[str, _Kept] = {}
        self._long_unseen: list[_Kept] = []
        """Those that have to join anew, unless it turns out that the machine's clock was ahead when it started."""
        self._notes: dict[str, Note] = {}
        self._seen_kept: dict[str, float] = {}
        self._gone: Callable[[Device], None] = lambda device: None
        self._load()

    def when_gone(self, act: Callable[[Device], None]) -> None:
        """What is done once a device may do nothing any more."""
        self._gone = act

    # Joining

    def pair(self, role: Role, *, person: str = "", session: str = "", makes_room: bool = False) -> Pairing:
        """A new code for one device of this role; one ``makes_room`` that is shown on this machine's own terminal.

        Raises:
            NotJoined: a player without a name or a session, or a name that no player can have.
        """
        person = _name(person)
        if role is Role.PLAYER and not person:
            raise NotJoined("say whose phone joins: a player's device shows what that player may see")
        if person.casefold() in (STORYTELLER, ROOM):
            raise NotJoined(f"a player cannot be called {person!r}: that name stands for somebody else here")
        if role is not Role.HOST and not session:
            raise NotJoined("open a session first; a device joins one session")
        with self._lock:
            self._forget_codes()
            while len(self._pairings) >= MOST_CODES:
                self._pairings.pop(next(iter(self._pairings)))
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            pairing = Pairing(code, role, person, session, self._steady() + CODE_SECONDS, makes_room)
            self._pairings[code] = pairing
            return pairing

    def pairing(self, code: str) -> Pairing | None:
        """What a code is for, as long as it works."""
        with self._lock:
            self._forget_codes()
            return self._pairings.get(_code(code))

    def join(self, code: str, name: str = "") -> tuple[Device, str]:
        """Use a code up: the new device, and its token, which is kept nowhere else.

        Raises:
            NotJoined: the code is unknown, used or too old; or too many devices have joined.
        """
        with self._lock:
            pairing = self.pairing(code)
            if pairing is None:
                raise NotJoined(
                    "this code does not work, or not any more: each works once and for five minutes; "
                    "ask the host for a new one"
                )
            gone = self._room_for(pairing)
            del self._pairings[pairing.code]
            token = secrets.token_urlsafe(32)
            device = Device(
                id=secrets.token_hex(6),
                name=self._unused(_own_name(_name(name), pairing)),
                role=pairing.role,
                person=pairing.person,
                session=pairing.session,
                joined=datetime.now(UTC).isoformat(timespec="seconds"),
                seen=self._clock(),
            )
            self._kept[device.id] = _Kept(_hash(token), device)
            self._save()
            logger.info("the device %r has joined as a %s", device.name, device.role.value)
        if gone is not None:
            self._gone(gone)
        return device, token

    def already_joined(self, code: str, device: Device) -> bool:
        """Whether a code would make a device what it is already; such a code is used up, and nothing else done."""
        with self._lock:
            pairing = self.pairing(code)
            if pairing is None or not pairing.is_for(device):
                return False
            del self._pairings[pairing.code]
            return True

    def of_token(self, token: str) -> Device | None:
        """The device that has this token."""
        hashed = _hash(token)
        with self._lock:
            for kept in self._kept.values():
                if secrets.compare_digest(kept.token_hash, hashed):
                    kept.device = msgspec.structs.replace(kept.device, seen=self._clock())
                    if abs(kept.device.seen - self._seen_kept.get(kept.device.id, 0.0)) >= SEEN_KEPT_EVERY:
                        self._save()
                    return kept.device
        return None

    def still(self, device_id: str) -> bool:
        """Whether a device has joined and was not let go."""
        with self._lock:
            return device_id in self._kept

    def all(self) -> tuple[Device, ...]:
        """Every device that has joined, the latest last."""
        with self._lock:
            return tuple(kept.device for kept in self._kept.values())

    def revoke(self, device_id: str) -> Device:
        """Let a device do nothing any more.

        Raises:
            NotJoined: there is no such device.
        """
        with self._lock:
            kept = self._kept.pop(device_id, None)
            if kept is None:
                raise NotJoined("no such device has joined; it may have been let go already")
            self._notes.pop(device_id, None)
            self._save()
        logger.info("the device %r is let go", kept.device.name)
        self._gone(kept.device)
        return kept.device

    def renamed(self, old: str, new: str) -> None:
        """A session has another name now; its devices stay with it."""
        with self._lock:
            for kept in self._kept.values():
                if kept.device.session == old:
                    kept.device = msgspec.structs.replace(kept.device, session=new)
            for code, pairing in self._pairings.items():
                if pairing.session == old:
                    self._pairings[code] = msgspec.structs.replace(pairing, session=new)
            self._save()

    # Notes

    def leave_note(self, device: Device, says: str, where: str, *, trouble: bool = False) -> None:
        """A sentence for this device, for when it comes to the page ``where`` (an address of ours)."""
        with self._lock:
            self._notes[device.id] = Note(says, unquote(urlsplit(where).path), trouble)

    def take_note(self, device: Device, path: str) -> Note | None:
        """The sentence left for this device on the page of this path; it is shown once."""
        with self._lock:
            note = self._notes.get(device.id)
            return self._notes.pop(device.id) if note is not None and note.where == path else None

    # Keeping

    def _room_for(self, pairing: Pairing) -> Device | None:
        """Where there are too many, let the host's device go that was longest away, or else any; which one.

        Raises:
            NotJoined: too many have joined, and the code makes no room.
        """
        if len(self._kept) < MOST_DEVICES:
            return None
        if not pairing.makes_room:
            raise NotJoined(f"{MOST_DEVICES} devices have joined already; let one go first (Devices)")
        gone = min(self.all(), key=lambda device: (device.role is not Role.HOST, device.seen))
        del self._kept[gone.id]
        self._notes.pop(gone.id, None)
        return gone

    def _unused(self, name: str) -> str:
        taken = {kept.device.name for kept in self._kept.values()}
        if name not in taken:
            return name
        return next(f"{name} {n}" for n in range(2, MOST_DEVICES + 3) if f"{name} {n}" not in taken)

    def _forget_codes(self) -> None:
        now = self._steady()
        self._pairings = {code: p for code, p in self._pairings.items() if p.until > now}

    def _load(self) -> None:
        if self._file is None or not self._file.exists():
            return
        try:
            kept = msgspec.json.decode(self._file.read_bytes(), type=list[_Kept])
        except (OSError, msgspec.DecodeError):
            kept = []  # devices can always join anew; a damaged list must not keep a table from playing
        since = self._clock() - FORGOTTEN_AFTER
        self._kept = {k.device.id: k for k in kept if k.device.seen >= since}
        self._long_unseen = [k for k in kept if k.device.seen < since][-MOST_DEVICES:]
        self._seen_kept = {key: k.device.seen for key, k in self._kept.items()}

    def _save(self) -> None:
        self._seen_kept = {key: kept.device.seen for key, kept in self._kept.items()}
        if self._file is None:
            return
        beside = self._file.with_name(self._file.name + ".part")
        with contextlib.suppress(OSError):  # a full disk: devices stay joined for this evening
            self._file.parent.mkdir(parents=True, exist_ok=True)
            written = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(written, "wb") as file:
                file.write(msgspec.json.encode([*self._long_unseen, *self._kept.values()]))
            beside.replace(self._file)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _code(typed: str) -> str:
    return "".join(c for c in typed.upper() if c.isalnum())


def _name(typed: str) -> str:
    name = " ".join(typed.split())
    if len(name) > LONGEST_NAME:
        raise NotJoined(f"the name has {len(name)} characters; at most {LONGEST_NAME} fit")
    if not name.isprintable():
        raise NotJoined("the name has characters that cannot be shown")
    return name


def _own_name(chosen: str, pairing: Pairing) -> str:
    """What a device is called. A name that it chose itself says whose it is too: the journal goes by it, and Ada's
    may be called "Ben's phone"."""
    usual = _usual_name(pairing)
    return f"{chosen} ({pairing.person or usual})" if chosen and chosen != usual else usual


def _usual_name(pairing: Pairing) -> str:
    if pairing.person:
        return f"{pairing.person}'s phone"
    return {Role.HOST: "the host", Role.CAMERA: "a camera", Role.SCREEN: "a screen"}.get(pairing.role, "a phone")
