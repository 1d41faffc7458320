"""One version, in one place; what the release commands try is what the project promises."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tests.pythons import SUPPORTED
from tests.release import newest_section

HOME = Path(__file__).parent.parent
PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_changes_begin_with_the_version() -> None:
    assert newest_section() == PROJECT["version"]


def test_the_version_is_written_nowhere_else() -> None:
    version = re.compile(rf"(?<![\d.]){re.escape(PROJECT['version'])}(?![\d.])")
    ours = [*HOME.glob("loomtable/*.py"), *(p for one in ("engine", "table") for p in (HOME / one).rglob("*.py"))]
    assert not [path for path in ours if version.search(path.read_text("utf-8"))]


def test_every_python_from_the_oldest_that_is_promised_is_tried() -> None:
    oldest = PROJECT["requires-python"].removeprefix(">=")
    minors = [int(python.split(".")[1]) for python in SUPPORTED]
    assert SUPPORTED[0] == oldest
    assert minors == list(range(minors[0], minors[-1] + 1))
