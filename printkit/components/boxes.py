"""Tuck boxes to fold up, each as large as its deck, and dividers for one box that holds all decks of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from loomtable.engine.kernel.wording import how_many
from loomtable.printkit.catalogue import Component, RenderOptions, components
from loomtable.printkit.components.flats import Flat, FlatPage, flat_pages
from loomtable.printkit.components.sheet_style import PARCHMENT, Theme, draw_roundel
from loomtable.printkit.components.sheet_themes import theme_for
from loomtable.printkit.draw.path import Path, Point, arc, lens, polygon, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import set_words
from loomtable.printkit.draw.type import POINT, Font, fit_line
from loomtable.printkit.errors import PrintError
from loomtable.printkit.sheet.imposition import size_of
from loomtable.printkit.sheet.papers import CardSize
from loomtable.printkit.sheet.pieces import PrintedCard
from loomtable.printkit.sheet.sharing import is_small

THICKNESS, SLEEVED_THICKNESS = 0.32, 0.5
"""Of a card (mm): 300 g/m2, or two sheets of 160 g/m2 glued together; and of one in its sleeve."""
THICKEST_BARE = 0.4
"""Cards that are said to be thicker (mm) are in sleeves."""
SLEEVE = 3.0
"""How much wider and higher (mm) a sleeve is than its card: 66 x 91 for 63 x 88, as the packets say."""
LEAST_THICKNESS, MOST_THICKNESS = 0.1, 3.0
LEAST_DEPTH = 8.0
"""A flatter box (mm) cannot be closed."""
LEAST_CARDS = 9
"""What has fewer cards needs no box."""
_AIR, _GLUE, _TONGUE, _NOTCH = 1.0, 8.0, 12.0, 9.0
"""Room round the cards; widths of the flap to glue and of the tongue; radius of the notch for a thumb (mm)."""
_STEPS = "Print on card. Cut along the full lines, score and fold the dashed ones backwards, glue side and foot."


@dataclass(frozen=True)
class BoxedDeck:
    """Cards of one size that belong into a box."""

    title: str
    size: CardSize
    cards: Sequence[PrintedCard]
    theme: Theme
    sleeved: bool = False

    @property
    def outer(self) -> CardSize:
        """How large a card is as it stands in the box: in its sleeve, if it has one."""
        more = SLEEVE if self.sleeved else 0.0
        return CardSize(self.size.name, self.size.width + more, self.size.height + more, self.size.corner)

    @property
    def said(self) -> str:
        """``22 cards``."""
        return how_many(len(self.cards), "card", "cards")


def deck_of(component: Component, options: RenderOptions) -> BoxedDeck | None:
    """The cards of a component, if they are enough of one size for a box."""
    pieces = () if component.on_paper else component.pieces(options)
    cards = [
        card for card in pieces for _ in range(card.copies) if isinstance(card, PrintedCard) and not is_small(card)
    ]
    sizes = {size_of(card, options.card_size) for card in cards}
    if len(cards) < LEAST_CARDS or len(sizes) > 1:
        return None
    theme = theme_for(component.system)
    title, _, more = component.title.partition(": ")
    title = more if more and title == theme.title else title
    return BoxedDeck(title[:1].upper() + title[1:], sizes.pop(), cards, theme, options.sleeved)


def tuck_box(deck: BoxedDeck, thickness: float) -> Flat:
    """The box of a deck, laid flat: from the left a flap to glue, back, side, front, side.

    Cards of ``thickness`` mm stand upright in it.
    """
    size, lies = deck.size, deck.size.width > deck.size.height
    short, long = sorted((deck.outer.width, deck.outer.height))
    width, height = short + _AIR, long + _AIR
    depth = max(LEAST_DEPTH, len(deck.cards) * thickness + _AIR)
    x1, x2 = _GLUE, _GLUE + width
    x3, x4, x5 = x2 + depth, x2 + depth + width, x2 + 2 * depth + width
    foot = depth + _GLUE
    top, dust = foot + height, min(depth + 3.0, width / 2 - 1)
    middle = (x3 + x4) / 2
    notch = arc(middle, top, _NOTCH, 0, -180)
    lid = top + depth
    right: list[Point] = [(x1, foot), (x2, foot), (x2 + 1, foot - dust), (x3 - 1, foot - dust), (x3, foot)]
    right += [(x3, foot - depth), (x3 + 2, 0), (x4 - 2, 0), (x4, foot - depth), (x4, foot), (x4 + 1, foot - dust)]
    right += [(x5 - 1, foot - dust), (x5, foot), (x5, top), (x5 - 1, top + dust), (x4 + 1, top + dust), (x4, top)]
    left: list[Point] = [(x3, top), (x3 - 1, top + dust), (x2 + 1, top + dust), (x2, top), (x2, lid)]
    left += [(x2 - 3, lid + _TONGUE), (x1 + 3, lid + _TONGUE), (x1, lid), (x1, top), (0, top - 4), (0, foot + 4)]
    outline = Path().move(*right[0])
    for point in right[1:]:
        outline.line(*point)
    outline.line(middle + _NOTCH, top)
    outline.steps += notch.steps[1:]
    for point in left:
        outline.line(*point)
    upright = [((x, foot), (x, top)) for x in (x1, x2, x3, x4)]
    across = [((x2, foot), (x3, foot)), ((x3, foot), (x4, foot)), ((x4, foot), (x5, foot))]
    across += [((x3, foot - depth), (x4, foot - depth)), ((x1, top), (x2, top)), ((x1, lid), (x2, lid))]
    across += [((x2, top), (x3, top)), ((x4, top), (x5, top))]

    def draw(pen: Pen) -> None:
        theme, card = deck.theme, deck.cards[0]
        pen.fill_background(rect(-1, -1, x5 + 2, lid + _TONGUE + 2), theme.pale)
        pen.fill_background(rect(0, foot, _GLUE, height))
        face = card.back or card.front
        x, y = x1 + (width - min(size.width, size.height)) / 2, foot + (height - max(size.width, size.height)) / 2
        with pen.clipped(rect(x1, foot, width, height)), pen.at(x + size.height * lies, y, turn=90 * lies):
            face(pen)
        with pen.at(x3, foot):
            _draw_front(pen, deck, width, height)
        for x in (x2, x4):
            with pen.at(x + depth / 2, foot + height / 2, turn=90):
                _draw_spine(pen, deck, height, depth)
        with pen.at(x1 + width / 2, top + depth / 2):
            _draw_spine(pen, deck, width, depth)

    name = f"the tuck box for {deck.title}"
    return Flat(name, x5, lid + _TONGUE, draw, outline.close(), tuple(upright + across))


def _draw_front(pen: Pen, deck: BoxedDeck, width: float, height: float) -> None:
    theme = deck.theme
    pen.fill_background(rect(3, 3, width - 6, height - _NOTCH - 6), PARCHMENT)
    pen.stroke(rect(3, 3, width - 6, height - _NOTCH - 6), theme.deep, 0.4)
    pen.stroke(rect(4, 4, width - 8, height - _NOTCH - 8), theme.warm, 0.15)
    radius = min(width, height) * 0.2
    draw_roundel(pen, theme, width / 2, height * 0.6, radius)
    box = (width - 12, height * 0.25)
    title = set_words(deck.title, Font.TITLE, box, 20, 8, f"the tuck box for {deck.title}")
    y = height * 0.6 - radius - 4 - title.points * POINT
    title.draw(pen, width / 2, y, theme.deep, middle=True)
    pen.solid(lens(width / 2, 13.5, width * 0.5, 0.5), theme.warm)
    pen.text(width / 2, 7.5, deck.said, Font.TEXT_ITALIC, 9, theme.warm, align="middle")


def _draw_spine(pen: Pen, deck: BoxedDeck, length: float, depth: float) -> None:
    """The deck's name along the middle of a side, about the origin."""
    points = fit_line(deck.title, Font.TITLE, length - 8, min(16.0, depth * 1.5), 6, deck.title)
    pen.text(0, -0.32 * points * POINT, deck.title, Font.TITLE, points, deck.theme.deep, align="middle")


def boxes_for(decks: Sequence[Component], thickness: float, options: RenderOptions) -> list[Component]:
    """A box for each of these components that is a deck; a card is ``thickness`` mm, with its sleeve.

    Raises:
        PrintError: there is no deck among them, or no such card.
    """
    if not LEAST_THICKNESS <= thickness <= MOST_THICKNESS:
        raise PrintError(f"a card is {LEAST_THICKNESS:g} to {MOST_THICKNESS:g} mm thick, not {thickness:g}")
    boxed = [_box_of(component, thickness) for component in decks if deck_of(component, options)]
    if not boxed:
        raise PrintError(f"a box is for {LEAST_CARDS} cards or more of one size; there is no such deck to print")
    return boxed


def _box_of(component: Component, thickness: float) -> Component:
    def pages(options: RenderOptions) -> list[FlatPage]:
        sleeved = options.sleeved or thickness > THICKEST_BARE
        deck = deck_of(component, replace(options, sleeved=sleeved))
        return flat_pages([tuck_box(deck, thickness)] if deck else [], options, "Tuck box", _STEPS)

    name, title = f"{component.name}-box", f"{component.title}: the box"
    return Component(name, title, "A tuck box to fold up", component.system, pages, on_paper=True)


def _decks(system: str, options: RenderOptions) -> list[BoxedDeck]:
    held = (part for part in components().values() if part.system == system and part.in_kits)
    return [deck for part in held if (deck := deck_of(part, options))]


def divider(title: str, size: CardSize, theme: Theme, place: int) -> Flat:
    """A divider a little taller than the cards, its tab at one of three places."""
    width, height, tab = size.width + 1, size.height + 1, 11.0
    wide = width * 0.46
    left = (width - wide) / 2 * (place % 3)
    outline = polygon(
        (0, 0), (width, 0), (width, height), (left + wide, height), (left + wide - 1.5, height + tab),
        (left + 1.5, height + tab), (left, height), (0, height),
    )  # fmt: skip

    def draw(pen: Pen) -> None:
        pen.fill_background(rect(0, 0, width, height + tab), theme.pale)
        pen.fill_background(rect(4, 4, width - 8, height - 8), PARCHMENT)
        pen.stroke(rect(4, 4, width - 8, height - 8), theme.deep, 0.35)
        radius = min(width, height) * 0.2
        draw_roundel(pen, theme, width / 2, height * 0.58, radius)
        called = f"the divider {title}"
        words = set_words(title, Font.TITLE, (width - 14, height * 0.58 - radius - 14), 16, 6, called)
        words.draw(pen, width / 2, height * 0.58 - radius - 11, theme.deep, middle=True)
        words = set_words(title, Font.TITLE, (wide - 4, tab - 2), 12, 6, called)
        foot = height + (tab + words.height) / 2 - 0.95 * words.points * POINT
        words.draw(pen, left + wide / 2, foot, theme.deep, middle=True)

    return Flat(f"the divider {title}", width, height + tab, draw, outline)


def boxes(system: str, options: RenderOptions) -> list[FlatPage]:
    """The boxes of a game, by its key, or ``table``'s."""
    thickness = SLEEVED_THICKNESS if options.sleeved else THICKNESS
    flats = [tuck_box(deck, thickness) for deck in _decks(system, options)]
    return flat_pages(flats, options, "Tuck boxes", _STEPS)


def dividers(system: str, options: RenderOptions) -> list[FlatPage]:
    """The dividers of a game, by its key, or ``table``'s."""
    flats = [divider(deck.title, deck.outer, deck.theme, at) for at, deck in enumerate(_decks(system, options))]
    return flat_pages(flats, options, "Dividers", "Print on card and cut out; one stands before each deck.")


table_boxes = partial(boxes, "table")
table_dividers = partial(dividers, "table")
