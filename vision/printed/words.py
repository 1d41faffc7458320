"""Reading a ring's word: the first cue for which side of which thing it is.

All round the band of cells the grey is taken, in parts of the light ground outside it. Where that ground is
uneven, the parts are those of the ground at the same place, so that a shadow across a die changes little. The
profile is held against every word in every turn; what fits best must fit clearly better than anything else, and
cell by cell at most one may differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from loomtable.engine.kernel.ring_codes import (
    CELLS,
    CELLS_INSIDE,
    CLEAR_OUTSIDE,
    RIM_INSIDE,
    WORDS,
    RingMark,
    cells,
)
from loomtable.vision.arrays import Float64Array, GrayImage
from loomtable.vision.printed.rings import Ring, circle_points, sample_bilinear

STEPS = 8
"""Samples for each cell along the band. Set by hand."""
ANGLES = CELLS * STEPS
_BAND = np.linspace(CELLS_INSIDE + 0.05, RIM_INSIDE - 0.07, 5)
_RADII = (*_BAND, (1 + RIM_INSIDE) / 2, (1 + CLEAR_OUTSIDE) / 2 + 0.02)
"""Of the places that are looked at: the band, the rim, and the light outside. As made."""
_PLACES = circle_points(ANGLES, _RADII)
_BLUR = 0.55
"""Blur of the words as they are expected, in cells: a camera never shows them sharp. Set by hand."""

_LEAST_SPREAD = 0.05
"""Standard deviation of a band below which it is even, and says nothing; set by hand."""
_EVEN = 0.85
"""Darkest over lightest ground round a ring from which no shadow lies across it. Set by hand."""


@dataclass(frozen=True)
class ReadWord:
    """What a ring's band says."""

    mark: RingMark
    rotation: float
    """Radians by which the symbol's head is turned clockwise from the top of the ring's frame."""
    correlation: float
    """Correlation of the band with the word, -1 to 1."""
    margin: float
    """By how much the likeness is better than that of the next face."""
    bit_errors: int
    """Cells of seventeen that look other than the word says."""


@dataclass(frozen=True)
class _Templates:
    marks: tuple[RingMark, ...]
    spectra: np.typing.NDArray[np.complex128]
    """(words, ANGLES): of the expected bands, zero mean, unit length."""
    dark: np.typing.NDArray[np.bool_]
    """(words, CELLS)."""


@lru_cache(maxsize=1)
def _templates() -> _Templates:
    return templates_of(WORDS)


def templates_of(words: Mapping[RingMark, int]) -> _Templates:
    """Words as their bands are expected to look, in light (1) and dark (0)."""
    dark = np.array([cells(word) for word in words.values()], np.bool_)
    # Cell 0 lies about the head: half of it before angle 0.
    light = np.roll(np.repeat(1.0 - dark, STEPS, axis=1), -STEPS // 2, axis=1)
    away = np.minimum(np.arange(ANGLES), ANGLES - np.arange(ANGLES)) / STEPS
    blur = np.exp(-0.5 * (away / _BLUR) ** 2)
    bands = np.fft.ifft(np.fft.fft(light, axis=1) * np.fft.fft(blur / blur.sum()), axis=1).real
    bands -= bands.mean(axis=1, keepdims=True)
    bands /= np.linalg.norm(bands, axis=1, keepdims=True)
    return _Templates(tuple(words), np.fft.fft(bands, axis=1), dark)


def band_of(grey: GrayImage, ring: Ring) -> Float64Array:
    """The band (ANGLES,) clockwise from the top of the frame: 0 as dark as the rim, 1 as light as the ground.

    The rim's darkness is one number for all of it: on a small ring the rim looks as light or dark as the cells
    beside it, so that held against its own place a long run of dark cells would hardly be seen.
    """
    samples = sample_bilinear(grey, ring.points(_PLACES))
    ground = _smoothed(samples[:, -1])
    low, high = np.quantile(ground, (0.1, 0.9))
    if low > _EVEN * high:
        ground = np.full(ANGLES, np.quantile(ground, 0.6))
    parts = samples / np.maximum(ground, 12)[:, None]
    rim = float(np.quantile(parts[:, -2], 0.4))
    level = (parts[:, :-2].mean(axis=1) - rim) / max(1 - rim, 0.05)
    return np.asarray(np.clip(level, -0.6, 1.6))


def _smoothed(around: Float64Array) -> Float64Array:
    """A level that follows shadows but no specks: that of a sixth of the circle."""
    reach = ANGLES // 12
    rolled = np.stack([np.roll(around, by) for by in range(-reach, reach + 1, 3)])
    rolled.sort(axis=0)
    return np.asarray(rolled[len(rolled) * 6 // 10])


def read_word(band: Float64Array) -> ReadWord | None:
    """The word that fits a band best; nothing where the band is even."""
    templates = _templates()
    level = band - band.mean()
    length = float(np.linalg.norm(level))
    if length < _LEAST_SPREAD * np.sqrt(ANGLES):
        return None
    # fits[w, s]: the band against word w turned s steps clockwise.
    correlations = np.fft.ifft(np.fft.fft(level / length) * templates.spectra.conj(), axis=1).real
    best = correlations.max(axis=1)
    order = np.argsort(-best)
    first = int(order[0])
    # Which of two dice shows a face does no harm; which face it is does.
    second = next(int(at) for at in order if templates.marks[at].face != templates.marks[first].face)
    shift = int(correlations[first].argmax())
    rotation = shift * 2 * np.pi / ANGLES
    margin = float(best[first] - best[second])
    return ReadWord(
        templates.marks[first],
        rotation,
        float(best[first]),
        margin,
        _bit_errors(band, templates.dark[first], shift),
    )


def _bit_errors(band: Float64Array, dark: np.typing.NDArray[np.bool_], shift: int) -> int:
    middles = (np.arange(CELLS) * STEPS + shift)[:, None] + np.arange(-1, 2)
    level = band[middles % ANGLES].mean(axis=1)
    split = (level[dark].mean() + level[~dark].mean()) / 2
    return int(((level < split) != dark).sum())
