"""Devices: codes that work once, names, what is kept of them, and those that were let go or listen slowly."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.table.hosting.devices import (
    CODE_SECONDS,
    FORGOTTEN_AFTER,
    MOST_DEVICES,
    SEEN_KEPT_EVERY,
    Devices,
    NotJoined,
    Role,
)
from loomtable.table.hosting.event_bus import Change, EventBus, Topic
from loomtable.table.hosting.events import stream
from loomtable.table.store import Store, open_store
from tests.short import present, raises
from tests.table.asking import Asker, Table
from tests.table.at_once import raised_by
from tests.table.ports import free_port
from tests.tiers import thorough


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    """Where devices are kept, on SQLite and on PostgreSQL."""
    with open_store(place) as kept:
        yield kept


def text_of(store: Store) -> str:
    """What the store holds of all devices."""
    with store.shared("devices") as (text, _):
        return text


def test_a_hosts_code_works_once_and_for_five_minutes(store: Store) -> None:
    now = [1000.0]
    devices = Devices(store, clock=lambda: now[0], steady=lambda: now[0])
    code = devices.pair().code
    assert devices.pairing(f" {code[:3].lower()}-{code[3:]} ") is not None  # as people type it
    device, token = devices.join(code.lower())
    assert devices.of_token(token) == device and device.viewer == STORYTELLER
    raises(NotJoined, "does not work, or not any more", devices.join, code)
    late = devices.pair().code
    now[0] += CODE_SECONDS
    with pytest.raises(NotJoined):
        devices.join(late)


def test_a_clock_that_is_set_back_makes_no_code_live_longer(store: Store) -> None:
    today, steady = [90_000.0], [50.0]
    devices = Devices(store, clock=lambda: today[0], steady=lambda: steady[0])
    code = devices.pair().code
    today[0] -= 24 * 3600
    steady[0] += CODE_SECONDS - 1
    assert devices.pairing(code) is not None
    steady[0] += 1
    with pytest.raises(NotJoined):
        devices.join(code)


def test_a_phone_that_comes_every_week_stays_and_one_that_stays_away_does_not(store: Store) -> None:
    """Thirty weeks, the table opened anew for each evening; nobody else joins or goes."""
    now = [1_000_000.0]
    devices = Devices(store, clock=lambda: now[0])
    tokens = {person: devices.admit(Role.PLAYER, person, "friday")[1] for person in ("Ada", "Ben")}
    for _ in range(30):
        now[0] += 7 * 24 * 3600
        evening = Devices(store, clock=lambda: now[0])
        assert evening.of_token(tokens["Ada"]) is not None
        evening.catch_up()
    assert Devices(store, clock=lambda: now[0]).of_token(tokens["Ben"]) is None


def test_an_evening_with_the_clock_a_year_ahead_costs_no_phone_its_place(store: Store) -> None:
    now = [1_000_000.0]
    devices = Devices(store, clock=lambda: now[0])
    phone = devices.admit(Role.PLAYER, "Ada", "friday")[1]
    now[0] += 400 * 24 * 3600
    ahead = Devices(store, clock=lambda: now[0])
    assert ahead.of_token(phone) is None and ahead.all() == ()
    ahead.admit(Role.HOST)  # which changes who has joined
    now[0] -= 400 * 24 * 3600
    assert Devices(store, clock=lambda: now[0]).of_token(phone) is not None


def test_of_those_long_away_the_latest_are_remembered(store: Store) -> None:
    now = [1_000_000.0]
    devices = Devices(store, clock=lambda: now[0])
    for _ in range(MOST_DEVICES + 3):
        now[0] += FORGOTTEN_AFTER + 1
        last, _ = devices.admit(Role.SCREEN)
    assert devices.all() == (last,) and len(json.loads(text_of(store))) == MOST_DEVICES + 1


def test_that_a_device_was_seen_is_written_once_a_day(store: Store) -> None:
    now = [1_000_000.0]
    devices = Devices(store, clock=lambda: now[0])
    _, token = devices.admit(Role.SCREEN)
    kept = text_of(store)
    for _ in range(100):
        now[0] += 60
        assert devices.of_token(token) is not None
        devices.catch_up()
    assert text_of(store) == kept
    now[0] += SEEN_KEPT_EVERY
    devices.of_token(token)
    devices.catch_up()
    assert text_of(store) != kept


def test_who_opens_the_table_at_this_machine_gets_in_however_many_have_joined(store: Store) -> None:
    """A link was opened in a new window every evening; the host's device that was longest away makes room."""
    now = [1_000_000.0]
    devices = Devices(store, clock=lambda: now[0])
    phone, _ = devices.admit(Role.PLAYER, "Ada", "friday")
    hosts = []
    for _ in range(MOST_DEVICES - 1):
        now[0] += 60
        hosts.append(devices.admit(Role.HOST))
    now[0] += 60
    assert devices.of_token(hosts[0][1]) is not None  # it is in use
    for role in (Role.HOST, Role.SCREEN):  # a code from a page makes no room
        raises(NotJoined, "let one go first", devices.admit, role)
    device, token = devices.join(devices.pair(makes_room=True).code)
    assert devices.of_token(hosts[1][1]) is None
    assert devices.of_token(token) == device and len(devices.all()) == MOST_DEVICES
    assert {phone.id, hosts[0][0].id} <= {one.id for one in devices.all()}


def test_where_only_phones_have_joined_the_one_longest_away_makes_room_for_the_host(store: Store) -> None:
    now = [1_000_000.0]
    devices = Devices(store, clock=lambda: now[0])
    for n in range(MOST_DEVICES):
        now[0] += 60
        devices.admit(Role.PLAYER, f"P{n}", "friday")
    host, _ = devices.join(devices.pair(makes_room=True).code)
    assert [device.person for device in devices.all()][:2] == ["P1", "P2"] and devices.still(host.id)


def test_a_browser_that_has_joined_is_led_to_its_page_and_not_joined_again(friday: Table, host: Asker) -> None:
    devices = friday.host.devices
    before = devices.all()
    code = devices.pair().code
    led = host.get(f"/join?code={code}&next=/table/friday", accept="text/html")
    assert (led.status, led.headers["location"]) == (303, "/table/friday")
    assert host.get(f"/join?code={code}&next=//evil", accept="text/html").headers["location"] == "/"
    assert devices.pairing(code) is not None, "looking changes nothing"
    joined = host.post("/join", code=code)
    assert (joined.status, joined.json["says"]) == (200, "This device has joined already, as the host.")
    assert "set-cookie" not in joined.headers and devices.pairing(code) is None, "the code is used up"
    assert [device.id for device in devices.all()] == [device.id for device in before]


def test_a_page_lets_the_browser_keep_its_token_for_as_long_as_the_device_is_remembered(friday: Table) -> None:
    phone = friday.join(Role.PLAYER, "Ilse")
    cookie = phone.get("/table/friday", accept="text/html").headers["set-cookie"]
    assert phone.token in cookie and f"Max-Age={FORGOTTEN_AFTER}" in cookie and "HttpOnly" in cookie
    assert "set-cookie" not in friday.stranger().get("/join", accept="text/html").headers


def test_names_that_stand_for_somebody_else_are_refused(store: Store) -> None:
    devices = Devices(store)
    for person in ("storyteller", " Storyteller ", "the room"):
        raises(NotJoined, "stands for somebody else", devices.admit, Role.PLAYER, person, "friday")
    for person in ("x" * 41, "a\x07b"):
        with pytest.raises(NotJoined):
            devices.admit(Role.PLAYER, person, "friday")
    assert devices.all() == ()


def test_a_phone_takes_no_seat_that_somebody_else_holds(store: Store) -> None:
    """It comes to another evening under the last of its names that is free there, or under none."""
    devices = Devices(store)
    own, _ = devices.admit(Role.PLAYER, "ada", "friday")
    other, _ = devices.admit(Role.PLAYER, "Ada", "saturday")
    assert devices.seat(other.id, "friday", ("Ada", "Ben")).person == ""
    devices.become(other.id, Role.PLAYER, "Ben", "sunday")
    devices.become(other.id, Role.PLAYER, "Ada", "monday")
    assert devices.seat(other.id, "tuesday", ("Ada", "Ben")).person == "Ada"
    devices.become(own.id, Role.PLAYER, "Ada", "wednesday")
    assert devices.seat(other.id, "wednesday", ("Ada", "Ben")).person == "Ben"
    assert devices.seat(other.id, "thursday", ("Cid",)).person == ""
    assert {name: device.id for name, device in devices.holders("wednesday").items()} == {
        "Ada": own.id,
        "Ben": other.id,
    }


def test_devices_stay_joined_when_the_table_is_opened_again_and_no_token_is_kept(store: Store) -> None:
    devices = Devices(store)
    device, token = devices.admit(Role.PLAYER, "Ilse", "friday")
    assert token not in str(text_of(store))
    again = Devices(store)
    found = again.of_token(token)
    assert found is not None and (found.id, found.person, found.role) == (device.id, "Ilse", Role.PLAYER)
    again.revoke(device.id)
    assert Devices(store).of_token(token) is None
    with store.shared("devices", writes=True) as (_, write):
        write("damaged")
    assert Devices(store).all() == (), "a damaged record keeps nobody from playing"


def test_the_file_of_an_earlier_loomtable_is_read_once(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "devices.json"
    device = {
        "id": "a1",
        "name": "Ada's phone",
        "role": "player",
        "person": "Ada",
        "sitting": "friday",
        "seen": 1e12,
    }
    file.write_text(json.dumps([{"token_hash": hashlib.sha256(b"of last year").hexdigest(), "device": device}]))
    found = Devices(store, file).of_token("of last year")
    assert found is not None and found.names == {"friday": "Ada"}
    assert not file.exists() and file.with_name("devices.json.old").exists()
    Devices(store).revoke("a1")
    assert Devices(store, file).all() == ()
    file.write_text("damaged")
    assert Devices(store, file).all() == () and not file.exists()


def test_two_tables_on_one_account_forget_nobody(place: str) -> None:
    """Each sees whom the other has admitted and let go; a name and a last chair are given to one alone."""
    with open_store(place) as one, open_store(place) as other:
        changes: list[str] = []
        here, there = Devices(one), Devices(other, changed=lambda: changes.append("told"))
        ada, adas = here.admit(Role.PLAYER, "Ada", "friday")
        _, bens = there.admit(Role.PLAYER, "Ben", "friday")
        raises(NotJoined, "Ada has joined already", there.admit, Role.PLAYER, "Ada", "friday")
        here.catch_up()
        assert [set(devices.holders("friday")) for devices in (here, there)] == [{"Ada", "Ben"}] * 2
        assert here.of_token(bens) is not None and there.of_token(adas) is not None
        there.become(ada.id, Role.SCREEN, "", "friday")
        here.catch_up()
        assert [device.name for device in here.all()] == ["a television", "Ben's phone"]
        changes.clear()
        here.revoke(ada.id)
        there.catch_up()
        assert there.of_token(adas) is None and changes == ["told"]
        again = Devices(one)
        assert again.of_token(bens) is not None and len(again.all()) == 1


@pytest.mark.parametrize("round_", range(3))
def test_two_tables_that_admit_at_the_same_moment(place: str, in_turns: None, round_: int) -> None:
    """Sixteen phones at each of two tables, every name asked for at both, once in wide letters."""
    with open_store(place) as one, open_store(place) as other:
        tables = [Devices(one), Devices(other)]
        admitted: list[str] = []

        def join(devices: Devices, at: int, first: str) -> None:
            for n in (*range(at, 16), *range(at)):
                with contextlib.suppress(NotJoined):
                    devices.admit(Role.PLAYER, f"{first}{n}", "friday")
                    admitted.append(f"P{n}")

        ways = [(devices, *way) for devices in tables for way in ((0, "P"), (round_, "ｐ"))]
        assert not raised_by(*(partial(join, *way) for way in ways))
        names = {f"P{n}" for n in range(16)}
        assert sorted(admitted) == sorted(names)
        for devices in (*tables, Devices(one)):
            devices.catch_up()
            held = {name.replace("ｐ", "P") for name in devices.holders("friday")}
            assert held == names and len(devices.all()) == 16


def test_a_device_that_was_let_go_does_nothing_more_and_its_page_is_told(friday: Table, host: Asker) -> None:
    phone = friday.join(Role.PLAYER, "Ilse")
    device = next(d for d in friday.host.devices.all() if d.id == phone.id)

    async def told() -> list[str]:
        heard = stream(friday.host.live_session("friday"), device, friday.host.devices, heartbeat=0.2)
        texts = [await anext(heard) + await anext(heard)]
        waiting = asyncio.ensure_future(_rest(heard))
        await asyncio.sleep(0.05)
        assert host_revokes().status == 200
        return texts + await asyncio.wait_for(waiting, 3)

    def host_revokes():  # type: ignore[no-untyped-def]
        results = []
        thread = threading.Thread(target=lambda: results.append(host.post("/api/devices/revoke", device=phone.id)))
        thread.start()
        thread.join()
        return results[0]

    texts = asyncio.run(told())
    assert texts[0] == 'retry: 2000\n\nevent: play\ndata: {"revision":3}\n\n'
    assert texts[-1] == 'event: closed\ndata: {"revision":3}\n\n'
    assert phone.get("/api/play/friday/state").status == 401
    assert host.post("/api/devices/revoke", device=phone.id).status == 400


async def _rest(heard) -> list[str]:  # type: ignore[no-untyped-def]
    return [text async for text in heard]


def test_news_wait_for_a_slow_listener_once_a_kind() -> None:
    async def run() -> list[Change | None]:
        news = EventBus()
        listening = news.subscribe(heartbeat=0.5)
        first = asyncio.ensure_future(anext(listening))
        await asyncio.sleep(0.01)
        for revision in range(1000):
            news.publish(Change(Topic.PLAY, revision))
            news.publish(Change(Topic.CAMERA, revision))
        heard: list[Change | None] = [await first, await anext(listening), await anext(listening)]
        news.publish(Change(Topic.CLOSED, 1000))
        heard += [change async for change in listening]
        assert news.subscribers == 0
        return heard

    heard = asyncio.run(run())
    assert heard[0] == Change(Topic.PLAY, 999) and heard[1] == Change(Topic.CAMERA, 999)
    assert heard[2] is None and heard[-1] == Change(Topic.CLOSED, 1000)


def test_what_a_browser_lost_is_said_again_with_the_next_sign_of_life(friday: Table) -> None:
    live = friday.host.live_session("friday")

    async def heard() -> list[Change | None]:
        listening = live.subscribe(heartbeat=0.05)
        return [await anext(listening) for _ in range(5)]

    live.bus.publish(Change(Topic.DEVICES, live.revision))
    play, devices, sign, *again = asyncio.run(heard())
    assert sign is None and again == [play, devices] and play == Change(Topic.PLAY, live.revision)


def test_guessing_codes_is_slowed_down(friday: Table) -> None:
    stranger = friday.stranger()
    tries = [stranger.post("/join", code="AAAAAA").status for _ in range(12)]
    assert tries[0] == 400 and tries[-1] == 429
    assert tries.count(400) <= 7


def test_joining_gives_a_cookie_that_no_script_reads(friday: Table) -> None:
    code = friday.host.devices.code
    joined = friday.stranger().post("/join", code=code, person="Ilse")
    cookie = joined.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "token" not in joined.json
    body = urlencode({"code": code, "role": "camera"}).encode()
    headers = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin"}
    secure = friday.stranger().ask("POST", "/join", body, headers, scheme="https")
    assert (
        secure.headers["set-cookie"].startswith("__Host-loomtable-8417=")
        and "Secure" in secure.headers["set-cookie"]
    )


def opened_table(folder: Path, port: int) -> tuple[subprocess.Popen[str], str]:
    """A table of its own program on the store in a folder, and a code for its host."""
    command = [sys.executable, "-m", "loomtable", "table", "--no-open", "--port", str(port)]
    program = subprocess.Popen(
        [*command, "--store", str(folder / "e.db")], stdout=subprocess.PIPE, text=True,
        env={"XDG_DATA_HOME": str(folder / "data"), "PATH": "", "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    said = present(program.stdout)
    assert "open at" in said.readline()
    return program, present(re.search(r"code=(\w+)", said.readline()))[1]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
@thorough
def test_two_programs_on_one_store_know_each_others_devices_after_a_kill_too(tmp_path: Path) -> None:
    def client(port: int, code: str) -> httpx.Client:
        own = httpx.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=60, headers={"sec-fetch-site": "same-origin"}
        )
        assert own.post("/join", data={"code": code}).status_code == 303
        return own

    def until(status: int, port: int, of: httpx.Client) -> None:
        for _ in range(200):
            asked = httpx.get(f"http://127.0.0.1:{port}/api/devices", cookies=dict(of.cookies), timeout=60)
            if asked.status_code == status:
                return
            time.sleep(0.1)
        raise AssertionError(f"{asked.status_code} instead of {status}")

    ports = free_port(), free_port()
    programs = [opened_table(tmp_path, port) for port in ports]
    try:
        one, other = [client(port, code) for port, (_, code) in zip(ports, programs, strict=True)]
        until(200, ports[0], other)
        until(200, ports[1], one)
        programs[1][0].kill()
        programs[1][0].wait()
        programs[1] = opened_table(tmp_path, ports[1])
        until(200, ports[1], other)
        [first, _] = other.get("/api/devices").json()
        assert other.post("/api/devices/revoke", data={"device": first["id"]}).status_code == 303
        until(401, ports[0], one)
        until(200, ports[0], other)
    finally:
        for program, _ in programs:
            program.terminate()
            program.communicate(timeout=60)
