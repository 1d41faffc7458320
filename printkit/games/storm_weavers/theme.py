"""How the printed things of Storm Weavers look: colours, emblem, and the picture of the quick start."""

from __future__ import annotations

from loomtable.printkit.components.sheet_style import Theme, emblem_named
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.figures import draw_figure
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pen import Pen


def _scene(pen: Pen, theme: Theme) -> None:
    """Thymin and the Frost Carter face to face in the snow, a cliff behind them."""
    art_named("scenes", "cliff-in-the-snow").draw(pen)
    for x, mirrored, name in ((19.0, False, "thymin"), (47.0, True, "frost-carter")):
        with pen.at(x, 10.0, scale=1.36):
            draw_figure(pen, art_named("figures", name, "the quick start of Storm Weavers"), mirrored=mirrored)


THEME = Theme(
    "storm-weavers",
    "Storm Weavers",
    Colour.hex("2F4A55"),
    Colour.hex("9A5B2E"),
    Colour.hex("DDE8EA"),
    emblem_named("storm-weavers"),
    _scene,
)
