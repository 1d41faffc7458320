"""D6 in a tray under a camera with a wide lens: dice lie all over it, most of them far from the nadir."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from loomtable.testing.virtual import Photograph, PlacedDie, Scene, VirtualCamera, any_surface, photograph
from loomtable.testing.virtual.scatter import any_die, any_light


def camera_over_tray(seed: int) -> VirtualCamera:
    """A camera that hangs over a tray, turned in any way."""
    rng = np.random.default_rng([seed, 96])
    return VirtualCamera(
        height=float(rng.uniform(125, 150)),
        tilt=float(rng.uniform(0, 14)),
        roll=float(rng.uniform(0, 360)),
        field_of_view=float(rng.uniform(80, 95)),
        frame=(960, 720),
    )


def roll_in_tray(camera: VirtualCamera, seed: int, count: int) -> Photograph:
    """Dice of one set in all of its picture, most of them at its border."""
    rng = np.random.default_rng([seed, 97])
    look, laid = any_die(rng), list[PlacedDie]()
    for _ in range(400):
        if len(laid) == count:
            break
        way, far = rng.uniform(0, 2 * math.pi), math.sqrt(rng.uniform(0.15, 1))
        pixel = (0.5 + 0.5 * far * np.array([math.cos(way), math.sin(way)])) * camera.frame
        x, y = camera.place(pixel)[0].tolist()
        value, turn = int(rng.integers(1, 7)), float(rng.uniform(0, 360))
        die = replace(look, value=value, x=x, y=y, turn=turn)
        apart = all(math.hypot(x - other.x, y - other.y) > 1.6 * die.size_mm for other in laid)
        if apart and camera.shows(die.outline(camera)):
            laid.append(die)
    return photograph(Scene(any_surface(rng), (), tuple(laid), any_light(rng)), camera, seed)


def elevation_and_turn(camera: VirtualCamera, die: PlacedDie) -> tuple[float, float]:
    """Degrees: how high the camera stands above the table seen from a die, and where upright things point at it in
    the picture, clockwise from up."""
    towards = camera.position - die.centre
    foot, above = camera.project([[die.x, die.y, 0.0], [die.x, die.y, die.size_mm]])
    x, y = (above - foot).tolist()
    elevation = math.degrees(math.asin(float(towards[2] / np.linalg.norm(towards))))
    return elevation, math.degrees(math.atan2(x, -y))
