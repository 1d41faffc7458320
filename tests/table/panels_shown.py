"""The panels of a screen as the page shows them."""

from __future__ import annotations

from loomtable.table.pages.rendering import environment
from loomtable.table.screens.panel import Panel


def html_of(*panels: Panel) -> str:
    """The HTML of panels, one after another."""
    shown = {"sheets": {}, "still": False, "far_away": False}
    blocks = environment().get_template("blocks.html").make_module(shown)
    return "".join(blocks.all(panel.blocks) for panel in panels)
