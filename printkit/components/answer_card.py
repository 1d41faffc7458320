"""The answer cards: laid before the camera, they answer what the screens ask. Pause is the safety card."""

from __future__ import annotations

from functools import partial

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.card_back import ANSWER_BACK
from loomtable.printkit.components.layout import (
    LEGEND_MIDDLE,
    LEGEND_TOP,
    LEGEND_WIDTH,
    MARGIN,
    WINDOW_X,
    WINDOW_Y,
    FaceRoom,
    centred,
    draw_code_plate,
    draw_corner_tag,
    draw_short_code,
    draw_title_row,
    draw_window_frame,
    window_arch,
)
from loomtable.printkit.draw.art import MOTIF_HEIGHT, MOTIF_WIDTH, art_named
from loomtable.printkit.draw.palette import CREAM, INK, WHITE, Colour, Style
from loomtable.printkit.draw.path import circle, lens, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import set_words
from loomtable.printkit.draw.type import POINT, Font, fit_line
from loomtable.printkit.draw.weaving import Band, Lattice, draw_lattice
from loomtable.printkit.sheet.papers import CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

_LETTERS = tuple(answer for answer in AnswerCard if len(answer) == 1)
_LETTER_INKS = "24405A C9DBE2"
_INKS = {
    AnswerCard.YES: "2F5A2C CFE0B4",
    AnswerCard.NO: "3A3744 D3CFD8",
    AnswerCard.KEEP: "7A5200 F1DFA8",
    AnswerCard.GO_ON: "1D5C60 C2DEDA",
    AnswerCard.UNDO: "5E3670 E2CBE8",
    AnswerCard.PAUSE: "9C1626 F6D2CC",
}
_SAYS = {
    AnswerCard.YES: "Say yes to what is asked.",
    AnswerCard.NO: "Say no to what is asked.",
    AnswerCard.KEEP: "Keep it as it is.",
    AnswerCard.GO_ON: "On to what comes next.",
    AnswerCard.UNDO: "Take back what was done last.",
    AnswerCard.PAUSE: "Stop. Screens go dark; nobody asks why.",
}
_CAP = 0.7
"""Height of Marcellus's capitals, in type sizes."""
_LETTER, _WORD = 118.0, 52.0
"""Points of a letter and of a word: what people read across the table."""
_BASE = 6.5
"""From the window's foot to the foot of a letter, mm; the tag stands in the corner above."""
_BEAD = 6.0
"""From one letter of the row beside the code to the next, mm."""


def _called(answer: AnswerCard) -> str:
    return f"answer card {answer.id.short} ({answer})"


def draw_answer_front(pen: Pen, answer: AnswerCard, size: CardSize) -> None:
    """Draw the face of an answer card, tag and all. The origin is the lower left corner of the trim, in mm."""
    deep, light = map(Colour.hex, _INKS.get(answer, _LETTER_INKS).split())
    with centred(pen, size) as room:
        with pen.at(WINDOW_X, WINDOW_Y + room.spare):
            _draw_window(pen, answer, deep, light)
        _draw_legend(pen, room, answer, deep, light)
        if room.has_title_row:
            title = answer if answer in _SAYS else f"Answer {answer}"
            draw_title_row(pen, room, title, INK, deep, _called(answer))
        draw_code_plate(pen, answer.id, deep)
        draw_corner_tag(pen, answer.id, deep, WINDOW_X + MOTIF_WIDTH, WINDOW_Y + MOTIF_HEIGHT + room.spare)
        draw_short_code(pen, room, answer.id, "ANSWER", deep, MARGIN + 0.2, "left")


def _draw_window(pen: Pen, answer: AnswerCard, deep: Colour, light: Colour) -> None:
    """The answer, large, on a woven ground; the safety card is the other way round, light on dark."""
    dark = answer is AnswerCard.PAUSE and pen.style is not Style.LOW_INK
    ground, words = (deep, CREAM) if dark else (light.towards(CREAM, 0.35), deep)
    with pen.clipped(window_arch()):
        pen.fill(rect(0, 0, MOTIF_WIDTH, MOTIF_HEIGHT), ground, tone=True)
        if pen.style is not Style.LOW_INK:
            edge = ground.towards(light if dark else deep, 0.1)
            band = Band(4.6, ground.towards(WHITE, 0.0 if dark else 0.25), edge, edge)
            draw_lattice(pen, Lattice(MOTIF_WIDTH, MOTIF_HEIGHT, 6, 6), 0, band, band)
    draw_window_frame(pen, deep, light)
    if answer in _SAYS:
        points = fit_line(answer, Font.TITLE, MOTIF_WIDTH - 6, _WORD, 20, _called(answer))
        art = art_named("answers", answer.lower().replace(" ", "-"))
        with pen.at(MOTIF_WIDTH / 2, 32.6, scale=0.9):
            art.draw(pen, {"deep": words}, outlined=False)
        foot = 14.0 - _CAP * points * POINT / 2
    else:
        points, foot = _LETTER, _BASE
    pen.text(MOTIF_WIDTH / 2, foot, answer, Font.TITLE, points, words, align="middle")


def _draw_legend(pen: Pen, room: FaceRoom, answer: AnswerCard, deep: Colour, light: Colour) -> None:
    """Beside the code: which of the letters it is, and what the card does."""
    top = LEGEND_TOP - 0.4
    if answer in _LETTERS:
        for at, letter in enumerate(_LETTERS):
            row, column = divmod(at, 4)
            x, y = LEGEND_MIDDLE + (column - 1.5) * _BEAD, top - (row + 0.5) * _BEAD
            mine, bead = letter is answer, circle(x, y, _BEAD / 2 - 0.4)
            pen.fill_background(bead, deep if mine else light.towards(WHITE, 0.3))
            pen.stroke(bead, deep, 0.2)
            if mine or pen.style is not Style.LOW_INK:
                pen.text(x, y - 1.3, letter, Font.LABEL_BOLD, 10, WHITE if mine else deep, align="middle")
        top -= 2 * _BEAD
    else:
        for side in (1, -1):
            pen.solid(lens(LEGEND_MIDDLE + side * 6.2, top - 1.4, 10, 0.4), deep)
        pen.solid(lens(LEGEND_MIDDLE, top - 1.4, 1.9, 1.0), deep)
        top -= 2.6
    says = _SAYS.get(answer, f"Choose what the screens call {answer}.")
    box = LEGEND_WIDTH - 0.5, top - MARGIN - 4.4
    lines = set_words(says, Font.TEXT, box, room.least(10.5), room.least(6), _called(answer))
    lines.draw(pen, MARGIN + 0.2, (top + MARGIN + 4.4 + lines.height) / 2 - lines.points * POINT * 0.86, INK)


def answer_cards(options: RenderOptions) -> list[PrintedCard]:
    """One card for each answer."""
    front, back = (
        partial(draw_answer_front, size=options.card_size),
        partial(ANSWER_BACK.draw, size=options.card_size),
    )
    return [
        PrintedCard(answer.id, f"Answer card {answer}", partial(front, answer=answer), back)
        for answer in AnswerCard
    ]
