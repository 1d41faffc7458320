"""How the printed things of Spellwoven look: colours, emblem, and the picture of the quick start."""

from __future__ import annotations

from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.engine.spellwoven.encounters import installed_encounter
from loomtable.printkit.components.sheet_style import Theme, emblem_named
from loomtable.printkit.draw.palette import WHITE, Colour, Style
from loomtable.printkit.draw.path import circle, rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font, width_of

_BANDS = {Proximity.ENGAGED: 23.0, Proximity.NEARBY: 44.0, Proximity.DISTANT: 65.0}
"""Outer radius of each proximity about the middle of the fight, mm."""


def _scene(pen: Pen, theme: Theme) -> None:
    """Who is how near: the three proximities as rings, with everybody of the encounter where its file has them."""
    encounter = installed_encounter("three-chairs-at-the-heron").opened()
    middle = (33.0, 3.0)
    for at, (proximity, radius) in enumerate(reversed(_BANDS.items())):
        pen.fill_background(circle(*middle, radius), theme.pale.towards(WHITE, 0.25 + 0.25 * at))
        pen.stroke(circle(*middle, radius), theme.deep, 0.35)
        label = proximity.label
        pen.text(33.0, middle[1] + radius - 4.2, label, Font.TEXT_ITALIC, 9, theme.warm, align="middle")
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
    wide = width_of(name, Font.LABEL_BOLD, 7.5) + 4.0
    plate = rounded(x - wide / 2, y - 2.3, wide, 4.6, 2.3)
    ground = WHITE if hero else theme.deep
    (pen.fill_background if hero or pen.style is Style.LOW_INK else pen.solid)(plate, ground)
    pen.stroke(plate, theme.deep, 0.4 if hero else 0.25)
    words = theme.deep if hero or pen.style is Style.LOW_INK else WHITE
    pen.text(x, y - 0.9, name, Font.LABEL_BOLD, 7.5, words, align="middle")


THEME = Theme(
    "spellwoven",
    "Spellwoven",
    Colour.hex("5E2430"),
    Colour.hex("8A6A2C"),
    Colour.hex("F0DFD2"),
    emblem_named("spellwoven"),
    _scene,
)
