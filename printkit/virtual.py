"""For tables on a screen: pictures with a list of them, and a saved object of Tabletop Simulator with its sheets.

What its saved objects hold and where their format is described is in ``templates/shops.yaml``.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image

from loomtable.engine.kernel.components import ComponentId
from loomtable.printkit.catalogue import Component
from loomtable.printkit.components.figure import FLAP, STAND, STANDEE
from loomtable.printkit.errors import ShopPrintsNone
from loomtable.printkit.kit import PrintedFile, PrintSettings, Progress
from loomtable.printkit.picking import Pick, chosen_pieces, distinct
from loomtable.printkit.pictures import Asked, face_name_of, png, rendered, write_folders
from loomtable.printkit.sheet.document import pages_to_pdf
from loomtable.printkit.sheet.grid import Layout
from loomtable.printkit.sheet.guides import is_round
from loomtable.printkit.sheet.imposition import lay_out
from loomtable.printkit.sheet.pieces import LargeDrawing, Piece, PrintedPage
from loomtable.printkit.sheet.sharing import SMALL
from loomtable.printkit.shops import DPI, SIMULATOR


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

    @property
    def code(self) -> str:
        """The code on it, if there is one."""
        return str(self.piece.id) if self.piece.id else ""


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
    made, kind = (_saved_object, "tabletop-simulator") if saved_object else (_manifest, "pictures")

    def contents(part: Component, pieces: Sequence[Piece], own: Path) -> Iterable[tuple[str, bytes]]:
        return made(part, _faces(part, pieces, settings), own)

    asked = []
    for part, pieces in chosen_pieces(components, settings, only, copies):
        own = folder / f"{part.name}-{kind}"
        asked.append(Asked(part, own, len(pieces), partial(contents, part, pieces, own)))
    return write_folders(asked, progress)


def _faces(part: Component, pieces: Sequence[Piece], settings: PrintSettings) -> Iterator[_Face]:
    """Each piece once it has been drawn from both sides."""
    times = Counter(map(id, pieces))
    pages = lay_out(distinct(pieces), settings)
    pdf = pages_to_pdf(pages, settings.sheets(part.title))
    face: _Face | None = None
    for page, picture in rendered(pdf, pages, DPI):
        kept = _trimmed(picture, page.layout)
        if page.is_back and face:
            face = replace(face, back=kept)
            continue
        if face:
            yield face
        piece, block = page.placements[0].piece, page.layout.block
        name = face_name_of(page).removesuffix("-front")
        face = _Face(piece, kept, None, times[id(piece)], name, (block.width, block.height))
    if face:
        yield face


def _trimmed(picture: Image.Image, layout: Layout) -> Image.Image:
    """A page's picture without its bleed: on a screen nothing is cut."""
    scale = picture.width / layout.page_width
    block = layout.block
    top = layout.page_height - block.top
    corners = (block.x, top, block.right, top + block.height)
    left, upper, right, lower = (round(value * scale) for value in corners)
    return picture.crop((left, upper, right, lower))


def _manifest(part: Component, faces: Iterable[_Face], _: Path) -> Iterator[tuple[str, bytes]]:
    """Each side once, and what they are."""
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
            known = hashlib.sha256(content).digest()
            if known not in by_content:
                by_content[known] = f"{number:03d}-{face.name}-{side}.png"
                yield by_content[known], content
            told[side] = by_content[known]
        wide, high = face.size
        entries.append(
            {
                "id": face.name,
                "name": face.piece.name,
                "code": face.code or None,
                "kind": _kind(face.piece),
                "width_mm": wide,
                "height_mm": high,
                "copies": face.copies,
                **told,
            }
        )
    manifest = {"component": part.name, "title": part.title, "dpi": DPI, "pieces": entries}
    yield "manifest.json", (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()


def _kind(piece: Piece) -> str:
    if isinstance(piece, PrintedPage):
        return "page"
    if isinstance(piece, LargeDrawing):
        return "map"
    if piece.size == STANDEE:
        return "figure"
    size = piece.size
    return "counter" if size and (is_round(piece) or max(size.width, size.height) < SMALL) else "card"


def _saved_object(part: Component, faces: Iterable[_Face], folder: Path) -> Iterable[tuple[str, bytes]]:
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
    saved = {"SaveName": part.title, **SIMULATOR.saved, "ObjectStates": objects}
    files[f"{part.name}.json"] = (json.dumps(saved, ensure_ascii=False, indent=1) + "\n").encode()
    return files.items()


def _sheet_shape(size: tuple[int, int]) -> tuple[int, int]:
    """How many cards of this size (pixels) go across and down a sheet."""
    across, down = (
        max(least, min(most, SIMULATOR.most_pixels // pixels))
        for least, most, pixels in zip(SIMULATOR.least, SIMULATOR.most, size, strict=True)
    )
    return across, down


def _object(kind: str, name: str, width: float, code: str = "") -> dict[str, Any]:
    """A thing ``width`` mm wide, in the middle of the table."""
    thing = {"Name": kind, "Nickname": name, "Description": code, **deepcopy(SIMULATOR.thing)}
    scale = round(width / SIMULATOR.card_width, 3)
    thing["Transform"] |= {"scaleX": scale, "scaleZ": scale}
    return thing


def _deck(
    part: Component,
    held: Sequence[_Face],
    number: int,
    most_across: int,
    files: dict[str, bytes],
    folder: Path,
) -> dict[str, Any]:
    """A deck, or the one card of which there is a single copy."""
    across = min(most_across, max(SIMULATOR.least[0], len(held)))
    down = max(SIMULATOR.least[1], math.ceil(len(held) / across))
    files[f"sheet-{number}.png"] = _sheet([face.front for face in held], across, down)
    blank = Image.new("RGB", held[0].front.size, "white")
    different = len({face.back.tobytes() for face in held if face.back}) > 1
    if different:
        files[f"backs-{number}.png"] = _sheet([face.back or blank for face in held], across, down)
    else:
        files[f"backs-{number}.png"] = png(next((face.back for face in held if face.back), blank), DPI)
    custom = {
        **SIMULATOR.deck,
        "FaceURL": (folder / f"sheet-{number}.png").absolute().as_uri(),
        "BackURL": (folder / f"backs-{number}.png").absolute().as_uri(),
        "NumWidth": across,
        "NumHeight": down,
        "UniqueBack": different,
    }
    width = held[0].size[0]
    cards = [
        _object("Card", face.piece.name, width, face.code)
        | {"CardID": number * 100 + at, "CustomDeck": {str(number): custom}}
        for at, face in enumerate(held)
        for _ in range(face.copies)
    ]
    if len(cards) == 1:
        return cards[0]
    deck = _object("DeckCustom", part.title, width)
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
    kind = "Custom_Tile_Stack" if counter and face.copies > 1 else "Custom_Tile"
    tile = _object(kind, face.piece.name, face.size[0] * 1.1, face.code)
    shape = SIMULATOR.shapes["round" if is_round(face.piece) else "square"]
    tile["CustomImage"] = {
        **SIMULATOR.image,
        "ImageURL": urls[0],
        "ImageSecondaryURL": urls[-1],
        "CustomTile": {**SIMULATOR.tile, "Type": shape, "Stackable": counter},
    }
    if counter and face.copies > 1:
        tile["Number"] = face.copies
    tile["Locked"] = not counter
    return tile


def _figurine(face: _Face, files: dict[str, bytes], folder: Path) -> dict[str, Any]:
    """A standing figure with the upright part of a standee's strip on both sides."""
    scale = face.front.height / STANDEE.height
    middle, foot = face.front.height / 2, face.front.height - FLAP * scale
    part = face.front.crop((0, round(middle), face.front.width, round(foot)))
    files[f"{face.name}.png"] = png(part, DPI)
    url = (folder / f"{face.name}.png").absolute().as_uri()
    figure = _object("Figurine_Custom", face.piece.name, STAND, face.code)
    figure["Transform"]["scaleY"] = figure["Transform"]["scaleX"]
    figure["CustomImage"] = {**SIMULATOR.image, "ImageURL": url, "ImageSecondaryURL": url, "ImageScalar": 1.0}
    return figure


def _small_enough(picture: Image.Image) -> Image.Image:
    share = SIMULATOR.most_pixels / max(picture.size)
    if share >= 1:
        return picture
    return picture.resize((round(picture.width * share), round(picture.height * share)), Image.Resampling.LANCZOS)
