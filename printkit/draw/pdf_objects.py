"""What reportlab has no public way to do: fields with looks of our own, an output intent, pages packed at once.

Everything here reaches behind reportlab's public interface, and nothing else in the house does. It holds for
reportlab 4.2 up to, not including, 6: the bounds in ``pyproject.toml``. Try the tests of fields and of press files
with a newer one before raising them.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFStream, PDFString, pdfdocEnc


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
    form.fields.append(form.getRef(widget))


def declare_output_intent(canvas: Any, icc: bytes, condition: str, xmp: bytes) -> None:
    """Write the output intent, the metadata and the trapping flag that PDF/X-4 asks for into the file."""
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


def compress_last_page(canvas: Any) -> None:
    """Compress the page that was shown last; reportlab keeps every page as plain text until the file is saved."""
    page = canvas._doc.Pages.pages[-1]
    packed = zlib.compress(pdfdocEnc(page.stream))
    page.Contents = PDFStream(PDFDictionary({"Filter": PDFName("FlateDecode")}), packed, filters=[])
    page.stream = None
