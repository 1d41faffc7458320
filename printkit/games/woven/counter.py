"""The counters of Woven: mana that turns into tendrils, and markers for threads and charges, for each mage.

All of a mage's pieces carry its emblem, so that they are told apart without colour, and each side has a ring of
marks for the camera: beads for mana, leaves for a tendril, stitches, rays. A mage owns 13 mana (WO-1);
whatever lies on the map, the tapestry or a spell is one of them, and a marker stands in for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from itertools import product

from loomtable.engine.kernel.counter_codes import PLACES, counter_words, dark_places
from loomtable.engine.woven.state import MANA
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.elements import draw_thread
from loomtable.printkit.draw.palette import INK, WHITE, Colour, Style
from loomtable.printkit.draw.path import Path, circle, ellipse, lens, on_circle, polygon, rounded, star
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.games.woven.mages import MAGES, MageInks, draw_emblem
from loomtable.printkit.sheet.papers import BLEED, CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

COUNTER = CardSize("counter", 15.0, 15.0, 7.5)
MARKERS = 8
"""How many markers for threads and charges a kit holds of each mage."""
_MIDDLE = COUNTER.width / 2
RIM, RIM_INSIDE, RING = 6.9, 6.2, 5.05
"""Radius of the dark rim, where it ends inside, and that of the middles of the marks within it, mm."""


class CounterFace(StrEnum):
    """What a side of a counter stands for."""

    MANA = "mana"
    TENDRIL = "tendril"
    THREAD = "thread"
    CHARGE = "charge"


WORDS: Mapping[tuple[int, CounterFace], int] = dict(
    zip(product((mage.number for mage in MAGES), CounterFace), counter_words(), strict=False)
)
"""The ring's word of each side, by the number of its mage's figure."""


def draw_counter(pen: Pen, mage: MageInks, face: CounterFace) -> None:
    """One side of a counter, on a square of 15 mm whose lower left corner is the origin."""
    box = (-BLEED, -BLEED, COUNTER.width + 2 * BLEED, COUNTER.height + 2 * BLEED)

    def draw(inner: Pen) -> None:
        ink = INK if inner.style is Style.LOW_INK else mage.deep.towards(INK, 0.35)
        with inner.at(_MIDDLE, _MIDDLE):
            inner.fill_background(circle(0, 0, _MIDDLE + BLEED), mage.light.towards(WHITE, 0.35))
            inner.solid(circle(0, 0, RIM) + circle(0, 0, RIM_INSIDE), ink, even_odd=True)
            for at, dark in enumerate(dark_places(WORDS[mage.number, face])):
                out = 90 - at * 360 / PLACES
                if dark:
                    inner.solid(_MARKS[face](*on_circle(0, 0, RING, out), out), ink)
            _FACES[face](inner, mage, ink)

    pen.place(f"counter-{face}-{mage.emblem}", box, draw)


def _mana(pen: Pen, mage: MageInks, ink: Colour) -> None:
    """Beads, and the emblem light on dark: something to hold."""
    if pen.style is Style.LOW_INK:
        pen.stroke(circle(0, 0, 3.7), ink, 0.25)
        draw_emblem(pen, mage.emblem, 0, 0, 5.0, ink)
        return
    pen.solid(circle(0, 0, 3.9), ink)
    with pen.at(0, 0, scale=5.0 / 20):
        art_named("emblems", mage.emblem).draw(pen, {"deep": mage.light.towards(WHITE, 0.5)})


def _tendril(pen: Pen, mage: MageInks, ink: Colour) -> None:
    """Leaves that wind round the emblem: something that grows."""
    draw_emblem(pen, mage.emblem, 0, 0, 6.6, ink)


def _thread(pen: Pen, mage: MageInks, ink: Colour) -> None:
    """A cross stitch with the emblem on it: it fills a thread box of the tapestry."""
    draw_thread(pen, 0, 0, 5.4, ink)
    pen.fill_background(circle(0, 0, 2.5), WHITE)
    pen.stroke(circle(0, 0, 2.5), ink, 0.25)
    draw_emblem(pen, mage.emblem, 0, 0, 3.8, ink)


def _charge(pen: Pen, mage: MageInks, ink: Colour) -> None:
    """A burst of rays about the emblem: something about to go off."""
    pen.fill(star(0, 0, 3.9, 2.8, 12), ink)
    pen.fill_background(circle(0, 0, 2.5), WHITE)
    draw_emblem(pen, mage.emblem, 0, 0, 3.8, ink)


_RAY = polygon((0.95, -0.8), (0.95, 0.8), (-0.95, 0.5), (-0.95, -0.5))
_MARKS: Mapping[CounterFace, Callable[[float, float, float], Path]] = {
    CounterFace.MANA: lambda x, y, out: ellipse(x, y, 0.86, 0.78),
    CounterFace.TENDRIL: lambda x, y, out: lens(x, y, 2.5, 1.4, out + 62),
    CounterFace.THREAD: lambda x, y, out: rounded(-0.8, -0.66, 1.6, 1.32, 0.2).turned(out).shifted(x, y),
    CounterFace.CHARGE: lambda x, y, out: _RAY.turned(out).shifted(x, y),
}
"""The mark of a dark place of the ring at (x, y), with the direction (degrees) away from the middle."""

_FACES: Mapping[CounterFace, Callable[[Pen, MageInks, Colour], None]] = {
    CounterFace.MANA: _mana,
    CounterFace.TENDRIL: _tendril,
    CounterFace.THREAD: _thread,
    CounterFace.CHARGE: _charge,
}


def _counters(front: CounterFace, back: CounterFace, copies: int, options: RenderOptions) -> list[PrintedCard]:
    def printed(mage: MageInks) -> PrintedCard:
        return PrintedCard(
            None,
            f"{mage.name} {front}",
            front=lambda pen: draw_counter(pen, mage, front),
            back=lambda pen: draw_counter(pen, mage, back),
            size=COUNTER,
            copies=copies,
            ground=mage.light,
        )

    return [printed(mage) for mage in MAGES]


mana = partial(_counters, CounterFace.MANA, CounterFace.TENDRIL, MANA)
threads = partial(_counters, CounterFace.THREAD, CounterFace.CHARGE, MARKERS)
