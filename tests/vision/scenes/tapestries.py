"""Tapestries and sheets full of tags by chance, with the truth: what ``seen_board`` measures the readers on."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from loomtable.engine.woven.cards import COLUMNS, ROWS, CardSide, tapestry_card, tapestry_cards
from loomtable.engine.woven.tapestry import CardPlacement, Tapestry
from loomtable.printkit.draw.palette import Colour, Style
from loomtable.printkit.draw.path import rect
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.draw.tags import draw_tag
from loomtable.printkit.games.woven.tapestry_card import CELL, TAPESTRY, draw_tapestry_side
from loomtable.printkit.raster import picture_of
from loomtable.table.games.woven.board_tapestry import TAPESTRY_TAGS
from loomtable.testing.virtual.lens import Points, VirtualCamera, rotated
from loomtable.vision.pictures import BgrImage
from loomtable.vision.tags import CELLS, registered
from tests.vision.scenes.boards import (
    Board,
    Hand,
    Panel,
    Shot,
    any_camera,
    any_hand,
    any_lens,
    any_table,
    bent_places,
    lying,
    take,
)

_DPI = 200
_STYLES = (Style.COLOUR, Style.COLOUR, Style.LOW_INK, Style.GREY)


@lru_cache(maxsize=256)
def side_picture(card: int, side: CardSide, style: Style) -> BgrImage:
    """A side of a tapestry card as it is printed, RGB."""
    one = tapestry_card(card)
    return picture_of(lambda pen: draw_tapestry_side(pen, one, side), TAPESTRY.width, TAPESTRY.height, _DPI, style)


@dataclass(frozen=True, eq=False)
class Woven:
    """A photograph of a tapestry over which a card was laid."""

    shot: Shot
    book: Tapestry
    """Without the new card."""
    new: CardPlacement
    tilt: float
    pixels_per_cell: float
    """Of the smallest of the new card's tags."""
    sight: float
    """1 where at least one of its tags is in sight and a known card's too, else 0."""

    @property
    def cards(self) -> set[int]:
        """The numbers of all cards that lie there."""
        return {self.new.card, *(placement.card for placement in self.book.placements)}


def tapestry_board(seed: int, frame: tuple[int, int] = (1920, 1080)) -> Woven:
    """One to six cards laid by chance on one grid, each a little off it, and a new one over them."""
    rng = np.random.default_rng([seed, 47])
    style = _STYLES[int(rng.integers(len(_STYLES)))]
    numbers = [int(number) for number in rng.permutation(list(tapestry_cards()))[: int(rng.integers(2, 8))]]
    whole = Tapestry()
    for number in numbers:
        ways = whole.legal_placements(number)
        whole, _ = whole.with_card(ways[int(rng.integers(len(ways)))])
    turn, tilt = float(rng.uniform(0, 360)), float(rng.uniform(0, 45))
    panels = [card_panel(one, turn, style, rng, 0.2 + 0.35 * at) for at, one in enumerate(whole.placements)]
    corners = np.concatenate([panel.corners for panel in panels])
    middle = (corners.max(axis=0) + corners.min(axis=0))[:2] / 2
    shift = np.append(-middle, 0)
    panels = [Panel(panel.face, panel.corners + shift, panel.key) for panel in panels]
    spread = np.concatenate([panel.corners for panel in panels])
    camera = any_camera(rng, lambda one: one.project(spread), frame, tilt, float(rng.uniform(0.75, 0.95)))
    hands: tuple[Hand, ...] = ()
    if rng.random() < 0.15:
        at = camera.project(spread)[int(rng.integers(len(spread)))]
        hands = (any_hand(rng, at, 0.05 * frame[0]),)
    shot = take(Board(tuple(panels), camera, any_table(rng), any_lens(rng), hands), rng)
    tags = [tag_quads(panel, camera) for panel in panels]
    known = any(_shows(shot, quad, at) for at, quads in enumerate(tags[:-1]) for quad in quads)
    new = [quad for quad in tags[-1] if _shows(shot, quad, len(panels) - 1)]
    cell = max((_cell(quad) for quad in new), default=0.0)
    *before, last = whole.placements
    return Woven(shot, Tapestry(tuple(before)), last, tilt, cell, float(bool(new) and known))


def card_panel(one: CardPlacement, turn: float, style: Style, rng: np.random.Generator, height: float) -> Panel:
    """A card on the grid of a table that is turned, laid a little off its place."""
    wide, high = (COLUMNS, ROWS) if one.turns % 2 == 0 else (ROWS, COLUMNS)
    x, y = (one.at[0] + wide / 2) * CELL, (one.at[1] + high / 2) * CELL
    dx, dy = np.clip(rng.normal(0, 0.7, 2), -2, 2)
    at = rotated([[x + dx, y + dy]], turn)[0]
    askew = float(np.clip(rng.normal(0, 0.8), -2, 2))
    size = TAPESTRY.width, TAPESTRY.height
    return lying(side_picture(one.card, one.side, style), size, (float(at[0]), float(at[1])),
                 turn + 90 * one.turns + askew, height)  # fmt: skip


def tag_quads(panel: Panel, camera: VirtualCamera) -> list[Points]:
    """The corners (4, 2) px of a tapestry card's four tags."""
    a, b, _, d = panel.corners
    across, down = (b - a) / TAPESTRY.width, (d - a) / TAPESTRY.height
    half, inset = TAPESTRY_TAGS.side / 2, TAPESTRY_TAGS.inset
    quads = []
    for x in (inset, TAPESTRY.width - inset):
        for y in (inset, TAPESTRY.height - inset):
            corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
            quads.append(camera.project(np.array([a + u * across + v * down for u, v in corners])))
    return quads


def _shows(shot: Shot, quad: Points, panel: int) -> bool:
    return shot.in_sight(quad.mean(axis=0) + (quad - quad.mean(axis=0)) * 1.25, panel) > 0.98


def _cell(quad: Points) -> float:
    return min(math.dist(quad[i], quad[(i + 1) % 4]) for i in range(4)) / CELLS


@dataclass(frozen=True, eq=False)
class TagSheet:
    """A photograph of a page of tags."""

    shot: Shot
    tags: tuple[tuple[int, Points], ...]
    """Numbers, and corners (4, 2) px; those wholly in the picture."""
    numbers: frozenset[int]
    """Of all tags on the page."""
    tilt: float


_TAG, _PITCH, _ACROSS, _DOWN = 8.0, 14.0, 12, 8


def tag_sheet(seed: int, frame: tuple[int, int] = (1280, 720), pixels_per_cell: float | None = None) -> TagSheet:
    """Ninety-six tags by chance, each on a ground of some colour, at 1.5 to 4 pixels a cell."""
    rng = np.random.default_rng([seed, 53])
    chosen = [int(number) for number in rng.choice(registered(), _ACROSS * _DOWN, replace=False)]
    tilt, turn = float(rng.uniform(0, 45)), float(rng.uniform(0, 360))
    wanted = float(rng.uniform(1.5, 4)) if pixels_per_cell is None else pixels_per_cell
    size = _ACROSS * _PITCH, _DOWN * _PITCH
    corners = rotated(np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * size, turn)
    camera = any_camera(rng, lambda one: one.project(corners), frame, tilt, 0.5)
    for _ in range(4):
        now = _cell(camera.project(_tag_corners(_DOWN // 2 * _ACROSS + _ACROSS // 2, turn)))
        camera = replace(camera, height=float(np.clip(camera.height * now / wanted, 60, 4000)))
    lens, page = any_lens(rng), lying(_tag_page(tuple(chosen), rng), size, (0, 0), turn, 0.2)
    shot = take(Board((page,), camera, any_table(rng), lens), rng)
    tags = []
    for at, number in enumerate(chosen):
        quad = bent_places(camera.project(_tag_corners(at, turn)), lens.bend, frame)
        if quad.min() > 6 and np.all(quad < np.array(frame) - 7):
            tags.append((number, quad))
    return TagSheet(shot, tuple(tags), frozenset(chosen), tilt)


def _tag_corners(at: int, turn: float) -> Points:
    """The corners (4, 2) of a tag on the table, mm."""
    row, column = divmod(at, _ACROSS)
    left, top = column * _PITCH + (_PITCH - _TAG) / 2, row * _PITCH + (_PITCH - _TAG) / 2
    corners = np.array([[0, 0], [_TAG, 0], [_TAG, _TAG], [0, _TAG]]) + np.array([left, top])
    return rotated(corners - np.array([_ACROSS, _DOWN]) * _PITCH / 2, turn)


def _tag_page(numbers: tuple[int, ...], rng: np.random.Generator) -> BgrImage:
    """The tags on grounds of all colours, RGB."""
    width, height = _ACROSS * _PITCH, _DOWN * _PITCH
    grounds = [Colour.hex("".join(f"{int(v):02X}" for v in rng.integers(40, 250, 3))) for _ in numbers]

    def draw(pen: Pen) -> None:
        for at, (number, ground) in enumerate(zip(numbers, grounds, strict=True)):
            row, column = divmod(at, _ACROSS)
            x, y = column * _PITCH, height - (row + 1) * _PITCH
            pen.fill_background(rect(x, y, _PITCH, _PITCH), ground)
            draw_tag(pen, number, x + (_PITCH - _TAG) / 2, y + (_PITCH - _TAG) / 2, _TAG)

    return picture_of(draw, width, height, 200)
