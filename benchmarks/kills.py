"""Kills a playing program at random moments and counts what was lost: ``python -m benchmarks.kills --kills 1000``.

A program plays and says each line's number once the journal has taken it; then it is killed (SIGKILL) in the
middle of whatever it does. Every line that was acknowledged has to be there afterwards, in order and undamaged.
``--postgresql`` does the same on a PostgreSQL server of its own, which is itself stopped hard every tenth time.
A kill takes a program's life, not the machine's power: that a line is on the disk when it is acknowledged is what
full sync is for.

What came of it so far is kept in ``output/kills``; the same command goes on there until there are so many kills.

Last: 0 of 70,552 lines on SQLite, 0 of 1,806 on PostgreSQL.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

import msgspec

from tests.table.killing import Toll, kill_at_random
from tests.table.postgres import crash, place_in, postgres_server

AT_ONCE = 100
"""Kills in one store; then they are counted and kept."""
KEPT = Path("output/kills")


def _some_kills(postgresql: bool, kills: int, chance: random.Random) -> Toll:
    """So many kills in a store of their own."""
    begun = time.perf_counter()
    if postgresql:
        with postgres_server() as server:
            toll = kill_at_random(place_in(server, "kills"), kills, chance, lambda: crash(server))
    else:
        with tempfile.TemporaryDirectory() as folder:
            toll = kill_at_random(str(Path(folder) / "kills.db"), kills, chance)
    toll.seconds = time.perf_counter() - begun
    return toll


def _counts(toll: Toll) -> tuple[float, ...]:
    return tuple(getattr(toll, name) for name in toll.__struct_fields__)


def main() -> None:
    """Print the toll as a line of a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--postgresql", action="store_true")
    given = parser.parse_args()
    kept = KEPT / ("postgresql.json" if given.postgresql else "sqlite.json")
    toll = msgspec.json.decode(kept.read_bytes(), type=Toll) if kept.exists() else Toll()
    kept.parent.mkdir(parents=True, exist_ok=True)
    while toll.kills < given.kills:
        some = _some_kills(given.postgresql, min(AT_ONCE, given.kills - toll.kills), random.Random(toll.kills))
        toll = Toll(*(was + more for was, more in zip(_counts(toll), _counts(some), strict=True)))
        kept.write_bytes(msgspec.json.encode(toll))
    print(
        "| kills | of them the server's | lines acknowledged | lost | there, not yet said | sessions | seconds |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    print(
        f"| {toll.kills} | {toll.crashes} | {toll.acknowledged} | {toll.lost} | {toll.unacknowledged} "
        f"| {toll.sessions} | {toll.seconds:.0f} |"
    )
    if toll.lost:
        raise SystemExit(f"{toll.lost} acknowledged lines were lost")


if __name__ == "__main__":
    main()
