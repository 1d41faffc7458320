"""Figures: fold-up standees on a base of 25 mm, and flat tokens of 25 mm, each with the figure's AprilTag.

A standee is one strip: half of the base, the front, the back, the other half of the base. The back is the front's
mirror image, so both outlines coincide when the strip is folded. A camera above the table sees the base.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from loomtable.engine.kernel.tags import tag_of
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.figure_file import Figure
from loomtable.printkit.draw.art import Art, art_named
from loomtable.printkit.draw.figures import draw_figure
from loomtable.printkit.draw.palette import INK, WHITE, Colour, Style
from loomtable.printkit.draw.path import lens, polyline, rect, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.tags import TAG_MODULES, draw_tag
from loomtable.printkit.draw.type import POINT, Font, check_glyphs, fit_line, fit_lines
from loomtable.printkit.sheet.papers import BLEED, CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

BASE = 25.0
"""Side of a base in mm: one square of a combat map."""
FLAP = BASE / 2
"""Each half of a standee's base, mm."""
STAND = 36.0
"""Height of a standing figure, mm."""
STANDEE = CardSize("standee", BASE, 2 * (FLAP + STAND), 1.0)
TOKEN = CardSize("figure-token", BASE, BASE, 3.0)
FLAP_TAG = 8.0
"""Width of the black of the tag on each half of a base, mm."""
TOKEN_TAG = 7.6
"""Width of the black of a token's tag, mm."""
_FOOT = 1.6
_TOKEN_SCALE = 0.6
_INSIDE = 0.88
"""How large figures stand on a standee, so that no claw or axe reaches its cut."""


def draw_standee(pen: Pen, figure: Figure) -> None:
    """The flat strip of a standee, its lower left corner at the origin.

    Raises:
        UnknownMotif: nobody drew its art.
        GlyphMissing, TextTooLong: its name cannot be set; the message names the figure.
    """
    art = _art(figure)
    pen.fill_background(rect(-BLEED, -BLEED, BASE + 2 * BLEED, STANDEE.height + 2 * BLEED), _pale(art))
    for turn, x, y in ((0, 0.0, 0.0), (180, BASE, STANDEE.height)):
        with pen.at(x, y, turn=turn):
            _draw_flap(pen, figure, art)
            with pen.at(BASE / 2, FLAP):
                # The ground under the feet, the same seen from before and behind.
                soft = art.inks["deep"].towards(art.inks["light"], 0.45)
                for at in range(-5, 6):
                    pen.solid(lens(at * 2.1, _FOOT - 0.5 - 0.35 * (at % 2), 2.4, 0.4), soft)
                with pen.at(0, _FOOT, scale=_INSIDE):
                    draw_figure(pen, art, mirrored=turn == 180)
    for y in (FLAP, FLAP + STAND, FLAP + 2 * STAND):
        pen.fold_line(polyline((0, y), (BASE, y)))
        for at in range(12):
            x = 0.6 + at * 2.1
            pen.stroke(polyline((x, y), (x + 1.0, y)), art.inks["deep"], 0.18, butt=True)


def _art(figure: Figure) -> Art:
    return art_named("figures", figure.art, f"the figure {figure.called}")


def _pale(art: Art) -> Colour:
    return art.inks["light"].towards(WHITE, 0.5)


def _draw_flap(pen: Pen, figure: Figure, art: Art) -> None:
    """Half of the base: the tag, the name, and the short code."""
    low = pen.style is Style.LOW_INK
    pen.fill_background(
        rect(-BLEED, -BLEED, BASE + 2 * BLEED, FLAP + BLEED), art.inks["light"].towards(art.inks["deep"], 0.12)
    )
    tag = (FLAP - FLAP_TAG) / 2
    draw_tag(pen, tag_of(figure.id), tag + 0.2, tag, FLAP_TAG)
    left, room = tag + FLAP_TAG + FLAP_TAG / TAG_MODULES + 1.2, BASE - tag - FLAP_TAG - 3.4
    called = f"the figure {figure.id.short} ({figure.called}), field name"
    broken = figure.called.replace("-", "- ")
    lines, points = fit_lines(broken, Font.LABEL_BOLD, room, 8.5, 6, 3, called)
    words = INK if low else art.inks["deep"]
    y = FLAP - 3.6
    for line in lines:
        pen.text(left, y, line.replace("- ", "-"), Font.LABEL_BOLD, points, words)
        y -= points * POINT * 1.1
    check_glyphs(figure.id.short, Font.CODE, called)
    pen.text(left, 1.6, figure.id.short, Font.CODE, 7, words)


def draw_token(pen: Pen, figure: Figure, *, fallen: bool = False) -> None:
    """One side of a flat token, its lower left corner at the origin; ``fallen`` is the side for the slain.

    Raises: as for standees.
    """
    art = _art(figure)
    ground = _pale(art) if not fallen else Colour.hex("D9D6D0")
    pen.fill_background(rect(-BLEED, -BLEED, BASE + 2 * BLEED, BASE + 2 * BLEED), ground)
    if fallen:
        for at in range(-6, 13):
            line = polyline((at * 3.1 - BLEED, -BLEED), (at * 3.1 + BASE, BASE + BLEED))
            pen.stroke(line, Colour.hex("C2BDB4"), 0.5, tone=True)
        with pen.at(1.4, 17.2, turn=-90, scale=_TOKEN_SCALE):
            draw_figure(pen, art)
    else:
        with pen.at(8.3, 4.2, scale=_TOKEN_SCALE):
            draw_figure(pen, art)
    pen.stroke(rounded(1.0, 1.0, BASE - 2, BASE - 2, 2.2), art.inks["deep"], 0.35)
    _draw_token_words(pen, figure, art, fallen)
    edge = TOKEN_TAG / TAG_MODULES
    x = BASE - 1.6 - TOKEN_TAG - edge
    draw_tag(pen, tag_of(figure.id), x, 4.9 if not fallen else 1.8 + edge, TOKEN_TAG)


def _draw_token_words(pen: Pen, figure: Figure, art: Art, fallen: bool) -> None:
    words = INK if pen.style is Style.LOW_INK else art.inks["deep"]
    called = f"the figure {figure.id.short} ({figure.called}), field name"
    if fallen:
        pen.text(2.6, 4.6, figure.id.short, Font.CODE, 8.5, words)
        return
    points = fit_line(figure.name, Font.LABEL_BOLD, BASE - 4.6, 6.5, 6, called)
    pen.text(BASE / 2, 1.9, figure.name, Font.LABEL_BOLD, points, words, align="middle")
    middle = BASE - 1.6 - TOKEN_TAG / 2 - TOKEN_TAG / TAG_MODULES
    if figure.mark:
        pen.text(middle, 16.4, str(figure.mark), Font.CODE, 20, words, align="middle")
    else:
        pen.text(middle, 18.4, figure.id.short, Font.CODE, 9, words, align="middle")


def standees(figures: Callable[[], Iterable[Figure]], options: RenderOptions) -> list[PrintedCard]:
    """Each of these figures standing."""
    return [
        PrintedCard(figure.id, figure.called, partial(draw_standee, figure=figure), size=STANDEE, outlined=True)
        for figure in figures()
    ]


def tokens(figures: Callable[[], Iterable[Figure]], options: RenderOptions) -> list[PrintedCard]:
    """Each of these figures lying flat, and fallen on the back."""

    def token(figure: Figure) -> PrintedCard:
        front = partial(draw_token, figure=figure)
        return PrintedCard(figure.id, figure.called, front, partial(front, fallen=True), TOKEN, back_id=figure.id)

    return [token(figure) for figure in figures()]
