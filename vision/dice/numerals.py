"""What stands on the face that lies up, as a reader of print sees it: the witness of numerals.

A network that knows printed characters in any type and light reads the middle of the face, turned by every thirty
degrees, at two sizes; it has never seen a die, so it errs in other places than the readers that have seen dice
only. What it reads surest, whichever way it is turned, counts. A 6 and a 9 are one character to it: a second,
small network says which way up that stands, from its bar or dot and from how it lies on its face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice.crops import as_input, cut
from vision.dice.kinds import Kind, numeral_class
from vision.dice.network import Network
from vision.pictures import Picture

Floats = npt.NDArray[np.float32]
Place = tuple[tuple[float, float], float]
"""Middle of a face that lies up, x and y, and the larger side of its die, in pixels of the picture."""

PRINTED = 32
"""Side of the crops that are read as print, px."""
WIDTHS = (0.39, 0.51)
"""Their sides in sides of the die: a numeral fills the half to three quarters of one of them."""
STEP = 30
"""Degrees between two turns; print is read up to about twenty off."""
SURE = 0.9
"""Where nothing is read as surely, the turns in between are tried as well."""
STOOD = 48
"""Side of the crops of which is said which way up they stand, px."""
STOOD_WIDTH = 0.75
"""Their side in sides of the die: the numeral with its mark, and the edges of its face."""
FLOOR = -9.0
"""No logarithm of a chance is lower."""
NEARBY = 0.09
"""How far round the middle a numeral is looked for, in sides of the die."""
TRIED = 3
"""So many of the likeliest numerals are looked for all round the middle."""
UNTRIED = 0.5
"""By what the chances of all others are lessened, that cannot have been steadier."""
CLASSES = 21
_SIX, _NINE = 6, 9
_STRINGS = (*(str(n) for n in range(CLASSES)), "00", *(f"{n}0" for n in range(3, 10)))
"""What is looked for: the networks' numerals, then a percentile die's numbers that are not among them."""


@dataclass(frozen=True, eq=False)
class Print:
    """What is read on one face, as logarithms of chances between ``FLOOR`` and 0; they need not add up to one."""

    numeral: Floats
    """(21,): the numerals 0 to 20."""
    tens: Floats
    """(10,): "00" to "90"."""

    def numbers(self, kind: Kind) -> Floats:
        """(n,): of a kind's printed numbers, in their order."""
        if kind is Kind.D100:
            return self.tens
        numeral = self.numeral
        if _NINE not in kind.numbers:
            # Such a die has nothing that its 6 could be taken for.
            numeral = numeral.copy()
            numeral[_SIX] = np.logaddexp(numeral[_SIX], numeral[_NINE])
        logs = np.asarray(numeral[[numeral_class(kind, printed) for printed in kind.numbers]], np.float32)
        one = kind.numbers.index(1)
        # Many a numeral looks like a stroke from somewhere: a 1 is believed as far as nothing else is read.
        others = float(np.exp(np.delete(logs, one).max()))
        logs[one] = max(logs[one] + np.log1p(-min(others, 1 - 1e-4)), FLOOR)
        return logs


def read_print(reader: Network, upright: Network, picture: Picture, places: Sequence[Place]) -> list[Print]:
    """Read the faces at ``places``.

    Args:
        reader: the reader of print.
        upright: says which way up a numeral stands.
        picture: (height, width, 3) blue green red, 8 bits.
        places: where the faces lie.
    """
    return [_read_one(reader, upright, picture, place) for place in places]


@dataclass(frozen=True, eq=False)
class _Look:
    """The best chance of each string (strings,), and the turn in degrees and the middle at which it was read."""

    chances: Floats
    turns: Floats
    middles: Floats
    """(strings, 2)"""

    def surer(self, other: _Look) -> _Look:
        """Of each string the likelier reading."""
        better = other.chances > self.chances
        return _Look(
            np.where(better, other.chances, self.chances),
            np.where(better, other.turns, self.turns),
            np.where(better[:, None], other.middles, self.middles),
        )


def _read_one(reader: Network, upright: Network, picture: Picture, place: Place) -> Print:
    middle, side = place
    turns = [float(turn) for turn in range(0, 360, STEP)]
    look = _look(reader, picture, [(middle, turn) for turn in turns], side)
    if look.chances.max() < SURE:
        look = look.surer(_look(reader, picture, [(middle, turn + STEP / 2) for turn in turns], side))
    return _parted(upright, picture, side, _steadied(reader, picture, middle, side, look))


def _steadied(reader: Network, picture: Picture, middle: tuple[float, float], side: float, look: _Look) -> _Look:
    """The look with its likeliest strings held to what is read all round the middle.

    The middle of the face is only known roughly, and the numeral of a neighbouring face is read from one side
    alone: what counts is the best chance and the mean of all, each by half.
    """
    round_it = [(x * NEARBY * side, y * NEARBY * side) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    chances, turns, middles = (a.copy() for a in (look.chances, look.turns, look.middles))
    likeliest = _likeliest(look.chances)
    for string in likeliest:
        views = [((middle[0] + x, middle[1] + y), float(look.turns[string])) for x, y in round_it]
        there = _each(reader, picture, views, side)[:, string]
        best = int(there.argmax())
        if there[best] > look.chances[string]:
            middles[string] = views[best][0]
        chances[string] = np.sqrt(max(float(there[best]), float(look.chances[string])) * float(there.mean()))
    chances[np.setdiff1d(np.arange(len(_STRINGS)), likeliest)] *= UNTRIED
    return _Look(chances, turns, middles)


def _likeliest(chances: Floats) -> list[int]:
    """The likeliest strings, a 6 and a 9 counted as one."""
    ranked = [int(k) for k in np.argsort(-chances)]
    other = {_SIX: _NINE, _NINE: _SIX}
    chosen: list[int] = []
    for string in ranked:
        if other.get(string) not in chosen:
            chosen.append(string)
        if len(chosen) == TRIED:
            break
    return chosen


def _each(
    reader: Network, picture: Picture, views: Sequence[tuple[tuple[float, float], float]], side: float
) -> Floats:
    """(views, strings) the chance of each string at each view, a middle and a turn: the better of both sizes."""
    crops = [cut(picture, middle, side * width, turn, PRINTED) for width in WIDTHS for middle, turn in views]
    shares = reader.run(as_input(crops) * np.float32(2) - np.float32(1))["characters"]
    return np.asarray(_spelled(shares).reshape(len(WIDTHS), len(views), len(_STRINGS)).max(axis=0), np.float32)


def _look(
    reader: Network, picture: Picture, views: Sequence[tuple[tuple[float, float], float]], side: float
) -> _Look:
    """Read every view, a middle and a turn, at both sizes."""
    chances = _each(reader, picture, views, side)
    best = chances.argmax(axis=0)
    turns = np.array([turn for _, turn in views], np.float32)
    middles = np.array([middle for middle, _ in views], np.float32)
    return _Look(chances.max(axis=0), turns[best], middles[best])


@lru_cache(maxsize=1)
def _columns() -> npt.NDArray[np.intp]:
    """(strings, 5): nothing, first digit, nothing, second digit, nothing, as columns of the reader's answer."""
    return np.array([[0, 1 + int(s[0]), 0, 1 + int(s[1]) if len(s) > 1 else 0, 0] for s in _STRINGS], np.intp)


def _spelled(shares: Floats) -> Floats:
    """(n, strings): how likely each crop spells each string and nothing else, from (n, T, characters).

    The sum over all ways to lay the string's characters along the T places, each as often in a row as one likes,
    with nothing between and round them: the forward recursion of connectionist temporal classification.
    """
    given = shares[:, :, _columns()]
    paired = np.array([len(s) > 1 for s in _STRINGS])
    twice = np.array([len(s) > 1 and s[0] == s[1] for s in _STRINGS])
    at = np.zeros((len(shares), len(_STRINGS), 5), np.float32)
    at[:, :, 0], at[:, :, 1] = given[:, 0, :, 0], given[:, 0, :, 1]
    for place in range(1, shares.shape[1]):
        came = at.copy()
        came[:, :, 1:] += at[:, :, :-1]
        # From one character straight to the next, unless they are the same.
        came[:, :, 3] += np.where(twice, 0, at[:, :, 1])
        at = came * given[:, place]
    two = at[:, :, 3] + at[:, :, 4]
    one = at[:, :, 1] + at[:, :, 2]
    return np.asarray(np.where(paired, two, one), np.float32)


def _parted(upright: Network, picture: Picture, side: float, look: _Look) -> Print:
    """What was read with 6 and 9 told apart: seen at any turn, the one is the other."""
    chances = look.chances.copy()
    seen_as = _SIX if chances[_SIX] >= chances[_NINE] else _NINE
    either = float(chances[seen_as])
    if either > np.exp(FLOOR):
        turn = float(look.turns[seen_as]) + (0 if seen_as == _SIX else 180)
        x, y = look.middles[seen_as].tolist()
        stands = _stands(upright, picture, ((x, y), side), turn)
        chances[_SIX], chances[_NINE] = either * stands, either * (1 - stands)
    logs = np.log(np.clip(chances, np.exp(FLOOR), 1)).astype(np.float32)
    numeral = logs[:CLASSES]
    return Print(numeral, np.concatenate((logs[CLASSES : CLASSES + 1], numeral[[10, 20]], logs[CLASSES + 1 :])))


def _stands(upright: Network, picture: Picture, place: Place, turn: float) -> float:
    """How likely the numeral stands upright once it is turned so far, 0 to 1: asked both ways up."""
    middle, side = place
    ways = [cut(picture, middle, side * STOOD_WIDTH, t, 2 * STOOD) for t in (turn, turn + 180)]
    small = [np.asarray(cv2.resize(way, (STOOD, STOOD), interpolation=cv2.INTER_AREA), np.uint8) for way in ways]
    up, down = upright.run(as_input(small))["upright"].tolist()
    return float(1 / (1 + np.exp(-(up - down) / 2)))
