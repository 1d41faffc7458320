"""A picture for each quick start, in a window of 66 x 72 mm: what the group is about to meet."""

from __future__ import annotations

from collections.abc import Callable

from loomtable.engine.kernel.poker import Suit
from loomtable.engine.mnemonic.almanac import weaving_dice
from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.engine.spellwoven.encounters import installed_encounter
from loomtable.engine.woven.cards import Side, tapestry_card
from loomtable.printkit.components.sheet_style import PARCHMENT, Theme
from loomtable.printkit.draw.art import MOTIF_HEIGHT, MOTIF_WIDTH, art_named
from loomtable.printkit.draw.courts import COURT_HEIGHT, COURT_WIDTH, draw_court
from loomtable.printkit.draw.elements import draw_element, draw_thread, draw_thread_box
from loomtable.printkit.draw.figures import draw_figure
from loomtable.printkit.draw.palette import WHITE, Colour, Style
from loomtable.printkit.draw.path import Path, circle, lens, polyline, rect, rounded, svg_path
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.pips import PIP_COLOURS, draw_pip
from loomtable.printkit.draw.type import Face, width_of
from loomtable.printkit.games.mnemonic.weaving_dice_emblems import draw_emblem

WIDTH, HEIGHT = 66.0, 72.0
Art = Callable[[Pen, Theme], None]


def draw_art(pen: Pen, theme: Theme) -> None:
    """The game's picture, its lower left corner at the origin."""
    window = rounded(0, 0, WIDTH, HEIGHT, 3.0)
    pen.fill_background(window, theme.pale)
    with pen.clipped(window):
        theme.scene(pen, theme)
    pen.stroke(window, theme.deep, 0.8)
    pen.stroke(rounded(1.1, 1.1, WIDTH - 2.2, HEIGHT - 2.2, 2.2), theme.warm, 0.2)


def _panel(
    pen: Pen, x: float, y: float, turn: float, scale: float, box: tuple[float, float], draw: Callable[[Pen], None]
) -> None:
    """A picture of ``box`` mm as a card lying about (x, y), turned."""
    width, height = box
    with pen.at(x, y, turn=turn, scale=scale), pen.at(-width / 2, -height / 2):
        card = rounded(-2.4, -2.4, width + 4.8, height + 4.8, 3)
        pen.fill_background(card, PARCHMENT)
        with pen.clipped(rect(0, 0, width, height)):
            draw(pen)
        pen.stroke(rect(0, 0, width, height), Colour.hex("2A2633"), 0.4)
        pen.stroke(card, Colour.hex("2A2633"), 0.35)


def draw_weave(pen: Pen, theme: Theme) -> None:
    """Three Story cards, fanned: a Theme, a Location and a Boss."""
    _cloth(pen, theme)
    for name, x, y, turn in (
        ("lantern", 21.0, 50.0, 11.0),
        ("mask", 46.0, 42.5, -8.0),
        ("bridge", 24.5, 22.0, 3.0),
    ):
        motif = art_named("motifs", name, "the quick start of Weave")
        _panel(pen, x, y, turn, 0.6, (MOTIF_WIDTH, MOTIF_HEIGHT), motif.draw)


def _cloth(pen: Pen, theme: Theme) -> None:
    """The table's cloth: a plain weave of pale threads."""
    if pen.style is Style.LOW_INK:
        return
    for at in range(0, 75, 3):
        pen.stroke(polyline((at, 0), (at, HEIGHT)), theme.deep.towards(theme.pale, 0.82), 0.5, tone=True)
        pen.stroke(polyline((0, at), (WIDTH, at)), theme.warm.towards(theme.pale, 0.8), 0.5, tone=True)


_BANDS = {Proximity.ENGAGED: 23.0, Proximity.NEARBY: 44.0, Proximity.DISTANT: 65.0}
"""Outer radius of each proximity about the middle of the fight, mm."""


def draw_spellwoven(pen: Pen, theme: Theme) -> None:
    """Who is how near: the three proximities as rings, with everybody of the encounter where its file has them."""
    encounter = installed_encounter("three-chairs-at-the-heron").opened()
    middle = (33.0, 3.0)
    for at, (proximity, radius) in enumerate(reversed(_BANDS.items())):
        pen.fill_background(circle(*middle, radius), theme.pale.towards(WHITE, 0.25 + 0.25 * at))
        pen.stroke(circle(*middle, radius), theme.deep, 0.35)
        label = proximity.label
        pen.text(33.0, middle[1] + radius - 4.2, label, Face.TEXT_ITALIC, 9, theme.warm, align="middle")
    places = {
        Proximity.ENGAGED: [(24.6, 15.4), (42.4, 15.4)],
        Proximity.NEARBY: [(19.0, 34.0), (47.0, 34.0)],
        Proximity.DISTANT: [(14.0, 53.0), (52.0, 53.0)],
    }
    for name, proximity in encounter.proximities.items():
        _token(pen, theme, name, *places[proximity].pop(0), hero=False)
    for name, x in (("Wat", 25.5), ("Joss", 40.5)):
        _token(pen, theme, name, x, 6.6, hero=True)


def _token(pen: Pen, theme: Theme, name: str, x: float, y: float, *, hero: bool) -> None:
    wide = width_of(name, Face.LABEL_BOLD, 7.5) + 4.0
    plate = rounded(x - wide / 2, y - 2.3, wide, 4.6, 2.3)
    ground = WHITE if hero else theme.deep
    (pen.fill_background if hero or pen.style is Style.LOW_INK else pen.solid)(plate, ground)
    pen.stroke(plate, theme.deep, 0.4 if hero else 0.25)
    words = theme.deep if hero or pen.style is Style.LOW_INK else WHITE
    pen.text(x, y - 0.9, name, Face.LABEL_BOLD, 7.5, words, align="middle")


def draw_storm_weavers(pen: Pen, theme: Theme) -> None:
    """Thymin and the Frost Carter face to face in the snow, a cliff behind them."""
    pen.fill_background(rect(0, 0, WIDTH, HEIGHT), theme.deep.towards(WHITE, 0.62))
    cliff = (
        Path()
        .move(0, HEIGHT)
        .line(0, 30)
        .line(9, 33)
        .line(15, 27)
        .line(22, 31)
        .line(28, 44)
        .line(34, HEIGHT)
        .close()
    )
    pen.fill(cliff, theme.deep.towards(WHITE, 0.4), tone=True)
    far = Path().move(66, HEIGHT).line(66, 30).line(58, 32).line(52, 45).line(46, 52).line(43, HEIGHT).close()
    pen.fill(far, theme.deep.towards(WHITE, 0.48), tone=True)
    for at in range(60):
        x, y = (at * 23.7) % 70, (at * 37.3) % 76
        if pen.style is not Style.LOW_INK:
            pen.fill_background(lens(x, y, 3.2 + at % 3, 0.5, 22), WHITE)
    snow = svg_path("M0 0 L0 11 C14 14 26 8.5 38 10.5 C50 12.5 58 9 66 11.5")
    pen.fill_background(snow.line(66, 0).close(), WHITE)
    for x, mirrored, name in ((19.0, False, "thymin"), (47.0, True, "frost-carter")):
        with pen.at(x, 10.0, scale=1.36):
            draw_figure(pen, art_named("figures", name, "the quick start of Storm Weavers"), mirrored=mirrored)
    for at in range(12):
        pen.solid(lens(5 + at * 5.1, 4.6 + (at % 3) * 1.3, 3.4, 0.3, 4), theme.deep.towards(WHITE, 0.5))


def draw_mnemonic(pen: Pen, theme: Theme) -> None:
    """A fan of the deck, and the Lantern that was picked from the weaving dice."""
    _cloth(pen, theme)
    courts = ((Suit.HEARTS, "K", 17.0, 41.0, 15.0), (Suit.SPADES, "Q", 29.5, 45.0, 3.0))
    for suit, rank, x, y, turn in courts:
        _panel(pen, x, y, turn, 0.74, (COURT_WIDTH, COURT_HEIGHT), _court(suit, rank))
    _panel(pen, 43.5, 43.5, -9.0, 0.74, (COURT_WIDTH, COURT_HEIGHT), _four_of_clubs)
    emblem = weaving_dice()["lantern"]
    pen.fill_background(circle(49.5, 17.5, 14.2), theme.deep)
    pen.fill_background(circle(49.5, 17.5, 13.5), theme.pale.towards(WHITE, 0.3))
    pen.stroke(circle(49.5, 17.5, 13.9), theme.deep, 0.6)
    with pen.at(49.5, 17.5, scale=0.56):
        draw_emblem(pen, emblem.key, theme.deep, theme.pale.towards(WHITE, 0.3))


def _court(suit: Suit, rank: str) -> Callable[[Pen], None]:
    def draw(pen: Pen) -> None:
        with pen.at(COURT_WIDTH / 2, COURT_HEIGHT / 2):
            draw_court(pen, suit, rank)

    return draw


def _four_of_clubs(pen: Pen) -> None:
    deep, light = PIP_COLOURS[Suit.CLUBS]
    pen.fill_background(rect(0, 0, COURT_WIDTH, COURT_HEIGHT), PARCHMENT.towards(light, 0.25))
    for x, y in ((0.3, 0.76), (0.7, 0.76), (0.3, 0.24), (0.7, 0.24)):
        draw_pip(pen, Suit.CLUBS, COURT_WIDTH * x, COURT_HEIGHT * y, 11.0, turned=y < 0.5)
    pen.text(4.4, COURT_HEIGHT - 9.0, "4", Face.CODE, 22, deep, align="middle")


def draw_woven(pen: Pen, theme: Theme) -> None:
    """The tapestry card of the example with its first thread, and the pattern that it completes."""
    _cloth(pen, theme)
    with pen.at(6.2, 7.0, scale=0.69):
        _tapestry(pen, theme)
    with pen.at(35.0, 57.5, turn=-4, scale=1.15):
        _pattern(pen, theme)


_TAPESTRY_CELL = 26.0


def _tapestry(pen: Pen, theme: Theme) -> None:
    cell = _TAPESTRY_CELL
    face = tapestry_card(19).face(Side.A)
    ground, strand = Colour.hex("F6EBD3"), Colour.hex("C9A368")
    width, height = cell * len(face[0]), cell * len(face)
    pen.fill_background(rounded(-2, -2, width + 4, height + 4, 2), ground)
    pen.stroke(rounded(-2, -2, width + 4, height + 4, 2), theme.deep, 0.5)
    for row in range(len(face)):
        for away in (-1.6, 0.0, 1.6):
            pen.stroke(
                polyline((-2, (row + 0.5) * cell + away), (width + 2, (row + 0.5) * cell + away)), strand, 1.0
            )
    for column in range(len(face[0])):
        for away in (-1.6, 0.0, 1.6):
            at = (column + 0.5) * cell + away
            pen.stroke(polyline((at, -2), (at, height + 2)), strand, 1.0)
    for row, cells in enumerate(face):
        for column, element in enumerate(cells):
            x, y = (column + 0.5) * cell, (len(face) - row - 0.5) * cell
            pen.fill_background(circle(x, y, 9.6), ground)
            if element is not None:
                draw_element(pen, element, x, y, 15)
                continue
            draw_thread_box(pen, x, y, 12.6)
            if (row, column) == (0, 0):
                draw_thread(pen, x, y, 11)


def _pattern(pen: Pen, theme: Theme) -> None:
    """Haste as it stands on its card: a sign of Air, and a thread beside it."""
    plate = rounded(-11.0, -9.0, 22.0, 18.0, 1.8)
    pen.fill_background(plate, WHITE)
    pen.stroke(plate, theme.deep, 0.4)
    pen.text(0, 4.2, "Haste", Face.TITLE, 10, theme.deep, align="middle")
    face = tapestry_card(19).face(Side.A)
    air = face[0][1]
    assert air is not None, "card 19 carries Air in the middle of its upper row"
    for x in (-4.6, 4.6):
        pen.stroke(rect(x - 4.6, -6.6, 9.2, 9.2), theme.deep.towards(WHITE, 0.35), 0.2)
    draw_thread(pen, -4.6, -2.0, 7.0)
    draw_element(pen, air, 4.6, -2.0, 7.8)
