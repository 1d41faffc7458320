"""What two do at once at one table: two doors, two threads, two programs."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pexpect
import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.journal import Acted
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import rolled
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.event_bus import Change, EventBus, Topic
from loomtable.table.hosting.following import read_anew
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.store import Store, open_store
from loomtable.table.terminal.console import Screen
from loomtable.table.terminal.terminal import Terminal
from tests.short import present
from tests.table.asking import Asker, Table
from tests.table.at_once import together
from tests.table.terminal_person import Person

CHALLENGE = {"who": "Ilse", "suit": "stones"}


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


# The terminal


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Where Thymin's Wisdom is about to be tested, under the name *t*."""
    with open_store(tmp_path / "s.db") as kept:
        begun = Session.open(SYSTEMS["storm-weavers"], seed="x", journal=kept.journal("t"))
        begun.perform("create", dexterity_points=3)
        begun.perform("test", attribute="wisdom")
        yield kept


def elsewhere(store: Store) -> Session[Any]:
    """The same session in another program."""
    return Session.resume(SYSTEMS, store.journal("t"))


def at_terminal(
    store: Store, *typed: str | Callable[[], object], session: Session[Any] | None = None, chance: Any = None
) -> str:
    """What somebody sees who types these lines; what is no line is done elsewhere before the next one is typed."""
    lines = iter(typed)

    class Typist:
        def line(self) -> str | None:
            for line in lines:
                if isinstance(line, str):
                    person.console.print(f"> {line}")
                    return line
                line()
            return None

    def keep(begun: Session[Any]) -> Session[Any]:
        store.bring_in("t", begun.lines())
        return elsewhere(store)

    person = Person(1, 0)
    Terminal(
        session or elsewhere(store),
        Screen(person.console),
        lambda *_: Typist(),
        keep=keep if session is not None else None,
        read_anew=partial(read_anew, store, "t"),
        chance=chance,
    ).run()
    return person.seen.getvalue()


def lines_of(store: Store) -> list[str]:
    return [type(line.entry).__name__ for line in store.journal("t").lines()]


TWO = rolled(Die.D6, 1, 2)


def test_a_terminal_tells_what_happened_meanwhile_and_asks_anew(store: Store) -> None:
    seen = at_terminal(
        store, lambda: elsewhere(store).take(TWO, by="Ilse's phone"), "6 6", "test dexterity", "3 4"
    )
    told = seen[seen.index("> 6 6") :]
    assert "Meanwhile: Ilse's phone answered." in told
    order = ["Meanwhile", "What you typed was not used.", "Pass (1 + 2 = 3,", "What now,", "Pass (3 + 4 = 7,"]
    assert sorted(order, key=told.index) == order, "told, asked anew, and play goes on"
    assert lines_of(store).count("Answered") == 2


def test_what_others_take_back_or_correct_is_told_from_there_on(store: Store) -> None:
    elsewhere(store).answer(TWO)

    def corrected() -> None:
        elsewhere(store).amend(3, rolled(Die.D6, 6, 6))

    seen = at_terminal(store, corrected, "test dexterity", lambda: elsewhere(store).undo(), "", "journal")
    assert "Meanwhile: somebody else corrected something." in seen
    assert "Fail (6 + 6 = 12," in seen
    assert "Meanwhile: somebody else brought something back." in seen
    assert "Pass (1 + 2 = 3," in seen[seen.index("brought something back") :]


def test_who_is_second_between_looking_and_writing_is_told_too(store: Store) -> None:
    class Dice(random.Random):
        def choice(self, seq: Any) -> Any:
            if lines_of(store)[-1] != "Answered":
                elsewhere(store).answer(TWO)
            return super().choice(seq)

    seen = at_terminal(store, ":chance", "test dexterity", ":chance", chance=Dice(1))
    assert seen.count("Meanwhile: somebody else answered. What you typed was not used.") == 2, seen
    assert "open it again" not in seen and lines_of(store).count("Answered") == 2


def test_a_session_that_two_terminals_begin_is_one(tmp_path: Path) -> None:
    with open_store(tmp_path / "s.db") as store:
        mine, theirs = (Session.open(SYSTEMS["storm-weavers"], seed=seed) for seed in "ab")

        def begun() -> None:
            store.bring_in("t", theirs.lines())
            elsewhere(store).perform("create", dexterity_points=2)

        seen = at_terminal(store, begun, "create 3", "test wisdom", session=mine)
        assert "Meanwhile: somebody else acted." in seen and "Everything is saved." in seen
        assert elsewhere(store).opened.seed == "b" and elsewhere(store).pending is not None


def test_nothing_proposed_before_others_played_is_done_after(store: Store) -> None:
    elsewhere(store).answer(TWO)
    before = lines_of(store)
    seen = at_terminal(
        store, "void 2", lambda: elsewhere(store).perform("test", attribute="dexterity"), "yes", ":yes"
    )
    assert "Meanwhile: somebody else acted." in seen and lines_of(store) == [*before, "Acted"]
    assert "Done; the journal keeps" not in seen


def test_a_name_that_others_change_ends_the_evening_in_words(store: Store, tmp_path: Path) -> None:
    def renamed() -> None:
        with open_store(tmp_path / "s.db") as another:
            another.rename("t", "u")

    seen = at_terminal(store, renamed, "1 2", "1 2")
    assert seen.count("> 1 2") == 1 and "open it again" in seen


def test_what_somebody_does_in_a_draft_interrupts_nobody(store: Store) -> None:
    def drafted() -> None:
        elsewhere(store).journal.append(Acted(Action("test", {"attribute": "dexterity"}), "Zoe"), "Zoe's phone")

    seen = at_terminal(store, drafted, "1 2", drafted, "test dexterity", drafted, "3 4")
    assert "Meanwhile" not in seen and "Pass (1 + 2 = 3," in seen and "Pass (3 + 4 = 7," in seen


def command(tmp_path: Path) -> list[str]:
    return [
        sys.executable,
        "-m",
        "loomtable",
        "play",
        "storm-weavers",
        "--session",
        "t",
        "--store",
        f"{tmp_path}/s.db",
    ]


def test_two_programs_play_one_session_line_by_line(tmp_path: Path, store: Store) -> None:
    first = subprocess.Popen(command(tmp_path), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    said = present(first.stdout)
    try:
        assert any("Or :chance" in line for line in iter(said.readline, ""))
        subprocess.run(command(tmp_path), input="1 2\n", text=True, check=True, stdout=subprocess.PIPE)
        told, _ = first.communicate("6 6\ntest dexterity\n3 4\n", timeout=120)
    finally:
        first.kill()
    assert "Meanwhile: somebody else answered. What you typed was not used." in told
    assert told.index("Pass (1 + 2 = 3,") < told.index("What now, Thymin?") < told.index("Pass (3 + 4 = 7,")


@pytest.mark.skipif(os.name == "nt", reason="a window of its own is opened as on Unix")
def test_a_window_that_waits_is_told_by_itself_and_keeps_what_is_typed(tmp_path: Path, store: Store) -> None:
    """And Ctrl-C twice leaves, with a half-filled form on the screen."""
    window = pexpect.spawn(
        *(command(tmp_path)[0], command(tmp_path)[1:]),
        env={**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "NO_COLOR": "1"},
        encoding="utf-8",
        dimensions=(50, 90),
        timeout=120,
    )
    waits = r"(?s:.*)\?2004h.*>"  # for somebody who types, at the next prompt
    window.expect("Or :chance")
    window.send("test dex")
    subprocess.run(command(tmp_path), input="1 2\n", text=True, check=True, stdout=subprocess.PIPE)
    window.expect("Meanwhile: somebody else answered")
    assert "not used" not in window.before
    window.expect("What now, Thymin")
    window.send("terity\r")
    window.expect("Test of Dexterity")
    window.sendline("undo")
    window.expect("Undone: Test")
    window.expect("help the rest")
    window.sendline("test")
    window.expect(f"Test: Attribute{waits}")
    window.sendcontrol("c")
    window.expect(f"Ctrl-C again leaves{waits}")
    window.sendcontrol("c")
    window.expect("Everything is saved")
    window.expect(pexpect.EOF)
    window.close()
    assert window.exitstatus == 0
    assert lines_of(store) == ["Opened", "Acted", "Acted", "Answered", "Acted", "Voided"]
