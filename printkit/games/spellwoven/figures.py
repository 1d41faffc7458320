"""Heroes and foes for the ring mat, standing and flat: told apart by the number on them, named on the table."""

from __future__ import annotations

from loomtable.printkit.components.figure import printed_figures
from loomtable.printkit.components.figure_file import Figure

HEROES = tuple(Figure(60 + mark, "Hero", "hero", mark) for mark in range(1, 7))
FOES = tuple(Figure(70 + mark, "Foe", "foe", mark) for mark in range(1, 13))
_FIGURES = (*HEROES, *FOES)

PRINTED = printed_figures(
    "spellwoven",
    "Spellwoven: {} figures",
    "Six heroes and twelve foes",
    "are out",
    lambda: _FIGURES,
    standing=("spellwoven-standees", "heroes"),
    flat=("spellwoven-tokens",),
)
"""What this file prints."""
