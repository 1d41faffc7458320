"""Anything that the pen can draw, as SVG for a screen: the same drawings as on paper, without a PDF."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, cast

from loomtable.printkit.draw.palette import Style
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.type import Font

FAMILIES = {
    Font.TITLE: ("Marcellus", "serif", 400, "normal"),
    Font.TEXT: ("Spectral", "serif", 400, "normal"),
    Font.TEXT_ITALIC: ("Spectral", "serif", 400, "italic"),
    Font.CODE: ("Spectral", "serif", 500, "normal"),
    Font.LABEL: ("Alegreya Sans", "sans-serif", 500, "normal"),
    Font.LABEL_BOLD: ("Alegreya Sans", "sans-serif", 700, "normal"),
}
"""Each face as a page names it: family, what stands in for it, weight and style."""

_OPERATORS = {"m": 2, "l": 2, "c": 6}
"""PDF's operators of a path that have an SVG letter of their own, and how many numbers each takes."""
_HUNDREDTHS = 100
"""Paths are written in hundredths of a millimetre, as ``Pen`` gives them."""
_GRID = 5
"""Every point lies on a grid of so many of them: nobody sees the difference on a screen, and a page with a dozen
cards is a fifth smaller."""


class SvgCanvas:
    """What ``Pen`` needs of a canvas, written as SVG. All lengths are millimetres, y upwards as on paper.

    Args:
        prefix: put before the names of forms, so that several drawings can stand in one page.
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._written: list[str] = []
        self._open: list[int] = [0]
        self._forms: dict[str, str] = {}
        self._outer: list[tuple[str, list[str], list[int]]] = []
        self._clips: list[str] = []
        self._fill = self._line = "#000"
        self._width = 1.0
        self._cap, self._join = "butt", "miter"
        self._font = (Font.TEXT, 4.0)

    def svg(self, width: float, height: float, *, attributes: str = "", over: str = "") -> str:
        """The whole drawing on a sheet of so many mm; ``over`` is SVG (y downwards) that lies on top of it."""
        defined = "".join([*self._forms.values(), *self._clips])
        kept = f"<defs>{defined}</defs>" if defined else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_short(width)} {_short(height)}"'
            f"{' ' + attributes if attributes else ''}>{kept}"
            f'<g transform="matrix(1 0 0 -1 0 {_short(height)})">{"".join(self._written)}</g>{over}</svg>'
        )

    # Colours and lines

    def setFillColorRGB(self, red: float, green: float, blue: float) -> None:  # noqa: N802 - reportlab's names
        self._fill = _hex(red, green, blue)

    def setStrokeColorRGB(self, red: float, green: float, blue: float) -> None:  # noqa: N802
        self._line = _hex(red, green, blue)

    def setLineWidth(self, width: float) -> None:  # noqa: N802
        self._width = width

    def setLineCap(self, cap: int) -> None:  # noqa: N802
        self._cap = ("butt", "round", "square")[cap]

    def setLineJoin(self, join: int) -> None:  # noqa: N802
        self._join = ("miter", "round", "bevel")[join]

    # Marks

    def drawPath(self, path: Any, stroke: int, fill: int, fillMode: int = 1) -> None:  # noqa: N802, N803
        outline = _outline(path.getCode())
        if not outline:
            return
        look = f'fill="{self._fill}"' if fill else 'fill="none"'
        if fill and not fillMode:
            look += ' fill-rule="evenodd"'
        if stroke:
            look += f' stroke="{self._line}" stroke-width="{_short(self._width)}"'
            if self._cap != "butt":
                look += f' stroke-linecap="{self._cap}"'
            if self._join != "miter":
                look += f' stroke-linejoin="{self._join}"'
        self._written.append(f'<path d="{outline}" {look}/>')

    def setFont(self, name: str, size: float) -> None:  # noqa: N802
        self._font = (Font(name), size)

    def drawString(  # noqa: N802
        self,
        x: float,
        y: float,
        words: str,
        charSpace: float = 0,  # noqa: N803
        wordSpace: float = 0,  # noqa: N803
    ) -> None:
        face, size = self._font
        family, instead, weight, style = FAMILIES[face]
        look = f'font-family="{family}, {instead}" font-size="{_short(size)}" fill="{self._fill}"'
        if weight != 400:
            look += f' font-weight="{weight}"'
        if style != "normal":
            look += f' font-style="{style}"'
        if charSpace:
            look += f' letter-spacing="{_short(charSpace)}"'
        if wordSpace:
            look += f' word-spacing="{_short(wordSpace)}"'
        # Letters are not mirrored with the sheet.
        place = f'transform="matrix(1 0 0 -1 {_short(x)} {_short(y)})"'
        self._written.append(f"<text {place} {look}>{escape(words)}</text>")

    def drawImage(  # noqa: N802
        self, file: str, x: float, y: float, width: float, height: float, mask: str
    ) -> None:
        data = base64.b64encode(Path(file).read_bytes()).decode()
        place = f'transform="matrix(1 0 0 -1 {_short(x)} {_short(y + height)})"'  # upright, as letters are
        look = f'width="{_short(width)}" height="{_short(height)}" preserveAspectRatio="none"'
        self._written.append(f'<image {place} {look} href="data:image/jpeg;base64,{data}"/>')

    # Places

    def saveState(self) -> None:  # noqa: N802
        self._open.append(0)

    def restoreState(self) -> None:  # noqa: N802
        self._written.append("</g>" * self._open.pop())

    def translate(self, x: float, y: float) -> None:
        self._group(f'transform="translate({_short(x)} {_short(y)})"')

    def rotate(self, degrees: float) -> None:
        self._group(f'transform="rotate({_short(degrees)})"')

    def scale(self, x: float, y: float) -> None:
        self._group(f'transform="scale({_short(x, 5)} {_short(y, 5)})"')

    def transform(self, a: float, b: float, c: float, d: float, e: float, f: float) -> None:
        if (a, b, c, d) == (1, 0, 0, 1):
            self.translate(e, f)
            return
        self._group(f'transform="matrix({" ".join(_short(value, 5) for value in (a, b, c, d, e, f))})"')

    def clipPath(self, path: Any, stroke: int, fill: int) -> None:  # noqa: N802
        name = f"{self._prefix}clip-{len(self._clips) + 1}"
        self._clips.append(f'<clipPath id="{name}"><path d="{_outline(path.getCode())}"/></clipPath>')
        self._group(f'clip-path="url(#{name})"')

    def _group(self, attributes: str) -> None:
        self._written.append(f"<g {attributes}>")
        self._open[-1] += 1

    # Forms

    def hasForm(self, name: str) -> bool:  # noqa: N802
        return name in self._forms

    def beginForm(self, name: str, *_: float) -> None:  # noqa: N802
        self._outer.append((name, self._written, self._open))
        self._written, self._open = [], [0]

    def endForm(self) -> None:  # noqa: N802
        name, written, opened = self._outer.pop()
        inner = "".join(self._written) + "</g>" * sum(self._open)
        self._forms[name] = f'<g id="{self._form(name)}">{inner}</g>'
        self._written, self._open = written, opened

    def doForm(self, name: str) -> None:  # noqa: N802
        self._written.append(f'<use href="#{self._form(name)}"/>')

    def _form(self, name: str) -> str:
        return self._prefix + re.sub(r"[^A-Za-z0-9_-]", "-", name)


def drawn_as_svg(
    draw: Callable[[Pen], None],
    width: float,
    height: float,
    *,
    style: Style = Style.COLOUR,
    prefix: str = "",
    attributes: str = "",
    over: str = "",
) -> str:
    """What ``draw`` draws on a sheet of ``width`` by ``height`` mm, as SVG.

    ``attributes`` are written into the ``svg`` tag as they are; ``over`` lies on top, in mm with y downwards.
    """
    canvas = SvgCanvas(prefix)
    draw(Pen(cast(Any, canvas), style))
    return canvas.svg(width, height, attributes=attributes, over=over)


def _outline(operators: str) -> str:
    """PDF's operators of a path as SVG's: numbers before their operator there, after it here.

    Every point is written as the way from the one before, in whole hundredths, so that nothing adds up: that takes
    three quarters of the bytes, and what is drawn twice is the same text twice, which packs well.
    """
    written: list[str] = []
    numbers: list[int] = []
    x = y = begun_x = begun_y = 0
    letter = ""
    for word in operators.split():
        if word in _OPERATORS:
            points = numbers[-_OPERATORS[word] :]
            steps = [value - (y if at % 2 else x) for at, value in enumerate(points)]
            x, y = points[-2:]
            if word == "m":
                begun_x, begun_y = x, y
            written.append(_steps(word if word != letter else "", steps))
            letter = word if word != "m" else "l"  # what follows a move is a line, unless it says otherwise
            numbers.clear()
        elif word == "h":
            written.append("z")
            x, y, letter = begun_x, begun_y, ""
        elif word == "re":
            left, foot, width, height = numbers[-4:]
            move, across = _steps("m", [left - x, foot - y]), _steps("h", [width])
            written.append(f"{move}{across}{_steps('v', [height])}{_steps('h', [-width])}z")
            x, y, letter = left, foot, ""
            numbers.clear()
        else:
            numbers.append(_GRID * round(float(word) * _HUNDREDTHS / _GRID))
    return "".join(written)


def _steps(letter: str, steps: list[int]) -> str:
    """A command of a path: ``"c"`` and ``[-23, 18, 5]`` as ``"c-.23.18.05"``, no more between than is needed."""
    written, last = letter, ""
    for at, step in enumerate(steps):
        number = _hundredths(step)
        apart = number[0] != "-" and (at or not letter) and not (number[0] == "." and "." in last)
        written += f" {number}" if apart else number
        last = number
    return written


@cache
def _hundredths(value: int) -> str:
    """``-23`` as ``"-.23"``, ``150`` as ``"1.5"``."""
    whole, part = divmod(abs(value), _HUNDREDTHS)
    written = f"{whole or ''}{f'.{part:02d}'.rstrip('0') if part else ''}" or "0"
    return f"-{written}" if value < 0 else written


def _trimmed(number: str) -> str:
    """``"12.50"`` as ``"12.5"``, ``"3.00"`` as ``"3"``."""
    if "." not in number:
        return number
    short = number.rstrip("0").rstrip(".")
    return "0" if short in ("-0", "") else short


def _short(number: float, digits: int = 3) -> str:
    return _trimmed(f"{number:.{digits}f}")


def _hex(red: float, green: float, blue: float) -> str:
    return "#" + "".join(f"{round(255 * value):02x}" for value in (red, green, blue))
