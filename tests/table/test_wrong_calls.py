"""What is typed wrongly is answered by one sentence, and nothing is written."""

from __future__ import annotations

import io
import shlex
from pathlib import Path

import pytest

from loomtable.table.commands.main import COMMANDS, run
from loomtable.table.settings import settings_file
from loomtable.table.store import open_store

CALLS = """
lo
plya weave
print-kit
--verbos
--log
--log nowhere/at/all.log doctor
--version=3
demo --seed many
demo --seed
demo --image one.jpg --camera 0
demo --image none.jpg --output made
demo extra
demo --outptu made
print
print weft
print weave wevae
print weave --paper a9
print weave --paper
print weave --card-size huge
print weave --sleeves thick
print weave --sides both
print weave --marks dotted
print weave --marks-on edge
print weave --spacing wide
print weave --gutter -3
print weave --gutter wide
print weave --profile press
print weave --style neon
print weave --icc none.icc
print weave --profile pro --icc none.icc
print weave --profile pro --fillable
print weave --only S99
print weave --only X1
print weave --only story:0
print weave --copies 0
print weave --copies many
print weave --png 1
print weave --png many
print weave --printer attic
print weave --session friday
print weave --session friday --store none.db
print weave --system chess
print woven --system weave
print --deck none.csv
print weave --deck none.csv
print weave --template plain
print weave --camera binoculars
print weave --camera phone --distance far
print weave --camera phone --distance 40
print weave --distance 40cm
print weave --list
print weave --list=3
print weave --output text.txt
print weave --png 300 --for screen
print weave --template plain --list
print weave --store evenings.db
print weave --colour
calibrate print
calibrate printer --top 1
calibrate printer attic
calibrate printer attic --top 1
calibrate printer attic --top inf --left 1
calibrate printer --paper a9
scan
scan none.jpg
scan text.txt
scan empty
scan --camera 77
scan --camera nowhere.avi
scan text.txt --camera 0
scan text.txt --for dinner
scan text.txt --for episode --json
scan --for episode
scan --for character
scan --for level-up
scan --for challenge --who
scan --for episode --playset none
read
read none.jpg
read text.txt
read empty
read text.txt --camera 0
read --camera 77
read --camera http://
read text.txt --expect
read text.txt --expect "three dice"
read text.txt --expect 0d6
read text.txt --draw
read cut.avi
board
board text.txt
board text.txt --session friday
board text.txt --session friday --store none.db
dice ruby
dice --draw
dice roll
table --session nobody
table --camera 0
table --invite Ada
table --port 0
table --port web
table extra
play
play chess
play weave --store text.txt
play weave extra
play weave --seed
replay
replay none.yaml
replay text.txt
journal --session friday
journal --store none.db
journal --store text.txt
journal --store evenings.db --session monday
journal --store mysql://somewhere
journal evenings.db monday friday
chronicle
chronicle --session friday
chronicle --session monday --store evenings.db
chronicle friday --paper a9
rulings weve
rulings weave spellwoven
odds chess
odds woven
odds weave
odds weave challenge --level 3
odds weave challenge --pool 5 --level 99
odds weave challenge --pool none --level 3
odds weave challenge --pool 5 --level 3 --rerolls twice
odds weave challenge --pool 5 --level 3 --ruling nothing
odds weave challenge --pool 5 --level 3 --ruling nothing=all
odds mnemonic game-face --score two
odds storm-weavers adventure none.yaml
map
map heather --size huge
map heather --homes 9
map heather --output text.txt
map heather --style neon
map heather --output heather.pdf --paper a9
check none.yaml
import
import none.dd2vtt
import text.txt
import none.twee --grid 70
import none.png --squares many
new game
new game Pearl
new game weave
cameras 77
cameras nowhere.avi
doctor --port 0
doctor extra
settings colour pink
settings papr letter
settings paper a9
settings printer attic
settings weave.nothing all
settings chess.nothing all
settings --reset
settings paper letter --reset
"""
NOT_WRONG = ("odds weave\n",)
WRONG = [line for line in CALLS.strip().splitlines() if f"{line}\n" not in NOT_WRONG]


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


@pytest.mark.parametrize("call", WRONG)
def test_a_wrong_call_is_answered_by_one_sentence(
    call: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(desk.rglob("*"))
    code = run(shlex.split(call))
    _, err = capsys.readouterr()
    said = [line for line in err.splitlines() if " is named with --" not in line and " are called " not in line]
    assert code == 2, err
    assert len(said) == 1, err
    assert said[0].startswith("loom: ") and "Traceback" not in err
    assert not said[0].endswith(".") and len(said[0]) < 400
    assert sorted(path for path in desk.rglob("*") if path.suffix not in (".db-shm", ".db-wal")) == before
    assert not settings_file().exists()


def test_there_are_a_hundred_of_them_and_every_command_is_among_them() -> None:
    assert len(WRONG) >= 100
    assert {call.split()[0] for call in WRONG} >= set(COMMANDS)


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
