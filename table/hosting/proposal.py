"""What a camera proposes: the answer to what is asked, or what hands have done, how surely, and its picture."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.gestures import Offer
from loomtable.engine.kernel.readings import Reading, Source
from loomtable.engine.kernel.requests import Flip, Request, Roll
from loomtable.table.hosting.camera_words import meant, read_in_words
from loomtable.table.hosting.errors import CameraGone
from loomtable.table.reading.answers import CameraAnswer
from loomtable.vision.dice import TrayReading
from loomtable.vision.overlay import Mark, draw_marks
from loomtable.vision.pictures import BgrImage
from loomtable.vision.verdict import Verdict

SHOWN_WIDTH = 1280
"""Pixels of a picture as it is shown; wider ones are made smaller."""
JPEG_QUALITY = 80
CLOSE_UP_MARGIN = 1.0
"""How much table is shown round the dice in a close-up, in sides of the largest die."""
CLOSE_UP_SHAPE = 5 / 3
"""Width over height of a close-up, as long as the picture has so much."""
MIN_CLOSE_UP = 0.3
"""Share of the picture's width and height that a close-up shows at least."""
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True)
class SeenFace:
    """One die of a proposal, for a page to draw and to put right."""

    place: int
    """From 1, in reading order; what ``correct`` takes."""
    die: Die
    face: str
    doubt: str
    """Why it is not sure, as the end of a sentence; empty where it is sure."""
    confidence: float
    box: Box
    """As shares of the picture (0 to 1)."""
    corrected: bool
    means: tuple[Die, Face]
    """The die and face that count: those asked for, where an ordinary d6 stands in for one."""
    likely: tuple[Face, ...]
    """What it most likely shows, where it is not sure; what a person can say begins with these."""


@dataclass(frozen=True)
class Proposal:
    """What the camera read for the open request, or saw hands do."""

    number: int
    """Says which proposal a page shows."""
    revision: int
    """The journal's length when it was made."""
    request: Request | None
    verdict: Verdict
    says: str
    """What was read and how it is judged, in words."""
    answer: Reading | None
    """What accepting it would answer; nothing where it is not sure, or something else than an answer."""
    dice: tuple[SeenFace, ...]
    size: tuple[int, int]
    """Width and height of the picture that was read, px."""
    when: float
    """When it was made, seconds since 1970."""
    picture: BgrImage
    """The picture as it is shown, without marks."""
    marks: tuple[Mark, ...]
    """What was read, to be drawn on it."""
    tray: TrayReading | None = None
    cards: tuple[ComponentId, ...] = ()
    """A row of cards, of which the first is the answer; the others answer what is asked after it."""
    offers: tuple[Offer, ...] = ()
    """What hands have done; several where it can be read in several ways, and people say which."""
    boxes: tuple[Box, ...] = ()
    """Where its dice, cards or figures are in the picture that was read, px; a hand on them stops it."""

    @property
    def sure(self) -> bool:
        """Whether it can be taken as it is."""
        return self.answer is not None or len(self.offers) == 1

    @cached_property
    def jpeg(self) -> bytes:
        """The picture with what was read drawn on it; drawn when it is first wanted."""
        return as_jpeg(draw_marks(self.picture, self.marks))

    @cached_property
    def close_up(self) -> Box:
        """The part of the picture in which the dice lie, as shares of it; all of it where some may be missing."""
        whole = self.verdict is Verdict.REJECTED
        return _round_dice([] if whole else [die.box for die in self.dice], self.size)

    @cached_property
    def close_up_jpeg(self) -> bytes:
        """The part in which the dice lie, without marks: whoever shows it draws its own."""
        height, width = self.picture.shape[:2]
        x0, y0, x1, y1 = self.close_up
        part = self.picture[round(y0 * height) : round(y1 * height), round(x0 * width) : round(x1 * width)]
        return as_jpeg(np.ascontiguousarray(part))


def proposal_of(
    number: int,
    revision: int,
    request: Request,
    read: CameraAnswer,
    picture: BgrImage,
    size: tuple[int, int] | None = None,
) -> Proposal:
    """What was seen in a picture as a proposal; ``size`` (width, height) where the picture was larger when it was
    read."""
    tray = read.tray
    width, height = size or (picture.shape[1], picture.shape[0])
    verdict = Verdict.ACCEPTED if read.answer is not None else tray.verdict if tray else Verdict.REJECTED
    asked_dice = request if isinstance(request, Roll | Flip) else None
    shown = _as_shown(picture)
    scale = shown.shape[1] / width
    return Proposal(
        number,
        revision,
        request,
        verdict,
        read_in_words(asked_dice, tray) if asked_dice is not None and tray is not None else read.says,
        read.answer,
        _faces(asked_dice, tray, width, height),
        (width, height),
        time.time(),
        shown,
        tuple(mark.scaled(scale) for mark in read.marks),
        tray,
        read.cards if read.answer is not None else (),
        boxes=tuple(die.box for die in tray.dice) if tray is not None else (),
    )


def gesture_of(
    number: int, revision: int, offers: tuple[Offer, ...], picture: BgrImage, boxes: tuple[Box, ...]
) -> Proposal:
    """What hands have done as a proposal; each of the offers is legal."""
    sure = len(offers) == 1
    says = offers[0].says if sure else "This can be read in several ways"
    verdict = Verdict.ACCEPTED if sure else Verdict.ASK
    size = (picture.shape[1], picture.shape[0])
    shown, now = _as_shown(picture), time.time()
    return Proposal(
        number, revision, None, verdict, says, None, (), size, now, shown, (), offers=offers, boxes=boxes
    )


def _faces(request: Roll | Flip | None, tray: TrayReading | None, width: int, height: int) -> tuple[SeenFace, ...]:
    if tray is None or request is None:
        return ()
    faces: list[SeenFace] = []
    for place, die in enumerate(tray.dice, start=1):
        x0, y0, x1, y1 = die.box
        box = (x0 / width, y0 / height, x1 / width, y1 / height)
        put_right = die.how is Source.CORRECTED
        means = meant(request, die.die, die.face)
        likely, shown = die.likely, str(die.face)
        faces.append(SeenFace(place, die.die, shown, die.doubt, die.confidence, box, put_right, means, likely))
    return tuple(faces)


def _round_dice(boxes: Sequence[Box], size: tuple[int, int]) -> Box:
    """The part of a picture (of ``size``, px) round these boxes (shares of it), as shares of it."""
    if not boxes:
        return (0.0, 0.0, 1.0, 1.0)
    width, height = size
    side = max(max((b[2] - b[0]) * width, (b[3] - b[1]) * height) for b in boxes)
    left, top = min(b[0] for b in boxes) * width, min(b[1] for b in boxes) * height
    right, bottom = max(b[2] for b in boxes) * width, max(b[3] for b in boxes) * height
    wide = max(right - left + 2 * CLOSE_UP_MARGIN * side, MIN_CLOSE_UP * width)
    high = max(bottom - top + 2 * CLOSE_UP_MARGIN * side, MIN_CLOSE_UP * height)
    wide, high = min(max(wide, high * CLOSE_UP_SHAPE), width), min(max(high, wide / CLOSE_UP_SHAPE), height)
    x = min(max((left + right - wide) / 2, 0.0), width - wide)
    y = min(max((top + bottom - high) / 2, 0.0), height - high)
    return x / width, y / height, (x + wide) / width, (y + high) / height


def as_jpeg(picture: BgrImage) -> bytes:
    """A picture as pages show it.

    Raises:
        CameraGone: it cannot be shown.
    """
    good, encoded = cv2.imencode(".jpg", _as_shown(picture), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not good:
        raise CameraGone("the picture cannot be shown")
    return bytes(encoded.tobytes())


def beside(left: BgrImage, right: BgrImage) -> BgrImage:
    """Two pictures beside one another, the right one as high as the left one."""
    high, wide = left.shape[0], round(right.shape[1] * left.shape[0] / right.shape[0])
    scaled = cv2.resize(right, (wide, high), interpolation=cv2.INTER_AREA)
    return np.asarray(np.hstack([left, scaled]), np.uint8)


def _as_shown(picture: BgrImage) -> BgrImage:
    height, width = picture.shape[:2]
    if width <= SHOWN_WIDTH:
        return picture
    size = (SHOWN_WIDTH, round(height * SHOWN_WIDTH / width))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
