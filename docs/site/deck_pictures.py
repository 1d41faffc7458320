"""Pictures for the docs of what is cut out: cards, figures, counters, a deck of one's own."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import yaml

from loomtable.engine.kernel.package_data import package_file
from loomtable.printkit.catalogue import RenderOptions, components
from loomtable.printkit.decks.own import own_deck
from loomtable.printkit.draw.palette import INK
from loomtable.printkit.draw.path import rounded
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.kit import PrintSettings
from loomtable.printkit.raster import picture_of, render_page
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.printkit.sheet.papers import POKER
from loomtable.printkit.sheet.pieces import Drawing, PrintedCard
from loomtable.vision.pictures import BgrImage, write_picture

WIDEST = 1150
"""Pixels: enough for a page of documentation, small enough for a repository."""
_SPACE = 4.0
"""Millimetres between things."""
_FINE = 2
"""Drawn so many times finer than shown."""
_DPI = 79


@dataclass(frozen=True)
class _Row:
    """Pieces of one component side by side, by their places in it; with ``both`` sides of each where asked."""

    component: str
    places: tuple[int, ...]
    both: bool = False


_PICTURES: dict[str, tuple[tuple[_Row, ...], ...]] = {
    "poker-deck.jpg": (
        (_Row("poker-deck", (0, 6, 9, 10, 24, 51, 37)),),
        (_Row("poker-deck", (11, 23, 50, 38, 52, 53, 47)),),
    ),
    "controls.jpg": (
        (_Row("answer-cards", (0, 1, 8, 9, 10, 11)),),
        (_Row("answer-cards", (12, 13)), _Row("hero-markers", (0, 5, 6, 7, 8, 10, 11))),
    ),
    "box.jpg": (
        (
            _Row("spellwoven-foes", (0,)),
            _Row("spellwoven-items", (4,)),
            _Row("the-still-harbour-people", (0, 8)),
            _Row("storm-weavers-items", (12,)),
            _Row("blank-cards", (0,)),
        ),
        (
            _Row("condition-cards", (0, 1, 2, 4, 7)),
            _Row("player-markers", (0, 1, 2), both=True),
            _Row("player-markers", (8,)),
        ),
    ),
    "woven-cards.jpg": (
        (_Row("tapestry-cards", (0, 6), both=True),),
        (_Row("tapestry-cards", (18, 31), both=True),),
        (_Row("spell-cards", (0, 3, 13, 18, 26, 29)),),
        (_Row("home-cards", (0, 1, 2, 3, 4)),),
    ),
    "figures.jpg": (
        (_Row("storm-standees", (0, 1, 2, 3, 4, 7, 8, 10, 12, 13, 15)),),
        (
            _Row("storm-standees", (16,)),
            _Row("mage-standees", (0, 1, 2, 3, 4)),
            _Row("storm-tokens", (0, 1, 4, 13)),
            _Row("mage-tokens", (0,)),
        ),
        (_Row("mana-counters", (0, 1, 2, 3, 4), both=True),),
        (_Row("thread-counters", (0, 1, 2, 3, 4), both=True),),
    ),
}


def make_deck_pictures(folder: Path) -> list[Path]:
    """Write every picture of cards, figures and counters into ``folder``."""
    written = []
    for name, rows in _PICTURES.items():
        picture = _beside([_beside([face for row in drawn for face in _faces(row)]) for drawn in rows], below=True)
        _write(folder / name, picture)
        written.append(folder / name)
    return written


def make_own_deck_picture(page: Path, folder: Path) -> list[Path]:
    """Print the deck that a page of the documents shows as CSV; write both sides of its sheet into ``folder``."""
    [table] = re.findall(r"```csv\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    settings = PrintSettings()
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "harbour.csv"
        file.write_text(table, "utf-8")
        pieces = [piece for piece in own_deck(file, "plain").cards() for _ in range(piece.copies)]
        pages = lay_out(pieces, settings)
        pdf = pages_to_pdf(pages, settings.sheets(file.stem))
    sides = [render_page(pdf, side, 2 * _DPI) for side in range(len(pages))]
    grey = np.full((sides[0].shape[0], 24, 3), 120, np.uint8)
    sheet = np.hstack([sides[0], grey, sides[1]])
    _write(folder / "your-own-deck.png", sheet[: round(sheet.shape[0] * 0.67)])
    return [folder / "your-own-deck.png"]


_SAMPLES = """
plain: {name: The Bell, text: "Rings once when a promise is broken, twice when one is kept.", code: O6}
picture: {name: The Raven, picture: raven, text: Carries one word a day., code: O7}
words: {name: A Borrowed Coat, text: Wear it and be taken for its owner until somebody calls you by name.}
question: {name: "Who takes stories instead of coins?", answer: The Ferrywoman.}
item: {name: Harbour Key, picture: key, value: 7, text: "Opens the salt store, and nothing else."}
person: {name: Ylva Reed, role: keeper of the lamp, picture: lantern, text: "Sees every ship, and says so."}
place: {name: The Ferry, picture: ferry, text: "Crosses at low water, with room for one cart."}
event: {name: Storm Tide, picture: storm, text: No ship leaves. Everybody tells a story.}
creature: {name: The Old Stag, picture: stag, attack: 4, defence: 2, health: 9, text: Flees when the bell rings.}
suit: {name: High Water, value: 7, colour: 24605A, text: Take a card from the harbour.}
token: {name: Salt}
"""
"""A card of each template that travels with Loomtable, with the motif that is its picture."""


def make_templates_picture(folder: Path) -> list[Path]:
    """Print a card with each template of ours; write the fronts, and the back of the question, into ``folder``."""
    faces = []
    with tempfile.TemporaryDirectory() as scratch:
        for name, card in yaml.safe_load(_SAMPLES).items():
            if "picture" in card:
                card["picture"] = str(package_file("templates", "art", "motifs", f"{card['picture']}.svg"))
            file = Path(scratch) / f"{name}.json"
            file.write_text(json.dumps([card]), "utf-8")
            [piece] = own_deck(file, name).cards()
            sides = (piece.front, piece.back) if name == "question" else (piece.front,)
            faces += [_face(piece, side) for side in sides if side]
    _write(folder / "templates.jpg", _beside([_beside(faces[:6]), _beside(faces[6:])], below=True))
    return [folder / "templates.jpg"]


def _faces(row: _Row) -> list[BgrImage]:
    pieces = [
        piece for piece in components()[row.component].pieces(RenderOptions()) if isinstance(piece, PrintedCard)
    ]
    drawn = []
    for piece in (pieces[place] for place in row.places):
        drawn += [_face(piece, side) for side in (piece.front, piece.back if row.both else None) if side]
    return drawn


def _face(piece: PrintedCard, draw: Drawing) -> BgrImage:
    """One side of a piece as it is cut out, with a thin line round it."""
    size = piece.size or POKER
    line = 0.3

    def cut(pen: Pen) -> None:
        with pen.at(line, line):
            outline = rounded(0, 0, size.width, size.height, size.corner)
            with pen.clipped(outline):
                pen.fill_background(outline, piece.ground)
                draw(pen)
            pen.stroke(outline, INK, line)

    return picture_of(cut, size.width + 2 * line, size.height + 2 * line, _DPI * _FINE)


def _beside(pictures: Sequence[BgrImage], *, below: bool = False) -> BgrImage:
    """Pictures in a row on white, feet level (or one under another, middles in a line)."""
    space = round(_SPACE / 25.4 * _DPI * _FINE)
    size = max(picture.shape[1 if below else 0] for picture in pictures)
    parts = []
    for picture in pictures:
        room = size - picture.shape[1 if below else 0]
        fill = ((0, 0), (room // 2, room - room // 2), (0, 0)) if below else ((room, 0), (0, 0), (0, 0))
        padded = np.pad(picture, fill, constant_values=255)
        gap = ((space // 2, space // 2), (0, 0), (0, 0)) if below else ((0, 0), (space // 2, space // 2), (0, 0))
        parts.append(np.pad(padded, gap, constant_values=255))
    return np.concatenate(parts, axis=0 if below else 1)


def _write(path: Path, picture: BgrImage) -> None:
    """Write a picture (RGB) at the width at which it is shown."""
    wide = min(WIDEST, picture.shape[1] // _FINE)
    size = (wide, round(picture.shape[0] * wide / picture.shape[1]))
    small = cv2.resize(picture[..., ::-1], size, interpolation=cv2.INTER_AREA)
    write_picture(path, np.asarray(small, np.uint8))
