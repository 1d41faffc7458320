"""Sessions behind the pages: begun, renamed, kept, shared with other programs, and opened again."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path
from urllib.parse import quote

import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import rolled
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.app import routes
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.event_bus import Change, Topic
from loomtable.table.hosting.host import MOST_IDLE, TableHost
from loomtable.table.hosting.joining import has_page
from loomtable.table.hosting.live_session import StalePage
from loomtable.table.store import open_store
from loomtable.table.store.packing import unpack
from tests.short import raises
from tests.table.asking import Asker, Table, a_tale
from tests.table.full_disk import limit_pages


def test_sessions_begin_are_renamed_and_go_round_as_files(friday: Table, host: Asker) -> None:
    choices = {"ruling.undrawn-hand": "refused"}
    wrong = {"system": "weave", "session": "x", "ruling.undrawn-hand": "perhaps"}
    assert host.post("/api/sessions/begin", wrong).status == 400
    begun = host.post("/api/sessions/begin", {"system": "weave", "session": "Änne's 2nd night", **choices})
    assert friday.host.live_session("Änne's 2nd night").session.game.rulings["undrawn-hand"] == "refused"
    assert begun.json["session"] == "Änne's 2nd night"
    season = host.play("act", "Änne's 2nd night", action="new-season", arg__playset="the-salt-road")
    assert season.status == 200
    again = host.post("/api/sessions/begin", system="weave", session="Änne's 2nd night")
    assert (again.status, "already; take it up" in again.json["error"]) == (409, True)
    assert host.post("/api/sessions/begin", system="chess", session="x").status == 404
    assert host.post("/api/sessions/begin", system="weave", session="").status == 400
    out = host.get("/api/play/friday/export")
    assert out.status == 200 and ".loom" in out.headers["content-disposition"]
    assert unpack(out.body)[0] == "friday"
    headers = {"content-type": "application/octet-stream", "sec-fetch-site": "same-origin"}
    assert host.ask("POST", "/api/sessions/bring-in", out.body, headers).status == 409
    back = host.ask("POST", "/api/sessions/bring-in?name=saturday", out.body, headers)
    assert back.json["session"] == "saturday"
    lines = len(unpack(out.body)[1])
    assert (
        f"Imported: {lines} of {lines} lines; left out: notes, lines and veils, and pictures" in back.json["says"]
    )
    assert unpack(host.get("/api/play/saturday/export").body)[1] == unpack(out.body)[1]
    damaged = host.ask(
        "POST", "/api/sessions/bring-in?name=sunday", out.body.replace(b"wisdom", b"wisdon"), headers
    )
    assert (damaged.status, "damaged at line 2" in damaged.json["error"]) == (400, True)
    phone = friday.join(Role.PLAYER, "Ilse", "saturday")
    assert host.post("/api/sessions/rename", session="saturday", name="the long one").status == 200
    assert phone.get("/api/play/the%20long%20one/state").status == 200
    assert host.post("/api/sessions/rename", session="the long one", name="friday").status == 409
    listed = {one["name"]: one for one in host.get("/api/sessions").json}
    assert set(listed) == {"friday", "the long one", "Änne's 2nd night"}
    assert listed["friday"]["pending"]["by"] == "Thymin"


def test_a_full_disk_is_a_sentence_on_the_page_and_play_goes_on(friday: Table, host: Asker) -> None:
    store = friday.host.store
    limit_pages(store, 1)
    refused = None
    for _ in range(600):
        answer = (
            host.play("undo")
            if friday.host.live_session("friday").session.pending is None
            else host.play("answer", answer="3 4")
        )
        if answer.status != 200:
            refused = answer
            break
    assert refused is not None and refused.status == 503
    assert "the disk is full; nothing was written" in refused.json["error"]
    revision = friday.host.live_session("friday").revision
    assert len(store.journal("friday").lines()) == revision
    assert host.get("/api/play/friday/state").json["revision"] == revision
    limit_pages(store, 1_000_000)
    again = friday.join(Role.HOST)
    assert again.play("undo").status == 200


def test_another_program_that_plays_on_is_noticed(friday: Table, host: Asker, tmp_path: Path) -> None:
    with open_store(tmp_path / "e.db") as other:
        Session.resume(SYSTEMS, other.journal("friday")).undo()
    answer = host.play("answer", answer="3 4")
    assert answer.status == 409
    assert "another program has played" in answer.json["error"].lower()
    live = friday.host.live_session("friday")
    assert live.session.pending is None and live.revision == 4
    assert host.play("redo").status == 200


def test_what_another_program_plays_reaches_pages_that_only_look_on(friday: Table, tmp_path: Path) -> None:
    live = friday.host.live_session("friday")

    async def heard() -> list[tuple[str, int]]:
        news = live.subscribe()
        told = [await anext(news), await anext(news)]
        with open_store(tmp_path / "e.db") as other:
            Session.resume(SYSTEMS, other.journal("friday")).answer(rolled(Die.D6, 3, 4))
        told.append(await asyncio.wait_for(anext(news), 20))
        with open_store(tmp_path / "e.db") as other:
            other.rename("friday", "a long night")
        told.append(await asyncio.wait_for(anext(news), 20))
        await news.aclose()
        return [(change.topic.value, change.revision) for change in told if change is not None]

    friday.host.follow()
    assert asyncio.run(heard()) == [("play", 3), ("devices", 1), ("play", 4), ("closed", 4)]
    assert friday.host.live_session("a long night").session.pending is None


def test_while_the_store_cannot_be_read_looking_on_waits_and_goes_on(friday: Table, tmp_path: Path) -> None:
    live, looked = friday.host.live_session("friday"), threading.Event()
    with sqlite3.connect(tmp_path / "e.db") as database:
        database.execute("ALTER TABLE session RENAME TO gone")

    async def heard() -> list[int]:
        news = live.subscribe()
        told = [await anext(news), await anext(news)]
        with pytest.raises(LoomtableError):
            friday.host.catch_up()
        friday.host.follow()
        await asyncio.to_thread(looked.wait, 1.5)
        with sqlite3.connect(tmp_path / "e.db") as database:
            database.execute("ALTER TABLE gone RENAME TO session")
        with open_store(tmp_path / "e.db") as other:
            Session.resume(SYSTEMS, other.journal("friday")).undo()
        told.append(await asyncio.wait_for(anext(news), 20))
        await news.aclose()
        return [change.revision for change in told if change is not None and change.topic is Topic.PLAY]

    assert asyncio.run(heard()) == [3, 4]


@pytest.mark.parametrize("name", ["a/journal", ".", "..", "/", "friday/rulings", "a\\b", "two\nlines", "x" * 81])
def test_a_name_that_no_page_could_have_is_refused_in_a_sentence(friday: Table, host: Asker, name: str) -> None:
    packed = host.get("/api/play/friday/export").body
    for answer in (
        host.post("/api/sessions/begin", {"system": "weave", "session": name}),
        host.post("/api/sessions/rename", {"session": "friday", "name": name}),
        host.ask(
            "POST",
            f"/api/sessions/bring-in?name={quote(name, safe='')}",
            packed,
            {"content-type": "application/octet-stream", "sec-fetch-site": "same-origin"},
        ),
    ):
        assert answer.status == 400 and "session" in answer.json["error"]
    assert friday.host.store.sessions() == ("friday",)


@pytest.mark.parametrize("name", ["a/journal", ".", ".."])
def test_a_session_from_earlier_days_that_has_no_page_is_renamed_on_the_start_page(
    friday: Table, host: Asker, tmp_path: Path, name: str
) -> None:
    with sqlite3.connect(tmp_path / "e.db") as database:  # as names were kept when every name was
        database.execute("INSERT INTO session SELECT ?, begun, lines, head FROM session", (name,))
        database.execute("UPDATE line SET session = ?", (name,))
        database.execute("DELETE FROM session WHERE name = 'friday'")
    old = TableHost(friday.host.store)
    table = Table(old, hurried=True)
    asker = table.join(Role.HOST)
    page = asker.ask("GET", "/", headers={"accept": "text/html"}).text
    assert "Rename it to play on" in page and f'name="session" value="{name}"' in page
    assert asker.post("/api/sessions/rename", session=name, name="a journal").status == 200
    assert asker.ask("GET", "/table/a%20journal", headers={"accept": "text/html"}).status == 200
    assert asker.play("answer", "a journal", answer=["3", "4"]).status == 200


def test_a_session_from_earlier_days_has_its_page_unless_that_is_another_ones() -> None:
    assert [name for name in ("friday", "night/2", "a/act", "50%", "Änne?") if not has_page(name, routes())] == []
    assert [name for name in (".", "..", "a/..", "/a", "a//b", "a/journal", "a/journal/3", "x/rulings")
            if has_page(name, routes())] == []  # fmt: skip


def test_the_live_session_itself_refuses_what_is_behind(friday: Table) -> None:
    live = friday.host.live_session("friday")
    with pytest.raises(StalePage, match="Somebody else acted first") as trouble:
        live.undo(by="Ben", revision=2)
    assert trouble.value.line is not None and trouble.value.line.seq == 2
    raises(StalePage, "out of date", live.undo, by="Ben", revision=-1)


def test_of_sessions_that_nobody_looks_at_only_so_many_stay_open_and_each_goes_on_where_it_was(
    tmp_path: Path,
) -> None:
    with open_store(tmp_path / "e.db") as store, TableHost(store) as host:

        async def meanwhile() -> None:
            watched = host.begin("storm-weavers", "watched")
            news = watched.subscribe()
            assert await anext(news) is not None
            first = a_tale(host, "first")
            before = first.session.game
            for number in range(MOST_IDLE - 1):
                host.begin("storm-weavers", f"another {number}")
            assert host.live_session("first") is first, "there is room for so many"
            for number in range(2):
                host.begin("storm-weavers", f"more {number}")
            assert host.live_session("first") is first, "it was asked for after others"
            for number in range(MOST_IDLE):
                host.begin("storm-weavers", f"most {number}")
            again = host.live_session("first")
            assert again is not first
            assert (again.session.game, again.revision) == (before, first.revision)
            assert host.live_session("watched") is watched
            again.take(Action("coin-test", {}), by="", revision=again.revision)
            with pytest.raises(StalePage):
                first.take(Action("coin-test", {}), by="", revision=first.revision)
            await news.aclose()  # type: ignore[attr-defined]

        asyncio.run(meanwhile())


def test_news_come_in_the_order_in_which_the_table_changed(friday: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that has not read its news yet keeps the latest alone, so an older one would hide a newer."""
    live, told, other_told = friday.host.live_session("friday"), [], threading.Event()
    begun = live.revision
    ben = threading.Thread(
        target=lambda: live.change(lambda session: session.save_point("Ben's"), by="", revision=begun + 1)
    )

    def publish(change: Change) -> None:
        if change.revision == begun + 1:  # the first stands still here for as long as the second needs
            ben.start()
            other_told.wait(0.2)
        told.append(change.revision)
        other_told.set()

    monkeypatch.setattr(live.bus, "publish", publish)
    live.change(lambda session: session.save_point("Ada's"), by="", revision=begun)
    ben.join()
    assert told == [begun + 1, begun + 2]
