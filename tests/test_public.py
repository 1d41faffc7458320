"""What a program may import from ``loomtable``: the names stay, cost nothing until used, and show how they are
used."""

from __future__ import annotations

import copy
import doctest
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import loomtable.game
import loomtable.panels
import loomtable.testing
from loomtable import LoomtableError
from tests.tiers import thorough
from tests.vision.needed import needs_networks

HOME = Path(__file__).parent.parent

SURFACE = {
    "SYSTEMS", "Die", "LoomtableError", "PrintSettings", "Session", "Verdict", "__version__", "odds_before",
    "begun_ready", "open_store", "paper_named", "print_kit", "read_dice", "read_picture", "reading_of", "rolled",
    "scan_cards",
}  # fmt: skip
EXAMPLES = [
    *((loomtable, name) for name in sorted(SURFACE - {"__version__", "SYSTEMS"})),
    *((loomtable.testing, name) for name in loomtable.testing.__all__),
]
TRAY = np.zeros((480, 640, 3), np.uint8)


def asking() -> Any:
    """An evening of Weave that asks for five dice."""
    evening = loomtable.begun_ready("weave")
    evening.perform("challenge", who="Ilse", suit="gales")
    return evening


TYPED_FIRST: list[tuple[str, Callable[[], Any], Any]] = [
    ("a game by its name", lambda: loomtable.begun_ready("weave").system.key, "weave"),
    ("a near name", lambda: loomtable.SYSTEMS["wave"], "there is no system 'wave'; did you mean weave?"),
    ("a name of nothing", lambda: loomtable.SYSTEMS.get("chess"), None),
    ("an evening that is not there", lambda: loomtable.begun_ready("woven", title="nope"),
     "Woven has no ready evening 'nope'; there are: A duel in the Maple Reach"),
    ("paper by its name", lambda: loomtable.PrintSettings(paper="letter").paper.width, 215.9),
    ("paper there is not", lambda: loomtable.PrintSettings(paper="leter"), "there is no paper 'leter'; choose"),
    ("a number for a pool", lambda: loomtable.read_dice(TRAY, 5), "'5' is not a pool of dice; write it like 3d10"),
    ("a pair of words", lambda: str(loomtable.read_dice(TRAY, (5, "weave")).expected), "5dweave"),
    ("a refused tray", lambda: loomtable.read_dice(TRAY, "5weave").accepted, False),
    ("dice in one line", lambda: loomtable.reading_of(asking().pending, "gales weave stones flames gales"),
     loomtable.rolled(loomtable.Die.WEAVE, "gales", "weave", "stones", "flames", "gales")),
    ("a list as an answer", lambda: asking().answer(["gales"]), "reading_of makes one"),
    ("a copy", lambda: copy.deepcopy(asking()).pending == asking().copy().pending, True),
    ("what there is", lambda: dir(loomtable), sorted(SURFACE)),
]  # fmt: skip


def test_the_public_names_are_these() -> None:
    assert set(loomtable.__all__) == SURFACE
    assert all(getattr(loomtable, name) is not None for name in SURFACE)
    with pytest.raises(AttributeError, match="no attribute 'read_tea_leaves'"):
        loomtable.read_tea_leaves  # noqa: B018


def test_importing_loomtable_imports_nothing_heavy() -> None:
    heavy = "{'cv2', 'numpy', 'onnxruntime', 'reportlab', 'sqlite3', 'msgspec'}"
    code = f"import sys, loomtable; print(sorted({heavy} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize(("module", "name"), EXAMPLES)
def test_every_public_name_has_an_example_that_works(
    module: ModuleType, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = getattr(module, name)
    [found] = [
        test for test in doctest.DocTestFinder(recurse=False).find(shown, name, globs={}) if test.name == name
    ]
    assert found.examples, f"{name} has no example in its docstring"
    assert doctest.DocTestRunner().run(found).failed == 0


@pytest.mark.parametrize(("typed", "got"), [row[1:] for row in TYPED_FIRST], ids=[row[0] for row in TYPED_FIRST])
def test_what_a_person_types_first_works_or_gets_one_sentence(typed: Callable[[], Any], got: Any) -> None:
    try:
        assert typed() == got
    except LoomtableError as said:
        assert str(got) in str(said)


@pytest.mark.parametrize("module", [loomtable.game, loomtable.panels])
def test_what_a_game_is_written_with_is_there_and_is_explained(module: ModuleType) -> None:
    for name in module.__all__:
        assert getattr(module, name) is not None
    assert sorted(module.__all__, key=lambda name: (not name.isupper(), name[0].islower(), name)) == module.__all__
    assert doctest.testmod(module).attempted > 1
    assert doctest.testmod(module).failed == 0


def test_a_game_of_ones_own_imports_nothing_but_public_names() -> None:
    """Neither the page that builds a game nor the game it builds."""
    sources = [HOME / "docs" / "extending.md", *(HOME / "docs" / "examples").rglob("*.py")]
    imported = {
        found
        for path in sources
        for found in re.findall(r"^(?:from|import) (loomtable[\w.]*)", path.read_text("utf-8"), re.MULTILINE)
    }
    assert imported == {"loomtable.game", "loomtable.panels", "loomtable.testing"}


@thorough
def test_the_page_for_python_and_the_game_of_the_docs_are_strictly_typed(tmp_path: Path) -> None:
    text = (HOME / "docs" / "python.md").read_text("utf-8")
    (tmp_path / "page.py").write_text(
        "\n".join(re.findall(r"^(?:>>>|\.\.\.) ?(?:_ = )?(.*)$", text, re.MULTILINE)), "utf-8"
    )
    ferry = HOME / "docs" / "examples" / "last_ferry" / "last_ferry"
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(tmp_path / "page.py"), str(ferry)],
        capture_output=True, text=True, cwd=HOME,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout


@needs_networks
def test_the_page_for_python_does_what_it_shows(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "output").mkdir()
    (tmp_path / "output" / "demo").symlink_to(demo)
    text = (HOME / "docs" / "python.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    page = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "python.md", "docs/python.md", 0)
    assert text.count(">>> ") == len(page.examples) > 15
    assert doctest.DocTestRunner().run(page).failed == 0


def test_loom_says_its_version_and_python_m_loomtable_is_loom() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "loomtable", "--version"], capture_output=True, text=True, check=True
    )
    assert shown.stdout.startswith(f"loomtable {loomtable.__version__}")
