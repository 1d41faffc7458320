"""What reportlab has no public way to do: fields with looks of our own, clear parts of pictures in any inks, an
output intent, pages packed at once.

Everything here, in ``loomtable.printkit.draw.structure`` and in ``made_font`` beside it reaches behind reportlab's
public interface, and nothing else in the house does. It holds for reportlab 4.2 up to, not including, 6 (see
``pyproject.toml``). Try the tests of fields, press files, scripts and screen readers with a newer one before
raising that.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFInfo,
    PDFName,
    PDFStream,
    PDFString,
    pdfdocEnc,
    xObjectName,
)
from reportlab.pdfgen.canvas import Canvas


def free_field_name(canvas: Any, name: str) -> str:
    """The name itself, or with a number where a field of the file has it already."""
    taken: dict[str, int] = canvas.acroForm.__dict__.setdefault("_loom_names", {})
    taken[name] = taken.get(name, 0) + 1
    return name if taken[name] == 1 else f"{name} ({taken[name]})"


def typing_font(canvas: Any) -> str:
    """The name in the file of the face in which people type: Helvetica, which every program has."""
    return str(canvas.acroForm.makeFont("Helvetica")[1])


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


_STATE = itemgetter(*Canvas.STATE_ATTRIBUTES)


class PackingCanvas(Canvas):  # type: ignore[misc]  # reportlab has no types
    """Compresses each page and form once it is drawn; reportlab keeps them as plain text until the end."""

    _code: list[str]
    _extgstate: Any

    def push_state_stack(self) -> None:
        """Keep the state as reportlab does, three times as fast."""
        self.state_stack.append(dict(zip(self.STATE_ATTRIBUTES, _STATE(self.__dict__), strict=True)))
        self._extgstate = self._extgstate.pushCopy()

    def showPage(self) -> None:  # noqa: N802 - reportlab's name
        """End the page."""
        super().showPage()
        page = self._doc.Pages.pages[-1]
        page.Contents, page.stream = _compressed(page.stream), None

    def endForm(self, **entries: Any) -> None:  # noqa: N802 - reportlab's name
        """End the form, with more ``entries`` in its dictionary."""
        name, code, self._code = self._formData[0], self._code, []
        super().endForm(**entries)
        form = self._doc.idToObject[xObjectName(name)]
        form.Contents, form.stream, form.compression = _compressed("\n".join([self._preamble, *code])), None, 0


def _compressed(operators: str) -> PDFStream:
    """Operators as a stream. Most are ASCII, which Python encodes many times as fast as reportlab's codec."""
    content = operators.encode("ascii") if operators.isascii() else pdfdocEnc(operators)
    return PDFStream(PDFDictionary({"Filter": PDFName("FlateDecode")}), zlib.compress(content), filters=[])
