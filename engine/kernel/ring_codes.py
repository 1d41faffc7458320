"""The ring round the symbol on our printed Weave dice and coin tokens: which thing it is, and which side of it.

A dark rim, and inside it seventeen cells, dark or light; in the middle the symbol that people read. What stands
here is all that whoever draws the ring and whoever reads it have in common.

The words are those of the quadratic residue code of length 17: the multiples of ``GENERATOR`` modulo x^17 - 1.
It is cyclic, so every turn of a word is a word too, and any two differ in at least five cells: a ring can be
read however the die lies, and four cells that are misread never make another side. Without the two words of one
colour it has 30 words and their turns; the 26 that have from six to eleven dark cells are six faces of four dice
and two sides of a coin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from loomtable.engine.kernel.dice import Die, Face

CELLS = 17
"""Cells of a ring, counted clockwise; the middle of cell 0 points to the head of the symbol."""
GENERATOR = 0b100111001
"""x^8 + x^5 + x^4 + x^3 + 1, a factor of x^17 - 1 over two elements."""
DISTANCE = 5
"""Cells in which any two words differ, however they are turned against each other."""
DICE_NUMBERS = 4
"""How many Weave dice have words of their own; further dice begin at 1 again."""

RIM_INSIDE = 0.84
"""Where the rim ends and the cells begin, in parts of the ring's outer radius."""
CELLS_INSIDE = 0.58
"""Where the cells end, in parts of the ring's outer radius."""
SYMBOL_RADIUS = 0.535
"""The symbol stays within this, in parts of the ring's outer radius."""
CLEAR_OUTSIDE = 1.15
"""The ground stays light as far as this, in parts of the ring's outer radius."""


@dataclass(frozen=True)
class RingMark:
    """What a ring says: the kind of thing, its number (1 for a coin), and the side that shows."""

    die: Die
    number: int
    face: Face


def turned(word: int, by: int) -> int:
    """The word as it reads when one begins ``by`` cells later."""
    by %= CELLS
    return ((word >> by) | (word << (CELLS - by))) & ((1 << CELLS) - 1)


def cells(word: int) -> tuple[bool, ...]:
    """The cells of a word in order, dark ones true."""
    return tuple(bool(word >> at & 1) for at in range(CELLS))


def _multiples() -> set[int]:
    """Every word of the cyclic code: the span of the turns of its generator."""
    words = {0}
    for shift in range(CELLS - GENERATOR.bit_length() + 1):
        words |= {word ^ (GENERATOR << shift) for word in words}
    return words


def _even_words() -> list[int]:
    """One word of each set of turns, with six to eleven dark cells: the most evenly shared first."""
    leaders = {min(turned(word, by) for by in range(CELLS)) for word in _multiples()}
    even = [word for word in leaders if 6 <= word.bit_count() <= 11]
    return sorted(even, key=lambda word: (abs(2 * word.bit_count() - CELLS), word))


def _assigned() -> dict[RingMark, int]:
    sides = [RingMark(Die.COIN, 1, face) for face in Die.COIN.faces]
    sides += [RingMark(Die.WEAVE, n, face) for n in range(1, DICE_NUMBERS + 1) for face in Die.WEAVE.faces]
    return dict(zip(sides, _even_words(), strict=True))


WORDS: Mapping[RingMark, int] = _assigned()
"""The word of every side that is printed."""
