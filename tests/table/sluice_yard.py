"""A fight of Storm Weavers in the sluice yard, and the printed yard with its figures, photographed."""

from __future__ import annotations

from typing import Any

import numpy as np

from loomtable.engine.kernel.session import Session
from loomtable.engine.storm_weavers.combat_map import CombatMap, combat_map
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.squares import column_and_row
from loomtable.engine.storm_weavers.state import Tale
from loomtable.printkit.components.figure_file import figures
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.storm_weavers.combat_map import map_size
from loomtable.testing.places_on_maps import square_middle
from loomtable.testing.virtual.lens import VirtualCamera
from loomtable.vision.pictures import BgrImage
from tests.vision.scenes.boards import Board, Panel, take
from tests.vision.scenes.maps import combat_picture, lying_token, standing_panels

PLAN = combat_map("sluice-yard")
NAMED = {figure.called: figure for figure in figures()}
CAMERA = VirtualCamera(height=260, tilt=25, frame=(1280, 720), aim=(0.0, 8.0))


def fight(*enemies: tuple[str, str], thymin: str = "C2", **more: Any) -> Session[Tale]:
    """A fight in the sluice yard, where it is Thymin's move."""
    session = Session.open(STORM_WEAVERS, seed="s")
    session.perform("create", dexterity_points=3)
    there = [{"name": name, "dexterity": 8, "health": 30, "square": at, "still": True} for name, at in enemies]
    session.perform("map-fight", map="sluice-yard", thymin=thymin, enemies=there, **more)
    return session


def photographed(panels: list[Panel], camera: VirtualCamera = CAMERA) -> BgrImage:
    return take(Board(tuple(panels), camera), np.random.default_rng(5)).picture


def yard_with(
    standing: dict[str, str], flat: dict[str, str], camera: VirtualCamera = CAMERA, plan: CombatMap = PLAN
) -> BgrImage:
    """The printed sluice yard, or another map, with figures on squares."""
    size = map_size(plan)
    panels = [Panel(combat_picture(plan.name, Style.COLOUR), flat_corners(size, (0, 0), 0.2))]
    for name, square in flat.items():
        panels.append(lying_token(NAMED[name], Style.COLOUR, on_map(square, size, plan), 40.0, 1.5))
    for name, square in standing.items():
        panels += standing_panels(NAMED[name], Style.COLOUR, on_map(square, size, plan), 8.0, 1.5)[:3]
    return photographed(panels, camera)


def flat_corners(size: tuple[float, float], middle: tuple[float, float], height: float) -> np.ndarray[Any, Any]:
    x, y = size[0] / 2, size[1] / 2
    corners = [(-x, -y, height), (x, -y, height), (x, y, height), (-x, y, height)]
    return np.asarray(np.array(corners) + np.array([*middle, 0.0]))


def on_map(square: str, size: tuple[float, float], plan: CombatMap = PLAN) -> tuple[float, float]:
    x, y = square_middle(plan, *column_and_row(square))
    return x - size[0] / 2 + 1.5, y - size[1] / 2 - 2.0
