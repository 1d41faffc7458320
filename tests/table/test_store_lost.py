"""The file of the sessions is deleted or replaced under an open table: nobody is told that it is kept."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from loomtable.table.commands.main import run
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import StoreUnusable, open_store
from loomtable.table.store.packing import unpack
from tests.short import present
from tests.table.asking import Table
from tests.table.ports import free_port

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


def test_a_folder_that_cannot_be_made_again_is_said_too(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    with open_store(folder / "e.db") as store:
        delete(folder / "e.db")
        folder.rmdir()
        folder.write_text("a file in its place", "utf-8")
        with pytest.raises(StoreUnusable, match=r"could not be written to .*e-rescued-1\.db either"):
            store.confirm_kept()


def test_play_in_the_terminal_ends_with_where_everything_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "e.db"

    class Typed(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
            line = super().readline()
            if line.startswith("gain-item"):
                delete(path)
            return line

    monkeypatch.setattr("sys.stdin", Typed("create dexterity_points=2\ngain-item item=Rope\nquit\n"))
    assert run(["play", "storm-weavers", "--store", str(path)]) == 2
    said = capsys.readouterr()
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
