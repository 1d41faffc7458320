"""The canvas that files are drawn on: reportlab's, written tersely.

Its own says every colour, width and matrix again, formats numbers slowly and repeats much in each shared form.
This one leaves out what is set already, writes short numbers, and compresses every stream as soon as it is whole,
so that a file of many pages stays small in memory too. Drawing on it is the same; only what the
:class:`~printkit.draw.pen.Pen` uses is shortened, all else is reportlab's.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Any, ClassVar

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFFormXObject, PDFObject
from reportlab.pdfbase.pdfdoc import format as formatted
from reportlab.pdfgen.canvas import Canvas

from printkit.sheet.compact import LEVEL, CompactDocument, stream
from printkit.sheet.printer import Affine, after

_UNKNOWN: dict[str, object] = {"fill": None, "line": None, "width": None, "cap": None, "join": None}


class TerseCanvas(Canvas):  # type: ignore[misc]
    """A canvas that draws what reportlab's draws, in fewer bytes and less time.

    What is known to be set is kept in ``_known``; it is forgotten where a form begins, because a form starts out
    with whatever was set where it is shown.
    """

    _currentMatrix: Affine  # noqa: N815 - reportlab's name
    STATE_ATTRIBUTES: ClassVar = [*Canvas.STATE_ATTRIBUTES, "_known"]

    def __init__(self, file: Any, **settings: Any) -> None:
        self._known = dict(_UNKNOWN)
        super().__init__(file, **settings)
        self._doc = CompactDocument(
            compression=settings.get("pageCompression"),
            invariant=settings.get("invariant"),
            filename=file,
            pdfVersion=settings.get("pdfVersion") or (1, 5),
            lang=settings.get("lang"),
        )
        self.setEncrypt(None)

    def init_graphics_state(self) -> None:
        """Nothing is known to be set."""
        super().init_graphics_state()
        self._known = dict(_UNKNOWN)

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
        self._say("width", width, f"{_short(width)} w")

    def setLineCap(self, mode: int) -> None:  # noqa: N802
        """The ends of lines: 0 cut, 1 round, 2 square."""
        self._say("cap", mode, f"{mode} J")

    def setLineJoin(self, mode: int) -> None:  # noqa: N802
        """The corners of lines: 0 pointed, 1 round, 2 cut."""
        self._say("join", mode, f"{mode} j")

    # Places

    def transform(self, a: float, b: float, c: float, d: float, e: float, f: float) -> None:
        """Everything from now on is drawn through this matrix, and then through that which stood before."""
        self._currentMatrix = after(self._currentMatrix, (a, b, c, d, e, f))
        if (a, b, c, d) == (1, 0, 0, 1):
            self._code.append(f"1 0 0 1 {_short(e, 4)} {_short(f, 4)} cm")
        else:
            turned = " ".join(map(_short, (a, b, c, d)))
            self._code.append(f"{turned} {_short(e, 4)} {_short(f, 4)} cm")

    # Type

    def setFont(self, psfontname: str, size: float, leading: float | None = None) -> None:  # noqa: N802
        """The face and its size from now on; written with the words."""
        self._fontname, self._fontsize, self._leading = psfontname, size, leading or size * 1.2

    def drawString(self, x: float, y: float, text: str, *, charSpace: float = 0) -> None:  # noqa: N802, N803
        """A line of type from left to right, its baseline beginning at (x, y)."""
        font = pdfmetrics.getFont(self._fontname)
        written = [f"BT {_short(x)} {_short(y)} Td"]
        if charSpace:
            written.append(f"{_short(charSpace)} Tc")
        for subset, letters in font.splitString(text, self._doc):
            name = font.getSubsetInternalName(subset, self._doc)
            written.append(f"{name} {_short(self._fontsize)} Tf ({self._escape(letters)}) Tj")
        if charSpace:
            written.append("0 Tc")
        self._code.append(" ".join([*written, "ET"]))

    # Forms

    def endForm(self, **extra: Any) -> None:  # noqa: N802
        """The form that was begun is whole."""
        name, left, bottom, right, top = self._formData
        form = _TerseForm(self._code, (left, bottom, right, top), extra.get("Matrix"))
        self._setXObjects(form)
        self._doc.addForm(name, form)
        self._restartAccumulators()
        self.pop_state_stack()


class _TerseForm(PDFFormXObject):  # type: ignore[misc]
    """A form XObject, compressed from the start, with a dictionary that says no more than it must."""

    def __init__(self, code: list[str], box: tuple[float, float, float, float], matrix: PDFObject | None) -> None:
        super().__init__(*box)
        self._box, self._matrix = box, matrix
        content = "\n".join(code)
        self._has_type = " Tf (" in content
        self._content = zlib.compress(content.encode("latin-1"), LEVEL)

    def format(self, document: Any) -> bytes:
        """The form as it stands in the file."""
        resources = b"/Font 1 0 R" if self._has_type else b""
        if self.XObjects:
            resources += b"/XObject " + formatted(self.XObjects, document)
        matrix = b"/Matrix " + formatted(self._matrix, document) if self._matrix else b""
        box = " ".join(map(_short, self._box)).encode()
        entries = b"/Type/XObject/Subtype/Form/BBox[%b]%b/Resources<<%b>>" % (box, matrix, resources)
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
