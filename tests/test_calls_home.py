"""Nothing calls home: commands in an empty home leave nothing of others there, and ask nobody but this machine.

Three checks, each as far as it sees. Files: what lies in the home afterwards. Python: an audit hook in the process
ends it at the first look-up or connection that Python code makes. Everything else: strace, where it may be used,
notes the system's own calls of every thread, those of libraries in native code too.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.play import Action
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import open_store
from loomtable.vision.pictures import write_picture
from tests.table.ports import free_port
from tests.tiers import thorough
from tests.vision.needed import needs_networks
from tests.vision.own_dice_drawn import fancy

HERE = Path(__file__).parent.parent
LONG_ENOUGH = 14
"""Seconds that each process lives on once it loads the runtime, which looks its maker up about nine later."""
OURS = re.compile(r"(^|/)loomtable(/|$)")
WATCHED = """
import os, signal, sys, threading, time
OWN = ("127.0.0.1", "::1", "localhost", None, "")
loading = threading.Event()

def watch(event, given):
    if event == "import" and given[0] == "onnxruntime":
        loading.set()
    whom = given[0] if event == "socket.getaddrinfo" else given[1] if event.startswith("socket.") else None
    whom = whom[0] if isinstance(whom, tuple) else whom
    if event in ("socket.getaddrinfo", "socket.connect", "socket.sendto") and whom not in OWN:
        print(f"asks {whom!r}", file=sys.stderr, flush=True)
        os._exit(99)

sys.addaudithook(watch)
from loomtable.table.commands.main import run

def wait():
    loading.wait(120)
    time.sleep(float(sys.argv[1]))
    if " table " in sys.argv[2]:  # it goes on until it is told to end
        os.kill(os.getpid(), signal.SIGTERM)

waiting = threading.Thread(target=wait)
waiting.start()
code = max(run(command.split()) for command in sys.argv[2:])
waiting.join()
sys.exit(code)
"""
UNSWITCHED = """
import sys, time
import onnxruntime
onnxruntime.InferenceSession(sys.argv[2])
time.sleep(float(sys.argv[1]))
"""
"""The runtime as it comes: what the checks would see."""

STRACE = ("strace", "-f", "-qq", "--seccomp-bpf")
"""Only the calls that are noted stop the process: to stop it at every one takes as long again as the commands."""


@cache
def traced() -> bool:
    """Whether strace is here and may look at a process."""
    return bool(shutil.which("strace")) and subprocess.run([*STRACE, "true"], stderr=-3).returncode == 0


@dataclass
class Kept:
    """A process that was watched, in a home that was empty."""

    folder: Path
    process: subprocess.Popen[str]
    code: int = 0
    said: str = ""

    @property
    def strangers(self) -> list[str]:
        """What lies in the home and is not ours."""
        files = (path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file())
        return [file for file in files if file.startswith("home/") and not OURS.search(file)]

    @property
    def asked(self) -> list[str]:
        """Every call of the system that goes to another machine."""
        calls = (self.folder / "calls.txt").read_text("utf-8").splitlines()
        return [call for call in calls if re.search(r"sa_family=AF_INET", call) and not _to_itself(call)]


def _to_itself(call: str) -> bool:
    return bool(re.search(r'inet_addr\("127\.|"::1"', call))


def begun(folder: Path, program: str, *arguments: str) -> Kept:
    home = folder / "home"
    home.mkdir(parents=True)
    kept = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH")
    own = {name: str(home) for name in ("HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA")}
    given = {name: os.environ[name] for name in kept if name in os.environ} | own
    given |= {"PYTHONPATH": str(HERE), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-c", program, *arguments]
    if traced():
        trace = "trace=connect,sendto,sendmsg,sendmmsg"
        command = [*STRACE, "-s", "0", "-e", trace, "-o", str(folder / "calls.txt"), *command]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return Kept(folder, subprocess.Popen(command, cwd=folder, env=given, text=True, **pipes))  # type: ignore[call-overload]


@pytest.fixture(scope="module")
def watched(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Kept]]:
    """All at once, for each of them mostly waits."""
    folder = tmp_path_factory.mktemp("nobody")
    table, port = folder / "table", free_port()
    _evening(table)
    evening = (
        f"--log log.txt table --store output/sessions.db --session friday --camera dice --no-open --port {port}"
    )
    commands = ("print coin-tokens", f"scan {demo / 'frame-1.jpg'}", f"read {demo / 'frame-4.jpg'}")
    reader, seconds = str(package_file("models") / "dice_reader.onnx"), str(LONG_ENOUGH)
    runs = {
        "commands": begun(folder / "commands", WATCHED, seconds, *commands),
        "table": begun(table, WATCHED, seconds, evening),
        "unswitched": begun(folder / "unswitched", UNSWITCHED, seconds, reader),
    }
    try:
        _use_table(runs["table"], port)
        for kept in runs.values():
            ended(kept)
        yield runs
    finally:
        for kept in runs.values():
            kept.process.kill()


def ended(kept: Kept) -> Kept:
    """The process, once it has come to its end."""
    kept.said += kept.process.communicate(timeout=180)[0]
    kept.code = kept.process.returncode
    return kept


def _evening(folder: Path) -> None:
    """A session in which dice are asked for, and pictures of dice that lie still."""
    with open_store(folder / "output" / "sessions.db") as store:
        live = TableHost(store).begin("storm-weavers", "friday")
        live.take(Action("create", {"dexterity_points": 2}), by="", revision=1)
        live.take(Action("test", {"attribute": "wisdom"}), by="", revision=2)
    (folder / "dice").mkdir()
    write_picture(folder / "dice" / "0.png", fancy(4, 20.0, 1))
    for number in range(1, 60):
        shutil.copy(folder / "dice" / "0.png", folder / "dice" / f"{number}.png")


def _use_table(kept: Kept, port: int) -> None:
    """Join as this machine's browser and look at the table, which then stands open for a while."""
    assert kept.process.stdout is not None
    for line in kept.process.stdout:
        kept.said += line
        if found := re.search(r"http://\S+/join\S+", line):
            break
    else:
        raise AssertionError(kept.said)
    with urllib.request.urlopen(found[0], timeout=20) as answer:
        assert "<title>" in answer.read().decode()


@needs_networks
@pytest.mark.parametrize("name", ["commands", "table"])
def test_a_command_leaves_nothing_of_others_in_an_empty_home(name: str, watched: Mapping[str, Kept]) -> None:
    kept = watched[name]
    assert kept.code == 0, kept.said
    assert kept.strangers == []


@needs_networks
@pytest.mark.skipif(not traced(), reason="strace is not here, or may not look at processes")
@pytest.mark.parametrize("name", ["commands", "table"])
def test_a_command_asks_no_other_machine(name: str, watched: Mapping[str, Kept]) -> None:
    assert watched[name].asked == []


@thorough
@needs_networks
def test_the_demo_leaves_and_asks_as_little(tmp_path: Path) -> None:
    kept = ended(begun(tmp_path, WATCHED, str(LONG_ENOUGH), "demo"))
    assert kept.code == 0, kept.said
    assert kept.strangers == []
    assert not traced() or kept.asked == []


@needs_networks
def test_the_table_has_really_loaded_the_networks(watched: Mapping[str, Kept]) -> None:
    assert "dice_reader.onnx is loaded" in (watched["table"].folder / "log.txt").read_text("utf-8")


@needs_networks
def test_the_checks_see_a_runtime_that_is_left_as_it_comes(watched: Mapping[str, Kept]) -> None:
    kept = watched["unswitched"]
    if not kept.strangers:
        pytest.skip("the runtime that is installed writes nothing down, so there is nothing to see")
    assert not traced() or kept.asked


def test_the_switch_is_set_whatever_the_environment_says() -> None:
    program = "import os; import loomtable.vision.onnx_runtime; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    given = {**os.environ, "ORT_DISABLE_TELEMETRY": "0", "PYTHONPATH": str(HERE)}
    assert subprocess.check_output([sys.executable, "-c", program], env=given, text=True).strip() == "1"
