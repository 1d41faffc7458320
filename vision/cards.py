"""Reading cards by the QR codes on them: all codes in one picture, where they lie, and in which order.

What stands in a code is untrusted. It is only ever looked up as a ``ComponentId``; whatever is not one is refused
with a reason, shown as inert text, and never opened, stored or executed.

A picture is read in passes, each slower and better with small codes than the one before, and the findings are put
together (``loomtable.vision.code_reading``). The first looks at the whole picture; the others look closer about
places that may hold codes still unread, so that they cost little where everything has been read.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TypeVar

import cv2
import msgspec
import numpy as np

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import BadCode, DamagedCode, OtherCodeVersion
from loomtable.engine.kernel.wording import number_word
from loomtable.vision import code_reading
from loomtable.vision.code_reading import MAX_CODES, MODULES, CodeDetection, native, place_of, unread_places
from loomtable.vision.inert import inert_text
from loomtable.vision.pictures import BgrImage, to_gray
from loomtable.vision.quads import Point as Point
from loomtable.vision.quads import Quad as Quad
from loomtable.vision.quads import quad_centre, quad_rotation, quad_side, same_place
from loomtable.vision.verdict import Verdict

logger = logging.getLogger(__name__)
ENOUGH_PIXELS_PER_MODULE = 2.5
"""From this size on, sharp pictures show every card's code. Measured (``benchmarks/README.md``)."""

CODE_MIDDLE: Point = (0.5, 0.5)
"""The middle of a code in its own measure; see ``SeenCard.place``. By definition."""

TYPE_IT = "where a code is torn or covered, type the short code printed beside it (S7, C12)"
"""What else can be done about a code that nothing reads."""


_ONE_DIRECTION = 0.4
"""Length of the mean of all cards' (doubled) directions from which they agree on one. Set by hand."""


class RefusalKind(StrEnum):
    """Why a code is refused."""

    FOREIGN = "foreign"
    OTHER_VERSION = "other version"
    DAMAGED = "damaged"


_KINDS = {OtherCodeVersion: RefusalKind.OTHER_VERSION, DamagedCode: RefusalKind.DAMAGED}


class SeenCard(msgspec.Struct, frozen=True):
    """A card whose code was read, and where the code lies in the picture."""

    card: ComponentId
    quad: Quad
    pixels_per_module: float
    """How large the code is seen, along its shortest side; 0 of a card that bears none."""
    doubt: str = ""
    """Why a person has to say which card it is; nothing where there is no doubt."""

    @property
    def verdict(self) -> Verdict:
        """Whether to believe it, or to ask a person."""
        return Verdict.ASK if self.doubt else Verdict.ACCEPTED

    @property
    def asks(self) -> str:
        """What a person should say about a card in doubt, as a sentence."""
        return f"{self.card}: {self.doubt}; say which card it is" if self.doubt else ""

    @property
    def centre(self) -> Point:
        """The middle of the code, px: where its diagonals cross."""
        return quad_centre(self.quad)

    @property
    def rotation(self) -> float:
        """How far the card is rotated clockwise, -180 to 180 degrees; 0 is upright in the picture."""
        return quad_rotation(self.quad)

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

    kind: RefusalKind
    reason: str
    """One sentence; what the code says is in it, shortened and made safe to print."""
    quad: Quad
    says: str = ""
    """What the code says, as inert text: one short line without anything that a screen would act on."""


class CardScan(msgspec.Struct, frozen=True):
    """Everything that was seen in one picture."""

    cards: tuple[SeenCard, ...] = ()
    """The cards that were read, in the order of ``reading_order``."""
    refused: tuple[RefusedCode, ...] = ()
    """Codes that were read and are not our cards'."""
    unread: tuple[Quad, ...] = ()
    """Places where there seems to be a code that could not be read; a few are no codes at all."""
    blurred: int = 0
    """About how many cards are there that are too blurred to be read."""

    @property
    def ids(self) -> tuple[ComponentId, ...]:
        """The cards' ids in reading order."""
        return tuple(card.card for card in self.cards)

    @property
    def advice(self) -> str | None:
        """What to change where codes are too small, or seen and not read; nothing where all is well."""
        if self.blurred:
            cards = f"{number_word(self.blurred)}{' more' * bool(self.cards)} card{'s' * (self.blurred > 1)}"
            return f"about {cards}, out of focus: hold still, and let the camera focus again"
        sizes = [card.pixels_per_module for card in self.cards]
        sizes += [quad_side(quad) / MODULES for quad in self.unread]
        if not sizes or (min(sizes) >= ENOUGH_PIXELS_PER_MODULE and not self.unread):
            return None
        if min(sizes) >= ENOUGH_PIXELS_PER_MODULE:
            return (
                "there seems to be a code that cannot be read: hold still, and give it more light and no glare; "
                + TYPE_IT
            )
        missed = f"; {TYPE_IT}" if self.unread else ""
        return (
            f"codes are {min(sizes):.1f} pixels a module; {ENOUGH_PIXELS_PER_MODULE:g} are needed to be sure "
            f"of every card: move the camera closer or use a higher resolution{missed}"
        )


_Seen = TypeVar("_Seen", SeenCard, RefusedCode)


def scan_cards(
    picture: BgrImage,
    *,
    expected: int | None = None,
    quick: bool = False,
    near: Sequence[Quad] = (),
    middle: Point = CODE_MIDDLE,
) -> CardScan:
    """Read all card codes in a picture (BGR, shape (height, width, 3), or grey (height, width), uint8).

    Args:
        expected: stop once this many cards are read; without it every pass is tried.
        quick: only the first pass, for the many pictures of a running camera, and the others where they are told
            to look by ``near``.
        near: places where codes lay a moment ago; those that the first pass does not read are looked at closer.
        middle: where a card's middle lies, for ``reading_order``.

    A code is reported once for each place where it lies, however many passes read it.

    Raises:
        PictureUnreadable: it is no picture.

    >>> import numpy as np
    >>> from loomtable import scan_cards
    >>> bare_table = np.full((480, 640, 3), 90, np.uint8)
    >>> scan_cards(bare_table).ids
    ()
    """
    grey = to_gray(picture)
    found = _Scan()
    found.add(native(grey))
    for enlarged in code_reading.ENLARGED_PASSES:
        if expected is not None and len(found.cards) >= expected:
            break
        if quick:
            wanted = _still_unread(near, found.read)
            places = [place_of(quad, grey) for quad in wanted[:MAX_CODES]]
        else:
            places = unread_places(grey, found.read, found.unread)
        if not places:
            break
        found.add(enlarged(grey, places))
    # Only how many: which cards they are may be hidden from whoever reads a log.
    counts = (len(found.cards), len(found.refused), len(found.unread))
    logger.debug("codes of cards: %d read, %d refused, %d places unread", *counts)
    return found.scan(middle)


class _Scan:
    """What the passes have found so far: each code once, and a good reading before a bad one."""

    def __init__(self) -> None:
        self.cards: list[SeenCard] = []
        self.refused: list[RefusedCode] = []
        self.unread: list[Quad] = []

    def add(self, found: Iterable[CodeDetection]) -> None:
        """What one more pass found."""
        for code in found:
            interpreted = interpret_code(code)
            if isinstance(interpreted, SeenCard):
                _keep(interpreted, self.cards)
            elif isinstance(interpreted, RefusedCode):
                _keep(interpreted, self.refused)
            elif len(self.unread) < MAX_CODES:
                self.unread.append(code.quad)

    @property
    def read(self) -> list[Quad]:
        """Where codes were read, whatever they say; a damaged one may be read better by a later pass."""
        good = [code for code in self.refused if code.kind is not RefusalKind.DAMAGED]
        return [card.quad for card in self.cards] + [code.quad for code in good]

    def scan(self, middle: Point) -> CardScan:
        """All of it, in order."""
        cards = [card.quad for card in self.cards]
        left = [code for code in self.refused if not any(same_place(code.quad, quad) for quad in cards)]
        left.sort(key=lambda code: code.quad[0][::-1])
        read = cards + [code.quad for code in left]
        return CardScan(reading_order(self.cards, middle), tuple(left), _still_unread(self.unread, read))


def interpret_code(found: CodeDetection) -> SeenCard | RefusedCode | None:
    """A found code as a card or as a refusal; nothing where it was not read."""
    if not found.payload:
        return None
    # Latin-1 has a character for every byte, so that no payload can raise; what is not ASCII is refused by the id.
    try:
        card = ComponentId.from_code(found.payload.decode("latin-1"))
    except BadCode as error:
        payload, kind = inert_text(found.payload), _KINDS.get(type(error), RefusalKind.FOREIGN)
        reason = f"{payload!r} is not a Loomtable card code" if kind is RefusalKind.FOREIGN else str(error)
        return RefusedCode(kind, reason, found.quad, payload)
    return SeenCard(card, found.quad, quad_side(found.quad) / MODULES)


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

    So a row of cards keeps its order as placed, however the row or the camera is turned.
    """
    if not cards:
        return ()
    angle = math.radians(_reading_turn(cards))
    places = [card.place(middle) for card in cards]
    along = [x * math.cos(angle) + y * math.sin(angle) for x, y in places]
    across = [y * math.cos(angle) - x * math.sin(angle) for x, y in places]
    sides = [quad_side(card.quad) for card in cards]
    rows: list[list[int]] = []
    for index in sorted(range(len(cards)), key=lambda i: across[i]):
        if rows and any(abs(across[index] - across[at]) < sides[index] + sides[at] for at in rows[-1]):
            rows[-1].append(index)
        else:
            rows.append([index])
    return tuple(cards[i] for row in rows for i in sorted(row, key=lambda i: along[i]))


def _reading_turn(cards: Sequence[SeenCard]) -> float:
    """Rule 1 of ``reading_order``, in degrees clockwise."""
    turns = np.radians([card.rotation for card in cards])
    # Doubled angles make half a turn a whole one, so that upright and reversed cards agree.
    mean = np.exp(2j * turns).mean()
    if abs(mean) < _ONE_DIRECTION:
        return 0.0
    angle = float(np.angle(mean)) / 2
    upright = float(np.sign(np.round(np.cos(turns - angle), 6)).sum())
    if upright < 0 or (upright == 0 and math.cos(angle) < 0):
        angle += math.pi
    return math.degrees(angle)


def _keep(code: _Seen, known: list[_Seen]) -> None:
    """Add what was seen unless something stands there already; of two detections the first is kept."""
    if len(known) < MAX_CODES and not any(same_place(code.quad, other.quad) for other in known):
        known.append(code)


def _still_unread(found: Iterable[Quad], read: list[Quad]) -> tuple[Quad, ...]:
    """The places of codes that no pass read, each once."""
    left: list[Quad] = []
    for quad in found:
        if not any(same_place(quad, other) for other in [*read, *left]):
            left.append(quad)
    return tuple(left)
