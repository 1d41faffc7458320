"""The measured floor on real photographs, and the measuring itself.

The photographs are not part of the project; without them these tests are skipped.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from engine.kernel.dice import Die
from engine.kernel.errors import ContentInvalid, FileUnreadable
from vision.dice.reading import SeenDie, judged
from vision.training.evaluate import Calibration, Figures, main, measure
from vision.training.photographs import (
    LabelledDie,
    Photograph,
    UnknownSource,
    load_photographs,
    photograph_folder,
)
from vision.verdict import Verdict

needs_photographs = pytest.mark.skipif(
    not (photograph_folder() / "dice.jsonl").exists(),
    reason="the photographs are not here (../shared/photos, or LOOMTABLE_PHOTOS)",
)


@needs_photographs
def test_a_small_sample_of_photographs_is_read_as_well_as_measured() -> None:
    sample = load_photographs(photograph_folder(), ("white-webcam", "tomitomi-crops"), 15)
    rows = measure(sample, Calibration())
    webcam, crops = (row.played for row in rows)
    assert webcam.silent_pictures == []
    assert crops.silent_pictures == []
    assert webcam.accepted >= 9
    assert crops.accepted >= 9
    assert webcam.die_accuracy > 0.8


@needs_photographs
def test_dice_without_pips_are_not_accepted() -> None:
    sample = load_photographs(photograph_folder(), ("ucffool-d8",), 8)
    (row,) = measure(sample, Calibration())
    assert row.played.accepted == 0


def photograph(*values: int) -> Photograph:
    dice = tuple(LabelledDie("d6", v, (100.0 * k, 0, 100.0 * k + 50, 50)) for k, v in enumerate(values))
    return Photograph("dice/mine/000.jpg", 640, 480, dice)


def seen(face: int, k: int, confidence: float = 0.95, doubt: str = "") -> SeenDie:
    return SeenDie(Die.D6, face, (100.0 * k + 5, 5, 100.0 * k + 45, 45), confidence, doubt=doubt)


def test_figures_count_by_multiset_and_by_the_larger_number() -> None:
    figures = Figures()
    figures.add(photograph(3, 5), judged((seen(5, 0), seen(3, 1)), None))
    figures.add(photograph(3, 5), judged((seen(3, 0), seen(4, 1), seen(1, 2)), None))
    assert (figures.right_dice, figures.all_dice, figures.exact) == (3, 5, 1)
    assert (figures.accepted, figures.silent) == (2, 1)


def test_a_doubtful_wrong_picture_is_no_silent_error() -> None:
    figures = Figures()
    reading = judged((seen(4, 0, 0.4, "is small"),), None)
    figures.add(photograph(3), reading)
    assert reading.verdict is Verdict.ASK
    assert (figures.accepted, figures.silent) == (0, 0)


def test_a_value_read_from_a_stranger_is_wrong_even_where_it_happens_to_fit() -> None:
    stranger = Photograph("dice/ucffool-d20/000.jpg", 480, 480, (LabelledDie("d20", 1),))
    figures = Figures()
    figures.add(stranger, judged((seen(1, 0),), None))
    assert figures.silent == 1


def test_calibration_matches_dice_by_their_boxes() -> None:
    calibration = Calibration()
    calibration.add(photograph(3, 5), judged((seen(5, 0), seen(5, 1), seen(5, 4, 0.2)), None))
    assert (calibration.dice, calibration.right) == ([1, 0, 0, 2], [0, 0, 0, 1])


def write_labels(folder: Path, *lines: str) -> None:
    (folder / "dice.jsonl").write_text("\n".join(lines), encoding="utf-8")


def label(source: str, number: int) -> str:
    dice = [{"kind": "d6", "value": 1 + number % 6, "box": None}]
    return json.dumps({"image": f"dice/{source}/{number:03}.jpg", "width": 9, "height": 9, "dice": dice})


def test_labels_are_spread_evenly_and_sources_kept_apart(tmp_path: Path) -> None:
    write_labels(tmp_path, *(label("mine", k) for k in range(11)), label("yours", 0))
    chosen = load_photographs(tmp_path, ("mine",), 3).pictures
    assert [p.image for p in chosen] == ["dice/mine/000.jpg", "dice/mine/005.jpg", "dice/mine/010.jpg"]
    assert chosen[1].values == Counter({6: 1})


def test_missing_photographs_are_one_sentence_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--photos", str(tmp_path)]) == 2
    message = capsys.readouterr().err.strip()
    assert (
        message == f"there are no photographs in {tmp_path}; name their folder with --photos or LOOMTABLE_PHOTOS"
    )


def test_an_unknown_source_and_a_broken_label_are_named(tmp_path: Path) -> None:
    write_labels(tmp_path, label("mine", 0), '{"image": 3}')
    with pytest.raises(ContentInvalid, match="line 2"):
        load_photographs(tmp_path, ("mine",))
    write_labels(tmp_path, label("mine", 0))
    with pytest.raises(UnknownSource, match="there are mine"):
        load_photographs(tmp_path, ("yours",))
    with pytest.raises(FileUnreadable):
        load_photographs(tmp_path / "nowhere", ("mine",))
