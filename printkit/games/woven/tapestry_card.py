"""The tapestry cards of Woven: two sides of 2 x 3 square cells, which overlap on one grid in any quarter turn.

In each of the four corners stands the side's AprilTag. New cards cover old ones (WO-8), so a camera that sees any
one of those corners still knows the card, its side and how it lies; and as cards lie on one grid of 30 mm, the
place of a tag in its cell tells which of the four it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from loomtable.engine.kernel.tags import tag_of
from loomtable.engine.woven.cards import COLUMNS, ROWS, CardSide, Cell, TapestryCard, tapestry_cards
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.draw.elements import draw_element, draw_thread_box
from loomtable.printkit.draw.palette import INK, Colour, Style
from loomtable.printkit.draw.path import circle, lens, polyline, rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.tags import TAG_MODULES, draw_tag
from loomtable.printkit.draw.type import Font, check_glyphs, fit_line, width_of
from loomtable.printkit.sheet.papers import BLEED, CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

CELL = 30.0
"""Side of a cell in mm; two and three of them make a card whose corners are cut square."""
TAPESTRY = CardSize("tapestry", COLUMNS * CELL, ROWS * CELL, 2.0)
TAG = 5.6
"""Width of the black of a tag, mm: read at an arm's length by a 1080p camera."""
TAG_INSET = 2.6
"""From the trim to the black of a tag, mm."""
SYMBOL = 14.4
"""Width of an element's symbol, mm."""
RING = 8.3
"""Radius of the ring round each of them, mm; it just clears the tags."""
_GROUNDS = {
    CardSide.A: (Colour.hex("F6EBD3"), Colour.hex("C9A368")),
    CardSide.B: (Colour.hex("E3ECE9"), Colour.hex("8FAFB0")),
}
"""Each side's ground and its strands: A is warm, B is cool."""
_CODE_X, _CODE_Y = 36.5, 53.2
"""Where the short code stands, mm."""
_STRANDS = (-1.9, 0.0, 1.9)


def cell_middle(row: int, column: int) -> tuple[float, float]:
    """The middle of a cell in mm from the card's lower left corner; row 0 is the upper one."""
    return (column + 0.5) * CELL, (ROWS - row - 0.5) * CELL


def tag_places() -> Iterator[tuple[float, float]]:
    """The lower left corner of the black of each of the four tags, in mm, from the upper left one clockwise."""
    right, top = TAPESTRY.width - TAG_INSET - TAG, TAPESTRY.height - TAG_INSET - TAG
    yield from ((TAG_INSET, top), (right, top), (right, TAG_INSET), (TAG_INSET, TAG_INSET))


def draw_tapestry_side(pen: Pen, card: TapestryCard, side: CardSide) -> None:
    """Draw one side. The origin is the lower left corner of the trim, in mm."""
    draw_cells(pen, card, side)
    for place in tag_places():
        with pen.at(*place):
            pen.place(
                f"tapestry-tag-{card.number}{side}",
                (-TAG / TAG_MODULES, -TAG / TAG_MODULES, TAG + 2 * TAG / TAG_MODULES, TAG + 2 * TAG / TAG_MODULES),
                lambda inner: draw_tag(inner, tag_of(card.component(side)), 0, 0, TAG),
            )
    _draw_names(pen, card, side)


def draw_cells(pen: Pen, card: TapestryCard, side: CardSide) -> None:
    """One side without tags and names, for pictures of it: no camera takes them for the card."""
    box = (-BLEED, -BLEED, TAPESTRY.width + 2 * BLEED, TAPESTRY.height + 2 * BLEED)
    pen.place(f"tapestry-ground-{side}", box, lambda inner: _ground(inner, side))
    for row, cells in enumerate(card.face(side)):
        for column, cell in enumerate(cells):
            _draw_cell(pen, cell, *cell_middle(row, column))


def _ground(pen: Pen, side: CardSide) -> None:
    """Strands through the middle of every cell, which run on into whatever card lies beside it, and the grid."""
    ground, strand = _GROUNDS[side]
    width, height = TAPESTRY.width, TAPESTRY.height
    pen.fill_background(rect(-BLEED, -BLEED, width + 2 * BLEED, height + 2 * BLEED), ground)
    for away in _STRANDS:
        for row in range(ROWS):
            y = (row + 0.5) * CELL + away
            pen.stroke(polyline((-BLEED, y), (width + BLEED, y)), strand, 1.15, butt=True)
        for column in range(COLUMNS):
            x = (column + 0.5) * CELL + away
            pen.stroke(polyline((x, -BLEED), (x, height + BLEED)), strand, 1.15, butt=True)
    for row in range(ROWS):
        for column in range(COLUMNS):
            pen.fill_background(circle(*cell_middle(row, column), RING), ground)
            pen.stroke(circle(*cell_middle(row, column), RING), strand, 0.35)
    _draw_grid(pen, strand.towards(INK, 0.45))


def _draw_grid(pen: Pen, line: Colour) -> None:
    """The grid lines between the cells, with a stitch where strands pass over them."""
    for column in range(1, COLUMNS):
        pen.stroke(polyline((column * CELL, -BLEED), (column * CELL, TAPESTRY.height + BLEED)), line, 0.3)
    for row in range(1, ROWS):
        pen.stroke(polyline((-BLEED, row * CELL), (TAPESTRY.width + BLEED, row * CELL)), line, 0.3)
    for row in range(ROWS + 1):
        for column in range(COLUMNS):
            for away in _STRANDS[:: 2 if pen.style is Style.LOW_INK else 1]:
                pen.solid(lens((column + 0.5) * CELL + away, row * CELL, 2.6, 0.5, 90), line)
    for row in range(ROWS):
        for column in range(COLUMNS + 1):
            for away in _STRANDS[:: 2 if pen.style is Style.LOW_INK else 1]:
                pen.solid(lens(column * CELL, (row + 0.5) * CELL + away, 2.6, 0.5), line)


def _draw_cell(pen: Pen, cell: Cell, x: float, y: float) -> None:
    if cell is not None:
        draw_element(pen, cell, x, y, SYMBOL)
        return
    with pen.at(x, y):
        draw_thread_box(pen)


def _draw_names(pen: Pen, card: TapestryCard, side: CardSide) -> None:
    """The name and the short code in the middle column, once for each way up."""
    short = card.component(side).short
    check_glyphs(short, Font.CODE, f"tapestry card {short}")
    for turn, (x, y) in ((0, (_CODE_X, _CODE_Y)), (180, (TAPESTRY.width - _CODE_X, TAPESTRY.height - _CODE_Y))):
        with pen.at(x, y, turn=turn):
            pen.text(0, 0, short, Font.CODE, 9.5, INK, align="middle")
            if card.name:
                _draw_name(pen, card.name, side, f"tapestry card {short}")


def _draw_name(pen: Pen, name: str, side: CardSide, called: str) -> None:
    """The card's name above its code and the ring, across the middle column, on a patch of the ground."""
    points = fit_line(name, Font.TEXT_ITALIC, CELL - 5.0, 7.5, 5.5, called)
    half = width_of(name, Font.TEXT_ITALIC, points) / 2 + 1.0
    middle, base = CELL * COLUMNS / 2 - _CODE_X, 3.6
    pen.fill_background(rounded(middle - half, base - 0.9, 2 * half, 3.1, 1.2), _GROUNDS[side][0])
    pen.text(middle, base, name, Font.TEXT_ITALIC, points, INK, align="middle")


def printed_cards(options: RenderOptions) -> list[PrintedCard]:
    """Both sides of each card."""
    return [
        PrintedCard(
            card.component(CardSide.A),
            f"Tapestry card {card.number}",
            front=partial(draw_tapestry_side, card=card, side=CardSide.A),
            back=partial(draw_tapestry_side, card=card, side=CardSide.B),
            size=TAPESTRY,
            back_id=card.component(CardSide.B),
        )
        for card in tapestry_cards().values()
    ]
