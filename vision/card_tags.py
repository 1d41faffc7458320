"""Cards by their AprilTags, and what to do where a card's code and its tag do not say the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.tags import tagged
from loomtable.vision.cards import CardScan, SeenCard, reading_order
from loomtable.vision.quads import Point, Quad, apart, quad_side
from loomtable.vision.tags import CELLS, SeenTag

_ONE_CARD = 20.0
"""How far apart two tags of one tapestry card may be, in sides of a tag (its corners: 16.7). Set by hand."""


@dataclass(frozen=True)
class TaggedCards:
    """How code and tag stand to one another on printed cards that carry both."""

    middle: Point
    """Where a card's middle lies, in the measure of ``SeenCard.place``, for ``reading_order``."""
    on_card: Callable[[SeenCard, Point], bool]
    """Whether a point of the picture (px) lies on a card whose code was read."""
    code_by_tag: Callable[[ComponentId, Quad], Quad]
    """Where the code of a card lies (px) whose tag was read."""
    tag_by_code: Callable[[SeenCard], Quad | None]
    """Where the tag of a card lies (px) whose code was read; nothing where such cards have none."""


def with_tags(scan: CardScan, tags: Iterable[SeenTag], where: TaggedCards) -> CardScan:
    """The scan with the cards that only their tags name, and a doubt on every card whose code and tag disagree.

    A tapestry card carries up to four tags with one number; of those one detection is made, at the largest, and
    its quad is the tag's. Tags of other things (figures, maps, mats) are left alone, and so is the tag of a
    card whose own code was read further off: nobody has the same card twice.
    """
    named = [(card, tag.quad, SeenCard(card, tag.quad, 0).centre) for card, tag in _cards_of(tags)]
    cards: list[SeenCard] = []
    for found in scan.cards:
        own = [tag for tag in named if where.on_card(found, tag[2])]
        named = [tag for tag in named if tag not in own]
        claimed = sorted({tag[0] for tag in own} - {found.card})
        if claimed and all(tag[0] != found.card for tag in own):
            found = replace(found, doubt=f"its code says {found.card} and its tag says {claimed[0]}")
        cards.append(found)
    read = {found.card for found in cards}
    for card, quad, _ in named:
        if card in read:
            continue
        code = quad if card.kind is Kind.TAPESTRY else where.code_by_tag(card, quad)
        cards.append(SeenCard(card, code, quad_side(quad) / CELLS))
    laid = reading_order([found for found in cards if found.card.kind is not Kind.TAPESTRY], where.middle)
    woven = sorted((found for found in cards if found.card.kind is Kind.TAPESTRY), key=lambda found: found.card)
    return replace(scan, cards=(*laid, *woven))


def card_of(tag: SeenTag) -> ComponentId | None:
    """The card on which a tag stands; nothing for the tag of a figure, a map or a mat."""
    thing = tagged(tag.number)
    return None if thing is None or thing[0].kind in (Kind.FIGURE, Kind.MAP) else thing[0]


def _cards_of(tags: Iterable[SeenTag]) -> list[tuple[ComponentId, SeenTag]]:
    """The cards that tags name; each tapestry card once, by the largest of its tags."""
    found: list[tuple[ComponentId, SeenTag]] = []
    for tag in sorted(tags, key=lambda candidate: -quad_side(candidate.quad)):
        card = card_of(tag)
        if card is None:
            continue
        larger = [other for known, other in found if card == known and card.kind is Kind.TAPESTRY]
        if all(apart(tag.quad, other.quad) >= _ONE_CARD for other in larger):
            found.append((card, tag))
    return found
