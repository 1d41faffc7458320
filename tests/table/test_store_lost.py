"""The file of the sessions is deleted or replaced under an open table: nobody is told that it is kept."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from loomtable.engine.kernel.errors import JournalCorrupt
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import StalePage
from loomtable.table.store import StoreUnusable, open_store
from loomtable.table.store.packing import unpack
from tests.short import Loom, present
from tests.table.asking import Asker, Table, a_tale
from tests.table.ports import free_port
from tests.table.postgres import place_in

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows deletes no file that is open")
GONE = "the file of the sessions is gone, or another is in its place"


def delete(path: Path) -> None:
    """As somebody who tidies up."""
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def replace(path: Path) -> None:
    """As a program that keeps folders on two machines alike."""
    other = path.with_name("other.db")
    open_store(other).close()
    other.replace(path)


def delete_beside(path: Path) -> None:
    """What was written last is not in the file yet, but in one beside it."""
    path.with_name(f"{path.name}-wal").unlink()


@pytest.mark.parametrize("lose", [delete, replace, delete_beside])
def test_acts_are_refused_and_what_was_played_is_still_here(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    path = tmp_path / "e.db"
    with TableHost(open_store(path)) as host:
        host.begin("weave", "saturday")
        host.begin("storm-weavers", "friday")
        asker = Table(host).join(Role.HOST)
        assert asker.play("act", _json={"action": "create", "args": {"dexterity_points": 2}}).status == 200
        played = host.live_session("friday").lines()
        lose(path)
        there = sorted(tmp_path.iterdir())

        refused = asker.play("act", _json={"action": "gain-item", "args": {"item": "Rope"}})
        assert refused.status == 503
        assert GONE in refused.json["error"] and "export it" in refused.json["error"]
        assert host.live_session("friday").lines() == played
        assert asker.post("/api/sessions/begin", system="weave", session="sunday").status == 503
        assert sorted(tmp_path.iterdir()) == there, "nothing is made in its place"

        shelf = asker.ask("GET", "/", headers={"accept": "text/html"}).text
        assert GONE in shelf and "/api/play/friday/export" in shelf
        assert unpack(asker.get("/api/play/friday/export").body) == ("friday", played)

        with pytest.raises(StoreUnusable, match=rf"{GONE}\. Everything that was played is in .*/e-rescued-1\.db"):
            host.store.confirm_kept()
        with pytest.raises(StoreUnusable, match=r"/e-rescued-2\.db"):
            host.store.confirm_kept()
    rescued = tmp_path / "e-rescued-1.db"
    assert rescued.stat().st_mode & 0o777 == 0o600
    with open_store(rescued) as store:
        assert set(store.sessions()) == {"friday", "saturday"}
        assert tuple(store.journal("friday").lines()) == played


def another_store(path: Path) -> None:
    with open_store(path.with_name("other.db")) as other:
        Session.open(SYSTEMS["weave"], seed="s", journal=other.journal("quarry"))
    shutil.copyfile(path.with_name("other.db"), path)


def its_older_copy(path: Path) -> None:
    shutil.copyfile(path.with_name("older.db"), path)


def truncated(path: Path) -> None:
    os.truncate(path, 0)


def cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def page_of_zeros(number: int) -> Callable[[Path], None]:
    def zeros(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(number * 4096)
            assert file.read(4096).strip(b"\0")
            file.seek(number * 4096)
            file.write(bytes(4096))

    return zeros


def a_folder_in_its_place(path: Path) -> None:
    path.unlink()
    path.mkdir()


def its_folder_renamed(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def in_pages(path: Path) -> None:
    """All that was played is in the file, and not in the one beside it: SQLite does so every thousand pages."""
    with contextlib.closing(sqlite3.connect(path)) as other:
        assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)


def played_on(host: TableHost, path: Path, lines: int = 62) -> Asker:
    """An evening of so many lines, whose file was copied half-way."""
    live = host.begin("storm-weavers", "friday")
    asker = Table(host).join(Role.HOST)
    live.take(Action("create", {"dexterity_points": 2}), by="", revision=1)
    for number in range(2, lines):
        if number == lines // 2:
            in_pages(path)
            shutil.copyfile(path, path.with_name("older.db"))
        live.take(Action("gain-item", {"item": f"stone {number}" * 9}), by="", revision=number)
    in_pages(path)
    return asker


LOST = [
    another_store,
    its_older_copy,
    truncated,
    cut_in_half,
    page_of_zeros(1),
    page_of_zeros(3),
    page_of_zeros(7),
]


@pytest.mark.parametrize(
    "harm", [*LOST, delete, replace, delete_beside, a_folder_in_its_place, its_folder_renamed]
)
def test_whatever_happens_to_the_file_no_line_is_lost_and_none_is_called_kept(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    path = tmp_path / "in" / "e.db"
    with TableHost(open_store(path)) as host:
        asker = played_on(host, path)
        before = host.live_session("friday").lines()
        assert len(host.store.lines("friday")) == 62, "every page of it is remembered"
        harm(path)
        acted = asker.play("act", _json={"action": "gain-item", "args": {"item": "Rope"}})
        played = host.live_session("friday").lines()
        if acted.status == 200:  # a page that is of no other use to it was harmed
            assert len(played) == len(before) + 1 and harm.__name__ == "zeros"
        else:
            assert acted.status == 503 and played == before
            assert "What was played is still here: export it" in acted.json["error"]
            assert "another program" not in acted.json["error"]
            host.devices.catch_up()
            assert asker.play("act", _json={"action": "gain-item", "args": {"item": "Rope"}}).status == 503
        assert unpack(asker.get("/api/play/friday/export").body) == ("friday", played)
        with pytest.raises(StoreUnusable, match=r" is in (.*/in/e-rescued-1\.db); open that with --store") as told:
            host.store.confirm_kept()
    [rescued] = re.findall(r" is in (\S+);", str(told.value))
    with open_store(rescued) as store:
        assert tuple(store.journal("friday").lines()) == played
        assert store.damage() == ()


def rolled_up(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("VACUUM")


def away_and_back(path: Path) -> None:
    path.rename(path.with_name("away.db"))
    path.with_name("away.db").rename(path)


def the_same_again(path: Path) -> None:
    shutil.copyfile(path, path.with_name("same.db"))
    shutil.copyfile(path.with_name("same.db"), path)


@pytest.mark.parametrize("harm", [rolled_up, away_and_back, the_same_again])
def test_what_takes_nothing_away_stops_nobody(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    path = tmp_path / "e.db"
    with TableHost(open_store(path)) as host:
        asker = played_on(host, path, 12)
        harm(path)
        assert asker.play("act", _json={"action": "gain-item", "args": {"item": "Rope"}}).status == 200
        played = host.live_session("friday").lines()
        host.store.confirm_kept()
    with open_store(path) as store:
        assert tuple(store.journal("friday").lines()) == played


def test_a_server_that_was_set_back_is_noticed_and_what_memory_has_is_written_to_a_file(
    postgres: Path, at_home: Path
) -> None:
    place = place_in(postgres, "set_back")
    with TableHost(open_store(place)) as host:
        live = a_tale(host)
        played = live.lines()
        with host.store._transaction(writes=True) as database:
            database.execute("DELETE FROM line WHERE seq = 1")
        with pytest.raises(StoreUnusable, match="line 1 of 'friday' was kept and is not there any more"):
            live.take(Action("gain-item", {"item": "Rope"}), by="", revision=2)
        host.catch_up()
        assert host.live_session("friday").lines() == played and unpack(host.export("friday"))[1] == played
        with pytest.raises(StoreUnusable, match=r"What was open here is in .*sessions-rescued-1\.db"):
            host.store.confirm_kept()
    with open_store(at_home / "sessions-rescued-1.db") as store:
        assert tuple(store.journal("friday").lines()) == played


def test_one_who_plays_meanwhile_and_one_who_renames_are_not_taken_for_a_loss(place: str) -> None:
    with TableHost(open_store(place)) as host, TableHost(open_store(place)) as other:
        live = host.begin("storm-weavers", "friday")
        other.live_session("friday").take(Action("create", {"dexterity_points": 2}), by="", revision=1)
        with pytest.raises(StalePage, match="another program has played"):
            live.take(Action("create", {"dexterity_points": 3}), by="", revision=1)
        other.rename("friday", "saturday")
        assert host.store.sessions() == ("saturday",)
        host.store.confirm_kept()


def trouble_of(path: Path) -> str:
    try:
        with open_store(path) as store:
            return " ".join(store.damage())
    except JournalCorrupt as error:
        return str(error)


def test_a_copy_put_beside_what_a_killed_table_left_says_what_to_do_and_stays_whole(tmp_path: Path) -> None:
    path = tmp_path / "e.db"
    with TableHost(open_store(path)) as host:
        played_on(host, path)
        older = host.live_session("friday").lines()[:31]
        for number in range(8):
            host.store.keep_memo("friday", "notes", f"{number}", "long " * 900)
        shutil.copytree(tmp_path, tmp_path / "killed")
    path = tmp_path / "killed" / "e.db"
    copy = path.with_name("older.db")
    shutil.copyfile(copy, path)
    for _ in range(2):
        assert re.search(r"e\.db-wal beside it belongs to the one before.*move it away", trouble_of(path))
        assert path.read_bytes() == copy.read_bytes(), "nothing of the file beside it was written into it"
    path.with_name("e.db-wal").rename(tmp_path / "away")
    with open_store(path) as store:
        assert tuple(store.journal("friday").lines()) == older and store.damage() == ()


def test_a_folder_that_cannot_be_made_again_is_said_too(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    with open_store(folder / "e.db") as store:
        delete(folder / "e.db")
        folder.rmdir()
        folder.write_text("a file in its place", "utf-8")
        with pytest.raises(StoreUnusable, match=r"could not be written to .*e-rescued-1\.db either"):
            store.confirm_kept()


def test_play_in_the_terminal_ends_with_where_everything_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loom: Loom
) -> None:
    path = tmp_path / "e.db"

    class Typed(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
            line = super().readline()
            if line.startswith("gain-item"):
                delete(path)
            return line

    monkeypatch.setattr("sys.stdin", Typed("create dexterity_points=2\ngain-item item=Rope\nquit\n"))
    said = loom("play", "storm-weavers", "--store", path, code=2)
    assert "kept" not in said.out
    refused, last = said.err.splitlines()
    assert GONE in refused
    assert "Everything that was played is in" in last and "e-rescued-1.db" in last
    with open_store(tmp_path / "e-rescued-1.db") as store:
        assert len(store.journal("storm-weavers").lines()) == 2


def test_closing_the_table_does_not_say_that_everything_is_kept(tmp_path: Path) -> None:
    port, path = free_port(), tmp_path / "e.db"
    program = subprocess.Popen(
        [sys.executable, "-m", "loomtable", "table", "--no-open", "--port", str(port), "--store", str(path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={"XDG_DATA_HOME": str(tmp_path / "data"), "PATH": "", "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        assert "open at" in present(program.stdout).readline()
        assert httpx.get(f"http://127.0.0.1:{port}/join", timeout=30).status_code == 200
        delete(path)
    finally:
        program.terminate()
        rest, trouble = program.communicate(timeout=60)
    assert program.returncode == 2
    assert "closed" not in rest
    assert GONE in trouble and "e-rescued-1.db" in trouble
