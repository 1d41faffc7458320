"""Each cue by which dice are read can be left out, and one of your own can be put beside them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.testing.virtual import Photograph, VirtualCamera, handful_of_dice, photograph
from loomtable.vision.dice import Verdict, read_dice
from loomtable.vision.dice.cues import CUES, Cue, UnknownCue, gather_evidence, without
from loomtable.vision.dice.evidence import KNOWS_NOTHING, Evidence
from loomtable.vision.dice.networks import load_models
from loomtable.vision.pictures import BgrImage
from tests.tiers import mostly
from tests.vision.needed import needs_networks
from training.evaluate import main as evaluate
from training.photographs import Labelled, LabelledDie

THREE = (3, Die.D6)
pytestmark = needs_networks


def a_roll(seed: int = 1, *values: int) -> Photograph:
    camera = VirtualCamera(tilt=20)
    return photograph(handful_of_dice(values or (3, 5, 6), seed=seed, camera=camera), camera, seed=seed)


@pytest.mark.parametrize("name", [cue.name for cue in CUES])
def test_dice_are_read_without_any_one_cue_or_not_at_all(name: str) -> None:
    tray = read_dice(a_roll().picture, THREE, cues=without(name))
    if name == "detector":
        assert (tray.verdict, tray.reason) == (Verdict.REJECTED, "no dice, three expected")
        return
    # So clear a picture can be read without any other, but for the first network, which sees the tops.
    assert tray.verdict is (Verdict.ASK if name == "reader" else Verdict.ACCEPTED), tray.reason
    assert sorted(tray.faces) == [3, 5, 6]


def test_what_a_cue_would_say_is_not_known_without_it() -> None:
    models, picture = load_models(), a_roll().picture
    assert models is not None
    whole, bare = (gather_evidence(picture, None, models, cues=cues) for cues in (CUES, CUES[:1]))
    assert len(whole.dice) >= len(bare.dice) == 3
    assert all(die.reader is KNOWS_NOTHING and die.second is None and die.stance is None for die in bare.dice)
    assert all(die.second is not None and die.upright is not None for die in whole.dice)
    assert (bare.camera, whole.camera is not None) == (None, True)


def test_a_cue_of_your_own_says_more_of_every_die() -> None:
    def doubt_all(picture: BgrImage, evidence: Evidence) -> Evidence:
        return evidence.with_dice(replace(die, misread=0.5) for die in evidence.dice)

    tray = read_dice(a_roll().picture, THREE, cues=(*CUES, Cue("doubter", doubt_all)))
    assert tray.verdict is Verdict.ASK
    assert "it is not clear which is up" in tray.reason


def test_an_unknown_cue_is_named_with_those_that_there_are() -> None:
    with pytest.raises(UnknownCue, match="there is no cue 'sonar'; there are detector, reader, second"):
        without("second", "sonar")


def test_the_ablation_shows_every_source_with_all_cues_and_without_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = []
    for number, value in enumerate((3, 5)):
        image = f"dice/mine/{number:03}.png"
        (tmp_path / image).parent.mkdir(parents=True, exist_ok=True)
        shot = a_roll(number, value)
        cv2.imwrite(str(tmp_path / image), shot.picture)
        height, width = shot.picture.shape[:2]
        labels.append(Labelled(image, width, height, (LabelledDie("d6", value),)))
    (tmp_path / "dice.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, labels)))
    given = ["--photos", str(tmp_path), "--sources", "mine", "--without"]
    assert evaluate([*given, "detector"]) == 0
    said = capsys.readouterr().out
    row = next(line for line in said.splitlines() if "played" in line)
    cells = [cell.strip() for cell in row.split("│")[1:-1]]
    assert cells == ["mine", "played", "2", "100.0%", "2", "0", "0.0%", "0", "0"], said
    assert evaluate([*given, "sonar"]) == 2
    assert "no cue 'sonar'" in capsys.readouterr().err


@pytest.mark.parametrize(("value", "seed"), mostly([(3, 2), (5, 4), (1, 0), (4, 3)], [(3, 2)]))
def test_a_small_die_on_a_large_round_plate_is_read_and_the_plate_is_none(value: int, seed: int) -> None:
    camera = VirtualCamera(height=370, tilt=10, frame=(960, 720))
    shot = photograph(handful_of_dice([value], seed=seed, camera=camera), camera, seed=seed)
    middle = shot.truth.dice[0].top.mean(axis=0)
    rows, columns = np.indices(shot.picture.shape[:2])
    beside = np.clip(np.hypot(columns - middle[0], rows - middle[1]) - 110, 0, 1)[..., None]
    picture = (shot.picture * (1 - beside) + 190 * beside).astype(np.uint8)
    tray = read_dice(picture, (1, Die.D6))
    assert tray.verdict is Verdict.ACCEPTED, tray.reason
    assert tray.faces == (value,)
