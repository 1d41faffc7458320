"""Drawing what was seen onto the picture in which it was seen: outlines, and name plates that stay readable.

Colour is never the only mark: an accepted thing has a solid outline and a tick, one to be asked about a dashed
outline and a question mark, a rejected one a dotted outline and a cross.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont, features

from loomtable.engine.kernel.package_data import package_file
from loomtable.vision.boxes import Box, intersection
from loomtable.vision.pictures import BgrImage
from loomtable.vision.verdict import Verdict


@dataclass(frozen=True)
class Mark:
    """One thing to draw: its outline in pixels (three points or more), what to call it, and its verdict."""

    polygon: tuple[tuple[float, float], ...]
    label: str
    verdict: Verdict = Verdict.ACCEPTED
    sides: tuple[tuple[tuple[float, float], ...], ...] = ()
    """Further faces of the same thing, in thin lines: the sides of a solid whose upper face is the outline."""

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Of all its outlines."""
        return (*self.polygon, *chain.from_iterable(self.sides))

    def scaled(self, factor: float, corner: tuple[float, float] = (0.0, 0.0)) -> Mark:
        """The same mark in a picture that begins at ``corner`` of this one and is ``factor`` times as wide."""
        polygon, *sides = (
            tuple(((x - corner[0]) * factor, (y - corner[1]) * factor) for x, y in outline)
            for outline in (self.polygon, *self.sides)
        )
        return replace(self, polygon=polygon, sides=tuple(sides))


@dataclass(frozen=True)
class _Style:
    colour: tuple[int, int, int]
    """Red, green, blue; the three differ in lightness too."""
    dash: tuple[float, float] | None
    """Lengths of stroke and gap in line widths; nothing for a solid line."""


_STYLES = {
    Verdict.ACCEPTED: _Style((92, 224, 148), None),
    Verdict.ASK: _Style((255, 196, 61), (5.0, 3.0)),
    Verdict.REJECTED: _Style((255, 92, 84), (0.2, 2.4)),
}
CLOSE_UP, CLOSE_UP_ROOMS = 480, 1.9
"""Pixels of a close-up's side, and in sides of what it shows."""
_PLATE = (20, 24, 30)
_INK = (250, 250, 246)


def draw_marks(picture: BgrImage, marks: Sequence[Mark]) -> BgrImage:
    """A copy of the picture (BGR) with every mark drawn on it; marks without area are left out."""
    drawn, frame = picture.copy(), (picture.shape[1], picture.shape[0])
    unit = _unit(frame)
    shown = [mark for mark in marks if len(mark.polygon) >= 3]
    for mark in shown:
        _outline(drawn, mark, unit)
    plates = place_plates(shown, frame)
    for mark, plate in zip(shown, plates, strict=True):
        _leader(drawn, mark, plate, unit)
    for mark, plate in zip(shown, plates, strict=True):
        _draw_plate(drawn, mark, plate, unit)
    return drawn


def draw_close_ups(picture: BgrImage, things: Sequence[tuple[Box, Sequence[Mark]]]) -> BgrImage:
    """Each thing, by its box, enlarged with its marks, beside each other; the picture where there is none."""
    tiles = [_close_up(picture, *thing) for thing in things]
    return np.asarray(np.hstack(tiles), np.uint8) if tiles else picture


def _close_up(picture: BgrImage, box: Box, marks: Sequence[Mark]) -> BgrImage:
    x0, y0, x1, y1 = box
    side = CLOSE_UP_ROOMS * max(x1 - x0, y1 - y0)
    x, y, factor = (x0 + x1 - side) / 2, (y0 + y1 - side) / 2, CLOSE_UP / side
    warp = factor * np.array([[1, 0, -x], [0, 1, -y]])
    tile = cv2.warpAffine(picture, warp, (CLOSE_UP, CLOSE_UP), borderMode=cv2.BORDER_REPLICATE)
    return draw_marks(np.asarray(tile, np.uint8), [mark.scaled(factor, (x, y)) for mark in marks])


def draw_caption(picture: BgrImage, text: str, verdict: Verdict) -> BgrImage:
    """The picture with a strip under it that says what came of it: the verdict's sign, and the text in lines."""
    unit = _unit((picture.shape[1], picture.shape[0]))
    size = _text_size(unit)
    lines = _lines(text, size, picture.shape[1] - 3.2 * size)
    height = round(size * (0.9 + 1.3 * len(lines)))
    strip = Image.new("RGB", (picture.shape[1], height), _PLATE)
    pen = ImageDraw.Draw(strip)
    colour = _STYLES[verdict].colour
    pen.rectangle((0, 0, strip.width, max(2, round(unit))), fill=colour)
    _sign(pen, verdict, (size * 1.3, size * 1.15), size * 0.34, colour)
    for row, line in enumerate(lines):
        place = (size * 2.2, size * (1.15 + 1.3 * row))
        pen.text(place, line, font=_font(size), fill=_INK, anchor="lm", features=_FIGURES)
    return np.vstack([picture, np.asarray(strip, np.uint8)[..., ::-1]])


def _lines(text: str, size: int, room: float) -> list[str]:
    """The text broken where words end; a word that is wider than the room is shortened."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _text_width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(_fitted(word, size, room))
    return lines or [""]


def place_plates(marks: Sequence[Mark], frame: tuple[int, int]) -> tuple[Box, ...]:
    """Where the name plate of each mark goes in a picture of ``frame`` (width, height) pixels.

    Plates lie inside the picture and not over one another. A plate stands above, below or beside its mark where
    there is room; it covers other marks only where nothing else is left. In a picture so full that a plate finds
    no place at all it overlaps as little as it can.
    """
    unit = _unit(frame)
    outlines = [_bounds(mark.corners) for mark in marks]
    placed: list[Box] = []
    for index, mark in enumerate(marks):
        size = _plate_size(mark, unit, frame)
        others = outlines[:index] + outlines[index + 1 :]
        best = min(
            _places(outlines[index], size, unit, frame),
            key=lambda box: (
                sum(intersection(box, plate) for plate in placed),
                sum(intersection(box, other) for other in others) + 0.35 * intersection(box, outlines[index]),
            ),
        )
        placed.append(best)
    return tuple(placed)


def _unit(frame: tuple[int, int]) -> float:
    """A line's width: 2.4 pixels in a picture of 1280 x 720, in proportion in others."""
    return max(1.2, 2.4 * math.sqrt(frame[0] * frame[1] / (1280 * 720)))


def _bounds(polygon: Sequence[tuple[float, float]]) -> Box:
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    return min(xs), min(ys), max(xs), max(ys)


def _places(outline: Box, size: tuple[float, float], unit: float, frame: tuple[int, int]) -> Iterator[Box]:
    """Places for a plate, the best first: round the outline, then ever further from it, all inside the picture."""
    left, top, right, bottom = outline
    width, height = size
    gap = 2.5 * unit
    middle = (left + right - width) / 2
    level = (top + bottom - height) / 2
    for away in range(12):
        far = gap + away * height * 0.6
        for x, y in (
            (middle, bottom + far),
            (middle, top - far - height),
            (right + far, level),
            (left - far - width, level),
            (left, bottom + far),
            (right - width, bottom + far),
            (left, top - far - height),
            (right - width, top - far - height),
        ):
            x = min(max(x, unit), frame[0] - width - unit)
            y = min(max(y, unit), frame[1] - height - unit)
            yield x, y, x + width, y + height


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(package_file("templates", "fonts", "AlegreyaSans", "AlegreyaSans-Bold.ttf"), size)


# The font's own figures go up and down like letters; in codes and values they should all be as tall. Choosing them
# needs Pillow's text shaping, which a few builds of Pillow lack: there the other figures do.
_FIGURES = ["lnum"] if features.check("raqm") else None


def _text_width(text: str, size: int) -> float:
    return float(_font(size).getlength(text, features=_FIGURES))


def _text_size(unit: float) -> int:
    return max(11, round(9.5 * unit))


def _plate_size(mark: Mark, unit: float, frame: tuple[int, int]) -> tuple[float, float]:
    size = _text_size(unit)
    text = _fitted(mark.label, size, frame[0] - 4 * size)
    return size * 1.05 + _text_width(text, size) + size * 0.55, size * 1.36


def _fitted(label: str, size: int, room: float) -> str:
    """The label on one line, shortened where it would not fit into the picture."""
    text = " ".join(label.split())
    if _text_width(text, size) <= room:
        return text
    while text and _text_width(text + "…", size) > room:
        text = text[:-1]
    return text + "…"


def _outline(picture: BgrImage, mark: Mark, unit: float) -> None:
    """Draw the outline in place: a dark casing under the colour, so that it shows on any ground."""
    style = _STYLES[mark.verdict]
    for side in mark.sides:
        _strokes(picture, [np.array([*side, side[0]], np.float64)], style.colour[::-1], max(1, round(unit / 2)))
    corners = _round_about(np.asarray(mark.polygon, np.float64), 1.6 * unit)
    width = max(1, round(unit))
    _strokes(picture, [np.vstack([corners, corners[:1]])], _PLATE, width + max(2, round(0.9 * unit)))
    lines = _dashes(corners, style.dash, unit) if style.dash else [np.vstack([corners, corners[:1]])]
    _strokes(picture, lines, style.colour[::-1], width + (1 if mark.verdict is Verdict.REJECTED else 0))


def _round_about(corners: npt.NDArray[np.float64], room: float) -> npt.NDArray[np.float64]:
    """The outline ``room`` pixels further out, so that its line does not cover what it is about."""
    out = corners - corners.mean(axis=0)
    reach = np.linalg.norm(out, axis=1, keepdims=True)
    wider: npt.NDArray[np.float64] = corners + out / np.maximum(reach, 1e-9) * room * 1.4
    return wider


def _strokes(
    picture: BgrImage, lines: list[npt.NDArray[np.float64]], colour: tuple[int, int, int], width: int
) -> None:
    points = [np.round(np.clip(line, -9999, 99999) * 16).astype(np.int32) for line in lines]
    cv2.polylines(picture, points, False, colour, width, cv2.LINE_AA, 4)


def _dashes(
    corners: npt.NDArray[np.float64], dash: tuple[float, float], unit: float
) -> list[npt.NDArray[np.float64]]:
    """Strokes evenly set along the closed outline; a stroke that meets a corner bends round it."""
    closed = np.vstack([corners, corners[:1]])
    reached = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    stroke, gap = dash[0] * unit, dash[1] * unit
    count = max(2, round(float(reached[-1]) / (stroke + gap)))
    pitch = float(reached[-1]) / count
    strokes: list[npt.NDArray[np.float64]] = []
    for start in np.arange(count) * pitch:
        end = start + pitch * stroke / (stroke + gap)
        bends = reached[(reached > start) & (reached < end)]
        at = np.concatenate([[start], bends, [end]])
        strokes.append(np.column_stack([np.interp(at, reached, closed[:, axis]) for axis in (0, 1)]))
    return strokes


_SHARPER = 3
"""Plates are drawn this many times larger and brought down, for round corners without steps."""


def _leader(picture: BgrImage, mark: Mark, plate: Box, unit: float) -> None:
    """A thin line from a plate that had to move away to its mark."""
    left, top, right, bottom = _bounds(mark.corners)
    beyond = max(left - plate[2], plate[0] - right, top - plate[3], plate[1] - bottom)
    if beyond <= 4 * unit:
        return
    middle = np.array([(left + right) / 2, (top + bottom) / 2])
    start = np.array([(plate[0] + plate[2]) / 2, (plate[1] + plate[3]) / 2])
    corners = np.asarray(mark.corners, np.float64)
    end = corners[np.linalg.norm(corners - start, axis=1).argmin()] * 0.85 + middle * 0.15
    line = [np.stack([start, end])]
    _strokes(picture, line, _PLATE, max(2, round(1.6 * unit)))
    _strokes(picture, line, _STYLES[mark.verdict].colour[::-1], max(1, round(0.6 * unit)))


def _draw_plate(picture: BgrImage, mark: Mark, plate: Box, unit: float) -> None:
    """Blend one plate into the picture, in place."""
    left, top = round(plate[0]), round(plate[1])
    width, height = round(plate[2] - plate[0]), round(plate[3] - plate[1])
    size = _text_size(unit) * _SHARPER
    drawn = Image.new("RGBA", (width * _SHARPER, height * _SHARPER), (*_PLATE, 0))
    pen = ImageDraw.Draw(drawn)
    colour = _STYLES[mark.verdict].colour
    edge = (0, 0, drawn.width - 1, drawn.height - 1)
    pen.rounded_rectangle(edge, size * 0.28, fill=(*_PLATE, 232), outline=(*colour, 255), width=round(size * 0.06))
    _sign(pen, mark.verdict, (size * 0.66, drawn.height / 2), size * 0.27, colour)
    room = drawn.width - size * 1.5
    text = _fitted(mark.label, size, room + size * 0.3)
    pen.text(
        (size * 1.12, drawn.height / 2), text, font=_font(size), fill=(*_INK, 255), anchor="lm", features=_FIGURES
    )
    small = np.asarray(drawn.resize((width, height), Image.Resampling.LANCZOS))
    crop = picture[max(top, 0) : top + height, max(left, 0) : left + width]
    small = small[max(-top, 0) :, max(-left, 0) :][: crop.shape[0], : crop.shape[1]]
    cover = small[..., 3:].astype(np.float32) / 255
    crop[...] = np.round(crop * (1 - cover) + small[..., 2::-1] * cover).astype(np.uint8)


def _sign(
    pen: ImageDraw.ImageDraw, verdict: Verdict, at: tuple[float, float], reach: float, colour: tuple[int, int, int]
) -> None:
    """A tick, a question mark or a cross about a point."""
    x, y = at
    width = max(2, round(reach * 0.42))
    match verdict:
        case Verdict.ACCEPTED:
            tick = [(x - reach, y), (x - reach * 0.25, y + reach * 0.75), (x + reach, y - reach * 0.8)]
            pen.line(tick, fill=colour, width=width, joint="curve")
        case Verdict.ASK:
            pen.text((x, y), "?", font=_font(round(reach * 3.4)), fill=colour, anchor="mm")
        case Verdict.REJECTED:
            side = reach * 0.75
            pen.line([(x - side, y - side), (x + side, y + side)], fill=colour, width=width)
            pen.line([(x - side, y + side), (x + side, y - side)], fill=colour, width=width)
