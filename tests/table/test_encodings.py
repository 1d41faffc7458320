"""Every command in every encoding: a pipe on Windows writes cp1252, old terminals Latin-1 or ASCII."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.systems import SYSTEMS
from loomtable.table.commands.letters import prepare_output
from loomtable.table.commands.main import COMMANDS, run
from tests.tiers import mostly

ENCODINGS = ("cp1252", "ascii", "latin-1")
LOOKS = ("map", "tapestry", "table", "sheet all", "spread", "state", "story", "journal", "transcript", "help")
"""Everything that is drawn or listed of an evening."""


def said(monkeypatch: pytest.MonkeyPatch, encoding: str, *command: object, typed: str = "") -> str:
    """What a command writes on an output of this encoding."""
    output = io.TextIOWrapper(io.BytesIO(), encoding)
    with monkeypatch.context() as patched:
        patched.setattr("sys.stdin", io.StringIO(typed))
        patched.setattr("sys.stdout", output)
        assert run(list(map(str, command))) == 0
    output.flush()
    return output.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


@pytest.mark.parametrize("system", mostly(SYSTEMS, ("weave", "woven")))
def test_a_game_is_drawn_in_every_encoding(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str) -> None:
    """The same lines, and the same columns on maps; nothing has become a question mark."""
    play = ("play", system, "--session", "friday", "--store", tmp_path / "evenings.db")
    said(monkeypatch, "utf-8", *play, typed="0\nquit\n")  # a ready evening, which all three look at
    whole, *others = (
        said(monkeypatch, encoding, *play, typed="\n".join(LOOKS)).splitlines()
        for encoding in ("utf-8", "cp1252", "ascii")
    )
    for lines in others:
        assert list(map(len, lines)) == list(map(len, whole))
        assert [line.count("?") for line in lines] == [line.count("?") for line in whole]
        assert lines[0] == whole[0]


def test_a_map_in_a_pipe_says_what_its_marks_mean(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "loomtable", "play", "woven", "--store", str(tmp_path / "s.db")]
    pipe = os.environ | {"PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, input=b"0\nmap\nquit\n", capture_output=True, check=False, env=pipe)
    drawn = done.stdout.decode("cp1252")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "# forest (2)" in drawn and "= river (+3)" in drawn
    assert "  # 4 # __|" in drawn


YARD = str(package_file("templates", "storm_weavers", "maps", "sluice-yard.yaml"))
TOLD = (("replay", "goblin"), ("odds", "weave", "challenge", "--pool", "5", "--level", "3"), ("check", YARD))


@pytest.mark.parametrize("encoding", mostly(ENCODINGS, ["ascii"]))
def test_commands_that_list_and_explain_do_so_in_every_encoding(
    monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    helps = [(name, "--help") for name in mostly(COMMANDS, ("print", "scan", "play", "table"))]
    for command in (*helps, ("rulings",), ("print", "--list"), ("odds", "spellwoven"), ("settings",), *TOLD):
        assert said(monkeypatch, encoding, *command), command


def test_accents_go_and_what_has_no_likeness_is_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    output = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr("sys.stdout", output)
    prepare_output()
    print("Zoë “of the Łakes”… 15° → 竜 \udcff")
    assert output.buffer.getvalue() == b'Zoe "of the ?akes"... 15 degrees > ? \xff\n'  # type: ignore[attr-defined]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_data_for_programs_is_the_same_in_every_encoding(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, encoding: str
) -> None:
    store = tmp_path / "s.db"
    said(monkeypatch, "utf-8", "play", "woven", "--store", store, typed="set-up players=[Zoë,竜]\n")
    journal = ("journal", "--session", "woven", "--json", "--store", store)
    whole = json.loads(said(monkeypatch, "utf-8", *journal))
    assert "竜" in str(whole)
    assert json.loads(said(monkeypatch, encoding, *journal)) == whole
