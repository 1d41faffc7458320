"""Adventures on paper: as a booklet to fold and staple, or as plain pages; their maps follow at true scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from loomtable.engine.storm_weavers.adventure import Adventure
from loomtable.engine.storm_weavers.adventure_check import playable_adventure
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import polyline
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.games.storm_weavers.adventure_leaves import HEIGHT, WIDTH, Leaf, leaves_of, maps_of
from loomtable.printkit.games.storm_weavers.combat_map import map_drawing
from loomtable.printkit.sheet.grid import page_area
from loomtable.printkit.sheet.pieces import Piece, PrintedPage

LEAVES = 4
"""On one folded sheet of paper."""
_FOLD = Colour.hex("8A8378")


def sheets_of(leaves: Sequence[Leaf]) -> list[tuple[Leaf, Leaf, Leaf, Leaf]]:
    """Leaves in reading order as sheets laid into each other: front left and right, back left and right.

    The number of leaves is a multiple of four. The outermost sheet comes first.
    """
    last = len(leaves) - 1
    return [
        (leaves[last - 2 * at], leaves[2 * at], leaves[2 * at + 1], leaves[last - 2 * at - 1])
        for at in range(len(leaves) // LEAVES)
    ]


def _booklet(adventure: Adventure, options: RenderOptions) -> list[PrintedPage]:
    area = page_area(options.paper, landscape=True)

    def side(left: Leaf, right: Leaf) -> Callable[[Pen], None]:
        return lambda pen: _two_up(pen, left, right, area.width, area.height)

    sheets = sheets_of(_in_order(leaves_of(adventure, LEAVES)))
    return [
        PrintedPage(None, f"{adventure.title}, sheet {number}", side(*sheet[:2]), side(*sheet[2:]), landscape=True)
        for number, sheet in enumerate(sheets, start=1)
    ]


def _in_order(leaves: Sequence[Leaf]) -> list[Leaf]:
    """The same leaves, read from first to last whichever sheet they stand on."""

    def numbered(leaf: Leaf, number: int) -> Leaf:
        def draw(pen: Pen) -> None:
            with pen.in_order(f"Page {number}", number):
                leaf(pen)

        return draw

    return [numbered(leaf, number) for number, leaf in enumerate(leaves, start=1)]


def _two_up(pen: Pen, left: Leaf, right: Leaf, width: float, height: float) -> None:
    """Two leaves on one side, each in the middle of its half; short marks show where to fold."""
    scale = min(width / 2 / (WIDTH + 3), height / HEIGHT)
    for leaf, middle in ((left, width / 4), (right, width * 3 / 4)):
        with pen.at(middle - WIDTH * scale / 2, (height - HEIGHT * scale) / 2, scale=scale):
            leaf(pen)
    for y in (0.0, height - 3):
        pen.stroke(polyline((width / 2, y), (width / 2, y + 3)), _FOLD, 0.2)


def _plain(adventure: Adventure, options: RenderOptions) -> list[PrintedPage]:
    area = page_area(options.paper)
    scale = min(area.width / WIDTH, area.height / HEIGHT)

    def page(leaf: Leaf) -> Callable[[Pen], None]:
        def draw(pen: Pen) -> None:
            with pen.at((area.width - WIDTH * scale) / 2, (area.height - HEIGHT * scale) / 2, scale=scale):
                leaf(pen)

        return draw

    leaves = leaves_of(adventure, 2)
    return [
        PrintedPage(None, f"{adventure.title}, page {at + 1}", page(leaves[at]), page(leaves[at + 1]))
        for at in range(0, len(leaves), 2)
    ]


def _with_maps(
    pages: Callable[[Adventure, RenderOptions], list[PrintedPage]], name: str, options: RenderOptions
) -> list[Piece]:
    """Pages of an adventure, and behind them its maps."""
    adventure = playable_adventure(name)
    return [*pages(adventure, options), *map(map_drawing, maps_of(adventure))]


booklet = partial(_with_maps, _booklet)
plain_pages = partial(_with_maps, _plain)
