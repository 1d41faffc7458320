"""Evenings played with photographs: every die is taken or named, and what is confirmed is learned."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import pytest

from loomtable.vision.virtual import VirtualCamera, handful_of_dice, photograph
from tests.vision.needed import needs_networks
from training.evenings import AFTER, Played, draw_curves, main, together
from training.photographs import LABELS, LabelledDie, Photograph

ROLLS = AFTER + 2
NAMED, TAKEN = Played(rolls=1, dice=5, taken=3, wrong=0, taps=2), Played(rolls=1, dice=5, taken=5, wrong=1, taps=0)


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """One die rolled a dozen times before one camera."""
    folder = tmp_path / "photographs"
    (folder / "dice" / "skovy").mkdir(parents=True)
    lines = []
    for number in range(ROLLS):
        camera = VirtualCamera(tilt=10, frame=(640, 360))
        value = 1 + number % 6
        shot = photograph(handful_of_dice([value], seed=number, camera=camera), camera, seed=number)
        image = f"dice/skovy/{number:03}.jpg"
        cv2.imwrite(str(folder / image), shot.picture)
        lines.append(Photograph(image, 640, 360, (LabelledDie("d6", value),)))
    (folder / LABELS).write_bytes(b"\n".join(map(msgspec.json.encode, lines)))
    return folder


@needs_networks
def test_an_evening_is_played_with_learning_and_without(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--photos", str(photos), "--sources", "skovy", "--cache", str(tmp_path / "seen"), "--evenings", "2"]
    assert main([*given, "--rolls", str(ROLLS)]) == 0
    played = [line for line in capsys.readouterr().out.splitlines() if "│" in line]
    off, on = ([cell.strip() for cell in line.split("│")[1:-1]] for line in played)
    assert off[:2] == ["skovy", "off"] and on[:2] == ["", "on"]
    late = 2 * (ROLLS - AFTER)
    for row in (off, on):
        taken, wrong = int(row[-1]), int(row[-2])
        assert row[-3].startswith(f"{taken / late:.1%} ") and wrong <= taken <= late
    assert int(on[-1]) >= 3 and int(on[-2]) == 0, "plain dice, clearly seen"


def test_rolls_add_up_to_what_was_rolled() -> None:
    both = together([NAMED, TAKEN])
    assert both == Played(rolls=2, dice=10, taken=8, wrong=1, taps=2) and both.dice == both.taken + both.taps
    assert together([]) == Played()


def test_the_curve_is_drawn_for_every_source(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="drawing needs matplotlib, of training/pyproject.toml")
    curves = {name: ([NAMED] * 12, [TAKEN] * 12) for name in "abcde"}
    draw_curves(tmp_path / "curves.png", curves)
    picture = cv2.imread(str(tmp_path / "curves.png"))
    assert picture is not None and picture.shape[1] > picture.shape[0], "four panels beside each other, then one"
