"""The counters of Woven: mana that turns into tendrils, and markers for threads and charges, for each mage.

All of a mage's pieces carry its emblem, so that they are told apart without colour. A mage owns 13 mana (WO-1);
whatever lies on the map, the tapestry or a spell is one of them, and a marker stands in for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from loomtable.engine.woven.state import MANA
from loomtable.printkit.catalogue import Component, RenderOptions
from loomtable.printkit.draw.elements import draw_thread
from loomtable.printkit.draw.palette import INK, WHITE, Colour, Style
from loomtable.printkit.draw.path import arc, circle, lens, on_circle, ribbon, star
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.games.woven.mages import MAGES, Mage, draw_emblem
from loomtable.printkit.sheet.papers import BLEED, CardSize
from loomtable.printkit.sheet.pieces import PrintedCard

COUNTER = CardSize("counter", 15.0, 15.0, 7.5)
MARKERS = 8
"""How many markers for threads and charges a kit holds of each mage."""
_MIDDLE = COUNTER.width / 2


class CounterFace(StrEnum):
    """What a side of a counter stands for."""

    MANA = "mana"
    TENDRIL = "tendril"
    THREAD = "thread"
    CHARGE = "charge"


def draw_counter(pen: Pen, mage: Mage, face: CounterFace) -> None:
    """One side of a counter, on a square of 15 mm whose lower left corner is the origin."""
    box = (-BLEED, -BLEED, COUNTER.width + 2 * BLEED, COUNTER.height + 2 * BLEED)

    def draw(inner: Pen) -> None:
        with inner.at(_MIDDLE, _MIDDLE):
            _FACES[face](inner, mage, INK if inner.style is Style.LOW_INK else mage.deep)

    pen.place(f"counter-{face}-{mage.emblem}", box, draw)


def _mana(pen: Pen, mage: Mage, ink: Colour) -> None:
    """A dark rim with stitches and the emblem large on light: something to hold."""
    if pen.style is Style.LOW_INK:
        pen.fill_background(circle(0, 0, _MIDDLE + BLEED))
        for radius in (6.9, 5.5):
            pen.stroke(circle(0, 0, radius), ink, 0.25)
    else:
        pen.solid(circle(0, 0, _MIDDLE + BLEED), mage.deep)
        pen.fill_background(circle(0, 0, 5.5), mage.light.towards(WHITE, 0.4))
    for at in range(20):
        stitch = lens(*on_circle(0, 0, 6.2, at * 18), 1.3, 0.42, at * 18 + 60)
        if pen.style is Style.LOW_INK:
            pen.solid(stitch, ink)
        else:
            pen.fill_background(stitch, mage.light)
    draw_emblem(pen, mage.emblem, 0, 0, 7.4, ink)


def _tendril(pen: Pen, mage: Mage, ink: Colour) -> None:
    """Three tendrils that wind round the emblem: something that grows."""
    pen.fill_background(circle(0, 0, _MIDDLE + BLEED), mage.light)
    for turn in (0, 120, 240):
        stem = [on_circle(0, 0, 4.5 + at * 0.16, turn + at * 17) for at in range(6)]
        hook = on_circle(0, 0, 6.0, turn + 96)
        curl = [on_circle(*hook, 0.95 - at * 0.16, turn + 190 + at * 62) for at in range(6)]
        pen.solid(ribbon([*stem, *curl[1:]], [0.3, 0.9, 0.9, 0.75, 0.6, 0.3], 3), ink)
        for angle in (14, 50):
            pen.solid(lens(*on_circle(0, 0, 6.1, turn + angle), 2.3, 1.0, turn + angle + 62), ink)
    draw_emblem(pen, mage.emblem, 0, 0, 5.6, ink)


def _thread(pen: Pen, mage: Mage, ink: Colour) -> None:
    """A large cross stitch with the emblem on it: it fills a thread box of the tapestry."""
    pen.fill_background(circle(0, 0, _MIDDLE + BLEED), mage.light.towards(WHITE, 0.55))
    pen.stroke(circle(0, 0, 6.6), ink, 0.3)
    draw_thread(pen, 0, 0, 11.2, ink)
    pen.fill_background(circle(0, 0, 3.4), WHITE)
    pen.stroke(circle(0, 0, 3.4), ink, 0.3)
    draw_emblem(pen, mage.emblem, 0, 0, 5.0, ink)


def _charge(pen: Pen, mage: Mage, ink: Colour) -> None:
    """A burst of rays about the emblem: something about to go off."""
    pen.fill_background(circle(0, 0, _MIDDLE + BLEED), mage.light.towards(WHITE, 0.25))
    if pen.style is Style.LOW_INK:
        pen.fill_background(star(0, 0, 7.1, 4.9, 14))
        pen.stroke(star(0, 0, 7.0, 4.8, 14), ink, 0.25)
    else:
        pen.solid(star(0, 0, 7.1, 4.9, 14), ink)
    pen.fill_background(circle(0, 0, 4.1), WHITE)
    for start in range(0, 360, 60):
        pen.stroke(arc(0, 0, 3.7, start + 8, start + 52), ink, 0.22)
    draw_emblem(pen, mage.emblem, 0, 0, 5.0, ink)


_FACES: Mapping[CounterFace, Callable[[Pen, Mage, Colour], None]] = {
    CounterFace.MANA: _mana,
    CounterFace.TENDRIL: _tendril,
    CounterFace.THREAD: _thread,
    CounterFace.CHARGE: _charge,
}


def _counters(front: CounterFace, back: CounterFace, copies: int) -> Callable[[RenderOptions], list[PrintedCard]]:
    def printed(mage: Mage) -> PrintedCard:
        return PrintedCard(
            None,
            f"{mage.name} {front}",
            front=lambda pen: draw_counter(pen, mage, front),
            back=lambda pen: draw_counter(pen, mage, back),
            size=COUNTER,
            copies=copies,
            ground=mage.light,
        )

    return lambda options: [printed(mage) for mage in MAGES]


PRINTED = (
    Component(
        name="mana-counters",
        title="Woven: mana and tendrils",
        description="13 mana of 15 mm for each of five mages; turned over, each is a tendril",
        system="woven",
        pieces=_counters(CounterFace.MANA, CounterFace.TENDRIL, MANA),
        aliases=("mana",),
    ),
    Component(
        name="thread-counters",
        title="Woven: threads and charges",
        description="8 markers of 15 mm for each of five mages: a thread; turned over, a charge",
        system="woven",
        pieces=_counters(CounterFace.THREAD, CounterFace.CHARGE, MARKERS),
        aliases=("threads", "charges"),
    ),
)
"""What this file prints."""
