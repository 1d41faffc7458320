"""Pictures that are kept as SVG files in ``templates/art``: anybody with Inkscape can change one.

A file holds flat shapes and lines in millimetres, far things first. Classes say how a mark takes ink; without one
it is filled, and an outline in the low-ink style (see ``Pen``):

- ``tone``: a mere shade, which the low-ink style leaves out;
- ``solid``: stays dark in every style;
- ``ground``: a light ground, white in the low-ink style;
- ``mark``: cut light into something dark, and dark where the dark thing is an outline;
- ``body``: its line is left out in the low-ink style, which has an outline there;
- ``not-low-ink``, ``only-low-ink``: drawn in the other styles alone, or in that one;
- ``deep``, ``light``: an ink that whoever draws the picture may choose, or a mixture such as ``light-25``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree

from fontTools.misc.transform import Identity, Transform

from loomtable.engine.kernel.package_data import package_file
from loomtable.printkit.draw.palette import Colour, Style
from loomtable.printkit.draw.path import Traced
from loomtable.printkit.draw.pen import Box, Pen
from loomtable.printkit.errors import ArtUnreadable, UnknownMotif

_SVG = "{http://www.w3.org/2000/svg}"
_FLIP = Transform(1, 0, 0, -1, 0, 0)
"""SVG's y points down, ours up."""
_PLAIN = re.compile(r"([MLCZ])([-\d. ]*)")
_OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}
_STEPS = (("m", 2), ("l", 2), ("c", 6), ("h", 0))
"""Reportlab's steps of a path, by their numbers there: PDF's letter, and how many coordinates each takes."""

MOTIF_WIDTH, MOTIF_HEIGHT = 55.0, 50.0
"""The panel that a motif covers, in mm; its lower left corner is the origin."""


@dataclass(frozen=True)
class Mark:
    """One shape or line, and how it takes ink."""

    path: Traced
    classes: frozenset[str]
    fill: Colour | None
    line: Colour | None
    width: float
    even_odd: bool
    butt: bool
    dash: tuple[float, float] | None

    def draw(self, pen: Pen, inks: Mapping[str, Colour], outlined: bool) -> None:
        """Lay it down; ``outlined`` is whether bodies become outlines."""
        has = self.classes
        if ("not-low-ink" if outlined else "only-low-ink") in has:
            return
        tone, chosen = "tone" in has, next((inks[name] for name in inks if name in has), None)
        if self.fill is not None:
            fill = chosen or self.fill
            if "ground" in has or ("mark" in has and not outlined):
                pen.fill_background(self.path, fill, even_odd=self.even_odd)
            elif "solid" in has or "mark" in has or not outlined:
                pen.solid(self.path, fill, even_odd=self.even_odd)
            else:
                pen.fill(self.path, fill, tone=tone, even_odd=self.even_odd)
        if self.line is not None and not ("body" in has and outlined):
            line = self.line if self.fill is not None else chosen or self.line
            pen.stroke(self.path, line, self.width, tone=tone, butt=self.butt, dash=self.dash)


@dataclass(frozen=True)
class Group:
    """Marks that are moved, turned or cut off together."""

    marks: Sequence[Mark | Group]
    matrix: Transform = Identity
    clip: Traced | None = None

    def draw(self, pen: Pen, inks: Mapping[str, Colour], outlined: bool) -> None:
        """Lay all down, in their order."""
        with ExitStack() as around:
            if self.matrix != Identity:
                around.enter_context(pen.transformed(*self.matrix))
            if self.clip is not None:
                around.enter_context(pen.clipped(self.clip))
            for mark in self.marks:
                mark.draw(pen, inks, outlined)


@dataclass(frozen=True)
class Art:
    """A picture in its box; ``inks`` are the colours that its file names for what stands around it."""

    name: str
    box: Box
    inks: Mapping[str, Colour]
    marks: Group

    def draw(self, pen: Pen, inks: Mapping[str, Colour] | None = None, *, outlined: bool = True) -> None:
        """Draw it about its origin; ``inks`` take the place of the classes of their names.

        In the low-ink style bodies are outlines unless ``outlined`` is switched off, as for small signs.
        """
        self.marks.draw(pen, inks or {}, outlined and pen.style is Style.LOW_INK)


@cache
def art_named(folder: str, name: str, asks: str = "") -> Art:
    """The picture ``templates/art/folder/name.svg``, read once for each who ``asks``.

    Raises:
        UnknownMotif: there is none; the message names who asks, and those there are.
        ArtUnreadable: it is no SVG file, or holds what cannot be printed as flat colour.
    """
    if name not in art_names(folder):
        there = ", ".join(art_names(folder))
        raise UnknownMotif(f"{asks or folder}: there is no picture {name[:40]!r}; there are {there}")
    file = package_file("templates", "art", folder, f"{name}.svg")
    try:
        return _Reader(f"art/{folder}/{name}.svg").art(name, ElementTree.parse(file).getroot())
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise ArtUnreadable(f"art/{folder}/{name}.svg cannot be drawn: {error}; save it as plain SVG") from error


@cache
def art_names(folder: str) -> list[str]:
    """Every picture in a folder of ``templates/art``, sorted."""
    return sorted(path.stem for path in package_file("templates", "art", folder).glob("*.svg"))


class _Reader:
    """Reads one file."""

    def __init__(self, called: str) -> None:
        self.called = called
        self.clips: dict[str, Traced] = {}

    def art(self, name: str, root: ElementTree.Element) -> Art:
        for clip in root.iter(f"{_SVG}clipPath"):
            self.clips[f"url(#{clip.get('id')})"] = _traced(clip[0])
        inks = {key[5:]: _colour(value) for key, value in root.items() if key.startswith("data-")}
        left, top, width, height = map(float, root.get("viewBox", "").split())
        return Art(name, (left, -top - height, width, height), inks, self.group(root, _FLIP, {}))

    def group(self, element: ElementTree.Element, before: Transform, look: Mapping[str, str]) -> Group:
        """A group whose parents have left it to be moved by ``before``; ``look`` is what it inherits."""
        matrix = before.transform(_transform(element.get("transform", "")))
        look = {**look, **_look(element)}
        clip_path = element.get("clip-path")
        clip = self.clips[clip_path] if clip_path else None
        # The flip of the file is left to its groups, which flip back.
        matrix, within = (Identity, _FLIP) if matrix == _FLIP and clip is None else (matrix, Identity)
        marks: list[Mark | Group] = []
        for child in element:
            kind = child.tag.removeprefix(_SVG) if isinstance(child.tag, str) else ""
            if kind == "g":
                marks.append(self.group(child, within, look))
            elif kind in ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon"):
                moved = within.transform(_transform(child.get("transform", "")))
                mark = self.mark(child, {**look, **_look(child)})
                marks.append(mark if moved == Identity else Group([mark], moved))
            elif kind in ("text", "image", "use", "switch", "foreignObject"):
                raise ValueError(f"it has <{kind}>; turn it into paths")
        return Group(marks, matrix, clip)

    def mark(self, element: ElementTree.Element, look: Mapping[str, str]) -> Mark:
        dash = [float(number) for number in re.findall(r"[\d.]+", look.get("stroke-dasharray", ""))]
        return Mark(
            path=_traced(element),
            classes=frozenset(element.get("class", "").split()),
            fill=_paint(look.get("fill", "#000000")),
            line=_paint(look.get("stroke", "none")),
            width=float(look.get("stroke-width", "1").removesuffix("px")),
            even_odd=look.get("fill-rule") == "evenodd",
            butt=look.get("stroke-linecap", "butt") == "butt",
            dash=(dash[0], dash[-1]) if dash else None,
        )


def _look(element: ElementTree.Element) -> dict[str, str]:
    """Attributes, and over them the style that drawing programs write instead."""
    look = {key: value for key, value in element.items() if key not in ("transform", "clip-path", "class", "d")}
    for rule in element.get("style", "").split(";"):
        key, _, value = rule.partition(":")
        look[key.strip()] = value.strip()
    return look


@cache
def _paint(value: str) -> Colour | None:
    return None if value == "none" else _colour(value)


def _colour(value: str) -> Colour:
    if re.fullmatch("#[0-9a-fA-F]{6}", value):
        return Colour.hex(value[1:])
    raise ValueError(f"the colour {value[:30]!r} is not a plain one such as #a8321f")


@cache
def _transform(value: str) -> Transform:
    matrix = Identity
    for kind, inner in re.findall(r"(\w+)\s*\(([^)]*)\)", value):
        numbers = [float(number) for number in re.split(r"[\s,]+", inner.strip())]
        if kind == "rotate":
            about = numbers[1:] or [0, 0]
            matrix = matrix.translate(*about).rotate(math.radians(numbers[0])).translate(-about[0], -about[1])
        elif kind == "matrix":
            matrix = matrix.transform(Transform(*numbers))
        elif kind in ("translate", "scale"):
            matrix = getattr(matrix, kind)(*numbers)
        else:
            raise ValueError(f"it is moved by {kind}(); apply the transformation")
    return matrix


def _traced(element: ElementTree.Element) -> Traced:
    """The operators of an element's outline; what our files hold, M, L, C and Z alone, is only written anew."""
    data = element.get("d")
    if data is not None:
        parts = _PLAIN.findall(data)
        if sum(len(numbers) + 1 for _, numbers in parts) == len(data):
            return Traced(" ".join([f"{numbers} {_OPERATORS[kind]}" for kind, numbers in parts]))
    # These take long to load, and files of ours do without.
    from fontTools.pens.reportLabPen import ReportLabPen
    from fontTools.svgLib.path import parse_path
    from fontTools.svgLib.path.shapes import PathBuilder

    builder = PathBuilder()
    builder.add_path_from_element(
        ElementTree.Element(element.tag, {k: v for k, v in element.items() if k != "transform"})
    )
    pen = ReportLabPen(None)
    for part in builder.paths:
        parse_path(part, pen)
    points = iter(pen.path.points)
    operators = []
    for step in pen.path.operators:
        letter, count = _STEPS[step]
        operators += [*(f"{next(points):.2f}" for _ in range(count)), letter]
    return Traced(" ".join(operators))
