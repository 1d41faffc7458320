"""Cards that are too blurred to read are counted, and nothing else is taken for one."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from loomtable.table.commands.main import run
from loomtable.table.reading.pictures import cards_in
from loomtable.vision.card_outlines import blurred_cards
from tests.pictures_made import write_film
from tests.short import Loom
from tests.vision.scenes.cards import anyhow


@pytest.mark.parametrize(
    ("seed", "count", "camera_as"),
    [(11, 7, {"motion": 7.0, "blur": 0.7}), (12, 5, {"motion": 8.0, "blur": 0.7}), (13, 6, {"blur": 3.5})],
)
def test_blurred_cards_are_counted(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    seed: int,
    count: int,
    camera_as: dict[str, float],
) -> None:
    picture = anyhow(seed, count, **camera_as).picture
    cv2.imwrite(str(tmp_path / "s.png"), picture)
    assert run(["scan", str(tmp_path / "s.png")]) == 1
    word = {5: "five", 6: "six", 7: "seven"}[count]
    said = capsys.readouterr().out
    assert f"about {word} cards, out of focus: hold still, and let the camera focus again." in said
    assert run(["scan", "--json", str(tmp_path / "s.png")]) == 1
    assert f"about {word} cards" in json.loads(capsys.readouterr().out)["reason"]


def test_a_film_says_what_was_out_of_focus_and_several_pictures_end_with_their_sum(
    tmp_path: Path, loom: Loom
) -> None:
    """Two and a half seconds of blurred cards, then the same in focus; beside a picture of them and a torn one."""
    blurred, sharp = anyhow(13, 6, blur=3.5).picture, anyhow(13, 6, blur=0.5, motion=0.0).picture
    frames = (picture for picture, count in ((blurred, 100), (sharp, 30)) for _ in range(count))
    flicker = (frame if at % 2 else np.clip(frame + np.uint8(1), 1, 255) for at, frame in enumerate(frames))
    write_film(tmp_path / "f.avi", flicker, 30)
    cv2.imwrite(str(tmp_path / "s.png"), blurred)
    (tmp_path / "torn.png").write_bytes(b"\x89PNG")
    said = loom(
        "scan", *(str(tmp_path / name) for name in ("f.avi", "s.png", "torn.png")), code=2
    ).out.splitlines()
    film_said = [line.split(": ")[1] for line in said if line.startswith(f"{tmp_path / 'f.avi'}: ")]
    assert film_said == ["no cards", "6 cards"]
    assert said[1] == "  Note: about six cards, out of focus: hold still, and let the camera focus again."
    lost = "12 cards or so out of focus and 1 file that cannot be opened"
    assert said[-1] == f"Read: 6 cards in 1 of 3 files; not read: {lost}"


def test_a_blurred_table_without_cards_and_a_sharp_one_with_cards_have_none() -> None:
    assert blurred_cards(anyhow(14, 0, blur=3.0).picture) == 0
    sharp = anyhow(15, 4, blur=0.5, motion=0.3).picture
    assert blurred_cards(sharp) == 0
    assert cards_in(sharp).blurred == 0
    assert blurred_cards(np.full((480, 640, 3), 180, np.uint8)) == 0
    assert blurred_cards(np.zeros((1, 1, 3), np.uint8)) == 0
