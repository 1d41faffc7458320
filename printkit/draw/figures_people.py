"""Those of the Storm Weavers' figures that walk on two legs and wear clothes: Thymin, and whom he meets."""

from __future__ import annotations

from loomtable.printkit.draw.figures import Cutter, figure_art
from loomtable.printkit.draw.path import (
    arc,
    blob,
    circle,
    ellipse,
    lens,
    on_circle,
    polygon,
    polyline,
    rect,
    ribbon,
    svg_path,
)


def _legs(cut: Cutter, half: float, high: float) -> None:
    """Two legs in boots, ``half`` mm either side of the middle."""
    for side in (-1, 1):
        cut.blob(
            (side * (half - 1.9), high), (side * (half + 1.6), high), (side * (half + 1.7), 2.4),
            (side * (half + 3.0), 0.7), (side * (half + 2.2), 0), (side * (half - 1.6), 0),
            (side * (half - 1.7), 3),
        )  # fmt: skip
        cut.hatch((side * half, high * 0.62, 2.6, 8), (side * half, high * 0.45, 2.6, 8))


@figure_art("thymin", deep="24405A", light="F3E2BC")
def _thymin(cut: Cutter) -> None:
    """A broad dwarf with a plaited beard, a helmet and a long axe."""
    cut.limb([(9.4, 0.6), (9.0, 14), (8.6, 29)], 1.3, 1.3)
    blade = svg_path("M8.4 28.4 C3.6 30.6 3.4 22.2 8.6 23.6 L8.8 25 C7.0 25.2 7.0 27 8.5 27 Z")
    cut.light_part(blade)
    cut.light_part(blade.mirrored(8.7).scaled(1, 1))
    _legs(cut, 3.4, 7)
    cut.blob(
        (-8.2, 4.4), (-8.8, 11), (-7.6, 16.6), (-3.6, 19), (3.6, 19), (7.6, 16.6), (8.8, 11), (8.2, 4.4), (0, 3.6)
    )
    cut.limb([(-6.8, 16.4), (-9.8, 11.8), (-7.6, 8.0), (-5.4, 8.6)], 3.6, 3.2, 2.4)
    cut.limb([(6.8, 16.4), (10.0, 13.6), (9.2, 11.0)], 3.6, 3.0, 2.4)
    cut.hatch((-6.4, 6.2, 3.4, 80), (-4.4, 6.0, 3.2, 84), (4.4, 6.0, 3.2, 96), (6.4, 6.2, 3.4, 100))
    cut.cut(polygon((-8.2, 8.4), (8.2, 8.4), (8.3, 9.6), (-8.3, 9.6)))
    cut.body(circle(0, 21.4, 4.7))
    cut.light_part(ellipse(0, 21.0, 3.5, 3.0))
    beard = blob(
        (-4.0, 21.4),
        (-4.6, 16),
        (-2.6, 10.6),
        (0, 7.2),
        (2.6, 10.6),
        (4.6, 16),
        (4.0, 21.4),
        (1.8, 19.4),
        (-1.8, 19.4),
    )
    cut.light_part(beard)
    for at in range(4):
        for lean in (-1, 1):
            cut.ink(lens(lean * 0.75, 16.4 - at * 2.1, 2.4, 0.62, 90 + lean * 34))
    cut.ink(
        lens(-3.0, 16.4, 4.8, 0.5, 84),
        lens(3.0, 16.4, 4.8, 0.5, 96),
        lens(-1.4, 21.7, 1.2, 0.5),
        lens(1.4, 21.7, 1.2, 0.5),
    )
    cut.ink(ribbon([(-2.2, 19.8), (0, 20.5), (2.2, 19.8)], [0.2, 0.7, 0.2]))
    helm = svg_path("M-5.0 22.2 C-5.4 29.2 5.4 29.2 5.0 22.2 L0.8 23.2 L0.5 20.8 L-0.5 20.8 L-0.8 23.2 Z")
    cut.body(helm)
    cut.cut(ribbon([(-4.4, 24.2), (0, 25.2), (4.4, 24.2)], [0.5, 0.6, 0.5]), lens(0, 26.6, 2.6, 0.5, 90))
    cut.dots(0.35, (-2.6, 25.9), (2.6, 25.9))


@figure_art("toll-taker", deep="5B3A24")
def _toll_taker(cut: Cutter) -> None:
    """A stout man in a fur cap, his palm held out, a beam across his shoulder."""
    cut.limb([(-11.2, 26.6), (0, 21.2), (11.2, 15.6)], 2.4, 2.6, 2.4)
    _legs(cut, 3.2, 9)
    cut.blob(
        (-6.6, 6.6),
        (-7.6, 12),
        (-6.6, 19),
        (-2.6, 21.6),
        (3.2, 21.4),
        (6.8, 18.4),
        (7.8, 12),
        (6.8, 6.6),
        (0, 5.8),
    )
    cut.limb([(-5.4, 19.4), (-9.6, 17.2), (-9.8, 14.0), (-11.0, 14.2)], 3.4, 2.8, 1.6)
    cut.limb([(6.0, 19.0), (8.6, 15.8), (6.4, 16.8)], 3.2, 2.8, 1.8)
    cut.light_part(ellipse(0.3, 24.2, 3.0, 3.6))
    cut.ink(
        lens(-0.8, 24.7, 1.1, 0.5),
        lens(1.4, 24.7, 1.1, 0.5),
        ribbon([(-1.6, 22.4), (0.4, 23.1), (2.4, 22.4)], [0.3, 1.0, 0.3]),
    )
    cut.blob((-4.0, 25.2), (-4.6, 28), (-2.2, 30.6), (2.8, 30.6), (5.2, 28), (4.6, 25.2), (0.3, 26.4))
    cut.hatch(
        (-3.0, 26.6, 1.8, 70),
        (-1.2, 27.0, 1.8, 84),
        (0.6, 27.1, 1.8, 90),
        (2.4, 27.0, 1.8, 98),
        (4.0, 26.6, 1.6, 110),
    )
    cut.cut(rect(-7.2, 10.6, 14.6, 1.1))
    cut.light_part(blob((3.2, 10.8), (2.4, 8.4), (4.0, 6.8), (6.2, 7.6), (5.6, 10.6)))
    cut.hatch(
        (-4.2, 15.4, 4.4, 82),
        (-2.4, 15.6, 4.4, 86),
        (2.6, 15.0, 4.0, 96),
        (4.4, 14.8, 4.0, 100),
        (0.2, 17.0, 5, 90),
    )


@figure_art("chain-swinger", deep="3E4149")
def _chain_swinger(cut: Cutter) -> None:
    """A lean man in mid step, a chain flying in a ring over his head."""
    for at in range(15):
        x, y = on_circle(0.5, 24.2, 8.6, 196 - at * 14)
        link = ellipse(0, 0, 1.35, 0.8).turned(106 - at * 14 + (0 if at % 2 else 40)).shifted(x, y)
        cut.body(link)
        cut.cut(ellipse(0, 0, 0.65, 0.3).turned(106 - at * 14 + (0 if at % 2 else 40)).shifted(x, y))
    cut.body(polygon(*[on_circle(-8.0, 20.4, 2.3 if at % 2 else 1.1, at * 45) for at in range(8)]))
    cut.blob(
        (-0.6, 11.6), (-2.4, 6.6), (-7.6, 2.4), (-9.2, 2.2), (-9.4, 0.6), (-6.0, 0.2), (-0.4, 4.8), (3.0, 10.8)
    )
    cut.blob((0.6, 11.4), (4.8, 6.4), (4.8, 1.8), (8.4, 0.9), (8.2, 0), (3.0, 0), (2.8, 5.4), (-1.0, 9.4))
    cut.blob((-3.8, 10.2), (-4.0, 15.6), (-3.2, 20.2), (0.8, 21.4), (4.2, 19.8), (4.4, 14.8), (3.6, 10.0))
    cut.limb([(3.4, 19.6), (7.2, 23.0), (8.6, 27.6)], 2.8, 2.2, 1.8)
    cut.limb([(-3.0, 19.2), (-6.8, 15.6), (-9.4, 17.4)], 2.6, 2.2, 1.8)
    cut.body(circle(0.6, 24.0, 2.9))
    cut.light_part(blob((-0.4, 25.6), (3.2, 25.4), (3.4, 23.6), (2.2, 21.7), (0.2, 22.4)))
    cut.ink(lens(2.0, 24.4, 1.2, 0.5, -8), lens(2.0, 22.7, 1.2, 0.35, 10))
    cut.hatch(
        (-2.0, 17.2, 4.6, 64),
        (0.2, 17.2, 5.0, 64),
        (2.4, 17.0, 4.4, 64),
        (-2.6, 12.6, 2.6, 64),
        (-5.4, 3.2, 3.0, 40),
        (4.0, 4.0, 3.4, 88),
    )
    cut.cut(ribbon([(-3.9, 11.6), (0, 12.5), (4.0, 11.6)], [0.8, 1.0, 0.8]))


@figure_art("frost-carter", deep="2C5C74", light="EAF4F4")
def _frost_carter(cut: Cutter) -> None:
    """A carter of ice: a brimmed hat, a whip, and a coat of icicles."""
    lash = [(9.4, 15), (10.8, 21), (8.2, 28), (2.0, 31.4), (-5.0, 30.4), (-9.0, 26.4)]
    cut.limb(lash, 1.4, 1.1, 0.8, 0.2)
    coat: list[tuple[float, float]] = [(-3.4, 20.6), (-7.6, 18)]
    for at in range(9):
        x = -8.6 + at * 2.15
        coat += [(x, 7.0), (x + 1.0, 0.0 + (at % 3) * 1.5)]
    cut.plane(*coat, (8.8, 7.0), (7.6, 18), (3.4, 20.6))
    cut.limb([(6.0, 18.4), (9.4, 15.6), (9.4, 13.0)], 3.2, 2.6, 2.0)
    cut.plane((-5.0, 19.4), (-8.8, 15.4), (-10.4, 9.4), (-9.0, 6.0), (-7.8, 9.6), (-6.6, 13.0))
    cut.plane((-3.4, 25.2), (-3.2, 19.8), (0, 17.6), (3.2, 19.8), (3.4, 25.2))
    cut.plane((-6.8, 25.0), (-3.6, 26.0), (-2.8, 29.6), (2.8, 29.6), (3.6, 26.0), (6.8, 25.0), (0, 23.9))
    cut.eyes(0, 22.9, 2.6, 0.62)
    beard = polygon(
        (-2.8, 21.6),
        (-2.4, 17.6),
        (-1.6, 19.2),
        (-0.8, 14.6),
        (0, 17.6),
        (0.9, 14.0),
        (1.6, 18.8),
        (2.4, 17.2),
        (2.8, 21.6),
        (0, 20.7),
    )
    cut.light_part(beard)
    cut.hatch(
        (-5.4, 12.6, 6.0, 84), (-3.2, 10.2, 5.4, 88), (3.2, 10.2, 5.4, 92), (5.4, 12.6, 6.0, 96), (0, 8.4, 5.4, 90)
    )
    cut.hatch((-5.8, 5.6, 3.0, 86), (-1.6, 4.6, 3.2, 90), (2.6, 5.0, 3.0, 90), (6.6, 6.0, 2.6, 92))
    for x, y in ((-6.4, 16.6), (5.4, 15.8), (0.2, 12.4)):
        for turn in (0, 60, 120):
            cut.cut(lens(x, y, 1.9, 0.35, turn))


@figure_art("bell-warden", deep="4A3C1E", light="F3E0A9")
def _bell_warden(cut: Cutter) -> None:
    """A giant in a bell: its rim to the ground, a hammer in the hand."""
    cut.limb([(9.8, 2.0), (9.4, 12), (9.0, 23.4)], 1.2, 1.2)
    cut.plane((5.6, 22.6), (11.4, 22.6), (11.4, 27.0), (5.6, 27.0))
    bell = svg_path(
        "M-9.6 1.8 C-6.8 4.4 -7.4 11.0 -6.6 15.6 C-6.0 20.2 -3.6 22.4 0 22.4 C3.6 22.4 6.0 20.2 6.6 15.6 "
        "C7.4 11.0 6.8 4.4 9.6 1.8 C4.0 0.2 -4.0 0.2 -9.6 1.8 Z"
    )
    cut.body(bell)
    for y, half in ((4.6, 7.6), (6.0, 7.2), (15.4, 6.2)):
        cut.cut(ribbon([(-half, y), (0, y - 1.2), (half, y)], [0.35, 0.5, 0.35]))
    for x in (-4.4, -1.5, 1.5, 4.4):
        cut.cut(polygon((x, 8.0), (x + 0.9, 10.0), (x, 12.2), (x - 0.9, 10.0)))
    cut.hatch((-5.0, 12.6, 4.6, 86), (4.9, 12.6, 4.6, 94), (-5.6, 3.2, 3.4, 48), (5.6, 3.2, 3.4, 132))
    cut.limb([(-5.6, 17.6), (-9.4, 14.6), (-9.6, 9.8)], 3.2, 2.8, 2.2)
    cut.limb([(5.6, 17.6), (9.2, 15.8), (9.6, 12.6)], 3.2, 2.8, 2.2)
    cut.body(circle(0, 25.2, 3.9))
    for side in (-1, 1):
        cut.limb([(side * 2.4, 27.6), (side * 5.4, 29.4), (side * 4.4, 32.4)], 1.8, 1.4, 0.2)
    cut.eyes(0, 25.6, 3.0, 0.75)
    cut.cut(*[rect(-1.7 + at * 0.9, 22.6, 0.45, 1.5) for at in range(4)])


@figure_art("pass-archer", deep="3F4A2A")
def _pass_archer(cut: Cutter) -> None:
    """An archer in a hood, the bow drawn."""
    with cut.pen.at(-2.3, 0, scale=0.97):
        _archer(cut)


def _archer(cut: Cutter) -> None:
    cut.pen.stroke(arc(1.0, 17.6, 12.4, -62, 62, 13.2), cut.deep, 1.2)
    cut.pen.stroke(polyline((6.8, 5.9), (-3.4, 17.8), (6.8, 29.3)), cut.deep, 0.3)
    cut.blob((-5.8, 10), (-7.4, 0.4), (-3.8, 0), (-2.0, 6), (0.6, 10))
    cut.blob((-1.8, 10), (2.0, 5), (2.2, 0), (6.0, 0.2), (5.2, 6), (2.4, 11))
    cut.blob((-6.6, 7.0), (-6.2, 14.6), (-4.0, 20.0), (0, 21.0), (3.0, 18.8), (3.6, 12.6), (4.2, 7.2), (-1.4, 8.4))
    cut.limb([(1.4, 18.8), (7.0, 18.2), (12.2, 17.6)], 2.8, 2.2, 1.6)
    cut.limb([(-3.2, 19.0), (-8.4, 18.6), (-3.4, 17.6)], 2.6, 2.4, 1.6)
    cut.blob((-4.4, 19.8), (-4.6, 23.8), (-2.0, 27.2), (1.4, 28.4), (2.8, 25.0), (3.2, 21.6), (0.4, 20.0))
    cut.light_part(blob((0.2, 25.0), (2.4, 24.8), (2.8, 22.6), (1.2, 21.4), (0, 22.8)))
    cut.ink(lens(1.5, 23.9, 1.1, 0.5), polygon((-2.4, 17.7), (14.2, 17.7), (14.2, 17.4), (-2.4, 17.4)))
    cut.hatch(
        (-3.6, 14.8, 5, 74),
        (-1.6, 14.0, 5.4, 80),
        (0.6, 13.4, 5, 86),
        (-3.6, 10.2, 2.8, 80),
        (-1.8, 23.6, 3.8, 70),
        (3.4, 4.6, 3.6, 92),
        (-4.6, 4.6, 3.6, 76),
    )


@figure_art("fog-wraith", deep="4C4A63", light="ECEAF2")
def _fog_wraith(cut: Cutter) -> None:
    """A hood with nothing in it, long empty sleeves, and a hem that trails away into fog."""
    for y, reach in ((1.2, 10.6), (3.6, 8.4), (6.2, 6.6)):
        trail = [(-3.0, y + 2.6), (1.0, y), (reach - 2.6, y + 1.6), (reach, y + 3.4), (reach - 1.8, y + 4.2)]
        cut.limb(trail, 3.0, 3.2, 2.0, 1.1, 0.2)
    hem: list[tuple[float, float]] = [(-6.6, 3.0), (-4.4, 0.4), (-2.6, 3.4), (-0.8, 0.2), (1.0, 4.2)]
    cut.blob((-4.6, 21), (-6.4, 14), *hem, (4.4, 9), (5.2, 15), (4.4, 21), (0, 23))
    for side in (-1, 1):
        sleeve = [(side * 3.4, 22.0), (side * 7.8, 18.4), (side * 9.4, 12.4), (side * 8.4, 6.6)]
        cut.body(ribbon(sleeve, [2.4, 3.4, 3.8, 5.2], 4))
        cut.hatch((side * 8.8, 11.6, 5.0, 90 - side * 8), (side * 6.4, 18.0, 3.4, 90 + side * 44))
        cut.cut(ellipse(side * 8.2, 6.9, 1.9, 0.7))
    cut.blob(
        (-4.4, 20.6), (-5.0, 25.2), (-3.2, 29.4), (1.2, 32.4), (3.6, 29.2), (5.0, 25.0), (4.4, 20.6), (0, 19.0)
    )
    cut.light_part(blob((-3.0, 24.8), (0, 28.4), (3.0, 24.8), (2.2, 21.4), (0, 20.4), (-2.2, 21.4)))
    cut.ink(blob((-2.4, 24.6), (0, 27.4), (2.4, 24.6), (1.7, 21.9), (0, 21.2), (-1.7, 21.9)))
    for side in (-1, 1):
        cut.pen.fill_background(ellipse(side * 1.05, 24.4, 0.6, 0.45), cut.light)
    for x, y, length in (
        (-3.0, 14.0, 7),
        (-1.0, 12.0, 8),
        (1.0, 13.0, 8),
        (3.0, 14.6, 6),
        (-3.6, 6.0, 4),
        (0.2, 5.2, 3),
    ):
        cut.hatch((x, y, length, 90 - x * 1.5))
