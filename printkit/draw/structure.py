"""Tagged PDF: what a screen reader reads of a file, in which order, and what it skips.

Every line of type on a page becomes a heading or a part of a paragraph, in the order in which it is drawn. A
picture is read by a name in words; everything else is an artifact, which is skipped (ISO 32000-1, 14.8; PDF/UA-1).
The words of a form, which is kept once and shown several times, are read as one paragraph.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from xml.sax.saxutils import escape

from reportlab.pdfbase.pdfdoc import PDFArrayCompact, PDFDictionary, PDFName, PDFObject, PDFStream, PDFText

from loomtable.printkit.draw.pdf_objects import PackingCanvas
from loomtable.printkit.draw.type import Font, face_name

_LEAST_STEP, _MOST_STEP = 0.8, 1.5
"""From line to line of one paragraph, in sizes of type."""
_SAME_LINE = 0.2
_MOST_INDENT = 3.0
"""How far apart, in sizes of type, two lines of one paragraph may begin."""


class Element(PDFObject):  # type: ignore[misc]  # reportlab has no types
    """A node of the structure tree; ``kids`` are numbers of marked content on ``page``, other nodes, or fields."""

    __RefOnly__ = 1

    place: float = math.inf
    """Where it is read among its neighbours; without one, in the order in which it was drawn."""

    def __init__(self, kind: str, parent: PDFObject, page: Any = None, **words: str) -> None:
        self.kind, self.parent, self.page, self.words = kind, parent, page, words
        self.kids: list[Any] = []

    def format(self, document: Any) -> bytes:
        """The node as it stands in the file."""
        entries = {"S": PDFName(self.kind), "P": document.Reference(self.parent)}
        if self.page is not None:
            entries["Pg"] = self.page
        kids = [document.Reference(kid) if isinstance(kid, Element) else kid for kid in self.kids]
        entries["K"] = kids[0] if len(kids) == 1 else PDFArrayCompact(kids)
        entries |= {name: PDFText(words) for name, words in self.words.items()}
        content: bytes = PDFDictionary(entries).format(document)
        return content


class TaggedCanvas(PackingCanvas):
    """Tags what is drawn on it once ``begin_tags`` was called."""

    _root: PDFDictionary | None = None
    _sealed = False
    """Whether a picture is being drawn, inside of which nothing is tagged."""

    def begin_tags(self, title: str) -> None:
        """From now on all content is tagged; ``title`` is what a reader announces first."""
        self._root = PDFDictionary({"Type": PDFName("StructTreeRoot")})
        self._document = self._section = Element("Document", self._root, T=title)
        self._parents: list[Any] = []
        self._on_page: list[Element] = []
        self._words: dict[str, list[str]] = {}
        self._last: tuple[Element, str, tuple[float, float], float, float] | None = None

    @contextmanager
    def section(self, title: str, place: float = math.inf) -> Iterator[None]:
        """What is drawn meanwhile belongs together under a title, and its words are read.

        Sections with a ``place`` are read in that order, whatever order they were drawn in.
        """
        if self._root is None:
            yield
            return
        around, self._last = self._section, None
        self._section = Element("Sect", self._document, T=title)
        self._section.place = place
        yield
        if self._section.kids:
            self._document.kids.append(self._section)
        self._section, self._last = around, None

    @contextmanager
    def figure(self, alt: str) -> Iterator[None]:
        """What is drawn meanwhile is one picture, for which ``alt`` is read."""
        if self._root is None or self._sealed or self._formData:
            yield
            return
        self._open(self._added("Figure", Alt=alt))
        self._sealed = True
        yield
        self._sealed = False
        self._close()

    def drawString(self, x: float, y: float, text: str, charSpace: float = 0) -> None:  # noqa: N802, N803
        """Draw a line of type, as a heading or a part of a paragraph; the words of a form are kept."""
        if self._root is not None and self._formData:
            self._words.setdefault(self._formData[0], []).append(text)
        if not text:
            return
        reads = self._reads()
        if reads:
            self._open(self._element_at(x, y))
        super().drawString(x, y, text, charSpace)
        if reads:
            self._close()

    def doForm(self, name: str) -> None:  # noqa: N802
        """Show a form; if there are words in it, they are read."""
        words = self._words.get(name, []) if self._root is not None else []
        if words and self._formData:
            self._words.setdefault(self._formData[0], []).extend(words)
        if not words or not self._reads():
            super().doForm(name)
            return
        self._open(self._added("P", ActualText=" ".join(words)))
        super().doForm(name)
        self._close()

    def _reads(self) -> bool:
        """Whether words that are drawn now are read: not in a form or a picture, nor in the margin of a page."""
        return not (self._root is None or self._sealed or self._formData or self._section is self._document)

    def _added(self, kind: str, **words: str) -> Element:
        element = Element(kind, self._section, self._doc.thisPageRef(), **words)
        self._section.kids.append(element)
        self._last = None
        return element

    def _element_at(self, x: float, y: float) -> Element:
        """The paragraph or heading to which a line belongs: the last one where it goes on, else another."""
        across, up, lean, tall = self._currentMatrix[:4]
        scale = math.hypot(across, up)
        x, y = self.absolutePosition(x, y)
        # In the line's own directions, for pages are turned.
        x, y = (x * across + y * up) / scale, (x * lean + y * tall) / scale
        size = self._fontsize * scale
        is_heading = self._fontname == face_name(Font.TITLE)
        if self._last is not None:
            element, font, starts, foot, before = self._last
            same_size = math.isclose(size, before, rel_tol=0.02) and (element.kind != "P") == is_heading
            fell = (foot - y) / size
            goes_on = abs(fell) < _SAME_LINE and font != self._fontname
            below = any(abs(x - start) < _MOST_INDENT * size for start in starts)
            if same_size and (goes_on or (below and _LEAST_STEP < fell < _MOST_STEP)):
                self._last = element, self._fontname, (starts[0], x), y, size
                return element
        kind = "P" if not is_heading else "H2" if any(kid.kind == "H1" for kid in self._section.kids) else "H1"
        element = self._added(kind)
        self._last = element, self._fontname, (x, x), y, size
        return element

    def _open(self, element: Element) -> None:
        number = len(self._on_page)
        element.kids.append(number)
        self._on_page.append(element)
        self._code += ["EMC", f"/{element.kind} <</MCID {number}>> BDC"]

    def _close(self) -> None:
        self._code += ["EMC", "/Artifact BMC"]

    def tag_field(self, widget: PDFDictionary, reference: Any) -> None:
        """Read a field where it is drawn."""
        if self._root is None:
            return
        element = self._added("Form")
        element.kids.append(PDFDictionary({"Type": PDFName("OBJR"), "Obj": reference, "Pg": element.page}))
        widget.dict["StructParent"] = len(self._parents)
        self._parents.append(element)

    def showPage(self) -> None:  # noqa: N802 - reportlab's name
        """End the page; what was not tagged on it is skipped by readers."""
        if self._root is None:
            super().showPage()
            return
        self._code.insert(0, "/Artifact BMC")
        self._code.append("EMC")
        super().showPage()
        page = self._doc.Pages.pages[-1]
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents, page.Tabs = len(self._parents), PDFName("S")
        self._parents.append(self._on_page)
        self._on_page, self._last = [], None

    def end_tags(self, title: str) -> None:
        """Write the tree into the file, and that it is a tagged one."""
        if self._root is None:
            return
        document, catalog = self._doc, self._doc.Catalog
        self._document.kids.sort(key=lambda section: section.place)
        numbers: list[Any] = []
        for key, found in enumerate(self._parents):
            several = isinstance(found, list)
            references = [document.Reference(element) for element in (found if several else [found])]
            numbers += [key, PDFArrayCompact(references) if several else references[0]]
        self._root.dict |= {
            "K": document.Reference(self._document),
            "ParentTree": document.Reference(PDFDictionary({"Nums": PDFArrayCompact(numbers)})),
            "ParentTreeNextKey": len(self._parents),
        }
        catalog.StructTreeRoot = self._root
        catalog.MarkInfo = PDFDictionary({"Marked": "true"})
        kind = PDFDictionary({"Type": PDFName("Metadata"), "Subtype": PDFName("XML")})
        catalog.Metadata = PDFStream(kind, _xmp(title).encode(), filters=[])


def _xmp(title: str) -> str:
    """The metadata packet that says PDF/UA-1."""
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{escape(title)}</rdf:li></rdf:Alt></dc:title>
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""
