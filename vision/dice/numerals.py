"""The numeral on the face that lies up, as an OCR model reads it.

A network trained on printed text in any type and light reads the middle of the face in ten turns; it was trained
on no dice, so it errs in other places than the readers that were. What may stand there is then looked at again
from beside the middle. A 6 and a 9 are one character to it: where a die has both, its layout tells (``faces.py``).

Numbers here are set by hand while looking at the photographs of d10 that ``models/dice_numerals.md`` tells of;
where a figure was measured, it stands there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.crops import as_input, patch_for
from loomtable.vision.die_kinds import Kind, numeral_class
from loomtable.vision.network import Network
from loomtable.vision.pictures import BgrImage

Place = tuple[tuple[float, float], float]
"""Middle of a face that lies up, x and y, and the larger side of its die, in pixels of the picture."""

CROP_SIDE = 32
"""Side of the OCR model's crops, px. As trained."""
CROP_WIDTH = 0.42
"""Their side in sides of the die: a numeral fills the half to three quarters of it."""
DIGIT_COLUMNS = 24
"""Middle columns of a crop in which a single digit is looked for again, px: this takes a quarter less time."""
TURN_STEP = 36
"""Degrees between two turns; numerals are read up to about twenty off."""
SHIFT = 0.09
"""How far left, right, above and below the middle a candidate is looked for, in sides of the die."""
MAX_CANDIDATES, MIN_CANDIDATE = 3, 0.1
"""So many of the likeliest numerals are looked at again, if they are so likely against the likeliest. Measured: on
139 photographs of numerals as many are believed as with all three, and in other turns and sizes besides."""
UNCHECKED_FACTOR = 0.5
"""By what the probabilities of all others are lessened."""
MIN_LOG_PROBABILITY = -9.0
"""No logarithm of a probability is lower."""
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Right, left, below and above. By definition."""
CLASSES = 21
"""Numerals that the networks know, from 0. As trained."""
_SIX, _NINE = 6, 9
"""Their places among these. By definition."""
STRINGS = (*(str(n) for n in range(CLASSES)), "00", *(f"{n}0" for n in range(3, 10)))
"""What is looked for: the networks' numerals, then a percentile die's numbers that are not among them."""


@dataclass(frozen=True, eq=False)
class NumeralReading:
    """What is read on one face: log-probabilities between ``MIN_LOG_PROBABILITY`` and 0, which need not add up
    to one."""

    numeral: Float32Array
    """(21,): the numerals 0 to 20."""
    tens: Float32Array
    """(10,): "00" to "90"."""

    def numbers(self, kind: Kind) -> Float32Array:
        """(n,): of a kind's printed numbers, in their order."""
        if kind is Kind.D100:
            return self.tens
        numeral = self.numeral
        if _NINE not in kind.numbers:
            # Such a die has nothing that its 6 could be taken for.
            numeral = numeral.copy()
            numeral[_SIX] = np.logaddexp(numeral[_SIX], numeral[_NINE])
        logs = np.asarray(numeral[[numeral_class(kind, printed) for printed in kind.numbers]], np.float32)
        first = kind.numbers.index(1)
        # Many a numeral looks like a stroke from somewhere: a 1 is believed as far as nothing else is read.
        others = float(np.exp(np.delete(logs, first).max()))
        logs[first] = max(logs[first] + np.log1p(-min(others, 1 - 1e-4)), MIN_LOG_PROBABILITY)
        return logs


def spelling(kind: Kind, printed: int) -> str:
    """What is printed on a face."""
    return f"{printed:02d}" if kind is Kind.D100 else str(printed)


class _View(NamedTuple):
    """One crop of a face."""

    turn: float
    """Degrees clockwise."""
    x: float = 0.0
    y: float = 0.0
    """How far from the middle of the face, in sides of the die."""
    columns: int = CROP_SIDE
    """So many of the crop's columns are read, px, from its middle."""


def read_face(ocr: Network, picture: BgrImage, place: Place) -> NumeralReading:
    """Read the face that lies up.

    Args:
        ocr: the OCR model.
        picture: (height, width, 3) blue green red, 8 bits.
        place: where the face lies.
    """
    views = [_View(float(turn)) for turn in range(0, 360, TURN_STEP)]
    first = _string_probabilities(ocr, picture, views, place)
    best = first.max(axis=0)
    candidates = _likeliest(best)
    again = [
        _View(views[int(first[:, string].argmax())].turn, x * SHIFT, y * SHIFT, columns)
        for string in candidates
        for columns in (DIGIT_COLUMNS if len(STRINGS[string]) == 1 else CROP_SIDE,)
        for x, y in DIRECTIONS
    ]
    beside_middle = np.split(_string_probabilities(ocr, picture, again, place), len(candidates))
    strings = UNCHECKED_FACTOR * best
    for string, beside in zip(candidates, beside_middle, strict=True):
        # The middle is only known roughly, and the numeral of a neighbouring face is read from one side alone:
        # what counts is the geometric mean of the best probability and the mean of all.
        there = np.array([best[string], *beside[:, string]])
        strings[string] = math.sqrt(float(there.max()) * float(there.mean()))
    either = float(strings[[_SIX, _NINE]].max())
    strings[[_SIX, _NINE]] = either / 2
    return _reading_of(strings)


def _likeliest(probabilities: Float32Array) -> list[int]:
    """The likeliest strings, a 6 and a 9 counted as one."""
    ranked = [int(k) for k in np.argsort(-probabilities)]
    other = {_SIX: _NINE, _NINE: _SIX}
    chosen: list[int] = []
    for string in ranked:
        if probabilities[string] < MIN_CANDIDATE * probabilities[ranked[0]]:
            break
        if other.get(string) not in chosen:
            chosen.append(string)
        if len(chosen) == MAX_CANDIDATES:
            break
    return chosen


def _string_probabilities(ocr: Network, picture: BgrImage, views: Sequence[_View], place: Place) -> Float32Array:
    """(views, strings) the probability of each string in each view of a face."""
    (x, y), side = place
    patch = patch_for(picture, (x, y), side * CROP_WIDTH, CROP_SIDE, SHIFT * side)

    def crop(view: _View) -> BgrImage:
        centre, edge = (x + view.x * side, y + view.y * side), (CROP_SIDE - view.columns) // 2
        whole = patch.cut(centre, side * CROP_WIDTH, view.turn, CROP_SIDE)
        return whole[:, edge : CROP_SIDE - edge]

    probabilities = np.empty((len(views), len(STRINGS)), np.float32)
    # A network takes crops of one size at a time.
    for columns in {view.columns for view in views}:
        alike = [k for k, view in enumerate(views) if view.columns == columns]
        probabilities[alike] = string_probabilities(ocr, [crop(views[k]) for k in alike])
    return probabilities


def string_probabilities(ocr: Network, crops: Sequence[BgrImage]) -> Float32Array:
    """(crops, strings) the probability of each string in each crop, ``CROP_SIDE`` pixels high; the first 21 are
    the numerals 0 to 20."""
    return _ctc_probabilities(ocr.run(as_input(crops) * np.float32(2) - np.float32(1))["characters"])


@lru_cache(maxsize=1)
def _columns() -> npt.NDArray[np.intp]:
    """(strings, 5): nothing, first digit, nothing, second digit, nothing, as columns of the OCR model's output."""
    return np.array([[0, 1 + int(s[0]), 0, 1 + int(s[1]) if len(s) > 1 else 0, 0] for s in STRINGS], np.intp)


def _ctc_probabilities(characters: Float32Array) -> Float32Array:
    """(n, strings): how likely each crop spells each string and nothing else, from (n, T, characters).

    The sum over all ways to lay the string's characters along the T places, each as often in a row as one likes,
    with nothing between and round them: the forward recursion of connectionist temporal classification.
    """
    given = characters[:, :, _columns()]
    paired = np.array([len(s) > 1 for s in STRINGS])
    twice = np.array([len(s) > 1 and s[0] == s[1] for s in STRINGS])
    at = np.zeros((len(characters), len(STRINGS), 5), np.float32)
    at[:, :, 0], at[:, :, 1] = given[:, 0, :, 0], given[:, 0, :, 1]
    for place in range(1, characters.shape[1]):
        came = at.copy()
        came[:, :, 1:] += at[:, :, :-1]
        # From one character straight to the next, unless they are the same.
        came[:, :, 3] += np.where(twice, 0, at[:, :, 1])
        at = came * given[:, place]
    two = at[:, :, 3] + at[:, :, 4]
    single = at[:, :, 1] + at[:, :, 2]
    return np.asarray(np.where(paired, two, single), np.float32)


def _reading_of(strings: Float32Array) -> NumeralReading:
    """What was read, from the probability of each of ``STRINGS``."""
    logs = np.log(np.clip(strings, np.exp(MIN_LOG_PROBABILITY), 1)).astype(np.float32)
    numeral = logs[:CLASSES]
    tens = np.concatenate((logs[CLASSES : CLASSES + 1], numeral[[10, 20]], logs[CLASSES + 1 :]))
    return NumeralReading(numeral, tens)
