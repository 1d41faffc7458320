"""Printing the two decks, beside bare reportlab pages with as many text lines and codes and no pictures at all."""

from __future__ import annotations

import tempfile
from io import BytesIO
from pathlib import Path

import qrcode
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from benchmarks.timing import best_of, report
from engine.weave.decks import challenge_deck, story_deck
from printkit.kit import print_kit


def bare_reportlab() -> int:
    """Nine frames to a page, each with two lines of type and a code drawn module by module; fronts only."""
    out = BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for number, card in enumerate((*story_deck(), *challenge_deck())):
        slot = number % 9
        x, y = (10.5 + 63 * (slot % 3)) * mm, (16 + 88 * (slot // 3)) * mm
        canvas.rect(x, y, 63 * mm, 88 * mm)
        canvas.setFont("Helvetica", 12)
        canvas.drawString(x + 4 * mm, y + 20 * mm, card.name)
        canvas.drawString(x + 4 * mm, y + 6 * mm, card.id.short)
        code = qrcode.QRCode(version=1, error_correction=qrcode.constants.ERROR_CORRECT_H, border=0)
        code.add_data(card.id.code)
        for row, line in enumerate(code.get_matrix()):
            for column, black in enumerate(line):
                if black:
                    canvas.rect(x + (38 + column) * mm, y + (26 - row) * mm, 1 * mm, 1 * mm, stroke=0, fill=1)
        if slot == 8:
            canvas.showPage()
    canvas.save()
    return len(out.getvalue())


def main() -> None:
    """Print the table."""
    cards = len(story_deck()) + len(challenge_deck())
    with tempfile.TemporaryDirectory() as folder:
        files = print_kit(["weave"], Path(folder))
        size = sum(f.path.stat().st_size for f in files)
        ours = best_of(5, lambda: print_kit(["weave"], Path(folder)))
    bare = best_of(5, bare_reportlab)
    print("| what | ours | beside | peer | ratio |\n| --- | --- | --- | --- | --- |")
    report(f"{cards} cards with art, duplex", ours, "bare reportlab, fronts", bare, each=cards, unit="card")
    print(f"\n{size:,} bytes in {len(files)} files, {size // cards:,} a card; bare: {bare_reportlab() // cards:,}")


if __name__ == "__main__":
    main()
