"""Kills a program that plays at random moments: no line that it acknowledged may be lost."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

import msgspec

from loomtable.engine.kernel.journal import Acted
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.store import StoreUnusable, open_store

LINES_A_SESSION = 60
"""Beyond this a new session is begun, so that taking one up stays quick."""
LONGEST = 0.06
"""Seconds after the first acknowledged line within which the program is killed."""


class Toll(msgspec.Struct):
    """What came of it."""

    lost: int = 0
    sessions: int = 0
    crashes: int = 0
    """How often the store's server was stopped hard as well."""


def _play(place: str, name: str, says: Connection) -> None:
    with open_store(place) as store:
        journal = store.journal(name)
        if journal.lines():
            session: Session[object] = Session.resume(SYSTEMS, journal)
        else:
            session = Session.open(SYSTEMS["storm-weavers"], seed="s", journal=journal)
            session.perform("create", dexterity_points=2)
        while True:
            number = len(session.lines())
            try:
                session.perform("gain-item", item=f"stone {number}")
            except StoreUnusable:
                return  # its server was stopped
            says.send(number)


def kill_at_random(place: str, kills: int, chance: random.Random, crash: Callable[[], None] | None = None) -> Toll:
    """Kill so many programs that play in the store at ``place``; what of their acknowledged lines is missing.

    Every tenth time the store's own server is made to ``crash`` under the program first, where there is one.
    """
    making = multiprocessing.get_context("forkserver")
    making.set_forkserver_preload(["loomtable.table.store", "loomtable.engine.systems"])
    toll = Toll()
    known = 0
    for number in range(kills):
        if not known or known > LINES_A_SESSION:
            toll.sessions, known = toll.sessions + 1, 0
        name = f"evening {toll.sessions}"
        hears, says = making.Pipe(duplex=False)
        playing = making.Process(target=_play, args=(place, name, says), daemon=True)
        playing.start()
        says.close()
        told = [hears.recv()]
        time.sleep(chance.uniform(0, LONGEST))
        if crash is not None and number % 10 == 9:
            crash()
            toll.crashes += 1
        playing.kill()
        playing.join()
        told += _rest(hears)
        known = _counted(place, name, told, toll)
    return toll


def _rest(hears: Connection) -> list[int]:
    """What was acknowledged and not yet heard; a number that broke off in the middle counts as not said."""
    told: list[int] = []
    try:
        while True:
            told.append(hears.recv())
    except (EOFError, OSError):
        return told
    finally:
        hears.close()


def _counted(place: str, name: str, told: list[int], toll: Toll) -> int:
    """Hold the journal against what was acknowledged; how many lines it has."""
    with open_store(place) as store:
        lines = Session.resume(SYSTEMS, store.journal(name)).lines()
    for number in told:
        entry = lines[number].entry if number < len(lines) else None
        if not isinstance(entry, Acted) or entry.action.args.get("item") != f"stone {number}":
            toll.lost += 1
    return len(lines)
