"""Pictures of one's own on cards."""

from __future__ import annotations

import warnings
from functools import lru_cache
from pathlib import Path

from PIL import Image

from loomtable.printkit.decks.template import Area
from loomtable.printkit.draw.path import rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.errors import DeckInvalid

LEAST_DPI = 300
_MOST_PIXELS = 100_000_000


def draw_picture(pen: Pen, path: Path, at: Area, called: str, ground: str = "white") -> None:
    """A picture file, filling a box; what stands over at two sides is cut off.

    Where it is clear, it shows the colour ``ground``.

    Raises:
        DeckInvalid: it cannot be read or is too small; the message begins with ``called``.
    """
    left, bottom, width, height = at
    name = path.name
    picture = opened_picture(path, called, ground)
    scale = max(width / picture.width, height / picture.height)
    dpi = 25.4 / scale
    if dpi < LEAST_DPI:
        need = f"{round(width / 25.4 * LEAST_DPI)} x {round(height / 25.4 * LEAST_DPI)}"
        raise DeckInvalid(
            f"{called}: {name} has {picture.width} x {picture.height} pixels, only {dpi:.0f} dpi "
            f"on {width:g} x {height:g} mm; {LEAST_DPI} dpi need {need} pixels"
        )
    shown_width, shown_height = picture.width * scale, picture.height * scale
    x, y = left + (width - shown_width) / 2, bottom + (height - shown_height) / 2
    with pen.clipped(rect(left, bottom, width, height)):
        pen.picture(path, picture, (x, y, shown_width, shown_height))


def opened_picture(path: Path, called: str, ground: str = "white") -> Image.Image:
    """The picture in a file, opaque on a ground.

    Raises:
        DeckInvalid: it cannot be read; the message begins with ``called``.
    """
    name = path.name
    try:
        return _opened(str(path), path.stat().st_mtime_ns, ground)
    except Image.DecompressionBombError:
        why = f"it has more than {_MOST_PIXELS // 1_000_000} million pixels"
        raise DeckInvalid(f"{called}: {name} cannot be used ({why})") from None
    except (OSError, SyntaxError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it is not a picture"
        raise DeckInvalid(f"{called}: {name} cannot be used ({why})") from None


@lru_cache(maxsize=8)
def _opened(path: str, changed: int, on: str) -> Image.Image:
    """The picture of a file (``changed`` keeps an older one from being shown), opaque on a ground."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the limit is ours, and an error
        opened = Image.open(path)
    with opened as picture:
        if picture.width * picture.height > _MOST_PIXELS:
            raise Image.DecompressionBombError
        picture.load()
        if picture.mode in ("RGBA", "LA", "P"):
            clear = picture.convert("RGBA")
            ground = Image.new("RGBA", clear.size, on)
            return Image.alpha_composite(ground, clear).convert("RGB")
        return picture.convert("RGB")
