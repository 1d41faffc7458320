"""What changes before a camera from one frame to the next: dice that roll, a hand, the light, the camera itself.
Numbers here are set by hand."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.vision.arrays import Float32Array
from loomtable.vision.boxes import Box
from loomtable.vision.pictures import BgrImage
from loomtable.vision.quads import Point, Quad, box_round

COMPARED_WIDTH = 192
"""Frames are compared at this width: what is smaller than a pixel of it does not count as moving."""
MIN_DIFFERENCE = 9.0
"""Grey levels by which a pixel must differ, beyond what the light does to all of them."""
MIN_CHANGED_PIXELS = 3
"""Pixels that must have changed together; fewer are noise."""
MIN_HAND_SHARE = 0.045
"""Share of the picture from which something that reaches in over its border is a hand."""
MIN_RUSH_SHARE = 0.10
"""Share of the picture that changes at once only where a hand or a tray passes."""
MAX_HAND_SECONDS = 20.0
"""Seconds after which something large that reaches in belongs to the table."""
MAX_LIGHT_CHANGE = 0.12
"""Share by which the light may grow or fall between two frames and be the same light."""
EDGE_TOLERANCE = 0.35
"""Share of the contrast round a pixel by which it may differ: an edge that is shaken by half a pixel does."""
MIN_SHIFT, MIN_CREPT, MAX_SHIFT = 0.7, 0.1, 0.3
"""Pixels by which a compared frame has moved at least, or lies beside the ground; share of its width at most."""
MAX_SHIFTED_DIFFERENCE, MAX_CREPT_DIFFERENCE = 0.5, 0.75
"""Shares of the difference of two frames, and of a still one and the ground, that may be left once shifted."""
MAX_GAIN = 2.0
"""In a light that has grown or fallen by more nothing is seen to be as before."""
MAX_CHANGED_SHARE, MAX_MEAN_DIFFERENCE = 0.1, 6.0
"""Share of a place that may differ where it looks as before, and grey levels by which all of it may be darker."""
_BORDER = 2
"""Pixels from the border within which something reaches in."""


class Change(StrEnum):
    """What happened since the last frame."""

    STILL = "still"
    DICE = "dice"
    HAND = "hand"
    LIGHT = "light"
    CAMERA = "camera"
    FIRST = "first"
    """Nothing is known of what was before."""


SAYS = {
    Change.DICE: "something moves",
    Change.HAND: "a hand is over the table",
    Change.LIGHT: "the light has changed",
    Change.CAMERA: "the camera has moved",
    Change.FIRST: "looking at the table",
}
"""For people; nothing where nothing happened."""


class Ground(NamedTuple):
    """The table as it lay still once."""

    picture: Float32Array
    """Reduced."""
    shift: Point
    """The ``Motion.shift`` of then."""


@dataclass
class Motion:
    """Holds each frame against the last, and against the table as it lay still before.

    Readers of one camera's frames share one: whoever owns it calls ``change`` once for each frame.
    """

    _last: Float32Array | None = None
    ground: Ground | None = None
    """The table when ``settle`` was called last."""
    _below: Ground | None = None
    """The same below what has ``lain_still``."""
    _over: Ground | None = None
    """What has lain still: 1 where it covers the table."""
    shift: Point = (0.0, 0.0)
    """How far right and down the picture has moved by knocks, as a share of its width."""
    _relit: bool = False
    """Whether the light has changed since the ground was taken, so that shadows are no hands."""
    _covered_since: float | None = None
    _moved: npt.NDArray[np.bool_] | None = None
    still: bool = False
    """Whether the last frame is like the one before, be there a hand over the table that rests."""

    def touches(self, box: Box, frame: BgrImage) -> bool:
        """Whether something moves within a box of the last ``frame``, px."""
        return self._moved is not None and bool(self._moved[_within(box, frame)].any())

    def is_as(self, before: Ground | None, quad: Quad, frame: BgrImage) -> bool:
        """Whether a place of the last ``frame`` looks as it did in an earlier ground, whatever the light does."""
        now, there = self._last, None if before is None else self._lit(before)
        if now is None or there is None:
            return False
        place = _within(box_round(quad), frame)
        changed, off = _changed(there, now)[place], (there - now)[place]
        return bool(off.size and changed.mean() < MAX_CHANGED_SHARE and abs(off.mean()) < MAX_MEAN_DIFFERENCE)

    def saw(self, before: Ground, quad: Quad, frame: BgrImage) -> bool:
        """Whether a place of the last ``frame`` was in the picture of an earlier ground."""
        high, wide = frame.shape[:2]
        x, y = ((now - then) * wide for now, then in zip(self.shift, before.shift, strict=True))
        return all(0 <= right - x < wide and 0 <= down - y < high for right, down in quad)

    def differs(self, before: Ground) -> npt.NDArray[np.bool_]:
        """Where the last frame differs from an earlier ground, whatever the light does; all of one too unlike."""
        now, there = self._last, self._lit(before)
        return np.ones_like(before.picture, np.bool_) if now is None or there is None else _changed(there, now)

    def _lit(self, before: Ground) -> Float32Array | None:
        """An earlier ground where and in the light in which it is seen now; nothing where that is too unlike."""
        now = self._last
        if now is None or before.picture.shape != now.shape:
            return None
        there = self._now(before, now)
        gain = _gain(there, now)
        return there * gain if 1 / MAX_GAIN < gain < MAX_GAIN else None

    def _now(self, before: Ground, now: Float32Array) -> Float32Array:
        """An earlier ground where it is seen ``now``, with what was not in its picture as it is now."""
        x, y = (here - there for here, there in zip(self.shift, before.shift, strict=True))
        return _moved(before.picture, (x * COMPARED_WIDTH, y * COMPARED_WIDTH), now) if x or y else before.picture

    def change(self, frame: BgrImage, at: float | None = None) -> Change:
        """What happened between the last frame and this, seen ``at`` so many seconds; by default now."""
        now, last, was_still = reduced(frame), self._last, self.still
        self._last, self.still = now, False
        if last is None or last.shape != now.shape:
            self.ground = self._below = None
            return Change.FIRST
        gain = _gain(last, now)
        moved = self._moved = _changed(last * gain, now)
        if abs(gain - 1) > MAX_LIGHT_CHANGE:
            self._relit, self._below = True, None
            return Change.LIGHT
        lumps = _has_blobs(moved)
        self.still = not lumps
        # A knock that blurs the picture is seen once that is still again.
        before = last if lumps else None if was_still or self.ground is None else self._now(self.ground, now)
        if before is not None and (by := _shift(before, now, crept=not lumps)) is not None:
            self.shift = self.shift[0] + by[0] / COMPARED_WIDTH, self.shift[1] + by[1] / COMPARED_WIDTH
            if lumps:
                return Change.CAMERA
        if moved.mean() > MIN_RUSH_SHARE or self._hand(now, time.monotonic() if at is None else at):
            return Change.HAND
        return Change.DICE if lumps else Change.STILL

    @property
    def latest(self) -> Ground | None:
        """The table as the last frame shows it."""
        return None if self._last is None else Ground(self._last, self.shift)

    def settle(self) -> None:
        """Take the table as it lies now for the ground that hands pass over."""
        now, self.ground = self._last, self.latest
        self._relit, self._covered_since = False, None
        if self._below is not None and self._over is not None and now is not None:
            over = self._now(self._over, np.zeros_like(now))
            self._below = Ground(np.where(over > 0, self._now(self._below, now), now), self.shift)

    def lain_still(self) -> None:
        """What seemed a hand belongs to the table until it goes: an arm that rests, or a map over the edge."""
        if self._below is None and self.ground is not None and self._last is not None:
            covered = _closed(self.differs(self.ground)).astype(np.float32)
            self._below, self._over = self.ground, Ground(covered, self.shift)
        self.settle()

    def _hand(self, now: Float32Array, at: float) -> bool:
        """Whether something large that was not there when the dice lay still reaches in over the border."""
        if self.ground is None or self._relit:
            return False
        if self._below is not None and not self._reaches_in(self._below, now):
            self.ground, self._below = self._below, None
        since = at if self._covered_since is None else self._covered_since
        self._covered_since = since if self._reaches_in(self.ground, now) else None
        return self._covered_since is not None and at - since < MAX_HAND_SECONDS

    def _reaches_in(self, ground: Ground, now: Float32Array) -> bool:
        _, _, boxes, _ = cv2.connectedComponentsWithStats(_closed(self.differs(ground)), connectivity=8)
        x, y, wide, high, area = boxes[1:].T
        room = np.minimum.reduce([x, y, now.shape[1] - x - wide, now.shape[0] - y - high])
        return bool(((room <= _BORDER) & (area > MIN_HAND_SHARE * now.size)).any())


def reduced(frame: BgrImage) -> Float32Array:
    """The grey picture (height, ``COMPARED_WIDTH``) by which frames are compared."""
    height, width = frame.shape[:2]
    size = (COMPARED_WIDTH, max(round(height * COMPARED_WIDTH / width), 8))
    grey = cv2.cvtColor(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.float32)


def _within(box: Box, frame: BgrImage) -> tuple[slice, slice]:
    """The part of a reduced picture in which a box of the whole ``frame`` lies."""
    left, top, right, foot = (max(int(side * COMPARED_WIDTH / frame.shape[1]), 0) for side in box)
    return slice(top, foot + 1), slice(left, right + 1)


def _gain(before: Float32Array, now: Float32Array) -> float:
    """By how much the light has grown over the whole picture."""
    return float(np.median((now + 4) / (before + 4)))


def _changed(before: Float32Array, now: Float32Array) -> npt.NDArray[np.bool_]:
    """Where two frames differ by more than noise, and by more than an edge that is shaken by half a pixel."""
    sway = cv2.dilate(before, np.ones((3, 3))) - cv2.erode(before, np.ones((3, 3)))
    return np.asarray(np.abs(now - before) > MIN_DIFFERENCE + EDGE_TOLERANCE * sway, np.bool_)


def _closed(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """A mask without gaps."""
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    return np.asarray(closed, np.uint8)


def changed_pixels(before: Float32Array, now: Float32Array) -> npt.NDArray[np.bool_] | None:
    """Where two reduced pictures differ by more than noise, whatever the light did; nothing where they do not show
    one table."""
    gain = _gain(before, now) if before.shape == now.shape else 0.0
    if abs(gain - 1) > MAX_LIGHT_CHANGE:
        return None
    changed = _changed(before * gain, now)
    if not _has_blobs(changed):
        return np.zeros_like(changed)
    return changed if _shift(before, now) is None else None


def _has_blobs(mask: npt.NDArray[np.bool_]) -> bool:
    _, _, boxes, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    return bool((boxes[1:, cv2.CC_STAT_AREA] >= MIN_CHANGED_PIXELS).any())


def _edges(frame: Float32Array) -> Float32Array:
    """The frame without its light and without its noise, for comparing places."""
    return np.asarray(cv2.GaussianBlur(frame, (0, 0), 1) - cv2.GaussianBlur(frame, (0, 0), 4), np.float32)


def _shift(before: Float32Array, now: Float32Array, *, crept: bool = False) -> Point | None:
    """By how many reduced pixels the whole picture has moved: laid over one another so, both differ much less."""
    was, seen = _edges(before * _gain(before, now)), _edges(now)
    fade = cv2.createHanningWindow((now.shape[1], now.shape[0]), cv2.CV_32F)
    (x, y), _ = cv2.phaseCorrelate(was * fade, seen * fade)
    least, most = (MIN_CREPT, MAX_CREPT_DIFFERENCE) if crept else (MIN_SHIFT, MAX_SHIFTED_DIFFERENCE)
    if not least <= max(abs(x), abs(y)) <= MAX_SHIFT * COMPARED_WIDTH:
        return None
    left = np.abs(seen - _moved(was, (x, y), was)).mean()
    return (x, y) if left < most * np.abs(seen - was).mean() else None


def _moved(picture: Float32Array, by: Point, beyond: Float32Array) -> Float32Array:
    """A reduced picture moved right and down; what was not in it is as in another."""
    way, size = np.array([[1, 0, by[0]], [0, 1, by[1]]], np.float64), (picture.shape[1], picture.shape[0])
    moved = cv2.warpAffine(picture, way, size, beyond.copy(), borderMode=cv2.BORDER_TRANSPARENT)
    return np.asarray(moved, np.float32)
