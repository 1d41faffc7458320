"""Pictures for the docs: sheets, quick starts, reference cards, screens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.transcript import replay
from loomtable.engine.systems import SYSTEMS
from loomtable.printkit.catalogue import RenderOptions, components
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.picking import chosen_pieces
from loomtable.printkit.raster import render_page
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.vision.pictures import BgrImage, write_picture

WIDEST = 900
"""Pixels: enough for a page of documentation, small enough for a repository."""
_DPI = 60
_GAP = 8


@dataclass(frozen=True)
class _Shown:
    """Pages of a component: filled in from a transcript where one is named."""

    component: str
    pages: tuple[int, ...]
    transcript: str = ""
    style: Style = Style.COLOUR


_PICTURES: dict[str, tuple[tuple[_Shown, ...], ...]] = {
    "sheets.jpg": (
        (
            _Shown("weave-sheet", (0,), "weave-seventh-level"),
            _Shown("spellwoven-sheet", (0,), "spellwoven-last-stand"),
            _Shown("storm-weavers-sheet", (0,), "storm-weavers-sluice-yard"),
        ),
        (
            _Shown("mnemonic-sheet", (0,), "mnemonic-universal-truth"),
            _Shown("woven-sheet", (0,), "woven-duel"),
            _Shown("mnemonic-journal", (0,), "mnemonic-universal-truth"),
        ),
    ),
    "sheet-backs.jpg": (
        (
            _Shown("weave-sheet", (1,), style=Style.LOW_INK),
            _Shown("storm-weavers-sheet", (1,), "storm-weavers-sluice-yard"),
            _Shown("woven-sheet", (1,), "woven-duel"),
        ),
    ),
    "reference-cards.jpg": (
        (_Shown("weave-reference", (0,)), _Shown("woven-reference", (1,)), _Shown("weaving-dice-cards", (0, 1))),
    ),
    "quick-starts.jpg": (
        (
            _Shown("weave-quick-start", (0,)),
            _Shown("spellwoven-quick-start", (0,)),
            _Shown("woven-quick-start", (0,)),
        ),
    ),
    "screens.jpg": (
        (_Shown("weave-screen", (0, 2)),),
        (_Shown("spellwoven-screen", (2, 1)),),
    ),
}


def _pages(shown: _Shown) -> list[BgrImage]:
    session = None
    if shown.transcript:
        path = package_file("templates", "transcripts", f"{shown.transcript}.yaml")
        session = replay(path.read_text("utf-8"), path.name, SYSTEMS).session
    settings = PrintSettings(style=shown.style, session=session)
    part = components()[shown.component]
    [(_, pieces)] = chosen_pieces([part], RenderOptions(session=session), None, 1)
    pdf = pages_to_pdf(lay_out(pieces, settings), settings.sheets(part.title))
    return [render_page(pdf, page, 2 * _DPI) for page in shown.pages]


def _beside(pictures: Sequence[BgrImage], *, below: bool = False) -> BgrImage:
    """Pictures in a row (or a column) with a little grey between, all of one height (or width)."""
    across = 1 if below else 0
    size = max(picture.shape[across] for picture in pictures)
    parts: list[BgrImage] = []
    for picture in pictures:
        wide, high = size - picture.shape[1] if below else 0, 0 if below else size - picture.shape[0]
        padded = np.pad(picture, ((0, high), (0, wide), (0, 0)), constant_values=255)
        parts.append(np.pad(padded, ((_GAP, _GAP), (_GAP, _GAP), (0, 0)), constant_values=205))
    return np.concatenate(parts, axis=0 if below else 1)


def make_sheet_pictures(folder: Path) -> list[Path]:
    """Write every picture into ``folder``."""
    written: list[Path] = []
    for name, rows in _PICTURES.items():
        picture = _beside([_beside([page for shown in row for page in _pages(shown)]) for row in rows], below=True)
        size = (WIDEST, round(picture.shape[0] * WIDEST / picture.shape[1]))
        small = cv2.resize(picture[..., ::-1], size, interpolation=cv2.INTER_AREA)
        write_picture(folder / name, np.asarray(small, np.uint8))
        written.append(folder / name)
    return written
