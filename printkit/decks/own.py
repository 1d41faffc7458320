"""A deck of one's own as a component: a table of cards and a template."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.printkit.catalogue import Component, RenderOptions
from loomtable.printkit.decks.drawing import back_of, draw_front, looks_of, own_back
from loomtable.printkit.decks.rows import Row, read_rows
from loomtable.printkit.decks.template import CodeBox, Template, colour_of, template_named
from loomtable.printkit.draw.code_size import CameraKind, fitting_module
from loomtable.printkit.draw.codes import MODULES, QUIET
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.errors import CodeUnreadable, DeckInvalid
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.printkit.sheet.papers import DECK_SIZES
from loomtable.printkit.sheet.pieces import Piece, PrintedCard


def deck_faults(path: Path, template: str) -> list[str]:
    """Everything that keeps a deck file from being printed with a template: the first fault of each card.

    Raises:
        FileUnreadable, UnknownPrintName: there is no such file, or no such template.
    """
    faults: list[LoomtableError] = []
    try:
        deck = own_deck(path, template, report=faults.append)
    except DeckInvalid as error:
        return [str(error)]
    settings = PrintSettings(singly=True)
    pieces = deck.pieces(settings)

    def draw(some: Sequence[Piece]) -> None:
        try:
            pages_to_pdf(lay_out(some, settings), settings.sheets(deck.title))
        except LoomtableError as error:
            if len(some) == 1:
                faults.append(error)
                return
            for piece in some:
                draw([piece])

    draw(pieces)
    return list(dict.fromkeys(map(str, faults)))


def own_deck(
    path: Path,
    template: str,
    reader: tuple[CameraKind, float] | None = None,
    report: Callable[[DeckInvalid], None] | None = None,
) -> Component:
    """The component that prints a deck file with a template, named after the file.

    ``reader`` is a camera and how far it is (mm): the codes become as large as it needs. ``report`` is told what
    is wrong with single cards, which are left out; without it the first is raised.

    Raises:
        FileUnreadable, UnknownPrintName, DeckInvalid: bad input; the message names file, card and field.
        CodeUnreadable: no code that fits could be read by that camera, or the template has none.
    """
    layout = template_named(template)
    rows = read_rows(path, layout, report)
    code_width = _code_width(layout, reader)
    size = DECK_SIZES[layout.size]
    beside = Path(template).parent
    looks = looks_of(layout, beside)
    back = back_of(layout, size, beside)
    ground = colour_of(layout.ground)

    def printed(row: Row) -> PrintedCard:
        def front(pen: Pen) -> None:
            draw_front(pen, row, layout, path.parent, code_width, looks)

        its_back = own_back(layout, row, size, path.parent) or back
        return PrintedCard(row.id, row.name, front, its_back, size, row.copies, ground=ground)

    def pieces(_: RenderOptions) -> list[PrintedCard]:
        return [printed(row) for row in rows]

    name = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-") or "deck"
    return Component(name, path.stem, f"{len(rows)} cards of {path.name}", "own", pieces)


def _code_width(template: Template, reader: tuple[CameraKind, float] | None) -> float | None:
    boxes = [box for box in template.boxes if isinstance(box, CodeBox)]
    if reader is None:
        return None
    if not boxes:
        raise CodeUnreadable(f"template {template.template!r} has no code for a camera to read")
    room = boxes[0].width
    module = fitting_module(*reader, room, f"template {template.template!r}")
    return module * (MODULES + 2 * QUIET)
