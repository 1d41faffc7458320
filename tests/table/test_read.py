"""``loom read``: pictures, folders, videos, cameras; a line of JSON each; a clear answer to whatever is given."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from loomtable.engine.kernel.dice import Die
from loomtable.table.commands.main import run
from loomtable.table.reading.pictures import dice_marks
from loomtable.testing.virtual import TINTS, Light, PlacedDie, Scene, Surface, VirtualCamera, photograph
from loomtable.vision.camera import CameraDevice, CameraLost
from loomtable.vision.dice import Kind, SeenDie, parse_dice, read_dice
from loomtable.vision.overlay import CLOSE_UP
from loomtable.vision.pictures import BgrImage, read_picture, write_picture
from loomtable.vision.tray import assess_tray
from tests.pictures_made import write_film
from tests.short import Loom
from tests.vision.dice_drawn import Drawn, table
from tests.vision.needed import needs_networks
from tests.vision.solids_drawn import drawn, lying_as

CAMERA = VirtualCamera(height=240, tilt=6, frame=(800, 450), noise=0.8)
FELT = Surface("felt", TINTS["felt"][0], 3)
LAMP = Light(azimuth=200, elevation=58, distance=1100, size=9, sky=0.7)
IVORY, BLACK = (236, 230, 214), (18, 18, 20)
TWO = (PlacedDie(4, -40, 10, 33, body=IVORY, pips=BLACK), PlacedDie(6, 30, -12, 80, body=IVORY, pips=BLACK))
KEYS = {"image", "status", "reason", "dice", "ms"}


def shot(dice: Sequence[PlacedDie], camera: VirtualCamera = CAMERA) -> BgrImage:
    return photograph(Scene(FELT, (), tuple(dice), LAMP), camera, 1).picture


@pytest.fixture(scope="module")
def two() -> BgrImage:
    return shot(TWO)


def lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    code = run(["read", *arguments, "--json"])
    told = capsys.readouterr()
    read = [json.loads(line) for line in told.out.splitlines()]
    assert all(line.keys() == KEYS for line in read)
    return code, read, told.err


def test_one_line_for_each_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path, two: BgrImage) -> None:
    write_picture(tmp_path / "two.png", two)
    write_picture(tmp_path / "felt.png", two[:160])
    given = [str(tmp_path / "two.png"), str(tmp_path / "felt.png")]
    code, (first, second), _ = lines(capsys, *given, "--expect", "2d6")
    assert code == 1
    assert [first["image"], second["image"]] == given
    assert (first["status"], first["reason"]) == ("accepted", "two dice")
    assert sorted(die["value"] for die in first["dice"]) == [4, 6]
    for die in first["dice"]:
        assert die.keys() == {"kind", "value", "confidence", "box", "doubt"}
        assert die["kind"] == "d6"
        assert 0.5 < die["confidence"] <= 1
        x0, y0, x1, y1 = die["box"]
        assert 0 <= x0 < x1 <= 800
        assert 0 <= y0 < y1 <= 450
    assert (second["status"], second["dice"]) == ("rejected", [])
    assert second["reason"] == "no dice, two expected"


def test_a_picture_is_turned_as_its_camera_held_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, two: BgrImage
) -> None:
    upright = Image.fromarray(two[..., ::-1])
    about = Image.Exif()
    about[0x0112] = 6
    upright.rotate(90, expand=True).save(tmp_path / "held.jpg", quality=95, exif=about)
    write_picture(tmp_path / "upright.png", two)
    _, (turned, plain), _ = lines(
        capsys, str(tmp_path / "held.jpg"), str(tmp_path / "upright.png"), "--expect", "2d6"
    )
    assert [die["value"] for die in turned["dice"]] == [die["value"] for die in plain["dice"]]
    for one, other in zip(turned["dice"], plain["dice"], strict=True):
        assert one["box"] == pytest.approx(other["box"], abs=8)


def test_what_cannot_be_read_is_one_sentence_and_does_not_stop_the_others(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, two: BgrImage
) -> None:
    good, empty, text, torn, half = (
        tmp_path / n for n in ("good.jpg", "empty.jpg", "text.png", "torn.jpg", "half.png")
    )
    write_picture(good, two)
    empty.write_bytes(b"")
    text.write_text("not a picture at all")
    torn.write_bytes(good.read_bytes()[: good.stat().st_size // 2])
    write_picture(half, two)
    half.write_bytes(half.read_bytes()[: half.stat().st_size // 2])
    given = [str(p) for p in (empty, text, torn, half, tmp_path / "none.jpg", good)]
    code, read, err = lines(capsys, *given, "--expect", "2d6")
    assert code == 2
    assert [line["image"] for line in read] == given
    assert [line["status"] for line in read] == ["rejected"] * 5 + ["accepted"]
    for line, words in zip(read, ("is empty", "is not a picture", "cut short", "", "no such file"), strict=False):
        assert words in line["reason"]
        assert line["reason"] in err
    assert len(err.splitlines()) == 5


def test_a_file_in_place_of_the_folder_to_draw_in_is_refused_before_anything_is_read(
    loom: Loom, tmp_path: Path
) -> None:
    taken = tmp_path / "taken.txt"
    taken.write_text("a shopping list", "utf-8")
    for command in (["read", "roll.jpg"], ["scan", "spread.jpg"], ["board", "table.jpg", "--session", "friday"]):
        told = loom(*command, "--draw", taken, code=2)
        assert (told.out, told.err) == ("", f"loom: {taken}: is a file, not a folder; name another folder\n")


def test_a_folder_and_a_picture_together(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, two: BgrImage
) -> None:
    folder = tmp_path / "evening"
    for number in (10, 9):
        write_picture(folder / f"roll-{number}.jpg", two[:150])
    _, read, _ = lines(capsys, str(folder))
    assert [line["image"] for line in read] == [str(folder / "roll-9.jpg"), str(folder / "roll-10.jpg")]
    (tmp_path / "void").mkdir()
    code, [line], err = lines(capsys, str(tmp_path / "void"))
    assert code == 2
    assert "there is no picture in this folder" in line["reason"]
    assert len(err.splitlines()) == 1


def test_every_roll_of_a_video_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path, two: BgrImage) -> None:
    thrown = shot((TWO[0], PlacedDie(3, 12, 30, 80, body=IVORY, pips=BLACK)))
    write_film(tmp_path / "rolls.avi", [two] * 7 + [thrown] * 8)
    _, read, _ = lines(capsys, str(tmp_path / "rolls.avi"), "--expect", "2d6", "--draw", str(tmp_path / "seen"))
    assert [line["status"] for line in read] == ["accepted", "accepted"]
    assert [sorted(die["value"] for die in line["dice"]) for line in read] == [[4, 6], [3, 4]]
    assert sorted(p.name for p in (tmp_path / "seen").iterdir()) == ["rolls-1-seen.png", "rolls-2-seen.png"]


def test_a_video_in_which_nothing_ever_lies_still_is_never_accepted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, two: BgrImage
) -> None:
    write_film(tmp_path / "shaken.avi", [np.roll(two, 40 * k, axis=1 - k % 2) for k in range(5)])
    code, [line], _ = lines(capsys, str(tmp_path / "shaken.avi"), "--expect", "2d6")
    assert code == 1
    assert line["status"] != "accepted"
    assert "never lay still" in line["reason"]


def test_a_camera_that_is_not_there_and_one_that_is_unplugged(
    loom: Loom, monkeypatch: pytest.MonkeyPatch, two: BgrImage
) -> None:
    told = loom("read", "--camera", "77", "--json", code=2)
    assert told.out == ""
    assert "camera 77 cannot be opened" in told.err

    class Unplugged(CameraDevice):
        def __init__(self, number: int, frame: tuple[int, int] = (1280, 720)) -> None:
            self.name, self.left = f"camera {number}", [two, two]

        def read(self) -> BgrImage | None:
            if not self.left:
                raise CameraLost(f"{self.name} sends no more pictures; is it still plugged in?")
            return self.left.pop()

        def close(self) -> None:
            self.left = []

    monkeypatch.setattr("loomtable.vision.camera.CameraDevice", Unplugged)
    told = loom("read", "--camera", "0", "--expect", "2d6", "--json", code=2)
    assert told.out == ""
    assert told.err == "loom: camera 0 sends no more pictures; is it still plugged in?\n"


def test_a_black_picture_and_no_dice(capsys: pytest.CaptureFixture[str], tmp_path: Path, two: BgrImage) -> None:
    write_picture(tmp_path / "black.png", np.zeros((360, 640, 3), np.uint8))
    code, [line], _ = lines(capsys, str(tmp_path / "black.png"), "--expect", "3d6")
    assert code == 1
    assert line["status"] == "rejected"
    assert "the picture is black" in line["reason"]


def test_a_picture_of_a_hundred_megapixels_is_read_small_and_told_in_its_own_pixels(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, two: BgrImage
) -> None:
    huge = cv2.resize(two, (13600, 7650), interpolation=cv2.INTER_LINEAR)
    write_picture(tmp_path / "huge.jpg", huge)
    del huge
    write_picture(tmp_path / "two.png", two)
    _, (large, small), _ = lines(capsys, str(tmp_path / "huge.jpg"), str(tmp_path / "two.png"), "--expect", "2d6")
    assert [die["value"] for die in large["dice"]] == [die["value"] for die in small["dice"]]
    for one, other in zip(large["dice"], small["dice"], strict=True):
        assert np.array(one["box"]) / 17 == pytest.approx(np.array(other["box"]), abs=6)


def test_fifty_dice_are_counted_and_not_guessed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    dice = [Drawn(1 + k % 6, 60 + 60 * (k % 10), 50 + 62 * (k // 10), 40, 13 * k) for k in range(50)]
    write_picture(tmp_path / "fifty.png", table(dice, (360, 660)))
    code, [line], _ = lines(capsys, str(tmp_path / "fifty.png"), "--expect", "5d6")
    assert code == 1
    assert line["status"] == "rejected"
    assert line["reason"].endswith(" dice, five expected")
    assert len(line["dice"]) > 5


def test_a_die_half_out_of_the_picture_is_never_accepted_wrongly(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, two: BgrImage
) -> None:
    left = int(np.flatnonzero((two[..., 2] > 190).any(axis=0))[0])
    for cut in (12, 22, 32):
        write_picture(tmp_path / f"cut-{cut}.png", two[:, left + cut :])
    _, read, _ = lines(capsys, *(str(tmp_path / f"cut-{cut}.png") for cut in (12, 22, 32)), "--expect", "2d6")
    for line in read:
        values = sorted(die["value"] or 0 for die in line["dice"])
        assert line["status"] != "accepted" or values == [4, 6]


def test_people_are_told_in_words(loom: Loom, tmp_path: Path, two: BgrImage) -> None:
    write_picture(tmp_path / "two.png", two)
    out = loom("read", tmp_path / "two.png", "--expect", "2d6", "--draw", tmp_path).out
    assert "two.png: accepted - two dice" in out
    assert "% sure  at" in out
    drawn = read_picture(tmp_path / "two-seen.png")
    assert drawn.shape[0] > two.shape[0], "a strip below says what came of it"
    assert drawn.shape[1] == two.shape[1]


@needs_networks
def test_every_face_that_was_read_is_drawn_large(
    loom: Loom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pose, marks = lying_as(Kind.D20, 17)
    picture = drawn(pose, marks)
    write_picture(tmp_path / "d20.png", picture)
    [die] = read_dice(picture, "1d20").dice
    upper, *beside = (mark.label for mark in die.read)
    assert upper.startswith(f"{die.value}: ") and len(beside) >= 3
    assert {int(label.split(":")[0]) for label in beside} < {number for number, _ in marks}
    assert run(["read", "d20.png", "--expect", "1d20", "--explain"]) == 0
    shown = read_picture(tmp_path / "output" / "d20-seen.png")
    assert shown.shape[1] == CLOSE_UP
    assert run(["read", "d20.png", "--expect", "1d20", "--draw", "plain"]) == 0
    assert read_picture(tmp_path / "plain" / "d20-seen.png").shape[1] == picture.shape[1]
    assert "only dice are explained" in loom("read", "d20.png", "--expect", "cards", "--explain", code=2).err


def test_a_doubtful_die_is_never_called_sure(loom: Loom, tmp_path: Path, two: BgrImage) -> None:
    left = int(np.flatnonzero((two[..., 2] > 190).any(axis=0))[0])
    write_picture(tmp_path / "cut.png", two[:, left + 22 :])
    first, *dice = loom("read", tmp_path / "cut.png", "--expect", "2d6", code=1).out.splitlines()
    assert "the die at the left is half out of the picture" in first
    assert sorted(line.split("  at")[0].endswith("  not sure") for line in dice) == [False, True]


def test_what_was_asked_for_must_be_dice(loom: Loom, tmp_path: Path) -> None:
    heard = loom("read", tmp_path / "x.png", "--expect", "3d7", code=2).err
    assert "'3d7' is not a pool of dice; write it like 3d10 or 5d6+3d10" in heard


def test_what_was_seen_is_marked_by_more_than_colour() -> None:
    box = (10.0, 10.0, 60.0, 60.0)
    dice = (
        SeenDie(Die.D10, 10, box, 0.99),
        SeenDie(Die.D10, 4, (90, 10, 140, 60), 0.7, doubt="is blurred"),
        SeenDie(Die.D6, 3, (170, 10, 220, 60), 0.1, doubt="is blurred", legible=False),
    )
    pool = parse_dice("2d10+1d6")
    assert [(m.label, m.verdict.value) for m in dice_marks(assess_tray(dice, pool))] == [
        ("d10: 0 = 10", "accepted"),
        ("d10: 4", "ask"),
        ("d6: ?", "ask"),
    ]
    other = SeenDie(Die.D20, 17, (250, 10, 300, 60), 0.9)
    spoiled = dice_marks(assess_tray((*dice[:2], other), parse_dice("2d10")))
    assert [(m.label, m.verdict.value) for m in spoiled] == [
        ("d10: 0 = 10", "accepted"),
        ("d10: 4", "ask"),
        ("d20: 17", "rejected"),
    ]
    assert [m.verdict.value for m in dice_marks(assess_tray(dice[:1], parse_dice("2d10")))] == ["rejected"]
