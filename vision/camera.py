"""Where pictures come from: a camera, a video, a picture or a folder of them, all behind one small interface.

with open_source(0) as camera:
    for picture in camera:
        ...
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import cv2
import msgspec

from loomtable.engine.kernel.errors import FileUnreadable, Missing
from loomtable.vision.camera_base import CameraLost as CameraLost
from loomtable.vision.camera_base import Captured, quiet
from loomtable.vision.camera_base import FrameSource as FrameSource
from loomtable.vision.camera_modes import Mode, best_mode, settle_focus
from loomtable.vision.network_camera import is_address, open_address
from loomtable.vision.pictures import BgrImage, read_picture

PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"})

MAX_CAMERA = 999
"""No machine has so many. Bound by OpenCV, which takes larger numbers for a way to open one."""
MAX_SPEC = 1000
"""Characters of the number, address or path of a camera. Bound by memory."""
_PROBED = 4
"""Cameras that are looked for where the system does not list them. Bound by time."""
_LINUX = sys.platform.startswith("linux")
_DEVICES = Path("/dev")
_DEVICE_NAMES = Path("/sys/class/video4linux")


class CameraMissing(Missing):
    """No camera of this number can be opened; the message says what there is instead."""


class VideoUnreadable(FileUnreadable):
    """A video file is missing or damaged, or is no video."""


class CameraInfo(msgspec.Struct, frozen=True):
    """A camera of this machine: the number to open it by, and its name where the system tells it."""

    number: int
    name: str


class PictureRun(FrameSource):
    """Pictures that exist already or are made as they are asked for, such as those of the virtual camera."""

    def __init__(self, pictures: Iterable[BgrImage], name: str = "pictures") -> None:
        self.name = name
        self._left = iter(pictures)

    def read(self) -> BgrImage | None:
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


class VideoFile(Captured):
    """The pictures of a video file, one after another, as fast as they are read.

    Raises:
        VideoUnreadable: missing, damaged, or no video.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise VideoUnreadable(f"{path}: there is no such file")
        with quiet():
            capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not capture.isOpened():
            raise VideoUnreadable(f"{path}: is neither a picture nor a video that can be read")
        super().__init__(capture, str(path))


class CameraDevice(Captured):
    """A camera of this machine, by its number.

    Raises:
        CameraMissing: it cannot be opened.
    """

    live = True

    def __init__(self, number: int) -> None:
        self.number = number
        with quiet():
            capture = cv2.VideoCapture(number) if 0 <= number <= MAX_CAMERA else cv2.VideoCapture()
        if not capture.isOpened():
            raise CameraMissing(_missing(number))
        super().__init__(capture, f"camera {number}")
        with quiet():
            self.mode: Mode = best_mode(capture)
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def settle(self) -> BgrImage | None:
        """Let exposure and focus find their place, and hold the focus there; the last picture, if any came."""
        with quiet():
            return settle_focus(self._capture)

    def read(self) -> BgrImage | None:
        """The camera's next picture; it always has one.

        Raises:
            CameraLost: several tries in a row gave nothing.
        """
        if not self._capture.isOpened():
            return None
        for _ in range(10):
            if (picture := super().read()) is not None:
                return picture
            time.sleep(0.05)
        raise CameraLost(f"{self.name} sends no more pictures; is it still plugged in?")


def open_source(spec: str | int | Path) -> FrameSource:
    """Open a camera by its number (``0``, ``"0"``) or its address (``http://...``, ``rtsp://...``), or a video, a
    picture or a folder of pictures by its path.

    Raises:
        CameraMissing: no camera of this number can be opened.
        AddressUnusable: no pictures come from this address.
        FileUnreadable: the path does not exist or holds nothing that can be shown.
    """
    if isinstance(spec, int):
        return CameraDevice(spec)
    text = str(spec).strip()
    if len(text) > MAX_SPEC:
        raise FileUnreadable(f"{text[:40]!r}... is neither a camera nor a file; it has {len(text)} characters")
    if isinstance(spec, str) and text.removeprefix("-").isdecimal() and not _exists(Path(text)):
        return CameraDevice(int(text))
    if isinstance(spec, str) and is_address(text):
        return open_address(text)
    path = Path(spec)
    if path.parent == _DEVICES and path.name.removeprefix("video").isdecimal():
        return CameraDevice(int(path.name.removeprefix("video")))
    try:
        if path.is_dir() or path.suffix.lower() in PICTURE_SUFFIXES:
            return PictureFiles(path)
        if path.exists():
            return VideoFile(path)
    except (OSError, ValueError):  # a name that no file can have, or a folder that may not be entered
        pass
    raise FileUnreadable(f"{text[:80]!r} is neither the number of a camera nor a file or folder that exists")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name longer than a file system takes
        return False


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
    with quiet():
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
    parts = re.findall("[0-9]+|[^0-9]", name.lower() + "\0")
    return [(int(part), "") if part.isdecimal() and part.isascii() else (0, part) for part in parts]
