"""The tutorials, step by step: each command of a page is run, typed at, and held to what the page shows."""

from __future__ import annotations

import io
import itertools
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs
import pytest

from loomtable.table.commands.main import run
from tests.vision.needed import needs_networks

HOME = Path(__file__).parent.parent
PAGES = sorted(HOME.glob("docs/tutorials/*.md"))
SPREADS = {"episode": 1, "character": 2, "challenge": 3}
"""The demo's frame that shows the cards of a step."""
FIRST_ROLL = 4
"""The demo's frame of the first roll; the others follow."""
FRAMES = 20
"""How many pictures of one thing a camera sends here: enough for it to lie still."""


@dataclass
class Step:
    """A command of a page, what is typed at it, and what the page shows of its output, in order."""

    command: str
    typed: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)


def steps(page: Path) -> list[Step]:
    found: list[Step] = []
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            if line.startswith("$ loom "):
                found.append(Step(line.removeprefix("$ loom ")))
            elif line.startswith("> "):
                found[-1].typed.append(line.removeprefix("> "))
            else:
                found[-1].shown.append(line)
    return found


def before_a_camera(step: Step) -> list[str]:
    """The command with a rendered frame in the camera's place; ``look`` sees one roll after the other."""
    rolls = itertools.count(FIRST_ROLL)
    step.typed = [f"look output/demo/frame-{next(rolls)}.jpg" if one == "look" else one for one in step.typed]
    words = shlex.split(step.command)
    wanted = next((SPREADS[word] for word in words if word in SPREADS), FIRST_ROLL)
    for at in range(1, len(words)):
        if words[at - 1] in ("--camera", "cameras") and words[at] == "0":
            words[at] = f"cameras/{wanted}"
    return words


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def cameras(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cameras that see the demo's frames: what would lie on the table."""
    folder = tmp_path_factory.mktemp("cameras")
    for number in (*SPREADS.values(), FIRST_ROLL):
        camera = folder / str(number)
        camera.mkdir()
        for frame in range(FRAMES):
            (camera / f"{frame:02}.jpg").symlink_to(demo / f"frame-{number}.jpg")
    return folder


@needs_networks
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_somebody_who_follows_a_tutorial_sees_what_it_shows_and_ends_the_scene(
    page: Path,
    demo: Path,
    cameras: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "output").mkdir()
    (tmp_path / "output" / "demo").symlink_to(demo)
    (tmp_path / "cameras").symlink_to(cameras)
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path / "home"))
    ended = False
    for step in steps(page):
        words = before_a_camera(step)
        if words[0] == "table":  # it serves until it is stopped; tests of the page play there
            continue
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in step.typed)))
        code = run(words)
        said, trouble = capsys.readouterr()
        # Who has no camera, or a machine with something missing, is told so with 1.
        assert code in ((0, 1) if words[0] in ("cameras", "doctor") else (0,)), f"loom {step.command}: {trouble}"
        rest = plain(said)
        for line in step.shown:
            _, met, rest = rest.partition(plain(line))
            assert met, f"{page.name}: loom {step.command} does not say {line!r} here, but:\n{said}{trouble}"
        ended = ended or "The scene ends" in said
    assert ended, f"{page.name} does not lead to the end of a scene"
