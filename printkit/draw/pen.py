"""The pen: draws paths and text in millimetres on one PDF canvas, in one printing style.

Whoever draws a card gets a pen whose origin is the card's lower left corner, x to the right and y upwards, all
lengths in millimetres (only type sizes are in points). Drawings never touch the canvas, which may be
a PDF file's or an SVG's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from loomtable.printkit.draw.inks import SCREEN_INKS, Inks, ScreenInks
from loomtable.printkit.draw.palette import WHITE, Colour, Style, in_style
from loomtable.printkit.draw.path import Outline, Path, Traced
from loomtable.printkit.draw.type import POINT, AnyFace, composed, face_name, width_of

if TYPE_CHECKING:
    from PIL import Image

OUTLINE = 0.13
"""Width (mm) of the line that stands for a filled shape in the low-ink style."""

Box = tuple[float, float, float, float]
"""Left, bottom, width, height in mm."""
Run = tuple[int, int, int]
"""Squares in a row: where they begin (across, up) and how many there are."""


class Picture(NamedTuple):
    """A picture of pixels, upright: red, green, blue and where it is clear (RGB or RGBA).

    ``jpeg`` is the JPEG file that holds it, if it is one, and ``orientation`` how it lies there (EXIF, 1 to 8).
    """

    image: Image.Image
    jpeg: str = ""
    orientation: int = 1


_TURNED = {
    1: (1, 0, 0, 1, 0, 0),
    2: (-1, 0, 0, 1, 1, 0),
    3: (-1, 0, 0, -1, 1, 1),
    4: (1, 0, 0, -1, 0, 1),
    5: (0, -1, -1, 0, 1, 1),
    6: (0, -1, 1, 0, 0, 1),
    7: (0, 1, 1, 0, 0, 0),
    8: (0, 1, -1, 0, 1, 0),
}
"""The matrix that turns a square of 1 as each orientation of EXIF asks."""


class Pen:
    """Draws on one reportlab canvas whose scale was set to millimetres."""

    def __init__(self, canvas: Any, style: Style, inks: Inks = SCREEN_INKS) -> None:
        self.canvas = canvas
        self.style = style
        self.inks = inks

    def fill(self, path: Outline, colour: Colour, *, tone: bool = False, even_odd: bool = False) -> None:
        """Fill a shape.

        In the low-ink style it becomes white with a fine outline, so that nearer shapes still hide farther ones;
        ``tone`` marks a mere shade (a band of sky, a shadow), which that style leaves out.
        """
        if self.style is not Style.LOW_INK:
            self.solid(path, colour, even_odd=even_odd)
        elif not tone:
            self.inks.fill(self.canvas, WHITE)
            self._line(in_style(colour, self.style), OUTLINE)
            self._put(path, fill=1, stroke=1, even_odd=even_odd)

    def solid(self, path: Outline, colour: Colour, *, even_odd: bool = False) -> None:
        """Fill a shape in every style: for codes, type and fine marks that must stay dark."""
        self.inks.fill(self.canvas, in_style(colour, self.style))
        self._put(path, fill=1, stroke=0, even_odd=even_odd)

    def fill_modules(self, runs: Iterable[Run], colour: Colour) -> None:
        """Fill runs of unit squares, in every style: the modules of a code or a tag.

        All are one path, so that no hairline can open between them.
        """
        self.inks.fill(self.canvas, in_style(colour, self.style))
        squares = " ".join([f"{across} {up} {width} 1 re" for across, up, width in runs])
        self.canvas.drawPath(Traced(squares), stroke=0, fill=1, fillMode=1)

    def fill_background(self, path: Outline, colour: Colour = WHITE, *, even_odd: bool = False) -> None:
        """Fill a light ground; in the low-ink style always white, without an outline."""
        colour = WHITE if self.style is Style.LOW_INK else in_style(colour, self.style)
        self.inks.fill(self.canvas, colour)
        self._put(path, fill=1, stroke=0, even_odd=even_odd)

    def stroke(
        self,
        path: Outline,
        colour: Colour,
        width: float,
        *,
        tone: bool = False,
        butt: bool = False,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """Draw a line of ``width`` mm with round ends (or cut square, ``butt``); ``dash``: mm of line, of gap."""
        low = self.style is Style.LOW_INK
        if low and tone:
            return
        self._line(in_style(colour, self.style), min(width, 0.25) if low else width)
        self.canvas.setLineCap(0 if butt else 1)
        self.canvas.setLineJoin(1)
        if dash:
            self.canvas.setDash(*dash)
        self._put(path, fill=0, stroke=1)
        if dash:
            self.canvas.setDash()

    def text(
        self,
        x: float,
        y: float,
        words: str,
        face: AnyFace,
        points: float,
        colour: Colour,
        *,
        align: str = "left",
        spacing: float = 0.0,
    ) -> None:
        """One line of type with its baseline at ``y``; ``spacing`` is extra mm after every letter.

        ``align`` is ``left``, ``middle`` or ``right``. Check and fit the words first
        (``loomtable.printkit.draw.type``).
        """
        words = composed(words)
        width = width_of(words, face, points, spacing) if align != "left" else 0.0
        start = {"left": x, "middle": x - width / 2, "right": x - width}[align]
        self.inks.fill(self.canvas, in_style(colour, self.style))
        self.canvas.setFont(face_name(face), round(points * POINT, 4))
        self.canvas.drawString(round(start, 3), round(y, 3), words, charSpace=round(spacing, 4))

    def glyphs(self, x: float, y: float, codes: str, font: str, points: float, colour: Colour) -> None:
        """A string of glyphs from ``x`` on, baseline at ``y``, by their codes in a font that reportlab knows."""
        self.inks.fill(self.canvas, in_style(colour, self.style))
        self.canvas.setFont(font, round(points * POINT, 4))
        self.canvas.drawString(round(x, 3), round(y, 3), codes)

    def spot_line(self, path: Outline, ink: str, width: float) -> None:
        """A line of ``width`` mm in an ink of its own, over what lies below; elsewhere it is magenta."""
        from reportlab.lib.colors import CMYKColorSep

        self.canvas.saveState()
        self.canvas.setStrokeColor(CMYKColorSep(0, 1, 0, 0, spotName=ink))
        self.canvas.setStrokeOverprint(True)
        self.canvas.setLineWidth(round(width, 3))
        self._put(path, fill=0, stroke=1)
        self.canvas.restoreState()

    keeps_lines = False
    """Whether lines to cut and to fold are kept: whoever draws need not work them out otherwise."""

    def cut_line(self, path: Path) -> None:
        """Say along what a cutting machine cuts something out of a page; what people see is drawn besides."""

    def fold_line(self, path: Path) -> None:
        """Say along what a cutting machine scores a page."""

    def picture(self, picture: Picture, box: Box) -> None:
        """A picture of pixels in ``box``; where it is clear, what lies below shows through.

        JPEG files go into the document as they are. In the low-ink style pictures are grey and pale.
        """
        left, bottom, width, height = (round(value, 4) for value in box)
        source: object = picture.jpeg
        turned = _TURNED.get(picture.orientation, _TURNED[1])
        if not (picture.jpeg and self.style is Style.COLOUR and isinstance(self.inks, ScreenInks)):
            source, turned = self._pixels(picture.image), _TURNED[1]
        self.canvas.saveState()
        self.canvas.transform(width, 0, 0, height, left, bottom)
        self.canvas.transform(*turned)
        self.canvas.drawImage(source, 0, 0, 1, 1, mask="auto")
        self.canvas.restoreState()

    def _pixels(self, image: Image.Image) -> object:
        """A picture's pixels in this style and these inks, for the canvas."""
        from loomtable.printkit.draw.pdf_objects import image_source

        if self.style is Style.COLOUR:
            flat = self.inks.picture(image.convert("RGB"))
        else:
            flat = image.convert("RGB").convert("L")
            if self.style is Style.LOW_INK:
                flat = flat.point([255 - (255 - level) * 3 // 8 for level in range(256)])
        return image_source(flat, image.getchannel("A") if image.mode == "RGBA" else None)

    def at(self, x: float, y: float, *, turn: float = 0, scale: float = 1) -> AbstractContextManager[None]:
        """Move the origin to (x, y), then turn anticlockwise (degrees) and scale."""
        cos, sin = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
        return self.transformed(cos, sin, -sin, cos, x, y)

    @contextmanager
    def transformed(self, a: float, b: float, c: float, d: float, x: float, y: float) -> Iterator[None]:
        """Draw everything moved by the matrix that PDF and SVG both write as these six numbers."""
        self.canvas.saveState()
        if (a, b, c, d, x, y) != (1, 0, 0, 1, 0, 0):
            self.canvas.transform(a, b, c, d, x, y)
        try:
            yield
        finally:
            self.canvas.restoreState()

    def mirrored(self, axis_x: float) -> AbstractContextManager[None]:
        """Draw everything reflected in the upright line at ``axis_x``."""
        return self.transformed(-1, 0, 0, 1, round(2 * axis_x, 4), 0)

    @contextmanager
    def clipped(self, path: Outline) -> Iterator[None]:
        """Draw only inside a shape."""
        self.canvas.saveState()
        self.canvas.clipPath(path, stroke=0, fill=0)
        try:
            yield
        finally:
            self.canvas.restoreState()

    def place(self, name: str, box: Box, draw: Callable[[Pen], None]) -> None:
        """Draw something that comes again: kept once in the file as a form XObject, shown wherever it is placed.

        ``name`` must stand for the same drawing throughout the file; nothing outside ``box`` is shown.
        """
        self.canvas.doForm(self.form(name, box, draw))

    def form(self, name: str, box: Box, draw: Callable[[Pen], None], **entries: object) -> str:
        """Keep something in the file without showing it, with more ``entries`` in its dictionary.

        Returns the name by which the canvas knows it.
        """
        known = _form_name(name)
        if not self.canvas.hasForm(known):
            left, bottom, width, height = box
            self.canvas.beginForm(known, left, bottom, left + width, bottom + height)
            draw(self)
            self.canvas.endForm(**entries)
        return known

    def described(self, alt: str) -> AbstractContextManager[None]:
        """What is drawn meanwhile is one picture, for which a screen reader reads ``alt``."""
        return self.canvas.figure(alt) if self._is_tagged else nullcontext()

    def in_order(self, title: str, place: float) -> AbstractContextManager[None]:
        """What is drawn meanwhile is read as the section at this place, whatever order it is drawn in."""
        return self.canvas.section(title, place) if self._is_tagged else nullcontext()

    @property
    def _is_tagged(self) -> bool:
        from loomtable.printkit.draw.structure import TaggedCanvas

        return isinstance(self.canvas, TaggedCanvas)

    def _line(self, colour: Colour, width: float) -> None:
        self.inks.line(self.canvas, colour)
        self.canvas.setLineWidth(round(width, 3))

    def _put(self, path: Outline, *, fill: int, stroke: int, even_odd: bool = False) -> None:
        self.canvas.drawPath(path, stroke=stroke, fill=fill, fillMode=0 if even_odd else 1)


def runs_of(dark: Sequence[Sequence[bool]]) -> Iterator[Run]:
    """The dark squares of a pattern (its top row first), each row's neighbours joined."""
    for row, line in enumerate(dark):
        at = 0
        for is_dark, squares in groupby(line):
            width = len(list(squares))
            if is_dark:
                yield at, len(dark) - 1 - row, width
            at += width


@lru_cache(maxsize=4096)
def _form_name(name: str) -> str:
    """A name that can stand in a PDF file as it is, another for each name."""
    return re.sub(r"[^A-Za-z0-9.-]", lambda sign: f"_{ord(sign[0]):x}_", name)
