"""What a cutting machine is told: the outlines of a printed page, as SVG or DXF.

Lengths are mm from the page's lower left corner, as printed. SVG counts from the upper left corner.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import mul

from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.path import Outline, Path, Point, circle, polyline, rect, rounded
from loomtable.printkit.draw.pen import Box, Pen
from loomtable.printkit.sheet.folded import Folded
from loomtable.printkit.sheet.grid import Rect
from loomtable.printkit.sheet.imposition import Page
from loomtable.printkit.sheet.papers import CORNER
from loomtable.printkit.sheet.pieces import LargeDrawing, PrintedCard, PrintedPage
from loomtable.printkit.sheet.printer import IDENTITY, Affine, compose, transform_point

_FLAT = 0.01
"""A curve is drawn in straight pieces that keep this near to it (mm), where a file has no curves."""


@dataclass
class CutLines:
    """The lines of one page: closed outlines to cut, lines to score."""

    width: float
    height: float
    cuts: list[Path] = field(default_factory=list)
    folds: list[Path] = field(default_factory=list)


def cut_lines(page: Page) -> CutLines:
    """The lines of a page of fronts: each card's outline with its round corners, and what drawings declare."""
    layout = page.layout
    lines = CutLines(layout.page_width, layout.page_height)
    for placement in page.placements:
        piece, slot = placement.piece, layout.slot(placement.slot)
        if isinstance(piece, LargeDrawing):
            continue
        if isinstance(piece, PrintedCard):
            lines.cuts.append(card_outline(slot, piece.size.corner if piece.size else CORNER))
        draw = piece.back if placement.is_back else piece.front
        if draw and (isinstance(piece, PrintedPage) or piece.outlined):
            corner = (slot.right, slot.top) if placement.turn else (slot.x, slot.y)
            pen = _CutPen(lines)
            with pen.at(*corner, turn=placement.turn):
                draw(pen)
    if isinstance(layout, Folded):
        x1, y1, x2, y2 = layout.crease
        lines.folds.append(polyline((x1, y1), (x2, y2)))
    return lines


def card_outline(trim: Rect, corner: float) -> Path:
    """Along what a card is cut out: a rectangle with round corners, or a circle."""
    radius = min(corner, trim.width / 2, trim.height / 2)
    if radius * 2 >= max(trim.width, trim.height):
        return circle(trim.x + trim.width / 2, trim.y + trim.height / 2, radius)
    if not radius:
        return rect(trim.x, trim.y, trim.width, trim.height)
    return rounded(trim.x, trim.y, trim.width, trim.height, radius)


class _CutPen(Pen):
    """A pen that draws nothing and keeps the lines to cut and to fold, where they come to lie."""

    keeps_lines = True

    def __init__(self, lines: CutLines) -> None:
        super().__init__(None, Style.COLOUR)
        self.lines = lines
        self.matrix: Affine = IDENTITY

    def cut_line(self, path: Path) -> None:
        self.lines.cuts.append(self._placed(path))

    def fold_line(self, path: Path) -> None:
        self.lines.folds.append(self._placed(path))

    def _placed(self, path: Path) -> Path:
        return path.mapped(lambda x, y: transform_point(self.matrix, x, y))

    @contextmanager
    def transformed(self, a: float, b: float, c: float, d: float, x: float, y: float) -> Iterator[None]:
        before = self.matrix
        self.matrix = compose(before, (a, b, c, d, x, y))
        try:
            yield
        finally:
            self.matrix = before

    @contextmanager
    def clipped(self, path: Outline) -> Iterator[None]:
        yield

    def place(self, name: str, box: Box, draw: object) -> None:
        assert callable(draw)
        draw(self)

    def form(self, name: str, box: Box, draw: object, **entries: object) -> str:
        return name

    def fill(self, *_: object, **__: object) -> None:
        """Nothing."""

    solid = fill_modules = fill_background = stroke = picture = text = glyphs = fill


# Files


def as_svg(lines: CutLines) -> bytes:
    """The page as SVG in true millimetres: cuts red, scores blue, each in a group of its own."""
    groups = "".join(
        f'<g id="{name}" fill="none" stroke="{colour}" stroke-width="0.1">\n'
        + "".join(f'<path d="{_svg_steps(path, lines.height)}"/>\n' for path in paths)
        + "</g>\n"
        for name, colour, paths in (("cut", "#ff0000", lines.cuts), ("fold", "#0000ff", lines.folds))
        if paths
    )
    size = f'width="{lines.width:g}mm" height="{lines.height:g}mm" viewBox="0 0 {lines.width:g} {lines.height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{groups}</svg>\n'.encode()


def _svg_steps(path: Path, height: float) -> str:
    parts = []
    for kind, points in path.steps:
        parts.append(" ".join([kind.upper(), *(f"{x:.3f},{height - y:.3f}" for x, y in points)]))
    return " ".join(parts)


def as_dxf(lines: CutLines) -> bytes:
    """The page as DXF release 12 in millimetres, which every cutter's program reads: polylines on two layers."""
    out = ["0", "SECTION", "2", "HEADER", "9", "$ACADVER", "1", "AC1009", "9", "$EXTMIN", "10", "0.0", "20", "0.0"]
    out += ["9", "$EXTMAX", "10", f"{lines.width:.4f}", "20", f"{lines.height:.4f}"]
    out += ["9", "$INSUNITS", "70", "4", "9", "$MEASUREMENT", "70", "1", "0", "ENDSEC"]  # millimetres, metric
    out += ["0", "SECTION", "2", "TABLES", "0", "TABLE", "2", "LAYER", "70", "2"]
    for name, colour in (("CUT", "1"), ("FOLD", "5")):
        out += ["0", "LAYER", "2", name, "70", "0", "62", colour, "6", "CONTINUOUS"]
    out += ["0", "ENDTAB", "0", "ENDSEC", "0", "SECTION", "2", "ENTITIES"]
    for layer, paths in (("CUT", lines.cuts), ("FOLD", lines.folds)):
        for path in paths:
            for points, closed in flattened(path):
                out += ["0", "POLYLINE", "8", layer, "66", "1", "10", "0.0", "20", "0.0", "30", "0.0"]
                out += ["70", "1" if closed else "0"]
                for x, y in points:
                    out += ["0", "VERTEX", "8", layer, "10", f"{x:.4f}", "20", f"{y:.4f}", "30", "0.0"]
                out += ["0", "SEQEND", "8", layer]
    return ("\n".join([*out, "0", "ENDSEC", "0", "EOF"]) + "\n").encode()


def flattened(path: Path) -> Iterator[tuple[list[Point], bool]]:
    """Each part of a path as corners, and whether it is closed; curves in short straight pieces."""
    points: list[Point] = []
    closed = False
    for kind, ends in path.steps:
        if kind == "m":
            if points:
                yield points, closed
            points, closed = [ends[0]], False
        elif kind == "l":
            points.append(ends[0])
        elif kind == "c":
            points += _along(points[-1], *ends)
        else:
            closed = True
            if len(points) > 1 and math.dist(points[0], points[-1]) < 1e-6:
                points.pop()
    if points:
        yield points, closed


def _along(start: Point, one: Point, two: Point, end: Point) -> list[Point]:
    """A curve's points but the first; the number of pieces follows from how far its handles bend it."""
    bend = max(
        math.hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1])
        for a, b, c in ((start, one, two), (one, two, end))
    )
    pieces = max(1, math.ceil(math.sqrt(0.75 * bend / _FLAT)))
    found = []
    for at in range(1, pieces + 1):
        t, s = at / pieces, 1 - at / pieces
        weights, ends = (s**3, 3 * s * s * t, 3 * s * t * t, t**3), zip(start, one, two, end, strict=True)
        x, y = (sum(map(mul, weights, values)) for values in ends)
        found.append((x, y))
    return found


CUT_FORMATS = {"svg": as_svg, "dxf": as_dxf}
"""How a cut file is written, by the ending of its name."""
