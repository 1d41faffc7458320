"""Cards rendered one by one, for tests that look at their faces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from loomtable.printkit.draw.palette import Style
from loomtable.printkit.raster import Picture, picture_of
from loomtable.printkit.sheet.papers import POKER
from loomtable.printkit.sheet.pieces import Drawing, PrintedCard


def drawn(draw: Drawing, size: tuple[float, float], style: Style = Style.COLOUR, dpi: float = 72) -> Picture:
    """One drawing on a page of its own size (mm)."""
    return picture_of(draw, *size, dpi, style)


def faces(pieces: Sequence[PrintedCard], style: Style = Style.COLOUR, dpi: float = 72) -> list[Picture]:
    """The front of each card."""
    return [
        drawn(piece.front, ((piece.size or POKER).width, (piece.size or POKER).height), style, dpi)
        for piece in pieces
    ]


def same_pictures(pictures: Sequence[Picture]) -> list[tuple[int, int]]:
    """Pairs of pictures that hardly differ, by their places."""
    flat = np.stack([picture.astype(np.int16).reshape(-1) for picture in pictures])
    return [
        (one, other)
        for one in range(len(flat))
        for other in range(one)
        if np.abs(flat[one] - flat[other]).mean() < 0.4
    ]
