"""The five mages of Woven: each has a dye, and an emblem that tells it where colours do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.printkit.draw.figures import Cutter, figure_art
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import Path, blob, circle, lens, on_circle, rect, ribbon, star, svg_path
from loomtable.printkit.draw.pen import Pen


@dataclass(frozen=True)
class Mage:
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
    Mage(number, name, emblem, *(Colour.hex(ink) for ink in _INKS[emblem]))
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
        for path in _EMBLEMS[emblem]():
            pen.solid(path, colour, even_odd=True)


def _star() -> list[Path]:
    return [star(0, 0, 10, 4.2, 5) + circle(0, 0, 1.6)]


def _moon() -> list[Path]:
    path = svg_path("M3.4 9.4 C-4.6 11.6 -9.6 5.6 -9.4 0 C-9.2 -6.4 -3.6 -11.2 3.6 -9.3")
    return [path.curve(-5.4, -5.2, -5.4, 5.2, 3.4, 9.4).close(), star(5.2, 0, 3.4, 1.3, 4)]


def _leaf() -> list[Path]:
    leaf = svg_path("M0 10 C6.8 5.8 7.6 -1.6 0 -6.6 C-7.6 -1.6 -6.8 5.8 0 10 Z")
    veins = lens(0, 1.6, 13, 0.8, 90)
    for side in (-1, 1):
        for y in (-1.8, 1.6):
            veins += lens(side * 2.1, y + 1.0, 4.0, 0.6, 90 - side * 50)
    return [leaf + veins, rect(-0.7, -10, 1.4, 4.2)]


def _key() -> list[Path]:
    bow = circle(0, 5.4, 4.8) + circle(0, 5.4, 2.3)
    return [bow, rect(-1.1, -10, 2.2, 11.0), rect(1.0, -9.4, 4.4, 2.0), rect(1.0, -5.6, 3.4, 2.0)]


def _shell() -> list[Path]:
    spiral = [on_circle(0, 0, 9.0 - at * 0.3, 250 - at * 32) for at in range(28)]
    return [ribbon(spiral, [0.6, 3.2, 3.0, 2.4, 1.8, 0.8], 3)]


_EMBLEMS: Mapping[str, Callable[[], list[Path]]] = {
    "star": _star, "moon": _moon, "leaf": _leaf, "key": _key, "shell": _shell
}  # fmt: skip


def _robe(cut: Cutter, emblem: str) -> None:
    """A robe to the ground, wide sleeves, the emblem on the breast and on top of the staff."""
    cut.limb([(9.0, 0.4), (8.8, 12), (8.6, 25.4)], 1.1, 1.1)
    cut.body(circle(8.6, 28.2, 3.0))
    cut.light_part(circle(8.6, 28.2, 2.5))
    draw_emblem(cut.pen, emblem, 8.6, 28.2, 3.7, cut.deep)
    cut.blob(
        (-8.2, 0.2),
        (-6.8, 8),
        (-5.2, 15),
        (-3.6, 20),
        (3.6, 20),
        (5.2, 15),
        (6.8, 8),
        (8.2, 0.2),
        (4, -0.2),
        (0, 0.6),
        (-4, -0.2),
    )
    cut.hatch((-5.0, 4.6, 7, 80), (-2.6, 4.0, 7, 85), (2.6, 4.0, 7, 95), (5.0, 4.6, 7, 100), (0, 3.4, 5.4, 90))
    cut.blob((3.0, 18.8), (6.2, 16.6), (9.6, 13.8), (10.2, 11.2), (7.4, 9.6), (4.4, 11.4))
    cut.blob((-3.0, 18.8), (-6.2, 17.2), (-9.4, 18.4), (-10.6, 21.6), (-8.2, 22.8), (-4.6, 21.0))
    cut.light_part(circle(-9.6, 21.6, 1.25))
    cut.light_part(circle(8.9, 12.4, 1.25))
    cut.hatch((-7.0, 19.6, 3.4, -24), (6.8, 13.2, 3.4, 124))
    cut.light_part(circle(0, 13.6, 3.7))
    draw_emblem(cut.pen, emblem, 0, 13.6, 5.2, cut.deep)


def _face(cut: Cutter) -> None:
    cut.light_part(
        blob((0, 18.4), (2.4, 19.8), (3.0, 22.6), (2.2, 25.2), (-2.2, 25.2), (-3.0, 22.6), (-2.4, 19.8))
    )
    cut.ink(
        lens(-1.2, 22.9, 1.2, 0.5),
        lens(1.2, 22.9, 1.2, 0.5),
        lens(0.1, 20.2, 1.5, 0.3),
        lens(0.1, 21.7, 1.3, 0.3, 90),
    )


@figure_art("mage-star", deep="8E2430", light="F4C9BE")
def _mage_star(cut: Cutter) -> None:
    """A tall pointed hat."""
    _robe(cut, "star")
    _face(cut)
    cut.blob(
        (-6.0, 24.2), (-2.8, 25.8), (-1.0, 29), (-2.4, 32.6), (2.2, 29.4), (3.0, 25.8), (6.0, 24.2), (0, 23.6)
    )
    cut.hatch((-0.2, 28, 4, 96), (1.4, 26.8, 2.6, 104))


@figure_art("mage-moon", deep="22416E", light="C3D4EA")
def _mage_moon(cut: Cutter) -> None:
    """A veil and two horns of a moon."""
    _robe(cut, "moon")
    for side in (-1, 1):
        cut.blob((side * 2.0, 26.2), (side * 4.2, 23), (side * 5.2, 17.8), (side * 2.8, 17.4), (side * 2.8, 22))
    _face(cut)
    cut.blob((-3.6, 24.2), (-2.6, 27.0), (2.6, 27.0), (3.6, 24.2), (0, 25.2))
    cut.limb([(-2.6, 32.4), (-4.4, 29.2), (0, 26.6), (4.4, 29.2), (2.6, 32.4)], 0.2, 1.4, 1.8, 1.4, 0.2)


@figure_art("mage-leaf", deep="2F5A2C", light="CFE0B4")
def _mage_leaf(cut: Cutter) -> None:
    """A wreath of leaves and a long beard."""
    _robe(cut, "leaf")
    _face(cut)
    cut.light_part(blob((-2.8, 21.4), (-2.4, 18), (0, 15.4), (2.4, 18), (2.8, 21.4), (0, 20.2)))
    cut.ink(lens(-1.0, 18.6, 3.2, 0.35, 84), lens(1.0, 18.6, 3.2, 0.35, 96))
    for turn in (20, 48, 76, 104, 132, 160):
        cut.body(lens(*on_circle(0, 22.8, 4.4, turn), 4.4, 1.7, turn + (12 if turn < 90 else -12)))


@figure_art("mage-key", deep="7A5200", light="F5DE98")
def _mage_key(cut: Cutter) -> None:
    """A flat scholar's cap with a tassel."""
    _robe(cut, "key")
    _face(cut)
    cut.plane((-3.2, 24.4), (-2.8, 27), (2.8, 27), (3.2, 24.4))
    cut.plane((-6.4, 27.6), (0, 30.2), (6.4, 27.6), (0, 25.6))
    cut.limb([(0, 28), (4.6, 27.4), (5.2, 24.0)], 0.5, 0.5, 1.2)
    cut.hatch((-1.6, 27.9, 3.6, 18), (2.0, 28.3, 3.0, -18))


@figure_art("mage-shell", deep="5E3670", light="E2CBE8")
def _mage_shell(cut: Cutter) -> None:
    """Hair wound up into a shell."""
    _robe(cut, "shell")
    cut.blob((-3.6, 19.6), (-4.4, 23), (-3.0, 26), (3.0, 26), (4.4, 23), (3.6, 19.6))
    _face(cut)
    for y, half in ((26.0, 3.4), (28.2, 2.7), (30.2, 1.9), (31.8, 1.1)):
        cut.blob((-half, y), (0, y + 1.5), (half, y), (0, y - 1.3))
        cut.hatch((0, y, half * 1.4, 10))
