"""``loom new game``: what it writes can be played, printed and tested before anything of it is changed."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from loomtable.table.commands.main import run
from tests.short import Loom

LOOM = (sys.executable, "-m", "loomtable")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    assert run(["new", "game", "pearl-dive", "--output", str(folder)]) == 0
    place = folder / "pearl-dive"
    text = (place / "pyproject.toml").read_text("utf-8")
    info = place / "pearl_dive-0.dist-info"  # as pip leaves it
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pearl-dive\nVersion: 0\n", "utf-8")
    (info / "entry_points.txt").write_text(
        "".join(f"[{name}]\n{line}\n" for name, line in entries_of(text)), "utf-8"
    )
    return place


def entries_of(text: str) -> list[tuple[str, str]]:
    parts = text.split('[project.entry-points."')[1:]
    return [(part.split('"')[0], part.splitlines()[1].replace('"', "")) for part in parts]


def test_it_keeps_its_own_test(written: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests"]
    done = subprocess.run(command, cwd=written, capture_output=True, text=True, env=place_of(written))
    assert "1 passed" in done.stdout, done.stdout


def test_it_is_played_in_the_terminal_and_has_a_sheet(written: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [*LOOM, "play", "pearl-dive", "--store", str(tmp_path / "e.db")],
        input="roll who=Ada\n2 3\n2\n5 6\n1\nsheet\nquit\n",
        capture_output=True, text=True, cwd=tmp_path, env=place_of(written),
    )  # fmt: skip
    assert "Ada stops at 16." in done.stdout, done.stdout + done.stderr
    assert "16 of 21" in done.stdout
    assert done.stdout.count("\n  11\n") == 1, "what came of the dice is not said again after a choice"


def test_its_card_is_printed(written: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [*LOOM, "print", "pearl-dive"], capture_output=True, text=True, cwd=tmp_path, env=place_of(written)
    )
    assert [path.name for path in (tmp_path / "output").iterdir()] == ["pearl-dive-reference-a4-long-edge.pdf"]
    assert done.returncode == 0, done.stderr


def place_of(written: Path) -> dict[str, str]:
    return {
        "PYTHONPATH": f"{written}:{Path(__file__).parent.parent}",
        "PATH": "/usr/bin:/bin",
        "HOME": str(written),
    }


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Pearl", "'Pearl' cannot name a game; write letters, numbers and hyphens, such as pearl-dive"),
        ("class", "'class' cannot name a game"),
        ("random", "'random' cannot name a game"),
        ("../up", "'../up' cannot name a game"),
        ("weave", "weave is played here already; choose another name"),
        ("old", "old is there already; choose another name, or another folder with --output"),
    ],
)
def test_a_name_that_cannot_be_is_one_sentence_and_nothing_is_written(
    name: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loom: Loom
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old").mkdir()
    assert says in loom("new", "game", name, code=2).err
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert not list((tmp_path / "old").iterdir())


def test_a_file_in_place_of_the_folder_is_one_sentence(tmp_path: Path, loom: Loom) -> None:
    (tmp_path / "file").touch()
    heard = loom("new", "game", "pearl-dive", "--output", tmp_path / "file", code=2).err
    assert "is a file, not a folder; name another folder" in heard


def test_of_two_that_write_one_game_at_once_one_is_refused_and_the_other_is_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = Barrier(2)

    def begun(_: int) -> int:
        start.wait()
        return run(["new", "game", "both", "--output", str(tmp_path)])

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(begun, range(2))) == [0, 2]
    assert "both is there already; choose another name" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["both"]
    assert len([path for path in (tmp_path / "both").rglob("*") if path.is_file()]) == 5
