"""For tables on a screen: pictures with a list of them, and a saved object of Tabletop Simulator with its sheets.

Tabletop Simulator's format is described at https://kb.tabletopsimulator.com/custom-content/save-file-format/ ; a
deck is one picture of up to ten by seven cards, counted from the upper left along the rows.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PIL import Image

from loomtable.engine.kernel.components import ComponentId
from loomtable.printkit.catalogue import Component
from loomtable.printkit.components.figure import FLAP, STAND, STANDEE
from loomtable.printkit.errors import ShopPrintsNone
from loomtable.printkit.files import write_whole
from loomtable.printkit.kit import PrintedFile, PrintSettings, Progress
from loomtable.printkit.picking import Pick, chosen_pieces, distinct
from loomtable.printkit.pictures import face_name_of, png, rendered
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.grid import Layout
from loomtable.printkit.sheet.guides import is_round
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.printkit.sheet.pieces import LargeDrawing, Piece, PrintedPage
from loomtable.printkit.sheet.sharing import SMALL

DPI = 300
"""As shops print: a card is sharp when people look closely. A whole sheet stays within ``_MOST_PIXELS``."""
_COLUMNS, _ROWS = 10, 7
_MOST_PIXELS = 4096
"""How wide or high a picture of Tabletop Simulator's should be at most."""
_LEAST_ROWS, _LEAST_COLUMNS = 2, 2
_CARD_WIDTH = 63.0
"""A card of this width (mm) has scale 1 in Tabletop Simulator, two and a bit of its inches wide."""
_ROUND_TILE, _SQUARE_TILE = 2, 0


@dataclass(frozen=True)
class _Face:
    """A piece with the pictures of its sides, cut to the trim, and how often it is there."""

    piece: Piece
    front: Image.Image
    back: Image.Image | None
    copies: int
    name: str
    size: tuple[float, float]
    """Width and height in mm."""


def print_for_screens(
    components: Sequence[Component],
    folder: Path,
    settings: PrintSettings,
    *,
    saved_object: bool,
    only: Collection[ComponentId | Pick] | None = None,
    copies: int = 1,
    progress: Progress | None = None,
) -> list[PrintedFile]:
    """Write pictures for a table on a screen, a folder for each component.

    Without ``saved_object``, one PNG for each side and ``manifest.json``, which says of each piece its id there,
    name, code (most counters have none), size in mm, copies and files. With it, sheets of cards and ``NAME.json``
    to load into Tabletop Simulator.
    What is of use on paper alone is left out.

    Raises:
        ShopPrintsNone: all of it is of use on paper alone.
        UnknownPrintName, NoSuchCard, CopiesInvalid, GlyphMissing, TextTooLong, PrintUnwritable: as for printing.
    """
    settings = replace(settings, singly=True, press=None, printer=None, packed=False, backs_last=False)
    components = [part for part in components if not part.on_paper]
    if not components:
        raise ShopPrintsNone("these are for scissors and glue: a table on a screen has no use for them")
    wanted = chosen_pieces(components, settings, only, copies)
    written: list[PrintedFile] = []
    files: list[tuple[Path, bytes]] = []
    for done, (part, pieces) in enumerate(wanted):
        if progress:
            progress(done, len(wanted), part.name)
        faces = _faces(part, pieces, settings)
        own = folder / f"{part.name}-{'tabletop-simulator' if saved_object else 'pictures'}"
        contents = _saved_object(part, faces, own) if saved_object else _manifest(part, faces)
        files += [(own / name, content) for name, content in contents.items()]
        written.append(PrintedFile(own, part.name, len(contents) - 1, len(pieces)))
    for path, content in files:
        write_whole(path, content)
    return written


def _faces(part: Component, pieces: Sequence[Piece], settings: PrintSettings) -> list[_Face]:
    times = Counter(map(id, pieces))
    pages = lay_out(distinct(pieces), settings)
    pdf = pages_to_pdf(pages, settings.sheets(part.title))
    faces: list[_Face] = []
    for page, picture in rendered(pdf, pages, DPI):
        kept = _trimmed(picture, page.layout)
        if page.is_back:
            faces[-1] = replace(faces[-1], back=kept)
            continue
        piece, block = page.placements[0].piece, page.layout.block
        name = face_name_of(page).removesuffix("-front")
        faces.append(_Face(piece, kept, None, times[id(piece)], name, (block.width, block.height)))
    return faces


def _trimmed(picture: Image.Image, layout: Layout) -> Image.Image:
    """A page's picture without its bleed: on a screen nothing is cut."""
    scale = picture.width / layout.page_width
    block = layout.block
    top = layout.page_height - block.top
    corners = (block.x, top, block.right, top + block.height)
    left, upper, right, lower = (round(value * scale) for value in corners)
    return picture.crop((left, upper, right, lower))


def _manifest(part: Component, faces: Sequence[_Face]) -> dict[str, bytes]:
    """Each side once, and what they are."""
    files: dict[str, bytes] = {}
    by_content: dict[bytes, str] = {}
    entries: list[dict[str, Any]] = []
    for number, face in enumerate(faces, start=1):
        named = {"front": face.front, "back": face.back}
        told: dict[str, Any] = {}
        for side, picture in named.items():
            if picture is None:
                told[side] = None
                continue
            content = png(picture, DPI)
            name = by_content.setdefault(content, f"{number:03d}-{face.name}-{side}.png")
            files[name] = content
            told[side] = name
        wide, high = face.size
        entries.append(
            {
                "id": face.name,
                "name": face.piece.name,
                "code": str(face.piece.id) if face.piece.id else None,
                "kind": _kind(face.piece),
                "width_mm": wide,
                "height_mm": high,
                "copies": face.copies,
                **told,
            }
        )
    manifest = {"component": part.name, "title": part.title, "dpi": DPI, "pieces": entries}
    files["manifest.json"] = (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
    return files


def _kind(piece: Piece) -> str:
    if isinstance(piece, PrintedPage):
        return "page"
    if isinstance(piece, LargeDrawing):
        return "map"
    if piece.size == STANDEE:
        return "figure"
    size = piece.size
    return "counter" if size and (is_round(piece) or max(size.width, size.height) < SMALL) else "card"


def _saved_object(part: Component, faces: Sequence[_Face], folder: Path) -> dict[str, bytes]:
    """Decks for cards of one size, tiles for counters, boards for pages and maps, as one saved object."""
    files: dict[str, bytes] = {}
    objects: list[dict[str, Any]] = []
    decks: dict[tuple[int, int], list[_Face]] = {}
    for face in faces:
        if _kind(face.piece) == "card":
            decks.setdefault(face.front.size, []).append(face)
        else:
            objects.append((_figurine if _kind(face.piece) == "figure" else _tile)(face, files, folder))
    number = 0
    for held in decks.values():
        across, down = _sheet_shape(held[0].front.size)
        for start in range(0, len(held), across * down):
            number += 1
            objects.append(_deck(part, held[start : start + across * down], number, across, files, folder))
    for at, thing in enumerate(objects):
        thing["Transform"] |= {"posX": float(at % 8) * 4 - 14, "posZ": float(at // 8) * -5}
        thing["GUID"] = hashlib.sha256(f"{part.name}-{at}".encode()).hexdigest()[:6]
    saved = {"SaveName": part.title, "GameMode": "", "Note": "", "Rules": "", "ObjectStates": objects}
    files[f"{part.name}.json"] = (json.dumps(saved, ensure_ascii=False, indent=1) + "\n").encode()
    return files


def _sheet_shape(size: tuple[int, int]) -> tuple[int, int]:
    """How many cards of this size (pixels) go across and down a sheet."""
    across = max(_LEAST_COLUMNS, min(_COLUMNS, _MOST_PIXELS // size[0]))
    return across, max(_LEAST_ROWS, min(_ROWS, _MOST_PIXELS // size[1]))


def _object(kind: str, name: str, scale: float) -> dict[str, Any]:
    turned = {"rotX": 0.0, "rotY": 180.0, "rotZ": 0.0}
    scales = {"scaleX": scale, "scaleY": 1.0, "scaleZ": scale}
    return {
        "Name": kind,
        "Nickname": name,
        "Description": "",
        "Transform": {"posX": 0.0, "posY": 1.5, "posZ": 0.0} | turned | scales,
        "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
        "Locked": False,
        "Grid": True,
    }


def _deck(
    part: Component,
    held: Sequence[_Face],
    number: int,
    most_across: int,
    files: dict[str, bytes],
    folder: Path,
) -> dict[str, Any]:
    """A deck, or the one card of which there is a single copy."""
    across = min(most_across, max(_LEAST_COLUMNS, len(held)))
    down = max(_LEAST_ROWS, math.ceil(len(held) / across))
    files[f"sheet-{number}.png"] = _sheet([face.front for face in held], across, down)
    different = len({face.back.tobytes() for face in held if face.back}) > 1
    if different:
        blank = Image.new("RGB", held[0].front.size, "white")
        files[f"backs-{number}.png"] = _sheet([face.back or blank for face in held], across, down)
    else:
        back = next((face.back for face in held if face.back), None)
        files[f"backs-{number}.png"] = png(back or Image.new("RGB", held[0].front.size, "white"), DPI)
    custom = {
        "FaceURL": (folder / f"sheet-{number}.png").absolute().as_uri(),
        "BackURL": (folder / f"backs-{number}.png").absolute().as_uri(),
        "NumWidth": across,
        "NumHeight": down,
        "BackIsHidden": True,
        "UniqueBack": different,
        "Type": 0,
    }
    scale = round(held[0].size[0] / _CARD_WIDTH, 3)
    cards: list[dict[str, Any]] = []
    for at, face in enumerate(held):
        for _ in range(face.copies):
            card = _object("Card", face.piece.name, scale)
            code = str(face.piece.id) if face.piece.id else ""
            cards.append(
                card | {"CardID": number * 100 + at, "Description": code, "CustomDeck": {str(number): custom}}
            )
    if len(cards) == 1:
        return cards[0]
    deck = _object("DeckCustom", part.title, scale)
    return deck | {
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": {str(number): custom},
        "ContainedObjects": cards,
    }


def _sheet(faces: Sequence[Image.Image], across: int, down: int) -> bytes:
    width, height = faces[0].size
    sheet = Image.new("RGB", (across * width, down * height), "white")
    for at, face in enumerate(faces):
        sheet.paste(face, (at % across * width, at // across * height))
    return png(sheet, DPI)


def _tile(face: _Face, files: dict[str, bytes], folder: Path) -> dict[str, Any]:
    """A counter that can be turned over and stacked, or a board of a page or a map."""
    counter = _kind(face.piece) == "counter"
    names = [f"{face.name}.png"]
    files[names[0]] = png(_small_enough(face.front), DPI)
    if face.back:
        names.append(f"{face.name}-back.png")
        files[names[1]] = png(_small_enough(face.back), DPI)
    urls = [(folder / name).absolute().as_uri() for name in names]
    tile = _object("Custom_Tile" if not counter or face.copies == 1 else "Custom_Tile_Stack", face.piece.name, 1.0)
    scale = round(face.size[0] / _CARD_WIDTH * 1.1, 3)
    tile["Transform"] |= {"scaleX": scale, "scaleZ": scale}
    tile["CustomImage"] = {
        "ImageURL": urls[0],
        "ImageSecondaryURL": urls[-1],
        "WidthScale": 0.0,
        "CustomTile": {
            "Type": _ROUND_TILE if is_round(face.piece) else _SQUARE_TILE,
            "Thickness": 0.1,
            "Stackable": counter,
            "Stretch": True,
        },
    }
    if counter and face.copies > 1:
        tile["Number"] = face.copies
    tile["Locked"] = not counter
    tile["Description"] = str(face.piece.id) if face.piece.id else ""
    return tile


def _figurine(face: _Face, files: dict[str, bytes], folder: Path) -> dict[str, Any]:
    """A standing figure with the upright part of a standee's strip on both sides."""
    scale = face.front.height / STANDEE.height
    middle, foot = face.front.height / 2, face.front.height - FLAP * scale
    part = face.front.crop((0, round(middle), face.front.width, round(foot)))
    files[f"{face.name}.png"] = png(part, DPI)
    url = (folder / f"{face.name}.png").absolute().as_uri()
    figure = _object("Figurine_Custom", face.piece.name, round(STAND / _CARD_WIDTH, 3))
    figure["Transform"]["scaleY"] = figure["Transform"]["scaleX"]
    figure["Description"] = str(face.piece.id) if face.piece.id else ""
    figure["CustomImage"] = {"ImageURL": url, "ImageSecondaryURL": url, "ImageScalar": 1.0, "WidthScale": 0.0}
    return figure


def _small_enough(picture: Image.Image) -> Image.Image:
    share = _MOST_PIXELS / max(picture.size)
    if share >= 1:
        return picture
    return picture.resize((round(picture.width * share), round(picture.height * share)), Image.Resampling.LANCZOS)


__all__ = ["DPI", "print_for_screens"]
