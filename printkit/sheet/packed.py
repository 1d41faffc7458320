"""Cards of mixed sizes on the same pages, in shelves: rows of cards that stand on one line.

A packer of rectangles would save a little paper, but what it lays out cannot be cut: people cut with a ruler from
edge to edge. In shelves every page falls apart into rows by straight cuts across it, and each row into its cards.
First fit, tallest first (FFDH), wastes little where a kit has only a handful of sizes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from loomtable.printkit.errors import SheetTooSmall
from loomtable.printkit.sheet.grid import DuplexMode, Layout, Rect, page_area, too_small
from loomtable.printkit.sheet.papers import BLEED, CardSize, Paper

PACKED_GUTTER = 4.0
"""Between packed cards (mm): half of it is the bleed of each, 2 mm, which print shops ask for at the least."""


@dataclass(frozen=True)
class Packed(Layout):
    """A page with trims of any sizes, ``gutter`` mm or more apart."""

    trims: tuple[Rect, ...]
    gutter: float

    def slots(self) -> list[Rect]:
        """The trims, in the order in which the cards were laid out."""
        return list(self.trims)

    @property
    def block(self) -> Rect:
        """The rectangle around all trims."""
        x, y = min(trim.x for trim in self.trims), min(trim.y for trim in self.trims)
        return Rect(x, y, max(trim.right for trim in self.trims) - x, max(trim.top for trim in self.trims) - y)

    def with_bleed(self, number: int, filled: Collection[int]) -> Rect:
        """Every card has half the gutter all round."""
        return self.trims[number].grown(min(self.gutter / 2, BLEED))

    @property
    def aligned(self) -> bool:
        """Shelves differ, so that marks must stand between the cards too."""
        return False

    @property
    def strip_below(self) -> bool:
        """Below: packed pages keep clear of the strip."""
        return True

    def flipped(self, sides: DuplexMode) -> tuple[Packed, int]:
        """The page of the backs, its slots numbered like their fronts, and the turn of what stands in them."""
        turned = [self.flip(trim, sides) for trim in self.trims]
        trims, turns = tuple(area for area, _ in turned), [turn for _, turn in turned]
        return Packed(self.page_width, self.page_height, trims, self.gutter), turns[0]


def single(card: CardSize) -> Packed:
    """The page of one card for a print shop: its trim and its bleed."""
    trim = Rect(BLEED, BLEED, card.width, card.height)
    return Packed(trim.right + BLEED, trim.top + BLEED, (trim,), 2 * BLEED, for_shop=True)


@dataclass
class _Shelf:
    y: float
    height: float
    x: float = 0.0


@dataclass
class _OpenPage:
    shelves: list[_Shelf] = field(default_factory=list)
    trims: list[tuple[int, Rect]] = field(default_factory=list)


def pack(
    sizes: Sequence[CardSize], paper: Paper, gutter: float = PACKED_GUTTER, inset: float | None = None
) -> list[tuple[Packed, list[int]]]:
    """Lay cards out on as few upright pages as shelves allow; the same sizes always give the same pages.

    ``inset`` keeps them so far (mm) from all edges of the paper, instead of clear of margins and settings line.
    With each page comes which card stands in which slot, by its place in ``sizes``.

    Raises:
        SheetTooSmall: a card is larger than the page.
    """
    area = page_area(paper)
    if inset is not None:
        area = Rect(inset, inset, paper.width - 2 * inset, paper.height - 2 * inset)
    for size in sizes:
        if size.width > area.width or size.height > area.height:
            raise too_small(paper, size)
    tallest_first = sorted(range(len(sizes)), key=lambda at: (-sizes[at].height, -sizes[at].width, at))
    pages: list[_OpenPage] = []
    for at in tallest_first:
        if not any(_placed(page, at, sizes[at], area, gutter) for page in pages):
            pages.append(_OpenPage())
            if not _placed(pages[-1], at, sizes[at], area, gutter):
                raise SheetTooSmall(f"a {sizes[at].name} card does not fit {paper.name} paper")
    laid = [(tuple(trim for _, trim in page.trims), [at for at, _ in page.trims]) for page in pages]
    return [(Packed(paper.width, paper.height, trims, gutter), held) for trims, held in laid]


def _placed(page: _OpenPage, at: int, size: CardSize, area: Rect, gutter: float) -> bool:
    """Put a card on the first shelf with room, or on a new one below the last; say whether there was any."""
    for shelf in page.shelves:
        if size.height <= shelf.height and shelf.x + size.width <= area.width:
            break
    else:
        last = page.shelves[-1] if page.shelves else None
        foot = (last.y - gutter if last else area.top) - size.height
        if foot < area.y - 1e-9:
            return False
        shelf = _Shelf(foot, size.height)
        page.shelves.append(shelf)
    page.trims.append((at, Rect(area.x + shelf.x, shelf.y, size.width, size.height)))
    shelf.x += size.width + gutter
    return True
