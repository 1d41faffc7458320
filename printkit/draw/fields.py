"""Fields on a page that can be typed into or ticked on a screen (AcroForm), laid over what is drawn.

What a field holds at first is set in the house's own type, so that every glyph it shows is in the file; what
people type is set in Helvetica, which every program that shows PDF files has, as large as the field has room for.
Each has a look of its own, for programs that fill in forms write into it. Fields stand in the order in which
they were drawn, which is the order in which the tabulator key goes through them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import Path, ribbon
from loomtable.printkit.draw.pen import Box, Pen
from loomtable.printkit.draw.type import POINT, Font

PEN_INK = Colour.hex("1C2C5E")
"""What is filled in, as if with a pen."""
_MULTILINE, _CENTRED = 1 << 12, 1
_PRINTED = 4
"""The flag of an annotation that is printed too."""


@dataclass(frozen=True)
class SetLine:
    """A line of type as it stands in a field or on the paper: its left end and baseline in mm from the field's."""

    x: float
    y: float
    words: str


@dataclass(frozen=True)
class TextField:
    """A place for words. ``says`` is shown by programs when the pointer rests on it.

    ``lines`` are the ``value`` as it is set at ``points``; ``several`` takes more than one line.
    """

    name: str
    says: str
    value: str
    lines: tuple[SetLine, ...]
    face: Font
    points: float
    several: bool = False
    centred: bool = False


@dataclass(frozen=True)
class TickField:
    """A box to tick."""

    name: str
    says: str
    ticked: bool


def tick_mark(x: float, y: float, size: float) -> Path:
    """A cross of two brush strokes in a box of ``size`` mm whose lower left corner is (x, y)."""
    low, high = size * 0.18, size * 0.82
    strokes = (
        [(low, low * 1.1), (size * 0.46, size * 0.52), (high, high)],
        [(low * 1.1, high), (size * 0.54, size * 0.46), (high, low * 0.9)],
    )
    widths = [size * 0.05, size * 0.17, size * 0.04]
    drawn = Path()
    for points in strokes:
        drawn += ribbon([(x + px, y + py) for px, py in points], widths, 4)
    return drawn


def add_field(pen: Pen, field: TextField | TickField, box: Box) -> None:
    """Lay a field over ``box`` (mm, in the pen's place); a name that is taken gets a number."""
    from reportlab.pdfbase import pdfdoc

    from loomtable.printkit.draw import pdf_objects

    canvas = pen.canvas
    left, bottom, width, height = box
    corners = [canvas.absolutePosition(left, bottom), canvas.absolutePosition(left + width, bottom + height)]
    is_turned = corners[1][0] < corners[0][0]
    matrix = {"Matrix": pdfdoc.PDFArray([-1, 0, 0, -1, 0, 0])} if is_turned else {}
    (x1, x2), (y1, y2) = (sorted(round(c[axis], 3) for c in corners) for axis in (0, 1))
    name = pdf_objects.free_field_name(canvas, field.name)
    if isinstance(field, TickField):
        look = _tick(pen, field, matrix)
    else:
        look = _text(pen, field, f"field-{name}", (x2 - x1, y2 - y1), matrix)
        look["DA"] = pdfdoc.PDFString(f"/{pdf_objects.typing_font(canvas)} 0 Tf 0.11 0.17 0.37 rg")
    pdf_objects.add_widget(
        canvas,
        {
            "T": pdfdoc.PDFString(name),
            "TU": pdfdoc.PDFString(field.says),
            "Rect": pdfdoc.PDFArray([x1, y1, x2, y2]),
            "F": _PRINTED,
            "MK": pdfdoc.PDFDictionary({"R": 180} if is_turned else {}),
            **look,
        },
    )


def _text(
    pen: Pen, field: TextField, form: str, size: tuple[float, float], matrix: Mapping[str, Any]
) -> dict[str, Any]:
    from reportlab.pdfbase import pdfdoc

    def draw(inner: Pen) -> None:
        with inner.at(0, 0, scale=1 / POINT):
            for line in field.lines:
                inner.text(line.x, line.y, line.words, field.face, field.points, PEN_INK)

    known = pen.form(form, (0, 0, *size), draw, **matrix)
    return {
        "FT": pdfdoc.PDFName("Tx"),
        "V": pdfdoc.PDFString(field.value),
        "DV": pdfdoc.PDFString(field.value),
        "Ff": _MULTILINE if field.several else 0,
        "Q": _CENTRED if field.centred else 0,
        "AP": pdfdoc.PDFDictionary({"N": pdfdoc.PDFObjectReference(pdfdoc.xObjectName(known))}),
    }


def _tick(pen: Pen, field: TickField, matrix: Mapping[str, Any]) -> dict[str, Any]:
    from reportlab.pdfbase import pdfdoc

    def draw_tick(inner: Pen) -> None:
        inner.solid(tick_mark(0, 0, 10), PEN_INK)

    looks = {
        "Yes": pen.form("tick-Yes", (0, 0, 10, 10), draw_tick, **matrix),
        "Off": pen.form("tick-Off", (0, 0, 10, 10), lambda inner: None, **matrix),
    }
    shown = {name: pdfdoc.PDFObjectReference(pdfdoc.xObjectName(form)) for name, form in looks.items()}
    state = pdfdoc.PDFName("Yes" if field.ticked else "Off")
    return {
        "FT": pdfdoc.PDFName("Btn"),
        "V": state,
        "DV": state,
        "AS": state,
        "AP": pdfdoc.PDFDictionary({"N": pdfdoc.PDFDictionary(shown)}),
    }
