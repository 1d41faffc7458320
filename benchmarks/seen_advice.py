"""Which advice is given for pictures with a known fault: ``python -m benchmarks.seen_advice --seeds 20``.

The bounds of ``loomtable.vision.advice`` were set on seeds below 10; the measure begins at 100.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator

import cv2

from benchmarks.seen_scenes import FAULTS, three_cards
from loomtable.vision.advice import advice
from loomtable.vision.cards import scan_cards

FIRST = 100
SAID = {
    "too dark": "too dark: more",
    "grainy": "too dark: the picture is grainy",
    "too bright": "too bright",
    "out of focus": "out of focus",
    "shaken": "the picture is shaken",
    "move closer": "move closer",
    "no code made out": "no code can be made out",
    "from the side": "the camera looks too much from the side",
    "left": "glare on the left",
    "right": "glare on the right",
    "middle": "glare in the middle",
}
"""How each piece of advice begins, by its column."""


def table(seeds: range) -> Iterator[str]:
    """For each fault, how often each piece of advice was given, as lines of Markdown."""
    cv2.setNumThreads(1)
    yield f"| fault of {len(seeds)} pictures each | {' | '.join(SAID)} | nothing |"
    yield "| --- |" + " --- |" * (len(SAID) + 1)
    for fault in FAULTS:
        counts: Counter[str] = Counter()
        for seed in seeds:
            picture = three_cards(seed, fault)
            said = advice(picture, scan_cards(picture))
            counts.update(name for name, words in SAID.items() if any(line.startswith(words) for line in said))
            counts["nothing"] += not said
        yield f"| {fault} | " + " | ".join(str(counts[name] or "") for name in [*SAID, "nothing"]) + " |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    for line in table(range(FIRST, FIRST + parser.parse_args().seeds)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
