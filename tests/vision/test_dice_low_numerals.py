"""Rendered dice with numerals before a low camera: the elevation is measured, and sides are not read."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.vision.dice import Verdict, read_dice
from tests.tiers import thorough
from tests.vision.needed import needs_networks
from training.develop import photographed
from training.invent import make_scene
from training.raster import Rasteriser
from training.views import RendererMissing

pytestmark = needs_networks


@pytest.fixture(scope="module")
def renderer() -> Rasteriser:
    try:
        return Rasteriser(finer=1.0)
    except RendererMissing as missing:
        pytest.skip(str(missing))


@thorough
@pytest.mark.parametrize("elevation", [25, 75])
def test_dice_with_numerals_tell_the_elevation_of_a_rendered_picture(elevation: int, renderer: Rasteriser) -> None:
    near = 0
    for seed in range(7_000_000, 7_000_004):
        scene = make_scene(
            seed,
            typefaces=renderer.typefaces,
            size=(480, 360),
            kinds=("d8", "d10", "d12", "d20"),
            elevations=(elevation, elevation),
        )
        camera = read_dice(photographed(scene, renderer.draw(scene))).camera
        near += camera is not None and abs(camera.elevation - elevation) < 15
    assert near >= 3, near


@thorough
def test_a_d10_before_a_low_camera_is_seldom_taken_for_its_side(renderer: Rasteriser) -> None:
    accepted = wrong = 0
    for seed in range(7_100_000, 7_100_012):
        scene = make_scene(seed, typefaces=renderer.typefaces, kinds=("d10",), elevations=(20, 35))
        picture, values = photographed(scene, renderer.draw(scene)), [die.value for die in scene.dice]
        tray = read_dice(picture, (len(values), Die.D10))
        if tray.verdict is Verdict.ACCEPTED:
            accepted += 1
            wrong += sorted(tray.faces) != sorted(10 if value == 0 else value for value in values)
    assert wrong <= 1, (wrong, accepted)
