"""The codes in a picture, read by zxing-cpp in passes: as the picture is, then closer about places still unread.

A code's payload is handed on as bytes; what it says is for others to judge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import cv2
import msgspec
import numpy as np
import zxingcpp

from loomtable.vision.arrays import GrayImage
from loomtable.vision.code_places import Box, code_places
from loomtable.vision.quads import Quad, moved, quad_side, same_place

MODULES = 21
"""Modules along each side of a card's code, QR version 1. By definition."""
MAX_CODES = 64
"""More codes than this in one picture are not looked at: no table shows so many cards. Bound by time."""
MAX_PAYLOAD = 256
"""Bytes of a payload that are kept. Bound by memory."""
_MOST_PIXELS = 24_000_000
"""Pixels that one pass looks at, enlarged, in all places together. Bound by time."""
_AT_ONCE = 0.6
"""Share of the picture that unread places cover from which all of it is enlarged. Set by hand."""

_LEAST_MODULE, _MOST_RATIO = 1.2, 1.5
"""Pixels a module of a code found but not read, at least; its longer side to its shorter, at most. Set by hand."""


class CodeDetection(msgspec.Struct, frozen=True):
    """A place with a code: what it says, or nothing (``b""``) where it was found and could not be read."""

    quad: Quad
    payload: bytes


def native(grey: GrayImage) -> list[CodeDetection]:
    """Whatever is read without enlarging: the quickest look, in a grey picture (height, width)."""
    return _read(grey, 1.0)


def enlarged_2x(grey: GrayImage, places: Iterable[Box]) -> list[CodeDetection]:
    """Sharpened and twice the size: the best pass for its time that was measured, with small and shaken codes."""
    return _in_places(grey, places, amount=2.0, sigma=1.25, wanted=2.0)


def enlarged_3x(grey: GrayImage, places: Iterable[Box]) -> list[CodeDetection]:
    """Sharpened hard and three times the size: for dim pictures and the smallest codes."""
    return _in_places(grey, places, amount=5.0, sigma=1.33, wanted=3.0)


EnlargedPass = Callable[[GrayImage, Iterable[Box]], list[CodeDetection]]
ENLARGED_PASSES: tuple[EnlargedPass, ...] = (enlarged_2x, enlarged_3x)
"""The passes after ``native``, each slower and better with small codes than the one before."""


def unread_places(grey: GrayImage, read: Iterable[Quad], unread: Iterable[Quad]) -> list[Box]:
    """Where to look closer: the places of codes that were found and not read, and all that may hold one."""
    read = list(read)
    boxes = [place_of(quad, grey) for quad in unread if not any(same_place(quad, other) for other in read)]
    boxes += [box for box in code_places(grey, read) if not any(_within(box, other) for other in boxes)]
    height, width = grey.shape
    if sum((right - left) * (foot - top) for left, top, right, foot in boxes) > _AT_ONCE * grey.size:
        return [(0, 0, width, height)]
    return boxes


def like_a_code(quad: Quad) -> bool:
    """Whether a place can be that of a code: nearly square, and not so small that it is anything at all."""
    sides = [math.dist(quad[i], quad[(i + 1) % 4]) for i in range(4)]
    return min(sides) > _LEAST_MODULE * MODULES and max(sides) < _MOST_RATIO * min(sides)


def place_of(quad: Quad, grey: GrayImage) -> Box:
    """The box about a code and its quiet zone, within the picture."""
    xs, ys = [x for x, _ in quad], [y for _, y in quad]
    margin = 0.3 * max(max(xs) - min(xs), max(ys) - min(ys)) + 8
    height, width = grey.shape
    return (
        round(min(max(min(xs) - margin, 0), width)),
        round(min(max(min(ys) - margin, 0), height)),
        round(min(max(max(xs) + margin, 0), width)),
        round(min(max(max(ys) + margin, 0), height)),
    )


def _within(box: Box, other: Box) -> bool:
    return other[0] <= box[0] and other[1] <= box[1] and other[2] >= box[2] and other[3] >= box[3]


def _in_places(
    grey: GrayImage, places: Iterable[Box], *, amount: float, sigma: float, wanted: float
) -> list[CodeDetection]:
    found: list[CodeDetection] = []
    budget = float(_MOST_PIXELS)
    for left, top, right, foot in places:
        crop = grey[top:foot, left:right]
        cost = crop.size * wanted * wanted
        if min(crop.shape, default=0) < MODULES or cost > budget or len(found) >= MAX_CODES:
            continue
        budget -= cost
        # Sharpened before it is enlarged: that reads as much as the other way round, and costs half as much.
        sharp = _sharpened(crop, amount, sigma)
        large = np.asarray(cv2.resize(sharp, None, fx=wanted, fy=wanted, interpolation=cv2.INTER_CUBIC), np.uint8)
        found += [CodeDetection(moved(code.quad, left, top), code.payload) for code in _read(large, wanted)]
    return found[:MAX_CODES]


def _sharpened(grey: GrayImage, amount: float, sigma: float) -> GrayImage:
    soft = cv2.GaussianBlur(grey, (0, 0), sigma)
    return np.asarray(cv2.addWeighted(grey, 1 + amount, soft, -amount, 0), np.uint8)


_FORMATS: Any = zxingcpp.BarcodeFormat.QRCode


def _read(grey: GrayImage, scale: float) -> list[CodeDetection]:
    """What zxing-cpp reads in a grey picture that is ``scale`` times the size of the one the answer is about."""
    found = zxingcpp.read_barcodes(
        np.ascontiguousarray(grey), formats=_FORMATS, try_invert=False, return_errors=True
    )
    return list(_understood(found[:MAX_CODES], scale))


def _understood(barcodes: list[Any], scale: float) -> Iterator[CodeDetection]:
    for barcode in barcodes:
        position = barcode.position
        corners = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
        a, b, c, d = ((corner.x / scale, corner.y / scale) for corner in corners)
        quad = a, b, c, d
        payload = bytes(barcode.bytes[: MAX_PAYLOAD + 1]) if barcode.valid else b""
        if quad_side(quad) >= 1 and (payload or like_a_code(quad)):
            yield CodeDetection(quad, payload)
