"""Quick starts on paper: one page each, with everything on it."""

from __future__ import annotations

import io

import msgspec
import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from loomtable.engine.kernel.dice import Die
from loomtable.engine.quick_start import quick_start
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.components.quick_start import draw_quick_start
from loomtable.printkit.components.quick_start_faces import lying
from loomtable.printkit.components.sheet_style import Side
from loomtable.printkit.draw.forms import Form
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import typographic
from loomtable.printkit.errors import TextTooLong
from loomtable.printkit.games.weave.theme import THEME
from loomtable.printkit.sheet.papers import A4, LETTER, Paper
from tests.print.sheet_reading import printed, words


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
@pytest.mark.parametrize("system", SYSTEMS)
def test_it_is_one_page_with_everything_on_it(system: str, paper: Paper) -> None:
    pdf = printed(f"{system}-quick-start", paper=paper)
    with pikepdf.open(io.BytesIO(pdf)) as document:
        assert len(document.pages) == 1
    said = words(pdf)
    start = quick_start(system)
    texts = [start.title, start.table, start.scene, start.first, *start.then]
    texts += [text for step in start.example for text in (step.says, *step.tells)]
    texts += [text for one in start.fetch for text in (one.what, one.print)]
    texts += [text for on in start.read_on for text in (on.at, on.says)]
    for text in texts:
        for word in typographic(text).split():
            assert word in said, f"{system}: {word}"
    for step in start.example:
        assert step.chance.rpartition(" ")[2] in said


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_lies_beside_the_words_is_what_is_played(system: str) -> None:
    start = quick_start(system)
    things = [thing for step in start.example for thing in lying(start, step.play)]
    faces = [face for step in start.example for played in step.play for face in played.roll or ()]
    assert [thing.face for thing in things if thing.die] == faces
    kinds = {"weave": {Die.WEAVE}, "spellwoven": {Die.D10}, "woven": set()}
    assert {thing.die for thing in things if thing.die} == kinds.get(system, {Die.D6})
    cards = {"weave": ["Gales 2"], "mnemonic": ["4 of Clubs"]}
    assert [thing.card for thing in things if thing.card] == cards.get(system, [])


def test_marks_are_set_as_a_printer_sets_them() -> None:
    assert (
        typographic('"No," he says. "It\'s \'here\'."')
        == "\u201cNo,\u201d he says. \u201cIt\u2019s \u2018here\u2019.\u201d"
    )


def test_a_page_that_is_too_full_names_itself() -> None:
    start = quick_start("weave")
    full = msgspec.structs.replace(start, then=start.then * 9)
    pen = Pen(Canvas(""), Style.COLOUR)
    with pytest.raises(TextTooLong, match="the quick start of Weave: its texts do not fit one page"):
        draw_quick_start(Side(Form(pen, "page"), THEME, (7, 7, 183, 220)), full)
