"""The five mages, standing and flat."""

from __future__ import annotations

from loomtable.printkit.components.figure import printed_figures
from loomtable.printkit.components.figure_file import Figure
from loomtable.printkit.games.woven.mages import MAGES

_FIGURES = [Figure(mage.number, f"{mage.name} Mage", mage.art) for mage in MAGES]

PRINTED = printed_figures(
    "woven",
    "Woven: {} mages",
    "The five mages",
    "have lost their bodies",
    lambda: _FIGURES,
    standing=("mage-standees", "mages"),
    flat=("mage-tokens",),
)
"""What this file prints."""
