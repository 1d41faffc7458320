"""Drawing the cards of one's own deck."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from PIL import Image

from loomtable.printkit.decks.rows import Row
from loomtable.printkit.decks.template import (
    FACES,
    Area,
    Back,
    CodeBox,
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
from loomtable.printkit.draw.type import AnyFace, own_face
from loomtable.printkit.draw.weaving import Band, Lattice, draw_lattice
from loomtable.printkit.draw.wrapping import LEADING, wrapped
from loomtable.printkit.errors import DeckInvalid
from loomtable.printkit.sheet.papers import BLEED, CardSize

LEAST_DPI = 300
_POINT = 25.4 / 72
_CAPITAL = 0.7
_MOST_PIXELS = 100_000_000


def faces_of(template: Template, folder: Path) -> dict[str, AnyFace]:
    """The faces of a template by their names there: ours, or those of its font files in ``folder``.

    Raises:
        FontMissing: a file is no TrueType font.
    """
    return FACES | {name: own_face(folder / file) for name, file in template.fonts.items()}


def draw_front(
    pen: Pen,
    row: Row,
    template: Template,
    folder: Path,
    code_width: float | None,
    faces: Mapping[str, AnyFace] = FACES,
) -> None:
    """Draw a card's face; ``folder`` is where its pictures lie, ``code_width`` (mm) overrides the template's.

    Raises:
        GlyphMissing, TextTooLong, DeckInvalid: it cannot be drawn; the message names card and field.
    """
    for box in template.boxes:
        if isinstance(box, Plate):
            _plate(pen, box)
        elif isinstance(box, TextBox):
            _text(pen, box, row, faces[box.face])
        elif isinstance(box, PictureBox):
            name = row.fields.get(box.field, "")
            if name:
                draw_picture(pen, folder / name, box.at, row.called(box.field))
        else:
            _code(pen, box, row, code_width or box.width)


def back_of(template: Template, size: CardSize, folder: Path) -> Callable[[Pen], None] | None:
    """What draws the back, or ``None`` where the template has none; ``folder`` is where its picture lies."""
    back = template.back
    if back is None:
        return None
    box = (-BLEED, -BLEED, size.width + 2 * BLEED, size.height + 2 * BLEED)
    if back.picture:
        called = f"template {template.template!r}, back"
        return lambda pen: draw_picture(pen, folder / back.picture, box, called)
    return lambda pen: pen.place(f"back-{template.template}", box, lambda inner: _back(inner, back, size))


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


def _text(pen: Pen, box: TextBox, row: Row, face: AnyFace) -> None:
    words = box.words or row.fields.get(box.field, "")
    if not words:
        return
    left, bottom, width, height = box.at
    lines, points = wrapped(words, face, (width, height), box.points, box.least, row.called(box.field or "words"))
    step, capital = points * _POINT * LEADING, points * _POINT * _CAPITAL
    tall = capital + (len(lines) - 1) * step
    top = {"top": bottom + height, "middle": bottom + (height + tall) / 2, "bottom": bottom + tall}[box.stands]
    x = {"left": left, "middle": left + width / 2, "right": left + width}[box.align]
    colour = colour_of(box.colour)
    for at, line in enumerate(lines):
        pen.text(x, top - capital - at * step, line, face, points, colour, align=box.align)


def _code(pen: Pen, box: CodeBox, row: Row, width: float) -> None:
    assert row.id is not None, "rows without a code are refused when they are read"
    with pen.at(*box.at, scale=width / PLATE):
        draw_code(pen, row.id, 0, 0)


def draw_picture(pen: Pen, path: Path, at: Area, called: str) -> None:
    """A picture file, filling a box; what stands over at two sides is cut off.

    Raises:
        DeckInvalid: it cannot be read or is too small; the message begins with ``called``.
    """
    left, bottom, width, height = at
    name = path.name
    try:
        picture = _opened(str(path), path.stat().st_mtime_ns)
    except Image.DecompressionBombError:
        why = f"it has more than {_MOST_PIXELS // 1_000_000} million pixels"
        raise DeckInvalid(f"{called}: {name} cannot be used ({why})") from None
    except (OSError, SyntaxError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it is not a picture"
        raise DeckInvalid(f"{called}: {name} cannot be used ({why})") from None
    scale = max(width / picture.width, height / picture.height)
    dpi = 25.4 / scale
    if dpi < LEAST_DPI:
        need = f"{round(width / 25.4 * LEAST_DPI)} x {round(height / 25.4 * LEAST_DPI)}"
        raise DeckInvalid(
            f"{called}: {name} has {picture.width} x {picture.height} pixels, only {dpi:.0f} dpi "
            f"on {width:g} x {height:g} mm; {LEAST_DPI} dpi need {need} pixels"
        )
    shown_width, shown_height = picture.width * scale, picture.height * scale
    x, y = left + (width - shown_width) / 2, bottom + (height - shown_height) / 2
    with pen.clipped(rect(left, bottom, width, height)):
        pen.picture(path, picture, (x, y, shown_width, shown_height))


@lru_cache(maxsize=8)
def _opened(path: str, changed: int) -> Image.Image:
    """The picture of a file (``changed`` keeps an older one from being shown), opaque on white."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the limit is ours, and an error
        opened = Image.open(path)
    with opened as picture:
        if picture.width * picture.height > _MOST_PIXELS:
            raise Image.DecompressionBombError
        picture.load()
        if picture.mode in ("RGBA", "LA", "P"):
            clear = picture.convert("RGBA")
            ground = Image.new("RGBA", clear.size, "white")
            return Image.alpha_composite(ground, clear).convert("RGB")
        return picture.convert("RGB")
