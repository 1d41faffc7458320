"""What two do at once at one table: two doors, two threads, two programs."""

from __future__ import annotations

import asyncio
import random
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.play import Action
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.event_bus import Change, EventBus, Topic
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.store import open_store
from tests.table.asking import Asker, Table

T = TypeVar("T")
CHALLENGE = {"who": "Ilse", "suit": "stones"}


@pytest.fixture
def in_turns() -> Iterator[None]:
    """Threads change as often as Python lets them: after every microsecond."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def together(*works: Callable[[], T]) -> list[T]:
    """Do all of it at once, each in a thread of its own; what came of each."""
    gate = threading.Barrier(len(works))

    def begin(work: Callable[[], T]) -> T:
        gate.wait()
        return work()

    with ThreadPoolExecutor(len(works)) as threads:
        return [one.result() for one in [threads.submit(begin, work) for work in works]]


# Two doors


def _by_form(host: Asker, revision: int) -> Any:
    args = {f"arg.{name}": value for name, value in CHALLENGE.items()}
    return host.post("/api/play/friday/act", **{"revision": revision, "action": "challenge", **args})


def _by_json(host: Asker, revision: int) -> Any:
    return host.post("/api/play/friday/act", {"revision": revision, "action": "challenge", "args": CHALLENGE})


def _by_wish(host: Asker, revision: int) -> Any:
    [wish] = host.table.host.live_session("friday").wishes.all()
    return host.post("/table/friday/wish", revision=revision, number=wish.number, begin="1")


@pytest.fixture
def asked_for(tmp_path: Path) -> Iterator[Table]:
    """A ready evening of Weave at which a player asks for a Challenge."""
    with TableHost(open_store(tmp_path / "s.db")) as host:
        live = host.rename(host.begin_ready("weave", seed="x").name, "friday")
        while (asked := live.session.pending) is not None:
            live.take(random_answer(asked, random.Random(1)), by="", revision=live.revision)
        live.wishes.ask("Ada", Action("challenge", CHALLENGE), "")
        yield Table(host, hurried=True)


@pytest.mark.parametrize("door", [_by_form, _by_json, _by_wish])
def test_what_was_asked_for_is_no_longer_by_whatever_door_it_is_begun(asked_for: Table, door: Any) -> None:
    live = asked_for.host.live_session("friday")
    answer = door(asked_for.join(Role.HOST), live.revision)
    assert answer.status == 200, answer.text
    assert live.session.last_action == Action("challenge", CHALLENGE) and not live.wishes.all()


def test_a_wish_that_two_begin_at_once_is_begun_once(asked_for: Table, in_turns: None) -> None:
    hosts = asked_for.join(Role.HOST), asked_for.join(Role.HOST)
    live = asked_for.host.live_session("friday")
    revision = live.revision
    answers = together(lambda: _by_form(hosts[0], revision), lambda: _by_json(hosts[1], revision))
    assert sorted(answer.status for answer in answers) == [200, 409]
    assert live.revision == revision + 1 and not live.wishes.all()


# The bus


def test_that_a_table_is_closed_is_the_last_that_anybody_hears(in_turns: None) -> None:
    async def heard() -> None:
        bus = EventBus()

        async def listen() -> list[Topic]:
            return [change.topic async for change in bus.subscribe() if change is not None]

        def chat(topic: Topic) -> None:
            for at in range(50):
                bus.publish(Change(topic, at))

        listening = [asyncio.create_task(listen()) for _ in range(3)]
        while bus.subscribers < len(listening):
            await asyncio.sleep(0)
        # The loop hears nothing until all have spoken, so what comes after is there to be heard.
        together(lambda: chat(Topic.PLAY), lambda: bus.publish(Change(Topic.CLOSED, 1)), lambda: chat(Topic.PLAY))
        chat(Topic.CAMERA)
        chat(Topic.DEVICES)
        for topics in await asyncio.gather(*listening):
            assert topics[-1] is Topic.CLOSED and topics.count(Topic.CLOSED) == 1

    asyncio.run(heard())


# The host


def test_sessions_are_opened_while_others_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TableHost(open_store(tmp_path / "s.db")) as host:
        names = [host.begin("storm-weavers", f"s{at}").name for at in range(3)]
        share, asking = LiveSession.share, []

        def while_another_asks(live: LiveSession, on: bool) -> None:
            asking.append(threading.Thread(target=host.live_session, args=(names[0],)))
            asking[-1].start()
            asking[-1].join(0.2)  # it may have to wait until the session is open
            share(live, on)

        monkeypatch.setattr(LiveSession, "share", while_another_asks)
        assert host.open(names[1]).name == host.opened == names[1]
        for thread in asking:
            thread.join()
        assert len(asking) == len(names)
