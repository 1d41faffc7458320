"""Strangers: what they send costs the table little, and what one of them waits for holds nobody else up."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import msgspec
import pytest

from loomtable.table.hosting import forms
from loomtable.table.hosting.devices import Role
from loomtable.table.serving import served
from tests.table.asking import Answer, Table
from tests.table.bodies import bodies

Send = Callable[[str, int], Answer]
PATHS = {"stranger": "/join", "host": "/api/play/friday/act", "camera": "/api/play/friday/photo"}
"""A route for anybody, one for those who have joined, and one that takes files."""
MOST = {"stranger": 63_900, "host": 255_900, "camera": 3_000_000}


@pytest.fixture(params=PATHS)
def who(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def send(friday: Table, who: str) -> Send:
    """Sends the body of a name and size, as one of them."""
    asker = friday.stranger() if who == "stranger" else friday.join(Role(who))

    def sent(name: str, size: int) -> Answer:
        body, kind = bodies(size)[name]
        return asker.ask("POST", PATHS[who], body, {"sec-fetch-site": "same-origin", "content-type": kind})

    return sent


@pytest.mark.parametrize("name", bodies(1000))
def test_a_body_that_is_large_to_read_is_refused_in_a_sentence(
    send: Send, who: str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    for size in (1000, MOST[who]):
        answer = send(name, size)
        assert answer.status in (400, 413) and answer.json["error"].endswith("."), (size, answer.text)
    assert [one for one in caplog.records if one.levelno > logging.WARNING] == [], (
        "the host's terminal stays quiet"
    )


@pytest.mark.parametrize("name", ["empty lists", "keys", "depth"])
def test_values_are_counted_before_they_are_read(send: Send, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = msgspec.json.decode

    def decode(text: Any, **typed: Any) -> Any:
        return own(text, **typed) if typed else pytest.fail("it was read")

    monkeypatch.setattr(forms.msgspec.json, "decode", decode)
    assert send(name, 60_000).status == 413


@pytest.mark.parametrize(("who", "most"), [("stranger", "64 KB"), ("host", "256 KB"), ("camera", "256 KB")])
def test_nobody_sends_more_than_a_form_needs_but_in_files(send: Send, who: str, most: str) -> None:
    for name in ("one field", "a long text in codes"):
        answer = send(name, MOST[who] + 1000)
        assert answer.status == 413 and f"{most} at most" in answer.json["error"]


def test_what_is_sent_is_taken_apart_in_a_thread(send: Send, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []
    taken_apart = forms._form_in

    def noted(*given: Any) -> forms.Form:
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()
        threads.append(threading.current_thread())
        return taken_apart(*given)

    monkeypatch.setattr(forms, "_form_in", noted)
    for name in ("one field in codes", "false boundaries", "keys"):
        send(name, 2000)
    assert len(threads) == 3 and threading.main_thread() not in threads


def test_a_name_and_a_text_arrive_as_they_were_typed(friday: Table) -> None:
    """In a form, in parts and as JSON: what is bounded is not changed."""
    host, text = friday.join(Role.HOST), "Zoë & Ümit; 100 % + 1 = 'sure'\r\n\u4f60\u597d " * 90
    for sent in ("form", "parts", "json"):
        if sent == "json":
            host.post("/table/friday/notes", {"text": text})
        elif sent == "form":
            host.post("/table/friday/notes", text=text)
        else:
            part = f'--x\r\ncontent-disposition: form-data; name="text"\r\n\r\n{text}\r\n--x--\r\n'.encode()
            kind = {"sec-fetch-site": "same-origin", "content-type": "multipart/form-data; boundary=x"}
            assert host.ask("POST", "/table/friday/notes", part, kind).status == 200
        kept = friday.host.store.memos("friday", "notes")
        assert kept == {"storyteller": text.replace("\r\n", "\n").rstrip()}, sent
        friday.host.store.keep_memo("friday", "notes", "storyteller", None)


class Held:
    """A lock that somebody holds, and that tells who else wants it."""

    def __init__(self, lock: Any) -> None:
        self._lock = lock
        self.wanted = threading.Event()

    def __enter__(self) -> None:
        self.wanted.set()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


@pytest.mark.parametrize("path", ["/api/play/friday/state", "/static/table.js"])
def test_while_a_phone_without_a_name_waits_for_the_host_a_file_is_served(friday: Table, path: str) -> None:
    """Bringing in a long session holds the host's lock; a phone whose owner has not said who they are wants it."""
    host = friday.host
    host.begin("mnemonic", "monday")
    _, token = host.devices.admit(Role.PLAYER, "", "monday")
    with served(host) as planned, ThreadPoolExecutor(1) as phone, httpx.Client(timeout=120) as other:
        base, headers = planned.addresses.own, {"authorization": f"Bearer {token}", "accept": "application/json"}
        file = f"{base}/static/table.css"
        other.get(file)
        held = host._lock = Held(host._lock)  # type: ignore[assignment]
        with held._lock:
            waiting = phone.submit(
                httpx.get, base + path.replace("friday", "monday"), headers=headers, timeout=120
            )
            assert held.wanted.wait(120)
            assert other.get(file).status_code == 200
            assert not waiting.done()
        assert waiting.result().status_code in (200, 404)
