"""The one thread that draws pictures for the pages.

Decks, fonts and their glyphs are read when they are first needed, by libraries that were not made for several
threads at once. So one thread owns them: it loads everything before the first request is let in, and draws every
picture, each once. A request waits for its picture without keeping a thread of its own.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from loomtable.printkit.draw.type import Font, face_name
from loomtable.table.pages.art import picture
from loomtable.table.pages.outlines import open_font, without_fonts
from loomtable.table.screens.art import card_codes

_DRAWING = ThreadPoolExecutor(max_workers=1, thread_name_prefix="drawing")
_drawn: dict[tuple[str, str], bytes] = {}
"""Pictures by kind and name. There are as many as there are cards, maps and symbols, so all are kept."""


async def load() -> None:
    """Read decks and open fonts, so that no request is the first to need them."""
    await asyncio.get_running_loop().run_in_executor(_DRAWING, _load)


def _load() -> None:
    for face in Font:
        face_name(face)
        open_font(face)
    card_codes()


async def drawn(kind: str, name: str) -> bytes:
    """A picture as packed SVG.

    Raises:
        NoSuchPicture: there is none.
    """
    kept = _drawn.get((kind, name))
    if kept is not None:
        return kept
    return await asyncio.get_running_loop().run_in_executor(_DRAWING, _draw, kind, name)


async def kept_by_drawing(make: Callable[[str], bytes], name: str) -> bytes:
    """What the drawing thread makes of a name, once."""
    key = (make.__name__, name)
    if key not in _drawn:
        _drawn[key] = await asyncio.get_running_loop().run_in_executor(_DRAWING, make, name)
    return _drawn[key]


def _draw(kind: str, name: str) -> bytes:
    kept = _drawn.get((kind, name))
    if kept is None:
        kept = _drawn[kind, name] = packed(kind, name)
    return kept


def packed(kind: str, name: str) -> bytes:
    """A picture drawn and packed, by whoever draws alone.

    Raises:
        NoSuchPicture: there is none.
    """
    svg = picture(kind, name)
    # The sheet of dice is used within pages, whose fonts it sees; every other picture stands by itself.
    return gzip.compress((svg if kind == "sheet" else without_fonts(svg)).encode(), 9, mtime=0)
