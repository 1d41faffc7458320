"""The canvas that files are drawn on: reportlab's, written tersely.

Its own says every colour, width and matrix again, formats numbers slowly and repeats much in each shared form.
This one leaves out what is set already and compresses every stream as soon as it is whole, so that a file of many
pages stays small in memory too. It is drawn on in millimetres and writes whole hundredths of them: half a dot at
1200 dpi, in fewer bytes than any number with a point. Only what the :class:`~printkit.draw.pen.Pen` uses is
written anew, all else is reportlab's.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Any, ClassVar

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFFormXObject, PDFObject
from reportlab.pdfbase.pdfdoc import format as formatted
from reportlab.pdfgen.canvas import Canvas

from loomtable.printkit.draw.letters import Letters
from loomtable.printkit.sheet.compact import LEVEL, CompactDocument, stream
from loomtable.printkit.sheet.printer import Affine, after

_FINE = 100
"""What is written for a millimetre."""
_UNKNOWN: dict[str, object] = {"fill": None, "line": None, "width": None, "cap": None, "join": None, "face": None}
_PAINTS = {(1, 0, 1): "f", (1, 0, 0): "f*", (0, 1, 1): "S", (0, 1, 0): "S", (1, 1, 1): "B", (1, 1, 0): "B*"}
"""Operators that paint a path, by fill, stroke and fill mode (0 is even-odd)."""


class TerseCanvas(Canvas):  # type: ignore[misc]
    """A canvas that draws what reportlab's draws, in fewer bytes and less time. All lengths on it are millimetres.

    What is known to be set is kept in ``_known``; it is forgotten where a form begins, because a form starts out
    with whatever was set where it is shown.
    """

    _currentMatrix: Affine  # noqa: N815 - reportlab's name
    STATE_ATTRIBUTES: ClassVar = ["_known", "_currentMatrix", "_fontname", "_fontsize", "_leading"]

    def __init__(self, file: Any, **settings: Any) -> None:
        self._known = dict(_UNKNOWN)
        self._stamps: dict[str, str] = {}
        super().__init__(file, **settings)
        self._doc = CompactDocument(
            compression=settings.get("pageCompression"),
            invariant=settings.get("invariant"),
            filename=file,
            pdfVersion=settings.get("pdfVersion") or (1, 5),
            lang=settings.get("lang"),
        )
        self._letters: dict[str, Letters] = {}
        self.setEncrypt(None)

    def init_graphics_state(self) -> None:
        """Nothing is known to be set; lengths are millimetres."""
        super().init_graphics_state()
        self._known = dict(_UNKNOWN)
        self._currentMatrix = (mm, 0.0, 0.0, mm, 0.0, 0.0)

    def _make_preamble(self) -> None:
        """What every page begins with."""
        self._preamble = f"{_short(mm / _FINE, 12)} 0 0 {_short(mm / _FINE, 12)} 0 0 cm"

    def push_state_stack(self) -> None:
        """Keep what is set, to come back to it."""
        state = self.__dict__
        self.state_stack.append({name: state[name] for name in self.STATE_ATTRIBUTES})
        self._known = dict(self._known)

    def _say(self, what: str, value: object, operator: str) -> None:
        if self._known[what] != value:
            self._known[what] = value
            self._code.append(operator)

    # Colours and lines

    def setFillColorRGB(self, r: float, g: float, b: float, alpha: None = None) -> None:  # noqa: N802
        """Fill with red, green and blue, each 0 to 1."""
        self._say("fill", (r, g, b), f"{_colour((r, g, b))} rg")

    def setStrokeColorRGB(self, r: float, g: float, b: float, alpha: None = None) -> None:  # noqa: N802
        """Draw lines in red, green and blue, each 0 to 1."""
        self._say("line", (r, g, b), f"{_colour((r, g, b))} RG")

    def setFillColorCMYK(self, c: float, m: float, y: float, k: float, alpha: None = None) -> None:  # noqa: N802
        """Fill with four inks, each 0 to 1."""
        self._say("fill", (c, m, y, k), f"{_colour((c, m, y, k))} k")

    def setStrokeColorCMYK(self, c: float, m: float, y: float, k: float, alpha: None = None) -> None:  # noqa: N802
        """Draw lines in four inks, each 0 to 1."""
        self._say("line", (c, m, y, k), f"{_colour((c, m, y, k))} K")

    def setFillColor(self, aColor: Any, alpha: Any = None) -> None:  # noqa: N802, N803
        """Reportlab's way; what is set is not known afterwards."""
        self._known["fill"] = None
        super().setFillColor(aColor, alpha)

    def setStrokeColor(self, aColor: Any, alpha: Any = None) -> None:  # noqa: N802, N803
        """Reportlab's way; what is set is not known afterwards."""
        self._known["line"] = None
        super().setStrokeColor(aColor, alpha)

    def setLineWidth(self, width: float) -> None:  # noqa: N802
        """The width of lines from now on."""
        self._say("width", width, f"{_short(width * _FINE, 1)} w")

    def setLineCap(self, mode: int) -> None:  # noqa: N802
        """The ends of lines: 0 cut, 1 round, 2 square."""
        self._say("cap", mode, f"{mode} J")

    def setLineJoin(self, mode: int) -> None:  # noqa: N802
        """The corners of lines: 0 pointed, 1 round, 2 cut."""
        self._say("join", mode, f"{mode} j")

    # Paths and pictures

    def drawPath(self, aPath: Any, stroke: int = 1, fill: int = 0, fillMode: int | None = None) -> None:  # noqa: N802, N803
        """Fill a path, draw its line, or both; a ``fillMode`` of 0 is even-odd."""
        mode = 1 if fillMode is None else fillMode
        self._code.append(f"{aPath.fine_code(_FINE)} {_PAINTS[fill, stroke, mode]}")

    def clipPath(self, aPath: Any, stroke: int = 0, fill: int = 0, fillMode: int | None = None) -> None:  # noqa: N802, N803
        """Draw only within a path (even-odd) from now on."""
        self._code.append(f"{aPath.fine_code(_FINE)} W* n")

    def drawImage(self, image: Any, x: float, y: float, width: float, height: float, **others: Any) -> Any:  # noqa: N802
        """A picture of pixels with its lower left corner at (x, y)."""
        return super().drawImage(image, x, y, width * _FINE, height * _FINE, **others)

    # Places

    def transform(self, a: float, b: float, c: float, d: float, e: float, f: float) -> None:
        """Everything from now on is drawn through this matrix, and then through that which stood before."""
        self._currentMatrix = after(self._currentMatrix, (a, b, c, d, e, f))
        turned = "1 0 0 1" if (a, b, c, d) == (1, 0, 0, 1) else " ".join(map(_short, (a, b, c, d)))
        self._code.append(f"{turned} {_short(e * _FINE, 1)} {_short(f * _FINE, 1)} cm")

    # Type

    def setFont(self, psfontname: str, size: float, leading: float | None = None) -> None:  # noqa: N802
        """The face and its size from now on; written with the words."""
        self._fontname, self._fontsize, self._leading = psfontname, size, leading or size * 1.2

    def drawString(  # noqa: N802
        self,
        x: float,
        y: float,
        text: str,
        *,
        charSpace: float = 0,  # noqa: N803
        wordSpace: float = 0,  # noqa: N803
    ) -> None:
        """A line of type from left to right, its baseline beginning at (x, y)."""
        name = self._fontname
        letters = self._letters.get(name)
        if letters is None:
            letters = self._letters[name] = Letters(pdfmetrics.getFont(name), self._doc)
        apart = [(what, space) for what, space in (("Tc", charSpace), ("Tw", wordSpace)) if space]
        written = [f"BT {round(x * _FINE)} {round(y * _FINE)} Td"]
        written += [f"{_short(space * _FINE, 2)} {what}" for what, space in apart]
        for face, words in letters.coded(text):
            if self._known["face"] != (face, self._fontsize):
                self._known["face"] = (face, self._fontsize)
                written.append(f"{face} {_short(self._fontsize * _FINE, 2)} Tf")
            written.append(f"({words}) Tj")
        self._code.append(" ".join([*written, *[f"0 {what}" for what, _ in apart], "ET"]))

    # Forms

    def form_name(self, name: str) -> str:
        """The short name under which the file knows a form."""
        return self._stamps.setdefault(name, str(len(self._stamps)))

    def hasForm(self, name: str) -> bool:  # noqa: N802
        """Whether the form was drawn already."""
        return name in self._stamps

    def beginForm(  # noqa: N802
        self,
        name: str,
        lowerx: float = 0,
        lowery: float = 0,
        upperx: float = 0,
        uppery: float = 0,
    ) -> None:
        """Draw a form from now on, which shows nothing outside of this box."""
        super().beginForm(self.form_name(name), lowerx, lowery, upperx, uppery)

    def doForm(self, name: str) -> None:  # noqa: N802
        """Show a form."""
        super().doForm(self.form_name(name))

    def endForm(self, **extra: Any) -> None:  # noqa: N802
        """The form that was begun is whole."""
        name, *box = self._formData
        form = _TerseForm(self._code, [str(round(edge * _FINE)) for edge in box], extra.get("Matrix"))
        self._setXObjects(form)
        self._doc.addForm(name, form)
        self._restartAccumulators()
        self.pop_state_stack()


class _TerseForm(PDFFormXObject):  # type: ignore[misc]
    """A form XObject, compressed from the start, with a dictionary that says no more than it must."""

    def __init__(self, code: list[str], box: list[str], matrix: PDFObject | None) -> None:
        super().__init__(0, 0, 0, 0)
        self._box, self._matrix = " ".join(box).encode(), matrix
        content = "\n".join(code)
        self._has_type = " Tf (" in content
        self._content = zlib.compress(content.encode("latin-1"), LEVEL)

    def format(self, document: Any) -> bytes:
        """The form as it stands in the file."""
        resources = b"/Font 1 0 R" if self._has_type else b""
        if self.XObjects:
            resources += b"/XObject " + formatted(self.XObjects, document)
        matrix = b"/Matrix " + formatted(self._matrix, document) if self._matrix else b""
        entries = b"/Type/XObject/Subtype/Form/BBox[%b]%b/Resources<<%b>>" % (self._box, matrix, resources)
        return stream(entries, self._content)


@lru_cache(maxsize=4096)
def _colour(parts: tuple[float, ...]) -> str:
    return " ".join([_short(part) for part in parts])


@lru_cache(maxsize=32_768)
def _short(number: float, digits: int = 6) -> str:
    """At most so many decimals, none that is a zero at the end: ``0.5`` is ``.5``, ``3.0`` is ``3``."""
    text = f"{number:.{digits}f}".rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
