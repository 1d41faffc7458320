"""The reader of our own printed dice and coins: a picture in, a tray reading out.

Every ring is found, its word is read and its symbol is looked at; only where both say the same is a side believed.
Sides that stand upright are told from tops. What any of these steps doubts is asked about; nothing is guessed.
Numbers here are set by hand, on trays below 3,150 of ``benchmarks.printed_scenes``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from loomtable.engine.kernel.dice import Die
from loomtable.vision.arrays import Float64Array, GrayImage
from loomtable.vision.pictures import BgrImage, check_picture, to_gray
from loomtable.vision.pool import Expect, Pool
from loomtable.vision.printed.dense_search import search_like
from loomtable.vision.printed.ground import is_bare_table
from loomtable.vision.printed.mat import SeenMat, find_mat
from loomtable.vision.printed.ring_poses import HALF_EDGE, RingDetection, RingPoses, assign_poses, sides_below
from loomtable.vision.printed.rings import CLOSER_PASSES, ONE_RING, Ring, find_rings, refine_ring_near
from loomtable.vision.printed.symbols import SymbolMatch, match_symbol
from loomtable.vision.printed.views import View, likely_views, scaled_to_area
from loomtable.vision.printed.words import ReadWord, band_of, read_word
from loomtable.vision.tray import SeenDie, TrayReading, assess_tray, reading_order
from loomtable.vision.verdict import Verdict

PRINTED = (Die.WEAVE, Die.COIN)
"""What is read here."""
SURE, LIKELY, UNLIKELY = 0.999, 0.97, 0.5
"""Confidence where both cues agree, where one of them is weak, and where they differ."""

_LEAST_CORRELATION, _LEAST_MARGIN = 0.72, 0.09
"""Of a word that stands by itself: with the band, and over the next face's."""
_LEAST_READ = 0.5
"""Correlation of a word from which the symbol is looked at."""
_FAINT_CORRELATION, _FAINT_MARGIN = 0.62, 0.04
"""Of a word without a bit error that a clear symbol confirms."""
_CLEAR_SYMBOL_CORRELATION, _CLEAR_SYMBOL_MARGIN = 0.8, 0.08
"""Of a symbol that confirms a faint word."""
_FLAWLESS_CORRELATION, _FLAWLESS_MARGIN = 0.8, 0.15
"""Of a word without a bit error that confirms a small symbol."""
_CONFIRMED_SYMBOL = 0.75
"""Correlation of a symbol that a flawless word confirms."""
_CONTRADICTION = 0.02
"""Margin of a symbol from which it contradicts a word."""
_PROBE_REACH = 0.4
"""Radii within which a probed ring must lie of its place."""
_ROUND_MAT = 30.0
"""Millimetres round a mat that are looked at closer."""
_LEAST_CLOSED = 0.85
"""Share of a rim that must be seen: a side with a seventh of its rim worn away has 0.83 and is asked about."""
_LEAST_SYMBOL_CORRELATION, _LEAST_SYMBOL_MARGIN = 0.6, 0.05
"""Of a symbol that stands by itself."""
_BESIDE = 12.0
"""Millimetres by which a thing's middle may lie beside the mat."""
_HEIGHT_MM = {Die.WEAVE: 17.0, Die.COIN: 1.0}
"""How high over the table the side lies that is up; stickers are on dice of 16 mm, paper dice have 18. As made."""
_RADII_MM = {Die.WEAVE: (4.8, 9.8), Die.COIN: (8.6, 11.8)}
"""Outer radius of the rings that we print; wider, since height over the mat makes things look larger. As made."""


@dataclass(frozen=True)
class RingSearch:
    """Everything that was seen in a picture, before it is held against what was asked for."""

    detections: tuple[RingDetection, ...]
    mat: SeenMat | None
    view: View | None
    standing: RingPoses
    dice: tuple[SeenDie, ...]
    """What lies there, in reading order; those that are doubtful say so."""

    @property
    def shows_ours(self) -> bool:
        """Whether anything that we print surely lies there: pips, corners and watermarks may look like a ring or
        like a symbol, but not like both of one side."""
        return any(_is_legible(detection) for detection in self.detections)


def read_printed(picture: BgrImage, expect: Expect = None) -> TrayReading:
    """Read the Weave dice and coin tokens that we print.

    Args:
        picture: (height, width, 3) blue green red, 8 bits.
        expect: how many of which were asked for; kind and count are held against it.

    Raises:
        PictureUnreadable: it is no picture.
    """
    check_picture(picture)
    pool = Pool.of(expect)
    strange = [die for die in pool.dice if die not in PRINTED] if pool else []
    if pool and strange:
        reason = f"this reader reads Weave dice and coin tokens only, and {strange[0].plural} were asked for"
        return TrayReading(Verdict.REJECTED, reason, (), pool)
    return resolve_tray(search_rings(picture, pool.total if pool else None), pool)


def resolve_tray(search: RingSearch, expect: Expect) -> TrayReading:
    """The verdict on what was seen, where so many were asked for, or nobody said how many.

    Coins that lie about while Weave dice are asked for do not count, nor Weave dice while a coin is. Where nobody
    asked, what cannot be read is no die of ours, unless one that can be read lies beside it.
    """
    pool = Pool.of(expect)
    if pool is None:
        return assess_tray(search.dice if search.shows_ours else (), None)
    asked = tuple(die for die in search.dice if die.die in pool.dice)
    if not asked and search.dice:
        lying = Pool.lying(die.die for die in search.dice)
        there = "is" if lying.total == 1 else "are"
        were = "was" if pool.total == 1 else "were"
        reason = f"{lying.words} {there} there; {pool.words} {were} asked for"
        return TrayReading(Verdict.REJECTED, reason, (), pool)
    return assess_tray(asked, pool)


def search_rings(picture: BgrImage, wanted: int | None = None) -> RingSearch:
    """Find every side of a Weave die and of a coin, and tell which lie up.

    Where fewer than ``wanted`` are sure at the first look (or nobody said how many), a second one is closer; where
    some are missing still, every place is tried at which one of this size could lie.
    """
    channels = _Channels.on(picture)
    mat = find_mat(channels.grey)
    rings = find_rings(channels.inked)
    search = _interpret(channels, rings, mat)
    if wanted is None or sum(not die.doubt for die in search.dice) < wanted:
        search = _interpret(channels, _closer_rings(channels.inked, rings, mat), mat)
    missing = 0 if wanted is None else wanted - sum(die.legible for die in search.dice)
    if missing > 0:
        more = _search_missing(channels, search, missing)
        if more:
            search = _interpret(channels, [*(detection.ring for detection in search.detections), *more], mat)
    return search


def _search_missing(channels: _Channels, search: RingSearch, missing: int) -> list[Ring]:
    """The rings of a third look, so many at most; only those that both cues read alike."""
    if search.view is None:
        return []
    tops = [search.detections[at].ring for at in search.standing.tops]
    known = [detection.ring for detection in search.detections if detection.read]
    return search_like(
        channels.inked, search.view, tops, known, lambda ring: _read_alike(channels.read_ring(ring)), missing
    )


def _read_alike(detection: RingDetection) -> bool:
    if detection.word is None or detection.ring.closed < _LEAST_CLOSED:
        return False
    return _word_is_clear(detection.word) and _is_legible(detection)


def _closer_rings(inked: GrayImage, rings: Sequence[Ring], mat: SeenMat | None) -> list[Ring]:
    """The rings of a second look; where a mat is seen, only on it and a little round it."""
    if mat is None:
        return find_rings(inked, CLOSER_PASSES, rings)
    wide, high, room = mat.mat.width, mat.mat.height, _ROUND_MAT
    edges = mat.pixels(
        np.array([[-room, -room], [wide + room, -room], [wide + room, high + room], [-room, high + room]])
    )
    low = np.maximum(np.floor(edges.min(axis=0)), 0).astype(int)
    high_x, high_y = np.minimum(np.ceil(edges.max(axis=0)), inked.shape[::-1]).astype(int)
    part = np.ascontiguousarray(inked[low[1] : high_y, low[0] : high_x])
    shifted = [replace(ring, centre=ring.centre - low) for ring in rings]
    return [replace(ring, centre=ring.centre + low) for ring in find_rings(part, CLOSER_PASSES, shifted)]


@dataclass(frozen=True)
class _Channels:
    """A picture and the two greys in which it is looked at."""

    inked: GrayImage
    """The darkest of the three channels: whatever the ink's colour, one of them shows it dark."""
    grey: GrayImage
    picture: BgrImage

    @staticmethod
    def on(picture: BgrImage) -> _Channels:
        return _Channels(np.ascontiguousarray(picture.min(axis=2)), to_gray(picture), picture)

    def read_ring(self, ring: Ring) -> RingDetection:
        word = read_word(band_of(self.inked, ring))
        plain = word is None or word.correlation < _LEAST_READ
        return RingDetection(
            ring, word, None if plain or word is None else match_symbol(self.grey, ring, word.rotation)
        )


def _interpret(channels: _Channels, rings: Sequence[Ring], mat: SeenMat | None) -> RingSearch:
    size = channels.grey.shape
    detections = [channels.read_ring(ring) for ring in rings]
    view, standing = _best_view(size, detections, mat)
    if view is not None:
        more = _probe(channels, detections, standing, view)
        if more:
            detections += more
            standing = assign_poses(detections, view, guessed=mat is None)
    unclear = {
        at
        for at, over in standing.unclear.items()
        if not is_bare_table(channels.picture, detections[at].ring, over)
    }
    dice = [_top_die(detections[at], size, mat, at in unclear) for at in standing.tops]
    dice += [_leaning(detections[at]) for at in standing.leaning]
    dice += _topless(detections, standing)
    return RingSearch(tuple(detections), mat, view, standing, reading_order(dice))


def _probe(
    channels: _Channels, detections: Sequence[RingDetection], standing: RingPoses, view: View
) -> list[RingDetection]:
    """Rings that were missed where others say that they must be: tops over sides, sides under tops."""
    places = [
        (over, scaled_to_area(detections[at].ring, view.level_frame(over)), detections[at].ring.radius)
        for at, over in standing.orphans.items()
    ]
    for at in standing.unclear:
        ring = detections[at].ring
        places += [(centre, frame, ring.radius) for centre, frame in sides_below(detections[at], view)]
    found: list[RingDetection] = []
    for centre, frame, radius in places:
        probed = refine_ring_near(channels.inked, centre, frame, _PROBE_REACH * radius)
        if probed is None:
            continue
        others = [detection.ring for detection in (*detections, *found)]
        if all(np.linalg.norm(probed.centre - other.centre) > ONE_RING * other.radius for other in others):
            found.append(channels.read_ring(probed))
    return found


def _best_view(
    size: tuple[int, ...], detections: Sequence[RingDetection], mat: SeenMat | None
) -> tuple[View | None, RingPoses]:
    """How the rings stand: in the view that the mat tells, else in the one that explains most of them."""
    if mat is not None:
        return mat.view, assign_poses(detections, mat.view)
    rings = [detection.ring for detection in detections if detection.read]
    if not rings:
        return None, RingPoses()
    tried = [(view, assign_poses(detections, view, guessed=True)) for view in likely_views(size, rings)]
    return max(tried, key=lambda detection: detection[1].explained)


def _top_die(detection: RingDetection, size: tuple[int, ...], mat: SeenMat | None, unclear: bool) -> SeenDie:
    """A thing whose top was read."""
    assert detection.word is not None and detection.symbol is not None
    mark, doubt = detection.word.mark, _doubt(detection, size, mat)
    if not doubt and unclear:
        doubt = "may be a side of a die whose top is not seen"
    agree = detection.symbol.face == mark.face
    confidence = SURE if not doubt else LIKELY if agree else UNLIKELY
    return _die(detection.ring, detection.word, confidence, doubt)


def _doubt(detection: RingDetection, size: tuple[int, ...], mat: SeenMat | None) -> str:
    """Why a side is not sure, as the end of a sentence; empty where it is."""
    assert detection.word is not None and detection.symbol is not None
    ring, word, symbol = detection.ring, detection.word, detection.symbol
    if not ring.inside(size):
        return "is partly outside the picture"
    if symbol.face != word.mark.face and symbol.margin > _CONTRADICTION:
        return "has a code and a symbol that do not agree"
    if ring.closed < _LEAST_CLOSED:
        return "is partly hidden, or lost in a gleam"
    if not (_word_is_clear(word) or _word_confirmed(word, symbol)):
        return "has a code that is hard to read"
    if symbol.face != word.mark.face or not (_symbol_is_clear(symbol) or _symbol_confirmed(symbol, word)):
        return "has a symbol that is hard to make out"
    if mat is not None:
        if not mat.holds(ring.centre, _BESIDE, _HEIGHT_MM[word.mark.die]):
            return "is beside the mat"
        least, most = _RADII_MM[word.mark.die]
        if not least < (ring.radius * ring.aspect_ratio**0.5) / mat.scale(ring.centre) < most:
            return "is not the size that we print"
    return ""


def _is_legible(detection: RingDetection) -> bool:
    """Whether code and symbol can be read, and say the same."""
    word, symbol = detection.word, detection.symbol
    if word is None or symbol is None or symbol.face != word.mark.face:
        return False
    return _word_is_clear(word) or _word_confirmed(word, symbol)


def _word_is_clear(word: ReadWord) -> bool:
    """Whether a word stands by itself."""
    return word.bit_errors <= 1 and word.correlation >= _LEAST_CORRELATION and word.margin >= _LEAST_MARGIN


def _word_confirmed(word: ReadWord, symbol: SymbolMatch) -> bool:
    """Whether a word that is whole but faint is borne out by a symbol that is clear."""
    whole = word.bit_errors == 0 and word.correlation >= _FAINT_CORRELATION and word.margin >= _FAINT_MARGIN
    clear = symbol.correlation >= _CLEAR_SYMBOL_CORRELATION and symbol.margin >= _CLEAR_SYMBOL_MARGIN
    return whole and symbol.face == word.mark.face and clear


def _symbol_is_clear(symbol: SymbolMatch) -> bool:
    """Whether a symbol stands by itself."""
    return symbol.correlation >= _LEAST_SYMBOL_CORRELATION and symbol.margin >= _LEAST_SYMBOL_MARGIN


def _symbol_confirmed(symbol: SymbolMatch, word: ReadWord) -> bool:
    """Whether a symbol that is small but like none better is backed by a word without any blemish."""
    whole = word.bit_errors == 0 and word.correlation >= _FLAWLESS_CORRELATION and word.margin >= _FLAWLESS_MARGIN
    return whole and symbol.correlation >= _CONFIRMED_SYMBOL


def _leaning(detection: RingDetection) -> SeenDie:
    assert detection.word is not None
    return _die(detection.ring, detection.word, UNLIKELY, "leans, or is on top of something")


def _topless(detections: Sequence[RingDetection], standing: RingPoses) -> list[SeenDie]:
    """One doubtful die for each place where sides are seen and a top is not."""
    found: list[tuple[Float64Array, SeenDie]] = []
    for at, over in standing.orphans.items():
        detection = detections[at]
        assert detection.word is not None
        if any(np.linalg.norm(over - other) < detection.ring.radius for other, _ in found):
            continue
        x, y = over
        reach = detection.ring.radius * HALF_EDGE
        box = float(x - reach), float(y - reach), float(x + reach), float(y + reach)
        doubt = "shows a side, and its top cannot be read"
        found.append(
            (
                over,
                SeenDie(detection.word.mark.die, detection.word.mark.face, box, 0.0, doubt=doubt, legible=False),
            )
        )
    return [die for _, die in found]


def _die(ring: Ring, word: ReadWord, confidence: float, doubt: str) -> SeenDie:
    corners = ring.points(_outline(word))
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    polygon = tuple((float(x), float(y)) for x, y in corners)
    box = float(x0), float(y0), float(x1), float(y1)
    return SeenDie(word.mark.die, word.mark.face, box, confidence, polygon, doubt)


def _outline(word: ReadWord) -> Float64Array:
    """Round a thing's side in ring units: a square about its head, or a coin's edge."""
    if word.mark.die is Die.COIN:
        angle = np.arange(24) * math.pi / 12
        return np.asarray(1.25 * np.column_stack([np.cos(angle), np.sin(angle)]))
    cos, sin = math.cos(word.rotation), math.sin(word.rotation)
    square = HALF_EDGE * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    return np.asarray(square @ np.array([[cos, -sin], [sin, cos]]).T)
