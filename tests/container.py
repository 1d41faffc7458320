"""The steps of the ``Containerfile`` without a container: ``make container``, or ``python -m tests.container``.

The wheel is built and installed into an environment of its own as the file does. Then its start command and its
health check are run with its settings, and a folder in place of ``/data``. ``tests/test_container.py`` does the
same with this checkout, without installing.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.alone import built, say
from tests.locks import LOCKS

FILE = Path(__file__).parent.parent / "Containerfile"
PORT = 8417
_PATIENCE = 120
"""Seconds until the table has to be healthy; it takes three on a quiet machine."""


@dataclass(frozen=True)
class Recipe:
    """What the last stage of a Containerfile says about running it."""

    command: tuple[str, ...]
    health: tuple[str, ...]
    environment: dict[str, str]
    user: str

    @classmethod
    def read(cls, port: int = PORT) -> Recipe:
        """What is written, with another port where it is taken."""
        text = FILE.read_text("utf-8").replace("\\\n", " ").rpartition("\nFROM ")[2]
        text = text.replace(str(PORT), str(port))
        settings = re.findall(r"(\w+)=(\S+)", " ".join(re.findall(r"^ENV (.*)$", text, re.MULTILINE)))
        command = [*_listed(text, "ENTRYPOINT "), *_listed(text, "CMD ")]
        if port != PORT:
            command += ["--port", str(port)]
        user = re.search(r"^USER (\S+)", text, re.MULTILINE)
        health = re.search(r"^HEALTHCHECK .*CMD (\[.*\])$", text, re.MULTILINE)
        assert user is not None and health is not None, "it names no user, or has no health check"
        return cls(tuple(command), tuple(json.loads(health[1])), dict(settings), user[1])

    def run(self, loom: Sequence[str], python: str, data: Path) -> None:
        """Start the table as the container does, ask the health check until it is content, and stop it.

        Raises:
            AssertionError: it is never healthy, or still is once it was stopped, or keeps no session.
        """
        kept = {name: value.replace("/data", str(data)) for name, value in self.environment.items()}
        settings = os.environ | {name: value for name, value in kept.items() if name != "PATH"}
        health = [python, *self.health[1:]]
        with (data / "said.txt").open("w") as said:
            table = subprocess.Popen([*loom, *self.command[1:]], cwd=data, env=settings, stdout=said, stderr=said)
        try:
            until = time.monotonic() + _PATIENCE
            while subprocess.run(health, capture_output=True, env=settings).returncode:
                assert table.poll() is None and time.monotonic() < until, (data / "said.txt").read_text("utf-8")
                time.sleep(0.2)
        finally:
            table.terminate()
            stopped = table.wait(timeout=60)
        assert stopped == 0, f"the table ended with {stopped}: {(data / 'said.txt').read_text('utf-8')}"
        assert subprocess.run(health, capture_output=True, env=settings).returncode, "healthy without a table"
        assert list(data.rglob("sessions.db")), "no sessions are kept under /data"


def _listed(text: str, word: str) -> list[str]:
    found = re.findall(rf"^{word}(\[.*\])$", text, re.MULTILINE)
    return list(json.loads(found[-1])) if found else []


def main() -> int:
    """Build, install, start, ask for its health, stop."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        wheel = built(place)
        venv.create(place / "venv", with_pip=True)
        python = place / "venv" / "bin" / "python"
        install = [python, "-m", "pip", "install", "--quiet"]
        subprocess.run([*install, "--require-hashes", "--requirement", str(LOCKS / "run.txt")], check=True)
        subprocess.run([*install, "--no-deps", str(wheel)], check=True)
        say("installed", wheel.name)
        (place / "data").mkdir()
        Recipe.read().run([str(python.with_name("loom"))], str(python), place / "data")
        say("the table", "starts, is healthy, stops, and keeps its sessions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
