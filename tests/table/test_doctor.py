"""``loom doctor`` finds the usual troubles, each made here for it, and says what to do."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
from pathlib import Path

import pytest

from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.sheet.printer import printers_folder
from loomtable.table.commands import doctor_checks
from loomtable.table.commands.main import run
from loomtable.table.settings import usual_store
from loomtable.table.store import open_store
from tests.short import Loom


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty machine: no sessions, no profiles."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, tuple[bool, str]]]:
    """The exit code, and what was said of each thing."""
    code = run(["doctor", "--json", *arguments])
    return code, {one["what"]: (one["ok"], one["says"]) for one in json.loads(capsys.readouterr().out)}


def test_an_empty_machine_is_well_and_stays_empty(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, things = found(capsys)
    assert code == 0
    assert things["sessions"] == (True, f"{usual_store()}: none yet")
    assert things["certificate"][0]
    assert list(tmp_path.iterdir()) == []


def test_every_trouble_says_what_to_do(loom: Loom) -> None:
    lines = loom("doctor").out.splitlines()
    assert lines[-1] == "Everything required is in place."
    for line in lines:
        assert not line.startswith(("MISS", "note")) or ";" in line or ":" in line, line


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as table:
        port = table.getsockname()[1]
        code, things = found(capsys, "--port", str(port))
    ok, says = things[f"port {port}"]
    assert (code, ok) == (0, False)
    assert "--port" in says


def test_sessions_that_cannot_be_used(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE recipes (soup TEXT)")
    torn = tmp_path / "torn.db"
    torn.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    well = tmp_path / "well.db"
    open_store(well).close()
    short = tmp_path / "short.db"
    with open_store(short) as store:
        Session.open(SYSTEMS["weave"], seed="s", journal=store.journal("friday"))
        Session.open(SYSTEMS["weave"], seed="s", journal=store.journal("saturday"))
    with sqlite3.connect(short) as database:
        database.execute("DELETE FROM line WHERE session = 'friday'")
    out_of_order = tmp_path / "out-of-order.db"
    with open_store(out_of_order) as store:
        Session.open(SYSTEMS["weave"], seed="s", journal=store.journal("friday"))
        Session.open(SYSTEMS["weave"], seed="s", journal=store.journal("saturday"))
    whole = out_of_order.read_bytes()
    out_of_order.write_bytes(whole.replace(b"friday20", b"zriday20"))
    for file, expected in (
        (other, "another program"),
        (torn, ""),
        (short, "line 0 of the journal of 'friday' cannot be read"),
        (out_of_order, "out-of-order.db: the file is damaged"),
        (well, "well.db: 0 sessions"),
    ):
        code, things = found(capsys, "--store", str(file))
        ok, says = things["sessions"]
        assert (ok, code) == ((True, 0) if file == well else (False, 1)), says
        assert expected in says
        assert ok or "--store" in says or "from a copy" in says


def test_a_printer_profile_that_is_damaged(capsys: pytest.CaptureFixture[str]) -> None:
    printers_folder().mkdir(parents=True)
    (printers_folder() / "attic.json").write_text("{", "utf-8")
    ok, says = found(capsys)[1]["printer attic"]
    assert not ok
    assert "calibrate the printer again" in says


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="who is root may write everywhere")
def test_a_folder_that_cannot_be_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "output").mkdir(mode=0o500)
    code, things = found(capsys)
    assert code == 1
    assert not things["output folder"][0]
    assert not things["sessions"][0]


def test_a_file_where_a_folder_should_be(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "output").write_text("no folder", "utf-8")
    things = found(capsys)[1]
    assert not things["output folder"][0]
    assert "--output" in things["output folder"][1]


def test_a_full_disk(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_checks, "LEAST_FREE", 1 << 62)
    ok, says = found(capsys)[1]["disk"]
    assert not ok
    assert "make room" in says


def test_a_library_that_is_too_old_or_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    needs = ["numpy>=99.0", "no-such-loom>=1.2", 'torch>=2.6; extra == "training"']
    monkeypatch.setattr(doctor_checks, "requires", lambda _: needs)
    code, things = found(capsys)
    assert code == 1
    assert "older than 99.0" in things["numpy"][1]
    assert "is not installed" in things["no-such-loom"][1]
    assert "torch" not in things
    assert "pip install" in things["numpy"][1]


def test_networks_that_were_cut_short(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from loomtable.engine.kernel import package_data
    from loomtable.vision.dice import networks as network

    real = package_data.package_file
    broken = tmp_path / "models"
    broken.mkdir()
    for file in network.package_file("models").glob("dice_*"):
        whole = file.read_bytes()
        (broken / file.name).write_bytes(whole[: len(whole) // 2] if file.suffix == ".onnx" else whole)
    monkeypatch.setattr(
        package_data, "package_file", lambda *parts: broken if parts == ("models",) else real(*parts)
    )
    ok, says = found(capsys)[1]["models"]
    assert not ok
    assert "install Loomtable again: " in says


def test_a_report_names_nobody(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, at_home: Path
) -> None:
    home = tmp_path / "home" / "ilsebill"
    home.mkdir(parents=True)
    monkeypatch.setenv("LOGNAME", "ilsebill")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    monkeypatch.chdir(home)
    (at_home / "confirmed").mkdir()
    (at_home / "confirmed" / "d6.json").write_text("{", "utf-8")
    printers_folder().mkdir(parents=True)
    (printers_folder() / "attic.json").write_text("{", "utf-8")
    open_store("evenings-of-ada.db").close()
    with monkeypatch.context() as broken:
        broken.setattr(doctor_checks, "_fonts", _broken)
        assert run(["doctor"]) == 3
    capsys.readouterr()
    assert run(["doctor", "--store", "evenings-of-ada.db", "--report", "report.txt"]) == 0
    out = capsys.readouterr().out
    text = (home / "report.txt").read_text("utf-8")
    assert "d6.json: is damaged" in " ".join(out.split())
    assert "attic" in out
    assert "report.txt: written" in out
    for told in (
        "loomtable ",
        "Python 3.",
        "onnxruntime ",
        "cameras: ",
        "ok    SQLite: ",
        "builtins.RuntimeError",
    ):
        assert told in text
    for name in (
        "ilsebill",
        str(tmp_path),
        "attic",
        "evenings-of-ada",
        socket.gethostname(),
        "whisper",
    ):
        assert name not in text, name


WHISPERED = "whisper: ilsebill"


def _broken() -> None:
    raise RuntimeError(WHISPERED)


def test_a_report_that_cannot_be_written(loom: Loom, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", "utf-8")
    assert loom("doctor", "--report", "file/report.txt", code=2).err.count("\n") == 1
