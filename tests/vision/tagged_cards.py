"""Story cards that are printed with code and tag, forged or torn, under the virtual camera."""

from functools import cache

import cv2
import numpy as np

from loomtable.engine.kernel.components import ComponentId
from loomtable.printkit.catalogue import components_named
from loomtable.printkit.kit import RenderOptions, chosen_pieces
from loomtable.printkit.raster import cut, render_page
from loomtable.printkit.sheet.document import SheetSettings, pages_to_pdf
from loomtable.printkit.sheet.grid import DuplexMode, grid_for
from loomtable.printkit.sheet.imposition import ImpositionOptions, lay_out
from loomtable.printkit.sheet.marks import CropMarks
from loomtable.printkit.sheet.papers import A4, POKER
from loomtable.table.reading.card_geometry import code_corners
from loomtable.testing.virtual import PlacedCard, Scene, Surface, VirtualCamera, photograph

DPI = 150
CAMERA = VirtualCamera(height=235, tilt=12, frame=(960, 540))
TAG_MM = ((46.0, 3.5), (60.0, 17.5))
"""The corner in which the tag stands, mm from the card's upper left corner."""


@cache
def printed():
    """The faces of five Story cards, cut out of the page that ``loom print story-cards --tags`` writes."""
    [part] = components_named(["story-cards"])
    ids = [ComponentId.parse(short) for short in ("S2", "S5", "S7", "S9", "S14")]
    grid = grid_for(A4, POKER)
    [(_, pieces)] = chosen_pieces([part], RenderOptions(A4, POKER, tags=True), ids, 1)
    [page] = lay_out(pieces, ImpositionOptions(sides=DuplexMode.FRONTS_ONLY))
    settings = SheetSettings(title=part.title, sides=DuplexMode.FRONTS_ONLY, marks=CropMarks.NONE)
    picture = render_page(pages_to_pdf([page], settings), 0, DPI)
    return {
        placement.piece.id.short: cut(picture, grid.slot(placement.slot), grid.page_height, DPI)
        for placement in page.placements
    }


def corner(face):
    """The part of a face in which its tag stands."""
    (left, top), (right, foot) = ((round(x * DPI / 25.4), round(y * DPI / 25.4)) for x, y in TAG_MM)
    return face[top:foot, left:right]


def forged(code, tag):
    """The face of one card with the tag of another pasted on it."""
    face = printed()[code].copy()
    corner(face)[:] = corner(printed()[tag])
    return face


def torn(short):
    """A face whose code is torn off."""
    face = printed()[short].copy()
    corners = (np.array(code_corners()) * DPI / 25.4).astype(int)
    cv2.rectangle(face, tuple(corners[0] + (0, 25)), tuple(corners[2] + 10), (240, 238, 230), -1)
    return face


def photographed(*faces, apart=80, turn=0.0, seed=5):
    laid = [PlacedCard(face, apart * (k - 1), 0, turn) for k, face in enumerate(faces) if face is not None]
    return photograph(Scene(Surface("wood", seed=4), tuple(laid)), CAMERA, seed).picture
