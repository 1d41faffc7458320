"""The built wheel alone in an empty environment: ``python tests/alone.py`` builds it, installs it and uses it.

No test of the suite, for it downloads everything that Loomtable needs; ``make alone`` and the continuous
integration run it. It prints how large the installation is and how long a command takes to start.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import venv
from pathlib import Path

HOME = Path(__file__).parent.parent
QUICK = 0.25
"""Seconds that ``loom --help`` may take at best, once files are warm; twice that fails."""


def main() -> int:
    """Build, install, use; 0 where everything works."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        python = _installed(place)
        loom = python.with_name("loom")
        say("installed", f"{_size(place / 'venv') / 1e6:.0f} MB")
        starts = [_timed(loom, "--help", place) for _ in range(5)]
        say("loom --help", f"{min(starts):.2f} s")
        assert min(starts) < 2 * QUICK, "the help takes too long: is something heavy imported?"
        say("loom doctor", f"{_timed(loom, 'doctor', place):.1f} s")
        use(loom, place)
    return 0


def use(loom: Path, place: Path) -> None:
    """Print, play and show the table with an installed ``loom``, in the folder ``place``.

    Raises:
        AssertionError: something does not work.
    """
    say("loom print weave", f"{_timed(loom, 'print weave --output kit', place):.1f} s")
    assert list((place / "kit").glob("*.pdf")), "nothing was printed"
    say("loom demo", f"{_timed(loom, 'demo --output demo', place):.1f} s")
    assert (place / "demo" / "index.html").exists(), "the demo wrote no page"
    _table_answers(loom, place)
    say("loom table", "answers")


def built(place: Path) -> Path:
    """The wheel of this checkout, built into ``place``."""
    wheels = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(place), str(HOME)]
    subprocess.run(wheels, check=True)
    [wheel] = place.glob("loomtable-*.whl")
    return wheel


def _installed(place: Path) -> Path:
    """The Python of a new environment that holds the built wheel and what it needs, and nothing else."""
    wheel = built(place)
    say("wheel", f"{wheel.stat().st_size / 1e6:.1f} MB")
    venv.create(place / "venv", with_pip=True)
    python = place / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    return python


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


def _timed(loom: Path, arguments: str, place: Path) -> float:
    began = time.perf_counter()
    done = subprocess.run([loom, *arguments.split()], cwd=place, capture_output=True, text=True, env=_lonely())
    assert done.returncode in (0, 1), f"loom {arguments}: {done.stderr or done.stdout}"
    return time.perf_counter() - began


def _lonely() -> dict[str, str]:
    """The environment without a way back into this checkout."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}


def _table_answers(loom: Path, place: Path) -> None:
    """The page opens with the address that the command prints."""
    command = [loom, "table", "--no-open", "--port", "18417"]
    table = subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, text=True, env=_lonely())
    try:
        assert table.stdout is not None
        address = next(found[0] for line in table.stdout if (found := re.search(r"http://\S+/join\S+", line)))
        for _ in range(50):
            try:
                with urllib.request.urlopen(address.rstrip("."), timeout=5) as answer:
                    assert "<title>" in answer.read().decode(), "that is no page"
                    return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.2)
        raise AssertionError(f"nobody answers at {address}")
    finally:
        table.terminate()
        table.wait(timeout=20)


def say(what: str, figure: str) -> None:
    """One line of the report."""
    print(json.dumps({"what": what, "figure": figure}), flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
