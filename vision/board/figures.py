"""Where figures stand on a map: by their tags, with the height of their bases accounted for.

A tag stands beside the middle of a figure's base, and a few millimetres above the map. How far beside depends on
how the figure was printed (standing or flat), which its tag's size tells where it is seen large enough. Where that
is not clear, every place that it can be is kept. Numbers here are set by hand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loomtable.engine.kernel.wording import number_word
from loomtable.vision.board.maps import SeenSheet
from loomtable.vision.quads import Point, Quad
from loomtable.vision.tags import CELLS, SeenTag

_SIZE_BLUR, _SIZE_SPREAD = 0.15, 0.005
"""Pixels, and the share, by which a tag's mean side may be out: a base's unknown height makes it look larger."""
_AS_LIKELY = 1.5
"""Deviations by which one print's size must be further off than another's to be out of the question."""
_NONE_FITS = 3.5
"""Deviations from every print's size at which a tag is not seen whole, and its size says nothing."""
_ONE_BASE, _OPPOSITE = 5.0, 30
"""Millimetres, and degrees off half a turn, within which two tags of one number speak of the same base."""


@dataclass(frozen=True)
class FigurePrint:
    """One way in which figures are printed."""

    name: str
    side: float
    """Width of the black of a tag, mm."""
    middle: Point
    """From the middle of a tag to that of the base, mm, along the tag's own right and down."""
    base: float
    """Side of the base, mm."""
    height: float
    """Of the tag above the map, mm."""
    tags: int = 1
    """How many tags of the figure's number are on it."""


@dataclass(frozen=True)
class SeenFigure:
    """A figure on a map."""

    number: int
    places: tuple[Point, ...]
    """Where the middle of its base can be, mm on the map, the likeliest first; several where it is not clear."""
    prints: tuple[str, ...]
    """How it can be printed, in the order of ``places``."""
    rotation: float
    """How far it is rotated clockwise on the map, degrees."""
    outline: Quad
    """Corners of its base in the picture, px."""
    doubt: str = ""
    """Why its place is not sure, as the end of a sentence; empty where it is."""
    position_error: float = 0.0
    """How far (mm, a deviation) its place may be out because of what is seen of the map."""

    @property
    def place(self) -> Point:
        """The likeliest place."""
        return self.places[0]


def figures_on(
    sheet: SeenSheet, tags: Sequence[SeenTag], prints: Sequence[FigurePrint], *, margin: float = 40.0
) -> tuple[SeenFigure, ...]:
    """The figures on a map, in the order of their numbers; ``tags`` are those of figures.

    A figure that lies more than ``margin`` mm beside the map is not on it. Where a number is seen in two places,
    each is given, with a doubt.
    """
    by_number: dict[int, list[SeenTag]] = {}
    for tag in tags:
        by_number.setdefault(tag.number, []).append(tag)
    figures: list[SeenFigure] = []
    for number in sorted(by_number):
        bases = _bases(sheet, by_number[number], prints)
        doubt = f"is seen {number_word(len(bases))} times" if len(bases) > 1 else ""
        figures += [_figure(sheet, number, base, doubt) for base in bases]
    wide, high = sheet.sheet.width, sheet.sheet.height
    beside = [max(-x, x - wide, -y, y - high) for x, y in (figure.place for figure in figures)]
    return tuple(figure for figure, off in zip(figures, beside, strict=True) if off < margin)


@dataclass(frozen=True)
class _Hypothesis:
    """One way in which a tag can stand on a figure."""

    print: FigurePrint
    place: Point
    rotation: float
    off: float
    """By how many deviations the tag has another size than this print's."""


def _hypotheses(sheet: SeenSheet, tag: SeenTag, prints: Sequence[FigurePrint]) -> list[_Hypothesis]:
    """Every way in which this tag can be printed, the likeliest first."""
    hypotheses = []
    pixels, quad = CELLS * tag.pixels_per_cell, sheet.true_quad(tag.quad)
    for figure in prints:
        corners = sheet.places(quad, figure.height)
        right = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
        down = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
        wide, high = float(np.linalg.norm(right)), float(np.linalg.norm(down))
        angle = math.atan2(right[1] - down[0], right[0] + down[1])
        cos, sin = math.cos(angle), math.sin(angle)
        x, y = corners.mean(axis=0)
        dx, dy = figure.middle
        place = float(x + cos * dx - sin * dy), float(y + sin * dx + cos * dy)
        # A tag that is partly covered is taken for a smaller one, but seldom for a smaller square.
        unlike = math.hypot(*(math.log(max(side, 1e-6) / figure.side) for side in (wide, high))) / math.sqrt(2)
        off = unlike / (_SIZE_SPREAD + _SIZE_BLUR / pixels)
        hypotheses.append(_Hypothesis(figure, place, math.degrees(angle), off))
    hypotheses.sort(key=lambda hypothesis: hypothesis.off)
    least = hypotheses[0].off
    return (
        hypotheses if least > _NONE_FITS else [figure for figure in hypotheses if figure.off < least + _AS_LIKELY]
    )


def _bases(sheet: SeenSheet, tags: Sequence[SeenTag], prints: Sequence[FigurePrint]) -> list[list[_Hypothesis]]:
    """The ways of each base that carries one of these tags of one number: two tags can stand on one base."""
    left = [_hypotheses(sheet, tag, prints) for tag in tags]
    bases: list[list[_Hypothesis]] = []
    while left:
        first = left.pop(0)
        for hypothesis in first:
            other = next((at for at, hypotheses in enumerate(left) if _shares(hypothesis, hypotheses)), None)
            if hypothesis.print.tags > 1 and other is not None:
                [twin] = [w for w in left.pop(other) if w.print is hypothesis.print]
                middle = (hypothesis.place[0] + twin.place[0]) / 2, (hypothesis.place[1] + twin.place[1]) / 2
                first = [_Hypothesis(hypothesis.print, middle, hypothesis.rotation, 0.0)]
                break
        bases.append(first)
    return bases


def _shares(hypothesis: _Hypothesis, others: Sequence[_Hypothesis]) -> bool:
    """Whether one of the ways of another tag makes it a second one on this base, the other way round."""
    return any(
        other.print is hypothesis.print
        and math.dist(other.place, hypothesis.place) < _ONE_BASE
        and abs((other.rotation - hypothesis.rotation) % 360 - 180) < _OPPOSITE
        for other in others
    )


def _figure(sheet: SeenSheet, number: int, hypotheses: Sequence[_Hypothesis], doubt: str) -> SeenFigure:
    first = hypotheses[0]
    half, angle = first.print.base / 2, math.radians(first.rotation)
    cos, sin = math.cos(angle), math.sin(angle)
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    rotated = corners @ np.array([[cos, sin], [-sin, cos]]) + first.place
    a, b, c, d = (tuple(corner) for corner in sheet.pixels(rotated, first.print.height).tolist())
    return SeenFigure(
        number,
        tuple(hypothesis.place for hypothesis in hypotheses),
        tuple(hypothesis.print.name for hypothesis in hypotheses),
        first.rotation,
        (a, b, c, d),
        doubt,
        sheet.position_error(sheet.pixels(np.array([first.place]))[0]),
    )
