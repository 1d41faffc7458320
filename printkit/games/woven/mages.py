"""The five mages of Woven: each has a dye, and an emblem that tells it where colours do not."""

from __future__ import annotations

from dataclasses import dataclass

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pen import Pen


@dataclass(frozen=True)
class MageInks:
    """A player's colour: ``number`` is that of its figure, ``art`` the name of its drawing."""

    number: int
    name: str
    emblem: str
    deep: Colour
    light: Colour

    @property
    def art(self) -> str:
        """The name of its figure's drawing."""
        return f"mage-{self.emblem}"

    @property
    def figure(self) -> ComponentId:
        """Its figure, whose number is also its tag."""
        return ComponentId(Kind.FIGURE, self.number)


_INKS = {
    "star": ("8E2430", "F4C9BE"), "moon": ("22416E", "C3D4EA"), "leaf": ("2F5A2C", "CFE0B4"),
    "key": ("7A5200", "F5DE98"), "shell": ("5E3670", "E2CBE8"),
}  # fmt: skip
MAGES = tuple(
    MageInks(number, name, emblem, *(Colour.hex(ink) for ink in _INKS[emblem]))
    for number, name, emblem in (
        (51, "Madder", "star"),
        (52, "Woad", "moon"),
        (53, "Moss", "leaf"),
        (54, "Weld", "key"),
        (55, "Orchil", "shell"),
    )
)
"""The mages, called by their dyes."""


def draw_emblem(pen: Pen, emblem: str, x: float, y: float, size: float, colour: Colour) -> None:
    """Draw an emblem, ``size`` mm high, about (x, y), solid in every style."""
    with pen.at(x, y, scale=size / 20):
        art_named("emblems", emblem).draw(pen, {"deep": colour})
