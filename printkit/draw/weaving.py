"""Woven grounds: bands that pass over and under each other.

The pattern fits a whole number of times into a card, so it runs on from card to card and neither a cut nor a
misprint of a millimetre shows; turned half round about the card's middle it is the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import Point, polygon, polyline
from loomtable.printkit.draw.pen import Box, Pen


@dataclass(frozen=True)
class Lattice:
    """Two sets of slanting bands, ``across`` by ``along`` meshes to a card of ``width`` x ``height`` mm."""

    width: float
    height: float
    across: int
    along: int

    def crossing(self, rising: float, falling: float) -> Point:
        """Where a rising and a falling band cross; band 0 of both runs through the card's middle."""
        x = self.width / 2 + self.width / self.across * (rising + falling) / 2
        y = self.height / 2 + self.height / self.along * (falling - rising) / 2
        return x, y

    def pairs(self, bleed: float, offset: float = 0.0) -> Iterator[tuple[int, int, Point]]:
        """Every crossing on the card and its bleed; with ``offset`` 0.5, the middles of the openings instead."""
        reach = self.across + self.along + 2
        spare = bleed + self.width / self.across
        for rising in range(-reach, reach + 1):
            for falling in range(-reach, reach + 1):
                x, y = self.crossing(rising + offset, falling + offset)
                if -spare < x < self.width + spare and -spare < y < self.height + spare:
                    yield rising, falling, (x, y)


@dataclass(frozen=True)
class Band:
    """How a band looks: ``width`` in mm, its colour, its edges, and the thread along its middle."""

    width: float
    colour: Colour
    edge: Colour
    thread: Colour


def draw_lattice(pen: Pen, lattice: Lattice, bleed: float, rising: Band, falling: Band) -> None:
    """Weave the bands over a card and ``bleed`` mm around it."""
    reach = lattice.across + lattice.along + 2
    for at in range(-reach, reach + 1):
        _strand(pen, lattice.crossing(-reach, at), lattice.crossing(reach, at), falling)
    for at in range(-reach, reach + 1):
        _strand(pen, lattice.crossing(at, -reach), lattice.crossing(at, reach), rising)
    draw_over, box = _over(lattice, falling)
    colours = "".join(f"-{part:.3f}" for part in (*falling.colour, *falling.edge, *falling.thread))
    name = f"over-{lattice.width:g}-{lattice.height:g}-{lattice.across}-{lattice.along}-{falling.width:g}{colours}"
    for a, b, place in lattice.pairs(bleed):
        if (a + b) % 2 == 0:
            with pen.at(*place):
                pen.place(name, box, draw_over)


def _over(lattice: Lattice, band: Band) -> tuple[Callable[[Pen], None], Box]:
    """The piece of a falling band that lies over a rising one, about the crossing; and the box that holds it."""
    x, y = lattice.crossing(0, 0)
    (ax, ay), (bx, by) = lattice.crossing(-0.46, 0), lattice.crossing(0.46, 0)
    wide, high, spare = bx - ax, ay - by, band.width
    box = (ax - x - spare, by - y - spare, wide + 2 * spare, high + 2 * spare)
    return lambda pen: _strand(pen, (ax - x, ay - y), (bx - x, by - y), band), box


def _strand(pen: Pen, start: Point, end: Point, band: Band) -> None:
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    nx, ny = -(end[1] - start[1]) / length * band.width / 2, (end[0] - start[0]) / length * band.width / 2
    left = (start[0] + nx, start[1] + ny), (end[0] + nx, end[1] + ny)
    right = (start[0] - nx, start[1] - ny), (end[0] - nx, end[1] - ny)
    pen.fill_background(polygon(*left, *reversed(right)), band.colour)
    pen.stroke(polyline(*left) + polyline(*right), band.edge, 0.22, butt=True)
    pen.stroke(polyline(start, end), band.thread, 0.3, butt=True)
