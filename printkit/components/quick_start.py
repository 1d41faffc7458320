"""A quick start for each game, one printed page: who sits there, a scene to read aloud, and the first roll."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loomtable.engine.quick_start import ExampleStep, QuickStart, quick_start
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.catalogue import Component, RenderOptions
from loomtable.printkit.components.quick_start_art import HEIGHT as ART_HEIGHT
from loomtable.printkit.components.quick_start_art import WIDTH as ART_WIDTH
from loomtable.printkit.components.quick_start_art import draw_art
from loomtable.printkit.components.quick_start_faces import Lying, draw_lying, lying
from loomtable.printkit.components.sheet_style import (
    EDGE,
    HEADING,
    Sheet,
    Side,
    Theme,
    panel,
    row_panel,
    sheet_pages,
)
from loomtable.printkit.components.sheet_themes import theme_of
from loomtable.printkit.draw.palette import INK, Colour, Style
from loomtable.printkit.draw.path import circle, lens
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.rich import SetText, set_words
from loomtable.printkit.draw.type import POINT, Face, check_glyphs, sizes, typographic
from loomtable.printkit.errors import TextTooLong
from loomtable.printkit.sheet.pieces import PrintedPage

_MOST, _LEAST, _STEP = 11.5, 8.0, 0.25
_AIR = 2.6
"""Between two panels (mm)."""
_FRAME = 11.2
"""What a panel's frame and title take of its height (mm)."""
_NUMBER = 9.5
"""Room for the number of a step, left of its words (mm)."""
_PAD = 1.3
"""Above and below the words of a step (mm)."""
_LYING = 62.0
"""Room for what lies on the table, right of a step's words (mm)."""
_NEXT = 0.58
"""Share of the width that what comes next takes, beside where to read on."""


def _draw(pen: Pen, words: SetText, x: float, top: float, colour: Colour = INK) -> None:
    words.draw(pen, x, top - 0.78 * words.step, colour)


@dataclass(frozen=True)
class _Step:
    """A step of the example as it is set."""

    says: SetText
    tells: SetText
    chance: str
    things: tuple[Lying, ...]

    @property
    def height(self) -> float:
        beside = (10.4 if self.things else 0.0) + (4.2 if self.chance else 0.0)
        return max(self.says.height + self.tells.height + (0.8 if self.tells.lines else 0.0), beside) + 2 * _PAD


@dataclass(frozen=True)
class _Page:
    """Everything on the page, set at one size."""

    table: SetText
    fetch: tuple[SetText, ...]
    scene: SetText
    first: SetText
    steps: tuple[_Step, ...]
    then: tuple[SetText, ...]
    read_on: tuple[tuple[SetText, SetText], ...]

    @property
    def above(self) -> float:
        """Height of the panels beside the picture."""
        fetch = sum(words.height + 0.9 for words in self.fetch)
        return self.table.height + fetch + 2 * _FRAME + _AIR

    @property
    def read_aloud(self) -> float:
        return self.scene.height + _FRAME + 1.5

    @property
    def example(self) -> float:
        return self.first.height + 1.6 + sum(step.height for step in self.steps) + _FRAME

    @property
    def below(self) -> float:
        then = sum(words.height + 1.2 for words in self.then)
        on = sum(place.height + text.height + 1.2 for place, text in self.read_on)
        return max(then, on) + _FRAME

    @property
    def panels(self) -> tuple[float, float, float, float]:
        """Heights of the rows of panels, from above."""
        return self.above, self.read_aloud, self.example, self.below


def _set(start: QuickStart, width: float, points: float, called: str) -> _Page:
    def words(text: str, room: float, face: Face = Face.TEXT, size: float = points) -> SetText:
        return set_words(typographic(text.strip()), face, (room, 1e6), size, size, called)

    beside = width - ART_WIDTH - _AIR - 6
    step_room = width - 6 - _NUMBER - _LYING

    def set_step(step: ExampleStep) -> _Step:
        things = tuple(lying(start, step.play))
        room = step_room if things or step.chance else step_room + _LYING
        told = " ".join(f"\u201c{sentence}\u201d" for sentence in step.tells)
        tells = words(told, room, Face.TEXT_ITALIC, points - 0.5)
        what, _, percent = step.chance.rpartition(" ")
        chance = f"before the roll, {what}: {percent}" if step.chance else ""
        check_glyphs(chance, Face.LABEL, called)
        return _Step(words(step.says, room), tells, chance, things)

    def fetched(what: str, command: str) -> SetText:
        return words(f"{what} \u2013 loom print {command}" if command else what, beside - 5, size=points - 0.5)

    then_room = (width - _AIR) * _NEXT - 6 - 5
    on_room = (width - _AIR) * (1 - _NEXT) - 6
    return _Page(
        words(start.table, beside),
        tuple(fetched(thing.what, thing.print) for thing in start.fetch),
        words(start.scene, width - 14, Face.TEXT_ITALIC, points + 1.25),
        words(start.first, width - 6),
        tuple(map(set_step, start.example)),
        tuple(words(text, then_room) for text in start.then),
        tuple(
            (words(on.at, on_room, Face.LABEL_BOLD, points - 0.5), words(on.says, on_room)) for on in start.read_on
        ),
    )


def _fitted(start: QuickStart, width: float, height: float) -> _Page:
    """The page at the largest size at which it fits.

    Raises:
        GlyphMissing: the font lacks a character.
        TextTooLong: it does not fit at the smallest size either; the message names the quick start.
    """
    called = f"the quick start of {start.title}"
    for size in sizes(_MOST, _LEAST, _STEP):
        page = _set(start, width, size, called)
        if sum(page.panels) + 3 * _AIR <= height:
            return page
    raise TextTooLong(f"{called}: its texts do not fit one page, even at {_LEAST:g} points")


def draw_quick_start(side: Side, start: QuickStart) -> None:
    """The page below its heading; the picture reaches up beside the heading.

    Raises:
        GlyphMissing: the font lacks a character.
        TextTooLong: the texts do not fit one page; the message names the quick start.
    """
    height = side.box[3]
    page = _fitted(start, side.width, height)
    least = ART_HEIGHT - HEADING + EDGE
    heights = [max(page.panels[0], least), *page.panels[1:]]
    spare = max(0.0, height - sum(heights) - 3 * _AIR)
    shares = (0.12, 0.13, 0.5, 0.25)
    tall = [height + spare * share for height, share in zip(heights, shares, strict=True)]
    top = side.top
    _draw_above(side, start, page, top, tall[0])
    top -= tall[0] + _AIR
    _draw_scene(side, page, top, tall[1])
    top -= tall[1] + _AIR
    _draw_example(side, page, top, tall[2])
    top -= tall[2] + _AIR
    _draw_below(side, page, top, tall[3])


def _draw_above(side: Side, start: QuickStart, page: _Page, top: float, tall: float) -> None:
    """Who sits there and what to fetch, and beside them the picture."""
    wide = side.width - ART_WIDTH - _AIR
    spare = tall - page.above
    first = page.table.height + _FRAME + spare * 0.4
    inner = panel(side, side.left, top - first, wide, first, "Who sits at the table")
    _draw(side.pen, page.table, inner[0], _centred(inner, page.table.height))
    second = tall - first - _AIR
    inner = panel(side, side.left, top - tall, wide, second, "To print and to fetch")
    gap = _gap(inner[3], [words.height for words in page.fetch])
    y = inner[1] + inner[3] - gap
    for words in page.fetch:
        side.pen.stroke(circle(inner[0] + 1.5, y - words.points * POINT * 0.68, 1.15), side.theme.warm, 0.35)
        _draw(side.pen, words, inner[0] + 5, y)
        y -= words.height + gap
    room = tall + HEADING - 3.0
    scale = min(1.0, room / ART_HEIGHT)
    with side.pen.at(
        side.left + side.width - ART_WIDTH * scale, top - tall + (room - ART_HEIGHT * scale) / 2, scale=scale
    ):
        draw_art(side.pen, side.theme)


def _centred(inner: tuple[float, float, float, float], height: float) -> float:
    """Where a text of this height begins, in the middle of a box."""
    return inner[1] + inner[3] - (inner[3] - height) / 2


def _gap(room: float, heights: Sequence[float]) -> float:
    return max(0.3, (room - sum(heights)) / (len(heights) + 1))


def _draw_scene(side: Side, page: _Page, top: float, tall: float) -> None:
    inner = row_panel(side, top - tall, tall, "Read aloud")
    start = _centred(inner, page.scene.height)
    _draw(side.pen, page.scene, inner[0] + 4, start, side.theme.deep)
    for x in (inner[0] + 0.8, inner[0] + inner[2] - 0.8):
        side.pen.solid(lens(x, start - page.scene.height / 2, page.scene.height, 0.9, 90), side.theme.warm)


def _draw_example(side: Side, page: _Page, top: float, tall: float) -> None:
    pen, theme = side.pen, side.theme
    inner = row_panel(
        side, top - tall, tall, "The first five minutes", "in quotation marks: what the program says"
    )
    gap = _gap(inner[3], [page.first.height, *(step.height for step in page.steps)])
    y = inner[1] + inner[3] - gap * 0.5
    _draw(pen, page.first, inner[0], y)
    y -= page.first.height + gap + 0.8
    for number, step in enumerate(page.steps, start=1):
        pen.solid(lens(inner[0] + inner[2] / 2, y + gap / 2, inner[2], 0.2), theme.warm)
        middle = y - step.height / 2
        pen.fill(circle(inner[0] + 3.4, y - _PAD - 2.7, 3.2), theme.deep)
        colour = theme.deep if pen.style is Style.LOW_INK else theme.pale
        pen.text(inner[0] + 3.4, y - _PAD - 4.1, str(number), Face.TITLE, 11, colour, align="middle")
        _draw(pen, step.says, inner[0] + _NUMBER, y - _PAD)
        _draw(pen, step.tells, inner[0] + _NUMBER, y - _PAD - step.says.height - 0.8, theme.deep)
        right = inner[0] + inner[2]
        if step.things:
            draw_lying(pen, theme, step.things, right, middle + (2.2 if step.chance else 0.4))
        if step.chance:
            low = middle - (5.6 if step.things else 0.8)
            pen.text(right, low, step.chance, Face.LABEL, 8, theme.warm, align="right")
        y -= step.height + gap


def _draw_below(side: Side, page: _Page, top: float, tall: float) -> None:
    pen, theme = side.pen, side.theme
    wide = (side.width - _AIR) * _NEXT
    inner = panel(side, side.left, top - tall, wide, tall, "And then")
    gap = _gap(inner[3], [words.height for words in page.then])
    y = inner[1] + inner[3] - gap
    for words in page.then:
        pen.solid(lens(inner[0] + 1.6, y - words.points * POINT * 0.65, 3.0, 1.3), theme.warm)
        _draw(pen, words, inner[0] + 5, y)
        y -= words.height + gap
    inner = panel(side, side.left + wide + _AIR, top - tall, side.width - wide - _AIR, tall, "Read on")
    gap = _gap(inner[3], [place.height + text.height for place, text in page.read_on])
    y = inner[1] + inner[3] - gap
    for place, text in page.read_on:
        _draw(pen, place, inner[0], y, theme.deep)
        _draw(pen, text, inner[0], y - place.height)
        y -= place.height + text.height + gap


def _component(theme: Theme) -> Component:
    def pages(options: RenderOptions) -> list[PrintedPage]:
        start = quick_start(theme.key)
        sheet = Sheet(f"Quick start of {theme.title}", "a quick start", lambda side: draw_quick_start(side, start))
        return sheet_pages(options, theme, [sheet])

    return Component(
        name=f"{theme.key}-quick-start",
        title=f"{theme.title}: quick start",
        description="One page: who sits there, a scene to read aloud, the first roll",
        system=theme.key,
        pieces=pages,
        aliases=("quick-starts",),
    )


PRINTED = tuple(_component(theme_of(system)) for system in SYSTEMS.values() if system.presentation.quick_start)
"""What this file prints."""
