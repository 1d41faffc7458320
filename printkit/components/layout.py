"""What our cards share: where things stand on a card of 63 x 88 mm, and the window at its head.

On cards of another size the whole face is as wide as the card. Where the card is taller than that, the window goes
up, and the title moves from beside the code into the space below it, large and across the whole width. What would
come out under 6 points is set larger, or left out where it only says again what stands there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.tags import tag_of
from loomtable.printkit.draw.art import MOTIF_HEIGHT as WINDOW_HEIGHT
from loomtable.printkit.draw.art import MOTIF_WIDTH as WINDOW_WIDTH
from loomtable.printkit.draw.art import art_named
from loomtable.printkit.draw.codes import PLATE, draw_code
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.path import Path, lens, rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.tags import TAG_MODULES, draw_tag
from loomtable.printkit.draw.type import POINT, Font, check_glyphs, fit_line, width_of
from loomtable.printkit.sheet.papers import CardSize

FACE_WIDTH, FACE_HEIGHT = 63.0, 88.0
MARGIN = 4.0
"""From the trim to everything that is printed (mm); one more than the safe distance."""
WINDOW_X, WINDOW_Y = MARGIN, FACE_HEIGHT - MARGIN - WINDOW_HEIGHT
CODE_X, CODE_Y = FACE_WIDTH - MARGIN - PLATE, MARGIN
LEGEND_WIDTH = CODE_X - MARGIN - 1.6
"""Width of the column left of the code (mm)."""
LEGEND_MIDDLE = MARGIN + LEGEND_WIDTH / 2
LEGEND_TOP = WINDOW_Y - 2.4
TAG = 10.0
"""Width of the black of a card's tag, where cards are printed with tags (mm)."""
TAG_EDGE = TAG / TAG_MODULES
TAG_PLATE = TAG + 2 * TAG_EDGE
_KIND_POINTS, _KIND_SPACING, _CODE_POINTS = 6.0, 0.25, 9.5
_LEAST_PRINTED = 6.0
"""Points under which no type is printed."""
_LEAST_ROW = 8.0
"""How much taller than usual (mm) a face is that has a row for its title."""


def face_scale(size: CardSize) -> float:
    """How large a face of 63 x 88 mm is drawn on a card of ``size``: as wide as it, if that is not too tall."""
    return min(size.width / FACE_WIDTH, size.height / FACE_HEIGHT)


@dataclass(frozen=True)
class FaceRoom:
    """A face on a card of some size: how large it is drawn, and how much taller than usual (in its own mm)."""

    scale: float
    spare: float

    @property
    def has_title_row(self) -> bool:
        """Whether the title stands in a row of its own between window and foot."""
        return self.spare >= _LEAST_ROW

    @property
    def height(self) -> float:
        """The face's height in its own mm."""
        return FACE_HEIGHT + self.spare

    def least(self, points: float) -> float:
        """The size at which type of so many points is set: what would come out under 6 is larger."""
        return max(points, _LEAST_PRINTED / self.scale)


@contextmanager
def centred(pen: Pen, size: CardSize) -> Iterator[FaceRoom]:
    """Draw a face of 63 mm width on a card of ``size``, in the middle where the card is wider."""
    scale = face_scale(size)
    spare = size.height / scale - FACE_HEIGHT
    with pen.at((size.width - FACE_WIDTH * scale) / 2, 0, scale=scale):
        yield FaceRoom(scale, spare if spare > 0.01 else 0.0)


def draw_title_row(pen: Pen, room: FaceRoom, words: str, colour: Colour, accent: Colour, called: str) -> None:
    """A title across the card, in the row between the window and the foot, with a rule on either side of it."""
    points = fit_line(words, Font.TITLE, WINDOW_WIDTH, min(26.0, 1.9 * room.spare), room.least(9), called)
    y = (MARGIN + PLATE + WINDOW_Y + room.spare) / 2
    pen.text(FACE_WIDTH / 2, y - 0.35 * points * POINT, words, Font.TITLE, points, colour, align="middle")
    reach = width_of(words, Font.TITLE, points) / 2 + 2.0
    rule = WINDOW_WIDTH / 2 - reach
    for side in (1, -1) if rule > 4 else ():
        pen.solid(lens(FACE_WIDTH / 2 + side * (reach + rule / 2), y, rule, 0.4), accent)


def window_arch() -> Path:
    """The window's outline on its panel: straight sides, a low arch on top."""
    right, top, spring = WINDOW_WIDTH, WINDOW_HEIGHT, 41.0
    path = Path().move(0, 0).line(0, spring).curve(0, spring + 5.6, 9.5, top, right / 2, top)
    return path.curve(right - 9.5, top, right, spring + 5.6, right, spring).line(right, 0).close()


def draw_window_frame(pen: Pen, deep: Colour, accent: Colour) -> None:
    """The frame over a picture that has been drawn: spandrels in the upper corners and a double line."""
    art_named("frames", "window").draw(pen, {"deep": deep, "light": accent.towards(Colour(1, 1, 1), 0.33)})


def draw_code_plate(pen: Pen, card: ComponentId, line: Colour) -> None:
    """The code on its white plate at the lower right, its quiet zone bounded by a fine line."""
    draw_code(pen, card, CODE_X, CODE_Y)
    pen.stroke(rect(CODE_X + 0.1, CODE_Y + 0.1, PLATE - 0.2, PLATE - 0.2), line, 0.2)


def draw_corner_tag(pen: Pen, card: ComponentId, line: Colour, right: float, top: float) -> None:
    """The card's tag on a white plate like the code's, its upper right corner at (right, top).

    Raises:
        UnknownComponent: no tag is kept for the card.
    """
    x, y = right - TAG_PLATE, top - TAG_PLATE
    draw_tag(pen, tag_of(card), x + TAG_EDGE, y + TAG_EDGE, TAG)
    pen.stroke(rect(x + 0.1, y + 0.1, TAG_PLATE - 0.2, TAG_PLATE - 0.2), line, 0.2)


def draw_short_code(
    pen: Pen, room: FaceRoom, card: ComponentId, kind: str, colour: Colour, x: float, align: str
) -> None:
    """The short code that a person types when the printed code is torn, below everything else.

    It is set in Spectral, whose figures stand on the line: a code must not be guessed at. The kind stands before
    it where there is room; the code says it too.
    """
    check_glyphs(kind, Font.LABEL_BOLD, card.short)
    check_glyphs(card.short, Font.CODE, card.short)
    points = room.least(_KIND_POINTS)
    label = width_of(kind, Font.LABEL_BOLD, points, _KIND_SPACING) + 1.5
    code = width_of(card.short, Font.CODE, room.least(_CODE_POINTS))
    if label + code > LEGEND_WIDTH:
        label = 0.0
    start = x - (label + code) / 2 if align == "middle" else x
    if label:
        pen.text(start, CODE_Y + 0.4, kind, Font.LABEL_BOLD, points, colour, spacing=_KIND_SPACING)
    pen.text(start + label, CODE_Y + 0.4, card.short, Font.CODE, room.least(_CODE_POINTS), colour)


def draw_flourish(pen: Pen, y: float, colour: Colour) -> None:
    """A small divider in the middle of the legend: two tapering strokes and a lozenge."""
    with pen.at(LEGEND_MIDDLE, y):
        art_named("frames", "flourish").draw(pen, {"deep": colour})
