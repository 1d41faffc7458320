"""An evening played by virtual hands at a real table: filmed, sent as a phone sends it, and held against what was
meant.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import math
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import cv2
import msgspec

from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.journal import Journal
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import (
    CardReading,
    ChoiceReading,
    CoinReading,
    DiceReading,
    NumberReading,
    Reading,
    TextReading,
    rolled,
)
from loomtable.engine.kernel.requests import Choose, Request
from loomtable.engine.kernel.serialization import to_builtins, to_json
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.proposals import COUNTDOWN, Taking
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.hosting.throttle import Throttle
from loomtable.table.reading.scene import REST_AFTER
from loomtable.table.serving import served
from loomtable.table.store import open_store
from loomtable.table.store.packing import unpack
from loomtable.testing.mishaps import Mishaps
from loomtable.testing.virtual_table import Frames, Place, VirtualTable
from loomtable.vision.pictures import BgrImage

QUALITY = 85
"""Of the JPEG pictures that a phone sends."""
PATIENCE = 15.0
"""Seconds of film after which what a hand did has been missed."""
NOTHING_MEANT = 2.0
"""Seconds for which a table is watched after what should mean nothing."""
GLANCES = 0.5
"""Seconds from frame to frame then: enough for everything to be read, and cheaper."""

Meant = Action | Reading
_NAME = "by hand"


class Upshot(StrEnum):
    """What came of something that a hand did."""

    TAKEN = "taken"
    WRONG = "wrong"
    """Something else was taken, or something where nothing was meant."""
    ASKED = "asked"
    """It is offered, and a person has to agree, choose or put it right."""
    MISSED = "missed"


class HandPlayed(msgspec.Struct, frozen=True):
    """What a hand did, what it meant, and what came of it."""

    did: str
    meant: tuple[str, ...]
    took: tuple[str, ...]
    outcome: Upshot
    seconds: float = 0.0
    """From the first frame in which nothing moved to when it was taken."""
    said: str = ""
    """What the camera said last, where it was not taken."""

    def __str__(self) -> str:
        took = "" if self.outcome is Upshot.TAKEN else f"; the journal has {', '.join(self.took) or 'nothing'}"
        return f"{self.outcome}: {self.did}; meant {', '.join(self.meant) or 'nothing'}{took} ({self.said})"


class EveningByHand:
    """A session at a real table, watched by a phone that films a virtual one.

    Each verb of ``VirtualTable`` plays its frames through the server's own frame interface, goes on filming until
    the journal has what it ``means``, and notes what came of it in ``played``. Without ``means`` a throw means its
    dice, and anything else nothing. ``touch`` does with a device what hands could not; ``touches`` counts it.

    Seconds are the film's, however long a frame takes to be drawn and read: a busy machine changes nothing.

    >>> from loomtable.testing import EveningByHand
    >>> from loomtable import SYSTEMS, Session
    >>> session = Session.open(SYSTEMS["storm-weavers"], seed="s")
    >>> _ = session.perform("create", dexterity_points=3)
    >>> _ = session.perform("test", attribute="wisdom")
    >>> with EveningByHand.of(session) as evening:
    ...     print(evening.throw("2d6", [3, 5]))
    taken
    >>> evening.check()
    """

    def __init__(
        self,
        host: TableHost,
        session: str,
        base: str,
        table: VirtualTable,
        *,
        pace: float = 8.0,
        patience: float = PATIENCE,
        skips: bool = True,
        mishaps: Mishaps | None = None,
    ) -> None:
        """``base`` is where the host is served, ``pace`` the frames a second that the phone sends.

        A film that ``skips`` shows no frames between the beginning and the end of a countdown. Before what hands
        do, ``mishaps`` may befall the table.
        """
        self._mishaps = mishaps
        self.table, self.session, self.pace, self.patience, self._skips = table, session, pace, patience, skips
        self.played: list[HandPlayed] = []
        self.touches = 0
        self.frames = 0
        self.on_frame: Callable[[BgrImage], object] = lambda frame: None
        """Called with each frame once the table has looked at it."""
        self._now = 0.0
        live = host.open(session)
        self._watch = live.watch = TableWatch(live, clock=lambda: self._now)
        _, own = host.devices.admit(Role.HOST)
        phones = [host.devices.admit(Role.CAMERA, "", session)[1] for _ in range(2)]
        self._host, self._phone, self._over_tray = (_Device(base, token) for token in (own, *phones))

    @classmethod
    @contextlib.contextmanager
    def of(
        cls,
        begun: Session[Any],
        *,
        table: VirtualTable | None = None,
        pace: float = 8.0,
        patience: float = PATIENCE,
        taking: Taking = Taking.COUNTDOWN,
        skips: bool = True,
        mishaps: Mishaps | None = None,
    ) -> Iterator[EveningByHand]:
        """A real table of its own, on which a session goes on that was begun in memory; hands lead it."""
        with (
            tempfile.TemporaryDirectory() as folder,
            TableHost(open_store(Path(folder) / "sessions.db")) as host,
            served(host, throttle=Throttle(1e6, 1e6)) as planned,
        ):
            host.store.bring_in(_NAME, begun.lines())
            base, shown = planned.addresses.own, table or VirtualTable()
            evening = cls(host, _NAME, base, shown, pace=pace, patience=patience, skips=skips, mishaps=mishaps)
            evening.let_hands_lead(taking)
            yield evening

    # What hands do

    def lay(self, name: str, *, means: Sequence[Meant] = (), **where: Any) -> Upshot:
        """As ``VirtualTable.lay``."""
        return self.film(f"lay {name}{_words(where)}", self.table.lay(name, **where), means)

    def throw(
        self,
        what: str | Sequence[str],
        faces: Sequence[Face],
        *,
        means: Sequence[Meant] | None = None,
        **where: Any,
    ) -> Upshot:
        """As ``VirtualTable.throw``."""
        kind = Die((what if isinstance(what, str) else what[0]).lstrip("0123456789").split()[0])
        dice = CoinReading(str(faces[0])) if kind is Die.COIN else rolled(kind, *faces)
        did = f"throw {what if isinstance(what, str) else ' and '.join(what)}: {', '.join(map(str, faces))}"
        return self.film(did, self.table.throw(what, faces, **where), [dice] if means is None else means)

    def move(self, name: str, *, means: Sequence[Meant] = (), **where: Any) -> Upshot:
        """As ``VirtualTable.move``."""
        return self.film(f"move {name}{_words(where)}", self.table.move(name, **where), means)

    def turn_over(self, name: str, *, means: Sequence[Meant] = (), by: int = 0) -> Upshot:
        """As ``VirtualTable.turn_over``."""
        return self.film(f"turn {name} over", self.table.turn_over(name, by=by), means)

    def take_away(self, *names: str, means: Sequence[Meant] = (), by: int = 0) -> Upshot:
        """As ``VirtualTable.take_away``."""
        return self.film(f"take {' and '.join(names)} away", self.table.take_away(*names, by=by), means)

    def film(self, did: str, frames: Frames, means: Sequence[Meant]) -> Upshot:
        """Play frames and what follows until the journal has what they mean; what came of it."""
        befalls = self._mishaps.next(self.table) if self._mishaps is not None else None
        if befalls is not None:
            self._filmed(*befalls, ())
        return self._filmed(did, frames, means)

    def _filmed(self, did: str, frames: Frames, means: Sequence[Meant]) -> Upshot:
        offered = self._offered() if not means else 0
        before, looked, revision = self._steps(), -1, 0
        for frame in frames:
            revision = self._send(frame)
        still, took = self._now, list[Meant]()
        ends, step = still + (self.patience if means else NOTHING_MEANT), 1 / self.pace if means else GLANCES
        while True:
            if revision != looked:
                looked, took = revision, self._steps()[len(before) :]
            if means and (len(took) >= len(means) or not _goes_on(means, took)):
                break
            counting = self._skips and self._watch.proposals.counting
            if self._now >= ends and not counting:
                break
            [frame] = self.table.rest(1)
            revision = self._send(frame, COUNTDOWN if counting else step)
        seconds = self._now - still
        outcome, said = self._judged(means, took)
        if not means and outcome is Upshot.TAKEN and self._offered() > offered:
            outcome, said = Upshot.ASKED, self.camera()["proposal"]["says"]
        told = HandPlayed(did, tuple(map(worded, means)), tuple(map(worded, took)), outcome, seconds, said)
        self.played.append(told)
        return outcome

    def rest(self, seconds: float, every: float = 0.0) -> None:
        """Film the table while nobody does anything, a frame ``every`` so many seconds, by default at its pace."""
        step = every or 1 / self.pace
        for frame in self.table.rest(round(seconds / step)):
            self._send(frame, step)

    @property
    def seconds(self) -> float:
        """How long the film is so far."""
        return self._now

    def _offered(self) -> int:
        """The number of what is offered; 0 where nothing is."""
        proposal = self.camera()["proposal"]
        return proposal["number"] if proposal is not None else 0

    def _judged(self, means: Sequence[Meant], took: Sequence[Meant]) -> tuple[Upshot, str]:
        if len(took) == len(means) and _goes_on(means, took):
            return Upshot.TAKEN, ""
        if took:
            return Upshot.WRONG, ""
        seen = self.camera()
        if seen["proposal"] is not None:
            return Upshot.ASKED, seen["proposal"]["says"]
        outcome = Upshot.ASKED if seen["remark"] else Upshot.MISSED
        return outcome, seen["remark"] or seen["trouble"] or seen["says"]

    # What a device does

    def let_hands_lead(self, taking: Taking) -> None:
        """The first press: hands lead, and what is sure is taken so. The table is filmed until it rests."""
        self._host.post(self._path("camera-hands"), {"leads": "on"})
        self._host.post(self._path("camera-setting"), {"taking": taking.value})
        self.rest(1)
        for frame in self.table.rest(math.ceil((REST_AFTER + 0.5) / GLANCES)):
            self._send(frame, GLANCES)

    def touch(self, what: Meant | None = None) -> None:
        """Do something with a device; without ``what`` agree to what is offered.

        Raises:
            LoomtableError: the table refuses it.
        """
        self.touches += 1
        revision = {"revision": self.revision}
        if what is None:
            number = self.camera()["proposal"]["number"]
            self._host.post(self._path("camera-accept"), revision | {"proposal": number})
        elif isinstance(what, Action):
            self._host.post(self._path("act"), revision | {"action": what.name, "args": to_builtins(what.args)})
        else:
            self._host.post(self._path("answer"), revision | {"answer": _typed(what)})

    # What the table says

    def camera(self) -> Mapping[str, Any]:
        """What the camera sees and offers, as a host's page is told."""
        seen: Mapping[str, Any] = self._host.get(self._path("camera"))
        return seen

    @property
    def state(self) -> Session[Any]:
        """The session as its journal tells it now."""
        lines = unpack(self._host.ask("GET", self._path("export")))[1]
        return Session.resume(SYSTEMS, Journal(lines))

    @property
    def revision(self) -> int:
        """Lines of the journal."""
        return int(self._host.get(self._path("state"))["revision"])

    def check(self) -> None:
        """Hold the evening against what was meant.

        Raises:
            AssertionError: something was taken wrongly, asked or missed; each is a line.
        """
        if wrong := [str(played) for played in self.played if played.outcome is not Upshot.TAKEN]:
            raise AssertionError("\n".join(wrong))

    def _steps(self) -> list[Meant]:
        """What was played, without what the table answered itself, for there was but one answer."""

        def alone(asked: Request | None) -> bool:
            return isinstance(asked, Choose) and asked.obvious and asked.at_least == len(asked.options)

        return [played.step.what for played in self.state.played if not alone(played.step.request)]

    def _path(self, verb: str) -> str:
        return f"/api/play/{quote(self.session)}/{verb}"

    # Frames

    def _send(self, frame: BgrImage, after: float = 0.0) -> int:
        """Send a frame taken so many seconds after the last, by default at the phone's pace, and wait until it was
        looked at; the journal's length."""
        self._now += after or 1 / self.pace
        self.frames += 1
        if self.table.in_tray is not None and self.frames > 1:
            self._over_tray.send(self._path("frame?start=1&tray=1"), self.table.in_tray)
        answer = self._phone.send(self._path("frame?start=1"), frame)
        self.on_frame(frame)
        return int(answer["revision"])


class _Device:
    """A device that has joined."""

    def __init__(self, base: str, token: str) -> None:
        self._place = urlsplit(base).netloc
        self._headers = {"authorization": f"Bearer {token}", "accept": "application/json"}

    def ask(self, method: str, path: str, body: bytes | None = None, kind: str = "") -> bytes:
        """The answer's body; on a new connection each time, for the table ends those that are silent.

        Raises:
            LoomtableError: the table refuses it.
        """
        headers = self._headers | ({"content-type": kind} if kind else {})
        with contextlib.closing(http.client.HTTPConnection(self._place, timeout=600)) as connection:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
        if answer.status >= 400:
            raise LoomtableError(json.loads(content).get("error", answer.reason))
        return content

    def get(self, path: str) -> Any:
        """Plain values."""
        return json.loads(self.ask("GET", path))

    def send(self, path: str, frame: BgrImage) -> Any:
        """Send a frame as a phone does; what the table answers."""
        encoded = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        return json.loads(self.ask("POST", path, encoded, "image/jpeg"))

    def post(self, path: str, fields: Mapping[str, Any]) -> Any:
        """Send fields as a page's script does."""
        return json.loads(self.ask("POST", path, to_json(dict(fields)), "application/json"))


def fits(meant: Meant, took: Meant) -> bool:
    """Whether a line of the journal is what was meant; arguments that were not meant may be anything."""
    if isinstance(meant, Action) and isinstance(took, Action):
        asked, given = to_builtins(meant.args), to_builtins(took.args)
        return meant.name == took.name and all(given.get(name) == value for name, value in asked.items())
    if isinstance(meant, DiceReading) and isinstance(took, DiceReading):
        return Counter((d.die, d.face) for d in meant.dice) == Counter((d.die, d.face) for d in took.dice)
    return worded(meant) == worded(took)


def _goes_on(means: Sequence[Meant], took: Sequence[Meant]) -> bool:
    """Whether what was taken so far is the beginning of what was meant."""
    return all(fits(*pair) for pair in zip(means, took, strict=False))


def worded(what: Meant) -> str:
    """An action or an answer in a few words."""
    match what:
        case Action(name=name, args=args):
            return " ".join([name, *(f"{key}={value}" for key, value in args.items())])
        case DiceReading(dice=dice):
            return "roll " + " ".join(sorted(str(die.face) for die in dice))
        case _:
            return " ".join(["answer", *sorted(_typed(what))])


def _typed(answer: Reading) -> list[str]:
    """An answer as people type it."""
    match answer:
        case DiceReading(faces=faces):
            return [str(face) for face in faces]
        case CoinReading(side=side):
            return [side]
        case CardReading(card=card):
            return [str(card)]
        case ChoiceReading(keys=keys):
            return list(keys)
        case NumberReading(value=value):
            return [str(value)]
        case TextReading(text=text):
            return [text]


def _words(where: Mapping[str, Any]) -> str:
    return "".join(f" {key} {value}" for key, value in where.items() if key in ("at", "beside", "on", "to"))


__all__ = ["EveningByHand", "HandPlayed", "Meant", "Place", "Upshot", "fits", "worded"]
