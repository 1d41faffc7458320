"""Corners of playing cards that nobody has printed: indices in many typefaces, seen by many cameras.

Nothing here was photographed. A corner is drawn large on white card (rank, suit under it, now and then a pip or
the frame of a court beside them), then bent, blurred, dimmed and reduced as webcams do.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from loomtable.vision.pictures import BgrImage
from loomtable.vision.poker.corners import HEIGHT, PER_MM, RANKS, SUITS, WIDTH
from training.glyphs import typeface_files

_FINE = 5.0
"""Pixels a millimetre while a corner is drawn."""
_MARGIN = 6.0
"""Millimetres that are drawn beyond the corner on every side."""
_OTHERS = "BCDEFGHLMNPRSTUVWXYZabdegkmq&%?+#"
Points = npt.NDArray[np.float64]


@lru_cache(maxsize=4096)
def _glyph(file: str, text: str, height: int) -> npt.NDArray[np.uint8]:
    """A text as a mask, its ink ``height`` px high."""
    font = ImageFont.truetype(file, int(height * 1.5))
    left, top, right, foot = font.getbbox(text)
    mask = Image.new("L", (max(1, int(right - left)), max(1, int(foot - top))), 0)
    ImageDraw.Draw(mask).text((-left, -top), text, font=font, fill=255)
    wide = max(3, round(mask.width * height / mask.height))
    return np.asarray(mask.resize((wide, height), Image.Resampling.LANCZOS), np.uint8)


@lru_cache(maxsize=1)
def _typefaces() -> tuple[str, ...]:
    return tuple(str(file) for file in typeface_files() if _sets(file))


def _sets(file: Path) -> bool:
    """Whether a typeface has the letters, and figures that stand on the line like them."""
    font = ImageFont.truetype(str(file), 60)
    heights = [font.getbbox(text)[3] - font.getbbox(text)[1] for text in ("8", "7", "K")]
    return min(heights) > 0.8 * max(heights)


def suit_outline(suit: str, rng: np.random.Generator) -> list[Points]:
    """Outlines of a suit's sign in a square from -1 to 1, y downwards; as fat and as curved as chance has it."""
    t = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    if suit == "diamonds":
        wide, curve = rng.uniform(0.65, 0.85), rng.uniform(0.8, 1.15)
        x, y = np.cos(t), np.sin(t)
        grow = (np.abs(x) ** curve + np.abs(y) ** curve) ** (-1 / curve)
        return [np.column_stack([x * grow * wide, y * grow])]
    if suit in ("hearts", "spades"):
        x = 16 * np.sin(t) ** 3
        y = -(13 * np.cos(t) - rng.uniform(4.5, 6) * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
        heart = np.column_stack([x / 16 * rng.uniform(0.85, 1.0), (y - y.min()) / np.ptp(y) * 2 - 1])
        if suit == "hearts":
            return [heart]
        body = heart * [1, -1] * [1, 0.85] - [0, 0.15]
        return [body, _stem(rng)]
    radius, spread = rng.uniform(0.42, 0.52), rng.uniform(0.46, 0.56)
    ball = np.column_stack([np.cos(t), np.sin(t)]) * radius
    places = np.array([[0, -1 + radius], [-spread, 0.12], [spread, 0.12]])
    return [
        *(ball + place for place in places),
        np.array([[-0.2, -0.4], [0.2, -0.4], [0.25, 0.4], [-0.25, 0.4]]),
        _stem(rng),
    ]


def _stem(rng: np.random.Generator) -> Points:
    foot, waist = rng.uniform(0.25, 0.55), rng.uniform(0.06, 0.14)
    return np.array([[-waist, 0], [waist, 0], [waist, 0.6], [foot, 1], [-foot, 1], [-waist, 0.6]])


class _Sheet:
    """A drawing of the corner, with room around it."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.size = int((WIDTH / PER_MM + 2 * _MARGIN) * _FINE), int((HEIGHT / PER_MM + 2 * _MARGIN) * _FINE)
        paper = np.array(rng.uniform([205, 215, 220], [245, 250, 255]))
        self.picture = np.tile(paper.astype(np.float32), (self.size[1], self.size[0], 1))

    def at(self, x: float, y: float) -> tuple[float, float]:
        return (x + _MARGIN) * _FINE, (y + _MARGIN) * _FINE

    def text(self, file: str, text: str, x: float, y: float, height: float, squeeze: float, ink: Points) -> None:
        """A text with the middle of its head at (x, y) mm."""
        glyph = _glyph(file, text, int(height * _FINE))
        mask = np.asarray(cv2.resize(glyph, (max(2, round(glyph.shape[1] * squeeze)), glyph.shape[0])), np.uint8)
        left, top = self.at(x, y)
        left -= mask.shape[1] / 2
        move = np.array([[1, 0, left], [0, 1, top]])
        high = min(int(top) + mask.shape[0] + 2, self.size[1])
        cover = cv2.warpAffine(mask, move, (self.size[0], high)).astype(np.float32)[..., None] / 255
        self.picture[:high] += (ink.astype(np.float32) - self.picture[:high]) * cover

    def sign(self, suit: str, x: float, y: float, size: float, ink: Points, turn: float = 0.0) -> None:
        """A suit's sign with its middle at (x, y) mm, ``size`` mm high."""
        cos, sin = math.cos(turn), math.sin(turn)
        for outline in suit_outline(suit, self.rng):
            points = outline @ np.array([[cos, sin], [-sin, cos]]) * size / 2 + [x, y]
            there = (points + _MARGIN) * _FINE
            cv2.fillPoly(self.picture, [np.round(there * 8).astype(np.int32)], ink.tolist(), cv2.LINE_AA, 3)

    def card_edge(self, table: Points) -> None:
        """The table beyond the card, and its rounded corner."""
        radius = self.rng.uniform(2.0, 4.0)
        left, top = self.at(0, 0)
        r = radius * _FINE
        angles = np.linspace(math.pi, 1.5 * math.pi, 12)
        arc = np.column_stack([left + r + r * np.cos(angles), top + r + r * np.sin(angles)])
        far = np.array([[self.size[0] * 2, top], [self.size[0] * 2, self.size[1] * 2], [left, self.size[1] * 2]])
        card = np.zeros(self.size[::-1], np.uint8)
        cv2.fillPoly(card, [np.round(np.concatenate([arc, far])).astype(np.int32)], 255, cv2.LINE_AA)
        cover = card.astype(np.float32)[..., None] / 255
        cell = int(self.rng.integers(3, 40))
        grain = self.rng.normal(
            0, self.rng.uniform(2, 30), (self.size[1] // cell + 2, self.size[0] // cell + 2, 1)
        )
        rough = cv2.resize(grain.astype(np.float32), self.size)[..., None]
        self.picture = self.picture * cover + np.clip(table.astype(np.float32) + rough, 0, 255) * (1 - cover)


def _ink(suit: str, rng: np.random.Generator) -> Points:
    if suit in ("hearts", "diamonds"):
        return np.array(rng.uniform([10, 10, 150], [70, 65, 235]))
    return np.array(rng.uniform(5, 70) + rng.uniform(0, 14, 3))


def invented_corner(rng: np.random.Generator) -> tuple[BgrImage, int, int]:
    """A corner (HEIGHT, WIDTH, 3) blue green red, and what it shows: the places in ``RANKS`` and ``SUITS``."""
    sheet = _Sheet(rng)
    plain = rng.random() < 0.8
    rank, suit = int(rng.integers(13)), int(rng.integers(4))
    faces = _typefaces()
    file = faces[int(rng.integers(len(faces)))]
    ink = _ink(SUITS[suit], rng)
    if plain:
        _draw_index(sheet, file, RANKS[rank], SUITS[suit], ink)
        picture = _seen(_turned_over(sheet, 0), rng)
        return picture, rank, suit
    sort = rng.random()
    if sort < 0.35:  # an index that lies on its side or on its head
        _draw_index(sheet, file, RANKS[rank], SUITS[suit], ink)
        return _seen(_turned_over(sheet, int(rng.integers(1, 4))), rng), 13, 4
    if sort < 0.6:  # a letter that is no rank, with a sign that is no suit
        other = _OTHERS[int(rng.integers(len(_OTHERS)))]
        sheet.text(file, other, rng.uniform(3, 7), rng.uniform(2, 5), rng.uniform(5, 10), 1.0, ink)
        if rng.random() < 0.5:
            sheet.text(file, other, rng.uniform(3, 7), 13, 6, 1.0, ink)
    else:  # an empty corner, or pips and pictures alone
        for _ in range(int(rng.integers(0, 4))):
            x, y = rng.uniform(-2, 14), rng.uniform(0, 29)
            sheet.sign(SUITS[int(rng.integers(4))], x, y, rng.uniform(6, 18), ink, rng.uniform(0, 6))
        for _ in range(int(rng.integers(0, 6))):
            (x, y), (u, v) = sheet.at(*rng.uniform(0, 28, 2)), sheet.at(*rng.uniform(0, 28, 2))
            colour = rng.uniform(0, 255, 3).tolist()
            cv2.line(
                sheet.picture, (int(x), int(y)), (int(u), int(v)), colour, int(rng.integers(2, 20)), cv2.LINE_AA
            )
    if rng.random() < 0.5:
        sheet.card_edge(rng.uniform(10, 190, 3))
    return _seen(_turned_over(sheet, 0), rng), 13, 4


def _draw_index(sheet: _Sheet, file: str, rank: str, suit: str, ink: Points) -> None:
    rng = sheet.rng
    size = rng.uniform(5.0, 9.5)
    squeeze = rng.uniform(0.55, 1.05) * (0.72 if rank == "10" else 1.0)
    x, y = rng.uniform(3.2, 6.0), rng.uniform(2.2, 5.0)
    beside = rng.uniform(9.5, 14.0)
    if rng.random() < 0.6:  # the frame and the colours of a court, or the first pips of a number
        if rng.random() < 0.5:
            (left, top), deep = sheet.at(beside, rng.uniform(4, 9)), rng.uniform(0, 200, 3).tolist()
            cv2.rectangle(sheet.picture, (int(left), int(top)), (2000, 2000), deep, int(rng.integers(1, 4)))
            for _ in range(int(rng.integers(0, 8))):
                px, py = sheet.at(beside + rng.uniform(1, 8), rng.uniform(6, 32))
                colour = [(30, 30, 200), (30, 200, 240), (150, 60, 20), (20, 20, 20)][int(rng.integers(4))]
                cv2.circle(sheet.picture, (int(px), int(py)), int(rng.integers(4, 26)), colour, -1, cv2.LINE_AA)
        else:
            for row in range(3):
                sheet.sign(
                    suit, beside + rng.uniform(3, 6), 12 + row * rng.uniform(12, 18), rng.uniform(9, 14), ink
                )
    if rng.random() < 0.7:
        sheet.card_edge(rng.uniform(5, 200, 3))
    sheet.text(file, rank, x, y, size, squeeze, ink)
    low = y + size + rng.uniform(0.4, 2.0)
    sign = rng.uniform(3.6, 6.5)
    sheet.sign(suit, x + rng.uniform(-0.4, 0.4), low + sign / 2, sign, ink)


def _turned_over(sheet: _Sheet, quarters: int) -> BgrImage:
    """The drawing with everything in it turned about the middle of the corner."""
    rng = sheet.rng
    wide, high = WIDTH / PER_MM, HEIGHT / PER_MM
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]]) + rng.normal(0, 0.55, (4, 2))
    if quarters % 2:
        corners = np.array([[0, 0], [high, 0], [high, wide], [0, wide]]) + rng.normal(0, 0.55, (4, 2))
    corners = np.roll(corners + rng.normal(0, 0.35, 2), -quarters, axis=0)
    fine = 4
    there = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32) * fine
    warp = cv2.getPerspectiveTransform(((corners + _MARGIN) * _FINE).astype(np.float32), there)
    drawn = cv2.warpPerspective(
        np.clip(sheet.picture, 0, 255).astype(np.uint8), warp, (WIDTH * fine, HEIGHT * fine), flags=cv2.INTER_AREA
    )
    return np.asarray(drawn, np.uint8)


def _seen(drawn: BgrImage, rng: np.random.Generator) -> BgrImage:
    """The drawing as a camera shows it: at 0.9 to 4 pixels a millimetre, blurred, in some light, with noise."""
    scale = float(np.exp(rng.uniform(math.log(0.9), math.log(4.0)))) / (PER_MM * 4)
    reduced = cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    blur = float(rng.uniform(0.2, 1.0))
    small = np.asarray(cv2.GaussianBlur(reduced.astype(np.float32), (0, 0), blur), np.float32)
    if rng.random() < 0.5:
        small += rng.uniform(0.2, 1.0) * (small - cv2.GaussianBlur(small, (0, 0), 1.1))
    small *= rng.uniform(0.4, 1.1) * (1 + rng.uniform(-0.12, 0.12, 3))
    y, x = np.mgrid[-1 : 1 : complex(small.shape[0]), -1 : 1 : complex(small.shape[1])]
    small *= (1 + rng.uniform(-0.2, 0.2) * x + rng.uniform(-0.25, 0.25) * y)[..., None]
    if rng.random() < 0.15:
        gx, gy, reach = *rng.uniform(-1, 1, 2), rng.uniform(0.3, 1.2)
        small += (rng.uniform(20, 110) * np.exp(-((x - gx) ** 2 + (y - gy) ** 2) / reach**2))[..., None]
    small += rng.normal(0, rng.uniform(0.5, 7), small.shape)
    byte = np.clip(small, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        _, jpeg = cv2.imencode(".jpg", byte, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(50, 96))])
        byte = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
    how = cv2.INTER_LINEAR if scale * PER_MM * 4 < PER_MM else cv2.INTER_AREA
    return np.asarray(cv2.resize(byte, (WIDTH, HEIGHT), interpolation=how), np.uint8)
