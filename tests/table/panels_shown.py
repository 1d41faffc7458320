"""The panels of a screen as the page shows them."""

from __future__ import annotations

from collections.abc import Mapping

from loomtable.table.pages.rendering import environment
from loomtable.table.screens.panel import Panel


def html_of(
    *panels: Panel, sheets: Mapping[str, str] | None = None, still: bool = False, far_away: bool = False
) -> str:
    """The HTML of panels, one after another."""
    shown = {"sheets": sheets or {}, "still": still, "far_away": far_away, "emblems": {}}
    blocks = environment().get_template("blocks.html").make_module(shown)
    return "".join(blocks.all(panel.blocks) for panel in panels)
