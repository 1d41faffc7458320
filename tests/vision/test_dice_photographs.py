"""The measured floor on real photographs, and the measuring itself.

The photographs are not part of the project; without them these tests are skipped.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ContentInvalid, FileUnreadable
from loomtable.vision.dice.networks import load_models
from loomtable.vision.pool import parse_dice
from loomtable.vision.tray import SeenDie, assess_tray
from loomtable.vision.verdict import Verdict
from tests.tiers import mostly
from tests.vision.needed import needs_networks, needs_photographs
from training.evaluate import main, measure
from training.evidence import labelled_at
from training.figures import Figures, judged, pool_of, reliability
from training.photographs import (
    ERRATA,
    MISSED,
    Labelled,
    LabelledDie,
    UnknownSource,
    corrected,
    load_photographs,
    photograph_folder,
)


@needs_photographs
@needs_networks
@pytest.mark.parametrize("most", mostly([4, 6], [4]))
def test_a_small_sample_of_photographs_is_read_as_well_as_measured(most: int) -> None:
    models = load_models()
    assert models is not None
    sample = load_photographs(photograph_folder(), ("white-webcam", "tomitomi-crops"), most)
    rows = measure(sample, models)
    for row in rows:
        assert row.played.silent_pictures == []
        assert row.played.accepted >= most - 2
        assert row.played.die_accuracy > 0.8


@needs_photographs
@needs_networks
def test_a_die_before_a_low_camera_is_asked_about_rather_than_read_from_its_front() -> None:
    models = load_models()
    assert models is not None
    sample = load_photographs(photograph_folder(), ("low-oblique",), 6)
    (row,), (evening,) = measure(sample, models), measure(sample, models, evening=True)
    # Of this die the detector frames the front alone, which then looks as if it were seen from above.
    assert {*row.played.silent_pictures} <= {"dice/low-oblique/099.jpg"}
    assert row.played.accepted >= 3
    assert evening.played.accepted >= row.played.accepted
    assert {*evening.played.silent_pictures} <= {"dice/low-oblique/099.jpg"}


@needs_photographs
def test_every_erratum_is_of_a_die_that_is_labelled_otherwise_and_counts_once() -> None:
    lines = (photograph_folder() / "dice.jsonl").read_bytes().splitlines()
    labelled = {one.image: one for one in map(msgspec.json.Decoder(Labelled).decode, lines)}
    for image, shown in ERRATA.items():
        assert all(labelled[image].dice[place].value != value for place, value in shown.items()), image
    for image, missed in MISSED.items():
        one, right = labelled[image], corrected(labelled[image])
        assert len(right.dice) == len(one.dice) + len(missed)
        assert corrected(right) == right
        for _, (x0, y0, x1, y1) in missed:
            assert 0 <= x0 < x1 <= one.width and 0 <= y0 < y1 <= one.height
            assert labelled_at(one, (x0, y0, x1, y1)) is None, f"{image}: a die is labelled there"


@needs_photographs
@needs_networks
@pytest.mark.parametrize("most", mostly([2, 3], [2]))
def test_dice_that_nobody_asked_for_are_not_accepted(most: int) -> None:
    models = load_models()
    assert models is not None
    sample = load_photographs(photograph_folder(), ("ucffool-d20", "ucffool-d6n"), most)
    for row in measure(sample, models):
        assert row.played.silent_pictures == []


def photograph(*values: int, kind: str = "d6") -> Labelled:
    dice = tuple(LabelledDie(kind, v, (100.0 * k, 0, 100.0 * k + 50, 50)) for k, v in enumerate(values))
    return Labelled("dice/mine/000.jpg", 640, 480, dice)


def seen(face: int, k: int, confidence: float = 0.95, doubt: str = "", die: Die = Die.D6) -> SeenDie:
    return SeenDie(die, face, (100.0 * k + 5, 5, 100.0 * k + 45, 45), confidence, doubt=doubt)


def test_figures_count_by_multiset_and_by_the_larger_number() -> None:
    figures = Figures()
    figures.add(photograph(3, 5), assess_tray((seen(5, 0), seen(3, 1)), None))
    figures.add(photograph(3, 5), assess_tray((seen(3, 0), seen(4, 1), seen(1, 2)), None))
    assert (figures.right_dice, figures.all_dice, figures.exact) == (3, 5, 1)
    assert (figures.accepted, figures.silent) == (2, 1)


def test_a_d10s_nought_is_labelled_and_counted_as_printed() -> None:
    figures = Figures()
    figures.add(photograph(0, kind="d10"), assess_tray((seen(10, 0, die=Die.D10),), None))
    assert (figures.exact, figures.silent) == (1, 0)


def test_a_doubtful_wrong_picture_is_no_silent_error() -> None:
    figures = Figures()
    reading = assess_tray((seen(4, 0, 0.4, "is small"),), None)
    figures.add(photograph(3), reading)
    assert reading.verdict is Verdict.ASK
    assert (figures.accepted, figures.silent) == (0, 0)


def test_a_die_that_was_not_read_is_not_right() -> None:
    figures = Figures()
    unread = SeenDie(Die.D6, 3, (5, 5, 45, 45), 0.2, doubt="is blurred", legible=False)
    figures.add(photograph(3), assess_tray((unread,), None))
    assert (figures.right_dice, figures.all_dice) == (0, 1)


def test_a_value_read_from_another_kind_of_die_is_wrong_even_where_it_happens_to_fit() -> None:
    other = photograph(1, kind="d20")
    figures = Figures()
    figures.add(other, assess_tray((seen(1, 0),), None))
    assert (figures.silent, figures.right_dice) == (1, 0)
    assert pool_of(other) == parse_dice("1d20")
    figures.add(other, assess_tray((SeenDie(Die.D20, 1, (5, 5, 45, 45), 0.9),), None))
    assert (figures.silent, figures.right_dice) == (1, 1)
    assert pool_of(photograph(1, kind="d6_numeral")) == parse_dice("1d6")


def test_dice_are_asked_for_as_they_are_labelled() -> None:
    mixed = Labelled("dice/m/0.jpg", 9, 9, (LabelledDie("d6", 1), LabelledDie("d10", 0), LabelledDie("d6", 2)))
    assert pool_of(mixed) == parse_dice("2d6+1d10")


def test_confidences_are_held_against_the_labels_where_dice_lie() -> None:
    dice = judged(photograph(3, 5), assess_tray((seen(3, 0), seen(3, 1), seen(3, 4, 0.2)), None))
    assert dice == [(0.95, True), (0.95, False), (0.2, False)]
    table = reliability(*map(np.array, zip(*dice, strict=True)))
    assert [list(column.cells) for column in table.columns] == [
        ["0.2 to 0.4", "0.95 to 0.98"],
        ["1", "2"],
        ["0.0%", "50.0%"],
    ]
    assert table.caption == "off by 36.7 points on average"
    assert labelled_at(photograph(3, 5), (90, -10, 160, 60)) == ("d6", 5)
    assert labelled_at(photograph(3, 5), (300, 0, 360, 60)) is None


def write_labels(folder: Path, *lines: str) -> None:
    (folder / "dice.jsonl").write_text("\n".join(lines), encoding="utf-8")


def label(source: str, number: int) -> str:
    dice = [{"kind": "d6", "value": 1 + number % 6, "box": None}]
    return json.dumps({"image": f"dice/{source}/{number:03}.jpg", "width": 9, "height": 9, "dice": dice})


def test_labels_are_spread_evenly_and_sources_kept_apart(tmp_path: Path) -> None:
    write_labels(tmp_path, *(label("mine", k) for k in range(11)), label("yours", 0))
    chosen = load_photographs(tmp_path, ("mine",), 3).pictures
    assert [p.image for p in chosen] == ["dice/mine/000.jpg", "dice/mine/005.jpg", "dice/mine/010.jpg"]
    assert chosen[1].values == Counter({(Die.D6, 6): 1})


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


def test_missing_networks_are_one_sentence_and_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_labels(tmp_path, label("mine", 0))
    assert main(["--photos", str(tmp_path), "--sources", "mine", "--models", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"no dice networks in {tmp_path}; name their folder with --models\n"
