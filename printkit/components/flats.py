"""What is cut out flat and folded up: tuck boxes, dividers, tents. Several share a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.plain_dice_net import Line, draw_fold
from loomtable.printkit.draw.palette import INK
from loomtable.printkit.draw.path import Path, polyline
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font, fit_line, width_of
from loomtable.printkit.errors import SheetTooSmall
from loomtable.printkit.sheet.grid import Rect, page_area
from loomtable.printkit.sheet.packed import pack
from loomtable.printkit.sheet.papers import CardSize, Paper
from loomtable.printkit.sheet.pieces import Drawing, PrintedPage

HEAD = 6.3
"""Height of a page's line with its heading and instructions (mm): on Letter two boxes stand below it."""
_ALL_STEPS = (
    "Print on card. Cut along the full lines, score and fold the dashed ones; glue boxes at side and foot."
)
_GAP = 2.0
"""Between two flats (mm)."""


@dataclass(frozen=True)
class Flat:
    """A shape to cut out and fold, ``width`` x ``height`` mm, from its lower left corner: all it is, laid flat."""

    name: str
    width: float
    height: float
    draw: Drawing
    outline: Path
    folds: tuple[Line, ...] = ()

    def draw_with_lines(self, pen: Pen) -> None:
        """Its picture within its outline, a full line to cut along, and dashed ones to fold."""
        with pen.clipped(self.outline):
            self.draw(pen)
        draw_lines(pen, [self.outline], self.folds)


def draw_lines(pen: Pen, cuts: Sequence[Path], folds: Sequence[Line]) -> None:
    """Lines to cut and to fold, for people and for a cutter."""
    for path in cuts:
        pen.cut_line(path)
        pen.stroke(path, INK, 0.2)
    for start, end in folds:
        pen.fold_line(polyline(start, end))
        draw_fold(pen, start, end)


@dataclass(frozen=True)
class FlatPage(PrintedPage):
    """A page of flats."""

    flats: tuple[Flat, ...] = ()


def flat_pages(flats: Sequence[Flat], options: RenderOptions, heading: str, steps: str) -> list[FlatPage]:
    """Flats on whole pages with a heading and a line of instructions; those too wide lie on their side.

    Raises:
        SheetTooSmall: one is larger than the paper; the message names it.
    """
    area = page_area(options.paper)
    room = Paper(options.paper.name, area.width, area.height - HEAD)
    for flat in flats:
        if min(flat.width, flat.height) > room.width or max(flat.width, flat.height) > room.height:
            raise SheetTooSmall(
                f"{flat.name} is {flat.width:.0f} x {flat.height:.0f} mm flat, "
                f"too large for {options.paper.name}; take larger paper"
            )
    turned = [flat.width > room.width for flat in flats]
    sizes = [
        CardSize(flat.name, *((flat.height, flat.width) if sideways else (flat.width, flat.height)))
        for flat, sideways in zip(flats, turned, strict=True)
    ]

    def draw(pen: Pen, held: Sequence[tuple[Flat, bool, Rect]]) -> None:
        pen.text(0, area.height - 4.2, heading, Font.TITLE, 14, INK)
        start = width_of(heading, Font.TITLE, 14) + 4
        points = fit_line(steps, Font.TEXT, area.width - start, 9, 6.5, heading)
        pen.text(start, area.height - 4.2, steps, Font.TEXT, points, INK)
        for flat, sideways, place in held:
            with pen.at(place.right if sideways else place.x, place.y, turn=90 if sideways else 0):
                flat.draw_with_lines(pen)

    def together(pages: Sequence[PrintedPage]) -> list[FlatPage]:
        every = [flat for page in pages if isinstance(page, FlatPage) for flat in page.flats]
        return flat_pages(every, options, "To cut out and fold", _ALL_STEPS)

    pages: list[FlatPage] = []
    for page, places in pack(sizes, room, _GAP, 0):
        held = tuple((flats[at], turned[at], trim) for at, trim in zip(places, page.trims, strict=True))
        name, front = f"{heading}, page {len(pages) + 1}", partial(draw, held=held)
        pages.append(FlatPage(None, name, front, together=together, flats=tuple(flat for flat, _, _ in held)))
    return pages
