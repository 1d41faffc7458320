"""Pictures of one's own on cards, as every viewer shows them."""

from __future__ import annotations

import importlib.util
import io
import warnings
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from loomtable.engine.kernel.installation import install_line
from loomtable.printkit.decks.svg_process import Undrawable, draw_svg
from loomtable.printkit.decks.template import Area
from loomtable.printkit.draw.path import rect
from loomtable.printkit.draw.pen import Pen, Picture
from loomtable.printkit.errors import DeckInvalid

if TYPE_CHECKING:
    from PIL import Image

LEAST_DPI = 300
_DRAWN_DPI = 600
"""How finely an SVG file is drawn: no printer shows more."""
_MOST_PIXELS = 100_000_000
_WHITE_16 = 0xFFFF


def draw_picture(pen: Pen, path: Path, at: Area, called: str, *, whole: bool = False) -> None:
    """A picture file, filling a box; what stands over at two sides is cut off, or all of it is shown (``whole``).

    What lies below shows where it is clear.

    Raises:
        DeckInvalid: it cannot be read or is too small; the message begins with ``called``.
    """
    left, bottom, width, height = at
    name = path.name
    picture = opened_picture(path, called, (width, height))
    across, down = picture.image.size
    scale = (min if whole else max)(width / across, height / down)
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


def opened_picture(path: Path, called: str, box: tuple[float, float] = (10.0, 10.0)) -> Picture:
    """The picture in a file, upright. An SVG file has as many pixels as it takes to fill ``box`` (mm).

    Raises:
        DeckInvalid: it cannot be read; the message begins with ``called``.
    """
    from PIL import Image

    name = path.name
    try:
        changed = path.stat().st_mtime_ns
        return _drawn(str(path), changed, box) if path.suffix.lower() == ".svg" else _opened(str(path), changed)
    except Image.DecompressionBombError:
        why = f"it has more than {_MOST_PIXELS // 1_000_000} million pixels"
    except Undrawable as error:
        why = str(error)
    except (OSError, SyntaxError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it is not a picture"
    raise DeckInvalid(f"{called}: {name} cannot be used ({why})")


@lru_cache(maxsize=8)
def _drawn(path: str, changed: int, box: tuple[float, float]) -> Picture:
    """The drawing of an SVG file; ``changed`` as for ``_opened``."""
    from PIL import Image

    if importlib.util.find_spec("resvg_py") is None:
        raise Undrawable(f"save it as PNG, or install what reads SVG: {install_line('decks')}")

    wide, high = (side / 25.4 * _DRAWN_DPI for side in box)
    return Picture(Image.open(io.BytesIO(draw_svg(path, wide, high, _MOST_PIXELS))).convert("RGBA"))


@lru_cache(maxsize=8)
def _opened(path: str, changed: int) -> Picture:
    """The picture of a file; ``changed`` keeps an older one from being shown."""
    from PIL import ExifTags, Image, ImageOps

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
        raise Undrawable("it has 32 bits for each pixel's grey; save it with 8 or 16")
    if not picture.mode.startswith("I"):
        return picture
    # Not above: they take long to load, and few pictures are of this kind.
    import numpy as np
    from PIL import Image

    levels = np.asarray(picture)
    if levels.min() < 0 or levels.max() > _WHITE_16:
        raise Undrawable("it has 32 bits for each pixel's grey; save it with 8 or 16")
    return Image.fromarray((levels // (_WHITE_16 // 255)).astype(np.uint8))
