"""The true renderer: agrees with the quick one about what lies where, and follows light besides."""

from __future__ import annotations

import dataclasses
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from training import traced
from training.invent import make_scene
from training.raster import Rasteriser
from training.scenes import Lamp, Scene
from training.traced import LIBRARY, Tracer, llvm_library, room_with_lamps
from training.views import Rendered, RendererMissing, pixel_rays, projected

for needed in ("mitsuba", "pyoidn", "skimage"):
    pytest.importorskip(needed, reason=f"the true renderer needs {needed}, of training/pyproject.toml")


@cache
def tracer() -> Tracer:
    try:
        llvm_library()
    except RendererMissing as missing:
        pytest.skip(str(missing))
    return Tracer(samples=2)


def scene_of(seed: int, size: tuple[int, int] = (240, 180)) -> Scene:
    return make_scene(seed, typefaces=tracer().typefaces, size=size)


@cache
def picture(seed: int) -> Rendered:
    return tracer().draw(scene_of(seed))


def agreement(one: NDArray[np.uint8], other: NDArray[np.uint8], number: int) -> float:
    return float(((one == number) & (other == number)).sum() / ((one == number) | (other == number)).sum())


def test_both_renderers_see_the_same_dice_in_the_same_places() -> None:
    try:
        quick = Rasteriser(finer=1.0)
    except RendererMissing as missing:
        pytest.skip(str(missing))
    held = 0
    for seed in (1, 9, 13):
        which = quick.draw(scene_of(seed)).which
        for number in range(1, len(scene_of(seed).dice) + 1):
            if (which == number).sum() >= 250:
                held += 1
                assert agreement(picture(seed).which, which, number) > 0.97, f"scene {seed}, die {number}"
    assert held >= 4


def test_a_seed_is_one_traced_picture() -> None:
    again = tracer().draw(scene_of(1))
    assert again.light.tobytes() == picture(1).light.tobytes()
    assert again.which.tobytes() == picture(1).which.tobytes()
    assert np.isfinite(again.light).all() and again.light.min() >= 0 and again.light.mean() > 0.01


def test_without_llvm_the_same_dice_are_found_one_ray_at_a_time() -> None:
    scene = scene_of(1, (80, 60))
    slow = Tracer(samples=1, variant="scalar_rgb").draw(scene)
    compiled = tracer().draw(scene)
    assert (slow.which == compiled.which).mean() > 0.998
    assert abs(float(np.log(slow.light.mean() / compiled.light.mean()))) < 0.25, "the same light"


def test_rays_and_projection_are_each_other_s_inverse() -> None:
    camera = scene_of(1).camera
    along = pixel_rays(camera).reshape(camera.height, camera.width, 3)
    for row, column in ((0, 0), (17, 120), (179, 239)):
        [found] = projected(camera, (camera.eye + 50 * along[row, column])[None])
        assert np.allclose(found, [column + 0.5, row + 0.5])


@pytest.mark.parametrize("softness", [0.015, 0.1, 0.45])
def test_lamps_of_every_size_light_the_table_alike(softness: float) -> None:
    """A lamp's light on the table, summed over the room's picture, is its colour times how high it stands."""
    towards = np.array([0.48, -0.36, 0.8])
    scene = dataclasses.replace(scene_of(1), lamps=())
    lit = dataclasses.replace(scene, lamps=(Lamp(towards, (0.9, 0.6, 0.3), softness),))
    # The plain room is drawn with blobs where lamps are; they are no part of what is held here.
    rest, room = (room_with_lamps(dataclasses.replace(some, seed=scene.seed), False) for some in (scene, lit))
    rows = (np.arange(room.shape[0]) + 0.5) / room.shape[0] * np.pi
    weight = np.sin(rows) * np.clip(np.cos(rows), 0, None) * (np.pi / room.shape[0]) * (2 * np.pi / room.shape[1])
    added = ((room - rest) * weight[:, None, None]).sum(axis=(0, 1)) / np.pi
    assert np.allclose(added / added[0], np.array([0.9, 0.6, 0.3]) / 0.9, rtol=0.12)
    assert 0.9 * 0.72 < added[0] < 0.9 * 0.8 + 0.35


def test_what_the_true_renderer_lacks_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(LIBRARY, str(tmp_path / "libLLVM-99.so"))
    with pytest.raises(RendererMissing, match=r"DRJIT_LIBLLVM_PATH names .*libLLVM-99.so, which is not there"):
        llvm_library()
    monkeypatch.delenv(LIBRARY)
    monkeypatch.setattr(traced, "_FOLDERS", (str(tmp_path),))
    for name in ("libLLVM-15.so.1", "libLLVM.so.16.0", "libLLVM-C.so"):
        (tmp_path / name).touch()
    with pytest.raises(RendererMissing, match=r"needs LLVM 17 to 20 .* apt install libllvm19"):
        llvm_library()
    (tmp_path / "libLLVM.so.18.1").touch()
    assert llvm_library().name == "libLLVM.so.18.1"
    (tmp_path / "libLLVM-19.so").touch()
    assert llvm_library().name == "libLLVM-19.so"
    monkeypatch.setitem(sys.modules, "pyoidn", None)
    with pytest.raises(RendererMissing, match=r"needs pyoidn: .*pip install -e . -e training"):
        Tracer(variant="scalar_rgb")
