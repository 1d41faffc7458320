"""Heroes and foes for the ring mat, standing and flat: told apart by the number on them, named on the table."""

from __future__ import annotations

from functools import partial

from loomtable.printkit.components.figure import standees, tokens
from loomtable.printkit.components.figure_file import Figure

HEROES = tuple(Figure(60 + mark, "Hero", "hero", mark) for mark in range(1, 7))
FOES = tuple(Figure(70 + mark, "Foe", "foe", mark) for mark in range(1, 13))
standing = partial(standees, lambda: (*HEROES, *FOES))
flat = partial(tokens, lambda: (*HEROES, *FOES))
