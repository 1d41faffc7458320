"""Reading and writing pictures.

A picture is a ``numpy`` array of shape (height, width, 3), dtype ``uint8``, channels in OpenCV's order: blue,
green, red. Positions are in pixels, x right and down from the top left corner. Numbers here are bound by memory.
"""

from __future__ import annotations

import io
import math
import struct
import warnings
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import ExifTags, Image, UnidentifiedImageError

from loomtable.engine.kernel.errors import Broken, FileUnreadable
from loomtable.vision.arrays import GrayImage

BgrImage = npt.NDArray[np.uint8]

MAX_PIXELS = 60_000_000
"""Larger pictures are refused before they are decoded: a small file can claim any size."""
MOST_PIXELS = 170_000_000
"""Beyond this even a picture that is reduced is refused."""
KEPT = 12_600_000
"""Pixels of a picture that are kept where it may be reduced: those of a phone of 12 megapixels, from which the
distances for dice and codes are told (``docs/camera-and-mat.md``)."""
DECODED = 24_500_000
"""Pixels that are decoded whole, to be reduced with care afterwards; a larger JPEG is reduced as it is decoded."""
DECODED_PROGRESSIVE = 16_000_000
"""The same of a progressive JPEG, all of whose coefficients lie in memory beside its pixels."""
DECODED_WEBP = 8_300_000
"""Of a WebP, whose decoder takes sixteen bytes a pixel: those of a 4K picture."""
LONGEST = 100
"""Longer side over shorter one: a longer strip leaves the detector a row of pixels or two. Set by hand."""
FROM_PHONES = ("JPEG", "PNG", "WEBP")
"""What is decoded of what others send."""
FROM_FILES = (*FROM_PHONES, "BMP", "GIF", "TIFF")
"""What is decoded of this machine's own files."""
_BAND = 256
"""Rows that are converted at once: Pillow's four bytes a pixel and ours never both lie in memory for all rows."""
_TURNED: dict[int, Callable[[BgrImage], npt.NDArray[np.generic]]] = {
    2: lambda held: np.fliplr(held),
    3: lambda held: np.rot90(held, 2),
    4: lambda held: np.flipud(held),
    5: lambda held: np.rot90(np.fliplr(held)),
    6: lambda held: np.rot90(held, -1),
    7: lambda held: np.rot90(np.fliplr(held), -1),
    8: lambda held: np.rot90(held),
}
"""What turns a picture upright, by the orientation that its camera noted (EXIF)."""


class PictureUnreadable(FileUnreadable):
    """The file is no picture, or a damaged one."""


class PictureUnwritable(Broken):
    """A picture could not be written where it was asked for."""


def check_picture(picture: BgrImage) -> None:
    """Refuse what is no picture, before a reader stumbles over it.

    Raises:
        PictureUnreadable: it is no array of shape (height, width, 3) of ``uint8``, or an empty one, or a strip.
    """
    _check_array(picture, grey=False)
    _refuse_strip(picture.shape[1], picture.shape[0], "the picture")


def to_gray(picture: BgrImage | GrayImage) -> GrayImage:
    """A picture in one channel, or one that has no more, for what is read at its own size: it may be a strip.

    Raises:
        PictureUnreadable: it is no array of shape (height, width[, 3]) of ``uint8``, or an empty one.
    """
    _check_array(picture, grey=True)
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.ascontiguousarray(grey, np.uint8)


def _check_array(picture: object, *, grey: bool) -> None:
    wanted = "a picture is a numpy array of shape (height, width, 3), blue green red, dtype uint8"
    if not isinstance(picture, np.ndarray):
        raise PictureUnreadable(f"{wanted}; this is {type(picture).__name__!r}; read a file with read_picture")
    good = (picture.ndim == 3 and picture.shape[2] == 3) or (grey and picture.ndim == 2)
    if not good or not picture.size or picture.dtype != np.uint8:
        shape = " x ".join(map(str, picture.shape)) or "no shape"
        raise PictureUnreadable(f"{wanted}; this one is {shape}, {picture.dtype}; convert it first")


def _refuse_strip(wide: int, high: int, name: str) -> None:
    if max(wide, high) > LONGEST * min(wide, high):
        raise PictureUnreadable(f"{name}: is too thin ({wide} x {high} pixels; {LONGEST} to 1 at most)")


def read_reduced(path: Path) -> tuple[BgrImage, float]:
    """Read a picture file as ``read_picture`` does, one of any size up to ``MOST_PIXELS`` reduced to ``KEPT``.

    Returns:
        The picture, and how many pixels of the file make one of its own along a side (1 or more).

    Raises:
        PictureUnreadable: missing, empty, damaged, too large, or no picture at all.
    """
    with _opened(_bytes_of(path), str(path), FROM_FILES, MOST_PIXELS) as opened:
        pixels = opened.width * opened.height
        picture = _decoded(opened, str(path), KEPT)
    return picture, max(1.0, math.sqrt(pixels / (picture.shape[0] * picture.shape[1])))


def read_picture(path: str | Path) -> BgrImage:
    """Read a picture file, turned as its camera held it (EXIF).

    Raises:
        PictureUnreadable: missing, damaged, larger than ``MAX_PIXELS``, or no picture at all.

    >>> from loomtable import LoomtableError, read_picture
    >>> try:
    ...     read_picture("missing.jpg")
    ... except LoomtableError as error:
    ...     print(error)
    missing.jpg: there is no such file
    """
    return decode_picture(_bytes_of(Path(path)), str(path))


def decode_picture(encoded: bytes, name: str) -> BgrImage:
    """Decode a JPEG, PNG or other common picture; ``name`` is what messages call it.

    Raises:
        PictureUnreadable: damaged, larger than ``MAX_PIXELS``, or no picture at all.
    """
    with _opened(encoded, name, FROM_FILES, MAX_PIXELS) as opened:
        return _decoded(opened, name)


def decode_upload(encoded: bytes, name: str) -> BgrImage:
    """Decode a picture that somebody sent, reduced to ``KEPT`` pixels, in less than 200 MB.

    Raises:
        PictureUnreadable: damaged, larger than ``MAX_PIXELS``, too large to be reduced while it is decoded, or of
            a format that phones do not send.
    """
    with _opened(encoded, name, FROM_PHONES, MAX_PIXELS) as opened:
        progressive, webp = bool(opened.info.get("progressive")), opened.format == "WEBP"
        most = DECODED_WEBP if webp else DECODED if progressive or opened.format == "PNG" else MAX_PIXELS
        if opened.width * opened.height > most:
            which = "progressive JPEG" if progressive else "WebP" if webp else "PNG"
            raise PictureUnreadable(
                f"{name}: is too large for a {which} ({opened.width} x {opened.height} pixels; {most:,} at most); "
                "send a plain JPEG"
            )
        return _decoded(opened, name, KEPT)


def size_of_picture(encoded: bytes, name: str) -> tuple[int, int]:
    """Width and height that the header of a picture that somebody sent tells, px; nothing is decoded.

    Raises:
        PictureUnreadable: larger than ``MOST_PIXELS``, or no picture at all.
    """
    with _opened(encoded, name, FROM_PHONES, MOST_PIXELS) as opened:
        return opened.size


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise PictureUnreadable(f"{path}: there is no such file") from None
    except OSError as error:
        raise PictureUnreadable(f"{path}: cannot be read ({error.strerror})") from None


def _opened(encoded: bytes, name: str, formats: tuple[str, ...], most: int) -> Image.Image:
    """A picture whose header has been read, and no more."""
    if not encoded:
        raise PictureUnreadable(f"{name}: the file is empty")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # sizes and damage are ours to tell
            opened = Image.open(io.BytesIO(encoded), formats=formats)
    except Image.DecompressionBombError:
        raise PictureUnreadable(f"{name}: is too large ({most:,} pixels at most)") from None
    except (UnidentifiedImageError, OSError, ValueError, struct.error):
        taken = f"{', '.join(formats[:-1])} or {formats[-1]}".replace("WEBP", "WebP")
        raise PictureUnreadable(f"{name}: is not a picture that can be read here; take a {taken}") from None
    if opened.width * opened.height > most:
        raise PictureUnreadable(
            f"{name}: is too large ({opened.width} x {opened.height} pixels; {most:,} at most)"
        )
    _refuse_strip(*opened.size, name)
    return opened


def _decoded(opened: Image.Image, name: str, kept: int | None = None) -> BgrImage:
    """All pixels, or about ``kept`` of them, upright; the picture is closed."""
    turned = _TURNED.get(_orientation(opened))
    wide, high = opened.size
    if kept is not None and wide * high > kept:
        scale = math.sqrt(kept / (wide * high))
        wide, high = max(round(wide * scale), 1), max(round(high * scale), 1)
        whole = DECODED_PROGRESSIVE if opened.info.get("progressive") else DECODED
        factor = next((f for f in (1, 2, 4) if opened.width * opened.height <= f * f * whole), 8)
        if factor > 1:
            opened.draft("RGB", (opened.width // factor, opened.height // factor))  # only a JPEG heeds it
            wide, high = min(wide, opened.width), min(high, opened.height)
    picture = np.empty((high, wide, 3), np.uint8)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            opened.load()
            for top in range(0, high, _BAND):
                rows = slice(top, min(top + _BAND, high))
                cv2.cvtColor(_rgb(opened, wide, high, rows), cv2.COLOR_RGB2BGR, picture[rows])
    except (OSError, ValueError, SyntaxError, EOFError, struct.error) as error:
        if "truncated" in str(error):
            raise PictureUnreadable(f"{name}: the picture is cut short; copy the file again") from None
        raise PictureUnreadable(f"{name}: the picture is damaged and cannot be read") from None
    opened.close()  # its pixels are given back before they are needed once more
    return picture if turned is None else np.ascontiguousarray(turned(picture), np.uint8)


def _rgb(opened: Image.Image, wide: int, high: int, rows: slice) -> npt.NDArray[np.uint8]:
    """Some rows of a decoded picture that is brought to ``wide`` x ``high`` pixels: red, green, blue."""
    if (wide, high) == opened.size:
        return np.asarray(_eight_bits(opened.crop((0, rows.start, wide, rows.stop))), np.uint8)
    step = opened.height / high
    beside = math.ceil(step) + 1  # the filter reaches into the rows above and below
    first, last = max(math.floor(rows.start * step) - beside, 0), math.ceil(rows.stop * step) + beside
    band = _eight_bits(opened.crop((0, first, opened.width, min(last, opened.height))))
    box = (0, rows.start * step - first, opened.width, min(rows.stop * step, opened.height) - first)
    return np.asarray(band.resize((wide, rows.stop - rows.start), Image.Resampling.HAMMING, box), np.uint8)


def _eight_bits(band: Image.Image) -> Image.Image:
    if band.mode.startswith("I;16"):  # Pillow would cut off what is above 255
        band = Image.fromarray((np.asarray(band) >> 8).astype(np.uint8))
    return band.convert("RGB")


def _orientation(opened: Image.Image) -> int:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return int(opened.getexif().get(ExifTags.Base.Orientation, 1))
    except (OSError, ValueError, TypeError, SyntaxError, LookupError, struct.error):
        return 1  # what the camera noted is damaged, and not its picture


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
