"""A stranger's game, in a package of its own: installed beside the built wheel, and played like any of ours."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

HOME = Path(__file__).parent.parent
EXAMPLE = HOME / "docs" / "examples" / "last_ferry"
NEEDED = ("pip", "hatchling", "venv")


def run(*command: object, place: Path, **also: str) -> str:
    """What a command prints, without a way back into this checkout."""
    bare = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(
        list(map(str, command)), cwd=place, capture_output=True, text=True, env=bare | also, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with both wheels; what they need, it finds in the one that runs the tests."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"building and installing a wheel needs {' and '.join(missing)}, which is not here")
    place = tmp_path_factory.mktemp("stranger")
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    for source in (HOME, EXAMPLE):
        run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", place, source, place=place)
    venv.create(place / "venv", with_pip=False)
    paths = {"base": str(place / "venv"), "platbase": str(place / "venv")}
    packages = Path(sysconfig.get_path("purelib", "venv", paths))
    around = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    (packages / "around.pth").write_text("\n".join(around) + "\n", "utf-8")
    made = place / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(*pip, "--python", made, "install", "--no-deps", "--no-index", *place.glob("*.whl"), place=place)
    (place / "tests").symlink_to(HOME / "tests")
    return made


def test_a_strangers_game_is_played_like_ours(python: Path) -> None:
    """At the terminal, on the page, by a phone, with odds, undo, replay and print; no file of ours knows it."""
    place = python.parents[2]
    where = run(python, "-c", "import loomtable; print(loomtable.__file__)", place=place)
    assert str(HOME) not in where, "the wheel is tried, not the checkout"
    assert "the ferry came home" in run(
        python, "-m", "tests.last_ferry_evening", place=place, PYTHONPATH=str(place)
    )


def test_a_game_that_cannot_be_imported_is_one_warning(python: Path) -> None:
    place = python.parents[2]
    for name, value in (("torn", "no_such_module:GAME"), ("thing", "math:pi"), ("weave", "math:e")):
        info = place / "more" / f"{name}-1.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[loomtable.games]\n{name} = {value}\n", "utf-8")
    command = "from loomtable.table.commands.main import main; main()"
    said = run(python, "-c", command, "rulings", place=place, PYTHONPATH=str(place / "more"))
    warnings = [line for line in said.splitlines() if "of the package" in line]
    assert len(warnings) == 3, said
    assert any("no_such_module:GAME of the package torn cannot be used" in line for line in warnings), said
    assert any("registered as 'thing' and is no game" in line for line in warnings), said
    assert any("are registered as 'weave'; the first one counts" in line for line in warnings), said


def test_the_example_stays_small() -> None:
    files = (path for path in EXAMPLE.rglob("*") if path.is_file() and path.suffix != ".pyc")
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in files)
    assert lines <= 250
