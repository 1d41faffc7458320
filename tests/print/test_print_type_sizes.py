"""No type is smaller than six points, on any page of anything that can be printed."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from loomtable.printkit.catalogue import components
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.picking import distinct
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.printkit.sheet.papers import A4, LETTER, Paper
from tests.tiers import mostly

LEAST = 6.0
LIKE_ANOTHER = re.compile(
    r".*-(?:pages|who-is-who|boxes)|the-[bl].*-booklet|(?:story|challenge|spell|home)-cards|poker-deck"
)
"""Layouts of which another is looked at, and decks that test_print_drawing looks at: these on one paper."""


def small_type(pdf: bytes) -> Iterator[tuple[int, float, str]]:
    """Page, size and letters of whatever is smaller than it should be, as another program measures it."""
    document = pypdfium2.PdfDocument(pdf)
    matrix = pdfium.FS_MATRIX()
    for number in range(len(document)):
        page = document[number].get_textpage()
        for at in range(page.count_chars()):
            pdfium.FPDFText_GetMatrix(page.raw, at, ctypes.byref(matrix))
            size = pdfium.FPDFText_GetFontSize(page.raw, at) * math.hypot(matrix.c, matrix.d)
            if 0 < size < LEAST - 0.01 and page.get_text_range(at, 1).strip():
                yield number + 1, round(size, 2), page.get_text_range(at, 12)
                break
    document.close()


@pytest.mark.parametrize("paper", mostly([A4, LETTER], [LETTER]), ids=lambda paper: paper.name)
def test_no_type_is_smaller_than_six_points(paper: Paper) -> None:
    settings = PrintSettings(paper)
    found = {}
    for name, component in components().items():
        if paper is LETTER and LIKE_ANOTHER.fullmatch(name):
            continue
        pages = lay_out(distinct(component.pieces(settings)), settings)
        if small := list(small_type(pages_to_pdf(pages, settings.sheets(component.title)))):
            found[name] = small
    assert not found
