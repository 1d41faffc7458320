"""Loomtable works in folders that are awkward: names with spaces and letters of other scripts, and read-only ones.

Each command is started as people start it, in a process of its own. For folders that cannot be written, the
process has a view of the disk in which they are mounted read-only, since that binds the superuser too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from docs.site.printed_pictures import five_dice
from loomtable.testing.virtual import VirtualCamera
from loomtable.vision.pictures import write_picture
from tests.table.ports import free_port
from tests.tiers import mostly, thorough
from tests.vision.needed import needs_networks

HOME = Path(__file__).parent.parent
_MOUNTED = 'for one in $FOLDERS_READ_ONLY; do mount --bind "$one" "$one" && mount -o remount,bind,ro "$one"; done'
_UNSHARED = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-ec", f'IFS=:; {_MOUNTED}; exec "$@"', "sh"]


@cache
def _can_mount() -> bool:
    return shutil.which("unshare") is not None and not subprocess.run([*_UNSHARED, "true"], check=False).returncode


@dataclass(frozen=True)
class Place:
    """Where a person works: the current folder, a home, and a folder for what is written."""

    here: Path
    home: Path
    output: Path
    read_only: tuple[Path, ...] = ()

    def start(self, *arguments: str, said: Path) -> subprocess.Popen[str]:
        """Start ``loom``; what it says goes into a file."""
        settings = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        settings |= {"HOME": str(self.home), "PYTHONPATH": str(HOME)}
        settings |= {"FOLDERS_READ_ONLY": ":".join(map(str, self.read_only))}
        command = [sys.executable, "-m", "loomtable", *arguments]
        with said.open("w", encoding="utf-8") as file:
            return subprocess.Popen(
                [*_UNSHARED, *command] if self.read_only else command,
                cwd=self.here,
                env=settings,
                text=True,
                stdin=subprocess.PIPE,
                stdout=file,
                stderr=file,
            )

    def loom(self, *arguments: str, typed: Sequence[str] = ()) -> tuple[int, str]:
        """Run ``loom`` to its end: the exit code, and what it says."""
        said = self.output / "said.txt"
        running = self.start(*arguments, said=said)
        running.communicate("".join(f"{line}\n" for line in typed), timeout=240)
        return running.returncode, said.read_text("utf-8")


@pytest.fixture(
    scope="module",
    params=mostly(["with spaces and other letters", "read-only"], ["with spaces and other letters"]),
)
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A picture of dice in an awkward folder, or in one that is read-only, as the installation is then, too."""
    folder = tmp_path_factory.mktemp("folders")
    camera = VirtualCamera(tilt=33, height=292, field_of_view=62, aim=(0.0, 4.0))
    if request.param == "read-only":
        if not _can_mount():
            pytest.skip("folders cannot be mounted read-only here (Linux with user namespaces can)")
        place = Place(folder / "here", folder / "home", folder / "output", (folder / "here", HOME))
    else:
        name = folder / "Zoë's Spieleabend 織機 кости"
        place = Place(name / "ici même", name / "дом", name / "ici même" / "печать für heute")
    for one in (place.here, place.home, place.output):
        one.mkdir(parents=True)
    write_picture(place.here / "Würfel 骰子.png", five_dice(camera, on_the_mat=True)[0])
    return place


@thorough
def test_the_folder_is_as_awkward_as_it_says(place: Place) -> None:
    done, said = place.loom("print", "coin-tokens", "--output", str(place.here / "new"))
    assert done == (2 if place.read_only else 0)
    if place.read_only:
        assert "cannot be written" in said
        assert "choose another folder" in said
        assert not (place.here / "new").exists()


def test_a_kit_is_printed(place: Place) -> None:
    done, said = place.loom("print", "coin-tokens", "--output", str(place.output))
    assert done == 0, said
    assert [file.name for file in place.output.glob("*.pdf")] == ["coin-tokens-a4-long-edge.pdf"]


@needs_networks
def test_dice_are_read_and_drawn(place: Place) -> None:
    done, said = place.loom("read", "Würfel 骰子.png", "--expect", "5w", "--draw", str(place.output / "gesehen"))
    assert done == 0, said
    assert "accepted" in said
    assert len(list((place.output / "gesehen").iterdir())) == 1


def test_a_game_is_played_in_the_terminal_and_kept(place: Place) -> None:
    done, said = place.loom("play", "weave", "--session", "Žofie 夜", typed=["0", "quit"])
    assert done == 0, said
    assert list(place.home.rglob("sessions.db"))
    done, said = place.loom("journal", "--session", "Žofie 夜")
    assert done == 0, said


@thorough
def test_the_table_opens_and_closes(place: Place) -> None:
    port = free_port()
    said = place.output / "table.txt"
    table = place.start("table", "--no-open", "--port", str(port), said=said)
    try:
        while "The table is open" not in said.read_text("utf-8"):
            assert table.poll() is None, said.read_text("utf-8")
            time.sleep(0.1)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/join", timeout=60) as answer:
            assert answer.status == 200
    finally:
        table.terminate()
        table.wait(timeout=60)
    assert table.returncode == 0, said.read_text("utf-8")
