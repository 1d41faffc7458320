"""Makes a release: ``make release``, or ``python -m tests.release [FOLDER]``, by default into ``dist``.

The source archive and the wheel are built twice by ``python -m build``, from two fresh copies of the last commit;
the bytes must be the same. ``SHA256SUMS`` is written beside them. Nothing is uploaded. The date in the files is
that of the commit (``SOURCE_DATE_EPOCH``), and the version is the one in ``pyproject.toml``, with a section of its
own in ``CHANGELOG.md`` that bears today's date. A release that could not be told from another is refused.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

HOME = Path(__file__).parent.parent


def main(arguments: Sequence[str]) -> int:
    """Build twice, compare, and keep one; 0 where the bytes are the same."""
    into = Path(arguments[0]) if arguments else HOME / "dist"
    project = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]
    changes, today = (HOME / "CHANGELOG.md").read_text("utf-8"), datetime.now(UTC).astimezone().date()
    found = refusals(project["version"], changes, today, _git("tag").split(), _git("status", "--porcelain"))
    for words in found:
        print(f"no release: {words}", file=sys.stderr)
    if found:
        return 2
    if "urls" not in project:
        print(
            "pyproject.toml names no URLs of the project: fill in [project.urls] once it has a home",
            file=sys.stderr,
        )
    with tempfile.TemporaryDirectory() as folder:
        first, second = (_build(Path(folder) / name) for name in ("first", "a second, elsewhere"))
        if different := [name for name in first.keys() | second.keys() if first.get(name) != second.get(name)]:
            print(f"two builds differ: {', '.join(sorted(different))}", file=sys.stderr)
            return 1
        into.mkdir(parents=True, exist_ok=True)
        for name in first:
            shutil.copy(Path(folder) / "first" / "dist" / name, into / name)
    sums = "".join(f"{digest}  {name}\n" for name, digest in sorted(first.items()))
    (into / "SHA256SUMS").write_text(sums, "utf-8")
    print(f"built twice, the same bytes; in {into}:\n{sums}", end="")
    return 0


def refusals(version: str, changes: str, today: date, tags: Sequence[str], uncommitted: str) -> list[str]:
    """Why this cannot be released as ``version`` today; nothing where it can."""
    found = []
    if uncommitted:
        found.append(f"commit these files, or take them away:\n{uncommitted}")
    if f"v{version}" in tags:
        found.append(f"{version} is released already, since there is a tag v{version}; raise the version")
    unreleased, newest, day = sections(changes)
    if unreleased:
        found.append(f"CHANGELOG.md has unreleased changes; put them under {version}")
    if newest != version:
        found.append(f"CHANGELOG.md describes {newest}, not {version}")
    elif day != f"{today}":
        found.append(f"CHANGELOG.md says that {version} is of {day}; today is {today}")
    return found


def sections(changes: str) -> tuple[bool, str, str]:
    """Whether a changelog lists unreleased changes, and its newest version with the date it bears."""
    unreleased, *versions = re.split(r"^## (?!Unreleased)", changes, flags=re.MULTILINE)
    found = re.match(r"(\S+) \((\S+)\)", versions[0]) if versions else None
    listed = "\n- " in unreleased.partition("## Unreleased")[2]
    return listed, *(found.groups() if found else ("no version", "no day"))


def _build(place: Path) -> dict[str, str]:
    """The digests of what is built from a copy of the last commit."""
    place.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=HOME, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x"], cwd=place, input=archive, check=True)
    date = {"SOURCE_DATE_EPOCH": _git("log", "-1", "--format=%ct")}
    command = [sys.executable, "-m", "build", "--no-isolation", "."]
    subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL, env=os.environ | date)
    return {one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in (place / "dist").iterdir()}


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=HOME, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
