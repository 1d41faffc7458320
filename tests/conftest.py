"""How the tests search and where they write, and the demo that many of them look at.

They search the same examples in every run, so that a red run means a change.

``HYPOTHESIS_PROFILE=explore python -m pytest`` looks for examples that nobody has seen yet.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest

# A worker of pytest to a core: more threads of a library in each only take turns, and spin while they wait.
# It is set before NumPy and OpenCV are imported, and passed on to the programs that tests start.
for library in ("OPENBLAS", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
# Each line of a journal is synced: on a disk that is milliseconds of waiting, thousands of times.
MEMORY = Path("/dev/shm")
if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 2**32:
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

from hypothesis import settings  # noqa: E402  it may import NumPy

from loomtable.engine.kernel.plugins import ignore_third_party  # noqa: E402
from tests.short import Loom, Said  # noqa: E402

# Somebody else's game in the same environment turns no test of ours red.
ignore_third_party()

# No deadlines: how long an example takes says more about the machine than about us.
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("thorough", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=400, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than cores: a test that waits for a process or a page leaves its core to another."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture
def loom(capsys: pytest.CaptureFixture[str]) -> Loom:
    """Runs a command in this process."""
    from loomtable.table.commands.main import run

    def ran(*arguments: object, code: int = 0) -> Said:
        ended, said = run([str(argument) for argument in arguments]), Said(*capsys.readouterr())
        assert ended == code, said.err
        return said

    return ran


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of ``loom demo``, played once for the tests of all workers: do not write into it."""
    from loomtable.table.commands.main import run

    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    folder, played = shared / "demo", shared / "demo-played"
    try:
        folder.mkdir()
    except FileExistsError:  # by another worker, or another is at it
        while not played.exists():
            time.sleep(0.1)
        return folder
    try:
        assert run(["demo", "--output", str(folder)]) == 0
    finally:
        played.touch()
    return folder
