"""The art of region maps: trees, mountains, grass, waves, towns, homes and bridges, as on old hand-tinted maps.

Each thing stands with its foot on the origin; a file holds its drawing once (``Pen.place``).
"""

from __future__ import annotations

from loomtable.engine.woven.regions import Terrain
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Face

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


def draw_thing(pen: Pen, name: str, x: float, y: float, *, scale: float = 1.0, turn: float = 0.0) -> None:
    """Draw one of the things with its foot (a bridge with its middle) at (x, y)."""
    thing = art_named("map", name)
    with pen.at(round(x, 2), round(y, 2), scale=round(scale, 2), turn=turn):
        pen.place(f"map-{name}", thing.box, thing.draw)


def draw_home(pen: Pen, number: int, x: float, y: float, *, scale: float = 1.0) -> None:
    """Draw the roundel of the home with this number, its foot at (x, y)."""
    draw_thing(pen, "home", x, y, scale=scale)
    pen.text(x, y + 2.28 * scale, str(number), Face.LABEL_BOLD, 8.5 * scale, INK, align="middle")
