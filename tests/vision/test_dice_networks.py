"""The networks on pictures of the virtual camera, and networks that are missing or damaged."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.engine.kernel.package_data import package_file
from loomtable.testing.virtual import TINTS, Photograph, Surface, VirtualCamera, handful_of_dice, photograph
from loomtable.vision.dice import TrayReading, Verdict, read_dice
from loomtable.vision.dice.crops import as_input, cut, patch_for, square_about
from loomtable.vision.dice.fusion.ensemble import CROP
from loomtable.vision.dice.networks import CALIBRATION, DETECTOR, NUMERALS, READER, SECOND, load_models
from loomtable.vision.model_sums import SUMS, check_sums, renew_sums, write_sums
from loomtable.vision.network import ModelBroken
from tests.vision.needed import needs_networks

CAMERA = VirtualCamera(height=300, tilt=14, frame=(960, 540), noise=0.8)


def roll(seed: int, camera: VirtualCamera = CAMERA) -> Photograph:
    chance = np.random.default_rng(seed)
    values = [int(v) for v in chance.integers(1, 7, 2 + seed % 4)]
    surface = Surface("felt", TINTS["felt"][seed % len(TINTS["felt"])], seed) if seed % 2 else None
    return photograph(handful_of_dice(values, seed, camera, surface=surface), camera, seed)


def right(tray: TrayReading, shot: Photograph) -> int:
    """How many of the true dice were read as they lie, by their places."""
    count = 0
    for true in shot.truth.dice:
        x, y = true.polygon.mean(axis=0)
        near = [d for d in tray.dice if math.dist(d.centre, (x, y)) < 0.6 * (d.box[2] - d.box[0])]
        count += any(d.face == true.value for d in near)
    return count


@needs_networks
def test_rolls_before_the_virtual_camera_are_read_and_none_is_accepted_wrongly() -> None:
    dice = seen = accepted = 0
    for seed in range(5):
        shot = roll(seed)
        truth = sorted(die.value for die in shot.truth.dice)
        tray = read_dice(shot.picture, (len(truth), Die.D6))
        dice += len(truth)
        seen += right(tray, shot)
        if tray.verdict is Verdict.ACCEPTED:
            accepted += 1
            assert sorted(map(int, tray.faces)) == truth, seed
    assert seen / dice > 0.85
    assert accepted >= 2


@needs_networks
def test_other_dice_than_those_that_lie_there_are_never_accepted() -> None:
    shot = roll(3)
    count = len(shot.truth.dice)
    for die in (Die.D10, Die.D8, Die.D12):
        assert read_dice(shot.picture, (count, die)).verdict is not Verdict.ACCEPTED
    assert read_dice(shot.picture, (count + 1, Die.D6)).verdict is not Verdict.ACCEPTED
    assert read_dice(shot.picture, (count - 1, Die.D6)).verdict is not Verdict.ACCEPTED


def test_without_networks_no_die_is_read_and_the_reason_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loomtable.vision.dice.reader.load_models", lambda: None)
    tray = read_dice(roll(1).picture, (3, Die.D6))
    assert (tray.verdict, tray.dice) == (Verdict.REJECTED, ())
    assert tray.reason == "the networks that read dice are missing; loom doctor says what to do"


@needs_networks
@pytest.mark.parametrize("size", [(1, 1), (8, 700), (40, 40), (2000, 30)])
def test_pictures_of_any_shape_get_an_answer(size: tuple[int, int]) -> None:
    for expect in (None, (2, Die.D10)):
        tray = read_dice(np.full((*size, 3), 90, np.uint8), expect)
        assert tray.verdict is not Verdict.ACCEPTED
        assert tray.reason


@pytest.mark.parametrize("turn", [0.0, 30.0, 90.0, 200.0])
def test_a_crop_shows_its_middle_turned_clockwise(turn: float) -> None:
    picture = np.full((200, 300, 3), 40, np.uint8)
    cv2.circle(picture, (150, 100), 8, (255, 255, 255), -1)
    cv2.circle(picture, (150, 60), 8, (0, 0, 255), -1)
    crop = cut(picture, (150.5, 100.5), 120, turn, 96)
    assert crop.shape == (96, 96, 3)
    assert crop[48, 48].min() > 200
    angle = math.radians(turn)
    x, y = 47.5 + 32 * math.sin(angle), 47.5 - 32 * math.cos(angle)
    blue, green, red = crop[round(y), round(x)].tolist()
    assert red > 180
    assert blue < 120
    assert green < 120


@pytest.mark.parametrize("side", [30.0, 150.0, 900.0])
def test_a_crop_of_any_size_shows_the_same_square(side: float) -> None:
    large = np.zeros((1000, 1000, 3), np.uint8)
    large[:, 500:] = 255
    crop = cut(large, (500.0, 500.0), side, 0.0, 96)
    assert crop[:, :46].max() < 40
    assert crop[:, 50:].min() > 215


def test_crops_over_the_border_take_its_colour_and_have_the_networks_form() -> None:
    crop = cut(np.full((50, 50, 3), 77, np.uint8), (0.0, 0.0), 80, 45.0, 96)
    assert set(crop.ravel().tolist()) == {77}
    assert square_about((10, 20, 50, 40)) == ((30, 30), 60)
    assert as_input([crop]).shape == (1, 3, 96, 96)
    assert as_input([crop]).max() == pytest.approx(77 / 255)


def test_networks_that_are_not_there_are_no_error_and_damaged_ones_are_one_sentence(tmp_path: Path) -> None:
    assert load_models(tmp_path) is None
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in (DETECTOR, READER):
        (broken / name).write_bytes(b"no network at all")
    with pytest.raises(FileUnreadable, match=r"dice_calibration\.json"):
        load_models(broken)
    (broken / CALIBRATION).write_text('{"format": 5}')
    with pytest.raises(ModelBroken, match="install Loomtable again") as caught:
        load_models(broken)
    assert "\n" not in str(caught.value)


def test_every_model_that_ships_is_the_one_that_was_measured() -> None:
    shipped = package_file("models")
    files = sorted([*shipped.glob("*.onnx"), *shipped.glob("*.json")])
    assert [line.partition("  ")[2] for line in (shipped / SUMS).read_text("utf-8").splitlines()] == [
        file.name for file in files
    ], "write them anew: cd models; sha256sum *.json *.onnx >SHA256SUMS"
    check_sums(*files)


@needs_networks
@pytest.mark.parametrize("name", [READER, NUMERALS, CALIBRATION])
def test_a_model_with_one_flipped_bit_or_in_the_place_of_another_is_refused_by_name(
    tmp_path: Path, name: str
) -> None:
    folder = Path(shutil.copytree(package_file("models"), tmp_path / "models"))
    whole = (folder / name).read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    for other in (flipped, (folder / SECOND).read_bytes()):
        (folder / name).write_bytes(other)
        with pytest.raises(ModelBroken, match=f"{name}: is damaged.*install Loomtable again"):
            load_models(folder)
    write_sums(folder)  # as training does, of what it has measured
    (folder / name).write_bytes(whole)
    with pytest.raises(ModelBroken, match=name):
        load_models(folder)
    renew_sums(folder)
    assert load_models(folder) is not None


@needs_networks
def test_a_batch_says_the_same_however_many_crops_share_it() -> None:
    models = load_models()
    assert models is not None
    crops = np.random.default_rng(1).random((5, 3, CROP, CROP), np.float32)
    alone = [models.reader.run(crop[None]) for crop in crops]
    for count in (0, 1, 2, 5):
        for name, answers in models.reader.run(crops[:count]).items():
            assert len(answers) == count
            for answer, one in zip(answers, alone, strict=False):
                np.testing.assert_allclose(answer, one[name][0], atol=1e-4)


def test_a_crop_of_a_larger_part_is_the_same_as_one_of_its_own() -> None:
    y, x = np.mgrid[0:300, 0:400].astype(np.float32)
    picture = np.stack([x / 2, y / 2, (x + y) / 3], axis=2).astype(np.uint8)
    patch = patch_for(picture, (200, 150), 120, 32, beyond=20)
    for centre, turn in (((200, 150), 0.0), ((212, 141), 40.0), ((188, 159), 250.0)):
        own = cut(picture, centre, 120, turn, 32)
        np.testing.assert_allclose(patch.cut(centre, 120, turn, 32).astype(int), own.astype(int), atol=3)
