"""The kernel's cost: a long fight through a session, beside the same arithmetic in a bare loop.

Last: 0.008 ms a reading in memory, 0.24 on SQLite with full sync; a bare loop 0.0003.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.timing import best_of, report
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.journal import Journal
from loomtable.engine.kernel.readings import rolled
from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.state import Tale
from loomtable.table.store import open_store

EXCHANGES = 100
TROLL = {"name": "Troll", "dexterity": 8, "health": 10_000}


def through_a_session(journal: Journal) -> Session[Tale]:
    """A fight of so many exchanges, every die a reading in the journal."""
    source = random.Random(1)
    session = Session.open(
        STORM_WEAVERS, seed="b", rulings={"cunning-strike-without-map": "forbidden"}, journal=journal
    )
    session.perform("create", dexterity_points=3)
    session.perform("change", attribute="armour_class", by=99, reason="to last")
    session.perform("fight", enemy=TROLL)
    for _ in range(EXCHANGES):
        session.answer(rolled(Die.D6, source.randint(1, 6)))
        session.answer(rolled(Die.D6, source.randint(1, 6)))
    return session


def in_a_bare_loop() -> int:
    """The same dice and the same sums, without anything else."""
    source = random.Random(1)
    enemy, thymin = 10_000, 20
    for exchange in range(EXCHANGES):
        attack, defence = source.randint(1, 6) + 8, source.randint(1, 6) + 8
        difference = attack - defence if exchange % 2 == 0 else defence - attack
        if difference > 0:
            enemy -= difference
        elif difference < 0:
            thymin -= max(0, -difference - 99)
    return enemy + thymin


def main() -> None:
    """Print the table."""
    bare = best_of(20, in_a_bare_loop)
    memory = best_of(5, lambda: through_a_session(Journal()))
    played = through_a_session(Journal()).journal
    folded = best_of(5, lambda: Session.resume({"storm-weavers": STORM_WEAVERS}, played))
    print("| what | ours | beside | peer | ratio |\n| --- | --- | --- | --- | --- |")
    report("a session in memory", memory, "a bare loop", bare, each=2 * EXCHANGES, unit="reading")
    report("the journal folded again", folded, "a bare loop", bare, each=2 * EXCHANGES, unit="reading")
    with tempfile.TemporaryDirectory() as folder:
        stores: list[Any] = []

        def on_disk() -> None:
            stores.append(open_store(Path(folder) / f"{len(stores)}.db"))
            through_a_session(stores[-1].journal("b"))

        disk = best_of(3, on_disk)
        for store in stores:
            store.close()
    report(
        "a session on SQLite, full sync", disk, "a session in memory", memory, each=2 * EXCHANGES, unit="reading"
    )


if __name__ == "__main__":
    main()
