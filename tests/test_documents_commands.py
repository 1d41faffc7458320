"""The commands in the documents: every one exists; those that need no hardware and no hands are run."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from typer.main import get_command

from loomtable.table.commands.main import app, run
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import open_store
from loomtable.table.store.packing import pack
from tests.playing import transcript
from tests.tiers import mostly
from tests.vision.needed import needs_networks

HOME = Path(__file__).parent.parent
PAGES = sorted([HOME / "README.md", *HOME.glob("docs/**/*.md"), *HOME.glob("models/*.md")])
RUN = (
    "README.md",
    "docs/backup.md",
    "docs/rulings.md",
    "docs/camera-and-mat.md",
    "docs/reading-dice.md",
    "docs/odds.md",
    "docs/adventures.md",
)
"""Pages whose commands are run."""
COVERED = {"docs/odds.md", "docs/adventures.md"}
"""Their commands are run by tests/odds and tests/print too."""
LOOM: Any = get_command(app)


def commands(page: Path) -> list[str]:
    """What a page shows after ``$ loom``, without remarks."""
    shown = re.findall(r"^\$ loom (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return [command.partition("  #")[0].strip() for command in shown]


def with_hands(command: str) -> bool:
    """Whether it goes on until somebody stops it."""
    return command.startswith(("table", "play", "read --camera"))


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.stem)
def test_every_command_and_option_in_a_page_exists(page: Path) -> None:
    for command in commands(page):
        words = shlex.split(command)
        place = LOOM
        for word in words:
            if word not in getattr(place, "commands", {}):
                break
            place = place.commands[word]
        assert not hasattr(place, "commands"), f"there is no loom {command}"
        options = {name for one in place.params for name in (*one.opts, *one.secondary_opts)}
        for option in (word for word in words if word.startswith("--")):
            assert option in options, f"loom {command}: there is no {option}"


@pytest.fixture(scope="module")
def evening(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the pages take for granted: the demo was played, an evening kept, pictures were taken."""
    folder = tmp_path_factory.mktemp("evening")
    (folder / "output").mkdir()
    (folder / "output" / "demo").symlink_to(demo)
    (folder / "templates").symlink_to(HOME / "templates")
    with open_store(folder / "home" / "sessions.db") as store:
        TableHost(store).bring_in(pack("saturday", transcript("goblin").lines()))
    return folder


@needs_networks
@pytest.mark.parametrize("name", mostly(RUN, set(RUN) - COVERED))
def test_what_a_page_says_is_done_works(
    name: str, evening: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = HOME / name
    monkeypatch.chdir(evening)
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(evening / "home"))
    text = page.read_text("utf-8")
    told = dict(re.findall(r"<!-- the output of: loom (.*?) -->\n```text\n(.*?)```", text, re.DOTALL))
    for command in (one for one in commands(page) if not with_hands(one)):
        words = shlex.split(command)
        for at in range(1, len(words)):  # a picture stands in for the camera; nothing else is changed
            if words[at - 1] in ("--camera", "cameras") and not words[at].startswith("-"):
                words[at] = "output/demo/frame-1.jpg"
        if "--for" in words:  # it asks what to make of the cards, and is told to leave it
            monkeypatch.setattr("sys.stdin", io.StringIO(":quit\n"))
        code = run(words)
        said, trouble = capsys.readouterr()
        # Who has no camera is told so by the list of cameras, with 1.
        expected = {0, 1} if command == "cameras" else {1} if "--for" in words else {0}
        assert code in expected, f"loom {command}: {trouble or said}"
        assert said == told.pop(command, said)
    assert not told, f"{name} shows outputs of commands that it does not name: {list(told)}"


def test_a_command_without_hands_is_never_left_out() -> None:
    """What is not run is what somebody has to stop or to answer, and nothing else."""
    left = {command for name in RUN for command in commands(HOME / name) if with_hands(command)}
    assert all(one.split()[0] in ("table", "play", "read") for one in left)
    assert len(left) < 8
