"""Journals on disk: what was acknowledged is there after a crash, and damage is named, never played."""

from __future__ import annotations

import os
import random
import re
import sqlite3
import subprocess
import sys
from functools import cache, partial
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import JournalCorrupt, LoomtableError
from loomtable.engine.kernel.journal import Acted, Line, now
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.commands.doctor_checks import _store
from loomtable.table.hosting.devices import Devices, Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import StalePage
from loomtable.table.store import NameUnusable, Store, StoreUnusable, open_store
from loomtable.table.store.file import FileStore
from loomtable.table.store.packing import PackInvalid, pack, unpack
from loomtable.table.store.store import _row
from loomtable.testing import play_at_random
from tests.short import present
from tests.table.asking import Table, a_tale
from tests.table.at_once import together
from tests.table.full_disk import limit_pages
from tests.table.killing import kill_at_random
from tests.table.postgres import crash, letterless_in, place_in
from tests.tiers import mostly, thorough

STORM = SYSTEMS["storm-weavers"]
GOBLIN = {"name": "Goblin", "dexterity": 10, "health": 10}


@pytest.mark.parametrize("system", mostly(sorted(SYSTEMS), ["mnemonic", "weave"]))
def test_an_evening_goes_on_after_a_restart_with_its_open_question(place: str, system: str) -> None:
    source = random.Random(5)
    with open_store(place) as store:
        session = Session.open(SYSTEMS[system], seed="s", journal=store.journal("friday"))
        play_at_random(session, source, 60, undo=0.1)
        while (
            session.pending is None
        ):  # an evening of Mnemonic may have come to its end; back to its last question
            session.undo()
    with open_store(place) as store:
        assert store.sessions() == ("friday",)
        resumed = Session.resume(SYSTEMS, store.journal("friday"))
        assert resumed.game == session.game
        assert resumed.pending == session.pending
        assert resumed.lines() == session.lines()
        resumed.answer(random_answer(present(resumed.pending), source))


def test_every_line_is_written_with_full_sync(tmp_path: Path) -> None:
    with open_store(tmp_path / "e.db") as store, store._transaction() as database:
        assert database.value("PRAGMA synchronous") == 2
        assert database.value("PRAGMA journal_mode") == "wal"
        assert database.value("PRAGMA foreign_keys") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights in another way")
def test_nobody_else_on_the_machine_can_read_what_is_hidden_in_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    with open_store(path) as store:
        Session.open(STORM, seed="s", journal=store.journal("friday"))
        files = sorted(tmp_path.iterdir())
        assert path in files and len(files) > 1, "the files beside it are there while it is open"
        assert {file.name: file.stat().st_mode & 0o777 for file in files} == {file.name: 0o600 for file in files}
        for file in files:  # as an earlier Loomtable made them
            file.chmod(0o644)
        with open_store(path) as again:
            assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
            assert again.sessions() == ("friday",)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights in another way")
def test_a_store_that_others_can_read_and_that_cannot_be_made_private_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "sessions.db"
    open_store(path).close()
    path.chmod(0o644)

    def refuse(file: Path, mode: int) -> None:
        """As the system does if the file is somebody else's; root, who may run this, is never refused."""
        raise PermissionError(1, "Operation not permitted", str(file))

    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(StoreUnusable, match=r"others on this machine can read it.*chmod 600.*--store"):
        open_store(path)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_nothing_that_was_acknowledged_is_lost_when_the_program_is_killed(place: str) -> None:
    assert kill_at_random(place, 6, random.Random(5)).lost == 0


@thorough
def test_nothing_is_lost_when_the_server_is_stopped_hard_in_the_middle(postgres: Path) -> None:
    toll = kill_at_random(place_in(postgres, "crashes"), 20, random.Random(6), lambda: crash(postgres))
    assert (toll.lost, toll.crashes) == (0, 2)


def a_stored_fight(path: Path | str) -> None:
    with open_store(path) as store:
        session = Session.open(STORM, seed="s", journal=store.journal("friday"))
        session.perform("create", dexterity_points=2)
        session.perform("fight", enemy=GOBLIN)
        session.answer(ChoiceReading(("attack",)))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("UPDATE line SET entry = replace(entry, '2', '4') WHERE seq = 1", "damaged at line 1"),
        ("UPDATE line SET who = 'somebody else' WHERE seq = 2", "damaged at line 2"),
        ("DELETE FROM line WHERE seq = 2", "damaged at line 2"),
        ("UPDATE line SET at = '2020-01-01' WHERE seq = 3", "damaged at line 3"),
        ("UPDATE line SET seq = 9 WHERE seq = 3", "damaged at line 3"),
        ("DELETE FROM line WHERE seq = 3", "line 3 of the journal of 'friday' cannot be read"),
        ("DELETE FROM line WHERE seq > 0", "lines 1 to 3 of the journal of 'friday' cannot be read"),
        ("UPDATE session SET lines = -9", "where the journal of 'friday' ends is damaged"),
        ("UPDATE session SET lines = 2", "where the journal of 'friday' ends is damaged"),
        ("UPDATE session SET head = 'nothing'", "where the journal of 'friday' ends is damaged"),
    ],
)
def test_a_changed_line_is_noticed_and_named(place: str, damage: str, words: str) -> None:
    a_stored_fight(place)
    with open_store(place) as store:
        with store._transaction(writes=True) as database:
            database.execute(damage)
        with pytest.raises(JournalCorrupt, match=words):
            store.journal("friday")
        [told] = store.damage()
        assert words in told


def test_no_flipped_bit_makes_an_evening_shorter_or_another(tmp_path: Path) -> None:
    """Anywhere in the file, and in each name by which a line is found."""
    path = tmp_path / "e.db"
    with open_store(path) as store:
        session = Session.open(STORM, seed="s", journal=store.journal("evening"))
        session.perform("create", dexterity_points=2)
        for number in range(62):
            session.perform("gain-item", item=f"stone {number}")
        lines = store.journal("evening").lines()
    whole = path.read_bytes()
    assert not path.with_name("e.db-wal").exists(), "all of it is in the file"
    source = random.Random(7)
    flips = [(source.randrange(len(whole)), source.randrange(8)) for _ in range(200)]
    flips += [(found.end() - 1, 4) for found in re.finditer(b"evening", whole)]
    assert len(flips) > 260
    refused = 0
    for at, bit in flips:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << bit)]) + whole[at + 1 :])
        try:
            with open_store(path) as store:
                assert store.journal("evening").lines() == lines, (at, bit)
        except LoomtableError as error:
            assert str(path) in str(error)
            refused += 1
        for beside in ("-wal", "-shm"):
            path.with_name(f"e.db{beside}").unlink(missing_ok=True)
    assert refused > 64


def test_files_that_are_no_store(tmp_path: Path) -> None:
    noise = tmp_path / "noise.db"
    noise.write_bytes(b"this is not a database, " * 100)
    with pytest.raises(JournalCorrupt, match="no good journal file"):
        open_store(noise)
    assert noise.read_bytes() == b"this is not a database, " * 100

    other = tmp_path / "other.db"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    with pytest.raises(StoreUnusable, match="another program"):
        open_store(other)

    later = tmp_path / "later.db"
    open_store(later).close()
    with sqlite3.connect(later) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(StoreUnusable, match="newer Loomtable"):
        open_store(later)

    with pytest.raises(StoreUnusable, match="cannot be opened"):
        open_store(noise / "inside" / "e.db")


def test_a_truncated_file_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "e.db"
    a_stored_fight(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 3 // 5])
    with pytest.raises((JournalCorrupt, StoreUnusable)), open_store(path) as store:
        Session.resume(SYSTEMS, store.journal("friday"))


def test_two_programs_cannot_write_over_each_other(place: str) -> None:
    path = place
    a_stored_fight(path)
    with open_store(path) as one, open_store(path) as other:
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
    with open_store(path) as store:
        journal = store.journal("friday")
        later = type("Later", (), {})()
        later.__dict__.update(STORM.__dict__, rules_version="2")
        with pytest.raises(JournalCorrupt, match="begun with version 1 of the rules of Storm Weavers"):
            Session.resume({"storm-weavers": later}, journal)
        with pytest.raises(JournalCorrupt, match="'storm-weavers', which this Loomtable does not play"):
            Session.resume({}, journal)
        with pytest.raises(JournalCorrupt, match="already holds a session"):
            Session.open(STORM, seed="s", journal=journal)


def test_the_journal_keeps_by_whose_hand_each_line_is(place: str) -> None:
    path = place
    with open_store(path) as store:
        session = Session.open(STORM, seed="s", journal=store.journal("friday"))
        session.take(Action("create", {"dexterity_points": 2}), by="Ada's phone")
        session.undo(by="the table")
        session.redo(by="the table")
        session.take(Action("gain-item", {"item": "Rope"}), by="the table")
        session.undo(by="the table")
    with open_store(path) as store:
        lines = store.journal("friday").lines()
    assert [line.who for line in lines] == ["", "Ada's phone", *["the table"] * 4]


def test_several_sessions_lie_beside_each_other_and_can_be_renamed(place: str) -> None:
    a_stored_fight(place)
    with open_store(place) as store:
        Session.open(SYSTEMS["weave"], seed="w", journal=store.journal("saturday"))
        before = store.journal("friday").lines()
        store.rename("friday", "a long night")
        assert set(store.sessions()) == {"a long night", "saturday"}
        assert store.journal("a long night").lines() == before
        assert store.last_played()["saturday"][1] == 1
        with pytest.raises(StoreUnusable, match="already; choose another name"):
            store.rename("saturday", "a long night")
        with pytest.raises(StoreUnusable, match="there is no session 'monday'"):
            store.rename("monday", "tuesday")
        for bad in ("", " friday", "x" * 81, "two\nlines", ".", "..", "a/journal", "a\\journal"):
            with pytest.raises(NameUnusable):
                store.rename("saturday", bad)
            with pytest.raises(NameUnusable):
                store.journal(bad)


def test_a_session_taken_out_and_brought_in_elsewhere_is_the_same_byte_for_byte(
    place: str, tmp_path: Path
) -> None:
    with open_store(place) as store:
        session = Session.open(SYSTEMS["weave"], seed="Grüße", journal=store.journal("Änne's evening"))
        session.take(Action("new-season", {"playset": "the-salt-road"}), by="Ilse's phone")
        play_at_random(session, random.Random(3), 120, undo=0.1)
        packed = pack("Änne's evening", store.journal("Änne's evening").lines())
    name, lines = unpack(packed)
    with open_store(tmp_path / "elsewhere.db") as other:
        other.bring_in(name, lines)
        again = other.journal(name)
        assert pack(name, again.lines()) == packed
        assert Session.resume(SYSTEMS, again).game == session.game
        with pytest.raises(StoreUnusable, match="begun or played this session meanwhile"):
            other.bring_in(name, lines)
        assert pack(name, other.journal(name).lines()) == packed


@given(st.data())
@settings(max_examples=80)
def test_a_damaged_file_is_refused_or_the_same(data: st.DataObject) -> None:
    packed = _a_packed_evening()
    kind = data.draw(st.sampled_from(["flip", "cut", "insert", "swap", "noise"]))
    at = data.draw(st.integers(0, len(packed) - 1))
    if kind == "flip":
        damaged = packed[:at] + bytes([packed[at] ^ (1 << data.draw(st.integers(0, 7)))]) + packed[at + 1 :]
    elif kind == "cut":
        damaged = packed[:at]
    elif kind == "insert":
        damaged = packed[:at] + data.draw(st.binary(min_size=1, max_size=9)) + packed[at:]
    elif kind == "swap":
        rows = packed.split(b"\n")
        one = at % (len(rows) - 2) + 1
        rows[one - 1], rows[one] = rows[one], rows[one - 1]
        damaged = b"\n".join(rows)
    else:
        damaged = data.draw(st.binary(max_size=200))
    try:
        name, lines = unpack(damaged)
    except PackInvalid as error:
        assert str(error)
    else:  # only the session's name is not under a hash, and spaces that mean nothing
        assert lines == unpack(packed)[1]
        assert pack(name, lines) == packed.replace(b'"friday"', msgspec.json.encode(name), 1)


@cache
def _a_packed_evening() -> bytes:
    session = Session.open(STORM, seed="s")
    session.perform("create", dexterity_points=2)
    session.perform("fight", enemy=GOBLIN)
    session.answer(ChoiceReading(("attack",)))
    session.undo()
    return pack("friday", session.lines())


def test_a_full_disk_is_a_sentence_and_the_session_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "e.db"
    a_stored_fight(path)
    with open_store(path) as store:
        session = Session.resume(SYSTEMS, store.journal("friday"))
        session.answer(random_answer(session.pending, random.Random(1)))  # type: ignore[arg-type]
        lines = session.lines()
        fill(store)
        refused = 0
        for _ in range(400):
            try:
                with session.together():
                    session.undo()
                    session.redo()
                lines = session.lines()
            except StoreUnusable as error:
                assert "the disk is full; nothing was written" in str(error)
                refused += 1
                break
        assert refused, "400 lines found room on a full disk"
        assert store.journal("friday").lines() == session.lines() == lines, "of two lines one was kept"
        make_room(store)
        while session.pending is not None:
            session.answer(random_answer(session.pending, random.Random(1)))
        assert len(session.lines()) > len(lines)
    with open_store(path) as store:
        assert Session.resume(SYSTEMS, store.journal("friday")).game == session.game


def fill(store: Store) -> None:
    """No page can be added to the file any more: what SQLite then reports is what it reports of a full disk."""
    limit_pages(store, 1)


def make_room(store: Store) -> None:
    limit_pages(store, 1_000_000)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    try:
        with open_store(disk / "e.db") as store:
            session = Session.open(STORM, seed="s", journal=store.journal("friday"))
            session.perform("create", dexterity_points=2)
            (disk / "photographs").write_bytes(bytes(120_000))
            with pytest.raises(StoreUnusable, match="the disk is full; nothing was written"):
                for number in range(5_000):
                    session.perform("gain-item", item=f"stone {number}" * 20)
            kept = session.lines()
            assert store.journal("friday").lines() == kept
            (disk / "photographs").unlink()
            session.perform("gain-item", item="a broom")
        with open_store(disk / "e.db") as store:
            again = Session.resume(SYSTEMS, store.journal("friday"))
            assert again.state.thymin.items[-1] == "a broom"
            assert again.lines()[:-1] == kept
    finally:
        subprocess.run(["umount", str(disk)], check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="no limit can be set for what a program writes")
@pytest.mark.parametrize("room", [0, 2_000, 20_000])
def test_a_new_store_for_which_there_is_no_room_leaves_no_file(tmp_path: Path, room: int) -> None:
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room})); "
    command = f"{limited}from loomtable.table.commands.main import main; main()"
    store = ["--store", str(tmp_path / "evenings.db")]
    play = [sys.executable, "-c", command, "play", "woven", *store]
    done = subprocess.run(play, input="quit\n", capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith(f"loom: {tmp_path / 'evenings.db'}: ")
    assert not list(tmp_path.iterdir())


def test_postgresql_takes_a_line_only_when_it_is_on_the_disk(postgres: Path) -> None:
    with open_store(place_in(postgres, "synced")) as store, store._transaction() as database:
        assert database.value("SHOW synchronous_commit") == "on"
        assert database.value("SHOW fsync") == "on"


def test_tables_of_others_are_left_alone(postgres: Path) -> None:
    import psycopg

    address = place_in(postgres, "recipes")
    with psycopg.connect(address, autocommit=True) as server:
        server.execute("CREATE TABLE line (dish text)")
    with pytest.raises(StoreUnusable, match="tables of another program"):
        open_store(address)
    with psycopg.connect(address, autocommit=True) as server:
        server.execute("CREATE TABLE session (name text)")
    with pytest.raises(JournalCorrupt, match="is not ours"):
        open_store(address)


def test_a_database_without_letters_is_a_sentence_that_says_what_to_do(postgres: Path) -> None:
    with pytest.raises(StoreUnusable, match=r"'letterless' does not know what letters are.*ENCODING 'UTF8'"):
        open_store(letterless_in(postgres, "letterless"))


def test_an_address_that_leads_nowhere_is_a_sentence_without_its_password(tmp_path: Path) -> None:
    nowhere = f"postgresql://loom:geheim@/evenings?host={tmp_path}"
    with pytest.raises(StoreUnusable, match="cannot be used") as trouble:
        open_store(nowhere)
    assert "geheim" not in str(trouble.value)
    with pytest.raises(StoreUnusable, match="in a file, or at a postgresql"):
        open_store("mysql://somewhere/evenings")
    with pytest.raises(StoreUnusable, match="address cannot be read"):
        open_store("postgresql://host:notaport/x")
    with open_store(f"sqlite:///{tmp_path}/e.db") as store:
        assert store.sessions() == ()


def test_a_file_that_an_earlier_loomtable_wrote_opens(tmp_path: Path) -> None:
    """The tables exactly as they were made before PostgreSQL could hold them too."""
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as database:
        database.executescript(
            """
            CREATE TABLE session (name TEXT PRIMARY KEY, begun TEXT NOT NULL) STRICT;
            CREATE TABLE line (
                session TEXT NOT NULL REFERENCES session (name), seq INTEGER NOT NULL, at TEXT NOT NULL,
                who TEXT NOT NULL, entry TEXT NOT NULL, chain TEXT NOT NULL, PRIMARY KEY (session, seq)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO session VALUES ('friday', '2026-11-20T18:00:00.000+00:00');
            INSERT INTO line VALUES ('friday', 0, '2026-11-20T18:00:00.000+00:00', '',
                '{"entry":"opened","system":"storm-weavers","rules_version":"1","seed":"s"}',
                '%s');
            PRAGMA application_id = 1282371437;
            PRAGMA user_version = 1;
            """.replace("%s", _OLD_CHAIN)
        )
    database.close()
    with open_store(path) as store:
        session = Session.resume(SYSTEMS, store.journal("friday"))
        session.perform("create", dexterity_points=2)
    with open_store(path) as store:
        assert len(store.journal("friday").lines()) == 2


def test_twelve_threads_use_one_store_at_once_and_leave_few_connections(place: str, in_turns: None) -> None:
    def play(number: int) -> int:
        session = Session.open(STORM, seed="s", journal=store.journal(f"evening {number}"))
        session.perform("create", dexterity_points=2)
        session.perform("gain-item", item="Rope")
        return len(session.lines())

    with open_store(place) as store:
        played = together(*(partial(play, number) for number in range(12)))
        assert store.line_counts(store.sessions()) == {f"evening {at}": count for at, count in enumerate(played)}
        assert store.damage() == () and len(store._idle) <= 4


def without_ends(place: str) -> None:
    """Make a store what an earlier Loomtable wrote: its sessions do not say where their journals end."""
    with open_store(place) as store, store._transaction() as database:
        for column in ("lines", "head"):
            database.execute(f"ALTER TABLE session DROP COLUMN {column}")
        if isinstance(store, FileStore):
            database.execute("PRAGMA user_version = 1")


def test_a_store_of_an_earlier_loomtable_is_played_on_and_misses_lines_from_then_on(place: str) -> None:
    a_stored_fight(place)
    without_ends(place)
    with open_store(place) as store:
        assert store.last_played()["friday"][1] == 4
        session = Session.resume(SYSTEMS, store.journal("friday"))
        session.undo()
        with store._transaction(writes=True) as database:
            database.execute("DELETE FROM line WHERE seq > 2")
    lost = "lines 3 to 4 of the journal of 'friday' cannot be read"
    with open_store(place) as store, pytest.raises(JournalCorrupt, match=lost):
        store.journal("friday")


def as_an_earlier_loomtable(store: Store, item: str) -> None:
    """Write a line as the first version did: where the journal ends is not moved along."""
    lines = store.lines("friday")
    with store._transaction(writes=True) as database:
        chain = database.value("SELECT chain FROM line ORDER BY seq DESC LIMIT 1")
        line = Line(len(lines), now(), Acted(Action("gain-item", {"item": item})), "")
        database.insert("line", _row("friday", line, chain))


def test_an_earlier_loomtable_that_is_still_open_makes_no_evening_unplayable(place: str) -> None:
    with TableHost(open_store(place)) as host:
        live = a_tale(host)
        as_an_earlier_loomtable(host.store, "Rope")
        assert host.store.line_counts(["friday"]) == {"friday": 3} and host.store.last_played()["friday"][1] == 3
        with pytest.raises(StalePage, match="another program has played"):
            live.take(Action("gain-item", {"item": "Bread"}), by="", revision=2)
        live.take(Action("gain-item", {"item": "Bread"}), by="", revision=3)
        assert live.session.state.thymin.items[-2:] == ("Rope", "Bread")
        as_an_earlier_loomtable(host.store, "Lamp")
        live.catch_up(host.store.line_counts(["friday"])["friday"])
        assert live.revision == 5
        as_an_earlier_loomtable(host.store, "Chalk")
    found = _store(place)
    assert not found.ok and "an earlier Loomtable has written to 'friday'" in found.says
    with TableHost(open_store(place)) as host:
        live = host.live_session("friday")
        live.take(Action("gain-item", {"item": "Salt"}), by="", revision=6)
        assert live.session.state.thymin.items[-5:] == ("Rope", "Bread", "Lamp", "Chalk", "Salt")
    assert _store(place).ok
    with open_store(place) as store, store._transaction(writes=True) as database:
        database.execute("DELETE FROM line WHERE seq = 6")
    with open_store(place) as store, pytest.raises(JournalCorrupt, match=r"line 6 .* cannot be read"):
        store.journal("friday")


KEPT = {"notes": {"Ilse": "the lamp is hollow"}, "line": {"spiders": "", "harm to animals": ""}}


def test_what_is_kept_beside_a_session_is_never_another_by_a_flipped_bit(tmp_path: Path) -> None:
    """In each byte of what is kept: said or the same, by whoever reads it or by the doctor."""
    path = tmp_path / "e.db"
    with open_store(path) as store:
        for session in ("evening 2", "evening 3"):  # one bit apart
            Session.open(STORM, seed="s", journal=store.journal(session))
        for kind, kept in KEPT.items():
            for key, text in kept.items():
                store.keep_memo("evening 2", kind, key, text)
    whole = path.read_bytes()
    rows = [whole.index(b"evening 2" + kind.encode() + key.encode()) for kind in KEPT for key in KEPT[kind]]
    flips = [(at, at % 8) for row in rows for at in range(row - 6, min(row + 70, len(whole)))]
    flips += [(row + len("evening "), 0) for row in rows]  # moves it to the other evening
    said = 0
    for at, bit in flips:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << bit)]) + whole[at + 1 :])
        try:
            with open_store(path) as store:
                told = store.damage()
                kept = [
                    {kind: store.memos(session, kind) for kind in KEPT} for session in ("evening 2", "evening 3")
                ]
                assert told or kept == [KEPT, {kind: {} for kind in KEPT}], (at, kept)
        except LoomtableError:
            said += 1
    assert said > 150
    path.write_bytes(whole.replace(b"the lamp is hollow", b"the lamp is hallow"))
    with TableHost(open_store(path)) as host:
        asker = Table(host).join(Role.HOST)
        for page in ("notes", "lines-and-veils"):
            told_page = asker.get(f"/table/evening 2/{page}", accept="text/html")
            assert told_page.status == 503 and "(notes, lines, veils) is damaged" in told_page.text
        assert asker.get("/table/evening 2", accept="text/html").status == 200, "the evening itself can be played"
    assert "beside 'evening 2'" in _store(str(path)).says


def test_what_an_earlier_loomtable_kept_beside_a_session_gets_its_hash(place: str) -> None:
    a_stored_fight(place)
    with open_store(place) as store:
        store.keep_memo("friday", "notes", "Ilse", "the lamp is hollow")
        with store._transaction(writes=True) as database:
            database.execute("ALTER TABLE memo DROP COLUMN hash")
            database.execute("DROP TABLE shared")
            if isinstance(store, FileStore):
                database.execute("PRAGMA user_version = 3")
    with open_store(place) as store:
        assert store.memos("friday", "notes") == {"Ilse": "the lamp is hollow"} and Devices(store).all() == ()
        store.rename("friday", "a long night")
        assert store.memos("a long night", "notes") == {"Ilse": "the lamp is hollow"}
        with store._transaction(writes=True) as database:
            database.execute("UPDATE memo SET text = 'the lamp is hallow'")
        with pytest.raises(JournalCorrupt, match="kept beside 'a long night'"):
            store.memos("a long night", "notes")


def test_a_damaged_file_of_an_earlier_loomtable_is_not_taken_for_a_shorter_one(tmp_path: Path) -> None:
    path = tmp_path / "e.db"
    a_stored_fight(path)
    without_ends(str(path))
    whole = path.read_bytes()
    assert whole.count(b"friday\x02") == 1, "by this, line 2 is found"
    damaged = whole.replace(b"friday\x02", b"fridaz\x02")
    path.write_bytes(damaged)
    with pytest.raises(JournalCorrupt, match=r"the file is damaged .*bring it back from a copy"):
        open_store(path)
    assert path.read_bytes() == damaged


_OLD_CHAIN = "8ff7de877d4e7bf7a9460f23039bdb02"
