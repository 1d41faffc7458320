"""Thymin and his enemies, standing and flat."""

from __future__ import annotations

from loomtable.printkit.components.figure import printed_figures
from loomtable.printkit.components.figure_file import figures

PRINTED = printed_figures(
    "storm-weavers",
    "Storm Weavers: {} figures",
    "Thymin and his enemies",
    "are slain",
    figures,
    standing=("storm-standees", "standees"),
    flat=("storm-tokens", "figure-tokens"),
)
"""What this file prints."""
