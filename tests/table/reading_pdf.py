"""The words of a PDF file, as somebody selects them in a reader."""

from __future__ import annotations

import pypdfium2


def words_of_pdf(content: bytes) -> str:
    """All words of all pages; lines are joined."""
    document = pypdfium2.PdfDocument(content)
    pages = [document[at].get_textpage().get_text_bounded() for at in range(len(document))]
    document.close()
    return " ".join(" ".join(pages).split())
