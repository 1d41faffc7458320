"""Makes a release: ``make release``, or ``python -m tests.release [FOLDER]``, by default into ``dist``.

The source archive and the wheel are built twice by ``python -m build``, from two fresh copies of the last commit;
the bytes must be the same. ``SHA256SUMS`` is written beside them. Nothing is uploaded. The date in the files is
that of the commit (``SOURCE_DATE_EPOCH``), and the version is the one in ``pyproject.toml``, with a section of its
own in ``CHANGELOG.md``.
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
from pathlib import Path

HOME = Path(__file__).parent.parent


def main(arguments: Sequence[str]) -> int:
    """Build twice, compare, and keep one; 0 where the bytes are the same."""
    into = Path(arguments[0]) if arguments else HOME / "dist"
    if changed := _git("status", "--porcelain"):
        print(f"not in the release, because it is not committed:\n{changed}", file=sys.stderr)
    project = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]
    if project["version"] != newest_section():
        print(f"CHANGELOG.md begins with {newest_section()}, not with {project['version']}", file=sys.stderr)
        return 1
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


def newest_section() -> str:
    """The version that the changes begin with."""
    found = re.search(r"^## (\S+)", (HOME / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    return found[1] if found else "no version"


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
