"""How a camera of this machine is set up: the largest picture that comes quickly enough, a focus that stays.
Numbers here are set by hand."""

from __future__ import annotations

import time

import cv2
import msgspec
import numpy as np

from loomtable.vision.pictures import BgrImage

SIZES = ((3840, 2160), (2560, 1440), (1920, 1080), (1280, 720), (640, 480))
"""Sizes that are asked for, the largest first. By definition."""
FAST_ENOUGH = 15.0
"""Pictures a second that a camera should send; one that sends fewer shows hands and rolling dice too late."""
_WARM, _TIMED = 3, 6
"""Frames that are thrown away, and then timed."""
_LONGEST = 1.5
"""Seconds for which one size is tried."""
_FOCUS_FRAMES, _STEADY, _ALIKE = 45, 6, 0.04
"""Frames for which the focus is waited for, in how many it must stay, and by which share it may differ."""


class Mode(msgspec.Struct, frozen=True):
    """A size of picture (px), and how many of them came in a second when it was tried."""

    width: int
    height: int
    frames_a_second: float

    def __str__(self) -> str:
        return f"{self.width} x {self.height}, {self.frames_a_second:.0f} pictures a second"


def best_mode(capture: cv2.VideoCapture) -> Mode:
    """Set the camera to the largest size that comes at least ``FAST_ENOUGH`` times a second, and say which it is.

    Where none does - in a dim room cameras are slow at every size - it is the fastest, and of equals the largest.
    """
    # Many webcams send large pictures quickly only as JPEG, and have to be asked before the size.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    tried: list[tuple[tuple[int, int], Mode]] = []
    for size in SIZES:
        mode = _try(capture, size)
        # A camera that has no such size takes another: what it really sends is what counts.
        if mode is None or any((mode.width, mode.height) == (other.width, other.height) for _, other in tried):
            continue
        tried.append((size, mode))
        if mode.frames_a_second >= FAST_ENOUGH:
            return mode
    if not tried:
        return Mode(0, 0, 0.0)
    size, best = max(tried, key=lambda entry: (round(entry[1].frames_a_second), entry[1].width))
    if tried[-1] != (size, best):
        _ask(capture, size)
    return best


def settle_focus(capture: cv2.VideoCapture) -> BgrImage | None:
    """Let the camera find its focus and exposure, then hold the focus: one that hunts blurs card after card.

    Returns the last picture, or nothing where none came. Cameras without autofocus are left as they are.
    """
    focuses = bool(capture.set(cv2.CAP_PROP_AUTOFOCUS, 1))
    last: BgrImage | None = None
    sharpness: list[float] = []
    for _ in range(_FOCUS_FRAMES):
        good, picture = capture.read()
        if not good or picture is None:
            break
        last = np.asarray(picture, np.uint8)
        sharpness.append(_sharpness(last))
        recent = sharpness[-_STEADY:]
        if len(recent) == _STEADY and max(recent) - min(recent) <= _ALIKE * max(*recent, 1e-6):
            break
    if focuses and last is not None:
        capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
    return last


def _ask(capture: cv2.VideoCapture, size: tuple[int, int]) -> None:
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])


def _try(capture: cv2.VideoCapture, size: tuple[int, int]) -> Mode | None:
    _ask(capture, size)
    begun = timed = time.perf_counter()
    shape: tuple[int, ...] = ()
    count = 0
    for number in range(_WARM + _TIMED):
        good, picture = capture.read()
        if not good or picture is None:
            break
        shape = picture.shape
        if number == _WARM - 1:
            timed = time.perf_counter()
        count = max(number - _WARM + 1, 0)
        if time.perf_counter() - begun > _LONGEST:
            break
    if not shape:
        return None
    rate = count / max(time.perf_counter() - timed, 1e-6) if count else 1 / max(time.perf_counter() - begun, 1e-6)
    return Mode(int(shape[1]), int(shape[0]), round(min(rate, 240.0), 1))


def _sharpness(picture: BgrImage) -> float:
    """Grows with the focus: the mean square of the steps between pixels, at half the size."""
    small = cv2.cvtColor(picture[::2, ::2], cv2.COLOR_BGR2GRAY).astype(np.float32)
    return float(np.square(np.diff(small, axis=1)).mean())
