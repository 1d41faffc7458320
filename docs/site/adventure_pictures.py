"""The documentation's picture of an adventure's booklet."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from loomtable.printkit.catalogue import RenderOptions, components
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.picking import chosen_pieces
from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.vision.pictures import BgrImage, write_picture

BOOKLET, PLAIN = "the-light-on-karrow-head-booklet", "the-light-on-karrow-head-pages"
SHOWN = ((BOOKLET, 0, Style.COLOUR), (PLAIN, 4, Style.COLOUR), (BOOKLET, -4, Style.LOW_INK))
"""The cover as it lies before folding, a page of paragraphs, and a map."""
WIDEST = 1000
_HIGH, _GAP = 560, 8


def _page(name: str, at: int, style: Style) -> BgrImage:
    settings, part = PrintSettings(style=style), components()[name]
    [(_, pieces)] = chosen_pieces([part], RenderOptions(), None, 1)
    pages = lay_out(pieces, settings)
    pdf = pages_to_pdf(pages, settings.sheets(part.title))
    picture = render_page(pdf, at % len(pages), 100)
    width = round(picture.shape[1] * _HIGH / picture.shape[0])
    return np.asarray(cv2.resize(picture, (width, _HIGH), interpolation=cv2.INTER_AREA), np.uint8)


def make_adventure_pictures(folder: Path) -> list[Path]:
    """Write the picture into ``folder``."""
    pages = [np.pad(_page(*shown), ((_GAP, _GAP), (_GAP, _GAP), (0, 0)), constant_values=205) for shown in SHOWN]
    row = np.concatenate(pages, axis=1)[..., ::-1]
    size = (WIDEST, round(row.shape[0] * WIDEST / row.shape[1]))
    path = folder / "adventure.jpg"
    write_picture(path, np.asarray(cv2.resize(row, size, interpolation=cv2.INTER_AREA), np.uint8))
    return [path]
