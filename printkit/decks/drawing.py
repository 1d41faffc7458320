"""Drawing the cards of one's own deck."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
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
    PictureBox,
    Plate,
    Template,
    TextBox,
    colour_of,
)
from loomtable.printkit.draw.codes import PLATE, draw_code
from loomtable.printkit.draw.palette import CREAM
from loomtable.printkit.draw.path import circle, rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import draw_line, set_text
from loomtable.printkit.draw.type import POINT, AnyFace, OwnFace, own_face
from loomtable.printkit.draw.typefaces import Typefaces
from loomtable.printkit.draw.weaving import Band, Lattice, draw_lattice
from loomtable.printkit.errors import PrintError
from loomtable.printkit.sheet.papers import BLEED, CardSize

_DESCENDER = 0.25
"""How far letters reach below their line; what reaches farther is lifted off the box's lower edge."""


@dataclass(frozen=True)
class DeckLooks:
    """What a template's words are set in: its faces by their names there, and its icons."""

    faces: Mapping[str, AnyFace]
    icons: Icons

    def typefaces(self, name: str) -> Typefaces:
        """A face, with fonts of one's own for bold and italic words where the template has some."""
        own = {key: face for key, face in self.faces.items() if isinstance(face, OwnFace)}
        return Typefaces(self.faces[name], own.get("bold"), own.get("italic"))


def looks_of(template: Template, folder: Path) -> DeckLooks:
    """The faces and icons of a template: ours, or those of its files in ``folder``.

    Raises:
        FontMissing: a file is no font that can be used.
        DeckInvalid: an icon's picture cannot be used.
    """
    faces = FACES | {name: own_face(folder / file) for name, file in template.fonts.items()}
    return DeckLooks(faces, Icons(template, folder))


def draw_front(
    pen: Pen,
    row: Row,
    template: Template,
    folder: Path,
    code_width: float | None,
    looks: DeckLooks,
    report: Report,
) -> None:
    """Draw a card's face; ``folder`` is where its pictures lie, ``code_width`` (mm) overrides the template's.

    ``report`` is told of each box that cannot be drawn (GlyphMissing, TextTooLong, DeckInvalid); the messages name
    card and field.
    """
    for box in template.boxes:
        with reported(report):
            if isinstance(box, Plate):
                _plate(pen, box)
            elif isinstance(box, TextBox):
                _text(pen, box, row, looks)
            elif isinstance(box, PictureBox):
                name = row.fields.get(box.field, "")
                if name:
                    draw_picture(pen, _beside(folder, name), box.at, row.called(box.field))
            elif row.id is not None:
                with pen.at(*box.at, scale=(code_width or box.width) / PLATE):
                    draw_code(pen, row.id, 0, 0)


@contextmanager
def reported(report: Report) -> Iterator[None]:
    """Tell ``report`` what cannot be drawn."""
    try:
        yield
    except PrintError as error:
        report(error)


def back_of(template: Template, size: CardSize, folder: Path) -> Callable[[Pen], None] | None:
    """What draws the back, or ``None`` where the template has none; ``folder`` is where its picture lies."""
    back = template.back
    if back is None:
        return None
    box = _with_bleed(size)
    if back.picture:
        called = f"template {template.template!r}, back"
        return lambda pen: draw_picture(pen, folder / back.picture, box, called)
    return lambda pen: pen.place(f"back-{template.template}", box, lambda inner: _back(inner, back, size))


def own_back(template: Template, row: Row, size: CardSize, folder: Path) -> Callable[[Pen], None] | None:
    """What draws the picture that a card names for its own back, if it does; ``folder`` is where it lies."""
    field = template.back.field if template.back else ""
    picture = row.fields.get(field, "") if field else ""
    if not picture:
        return None
    return lambda pen: draw_picture(pen, _beside(folder, picture), _with_bleed(size), row.called(field))


def _beside(folder: Path, name: str) -> Path:
    """The file that a table names, perhaps as Windows writes it: ``art\\bell.png``."""
    return folder / name.replace("\\", "/")


def _with_bleed(size: CardSize) -> Area:
    return (-BLEED, -BLEED, size.width + 2 * BLEED, size.height + 2 * BLEED)


def _back(pen: Pen, back: Back, size: CardSize) -> None:
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


def _plate(pen: Pen, box: Plate) -> None:
    left, bottom, width, height = box.at
    shape = rounded(left, bottom, width, height, box.corner) if box.corner else rect(left, bottom, width, height)
    pen.fill_background(shape, colour_of(box.colour))
    if box.line:
        pen.stroke(shape, colour_of(box.line), box.line_width)


def _text(pen: Pen, box: TextBox, row: Row, looks: DeckLooks) -> None:
    words = box.words or row.fields.get(box.field, "")
    if not words:
        return
    called = row.called(box.field or "words")
    left, bottom, width, height = box.at
    spans = spans_of(words, looks.icons.names, called)
    text = set_text(spans, looks.typefaces(box.face), (width, height), box.points, box.least, called)
    size = text.points * POINT
    step = text.leading * size
    tall = text.top * size + (len(text.lines) - 1) * step
    deep = max(0.0, text.bottom - _DESCENDER) * size
    middle = bottom + (height + tall) / 2
    top = {"top": bottom + height, "middle": middle, "bottom": bottom + deep + tall}[box.stands]
    for at, line in enumerate(text.lines):
        spare = width - line.width * size
        align = box.align if box.align != "start" else "right" if line.rtl else "left"
        x = left + {"left": 0.0, "middle": spare / 2, "right": spare}[align]
        y = top - text.top * size - at * step
        draw_line(pen, line, x, y, text.points, colour_of(box.colour), looks.icons.draw)
