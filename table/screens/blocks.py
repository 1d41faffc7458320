"""What panels are made of: a small, closed set of blocks that the page, the television and the terminal draw.

A block says what there is to see, not how it looks. Its ``Words`` may be one text, or several parts in a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from markupsafe import Markup

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.table.screens.text import TextDrawing


class Strong(msgspec.Struct, frozen=True):
    """Words that stand out in a row; alone in a cell of a table, its heading."""

    text: str


class Boxes(msgspec.Struct, frozen=True):
    """Boxes of which some are marked."""

    marked: int
    length: int
    kind: str = ""


Words = str | int | Strong | Boxes | CardSuit | tuple["Words", ...]
"""What can be in a row: text, boxes, the symbol of a suit."""
INLINE = (str, int, Strong, Boxes, tuple)
"""The types of ``Words``."""
SUIT_MARKS: Mapping[CardSuit, str] = {
    CardSuit.HEARTS: "♥",
    CardSuit.DIAMONDS: "♦",
    CardSuit.SPADES: "♠",
    CardSuit.CLUBS: "♣",
}


class Lift(msgspec.Struct, frozen=True):
    """Something on a drawing that is picked up by pressing it; then the place is pressed where it goes."""

    key: str
    back: Action | None = None
    """What takes it off the drawing instead, where that is allowed."""


class Press(msgspec.Struct, frozen=True):
    """What happens when something is pressed, and what is told of it before: what it does, its cost, its odds."""

    what: Action | ChoiceReading | Lift
    effect: str = ""
    cost: str = ""
    odds: str = ""


class Text(msgspec.Struct, frozen=True):
    """A line or a paragraph."""

    words: Words
    kind: str = ""


class Prose(msgspec.Struct, frozen=True):
    """A text to be read aloud; an empty line begins a paragraph."""

    text: str


class Heading(msgspec.Struct, frozen=True):
    """The heading of what follows in a panel."""

    words: Words


class Facts(msgspec.Struct, frozen=True):
    """Names and values, a line each; a value that is ``""`` is left out."""

    values: Mapping[str, Words | Block]


class Badges(msgspec.Struct, frozen=True):
    """Numbers that are read before a roll, each in a box of its own, as on the printed sheets."""

    values: Mapping[str, Words]


class Track(msgspec.Struct, frozen=True):
    """A name, boxes of which some are marked, and the same in words: ``words``, or ``"3 of 10"``."""

    name: str
    marked: int
    length: int
    kind: str = "strike"
    words: str = ""


class Meters(msgspec.Struct, frozen=True):
    """Numbers as rows of boxes, two in a line where there is room; ``most`` is how far each row goes."""

    values: Mapping[str, int]
    most: int = 0


class Group(msgspec.Struct, frozen=True):
    """Blocks together, beside each other where there is room if they have a ``kind``."""

    blocks: tuple[Block, ...]
    kind: str = ""


class Rating(msgspec.Struct, frozen=True):
    """A number as boxes behind a name."""

    name: str
    value: int
    words: str = ""
    """The number in words; the plain number where this is empty."""
    symbol: CardSuit | str = ""
    """The suit of a poker card, or the address of a picture."""
    state: str = ""


class Ratings(msgspec.Struct, frozen=True):
    """Ratings below each other, or in columns."""

    rows: tuple[Rating, ...]
    kind: str


class Listing(msgspec.Struct, frozen=True):
    """Items below each other, a row of words or blocks each."""

    items: tuple[Words | Block, ...]
    kind: str = "plain"


class TableRow(msgspec.Struct, frozen=True):
    """A row of a table."""

    cells: tuple[Words | Block, ...]
    state: str = ""


class Table(msgspec.Struct, frozen=True):
    """Rows and columns."""

    rows: tuple[TableRow, ...]
    head: tuple[str, ...] = ()
    kind: str = ""


class Token(msgspec.Struct, frozen=True):
    """Somebody in an order of turns or in a lane: the name, and what there is to say."""

    name: str
    about: str = ""
    number: str = ""
    state: str = ""
    """``now`` for who acts, ``done`` for who has, ``answers`` for whoever else is asked."""


class Ladder(msgspec.Struct, frozen=True):
    """Who acts in which order."""

    seats: tuple[Token, ...]
    kind: str = ""


class Lanes(msgspec.Struct, frozen=True):
    """Who stands where, by the name of the place."""

    lanes: Mapping[str, tuple[Token, ...]]


class Cards(msgspec.Struct, frozen=True):
    """Cards side by side as they lie; ``None`` lies face down."""

    cards: tuple[ComponentId | None, ...]
    small: bool = False


class Element(msgspec.Struct, frozen=True):
    """A part of the story with the card it came from; without a name it lies face down."""

    kind: str
    name: str = ""
    text: str = ""
    card: ComponentId | None = None
    picture: str = ""
    """The address of its picture, which is smaller than the card's."""


class Elements(msgspec.Struct, frozen=True):
    """Parts of the story, beside each other."""

    elements: tuple[Element, ...]
    kind: str = "elements"


class Throws(msgspec.Struct, frozen=True):
    """Who threw which dice (d6); and what is due where they are not thrown yet."""

    throws: tuple[tuple[Words, tuple[int, ...], str], ...]


class Counters(msgspec.Struct, frozen=True):
    """Counters as they lie, by kind, and in words."""

    counts: Mapping[str, int]
    words: str = ""


class Button(msgspec.Struct, frozen=True):
    """Something to press, with what it costs."""

    label: str
    press: Press
    cost: str = ""


class Buttons(msgspec.Struct, frozen=True):
    """Buttons in a row."""

    buttons: tuple[Button, ...]


class Foldout(msgspec.Struct, frozen=True):
    """Something that opens when somebody asks for it."""

    title: Words
    blocks: tuple[Block, ...]
    kind: str = ""
    picture: Drawing | None = None
    """A small picture before the title."""


class Shape(msgspec.Struct, frozen=True):
    """A part of a drawing: SVG (``fitted``), what it is called, and what pressing it does."""

    svg: str = ""
    kind: str = ""
    label: str = ""
    """What it is, for those who do not see it; a part that cannot be pressed and has none is mere ornament."""
    press: Press | None = None
    at: tuple[float, float] | None = None
    """Where its middle lies, if its SVG is drawn round 0, 0."""
    parts: tuple[Shape, ...] = ()
    data: Mapping[str, str] = {}
    """What the page's script needs to know, by name."""
    hidden: bool = False


class Drawing(msgspec.Struct, frozen=True):
    """A picture on which something can be pressed, and the same in characters and in words."""

    kind: str
    box: tuple[float, float, float, float]
    """Left, top, width and height, in the units of its shapes."""
    shapes: tuple[Shape, ...]
    label: str = ""
    """What it shows, for those who do not see it; without one it is mere ornament."""
    text: TextDrawing | None = None
    idle: str | None = None
    """What is said under it while nothing is pointed at; ``None`` where nothing can be pressed."""
    words: tuple[str, ...] = ()
    """What it shows, in words."""
    folded: bool = False
    """Whether the words are folded away."""
    data: Mapping[str, str] = {}
    laying: str = ""
    """What the page's script needs to lay a card on it, as JSON."""


Block = (
    Text
    | Prose
    | Heading
    | Facts
    | Badges
    | Track
    | Meters
    | Group
    | Ratings
    | Listing
    | Table
    | Ladder
    | Lanes
    | Cards
    | Elements
    | Throws
    | Counters
    | Buttons
    | Foldout
    | Drawing
)


def fitted(svg: str, /, **words: object) -> Markup:
    """SVG with words put into it, escaped: ``fitted("<text>{who}</text>", who=name)``."""
    return Markup(svg).format(**words)


def parts_of(value: object) -> Iterator[object]:
    """A block, a part of one or a tuple of them, and everything within, in order."""
    yield value
    if isinstance(value, msgspec.Struct):
        value = tuple(getattr(value, name) for name in value.__struct_fields__)
    within = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
    for part in within:
        yield from parts_of(part)
