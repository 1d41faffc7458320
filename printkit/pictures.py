"""Each face as a PNG picture, as online printers of cards take them: trim and bleed, at their resolution."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pypdfium2
from PIL import Image

from loomtable.engine.kernel.components import ComponentId
from loomtable.printkit.catalogue import Component
from loomtable.printkit.errors import PrintError
from loomtable.printkit.files import write_whole
from loomtable.printkit.kit import PrintedFile, PrintSettings, Progress
from loomtable.printkit.picking import Pick, chosen_pieces
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import Page, lay_out

LEAST_DPI, MOST_DPI = 72, 1200


def print_pictures(
    components: Sequence[Component],
    folder: Path,
    settings: PrintSettings,
    dpi: int,
    *,
    only: Collection[ComponentId | Pick] | None = None,
    progress: Progress | None = None,
) -> list[PrintedFile]:
    """Write one PNG file for each face into a folder for each component; copies are not written twice.

    Raises:
        PrintError: ``dpi`` is no resolution that anybody prints at.
        UnknownPrintName, NoSuchCard: bad input.
        GlyphMissing, TextTooLong, UnknownMotif: a card cannot be drawn; the message names it.
        PrintUnwritable: the folder or a file cannot be written.
    """
    if not LEAST_DPI <= dpi <= MOST_DPI:
        raise PrintError(f"pictures have {LEAST_DPI} to {MOST_DPI} pixels per inch, not {dpi}")
    settings = replace(settings, singly=True, press=None, printer=None)
    made = [(component, component.pieces(settings.render_options)) for component in components]
    decks = [
        (part, list({id(piece): piece for piece in held}.values())) for part, held in chosen_pieces(made, only, 1)
    ]
    laid_out = [(part, pieces, lay_out(pieces, settings.imposition)) for part, pieces in decks]
    total = sum(len([page for page in pages if page.placements]) for _, _, pages in laid_out)
    written: list[PrintedFile] = []
    done = 0
    for part, pieces, pages in laid_out:
        own = folder / f"{part.name}-png"
        document = pypdfium2.PdfDocument(pages_to_pdf(pages, settings.sheets(part.title)))
        try:
            count = 0
            for at, page in enumerate(pages):
                if not page.placements:
                    continue
                picture = document[at].render(scale=dpi / 72).to_pil().convert("RGB")
                write_whole(own / f"{_file_stem(page)}.png", _png(picture, dpi))
                count += 1
                if progress:
                    progress(done + count, total, part.name)
        finally:
            document.close()
        done += count
        written.append(PrintedFile(own, part.name, count, len(pieces)))
    return written


def _png(picture: Image.Image, dpi: int) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG", dpi=(dpi, dpi))
    return file.getvalue()


def _file_stem(page: Page) -> str:
    """``S1-the-lantern-front``; things without an id are told by their place."""
    placement = page.placements[0]
    plain = unicodedata.normalize("NFKD", placement.piece.name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    code = placement.piece.id.short if placement.piece.id else f"{page.number:03d}"
    return "-".join(part for part in (code, words, "back" if page.is_back else "front") if part)
