"""Journals on disk: what was acknowledged is there after a crash, and damage is named, never played."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from engine.kernel.chance import random_answer
from engine.kernel.errors import JournalCorrupt
from engine.kernel.readings import Chosen
from engine.kernel.session import Session
from engine.kernel.sqlite_journal import SqliteStore, StoreUnusable
from engine.systems import SYSTEMS
from tests.playing import play_at_random

STORM = SYSTEMS["storm-weavers"]
GOBLIN = {"name": "Goblin", "dexterity": 10, "health": 10}


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_an_evening_goes_on_after_a_restart_with_its_open_question(tmp_path: Path, system: str) -> None:
    source = random.Random(5)
    with SqliteStore(tmp_path / "evenings.db") as store:
        session = Session.open(SYSTEMS[system], seed="s", journal=store.journal("friday"))
        play_at_random(session, source, 60, undo=0.1)
        for _ in range(500):
            if session.pending is None:
                play_at_random(session, source, 1)
        assert session.pending is not None, "500 random steps asked for nothing"
    with SqliteStore(tmp_path / "evenings.db") as store:
        assert store.sessions() == ("friday",)
        resumed = Session.resume(SYSTEMS, store.journal("friday"))
        assert resumed.game == session.game
        assert resumed.pending == session.pending
        assert resumed.lines() == session.lines()
        assert resumed.pending is not None
        resumed.answer(random_answer(resumed.pending, source))


def test_every_line_is_written_with_full_sync(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "e.db") as store:
        assert store._database.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store._database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


PLAYER = """
import sys
from pathlib import Path
from engine.kernel.session import Session
from engine.kernel.sqlite_journal import SqliteStore
from engine.systems import SYSTEMS

store = SqliteStore(Path(sys.argv[1]))
session = Session.open(SYSTEMS["storm-weavers"], seed="s", journal=store.journal("friday"))
session.perform("create", dexterity_points=2)
for n in range(100_000):
    session.perform("gain-item", item=f"stone {n}")
    print(n, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_nothing_that_was_acknowledged_is_lost_when_the_program_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "e.db"
    for round_ in range(3):
        path.unlink(missing_ok=True)
        playing = subprocess.Popen([sys.executable, "-c", PLAYER, str(path)], stdout=subprocess.PIPE, text=True)
        assert playing.stdout is not None
        for _ in range(20 + 7 * round_):
            acknowledged = int(playing.stdout.readline())
        playing.send_signal(signal.SIGKILL)
        playing.wait()
        acknowledged = max([acknowledged, *map(int, playing.stdout.read().split())])
        playing.stdout.close()
        with SqliteStore(path) as store:
            items = Session.resume(SYSTEMS, store.journal("friday")).state.thymin.items
        assert items[1 : acknowledged + 2] == tuple(f"stone {n}" for n in range(acknowledged + 1))


def a_stored_fight(path: Path) -> None:
    with SqliteStore(path) as store:
        session = Session.open(STORM, seed="s", journal=store.journal("friday"))
        session.perform("create", dexterity_points=2)
        session.perform("fight", enemy=GOBLIN)
        session.answer(Chosen(("attack",)))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("UPDATE line SET entry = replace(entry, '2', '4') WHERE seq = 1", "damaged at line 1"),
        ("UPDATE line SET who = 'somebody else' WHERE seq = 2", "damaged at line 2"),
        ("DELETE FROM line WHERE seq = 2", "damaged at line 2"),
        ("UPDATE line SET at = '2020-01-01' WHERE seq = 3", "damaged at line 3"),
        ("UPDATE line SET seq = 9 WHERE seq = 3", "damaged at line 3"),
    ],
)
def test_a_changed_line_is_noticed_and_named(tmp_path: Path, damage: str, words: str) -> None:
    path = tmp_path / "e.db"
    a_stored_fight(path)
    with sqlite3.connect(path) as database:
        database.execute(damage)
    database.close()
    with SqliteStore(path) as store, pytest.raises(JournalCorrupt, match=words):
        store.journal("friday")


def test_files_that_are_no_store(tmp_path: Path) -> None:
    noise = tmp_path / "noise.db"
    noise.write_bytes(b"this is not a database, " * 100)
    with pytest.raises(JournalCorrupt, match="no good journal file"):
        SqliteStore(noise)
    assert noise.read_bytes() == b"this is not a database, " * 100

    other = tmp_path / "other.db"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    with pytest.raises(StoreUnusable, match="another program"):
        SqliteStore(other)

    later = tmp_path / "later.db"
    SqliteStore(later).close()
    with sqlite3.connect(later) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(StoreUnusable, match="later Loomtable"):
        SqliteStore(later)

    with pytest.raises(StoreUnusable, match="cannot be opened"):
        SqliteStore(noise / "inside" / "e.db")


def test_a_truncated_file_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "e.db"
    a_stored_fight(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 3 // 5])
    with pytest.raises((JournalCorrupt, StoreUnusable)), SqliteStore(path) as store:
        Session.resume(SYSTEMS, store.journal("friday"))


def test_two_programs_cannot_write_over_each_other(tmp_path: Path) -> None:
    path = tmp_path / "e.db"
    a_stored_fight(path)
    with SqliteStore(path) as one, SqliteStore(path) as other:
        first = Session.resume(SYSTEMS, one.journal("friday"))
        second = Session.resume(SYSTEMS, other.journal("friday"))
        first.undo()
        before = second.game
        with pytest.raises(StoreUnusable, match="meanwhile; open it again"):
            second.undo()
        assert second.game == before
        assert len(Session.resume(SYSTEMS, other.journal("friday")).lines()) == len(first.lines())


def test_a_journal_of_other_rules_is_not_played_on(tmp_path: Path) -> None:
    path = tmp_path / "e.db"
    a_stored_fight(path)
    with SqliteStore(path) as store:
        journal = store.journal("friday")
        later = type("Later", (), {})()
        later.__dict__.update(STORM.__dict__, rules_version="2")
        with pytest.raises(JournalCorrupt, match="begun with version 1 of the rules of Storm Weavers"):
            Session.resume({"storm-weavers": later}, journal)
        with pytest.raises(JournalCorrupt, match="'storm-weavers', which this Loomtable does not play"):
            Session.resume({}, journal)
        with pytest.raises(JournalCorrupt, match="already holds a session"):
            Session.open(STORM, seed="s", journal=journal)


def test_the_journal_keeps_by_whose_hand_each_line_is(tmp_path: Path) -> None:
    path = tmp_path / "e.db"
    with SqliteStore(path) as store:
        session = Session.open(STORM, seed="s", journal=store.journal("friday"))
        session.scribe = "Ada's phone"
        session.perform("create", dexterity_points=2)
        session.scribe = "the table"
        session.undo()
        session.redo()
        session.perform("gain-item", item="Rope")
        session.undo()
    with SqliteStore(path) as store:
        lines = store.journal("friday").lines()
    assert [line.who for line in lines] == ["", "Ada's phone", *["the table"] * 4]
