"""The five mages, standing and flat."""

from __future__ import annotations

from loomtable.engine.kernel.components import Kind
from loomtable.printkit.catalogue import Component
from loomtable.printkit.components.figure import FLAP_TAG, TOKEN_TAG, standees, tokens
from loomtable.printkit.components.figure_file import Figure
from loomtable.printkit.games.woven.mages import MAGES

_FIGURES = [Figure(mage.number, f"{mage.name} Mage", mage.art) for mage in MAGES]

PRINTED = (
    Component(
        name="mage-standees",
        tag=FLAP_TAG,
        title="Woven: standing mages",
        description="The five mages as fold-up standees on bases of 25 mm, with tags",
        system="woven",
        pieces=standees(lambda: _FIGURES),
        kinds=(Kind.FIGURE,),
        aliases=("mages",),
    ),
    Component(
        name="mage-tokens",
        first=True,
        tag=TOKEN_TAG,
        title="Woven: flat mages",
        description="The five mages as tokens of 25 mm, with tags; on the back they have lost their bodies",
        system="woven",
        pieces=tokens(lambda: _FIGURES),
        kinds=(Kind.FIGURE,),
        aliases=(),
    ),
)
"""What this file prints."""
