"""Every page at two resolutions, in colour, grey and low ink: a second reader reads every code and every tag.

Each thing is looked at in one of the six looks, in turn, so that all of them meet every component: where there are
many pages, each in one look, and where there are few, each in several. With ``LOOMTABLE_THOROUGH=1`` in the
environment everything is looked at in all six, which takes minutes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import pytest

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.mats import MATS
from loomtable.engine.kernel.tags import map_tags, tag_of
from loomtable.printkit.catalogue import components
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.raster import Picture, cut, render_page
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.grid import Rect
from loomtable.printkit.sheet.imposition import Page, lay_out
from loomtable.printkit.sheet.papers import A4
from loomtable.printkit.sheet.pieces import LargeDrawing, PrintedCard
from tests.print.second_reader import read_by_opencv, read_tags
from tests.tiers import mostly

THOROUGH = os.environ.get("LOOMTABLE_THOROUGH") == "1"
LOOKS = list(product(Style, (150, 200)))
MAT = "dice-mat"
WITH_CODES = [
    "story-cards",
    "challenge-cards",
    "hero-markers",
    MAT,
    "answer-cards",
    "blank-cards",
    "combat-maps",
    "region-maps",
    "poker-deck",
    "tapestry-cards",
    "spell-cards",
    "home-cards",
    "storm-standees",
    "storm-tokens",
    "ring-mat",
    "spellwoven-standees",
    "spellwoven-tokens",
    "mage-standees",
    "mage-tokens",
    "the-bell-of-hollow-pass-booklet",
    "the-light-on-karrow-head-booklet",
    "the-pay-book-booklet",
    "the-bell-of-hollow-pass-pages",
    "the-light-on-karrow-head-pages",
    "the-pay-book-pages",
]
"""Written out: to find them takes every worker of pytest two seconds before the first test."""
REPEATED = {
    "poker-deck",
    "region-maps",
    "story-cards",
    "the-bell-of-hollow-pass-pages",
    "the-light-on-karrow-head-booklet",
    "the-light-on-karrow-head-pages",
    "the-pay-book-booklet",
    "the-pay-book-pages",
    "mage-standees",
    "mage-tokens",
    "spellwoven-standees",
    "storm-tokens",
}
"""Like those of another deck, or adventures of the same layout; test_print_counters reads the region maps."""
TAGGED = (Kind.FIGURE, Kind.TAPESTRY, Kind.MARKER)
"""These carry tags and no QR code: a camera above the table finds them."""
WITH_BOTH = (Kind.ANSWER,)
"""These carry a tag besides the code whatever is asked for."""
ALSO_TAGGED = ("story-cards", "challenge-cards", "spell-cards")
"""These carry a tag besides the code where that is asked for."""


@dataclass(frozen=True)
class Marked:
    """Something on a page that carries codes: where it is (mm), what its QR code says, and its tags."""

    area: Rect
    code: ComponentId | None
    tags: frozenset[int]


def marked_on(page: Page, name: str, *, tags: bool) -> Iterator[Marked]:
    """What a page of a component carries. Of a map's tags, those whose corner lies on this tile."""
    if name == MAT:
        yield Marked(page.layout.block, None, frozenset(MATS[A4.name].tags))
    for placement in page.placements:
        piece, area = placement.piece, page.layout.slot(placement.slot)
        if isinstance(piece, LargeDrawing) and piece.id:
            held = page.layout.part  # type: ignore[attr-defined]
            sides = [held.x < 1, held.right > piece.width - 1]
            ends = [held.top > piece.height - 1, held.y < 1]
            corners = [(ends[0], sides[0]), (ends[0], sides[1]), (ends[1], sides[1]), (ends[1], sides[0])]
            numbers = map_tags(piece.id)
            yield Marked(area, None, frozenset(n for n, at in zip(numbers, corners, strict=True) if all(at)))
        elif isinstance(piece, PrintedCard):
            card = piece.back_id if placement.is_back else piece.id
            if card is not None:
                own = card.kind in (*TAGGED, *WITH_BOTH) or (tags and not placement.is_back)
                yield Marked(area, None if card.kind in TAGGED else card, frozenset({tag_of(card)} if own else ()))


def seen_on(face: Picture, marked: Marked) -> tuple[ComponentId | None, frozenset[int]]:
    """What second readers find on a face; each is asked only where it should find something."""
    code = read_by_opencv(face) if marked.code else ""
    tags = frozenset(tag for tag, _ in read_tags(face)) if marked.tags else frozenset()
    return ComponentId.from_code(code) if code else None, tags


def check(name: str, *, tags: bool) -> int:
    """Read all pages of a component; how many things were read."""
    order = PrintSettings(tags=tags)
    pages = lay_out(components()[name].pieces(order), order)
    carried = [(page, [*marked_on(page, name, tags=tags)]) for page in pages]
    carried = [(page, those) for page, those in carried if those]
    each = -(-len(LOOKS) // len(carried))
    for at, (page, those) in enumerate(carried):

        @cache
        def file(style: Style, page: Page = page) -> bytes:
            return pages_to_pdf([page], PrintSettings(style=style).sheets("test"))

        @cache
        def picture(style: Style, dpi: int, file: Callable[[Style], bytes] = file) -> Picture:
            return render_page(file(style), 0, dpi)

        for turn, marked in enumerate(those):
            for style, dpi in LOOKS if THOROUGH else [LOOKS[(at * each + turn % each) % len(LOOKS)]]:
                face = cut(picture(style, dpi), marked.area, page.layout.page_height, dpi)
                assert seen_on(face, marked) == (marked.code, marked.tags), f"page {at + 1}, {style}, {dpi} dpi"
    return sum(len(those) for _, those in carried)


def test_the_list_of_components_with_codes_is_whole() -> None:
    assert [
        component.name for component in components().values() if component.name == MAT or component.kinds
    ] == WITH_CODES


@pytest.mark.parametrize("name", mostly(WITH_CODES, set(WITH_CODES) - REPEATED))
def test_every_code_on_every_page_is_read_by_another_reader(name: str) -> None:
    assert check(name, tags=False) >= 1


@pytest.mark.parametrize("name", mostly(ALSO_TAGGED, ALSO_TAGGED[:1]))
def test_cards_with_tags_are_read_both_ways(name: str) -> None:
    assert check(name, tags=True) >= 22
