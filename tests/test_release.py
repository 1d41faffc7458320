"""One version, in one place; what the release commands try is what the project promises."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path

import pytest

from tests.pythons import SUPPORTED
from tests.release import refusals, sections

HOME = Path(__file__).parent.parent
PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]


CHANGES = "## Unreleased\n{}\n## 0.9.0 (2026-12-24)\n\n- All.\n\n## 0.8.0 (2026-01-01)\n\n- Some.\n"


def test_the_changes_begin_with_the_version() -> None:
    assert sections((HOME / "CHANGELOG.md").read_text("utf-8"))[1] == PROJECT["version"]


@pytest.mark.parametrize(
    ("version", "more", "day", "tags", "uncommitted", "said"),
    [
        ("0.9.0", "", 24, ["v0.8.0"], "", []),
        ("0.9.0", "", 24, [], " M README.md", ["commit these files, or take them away:\n M README.md"]),
        ("0.9.0", "", 24, ["v0.9.0"], "",
         ["0.9.0 is released already, since there is a tag v0.9.0; raise the version"]),
        ("0.9.0", "", 25, [], "", ["CHANGELOG.md says that 0.9.0 is of 2026-12-24; today is 2026-12-25"]),
        ("0.9.1", "", 24, [], "", ["CHANGELOG.md describes 0.9.0, not 0.9.1"]),
        ("0.9.0", "\n- More.\n", 24, [], "", ["CHANGELOG.md has unreleased changes; put them under 0.9.0"]),
    ],
)  # fmt: skip
def test_a_release_that_could_not_be_told_from_another_is_refused(
    version: str, more: str, day: int, tags: list[str], uncommitted: str, said: list[str]
) -> None:
    assert refusals(version, CHANGES.format(more), date(2026, 12, day), tags, uncommitted) == said


def test_the_version_is_written_nowhere_else() -> None:
    version = re.compile(rf"(?<![\d.]){re.escape(PROJECT['version'])}(?![\d.])")
    ours = [*HOME.glob("loomtable/*.py"), *(p for one in ("engine", "table") for p in (HOME / one).rglob("*.py"))]
    assert not [path for path in ours if version.search(path.read_text("utf-8"))]


def test_every_python_from_the_oldest_that_is_promised_is_tried() -> None:
    oldest = PROJECT["requires-python"].removeprefix(">=")
    minors = [int(python.split(".")[1]) for python in SUPPORTED]
    assert SUPPORTED[0] == oldest
    assert minors == list(range(minors[0], minors[-1] + 1))
