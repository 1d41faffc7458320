"""The Story card: a picture in an arched window, its number and title, and its code."""

from __future__ import annotations

from functools import partial

from loomtable.engine.weave.cards.decks import StoryCard, story_deck
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.card_back import STORY_BACK
from loomtable.printkit.components.layout import (
    FACE_WIDTH,
    LEGEND_MIDDLE,
    LEGEND_TOP,
    LEGEND_WIDTH,
    WINDOW_X,
    WINDOW_Y,
    FaceRoom,
    centred,
    draw_code_plate,
    draw_corner_tag,
    draw_flourish,
    draw_short_code,
    draw_title_row,
    draw_window_frame,
    window_arch,
)
from loomtable.printkit.draw.art import MOTIF_HEIGHT as WINDOW_HEIGHT
from loomtable.printkit.draw.art import MOTIF_WIDTH as WINDOW_WIDTH
from loomtable.printkit.draw.art import Art, art_named
from loomtable.printkit.draw.palette import INK
from loomtable.printkit.draw.path import lens
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import POINT, Font, check_glyphs, fit_line, fit_lines, width_of
from loomtable.printkit.sheet.papers import CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

_TITLE_POINTS, _TITLE_LEAST = 16.0, 9.0
_TWO_LINES_POINTS = 14.0
"""Size of a title on two lines, so that it keeps clear of the rules above and below."""
_ARTICLE_POINTS = 10.0
_ARTICLE_STEP = 4.2
"""From the top of the title's capitals to the top of the article's, in mm."""
_NUMERAL_MIDDLE = 20.6
"""Height above the trim of the numeral's middle where the title stands elsewhere, in mm."""
_CAPITAL = 0.7
"""Height of a capital, in type sizes."""
_TITLE_MIDDLE = 18.4
"""Height above the trim of the middle of the title's space, in mm."""
_LINE = 1.16
"""Distance from title line to title line, in type sizes."""

_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def roman(number: int) -> str:
    """``roman(14) == "XIV"``, for 1 to 399; larger numbers stay in figures."""
    if not 1 <= number < 400:
        return str(number)
    letters = ""
    for value, letter in _ROMAN:
        while number >= value:
            letters += letter
            number -= value
    return letters


def draw_story_front(pen: Pen, card: StoryCard, size: CardSize, *, tagged: bool = False) -> None:
    """Draw the face of a Story card. The origin is the lower left corner of the trim, in mm.

    ``tagged`` sets an AprilTag into the picture's corner.

    Raises:
        UnknownMotif: nobody drew the card's motif.
        GlyphMissing, TextTooLong: the title cannot be set; the message names the card.
    """
    called = f"Story card {card.id.short} ({card.name})"
    motif = art_named("motifs", card.motif, called)
    with centred(pen, size) as room:
        pen.place(
            f"story-{card.number}",
            (0, 0, FACE_WIDTH, room.height),
            lambda inner: _face(inner, room, card, motif, called),
        )
        if tagged:
            top = WINDOW_Y + WINDOW_HEIGHT + room.spare
            draw_corner_tag(pen, card.id, motif.inks["accent"], WINDOW_X + WINDOW_WIDTH, top)


def _face(pen: Pen, room: FaceRoom, card: StoryCard, motif: Art, called: str) -> None:
    with pen.at(WINDOW_X, WINDOW_Y + room.spare):
        with pen.clipped(window_arch()):
            motif.draw(pen)
        draw_window_frame(pen, motif.inks["deep"], motif.inks["accent"])
    _legend(pen, room, card, motif, called)
    draw_code_plate(pen, card.id, motif.inks["accent"])


def _legend(pen: Pen, room: FaceRoom, card: StoryCard, motif: Art, called: str) -> None:
    """Number, title and short code in the column beside the code; the title in its row where there is one."""
    numeral = roman(card.number)
    check_glyphs(numeral, Font.TITLE, called)
    draw_flourish(pen, 8.9, motif.inks["accent"])
    draw_short_code(pen, room, card.id, "STORY", motif.inks["deep"], LEGEND_MIDDLE, "middle")
    if room.has_title_row:
        draw_title_row(pen, room, card.name, INK, motif.inks["accent"], called)
        points = fit_line(numeral, Font.TITLE, LEGEND_WIDTH - 2, 34, 12, called)
        y = _NUMERAL_MIDDLE - points * POINT * _CAPITAL / 2
        pen.text(LEGEND_MIDDLE, y, numeral, Font.TITLE, points, motif.inks["accent"], align="middle")
        return
    top = LEGEND_TOP - 3.0
    pen.text(LEGEND_MIDDLE, top, numeral, Font.TITLE, 10.5, motif.inks["accent"], align="middle", spacing=0.25)
    reach = width_of(numeral, Font.TITLE, 10.5, 0.25) / 2 + 1.6
    for side in (1, -1):
        rule = (LEGEND_WIDTH / 2 - reach) * 0.9
        pen.solid(lens(LEGEND_MIDDLE + side * (reach + rule / 2), top + 1.3, rule, 0.3), motif.inks["accent"])
    _title(pen, room, card.name, called)


def _title(pen: Pen, room: FaceRoom, name: str, called: str) -> None:
    """The title in the middle of its space; a leading article stands small above the rest."""
    article, _, noun = name.partition(" ")
    if article != "The" or not noun.strip():
        article, noun = "", name
    lines, points = fit_lines(noun, Font.TITLE, LEGEND_WIDTH, _TITLE_POINTS, room.least(_TITLE_LEAST), 2, called)
    if len(lines) > 1:
        points = min(points, _TWO_LINES_POINTS)
    step, cap = points * POINT * _LINE, points * POINT * _CAPITAL
    above = _ARTICLE_STEP if article else 0.0
    baseline = _TITLE_MIDDLE + ((len(lines) - 1) * step + cap + above) / 2 - cap - above
    if article:
        over = baseline + cap + _ARTICLE_STEP - _ARTICLE_POINTS * POINT * _CAPITAL
        pen.text(LEGEND_MIDDLE, over, article, Font.TEXT_ITALIC, _ARTICLE_POINTS, INK, align="middle")
    for line in lines:
        pen.text(LEGEND_MIDDLE, baseline, line, Font.TITLE, points, INK, align="middle")
        baseline -= step


def story_cards(options: RenderOptions) -> list[PrintedCard]:
    """The 22 cards of the Story."""
    front = partial(draw_story_front, size=options.card_size, tagged=options.tags)
    back = partial(STORY_BACK.draw, size=options.card_size)
    return [PrintedCard(card.id, card.name, partial(front, card=card), back) for card in story_deck()]
