"""Maps with figures and tapestries by chance, with the truth: what ``seen_board`` measures the readers on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.squares import Square, square_at
from loomtable.engine.woven.region_map import region_map
from loomtable.printkit.components import figure
from loomtable.printkit.components.figure_file import Figure, figures
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.spellwoven import ring_mat
from loomtable.printkit.games.spellwoven.figures import FOES, HEROES
from loomtable.printkit.games.storm_weavers.combat_map import draw_combat_map, map_size
from loomtable.printkit.games.woven.mages import MAGES
from loomtable.printkit.games.woven.region_map_legend import draw_region_sheet, sheet_size
from loomtable.printkit.raster import picture_of
from loomtable.table.games.spellwoven.ring_mat import MAT_SHEET, ring_of
from loomtable.table.games.storm_weavers.board import combat_sheet
from loomtable.table.games.woven.board_regions import region_sheet
from loomtable.table.reading.board import BESIDE
from loomtable.table.reading.board_geometry import FIGURE_PRINTS
from loomtable.testing.places_on_maps import region_middle, square_middle
from loomtable.testing.virtual.lens import Points, VirtualCamera, rotated
from loomtable.vision.board.maps import TaggedSheet
from loomtable.vision.pictures import BgrImage
from tests.vision.scenes.boards import (
    Board,
    Hand,
    Panel,
    Shot,
    any_camera,
    any_hand,
    any_lens,
    any_table,
    lying,
    take,
)

_MAP_DPI, _FIGURE_DPI = 130, 300
_COMBAT_MAPS = ("bell-hall", "rime-bridge", "sluice-yard")
_STYLES = (Style.COLOUR, Style.COLOUR, Style.LOW_INK, Style.GREY)
STANDEE, TOKEN = (one.name for one in FIGURE_PRINTS)
WHOLE = 0.98
"""The share of a tag from which it is in sight."""


@lru_cache(maxsize=16)
def combat_picture(name: str, style: Style) -> BgrImage:
    """A combat map as it is printed, RGB."""
    plan = combat_map(name)
    return picture_of(lambda pen: draw_combat_map(pen, plan), *map_size(plan), _MAP_DPI, style)


@lru_cache(maxsize=8)
def region_picture(name: str, style: Style) -> BgrImage:
    """A region map with its frame and legend as it is printed, RGB."""
    ground = region_map(name)
    return picture_of(lambda pen: draw_region_sheet(pen, ground), *sheet_size(ground), _MAP_DPI, style)


@lru_cache(maxsize=4)
def ring_picture(style: Style) -> BgrImage:
    """The ring mat as it is printed, RGB."""
    return picture_of(ring_mat.draw_ring_mat, ring_mat.WIDTH, ring_mat.HEIGHT, _MAP_DPI, style)


@lru_cache(maxsize=128)
def strip_picture(one: Figure, style: Style) -> BgrImage:
    """The flat strip of a standee, RGB."""
    size = figure.STANDEE.width, figure.STANDEE.height
    return picture_of(lambda pen: figure.draw_standee(pen, one), *size, _FIGURE_DPI, style)


@lru_cache(maxsize=256)
def token_picture(one: Figure, style: Style, fallen: bool) -> BgrImage:
    """One side of a flat token, RGB."""
    return picture_of(
        lambda pen: figure.draw_token(pen, one, fallen=fallen), figure.BASE, figure.BASE, _FIGURE_DPI, style
    )


@dataclass(frozen=True)
class Put:
    """A figure that was put on a map, as it truly stands."""

    figure: Figure
    print: str
    field: str
    """The square or the region under the middle of its base."""
    place: tuple[float, float]
    """The middle of its base, mm on the map."""
    sight: float
    """The share of its best seen tag that is in sight."""
    pixels_per_cell: float
    """Of that tag."""


@dataclass(frozen=True, eq=False)
class Played:
    """A photograph of a map with figures."""

    shot: Shot
    map: str
    figures: tuple[Put, ...]
    tilt: float
    hand: bool
    corners: int
    """How many of the map's corner tags are in sight."""


def standing_panels(one: Figure, style: Style, at: tuple[float, float], turn: float, height: float) -> list[Panel]:
    """A folded standee: two halves of its base, and its front and back."""
    strip = strip_picture(one, style)
    dots = strip.shape[0] / figure.STANDEE.height
    flap, stand, half = figure.FLAP, figure.STAND, figure.BASE / 2

    def cut(low: float, top: float) -> BgrImage:
        """The part of the strip between two heights above its foot, mm."""
        whole = figure.STANDEE.height
        return strip[round((whole - top) * dots) : round((whole - low) * dots)]

    def at_table(points: list[tuple[float, float, float]]) -> Points:
        flat = np.array(points, float)
        return np.column_stack([rotated(flat[:, :2], turn) + np.array(at), flat[:, 2]])

    h, up = height, height + stand
    return [
        Panel(cut(0, flap), at_table([(-half, 0, h), (half, 0, h), (half, flap, h), (-half, flap, h)]), "tag"),
        Panel(cut(flap + 2 * stand, 2 * flap + 2 * stand),
              at_table([(-half, -flap, h), (half, -flap, h), (half, 0, h), (-half, 0, h)]), "tag back"),
        Panel(cut(flap, flap + stand),
              at_table([(-half, 0, up), (half, 0, up), (half, 0, h), (-half, 0, h)]), "front"),
        Panel(cut(flap + stand, flap + 2 * stand),
              at_table([(-half, 0, h), (half, 0, h), (half, 0, up), (-half, 0, up)]), "back"),
    ]  # fmt: skip


def lying_token(
    one: Figure, style: Style, at: tuple[float, float], turn: float, height: float, *, fallen: bool = False
) -> Panel:
    """A flat token with its middle at a place of the table."""
    return lying(token_picture(one, style, fallen), (figure.BASE, figure.BASE), at, turn, height)


def facing(panels: list[Panel], camera: VirtualCamera) -> list[Panel]:
    """Without the side of a standing figure that looks away from the camera."""
    kept = []
    for panel in panels:
        a, b, _, d = panel.corners * [1, -1, 1]
        normal = np.cross(b - a, a - d)
        if panel.key.startswith("tag") or normal @ (camera.position - a) > 0:
            kept.append(panel)
    return kept


def tag_outline(print_: str, at: tuple[float, float], turn: float, height: float, back: bool) -> Points:
    """The corners (4, 3) of a figure's tag on the table, mm."""
    one = next(p for p in FIGURE_PRINTS if p.name == print_)
    half = one.side / 2
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) - np.array(one.middle)
    laid = rotated(corners, turn + (180 if back else 0)) + np.array(at)
    return np.column_stack([laid, np.full(4, height)])


def combat_board(seed: int, frame: tuple[int, int] = (1920, 1080)) -> Played:
    """A combat map with three to six figures by chance, each somewhere in its square."""
    rng = np.random.default_rng([seed, 41])
    plan = combat_map(_COMBAT_MAPS[seed % len(_COMBAT_MAPS)])
    style = _STYLES[int(rng.integers(len(_STYLES)))]
    free = [square_at(c, r) for c in range(plan.width) for r in range(plan.height)]
    free = [square for square in free if square not in plan.obstacles]
    chosen = rng.permutation(len(free))[: int(rng.integers(3, 7))]
    who = rng.permutation(len(figures()))[: len(chosen)]
    spots: list[tuple[Figure, Square, tuple[float, float]]] = []
    for one, at in zip(who, chosen, strict=True):
        column, row = ord(free[at][0]) - 65, int(free[at][1:]) - 1
        x, y = square_middle(plan, column, row)
        dx, dy = np.clip(rng.normal(0, 2.5, 2), -8, 8)
        spots.append((figures()[int(one)], free[at], (float(x + dx), float(y + dy))))
    return _photographed(rng, plan.name, combat_picture(plan.name, style), combat_sheet(plan), spots, style, frame)


def region_board(seed: int, frame: tuple[int, int] = (1920, 1080)) -> Played:
    """A region map with two to five mages by chance, each well inside its region."""
    rng = np.random.default_rng([seed, 43])
    ground = region_map("the-weft-wolds")
    style = _STYLES[int(rng.integers(len(_STYLES)))]
    chosen = rng.permutation(len(ground.regions))[: int(rng.integers(2, 6))]
    spots: list[tuple[Figure, str, tuple[float, float]]] = []
    for mage, at in zip(MAGES, chosen, strict=False):
        region = ground.regions[int(at)]
        x, y = region_middle(ground, region.key)
        spots.append((Figure(mage.number, f"{mage.name} Mage", mage.art), region.key, (x, y)))
    face = region_picture(ground.key, style)
    return _photographed(rng, ground.key, face, region_sheet(ground), spots, style, frame)


def ring_board(
    seed: int, frame: tuple[int, int] = (1920, 1080), put: Mapping[Figure, tuple[float, float]] | None = None
) -> Played:
    """The ring mat with heroes and foes where they are ``put``, or three to eight anywhere on it."""
    rng = np.random.default_rng([seed, 59])
    style = _STYLES[int(rng.integers(len(_STYLES)))]
    spots = [(one, ring_of(at)[0] or BESIDE, at) for one, at in (put or {}).items()]
    for one in () if put else rng.permutation(np.array((*HEROES, *FOES), object))[: int(rng.integers(3, 9))]:
        x, y = float(rng.uniform(30, ring_mat.WIDTH - 30)), float(rng.uniform(14, ring_mat.HEIGHT - 14))
        if all(math.dist((x, y), place) > 40 for _, _, place in spots):
            spots.append((one, ring_of((x, y))[0] or BESIDE, (x, y)))
    return _photographed(rng, "ring-mat", ring_picture(style), MAT_SHEET, spots, style, frame)


def _photographed(
    rng: np.random.Generator,
    name: str,
    face: BgrImage,
    sheet: TaggedSheet,
    spots: list[tuple[Figure, str, tuple[float, float]]],
    style: Style,
    frame: tuple[int, int],
) -> Played:
    size = sheet.width, sheet.height
    turn = float(rng.choice([0, 0, 0, 90, 180, 270]) + rng.normal(0, 4))
    tilt = float(rng.uniform(0, 45))
    corners = rotated(np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * size, turn)
    camera = any_camera(rng, lambda one: one.project(corners), frame, tilt, float(rng.uniform(0.88, 0.97)))
    panels = [lying(face, size, (0, 0), turn, 0.2)]
    told: list[tuple[Figure, str, str, tuple[float, float], list[tuple[int, Points]]]] = []
    for one, field_, place in spots:
        at = rotated([[place[0] - size[0] / 2, place[1] - size[1] / 2]], turn)[0]
        middle = float(at[0]), float(at[1])
        # Some people line their figures up with the squares, others do not care.
        neat = turn + float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 6))
        spin = neat if rng.random() < 0.5 else float(rng.uniform(0, 360))
        if rng.random() < 0.5:
            height = float(rng.uniform(0.5, 3.5))
            own = facing(standing_panels(one, style, middle, spin, height), camera)
            tags = [(len(panels) + k, tag_outline(STANDEE, middle, spin, height, bool(k))) for k in (0, 1)]
            panels += own
            told.append((one, STANDEE, field_, place, tags))
        else:
            height = float(rng.uniform(0.4, 3.0))
            tags = [(len(panels), tag_outline(TOKEN, middle, spin, height, False))]
            panels.append(lying_token(one, style, middle, spin, height, fallen=bool(rng.random() < 0.2)))
            told.append((one, TOKEN, field_, place, tags))
    hand = bool(rng.random() < 0.15)
    hands: tuple[Hand, ...] = ()
    if hand:
        corner = camera.project(corners)[int(rng.integers(4))]
        hands = (any_hand(rng, corner, 0.06 * frame[0]),)
    shot = take(Board(tuple(panels), camera, any_table(rng), any_lens(rng), hands), rng)
    put = []
    for one, print_, field_, place, tags in told:
        seen = []
        for panel, outline in tags:
            pixels = camera.project(outline)
            cell = min(math.dist(pixels[i], pixels[(i + 1) % 4]) for i in range(4)) / 8
            seen.append((shot.in_sight(_wider(pixels), panel), cell))
        sight, cell = max(seen)
        put.append(Put(one, print_, field_, place, sight, cell))
    quads = [rotated(np.array(quad) - np.array(size) / 2, turn) for quad in sheet.tags.values()]
    whole = sum(shot.in_sight(_wider(camera.project(quad)), 0) > WHOLE for quad in quads)
    return Played(shot, name, tuple(put), tilt, hand, whole)


def _wider(quad: Points) -> Points:
    """A tag with the light rim that it needs."""
    return np.asarray(quad.mean(axis=0) + (quad - quad.mean(axis=0)) * 1.25)
