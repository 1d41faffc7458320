"""Drawing the cards of one's own deck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from loomtable.printkit.decks.icons import Icons
from loomtable.printkit.decks.markup import spans_of
from loomtable.printkit.decks.pictures import draw_picture
from loomtable.printkit.decks.rows import Row
from loomtable.printkit.decks.table import Report
from loomtable.printkit.decks.template import (
    FACES,
    Area,
    Back,
    Box,
    PictureBox,
    Plate,
    Template,
    TextBox,
    area_of,
    colour_of,
)
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.codes import PLATE, draw_code
from loomtable.printkit.draw.palette import CREAM, Colour
from loomtable.printkit.draw.path import circle, ellipse, rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import draw_line, set_text
from loomtable.printkit.draw.type import POINT, AnyFace, OwnFace, own_face
from loomtable.printkit.draw.typefaces import Typefaces
from loomtable.printkit.draw.weaving import Band, Lattice, draw_lattice
from loomtable.printkit.errors import DeckInvalid, PrintError
from loomtable.printkit.sheet.papers import BLEED, CardSize

OURS = "art:"
"""What stands before the name of one of our drawings, in place of a picture's file."""
_DESCENDER = 0.25
"""How far letters reach below their line; what reaches farther is lifted off the box's lower edge."""


@dataclass(frozen=True)
class DeckLooks:
    """What a template's words are set in: its faces by their names there, and its icons."""

    faces: Mapping[str, AnyFace]
    icons: Icons

    def typefaces(self, name: str, language: str) -> Typefaces:
        """A face, with fonts of one's own for bold and italic words where the template has some."""
        own = {key: face for key, face in self.faces.items() if isinstance(face, OwnFace)}
        return Typefaces(self.faces[name], own.get("bold"), own.get("italic"), language)


def looks_of(template: Template, folder: Path) -> DeckLooks:
    """The faces and icons of a template: ours, or those of its files in ``folder``.

    Raises:
        FontMissing: a file is no font that can be used.
        DeckInvalid: an icon's picture cannot be used.
    """
    faces = FACES | {name: own_face(folder / file) for name, file in template.fonts.items()}
    return DeckLooks(faces, Icons(template, folder))


@dataclass(frozen=True)
class CardDrawing:
    """Draws the cards of a deck. ``folder`` is where its pictures are, ``beside`` where those of the template are.

    ``code_width`` (mm) overrides the template's. ``report`` is told of whatever cannot be drawn (GlyphMissing,
    TextTooLong, DeckInvalid); the messages name card and field.
    """

    template: Template
    looks: DeckLooks
    folder: Path
    beside: Path
    code_width: float | None
    report: Report

    def front(self, row: Row, pen: Pen) -> None:
        """Draw a card's face."""
        self._boxes(pen, self.template.boxes, row)

    def back(self, row: Row, pen: Pen) -> None:
        """Draw the other side: the picture that the card names, or the template's, or its pattern; then boxes."""
        back, size = self.template.back, self.template.card_size
        assert back is not None
        own = row.fields.get(back.field, "") if back.field else ""
        box = (-BLEED, -BLEED, size.width + 2 * BLEED, size.height + 2 * BLEED)
        with _reported(self.report):
            if own:
                draw_picture(pen, _beside(self.folder, own), box, row.called(back.field))
            elif back.picture:
                draw_picture(pen, self.beside / back.picture, box, f"template {self.template.template!r}, back")
            elif back.ground != "none":
                pen.place(f"back-{self.template.template}", box, lambda inner: draw_pattern(inner, back, size))
        self._boxes(pen, back.boxes, row)

    def ground(self, row: Row) -> Colour:
        """What is below both sides."""
        try:
            return _colour(self.template.ground, row)
        except DeckInvalid as error:
            self.report(error)
            return CREAM

    def _boxes(self, pen: Pen, boxes: Sequence[Box], row: Row) -> None:
        for box in boxes:
            if box.is_on(row.fields):
                left, bottom, width, height = area_of(box)
                x, y = left + width / 2, bottom + height / 2
                with _reported(self.report), pen.at(x, y, turn=box.turn) if box.turn else nullcontext():
                    area = (-width / 2, -height / 2, width, height) if box.turn else (left, bottom, width, height)
                    self._box(pen, box, area, row)

    def _box(self, pen: Pen, box: Box, at: Area, row: Row) -> None:
        if isinstance(box, Plate):
            _plate(pen, box, at, row)
        elif isinstance(box, TextBox):
            _text(pen, box, at, row, self.looks)
        elif isinstance(box, PictureBox):
            name = box.file or row.fields.get(box.field, "")
            if name.startswith(OURS):
                _drawing(pen, name.removeprefix(OURS), at, row.called(box.field or "picture"), box.fit == "whole")
            elif "://" in name:
                trouble = "is an address; save the picture beside the table, and name its file"
                raise DeckInvalid(f"{row.called(box.field)}: {trouble}")
            elif name:
                path = self.beside / box.file if box.file else _beside(self.folder, name)
                draw_picture(pen, path, at, row.called(box.field or "picture"), whole=box.fit == "whole")
        elif row.id is not None:
            with pen.at(*at[:2], scale=(self.code_width or box.width) / PLATE):
                draw_code(pen, row.id, 0, 0)


def _drawing(pen: Pen, name: str, at: Area, called: str, whole: bool) -> None:
    """A drawing of ours, such as ``motifs/key``, in a box, as a picture file is.

    Raises:
        UnknownMotif: there is none; the message begins with ``called``.
    """
    folder, _, file = name.strip().partition("/")
    art = art_named(folder, file, called)
    left, bottom, wide, high = art.box
    x, y, width, height = at
    scale = (min if whole else max)(width / wide, height / high)
    with (
        pen.clipped(rect(*at)),
        pen.at(x + width / 2, y + height / 2, scale=scale),
        pen.at(-left - wide / 2, -bottom - high / 2),
    ):
        art.draw(pen)


@contextmanager
def _reported(report: Report) -> Iterator[None]:
    try:
        yield
    except PrintError as error:
        report(error)


def _colour(code: str, row: Row) -> Colour:
    try:
        return colour_of(code, row.fields)
    except DeckInvalid as error:
        raise DeckInvalid(f"{row.called()}, {error}") from None


def _beside(folder: Path, name: str) -> Path:
    """The file that a table names, perhaps as Windows writes it: ``art\\bell.png``."""
    return folder / name.replace("\\", "/")


def draw_pattern(pen: Pen, back: Back, size: CardSize) -> None:
    """Draw the pattern of a back, as far as the bleed."""
    first, second = (colour_of(code) for code in back.colours)
    if back.pattern == "plain":
        pen.fill(rect(-BLEED, -BLEED, size.width + 2 * BLEED, size.height + 2 * BLEED), first)
        return
    rising = Band(4.3, first.towards(CREAM, 0.75), first, first.towards(CREAM, 0.3))
    falling = Band(4.3, second.towards(CREAM, 0.75), second, second.towards(CREAM, 0.3))
    mesh = (max(3, round(size.width / 9)), max(3, round(size.height / 9)))
    draw_lattice(pen, Lattice(size.width, size.height, *mesh), BLEED, rising, falling)
    x, y, radius = size.width / 2, size.height / 2, min(size.width, size.height) / 4
    pen.fill(circle(x, y, radius), first)
    pen.fill_background(circle(x, y, radius * 0.93), CREAM)
    pen.stroke(circle(x, y, radius * 0.8), second, 0.4)


def _plate(pen: Pen, box: Plate, at: Area, row: Row) -> None:
    left, bottom, width, height = at
    if box.shape == "oval":
        shape = ellipse(left + width / 2, bottom + height / 2, width / 2, height / 2)
    else:
        shape = (
            rounded(left, bottom, width, height, box.corner) if box.corner else rect(left, bottom, width, height)
        )
    if box.colour:
        pen.fill_background(shape, _colour(box.colour, row))
    if box.line:
        pen.stroke(shape, _colour(box.line, row), box.line_width)


def _text(pen: Pen, box: TextBox, at: Area, row: Row, looks: DeckLooks) -> None:
    words = box.words or row.fields.get(box.field, "")
    if not words:
        return
    called = row.called(box.field or "words")
    left, bottom, width, height = at
    spans = spans_of(words, looks.icons.names, called)
    faces = looks.typefaces(box.face, row.fields.get("language", ""))
    text = set_text(spans, faces, (width, height), box.points, box.least, called)
    size = text.points * POINT
    step = text.leading * size
    tall = text.top * size + (len(text.lines) - 1) * step
    deep = max(0.0, text.bottom - _DESCENDER) * size
    middle = bottom + (height + tall) / 2
    top = {"top": bottom + height, "middle": middle, "bottom": bottom + deep + tall}[box.stands]
    colour = _colour(box.colour, row)
    for number, line in enumerate(text.lines):
        spare = width - line.width * size
        align = box.align if box.align != "start" else "right" if line.rtl else "left"
        x = left + {"left": 0.0, "middle": spare / 2, "right": spare}[align]
        y = top - text.top * size - number * step
        draw_line(pen, line, x, y, text.points, colour, looks.icons.draw)
