"""Reading and writing pictures.

A picture is a ``numpy`` array of shape (height, width, 3), dtype ``uint8``, channels in OpenCV's order: blue,
green, red. Positions are in pixels, x to the right, y down, from the top left corner.
"""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

from engine.kernel.errors import FileUnreadable, LoomtableError

Picture = npt.NDArray[np.uint8]

MAX_PIXELS = 60_000_000
"""Larger pictures are refused before they are decoded: a small file can claim any size."""


class PictureUnreadable(FileUnreadable):
    """The file is no picture, or a damaged one."""


class PictureUnwritable(LoomtableError):
    """A picture could not be written where it was asked for."""


def read_picture(path: Path) -> Picture:
    """Read a picture file, turned as its camera held it (EXIF).

    Raises:
        PictureUnreadable: missing, damaged, larger than ``MAX_PIXELS``, or no picture at all.
    """
    try:
        encoded = path.read_bytes()
    except FileNotFoundError:
        raise PictureUnreadable(f"{path}: there is no such file") from None
    except OSError as error:
        raise PictureUnreadable(f"{path}: cannot be read ({error.strerror})") from None
    return decode_picture(encoded, str(path))


def decode_picture(encoded: bytes, name: str) -> Picture:
    """Decode a JPEG, PNG or other common picture; ``name`` is what messages call it.

    Raises:
        PictureUnreadable: damaged, larger than ``MAX_PIXELS``, or no picture at all.
    """
    _check_header(encoded, name)
    decoded = cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR)
    if decoded is None:
        raise PictureUnreadable(f"{name}: the picture is damaged and cannot be read")
    return np.asarray(decoded, np.uint8)


def _check_header(encoded: bytes, name: str) -> None:
    try:
        with Image.open(io.BytesIO(encoded)) as header:
            width, height = header.size
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError):
        raise PictureUnreadable(f"{name}: is not a picture") from None
    if width * height > MAX_PIXELS:
        raise PictureUnreadable(f"{name}: is too large ({width} x {height} pixels; {MAX_PIXELS:,} at most)")


def write_picture(path: Path, picture: Picture) -> None:
    """Write a picture beside its place and rename it there, so that nobody finds half a file.

    Raises:
        PictureUnwritable: the format is unknown or the folder cannot be written.
    """
    ok, encoded = cv2.imencode(path.suffix or ".png", picture)
    if not ok:
        raise PictureUnwritable(f"{path}: pictures cannot be written as {path.suffix or 'a file without suffix'}")
    beside = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(encoded.tobytes())
        beside.replace(path)
    except OSError as error:
        raise PictureUnwritable(f"{path}: cannot be written ({error.strerror})") from None
