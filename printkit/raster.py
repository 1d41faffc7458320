"""Printed pages back to pictures: for previews, for tests, and for teaching the readers of ``vision``.

Pictures are ``numpy`` arrays of shape (height, width, 3), dtype ``uint8``, channels red, green, blue. Positions
on a page are in mm from its lower left corner, y upwards; a picture's rows count from the top.
"""

from __future__ import annotations

import io
from collections.abc import Collection
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pypdfium2
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.wording import how_many
from loomtable.printkit.catalogue import components_named
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.errors import NoSuchCard, PrintError
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.picking import chosen_pieces
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.grid import DuplexMode, Rect
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.printkit.sheet.marks import CropMarks
from loomtable.printkit.sheet.pieces import Drawing, Piece, PrintedCard

Picture = npt.NDArray[np.uint8]

MM_PER_INCH = 25.4


class PageUnreadable(PrintError):
    """The file is no PDF, or has no such page."""


def render_page(pdf: Path | bytes, page_index: int, dpi: float) -> Picture:
    """Render one page (0 is the first) at ``dpi`` pixels per inch.

    Raises:
        PageUnreadable: the file is no PDF, or has no such page.
    """
    try:
        document = pypdfium2.PdfDocument(pdf)
    except (pypdfium2.PdfiumError, FileNotFoundError) as error:
        raise PageUnreadable(f"{_called(pdf)}: cannot be read as a PDF file ({error})") from None
    try:
        if not 0 <= page_index < len(document):
            why = f"{_called(pdf)}: has {how_many(len(document), 'page', 'pages')}, so no page {page_index + 1}"
            raise PageUnreadable(why)
        page = document[page_index]
        bitmap = page.render(scale=dpi / 72, rev_byteorder=True)
        picture: Picture = np.array(bitmap.to_numpy()[:, :, :3], dtype=np.uint8)
        return picture
    finally:
        document.close()


def picture_of(draw: Drawing, width: float, height: float, dpi: float, style: Style = Style.COLOUR) -> Picture:
    """What a drawing function prints on ``width`` x ``height`` mm, as a picture of its PDF."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(width * mm, height * mm), invariant=1)
    canvas.scale(mm, mm)
    draw(Pen(canvas, style))
    canvas.showPage()
    canvas.save()
    return render_page(file.getvalue(), 0, dpi)


def cut(page: Picture, area: Rect, page_height: float, dpi: float) -> Picture:
    """Cut a rectangle (mm) out of a rendered page of ``page_height`` mm."""
    scale = dpi / MM_PER_INCH
    top, left = round((page_height - area.top) * scale), round(area.x * scale)
    height, width = round(area.height * scale), round(area.width * scale)
    return page[top : top + height, left : left + width].copy()


def card_faces(
    component: str,
    dpi: float,
    *,
    style: Style = Style.COLOUR,
    only: Collection[ComponentId] | None = None,
) -> dict[ComponentId, Picture]:
    """The front faces of a component's cards, cut at the trim out of the very pages that are printed.

    Raises:
        UnknownPrintName, NoSuchCard: as for printing.
    """
    faces: dict[ComponentId, Picture] = {}
    for part in components_named([component]):
        settings = PrintSettings(sides=DuplexMode.FRONTS_ONLY, marks=CropMarks.NONE, style=style)
        [(_, pieces)] = chosen_pieces([part], settings, only, 1)
        pages = lay_out([piece for piece in pieces if isinstance(piece, PrintedCard)], settings)
        pdf = pages_to_pdf(pages, settings.sheets(part.title))
        for index, page in enumerate(pages):
            picture = render_page(pdf, index, dpi)
            for placement in page.placements:
                area = page.layout.slot(placement.slot)
                faces[_id_of(placement.piece)] = cut(picture, area, page.layout.page_height, dpi)
    return faces


def _id_of(piece: Piece) -> ComponentId:
    if piece.id is None:
        raise NoSuchCard(f"{piece.name} has no id by which its face could be told")
    return piece.id


def _called(pdf: Path | bytes) -> str:
    return str(pdf) if isinstance(pdf, Path) else "the PDF"
