"""Thymin and his enemies, standing and flat."""

from __future__ import annotations

from loomtable.engine.kernel.components import Kind
from loomtable.printkit.catalogue import Component
from loomtable.printkit.components.figure import FLAP_TAG, TOKEN_TAG, standees, tokens
from loomtable.printkit.components.figure_file import figures

PRINTED = (
    Component(
        name="storm-standees",
        tag=FLAP_TAG,
        title="Storm Weavers: standing figures",
        description="Thymin and his enemies as fold-up standees on bases of 25 mm, with tags",
        system="storm-weavers",
        pieces=standees(figures),
        kinds=(Kind.FIGURE,),
        aliases=("standees",),
    ),
    Component(
        name="storm-tokens",
        first=True,
        tag=TOKEN_TAG,
        title="Storm Weavers: flat figures",
        description="Thymin and his enemies as tokens of 25 mm, with tags; on the back they are slain",
        system="storm-weavers",
        pieces=tokens(figures),
        kinds=(Kind.FIGURE,),
        aliases=("figure-tokens",),
    ),
)
"""What this file prints."""
