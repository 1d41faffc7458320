"""Two tables for hours, one of which is killed every few minutes: ``python -m benchmarks.soak --minutes 120``.

Both are ``loom table`` as people start it, each with a store of its own, eight devices over HTTP that listen for
news, and random legal play of all five games. One of the devices is a camera: it sends pictures of dice that our
virtual camera took, and what was read in them is accepted as an answer. The first table is never stopped: its
memory is what is looked at. The second is killed (SIGKILL) and started again on the same store, and must have
every line that it acknowledged.

Everything lies in ``output/soak``; the same command goes on there until so many minutes are full.

Last: nothing acknowledged lost, memory flat.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import cv2
import httpx
import msgspec

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.journal import Journal, Line
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.serialization import to_builtins, to_json
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.store.packing import unpack
from loomtable.testing import random_action
from loomtable.testing.virtual import TINTS, Light, PlacedDie, Scene, Surface, VirtualCamera, photograph

KEPT = Path("output/soak")
PLAYERS = ("Ada", "Ben", "Cleo", "Dov", "Eve")
WATCHED = "storm-weavers"
"""The game whose dice the camera sees: it asks for two d6."""
FRAMES_A_SECOND = 4
SAMPLE = 10.0
"""Seconds from one look at the memory to the next."""
SETTLED = 600.0
"""Seconds after which the memory of a table has to stay as it is, but for the journal."""
A_LINE = 5_000
"""Bytes of memory that a line of the journal may take."""
SPARE = 20_000_000
"""Bytes by which it may have grown besides: what one large picture needs for a moment."""


class Kept(msgspec.Struct):
    """What came of it so far."""

    seconds: float = 0
    steps: int = 0
    refused: int = 0
    read: int = 0
    """Answers that the camera read."""
    kills: int = 0
    unacknowledged: int = 0
    """Lines that were there though the table was killed before it could say so."""
    lost: int = 0
    heard: int = 0
    frames: int = 0
    slowest: float = 0
    troubles: list[str] = []

    def trouble(self, words: str) -> None:
        if len(self.troubles) < 50:
            self.troubles.append(words)


class Server:
    """One ``loom table``."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.base = f"http://127.0.0.1:{port}"
        self.code = ""
        self._process: subprocess.Popen[str] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def start(self) -> None:
        """Start it, and wait until it says where it is."""
        command = ["table", "--no-open", "--port", str(self.port), "--store", str(self.folder / "sessions.db")]
        home = str(self.folder.resolve())
        with (self.folder / "stderr.log").open("ab") as troubles:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "loomtable", *command],
                stdout=subprocess.PIPE,
                stderr=troubles,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "HOME": home, "XDG_DATA_HOME": home, "PYTHONUNBUFFERED": "1"},
                text=True,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            found = re.search(r"/join\?code=(\w+)", line)
            if found:
                self.code = found[1]
                return
        raise SystemExit(f"loom table does not start; see {self.folder / 'stderr.log'}")

    def kill(self) -> None:
        """End it in the middle of whatever it does, if it was started."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def memory(self) -> int:
        """Bytes that lie in RAM."""
        assert self._process is not None
        with contextlib.suppress(OSError):
            return int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]) * os.sysconf(
                "SC_PAGE_SIZE"
            )
        return 0

    def defects(self) -> list[str]:
        """What it logged; a table that is well logs nothing."""
        file = self.folder / "stderr.log"
        return file.read_text("utf-8", "replace").splitlines() if file.exists() else []


class Device:
    """One device: it has joined, and hears the news of one session."""

    def __init__(self, server: Server, kept: Kept, code: str, live: str, **who: str) -> None:
        self._kept = kept
        self.session = live
        self._client = httpx.Client(base_url=server.base, timeout=60)
        headers = {"accept": "application/json", "sec-fetch-site": "same-origin"}
        sent = {"code": code, "token": "1", **who}
        while (joined := self._client.post("/join", json=sent, headers=headers)).is_error:
            if joined.status_code != 429:  # codes may be tried only so often
                joined.raise_for_status()
            time.sleep(float(joined.headers["retry-after"]))
        self._client.cookies.clear()
        self._client.headers.update(
            {"authorization": f"Bearer {joined.json()['token']}", "accept": "application/json"}
        )

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response | None:
        """Ask, and note what must not be; nothing where the table is down at the moment."""
        begun = time.monotonic()
        try:
            answer = self._client.request(method, path, **more)
        except httpx.TransportError:
            return None
        self._kept.slowest = max(self._kept.slowest, time.monotonic() - begun)
        if answer.status_code >= 500:
            self._kept.trouble(f"{answer.status_code} to {method} {path}: {answer.text[:200]}")
        return answer

    def play(self, verb: str, fields: dict[str, Any]) -> httpx.Response | None:
        """Send to the session."""
        content, kind = to_json(fields), {"content-type": "application/json"}
        return self.ask("POST", f"/api/play/{quote(self.session)}/{verb}", content=content, headers=kind)

    def hear(self, stop: threading.Event) -> None:
        """Look at the table after each piece of news, until ``stop``; a lost connection is tried again."""
        path = f"/api/play/{quote(self.session)}"
        while not stop.wait(0.5):
            with (
                contextlib.suppress(httpx.TransportError),
                self._client.stream("GET", f"{path}/events", timeout=30) as news,
            ):
                for line in news.iter_lines():
                    if stop.is_set():
                        return
                    if line.startswith("event: play"):
                        self._kept.heard += 1
                        self.ask("GET", f"{path}/state")


class Evening:
    """A session of one game, played at random by the host's device, and held against what was acknowledged."""

    def __init__(self, system: str, chance: random.Random, kept: Kept) -> None:
        self.system, self._chance, self._kept = system, chance, kept
        self._known: tuple[Line, ...] = ()
        self._acknowledged = 0

    def step(self, host: Device) -> None:
        """Look at the journal, and send one step that could be meant."""
        lines = self.look(host)
        if not lines:
            return
        session = Session.resume(SYSTEMS, Journal(lines))
        verb, fields = self._what(session, host)
        answer = host.play(verb, {"revision": len(lines), **fields})
        if answer is None:
            return
        if answer.status_code == 200:
            self._kept.steps += 1
            self._kept.read += verb == "camera-accept"
            self._acknowledged = int(answer.json()["revision"])
        else:
            self._kept.refused += 1

    def _what(self, session: Session[Any], host: Device) -> tuple[str, dict[str, Any]]:
        asked = session.pending
        if asked is None:
            action = random_action(session, self._chance)
            return "act", {"action": action.name, "args": to_builtins(action.args)}
        if self.system == WATCHED and isinstance(asked, Roll) and asked.die is Die.D6 and asked.count == 2:
            for _ in range(8):
                seen = host.ask("GET", f"/api/play/{self.system}/camera")
                proposal = seen.json()["proposal"] if seen is not None and seen.status_code == 200 else None
                if proposal and proposal["sure"] and proposal["revision"] == len(session.lines()):
                    return "camera-accept", {"proposal": proposal["number"]}
                time.sleep(0.5)
        return "answer", {"random": "1"}

    def look(self, host: Device) -> tuple[Line, ...]:
        """The journal as the table has it now: nothing that was acknowledged may be missing or changed."""
        answer = host.ask("GET", f"/api/play/{self.system}/export")
        if answer is None or answer.status_code != 200:
            return ()
        lines = unpack(answer.content)[1]
        if len(lines) < self._acknowledged or lines[: len(self._known)] != self._known:
            self._kept.lost += 1
            self._kept.trouble(f"{self.system}: {self._acknowledged} lines acknowledged, {len(lines)} there")
        self._kept.unacknowledged += max(0, len(lines) - max(self._acknowledged, 1)) if self._known else 0
        self._known, self._acknowledged = lines, len(lines)
        return lines


class Table:
    """A server with its eight devices, and the threads that play."""

    def __init__(self, folder: Path, port: int, kept: Kept, pace: float, seed: int) -> None:
        self.server = Server(folder, port)
        self._kept, self._pace = kept, pace
        self._chance = random.Random(seed)
        self.evenings = [Evening(key, self._chance, kept) for key in SYSTEMS]
        self.stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def open(self, frames: list[bytes]) -> None:
        """Start the server, let the devices join, and begin to play."""
        self.server.start()
        host = Device(self.server, self._kept, self.server.code, "weave")
        for evening in self.evenings:
            host.ask("POST", "/api/sessions/begin", json={"system": evening.system, "session": evening.system})
        host.ask("POST", "/api/sessions/open", json={"session": WATCHED})
        devices = [host, *(self._joined(host, role="player", person=person) for person in PLAYERS)]
        devices.append(self._joined(host, role="screen"))
        camera = self._joined(host, role="camera")
        hosts = {evening.system: _as_host(host, evening.system) for evening in self.evenings}
        self._run(lambda: self._play(hosts))
        self._run(lambda: self._film(camera, frames))
        for device in (*devices, camera):
            self._run(lambda device=device: device.hear(self.stop))  # type: ignore[misc]

    def close(self) -> None:
        """Let everybody stop, look at every journal once more, and end the server."""
        self.stop.set()
        for thread in self._threads:
            thread.join(40)
        self.server.kill()
        for line in self.server.defects():
            self._kept.trouble(f"logged: {line}")

    def _joined(self, host: Device, **who: str) -> Device:
        shown = host.ask("POST", "/api/code", json={"shown": "1"})
        assert shown is not None and shown.status_code == 200, shown
        return Device(self.server, self._kept, shown.json()["code"], WATCHED, **who)

    def _run(self, what: Any) -> None:
        def run() -> None:
            try:
                what()
            except Exception as error:  # noqa: BLE001 - a defect of whatever kind has to be in the summary
                self._kept.trouble(f"{type(error).__name__}: {error}")

        self._threads.append(threading.Thread(target=run, daemon=True))
        self._threads[-1].start()

    def _play(self, hosts: dict[str, Device]) -> None:
        while not self.stop.wait(self._pace):
            evening = self._chance.choice(self.evenings)
            with contextlib.suppress(LoomtableError):
                evening.step(hosts[evening.system])
        for evening in self.evenings:
            evening.look(hosts[evening.system])

    def _film(self, camera: Device, frames: list[bytes]) -> None:
        path, kind, number = f"/api/play/{WATCHED}/frame?start=1", {"content-type": "image/jpeg"}, 0
        while not self.stop.wait(1 / FRAMES_A_SECOND):
            camera.ask("POST", path, content=frames[number % len(frames)], headers=kind)
            self._kept.frames += 1
            number += 1


def _as_host(host: Device, live: str) -> Device:
    """The same device, for another session."""
    other = object.__new__(Device)
    other.__dict__.update(host.__dict__, session=live)
    return other


def throws(count: int) -> list[bytes]:
    """Pictures of throws of two d6, one after another: nothing, rolling, and lying still for some seconds."""
    camera, chance = VirtualCamera(height=240, tilt=8, frame=(1280, 720), noise=0.8), random.Random(1)
    lamp, felt = (
        Light(azimuth=200, elevation=58, distance=1100, size=9, sky=0.7),
        Surface("felt", TINTS["felt"][0], 1),
    )
    shown: list[bytes] = []
    for throw in range(count):
        dice = [
            PlacedDie(chance.randint(1, 6), -45 + 90 * k, chance.uniform(-30, 30), chance.uniform(0, 90))
            for k in range(2)
        ]
        rolling = [replace(die, x=die.x + 40, turn=die.turn + 50) for die in dice]
        for laid, times in (([], 6), (rolling, 1), (dice, 24)):
            picture = photograph(Scene(felt, (), tuple(laid), lamp), camera, throw).picture
            shown += [cv2.imencode(".jpg", picture)[1].tobytes()] * times
    return shown


def slope(samples: list[tuple[float, int]]) -> float:
    """MB an hour by which the memory grew, by least squares."""
    if len(samples) < 2:
        return 0.0
    middle = sum(at for at, _ in samples) / len(samples)
    mean = sum(size for _, size in samples) / len(samples)
    spread = sum((at - middle) ** 2 for at, _ in samples)
    return sum((at - middle) * (size - mean) for at, size in samples) / spread * 3600 / 1e6


def main() -> None:
    """Run, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds from one step to the next at each table")
    parser.add_argument("--port", type=int, default=18417)
    given = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    file = KEPT / "kept.json"
    kept = msgspec.json.decode(file.read_bytes(), type=Kept) if file.exists() else Kept()
    frames = throws(3)
    seed = int(kept.seconds)
    steady = Table(KEPT / "steady", given.port, kept, given.pace, seed)
    killed = Table(KEPT / "killed", given.port + 2, kept, given.pace, seed + 1)
    samples: list[tuple[float, int]] = []
    chance, first = random.Random(seed), kept.seconds
    try:
        for table in (steady, killed):
            table.open(frames)
        begun = last = time.monotonic()
        next_kill = begun + chance.uniform(60, 240)
        while first + time.monotonic() - begun < given.minutes * 60:
            time.sleep(max(0.0, last + SAMPLE - time.monotonic()))
            last = time.monotonic()
            samples.append((last - begun, steady.server.memory()))
            lines = sum(len(evening._known) for evening in steady.evenings)
            with (KEPT / "memory.csv").open("a") as log:
                log.write(f"{first + last - begun:.0f},{samples[-1][1]},{killed.server.memory()},{lines}\n")
            kept.seconds = first + last - begun
            file.write_bytes(msgspec.json.encode(kept))
            if last >= next_kill:
                killed.server.kill()
                kept.kills += 1
                killed.server.start()
                next_kill = time.monotonic() + chance.uniform(60, 240)
    finally:
        for table in (steady, killed):
            table.close()
        file.write_bytes(msgspec.json.encode(kept))
    _tell(kept, samples, sum(len(evening._known) for evening in steady.evenings))


def _tell(kept: Kept, samples: list[tuple[float, int]], lines: int) -> None:
    settled = [one for one in samples if one[0] >= min(SETTLED, samples[-1][0] / 2)]
    grown = settled[-1][1] - settled[0][1]
    print("| what | figure |\n| --- | --- |")
    print(f"| minutes, kills | {kept.seconds / 60:.0f}, {kept.kills} |")
    print(
        f"| steps taken, steps refused, answers read by the camera | {kept.steps}, {kept.refused}, {kept.read} |"
    )
    print(f"| acknowledged lines lost | {kept.lost} |")
    print(f"| lines there, but not yet said when the table was killed | {kept.unacknowledged} |")
    print(f"| news heard, frames sent | {kept.heard}, {kept.frames} |")
    print(f"| slowest answer | {kept.slowest:.2f} s |")
    print(
        f"| memory of the table that was not killed: first, settled, last | {samples[0][1] / 1e6:.0f} MB, "
        f"{settled[0][1] / 1e6:.0f} MB, {settled[-1][1] / 1e6:.0f} MB |"
    )
    print(f"| of that, an hour, once settled | {slope(settled):+.1f} MB |")
    print(f"| lines of its journals | {lines} |")
    for words in kept.troubles:
        print("TROUBLE", words)
    if samples[-1][0] < 2 * SETTLED:
        print("Too short to tell anything of the memory: networks are loaded when the camera first reads.")
    elif grown > SPARE + A_LINE * lines:
        raise SystemExit(f"the memory grew by {grown / 1e6:.0f} MB after it had settled")
    if kept.lost or kept.troubles:
        raise SystemExit(f"{kept.lost} journals lost lines; {len(kept.troubles)} troubles")


if __name__ == "__main__":
    main()
