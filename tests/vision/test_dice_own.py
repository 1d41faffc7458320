"""Your own dice: confirmed at the table, known from then on, on this machine; forgotten when told to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import platformdirs
import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.table.commands.main import run
from loomtable.vision.dice import Kind, TrayReading, Verdict, read_dice
from loomtable.vision.dice.enrolment.confirmed import ConfirmedFace, OwnDice, confirmed_dice
from loomtable.vision.dice.enrolment.embeddings import picture_of_png
from loomtable.vision.dice.enrolment.rolls import MOST_OF_A_FACE, confirmed_rolls, learn_roll, own_dice
from loomtable.vision.dice.evidence import Prediction
from loomtable.vision.pictures import read_picture
from tests.short import Loom
from tests.tiers import thorough
from tests.vision.needed import needs_networks
from tests.vision.own_dice_drawn import fancy


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Nobody's real dice are touched."""
    home = tmp_path / "home"
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(home))
    return home


def test_a_damaged_file_is_named_and_can_be_forgotten(at_home: Path, loom: Loom) -> None:
    damaged, of_a_coin = at_home / "confirmed" / "d6.json", at_home / "flips" / "coin.json"
    for file in (damaged, of_a_coin):
        file.parent.mkdir(parents=True)
        file.write_text('{"kind": "d6"')
    with pytest.raises(ContentInvalid, match="loom dice --forget begins again"):
        own_dice()
    assert "d6.json" in loom("dice", code=2).err
    damaged.write_text('{"kind":"d8","shots":[{"number":1,"png":"","seen":"AAAA"}],"network":"","examples":""}')
    with pytest.raises(ContentInvalid, match="not those of a d8"):
        own_dice()
    assert run(["dice", "--forget"]) == 0
    assert not list(at_home.rglob("*.json")), "nor what an earlier version kept of a coin"


def score(trays: Sequence[TrayReading], truth: Sequence[int]) -> tuple[int, int]:
    """How many were accepted rightly, and how many wrongly."""
    accepted = [
        (tray.faces == (number,))
        for tray, number in zip(trays, truth, strict=True)
        if tray.verdict is Verdict.ACCEPTED
    ]
    return sum(accepted), len(accepted) - sum(accepted)


def confirmed(number: int, turn: float, seed: int) -> TrayReading:
    """A roll of one fancy die as it lies at the table, after a person has said what it shows."""
    tray = read_dice(fancy(number, turn, seed), (1, Die.D6), own=OwnDice())
    return tray.corrected(0, number) if len(tray.dice) == 1 else tray


@thorough
@needs_networks
def test_what_is_confirmed_at_the_table_is_known_later_and_fewer_are_wrong() -> None:
    for k in range(4):
        for number in range(1, 7):
            learn_roll(confirmed(number, 40 * k + 11 * number, 100 + k))
    truth = [n for n in range(1, 7) for _ in range(4)]
    looks = [fancy(n, 23 + 71 * k, 50 + k) for k, n in enumerate(truth)]
    before = score([read_dice(look, (1, Die.D6), own=OwnDice()) for look in looks], truth)
    after = score([read_dice(look, (1, Die.D6), own=own_dice()) for look in looks], truth)
    assert after[0] > before[0] + 6
    assert after[1] < before[1] / 2


@needs_networks
def test_a_wrong_confirmation_changes_no_reading() -> None:
    looks = [fancy(n, 20 * n, n) for n in (3, 4, 5)]
    before = [read_dice(look, (1, Die.D6), own=OwnDice()) for look in looks]
    [die] = confirmed(4, 0, 1).dice
    learn_roll(TrayReading(Verdict.ACCEPTED, "", (replace(die, face=5),)))
    after = [read_dice(look, (1, Die.D6), own=own_dice()) for look in looks]
    assert [(t.faces, t.verdict, t.reason) for t in after] == [(t.faces, t.verdict, t.reason) for t in before]


@needs_networks
def test_what_was_learned_can_be_looked_at_switched_off_and_forgotten(
    loom: Loom, tmp_path: Path, at_home: Path
) -> None:
    rolled = [confirmed(n, 10 * n, 1) for n in (2, 2, 3)]
    assert sum(map(learn_roll, rolled)) == 3
    assert loom("dice", "--draw", tmp_path).out == (
        "Learning from your rolls is on.\nd6: 3 pictures of 2 of 6 faces\n"
    )
    assert read_picture(tmp_path / "confirmed-d6.png").shape == (2 * 96, 2 * 96, 3)
    assert own_dice().dice
    assert "Learning from your rolls is off." in loom("dice", "--off").out
    assert (own_dice(), learn_roll(rolled[0])) == (OwnDice(), 0)
    assert loom("dice", "--on", "--forget").out.endswith("Nothing has been learned yet.\n")
    assert list(at_home.rglob("*.json")) == []


@needs_networks
def test_only_the_newest_crops_of_a_face_are_kept() -> None:
    [die] = confirmed(4, 0, 1).dice
    assert die.crop is not None
    for k in range(MOST_OF_A_FACE + 3):
        learn_roll(TrayReading(Verdict.ACCEPTED, "", (replace(die, crop=die.crop + np.uint8(k)),)))
    [kept] = confirmed_rolls()
    assert len(kept.shots) == MOST_OF_A_FACE
    assert np.array_equal(picture_of_png(kept.shots[-1].png), die.crop + np.uint8(MOST_OF_A_FACE + 2))


def test_two_confirmed_examples_speak_for_a_face_and_one_does_not() -> None:
    face = np.eye(64, dtype=np.float32)[:6]
    looked = Prediction(*(np.zeros(n, np.float32) for n in (9, 6, 21)), face[3:4])
    one = confirmed_dice(Kind.D6, [(4, face[3:4]), (5, face[4:5])])
    assert one.recall(looked) is None
    two = confirmed_dice(Kind.D6, [(4, face[3:4]), (4, face[3:4]), (5, face[4:5])])
    assert two.recall(looked) == ConfirmedFace(4, 2)
    contested = confirmed_dice(Kind.D6, [(4, face[3:4]), (4, face[3:4]), (5, face[3:4])])
    assert contested.recall(looked) is None
