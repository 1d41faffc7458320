"""The built wheel under every supported Python: ``make pythons``, or ``python -m tests.pythons [PYTHON...]``.

Each Python gets the newest libraries, and the first of them the least versions that ``pyproject.toml`` names, too.
``uv`` finds or downloads the interpreters; a Python can also be the path of one. What cannot be had is reported
and does not count as tried. No test of the suite, for it downloads all libraries several times.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.alone import HOME, built, say, use

SUPPORTED = ("3.11", "3.12", "3.13", "3.14")
_LEAST = "lowest-direct"
_NEWEST = "highest"


def main(arguments: Sequence[str]) -> int:
    """Try each; 0 where all that could be tried works, 1 where one does not, 2 where a Python is missing."""
    failed, missing = False, False
    with tempfile.TemporaryDirectory() as folder:
        wheel = built(Path(folder))
        tried = arguments or SUPPORTED
        for python in tried:
            for libraries in (_NEWEST, _LEAST) if python == tried[0] else (_NEWEST,):
                place = Path(folder) / f"{Path(python).name}-{libraries}"
                if not _uv("venv", "--quiet", "--python", python, str(place / "venv")):
                    say(f"Python {python}", "not to be had here")
                    missing = True
                    break
                failed |= not _tried(wheel, python, place, libraries)
    return 1 if failed else 2 if missing else 0


def _tried(wheel: Path, python: str, place: Path, libraries: str) -> bool:
    environment = place / "venv" / "bin" / "python"
    install = ("pip", "install", "--quiet", "--python", str(environment))
    needed = ("--resolution", libraries, "--requirement", str(HOME / "pyproject.toml"))
    if not (_uv(*install, *needed) and _uv(*install, "--no-deps", str(wheel))):
        say(f"Python {python}, {libraries}", "cannot be installed")
        return False
    listed = [sys.executable, "-m", "uv", "pip", "list", "--python", str(environment)]
    shown = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    some = [line for line in shown.splitlines() if line.startswith(("numpy", "opencv", "onnxruntime"))]
    say(f"Python {python}, {libraries}", ", ".join(" ".join(line.split()) for line in some))
    try:
        use(environment.with_name("loom"), place)
    except AssertionError as error:
        say(f"Python {python}, {libraries}", f"fails: {error}")
        return False
    say(f"Python {python}, {libraries}", "works")
    return True


def _uv(*arguments: str) -> bool:
    done = subprocess.run([sys.executable, "-m", "uv", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr.strip()[-600:], file=sys.stderr)
    return done.returncode == 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
