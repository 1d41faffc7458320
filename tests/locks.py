"""Pins what the checkout and the container install, with hashes: ``make locks``, or ``python -m tests.locks``.

Each file in ``locks/`` is for every supported Python and system, and names no index, so any serves. uv takes the
newest versions that ``pyproject.toml`` admits. ``tests/test_locks.py`` holds the two together.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Sequence

from tests.alone import HOME

LOCKS = HOME / "locks"
PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))


def needed() -> dict[str, list[str]]:
    """What each lock has to answer: requirements as ``pyproject.toml`` writes them."""
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    tests = [one for one in extras["test"] if not one.startswith("loomtable[")]
    several = [line for name in ("decks", "docs", "postgresql", "scripts") for line in extras[name]]
    # An editable installation needs editables beside the builder.
    build = [*PROJECT["build-system"]["requires"], "editables"]
    return {
        "test": [*build, *project["dependencies"], *several, *tests],
        "run": project["dependencies"],
        "build": build,
    }


def main() -> int:
    """Write all locks; those that hold less agree with the one that holds all."""
    for name, requirements in needed().items():
        _compile(requirements, name, () if name == "test" else ("--constraint", str(LOCKS / "test.txt")))
    return 0


def _compile(requirements: Sequence[str], name: str, more: Sequence[str]) -> None:
    out = LOCKS / f"{name}.txt"
    out.unlink(missing_ok=True)  # otherwise what it holds is kept as long as it fits
    form = ("--universal", "--python-version", "3.11", "--generate-hashes", "--no-annotate", "--no-header")
    subprocess.run(
        [sys.executable, "-m", "uv", "pip", "compile", "-", "--quiet", *form, "--output-file", str(out), *more],
        input="\n".join(requirements),
        text=True,
        check=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
