"""The terse canvas: it draws what reportlab draws; words and outlines come out of the file as they went in."""

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

from loomtable.engine.weave.decks import challenge_deck, story_deck
from loomtable.printkit.components.card_back import draw_story_back
from loomtable.printkit.components.challenge_card import draw_challenge_front
from loomtable.printkit.components.story_card import draw_story_front
from loomtable.printkit.draw.palette import INK, Colour, Style
from loomtable.printkit.draw.path import circle, polyline, rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Face, face_name, width_of
from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.canvas import TerseCanvas
from loomtable.printkit.sheet.papers import POKER

RED, BLUE = Colour.hex("B03020"), Colour.hex("204080")


def tersely(draw: Callable[[Pen], None], style: Style = Style.COLOUR) -> bytes:
    """A page of a card's size, written by our canvas."""
    file = io.BytesIO()
    canvas = TerseCanvas(
        file, pagesize=(63 * mm, 88 * mm), pageCompression=1, invariant=1, initialFontName=face_name(Face.TEXT)
    )
    draw(Pen(canvas, style))
    canvas.save()
    return file.getvalue()


def plainly(draw: Callable[[Pen], None], style: Style = Style.COLOUR) -> bytes:
    """The same page, written by reportlab's canvas."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(63 * mm, 88 * mm), invariant=1)
    canvas.scale(mm, mm)
    draw(Pen(canvas, style))
    canvas.save()
    return file.getvalue()


def nested(pen: Pen) -> None:
    """Places within places, turned, scaled and mirrored; stamps, clips, lines, letters apart."""
    with pen.at(20, 30, turn=30, scale=1.5), pen.clipped(rounded(0, 0, 20, 12, 3)):
        pen.fill(rect(-2, -2, 30, 20), RED)
        pen.stroke(polyline((0, 0), (10, 8), (20, 0)), BLUE, 0.8)
        for at in range(4):
            with pen.at(at * 4, 6, scale=0.5):
                pen.stamp("ring", (-4, -4, 8, 8), lambda inner: inner.stroke(circle(0, 0, 3), INK, 1.2))
    with pen.mirrored(31.5):
        pen.fill(circle(10, 10, 4) + circle(10, 10, 2), BLUE, even_odd=True)
        pen.text(5, 70, "mirrored", Face.TITLE, 14, INK)
    pen.text(31.5, 80, "apart", Face.LABEL, 11, RED, align="middle", spacing=1.2)
    pen.text(31.5, 75, "close again (so)", Face.LABEL, 11, RED, align="middle")
    with pen.at(40, 5, scale=0.9):
        pen.mosaic([(0, 0, 3), (1, 1, 1), (4, 0, 1)], INK)


DRAWINGS: dict[str, Callable[[Pen], None]] = {
    "nested": nested,
    "story": lambda pen: draw_story_front(pen, story_deck()[3], POKER),
    "challenge": lambda pen: draw_challenge_front(pen, challenge_deck()[20], POKER),
    "back": lambda pen: draw_story_back(pen, POKER),
}


@pytest.mark.parametrize("name", DRAWINGS)
@pytest.mark.parametrize("style", [Style.COLOUR, Style.LOW_INK])
def test_it_draws_what_reportlab_draws(name: str, style: Style) -> None:
    ours, theirs = (render_page(write(DRAWINGS[name], style), 0, 150).astype(int) for write in (tersely, plainly))
    off = np.abs(ours - theirs).max(axis=2)
    assert (off > 60).mean() < 0.002
    assert off.mean() < 0.6
    assert len(tersely(DRAWINGS[name], style)) < 0.9 * len(plainly(DRAWINGS[name], style))


def test_words_come_back_letter_by_letter() -> None:
    many = [
        chr(code) for code in (*range(33, 127), *range(0xC0, 0x149), *range(0x14A, 0x180), *range(0x1E80, 0x1E86))
    ]
    lines = ["".join(many[at : at + 30]) for at in range(0, len(many), 30)] + ["back\\slash (round) [square]"]

    def draw(pen: Pen) -> None:
        for at, line in enumerate(lines):
            pen.text(2, 84 - at * 7, line, Face.TEXT, 6, INK)

    page = pypdfium2.PdfDocument(tersely(draw))[0].get_textpage()
    assert page.get_text_bounded().split("\r\n") == lines
    assert len(set("".join(lines))) > 255, "so that one font of the file has not room for all"


def test_stretched_words_end_where_the_column_ends() -> None:
    words = "a line that fills its column"
    stretch = (55 - width_of(words, Face.TEXT, 9)) / words.count(" ")

    def draw(pen: Pen) -> None:
        pen.text(4, 40, words, Face.TEXT, 9, INK, stretch=stretch)
        pen.text(4, 30, words, Face.TEXT, 9, INK)

    ink = render_page(tersely(draw), 0, 200).min(axis=2) < 128
    upper, lower = (np.flatnonzero(half.any(axis=0)) / 200 * 25.4 for half in np.vsplit(ink[300:520], [115]))
    assert upper.max() == pytest.approx(59, abs=0.4)
    assert lower.max() == pytest.approx(4 + width_of(words, Face.TEXT, 9), abs=0.4)


def test_fonts_hold_the_outlines_in_use_and_little_else() -> None:
    words = "Åfö é Wolf"

    def draw(pen: Pen) -> None:
        pen.text(4, 40, words, Face.TEXT, 12, INK)

    with pikepdf.open(io.BytesIO(tersely(draw))) as pdf:
        [font] = [o for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and o.get("/Type") == "/Font"]
        content = font.FontDescriptor.FontFile2.read_bytes()
        held = TTFont(io.BytesIO(content))
        widths = [float(width) for width in font.Widths]
    assert {"glyf", "loca", "hmtx", "cmap", "head", "hhea", "maxp"} == set(held.keys()) - {"GlyphOrder"}
    import fontpkg_spectral

    whole = TTFont(fontpkg_spectral.ROOT / "files" / "Spectral-Regular.ttf")
    codes = held["cmap"].tables[0].cmap
    letters = [one for one in dict.fromkeys(words) if one != " "]
    for code, letter in enumerate(letters, start=1):
        ours, theirs = (DecomposingRecordingPen(font.getGlyphSet()) for font in (held, whole))
        held.getGlyphSet()[codes[code]].draw(ours)
        whole.getGlyphSet()[whole.getBestCmap()[ord(letter)]].draw(theirs)
        assert ours.value == theirs.value, letter
        assert widths[code] == pytest.approx(whole["hmtx"][whole.getBestCmap()[ord(letter)]][0], abs=1)
    assert len(content) < 6_000
