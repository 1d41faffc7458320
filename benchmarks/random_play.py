"""Thousands of random steps of every system, with the laws that must hold: ``python -m benchmarks.random_play``.

After each session: its journal folds to the state it had, and undoing every step leads back to the start. What the
engine refuses is counted; anything else that is raised is a defect and stops the run.
"""

from __future__ import annotations

import random
import sys
import time

from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from tests.playing import play_at_random

STEPS_A_SESSION = 120


def main(steps: int) -> None:
    """Print the table."""
    print("| system | sessions | steps tried | steps that count | seconds | steps a second |")
    print("| --- | --- | --- | --- | --- | --- |")
    for key, system in SYSTEMS.items():
        begun, counted, sessions = time.perf_counter(), 0, 0
        while sessions * STEPS_A_SESSION < steps:
            session: Session[object] = Session.open(system, seed=str(sessions))
            play_at_random(session, random.Random(sessions), STEPS_A_SESSION, undo=0.02)
            hold_the_laws(session)
            counted += len(session.played)
            sessions += 1
        seconds = time.perf_counter() - begun
        tried = sessions * STEPS_A_SESSION
        print(f"| {key} | {sessions} | {tried} | {counted} | {seconds:.1f} | {tried / seconds:.0f} |", flush=True)


def hold_the_laws(session: Session[object]) -> None:
    """The fold is the state; the events are the fold; undo to the start is the start."""
    again = Session.resume(SYSTEMS, session.journal)
    assert (again.game, again.pending) == (session.game, session.pending)
    start = session.system.new_game({}, {})
    states = [start, *(played.game for played in again.played[:-1])]
    for before in reversed(states if again.played else []):
        again.undo()
        assert again.game == before
    assert again.game == start


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
