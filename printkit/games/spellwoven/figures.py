"""Heroes and foes for the ring mat, standing and flat: told apart by the number on them, named on the table."""

from __future__ import annotations

from loomtable.engine.kernel.components import Kind
from loomtable.printkit.catalogue import Component
from loomtable.printkit.components.figure import FLAP_TAG, TOKEN_TAG, standees, tokens
from loomtable.printkit.components.figure_file import Figure

HEROES = tuple(Figure(60 + mark, "Hero", "hero", mark) for mark in range(1, 7))
FOES = tuple(Figure(70 + mark, "Foe", "foe", mark) for mark in range(1, 13))
_FIGURES = (*HEROES, *FOES)

PRINTED = (
    Component(
        name="spellwoven-standees",
        tag=FLAP_TAG,
        title="Spellwoven: standing figures",
        description="Six heroes and twelve foes as fold-up standees on bases of 25 mm, with tags",
        system="spellwoven",
        pieces=standees(lambda: _FIGURES),
        kinds=(Kind.FIGURE,),
        aliases=("heroes",),
    ),
    Component(
        name="spellwoven-tokens",
        first=True,
        tag=TOKEN_TAG,
        title="Spellwoven: flat figures",
        description="Six heroes and twelve foes as tokens of 25 mm, with tags; on the back they are out",
        system="spellwoven",
        pieces=tokens(lambda: _FIGURES),
        kinds=(Kind.FIGURE,),
    ),
)
"""What this file prints."""
