"""Reading cards by the QR codes on them: all codes in one picture, where they lie, and in which order.

What stands in a code is untrusted. It is only ever looked up as a ``ComponentId``; whatever is not one is refused
with a reason, shown shortened, and never opened, stored or executed.

A picture is read in rungs, each slower and better with small codes than the one before, and the findings are put
together. Measured on photographs of the virtual camera, half the codes of version 1 are read at 1.9 pixels a
module, and all from ``ENOUGH_PIXELS_PER_MODULE``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, TypeVar

import cv2
import msgspec
import numpy as np
import numpy.typing as npt
import zxingcpp

from engine.kernel.components import ComponentId
from engine.kernel.errors import BadCode, DamagedCode, ForeignCode, OtherCodeVersion
from vision.pictures import Picture

ENOUGH_PIXELS_PER_MODULE = 2.5
"""From this size on, sharp pictures show every card's code clearly enough; below it some may be missed."""

MODULES = 21
"""Modules along each side of a card's code: QR version 1."""

MAX_CODES = 64
"""More codes than this in one picture are not looked at: no table shows so many cards."""

_MAX_PAYLOAD = 256
_MOST_PIXELS = 24_000_000
"""No picture is enlarged beyond this: codes are large in large pictures, and time is not."""

Point = tuple[float, float]
CODE_MIDDLE: Point = (0.5, 0.5)
"""The middle of a code in its own measure; see ``SeenCard.place``."""

Quad = tuple[Point, Point, Point, Point]
"""Four corners in pixels: top left, top right, bottom right, bottom left, as the card is read."""


class Trouble(StrEnum):
    """Why a code is refused."""

    FOREIGN = "foreign"
    OTHER_VERSION = "other version"
    DAMAGED = "damaged"


class SeenCard(msgspec.Struct, frozen=True):
    """A card whose code was read, and where the code lies in the picture."""

    card: ComponentId
    quad: Quad
    pixels_per_module: float
    """How large the code is seen, along its shortest side."""

    @property
    def centre(self) -> Point:
        """The middle of the code, px: where its diagonals cross."""
        return quad_centre(self.quad)

    @property
    def turn(self) -> float:
        """How far the card is turned clockwise, -180 to 180 degrees; 0 is upright in the picture."""
        return quad_turn(self.quad)

    def place(self, on_card: Point) -> Point:
        """Where a point of the card falls in the picture, px.

        ``on_card`` is in the code's own measure: (0, 0) is the top left corner of the code, (1, 1) its bottom
        right; a code of 20 mm with its corner 38 mm right and 63 mm down has the card's top left at (-1.9, -3.15).
        The further from the code, the less exact.
        """
        if on_card == CODE_MIDDLE:
            return self.centre
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        warp = cv2.getPerspectiveTransform(square, np.array(self.quad, np.float32))
        x, y, w = warp @ [on_card[0], on_card[1], 1.0]
        return float(x / w), float(y / w)


class RefusedCode(msgspec.Struct, frozen=True):
    """A code that was read and is not one of our cards'."""

    trouble: Trouble
    reason: str
    """One sentence; what the code says is in it, shortened and made safe to print."""
    quad: Quad


class CardScan(msgspec.Struct, frozen=True):
    """Everything that was seen in one picture."""

    cards: tuple[SeenCard, ...] = ()
    """The cards that were read, in the order of ``reading_order``."""
    refused: tuple[RefusedCode, ...] = ()
    """Codes that were read and are not our cards'."""
    unread: tuple[Quad, ...] = ()
    """Places where there seems to be a code that could not be read; a few are no codes at all."""

    @property
    def ids(self) -> tuple[ComponentId, ...]:
        """The cards' ids in reading order."""
        return tuple(seen.card for seen in self.cards)

    @property
    def advice(self) -> str | None:
        """What to change where codes are too small, or seen and not read; nothing where all is well."""
        sizes = [seen.pixels_per_module for seen in self.cards]
        sizes += [quad_side(quad) / MODULES for quad in self.unread]
        if not sizes or (min(sizes) >= ENOUGH_PIXELS_PER_MODULE and not self.unread):
            return None
        if min(sizes) >= ENOUGH_PIXELS_PER_MODULE:
            return "there seems to be a code that cannot be read: hold still, and give it more light and no glare"
        return (
            f"codes are {min(sizes):.1f} pixels a module; {ENOUGH_PIXELS_PER_MODULE:g} are needed to be sure "
            "of every card: move the camera closer or use a higher resolution"
        )


_Seen = TypeVar("_Seen", SeenCard, RefusedCode)


def scan_cards(
    picture: Picture, *, expected: int | None = None, quick: bool = False, middle: Point = CODE_MIDDLE
) -> CardScan:
    """Read all card codes in a picture (BGR, shape (height, width, 3), or grey (height, width), uint8).

    Args:
        expected: climb no further once this many cards are read; without it every rung is tried.
        quick: only the first rung, for the many pictures of a running camera.
        middle: where a card's middle lies, for ``reading_order``.

    A code is reported once for each place where it lies, however many rungs read it.
    """
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    grey = np.ascontiguousarray(grey, np.uint8)
    cards: list[SeenCard] = []
    refused: list[RefusedCode] = []
    unread: list[Quad] = []
    for rung in _RUNGS[:1] if quick else _RUNGS:
        for seen in rung(grey):
            if isinstance(seen, SeenCard):
                _keep(seen, cards)
            elif isinstance(seen, RefusedCode):
                _keep(seen, refused)
            else:
                unread.append(seen)
        if expected is not None and len(cards) >= expected:
            break
    # A rung may misread what another reads well: the good reading counts.
    left = [code for code in refused if not any(_same_place(code.quad, card.quad) for card in cards)]
    left.sort(key=lambda code: code.quad[0][::-1])
    read = [card.quad for card in cards] + [code.quad for code in left]
    return CardScan(reading_order(cards, middle), tuple(left), _still_unread(unread, read))


def reading_order(cards: Sequence[SeenCard], middle: Point = CODE_MIDDLE) -> tuple[SeenCard, ...]:
    """The cards as a person reads them who sits where the cards are upright: row by row, each from left to right.

    ``middle`` says where a card's middle lies, in the measure of ``SeenCard.place``. Give it where codes stand in
    a corner: the code of a card that lies upside down is then in the opposite corner, far from the others.

    The rule, in which the side of a code is the unit and a card is where its middle is:

    1. *Which way is right.* The direction along which most cards' own top edges run, up to half a turn, so that a
       card lying upside down does not count against it; of its two senses the one in which more cards are
       upright, and on a tie the one nearer to upright in the picture. Where the cards agree on no direction
       (they lie anyhow), it is the picture's own.
    2. *Rows.* Across that direction, two cards less than two sides apart stand in one row, and so do codes that a
       chain of such pairs joins. A row may therefore climb or bend; poker cards in neighbouring rows stand more
       than three sides apart.
    3. Rows run from top to bottom, by their topmost card; in a row cards run from left to right.

    So a row of cards keeps its order as laid, however the row or the camera is turned.
    """
    if not cards:
        return ()
    angle = math.radians(_reading_turn(cards))
    places = [seen.place(middle) for seen in cards]
    along = [x * math.cos(angle) + y * math.sin(angle) for x, y in places]
    across = [y * math.cos(angle) - x * math.sin(angle) for x, y in places]
    rows: list[list[int]] = []
    for index in sorted(range(len(cards)), key=lambda i: across[i]):
        if rows and any(_in_one_row(cards, across, index, other) for other in rows[-1]):
            rows[-1].append(index)
        else:
            rows.append([index])
    return tuple(cards[i] for row in rows for i in sorted(row, key=lambda i: along[i]))


def quad_centre(quad: Quad) -> Point:
    """Where the diagonals of a quad cross, px: the middle of the square that it is a view of."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    ux, uy, vx, vy = cx - ax, cy - ay, dx - bx, dy - by
    area = ux * vy - uy * vx
    if abs(area) < 1e-9:
        return (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4
    share = ((bx - ax) * vy - (by - ay) * vx) / area
    return ax + share * ux, ay + share * uy


def quad_turn(quad: Quad) -> float:
    """How far a quad's own right is turned clockwise from the picture's right, -180 to 180 degrees."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    return math.degrees(math.atan2((by - ay) + (cy - dy), (bx - ax) + (cx - dx)))


def quad_side(quad: Quad) -> float:
    """The shortest side of a quad, px."""
    return min(math.dist(quad[i], quad[(i + 1) % 4]) for i in range(4))


def _reading_turn(cards: Sequence[SeenCard]) -> float:
    """Rule 1 of ``reading_order``, in degrees clockwise."""
    turns = np.radians([seen.turn for seen in cards])
    # Doubled angles make half a turn a whole one, so that upright and reversed cards agree.
    mean = np.exp(2j * turns).mean()
    if abs(mean) < 0.4:
        return 0.0
    angle = float(np.angle(mean)) / 2
    upright = float(np.sign(np.round(np.cos(turns - angle), 6)).sum())
    if upright < 0 or (upright == 0 and math.cos(angle) < 0):
        angle += math.pi
    return math.degrees(angle)


def _in_one_row(cards: Sequence[SeenCard], across: Sequence[float], one: int, other: int) -> bool:
    side = (quad_side(cards[one].quad) + quad_side(cards[other].quad)) / 2
    return abs(across[one] - across[other]) < 2 * side


def _keep(seen: _Seen, known: list[_Seen]) -> None:
    """Add what was seen unless something stands there already; of two sightings the first is kept."""
    if len(known) < MAX_CODES and not any(_same_place(seen.quad, other.quad) for other in known):
        known.append(seen)


def _same_place(one: Quad, other: Quad) -> bool:
    """Two sightings of one code: their middles are nearer than half a side. Two codes cannot be."""
    return math.dist(quad_centre(one), quad_centre(other)) < max(quad_side(one), quad_side(other)) / 2


def _still_unread(found: list[Quad], read: list[Quad]) -> tuple[Quad, ...]:
    """The places of codes that no rung read, each once."""
    left: list[Quad] = []
    for quad in found:
        if not any(_same_place(quad, other) for other in [*read, *left]):
            left.append(quad)
    return tuple(left)


def _like_a_code(quad: Quad) -> bool:
    """Whether a place can be that of a code: nearly square, and not so small that it is anything at all."""
    sides = [math.dist(quad[i], quad[(i + 1) % 4]) for i in range(4)]
    return min(sides) > 1.2 * MODULES and max(sides) < 1.5 * min(sides)


Grey = npt.NDArray[np.uint8]
_Finding = SeenCard | RefusedCode | Quad
"""A card, a code that is refused, or the place of a code that was found and not read."""


def _as_it_is(grey: Grey) -> list[_Finding]:
    return _read(grey, 1.0)


def _enlarged(grey: Grey) -> list[_Finding]:
    """Twice the size and sharpened: the best rung for its time that was measured, with small and blurred codes."""
    scale = _scale_within(grey, 2.0)
    return _read(_sharpened(_scaled(grey, scale), 2.0, 2.5), scale)


def _strongly_enlarged(grey: Grey) -> list[_Finding]:
    """Three times the size, sharpened widely and hard: for dim pictures and the smallest codes."""
    scale = _scale_within(grey, 3.0)
    return _read(_sharpened(_scaled(grey, scale), 5.0, 4.0), scale)


_RUNGS: tuple[Callable[[Grey], list[_Finding]], ...] = (_as_it_is, _enlarged, _strongly_enlarged)


def _scale_within(grey: Grey, wanted: float) -> float:
    return max(1.0, min(wanted, math.sqrt(_MOST_PIXELS / grey.size)))


def _scaled(grey: Grey, scale: float) -> Grey:
    return np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)


def _sharpened(grey: Grey, amount: float, sigma: float) -> Grey:
    soft = cv2.GaussianBlur(grey, (0, 0), sigma)
    return np.asarray(cv2.addWeighted(grey, 1 + amount, soft, -amount, 0), np.uint8)


_FORMATS: Any = zxingcpp.BarcodeFormat.QRCode


def _read(grey: Grey, scale: float) -> list[_Finding]:
    """What zxing-cpp reads in a grey picture that is ``scale`` times the size of the one the answer is about."""
    found = zxingcpp.read_barcodes(grey, formats=_FORMATS, try_invert=False, return_errors=True)
    return [seen for barcode in found[:MAX_CODES] if (seen := _understood(barcode, scale)) is not None]


def _understood(barcode: Any, scale: float) -> _Finding | None:
    """One finding of the reader as a card, a refusal or a place; nothing where there is nothing in it."""
    quad = _quad(barcode.position, scale)
    if quad_side(quad) < 1:
        return None
    payload = bytes(barcode.bytes[: _MAX_PAYLOAD + 1]) if barcode.valid else b""
    if not payload:
        return quad if _like_a_code(quad) else None
    # Latin-1 has a character for every byte, so that no payload can raise; what is not ASCII is refused by the id.
    text = payload.decode("latin-1")
    try:
        card = ComponentId.from_code(text)
    except BadCode as error:
        return RefusedCode(_trouble(error), str(error), quad)
    return SeenCard(card, quad, quad_side(quad) / MODULES)


def _trouble(error: BadCode) -> Trouble:
    match error:
        case OtherCodeVersion():
            return Trouble.OTHER_VERSION
        case DamagedCode():
            return Trouble.DAMAGED
        case ForeignCode():
            return Trouble.FOREIGN
        case _:
            return Trouble.FOREIGN


def _quad(position: Any, scale: float) -> Quad:
    corners = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
    a, b, c, d = ((corner.x / scale, corner.y / scale) for corner in corners)
    return a, b, c, d
