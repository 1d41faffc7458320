"""What every source of pictures is: a run of frames that can be read and closed."""

from __future__ import annotations

import contextlib
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from types import TracebackType
from typing import Self

import cv2
import numpy as np
from cv2.utils import logging

from loomtable.engine.kernel.errors import Broken
from loomtable.vision.pictures import BgrImage

# FFmpeg writes about addresses that do not answer; our own sentence says it better. Read when it is first used.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


class CameraLost(Broken):
    """A camera that was open sends no more pictures."""


class FrameSource(ABC):
    """A run of pictures (BGR). Iterate over it, or call ``read``; close it by ``with`` or ``close``."""

    name: str
    """What messages call it."""
    live: bool = False
    """Whether pictures are lost that are not read in time, and the run has no end of its own."""

    @abstractmethod
    def read(self) -> BgrImage | None:
        """The next picture, or nothing at the end.

        Raises:
            CameraLost: a camera stopped sending.
            PictureUnreadable: a picture file is damaged.
        """

    @abstractmethod
    def close(self) -> None:
        """Give the camera or file back; closing twice does nothing."""

    def __iter__(self) -> Iterator[BgrImage]:
        while (picture := self.read()) is not None:
            yield picture

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep OpenCV from writing about cameras that it cannot open; our own sentence says it better."""
    before = logging.getLogLevel()
    logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        logging.setLogLevel(before)


class Captured(FrameSource):
    """Whatever OpenCV captures."""

    def __init__(self, capture: cv2.VideoCapture, name: str) -> None:
        self.name = name
        self._capture = capture

    def read(self) -> BgrImage | None:
        with quiet():
            good, picture = self._capture.read()
        return np.asarray(picture, np.uint8) if good and picture is not None else None

    def close(self) -> None:
        self._capture.release()
