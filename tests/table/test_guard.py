"""Who may ask for what: every route, as every role, by every name, from every kind of page."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import Response

from loomtable.engine.kernel.serialization import to_builtins
from loomtable.table.app import routes
from loomtable.table.hosting.devices import NotJoined, Role
from loomtable.table.hosting.errors import TooOften
from loomtable.table.hosting.guard import SAFE, GuardedRoute, route, split_host
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.throttle import Throttle
from loomtable.table.store import open_store
from tests.short import raises
from tests.table.asking import OWN, PORT, Asker, Table
from tests.tiers import mostly

HOST, PLAYER, CAMERA, SCREEN, STRANGER = "host", "player", "camera", "screen", "stranger"
ALL = {HOST, PLAYER, CAMERA, SCREEN}
PLAYERS = {HOST, PLAYER}
ANYBODY = {*ALL, STRANGER}
SEEING = ALL - {CAMERA}

GROUPS = {"anybody": ANYBODY, "all": ALL, "players": PLAYERS, "seeing": SEEING}
ROUTES: dict[str, str] = msgspec.yaml.decode(Path(__file__).with_name("routes.yaml").read_bytes())
EXPECTED = {name: GROUPS.get(roles) or set(roles.split(", ")) for name, roles in ROUTES.items()}

ORIGINS: dict[str, tuple[dict[str, str], bool]] = {
    "our own page": ({"sec-fetch-site": "same-origin", "origin": f"http://{OWN}"}, True),
    "our own page, an older browser": ({"origin": f"http://{OWN}"}, True),
    "our address over another scheme, an older browser": ({"origin": f"https://{OWN}"}, False),
    "typed into the address bar": ({"sec-fetch-site": "none"}, True),
    "a page of others": ({"sec-fetch-site": "cross-site", "origin": "http://evil.example"}, False),
    "a page of others, an older browser": ({"origin": "http://evil.example"}, False),
    "another port of this machine": ({"sec-fetch-site": "same-site", "origin": "http://127.0.0.1:9"}, False),
    "a page in a sandbox": ({"origin": "null"}, False),
    "nobody says": ({}, False),
}
HOSTS = {
    OWN: True,
    f"localhost:{PORT}": True,
    "evil.example": False,
    f"evil.example:{PORT}": False,
    "127.0.0.1": False,
    f"{OWN}/x": False,
    f"{OWN}#@evil.example": False,
    f"evil.example@{OWN}": False,
}


@pytest.fixture
def at_table(tmp_path: Path) -> Iterator[Table]:
    with TableHost(open_store(tmp_path / "e.db")) as host:
        host.begin("storm-weavers", "friday")
        made = Table(host)
        yield made


def named(one: GuardedRoute) -> str:
    [method] = set(one.methods or ()) - {"HEAD"}
    return f"{method} {one.path}"


def device_of(table: Table, role: str) -> Asker:
    return table.stranger() if role == STRANGER else table.join(Role(role), "Ilse" if role == PLAYER else "")


def path_of(one: GuardedRoute) -> str:
    path = one.path.replace("{session:path}", "friday")
    for name in one.param_convertors:
        path = path.replace(f"{{{name}:int}}", "1").replace(f"{{{name}:path}}", "x").replace(f"{{{name}}}", "x")
    return path


def test_every_route_says_who_may_use_it() -> None:
    known = {named(one): one for one in routes()}
    assert set(known) - set(EXPECTED) == set(), "routes without an expectation; write it into routes.yaml"
    assert set(EXPECTED) - set(known) == set(), "expectations of routes that are gone"
    for name, one in known.items():
        assert isinstance(one, GuardedRoute)
        assert {STRANGER if role is None else str(role) for role in one.roles} == EXPECTED[name], name
        assert not (set(one.methods or ()) & SAFE and set(one.methods or ()) - SAFE), name


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_matrix(at_table: Table, name: str) -> None:
    """Role x Host x Origin for one route; what gets past the guard is the route's own to answer."""
    [one] = [one for one in routes() if named(one) == name]
    method, path = name.split(" ")[0], path_of(one)
    telling = {min(EXPECTED[name]), STRANGER}
    strange = [name for name, ours in HOSTS.items() if not ours]
    strange += [name for name, (_, ours) in ORIGINS.items() if not ours]
    turn = sorted(EXPECTED).index(name)
    left_out = {*strange} - {*mostly(strange, itertools.islice(itertools.cycle(strange), turn, turn + 5))}
    for role, (host, ours), (origin, (headers, from_us)) in itertools.product(
        [*ALL, STRANGER], HOSTS.items(), ORIGINS.items()
    ):
        if {host, origin} & left_out:
            continue  # each route is shown some of them by turns, and all routes together all of them
        if not ours and origin != "our own page":
            continue  # the name is looked at before anything else, so one kind of page shows it
        if host != OWN and ours and origin != "typed into the address bar":
            continue
        if role not in telling and (host, origin) != (OWN, "our own page"):
            continue  # what a name or a page changes is shown by one who may, and by one who may nothing
        asker = device_of(at_table, role)
        sent = {**headers, "content-type": "application/json"} if method == "POST" else headers
        body = b"{}" if method == "POST" else b""
        answer = asker.ask(method, path, body, sent, host=host, whole=False)
        told = f"{name} as {role} by {host} from {origin}: {answer.status}"
        if not ours:
            assert answer.status == 421, told
        elif method == "POST" and not from_us:
            assert answer.status in (401, 403), told
            if role != STRANGER:
                assert "not the table's" in asker.ask(method, path, body, sent).text, told
        elif role not in EXPECTED[name]:
            assert answer.status == (401 if role == STRANGER else 403), told
        else:
            assert answer.status not in (401, 421, 500), told
        assert answer.headers["x-content-type-options"] == "nosniff", told
        assert "default-src 'none'" in answer.headers["content-security-policy"], told
        if role != STRANGER:
            with contextlib.suppress(NotJoined):  # the route may have let it go already
                at_table.host.devices.revoke(asker.id)


@pytest.mark.parametrize(
    "method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]
)
def test_the_name_is_looked_at_on_every_method_before_any_route(at_table: Table, method: str) -> None:
    asker = device_of(at_table, HOST)
    for path in ("/", "/api/devices", "/nowhere", "/join"):
        assert asker.ask(method, path, host=f"evil.example:{PORT}").status == 421
        assert asker.ask(method, path, host="").status == 421
        assert asker.ask(method, path, host=(OWN, "evil.example")).status == 421
    assert asker.ask(method, "/api/devices", headers=ORIGINS["our own page"][0]).status in (
        (200,) if method in ("GET", "HEAD") else (405,)
    )


def test_asking_alone_changes_nothing(at_table: Table) -> None:
    asker = device_of(at_table, HOST)
    at_table.host.live_session("friday").session.perform("create", dexterity_points=2)

    def all_there_is() -> Any:
        live = at_table.host.live_session("friday")
        journal = at_table.host.store.journal("friday").lines()
        devices = [(d.id, d.role) for d in at_table.host.devices.all()]
        return (
            journal,
            to_builtins(live.session.state),
            devices,
            at_table.host.store.sessions(),
            live.watch.camera.on,
        )

    before = all_there_is()
    for one in routes():
        if "GET" in (one.methods or ()):
            for query in ("", "?undo=1&seq=1&camera=0&void=1&role=host&what=coin-tokens&device=" + asker.id):
                asker.ask("GET", path_of(one) + query, whole=False)
                assert all_there_is() == before, one.path


def test_a_program_gives_its_token_instead(at_table: Table) -> None:
    asker = device_of(at_table, HOST)
    token = asker.token
    form = {"content-type": "application/json", "authorization": f"Bearer {token}", "cookie": ""}
    body = b'{"revision": 1, "action": "create", "args": {"dexterity_points": 2}}'
    assert asker.ask("POST", "/api/play/friday/act", body, {**form, "authorization": "Bearer wrong"}).status == 401
    assert asker.ask("POST", "/api/play/friday/act", body, form).status == 200
    # A cookie alone proves nothing: a page of others could have made the browser send it.
    assert (
        asker.ask("POST", "/api/play/friday/undo", b'{"revision": 2}', {"content-type": "application/json"}).status
        == 403
    )


def test_the_hosts_page_is_not_served_over_plain_http_to_the_network(tmp_path: Path) -> None:
    with TableHost(open_store(tmp_path / "e.db")) as host:
        host.begin("storm-weavers", "friday")
        from loomtable.table.app import application

        table = Table(host)
        table.app = application(host, ["127.0.0.1", "192.168.1.5"], [PORT])
        asker = table.join(Role.HOST)
        there = f"192.168.1.5:{PORT}"
        assert asker.ask("GET", "/api/devices", host=there).status == 403
        assert asker.ask("GET", "/api/devices", host=there, scheme="https").status == 200
        assert asker.ask("GET", "/api/devices").status == 200
        phone = table.join(Role.PLAYER, "Ilse")
        assert phone.ask("GET", "/api/play/friday/state", host=there).status == 200


def test_what_not_even_the_answer_to_a_defect_survives_has_our_headers_and_is_written_down(
    at_table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(request: Request, status: int, says: str) -> Response:
        raise RuntimeError("the page for troubles is broken too")

    at_table.app.state.trouble_page = broken
    answer = device_of(at_table, HOST).ask("GET", "/nowhere", headers={"accept": "text/html"})
    assert answer.status == 500
    assert answer.text.startswith("Something went wrong, and it is our fault")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    [defect] = [one for one in caplog.records if one.exc_info]
    assert defect.name.startswith("loomtable") and defect.levelname == "ERROR"


@pytest.mark.parametrize("next_", [{}, None, [None], [], [["/"]], 7, "//evil.example", "/\\evil", "/\n"])
def test_a_way_back_that_is_none_leads_to_the_start_and_the_act_counts_once(at_table: Table, next_: Any) -> None:
    asker = device_of(at_table, HOST)
    headers = {"accept": "text/html", "content-type": "application/json", "sec-fetch-site": "same-origin"}
    act = {"action": "create", "args": {"dexterity_points": 2}, "revision": 1, "next": next_}
    for revision in (2, 2):  # it is done, and then refused: the page is out of date
        answer = asker.ask("POST", "/api/play/friday/act", json.dumps(act).encode(), headers)
        assert (answer.status, answer.headers["location"]) == (303, "/")
        assert at_table.host.live_session("friday").revision == revision


def test_a_referer_that_is_no_address_leads_to_the_start(at_table: Table) -> None:
    headers = {"accept": "text/html", "sec-fetch-site": "same-origin", "referer": "http://[::1"}
    answer = device_of(at_table, HOST).ask("POST", "/api/play/friday/undo", b"revision=9", headers)
    assert (answer.status, answer.headers["location"]) == (303, "/")


def test_a_device_sees_no_session_but_the_one_that_is_open(at_table: Table) -> None:
    at_table.host.begin("weave", "saturday")
    phone = at_table.join(Role.PLAYER, "Ilse", "friday")
    assert phone.get("/api/play/friday/state").status == 200
    assert phone.get("/api/play/saturday/state").status == 404
    assert at_table.join(Role.HOST).get("/api/play/saturday/state").status == 200


SHORT = {"event_bus.py", "throttle.py"}
"""Whose locks are held for a few lines that wait for nothing, and may be waited for in the loop."""


class Watched:
    """A lock that notes when the loop, which answers everybody, waits for it."""

    def __init__(self, lock: Any, made_in: str, noted: set[str]) -> None:
        self._lock, self._made_in, self._noted = lock, made_in, noted

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lock, name)

    def __enter__(self) -> None:
        with contextlib.suppress(RuntimeError):
            asyncio.get_running_loop()
            self._noted.add(f"{self._made_in}: {traceback.extract_stack(limit=3)[0]}")
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def watch_locks(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Where the loop waits for a lock that the table makes from now on."""
    noted: set[str] = set()

    def instead_of(make: Callable[[], Any]) -> Callable[[], Any]:
        def made() -> Any:
            place = Path(sys._getframe(1).f_code.co_filename)
            ours = "table" in place.parts and place.name not in SHORT
            return Watched(make(), place.name, noted) if ours else make()

        return made

    for kind in ("Lock", "RLock"):
        monkeypatch.setattr(threading, kind, instead_of(getattr(threading, kind)))
    return noted


def test_the_loop_waits_for_no_lock_of_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every route as every role, and as a phone whose owner has not said who they are."""
    noted = watch_locks(monkeypatch)
    with TableHost(open_store(tmp_path / "e.db")) as host:
        host.begin("mnemonic", "monday")
        at_table = Table(host, hurried=True)
        people = [(HOST, ""), (PLAYER, "Ilse"), (PLAYER, ""), (CAMERA, ""), (SCREEN, ""), (STRANGER, "")]
        for one in routes():
            method, path = named(one).split(" ")[0], path_of(one).replace("friday", "monday")
            for role, person in people:
                asker = at_table.stranger()
                if role != STRANGER:
                    asker = at_table.join(Role(role), person, "monday")
                sent = {"sec-fetch-site": "same-origin", "accept": "text/html"}
                asker.ask(method, path, b"a=b" if method == "POST" else b"", sent, whole="events" not in path)
                if role != STRANGER:
                    with contextlib.suppress(NotJoined):  # the route may have let it go already
                        host.devices.revoke(asker.id)
        for path in ("/nowhere", "/join", "/api/play/nowhere/state"):
            sent = {"sec-fetch-site": "same-origin", "accept": "text/html"}
            at_table.join(Role.PLAYER, "", "monday").ask("POST", path, b"a=b", sent)
        assert isinstance(host._lock, Watched) and isinstance(host.devices._lock, Watched)
    assert noted == set()


def test_no_route_can_be_made_without_roles() -> None:
    def endpoint(request: Request) -> Response:
        return Response()

    with pytest.raises(TypeError):
        route("/somewhere", endpoint)  # type: ignore[call-arg]
    raises(ValueError, "which roles", route, "/somewhere", endpoint, roles=())
    raises(ValueError, "must change nothing", route, "/somewhere", endpoint, roles=Role, methods=["GET", "POST"])


@given(st.text(alphabet=st.characters(codec="latin-1"), max_size=60))
def test_any_host_header_is_taken_apart_or_refused(given_host: str) -> None:
    name, port = split_host(given_host)
    assert name == name.lower()
    assert port is None or 0 <= port <= 65535


def test_a_device_that_asks_too_often_waits_and_is_never_shut_out() -> None:
    now = [0.0]
    throttle = Throttle(rate=2, burst=3, clock=lambda: now[0])
    for _ in range(3):
        throttle.acquire("a")
    with pytest.raises(TooOften, match="try again in a second") as trouble:
        throttle.acquire("a")
    assert trouble.value.wait == pytest.approx(0.5)
    throttle.acquire("b")  # others are not slowed down
    for _ in range(1000):
        with pytest.raises(TooOften):
            throttle.acquire("a")
    now[0] += trouble.value.wait + 0.001  # insisting does not make it longer
    throttle.acquire("a")
    for number in range(5000):
        throttle.acquire(f"?10.0.{number // 250}.{number % 250}", joined=False)
    assert len(throttle._buckets) <= 1024


def test_too_often_is_a_sentence_with_a_time_to_wait(at_table: Table) -> None:
    asker = device_of(at_table, PLAYER)
    answers = [asker.get("/api/play/friday/camera") for _ in range(400)]
    late = [a for a in answers if a.status == 429]
    assert late and "try again" in late[0].json["error"] and int(late[0].headers["retry-after"]) >= 1
    assert at_table.join(Role.PLAYER, "Ben").get("/api/play/friday/camera").status == 200
