"""Your own dice and coins: confirmed at the table, known from then on, on this machine; forgotten when told to."""

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
from loomtable.vision.dice.enrolment.flips import (
    MOST_OF_A_SIDE,
    ConfirmedFlips,
    confirmed_flips,
    learn_flip,
)
from loomtable.vision.dice.enrolment.relief import SIDES, find_coins
from loomtable.vision.dice.enrolment.rolls import MOST_OF_A_FACE, confirmed_rolls, learn_roll, own_dice
from loomtable.vision.dice.evidence import Prediction
from loomtable.vision.pictures import read_picture
from tests.tiers import thorough
from tests.vision.needed import needs_networks
from tests.vision.own_dice_drawn import FOREIGN, HEADS, TAILS, coin_on_table, fancy


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Nobody's real dice are touched."""
    home = tmp_path / "home"
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(home))
    return home


# Coins


def flips(count: int, turned: float = 7) -> None:
    """So many confirmed flips of each side."""
    for side, seed in zip(SIDES, (HEADS, TAILS), strict=True):
        for k in range(count):
            assert learn_flip(side, coin_on_table(seed, 90 * k + turned))


def test_a_coin_is_read_after_some_flips_that_people_confirmed() -> None:
    flips(4)
    own = own_dice()
    chance = np.random.default_rng(5)
    for flip in range(12):
        seed = (HEADS, TAILS)[flip % 2]
        look = coin_on_table(
            seed,
            chance.uniform(0, 360),
            int(chance.uniform(72, 150)),
            0.8 + chance.uniform(-0.3, 0.3),
            chance.uniform(0.78, 1),
        )
        tray = read_dice(look, (1, Die.COIN), own=own)
        assert (tray.verdict, tray.faces) == (Verdict.ACCEPTED, (SIDES[flip % 2],)), (flip, tray.reason)
        assert tray.rolled().dice[0].face == SIDES[flip % 2]


def test_another_coin_and_no_coin_are_not_taken_for_it() -> None:
    flips(2, 0)
    own = own_dice()
    for picture in (coin_on_table(FOREIGN, 40), np.full((360, 480, 3), 90, np.uint8)):
        tray = read_dice(picture, (1, Die.COIN), own=own)
        assert (tray.verdict, tray.dice) == (Verdict.REJECTED, ())


def test_a_coin_counts_once_both_sides_were_confirmed_twice() -> None:
    flips(1)
    learn_flip("heads", coin_on_table(HEADS, 50))
    assert own_dice().coin is None
    learn_flip("tails", coin_on_table(TAILS, 50))
    assert own_dice().coin is not None


def test_a_flip_that_was_called_wrongly_makes_no_later_one_wrong() -> None:
    flips(3)
    learn_flip("heads", coin_on_table(TAILS, 140))
    own = own_dice()
    for turn in range(0, 360, 40):
        tray = read_dice(coin_on_table(TAILS, turn + 20), (1, Die.COIN), own=own)
        assert tray.verdict is not Verdict.ACCEPTED or tray.faces == ("tails",), turn


def test_coins_are_found_once_each_wherever_they_lie() -> None:
    picture = coin_on_table(HEADS, 20, 120)
    picture[:, :150] = picture[:, 150:300][:, ::-1]
    assert len(find_coins(picture)) <= 2
    [coin] = find_coins(coin_on_table(HEADS, 20, 120))
    assert coin.ellipse[:2] == pytest.approx((220, 170), abs=3)
    assert find_coins(np.full((200, 300, 3), 90, np.uint8)) == []


def test_a_picture_without_a_coin_and_a_flip_that_leaned_teach_nothing() -> None:
    assert not learn_flip("heads", np.full((200, 300, 3), 90, np.uint8))
    assert not learn_flip("unclear", coin_on_table(HEADS, 0))
    assert confirmed_flips() == ConfirmedFlips()


def test_only_the_newest_pictures_of_a_side_are_kept() -> None:
    for k in range(MOST_OF_A_SIDE + 2):
        learn_flip("heads", coin_on_table(HEADS, 5 * k))
    assert len(confirmed_flips().heads) == MOST_OF_A_SIDE


def test_a_damaged_file_is_named_and_can_be_forgotten(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flips(1)
    [file] = at_home.rglob("*.json")
    file.write_text(file.read_text()[:40])
    with pytest.raises(ContentInvalid, match="loom dice --forget begins again"):
        own_dice()
    assert run(["dice"]) == 2
    assert "coin.json" in capsys.readouterr().err
    assert run(["dice", "--forget"]) == 0


# Dice


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
    capsys: pytest.CaptureFixture[str], tmp_path: Path, at_home: Path
) -> None:
    rolled = [confirmed(n, 10 * n, 1) for n in (2, 2, 3)]
    assert sum(map(learn_roll, rolled)) == 3
    flips(2)
    learn_flip("tails", coin_on_table(TAILS, 50))
    assert run(["dice", "--draw", str(tmp_path)]) == 0
    assert capsys.readouterr().out == (
        "Learning from your rolls is on.\nd6: 3 pictures of 2 of 6 faces\ncoin: 5 pictures of 2 of 2 faces\n"
    )
    assert read_picture(tmp_path / "confirmed-d6.png").shape == (2 * 96, 2 * 96, 3)
    assert read_picture(tmp_path / "confirmed-coin.png").shape == (2 * 128, 3 * 128, 3)
    assert own_dice().dice and own_dice().coin
    assert run(["dice", "--off"]) == 0
    assert "Learning from your rolls is off." in capsys.readouterr().out
    assert (own_dice(), learn_roll(rolled[0])) == (OwnDice(), 0)
    assert not learn_flip("tails", coin_on_table(TAILS, 50))
    assert run(["dice", "--on", "--forget"]) == 0
    assert capsys.readouterr().out.endswith("Nothing has been learned yet.\n")
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
