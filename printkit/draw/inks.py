"""How a colour is written into the file: as red, green and blue, or as a press's four inks."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from loomtable.printkit.draw.palette import Colour

if TYPE_CHECKING:
    from PIL import Image


class Inks(Protocol):
    """Sets the colour of shapes and lines on a reportlab canvas."""

    def fill(self, canvas: Any, colour: Colour) -> None:
        """From now on shapes are filled with ``colour``."""
        ...

    def line(self, canvas: Any, colour: Colour) -> None:
        """From now on lines have ``colour``."""
        ...

    def picture(self, rgb: Image.Image) -> Image.Image:
        """A picture in these inks."""
        ...


class ScreenInks:
    """Red, green and blue, as home printers take them."""

    def fill(self, canvas: Any, colour: Colour) -> None:
        """From now on shapes are filled with ``colour``."""
        canvas.setFillColorRGB(*_rounded(colour))

    def line(self, canvas: Any, colour: Colour) -> None:
        """From now on lines have ``colour``."""
        canvas.setStrokeColorRGB(*_rounded(colour))

    def picture(self, rgb: Image.Image) -> Image.Image:
        """The picture as it is."""
        return rgb


SCREEN_INKS = ScreenInks()


@lru_cache(maxsize=4096)
def _rounded(colour: Colour) -> tuple[float, float, float]:
    return round(colour.red, 3), round(colour.green, 3), round(colour.blue, 3)
