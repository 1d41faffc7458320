"""Finding the AprilTags that we print: which, where, how they are turned, and how surely each was read.

Dark quadrangles are looked for in the picture twice enlarged. What stands in one is read softly: the whole pattern
is held against those of our register (``loomtable.engine.kernel.tags``) and no others, its corners are moved until
it fits best, and then every cell is read. Two numbers differ in eleven cells at least; two misread cells are put
up with, and never more. Measured in ``benchmarks/README.md``. Numbers here are set by hand.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from loomtable.engine.kernel.mats import MATS
from loomtable.engine.kernel.tags import tagged
from loomtable.vision.arrays import Float64Array, GrayImage
from loomtable.vision.pictures import BgrImage, to_gray
from loomtable.vision.quads import Point, Quad, quad_centre, quad_side, same_place
from loomtable.vision.tag_quads import dark_quadrangles, refine_on_edges

CELLS = 8
"""Cells along each side of a tag, its dark border included. By definition."""
ENOUGH_PIXELS_PER_CELL = 2.5
"""From this size on, sharp pictures show every tag clearly enough. Measured (``benchmarks/README.md``)."""
MOST_TAGS = 256
"""More tags than this in one picture are not looked at. Bound by time."""
FAMILY = 587
"""Tags of the family 36h11. By definition."""

_MOST_BIT_ERRORS, _MOST_BIT_ERRORS_BROKEN = 2, 1
"""Misread cells that are put up with; and where the outline was no quadrangle: so much more is tried then."""
_MOST_BORDER_ERRORS = 8
"""Cells of 64, of the border and of the rim, that may be lost in glare or covered."""
_MOST_MOVED = 1.5
"""Cells by which fitted corners may have moved."""
_PROMISING, _LEAST_CORRELATION = 0.5, 0.75
"""With the pattern: from which a tag is looked at closer, and from which it is read."""
_HOPELESS = 0.6
"""Correlation with border and rim, before the corners are moved, which takes most of the time. Measured: of 300
tags the least had 0.73, and 19 of 20 of what is no tag have less than this."""
_LEAST_CONTRAST = 14.0
"""Grey levels between the dark border and the light rim round it."""
_MOST_PIXELS = 24_000_000
"""No picture is enlarged beyond this. Bound by time."""
_WINDOWS, _WIDER_WINDOWS = (7, 19, 51), (13, 39, 101)
"""Sides of the squares whose mean tells dark from light, in the picture as it is and enlarged."""


class SeenTag(msgspec.Struct, frozen=True):
    """A tag that was read, and where its black square lies in the picture."""

    number: int
    quad: Quad
    """Corners of the black, px: top left, top right, bottom right, bottom left, as the tag is read."""
    bit_errors: int = 0
    """Bit errors: cells of 36 that look other than the number says: 0 to 2."""
    correlation: float = 1.0
    """Correlation of the cells with the number's pattern, up to 1."""

    @property
    def pixels_per_cell(self) -> float:
        """How large the tag is seen, along its shortest side."""
        return quad_side(self.quad) / CELLS

    @property
    def centre(self) -> Point:
        """The middle of the tag, px."""
        return quad_centre(self.quad)


@lru_cache(maxsize=1)
def registered() -> tuple[int, ...]:
    """The numbers of all tags that stand on something of ours."""
    mats = {tag for mat in MATS.values() for tag in mat.tags}
    return tuple(number for number in range(FAMILY) if tagged(number) is not None or number in mats)


def find_tags(
    picture: BgrImage, *, among: Collection[int] | None = None, quick: bool = False
) -> tuple[SeenTag, ...]:
    """All of our tags in a picture (BGR, shape (height, width, 3), or grey (height, width), uint8).

    Args:
        among: the numbers that are looked for; without it every number of the register. A number outside the
            register is found only where it is asked for.
        quick: look at the picture as it is only, for the many pictures of a running camera.

    The tags are in the order of their numbers, those of one number from top to bottom.

    Raises:
        PictureUnreadable: it is no picture.
    """
    grey = to_gray(picture)
    numbers = tuple(sorted(set(registered() if among is None else among)))
    if not numbers or min(grey.shape) < 3 * CELLS:
        return ()
    scale = 1.0 if quick else max(1.0, min(2.0, (_MOST_PIXELS / grey.size) ** 0.5))
    return by_number(_detect(grey, scale, numbers))[:MOST_TAGS]


def by_number(tags: Iterable[SeenTag]) -> tuple[SeenTag, ...]:
    """In the order of their numbers, those of one number from top to bottom."""
    return tuple(sorted(tags, key=lambda tag: (tag.number, tag.centre[1], tag.centre[0])))


def add_tags(tags: Iterable[SeenTag], found: list[SeenTag]) -> None:
    """Add to those found the ones that lie elsewhere, or are others."""
    for tag in tags:
        if not any(tag.number == other.number and same_place(tag.quad, other.quad) for other in found):
            found.append(tag)


def seen_as_read(grey: GrayImage, tags: Sequence[SeenTag]) -> Float64Array:
    """Correlation (N,) of a grey picture with tags, each with its rim, where they were read in another."""
    fits = [_correlation(grey, np.array([tag.quad]), _expected(tag.number, 0))[0] for tag in tags]
    return np.array(fits, np.float64)


def _detect(grey: GrayImage, scale: float, numbers: tuple[int, ...]) -> list[SeenTag]:
    """One pass; places are those of ``grey`` itself."""
    scaled = np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
    tags: list[SeenTag] = []
    windows = _WINDOWS if scale == 1 else _WIDER_WINDOWS
    for quad, broken in dark_quadrangles(scaled, windows, _LEAST_CONTRAST, CELLS, broken=scale > 1):
        middle = quad_centre(to_picture(quad, scale))
        if any(math.dist(middle, tag.centre) < quad_side(tag.quad) / 4 for tag in tags):
            continue
        read, at = _decode_near(scaled, quad, numbers)
        if read is not None and read.is_sure and not (broken and read.bit_errors > _MOST_BIT_ERRORS_BROKEN):
            edges = refine_on_edges(scaled, at, CELLS)
            place = to_picture(np.roll(at if edges is None else edges, -read.quarter_turns, axis=0), scale)
            tags.append(SeenTag(read.number, place, read.bit_errors, round(read.correlation, 4)))
    return tags


def to_picture(quad: Float64Array, scale: float) -> Quad:
    """Corners in an enlarged picture as places in the picture itself: pixels are counted from their middles."""
    a, b, c, d = ((float(x), float(y)) for x, y in (quad + 0.5) / scale - 0.5)
    return a, b, c, d


def _decode_near(
    grey: GrayImage, quad: Float64Array, numbers: tuple[int, ...]
) -> tuple[_Decoded | None, Float64Array]:
    """What stands in a quadrangle (4, 2), and where its corners really are: no further off than a cell.

    A finder's corners are too coarse for small cells. They are moved until the tag that they seem to hold fits
    best; then everything is read afresh.
    """
    tried = [quad, _refine_corners(grey, quad)]
    reads = [_decode(cells, numbers) for cells in _sample_cells(grey, np.stack(tried))]
    read, at = max(
        zip(reads, tried, strict=True),
        key=lambda attempt: attempt[0].correlation if attempt[0] is not None else -1.0,
    )
    if read is None or read.correlation < _PROMISING:
        return None, quad
    expected = _expected(read.number, read.quarter_turns)
    if _correlation(grey, at[None], expected)[0] < _HOPELESS:
        return None, quad
    at = _fit_corners(grey, at, expected)
    return _decode(_sample_cells(grey, at[None])[0], numbers), at


_STEPS = (np.arange(-1, CELLS + 1)[:, None] + np.array([0.28, 0.5, 0.72])).ravel() / CELLS
_GRID = np.stack(np.meshgrid(_STEPS, _STEPS), axis=-1).reshape(-1, 2).astype(np.float32)
_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
"""Its corners, clockwise. By definition."""
_WIDE = CELLS + 2
"""The same with its rim. By definition."""


def _sample_cells(picture: GrayImage, quads: Float64Array) -> Float64Array:
    """The grey (N, 10, 10) of every cell of a tag and of its light rim, as its corners (N, 4, 2) stand."""
    places = np.empty((len(quads), len(_GRID), 2), np.float32)
    for at, quad in enumerate(quads):
        warp = cv2.getPerspectiveTransform(_SQUARE, quad.astype(np.float32))
        places[at] = cv2.perspectiveTransform(_GRID[None], warp)[0]
    grey = cv2.remap(picture, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(grey.reshape(-1, _WIDE, 3, _WIDE, 3).mean(axis=(2, 4)), np.float64)


def _edge(size: int) -> npt.NDArray[np.bool_]:
    edge = np.ones((size, size), np.bool_)
    edge[1:-1, 1:-1] = False
    return edge


_BORDER, _RIM = _edge(CELLS), _edge(_WIDE)


@dataclass(frozen=True)
class _Decoded:
    """What stands in a quadrangle."""

    number: int
    quarter_turns: int
    """Quarter turns clockwise."""
    bit_errors: int
    """Cells of the pattern that look other than the number says."""
    border_errors: int
    """Cells of the border that do not look dark, or of the rim that do not look light."""
    correlation: float
    """Correlation of the pattern with the number's, -1 to 1."""

    @property
    def is_sure(self) -> bool:
        return (
            self.bit_errors <= _MOST_BIT_ERRORS
            and self.border_errors <= _MOST_BORDER_ERRORS
            and self.correlation >= _LEAST_CORRELATION
        )


def _decode(cells: Float64Array, numbers: tuple[int, ...]) -> _Decoded | None:
    """What the cells (10, 10) of a quadrangle look most like; nothing where no dark border is in a light rim."""
    inner = cells[1:-1, 1:-1]
    dark, light = float(np.median(inner[_BORDER])), float(np.median(cells[_RIM]))
    pattern = inner[1:-1, 1:-1].ravel()
    level = pattern - pattern.mean()
    length = float(np.linalg.norm(level))
    if light - dark < _LEAST_CONTRAST or length < _LEAST_CONTRAST:
        return None
    split = (dark + light) / 2
    border_errors = int((inner[_BORDER] > split).sum() + (cells[_RIM] < split).sum())
    vectors, light_cells = _patterns(numbers)
    correlations = vectors @ (level / length)
    best = int(correlations.argmax())
    # Small cells run into one another, so each is compared with the middle of its own pattern.
    lights = light_cells[best]
    own = (pattern[lights].mean() + pattern[~lights].mean()) / 2
    bit_errors = int(((pattern > own) != lights).sum())
    return _Decoded(numbers[best // 4], best % 4, bit_errors, border_errors, float(correlations[best]))


@lru_cache(maxsize=FAMILY)
def _light_cells(number: int) -> npt.NDArray[np.bool_]:
    """The six by six cells inside a tag's border: which are light."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    return np.asarray(family.generateImageMarker(number, CELLS))[1:-1, 1:-1] > 127


@lru_cache(maxsize=8)
def _patterns(numbers: tuple[int, ...]) -> tuple[Float64Array, npt.NDArray[np.bool_]]:
    """Of each number in four turns: its cells (4 n, 36) as unit vectors of no mean, and which are light."""
    lights = np.array(
        [np.rot90(_light_cells(n), -quarter_turns).ravel() for n in numbers for quarter_turns in range(4)],
        np.bool_,
    )
    vectors = lights - lights.mean(axis=1, keepdims=True)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True), lights


@lru_cache(maxsize=4 * FAMILY)
def _expected(number: int, quarter_turns: int) -> Float64Array:
    """The cells (100,) of a tag and its rim as a unit vector of no mean."""
    cells = np.ones((_WIDE, _WIDE))
    cells[1:-1, 1:-1] = 0
    cells[2:-2, 2:-2] = np.rot90(_light_cells(number), -quarter_turns)
    level = cells.ravel() - cells.mean()
    return np.asarray(level / np.linalg.norm(level))


def _fit_corners(grey: GrayImage, quad: Float64Array, expected: Float64Array) -> Float64Array:
    """The corners (4, 2) moved, one at a time and by ever less, until the expected cells are seen best."""
    cell = float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).mean()) / CELLS
    best, score = quad, _correlation(grey, quad[None], expected)[0]
    for step in (0.4 * cell, 0.2 * cell, 0.1 * cell):
        for _ in range(2):
            begun = score
            for corner in range(4):
                moved = np.repeat(best[None], len(_DIRECTIONS), axis=0)
                moved[:, corner] += step * _DIRECTIONS
                scores = _correlation(grey, moved, expected)
                at = int(scores.argmax())
                if scores[at] > score:
                    best, score = moved[at], scores[at]
            if score - begun < 1e-3:
                break
    return best if np.linalg.norm(best - quad, axis=1).max() < _MOST_MOVED * cell else quad


_DIRECTIONS = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], np.float64)
"""In which a corner is moved. By definition."""


def _correlation(grey: GrayImage, quads: Float64Array, expected: Float64Array) -> Float64Array:
    """Correlation (N,) of what is seen in quadrangles (N, 4, 2) with the cells that are expected."""
    cells = _sample_cells(grey, quads).reshape(len(quads), -1)
    level = cells - cells.mean(axis=1, keepdims=True)
    return np.asarray(level @ expected / np.maximum(np.linalg.norm(level, axis=1), 1e-6))


def _refine_corners(grey: GrayImage, quad: Float64Array) -> Float64Array:
    """The corners (4, 2) put where dark and light really meet, each by less than a cell."""
    cell = float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).min()) / CELLS
    reach = int(np.clip(round(0.8 * cell), 2, 12))
    margin = reach + 2
    if quad.min() < margin or (quad.max(axis=0) > np.array(grey.shape[::-1]) - 1 - margin).any():
        return quad
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 0.02)
    moved = cv2.cornerSubPix(
        grey, np.ascontiguousarray(quad, np.float32).reshape(4, 1, 2), (reach, reach), (-1, -1), stop
    )[:, 0]
    off = np.linalg.norm(moved - quad, axis=1)
    return np.asarray(np.where((off < cell)[:, None], moved, quad), np.float64)
