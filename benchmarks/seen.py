"""How surely and how quickly pictures are read: ``python -m benchmarks.seen PART --count 400``.

Each picture is made from its number alone by the virtual camera, read as the table reads it, and held against the
truth. Pictures with lower numbers were looked at while the readers were made. ``--keep`` names a file with a line
for each picture; a run that was broken off goes on where it stopped.

Last: tags of 2.5 pixels a cell and more 99.96 % of 2,408, smaller ones 61 to 93 %, 0 of 3,347 wrong; figures on
maps 99.6 % of 1,516 in sight, 0.4 % asked, corners to 0.4 pixels; tapestry cards 97.9 % of 141, 2.1 % asked;
counters 199 of 208, 9 not seen; card codes of 2 pixels a module 86 %, of 2.5 and more 100 %, shaken 94, out of
focus 11; small frames 57,586 codes; trays of printed dice and coins 99 % of 1,176, 0.6 % asked, from the side 435
hidden tops and none accepted; none of all these wrong. Nine cards 5 ms, 32 at most, 0.14 times one call of
zxing-cpp; hostile pictures 0.76 s at 1920 x 1080, 1.4 s at 100 megapixels, which no file may have; of ten faults
the right one is named every time.
"""

from __future__ import annotations

import argparse
import math
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import cv2
import msgspec
import numpy as np
import zxingcpp

from benchmarks.dice_parts import parts_of_reading
from benchmarks.drawn_evenings import evening as drawn_evening
from benchmarks.flat_things import make_picture
from benchmarks.printed_scenes import make_tray
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.tags import MOST_FIGURES
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.woven.region_map import region_map
from loomtable.table.games.spellwoven.ring_mat import MAT_SHEET, ring_of
from loomtable.table.games.storm_weavers.board import combat_sheet, square_of
from loomtable.table.games.woven.board_regions import region_of, region_sheet
from loomtable.table.games.woven.board_tapestry import TAPESTRY_TAGS, placed_beside
from loomtable.table.games.woven.counters import COUNTERS
from loomtable.table.reading.board import standing
from loomtable.table.reading.board_geometry import FIGURE_PRINTS
from loomtable.vision.advice import advice
from loomtable.vision.arrays import Float64Array
from loomtable.vision.board.counters import counters_on_grid, counters_on_sheet
from loomtable.vision.board.figures import figures_on
from loomtable.vision.board.maps import find_sheet
from loomtable.vision.board.tapestry import read_tapestry
from loomtable.vision.camera_pose import CameraPose
from loomtable.vision.cards import SeenCard, scan_cards
from loomtable.vision.dice import read_dice
from loomtable.vision.pictures import BgrImage
from loomtable.vision.plane_pose import pose_by_prints
from loomtable.vision.printed.plane import inverse, mapped
from loomtable.vision.printed.reader import resolve_tray, search_rings
from loomtable.vision.quads import quad_centre, quad_side
from loomtable.vision.table_looks import TableLook
from loomtable.vision.tags import CELLS, ENOUGH_PIXELS_PER_CELL, find_tags
from loomtable.vision.verdict import Verdict
from tests.vision.printed_laid import squares_seen
from tests.vision.scenes.cards import FAULTS, SAID, Frame, anything, nine_cards, one_code, three_cards, whole_codes
from tests.vision.scenes.counters import counters_board
from tests.vision.scenes.hard_codes import nasties
from tests.vision.scenes.maps import WHOLE, combat_board, region_board, ring_board
from tests.vision.scenes.tapestries import tag_sheet, tapestry_board
from tests.vision.scenes.wide_trays import camera_over_tray, elevation_and_turn, roll_in_tray

T = TypeVar("T")
TAG_SIZES = (1.0, 1.5, 1.75, 2.0, 2.25, 2.5, math.inf)
"""Bounds of the rows of tags, in pixels a cell."""
FACE_SIZES = (25, 30, 35, 40, 50, 60, 80, math.inf)
"""Bounds of the rows of printed dice, in pixels."""
COUNTER_SIZES = (0, 2, 2.5, 3, 4, math.inf)
TILTS = (0, 15, 30, math.inf)
EVENING, WIDE_LENS = 10, 75
"""Rolls before one camera that is not moved; degrees of a wide lens."""
CODES: tuple[tuple[float, str, dict[str, float]], ...] = (
    *((size, "no fault", {}) for size in (1.6, 2.0, 2.5, 3.0, 4.0)),
    (3.0, "out of focus (2 px)", {"blur": 2.0}),
    (3.0, "shaken (5 px)", {"motion": 5.0}),
    (3.0, "dim (2 stops, three times the noise)", {"exposure": -2.0, "noise": 3.0}),
    (3.0, "JPEG quality 40", {"jpeg_quality": 40}),
    (3.0, "tilted 40 degrees", {"tilt": 40.0}),
)
"""Pixels a module, and what is wrong with the picture."""


class Seen(msgspec.Struct, frozen=True):
    """What became of one thing in a picture, or of a reading that belongs to none (a ``ghost``)."""

    row: str
    """In which row of the table it counts."""
    result: str
    milliseconds: float | None = None
    """CPU time of the picture, said of its first thing."""


def _between(bounds: Sequence[float], size: float, unit: str) -> str:
    least, most = next(pair for pair in pairwise(bounds) if size < pair[1])
    return f"{least:g} and more {unit}" if most == math.inf else f"{least:g} to {most:g} {unit}"


def _timed(work: Callable[..., T], *given: Any, **named: Any) -> tuple[T, float]:
    """What comes of it, and its milliseconds of CPU time."""
    begun = time.process_time()
    result = work(*given, **named)
    return result, 1000 * (time.process_time() - begun)


def tags(number: int) -> Iterator[Seen]:
    """A sheet full of tags, each on a coloured ground, at a size by chance."""
    sheet = tag_sheet(number)
    found, spent = _timed(find_tags, sheet.shot.picture)
    seen = list(found)
    yield Seen("a sheet", "read", spent)
    for tag, quad in sheet.tags:
        cell = min(math.dist(quad[i], quad[(i + 1) % 4]) for i in range(4)) / CELLS
        near = [one for one in seen if math.dist(one.centre, quad.mean(axis=0)) < 4 * cell]
        seen = [one for one in seen if one not in near]
        wrong = any(one.number != tag for one in near)
        yield Seen(_between(TAG_SIZES, cell, "px a cell"), "wrong" if wrong else "right" if near else "unseen")
    yield from (Seen("a sheet", "ghost") for one in seen if one.number not in sheet.numbers)


def maps(number: int) -> Iterator[Seen]:
    """Figures on a combat map, or every fifth time on a region map: does each stand where it stands?"""
    return _figures_on(number, "region" if number % 5 == 4 else "combat")


def rings(number: int) -> Iterator[Seen]:
    """Heroes and foes on the ring mat: does each stand in its ring?"""
    return _figures_on(number, "rings")


def _figures_on(number: int, kind: str) -> Iterator[Seen]:
    if kind == "rings":
        played, sheet, whose = ring_board(number), MAT_SHEET, ring_of
    elif kind == "region":
        played = region_board(number)
        ground = region_map(played.map)
        sheet, whose = region_sheet(ground), lambda at: region_of(ground, at)
    else:
        played = combat_board(number)
        plan = combat_map(played.map)
        sheet, whose = combat_sheet(plan), lambda at: square_of(plan, at)

    tags_seen, spent = _timed(find_tags, played.shot.picture)
    found = find_sheet(tags_seen, sheet, played.shot.picture.shape)
    of_figures = [tag for tag in tags_seen if 1 <= tag.number <= MOST_FIGURES]
    seen = () if isinstance(found, str) else figures_on(found, of_figures, FIGURE_PRINTS)
    read = "unseen" if isinstance(found, str) else "read"
    yield Seen("maps with a hand over a corner" if played.hand else "maps", read, spent)
    for put in played.figures:
        mine = [one for one in seen if one.number == put.figure.number]
        told = standing(put.figure.called, mine, put.field, whose)
        right = "right" if told.seen == put.field else "wrong"
        row = _sight(played.tilt, put.sight, put.pixels_per_cell)
        row = "fewer than two corners of the map in sight" if played.corners < 2 else row
        yield Seen(row, "asked" if told.doubt else right if told.seen else "unseen")
    there = {put.figure.number for put in played.figures}
    yield from (Seen("maps", "ghost") for one in seen if one.number not in there)


def tapestry(number: int) -> Iterator[Seen]:
    """A tapestry of one to six cards, and a card laid over it: is it put where it lies?"""
    laid = tapestry_board(number)
    found, spent = _timed(find_tags, laid.shot.picture)
    seen = read_tapestry(found, TAPESTRY_TAGS)
    mine = next((one for one in seen.cards if one.card.number == laid.new.card), None)
    result = "unseen"
    if mine is not None:
        placed, _ = placed_beside(mine, seen.cards, laid.book)
        result = "asked" if mine.doubt or placed is None else "right" if placed == laid.new else "wrong"
    yield Seen(_sight(laid.tilt, laid.sight, laid.pixels_per_cell), result, spent)
    yield from (Seen("tapestries", "ghost") for one in seen.cards if one.card.number not in laid.cards)


def counters(number: int) -> Iterator[Seen]:
    """Counters on a region map or a tapestry, among other round things: which is where?"""
    board = counters_board(number)
    picture = board.shot.picture
    look = TableLook.at(picture)
    if board.map:
        there = find_sheet(look.tags, region_sheet(region_map(board.map)), picture.shape)
        sheet = None if isinstance(there, str) else there
        seen, spent = _timed(counters_on_sheet, sheet, look, COUNTERS) if sheet else ((), 0.0)
        places = {id(one): one.place for one in board.counters}
    else:
        tapestry_seen = read_tapestry(look.tags, TAPESTRY_TAGS)
        seen, spent = _timed(counters_on_grid, tapestry_seen, look, COUNTERS)
        sheet = tapestry_seen.homography
        back = inverse(sheet) if sheet is not None else np.eye(3)
        places = {id(one): tuple(mapped(back, one.middle[None])[0]) for one in board.counters}
    where = "maps" if board.map else "tapestries"
    yield Seen(where, "read" if sheet is not None else "unseen", spent)
    left = list(seen)
    for true in board.counters:
        mine = min(left, key=lambda one: math.dist(one.place, places[id(true)]), default=None)
        result = "unseen"
        if mine is not None and math.dist(mine.place, places[id(true)]) < 6:
            left.remove(mine)
            right = (mine.figure, mine.kind) == (true.figure, true.kind)
            result = "asked" if mine.doubt else "right" if right else "wrong"
        size = "hidden" if true.sight < WHOLE else _between(COUNTER_SIZES, true.pixels, "px a mm")
        yield Seen(f"{where}: {size}", result)
    yield from (Seen(where, "asked for nothing" if one.doubt else "ghost") for one in left)


def _sight(tilt: float, sight: float, pixels: float) -> str:
    if sight < WHOLE:
        return "hidden by others, or by a hand"
    if pixels < ENOUGH_PIXELS_PER_CELL:
        return f"under {ENOUGH_PIXELS_PER_CELL:g} px a cell"
    return f"in sight, {_between(TILTS, tilt, 'degrees')}"


def cards(number: int) -> Iterator[Seen]:
    """One card: its code at some size, in a picture with some fault."""
    size, fault, camera_as = CODES[number % len(CODES)]
    frame = one_code(number, size, dpi=200, **camera_as)
    for look, quick in (("first look", True), ("every pass", False)):
        yield from _cards_in(f"{size:g} px a module, {fault}, {look}", frame, quick=quick)


def small_frames(number: int) -> Iterator[Seen]:
    """One or two cards in a small frame, good or bad: is ever one taken for another?"""
    return _cards_in("small frames", anything(number))


def nine(number: int) -> Iterator[Seen]:
    """Nine cards in one frame of 1920 x 1080, beside one plain call of zxing-cpp."""
    frame = nine_cards(number, 2.5 + 0.5 * (number % 2))
    grey = np.ascontiguousarray(cv2.cvtColor(frame.picture, cv2.COLOR_BGR2GRAY))
    plain, spent = _timed(zxingcpp.read_barcodes, grey)
    yield Seen("one plain call of zxing-cpp", f"{len(plain)} read", spent)
    yield from _cards_in("first look", frame, quick=True)
    yield from _cards_in("until nine are read", frame, expected=9)
    yield from _cards_in("every pass", frame)


def _cards_in(row: str, frame: Frame, **how: Any) -> Iterator[Seen]:
    scan, milliseconds = _timed(scan_cards, frame.picture, **how)
    spent: float | None = milliseconds

    def at(card: SeenCard, quad: Any) -> bool:
        return math.dist(card.centre, quad_centre(quad)) < 0.5 * quad_side(quad)

    for code in whole_codes(frame):
        read = any(card.card == code.card and at(card, code.quad) for card in scan.cards)
        yield Seen(row, "read" if read else "unread", spent)
        spent = None  # It is said once of a picture.
    for card in scan.cards:
        if not any(card.card == code.card and at(card, code.quad) for code in frame.codes):
            yield Seen(row, "wrong")


def faults(number: int) -> Iterator[Seen]:
    """Three cards in a picture with one fault: which advice is given?"""
    fault = list(FAULTS)[number % len(FAULTS)]
    picture = three_cards(number, fault)
    said = advice(picture, scan_cards(picture))
    named = [name for name, words in SAID.items() if any(line.startswith(words) for line in said)]
    yield from (Seen(fault, name) for name in named or ["nothing"])


def hard(number: int) -> Iterator[Seen]:
    """The pictures that take the scanner longest, one after another."""
    for name, picture in islice(nasties(), number, number + 1):
        for look, quick in (("first look", True), ("every pass", False)):
            scan, spent = _timed(scan_cards, picture, quick=quick)
            height, width = picture.shape[:2]
            yield Seen(f"{name}, {width} x {height}, {look}", f"{len(scan.cards)} read", spent)


def trays(number: int) -> Iterator[Seen]:
    """A tray of our printed dice or coins, once on the dice mat and once on an open table."""
    for mat, place in ((True, "on the mat"), (False, "on an open table")):
        tray = make_tray(number, mat=mat)
        asked = len(tray.lying), tray.lying[0].mark.die
        seen, spent = _timed(search_rings, tray.picture, asked[0])
        reading = resolve_tray(seen, asked)
        accepted = reading.verdict is Verdict.ACCEPTED
        right = sorted(map(str, reading.faces)) == sorted(str(thing.mark.face) for thing in tray.lying)
        yield Seen(f"{place}: trays", "asked" if not accepted else "right" if right else "wrong", spent)
        free = list(seen.dice)
        for thing in tray.lying:
            near = [die for die in free if math.dist(die.centre, thing.centre) < 0.4 * thing.pixels]
            result = "unseen"
            if near:
                die = min(near, key=lambda die, at=thing.centre: math.dist(die.centre, at))  # type: ignore[misc]
                free.remove(die)
                same = die.legible and die.face == thing.mark.face and die.die is thing.mark.die
                result = "asked" if die.doubt else "right" if same else "wrong"
            yield Seen(f"{place}: faces of {_between(FACE_SIZES, thing.pixels, 'px')}", result)
        yield from (Seen(f"{place}: trays", "ghost") for die in free if not die.doubt)


def flat(number: int) -> Iterator[Seen]:
    """Buttons, cards, tiles, dominoes and other things, with no die among them: what is taken for dice?"""
    name, count, picture = make_picture(number)
    for mode, expect in (("unasked", None), ("asked for d6", (count, Die.D6))):
        verdict = read_dice(picture, expect).verdict.value
        yield from (Seen(row, verdict) for row in (f"{mode}, all", f"{mode}, {name}"))


def wide(number: int) -> Iterator[Seen]:
    """Evenings of rolls in a tray under a wide camera, which may have seen cards before: what becomes of dice by
    the elevation at which they are seen, and by where the nadir lies from them in the picture?"""
    camera = camera_over_tray(number)
    corners = np.array([[0.25, 0.25], [0.75, 0.3], [0.3, 0.75]]) * camera.frame
    cards = pose_by_prints(squares_seen(camera, camera.place(corners).tolist()), camera.frame)
    evening = Evening(cards)
    for roll in range(EVENING):
        shot = roll_in_tray(camera, 1000 * number + roll, 1 + (3 * roll + number) % 5)
        lying = [(die.value, die.top.mean(axis=0)) for die in shot.truth.dice]
        for mode, believed in evening.read(shot.picture, lying):
            yield Seen(f"{mode}: pictures", believed[0])
            for die, result in zip(shot.truth.dice, believed[1:], strict=True):
                elevation, turn = elevation_and_turn(camera, die.placed)
                low = 10 * int(elevation // 10)
                nadir = "below" if abs(turn) < 45 else "above" if abs(turn) > 135 else "beside"
                yield Seen(f"{mode}: {low} to {low + 10} degrees, nadir {nadir}", result)


def cameras(number: int) -> Iterator[Seen]:
    """Evenings of d6 before any camera (``drawn_evenings``): what becomes of pictures, by camera and lens?"""
    drawn, evening = drawn_evening(number), Evening(None)
    for roll in drawn.rolls:
        lying = [(die.value or 0, np.array(die.top)) for die in roll.dice]
        for mode, (result, *_) in evening.read(roll.picture, lying):
            yield Seen(f"{mode}: all", result)
            yield Seen(f"{mode}: from {15 * int(min(drawn.elevation, 89) // 15)} degrees", result)
            if drawn.lens >= WIDE_LENS:
                yield Seen(f"{mode}: lens of {WIDE_LENS} degrees and more", result)
            if len(lying) > 1 and 20 <= drawn.elevation <= 40:
                yield Seen(f"{mode}: two dice and more from 20 to 40 degrees", result)


class Evening:
    """Rolls of d6 before one camera that is not moved: each read alone, with those before it, and after prints."""

    def __init__(self, prints: CameraPose | None) -> None:
        self.known = {"alone": None, "in an evening": None} | ({"after cards": prints} if prints else {})

    def read(
        self, picture: BgrImage, lying: Sequence[tuple[int, Float64Array]]
    ) -> Iterator[tuple[str, list[str]]]:
        """What became of a picture, and of each of its dice (value, and the middle of its top), in each way."""
        for mode, earlier in self.known.items():
            tray = read_dice(picture, (len(lying), Die.D6), camera=earlier)
            right = sorted(map(str, tray.faces)) == sorted(str(value) for value, _ in lying)
            results = [_trusted(right, tray.verdict is Verdict.ACCEPTED)]
            for value, (x, y) in lying:
                at = (one for one in tray.dice if one.box[0] < x < one.box[2] and one.box[1] < y < one.box[3])
                read = min(at, key=lambda one: math.dist(one.centre, (x, y)), default=None)
                results.append(
                    _trusted(read is not None and read.face == value, read is not None and not read.doubt)
                )
            yield mode, results
            if mode == "in an evening":
                self.known[mode] = tray.camera or earlier


def dice_parts(number: int) -> Iterator[Seen]:
    """Dice read with every part of the reader, and without each: which part brings anything?"""
    yield from (Seen(row, result) for row, result in parts_of_reading(number))


def _trusted(right: bool, believed: bool) -> str:
    return ("believed" if right else "wrong") if believed else "asked, right" if right else "asked"


class Part(NamedTuple):
    """One kind of pictures."""

    measure: Callable[[int], Iterable[Seen]]
    first: int
    """The first picture that nobody has looked at while the reader was made."""


PARTS = {
    "tags": Part(tags, 30_000),
    "maps": Part(maps, 30_000),
    "rings": Part(rings, 30_000),
    "tapestry": Part(tapestry, 30_000),
    "counters": Part(counters, 30_000),
    "cards": Part(cards, 100_000),
    "small-frames": Part(small_frames, 100_000),
    "nine": Part(nine, 100_000),
    "faults": Part(faults, 110),
    "hard": Part(hard, 0),
    "trays": Part(trays, 5000),
    "flat": Part(flat, 10_000),
    "wide": Part(wide, 100),
    "cameras": Part(cameras, 1000),
    "dice-parts": Part(dice_parts, 9_800_000),
}


class Measured(msgspec.Struct, frozen=True):
    """One picture, as it is kept."""

    number: int
    seen: tuple[Seen, ...]


def measured(part: str, number: int) -> Measured:
    """Make a picture and measure it."""
    cv2.setNumThreads(1)
    return Measured(number, tuple(PARTS[part].measure(number)))


def kept_in(path: Path | None) -> dict[int, Measured]:
    """The pictures that a file holds already; a half-written last line is left out."""
    every = {}
    for line in path.read_bytes().splitlines() if path is not None and path.exists() else []:
        try:
            one = msgspec.json.decode(line, type=Measured)
        except msgspec.DecodeError:
            continue
        every[one.number] = one
    return every


def table(every: Iterable[Measured]) -> Iterator[str]:
    """The figures as lines of Markdown: how often what became of the things of each row, and the CPU time."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    spent: dict[str, list[float]] = defaultdict(list)
    for one in (one for picture in every for one in picture.seen):
        counts[one.row][one.result] += 1
        if one.milliseconds is not None:
            spent[one.row].append(one.milliseconds)
    results = sorted({result for row in counts.values() for result in row})
    yield f"| | how many | {' | '.join(results)} | CPU ms, median and most |"
    yield "| --- |" + " --- |" * (len(results) + 2)
    for row in sorted(counts, key=_natural):
        whole = counts[row].total() - counts[row]["ghost"]
        cells = [_share(counts[row][result], whole) for result in results]
        times = f"{np.median(spent[row]):.1f}, {max(spent[row]):.1f}" if spent[row] else ""
        yield f"| {row} | {whole:,} | {' | '.join(cells)} | {times} |"


def _natural(row: str) -> list[tuple[bool, float, str]]:
    """What rows are sorted by: numbers in them by their size."""
    return [(part[0].isdigit(), float(part) if part[0].isdigit() else 0.0, part)
            for part in re.findall(r"\d+(?:\.\d+)?|[^\d]+", row)]  # fmt: skip


def _share(count: int, whole: int) -> str:
    return f"{count:,} ({100 * count / max(whole, 1):.2f} %)" if count else ""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--count", type=int, default=400, help="how many pictures")
    parser.add_argument("--first", type=int, help="the first picture's number")
    parser.add_argument("--keep", type=Path, help="file with one line for each picture")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    first = PARTS[given.part].first if given.first is None else given.first
    every = kept_in(given.keep)
    waiting = [number for number in range(first, first + given.count) if number not in every]
    with ProcessPoolExecutor(given.workers) as pool:
        for one in pool.map(measured, [given.part] * len(waiting), waiting):
            every[one.number] = one
            if given.keep is not None:
                with given.keep.open("ab") as file:
                    file.write(msgspec.json.encode(one) + b"\n")
    print("\n".join(table(every.values())))


if __name__ == "__main__":
    main()
