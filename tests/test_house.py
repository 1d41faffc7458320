"""The house keeps its walls: which packages may import which."""

from __future__ import annotations

import ast
import importlib
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from loomtable.engine.systems import GAMES
from tests.source_read import HOME, modules, read

MAY_IMPORT = {
    "engine": {"engine"},
    "printkit": {"printkit", "engine"},
    "vision": {"vision", "engine"},
    "table": {"table", "vision", "printkit", "engine"},
    "training": {"training", "vision", "engine"},
}


OURS = re.compile(r"(loomtable|training)\b")


def nodes(text: str) -> Iterator[ast.AST]:
    """Everything in a module; only for the few that have to be looked at node by node."""
    return ast.walk(ast.parse(text))


def imported(path: Path) -> list[str]:
    """What a module imports; names of ours without ``loomtable.``, in which training alone is not."""
    names = [name for name, _ in read(path).imports]
    for name in names:
        assert not name.startswith("."), f"{path}: relative imports hide the walls"
        assert name.split(".")[0] not in MAY_IMPORT.keys() - {"training"}, f"{path}: write loomtable.{name}"
    return [name.removeprefix("loomtable.") for name in names]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_point_one_way(package: str) -> None:
    assert modules(package)
    for path in modules(package):
        for name in imported(path):
            if name.split(".")[0] in MAY_IMPORT:
                assert name.split(".")[0] in MAY_IMPORT[package], f"{path.relative_to(HOME)} imports {name}"


@pytest.mark.parametrize("package", ["vision", "training"])
def test_vision_knows_no_games(package: str) -> None:
    """What printkit and vision know of each other's cards is the id and its code, never a game's rules."""
    for path in modules(package):
        for name in imported(path):
            if name.split(".")[0] == "engine":
                assert name.startswith("engine.kernel"), f"{path.relative_to(HOME)} imports {name}"


@pytest.mark.parametrize("module", ["tray", "pool", "die_kinds", "network", "printed", "dice.networks"])
def test_what_readers_share_can_be_imported_first(module: str) -> None:
    """Each in a process of its own: a cycle shows only where its module is the first to be loaded."""
    subprocess.run([sys.executable, "-c", f"import loomtable.vision.{module}"], check=True, cwd=HOME)


def test_what_can_be_done_is_known_without_a_page() -> None:
    for package in ("table/choices", "table/terminal"):
        for path in modules(package):
            pages = {name for name in imported(path) if name.startswith("table.pages")}
            assert not pages, f"{path.relative_to(HOME)} imports {pages}"


def test_one_module_alone_imports_onnx_runtime() -> None:
    """It turns the runtime's telemetry off first; whoever imports the runtime elsewhere may turn it on."""
    packages = (*MAY_IMPORT, "tests", "benchmarks")
    importing = [
        path.relative_to(HOME).as_posix()
        for package in packages
        for path in modules(package)
        if "onnxruntime" in path.read_text("utf-8")  # few do, and to parse all takes long
        if any(name.split(".")[0] == "onnxruntime" for name in imported(path))
    ]
    assert importing == ["vision/onnx_runtime.py"]


def test_the_kernel_knows_no_games() -> None:
    for path in modules("engine/kernel"):
        for name in imported(path):
            if name.split(".")[0] == "engine":
                assert name.startswith("engine.kernel"), f"{path.relative_to(HOME)} imports {name}"


def test_the_systems_know_nothing_of_each_other() -> None:
    systems = [p.name for p in (HOME / "engine").iterdir() if (p / "rules.py").exists()]
    assert len(systems) >= 2
    for system in systems:
        for path in modules(f"engine/{system}"):
            for name in imported(path):
                others = [s for s in systems if s != system and name.startswith(f"engine.{s}")]
                assert not others, f"{path.relative_to(HOME)} imports {name}"


def test_no_module_imports_itself_in_the_end() -> None:
    """Imports for types and inside of functions count as well: what needs each other is one thing, or three."""
    graph: dict[str, set[str]] = {}
    known = {
        ".".join(path.relative_to(HOME).with_suffix("").parts): path for p in MAY_IMPORT for path in modules(p)
    }
    for name, path in known.items():
        taken = graph[name.removesuffix(".__init__")] = set()
        for module, names in read(path).imports:
            if OURS.match(module):
                package = module.removeprefix("loomtable.")
                inside = {f"{package}.{name}" for name in names}
                taken |= {name if name in known else package for name in inside}
    TopologicalSorter(graph).prepare()


CLASSES_THAT_SHARE_A_NAME = 37
"""Names of classes that several modules define: events of several games, for the most part. May only fall."""


def test_few_classes_share_a_name_and_none_of_those_meet() -> None:
    inside = [path for package in (*MAY_IMPORT, "loomtable/testing") for path in modules(package)]
    defined = Counter(name for path in inside for name in read(path).bases)
    shared = {name for name, modules_ in defined.items() if modules_ > 1}
    assert len(shared) <= CLASSES_THAT_SHARE_A_NAME, sorted(shared)
    for path in inside:
        ours = {(module, name) for module, names in read(path).imports if OURS.match(module) for name in names}
        met = Counter([name for _, name in ours if name in shared] + [*shared & read(path).bases.keys()])
        assert not [name for name, times in met.items() if times > 1], path.relative_to(HOME)


STATES_OF_ANY_TYPE = 30
"""How often a game's state is ``Any``: where games register what only they look into. May only fall."""


def test_a_state_is_of_its_game_or_an_object() -> None:
    """Code that does not know the game cannot look into its state, so types say ``object`` or leave it open."""
    loose = re.compile(r"\b(?:Session|System|Game|Play|Situation|Step[RP]\w+|Roll\w+|Replayed|GameScreen)\[Any\]")
    inside = [path for package in ("engine", "printkit", "vision", "table") for path in modules(package)]
    assert sum(len(loose.findall(path.read_text("utf-8"))) for path in inside) <= STATES_OF_ANY_TYPE


BUDGET = {
    "engine": 33_521,
    "printkit": 19_307,
    "vision": 13_181,
    "table": 27_190,
    "training": 7_425,
    "loomtable/testing": 4_517,
}
"""Lines of Python in each package. Who needs more says why in the commit that raises it."""


@pytest.mark.parametrize("package", BUDGET)
def test_a_package_keeps_to_its_lines(package: str) -> None:
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in modules(package))
    assert lines <= BUDGET[package]


@pytest.mark.parametrize("package", ["printkit", "table"])
def test_what_belongs_to_a_game_is_in_its_own_folder(package: str) -> None:
    """A game of ours is printed and shown as a stranger's is: the rest imports none, nor names one for later.

    One list alone names modules of games, in the order that people see: of commands.
    """
    games = {path.name for path in (HOME / package / "games").iterdir() if path.is_dir()} - {"__pycache__"}
    assert games == {path.name for path in (HOME / "engine").iterdir() if (path / "rules.py").exists()}
    of_a_game = re.compile(
        rf"(?:engine|printkit|table)\.(?:games\.|odds\.(?:before_)?)?({'|'.join(games)})(?![a-z])"
    )
    for path in modules(package):
        _, place, own, *_ = (*path.relative_to(HOME).parts, "", "")
        for name in (*imported(path), *re.findall(r'"(?:loomtable\.)?([a-z_.]+)', path.read_text("utf-8"))):
            if found := of_a_game.match(name):
                assert (place, own) == ("games", found[1]), f"{path.relative_to(HOME)} imports {name}"


def test_no_list_of_games_stands_outside_the_games() -> None:
    """What a game has, it declares or registers itself; a table by games would leave out a stranger's."""
    games = {path.name.replace("_", "-") for path in (HOME / "engine").iterdir() if (path / "rules.py").exists()}
    for path in (path for package in MAY_IMPORT for path in modules(package)):
        text = path.read_text("utf-8")
        if sum(f'"{game}"' in text for game in games) < 2:
            continue
        for node in nodes(text):
            parts = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
            named = {part.value for part in parts if isinstance(part, ast.Constant)} & games
            assert len(named) < 2, f"{path.relative_to(HOME)}:{getattr(node, 'lineno', 0)} lists {sorted(named)}"


def test_everything_that_is_registered_is_there() -> None:
    """Each entry point of ours names something that can be imported, under the key of a game."""
    registered = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    games = {path.name.replace("_", "-") for path in (HOME / "engine").iterdir() if (path / "rules.py").exists()}
    assert set(registered["loomtable.games"]) == games
    for entries in registered.values():
        assert set(entries) <= games
        for value in entries.values():
            module, _, attribute = value.partition(":")
            assert hasattr(importlib.import_module(module), attribute), value


def test_the_diagram_of_the_architecture_shows_the_imports_as_they_are() -> None:
    diagram = (HOME / "docs" / "pictures" / "packages.svg").read_text("utf-8")
    drawn = set(re.findall(r"<title>(\w+) imports (\w+)", diagram))
    real = {
        (package, name.split(".")[0])
        for package in MAY_IMPORT
        for path in modules(package)
        for name in imported(path)
        if name.split(".")[0] in MAY_IMPORT and name.split(".")[0] != package
    }
    assert drawn == real


def test_types_are_decoded_in_one_place() -> None:
    """Two threads that are the first to decode a type by msgspec itself bring the process down."""
    alone = {"table/hosting/devices.py"}  # read once, before anybody is let in
    for package in MAY_IMPORT:
        for path in modules(package):
            name = path.relative_to(HOME).as_posix()
            if name == "engine/kernel/serialization.py" or name in alone or name.startswith("training/"):
                continue
            text = path.read_text("utf-8")
            for node in nodes(text) if "msgspec." in text else ():
                if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("msgspec."):
                    typed = any(word.arg == "type" for word in node.keywords)
                    called = ast.unparse(node.func)
                    assert not typed and called.split(".")[-1] not in ("convert", "Decoder"), f"{name}: {called}"


def test_tests_take_nothing_from_each_other() -> None:
    """What several test modules use lies in a module beside them, so that each can be read and run by itself."""
    for path in modules("tests"):
        taken = re.findall(
            r"^\s*(?:from|import) (tests\.(?:\w+\.)*test_\w+)", path.read_text("utf-8"), re.MULTILINE
        )
        assert not taken, f"{path} imports {taken}"


def test_somebody_elses_game_is_in_no_test_and_in_no_document(tmp_path: Path) -> None:
    info = tmp_path / "last_ferry-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: last-ferry\nVersion: 1\n", "utf-8")
    (info / "entry_points.txt").write_text("[loomtable.games]\nlast-ferry = last_ferry.rules:FERRY\n", "utf-8")
    places = os.pathsep.join(map(str, (tmp_path, HOME / "docs" / "examples" / "last_ferry")))

    def games(begun: str) -> set[str]:
        command = f"import {begun}; from loomtable.engine.systems import SYSTEMS; print(*SYSTEMS)"
        played = subprocess.run(
            [sys.executable, "-c", command],
            cwd=HOME, env=os.environ | {"PYTHONPATH": places}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return set(played.stdout.split())

    ours = set(tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"][GAMES.group])
    assert games("loomtable") == ours | {"last-ferry"}
    assert games("tests.conftest") == games("docs.site.actions_page") == ours
