"""Reads printed sheets back with other programs: fields by pikepdf, all else by pdfium."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2

from loomtable.printkit.catalogue import RenderOptions, components
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.printkit.sheet.papers import A4, Paper
from tests.playing import transcript as played

HOME = Path(__file__).parent.parent.parent
POINT = 25.4 / 72
DPI = 100


@dataclass(frozen=True)
class Field:
    """A field as it stands in a file: page, rectangle in points, what it says and holds."""

    page: int
    name: str
    says: str
    box: tuple[float, float, float, float]
    kind: str
    value: str

    @property
    def ticked(self) -> bool:
        """Whether it is a ticked box."""
        return self.kind == "/Btn" and self.value == "/Yes"

    def overlaps(self, other: Field) -> bool:
        """Whether the two share more than an edge."""
        (a, b, c, d), (e, f, g, h) = self.box, other.box
        return self.page == other.page and a < g - 0.1 and e < c - 0.1 and b < h - 0.1 and f < d - 0.1


@cache
@cache
def printed(
    component: str, transcript: str = "", *, fillable: bool = False, paper: Paper = A4, style: Style = Style.COLOUR
) -> bytes:
    """A component as a file."""
    session = played(transcript) if transcript else None
    settings = PrintSettings(paper=paper, style=style, fillable=fillable, session=session)
    part = components()[component]
    pieces = list(part.pieces(RenderOptions(paper, fillable=fillable, session=session)))
    return pages_to_pdf(lay_out(pieces, settings), settings.sheets(part.title))


def words(pdf: bytes | Path, page: int | None = None) -> str:
    """Everything that stands there, with single spaces."""
    document = pypdfium2.PdfDocument(pdf)
    pages = range(len(document)) if page is None else [page]
    found = " ".join(str(document[at].get_textpage().get_text_bounded()) for at in pages)
    return re.sub(r"\s+", " ", found)


def fields(pdf: bytes) -> Iterator[Field]:
    """Every field, in the order in which the tabulator key goes through them."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for number, page in enumerate(document.pages):
            for note in page.get("/Annots", []):
                yield Field(
                    number,
                    str(note.T),
                    str(note.TU),
                    tuple(float(v) for v in note.Rect),
                    str(note.FT),
                    str(note.get("/V", "")),
                )


def marked_on_paper(pdf: bytes, boxes: list[Field]) -> set[str]:
    """Which of these boxes bear the pen's ink on the printed pages, as seen in their middles."""
    found = set()
    for number in {box.page for box in boxes}:
        picture = render_page(pdf, number, DPI).astype(int)
        high, scale = picture.shape[0], DPI / 72
        for box in (b for b in boxes if b.page == number):
            x1, y1, x2, y2 = box.box
            side = (x2 - x1) * 0.18
            cx, cy = (x1 + x2) / 2, (y1 + y2) / 2
            part = picture[
                int(high - (cy + side) * scale) : int(high - (cy - side) * scale) + 1,
                int((cx - side) * scale) : int((cx + side) * scale) + 1,
            ]
            ink = np.abs(part - np.array([28, 44, 94])).max(axis=2) < 40
            if ink.mean() > 0.25:
                found.add(box.name)
    return found
