"""The colours of region maps, and the roundel of a home, as on old hand-tinted maps."""

from __future__ import annotations

from loomtable.engine.woven.regions import Terrain
from loomtable.printkit.draw.land import draw_thing
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font

TAG, TAG_PLATE = 8.0, 10.8
"""Width of the black of a tag in a corner of the map, and of the plate on which it stands (mm)."""
INK = Colour.hex("4A3A2A")
PARCHMENT = Colour.hex("F3E9D0")
GROUND: dict[Terrain, Colour] = {
    Terrain.PLAINS: Colour.hex("F1E7BF"),
    Terrain.FOREST: Colour.hex("CFDBAE"),
    Terrain.MOUNTAINS: Colour.hex("E2CDAE"),
    Terrain.WATER: Colour.hex("BFD8DC"),
}
"""The wash of each terrain."""
RIM: dict[Terrain, Colour] = {
    Terrain.PLAINS: Colour.hex("E3CF8E"),
    Terrain.FOREST: Colour.hex("A9BF7F"),
    Terrain.MOUNTAINS: Colour.hex("C9A97F"),
    Terrain.WATER: Colour.hex("94BCC6"),
}
"""The deeper wash along the inside of each region's border."""
RIVER, RIVER_EDGE = Colour.hex("86B4C4"), Colour.hex("3F7187")


def draw_home(pen: Pen, number: int, x: float, y: float, *, scale: float = 1.0) -> None:
    """Draw the roundel of the home with this number, its foot at (x, y)."""
    draw_thing(pen, "home", x, y, scale=scale)
    pen.text(x, y + 2.28 * scale, str(number), Font.LABEL_BOLD, 8.5 * scale, INK, align="middle")
