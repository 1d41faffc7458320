"""What is typed wrongly is answered by one sentence, and nothing is written."""

from __future__ import annotations

import io
import shlex
from pathlib import Path

import pytest

from loomtable.table.commands.main import COMMANDS, run
from loomtable.table.settings import settings_file
from loomtable.table.store import open_store

CALLS = Path(__file__).with_name("wrong_calls.txt").read_text("utf-8").splitlines()
WRONG = [tuple(line.partition("  -> ")[::2]) for line in CALLS if not line.startswith("#")]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file that is no picture, a video that is none, an empty folder, and an empty store."""
    (tmp_path / "text.txt").write_text("a shopping list", "utf-8")
    (tmp_path / "cut.avi").write_bytes(b"RIFF and nothing more")
    (tmp_path / "empty").mkdir()
    open_store(tmp_path / "evenings.db").close()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    return tmp_path


@pytest.mark.parametrize(("call", "words"), WRONG)
def test_a_wrong_call_is_answered_by_one_sentence(
    call: str, words: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(desk.rglob("*"))
    code = run(shlex.split(call))
    out, err = capsys.readouterr()
    said = [line for line in err.splitlines() if " is named with --" not in line and " are called " not in line]
    assert code == 2 and (not out or "Begin one now" in out), "only a question comes before it"
    assert len(said) == 1 and words in said[0], err
    assert said[0].startswith("loom: ") and "Traceback" not in err
    assert not said[0].endswith(".") and len(said[0]) < 400
    assert sorted(path for path in desk.rglob("*") if path.suffix not in (".db-shm", ".db-wal")) == before
    assert not settings_file().exists()


def test_there_are_a_hundred_of_them_and_every_command_is_among_them() -> None:
    assert len(WRONG) >= 100
    assert {call.split()[0] for call, _ in WRONG if call} >= set(COMMANDS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("paper = ", "is not good TOML"),
        ("paper = " + "[" * 5000, "holds lists in lists without end"),
        ("papr = 'a4'", "there is no setting 'papr'; did you mean paper?"),
        ("paper = 'a9'", "paper: there is no paper 'a9'"),
        ("paper = [1]", "paper takes a text"),
        ("[house-rules]\nweave = 'all'", "house rules are written as [house-rules.GAME]"),
        (b"\xff\xfe", "is not a UTF-8 text file"),
    ],
)
@pytest.mark.parametrize("call", ["settings", "print weave", "chronicle --session friday"])
def test_a_broken_settings_file_is_one_sentence(
    text: str | bytes, words: str, call: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_bytes(text if isinstance(text, bytes) else text.encode())
    if call == "settings" and words.startswith("paper: "):
        return  # it shows what is set, so that it can be changed
    assert run(call.split()) == 2
    _, err = capsys.readouterr()
    assert words in err and str(settings_file()) in err
    assert err.count("\n") == 1
