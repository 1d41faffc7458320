"""Card backs: a woven ground without a border, and a medallion.

There is no frame near the trim, so a back that lands a millimetre or two beside its front looks no worse; turned
half round it is the same, so nobody can tell which way up a card lies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from loomtable.engine.kernel.poker import Suit
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
class _Ground:
    """The inks of a back: two bands woven through each other, and the mark that stands in every opening."""

    deep: Colour
    pale: Colour
    warm: Colour
    light: Colour
    mark: Callable[[float, float], Path]

    @classmethod
    def of(cls, inks: str, mark: Callable[[float, float], Path]) -> _Ground:
        """From four colours, ``"24405A C9D6D6 A8712F F3E2BC"``: deep, pale, warm and light."""
        deep, pale, warm, light = (Colour.hex(ink) for ink in inks.split())
        return cls(deep, pale, warm, light, mark)


_STORY = _Ground.of("24405A C9D6D6 A8712F F3E2BC", lambda x, y: star(x, y, 1.15, 0.42, 4))
_CHALLENGE = _Ground.of("6E2A32 EBC9B4 9A6A2E F6E7C4", lambda x, y: ellipse(x, y, 0.75, 0.95))
_POKER = _Ground.of("1F4D3D C3DACB 8C2438 F2D9CF", lambda x, y: star(x, y, 1.1, 0.75, 4, 45))
_SPELL = _Ground.of("43366F D6CFE8 2D6A73 D3E6E2", lambda x, y: star(x, y, 1.2, 0.5, 6))
_HOME = _Ground.of("5B4326 E6D6B8 3F6A58 D9E7D3", lambda x, y: lens(x, y, 2.0, 0.9, 45))


def draw_story_back(pen: Pen, size: CardSize) -> None:
    """Draw the back of every Story card: two moons about a star on blue and gold weaving. Origin as for fronts."""
    _draw_back(pen, "story-back", size, _STORY, art_named("backs", "moons").draw)


def draw_challenge_back(pen: Pen, size: CardSize) -> None:
    """Draw the back of every Challenge card: a knot on red and green weaving. Origin as for fronts."""
    _draw_back(
        pen,
        "challenge-back",
        size,
        _CHALLENGE,
        lambda inner: draw_suit(inner, "weave", 0, 0, 17, _CHALLENGE.deep, CREAM),
    )


def draw_poker_back(pen: Pen, size: CardSize) -> None:
    """Draw the back of every poker card: the four suits, each twice, about a knot. Origin as for fronts."""
    _draw_back(pen, "poker-back", size, _POKER, _four_suits)


def draw_spell_back(pen: Pen, size: CardSize) -> None:
    """Draw the back of every Woven spell card: the elements, each twice, about a star. Origin as for fronts."""
    _draw_back(pen, "spell-back", size, _SPELL, _elements)


def draw_home_back(pen: Pen, size: CardSize) -> None:
    """Draw the back of every Woven home card: a hearth's star between two roofs. Origin as for fronts."""
    _draw_back(pen, "home-back", size, _HOME, art_named("backs", "roofs").draw)


def _draw_back(pen: Pen, name: str, size: CardSize, ground: _Ground, emblem: Callable[[Pen], None]) -> None:
    """The weaving over the whole card, and the emblem, drawn about the origin, on a medallion in its middle."""

    def draw(inner: Pen) -> None:
        _weaving(inner, size, ground)
        with inner.at(size.width / 2, size.height / 2, scale=face_scale(size)):
            _medallion(inner, ground.deep, ground.warm)
            emblem(inner)

    pen.place(name, (-BLEED, -BLEED, size.width + 2 * BLEED, size.height + 2 * BLEED), draw)


def _weaving(pen: Pen, size: CardSize, ground: _Ground) -> None:
    scale = face_scale(size)
    wide = 4.3 * scale
    rising = Band(wide, ground.pale, ground.deep, ground.deep.towards(ground.pale, 0.35))
    falling = Band(wide, ground.light, ground.warm, ground.warm.towards(ground.light, 0.3))
    # Meshes have one shape on every size. Up the card they are even in number: turned half round it is the same.
    across, up = round(size.width / (9 * scale)), 2 * round(size.height / (17.6 * scale))
    lattice = Lattice(size.width, size.height, across, up)
    draw_lattice(pen, lattice, BLEED, rising, falling)
    for _, _, (x, y) in lattice.pairs(BLEED, 0.5):
        pen.solid(ground.mark(x, y), ground.deep)


def _four_suits(pen: Pen) -> None:
    for turn in (0, 180):
        with pen.at(0, 0, turn=turn):
            for at, suit in enumerate(Suit):
                angle = 22.5 + 45 * at
                with pen.at(*on_circle(0, 0, 9.6, angle), turn=angle - 90):
                    draw_pip(pen, suit, 0, 0, 6.2)
    draw_suit(pen, "weave", 0, 0, 11, _POKER.deep, CREAM)


def _elements(pen: Pen) -> None:
    for turn in (0, 180):
        with pen.at(0, 0, turn=turn):
            for at, element in enumerate(ELEMENT_COLOURS):
                angle = 22.5 + 45 * at
                with pen.at(*on_circle(0, 0, 9.5, angle), turn=angle - 90):
                    draw_element(pen, element, 0, 0, 6.4)
    pen.fill(star(0, 0, 5.4, 1.9, 8, 90), _SPELL.warm)
    pen.fill(star(0, 0, 3.4, 1.3, 8, 112.5), _SPELL.deep)


def _medallion(pen: Pen, deep: Colour, warm: Colour) -> None:
    """A round plate with a twisted rim, about the origin."""
    pen.fill(circle(0, 0, 16.6), deep)
    pen.fill_background(circle(0, 0, 16.0), CREAM)
    for at in range(40):
        pen.solid(lens(*on_circle(0, 0, 14.7, at * 9), 1.9, 0.6, at * 9 + 50), deep if at % 2 else warm)
    pen.stroke(arc(0, 0, 13.4, 0, 360), deep, 0.3)
    pen.stroke(arc(0, 0, 15.6, 0, 360), warm, 0.2)
