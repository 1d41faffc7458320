"""Where pictures come from: a camera, a video, a picture or a folder of them, all behind one small interface.

with open_source(0) as camera:
    for picture in camera:
        ...
"""

from __future__ import annotations

import contextlib
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import msgspec
import numpy as np
from cv2.utils import logging

from engine.kernel.errors import FileUnreadable, LoomtableError
from vision.pictures import Picture, read_picture

PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"})

_PROBED = 4
_LINUX = sys.platform.startswith("linux")
_DEVICES = Path("/dev")
_DEVICE_NAMES = Path("/sys/class/video4linux")


class CameraMissing(LoomtableError):
    """No camera of this number can be opened; the message says what there is instead."""


class CameraLost(LoomtableError):
    """A camera that was open sends no more pictures."""


class VideoUnreadable(FileUnreadable):
    """A video file is missing or damaged, or is no video."""


class CameraInfo(msgspec.Struct, frozen=True):
    """A camera of this machine: the number to open it by, and its name where the system tells it."""

    number: int
    name: str


class FrameSource(ABC):
    """A run of pictures (BGR). Iterate over it, or call ``read``; close it by ``with`` or ``close``."""

    name: str
    """What messages call it."""
    live: bool = False
    """Whether pictures are lost that are not read in time, and the run has no end of its own."""

    @abstractmethod
    def read(self) -> Picture | None:
        """The next picture, or nothing at the end.

        Raises:
            CameraLost: a camera stopped sending.
            PictureUnreadable: a picture file is damaged.
        """

    @abstractmethod
    def close(self) -> None:
        """Give the camera or file back; closing twice does nothing."""

    def __iter__(self) -> Iterator[Picture]:
        while (picture := self.read()) is not None:
            yield picture

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()


class PictureRun(FrameSource):
    """Pictures that exist already or are made as they are asked for, such as those of the virtual camera."""

    def __init__(self, pictures: Iterable[Picture], name: str = "pictures") -> None:
        self.name = name
        self._left = iter(pictures)

    def read(self) -> Picture | None:
        return next(self._left, None)

    def close(self) -> None:
        self._left = iter(())


class PictureFiles(PictureRun):
    """One picture file, or all in a folder by name (numbers in names count as numbers: 9 before 10).

    Raises:
        FileUnreadable: there is no such file or folder, or no picture in the folder.
    """

    def __init__(self, path: Path) -> None:
        self.files = _files(path)
        super().__init__((read_picture(file) for file in self.files), str(path))


class _Captured(FrameSource):
    """Whatever OpenCV captures."""

    def __init__(self, capture: cv2.VideoCapture, name: str) -> None:
        self.name = name
        self._capture = capture

    def close(self) -> None:
        self._capture.release()

    def _next(self) -> Picture | None:
        with _quiet():
            good, picture = self._capture.read()
        return np.asarray(picture, np.uint8) if good and picture is not None else None


class VideoFile(_Captured):
    """The pictures of a video file, one after another, as fast as they are read.

    Raises:
        VideoUnreadable: missing, damaged, or no video.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise VideoUnreadable(f"{path}: there is no such file")
        with _quiet():
            capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not capture.isOpened():
            raise VideoUnreadable(f"{path}: is neither a picture nor a video that can be read")
        super().__init__(capture, str(path))

    def read(self) -> Picture | None:
        return self._next()


class CameraDevice(_Captured):
    """A camera of this machine, by its number.

    Raises:
        CameraMissing: it cannot be opened.
    """

    live = True

    def __init__(self, number: int, frame: tuple[int, int] = (1280, 720)) -> None:
        self.number = number
        with _quiet():
            capture = cv2.VideoCapture(number) if number >= 0 else cv2.VideoCapture()
        if not capture.isOpened():
            raise CameraMissing(_missing(number))
        # Many webcams send large pictures quickly only as JPEG, and have to be asked before the size.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        # Asked for, not demanded: a camera that has no such size chooses the nearest it has.
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, frame[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, frame[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        super().__init__(capture, f"camera {number}")

    def read(self) -> Picture | None:
        """The camera's next picture; it always has one.

        Raises:
            CameraLost: several tries in a row gave nothing.
        """
        if not self._capture.isOpened():
            return None
        for _ in range(10):
            if (picture := self._next()) is not None:
                return picture
            time.sleep(0.05)
        raise CameraLost(f"{self.name} sends no more pictures; is it still plugged in?")


def open_source(spec: str | int | Path) -> FrameSource:
    """Open a camera by its number (``0``, ``"0"``), or a video, a picture or a folder of pictures by its path.

    Raises:
        CameraMissing: no camera of this number can be opened.
        FileUnreadable: the path does not exist or holds nothing that can be shown.
    """
    if isinstance(spec, int):
        return CameraDevice(spec)
    text = str(spec).strip()
    if isinstance(spec, str) and text.removeprefix("-").isdecimal() and not Path(text).exists():
        return CameraDevice(int(text))
    path = Path(spec)
    if path.parent == _DEVICES and path.name.removeprefix("video").isdecimal():
        return CameraDevice(int(path.name.removeprefix("video")))
    if path.is_dir() or path.suffix.lower() in PICTURE_SUFFIXES:
        return PictureFiles(path)
    if not path.exists():
        raise FileUnreadable(f"{text!r} is neither the number of a camera nor a file or folder that exists")
    return VideoFile(path)


def cameras() -> tuple[CameraInfo, ...]:
    """The cameras of this machine, by number. On Linux nothing is opened; elsewhere the first few are tried."""
    if _LINUX:
        return _linux_cameras(_DEVICES, _DEVICE_NAMES)
    return tuple(CameraInfo(number, f"camera {number}") for number in range(_PROBED) if _answers(number))


def _linux_cameras(devices: Path, names: Path) -> tuple[CameraInfo, ...]:
    found = []
    for device in devices.glob("video*"):
        digits = device.name.removeprefix("video")
        about = names / device.name
        # A webcam shows up twice: its second node, index 1, gives descriptions of pictures, not pictures.
        if digits.isdecimal() and _line(about / "index") in ("", "0"):
            found.append(CameraInfo(int(digits), _line(about / "name") or f"camera {digits}"))
    return tuple(sorted(found, key=lambda camera: camera.number))


def _line(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _answers(number: int) -> bool:
    with _quiet():
        capture = cv2.VideoCapture(number)
        there = capture.isOpened()
        capture.release()
    return bool(there)


def _missing(number: int) -> str:
    others = [camera for camera in cameras() if camera.number != number]
    if not others:
        return f"camera {number} cannot be opened; this machine shows no camera at all"
    listed = ", ".join(f"{camera.number} ({camera.name})" for camera in others)
    return f"camera {number} cannot be opened; there is {listed}"


def _files(path: Path) -> tuple[Path, ...]:
    if not path.is_dir():
        if not path.exists():
            raise FileUnreadable(f"{path}: there is no such file")
        return (path,)
    files = [file for file in path.iterdir() if file.suffix.lower() in PICTURE_SUFFIXES and file.is_file()]
    if not files:
        raise FileUnreadable(f"{path}: there is no picture in this folder")
    return tuple(sorted(files, key=lambda file: _counted(file.name)))


def _counted(name: str) -> list[tuple[int, str]]:
    """A sorting key in which numbers count as numbers."""
    parts: list[tuple[int, str]] = []
    digits = ""
    for character in name.lower() + "\0":
        if character.isdecimal() and character.isascii():
            digits += character
            continue
        if digits:
            parts.append((int(digits), ""))
            digits = ""
        parts.append((0, character))
    return parts


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep OpenCV from writing about cameras that it cannot open; our own sentence says it better."""
    before = logging.getLogLevel()
    logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        logging.setLogLevel(before)
