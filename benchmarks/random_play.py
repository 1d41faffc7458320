"""Thousands of random steps of every system, with the laws that must hold: ``python -m benchmarks.random_play``.

Each session is held to every law of ``loomtable.testing``. Refusals are passed over; anything
else that is raised is a defect and stops the run.

Last: no law broken; 151 to 990 steps a second.
"""

from __future__ import annotations

import random
import sys
import time

from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.testing import check_session, play_at_random

STEPS_A_SESSION = 120


def main(steps: int) -> None:
    """Print the table."""
    print("| system | sessions | steps tried | steps that count | seconds | steps a second |")
    print("| --- | --- | --- | --- | --- | --- |")
    for key, system in SYSTEMS.items():
        begun, counted, sessions = time.perf_counter(), 0, 0
        while sessions * STEPS_A_SESSION < steps:
            rulings = system.rulings.usual() if sessions % 2 else {}  # as a new table begins, or an old one
            session: Session[object] = Session.open(system, seed=str(sessions), rulings=rulings)
            play_at_random(session, random.Random(sessions), STEPS_A_SESSION, undo=0.02)
            check_session(session)
            counted += len(session.played)
            sessions += 1
        seconds = time.perf_counter() - begun
        tried = sessions * STEPS_A_SESSION
        print(f"| {key} | {sessions} | {tried} | {counted} | {seconds:.1f} | {tried / seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
