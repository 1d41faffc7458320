"""Devices that have joined: the table's code, codes that work once, tokens that are kept only as hashes, roles.

Everybody joins the table with one code and says who they are. A device gets a token of its own, which its browser
keeps in a cookie; here only the token's hash is kept, with the device's role and the names that it has had.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import secrets
import threading
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.errors import BadInput, Broken
from loomtable.table.store import Store

logger = logging.getLogger(__name__)
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What codes are made of: nothing that is easily taken for something else."""
CODE_LENGTH = 6
CODE_SECONDS = 300
"""How long a code that works once does, if nobody uses it."""
FORGOTTEN_AFTER = 90 * 24 * 3600
"""Seconds after which a device that was not seen has to join anew."""
SEEN_KEPT_EVERY = 24 * 3600
"""Seconds after which it is written down again that a device was seen: not at every request."""
MOST_DEVICES = 64
MOST_CODES = 32
LONGEST_NAME = 40
ROOM = "the room"
"""The viewer who sees what anybody in the room may see."""
_NOBODY = {STORYTELLER, "room", "host", "group", "table", "television", "camera", "phone"}
"""Whom a journal names that are no player; with an article too."""


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


GUESTS = frozenset(Role) - {Role.HOST}
"""What a device that joins with the table's code may be; it says so itself, and can change it."""


class NotJoined(BadInput):
    """A device could not be joined; the message says why."""


class Device(msgspec.Struct, frozen=True):
    """A device that has joined."""

    id: str
    name: str
    """As the journal names it: ``"Ilse's phone"``."""
    role: Role
    person: str = ""
    """Whose device it is in its session: a player's name in the game; empty where nobody has said yet."""
    session: str = msgspec.field(default="", name="sitting")
    """The session that it follows; empty for the host's, which may see all. Kept as ``sitting``."""
    joined: str = ""
    """When, UTC, ISO 8601."""
    seen: float = 0.0
    """When it was last heard of, in seconds of the clock (since 1970)."""
    names: dict[str, str] = {}
    """Whose it has been in each session, the latest last; empty where the name was given up."""

    @property
    def viewer(self) -> str:
        """Through whose eyes it sees: the storyteller's, its person's, or the room's."""
        if self.role is Role.HOST:
            return STORYTELLER
        return self.person if self.role is Role.PLAYER and self.person else ROOM

    def holds(self, person: str, session: str) -> bool:
        """Whether a name in a session is this device's."""
        return self.role is Role.PLAYER and self.names.get(session) == person


class Pairing(msgspec.Struct, frozen=True):
    """A code that lets one host's device join, once."""

    code: str
    until: float
    """When it stops working, in seconds of a clock that nobody sets (``time.monotonic``)."""
    makes_room: bool = False
    """Whether another device is let go where too many have joined: a host's, the one longest away."""


class Note(msgspec.Struct, frozen=True):
    """A sentence that one device is shown once, on one page: what came of the form it sent from there."""

    says: str
    where: str
    """The path of that page."""
    trouble: bool = False


class _Kept(msgspec.Struct, frozen=True):
    token_hash: str
    device: Device


class Devices:
    """All devices of the tables that use one store; safe to use from several threads.

    The store has the truth: each change reads it first, and ``catch_up`` what other tables have changed. Whoever
    only looks waits for nobody.

    Args:
        store: where joined devices are kept from one evening to the next.
        earlier: the file in which an earlier Loomtable kept them; it is read once, and set aside.
        changed: called once a device has joined, is somebody else, or may do nothing any more.
        clock: seconds since 1970.
        steady: seconds of a clock that only runs on, whatever the machine's is set to: codes live by it.
    """

    def __init__(
        self,
        store: Store,
        earlier: Path | None = None,
        changed: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._clock = clock
        self._steady = steady
        self._lock = threading.RLock()
        self._pairings: dict[str, Pairing] = {}
        self.code = new_code()
        """The table's code, with which any device joins for as long as it is shown (``TableHost.inviting``)."""
        self._kept: Mapping[str, _Kept] = {}
        """Whoever has joined, by id; replaced as a whole, so that it is read without the lock."""
        self._away: list[_Kept] = []
        """Those that have to join anew, unless it turns out that the machine's clock was ahead."""
        self._seen: dict[str, float] = {}
        """When each was last heard of here."""
        self._notes: dict[str, Note] = {}
        self.following: Counter[str] = Counter()
        """How many pages of each follow the table now; only the loop that sends news changes it."""
        self._changed = changed
        if earlier is not None:
            self._take_in(earlier)
        self.catch_up()

    # Joining

    def pair(self, *, makes_room: bool = False) -> Pairing:
        """A new code for one host's device; one ``makes_room`` that is shown on this machine's own terminal."""
        with self._lock:
            while len(self._pairings) >= MOST_CODES:
                self._pairings.pop(next(iter(self._pairings)))
            pairing = Pairing(new_code(), self._steady() + CODE_SECONDS, makes_room)
            self._pairings[pairing.code] = pairing
            return pairing

    def pairing(self, code: str) -> Pairing | None:
        """What is known of a host's code, as long as it works."""
        found = self._pairings.get(_code(code))
        return found if found is not None and found.until > self._steady() else None

    def is_the_tables(self, code: str) -> bool:
        """Whether this is the table's code."""
        return secrets.compare_digest(_code(code).encode(), self.code.encode())

    def join(self, code: str) -> tuple[Device, str]:
        """Use a host's code up: the new device, and its token, which is kept nowhere else.

        Raises:
            NotJoined: the code is unknown, used or too old; or too many devices have joined.
        """
        with self._lock:
            pairing = self.pairing(code)
            if pairing is None:
                raise NotJoined("this code does not work, or not any more; take the one that the table shows now")
            joined = self.admit(Role.HOST, makes_room=pairing.makes_room)
            del self._pairings[pairing.code]
            return joined

    def already_joined(self, code: str, device: Device) -> bool:
        """Whether a code is a host's, and the device too; then it is used up, and nothing else done."""
        with self._lock:
            pairing = self.pairing(code)
            if pairing is None or device.role is not Role.HOST:
                return False
            del self._pairings[pairing.code]
            return True

    def admit(
        self, role: Role, person: str = "", session: str = "", *, makes_room: bool = False
    ) -> tuple[Device, str]:
        """Let a device join: what it is now, and its token, which is kept nowhere else.

        Raises:
            NotJoined: too many devices have joined, or it cannot be ``person``.
        """
        token = secrets.token_urlsafe(32)
        with self._changing():
            now = datetime.now(UTC).isoformat(timespec="seconds")
            device = Device(id=secrets.token_hex(6), name="", role=role, joined=now, seen=self._clock())
            device = self._as(device, role, person, session)
            self._make_room(makes_room)
            self._put(_Kept(_hash(token), device))
        logger.info("the device %r has joined as a %s", device.name, device.role.value)
        return device, token

    # Who a device is

    def become(self, device_id: str, role: Role, person: str, session: str) -> Device:
        """A guest's device is something or somebody else from now on in a session; without a name it gives its own
        up.

        Raises:
            NotJoined: it has not joined, or cannot be ``person``: somebody else is.
        """
        with self._changing():
            kept = self._joined(device_id)
            device = self._as(kept.device, role, person, session)
            self._put(msgspec.structs.replace(kept, device=device))
        return device

    def seat(self, device_id: str, session: str, people: Collection[str]) -> Device:
        """Let a guest's device follow to a session: as who it was there, or else as the last of its names that the
        session knows, or any where it knows nobody yet, and that nobody else has.

        Raises:
            NotJoined: it has not joined.
        """
        with self._changing():
            kept = self._joined(device_id)
            device = kept.device
            fits = (name for name in device.names.values() if name and (name in people or not people))
            known = [name for name in fits if not self._holder(name, session)]
            person = device.names[session] if session in device.names else known[-1] if known else ""
            person = person if device.role is Role.PLAYER else ""
            if (device.session, device.person) != (session, person):
                device = self._as(device, device.role, person, session)
                self._put(msgspec.structs.replace(kept, device=device))
        return device

    def holders(self, session: str) -> dict[str, Device]:
        """Who is whom in a session."""
        here = [device for device in self.all() if device.role is Role.PLAYER]
        return {device.names[session]: device for device in here if device.names.get(session)}

    def _as(self, device: Device, role: Role, person: str, session: str) -> Device:
        person = _name(person) if role is Role.PLAYER else ""
        if alike(person).removeprefix("the ").removeprefix("a ") in _NOBODY:
            raise NotJoined(f"a player cannot be called {person!r}: that name stands for somebody else here")
        holder = self._holder(person, session)
        if person and holder is not None and holder.id != device.id:
            held = holder.names[session]
            why = f"{held} has joined already, with {holder.name}; that device or the host can give the name up"
            raise NotJoined(why)
        names = {**device.names}
        if person or device.names.get(session):
            names.pop(session, None)
            names[session] = person
        name = device.name
        if not name or (role, person) != (device.role, device.person):
            name = self._unused(_usual_name(role, person), device.id)
        return msgspec.structs.replace(device, name=name, role=role, person=person, session=session, names=names)

    def _holder(self, person: str, session: str) -> Device | None:
        held = self.holders(session)
        return held.get(person) or next((held[name] for name in held if alike(name) == alike(person)), None)

    def _joined(self, device_id: str, roles: Collection[Role] = GUESTS) -> _Kept:
        kept = self._kept.get(device_id)
        if kept is None or kept.device.role not in roles:
            raise NotJoined("no such device has joined; it may have been let go already")
        return kept

    def of_token(self, token: str) -> Device | None:
        """The device that has this token."""
        hashed = _hash(token)
        for kept in self._kept.values():
            if secrets.compare_digest(kept.token_hash, hashed):
                self._seen[kept.device.id] = self._clock()
                return kept.device
        return None

    def still(self, device_id: str) -> bool:
        """Whether a device has joined and was not let go. No lock: the loop that sends news asks."""
        return device_id in self._kept

    def all(self) -> tuple[Device, ...]:
        """Every device that has joined, the latest last."""
        here = [kept.device for kept in self._kept.values()]
        return tuple(msgspec.structs.replace(other, seen=self._seen.get(other.id, other.seen)) for other in here)

    def revoke(self, device_id: str) -> Device:
        """Let a device do nothing any more.

        Raises:
            NotJoined: there is no such device.
        """
        with self._changing():
            kept = self._joined(device_id, frozenset(Role))
            self._drop(device_id)
        logger.info("the device %r is let go", kept.device.name)
        return kept.device

    def renamed(self, old: str, new: str) -> None:
        """A session has another name now; who is whom there stays so."""
        with self._changing():
            for kept in self._kept.values():
                device = kept.device
                names = {new if name == old else name: person for name, person in device.names.items()}
                session = new if device.session == old else device.session
                device = msgspec.structs.replace(device, session=session, names=names)
                self._put(msgspec.structs.replace(kept, device=device))

    # Notes

    def leave_note(self, device: Device, sentence: str, where: str, *, trouble: bool = False) -> None:
        """A sentence for this device, for when it comes to the page ``where`` (an address of ours)."""
        with self._lock:
            self._notes[device.id] = Note(sentence, unquote(urlsplit(where).path), trouble)

    def take_note(self, device: Device, path: str) -> Note | None:
        """The sentence left for this device on the page of this path; it is shown once."""
        with self._lock:
            note = self._notes.get(device.id)
            return self._notes.pop(device.id) if note is not None and note.where == path else None

    # Keeping

    def _make_room(self, makes_room: bool) -> None:
        """Where there are too many, let the host's device go that was longest away, or else any.

        Raises:
            NotJoined: too many have joined, and no room is made.
        """
        if len(self._kept) < MOST_DEVICES:
            return
        if not makes_room:
            raise NotJoined(f"{MOST_DEVICES} devices have joined already; let one go first (Devices)")
        gone = min(self.all(), key=lambda device: (device.role is not Role.HOST, device.seen))
        self._drop(gone.id)

    def _unused(self, name: str, device_id: str) -> str:
        taken = {kept.device.name for kept in self._kept.values() if kept.device.id != device_id}
        if name not in taken:
            return name
        return next(f"{name} {n}" for n in range(2, MOST_DEVICES + 3) if f"{name} {n}" not in taken)

    def catch_up(self) -> None:
        """See whom other tables have admitted and let go; once a day, keep that a device was seen."""
        with self._lock, contextlib.suppress(Broken):
            with self._store.shared("devices") as (text, _):
                self._take_over(text)
            if any(abs(held.seen - self._kept[held.id].device.seen) >= SEEN_KEPT_EVERY for held in self.all()):
                with self._changing():
                    pass

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """Change who has joined: no other table does at the same time, and what it did before is known."""
        with self._lock, self._store.shared("devices", writes=True) as (text, write):
            self._take_over(text)
            yield
            self._kept = {device.id: _Kept(self._kept[device.id].token_hash, device) for device in self.all()}
            write(msgspec.json.encode([*self._away, *self._kept.values()]).decode())

    def _take_over(self, text: str) -> None:
        since = self._clock() - FORGOTTEN_AFTER
        found = _kept_in(text)
        self._away = [kept for kept in found if kept.device.seen < since][-MOST_DEVICES:]
        self._know({kept.device.id: kept for kept in found if kept.device.seen >= since})

    def _know(self, kept: Mapping[str, _Kept]) -> None:
        before, self._kept = self._kept, kept
        if before != kept:
            self._changed()

    def _put(self, kept: _Kept) -> None:
        self._know({**self._kept, kept.device.id: kept})

    def _drop(self, device_id: str) -> None:
        self._know({at: kept for at, kept in self._kept.items() if at != device_id})
        self._notes.pop(device_id, None)

    def _take_in(self, earlier: Path) -> None:
        """Take in, once, whom an earlier Loomtable kept in a file."""
        with contextlib.suppress(OSError, Broken):
            file = earlier.read_text("utf-8", errors="replace")
            with self._changing():
                for kept in _kept_in(file):
                    self._put(self._kept.get(kept.device.id, kept))
            earlier.replace(earlier.with_name(f"{earlier.name}.old"))


def _kept_in(text: str) -> list[_Kept]:
    try:
        found = msgspec.json.decode(text or "[]", type=list[_Kept])
    except msgspec.DecodeError:
        return []  # devices can always join anew; a damaged list must not keep a table from playing
    for kept in found:
        if kept.device.person and not kept.device.names:  # as when a device belonged to one session
            kept.device.names[kept.device.session] = kept.device.person
    return found


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _code(typed: str) -> str:
    return "".join(c for c in typed.upper() if c.isalnum())


def alike(name: str) -> str:
    """The same for names that look the same: without capitals, full-width letters, and dots over an I."""
    return unicodedata.normalize("NFKC", name).casefold().replace("\u0307", "").replace("\u0131", "i")


def _name(typed: str) -> str:
    name = " ".join(typed.split())
    if len(name) > LONGEST_NAME:
        raise NotJoined(f"the name has {len(name)} characters; at most {LONGEST_NAME} fit")
    if not name.isprintable():
        raise NotJoined("the name has characters that cannot be shown")
    return name


def new_code() -> str:
    """A code for the table, or for one device."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def _usual_name(role: Role, person: str) -> str:
    if person:
        return f"{person}'s phone"
    return {Role.HOST: "the host", Role.CAMERA: "a camera", Role.SCREEN: "a television"}.get(role, "a phone")
