"""Card backs: a woven ground without a border, and a medallion.

There is no frame near the trim, so a back that lands a millimetre or two beside its front looks no worse; turned
half round it is the same, so nobody can tell which way up a card lies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from loomtable.engine.kernel.poker import CardSuit
from loomtable.printkit.components.layout import face_scale
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.elements import ELEMENT_COLOURS, draw_element
from loomtable.printkit.draw.palette import CREAM, Colour
from loomtable.printkit.draw.path import Path, arc, circle, ellipse, lens, on_circle, star
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.pips import draw_pip
from loomtable.printkit.draw.suits import draw_suit
from loomtable.printkit.draw.weaving import Band, Lattice, draw_lattice
from loomtable.printkit.sheet.papers import BLEED, CardSize


@dataclass(frozen=True)
class CardBack:
    """Two bands woven through each other, the ``mark`` in every opening, and the ``emblem`` on a medallion.

    ``inks`` are four colours: deep, pale, warm and light. Marks are placed, emblems drawn about the origin.
    """

    name: str
    inks: str
    mark: Callable[[float, float], Path]
    emblem: Callable[[Pen, Colour, Colour], None]
    """Takes the deep and the warm ink."""

    def draw(self, pen: Pen, size: CardSize) -> None:
        """Draw the back of a card of ``size``. The origin is the lower left corner of the trim, in mm."""
        pen.place(
            f"{self.name}-back",
            (-BLEED, -BLEED, size.width + 2 * BLEED, size.height + 2 * BLEED),
            lambda inner: self._draw(inner, size),
        )

    def _draw(self, pen: Pen, size: CardSize) -> None:
        deep, pale, warm, light = map(Colour.hex, self.inks.split())
        scale = face_scale(size)
        wide = 4.3 * scale
        rising = Band(wide, pale, deep, deep.towards(pale, 0.35))
        falling = Band(wide, light, warm, warm.towards(light, 0.3))
        # Meshes have one shape on every size. Up the card they are even in number: it is the same turned round.
        across, up = round(size.width / (9 * scale)), 2 * round(size.height / (17.6 * scale))
        lattice = Lattice(size.width, size.height, across, up)
        draw_lattice(pen, lattice, BLEED, rising, falling)
        for _, _, (x, y) in lattice.pairs(BLEED, 0.5):
            pen.solid(self.mark(x, y), deep)
        with pen.at(size.width / 2, size.height / 2, scale=scale):
            # A round plate with a twisted rim.
            pen.fill(circle(0, 0, 16.6), deep)
            pen.fill_background(circle(0, 0, 16.0), CREAM)
            for at in range(40):
                pen.solid(lens(*on_circle(0, 0, 14.7, at * 9), 1.9, 0.6, at * 9 + 50), deep if at % 2 else warm)
            pen.stroke(arc(0, 0, 13.4, 0, 360), deep, 0.3)
            pen.stroke(arc(0, 0, 15.6, 0, 360), warm, 0.2)
            self.emblem(pen, deep, warm)


def _picture(name: str) -> Callable[[Pen, Colour, Colour], None]:
    return lambda pen, deep, warm: art_named("backs", name).draw(pen)


def _twice_round(pen: Pen, count: int, radius: float, draw: Callable[[int], None]) -> None:
    """Draw each of four things twice in a ring, their feet towards its middle."""
    for at in range(2 * count):
        angle = 22.5 + 45 * at
        with pen.at(*on_circle(0, 0, radius, angle), turn=angle - 90):
            draw(at % count)


def _four_suits(pen: Pen, deep: Colour, warm: Colour) -> None:
    suits = list(CardSuit)
    _twice_round(pen, len(suits), 9.6, lambda at: draw_pip(pen, suits[at], 0, 0, 6.2))
    draw_suit(pen, "weave", 0, 0, 11, deep, CREAM)


def _elements(pen: Pen, deep: Colour, warm: Colour) -> None:
    elements = list(ELEMENT_COLOURS)
    _twice_round(pen, len(elements), 9.5, lambda at: draw_element(pen, elements[at], 0, 0, 6.4))
    pen.fill(star(0, 0, 5.4, 1.9, 8, 90), warm)
    pen.fill(star(0, 0, 3.4, 1.3, 8, 112.5), deep)


def _burst(pen: Pen, deep: Colour, warm: Colour) -> None:
    for at, colour in enumerate((deep, warm, CREAM)):
        pen.fill(star(0, 0, 10.4 - 3.6 * at, 4.6 - 1.5 * at, 8, 90 + 22.5 * at), colour)


STORY_BACK = CardBack(
    "story", "24405A C9D6D6 A8712F F3E2BC", lambda x, y: star(x, y, 1.15, 0.42, 4), _picture("moons")
)
CHALLENGE_BACK = CardBack(
    "challenge",
    "6E2A32 EBC9B4 9A6A2E F6E7C4",
    lambda x, y: ellipse(x, y, 0.75, 0.95),
    lambda pen, deep, warm: draw_suit(pen, "weave", 0, 0, 17, deep, CREAM),
)
POKER_BACK = CardBack(
    "poker", "1F4D3D C3DACB 8C2438 F2D9CF", lambda x, y: star(x, y, 1.1, 0.75, 4, 45), _four_suits
)
SPELL_BACK = CardBack("spell", "43366F D6CFE8 2D6A73 D3E6E2", lambda x, y: star(x, y, 1.2, 0.5, 6), _elements)
HOME_BACK = CardBack(
    "home", "5B4326 E6D6B8 3F6A58 D9E7D3", lambda x, y: lens(x, y, 2.0, 0.9, 45), _picture("roofs")
)
ANSWER_BACK = CardBack(
    "answer",
    "2A4A4C CFDDD6 8C5A2B F2E4C6",
    lambda x, y: lens(x, y, 2.4, 0.8),
    _burst,
)
