"""The digit on a d6 with numerals, or on a d4 that is a barrel, as an OCR model reads it.

A network trained on printed text in any type and light reads the middle of the face in ten turns; it was trained
on no dice, so it errs in other places than the readers that were. Numbers here are set by hand while looking at
the photographs of d10 that ``models/dice_numerals.md`` tells of.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.crops import as_input, patch_for
from loomtable.vision.die_kinds import Kind
from loomtable.vision.network import Network
from loomtable.vision.pictures import BgrImage

Place = tuple[tuple[float, float], float]
"""Middle of a face that lies up, x and y, and the larger side of its die, in pixels of the picture."""

CROP_SIDE = 32
"""Side of the OCR model's crops, px. As trained."""
CROP_WIDTH = 0.42
"""Their side in sides of the die: a numeral fills the half to three quarters of it."""
TURN_STEP = 36
"""Degrees between two turns; numerals are read up to about twenty off."""
MIN_LOG_PROBABILITY = -9.0
"""No logarithm of a probability is lower."""
DIGITS = (1, 2, 3, 4, 5, 6, 9)
"""Those that are looked for: what looks like a 9 is a 6 seen from the other side. By definition."""
STRINGS = (*(str(n) for n in range(21)), "00", *(f"{n}0" for n in range(3, 10)))
"""All that stands on faces: the networks' numerals, then a percentile die's numbers that are not among them."""


def spelling(kind: Kind, printed: int) -> str:
    """What is printed on a face."""
    return f"{printed:02d}" if kind is Kind.D100 else str(printed)


def read_face(ocr: Network, picture: BgrImage, place: Place) -> Float32Array:
    """Read the face that lies up.

    Args:
        ocr: the OCR model.
        picture: (height, width, 3) blue green red, 8 bits.
        place: where the face lies.

    Returns:
        (6,) log-probabilities of 1 to 6, between ``MIN_LOG_PROBABILITY`` and 0; they need not add up to one.
    """
    middle, side = place
    patch = patch_for(picture, middle, side * CROP_WIDTH, CROP_SIDE)
    crops = [patch.cut(middle, side * CROP_WIDTH, turn, CROP_SIDE) for turn in range(0, 360, TURN_STEP)]
    digits = digit_probabilities(ocr, crops)[:, DIGITS].max(axis=0)
    one, *others, six, nine = digits
    # Many a digit looks like a stroke from somewhere: a 1 is believed as far as nothing else is read.
    one *= 1 - max(*others, six, nine)
    read = np.array([one, *others, max(six, nine)])
    return np.asarray(np.log(np.clip(read, math.exp(MIN_LOG_PROBABILITY), 1)), np.float32)


def digit_probabilities(ocr: Network, crops: Sequence[BgrImage]) -> Float32Array:
    """(crops, 10) the probability that each crop, ``CROP_SIDE`` pixels high, shows each digit and nothing else."""
    return _ctc_probabilities(ocr.run(as_input(crops) * np.float32(2) - np.float32(1))["characters"])


def _ctc_probabilities(characters: Float32Array) -> Float32Array:
    """(n, 10): how likely each crop spells each digit, from (n, T, characters), of which the first is none.

    The sum over all ways to lay it along the T places, as often in a row as one likes, with nothing round it: the
    forward recursion of connectionist temporal classification.
    """
    nothing, digits = characters[:, :, :1], characters[:, :, 1:11]
    before, within, after = nothing[:, 0], digits[:, 0], 0 * digits[:, 0]
    for place in range(1, characters.shape[1]):
        after = (within + after) * nothing[:, place]
        within = (before + within) * digits[:, place]
        before = before * nothing[:, place]
    return np.asarray(within + after, np.float32)
