"""Sheets of labels and business cards by their makers' numbers: the slots are where the paper is already cut.

All of them stand in the middle of their paper; docs/printing.md says where the measures are from.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from loomtable.printkit.errors import SheetTooSmall
from loomtable.printkit.sheet.grid import Layout, Rect, span
from loomtable.printkit.sheet.papers import BLEED, KNOWN, PAPERS, CardSize, Paper, chosen

_FITS = 0.5
"""A card may be larger than its label by this (mm): names of sizes are rounded."""


@dataclass(frozen=True)
class LabelSheet:
    """A sheet of labels: how large each is and how they stand (mm)."""

    name: str
    paper: Paper
    width: float
    height: float
    columns: int
    rows: int
    gap_x: float
    gap_y: float


SHEETS: Mapping[str, LabelSheet] = {
    name: LabelSheet(name, PAPERS[label[0]], *label[1:]) for name, label in KNOWN.labels.items()
}


@dataclass(frozen=True)
class LabelPage(Layout):
    """A page of a sheet: ``trims`` are the cards, each in the middle of its label, along the rows."""

    sheet: LabelSheet
    trims: tuple[Rect, ...]

    @property
    def block(self) -> Rect:
        """The rectangle around all labels."""
        sheet = self.sheet
        wide, high = span(sheet.columns, sheet.width, sheet.gap_x), span(sheet.rows, sheet.height, sheet.gap_y)
        return Rect((self.page_width - wide) / 2, (self.page_height - high) / 2, wide, high)

    @property
    def bleed(self) -> Rect:
        """The labels and no more: paper between and around them stays clean."""
        return self.block

    def label(self, number: int) -> Rect:
        """Where label ``number`` lies; 0 is at the upper left."""
        row, column = divmod(number, self.sheet.columns)
        sheet, block = self.sheet, self.block
        x = block.x + column * (sheet.width + sheet.gap_x)
        return Rect(x, block.top - sheet.height - row * (sheet.height + sheet.gap_y), sheet.width, sheet.height)

    def slots(self) -> list[Rect]:
        """The trims, in order."""
        return list(self.trims)

    def with_bleed(self, number: int, filled: Collection[int]) -> Rect:
        """The trim with its bleed, as far as the label reaches."""
        bled, label = self.trims[number].grown(BLEED), self.label(number)
        x, y = max(bled.x, label.x), max(bled.y, label.y)
        return Rect(x, y, min(bled.right, label.right) - x, min(bled.top, label.top) - y)

    @property
    def has_margin(self) -> bool:
        """None: labels reach to the paper's edges."""
        return False


def label_sheet_named(name: str) -> LabelSheet:
    """The sheet of this maker and number.

    Raises:
        UnknownPrintName: there is none.
    """
    return chosen(name, SHEETS, "sheet of labels")


def label_pages(sizes: Sequence[CardSize], sheet: LabelSheet) -> list[LabelPage]:
    """As many pages as these cards need, in order.

    Raises:
        SheetTooSmall: a card is larger than a label.
    """
    for size in sizes:
        if size.width > sheet.width + _FITS or size.height > sheet.height + _FITS:
            raise SheetTooSmall(
                f"a {size.name} card ({size.width:g} x {size.height:g} mm) does not fit labels of {sheet.name} "
                f"({sheet.width:g} x {sheet.height:g} mm)"
            )
    pages = []
    for start in range(0, len(sizes), sheet.columns * sheet.rows):
        empty = LabelPage(sheet.paper.width, sheet.paper.height, sheet, ())
        held = sizes[start : start + sheet.columns * sheet.rows]
        labels = [empty.label(at) for at in range(len(held))]
        trims = tuple(
            Rect(
                label.x + (label.width - size.width) / 2, label.y + (label.height - size.height) / 2,
                size.width, size.height,
            )
            for label, size in zip(labels, held, strict=True)
        )  # fmt: skip
        pages.append(LabelPage(sheet.paper.width, sheet.paper.height, sheet, trims))
    return pages
