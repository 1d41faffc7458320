"""Cards for online print shops: pictures or a file of the very size that each asks for, and what to order.

What they and tables on a screen ask for was looked up, and stands in ``templates/shops.yaml``.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pypdfium2

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.wording import how_many, listed
from loomtable.engine.kernel.yamlfile import Titled, parse_yaml
from loomtable.printkit.catalogue import Component
from loomtable.printkit.errors import OutsideSafeZone, ShopPrintsNone, UnknownPrintName
from loomtable.printkit.kit import PrintedFile, PrintSettings, Progress
from loomtable.printkit.picking import Pick, chosen_pieces, distinct
from loomtable.printkit.pictures import Asked, face_name_of, padded, png, rendered, write_folders
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import Page, lay_out
from loomtable.printkit.sheet.papers import BLEED, CardSize
from loomtable.printkit.sheet.pieces import Piece, PrintedCard

DPI = 300
_MM = 25.4
_SAME = 0.7
"""Two sizes (mm) that differ by no more than this are the same card to a shop."""


class Product(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One size of card that a shop prints; ``trim`` is what is left when it is cut.

    ``picture`` and ``safe`` are its pixels at 300 dpi with bleed, and within the safe zone.
    """

    name: str
    trim: CardSize
    picture: tuple[int, int]
    safe: tuple[int, int]

    @property
    def margins(self) -> tuple[float, float]:
        """From the trim's left and lower edges to the safe zone, mm."""
        wide, high = (pixels * _MM / DPI for pixels in self.safe)
        return (self.trim.width - wide) / 2, (self.trim.height - high) / 2


class Shop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A print shop. ``products`` by the size of card that is ordered; ``as_pdf`` where it takes one file a deck.

    ``repeats`` where each copy of a card wants a picture of its own. ``tiers`` are the numbers of cards in
    which it sells decks. ``advice`` is for the list, ``source`` says where all of this is known from.
    """

    name: str
    title: str
    source: tuple[str, ...]
    products: Mapping[str, Product]
    advice: str
    as_pdf: bool = False
    repeats: bool = False
    tiers: tuple[int, ...] = ()

    def ordered(self, cards: int) -> str:
        """Which of the shop's numbers to order: ``; it sells 36, which leaves 14 places empty``."""
        if not self.tiers or cards in self.tiers:
            return ""
        tier = next((tier for tier in self.tiers if tier > cards), None)
        if tier is None:
            return f"; it sells at most {self.tiers[-1]} at once, so order several decks"
        return f"; it sells {tier}, which leaves {how_many(tier - cards, 'place', 'places')} empty"


class Simulator(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What Tabletop Simulator loads: its limits, and what its saved objects always hold, by their own names."""

    source: tuple[str, ...]
    most: tuple[int, int]
    least: tuple[int, int]
    most_pixels: int
    card_width: float
    saved: Mapping[str, str]
    thing: Mapping[str, Any]
    deck: Mapping[str, Any]
    image: Mapping[str, Any]
    tile: Mapping[str, Any]
    shapes: Mapping[str, int]


class Outlets(Titled, frozen=True):
    """Shops, and a table on a screen, that ask for a form of their own."""

    shops: tuple[Shop, ...]
    simulator: Simulator


def parse_shops(text: str, name: str) -> Outlets:
    """The shops, and what Tabletop Simulator asks for, in the text of a file called ``name``.

    Raises:
        ContentInvalid: it does not hold together; the message names the file and the line.
    """
    return parse_yaml(text, Outlets, name)[0]


_OUTLETS = parse_shops(*shipped("shops.yaml"))
SHOPS = {shop.name: shop for shop in _OUTLETS.shops}
SIMULATOR = _OUTLETS.simulator


def shop_named(name: str, others: Collection[str] = ()) -> Shop:
    """The shop of this name; ``others`` are named besides where there is none.

    Raises:
        UnknownPrintName: there is none.
    """
    if name.strip().lower() not in SHOPS:
        raise UnknownPrintName(f"there is no shop {name[:40]!r}; choose from {listed([*SHOPS, *others])}")
    return SHOPS[name.strip().lower()]


def print_for_shop(
    components: Sequence[Component],
    folder: Path,
    settings: PrintSettings,
    shop: Shop,
    *,
    only: Collection[ComponentId | Pick] | None = None,
    copies: int = 1,
    progress: Progress | None = None,
) -> list[PrintedFile]:
    """Write what a shop takes for each component, in a folder of its own, and ``order.txt`` with what to order.

    Whatever is no card of a size that the shop prints is left out, and the list says so.

    Raises:
        ShopPrintsNone: nothing of what was named is a card that the shop prints.
        OutsideSafeZone: words would lie so near to the edge that they might be cut.
        UnknownPrintName, NoSuchCard, CopiesInvalid, GlyphMissing, TextTooLong, PrintUnwritable: as for printing.
    """
    ordered = shop.products.get(settings.card_size.name)
    if ordered is None:
        raise ShopPrintsNone(
            f"we know no template of {shop.title} for the size {settings.card_size.name}; choose --card-size "
            f"{listed(shop.products)}, or --png 300"
        )
    settings = replace(settings, singly=True, printer=None, press=None, packed=False, card_size=ordered.trim)
    wanted = chosen_pieces(components, settings, only, copies)
    decks = [
        (part, product, held) for part, pieces in wanted for product, held in _by_product(pieces, shop, ordered)
    ]
    if not decks:
        raise ShopPrintsNone(f"none of these are cards of a size for which we know a template of {shop.title}")
    lines = [f"What to order from {shop.title}", ""]
    asked: list[Asked] = []
    for part, product, held in decks:
        own = folder / f"{part.name}-{shop.name}"
        faces = partial(_pdf_file if shop.as_pdf else _pictures, part, product, held, settings, shop)
        asked.append(Asked(part, own, len(held), faces))
        lines.append(
            f"{part.title}: {how_many(len(held), 'card', 'cards')} as {product.name!r} "
            f"({product.trim.width:g} x {product.trim.height:g} mm), in {own.name}/{shop.ordered(len(held))}"
        )
    left = [part.name for part, _ in wanted if part.name not in {part.name for part, _, _ in decks}]
    lines += ["", shop.advice]
    if left:
        lines += ["", f"Left out, since we know no template of that shop for their size: {listed(left)}."]
    order = {folder / f"order-{shop.name}.txt": ("\n".join(lines) + "\n").encode()}
    return write_folders(asked, progress, order)


def _by_product(pieces: Sequence[Piece], shop: Shop, ordered: Product) -> list[tuple[Product, list[PrintedCard]]]:
    """The cards that the shop prints, by its product."""
    found: dict[Product, list[PrintedCard]] = {}
    for piece in pieces:
        if isinstance(piece, PrintedCard):
            product = ordered if piece.size is None else _product_of(piece.size, shop)
            if product:
                found.setdefault(product, []).append(replace(piece, size=product.trim) if piece.size else piece)
    return list(found.items())


def _product_of(size: CardSize, shop: Shop) -> Product | None:
    near = [p for p in shop.products.values() if abs(p.trim.width - size.width) <= _SAME]
    return next((p for p in near if abs(p.trim.height - size.height) <= _SAME + 0.3), None)


def _pictures(
    part: Component, product: Product, held: Sequence[PrintedCard], settings: PrintSettings, shop: Shop
) -> Iterator[tuple[str, bytes]]:
    """Each face as a picture with the number of its card; where all backs are the same, one of it."""
    times = Counter(map(id, held))
    pages = lay_out(distinct(held), settings)
    pdf = pages_to_pdf(pages, settings.sheets(part.title))
    check_safe_zone(pdf, pages, product)
    backs: list[tuple[int, str, bytes]] = []
    number = 0
    for page, face in rendered(pdf, pages, DPI):
        count = times[id(page.placements[0].piece)]
        numbered = count if shop.repeats else 1
        number += 0 if page.is_back else numbered
        name = face_name_of(page) + (f"-x{count}" if count > numbered else "")
        content = png(padded(face, product.picture), DPI)
        faces = [(at, name, content) for at in range(number - numbered + 1, number + 1)]
        if page.is_back:
            backs += faces
        else:
            yield from ((f"fronts/{at:03d}-{name}.png", content) for at, name, content in faces)
    if len(backs) == number and len({content for _, _, content in backs}) == 1:
        backs = [(1, "all", backs[0][2])]
    yield from ((f"backs/{at:03d}-{name}.png", content) for at, name, content in backs)


def _pdf_file(
    part: Component, product: Product, held: Sequence[PrintedCard], settings: PrintSettings, _: Shop
) -> list[tuple[str, bytes]]:
    """One file: the back of the first card, its front, the back of the second and so on."""
    from loomtable.printkit.sheet.press import X1A, press_for  # not above: it needs NumPy

    pages, settings = lay_out(held, settings), replace(settings, press=press_for(version=X1A))
    check_safe_zone(pages_to_pdf(pages, settings.sheets(part.title)), pages, product)
    bleed = (product.picture[0] * _MM / DPI - product.trim.width) / 2
    if any(page.is_back for page in pages):
        pages = [page for at in range(0, len(pages), 2) for page in (pages[at + 1], pages[at])]
    content = pages_to_pdf(pages, replace(settings.sheets(part.title), bleed=bleed))
    if b"/SMask" in content:  # clear parts, which PDF/X-1a does not know
        content = pages_to_pdf(pages, replace(settings.sheets(part.title), bleed=bleed, press=press_for()))
    return [(f"{part.name}.pdf", content)]


def check_safe_zone(pdf: bytes, pages: Sequence[Page], product: Product) -> None:
    """Make sure, on the pages themselves, that no letter stands outside of the shop's safe zone.

    Raises:
        OutsideSafeZone: one does; the message names card, side and words.
    """
    across, up = product.margins
    document = pypdfium2.PdfDocument(io.BytesIO(pdf))
    try:
        for at, page in enumerate(pages):
            words = document[at].get_textpage()
            for number in range(words.count_chars()):
                left, bottom, right, top = (v * _MM / 72 - BLEED for v in words.get_charbox(number))
                if right - left < 0.01 or top - bottom < 0.01:
                    continue  # a space
                spare = min(left - across, bottom - up)
                spare = min(spare, product.trim.width - across - right, product.trim.height - up - top)
                if spare < -0.05:
                    card = page.placements[0].piece.name
                    raise OutsideSafeZone(
                        f"{card}, {'back' if page.is_back else 'front'}: "
                        f"{words.get_text_range(number, 12).strip()!r} stands {-spare:.1f} mm outside of the safe "
                        f"zone of {product.name!r}; move it inwards"
                    )
    finally:
        document.close()
