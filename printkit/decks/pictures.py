"""Pictures of one's own on cards, as every viewer shows them."""

from __future__ import annotations

import warnings
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import ExifTags, Image, ImageOps

from loomtable.printkit.decks.template import Area
from loomtable.printkit.draw.path import rect
from loomtable.printkit.draw.pen import Pen, Picture
from loomtable.printkit.errors import DeckInvalid

LEAST_DPI = 300
_MOST_PIXELS = 100_000_000
_WHITE_16 = 0xFFFF


def draw_picture(pen: Pen, path: Path, at: Area, called: str) -> None:
    """A picture file, filling a box; what stands over at two sides is cut off.

    What lies below shows where it is clear.

    Raises:
        DeckInvalid: it cannot be read or is too small; the message begins with ``called``.
    """
    left, bottom, width, height = at
    name = path.name
    picture = opened_picture(path, called)
    across, down = picture.image.size
    scale = max(width / across, height / down)
    dpi = 25.4 / scale
    if dpi < LEAST_DPI:
        need = f"{round(width / 25.4 * LEAST_DPI)} x {round(height / 25.4 * LEAST_DPI)}"
        raise DeckInvalid(
            f"{called}: {name} has {across} x {down} pixels, only {dpi:.0f} dpi "
            f"on {width:g} x {height:g} mm; {LEAST_DPI} dpi need {need} pixels"
        )
    shown_width, shown_height = across * scale, down * scale
    x, y = left + (width - shown_width) / 2, bottom + (height - shown_height) / 2
    with pen.clipped(rect(left, bottom, width, height)):
        pen.picture(picture, (x, y, shown_width, shown_height))


def opened_picture(path: Path, called: str) -> Picture:
    """The picture in a file, upright.

    Raises:
        DeckInvalid: it cannot be read; the message begins with ``called``.
    """
    name = path.name
    try:
        return _opened(str(path), path.stat().st_mtime_ns)
    except Image.DecompressionBombError:
        why = f"it has more than {_MOST_PIXELS // 1_000_000} million pixels"
        raise DeckInvalid(f"{called}: {name} cannot be used ({why})") from None
    except _TooDeep:
        why = "it has 32 bits for each pixel's grey; save it with 8 or 16"
        raise DeckInvalid(f"{called}: {name} cannot be used ({why})") from None
    except (OSError, SyntaxError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it is not a picture"
        raise DeckInvalid(f"{called}: {name} cannot be used ({why})") from None


class _TooDeep(Exception):
    """Nobody can tell which of a picture's numbers are black and white."""


@lru_cache(maxsize=8)
def _opened(path: str, changed: int) -> Picture:
    """The picture of a file; ``changed`` keeps an older one from being shown."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the limit of pixels is ours, and nobody can mend a camera's EXIF
        with Image.open(path) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                raise Image.DecompressionBombError
            picture.load()
            upright = _in_eight_bits(ImageOps.exif_transpose(picture))
            if upright.has_transparency_data:
                upright = upright.convert("RGBA")
            clear = upright.mode == "RGBA" and upright.getchannel("A").getextrema() != (255, 255)
            as_it_is = picture.format in ("JPEG", "MPO") and path.lower().endswith((".jpg", ".jpeg"))
            turned = picture.getexif().get(ExifTags.Base.Orientation, 1) if as_it_is else 1
            return Picture(upright.convert("RGBA" if clear else "RGB"), path if as_it_is else "", turned)


def _in_eight_bits(picture: Image.Image) -> Image.Image:
    """Grey of 16 bits scaled to 8, which Pillow itself cuts off at white; every other picture as it is."""
    if picture.mode == "F":
        raise _TooDeep
    if not picture.mode.startswith("I"):
        return picture
    levels = np.asarray(picture)
    if levels.min() < 0 or levels.max() > _WHITE_16:
        raise _TooDeep
    return Image.fromarray((levels // (_WHITE_16 // 255)).astype(np.uint8))
