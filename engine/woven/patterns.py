"""Finding spells on a tapestry: every completed pattern, and every one that a thread or two would complete
(WO-10).

A pattern may be turned and mirrored. The tapestry is held as bit boards - one long number for each element, one
for the threads and one for the free boxes - so that one shift and one *and* tries a cell of a pattern everywhere
at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations

import msgspec

from loomtable.engine.woven.cards import Element
from loomtable.engine.woven.spells import MOST_PATTERN, Pattern, Spell
from loomtable.engine.woven.tapestry import Spot, Tapestry

MOST_NEW_THREADS = 2
"""So many threads ahead ``castable`` looks."""


class Completed(msgspec.Struct, frozen=True):
    """A spell's pattern on the tapestry: the spots of its symbols and of its threads, each in reading order."""

    spell: str
    symbols: tuple[Spot, ...]
    threads: tuple[Spot, ...]


class Castable(msgspec.Struct, frozen=True):
    """A spell that could be cast, and the boxes into which threads must be placed for it, in either order."""

    spell: str
    place: tuple[Spot, ...]


@lru_cache(maxsize=512)
def orientations(pattern: Pattern) -> tuple[Pattern, ...]:
    """The pattern in each rotation and reflection that looks different, at most eight (WO-10)."""
    found: dict[Pattern, None] = {}
    turned = pattern
    for _ in range(4):
        turned = _tidy([(-row, column) for column, row in turned.symbols], [(-r, c) for c, r in turned.threads])
        mirrored = _tidy([(-c, r) for c, r in turned.symbols], [(-c, r) for c, r in turned.threads])
        found |= {turned: None, mirrored: None}
    return tuple(found)


def _tidy(symbols: list[tuple[int, int]], threads: list[tuple[int, int]]) -> Pattern:
    """Moved to the corner, in reading order, so that equal patterns are equal values."""
    left = min(column for column, _ in symbols + threads)
    top = min(row for _, row in symbols + threads)

    def moved(spots: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        return tuple(sorted(((c - left, r - top) for c, r in spots), key=lambda spot: (spot[1], spot[0])))

    return Pattern(moved(symbols), moved(threads))


class _Board:
    """A tapestry as bit boards; bit ``row * stride + column`` stands for a spot, counted from the upper left."""

    def __init__(self, tapestry: Tapestry) -> None:
        visible = tapestry.visible()
        self.left = min((column for column, _ in visible), default=0)
        self.top = min((row for _, row in visible), default=0)
        # So many empty columns on the right that no pattern runs from the end of a row into the next one.
        self.stride = max((column for column, _ in visible), default=0) - self.left + 1 + MOST_PATTERN
        self.symbols = dict.fromkeys(Element, 0)
        self.threads = self.free = 0
        laid = set(tapestry.threads)
        for spot, cell in visible.items():
            bit = self.bit(spot)
            if spot in laid:
                self.threads |= bit
            elif cell is None:
                self.free |= bit
            if cell is not None:
                self.symbols[cell] |= bit

    def bit(self, spot: tuple[int, int]) -> int:
        """The bit of a spot."""
        return 1 << ((spot[1] - self.top) * self.stride + spot[0] - self.left)

    def shift(self, cell: tuple[int, int]) -> int:
        """How far a pattern's cell lies from its corner."""
        return cell[1] * self.stride + cell[0]

    def corners(self, bits: int) -> Iterator[Spot]:
        """The spots of all bits that are set, in reading order."""
        while bits:
            low = bits & -bits
            row, column = divmod(low.bit_length() - 1, self.stride)
            yield Spot(column + self.left, row + self.top)
            bits ^= low


def _matches(board: _Board, spell: Spell, new: int) -> Iterator[tuple[Completed, tuple[Spot, ...]]]:
    """Every place of the pattern in which exactly ``new`` of its threads are missing and have a free box.

    Yields the pattern and the boxes of the missing threads.
    """
    for pattern in orientations(spell.pattern):
        anchored = -1
        for cell in pattern.symbols:
            anchored &= board.symbols[spell.element] >> board.shift(cell)
        if not anchored:
            continue
        shifts = [board.shift(cell) for cell in pattern.threads]
        for missing in combinations(range(len(shifts)), new):
            corners = anchored
            for at, shift in enumerate(shifts):
                corners &= (board.free if at in missing else board.threads) >> shift
            for corner in board.corners(corners):
                threads = _moved(pattern.threads, corner)
                completed = Completed(spell.key, _moved(pattern.symbols, corner), threads)
                yield completed, tuple(threads[at] for at in missing)


def _moved(cells: tuple[tuple[int, int], ...], corner: Spot) -> tuple[Spot, ...]:
    left, top = corner
    return tuple(Spot(left + column, top + row) for column, row in cells)


def completed(tapestry: Tapestry, spells: Iterable[Spell], new: Spot) -> tuple[Completed, ...]:
    """Every completed pattern of these spells of which the thread at ``new``, laid already, is a part (WO-10)."""
    board = _Board(tapestry)
    return tuple(found for spell in spells for found, _ in _matches(board, spell, 0) if new in found.threads)


def castable(tapestry: Tapestry, spells: Iterable[Spell], threads: int = 1) -> tuple[Castable, ...]:
    """Every way to cast one of these spells by placing up to ``threads`` (1 or 2) new threads.

    Ways that need fewer threads come first. A way counts the threads that lie on the tapestry already; at least
    one thread is always new, since a spell is cast by placing one.

    Raises:
        ValueError: ``threads`` is neither 1 nor 2.
    """
    if not 1 <= threads <= MOST_NEW_THREADS:
        raise ValueError(f"threads is {threads}; one or two are looked ahead")
    board, known = _Board(tapestry), tuple(spells)
    ways = (
        Castable(spell.key, place)
        for new in range(1, threads + 1)
        for spell in known
        for _, place in _matches(board, spell, new)
    )
    return tuple(dict.fromkeys(ways))
