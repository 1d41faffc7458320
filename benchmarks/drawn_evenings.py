"""Evenings of d6 before drawn cameras, all from one sampler: from 15 degrees above the table to straight over it,
lenses of 38 to 110 degrees, held upright or turned, with walls round the dice or none, and one set of dice an
evening, from sharp ones through casino dice, clear and sharp, to tumbled ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from loomtable.vision.arrays import Float64Array
from loomtable.vision.pictures import BgrImage
from training.develop import labels, photographed
from training.glyphs import PIP_STYLES
from training.invent import make_scene
from training.labels import KnownDie
from training.parts import renderer
from training.scenes import Camera, LaidDie, Scene, Thing
from training.views import look_matrix

ROLLS = 6
SIZE = (640, 480)
UPRIGHT_BELOW, MIN_ABOVE_HORIZON, MIN_SEEN = 50.0, 12.0, 0.6
"""Degrees below which a camera is held upright, all but one in ten; by how many the horizon is out of its picture;
share of a die that is in view at least."""
OF_A_SET = ("body", "second", "swirl", "grain", "ink", "ink_of_one", "depth", "gloss", "metal", "clear", "weight")
"""What dice of one set share beside their shape."""


@dataclass(frozen=True)
class Roll:
    """One picture of an evening."""

    picture: BgrImage
    dice: tuple[KnownDie, ...]


@dataclass(frozen=True)
class Evening:
    """The camera of an evening, degrees, and its rolls."""

    elevation: float
    lens: float
    """Across the picture's longer side."""
    rolls: Iterator[Roll]


def evening(number: int) -> Evening:
    """The evening of a number. Rolls of which a die is half hidden, or leans, are left out."""
    rng = np.random.default_rng([number, 98])
    elevation, lens = float(rng.uniform(15, 90)), float(rng.choice([rng.uniform(38, 75), rng.uniform(75, 110)]))
    lens = min(lens, 2 * max(elevation - MIN_ABOVE_HORIZON, 19.0))
    turned = (
        rng.uniform(0, 360)
        if elevation > UPRIGHT_BELOW
        else rng.choice([0, 90, 180, 270], p=[0.9, *[0.1 / 3] * 3])
    )
    across, pixels = float(rng.uniform(12, 20)), float(np.exp(rng.uniform(np.log(28), np.log(90))))
    focal = 0.5 / float(np.tan(np.radians(lens) / 2))
    away = np.array([0.0, -np.cos(np.radians(elevation)), np.sin(np.radians(elevation))])
    roll = float(np.radians(turned + rng.normal(0, 5)))
    camera = Camera(across * focal * SIZE[0] / pixels * away, np.zeros(3), roll, focal, *SIZE)
    look, walls = _set_of_dice(rng), bool(rng.random() < 0.6)
    return Evening(elevation, lens, _rolls(number, camera, across, look, walls))


def _set_of_dice(rng: np.random.Generator) -> dict[str, Any]:
    """What the dice of an evening have in common."""
    make = str(rng.choice(["casino", "sharp", "usual", "tumbled"], p=[0.2, 0.2, 0.3, 0.3]))
    look: dict[str, Any] = {"style": int(rng.integers(PIP_STYLES)), "size": float(rng.uniform(0.85, 1.0))}
    if make == "casino":
        body = np.array([0.5, 0.02, 0.02]) if rng.random() < 0.5 else rng.uniform(0, 0.5, 3)
        white = (0.75, 0.75, 0.72)
        colours = {"body": tuple(body), "ink": white, "ink_of_one": white}
        return look | colours | {"rounding": 0.0, "ball": 9.0, "clear": float(rng.uniform(0.4, 0.9)), "depth": 0.0}
    rounding = {"sharp": (0.0, 0.1), "usual": (0.15, 0.6), "tumbled": (0.5, 1.0)}[make]
    return look | {"rounding": float(rng.uniform(*rounding)), "ball": 1.25 if make == "tumbled" else 9.0}


def _rolls(number: int, camera: Camera, across: float, look: dict[str, Any], walls: bool) -> Iterator[Roll]:
    seeds = range(100 * number, 100 * number + ROLLS)
    drawn = [make_scene(seed, typefaces=1, size=SIZE, kinds=("d6",)) for seed in seeds]
    first, scenes = drawn[0].dice[0], list[Scene]()
    look = {name: getattr(first, name) for name in OF_A_SET} | look
    film = replace(drawn[0].film, smaller=1.0, blur=min(drawn[0].film.blur, 0.9), motion=0.0)
    for seed, scene in zip(seeds, drawn, strict=True):
        dice = _laid(scene, camera, across / 2, look, np.random.default_rng([seed, 99]))
        if dice and not any(die.cocked for die in dice):
            there = replace(drawn[0], seed=seed, dice=dice, camera=camera, film=film, things=())
            scenes.append(replace(there, lamps=scene.lamps, ambient=scene.ambient))
    things = (
        _walls([die.place for scene in scenes for die in scene.dice], across, number) if walls and scenes else ()
    )
    for scene in scenes:
        whole = replace(scene, things=things)
        rendered = renderer().draw(whole)
        known = labels(whole, rendered.which)
        if len(known) == len(scene.dice) and all(die.seen >= MIN_SEEN for die in known):
            yield Roll(photographed(whole, rendered), known)


def _laid(
    scene: Scene, camera: Camera, inner: float, look: dict[str, Any], rng: np.random.Generator
) -> tuple[LaidDie, ...]:
    """The dice of a scene all over the picture of another camera, most of them near its border."""
    laid: list[LaidDie] = []
    for die in scene.dice:
        for _ in range(30):
            at = rng.uniform(0, 1, 2) ** np.where(rng.permutation(2) == 0, 0.4, 1.0) * rng.choice([-1, 1], 2)
            ray = look_matrix(camera) @ [*(0.44 * at * [1, SIZE[1] / SIZE[0]] / camera.focal), 1.0]
            place = camera.eye - ray * (camera.eye[2] - inner) / ray[2]
            near = np.linalg.norm(place - camera.eye) < 1.8 * np.linalg.norm(camera.eye)
            if ray[2] < 0 and near and all(np.linalg.norm(place - one.place) > 3.2 * inner for one in laid):
                laid.append(replace(die, **look, inner=inner, place=place))
                break
    return tuple(laid)


def _walls(places: list[Float64Array], across: float, number: int) -> tuple[Thing, ...]:
    """Round all dice of an evening, but before them where a camera would look over a wall."""
    rng = np.random.default_rng([number, 97])
    least, most = np.min(places, axis=0)[:2] - 0.8 * across, np.max(places, axis=0)[:2] + 0.8 * across
    thick, tall = float(rng.uniform(2, 6)), across * float(rng.uniform(0.6, 1.8))
    colour = tuple(float(part) for part in rng.uniform(0.02, 0.6, 3))
    middle, half = (least + most) / 2, (most - least) / 2
    walls = []
    for way, side in ((0, -1), (0, 1), (1, 1)):
        at, reach = np.array([*middle, tall / 2]), np.array([*(half + thick), tall / 2])
        at[way], reach[way] = middle[way] + side * (half[way] + thick), thick
        walls.append(Thing(False, at, reach, 1.0, 0.0, colour))  # type: ignore[arg-type]
    return tuple(walls)
