"""How surely and how quickly our printed cards are read: ``python -m benchmarks.seen_cards``.

- ``--rates N``: N frames for each size of code, in pixels a module, and for each fault of a picture.
- ``--times N``: N frames of 1920 x 1080 with nine cards, beside one plain call of zxing-cpp.
- ``--frames N``: N small frames with one or two cards, good and bad ones, and how often a card was taken for
  another. ``--state FILE`` keeps what has been counted, so that a run that was stopped goes on where it was.

Without any of them the first two are made. The reader was tuned on seeds from 1,000 to 8,999; the measures begin
at 100,000.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import zxingcpp

from benchmarks.seen_scenes import Frame, anything, nine_cards, one_code, whole_codes
from loomtable.vision.cards import SeenCard, scan_cards
from loomtable.vision.pictures import BgrImage
from loomtable.vision.quads import quad_centre, quad_side

FIRST = 100_000
SIZES = (1.6, 2.0, 2.5, 3.0, 4.0)
FAULTS: Mapping[str, Mapping[str, float]] = {
    "none but chance": {},
    "out of focus (2 px)": {"blur": 2.0},
    "shaken (5 px)": {"motion": 5.0},
    "dim (2 stops, three times the noise)": {"exposure": -2.0, "noise": 3.0},
    "JPEG quality 40": {"jpeg_quality": 40},
    "tilted 40 degrees": {"tilt": 40.0},
}
CHUNK = 500


@dataclass(frozen=True)
class Rate:
    """What became of so many codes: read by the first look, read by every pass, taken for another."""

    frames: int
    first_look: int
    every_pass: int
    wrong: int


def wrong_cards(frame: Frame, cards: tuple[SeenCard, ...]) -> int:
    """How many cards were read that are not where they were read."""
    return sum(not any(seen.card == code.card and _at(seen, code.quad) for code in frame.codes) for seen in cards)


def _at(seen: SeenCard, quad: Any) -> bool:
    return math.dist(seen.centre, quad_centre(quad)) < 0.5 * quad_side(quad)


def rate_of(size: float, fault: str, seeds: range) -> Rate:
    """How codes of one size are read in pictures with one fault."""
    cv2.setNumThreads(1)
    first = every = wrong = 0
    for seed in seeds:
        frame = one_code(seed, size, dpi=200, **FAULTS[fault])
        [code] = frame.codes
        quick, whole = scan_cards(frame.picture, quick=True), scan_cards(frame.picture)
        first += code.card in quick.ids
        every += code.card in whole.ids
        wrong += wrong_cards(frame, quick.cards) + wrong_cards(frame, whole.cards)
    return Rate(len(seeds), first, every, wrong)


def rates(count: int, workers: int) -> Iterator[str]:
    """The table of rates as lines of Markdown."""
    yield "| pixels a module | fault of the picture | frames | first look | every pass | taken for another |"
    yield "| --- | --- | --- | --- | --- | --- |"
    cells = [(size, "none but chance", count) for size in SIZES]
    cells += [(3.0, fault, count // 4) for fault in FAULTS if FAULTS[fault]]
    with ProcessPoolExecutor(workers) as pool:
        for size, fault, frames in cells:
            step = max(1, frames // 8)
            parts = [range(at, min(at + step, FIRST + frames)) for at in range(FIRST, FIRST + frames, step)]
            found = list(pool.map(rate_of, repeat(size), repeat(fault), parts))
            number = sum(rate.frames for rate in found)
            shares = [
                100 * sum(r) / number for r in zip(*((x.first_look, x.every_pass) for x in found), strict=True)
            ]
            wrong = sum(rate.wrong for rate in found)
            yield f"| {size:g} | {fault} | {number} | {shares[0]:.2f} % | {shares[1]:.2f} % | {wrong} |"


def times(count: int) -> Iterator[str]:
    """Nine cards in one frame: milliseconds of CPU on one core, beside the least that zxing-cpp takes."""
    cv2.setNumThreads(1)
    frames = [nine_cards(FIRST + k, 2.5 + 0.5 * (k % 2)) for k in range(count)]
    frames = [frame for frame in frames if len(whole_codes(frame)) == 9]
    plain = [_spent(lambda p=f.picture: _plain(p)) for f in frames]
    yield "| nine cards, 1920 x 1080 | read, mean | CPU ms, middle | CPU ms, most | beside one plain call |"
    yield "| --- | --- | --- | --- | --- |"
    ways: dict[str, dict[str, Any]] = {
        "first look only": {"quick": True},
        "until nine are read": {"expected": 9},
        "every pass": {},
    }
    yield _time_row("one plain call of zxing-cpp", [_plain(f.picture) for f in frames], plain, plain)
    for name, how in ways.items():
        read = [len(scan_cards(f.picture, **how).cards) for f in frames]
        yield _time_row(name, read, [_spent(lambda p=f.picture, h=how: scan_cards(p, **h)) for f in frames], plain)


def _plain(picture: BgrImage) -> int:
    grey = np.ascontiguousarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    return len(zxingcpp.read_barcodes(grey))


def _spent(work: Any) -> float:
    best = math.inf
    for _ in range(3):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return 1000 * best


def _time_row(name: str, read: list[int], spent: list[float], plain: list[float]) -> str:
    ratio = float(np.mean(np.array(spent) / np.array(plain)))
    return f"| {name} | {np.mean(read):.2f} | {np.median(spent):.1f} | {max(spent):.1f} | {ratio:.2f} x |"


class Counted(msgspec.Struct):
    """What the long run has counted so far."""

    frames: int = 0
    codes: int = 0
    read: int = 0
    wrong: int = 0
    wrong_seeds: list[int] = []


def count_wrong(seeds: range) -> Counted:
    """Read small frames of anything, and count the cards that were taken for others."""
    cv2.setNumThreads(1)
    counted = Counted()
    for seed in seeds:
        frame = anything(seed)
        seen = scan_cards(frame.picture).cards
        wrong = wrong_cards(frame, seen)
        counted.frames += 1
        counted.codes += len(whole_codes(frame))
        counted.read += len(seen) - wrong
        counted.wrong += wrong
        counted.wrong_seeds += [seed] * wrong
    return counted


def long_run(frames: int, workers: int, state: Path) -> Counted:
    """Go on until so many frames have been looked at; what is counted is written after every few hundred."""
    total = msgspec.json.decode(state.read_bytes(), type=Counted) if state.exists() else Counted()
    with ProcessPoolExecutor(workers) as pool:
        while total.frames < frames:
            ends = [min(total.frames + CHUNK * (k + 1), frames) for k in range(workers)]
            starts = [total.frames, *ends[:-1]]
            parts = [range(FIRST + a, FIRST + b) for a, b in zip(starts, ends, strict=True) if b > a]
            for part in pool.map(count_wrong, parts):
                total.frames += part.frames
                total.codes += part.codes
                total.read += part.read
                total.wrong += part.wrong
                total.wrong_seeds += part.wrong_seeds
            state.parent.mkdir(parents=True, exist_ok=True)
            beside = state.with_name(state.name + ".part")
            beside.write_bytes(msgspec.json.encode(total))
            beside.replace(state)
    return total


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rates", type=int, default=0)
    parser.add_argument("--times", type=int, default=0)
    parser.add_argument("--frames", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--state", type=Path, default=Path("output/seen-cards.json"))
    given = parser.parse_args()
    if not (given.rates or given.times or given.frames):
        given.rates, given.times = 400, 12
    if given.rates:
        for line in rates(given.rates, given.workers):
            print(line, flush=True)
    if given.times:
        print("\n".join(["", *times(given.times)]), flush=True)
    if given.frames:
        total = long_run(given.frames, given.workers, given.state)
        print(
            f"\n{total.frames} frames with {total.codes} whole codes: {total.read} read, "
            f"{total.wrong} taken for another {total.wrong_seeds or ''}"
        )


if __name__ == "__main__":
    main()
