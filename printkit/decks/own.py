"""A deck of one's own as a component: a table of cards and a template."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.package_data import added_file, package_file
from loomtable.engine.kernel.yamlfile import read_text
from loomtable.printkit.catalogue import Component, RenderOptions
from loomtable.printkit.decks.columns import shown_by
from loomtable.printkit.decks.drawing import CardDrawing, looks_of
from loomtable.printkit.decks.rows import Row, read_rows
from loomtable.printkit.decks.table import Report, Table, read_table, refuse
from loomtable.printkit.decks.template import Template, parse_template, template_named, template_names
from loomtable.printkit.draw.code_size import CameraKind, fitting_module
from loomtable.printkit.draw.codes import MODULES, QUIET
from loomtable.printkit.errors import CodeUnreadable, DeckInvalid
from loomtable.printkit.import_sum import ImportSum
from loomtable.printkit.sheet.pieces import PrintedCard

_FIRST = ("picture", "plain", "words", "item")
"""Of the templates that show as much of a deck, the first of these is taken."""


def deck_named(path: Path, template: str | None) -> tuple[Path, str | None]:
    """A deck and its template as files; those in packs and in your folder ``decks`` are known by their names."""
    if template and template not in template_names():
        template = str(added_file(Path(template), "decks", "templates"))
    return added_file(path, "decks"), template


def check_deck(path: Path, template: str | None) -> tuple[list[str], ImportSum]:
    """Everything that keeps a deck file from being printed with a template, and what of it is not printed.

    Raises:
        FileUnreadable, UnknownPrintName: there is no such file, or no such template.
    """
    from loomtable.printkit.kit import PrintSettings
    from loomtable.printkit.sheet.document import pages_to_pdf
    from loomtable.printkit.sheet.imposition import lay_out

    faults: list[LoomtableError] = []
    counted = ImportSum(path.name, DeckInvalid)
    try:
        deck = own_deck(path, template, report=faults.append, counted=counted)
    except DeckInvalid as error:
        return [str(error)], counted
    settings = PrintSettings(singly=True)
    pages_to_pdf(lay_out(deck.pieces(settings), settings), settings.sheets(deck.title))
    return list(dict.fromkeys(map(str, faults))), counted


def own_deck(
    path: Path,
    template: str | None = None,
    reader: tuple[CameraKind, float] | None = None,
    report: Report = refuse,
    counted: ImportSum | None = None,
) -> Component:
    """The component that prints a deck file with a template, named after the file.

    ``reader`` is a camera and how far it is (mm): the codes become as large as it needs. ``report`` is told all
    that is wrong with single cards, also while they are drawn; without it the first is raised. What of the file is
    printed, and what is not, is ``counted``. Without ``template``, the columns decide.

    Raises:
        FileUnreadable, UnknownPrintName, DeckInvalid: bad input; the message names file, card and field.
        CodeUnreadable: no code that fits could be read by that camera, or the template has none.
    """
    table, chosen = read_table(path, report), template is not None
    template = template or _fullest(table)
    if counted and not chosen and template_named(template).code is None:
        counted.said.append((0, "", f"the template is {template!r}, without a code that a camera reads"))
    layout = template_named(template)
    rows = read_rows(table, layout, report, counted, chosen=chosen)
    code_width = _code_width(layout, reader)
    beside = Path(template).parent
    drawing = CardDrawing(layout, looks_of(layout, beside), path.parent, beside, code_width, report)

    def pieces(_: RenderOptions) -> list[PrintedCard]:
        return cards_of(rows, drawing)

    name = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-") or "deck"
    return Component(name, path.stem, f"{len(rows)} cards of {path.name}", "own", pieces, kinds=(Kind.HOME,))


def _fullest(table: Table) -> str:
    """The template that shows most of a table's columns; one with a code, if the cards have codes."""
    layouts = {name: template_named(name) for name in dict.fromkeys((*_FIRST, *template_names()))}
    shown = {name: (layout.code is not None, shown_by(table, layout)) for name, layout in layouts.items()}
    return max((name for name in shown if shown[name][1]), key=lambda name: shown[name], default="words")


def cards_of(rows: Sequence[Row], drawing: CardDrawing) -> list[PrintedCard]:
    """A deck's cards, as its template draws them."""
    size, has_back = drawing.template.card_size, drawing.template.back is not None

    def printed(row: Row) -> PrintedCard:
        front, back = partial(drawing.front, row), partial(drawing.back, row) if has_back else None
        return PrintedCard(row.id, row.name, front, back, size, row.copies, ground=drawing.ground(row))

    return [printed(row) for row in rows]


def ready_cards(template: str, cards: Sequence[Mapping[str, str]], deck: str) -> list[PrintedCard]:
    """Cards of ours, drawn with a template in ``templates/decks/ready``; ``deck`` names them in errors."""
    file = package_file("templates", "decks", "ready", f"{template}.yaml")
    layout = parse_template(read_text(file), file.name)
    drawing = CardDrawing(layout, looks_of(layout, file.parent), file.parent, file.parent, None, refuse)
    ids = (ComponentId.parse(card["code"]) if "code" in card else None for card in cards)
    rows = [Row(deck, at, card, id_, 1) for at, (card, id_) in enumerate(zip(cards, ids, strict=True), start=1)]
    return cards_of(rows, drawing)


def _code_width(template: Template, reader: tuple[CameraKind, float] | None) -> float | None:
    if reader is None:
        return None
    if template.code is None:
        raise CodeUnreadable(f"template {template.template!r} has no code for a camera to read")
    module = fitting_module(*reader, template.code.width, f"template {template.template!r}")
    return module * (MODULES + 2 * QUIET)
