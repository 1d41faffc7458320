"""How surely the board is read: ``python -m benchmarks.seen_board maps --count 1000 --keep maps.jsonl``.

Each picture is made from its seed alone (``board_tables``), read as the table reads it and held against the truth.
``--keep`` names a file with one line for each picture; a run that was broken off goes on where it stopped. Without
``--count`` the figures of that file are shown.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import cv2
import msgspec
import numpy as np

from benchmarks.board_cards import tag_sheet, tapestry_board
from benchmarks.board_tables import WHOLE, Played, combat_board, region_board
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.woven.region_map import region_map
from loomtable.table.games.storm_weavers.board import combat_sheet, square_of
from loomtable.table.games.woven.board_regions import region_of, region_sheet
from loomtable.table.games.woven.board_tapestry import TAPESTRY_TAGS, placed_beside
from loomtable.table.reading.board import Whose, standing, tags_of_figures
from loomtable.table.reading.board_geometry import FIGURE_PRINTS
from loomtable.vision.board import TaggedSheet, figures_on, find_sheet, read_tapestry
from loomtable.vision.tags import CELLS, ENOUGH_PIXELS_PER_CELL, find_tags

FIRST = 30_000
"""Pictures below this number were looked at while the readers were made."""
SIZES = (1.0, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0, 4.0, 99.0)
"""Bounds, in pixels a cell, of the classes of tags in the tables."""
ENOUGH_CORNERS = 2
"""Of a map, without which nobody can say where its squares are."""


class Thing(msgspec.Struct, frozen=True):
    """What became of one thing that lay there."""

    result: str
    """``right``, ``asked``, ``unseen``, ``wrong``; or ``ghost`` for what was read and lay nowhere."""
    pixels: float = 0.0
    """Pixels a cell of its tag, the best seen one where there are more."""
    sight: float = 1.0
    """The share of that tag which is in sight."""
    sort: str = ""


class Measured(msgspec.Struct, frozen=True):
    """One picture."""

    seed: int
    tilt: float
    things: tuple[Thing, ...]
    milliseconds: float
    found: bool = True
    """Whether the map was found."""
    off: tuple[float, ...] = ()
    """How far each place that was read is from the truth: mm on maps, px for tags."""
    hand: bool = False
    corners: int = 4
    """How many of the map's corner tags are in sight."""


def measured_map(seed: int) -> Measured:
    """A combat map, or every fifth time a region map."""
    played = region_board(seed) if seed % 5 == 4 else combat_board(seed)
    if seed % 5 == 4:
        ground = region_map(played.map)
        return _measured(seed, played, region_sheet(ground), lambda at: region_of(ground, at))
    plan = combat_map(played.map)
    return _measured(seed, played, combat_sheet(plan), lambda at: square_of(plan, at))


def _measured(seed: int, played: Played, sheet: TaggedSheet, whose: Whose) -> Measured:
    begun = time.process_time()
    tags = find_tags(played.shot.picture)
    search = find_sheet(tags, [sheet], played.shot.picture.shape)
    seen = figures_on(search.sheet, tags_of_figures(tags), FIGURE_PRINTS) if search.sheet else ()
    spent = 1000 * (time.process_time() - begun)
    things, off = [], []
    there = {put.figure.number for put in played.figures}
    for put in played.figures:
        mine = [one for one in seen if one.number == put.figure.number]
        told = standing(put.figure.called, mine, put.field, whose)
        result = (
            "asked"
            if told.doubt
            else "unseen"
            if not told.seen
            else "right"
            if told.seen == put.field
            else "wrong"
        )
        things.append(Thing(result, round(put.pixels_per_cell, 2), round(put.sight, 3), put.print))
        off += [round(math.dist(one.place, put.place), 2) for one in mine[:1]]
    things += [Thing("ghost") for one in seen if one.number not in there]
    found = search.sheet is not None
    return Measured(seed, played.tilt, tuple(things), spent, found, tuple(off), played.hand, played.corners)


def measured_tags(seed: int) -> Measured:
    """A sheet full of tags, each on a coloured ground, at a size by chance."""
    sheet = tag_sheet(seed)
    begun = time.process_time()
    seen = list(find_tags(sheet.shot.picture))
    spent = 1000 * (time.process_time() - begun)
    things, off = [], []
    for number, quad in sheet.tags:
        middle = quad.mean(axis=0)
        cell = min(math.dist(quad[i], quad[(i + 1) % 4]) for i in range(4)) / CELLS
        near = [tag for tag in seen if math.dist(tag.centre, middle) < 4 * cell]
        seen = [tag for tag in seen if tag not in near]
        right = [tag for tag in near if tag.number == number]
        things.append(Thing("wrong" if len(near) > len(right) else "right" if right else "unseen", round(cell, 2)))
        off += [round(float(np.abs(np.array(tag.quad) - quad).max()), 2) for tag in right]
    things += [Thing("ghost", tag.pixels_per_cell) for tag in seen if tag.number not in sheet.numbers]
    return Measured(seed, sheet.tilt, tuple(things), spent, off=tuple(off))


def measured_tapestry(seed: int) -> Measured:
    """A tapestry of one to six cards, and a card laid over it: is it put where it lies?"""
    laid = tapestry_board(seed)
    begun = time.process_time()
    seen = read_tapestry(find_tags(laid.shot.picture), TAPESTRY_TAGS)
    spent = 1000 * (time.process_time() - begun)
    new = laid.new
    mine = next((one for one in seen.cards if one.card.number == new.card), None)
    result = "unseen"
    if mine is not None:
        placed, _ = placed_beside(mine, seen.cards, laid.book)
        result = "asked" if mine.doubt or placed is None else "right" if placed == new else "wrong"
    things = [Thing(result, round(laid.pixels_per_cell, 2), laid.sight)]
    things += [Thing("ghost") for one in seen.cards if one.card.number not in laid.cards]
    return Measured(seed, laid.tilt, tuple(things), spent)


PARTS: dict[str, Callable[[int], Measured]] = {
    "tags": measured_tags,
    "maps": measured_map,
    "tapestry": measured_tapestry,
}


def kept(path: Path) -> list[Measured]:
    """The pictures that a file holds already; a half-written last line is left out."""
    every = []
    for line in path.read_bytes().splitlines() if path.exists() else []:
        try:
            every.append(msgspec.json.decode(line, type=Measured))
        except msgspec.DecodeError:
            continue
    return every


def table(part: str, every: Sequence[Measured]) -> Iterator[str]:
    """The figures as lines of Markdown."""
    if not every:
        yield "No picture was measured yet: give a --count."
        return
    if part == "tags":
        yield from _by_size(every)
    else:
        yield from _by_tilt(part, every)
    off = sorted(one for measure in every for one in measure.off)
    spent = sorted(measure.milliseconds for measure in every)
    yield ""
    if off:
        what = "corners of tags, px" if part == "tags" else "middle of a base, mm"
        middle, most, worst = (_at(off, share) for share in (0.5, 0.95, 0.999))
        yield f"Off ({what}): {middle:.2f} in the middle, {most:.2f} in 95 %, {worst:.2f} in 99.9 %\n"
    yield f"CPU time a picture: {_at(spent, 0.5):.0f} ms in the middle, {_at(spent, 0.95):.0f} ms in 95 %"


def _at(some: Sequence[float], share: float) -> float:
    return some[min(len(some) - 1, int(share * len(some)))]


def _by_size(every: Iterable[Measured]) -> Iterator[str]:
    things = [thing for measure in every for thing in measure.things]
    yield "| pixels a cell | tags | read | wrong |"
    yield "| --- | --- | --- | --- |"
    for least, most in pairwise(SIZES):
        some = [thing for thing in things if least <= thing.pixels < most and thing.result != "ghost"]
        if some:
            read, wrong = (sum(thing.result == result for thing in some) for result in ("right", "wrong"))
            bounds = f"{least:g} to {most:g}" if most < SIZES[-1] else f"{least:g} and more"
            yield f"| {bounds} | {len(some):,} | {100 * read / len(some):.2f} % | {wrong} |"
    yield ""
    yield f"Tags read where none of that number lay: {sum(thing.result == 'ghost' for thing in things)}"


def _by_tilt(part: str, every: Sequence[Measured]) -> Iterator[str]:
    what = "figures" if part == "maps" else "cards"
    yield f"| | {what} | right | asked | unseen | wrong |"
    yield "| --- | --- | --- | --- | --- | --- |"
    clear: list[tuple[float, str]] = []
    small: list[tuple[float, str]] = []
    hidden: list[tuple[float, str]] = []
    lost: list[tuple[float, str]] = []
    for measure in every:
        for thing in (one for one in measure.things if one.result != "ghost"):
            sort = hidden if thing.sight < WHOLE else small if thing.pixels < ENOUGH_PIXELS_PER_CELL else clear
            sort = lost if measure.corners < ENOUGH_CORNERS else sort
            sort.append((measure.tilt, thing.result))
    for least, most in ((0, 15), (15, 30), (30, 45)):
        yield _row(f"in sight, {least} to {most} degrees", [one for one in clear if least <= one[0] < most])
    yield _row("in sight, all", clear)
    yield _row(f"in sight, under {ENOUGH_PIXELS_PER_CELL:g} pixels a cell", small)
    yield _row("hidden by others, or by a hand", hidden)
    if lost:
        yield _row("on a map of which fewer than two corners are in sight", lost)
    yield ""
    ghosts = sum(thing.result == "ghost" for measure in every for thing in measure.things)
    yield f"Read where nothing of that number lay: {ghosts}, in {len(every):,} pictures"
    if part == "maps":
        hands = [measure.found for measure in every if measure.hand]
        found = sum(measure.found for measure in every)
        yield f"Maps found: {found:,}; with a hand over a corner {sum(hands)} of {len(hands)}"


def _row(name: str, some: Sequence[tuple[float, str]]) -> str:
    counts = Counter(result for _, result in some)
    shares = [f"{100 * counts[result] / max(len(some), 1):.2f} %" for result in ("right", "asked", "unseen")]
    return f"| {' | '.join([name, f'{len(some):,}', *shares, str(counts['wrong'])])} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--count", type=int, default=0, help="how many pictures, with those that are kept already")
    parser.add_argument("--first", type=int, default=FIRST, help="the first picture's seed")
    parser.add_argument("--keep", type=Path, required=True, help="file with one line for each picture")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    every = kept(given.keep)
    done = {measure.seed for measure in every}
    with given.keep.open("ab") as file:
        for seed in range(given.first, given.first + given.count):
            if seed in done:
                continue
            every.append(PARTS[given.part](seed))
            file.write(msgspec.json.encode(every[-1]) + b"\n")
            file.flush()
    print("\n".join(table(given.part, every)))


if __name__ == "__main__":
    main()
