"""Devices: codes that work once, names, what is kept of them, and those that were let go or listen slowly."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from urllib.parse import urlencode

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
from tests.short import raises
from tests.table.asking import Asker, Table


@pytest.fixture
def host(friday: Table) -> Asker:
    return friday.join(Role.HOST)


def test_a_hosts_code_works_once_and_for_five_minutes() -> None:
    now = [1000.0]
    devices = Devices(clock=lambda: now[0], steady=lambda: now[0])
    code = devices.pair().code
    assert devices.pairing(f" {code[:3].lower()}-{code[3:]} ") is not None  # as people type it
    device, token = devices.join(code.lower())
    assert devices.of_token(token) == device and device.viewer == STORYTELLER
    raises(NotJoined, "does not work, or not any more", devices.join, code)
    late = devices.pair().code
    now[0] += CODE_SECONDS
    with pytest.raises(NotJoined):
        devices.join(late)


def test_a_clock_that_is_set_back_makes_no_code_live_longer() -> None:
    today, steady = [90_000.0], [50.0]
    devices = Devices(clock=lambda: today[0], steady=lambda: steady[0])
    code = devices.pair().code
    today[0] -= 24 * 3600
    steady[0] += CODE_SECONDS - 1
    assert devices.pairing(code) is not None
    steady[0] += 1
    with pytest.raises(NotJoined):
        devices.join(code)


def test_a_phone_that_comes_every_week_stays_and_one_that_stays_away_does_not(tmp_path: Path) -> None:
    """Thirty weeks, the table opened anew for each evening; nobody else joins or goes."""
    now = [1_000_000.0]
    file = tmp_path / "devices.json"
    devices = Devices(file, clock=lambda: now[0])
    tokens = {person: devices.admit(Role.PLAYER, person, "friday")[1] for person in ("Ada", "Ben")}
    for _ in range(30):
        now[0] += 7 * 24 * 3600
        evening = Devices(file, clock=lambda: now[0])
        assert evening.of_token(tokens["Ada"]) is not None
    assert Devices(file, clock=lambda: now[0]).of_token(tokens["Ben"]) is None


def test_an_evening_with_the_clock_a_year_ahead_costs_no_phone_its_place(tmp_path: Path) -> None:
    now = [1_000_000.0]
    file = tmp_path / "devices.json"
    devices = Devices(file, clock=lambda: now[0])
    phone = devices.admit(Role.PLAYER, "Ada", "friday")[1]
    now[0] += 400 * 24 * 3600
    ahead = Devices(file, clock=lambda: now[0])
    assert ahead.of_token(phone) is None and ahead.all() == ()
    ahead.admit(Role.HOST)  # which writes down who has joined
    now[0] -= 400 * 24 * 3600
    assert Devices(file, clock=lambda: now[0]).of_token(phone) is not None


def test_that_a_device_was_seen_is_written_once_a_day(tmp_path: Path) -> None:
    now = [1_000_000.0]
    file = tmp_path / "devices.json"
    devices = Devices(file, clock=lambda: now[0])
    _, token = devices.admit(Role.SCREEN)
    file.unlink()
    for _ in range(100):
        now[0] += 60
        assert devices.of_token(token) is not None
    assert not file.exists()
    now[0] += SEEN_KEPT_EVERY
    devices.of_token(token)
    assert file.exists()


def test_who_opens_the_table_at_this_machine_gets_in_however_many_have_joined() -> None:
    """A link was opened in a new window every evening; the host's device that was longest away makes room."""
    now = [1_000_000.0]
    devices = Devices(clock=lambda: now[0])
    phone, _ = devices.admit(Role.PLAYER, "Ada", "friday")
    hosts = []
    for _ in range(MOST_DEVICES - 1):
        now[0] += 60
        hosts.append(devices.admit(Role.HOST))
    now[0] += 60
    assert devices.of_token(hosts[0][1]) is not None  # it is in use
    for role in (Role.HOST, Role.SCREEN):  # a code from a page makes no room
        with pytest.raises(NotJoined, match="let one go first"):
            devices.admit(role)
    device, token = devices.join(devices.pair(makes_room=True).code)
    assert devices.of_token(hosts[1][1]) is None
    assert devices.of_token(token) == device and len(devices.all()) == MOST_DEVICES
    assert {phone.id, hosts[0][0].id} <= {one.id for one in devices.all()}


def test_where_only_phones_have_joined_the_one_longest_away_makes_room_for_the_host() -> None:
    now = [1_000_000.0]
    devices = Devices(clock=lambda: now[0])
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


def test_names_that_stand_for_somebody_else_are_refused() -> None:
    devices = Devices()
    for person in ("storyteller", " Storyteller ", "the room"):
        raises(NotJoined, "stands for somebody else", devices.admit, Role.PLAYER, person, "friday")
    for person in ("x" * 41, "a\x07b"):
        with pytest.raises(NotJoined):
            devices.admit(Role.PLAYER, person, "friday")
    assert devices.all() == ()


def test_devices_stay_joined_when_the_table_is_opened_again_and_no_token_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "in" / "devices.json"
    devices = Devices(file)
    device, token = devices.admit(Role.PLAYER, "Ilse", "friday")
    assert token not in file.read_text() and file.stat().st_mode & 0o077 == 0
    again = Devices(file)
    found = again.of_token(token)
    assert found is not None and (found.id, found.person, found.role) == (device.id, "Ilse", Role.PLAYER)
    again.revoke(device.id)
    assert Devices(file).of_token(token) is None
    file.write_text("damaged")
    assert Devices(file).all() == ()


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
