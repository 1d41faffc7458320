"""The pen on a canvas: words and outlines come out of the file as they went in."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pikepdf
import pypdfium2
import pytest
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from loomtable.printkit.draw.palette import INK, Colour, Style
from loomtable.printkit.draw.path import circle, polyline, rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font, face_name, font_file
from loomtable.printkit.raster import render_page

RED, BLUE = Colour.hex("B03020"), Colour.hex("204080")


def page_of(draw: Callable[[Pen], None]) -> bytes:
    """A page of a card's size, drawn in millimetres."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(63 * mm, 88 * mm), invariant=1, initialFontName=face_name(Font.TEXT))
    canvas.scale(mm, mm)
    draw(Pen(canvas, Style.COLOUR))
    canvas.save()
    return file.getvalue()


@pytest.mark.parametrize("name", ["ring", "ring (2) of Öre #3"])
def test_what_is_kept_once_looks_as_if_it_were_drawn_each_time(name: str) -> None:
    def ring(pen: Pen) -> None:
        with pen.clipped(rounded(-4, -4, 8, 8, 3)):
            pen.fill(rect(-5, -1, 10, 3), RED)
        pen.stroke(circle(0, 0, 3) + polyline((0, 0), (3, 2)), BLUE, 0.8)
        pen.text(0, -3, "apart", Font.LABEL, 7, INK, align="middle", spacing=0.3)

    def rings(pen: Pen, show: Callable[[Pen], None]) -> None:
        with pen.at(20, 30, turn=30, scale=1.5):
            for at in range(4):
                with pen.at(at * 8, 6, scale=0.5 + at / 4):
                    show(pen)
        with pen.mirrored(31.5), pen.at(10, 70):
            show(pen)

    drawn = page_of(lambda pen: rings(pen, ring))
    stamped = page_of(lambda pen: rings(pen, lambda inner: inner.place(name, (-5, -5, 10, 10), ring)))
    ours, theirs = (render_page(page, 0, 150).astype(int) for page in (stamped, drawn))
    assert (theirs < 100).any()
    assert np.abs(ours - theirs).max() < 40
    with pikepdf.open(io.BytesIO(stamped)) as pdf:
        assert len(pdf.pages[0].Resources.XObject) == 1


def test_words_come_back_letter_by_letter() -> None:
    many = [
        chr(code) for code in (*range(33, 127), *range(0xC0, 0x149), *range(0x14A, 0x180), *range(0x1E80, 0x1E86))
    ]
    lines = ["".join(many[at : at + 30]) for at in range(0, len(many), 30)] + ["back\\slash (round) [square]"]

    def draw(pen: Pen) -> None:
        for at, line in enumerate(lines):
            pen.text(2, 84 - at * 7, line, Font.TEXT, 6, INK)

    page = pypdfium2.PdfDocument(page_of(draw))[0].get_textpage()
    assert page.get_text_bounded().split("\r\n") == lines
    assert len(set("".join(lines))) > 255, "so that one font of the file has not room for all"


def test_fonts_hold_the_outlines_in_use_and_little_else() -> None:
    words = "Åfö é Wolf"

    def draw(pen: Pen) -> None:
        pen.text(4, 40, words, Font.TEXT, 12, INK)

    with pikepdf.open(io.BytesIO(page_of(draw))) as pdf:
        [font] = [o for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and o.get("/Type") == "/Font"]
        content = font.FontDescriptor.FontFile2.read_bytes()
        held = TTFont(io.BytesIO(content))
        widths = [float(width) for width in font.Widths]
    assert set(held.keys()).isdisjoint({"fpgm", "prep", "cvt ", "GSUB", "GPOS", "meta"})
    whole = TTFont(font_file(Font.TEXT))
    codes = held["cmap"].tables[0].cmap
    letters = [one for one in dict.fromkeys(words) if one != " "]
    for code, letter in enumerate(letters, start=1):
        ours, theirs = (DecomposingRecordingPen(font.getGlyphSet()) for font in (held, whole))
        held.getGlyphSet()[codes[code]].draw(ours)
        whole.getGlyphSet()[whole.getBestCmap()[ord(letter)]].draw(theirs)
        assert ours.value == theirs.value, letter
        assert widths[code] == pytest.approx(whole["hmtx"][whole.getBestCmap()[ord(letter)]][0], abs=1)
    assert len(content) < 6_000
