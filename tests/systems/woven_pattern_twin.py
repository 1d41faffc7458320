"""The obvious way to find patterns: every turn, every place, every cell, one after another. Twin of our search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loomtable.engine.woven.patterns import Castable, Completed
from loomtable.engine.woven.spells import Spell
from loomtable.engine.woven.tapestry import Spot, Tapestry

MOVES = (
    lambda c, r: (c, r),
    lambda c, r: (-r, c),
    lambda c, r: (-c, -r),
    lambda c, r: (r, -c),
    lambda c, r: (-c, r),
    lambda c, r: (c, -r),
    lambda c, r: (r, c),
    lambda c, r: (-r, -c),
)
"""The four rotations, and the reflections in the upright, the level and the two slanting axes."""


def ways(tapestry: Tapestry, spell: Spell) -> Iterator[tuple[Completed, tuple[Spot, ...]]]:
    """Each place where all symbols are seen and all threads lie or could lie, and the threads that are missing."""
    visible, laid = tapestry.visible(), set(tapestry.threads)
    seen: set[Completed] = set()
    anchor = spell.pattern.symbols[0]
    for move in MOVES:
        for spot in visible:
            turned = move(*anchor)
            right, down = spot[0] - turned[0], spot[1] - turned[1]
            symbols = [Spot(c + right, r + down) for c, r in (move(*cell) for cell in spell.pattern.symbols)]
            threads = [Spot(c + right, r + down) for c, r in (move(*cell) for cell in spell.pattern.threads)]
            if not all(visible.get(at, ...) == spell.element for at in symbols):
                continue
            if not all(visible.get(at, ...) is None for at in threads):
                continue
            found = Completed(spell.key, _in_order(symbols), _in_order(threads))
            if found not in seen:
                seen.add(found)
                yield found, tuple(at for at in found.threads if at not in laid)


def _in_order(spots: Iterable[Spot]) -> tuple[Spot, ...]:
    return tuple(sorted(spots, key=lambda spot: (spot.row, spot.column)))


def castable_twin(tapestry: Tapestry, spells: Iterable[Spell], threads: int) -> set[Castable]:
    """What ``castable`` answers, as a set."""
    return {
        Castable(spell.key, missing)
        for spell in spells
        for _, missing in ways(tapestry, spell)
        if 1 <= len(missing) <= threads
    }


def completed_twin(tapestry: Tapestry, spells: Iterable[Spell], new: Spot) -> set[Completed]:
    """What ``completed`` answers, as a set."""
    return {
        found
        for spell in spells
        for found, missing in ways(tapestry, spell)
        if not missing and new in found.threads
    }
