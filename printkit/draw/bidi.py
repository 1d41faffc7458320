"""Text that runs in both directions: which parts run which way, and in what order they stand on a line.

The levels are those of Unicode's bidirectional algorithm (UAX 9), found by python-bidi; even ones run from left to
right, odd ones from right to left.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TypeVar

_Part = TypeVar("_Part")
_LEFTWARD = frozenset(("R", "AL", "AN", "RLE", "RLO"))
_NO_LEVEL = frozenset(("BN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))
"""Classes of characters without a place of their own: they go with the one before."""


def levels_of(words: str) -> tuple[int, list[int]]:
    """The paragraph's own level (1 where it runs from right to left), and that of each character."""
    classes = [unicodedata.bidirectional(letter) for letter in words]
    if _LEFTWARD.isdisjoint(classes):
        return 0, [0] * len(words)
    from bidi import algorithm

    base = algorithm.get_base_level(words)
    storage = algorithm.get_empty_storage()
    storage["base_level"], storage["base_dir"] = base, "LR"[base]
    known = [
        letter for letter, kind in zip(words, classes, strict=True) if kind not in ("LRI", "RLI", "FSI", "PDI")
    ]
    algorithm.get_embedding_levels("".join(known), storage)
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    algorithm.resolve_neutral_types(storage, debug=False)
    algorithm.resolve_implicit_levels(storage, debug=False)
    found = iter(storage["chars"])
    levels: list[int] = []
    for kind in classes:
        levels.append((levels[-1] if levels else base) if kind in _NO_LEVEL else next(found)["level"])
    return base, levels


def in_visual_order(parts: Sequence[tuple[int, _Part]]) -> list[_Part]:
    """The parts of a line, each with its level, from left to right (rule L2)."""
    line = list(parts)
    for level in range(max((embedding for embedding, _ in line), default=0), 0, -1):
        at = 0
        while at < len(line):
            end = at
            while end < len(line) and line[end][0] >= level:
                end += 1
            line[at:end] = reversed(line[at:end])
            at = end + 1
    return [part for _, part in line]


def mirrored(words: str) -> str:
    """The letters of a run from right to left as they stand from left to right, brackets turned round."""
    from bidi.mirror import MIRRORED

    return "".join(MIRRORED.get(letter, letter) for letter in reversed(words))
