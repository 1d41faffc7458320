"""Running text: every word once and in order, in columns that part nothing that belongs together."""

from __future__ import annotations

import itertools
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.running import (
    NO_BREAK,
    Manner,
    Part,
    beside,
    columns_of,
    draw_parts,
    height_of,
    kept_together,
    paragraph,
    stacked,
)
from loomtable.printkit.draw.type import Font
from loomtable.printkit.errors import GlyphMissing, TextTooLong
from loomtable.printkit.sheet.document import leaves_to_pdf
from loomtable.printkit.sheet.papers import A4
from tests.table.reading_pdf import words_of_pdf

HEIGHT = 100.0
PARTS = st.lists(
    st.builds(
        lambda tall, space, tied: Part(tall, nothing, space, tied),
        st.floats(1, 40),
        st.floats(0, 9),
        st.booleans(),
    )
)


def nothing(_pen: Pen, _x: float, _y: float) -> None:
    pass


def read(parts: list[Part]) -> str:
    """The words of parts, as another program reads them in the file."""
    return words_of_pdf(leaves_to_pdf([partial(draw_parts, x=20, y=270, parts=parts)], A4, "Parts", "a test"))


@given(PARTS)
def test_columns_hold_every_part_once_and_never_part_what_is_tied(parts: list[Part]) -> None:
    columns = columns_of(parts, HEIGHT)
    assert [part for column in columns for part in column] == parts
    assert all(height_of(column) <= HEIGHT + 1e-6 for column in columns)
    for column, following in itertools.pairwise(columns):
        if column and column[-1].tied:
            together = [*column, following[0]]
            first = max((at for at, part in enumerate(column[:-1], start=1) if not part.tied), default=0)
            assert height_of(together[first:]) > HEIGHT, "it would have fitted a column of its own"
        elif column:
            tied = 1 + next((at for at, part in enumerate(following) if not part.tied), len(following) - 1)
            assert height_of([*column, *following[:tied]]) > HEIGHT, "it would have fitted the column before"


@given(st.integers(1, 12), st.integers(1, 4), st.integers(1, 4))
def test_so_many_lines_stay_together_at_both_ends(lines: int, first: int, last: int) -> None:
    parts = kept_together([Part(1, nothing)] * lines, first, last, space=5)
    cuts = [at for at, part in enumerate(parts, start=1) if not part.tied]
    assert cuts == [*range(first, lines - last + 1), lines]
    assert [part.space for part in parts] == [5] + [0] * (lines - 1)


def test_words_of_several_faces_are_read_as_they_were_written() -> None:
    runs = [("Śnieżny wieczór &", Font.TITLE), ("Ελένη", Font.TEXT_ITALIC), ("as Любовь.", Font.LABEL_BOLD)]
    for align in ("left", "middle", "right"):
        lines = paragraph(runs, 40, Manner(11, align=align, instead="□"), "a test")
        assert len(lines) > 1
        assert read(lines) == "Śnieżny wieczór & Ελένη as Любовь."


def test_what_no_face_has_is_an_error_or_a_sign_that_stands_for_it() -> None:
    with pytest.raises(GlyphMissing, match="a test"):
        paragraph([("雪 falls", Font.TEXT)], 40, Manner(11), "a test")
    assert read(paragraph([("雪 falls", Font.TEXT)], 40, Manner(11, instead="□"), "a test")) == "□ falls"
    with pytest.raises(TextTooLong, match="'unbreakable' is wider"):
        paragraph([("an unbreakable word", Font.TEXT)], 12, Manner(20), "a test")


def test_a_no_break_space_keeps_words_on_one_line() -> None:
    def lines(words: str) -> list[str]:
        set_ = paragraph([(words, Font.TEXT), ("57.", Font.LABEL_BOLD)], 26, Manner(11), "a test")
        return [read([line]) for line in set_]

    assert lines("Go on. Turn to") == ["Go on. Turn to", "57."]
    assert lines(f"Go on. Turn{NO_BREAK}to{NO_BREAK}") == ["Go on.", "Turn to 57."]


def test_parts_beside_and_below_each_other_are_as_large_as_they_are_together() -> None:
    low, high = Part(4, nothing, 3, width=10), Part(10, nothing, 2, width=5)
    assert stacked([low, high]).height == 16 and stacked([low, high], 7).space == 7
    row = beside((0, low), (12, high))
    assert (row.height, row.width) == (10, 17)
    places: list[tuple[str, float, float]] = []
    cells = [
        Part(tall, lambda _, x, y, name=name: places.append((name, x, y)))
        for name, tall in (("low", 4), ("high", 10))
    ]  # type: ignore[misc]
    for middle in (True, False):
        beside((0, cells[0]), (12, cells[1]), middle=middle).draw(None, 1, 50)  # type: ignore[arg-type]
    assert places == [("low", 1, 47), ("high", 13, 50), ("low", 1, 50), ("high", 13, 50)]
