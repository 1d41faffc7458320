"""What a program may import from ``loomtable``: the names stay, cost nothing until used, and show how they are
used."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import loomtable.testing
from tests.vision.needed import needs_networks

HOME = Path(__file__).parent.parent

SURFACE = {
    "SYSTEMS", "Die", "LoomtableError", "PrintSettings", "Session", "Verdict", "__version__", "odds_before",
    "begun_ready", "open_store", "print_kit", "read_dice", "read_picture", "reading_of", "rolled", "scan_cards",
}  # fmt: skip
EXAMPLES = [
    *((loomtable, name) for name in sorted(SURFACE - {"__version__", "SYSTEMS"})),
    *((loomtable.testing, name) for name in loomtable.testing.__all__),
]


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
    assert shown.stdout == f"loomtable {loomtable.__version__}\n"
