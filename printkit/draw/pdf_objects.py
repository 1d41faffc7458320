"""What reportlab has no public way to do: fields with looks of our own, clear parts of pictures in any inks, an
output intent, pages packed at once.

Everything here, in ``loomtable.printkit.draw.structure`` and in ``made_font`` beside it reaches behind reportlab's
public interface, and nothing else in the house does. It holds for reportlab 4.2 up to, not including, 6 (see
``pyproject.toml``). Try the tests of fields, press files, scripts and screen readers with a newer one before
raising that.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any

from PIL import Image
from reportlab import rl_config
from reportlab.lib.rl_accel import fp_str
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfdoc
from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFArrayCompact,
    PDFDictionary,
    PDFDocument,
    PDFInfo,
    PDFName,
    PDFObjectReference,
    PDFStream,
    PDFString,
)
from reportlab.pdfbase.pdfdoc import format as format_object
from reportlab.pdfbase.pdfmetrics import getFont
from reportlab.pdfgen.canvas import Canvas


def free_field_name(canvas: Any, name: str) -> str:
    """The name itself, or with a number where a field of the file has it already."""
    taken: dict[str, int] = canvas.acroForm.__dict__.setdefault("_loom_names", {})
    taken[name] = taken.get(name, 0) + 1
    return name if taken[name] == 1 else f"{name} ({taken[name]})"


def typing_font(canvas: Any) -> str:
    """The name in the file of the face in which people type: Helvetica, encoded as all programs know."""
    form, name = canvas.acroForm, "Helv"
    if name not in form.fonts:
        entries = {"Type": "Font", "Subtype": "Type1", "BaseFont": "Helvetica", "Encoding": "WinAnsiEncoding"}
        font = PDFDictionary({key: PDFName(value) for key, value in entries.items()} | {"Name": PDFName(name)})
        form.fonts[name] = form.getRefStr(font)
    return name


def add_widget(canvas: Any, entries: Mapping[str, Any]) -> None:
    """Add a field (a widget annotation of the AcroForm) to the page that is being drawn."""
    form = canvas.acroForm
    page = canvas._doc.thisPageRef()
    widget = PDFDictionary({"Type": PDFName("Annot"), "Subtype": PDFName("Widget"), "P": page, **entries})
    canvas._addAnnotation(widget)
    reference = form.getRef(widget)
    form.fields.append(reference)
    canvas.tag_field(widget, reference)


def image_source(pixels: Image.Image, opacity: Image.Image | None) -> ImageReader:
    """A picture for the canvas: pixels in any inks, and how opaque each is, as grey (all are without it)."""
    source = ImageReader(pixels)
    source.getRGBData()  # it forgets the mask when it is first asked
    source._dataA = ImageReader(opacity) if opacity else None
    return source


class _PressInfo(PDFInfo):  # type: ignore[misc]  # reportlab has no types
    """What the file says of itself, with the version of PDF/X that it keeps to."""

    version = ""

    def format(self, document: Any) -> bytes:
        """As reportlab writes it, with one entry more."""
        written: bytes = super().format(document)
        return written.rstrip().removesuffix(b">>") + f"/GTS_PDFXVersion ({self.version})\n>>".encode()


def declare_output_intent(canvas: Any, icc: bytes, condition: str, xmp: bytes, version: str) -> None:
    """Write the output intent, the metadata, the trapping flag and the version of PDF/X into the file."""
    document = canvas._doc
    catalog = document.Catalog
    intent = {
        "Type": PDFName("OutputIntent"),
        "S": PDFName("GTS_PDFX"),
        "OutputConditionIdentifier": PDFString(condition),
        "Info": PDFString(condition),
        "DestOutputProfile": document.Reference(PDFStream(PDFDictionary({"N": 4}), icc)),
    }
    catalog.__NoDefault__ = [*catalog.__NoDefault__, "OutputIntents"]
    catalog.__Refs__ = [name for name in catalog.__Refs__ if name != "OutputIntents"]
    catalog.OutputIntents = PDFArray([PDFDictionary(intent)])
    # Without a filter, so that programs that know nothing of PDF find it.
    kind = PDFDictionary({"Type": PDFName("Metadata"), "Subtype": PDFName("XML")})
    catalog.Metadata = PDFStream(kind, xmp, filters=[])
    document.info.trapped = "False"
    document.info.__class__, document.info.version = _PressInfo, version


# Compressed streams are bytes: reportlab's ASCII85 costs a quarter in size and half the time.
rl_config.useA85 = 0


def _encoded(words: str | bytes) -> bytes:
    """As reportlab encodes words, which looks each letter up in a table, though nearly all are plain ASCII."""
    if isinstance(words, str) and words.isascii():
        return words.encode()
    encoded: bytes = _ENCODED(words)
    return encoded


_ENCODED, pdfdoc.pdfdocEnc = pdfdoc.pdfdocEnc, _encoded


class PackingCanvas(Canvas):  # type: ignore[misc]  # reportlab has no types
    """Packs all that is no stream into one, which makes the whole kit a fifth smaller, and says nothing twice."""

    _code: list[str]
    _extgstate: Any

    def push_state_stack(self) -> None:
        """Keep the state that ``pop_state_stack`` brings back: as reportlab does, in a third of the time."""
        self.state_stack.append(_STATE(self.__dict__))
        self._extgstate = self._extgstate.pushCopy()

    def pop_state_stack(self) -> None:
        """Bring the last state back that was kept."""
        self.__dict__.update(zip(self.STATE_ATTRIBUTES, self.state_stack.pop(), strict=True))

    def showPage(self) -> None:  # noqa: N802 - reportlab's names, from here on
        """End the page, and pack it at once: of thousands of pages only that is kept."""
        super().showPage()
        page = self._doc.Pages.pages[-1]
        packed = zlib.compress(page.stream.encode())
        page.Contents, page.stream = PDFStream(PDFDictionary({"Filter": PDFName("FlateDecode")}), packed), ""

    def beginForm(self, *arguments: Any) -> None:  # noqa: N802
        """Begin a form, which is drawn with whatever colours and lines are set where it is shown."""
        super().beginForm(*arguments)
        self.__dict__.update(dict.fromkeys(_INHERITED))

    def endForm(self, **entries: Any) -> None:  # noqa: N802
        """Keep the form; what it uses is an object apart, which is packed as the form itself cannot be."""
        uses = PDFDictionary({"Font": PDFObjectReference(pdfdoc.BasicFonts)})
        if self._formsinuse:
            uses["XObject"] = self._doc.xobjDict(self._formsinuse)
        super().endForm(Resources=self._doc.Reference(uses), **entries)

    def setFillColorRGB(self, *colour: float) -> None:  # noqa: N802
        """Set the colour of shapes."""
        self._set("_fillColorObj", colour, "rg")

    def setStrokeColorRGB(self, *colour: float) -> None:  # noqa: N802
        """Set the colour of lines."""
        self._set("_strokeColorObj", colour, "RG")

    def setLineWidth(self, width: float) -> None:  # noqa: N802
        """Set how wide lines are."""
        self._set("_lineWidth", (width,), "w")

    def setLineCap(self, mode: int) -> None:  # noqa: N802
        """Set how lines end."""
        self._set("_lineCap", (mode,), "J")

    def setLineJoin(self, mode: int) -> None:  # noqa: N802
        """Set how lines meet."""
        self._set("_lineJoin", (mode,), "j")

    def _set(self, name: str, numbers: tuple[float, ...], operator: str) -> None:
        """Write an operator, unless that is set already."""
        if self.__dict__[name] != numbers:
            self.__dict__[name] = numbers
            self._code.append(f"{_numbers(numbers)} {operator}")

    def drawString(self, x: float, y: float, text: str, charSpace: float = 0) -> None:  # noqa: N802, N803
        """Draw a line of type in one of our fonts, all of which are subsets."""
        font, document = getFont(self._fontname), self._doc
        code = [f"BT 1 0 0 1 {fp_str(x, y)} Tm"]
        if charSpace:
            code.append(f"{fp_str(charSpace)} Tc")
        for subset, part in font.splitString(text, document):
            name = font.getSubsetInternalName(subset, document)
            code.append(f"{name} {fp_str(self._fontsize)} Tf ({self._escape(part)}) Tj")
        if charSpace:
            code.append("0 Tc")
        self._code.append(" ".join([*code, "ET"]))

    def getpdfdata(self) -> bytes:
        """The file; whatever is no stream is packed into one where the version of PDF knows such (1.5)."""
        if self._doc._pdfVersion == (1, 5):
            self._doc.__class__ = _PackedDocument
        content: bytes = super().getpdfdata()
        return content


_INHERITED = ("_fillColorObj", "_strokeColorObj", "_lineWidth", "_lineCap", "_lineJoin")
_STATE = itemgetter(*Canvas.STATE_ATTRIBUTES)
_numbers = lru_cache(4096)(fp_str)


class _PackedDocument(PDFDocument):  # type: ignore[misc]
    """A file with an object stream and a cross-reference stream (ISO 32000-1, 7.5.7 and 7.5.8)."""

    def format(self) -> bytes:
        """All objects: streams by themselves, the others in one."""
        self.encrypt.prepare(self)
        root, info = self.Reference(self.Catalog), self.Reference(self.info)
        file = bytearray(b"%PDF-1.5\n%\x93\x8c\x8b\x9e\n")
        places: dict[int, int] = {}
        packed: list[tuple[int, bytes]] = []
        number = 1
        while number in self.numberToId:  # more are added meanwhile
            content = format_object(self.idToObject[self.numberToId[number]], self, toplevel=1)
            if content.rstrip().endswith(b"endstream"):
                places[number] = len(file)
                file += b"%d 0 obj\n%b\nendobj\n" % (number, content)
            else:
                packed.append((number, content))
            number += 1
        rows = [(0, 0, 65535)] + [(1, places.get(at, 0), 0) for at in range(1, number)]
        start, index = 0, ""
        for at, (held, content) in enumerate(packed):
            rows[held] = (2, number, at)
            index += f"{held} {start} "
            start += len(content) + 1
        rows += [(1, len(file), 0)]
        entries = {"Type": PDFName("ObjStm"), "N": len(packed), "First": len(index)}
        file += self._stream(number, entries, index.encode() + b"\n".join([content for _, content in packed]))
        rows += [(1, len(file), 0)]
        start, table = len(file), b"".join([struct.pack(">BIH", *row) for row in rows])
        entries = {"Type": PDFName("XRef"), "Size": len(rows), "W": PDFArrayCompact([1, 4, 2])}
        file += self._stream(number + 1, {**entries, "Root": root, "Info": info, "ID": self.ID()}, table)
        return bytes(file + b"startxref\n%d\n%%%%EOF\n" % start)

    def _stream(self, number: int, entries: dict[str, Any], content: bytes) -> bytes:
        packed = zlib.compress(content)
        entries |= {"Filter": PDFName("FlateDecode"), "Length": len(packed)}
        head: bytes = PDFDictionary(entries).format(self)
        return b"%d 0 obj\n%b\nstream\n%b\nendstream\nendobj\n" % (number, head, packed)
