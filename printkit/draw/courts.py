"""The court cards: Jacks, Queens and Kings, each a double-headed figure in the dress of its suit, and two Jokers.

A figure is put together from parts (``courts_parts``, ``courts_dress``): headgear, hair, beard, what it holds, and
the weave of its cloth. Turned half round, a court is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from loomtable.engine.kernel.poker import Suit
from loomtable.printkit.draw.courts_dress import HEADGEAR, HELD
from loomtable.printkit.draw.courts_parts import BEARDS, BROWN, HAIR, HOARY, Dye, shape
from loomtable.printkit.draw.palette import CREAM, Colour, Style
from loomtable.printkit.draw.path import (
    Path,
    blob,
    circle,
    ellipse,
    lens,
    polygon,
    polyline,
    rect,
    ribbon,
    smooth,
    star,
)
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.pips import PIP_COLOURS, draw_pip

COURT_WIDTH, COURT_HEIGHT = 33.0, 50.0
"""The panel that a court fills, in mm; its middle is the origin."""
_SLOPE = 0.2
"""How steeply the sash between the two halves rises."""
_SCALE = 0.95
"""Leaves a little air above crowns and feathers."""


@dataclass(frozen=True)
class Court:
    """How one court looks; the words are kinds of parts."""

    headgear: str
    hair: str
    held: str
    cloth: str
    beard: str = ""
    left: bool = False
    grey: bool = False


COURTS: Mapping[tuple[Suit, str], Court] = {
    (Suit.HEARTS, "J"): Court("feather", "curls", "lamp", "stripes"),
    (Suit.HEARTS, "Q"): Court("diadem", "long", "lamp", "lozenges", left=True),
    (Suit.HEARTS, "K"): Court("pointed", "short", "lamp", "chevrons", "full"),
    (Suit.DIAMONDS, "J"): Court("brim", "short", "mirror", "chevrons", left=True),
    (Suit.DIAMONDS, "Q"): Court("comb", "braids", "mirror", "stripes"),
    (Suit.DIAMONDS, "K"): Court("arched", "curls", "mirror", "lozenges", "moustache", left=True, grey=True),
    (Suit.SPADES, "J"): Court("hood", "short", "shears", "lozenges"),
    (Suit.SPADES, "Q"): Court("veil", "short", "shears", "chevrons", left=True),
    (Suit.SPADES, "K"): Court("walled", "long", "shears", "stripes", "forked", grey=True),
    (Suit.CLUBS, "J"): Court("beret", "long", "distaff", "stripes", left=True),
    (Suit.CLUBS, "Q"): Court("wreath", "curls", "distaff", "lozenges"),
    (Suit.CLUBS, "K"): Court("leaves", "braids", "distaff", "chevrons", "plaited", left=True),
}


def draw_court(pen: Pen, suit: Suit, rank: str) -> None:
    """Draw the court of a suit (``rank`` is ``J``, ``Q`` or ``K``) about the origin, in its own panel."""
    court, (deep, light) = COURTS[suit, rank], PIP_COLOURS[suit]
    dye = Dye(deep, light, hair=HOARY if court.grey else BROWN)
    _panel(pen, dye, f"court-ground-{suit}")

    def half(inner: Pen) -> None:
        with inner.at(0, 0, scale=_SCALE):
            if court.left:
                with inner.mirrored(0):
                    _figure(inner, court, dye)
            else:
                _figure(inner, court, dye)
        draw_pip(inner, suit, 12.6 if court.left else -12.6, 20.6, 5.6)

    _both_halves(pen, f"court-half-{suit}-{rank}", half)
    _sash(pen, dye)
    _border(pen, dye)


def _both_halves(pen: Pen, name: str, half: Callable[[Pen], None]) -> None:
    """The same half above and, turned round, below; a file keeps it once."""
    box = (-COURT_WIDTH / 2, -COURT_HEIGHT / 2, COURT_WIDTH, COURT_HEIGHT)
    for turn in (0, 180):
        with pen.at(0, 0, turn=turn), pen.clipped(_upper_half()):
            pen.place(name, box, half)


def _panel(pen: Pen, dye: Dye, name: str) -> None:
    box = (-COURT_WIDTH / 2, -COURT_HEIGHT / 2, COURT_WIDTH, COURT_HEIGHT)
    pen.place(name, box, lambda inner: _draw_panel(inner, dye))


def _draw_panel(pen: Pen, dye: Dye) -> None:
    width, height = COURT_WIDTH, COURT_HEIGHT
    pen.fill_background(rect(-width / 2, -height / 2, width, height), dye.light.towards(CREAM, 0.55))
    if pen.style is Style.LOW_INK:
        return
    for row in range(-8, 9):
        for column in range(-5, 6):
            x, y = column * 3.4 + (row % 2) * 1.7, row * 3.1
            if abs(x) < width / 2 - 1 and abs(y) < height / 2 - 1:
                pen.fill_background(star(x, y, 0.55, 0.2, 4), dye.light)


def _border(pen: Pen, dye: Dye) -> None:
    width, height = COURT_WIDTH, COURT_HEIGHT
    pen.stroke(rect(-width / 2 + 0.2, -height / 2, width - 0.4, height), dye.deep, 0.4)


def _upper_half() -> Path:
    width, height, rise = COURT_WIDTH / 2, COURT_HEIGHT / 2, _SLOPE * COURT_WIDTH / 2
    return polygon((-width, -rise), (width, rise), (width, height), (-width, height))


def _sash(pen: Pen, dye: Dye) -> None:
    """A woven sash, aslant, where the two halves meet."""
    half, rise, thick = COURT_WIDTH / 2 - 0.2, _SLOPE * COURT_WIDTH / 2, 1.9
    band = polygon((-half, -rise - thick), (half, rise - thick), (half, rise + thick), (-half, -rise + thick))
    shape(pen, band, dye.gold, dye)
    with pen.clipped(band):
        for at in range(-9, 10):
            x = at * 1.9
            y = x * _SLOPE
            pen.solid(lens(x, y, 4.6, 0.75, 68), dye.deep)
            pen.solid(lens(x + 0.95, y + 0.2, 4.6, 0.55, -46), dye.dark)
    for side in (-1, 1):
        edge = polyline((-half, -rise + side * thick), (half, rise + side * thick))
        pen.stroke(edge, dye.dark, 0.35)


def _figure(pen: Pen, court: Court, dye: Dye) -> None:
    """One half, facing right of the card, with what it holds at its right hand side."""
    HAIR[court.hair](pen, dye)
    _robe(pen, court, dye)
    _head(pen, dye)
    if court.beard:
        BEARDS[court.beard](pen, dye)
    HEADGEAR[court.headgear](pen, dye)
    with pen.at(11.2, 6.4):
        HELD[court.held](pen, dye)
    _hand(pen, dye, 11.2, 5.6)


def _robe(pen: Pen, court: Court, dye: Dye) -> None:
    body = smooth(
        [
            (-15.4, -6),
            (-14.6, 2),
            (-11.4, 7.6),
            (-4.4, 9.9),
            (0, 9.2),
            (4.4, 9.9),
            (11.4, 7.6),
            (14.6, 2),
            (15.4, -6),
        ]
    )
    cloak = Path([*body.steps, ("z", ())])
    shape(pen, cloak, dye.deep, dye, 0.35)
    with pen.clipped(cloak):
        for side in (-1, 1):
            for at, x in enumerate((7.0, 9.6, 12.2)):
                fold = ribbon([(side * (x - 2.0), 8.6), (side * x, 3.0), (side * (x + 0.8), -5)], [0, 0.7, 0.3])
                if not (pen.style is Style.LOW_INK and at == 1):
                    pen.solid(fold, dye.light if pen.style is not Style.LOW_INK else dye.dark)
    front = smooth([(-4.6, -6), (-5.2, 3), (-3.8, 9.8), (0, 8.4), (3.8, 9.8), (5.2, 3), (4.6, -6)])
    tunic = Path([*front.steps, ("z", ())])
    shape(pen, tunic, dye.light, dye)
    with pen.clipped(tunic):
        _CLOTHS[court.cloth](pen, dye)
    collar = blob((-6.0, 9.6), (-3.2, 10.9), (0, 7.0), (3.2, 10.9), (6.0, 9.6), (3.4, 7.0), (0, 4.8), (-3.4, 7.0))
    shape(pen, collar, CREAM, dye)
    for side in (-1, 1):
        for at in range(4):
            pen.solid(lens(side * (1.1 + at * 1.05), 6.9 + at * 0.85, 1.3, 0.4, 90 - side * 48), dye.deep)
    shape(pen, circle(0, 5.6, 0.95), dye.gold, dye, 0.22)


def _lozenges(pen: Pen, dye: Dye) -> None:
    for row in range(-4, 6):
        for column in range(-3, 4):
            x, y = column * 2.6 + (row % 2) * 1.3, row * 1.9
            pen.solid(polygon((x - 0.75, y), (x, y + 1.1), (x + 0.75, y), (x, y - 1.1)), dye.deep)


def _stripes(pen: Pen, dye: Dye) -> None:
    for column in range(-4, 5):
        x = column * 1.35
        pen.stroke(polyline((x, -6), (x, 10)), dye.deep, 0.5 if column % 2 else 0.22)


def _chevrons(pen: Pen, dye: Dye) -> None:
    for row in range(-4, 8):
        y = row * 1.7
        pen.stroke(polyline((-5.4, y + 1.9), (0, y - 0.6), (5.4, y + 1.9)), dye.deep, 0.5)


_CLOTHS = {"lozenges": _lozenges, "stripes": _stripes, "chevrons": _chevrons}


def _head(pen: Pen, dye: Dye) -> None:
    neck = rect(-1.7, 8.6, 3.4, 4)
    pen.fill(neck, dye.skin)
    face = blob(
        (0, 10.4), (2.6, 11.6), (3.8, 14.4), (3.6, 17.4), (0, 19.2), (-3.6, 17.4), (-3.8, 14.4), (-2.6, 11.6)
    )
    shape(pen, face, dye.skin, dye)
    for side in (-1, 1):
        x = side * 1.65 + 0.35
        pen.solid(ribbon([(x - 1.1, 16.1), (x, 16.7), (x + 1.1, 16.1)], [0.1, 0.4, 0.1]), dye.dark)
        pen.solid(lens(x, 15.2, 1.7, 0.62), dye.dark)
        if pen.style is not Style.LOW_INK:
            pen.fill_background(ellipse(x - 0.35, 15.25, 0.22, 0.2), CREAM)
    pen.solid(ribbon([(0.9, 16.0), (0.75, 14.4), (1.25, 13.4), (0.4, 13.2)], [0.1, 0.28, 0.3, 0.1], 3), dye.dark)
    pen.solid(ribbon([(-0.9, 12.1), (0.3, 11.85), (1.5, 12.15)], [0.1, 0.5, 0.1]), dye.deep)
    if pen.style is not Style.LOW_INK:
        for x in (-2.3, 2.7):
            pen.fill_background(circle(x, 13.4, 0.55), dye.skin.towards(Colour.hex("D9775F"), 0.35))


def _hand(pen: Pen, dye: Dye, x: float, y: float) -> None:
    sleeve = smooth([(x - 5.6, y - 6.4), (x - 2.6, y - 1.2), (x + 0.6, y - 1.6), (x + 2.4, y - 5.8)])
    shape(pen, Path([*sleeve.steps, ("z", ())]), dye.light, dye)
    pen.stroke(smooth([(x - 3.6, y - 2.9), (x - 0.8, y - 2.6), (x + 1.4, y - 3.4)]), dye.deep, 0.5)
    shape(pen, ellipse(x - 0.2, y, 1.6, 1.5), dye.skin, dye)
    for away in (-0.5, 0.3):
        pen.solid(lens(x + 0.5, y + away, 1.5, 0.22), dye.dark)


def draw_joker(pen: Pen, *, red: bool) -> None:
    """Draw a joker in the courts' panel about the origin: a fool in a belled cap, turned to both ends."""
    suits = (Suit.HEARTS, Suit.DIAMONDS) if red else (Suit.SPADES, Suit.CLUBS)
    (deep, light), (other, _) = PIP_COLOURS[suits[0]], PIP_COLOURS[suits[1]]
    dye = Dye(deep, light)
    court = Court("", "short", "", "lozenges" if red else "chevrons")
    _panel(pen, dye, f"court-ground-{suits[0]}")

    def half(inner: Pen) -> None:
        with inner.at(0, 0, scale=_SCALE):
            _robe(inner, court, dye)
            _head(inner, dye)
            _belled_cap(inner, dye, other)
            with inner.at(11.6, 6.0, turn=-14):
                _marotte(inner, dye, other)
            _hand(inner, dye, 11.0, 5.0)
        for side, suit in ((-1, suits[0]), (1, suits[1])):
            draw_pip(inner, suit, side * 12.8, 21.0, 5.0)

    _both_halves(pen, f"joker-half-{suits[0]}", half)
    _sash(pen, dye)
    _border(pen, dye)


def _belled_cap(pen: Pen, dye: Dye, other: Colour) -> None:
    horns = (
        (-1, [(-4.2, 17.6), (-6.4, 21.0), (-9.4, 19.8), (-10.2, 15.4)], other),
        (1, [(4.2, 17.6), (6.4, 21.0), (9.4, 19.8), (10.2, 15.4)], dye.deep),
        (0, [(0, 18.6), (-0.4, 21.4), (0.8, 23.0), (2.6, 23.2)], dye.gold),
    )
    for _, line, colour in horns:
        horn = ribbon(line, [4.6, 3.4, 1.8, 0.5])
        shape(pen, horn, colour, dye)
        shape(pen, circle(*line[-1], 0.95), dye.gold, dye, 0.22)
        pen.solid(lens(line[-1][0], line[-1][1] - 0.2, 1.0, 0.28), dye.dark)
    rim = blob((-5.0, 17.6), (0, 19.4), (5.0, 17.6), (4.6, 16.2), (0, 17.6), (-4.6, 16.2))
    shape(pen, rim, CREAM, dye)
    for x in (-3.4, -1.2, 1.2, 3.4):
        pen.solid(lens(x, 17.9 - abs(x) * 0.2, 1.0, 0.5, 60), dye.deep)


def _marotte(pen: Pen, dye: Dye, other: Colour) -> None:
    """The fool's stick, with a little star for a head."""
    pen.stroke(polyline((0, -4), (0, 5.6)), dye.dark, 0.8)
    shape(pen, star(0, 7.2, 2.6, 1.2, 5), other, dye, 0.22)
    pen.fill_background(circle(0, 7.2, 0.7), dye.gold)
