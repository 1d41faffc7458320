"""One decision, fitted: which detections are the dice, what speaks against a reading, and the command for it."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from loomtable.engine.kernel.package_data import package_file
from loomtable.testing.virtual import VirtualCamera, handful_of_dice, photograph
from loomtable.vision.dice.fusion.calibration import FEATURES, ConfidenceModel, load_calibration
from loomtable.vision.dice.fusion.doubts import SAID_BY, SENTENCES
from loomtable.vision.dice.fusion.select import certainty_of_count
from loomtable.vision.dice.networks import CALIBRATION, load_models
from training.calibrate import SPEAK_FOR, START, Cases, Tray, fitted, main, threshold_for
from training.look import main as look
from training.looked import load_looked
from training.photographs import Labelled, LabelledDie

needs_networks = pytest.mark.skipif(load_models() is None, reason="no dice networks are installed in models/")


@pytest.mark.parametrize(("chances", "count"), [((0.9, 0.7, 0.4, 0.2), 2), ((0.99, 0.5, 0.5), 1), ((0.3, 0.2), 2)])
def test_how_surely_the_likeliest_are_the_dice_is_counted_over_all_ways_to_choose_so_many(
    chances: tuple[float, ...], count: int
) -> None:
    def likely(chosen: tuple[int, ...]) -> float:
        return math.prod(c if k in chosen else 1 - c for k, c in enumerate(chances))

    ways = {chosen: likely(chosen) for chosen in itertools.combinations(range(len(chances)), count)}
    best = tuple(range(count))
    assert certainty_of_count(chances, count) == pytest.approx(ways[best] / sum(ways.values()))


def test_the_feature_that_takes_most_away_is_the_one_that_is_said() -> None:
    model = ConfidenceModel(0.0, {"value": 0.5, "blur": -4.0, "glare": -1.0}, {"value": 6.0})
    lost = model.objections({"value": 5.0, "blur": 0.5})
    assert lost == {"value": 0.5, "blur": 2.0}
    assert model.objections({"value": 8.0}) == {}, "what is surer than usual speaks for a reading"


def test_every_feature_has_a_sentence_and_speaks_one_way_in_what_is_shipped() -> None:
    said = {SAID_BY.get(feature, feature) for feature in FEATURES}
    assert said == {*SENTENCES, "number", "kind", "rival_camera"}
    for file in (package_file("models") / CALIBRATION, START):
        for model in load_calibration(file).confidence_models.values():
            for name, weight in model.weights.items():
                assert weight >= 0 if name in SPEAK_FOR else weight <= 0, (file, name)


def test_a_weight_says_what_the_rows_say_and_stays_where_they_say_nothing() -> None:
    pytest.importorskip("scipy", reason="fitting needs scipy, of training/pyproject.toml")
    rng = np.random.default_rng(3)
    features = rng.normal(size=(4000, 3))
    right = rng.random(4000) < 1 / (1 + np.exp(-(1 + 2 * features[:, 0] + features[:, 1])))
    features[:, 2] = 0.5
    rows = Cases(features, right, np.repeat(["mine", "yours"], 2000), np.full(4000, "d6"))
    model = fitted(rows, ("value", "blur", "glare"), ConfidenceModel(0.0, {"glare": -0.7}))
    assert model.weights["value"] == pytest.approx(2, abs=0.25)
    assert "blur" not in model.weights, "it can only speak against a reading"
    assert model.weights["glare"] == pytest.approx(-0.7, abs=0.01), "it never varied"
    assert model.typical["value"] == pytest.approx(np.median(features[right, 0]), abs=1e-3)


def test_the_threshold_is_the_lowest_that_lets_few_enough_wrong_pictures_through() -> None:
    trays = [Tray("mine", 0.6 + 0.001 * k, k != 100) for k in range(300)]
    assert threshold_for(trays, 0.02) == pytest.approx(0.6), "one of 300 is few enough"
    assert threshold_for(trays, 0.003) == pytest.approx(0.701), "and here it is one too many"
    assert threshold_for([Tray("mine", 0.9, False)], 0.01) > 0.99


@needs_networks
def test_what_was_looked_at_is_kept_and_the_decision_is_fitted_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("scipy", reason="fitting needs scipy, of training/pyproject.toml")
    labels = []
    for number, value in enumerate((3, 5, 1, 6)):
        camera = VirtualCamera(tilt=15, frame=(640, 480))
        shot = photograph(handful_of_dice([value], seed=number, camera=camera), camera, seed=number)
        image = f"dice/{('mine', 'yours')[number % 2]}/{number:03}.jpg"
        (tmp_path / image).parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(tmp_path / image), shot.picture)
        labels.append(Labelled(image, 640, 480, (LabelledDie("d6", value),)))
    (tmp_path / "dice.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, labels)))
    given = ["--photos", str(tmp_path), "--sources", "mine,yours", "--out", str(tmp_path / "looked")]
    assert look([*given, "--minutes", "0"]) == 1, "at least one picture, and then there is more"
    assert len(load_looked(tmp_path / "looked")) == 1
    assert look(given) == 0
    assert len(load_looked(tmp_path / "looked")) == 4
    out = tmp_path / "fitted.json"
    assert main(["--looked", str(tmp_path / "looked"), "--out", str(out)]) == 0
    assert load_calibration(out).confidence_models.keys() == load_calibration(START).confidence_models.keys()
    assert main(["--looked", str(tmp_path / "none"), "--out", str(out)]) == 2
    assert "nothing was looked at yet" in capsys.readouterr().err
