"""The numeral on the face that lies up, as an OCR model reads it.

A network trained on printed text in any type and light reads the middle of the face in ten turns; it was trained
on no dice, so it errs in other places than the readers that were. What may stand there is then looked at again
from beside the middle. A 6 and a 9 are one character to it: a second, small network predicts how far the numeral
is turned, from its bar or dot and from how it lies on its face, and what is read near that turn tells the one from
the other.

Numbers here are set by hand while looking at the photographs of d10 that ``models/dice_numerals.md`` and
``models/dice_upright.md`` tell of; where a figure was measured, it stands there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import cv2
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
TURN_CROP_SIDE = 56
"""Side of the crops for which a turn is predicted, px. As trained."""
TURN_CROP_WIDTH = 0.85
"""Their side in sides of the die: the numeral with its mark, and the edges of its face. As trained."""
ORIENTATION_OFFSET = 0.05
"""The turn is predicted about the middle of the face, and this much of the die's side above, below, left and right
of it, as each crop shows the edges of the face a little otherwise."""
ORIENTATION_TURNS = 4
"""At each of these places the picture is turned so often; no turn comes twice."""
CONCENTRATION_GAIN = 4.0
"""By how much so many predictions together are surer than the mean of them."""
MAX_READABLE_TURN = 45.0
"""Degrees from upright up to which a numeral is read, and a 6 is no 9."""
MIN_LOG_PROBABILITY = -9.0
"""No logarithm of a probability is lower."""
HALF_READ = 0.5
"""Probability that one of two digits is read in the place of both, against that of this digit by itself. Chosen on
d12 and d20 of three sources: of 208 pictures 205 are right, 197 without it."""
MIN_RIVAL_DISTANCE = 0.7
"""How far from each other, in steps of ``SHIFT``, two numerals are read that stand on two faces. Chosen on
dice with numerals, to speak of one in twenty."""
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Right, left, below and above. By definition."""
MIN_SIX_OR_NINE = 0.05
"""What a 6 or 9 has to be likelier than for its turn to be asked for."""
CLASSES = 21
"""Numerals that the networks know, from 0. As trained."""
_SIX, _NINE = 6, 9
"""Their places among these. By definition."""
STRINGS = (*(str(n) for n in range(CLASSES)), "00", *(f"{n}0" for n in range(3, 10)))
"""What is looked for: the networks' numerals, then a percentile die's numbers that are not among them."""


@dataclass(frozen=True)
class LocatedNumeral:
    """A string that was looked for round the middle of a face."""

    string: str
    probability: float
    """The best of all places."""
    x: float
    y: float
    """Where it is read, in steps of ``SHIFT`` from the middle: the mean of all places by its probability there."""


@dataclass(frozen=True, eq=False)
class NumeralReading:
    """What is read on one face: log-probabilities between ``MIN_LOG_PROBABILITY`` and 0, which need not add up
    to one."""

    numeral: Float32Array
    """(21,): the numerals 0 to 20."""
    tens: Float32Array
    """(10,): "00" to "90"."""
    located: tuple[LocatedNumeral, ...] = ()
    """Where the likeliest strings are read."""
    anywhere: Float32Array | None = None
    """(21,): the highest probability of each numeral in any view of the face; nothing where none was looked at."""

    def rival_face(self, kind: Kind, printed: int) -> tuple[int, float]:
        """Which number is read on the other side of the middle from ``printed``, and its probability; 0 where
        none is.

        A die that shows two of its faces nearly alike has a numeral on each, and the middle lies between them.
        What is only misread is read in the same place.
        """
        alike = _same_glyphs(_spelling(kind, printed))
        mine = next((s for s in self.located if s.string in alike), None)
        rivals = [
            (s.probability, number)
            for s in self.located
            for number in kind.numbers
            if mine is not None and s.string == _spelling(kind, number) and s.string not in alike
            if math.hypot(s.x - mine.x, s.y - mine.y) > MIN_RIVAL_DISTANCE and s.x * mine.x + s.y * mine.y < 0
        ]
        probability, number = max(rivals, default=(0.0, printed))
        return number, probability

    def whole_number(self, kind: Kind, printed: int) -> tuple[int, float]:
        """Which number of two digits ``printed`` may be half of, and its probability in the view that shows it
        best; 0 where there is none."""
        if self.anywhere is None or kind is Kind.D100 or printed > 9:
            return printed, 0.0
        digits = _same_glyphs(str(printed))
        wholes = [
            number for number in kind.numbers if number > 9 and any(digit in str(number) for digit in digits)
        ]
        probability, number = max(((float(self.anywhere[number]), number) for number in wholes), default=(0.0, 0))
        return number, probability

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

    def likelihoods(self, kind: Kind) -> Float32Array:
        """(n,): logarithms of how likely this reading is for each of a kind's printed numbers.

        From beside its middle half of a number of two digits is all that is read of it.
        """
        logs = self.numbers(kind)
        if kind is Kind.D100:
            return logs
        halves = [
            max(logs[kind.numbers.index(int(digit))] for digit in str(number) if int(digit) in kind.numbers)
            if number > 9
            else MIN_LOG_PROBABILITY
            for number in kind.numbers
        ]
        return np.asarray(np.maximum(logs, np.array(halves, np.float32) + math.log(HALF_READ)), np.float32)


def _spelling(kind: Kind, printed: int) -> str:
    return f"{printed:02d}" if kind is Kind.D100 else str(printed)


def _same_glyphs(string: str) -> tuple[str, ...]:
    """Strings that are one character to the OCR model."""
    return ("6", "9") if string in ("6", "9") else (string,)


class _View(NamedTuple):
    """One crop of a face."""

    turn: float
    """Degrees clockwise."""
    x: float = 0.0
    y: float = 0.0
    """How far from the middle of the face, in sides of the die."""
    columns: int = CROP_SIDE
    """So many of the crop's columns are read, px, from its middle."""


@dataclass(frozen=True)
class _Orientation:
    """By how many degrees a picture has to be turned so that a numeral stands upright, and how sure that is."""

    turn: float
    concentration: float
    """The concentration of a von Mises distribution: 0 where any turn is as likely."""

    def upright_at(self, turns: Float32Array) -> Float32Array:
        """How likely the numeral stands upright but for ``MAX_READABLE_TURN`` degrees, at each of these turns
        (n,)."""
        degrees = np.arange(-180, 180, 5.0)
        share = np.exp(self.concentration * (np.cos(np.radians(degrees)) - 1))
        off = np.abs((turns[:, None] - self.turn - degrees + 180) % 360 - 180)
        return np.asarray((share * (off <= MAX_READABLE_TURN)).sum(axis=1) / share.sum(), np.float32)


def _orientation(upright: Network, picture: BgrImage, place: Place) -> _Orientation:
    (x, y), side = place
    away = ORIENTATION_OFFSET * side
    places = [(x + dx * away, y + dy * away) for dx, dy in ((0, 0), *DIRECTIONS)]
    turns = np.arange(0, 360, 360 / (ORIENTATION_TURNS * len(places))).reshape(ORIENTATION_TURNS, -1)
    views = [(middle, float(turn)) for row in turns for middle, turn in zip(places, row, strict=True)]
    patch = patch_for(picture, (x, y), side * TURN_CROP_WIDTH, 2 * TURN_CROP_SIDE, away)
    crops = [patch.cut(middle, side * TURN_CROP_WIDTH, turn, 2 * TURN_CROP_SIDE) for middle, turn in views]
    small = [
        np.asarray(cv2.resize(crop, (TURN_CROP_SIDE, TURN_CROP_SIDE), interpolation=cv2.INTER_AREA), np.uint8)
        for crop in crops
    ]
    outputs = upright.run(as_input(small))["turn"]
    # What is left of a numeral's turn once the crop is turned by some degrees: all of them should say the same.
    turned = np.exp(1j * np.radians([turn for _, turn in views]))
    mean = complex(np.mean(turned * (outputs[:, 0] - 1j * outputs[:, 1])))
    return _Orientation(float(np.degrees(np.angle(mean))), CONCENTRATION_GAIN * abs(mean))


def read_face(
    ocr: Network, upright: Network, picture: BgrImage, place: Place, whole: BgrImage | None = None
) -> NumeralReading:
    """Read the face that lies up.

    Args:
        ocr: the OCR model.
        upright: predicts how far a numeral is turned.
        picture: (height, width, 3) blue green red, 8 bits.
        place: where the face lies.
        whole: the same with what lies round the face, where the picture shows the face by itself: a numeral's turn
            is told by the edges round it too.
    """
    views = [_View(float(turn)) for turn in range(0, 360, TURN_STEP)]
    first = _string_probabilities(ocr, picture, views, place)
    candidates = _likeliest(first.max(axis=0))
    again = [
        _View(views[int(first[:, string].argmax())].turn, x * SHIFT, y * SHIFT, columns)
        for string in candidates
        for columns in (DIGIT_COLUMNS if len(STRINGS[string]) == 1 else CROP_SIDE,)
        for x, y in DIRECTIONS
    ]
    beside_middle = _string_probabilities(ocr, picture, again, place)
    of_each = np.split(beside_middle, len(candidates))
    best = first.max(axis=0)
    strings, located = UNCHECKED_FACTOR * best, []
    for string, beside in zip(candidates, of_each, strict=True):
        strings[string], where = _looked_for(STRINGS[string], float(best[string]), beside[:, string])
        located.append(where)
    six = 0.5
    if strings[[_SIX, _NINE]].max() > MIN_SIX_OR_NINE:
        turns = np.array([view.turn for view in views], np.float32)
        orientation = _orientation(upright, picture if whole is None else whole, place)
        six = _six_share(orientation, turns, first)
    anywhere = np.maximum(best, beside_middle.max(axis=0))[:CLASSES]
    return replace(_with_six_and_nine(strings, six, tuple(located)), anywhere=anywhere)


def _looked_for(string: str, best: float, beside: Float32Array) -> tuple[float, LocatedNumeral]:
    """A candidate's probability, and where it is read, from the ``best`` view of the middle and those ``beside``
    it (4,).

    The middle of the face is only known roughly, and the numeral of a neighbouring face is read from one side
    alone: what counts is the geometric mean of the best probability and the mean of all.
    """
    there = np.array([best, *beside])
    x, y = (beside @ np.array(DIRECTIONS) / max(float(there.sum()), 1e-6)).tolist()
    most = float(there.max())
    return math.sqrt(most * float(there.mean())), LocatedNumeral(string, most, x, y)


def _six_share(orientation: _Orientation, turns: Float32Array, probabilities: Float32Array) -> float:
    """The share of the 6 against the 9, 0 to 1, from what was read (turns, strings): what reads as the one is the
    other half a turn on."""
    here, there = orientation.upright_at(turns), orientation.upright_at(turns + 180)
    six, nine = (
        float((here * probabilities[:, digit] + there * probabilities[:, other]).sum()) + MIN_SIX_OR_NINE
        for digit, other in ((_SIX, _NINE), (_NINE, _SIX))
    )
    return six**2 / (six**2 + nine**2)


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


def _with_six_and_nine(strings: Float32Array, six: float, located: tuple[LocatedNumeral, ...]) -> NumeralReading:
    """What was read (strings,) with 6 and 9 told apart, ``six`` being the share of the 6: at any turn the one is
    the other."""
    probabilities = strings.copy()
    either = float(probabilities[[_SIX, _NINE]].max())
    probabilities[_SIX], probabilities[_NINE] = either * six, either * (1 - six)
    return reading_of(probabilities, located)


def reading_of(strings: Float32Array, located: tuple[LocatedNumeral, ...] = ()) -> NumeralReading:
    """What was read, from the probability of each of ``STRINGS``."""
    logs = np.log(np.clip(strings, np.exp(MIN_LOG_PROBABILITY), 1)).astype(np.float32)
    numeral = logs[:CLASSES]
    tens = np.concatenate((logs[CLASSES : CLASSES + 1], numeral[[10, 20]], logs[CLASSES + 1 :]))
    return NumeralReading(numeral, tens, located)
