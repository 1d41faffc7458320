"""Requests that nobody would send: every route as every role, with right names, wrong shapes and any size.

Routes are taken from the application's own table and the names of fields from the source that reads them, so what
is added is tried without anybody thinking of it.
"""

from __future__ import annotations

import json
import logging
import re
import shutil
import tempfile
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, reduce
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import cv2
import msgspec
import numpy as np
from hypothesis import strategies as st

from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.app import routes
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.guard import Body, GuardedRoute
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import open_store
from tests.playing import evening
from tests.table.asking import Answer, Asker, Table
from tests.table.bodies import bodies

HOME = Path(__file__).parents[2]
PEOPLE = ("Ada", "Ben")
_READ = re.compile(r"""(?:\.(?:one|many|number|yes|get|getlist)|object_in|answers_in)\((?:form, )?f?"([a-z_.]+)""")


class Sent(msgspec.Struct, frozen=True):
    """One request, ready to be sent by a device of some role."""

    role: str
    method: str
    path: str
    body: bytes = b""
    kind: str = ""
    accept: str = "application/json"


@cache
def field_names() -> tuple[str, ...]:
    """Every name by which the table reads a field of a form or of an address."""
    files = [*(HOME / "table" / "hosting").glob("*.py"), *(HOME / "table" / "pages").glob("*.py")]
    found = {name for file in files for name in _READ.findall(file.read_text("utf-8"))}
    return tuple(sorted(found | {"answer", "answer0"}))  # a helper of its own reads these


@cache
def action_names() -> Mapping[str, tuple[str, ...]]:
    """Every action of every system, with the names of its arguments."""
    return {
        rule.name: tuple(field.encode_name for field in msgspec.structs.fields(rule.arguments))
        for system in SYSTEMS.values()
        for rule in system.actions.values()
    }


@cache
def known_words() -> tuple[str, ...]:
    """Words that mean something somewhere: people, figures, cards, choices, sessions, roles."""
    said = [*SYSTEMS, *Role, *PEOPLE, *action_names(), "0", "1", "-1", "3 4", "C1", "S3", "7H", "T2A", "strike"]
    for system in SYSTEMS.values():
        said += [word for ruling in system.rulings.values() for word in (ruling.id, ruling.choices[0].key)]
    for key, session in sessions().items():
        said += [key, *_names_in(session.state)]
    return tuple(dict.fromkeys(said))


def _names_in(state: Any) -> Iterator[str]:
    for name in ("characters", "npcs", "mages", "players"):
        yield from map(str, getattr(state, name, None) or ())


@cache
def sessions() -> Mapping[str, Session[Any]]:
    """A session of each game that has been played for a while, called like the game."""
    return {key: evening(key, 4) for key in SYSTEMS}


@cache
def _laid() -> Path:
    """A file of journals with these sessions, to be copied for every table."""
    path = Path(tempfile.mkdtemp(prefix="loomtable-fuzzing-")) / "sessions.db"
    with open_store(path) as store:
        for key, session in sessions().items():
            store.bring_in(key, session.lines())
    return path


# What is sent

_SIZES = st.sampled_from([300, 5_000, 30_000, 63_900, 64_100, 255_900, 257_000, 2_000_000, 12_100_000])
_LARGE = st.one_of(
    st.integers(1, 90_000).map(lambda count: "x" * count),
    st.integers(1, 9_000).map(lambda count: "\u4f60, [{" * count),
    st.integers(1, 5_000).map(lambda count: ["Ada"] * count),
    st.integers(1, 5_000).map(lambda count: {f"arg.{n}": n for n in range(count)}),
    st.integers(1, 700).map(lambda depth: reduce(lambda inside, _: [inside], range(depth), [])),
)
"""Values that fit where others do, and are only too large."""
_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 60),
    st.sampled_from([2**31, 2**63, 2**64, -(2**64), 10**30, 1.5, 1e308]),
    st.deferred(lambda: st.sampled_from(known_words())),
    st.text(max_size=12),
    st.sampled_from(["", " ", "[]", "{}", "[", "{a: 1}", "null", "2025-03-01", ".inf", ".nan", "1e400", "NaN",
                     '{"a": "\\ud800"}', "*a", "!!python/name:os.system", "9" * 5000, "\u0000", "..", "a/b"]),
)  # fmt: skip
_VALUES = st.recursive(
    _SCALARS,
    lambda inside: st.one_of(
        st.lists(inside, max_size=3),
        st.dictionaries(st.one_of(st.text(max_size=6), st.sampled_from(PEOPLE)), inside, max_size=3),
    ),
    max_leaves=6,
)


_ACCEPTED = st.sampled_from(
    ["application/json", "text/html", "text/html,application/xhtml+xml", "*/*", "", "x;q=y"]
)
_KINDS = st.sampled_from(
    [
        "application/json; charset=utf-16", "APPLICATION/JSON", "application/x-www-form-urlencoded; charset=x",
        "multipart/form-data", "multipart/form-data; boundary=x", "multipart/form-data; boundary=\u00e9",
        "text/plain", "image/jpeg", "/", ";", "",
    ]
)  # fmt: skip
_STRIPS = st.builds(
    lambda sides, turned: bytes(cv2.imencode(".png", np.zeros(sides[::-1] if turned else sides, np.uint8))[1]),
    st.tuples(st.integers(1, 9), st.sampled_from([900, 1400, 2907, 60_000])),
    st.booleans(),
)
_NO_OBJECT = st.one_of(
    _VALUES.map(json.dumps), st.sampled_from(["", "{", '{"a":1}{"a":2}', "[" * 5000, '{"a":' * 5000, "\ud800"])
).map(lambda text: text.encode(errors="surrogatepass"))


@st.composite
def requests(draw: st.DrawFn) -> Sent:
    """A request to one of the routes."""
    return msgspec.structs.replace(draw(_plain_requests()), accept=draw(_ACCEPTED))


@st.composite
def _plain_requests(draw: st.DrawFn) -> Sent:
    one: GuardedRoute = draw(st.sampled_from(_all_routes()))
    role = draw(st.sampled_from([*Role, "stranger", *[Role.HOST, Role.PLAYER] * 3]))
    system = draw(st.sampled_from(sorted(SYSTEMS)))
    path = _path(draw, one, system)
    if "GET" in (one.methods or ()):
        query = draw(st.lists(st.tuples(st.sampled_from(field_names()), _SCALARS.map(_typed)), max_size=4))
        return Sent(role, "GET", path + ("?" + urlencode(query, errors="replace") if query else ""))
    kind = draw(
        st.sampled_from(["json", "json", "form", "form", "bytes"] if one.body is Body.UPLOAD else ["json", "form"])
    )
    if kind == "bytes":
        return Sent(
            role, "POST", path, draw(st.one_of(st.binary(max_size=300), _STRIPS)), "application/octet-stream"
        )
    if not draw(st.integers(0, 9)):
        return Sent(role, "POST", path, draw(_NO_OBJECT), "application/json")
    if not draw(st.integers(0, 14)):
        several = bodies(draw(_SIZES))
        return Sent(role, "POST", path, *several[draw(st.sampled_from(sorted(several)))])
    fields = draw(_fields(system))
    if not draw(st.integers(0, 9)):
        body = draw(
            st.one_of(st.just(json.dumps(fields).encode()), st.just(urlencode(fields, errors="replace").encode()))
        )
        return Sent(role, "POST", path, body, draw(_KINDS))
    if kind == "json":
        return Sent(role, "POST", path, json.dumps(fields).encode(), "application/json")
    pairs = [(name, text) for name, value in fields.items() for text in _texts(value)]
    return Sent(
        role, "POST", path, urlencode(pairs, errors="replace").encode(), "application/x-www-form-urlencoded"
    )


@cache
def _all_routes() -> tuple[GuardedRoute, ...]:
    return tuple(routes())


def _path(draw: st.DrawFn, one: GuardedRoute, system: str) -> str:
    path = one.path
    for name, convertor in one.param_convertors.items():
        if type(convertor).__name__ == "PathConvertor":  # a session's name
            filled = (
                system if draw(st.integers(0, 9)) else draw(st.sampled_from(["nothing", "a/journal", "..", "%"]))
            )
        elif type(convertor).__name__ == "IntegerConvertor":
            filled = str(draw(st.one_of(st.integers(0, 70), st.just(10**25))))
        else:
            filled = draw(st.one_of(st.sampled_from(known_words()), st.text(min_size=1, max_size=8)))
        path = re.sub(rf"{{{name}(:\w+)?}}", lambda _: quote(filled, safe="/", errors="replace"), path)  # noqa: B023
    return path


@st.composite
def _fields(draw: st.DrawFn, system: str) -> dict[str, Any]:
    names = draw(st.lists(st.sampled_from(field_names()), max_size=5, unique=True))
    fields = {name: draw(_VALUES) for name in names}
    if names and not draw(st.integers(0, 9)):
        fields[names[0]] = draw(_LARGE)
    if draw(st.booleans()):  # where a plain form leads is read last, after the act
        fields["next"] = draw(_VALUES)
    if draw(st.booleans()):
        action = draw(st.sampled_from(sorted(SYSTEMS[system].actions)))
        args = {name: draw(_VALUES) for name in action_names()[action] if draw(st.integers(0, 3))}
        args |= {
            name: draw(st.sampled_from(PEOPLE))
            for name in ("who", "player")
            if name in args and draw(st.booleans())
        }
        fields["action"] = action
        if args and not draw(st.integers(0, 9)):
            args[min(args)] = draw(_LARGE)
        if draw(st.booleans()):
            fields["args"] = args
        else:
            fields |= {f"arg.{name}": value for name, value in args.items()}
    if draw(st.integers(0, 9)):
        fields["revision"] = NOW
    return fields


NOW = "the revision as it is"
"""Stands in a body for the number that the page would show when it is sent."""


def _texts(value: Any) -> list[str]:
    return [_typed(part) for part in value] if isinstance(value, list) else [_typed(value)]


def _typed(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


# Sending it


class Refused(AssertionError):
    """An answer that must not be."""


class _Last(logging.Handler):
    """The last defect that was logged, in a line."""

    said = ""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        frames = traceback.extract_tb(error.__traceback__) if error is not None else []
        where = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-3:]]
        self.said = f"{record.getMessage()} {type(error).__name__}: {error} at {' > '.join(where)}"


class Trial:
    """A table with all five games, a device of each role for each, and what they were answered."""

    def __init__(self, folder: Path) -> None:
        shutil.copy(_laid(), folder / "sessions.db")
        self.store = open_store(folder / "sessions.db")
        self.table = Table(TableHost(self.store), hurried=True)
        self.table.app.state.guesses = _Patient()
        self._last = _Last()
        logging.getLogger("loomtable").addHandler(self._last)
        self._devices: dict[tuple[str, str], Asker] = {}

    def send(self, sent: Sent) -> Answer:
        """Send a request; what came back.

        Raises:
            Refused: it was a defect of ours.
        """
        system = next((key for key in SYSTEMS if f"/{key}" in sent.path), "weave")
        body = sent.body.replace(quote(NOW, safe="").replace("%20", "+").encode(), self._revision(system))
        body = body.replace(json.dumps(NOW).encode(), self._revision(system))
        headers = {"sec-fetch-site": "same-origin", "content-type": sent.kind, "accept": sent.accept}
        device = self._device(sent.role, system)
        answer = device.ask(
            sent.method, sent.path, body, headers, whole=not sent.path.split("?")[0].endswith("/events")
        )
        if answer.status >= 500 or answer.status == 0:
            raise Refused(f"{answer.status}: {self._last.said or answer.text}, sent: {sent}")
        return answer

    def _revision(self, system: str) -> bytes:
        host = self.table.host
        return str(host.live_session(system).revision if system in host.store.sessions() else 1).encode()

    def _device(self, role: str, system: str) -> Asker:
        if role == "stranger":
            return self.table.stranger()
        known = self._devices.get((role, system))
        if known is None or not self.table.host.devices.still(known.id):
            person = PEOPLE[0] if role == Role.PLAYER else ""
            holder = self.table.host.devices.holders(system).get(person)
            if holder is not None:  # another device has said that it is Ada
                self.table.host.devices.revoke(holder.id)
            known = self.table.join(Role(role), person, system)
            self._devices[role, system] = known
        return known

    def end(self) -> None:
        """Every journal still folds, to what is open here.

        Raises:
            LoomtableError: one does not.
        """
        for name in self.store.sessions():
            folded = Session.resume(SYSTEMS, self.store.journal(name))
            here = self.table.host.live_session(name).session
            assert (folded.game, folded.pending) == (here.game, here.pending), name
        self.table.host.close()


class _Patient:
    def acquire(self, who: str, joined: bool = True) -> None:
        """Everybody may guess codes as often as they like."""


@contextmanager
def trial() -> Iterator[Trial]:
    with tempfile.TemporaryDirectory(prefix="loomtable-fuzzing-") as folder:
        made = Trial(Path(folder))
        try:
            yield made
        finally:
            logging.getLogger("loomtable").removeHandler(made._last)
            made.table.host.close()


def send_all(several: list[Sent]) -> None:
    """Send requests to a table of their own, and look at its journals afterwards."""
    with trial() as at_table:
        for sent in several:
            at_table.send(sent)
        at_table.end()
