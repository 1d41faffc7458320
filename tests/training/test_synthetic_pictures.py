"""Made-up pictures show what their labels say: held against the pictures in other ways than they were made."""

from __future__ import annotations

import dataclasses
import hashlib
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from loomtable.engine.kernel.errors import LoomtableError
from tests.tiers import mostly, thorough
from training import make, parts, raster
from training.develop import labels
from training.glyphs import atlas
from training.invent import make_scene
from training.labels import SCENES, KnownDie, LabelledScene
from training.raster import Rasteriser
from training.scenes import Camera, LaidDie, Scene, Table
from training.views import RendererMissing, projected, upright_at

RECIPE = parts.Setup(192, 144)


@cache
def quick() -> Rasteriser:
    return Rasteriser(finer=1.0)


@pytest.fixture(autouse=True)
def an_opengl_is_there(request: pytest.FixtureRequest) -> Iterator[None]:
    if "without_opengl" not in request.fixturenames:
        try:
            quick()
        except RendererMissing as missing:
            pytest.skip(str(missing))
    yield


@pytest.fixture
def without_opengl() -> None:
    """Marks tests that want no renderer."""


def scene_of(seed: int) -> Scene:
    return make_scene(seed, typefaces=quick().typefaces, size=(240, 180))


def test_faces_and_boxes_lie_on_their_dice() -> None:
    """A second way: within the labelled face's polygon the renderer saw that die."""
    held = 0
    for seed in range(70):
        scene = scene_of(seed)
        if len(scene.dice) > 1 or scene.things or held >= 6:
            continue
        which = quick().draw(scene).which
        for die in labels(scene, which):
            face = np.zeros(which.shape, np.uint8)
            cv2.fillPoly(face, [np.array(die.polygon).round().astype(np.int32)], 1)
            inside = cv2.erode(face, np.ones((3, 3), np.uint8)) > 0
            if inside.sum() < 40:
                continue
            held += 1
            assert (which[inside] == 1).mean() > 0.7, f"scene {seed}"
            left, top, right, bottom = map(int, die.box)
            assert (which > 0).sum() == (which[top:bottom, left:right] > 0).sum() > 0
            assert left <= die.top[0] <= right and top <= die.top[1] <= bottom
    assert held >= 4


def from_above(kind: str, number: int) -> Scene:
    """One large die with plain colours, seen from straight above."""
    for seed in range(number, 3000):
        scene = scene_of(seed)
        dice = [die for die in scene.dice if die.kind == kind and die.value is not None]
        if dice:
            break
    die = dataclasses.replace(
        dice[0], place=dice[0].place * [0, 0, 1], body=(0.7, 0.7, 0.7), ink=(0.01, 0.01, 0.01), metal=0.0,
        ink_of_one=(0.01, 0.01, 0.01), clear=0.0, swirl=0.0, gloss=0.0, rounding=0.1, depth=0.2,
    )  # fmt: skip
    eye = np.array([0.0, 0.0, 400.0])
    far = 400.0 - 2 * die.inner
    # One inner radius at the height of the upper face is 60 pixels.
    camera = Camera(eye, np.zeros(3), 0.3 * number, 60 * far / die.inner / 240, 240, 240)
    table = Table("plain", 3, 300.0, 0.0, 0.0)
    return dataclasses.replace(scene, dice=(die,), things=(), camera=camera, table=table, ambient=(1.0, 1.0, 1.0))


def upright(light: np.ndarray, label: KnownDie, die: LaidDie) -> np.ndarray:
    """The mark as its tile has it, by what the label says alone: darkness, (64, 64)."""
    assert label.turn is not None
    half = die.size * die.solid.faces[die.up_face].room * 60
    turn = cv2.getRotationMatrix2D(label.top, label.turn, 64 / (2 * half))
    turn[:, 2] += np.array([32, 32]) - label.top
    return -cv2.warpAffine(light.mean(axis=2), turn, (64, 64), borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize("kind", mostly(["d10", "d100", "d8", "d12", "d20", "d6_numeral"], ["d10", "d12"]))
def test_the_labelled_value_is_what_stands_on_the_face_and_the_right_way_up(kind: str) -> None:
    """Of all numerals of the die's typeface, either way up, the labelled one fits the picture best."""
    for number in range(4):
        scene = from_above(kind, 40 * number)
        [die] = scene.dice
        rendered = quick().draw(scene)
        [label] = labels(scene, rendered.which)
        seen = upright(rendered.light, label, die)
        fits: dict[tuple[str, bool], float] = {}
        seen = seen[6:-6, 6:-6].ravel()
        for mark in die.marks:
            place = atlas().places[mark.mark, die.style, mark.text]
            tile = np.clip(atlas().tiles[place].astype(float), 100, 156)
            for turned, shown in ((False, tile), (True, tile[::-1, ::-1])):
                fits[mark.text, turned] = float(np.corrcoef(shown[6:-6, 6:-6].ravel(), seen)[0, 1])
        right = die.marks[die.up_face]
        best = max(fits, key=lambda key: fits[key])
        same_both_ways = right.text in ("0", "00", "8", "1", "11") or (
            right.text in ("6", "9") and right.mark == "plain"
        )
        assert label.value == int(right.text)
        assert best[0] == right.text or same_both_ways, f"{kind}: {right} looks like {best}"
        assert not best[1] or same_both_ways, f"{kind}: {right} stands on its head"
        assert fits[right.text, False] > 0.6


@thorough
def test_a_seed_is_one_picture_in_this_process_and_in_another() -> None:
    def bytes_of(scene: Scene) -> str:
        rendered = quick().draw(scene)
        return hashlib.sha256(rendered.light.tobytes() + rendered.which.tobytes()).hexdigest()

    first, again = bytes_of(scene_of(5)), bytes_of(scene_of(5))
    assert first == again != bytes_of(scene_of(6))
    told = (
        "import hashlib; from training.raster import Rasteriser;"
        "from training.invent import make_scene;"
        "r = Rasteriser(finer=1.0); s = make_scene(5, typefaces=r.typefaces, size=(240, 180)); d = r.draw(s);"
        "print(hashlib.sha256(d.light.tobytes() + d.which.tobytes()).hexdigest())"
    )
    elsewhere = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert elsewhere.stdout.strip() == first


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


@thorough
def test_a_stopped_run_goes_on_to_the_same_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PART", 3)
    for part in (0, 1):
        parts.make_part(tmp_path / "whole", part, RECIPE)
    photographed, taken = parts.photographed, [0]

    def cut_short(*arguments: object) -> np.ndarray:
        taken[0] += 1
        if taken[0] == 5:
            raise KeyboardInterrupt
        return photographed(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(parts, "photographed", cut_short)
    with pytest.raises(KeyboardInterrupt):
        for part in (0, 1):
            parts.make_part(tmp_path / "stopped", part, RECIPE)
    assert not (tmp_path / "stopped" / "part-00001").exists(), "a part is whole or not there"
    waiting = parts.missing_parts(tmp_path / "stopped", range(2), RECIPE)
    assert [part for _, part, _ in waiting] == [1]
    parts.make_part(*waiting[0])
    assert files_of(tmp_path / "stopped") == files_of(tmp_path / "whole")
    lines = (tmp_path / "whole" / "part-00001" / SCENES).read_bytes().splitlines()
    pictures = [msgspec.json.decode(line, type=LabelledScene) for line in lines]
    assert [picture.image for picture in pictures] == [f"{seed:07d}.jpg" for seed in (3, 4, 5)]
    for picture in pictures:
        shown = cv2.imread(str(tmp_path / "whole" / "part-00001" / picture.image))
        assert shown is not None and shown.shape == (144, 192, 3)


def test_only_dice_of_chosen_kinds_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PART", 4)
    parts.make_part(tmp_path, 0, parts.Setup(192, 144, ("d10", "d12")))
    lines = (tmp_path / "part-00000" / SCENES).read_bytes().splitlines()
    pictures = [msgspec.json.decode(line, type=LabelledScene) for line in lines]
    assert {die.kind for picture in pictures for die in picture.dice} == {"d10", "d12"}


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command says to bad input: one sentence, and it ends with 2."""
    assert make.main(arguments) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    return told


def test_a_low_camera_stands_low_and_the_labels_say_how_things_stand_upright() -> None:
    for seed in range(6):
        scene = make_scene(seed, typefaces=quick().typefaces, size=(240, 180), elevations=(20, 30))
        away = scene.camera.eye - scene.camera.target
        assert 20 <= np.degrees(np.arcsin(away[2] / np.linalg.norm(away))) <= 30
        for die in scene.dice:
            # A second way: a pin stood upright on the die, and one laid across, as the camera shows them.
            ray = (die.place - scene.camera.eye) / np.linalg.norm(die.place - scene.camera.eye)
            across = np.cross(ray, [0.0, 0.0, 1.0])
            pins = np.array(
                [die.place, die.place + np.array([0, 0, 0.01]), die.place + 0.01 * across / np.linalg.norm(across)]
            )
            foot, tip, side = projected(scene.camera, pins)
            shown = (tip - foot) / np.linalg.norm(side - foot)
            upright = upright_at(scene.camera, die.place)
            assert np.hypot(*shown) == pytest.approx(np.hypot(*upright), abs=0.08)
            assert shown @ upright > 0.98 * np.hypot(*shown) * np.hypot(*upright)


def test_the_command_refuses_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], without_opengl: None
) -> None:
    assert "width" in said(capsys, str(tmp_path / "a"), "--width", "9")
    assert "no kind of dice 'd7': d6, d6_numeral, d4" in said(capsys, str(tmp_path / "a"), "--kinds", "d10,d7")
    assert "the lower first, such as 10-45" in said(capsys, str(tmp_path / "a"), "--elevations", "45-10")
    assert not (tmp_path / "a").exists()
    parts.begin(tmp_path / "b", parts.Setup(480, 360))
    parts.begin(tmp_path / "b", parts.Setup(480, 360))
    with pytest.raises(
        LoomtableError,
        match=r"holds 480x360 pictures, with all kinds of dice: give",
    ):
        parts.begin(tmp_path / "b", parts.Setup(640, 480))
    (tmp_path / "c").write_text("a file")
    with pytest.raises(LoomtableError, match=r"c cannot be written: "):
        parts.begin(tmp_path / "c", parts.Setup(480, 360))


def test_what_the_renderer_lacks_is_said(monkeypatch: pytest.MonkeyPatch, without_opengl: None) -> None:
    moderngl = pytest.importorskip("moderngl", reason="this needs moderngl, of training/pyproject.toml")

    def broken(**_: object) -> None:
        raise Exception("(detect) glcontext: no display")

    monkeypatch.setattr(moderngl, "create_context", broken)
    with pytest.raises(RendererMissing, match=r"needs OpenGL .* no display.* apt install libegl1 libgl1-mesa-dri"):
        raster.Rasteriser()
    monkeypatch.setitem(sys.modules, "moderngl", None)
    with pytest.raises(RendererMissing, match=r"needs moderngl: pip install -e . -e training"):
        raster.Rasteriser()


def test_in_a_tray_dice_stand_away_from_the_place_under_a_wide_camera_whichever_way_it_is_turned() -> None:
    ups, seen = [], 0
    for seed in range(8):
        scene = make_scene(seed, typefaces=quick().typefaces, size=(240, 180), kinds=("d6",), tray=True)
        camera = scene.camera
        assert 65 <= 2 * np.degrees(np.arctan(np.hypot(240, 180) / 240 / 2 / camera.focal)) <= 110
        (nadir,) = projected(camera, camera.eye[None] * [1, 1, 0])
        for die in scene.dice:
            (middle,), upright = projected(camera, die.place[None]), upright_at(camera, die.place)
            away = middle - nadir
            assert away @ upright > 0.95 * np.hypot(*away) * np.hypot(*upright)
            walls = [np.abs(die.place[:2] - wall.start[:2]) - wall.end[:2] for wall in scene.things]
            assert all(gap.max() > 0 for gap in walls), "a die is in no wall"
            seen += 1
        ups.append(upright_at(camera, np.array([camera.target[0], camera.target[1], 0.0])))
    assert seen >= 15
    assert np.ptp(np.array(ups), axis=0).min() > 0.1, "the cameras are turned in different ways"
