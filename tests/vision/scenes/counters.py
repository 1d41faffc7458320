"""Counters by chance on tapestries and region maps, among figures and other round things, with the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from loomtable.engine.kernel.dice import Die
from loomtable.engine.woven.cards import tapestry_cards
from loomtable.engine.woven.region_map import region_map
from loomtable.engine.woven.tapestry import Tapestry
from loomtable.printkit.components.coin_token import COIN, draw_coin_side
from loomtable.printkit.components.figure_file import Figure
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.woven.counter import COUNTER, CounterFace, draw_counter
from loomtable.printkit.games.woven.mages import MAGES, MageInks
from loomtable.printkit.games.woven.region_map_legend import sheet_size
from loomtable.printkit.games.woven.tapestry_card import CELL
from loomtable.printkit.raster import picture_of
from loomtable.table.games.woven.board_regions import region_of
from loomtable.testing.virtual.lens import Points, rotated
from loomtable.vision.pictures import BgrImage
from tests.vision.scenes.boards import Board, Panel, Shot, any_camera, any_hand, any_lens, any_table, lying, take
from tests.vision.scenes.maps import lying_token, region_picture
from tests.vision.scenes.tapestries import card_panel

_STYLES = (Style.COLOUR, Style.COLOUR, Style.LOW_INK, Style.GREY)
_MAPS = ("the-weft-wolds", "the-maple-reach", "the-lace-weald")


@lru_cache(maxsize=64)
def counter_picture(mage: MageInks, face: CounterFace, style: Style) -> BgrImage:
    """A side of a counter as it is printed, RGB."""
    return picture_of(lambda pen: draw_counter(pen, mage, face), COUNTER.width, COUNTER.height, 300, style)


@lru_cache(maxsize=2)
def coin_picture(heads: bool) -> BgrImage:
    """A side of a coin token, RGB: another thing with a ring."""
    return picture_of(lambda pen: draw_coin_side(pen, Die.COIN.faces[not heads]), COIN.width, COIN.height, 300)


@dataclass(frozen=True)
class TrueCounter:
    """A counter that was put down."""

    figure: int
    kind: str
    place: tuple[float, float]
    """Its middle, mm on the map, or on the grid of the tapestry."""
    middle: Points
    """The same (2,) in the picture, px, were the lens straight."""
    sight: float
    """The share of it that is in sight."""
    pixels: float
    """Pixels a millimetre, along its shortest diameter."""


@dataclass(frozen=True, eq=False)
class CountersShot:
    """A photograph of counters on a map, or of a tapestry where ``map`` is empty."""

    shot: Shot
    counters: tuple[TrueCounter, ...]
    map: str
    tilt: float


def counters_board(seed: int, frame: tuple[int, int] = (1920, 1080)) -> CountersShot:
    """Up to nine counters on a region map, or, for odd seeds, on a tapestry."""
    rng = np.random.default_rng([seed, 61])
    style = _STYLES[int(rng.integers(len(_STYLES)))]
    turn, tilt = float(rng.uniform(0, 360)), float(rng.uniform(0, 45))
    name = "" if seed % 2 else _MAPS[seed // 2 % len(_MAPS)]
    panels: list[Panel] = []
    if name:
        turn = float(rng.choice([0, 0, 90, 180, 270]) + rng.normal(0, 4))
        size = sheet_size(region_map(name))
        panels.append(lying(region_picture(name, style), size, (0, 0), turn, 0.2))
        middle = np.array(size) / 2
        places = [(float(rng.uniform(25, size[0] - 25)), float(rng.uniform(25, size[1] - 60))) for _ in range(40)]
        places = [at for at in places if region_of(region_map(name), at)[0] is not None]
    else:
        whole = Tapestry()
        for number in rng.permutation(list(tapestry_cards()))[: int(rng.integers(1, 6))]:
            ways = whole.legal_placements(int(number))
            whole, _ = whole.with_card(ways[int(rng.integers(len(ways)))])
        panels = [card_panel(one, turn, style, rng, 0.2 + 0.35 * at) for at, one in enumerate(whole.placements)]
        corners = np.concatenate([panel.corners[:, :2] for panel in panels])
        shift = (corners.max(axis=0) + corners.min(axis=0)) / 2
        panels = [replace(panel, corners=panel.corners - np.append(shift, 0)) for panel in panels]
        middle = rotated([shift], -turn)[0]
        cells = rng.permutation(np.unique([tuple(at) for one in whole.placements for at in one.cells()], axis=0))
        places = [tuple(np.array(spot) * CELL + CELL / 2 + np.clip(rng.normal(0, 2, 2), -5, 5)) for spot in cells]
    spread = np.concatenate([panel.corners for panel in panels])
    camera = any_camera(rng, lambda one: one.project(spread), frame, tilt, float(rng.uniform(0.8, 0.96)))
    lower = len(panels)
    put: list[tuple[int, str, tuple[float, float], int]] = []
    taken: list[tuple[float, float]] = []
    for at in places:
        if len(put) == 9 or any(math.dist(at, other) < 21 for other in taken):
            continue
        taken.append(at)
        x, y = rotated([np.array(at) - middle], turn)[0].tolist()
        mage, spin = MAGES[int(rng.integers(len(MAGES)))], float(rng.uniform(0, 360))
        height = float(rng.uniform(0.3, 1.8)) + (0.35 * lower if not name else 0.0)
        what = rng.random()
        if what < 0.1:
            one = Figure(mage.number, mage.name, mage.art)
            panels.append(lying_token(one, style, (x, y), spin, height))
        elif what < 0.18:
            face = lying(coin_picture(bool(rng.random() < 0.5)), (COIN.width, COIN.height), (x, y), spin, height)
            panels.append(replace(face, round=True))
        else:
            side = list(CounterFace)[int(rng.integers(4))]
            face = lying(counter_picture(mage, side, style), (COUNTER.width, COUNTER.height), (x, y), spin, height)
            put.append((mage.number, side.value, at, len(panels)))
            panels.append(replace(face, round=True))
    hands = (any_hand(rng, camera.project(spread)[0], 0.06 * frame[0]),) if rng.random() < 0.2 else ()
    shot = take(Board(tuple(panels), camera, any_table(rng), any_lens(rng), hands), rng)
    true = []
    for figure, kind, at, panel in put:
        quad = camera.project(panels[panel].corners)
        pixels = min(math.dist(quad[i], quad[(i + 1) % 4]) for i in range(4)) / COUNTER.width
        true.append(TrueCounter(figure, kind, at, quad.mean(axis=0), shot.in_sight(quad, panel), pixels))
    return CountersShot(shot, tuple(true), name, tilt)
