"""An evening that hands lead: cards laid before a camera frame by frame, and the watch that sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.session import Session
from loomtable.printkit.draw.codes import modules
from loomtable.table.choices.taking import hands_shown
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.proposals import COUNTDOWN, Taking
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.reading.scene import REST_AFTER
from loomtable.vision.pictures import BgrImage
from tests.table.filming import again, until

FRAME = 1 / 3
"""Seconds from frame to frame, as a slow laptop reads them."""
MODULE = 3
"""Pixels of a code's module; a card is then about 290 pixels wide."""
NEAR, FAR = (40, 40), (900, 40)
Places = Mapping[str, tuple[int, int]]
HAND = (120, 150, 200)


def card(short: str) -> ComponentId:
    return AnswerCard(short).id if short in list(AnswerCard) else ComponentId.parse(short)


def table_with(lying: Places, hand: tuple[slice, slice] | None = None) -> BgrImage:
    """A table on which these cards lie, by the upper left corners of their codes."""
    picture = np.full((720, 1280, 3), 150, np.uint8)
    for short, (x, y) in lying.items():
        left, top = (0, 0) if short[0] in "RF" and len(short) > 1 else (110, 190)
        picture[max(y - top, 0) : y + 88, max(x - left, 0) : x + 88] = (235, 240, 240)
    for short, (x, y) in lying.items():
        code = np.where(np.array(modules(card(short).code)), 0, 255).astype(np.uint8)
        plate = np.kron(np.pad(code, 4, constant_values=255), np.ones((MODULE, MODULE), np.uint8))
        picture[y : y + plate.shape[0], x : x + plate.shape[1]] = plate[..., None]
    if hand is not None:
        picture[hand] = HAND
    return picture


def with_cat(picture: BgrImage, place: tuple[int, int]) -> BgrImage:
    """A cat as a camera above the table sees it: fur, and no edge that is straight but the ears'."""
    (x, y), furry = place, picture.copy()
    cat = np.zeros(picture.shape[:2], np.uint8)
    cv2.ellipse(cat, (x, y), (330, 230), 10, 0, 360, 255, -1)
    cv2.circle(cat, (x - 300, y - 120), 110, 255, -1)
    for ear in (-400, -280):
        cv2.fillPoly(cat, [np.array([(x + ear, y - 190), (x + ear + 30, y - 290), (x + ear + 75, y - 200)])], 255)
    fur = cv2.GaussianBlur(np.random.default_rng(1).normal(90, 60, picture.shape), (0, 0), 2)
    furry[cat > 0] = np.clip(fur, 0, 255).astype(np.uint8)[cat > 0]
    return furry


class Evening:
    """A session, a watch with a clock of its own, and the table before it."""

    every = FRAME
    """Seconds from frame to frame."""

    def __init__(self, session: Session[Any], live: LiveSession | None = None) -> None:
        self.now = 0.0
        self.live = live or LiveSession("friday", session)
        self.live.session = session
        self.watch = self.live.watch = TableWatch(self.live, clock=lambda: self.now)
        self.watch.lead(True)
        self.watch.proposals.taking = Taking.COUNTDOWN
        self.lie({}, REST_AFTER + 1)

    def lie(self, lying: Places, seconds: float = 1.0) -> None:
        """These things lie there for so long, and nobody's hand is over them."""
        self.film(table_with(lying), seconds)

    def film(self, picture: BgrImage, seconds: float, tray: BgrImage | None = None) -> None:
        """Frame by frame; ``tray`` is what a second camera sees meanwhile, as a phone sends it."""
        frames = tuple(again(picture, 3))
        in_tray = tuple(again(tray, 3)) if tray is not None else ()
        for at in range(round(seconds / self.every)):
            if in_tray:
                pushed = in_tray[at % 3].copy()
                self.watch.tray.push(pushed, "Ada's phone")
                until(lambda pushed=pushed: self.watch.tray.frame is pushed)
            self.watch.look(frames[at % 3])
            self.now += self.every

    def lay(self, lying: Places) -> None:
        """The same, for long enough that it is taken."""
        self.lie(lying, COUNTDOWN + 1.5)

    @property
    def session(self) -> Session[Any]:
        return self.live.session

    @property
    def says(self) -> str:
        shown = hands_shown(self.watch, in_full=True)
        return shown.says or shown.remark
