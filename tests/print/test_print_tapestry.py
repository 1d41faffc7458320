"""Tapestry cards on paper: what a side shows is what the rules play with, and tags say which side it is."""

from __future__ import annotations

import io
from itertools import product

import numpy as np
import pypdfium2
import pytest

from loomtable.engine.kernel.tags import tag_of, tagged
from loomtable.engine.woven.cards import CardSide, Element, tapestry_card, tapestry_cards
from loomtable.printkit.catalogue import components
from loomtable.printkit.draw.elements import ELEMENT_COLOURS
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.woven.tapestry_card import (
    CELL,
    SYMBOL,
    TAG,
    TAPESTRY,
    cell_middle,
    draw_tapestry_side,
    tag_places,
)
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.raster import Picture
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import lay_out
from tests.print.drawn_cards import drawn, faces, same_pictures
from tests.print.second_reader import read_tags

SIZE = (TAPESTRY.width, TAPESTRY.height)
DPI = 100
DOTS = DPI / 25.4
SIDES = [(card, side) for card in tapestry_cards().values() for side in CardSide]


def side_of(number: int, side: CardSide, style: Style = Style.COLOUR, dpi: float = DPI) -> Picture:
    card = tapestry_card(number)
    return drawn(lambda pen: draw_tapestry_side(pen, card, side), SIZE, style, dpi)


def test_the_whole_stack_is_there_and_no_two_sides_look_alike() -> None:
    pieces = components()["tapestry-cards"].cards()
    assert [piece.id for piece in pieces] == [card.component(CardSide.A) for card in tapestry_cards().values()]
    assert len(pieces) == 33
    pictures = faces(pieces, dpi=50) + [drawn(piece.back, SIZE, dpi=50) for piece in pieces if piece.back]
    assert len(pictures) == 66
    assert same_pictures(pictures) == []


def test_every_cell_shows_what_the_file_says() -> None:
    """Read back from the picture alone: the plate's colour of each element, white where a box waits."""
    for card, side in SIDES[::3]:
        picture = side_of(card.number, side).astype(float) / 255
        for row, column in product(range(2), range(3)):
            x, y = cell_middle(row, column)
            across, down, half = round(x * DOTS), round((SIZE[1] - y) * DOTS), round(SYMBOL * 0.4 * DOTS)
            seen = picture[down - half : down + half, across - half : across + half]
            cell = card.face(side)[row][column]
            if cell is None:
                assert seen[half - 6 : half + 6, half - 6 : half + 6].min() > 0.98, (
                    card.number,
                    side,
                    row,
                    column,
                )
            else:
                inked = {
                    element: (np.abs(seen - ELEMENT_COLOURS[element][0]).max(axis=2) < 0.03).mean()
                    for element in Element
                }
                assert max(inked, key=lambda element: inked[element]) is cell, (card.number, side, row, column)
                assert inked[cell] > 0.25


@pytest.mark.parametrize(("style", "dpi"), [*zip(Style, (100, 200, 100), strict=True)])
def test_each_corner_carries_the_tag_of_its_side(style: Style, dpi: int) -> None:
    for card, side in SIDES[list(Style).index(style) :: 6]:
        seen = read_tags(side_of(card.number, side, style, dpi))
        assert [number for number, _ in seen] == [tag_of(card.component(side))] * 4
        wanted = {(round(x + TAG / 2, 1), round(SIZE[1] - y - TAG / 2, 1)) for x, y in tag_places()}
        found = [(x * 25.4 / dpi, y * 25.4 / dpi) for _, (x, y) in seen]
        assert all(min(np.hypot(x - a, y - b) for a, b in wanted) < 0.35 for x, y in found)


def test_a_covered_card_is_still_known_by_the_corner_that_shows() -> None:
    """Three cards overlap on the grid, two of them turned: each is named by tags in cells that still show."""
    dots = round(CELL * DOTS)
    table = np.full((6 * dots, 7 * dots, 3), 240, np.uint8)
    for number, side, turns, column, row in (
        (5, CardSide.A, 0, 0, 1),
        (17, CardSide.B, 1, 2, 0),
        (30, CardSide.A, 2, 3, 1),
    ):
        face = np.rot90(side_of(number, side), turns)
        across, down = round(face.shape[1] / dots), round(face.shape[0] / dots)
        face = face[: down * dots, : across * dots]
        y, x = row * dots + 20, column * dots + 20
        table[y : y + face.shape[0], x : x + face.shape[1]] = face
    numbers = [number for number, _ in read_tags(table)]
    known = {tagged(number) for number in numbers}
    wanted = {(5, CardSide.A), (17, CardSide.B), (30, CardSide.A)}
    assert known == {(tapestry_card(number).component(side), 0) for number, side in wanted}
    assert len(numbers) < 12, "some corners are covered, or nothing was tried"


def test_a_user_reads_the_short_code_both_ways_up() -> None:
    settings = PrintSettings()
    pages = lay_out(components()["tapestry-cards"].pieces(settings)[:1], settings)
    file = io.BytesIO(pages_to_pdf(pages, settings.sheets("t")))
    document = pypdfium2.PdfDocument(file.getvalue())
    assert document[0].get_textpage().get_text_range().count("T1A") == 2
    assert document[1].get_textpage().get_text_range().count("T1B") == 2
