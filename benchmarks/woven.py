"""Woven: which spells one thread or two would cast on a late tapestry, beside the obvious way; maps from seeds."""

from __future__ import annotations

import time
from random import Random

from benchmarks.timing import best_of
from loomtable.engine.woven.map.maker import MapSize, make_map
from loomtable.engine.woven.patterns import castable
from loomtable.engine.woven.spells import Spell, spells
from loomtable.engine.woven.tapestry import Tapestry
from tests.systems.woven_pattern_twin import castable_twin
from tests.systems.woven_tapestries import MANA, random_tapestry

CARDS = (1, 8, 24, 33)
KNOWN = 7
"""Spells that a player drafts."""
FRAME = 1000 / 60
"""Milliseconds of one picture of a screen."""
HANDS = 12


def tables(cards: int) -> list[tuple[Tapestry, tuple[Spell, ...]]]:
    """Tapestries of so many cards, spread wide, all mana on them but two, each with a hand of spells."""
    chance = Random(cards)
    everything = list(spells().values())
    return [
        (random_tapestry(chance, cards, MANA - 2, spread=True), tuple(chance.sample(everything, KNOWN)))
        for _ in range(HANDS)
    ]


def main() -> None:
    """Print the table."""
    print("| what | ours | beside | peer | ratio |\n| --- | --- | --- | --- | --- |")
    longest = 0.0
    for cards in CARDS:
        found = 0
        for threads in (1, 2):
            laid = tables(cards)
            for tapestry, hand in laid:
                assert set(castable(tapestry, hand, threads)) == castable_twin(tapestry, hand, threads)
            times = [best_of(7, lambda t=t, h=h, n=threads: castable(t, h, n)) for t, h in laid]
            peers = [best_of(1, lambda t=t, h=h, n=threads: castable_twin(t, h, n)) for t, h in laid]
            longest = max(longest, *times)
            cells = sum(len(t.visible()) for t, _ in laid) // len(laid)
            found = sum(len(castable(t, h, threads)) for t, h in laid) // len(laid)
            what = f"{cards} cards, {cells} cells, {KNOWN} spells, {threads} thread(s): {found} ways"
            ours, peer = sum(times) / len(laid) * 1000, sum(peers) / len(laid) * 1000
            print(f"| {what} | {ours:.3f} ms | every turn, place and cell | {peer:.1f} ms | {ours / peer:.2g} x |")
    print(f"\nThe slowest of all: {longest * 1000:.2f} ms; a frame at 60 Hz is {FRAME:.1f} ms.")
    for size in MapSize:
        seconds = sorted(_processor_seconds(size, str(seed)) for seed in range(1, 11))
        print(
            f"A fair {size} map: {seconds[5]:.2f} s of processor time, at most {seconds[-1]:.2f} s for ten seeds."
        )


def _processor_seconds(size: MapSize, seed: str) -> float:
    begun = time.process_time()
    make_map(seed, size)
    return time.process_time() - begun


if __name__ == "__main__":
    main()
