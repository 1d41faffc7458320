"""What a camera proposes as the answer to what is asked: what was read, how surely, and the picture of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import cv2
import numpy as np

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.readings import Reading, Source
from loomtable.engine.kernel.requests import Request
from loomtable.table.hosting.errors import CameraGone
from loomtable.table.reading.answers import CameraAnswer
from loomtable.table.reading.pictures import card_marks, cards_in, dice_marks
from loomtable.vision.dice import TrayReading
from loomtable.vision.overlay import Mark, draw_marks
from loomtable.vision.pictures import BgrImage
from loomtable.vision.verdict import Verdict

SHOWN_WIDTH = 1280
"""Pixels of a picture as it is shown; wider ones are made smaller."""
JPEG_QUALITY = 80


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
    box: tuple[float, float, float, float]
    """Left, top, right, bottom, as shares of the picture (0 to 1)."""
    corrected: bool

    @property
    def faces(self) -> tuple[str, ...]:
        """What a person can say it shows instead."""
        return tuple(str(face) for face in self.die.faces)


@dataclass(frozen=True)
class Proposal:
    """What the camera read for the open request."""

    number: int
    """Says which proposal a page shows."""
    revision: int
    """The journal's length when it was made."""
    request: Request
    verdict: Verdict
    says: str
    """What was read and how it is judged, in words."""
    answer: Reading | None
    """What accepting it would answer; nothing where it is not sure."""
    dice: tuple[SeenFace, ...]
    jpeg: bytes
    """The picture with what was read drawn on it."""
    size: tuple[int, int]
    """Width and height of the picture that was read, px."""
    when: float
    """When it was made, seconds since 1970."""
    tray: TrayReading | None = None
    picture: BgrImage | None = None
    """The picture as it is shown, without marks: to draw it anew once a die was put right."""


def proposal_of(
    number: int,
    revision: int,
    request: Request,
    seen: CameraAnswer,
    picture: BgrImage,
    tray: TrayReading | None,
    size: tuple[int, int] | None = None,
) -> Proposal:
    """What was seen in a picture as a proposal; ``tray`` where dice were looked for, ``size`` (width, height)
    where the picture was larger when it was read."""
    width, height = size or (picture.shape[1], picture.shape[0])
    shown = _as_shown(picture)
    scale = shown.shape[1] / width
    marks = dice_marks(tray) if tray is not None else card_marks(cards_in(picture))
    verdict = Verdict.ACCEPTED if seen.answer is not None else tray.verdict if tray else Verdict.REJECTED
    return Proposal(
        number,
        revision,
        request,
        verdict,
        seen.says,
        seen.answer,
        _faces(tray, width, height),
        as_jpeg(draw_marks(shown, [_scaled(mark, scale) for mark in marks])),
        (width, height),
        time.time(),
        tray,
        shown if tray is not None else None,
    )


def _faces(tray: TrayReading | None, width: int, height: int) -> tuple[SeenFace, ...]:
    if tray is None:
        return ()
    faces: list[SeenFace] = []
    for place, die in enumerate(tray.dice, start=1):
        x0, y0, x1, y1 = die.box
        box = (x0 / width, y0 / height, x1 / width, y1 / height)
        put_right = die.how is Source.CORRECTED
        faces.append(SeenFace(place, die.die, str(die.face), die.doubt, die.confidence, box, put_right))
    return tuple(faces)


def as_jpeg(picture: BgrImage) -> bytes:
    """A picture as pages show it.

    Raises:
        CameraGone: it cannot be shown.
    """
    good, encoded = cv2.imencode(".jpg", _as_shown(picture), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not good:
        raise CameraGone("the picture cannot be shown")
    return bytes(encoded.tobytes())


def _as_shown(picture: BgrImage) -> BgrImage:
    height, width = picture.shape[:2]
    if width <= SHOWN_WIDTH:
        return picture
    size = (SHOWN_WIDTH, round(height * SHOWN_WIDTH / width))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _scaled(mark: Mark, scale: float) -> Mark:
    return replace(mark, polygon=tuple((x * scale, y * scale) for x, y in mark.polygon))
