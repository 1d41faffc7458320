"""Round counters with a ring of marks, on a map or on a grid of cards: which, and where.

The picture is first laid flat by the tags of what the counters lie on, so that every counter is a circle of known
size. Circles with a dark rim are looked for there; then the ring within is held against every word in every turn.
Numbers here are set by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import cv2
import numpy as np

from loomtable.engine.kernel.counter_codes import PLACES, dark_places
from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.board.maps import SeenSheet
from loomtable.vision.board.tapestry import SeenTapestry
from loomtable.vision.printed.plane import inverse, mapped
from loomtable.vision.quads import Point
from loomtable.vision.table_looks import TableLook

SCALE = 4.0
"""Pixels a millimetre of the picture laid flat."""
_HEIGHT = 1.0
"""Of a counter above the map, mm: card, and what it is glued to. As made."""
_NODE = 16
"""Pixels between the places at which the way into the picture is worked out, even between them. Bound by time."""
_LEAST_CIRCLE, _MOST_CIRCLES = 0.35, 200
"""Correlation with a rim from which a circle is looked at; and how many are."""
_PHASES = 5
"""Samples of each place of a ring."""
_SURE, _CLEAR, _MOST_ERRORS, _CLOSED = 0.82, 0.2, 1, 0.92
"""Correlation with the word, its lead over any other, misread marks, and the share of the rim that is dark."""
_LIKELY, _NEARLY_CLOSED = 0.78, 0.8
"""Correlation and dark share from which it is a counter at all, and people are asked which."""
_LEAST_CONTRAST = 25.0
"""Grey levels between dark and light."""
Area = tuple[float, float, float, float]
"""Left, top, right, foot, mm."""


@dataclass(frozen=True)
class CounterPrint:
    """How counters are printed: radii in mm, and what each word says."""

    rim: float
    rim_inside: float
    ring: float
    """Of the middles of the marks."""
    words: Mapping[tuple[int, str], int]
    """The word of each side, by the figure of the player and the kind of side."""

    @cached_property
    def patterns(self) -> Float64Array:
        """Every word in every turn (words, turns, places), dark high; each sums to 0 and has length 1."""
        dark = np.array([dark_places(word) for word in self.words.values()], float)
        turned = np.stack([np.roll(dark, by, axis=1) for by in range(PLACES)], axis=1)
        level = turned - turned.mean(axis=2, keepdims=True)
        return np.asarray(level / np.linalg.norm(level, axis=2, keepdims=True))

    @cached_property
    def circle(self) -> tuple[Float32Array, Float32Array]:
        """What is the same on all counters, the rim and about it; and a mask of that."""
        half = math.ceil((self.rim + 0.5) * SCALE)
        y, x = np.mgrid[-half : half + 1, -half : half + 1] / SCALE
        away = np.hypot(x, y)
        level = np.where(away > self.rim, 1.0, np.where(away > self.rim_inside, 0.0, 0.7))
        level = cv2.GaussianBlur(level.astype(np.float32), (0, 0), 0.6)
        mask = ((away < self.rim + 0.4) & (away > self.ring + 0.7)).astype(np.float32)
        return np.asarray(level, np.float32), mask


@dataclass(frozen=True)
class SeenCounter:
    """A counter where it lies."""

    figure: int
    """The number of its player's figure."""
    kind: str
    place: Point
    """Its middle on the map or the grid, mm."""
    rotation: float
    """How far it is turned clockwise, degrees."""
    score: float
    """Correlation of its ring with the word, up to 1."""
    doubt: str = ""
    """Why it is not sure, as the end of a sentence; empty where it is."""


def counters_on_sheet(sheet: SeenSheet, look: TableLook, printed: CounterPrint) -> tuple[SeenCounter, ...]:
    """The counters on a map, from top to bottom; places are mm on the map."""
    whole = (0.0, 0.0, sheet.sheet.width, sheet.sheet.height)
    pixels = partial(sheet.pixels, height=_HEIGHT)
    return _counters(look, sheet.sheet.component, sheet.places, pixels, whole, printed)


def counters_on_grid(tapestry: SeenTapestry, look: TableLook, printed: CounterPrint) -> tuple[SeenCounter, ...]:
    """The counters on a tapestry, from top to bottom; places are mm on its grid. None without a sure card."""
    grid = tapestry.homography
    if grid is None or all(card.doubt for card in tapestry.cards):
        return ()
    corners = mapped(inverse(grid), np.array([card.outline for card in tapestry.cards]).reshape(-1, 2))
    low, far = corners.min(axis=0), corners.max(axis=0)
    if (far - low).max() > 2000:  # the tags were not of one plane
        return ()
    cards = tuple((card.card, card.column, card.row, card.turns) for card in tapestry.cards)
    whole = (float(low[0]), float(low[1]), float(far[0]), float(far[1]))
    return _counters(look, cards, partial(mapped, inverse(grid)), partial(mapped, grid), whole, printed)


def _counters(
    look: TableLook,
    what: Hashable,
    places: Callable[[Float64Array], Float64Array],
    pixels: Callable[[Float64Array], Float64Array],
    whole: Area,
    printed: CounterPrint,
) -> tuple[SeenCounter, ...]:
    """The counters on what was looked at before, read anew where the picture has changed.

    Args:
        what: that they lie on; its places stay the same from look to look.
        places: millimetres (N, 2) on it under pixels (N, 2).
        pixels: the way back, to counters that lie on it.
        whole: all of it, mm.
    """
    if what in look.kept:
        return tuple(look.kept[what])
    lying: list[SeenCounter] = look.before.get(what, [])
    areas = [whole]
    if what in look.before:
        corners = [[(x, y), (right, y), (right, foot), (x, foot)] for x, y, right, foot in look.changed]
        areas = [_area(places(np.array(quad, np.float64)), whole, printed) for quad in corners]
    grey = np.asarray(cv2.cvtColor(look.picture, cv2.COLOR_BGR2GRAY), np.float32)
    for area in areas:
        inner = _inner(area, whole, printed)
        left, top, right, foot = area
        if left >= right or top >= foot:
            continue
        lying = [counter for counter in lying if not _inside(counter, inner)]
        lying += [
            counter
            for counter in counters_in(_flat(grey, pixels, area), printed, (left, top))
            if _inside(counter, inner)
        ]
    look.kept[what] = lying = sorted(lying, key=lambda counter: (counter.place[1], counter.place[0]))
    return tuple(lying)


def _area(corners: Float64Array, whole: Area, printed: CounterPrint) -> Area:
    """A part of the whole, mm, with room for counters that reach into it, and beyond it for their rims."""
    step, room = _NODE / SCALE, 2 * printed.rim + 2
    (x, y), (right, foot) = corners.min(axis=0) - room, corners.max(axis=0) + room
    left, top = (
        start + max(math.floor((at - start) / step), 0) * step for at, start in ((x, whole[0]), (y, whole[1]))
    )
    return left, top, min(float(right), whole[2]), min(float(foot), whole[3])


def _inner(area: Area, whole: Area, printed: CounterPrint) -> Area:
    """Where middles of counters are that an area shows whole."""
    room = printed.rim + 1
    left, top = (at - room if at <= start else at + room for at, start in zip(area[:2], whole[:2], strict=True))
    right, foot = (at + room if at >= end else at - room for at, end in zip(area[2:], whole[2:], strict=True))
    return left, top, right, foot


def _inside(counter: SeenCounter, area: Area) -> bool:
    return area[0] <= counter.place[0] < area[2] and area[1] <= counter.place[1] < area[3]


def _flat(grey: Float32Array, pixels: Callable[[Float64Array], Float64Array], area: Area) -> Float32Array:
    """An area of a grey picture laid flat, to whole nodes."""
    left, top, right, foot = area
    wide, high = (math.ceil(side * SCALE / _NODE) for side in (right - left, foot - top))
    x, y = np.meshgrid(*(((np.arange(count) + 0.5) * _NODE - 0.5) / SCALE for count in (wide, high)))
    nodes = pixels(np.column_stack([x.ravel() + left, y.ravel() + top])).reshape(high, wide, 2)
    way = cv2.resize(nodes.astype(np.float32), (wide * _NODE, high * _NODE), interpolation=cv2.INTER_LINEAR)
    seen = cv2.remap(grey, way[..., 0], way[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32)


def counters_in(flat: Float32Array, printed: CounterPrint, origin: Point = (0.0, 0.0)) -> tuple[SeenCounter, ...]:
    """The counters in a grey picture (height, width), ``SCALE`` pixels a mm, its corner at ``origin`` mm."""
    seen = [found for at in _circles(flat, printed) if (found := _read(flat, at, printed, origin)) is not None]
    kept: list[SeenCounter] = []
    for counter in sorted(seen, key=lambda counter: (bool(counter.doubt), -counter.score)):
        if all(math.dist(counter.place, other.place) > printed.rim for other in kept):
            kept.append(counter)
    return tuple(sorted(kept, key=lambda counter: (counter.place[1], counter.place[0])))


def _circles(flat: Float32Array, printed: CounterPrint) -> list[tuple[float, float]]:
    """The middles (x, y) px of what looks like a dark rim, the clearest first."""
    level, mask = printed.circle
    half = level.shape[0] // 2
    wider = cv2.copyMakeBorder(flat, half, half, half, half, cv2.BORDER_REPLICATE)
    alike = np.nan_to_num(cv2.matchTemplate(wider, level, cv2.TM_CCOEFF_NORMED, mask=mask), posinf=0, neginf=0)
    peaks = (alike >= _LEAST_CIRCLE) & (alike == cv2.dilate(alike, np.ones((9, 9), np.uint8)))
    rows, columns = np.nonzero(peaks & (alike <= 1.01))
    order = np.argsort(-alike[rows, columns])[:_MOST_CIRCLES]
    return [(float(columns[at]), float(rows[at])) for at in order]


_ANGLES = 2 * np.pi * (np.arange(PLACES * _PHASES) + 0.5) / (PLACES * _PHASES)
"""Clockwise from the head of the picture."""


def _sampled(flat: Float32Array, middles: Float64Array, radii: tuple[float, ...]) -> Float64Array:
    """Grey levels (middles, radii, angles) about middles (N, 2) px at radii in mm."""
    reach = np.array(radii)[:, None] * SCALE
    x = middles[:, 0, None, None] + reach * np.sin(_ANGLES)
    y = middles[:, 1, None, None] - reach * np.cos(_ANGLES)
    across, down = (value.reshape(len(middles), -1).astype(np.float32) for value in (x, y))
    level = cv2.remap(flat, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(level.reshape(len(middles), len(radii), -1), np.float64)


def _read(flat: Float32Array, at: tuple[float, float], printed: CounterPrint, origin: Point) -> SeenCounter | None:
    """What is written about a place; nothing where it is no counter."""
    middle, rim_radius = np.array(at), (printed.rim + printed.rim_inside) / 2
    for step in (1.0, 0.5):
        moves = np.array([(x, y) for x in range(-2, 3) for y in range(-2, 3)]) * step
        rims = _sampled(flat, middle + moves, (rim_radius,))
        middle = middle + moves[int(rims.mean(axis=(1, 2)).argmin())]
    inner = (printed.ring - 0.45, printed.ring, printed.ring + 0.4)
    [(rim, *rings)] = _sampled(flat, middle[None], (rim_radius, *inner))
    band = np.mean(rings, axis=0)
    dark, light = float(np.percentile(rim, 30)), float(np.percentile(band, 85))
    if light - dark < _LEAST_CONTRAST:
        return None
    closed = float((rim < (dark + light) / 2).mean())
    if closed < _NEARLY_CLOSED:
        return None
    # The middle of each place, without its ends, for as many starts as there are samples of one.
    starts = np.stack([np.roll(band, -phase).reshape(PLACES, _PHASES) for phase in range(_PHASES)])
    places = starts[..., 1:-1].mean(axis=2)
    inked = places.mean(axis=1, keepdims=True) - places
    inked /= np.maximum(np.linalg.norm(inked, axis=1, keepdims=True), 1e-9)
    alike = printed.patterns @ inked.T
    word, turns, phase = (int(at) for at in np.unravel_index(alike.argmax(), alike.shape))
    score = float(alike[word, turns, phase])
    second = float(np.delete(alike[..., phase], word, axis=0).max())
    errors = int(((inked[phase] > 0) != (printed.patterns[word, turns] > 0)).sum())
    if score < _LIKELY:
        return None
    figure, kind = list(printed.words)[word]
    sure = score >= _SURE and score - second >= _CLEAR and errors <= _MOST_ERRORS and closed >= _CLOSED
    x, y = ((float(value) + 0.5) / SCALE + start_ for value, start_ in zip(middle, origin, strict=True))
    rotation = 360 * (turns + (phase + _PHASES / 2) / _PHASES) / PLACES % 360
    return SeenCounter(figure, kind, (x, y), rotation, round(score, 3), "" if sure else "is not seen clearly")
