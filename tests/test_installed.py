"""What is installed from the source archive: the program, alone and with a stranger's game beside it."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
import zlib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.locks import PROJECT
from tests.tiers import thorough

HOME = Path(__file__).parent.parent
EXAMPLE = HOME / "docs" / "examples" / "last_ferry"
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
MISSING = [name for name in ("pip", "hatchling", "venv") if importlib.util.find_spec(name) is None]
FOLDERS = ("engine", "models", "printkit", "table", "templates", "vision")

pytestmark = [
    thorough,
    pytest.mark.skipif(
        bool(MISSING), reason=f"building and installing a wheel needs {' and '.join(MISSING)}, which is not here"
    ),
]


def run(*command: object, place: Path, **also: str) -> str:
    """What a command prints, without a way back into this checkout."""
    bare = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(
        list(map(str, command)), cwd=place, capture_output=True, text=True, env=bare | also, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def wheel(source: Path, into: Path) -> Path:
    """The wheel that is built from a checkout or an archive."""
    run(*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", into, source, place=HOME)
    return max(into.glob("*.whl"), key=lambda path: path.stat().st_mtime_ns)


def held(wheel: Path) -> dict[str, int]:
    """The files of the program in a wheel, each with a checksum of what it holds."""
    with zipfile.ZipFile(wheel) as packed:
        return {file.filename: file.CRC for file in packed.infolist() if file.filename.startswith("loomtable/")}


def program(checkout: Path) -> dict[str, int]:
    """The files that belong to the program, as a checkout has them: nothing is looked up through a link."""
    files = [*(checkout / "loomtable").glob("*.py"), checkout / "loomtable" / "py.typed"]
    files += [
        path
        for folder in (*FOLDERS, "loomtable/testing")
        for path in (checkout / folder).rglob("*")
        if path.is_file()
    ]
    names = {path.relative_to(checkout).as_posix().removeprefix("loomtable/"): path for path in files}
    return {
        f"loomtable/{name}": zlib.crc32(path.read_bytes())
        for name, path in names.items()
        if "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the program and the game; what they need, it finds in the one that runs the tests."""
    place = tmp_path_factory.mktemp("stranger")
    run(sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", place, place=HOME)
    for source in (*place.glob("loomtable-*.tar.gz"), EXAMPLE, pack(place / "river")):
        wheel(source, place)
    venv.create(place / "venv", with_pip=False)
    paths = {"base": str(place / "venv"), "platbase": str(place / "venv")}
    packages = Path(sysconfig.get_path("purelib", "venv", paths))
    around = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    (packages / "around.pth").write_text("\n".join(around) + "\n", "utf-8")
    made = place / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(*PIP, "--python", made, "install", "--no-deps", "--no-index", *place.glob("*.whl"), place=place)
    (place / "tests").symlink_to(HOME / "tests")
    return made


def pack(place: Path) -> Path:
    """A package of nothing but content: ours under other names, and a deck with a template of its own."""
    ours = HOME / "templates"
    files = {
        "__init__.py": "",
        "weave/playsets/the-other-road.yaml": ours / "weave" / "playsets" / "the-salt-road.yaml",
        "weave/playsets/torn.yaml": "playset: torn\n",
        "storm_weavers/maps/reed-ford.yaml": ours / "storm_weavers" / "maps" / "alder-ford.yaml",
        "decks/harbour.csv": "name,text\nRope,Ties.\nTar,Sticks.\n",
        "decks/templates/wide.yaml": (ours / "decks" / "words.yaml"),
    }
    for name, what in files.items():
        file = place / "river_pack" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        text = what if isinstance(what, str) else what.read_text("utf-8").replace(what.stem, file.stem)
        file.write_text(text.replace("number: 4\n", ""), "utf-8")
    (place / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
        '[project]\nname = "river-pack"\nversion = "1"\n'
        '[project.entry-points."loomtable.packs"]\nriver = "river_pack"\n',
        "utf-8",
    )
    return place


LOOM = "from loomtable.table.commands.main import main; main()"


def test_the_source_archive_holds_the_whole_program_and_prints(python: Path) -> None:
    place = python.parents[2]
    [built] = place.glob("loomtable-*.whl")
    assert held(built) == program(HOME)
    with zipfile.ZipFile(built) as packed:
        [bill] = [json.loads(packed.read(name)) for name in packed.namelist() if "/sboms/" in name]
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "loomtable")
    named = {part["name"]: part for part in bill["components"]}
    needed = {canonicalize_name(Requirement(line).name) for line in PROJECT["project"]["dependencies"]}
    assert needed <= {canonicalize_name(name) for name in named}, "every library is in it"
    assert {f"models/{name}" for name in named if name.endswith(".onnx")} == {
        f"models/{path.name}" for path in (HOME / "models").glob("*.onnx")
    }
    assert all(len(digest["content"]) == 64 for part in named.values() for digest in part["hashes"])
    run(python, "-c", LOOM, "print", "coin-tokens", "--output", place / "kit", place=place)
    assert list((place / "kit").glob("*.pdf"))


def test_what_is_installed_plays_the_demo(python: Path) -> None:
    place = python.parents[2]
    run(python, "-c", LOOM, "demo", "--output", place / "demo", place=place)
    assert (place / "demo" / "index.html").is_file()


def test_a_wheel_needs_no_symbolic_links_and_lacks_no_code(tmp_path: Path) -> None:
    """Windows without developer mode, and whoever unpacks a download, has text files in place of the links."""
    if shutil.which("git") is None or not (HOME / ".git").exists():
        pytest.skip("only a repository can be cloned")
    clone = tmp_path / "clone"
    run("git", "clone", "--quiet", "--config", "core.symlinks=false", HOME, clone, place=tmp_path)
    assert (clone / "loomtable" / "engine").is_file(), "it is a link all the same"
    where = run(sys.executable, "-c", "import loomtable.engine as engine; print(engine.__file__)", place=clone)
    assert Path(where.strip()) == clone / "engine" / "__init__.py"
    assert held(wheel(clone, tmp_path / "whole")) == program(clone)
    (clone / "engine").rename(tmp_path / "engine")
    with pytest.raises(AssertionError, match="there is no engine"):
        wheel(clone, tmp_path / "torn")
    assert not list((tmp_path / "torn").glob("*.whl"))


def test_a_strangers_game_is_played_like_ours(python: Path) -> None:
    """At the terminal, on the page, by a phone, with odds, undo, replay and print; no file of ours knows it."""
    place = python.parents[2]
    where = run(python, "-c", "import loomtable; print(loomtable.__file__)", place=place)
    assert str(HOME) not in where, "the wheel is tried, not the checkout"
    assert "the ferry came home" in run(
        python, "-m", "tests.last_ferry_evening", place=place, PYTHONPATH=str(place)
    )


def test_a_strangers_game_tests_itself(python: Path) -> None:
    place = Path(shutil.copytree(EXAMPLE / "tests", python.parents[2] / "ferry" / "tests")).parent
    assert "1 passed" in run(python, "-m", "pytest", "-p", "no:cacheprovider", "tests", place=place)


def test_a_pack_of_content_is_found_like_what_is_in_a_folder_of_ones_own(python: Path) -> None:
    place = python.parents[2]
    listed = run(python, "-c", LOOM, "print", "--list", place=place)
    assert "the-other-road-who-is-who" in listed and "reed-ford-map" in listed
    run(python, "-c", LOOM, "print", "--deck", "harbour", "--template", "wide", "--output", "deck", place=place)
    assert [path.name for path in (place / "deck").iterdir()] == ["harbour-a4-long-edge.pdf"]
    names = "from loomtable.engine.weave.cards.playset import playset_names as names; print(names())"
    found = run(python, "-c", names, place=place)
    assert "the-other-road" in found and "torn" not in found
    checks = "from loomtable.table.commands.main import run; print(run(['check']))"
    assert "river_pack/weave/playsets/torn.yaml line 1: it needs" in run(python, "-c", checks, place=place)


def test_a_game_that_cannot_be_imported_is_one_warning(python: Path) -> None:
    place = python.parents[2]
    for name, value in (("torn", "no_such_module:GAME"), ("thing", "math:pi"), ("weave", "math:e")):
        info = place / "more" / f"{name}-1.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[loomtable.games]\n{name} = {value}\n", "utf-8")
    said = run(python, "-c", LOOM, "rulings", place=place, PYTHONPATH=str(place / "more"))
    warnings = [line for line in said.splitlines() if "of the package" in line]
    assert len(warnings) == 3, said
    assert any("no_such_module:GAME of the package torn cannot be used" in line for line in warnings), said
    assert any("registered as 'thing' and is no game" in line for line in warnings), said
    assert any("are registered as 'weave'; the first one counts" in line for line in warnings), said


def test_the_example_stays_small() -> None:
    files = (path for path in EXAMPLE.rglob("*") if path.is_file() and path.suffix != ".pyc")
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in files)
    assert lines <= 270
