"""Ready scenes: a row of cards, a handful of dice, placed so that everything lies inside the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from loomtable.engine.kernel.components import ComponentId
from loomtable.testing.virtual.colour import Colour
from loomtable.testing.virtual.lens import ImpossibleScene, Points, VirtualCamera, rotated
from loomtable.testing.virtual.light import Light
from loomtable.testing.virtual.placed_card import PlacedCard
from loomtable.testing.virtual.placed_die import BLACK, IVORY, PlacedDie
from loomtable.testing.virtual.scene import Scene
from loomtable.testing.virtual.surfaces import Surface, any_surface
from loomtable.vision.pictures import BgrImage

DICE_COLOURS: tuple[tuple[Colour, Colour], ...] = (
    (IVORY, BLACK),
    ((238, 238, 236), (24, 24, 26)),
    ((150, 24, 28), (240, 236, 226)),
    ((24, 24, 28), (238, 234, 224)),
    ((28, 62, 128), (236, 236, 232)),
    ((24, 96, 62), (236, 234, 222)),
    ((222, 172, 48), (30, 24, 20)),
    ((236, 232, 224), (150, 24, 30)),
)
"""Body and pip colours of dice that people own."""

_TRIES = 400


def any_light(rng: np.random.Generator) -> Light:
    """A room's light by chance: a lamp or window to some side, more or less of it from all round."""
    return Light(
        azimuth=float(rng.uniform(0, 360)),
        elevation=float(rng.uniform(42, 70)),
        distance=float(rng.uniform(700, 1500)),
        size=float(rng.uniform(4, 14)),
        sky=float(rng.uniform(0.4, 0.9)),
        tint=(1.0, float(rng.uniform(0.93, 0.99)), float(rng.uniform(0.82, 0.98))),
    )


def row_of_cards(
    faces: Sequence[BgrImage],
    seed: int,
    camera: VirtualCamera,
    *,
    cards: Sequence[ComponentId | None] | None = None,
    gap_mm: float = 14.0,
    turn: float = 0.0,
    surface: Surface | None = None,
    light: Light | None = None,
) -> Scene:
    """Cards placed by hand in one row from left to right, each a little askew, the row turned by ``turn`` degrees.

    The cards are poker size. ``cards`` names them in the same order.

    Raises:
        ImpossibleScene: the row does not fit into the camera's picture.
    """
    rng = np.random.default_rng([seed, 5])
    names = list(cards) if cards is not None else [None] * len(faces)
    if len(names) != len(faces):
        raise ImpossibleScene(f"{len(faces)} faces and {len(names)} names do not make a row")
    pitch = 63.0 + gap_mm
    laid = []
    for index, (face, name) in enumerate(zip(faces, names, strict=True)):
        slip = rng.uniform([-0.25 * gap_mm, -6], [0.25 * gap_mm, 6])
        place = rotated([[(index - (len(faces) - 1) / 2) * pitch + slip[0], slip[1]]], turn)[0] + camera.aim
        askew = float(rng.uniform(-4, 4))
        curl = float(rng.uniform(-0.9, 1.1))
        laid.append(PlacedCard(face, float(place[0]), float(place[1]), turn + askew, card=name, curl_mm=curl))
    if not all(camera.shows(card.polygon(camera)) for card in laid):
        raise ImpossibleScene(f"a row of {len(faces)} cards does not fit into the picture of a camera so close")
    return Scene(surface or any_surface(rng), tuple(laid), (), light or any_light(rng))


def handful_of_dice(
    values: Sequence[int],
    seed: int,
    camera: VirtualCamera,
    *,
    spread_mm: float = 130.0,
    surface: Surface | None = None,
    light: Light | None = None,
    look: PlacedDie | None = None,
) -> Scene:
    """Dice thrown onto the table: about the middle of the picture, turned anyhow, none upon another.

    All are of one set, ``look`` where given (its value and place do not matter), or one chosen by the seed.

    Raises:
        ImpossibleScene: they do not fit into the picture, or into ``spread_mm`` millimetres across.
    """
    rng = np.random.default_rng([seed, 6])
    pattern = look or any_die(rng)
    # The scene is drawn before the places, so that the same seed gives the same table however many dice there are.
    table, lamp = surface or any_surface(rng), light or any_light(rng)
    laid: list[PlacedDie] = []
    for value in values:
        laid.append(_thrown(replace(pattern, value=value), laid, rng, camera, spread_mm))
    return Scene(table, (), tuple(laid), lamp)


def any_die(rng: np.random.Generator, **fixed: Any) -> PlacedDie:
    """The look of a die that somebody might own, by chance; ``fixed`` fields of ``LaidDie`` are kept as given."""
    body, pips = DICE_COLOURS[int(rng.integers(len(DICE_COLOURS)))]
    size = float(rng.uniform(14, 18))
    sharp = bool(rng.random() < 0.25)
    chosen: dict[str, Any] = {
        "value": 1,
        "size_mm": size,
        "body": body,
        "pips": pips,
        "edge_mm": size * float(rng.uniform(0.015, 0.03) if sharp else rng.uniform(0.04, 0.09)),
        "corner": 0.0 if sharp else float(rng.uniform(0.4, 0.95)),
        "pip": float(rng.uniform(0.17, 0.225)),
        "spread": float(rng.uniform(0.245, 0.28)),
        "gloss": float(rng.uniform(0.35, 0.95)),
    }
    return PlacedDie(**{**chosen, **fixed})


def _thrown(
    die: PlacedDie, others: Sequence[PlacedDie], rng: np.random.Generator, camera: VirtualCamera, spread_mm: float
) -> PlacedDie:
    for _ in range(_TRIES):
        away = spread_mm / 2 * float(np.sqrt(rng.random()))
        x, y = rotated([[away, 0]], float(rng.uniform(0, 360)))[0] + camera.aim
        tried = replace(die, x=float(x), y=float(y), turn=float(rng.uniform(0, 360)))
        if all(_apart(tried, other) for other in others) and camera.shows(_seen(tried, camera)):
            return tried
    raise ImpossibleScene(
        f"die {len(others) + 1} finds no free place within {spread_mm:g} mm of the table and inside the picture"
    )


def _apart(die: PlacedDie, other: PlacedDie) -> bool:
    """Whether two dice cannot touch however they are turned: their corners keep a millimetre."""
    return bool(np.hypot(die.x - other.x, die.y - other.y) > (die.half + other.half) * 2**0.5 + 1)


def _seen(die: PlacedDie, camera: VirtualCamera) -> Points:
    """A box (8, 2) px round the die that is quick to find."""
    flat = rotated(die.half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]), die.turn) + np.array([die.x, die.y])
    return camera.project(np.vstack([np.column_stack([flat, np.full(4, z)]) for z in (0.0, die.size_mm)]))
