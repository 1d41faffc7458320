"""Each face as a PNG picture, as online printers of cards take them: trim and bleed, at their resolution."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pypdfium2
from PIL import Image

from loomtable.engine.kernel.components import ComponentId
from loomtable.printkit.catalogue import Component
from loomtable.printkit.errors import PrintError
from loomtable.printkit.files import write_all
from loomtable.printkit.kit import PrintedFile, PrintSettings, Progress
from loomtable.printkit.picking import Pick, chosen_pieces, distinct
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import Page, lay_out
from loomtable.printkit.sheet.pieces import Piece

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

    def faces(part: Component, pieces: Sequence[Piece]) -> Iterator[tuple[str, bytes]]:
        pages = lay_out(pieces, settings)
        for page, picture in rendered(pages_to_pdf(pages, settings.sheets(part.title)), pages, dpi):
            yield f"{face_name_of(page)}.png", png(picture, dpi)

    decks = [(part, distinct(own)) for part, own in chosen_pieces(components, settings, only, 1)]
    asked = [
        Asked(part, folder / f"{part.name}-png", len(held), partial(faces, part, held)) for part, held in decks
    ]
    return write_folders(asked, progress)


@dataclass(frozen=True)
class Asked:
    """A component that goes into a folder of its own; ``contents`` makes its files, by their names in there."""

    part: Component
    folder: Path
    pieces: int
    contents: Callable[[], Iterable[tuple[str, bytes]]]


def write_folders(
    asked: Sequence[Asked], progress: Progress | None, beside: Mapping[Path, bytes] | None = None
) -> list[PrintedFile]:
    """Make all of what is asked for, and last what stands ``beside`` the folders; nothing is written before.

    Raises:
        PrintUnwritable: a folder or a file cannot be written.
    """
    written: list[PrintedFile] = []

    def files() -> Iterator[tuple[Path, bytes]]:
        for done, each in enumerate(asked):
            if progress:
                progress(done, len(asked), each.part.name)
            shown = 0
            for name, content in each.contents():
                shown += not name.endswith(".json")
                yield each.folder / name, content
            written.append(PrintedFile(each.folder, each.part.name, shown, each.pieces))
        yield from (beside or {}).items()

    write_all(files())
    return written


def rendered(pdf: bytes, pages: Sequence[Page], dpi: float) -> Iterator[tuple[Page, Image.Image]]:
    """Each page that holds anything, with its picture; ``pdf`` is what these pages became."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for at, page in enumerate(pages):
            if page.placements:
                yield page, document[at].render(scale=dpi / 72).to_pil().convert("RGB")
    finally:
        document.close()


def padded(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The picture in the middle of one of ``size`` pixels, its outermost pixels carried on; or cut to it."""
    import numpy as np  # not above: a table on a screen does without, and it takes 20 MB

    whole = np.asarray(picture)
    for axis, wanted in ((0, size[1]), (1, size[0])):
        missing = wanted - whole.shape[axis]
        before = abs(missing) // 2
        if missing < 0:
            whole = np.take(whole, range(before, before + wanted), axis=axis)
        else:
            widths = [(0, 0)] * 3
            widths[axis] = (before, missing - before)
            whole = np.pad(whole, widths, mode="edge")
    return Image.fromarray(whole)


def png(picture: Image.Image, dpi: int) -> bytes:
    """The picture as a PNG file that says how large it is meant."""
    file = io.BytesIO()
    picture.save(file, "PNG", dpi=(dpi, dpi))
    return file.getvalue()


def face_name_of(page: Page) -> str:
    """``S1-the-lantern-front``; things without an id are told by their place."""
    placement = page.placements[0]
    plain = unicodedata.normalize("NFKD", placement.piece.name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    code = placement.piece.id.short if placement.piece.id else f"{page.number:03d}"
    return "-".join(part for part in (code, words, "back" if page.is_back else "front") if part)
