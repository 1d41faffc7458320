"""An adventure's exact chance to win beside plays at the engine's own table: ``benchmarks.adventure 4000``.

Both lines of play are reckoned; then so many plays of each follow the same decisions, with dice thrown at random.
The last column is how many standard deviations the two are apart: beyond 4 there is a defect somewhere.
"""

from __future__ import annotations

import sys
import time

from loomtable.engine.odds.adventure import AdventurePlan
from loomtable.engine.odds.adventure_stages import Line
from loomtable.engine.storm_weavers.adventure_check import playable_adventure
from loomtable.engine.storm_weavers.state import AdventureEnding
from tests.odds.adventure_player import Player

ADVENTURE = "the-light-on-karrow-head"


def main(plays: int, lines: list[Line]) -> None:
    """Print the table."""
    adventure = playable_adventure(ADVENTURE)
    print("| line | exactly | reckoned in s | stages | plays | won | plays a second | apart |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for line in lines:
        begun = time.process_time()
        plan = AdventurePlan(adventure, line, 2)
        reckoned, chance = time.process_time() - begun, float(plan.won)
        begun = time.process_time()
        endings = [adventure.paragraphs[Player(plan, ADVENTURE, seed).played()].ending for seed in range(plays)]
        won, seconds = endings.count(AdventureEnding.VICTORY) / plays, time.process_time() - begun
        apart = (won - chance) / (chance * (1 - chance) / plays) ** 0.5
        print(
            f"| {line} | {chance:.4f} | {reckoned:.1f} | {plan.stages_seen} | {plays} | {won:.4f} "
            f"| {plays / seconds:.1f} | {apart:+.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, [Line(name) for name in sys.argv[2:]] or list(Line))
