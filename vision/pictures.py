"""Reading and writing pictures.

A picture is a ``numpy`` array of shape (height, width, 3), dtype ``uint8``, channels in OpenCV's order: blue,
green, red. Positions are in pixels, x to the right, y down, from the top left corner.
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

from loomtable.engine.kernel.errors import FileUnreadable, LoomtableError

BgrImage = npt.NDArray[np.uint8]

MAX_PIXELS = 60_000_000
"""Larger pictures are refused before they are decoded: a small file can claim any size."""
MOST_PIXELS = 170_000_000
"""Beyond this even a picture that is reduced while it is decoded is refused."""
COMFORTABLE = 30_000_000
"""Pixels up to which a picture is read as it is where it may be reduced."""
KEPT = 24_500_000
"""Pixels of a picture from a phone that are kept: those of a camera of 24 megapixels, 6016 x 4016 and the like."""
_REDUCED = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


class PictureUnreadable(FileUnreadable):
    """The file is no picture, or a damaged one."""


class PictureUnwritable(LoomtableError):
    """A picture could not be written where it was asked for."""


def read_reduced(path: Path) -> tuple[BgrImage, float]:
    """Read a picture file as ``read_picture`` does, one of any size up to ``MOST_PIXELS`` reduced while it is
    decoded.

    Returns:
        The picture, and how many pixels of the file make one of its own along a side (1, 2, 4 or 8).

    Raises:
        PictureUnreadable: missing, empty, damaged, too large, or no picture at all.
    """
    encoded = _bytes_of(path)
    width, height = _size_of(encoded, str(path), MOST_PIXELS)
    factor = next((f for f in (1, 2, 4) if width * height <= f * f * COMFORTABLE), 8)
    return _decoded(encoded, str(path), _REDUCED[factor]), float(factor)


def read_picture(path: Path) -> BgrImage:
    """Read a picture file, turned as its camera held it (EXIF).

    Raises:
        PictureUnreadable: missing, damaged, larger than ``MAX_PIXELS``, or no picture at all.

    >>> from pathlib import Path
    >>> from loomtable import LoomtableError, read_picture
    >>> try:
    ...     read_picture(Path("missing.jpg"))
    ... except LoomtableError as error:
    ...     print(error)
    missing.jpg: there is no such file
    """
    return decode_picture(_bytes_of(path), str(path))


def decode_picture(encoded: bytes, name: str) -> BgrImage:
    """Decode a JPEG, PNG or other common picture; ``name`` is what messages call it.

    Raises:
        PictureUnreadable: damaged, larger than ``MAX_PIXELS``, or no picture at all.
    """
    _size_of(encoded, name, MAX_PIXELS)
    return _decoded(encoded, name, cv2.IMREAD_COLOR)


def decode_upload(encoded: bytes, name: str) -> BgrImage:
    """Decode a picture that somebody sent, within ``KEPT`` pixels: a JPEG of more is reduced while it is decoded,
    so that the whole of it is never in memory.

    Raises:
        PictureUnreadable: damaged, larger than ``MAX_PIXELS``, too large to be reduced, or no picture at all.
    """
    width, height = _size_of(encoded, name, MAX_PIXELS)
    kind, progressive = _kind_of(encoded)
    most = KEPT // 2 if progressive else KEPT  # all of a progressive one lies in memory while it is decoded
    if width * height <= most:
        return _decoded(encoded, name, cv2.IMREAD_COLOR)
    if kind != "JPEG" or progressive:
        which = "progressive JPEG" if progressive else kind
        raise PictureUnreadable(
            f"{name}: is too large for a {which} ({width} x {height} pixels; {most:,} at most); send a plain JPEG"
        )
    return _decoded(encoded, name, _REDUCED[2])  # MAX_PIXELS is less than four times KEPT


def size_of_picture(encoded: bytes, name: str) -> tuple[int, int]:
    """Width and height that a picture's header tells, px; nothing is decoded.

    Raises:
        PictureUnreadable: larger than ``MOST_PIXELS``, or no picture at all.
    """
    return _size_of(encoded, name, MOST_PIXELS)


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise PictureUnreadable(f"{path}: there is no such file") from None
    except OSError as error:
        raise PictureUnreadable(f"{path}: cannot be read ({error.strerror})") from None


def _decoded(encoded: bytes, name: str, how: int) -> BgrImage:
    if _cut_short(encoded):
        raise PictureUnreadable(f"{name}: the picture is cut short; copy the file again")
    decoded = cv2.imdecode(np.frombuffer(encoded, np.uint8), how)
    if decoded is None:
        raise PictureUnreadable(f"{name}: the picture is damaged and cannot be read")
    return np.asarray(decoded, np.uint8)


def _size_of(encoded: bytes, name: str, most: int) -> tuple[int, int]:
    if not encoded:
        raise PictureUnreadable(f"{name}: the file is empty")
    try:
        with _opened(encoded) as header:
            width, height = header.size
    except Image.DecompressionBombError:
        raise PictureUnreadable(f"{name}: is too large ({most:,} pixels at most)") from None
    except (UnidentifiedImageError, OSError, ValueError):
        raise PictureUnreadable(f"{name}: is not a picture") from None
    if width * height > most:
        raise PictureUnreadable(f"{name}: is too large ({width} x {height} pixels; {most:,} at most)")
    return width, height


def _kind_of(encoded: bytes) -> tuple[str, bool]:
    """The format of a picture, and whether it is a progressive JPEG."""
    with _opened(encoded) as header:
        return header.format or "picture", bool(header.info.get("progressive"))


def _opened(encoded: bytes) -> Image.Image:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # its size is held against a limit of ours
        return Image.open(io.BytesIO(encoded))


def _cut_short(encoded: bytes) -> bool:
    """Whether a JPEG ends in the middle: OpenCV fills what is missing with grey and says nothing."""
    if not encoded.startswith(b"\xff\xd8") or encoded.rfind(b"\xff\xd9") > encoded.rfind(b"\xff\xda"):
        return False
    # No end after the last scan; but some cameras write more behind the picture, so ask a decoder that tells.
    try:
        with _opened(encoded) as picture:
            picture.draft("RGB", (picture.width // 8, picture.height // 8))  # in little memory
            picture.load()
    except OSError:
        return True
    return False


def write_picture(path: Path, picture: BgrImage) -> None:
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
        raise PictureUnwritable(f"{path}: cannot be written ({error.strerror}); choose another folder") from None
