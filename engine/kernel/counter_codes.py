"""The ring of marks on round counters: twenty-three places, dark or light, that tell a camera what a counter is.

The words are those of weight twelve of the binary Golay code of length 23, the multiples of ``GENERATOR`` modulo
x^23 - 1. It is cyclic, so every turn of a word is a word too. All words have as many dark places, and any two
differ in at least eight, however they are turned: three marks that are misread never make another counter.
"""

from __future__ import annotations

PLACES = 23
"""Places of a ring, counted clockwise; the middle of place 0 points to the head of the counter."""
GENERATOR = 0b110001110101
"""x^11 + x^10 + x^6 + x^5 + x^4 + x^2 + 1, a factor of x^23 - 1 over two elements."""
_DARK = 12


def counter_words() -> tuple[int, ...]:
    """One word of each set of turns, the least of it, in order: fifty-six."""
    words = {0}
    for shift in range(PLACES - GENERATOR.bit_length() + 1):
        words |= {word ^ (GENERATOR << shift) for word in words}
    return tuple(sorted({_least_turn(word) for word in words if word.bit_count() == _DARK}))


def _least_turn(word: int) -> int:
    return min(((word >> by) | (word << (PLACES - by))) & ((1 << PLACES) - 1) for by in range(PLACES))


def dark_places(word: int) -> tuple[bool, ...]:
    """The places of a word in order, dark ones true."""
    return tuple(bool(word >> at & 1) for at in range(PLACES))
