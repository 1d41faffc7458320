"""Starts the table anew and asks at once for many pictures.

Each start is the real ``loom table``, in a process of its own. As soon as its port takes connections, many devices
ask for a picture each, in the same moment and without having joined: cards, maps, the faces of the dice. Nothing
was loaded before, so whatever is not safe to load by several threads has its chance to go wrong. Counted are
servers that died, answers that are no picture, and pictures that differ from the same one drawn alone in one
thread.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import http.client
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from loomtable.engine.storm_weavers import combat_map
from loomtable.engine.woven import region_map
from loomtable.table.pages.drawing import packed
from loomtable.table.screens.art import card_codes
from tests.table.ports import free_port

PATIENCE = 120
"""Seconds for a start and for an answer, on a machine that is busy with much else."""
Picture = tuple[str, str]


@dataclass
class Count:
    """What came of it."""

    asked: int = 0
    died: int = 0
    not_pictures: int = 0
    different: int = 0


def start_cold(starts: int, parallel: int, chance: random.Random, count: Count) -> Count:
    """Start the table so many times, ask each time for so many pictures at once, and count what comes of it."""
    for _ in range(starts):
        wanted = _some(parallel, chance)
        with _table() as (program, port):
            answers = _asked(port, wanted)
            died = program.poll() is not None
        count.died += died
        count.asked += len(wanted)
        for picture, (status, body) in zip(wanted, answers, strict=True):
            if status != 200:
                count.not_pictures += 1
            elif body != _alone(picture):
                count.different += 1
    return count


def _some(how_many: int, chance: random.Random) -> list[Picture]:
    """Mostly cards, and always the dice, a map to fight on and a map of a region."""
    others = [
        ("sheet", "dice"),
        ("ground", chance.choice(combat_map.map_names())),
        ("region", chance.choice(region_map.map_names())),
    ]
    cards = [("card", code) for code in chance.sample(card_codes(), max(0, how_many - len(others)))]
    wanted = [*others[:how_many], *cards]
    chance.shuffle(wanted)
    return wanted


@functools.cache
def _alone(picture: Picture) -> bytes:
    """The picture as it is drawn here, where there is one thread."""
    return gzip.decompress(packed(*picture))


@contextlib.contextmanager
def _table() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A table of its own that takes connections; closed afterwards."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        program = subprocess.Popen(
            [
                sys.executable, "-m", "loomtable",
                "table", "--no-open", "--port", str(port), "--store", f"{folder}/sessions.db",
            ],
            stdout=subprocess.DEVNULL, env={**os.environ, "XDG_DATA_HOME": folder},
        )  # fmt: skip
        try:
            _wait_for(port, program)
            yield program, port
        finally:
            program.terminate()
            program.wait(PATIENCE)


def _wait_for(port: int, program: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and program.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.01)


def _asked(port: int, wanted: Sequence[Picture]) -> list[tuple[int, bytes]]:
    """Status and body of each picture, all asked for at once; status 0 where no answer came."""
    answers = [(0, b"")] * len(wanted)
    together = threading.Barrier(len(wanted))

    def ask(at: int) -> None:
        kind, name = wanted[at]
        together.wait()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            connection.request("GET", f"/art/{kind}/{name}.svg")
            answer = connection.getresponse()
            answers[at] = answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            pass  # the server died, which is what is looked for
        finally:
            connection.close()

    asking = [threading.Thread(target=ask, args=(at,)) for at in range(len(wanted))]
    for one in asking:
        one.start()
    for one in asking:
        one.join()
    return answers
