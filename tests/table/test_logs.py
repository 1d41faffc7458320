"""The log tells what was done and how dice were read, and never what must stay secret."""

from __future__ import annotations

import logging
import random
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from loomtable.table.commands import logs
from loomtable.table.commands.main import run
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.store import open_store
from loomtable.vision.camera_base import CameraLost, FrameSource
from loomtable.vision.pictures import BgrImage, write_picture
from tests.short import Loom
from tests.table.asking import Table
from tests.table.hidden_cards import DEALT, HIDING, played, secrets_of, told_in
from tests.vision.needed import needs_networks
from tests.vision.own_dice_drawn import fancy


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    for name in ("STATE", "DATA", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    yield
    logs.stop()


@pytest.mark.parametrize("key", HIDING)
def test_a_log_of_everything_tells_no_code_no_token_and_no_hidden_card(key: str) -> None:
    logs.start(file=Path("log.txt"))
    secrets: set[str] = set()
    hidden: set[str] = set()
    with open_store("e.db") as store, TableHost(store) as runs:
        live = runs.begin(key, "friday", seed="2", rulings=DEALT.get(key))
        table = Table(runs, hurried=True)
        unused = runs.devices.pair()
        ada, host = table.join(Role.PLAYER, "Ada"), table.join(Role.HOST)
        secrets |= {unused.code, runs.devices.code, ada.token, host.token}
        table.stranger().post("/join", code="WRONG2")
        table.stranger().get(f"/nothing/{unused.code}?code={unused.code}")
        table.stranger().ask("GET", "/", headers={"host": "elsewhere.example"})
        table.stranger().ask("GET", "/api/sessions", headers={"authorization": "Bearer planted-token"})
        for step, _ in enumerate(played(live, key, random.Random(2))):
            if step % 30 == 0:
                hidden |= secrets_of(live.session).hidden("nobody")
                for card in sorted(secrets_of(live.session).hidden("Ada"))[:2]:
                    ada.play(
                        "act", _json={"action": "use-asset", "args": {"who": "Ada", "asset": "x", "card": card}}
                    )
                ada.get("/api/sessions")
        runs.rename("friday", "saturday")
        runs.devices.revoke(ada.id)
    written = Path("log.txt").read_text("utf-8")
    for told in (
        "the store e.db is open",
        "the session 'friday' of",
        'the device "Ada\'s phone" has joined as a player',
        "POST /join by nobody is refused: 400 NotJoined",
        "GET /api/sessions by player is refused: 403 NotAllowed",
        "another machine's name is refused: 421",
        "the session 'friday' is called 'saturday' now",
        'the device "Ada\'s phone" is let go',
    ):
        assert told in written
    assert len(hidden) >= 4, "hardly anything was hidden; the test proves nothing"
    assert not told_in(written, hidden)
    for secret in (*secrets, "WRONG2", "planted-token", "elsewhere.example"):
        assert secret not in written


class Unplugged(FrameSource):
    """A camera that was plugged in for no picture at all."""

    live = True

    def __init__(self) -> None:
        self.name = "camera 0"

    def read(self) -> BgrImage | None:
        raise CameraLost("camera 0 sends no pictures")

    def close(self) -> None:
        pass


def test_a_camera_that_is_lost_is_told_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loomtable.table.hosting.watcher.AGAIN_AFTER", 0.001)
    tries = threading.Semaphore(0)

    def opens(_: str) -> FrameSource:
        tries.release()
        return Unplugged()

    logs.start(file=Path("log.txt"))
    with open_store("e.db") as store, TableHost(store) as runs:
        watch = TableWatch(runs.begin("weave", "friday"), opens)
        watch.camera.start("0")
        for _ in range(4):
            assert tries.acquire(timeout=20)
        watch.stop()
    written = Path("log.txt").read_text("utf-8")
    assert written.count("the camera 'camera 0' is open") == 1
    assert written.count("is lost, and tried again") == 1


@needs_networks
def test_every_network_and_reading_is_told_with_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    write_picture(Path("die.png"), fancy(4, 20.0, 1))
    run(["read", "die.png", "--expect", "1d6"])
    assert capsys.readouterr().err == ""
    run(["--verbose", "read", "die.png", "--expect", "1d6"])
    told = capsys.readouterr().err
    assert "dice_reader.onnx is loaded" in told or "loomtable.vision.dice" in told
    assert any("of one d6" in line and line.endswith(" ms") for line in told.splitlines())


def test_a_log_is_added_to_and_only_its_owner_may_read_it() -> None:
    for _ in range(2):
        assert run(["--log", "log.txt", "doctor", "--store", "none.db", "--json"]) in (0, 1)
        logs.start(file=Path("log.txt"))
        logging.getLogger("loomtable.something").info("a line")
    assert Path("log.txt").read_text("utf-8").count("INFO loomtable.something: a line") == 2
    assert stat.S_IMODE(Path("log.txt").stat().st_mode) == 0o600


@pytest.mark.parametrize("file", [".", "none/log.txt"])
def test_a_log_that_cannot_be_written_is_one_sentence(file: str, loom: Loom) -> None:
    out, err = loom("--log", file, "rulings", code=2)
    assert out == ""
    assert err.startswith(f"loom: {file}: the log cannot be written there")
    assert err.count("\n") == 1


def test_nothing_is_logged_unless_somebody_asks(loom: Loom) -> None:
    assert loom("rulings", "weave").err == ""
    assert not logs.defects_file().exists()


SAID = ("Ada's hidden S7", f"{Path.home()} of Ilse")


def fail(*_: object) -> None:
    try:
        raise KeyError(SAID[0])
    except KeyError as error:
        raise ValueError(SAID[1]) from error


def test_a_defect_is_kept_without_what_it_says(monkeypatch: pytest.MonkeyPatch, loom: Loom) -> None:
    monkeypatch.setattr("loomtable.engine.kernel.plugins.Hook.load", fail)
    err = loom("--log", "log.txt", "rulings", "weave", code=3).err
    assert "of Ilse" in err, "whoever sits before the terminal sees all of it"
    assert "loom doctor --report FILE" in err.splitlines()[-1]
    [kept] = logs.last_defects()
    for text in (kept, Path("log.txt").read_text("utf-8")):
        assert "builtins.ValueError" in text
        assert "builtins.KeyError" in text
        assert "table/commands/main.py" in text
        for said in ("S7", "Ada", "Ilse", str(Path.home())):
            assert said not in text
    assert stat.S_IMODE(logs.defects_file().stat().st_mode) == 0o600


def test_only_the_last_defects_are_kept() -> None:
    logs.start()
    logger = logging.getLogger("loomtable.something")
    logs._handlers[0].setLevel(logging.CRITICAL)  # not onto the terminal
    for number in range(2000):
        logger.error("a line with a number that is left out, and a long one so that the file fills: %d", number)
    sizes = [file.stat().st_size for file in logs.defects_file().parent.iterdir()]
    assert len(sizes) == 2
    assert max(sizes) <= logs.MOST_KEPT
    assert len(logs.last_defects()) == 10


def test_a_full_or_forbidden_disk_stops_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "state").write_text("a file where the folder should be", "utf-8")
    logs.start()
    logging.getLogger("loomtable.something").error("a defect")
    assert capsys.readouterr().err == "loom: a defect\n"


def test_errors_of_people_are_no_defects(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulings", "no-such-game"]) == 2
    assert logs.last_defects() == []
