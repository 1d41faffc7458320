"""A PDF document that keeps its small objects together, compressed: PDF 1.5's object streams."""

from __future__ import annotations

import zlib
from typing import Any

from reportlab.pdfbase.pdfdoc import PDFDocument, PDFFile, PDFObject
from reportlab.pdfbase.pdfdoc import format as formatted

LEVEL = 6
"""How hard streams are packed; 9 saves a five-hundredth and takes twice as long."""
_TOGETHER = 200
"""Small objects in one stream: a reader unpacks them all to find one."""
_IN_FILE, _IN_STREAM = 1, 2


class CompactDocument(PDFDocument):  # type: ignore[misc]
    """A document of reportlab's whose file is written compactly."""

    def addPage(self, page: Any) -> None:  # noqa: N802
        """Add a page; what is drawn on it is compressed at once."""
        page.Contents = _Stream(page.stream.encode("latin-1"))
        page.stream = page.Trans = None
        page.Rotate = page.Rotate or None
        super().addPage(page)

    def format(self) -> bytes:
        """The whole file."""
        self.encrypt.prepare(self)
        root, info = self.Reference(self.Catalog), self.Reference(self.info)
        self.__accum__ = file = PDFFile(self._pdfVersion)
        places: dict[int, tuple[int, int, int]] = {0: (0, 0, 65535)}
        small: list[tuple[int, bytes]] = []
        number = 1
        while number in self.numberToId:  # formatting an object may append others
            content = formatted(self.idToObject[self.numberToId[number]], self, toplevel=1).rstrip()
            if content.endswith(b"endstream"):
                places[number] = (_IN_FILE, file.add(_indirect(number, content)), 0)
            else:
                small.append((number, content))
            number += 1
        del self.__accum__
        for start in range(0, len(small), _TOGETHER):
            held = small[start : start + _TOGETHER]
            places |= {one: (_IN_STREAM, number, at) for at, (one, _) in enumerate(held)}
            places[number] = (_IN_FILE, file.add(_indirect(number, _object_stream(held))), 0)
            number += 1
        places[number] = (_IN_FILE, file.offset, 0)
        trailer = b"/Size %d/Root %b/Info %b/ID %b" % (
            number + 1,
            formatted(root, self),
            formatted(info, self),
            self.ID().split(b"%")[0].strip(),
        )
        begin = file.add(_indirect(number, _cross_references(places, trailer)))
        file.add(b"startxref\n%d\n%%%%EOF\n" % begin)
        whole: bytes = file.format(self)
        return whole


class _Stream(PDFObject):  # type: ignore[misc]
    """A stream that was compressed when it was made."""

    __RefOnly__ = 1

    def __init__(self, content: bytes) -> None:
        self._content = zlib.compress(content, LEVEL)

    def format(self, document: object) -> bytes:
        """The stream as it stands in the file."""
        return stream(b"", self._content)


def stream(entries: bytes, compressed: bytes) -> bytes:
    """A compressed stream with these entries in its dictionary, as it stands in a file."""
    head = b"<<%b/Filter/FlateDecode/Length %d>>\nstream\n" % (entries, len(compressed))
    return b"%b%b\nendstream" % (head, compressed)


def _indirect(number: int, content: bytes) -> bytes:
    return b"%d 0 obj\n%b\nendobj\n" % (number, content)


def _object_stream(held: list[tuple[int, bytes]]) -> bytes:
    """Objects in one stream: first where each begins, then all of them."""
    starts, at = [], 0
    for number, content in held:
        starts.append(b"%d %d" % (number, at))
        at += len(content) + 1
    index = b" ".join(starts) + b"\n"
    body = zlib.compress(index + b"\n".join(content for _, content in held), LEVEL)
    return stream(b"/Type/ObjStm/N %d/First %d" % (len(held), len(index)), body)


def _cross_references(places: dict[int, tuple[int, int, int]], trailer: bytes) -> bytes:
    """Where every object stands; each entry is written as its difference from the one above, which packs well."""
    rows = [
        b"%c%b%b" % (kind, at.to_bytes(4, "big"), within.to_bytes(2, "big"))
        for _, (kind, at, within) in sorted(places.items())
    ]
    above = bytes(7)
    lines = []
    for row in rows:
        lines.append(b"\x02" + bytes((now - before) & 0xFF for now, before in zip(row, above, strict=True)))
        above = row
    entries = b"/Type/XRef/W[1 4 2]/DecodeParms<</Predictor 12/Columns 7>>" + trailer
    return stream(entries, zlib.compress(b"".join(lines), LEVEL))
