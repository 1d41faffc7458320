"""A quick start for each game, one printed page: who sits there, a scene to read aloud, and the first roll."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from loomtable.engine.quick_start import ExampleStep, QuickStart, quick_start
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.catalogue import RenderOptions
from loomtable.printkit.components.quick_start_art import HEIGHT as ART_HEIGHT
from loomtable.printkit.components.quick_start_art import WIDTH as ART_WIDTH
from loomtable.printkit.components.quick_start_art import draw_art
from loomtable.printkit.components.quick_start_faces import draw_lying, lying
from loomtable.printkit.components.sheet_style import EDGE, HEADING, DrawnSheet, Side, Theme, panel, sheet_pages
from loomtable.printkit.components.sheet_themes import theme_of
from loomtable.printkit.draw.palette import INK, Colour, Style
from loomtable.printkit.draw.path import circle, lens
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.running import Manner, Part, beside, paragraph, stacked
from loomtable.printkit.draw.type import Font, largest
from loomtable.printkit.errors import TextTooLong
from loomtable.printkit.sheet.pieces import PrintedPage

_MOST, _LEAST, _STEP = 11.5, 8.0, 0.25
_AIR = 2.6
"""Between two panels (mm)."""
_FRAME, _INSIDE = 11.2, 6.0
"""What a panel's frame and title take of its height, and its frame of its width (mm)."""
_NUMBER, _MARK = 9.5, 5.0
"""Room for the number of a step, and for a mark, left of its words (mm)."""
_LYING = 62.0
"""Room for what lies on the table, right of a step's words (mm)."""
_NEXT = 0.58
"""Share of the width that what comes next takes, beside where to read on."""
_SHARES = (0.05, 0.05, 0.12, 0.53, 0.25)
"""How the rows of panels share what the page has to spare."""


@dataclass(frozen=True)
class _Panel:
    """A panel ``left`` mm from the left edge, ``width`` mm wide; its parts stand evenly in it."""

    title: str
    left: float
    width: float
    parts: Sequence[Part]
    note: str = ""

    @property
    def height(self) -> float:
        """What it takes at least."""
        return sum(part.height + 0.9 for part in self.parts) + _FRAME

    def draw(self, side: Side, top: float, height: float) -> None:
        """Draw it under ``top``."""
        left, foot, _, room = panel(
            side, side.left + self.left, top - height, self.width, height, self.title, self.note
        )
        gap = max(0.3, (room - sum(part.height for part in self.parts)) / (len(self.parts) + 1))
        y = foot + room - gap
        for part in self.parts:
            part.draw(side.pen, left, y)
            y -= part.height + gap


class _Page:
    """Everything on the page, set at one size."""

    def __init__(self, start: QuickStart, theme: Theme, width: float, points: float) -> None:
        self._start, self._theme, self._points = start, theme, points
        inside, half = width - _INSIDE, width - ART_WIDTH - _AIR
        then, on = (width - _AIR) * _NEXT, (width - _AIR) * (1 - _NEXT)
        fetch = [" \u2013 loom print ".join(filter(None, (item.what, item.print))) for item in start.fetch]
        to_fetch = [self._marked(words, half, -0.5, ring=True) for words in fetch]
        example = [self._set(start.first, inside)] if start.first else []
        for number, step in enumerate(start.example, start=1):
            example += [Part(1.4, partial(self._rule, width=inside)), self._step(number, step, inside)]
        to_read = [
            stacked([self._set(line.at, on - _INSIDE, Font.LABEL_BOLD, -0.5), self._set(line.says, on - _INSIDE)])
            for line in start.read_on
        ]
        to_do = [self._marked(words, then) for words in start.then]
        self.rows = (
            [_Panel("Who sits at the table", 0, half, [self._set(start.table, half - _INSIDE)])],
            [_Panel("To print and to fetch", 0, half, to_fetch)],
            [_Panel("Read aloud", 0, width, [self._aloud(width)])],
            [_Panel("The first five minutes", 0, width, example, "in quotation marks: what the program says")],
            [_Panel("And then", 0, then, to_do), _Panel("Read on", then + _AIR, on, to_read)],
        )

    @property
    def heights(self) -> list[float]:
        """What each row of panels takes; the picture reaches up beside the heading."""
        heights = [max(panel.height for panel in row) for row in self.rows]
        heights[1] = max(heights[1], ART_HEIGHT - HEADING + EDGE - heights[0] - _AIR)
        return heights

    def _set(
        self, words: str, width: float, face: Font = Font.TEXT, larger: float = 0.0, colour: Colour = INK
    ) -> Part:
        manner = Manner(self._points + larger, 1.22, colour, bold=self._theme.deep)
        return stacked(paragraph([(words, face)], width, manner, f"the quick start of {self._start.title}"))

    def _marked(self, words: str, width: float, larger: float = 0.0, *, ring: bool = False) -> Part:
        said = self._set(words, width - _INSIDE - _MARK, larger=larger)
        line = Manner(self._points + larger, 1.22).step

        def draw(pen: Pen, x: float, y: float) -> None:
            if ring:
                pen.stroke(circle(x + 1.5, y - line / 2, 1.15), self._theme.warm, 0.35)
            else:
                pen.solid(lens(x + 1.6, y - line / 2, 3.0, 1.3), self._theme.warm)

        return beside((0, Part(line, draw)), (_MARK, said), middle=False)

    def _aloud(self, width: float) -> Part:
        says = self._set(self._start.scene, width - 14, Font.TEXT_ITALIC, 1.25, self._theme.deep)

        def draw(pen: Pen, x: float, y: float) -> None:
            says.draw(pen, x + 4, y)
            for at in (0.8, width - _INSIDE - 0.8):
                pen.solid(lens(x + at, y - says.height / 2, says.height, 0.9, 90), self._theme.warm)

        return Part(says.height, draw)

    def _rule(self, pen: Pen, x: float, y: float, width: float) -> None:
        pen.solid(lens(x + width / 2, y - 0.7, width, 0.2), self._theme.warm)

    def _step(self, number: int, step: ExampleStep, width: float) -> Part:
        things = tuple(lying(self._start, step.play))
        room = width - _NUMBER - (_LYING if things or step.chance else 0)
        says = [self._set(step.says, room)]
        if step.tells:
            told = " ".join(f"\u201c{sentence}\u201d" for sentence in step.tells)
            says.append(replace(self._set(told, room, Font.TEXT_ITALIC, -0.5, self._theme.deep), space=0.8))
        what, _, percent = step.chance.rpartition(" ")
        right = [
            Part(10.4 if things else 0, lambda pen, x, y: draw_lying(pen, self._theme, things, x + width, y - 5.2))
        ]
        if step.chance:
            manner = Manner(8, colour=self._theme.warm, align="right")
            chance = f"before the roll, {what}: {percent}"
            right += paragraph([(chance, Font.LABEL)], width, manner, f"the quick start of {self._start.title}")

        def draw(pen: Pen, x: float, y: float) -> None:
            pen.fill(circle(x + 3.4, y - 2.7, 3.2), self._theme.deep)
            colour = self._theme.deep if pen.style is Style.LOW_INK else self._theme.pale
            pen.text(x + 3.4, y - 4.1, str(number), Font.TITLE, 11, colour, align="middle")

        left = beside((0, Part(5.9, draw)), (_NUMBER, stacked(says)), middle=False)
        return beside((0, left), (0, stacked(right))) if things or step.chance else left


def draw_quick_start(side: Side, start: QuickStart) -> None:
    """The page below its heading, at the largest size at which it fits.

    Raises:
        GlyphMissing: the font lacks a character.
        TextTooLong: the texts do not fit one page, even at the smallest size; the message names the quick start.
    """

    def fitted(size: float) -> tuple[_Page, float] | None:
        page = _Page(start, side.theme, side.width, size)
        spare = side.box[3] - sum(page.heights) - _AIR * (len(page.rows) - 1)
        return (page, spare) if spare >= 0 else None

    found = largest(_MOST, _LEAST, fitted, _STEP)
    if found is None:
        called = f"the quick start of {start.title}"
        raise TextTooLong(f"{called}: its texts do not fit one page, even at {_LEAST:g} points")
    (page, spare), top = found, side.top
    tall = [height + spare * share for height, share in zip(page.heights, _SHARES, strict=True)]
    for row, height in zip(page.rows, tall, strict=True):
        for framed in row:
            framed.draw(side, top, height)
        top -= height + _AIR
    room = tall[0] + _AIR + tall[1] + HEADING - 3.0
    scale = min(1.0, room / ART_HEIGHT)
    foot = side.top + HEADING - 3.0 - room + (room - ART_HEIGHT * scale) / 2
    with side.pen.at(side.left + side.width - ART_WIDTH * scale, foot, scale=scale):
        draw_art(side.pen, side.theme)


def pages(key: str, options: RenderOptions) -> list[PrintedPage]:
    """The page of a game, by its key."""
    theme = theme_of(SYSTEMS[key])
    draw = partial(draw_quick_start, start=quick_start(key))
    return sheet_pages(options, theme, [DrawnSheet(f"Quick start of {theme.title}", "a quick start", draw)])
