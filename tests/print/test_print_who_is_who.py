"""Who is who: what a playset says of its people and places stands on its page, whole and within its frame."""

from __future__ import annotations

import pypdfium2
import pytest

from loomtable.engine.weave.cards.playset import playset, playset_names
from loomtable.printkit.sheet.papers import A4, LETTER, Paper
from tests.print.sheet_reading import POINT, printed, words

FRAME, MARGIN = 12.0, 20.0
"""Nothing is written so near to the right edge (mm), above the line of settings at the bottom."""


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
@pytest.mark.parametrize("name", playset_names())
def test_everybody_stands_on_the_page_and_nothing_runs_over_its_frame(name: str, paper: Paper) -> None:
    played, pdf = playset(name), printed(f"{name}-who-is-who", paper=paper)
    assert 6 <= len(played.people) <= 8 and 6 <= len(played.places) <= 8
    read = words(pdf).replace("\u2019", "'")
    for known in (*played.people, *played.places):
        assert known.name in read and known.text in read, known.name
    page = pypdfium2.PdfDocument(pdf)[0]
    text = page.get_textpage()
    boxes = [text.get_charbox(at) for at in range(text.count_chars())]
    rights = [right for _, bottom, right, _ in boxes if bottom * POINT > MARGIN]
    assert max(rights) * POINT < page.get_width() * POINT - FRAME
