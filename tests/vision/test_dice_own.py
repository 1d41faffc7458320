"""Your own dice and coins: shown a few times, known from then on, on this machine; forgotten when told to."""

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
from loomtable.vision.dice.enrolment.coins import known_coins, learn_coin
from loomtable.vision.dice.enrolment.confirmed import ConfirmedFace, confirmed_dice
from loomtable.vision.dice.enrolment.dice import UnknownDie, forget, known_dice, learn, missing_faces, own_dice
from loomtable.vision.dice.enrolment.embeddings import crop_of_png
from loomtable.vision.dice.enrolment.recall import OwnDice
from loomtable.vision.dice.enrolment.relief import MIN_SIDE_MARGIN, SIDES, find_coins
from loomtable.vision.dice.enrolment.rolls import MOST_OF_A_FACE, confirmed_rolls, learn_roll
from loomtable.vision.dice.enrolment.storage import NothingToLearn
from loomtable.vision.dice.fusion.ensemble import Prediction
from loomtable.vision.pictures import read_picture, write_picture
from tests.tiers import thorough
from tests.vision.needed import needs_networks, needs_photographs
from tests.vision.own_dice_drawn import FOREIGN, HEADS, TAILS, coin_on_table, fancy
from training.photographs import load_photographs, photograph_folder


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Nobody's real dice are touched."""
    home = tmp_path / "home"
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(home))
    return home


# Coins


def test_a_coin_is_known_after_heads_and_tails_were_shown() -> None:
    shown = [
        (side, coin_on_table(seed, 90 * k + 7))
        for side, seed in zip(SIDES, (HEADS, TAILS), strict=True)
        for k in (0, 1, 2)
    ]
    learn_coin("penny", shown)
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
        assert tray.dice[0].learned == "penny"
        assert tray.rolled().dice[0].face == SIDES[flip % 2]


def test_another_coin_and_no_coin_are_not_taken_for_it() -> None:
    learn_coin("penny", [("heads", coin_on_table(HEADS, 0)), ("tails", coin_on_table(TAILS, 0))])
    own = own_dice()
    for picture in (coin_on_table(FOREIGN, 40), np.full((360, 480, 3), 90, np.uint8)):
        tray = read_dice(picture, (1, Die.COIN), own=own)
        assert (tray.verdict, tray.dice) == (Verdict.REJECTED, ())


def test_a_coin_of_which_one_side_was_shown_does_not_count_yet() -> None:
    kept = learn_coin("penny", [("heads", coin_on_table(HEADS, 0))])
    assert kept.sides == ("heads",)
    assert own_dice().coins == ()
    assert MIN_SIDE_MARGIN > 0
    learn_coin("penny", [("tails", coin_on_table(TAILS, 0))])
    assert [coin.name for coin in own_dice().coins] == ["penny"]


def test_coins_are_found_once_each_wherever_they_lie() -> None:
    picture = coin_on_table(HEADS, 20, 120)
    picture[:, :150] = picture[:, 150:300][:, ::-1]
    assert len(find_coins(picture)) <= 2
    [coin] = find_coins(coin_on_table(HEADS, 20, 120))
    assert coin.ellipse[:2] == pytest.approx((220, 170), abs=3)
    assert find_coins(np.full((200, 300, 3), 90, np.uint8)) == []


def test_what_is_no_coin_is_not_learned() -> None:
    with pytest.raises(NothingToLearn, match="no coin was found in the picture of heads"):
        learn_coin("penny", [("heads", np.full((200, 300, 3), 90, np.uint8))])
    with pytest.raises(NothingToLearn, match="no side 'edge'"):
        learn_coin("penny", [("edge", coin_on_table(HEADS, 0))])
    with pytest.raises(NothingToLearn, match="is no name to keep"):
        learn_coin("../penny", [("heads", coin_on_table(HEADS, 0))])
    assert known_coins() == []


def test_the_command_learns_lists_and_forgets_a_coin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], at_home: Path
) -> None:
    for side, seed in zip(SIDES, (HEADS, TAILS), strict=True):
        for k in range(2):
            write_picture(tmp_path / side / f"{k}.png", coin_on_table(seed, 100 * k))
    assert run(["dice", "learn", "penny", "--kind", "coin", f"heads={tmp_path / 'heads'}"]) == 0
    assert capsys.readouterr().out == "penny: a coin, 2 looks at heads\nNot shown yet: tails.\n"
    assert run(["dice", "learn", "penny", "--kind", "coin", f"tails={tmp_path / 'tails' / '0.png'}"]) == 0
    assert capsys.readouterr().out == "penny: a coin, 3 looks at heads and tails\n"
    write_picture(tmp_path / "flip.png", coin_on_table(TAILS, 200))
    assert run(["read", str(tmp_path / "flip.png"), "--expect", "1 coin"]) == 0
    assert "tails" in capsys.readouterr().out
    assert run(["dice", "list"]) == 0
    assert "penny" in capsys.readouterr().out
    assert run(["dice", "forget", "penny"]) == 0
    assert list(at_home.rglob("*.json")) == []
    assert run(["dice", "forget", "penny"]) == 2
    assert "nothing is known as 'penny'; known: none yet" in capsys.readouterr().err


def test_a_damaged_file_is_named(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learn_coin("penny", [("heads", coin_on_table(HEADS, 0))])
    [file] = at_home.rglob("*.json")
    file.write_text(file.read_text()[:40])
    with pytest.raises(ContentInvalid, match="forget it and show it again"):
        own_dice()
    assert run(["dice", "list"]) == 2
    assert "penny.json" in capsys.readouterr().err


def test_what_the_command_cannot_use_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for arguments, words in (
        (("ruby",), "give either pictures as NUMBER=PICTURE"),
        (("ruby", "four.jpg"), "does not say which face it shows"),
        (("ruby", "4=four.jpg", "--kind", "d7"), "'d7' is no kind of dice"),
        (("ruby", f"4={tmp_path / 'four.jpg'}"), "no"),
    ):
        assert run(["dice", "learn", *arguments]) == 2
        err = capsys.readouterr().err
        assert words in err
        assert len(err.splitlines()) == 1
    assert run(["dice", "list"]) == 0
    assert "loom dice learn NAME" in capsys.readouterr().out


# Dice


def score(trays: Sequence[TrayReading], truth: Sequence[int]) -> tuple[int, int]:
    """How many were accepted rightly, and how many wrongly."""
    accepted = [
        (tray.faces == (number,))
        for tray, number in zip(trays, truth, strict=True)
        if tray.verdict is Verdict.ACCEPTED
    ]
    return sum(accepted), len(accepted) - sum(accepted)


@needs_networks
def test_a_fancy_die_is_read_once_it_was_shown_and_not_before() -> None:
    kept, _ = learn("stars", Kind.D6, [(n, fancy(n, 40 * k + 11 * n, k)) for n in range(1, 7) for k in range(2)])
    assert missing_faces(kept) == ()
    truth = [n for n in range(1, 7) for _ in range(2)]
    looks = [fancy(n, 23 + 71 * k, 50 + k) for k, n in enumerate(truth)]
    own = own_dice()
    before = score([read_dice(look, (1, Die.D6), own=OwnDice()) for look in looks], truth)
    after = score([read_dice(look, (1, Die.D6), own=own) for look in looks], truth)
    assert after[0] > before[0] + 3
    assert after[1] == 0


@needs_networks
def test_more_looks_add_to_what_is_known_and_another_kind_is_refused() -> None:
    learn("stars", Kind.D6, [(4, fancy(4, 0, 1))])
    kept, refused = learn("stars", Kind.D6, [(5, fancy(5, 0, 1)), (3, np.full((300, 400, 3), 90, np.uint8))])
    assert refused == ("no die was found that shows a 3; lay it on a plain ground, closer",)
    assert [shot.number for shot in kept.shots] == [4, 5]
    assert missing_faces(kept) == (1, 2, 3, 6)
    with pytest.raises(ContentInvalid, match="is known as a d6"):
        learn("stars", Kind.D8, [(4, fancy(4, 0, 1))])
    with pytest.raises(NothingToLearn, match="a d6 has no 7"):
        learn("stars", Kind.D6, [(7, fancy(6, 0, 1))])
    assert [die.name for die in known_dice()] == ["stars"]
    forget("stars")
    with pytest.raises(UnknownDie):
        forget("stars")


@thorough
@needs_networks
@needs_photographs
def test_half_of_a_strangers_dice_teach_the_other_half() -> None:
    """Crops of casino dice: every other one is shown with its value, the rest are read with and without."""
    sample = load_photographs(photograph_folder(), ("casino-crops",), 80)
    taught = [(int(p.dice[0].value or 1), read_picture(sample.path(p))) for p in sample.pictures[::2]]
    learn("casino", Kind.D6, taught)
    # The label of number 250 says three; six pips lie up.
    others = [p for p in sample.pictures[1::2] if not p.image.endswith("/250.jpg")]
    rest = [(int(p.dice[0].value or 1), read_picture(sample.path(p))) for p in others]
    truth = [value for value, _ in rest]
    own = own_dice()
    before = score([read_dice(picture, (1, Die.D6), own=OwnDice()) for _, picture in rest], truth)
    after = score([read_dice(picture, (1, Die.D6), own=own) for _, picture in rest], truth)
    assert after[0] >= before[0]
    assert after[1] <= before[1]


# Rolls that were confirmed at the table


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
def test_confirmed_rolls_can_be_looked_at_switched_off_and_forgotten(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, at_home: Path
) -> None:
    rolled = [confirmed(n, 10 * n, 1) for n in (2, 2, 3)]
    assert sum(map(learn_roll, rolled)) == 3
    assert run(["dice", "rolls", "--draw", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "Learning from your rolls is on.\nd6: 3 looks at 2 of 6 faces\n"
    assert read_picture(tmp_path / "confirmed-d6.png").shape == (2 * 96, 2 * 96, 3)
    assert own_dice().confirmed
    assert run(["dice", "rolls", "--off"]) == 0
    assert "Learning from your rolls is off." in capsys.readouterr().out
    assert (own_dice().confirmed, learn_roll(rolled[0])) == ((), 0)
    assert run(["dice", "rolls", "--on", "--forget"]) == 0
    assert capsys.readouterr().out.endswith("Nothing has been learned from rolls yet.\n")
    assert list(at_home.rglob("*.json")) == []


@needs_networks
def test_only_the_newest_crops_of_a_face_are_kept() -> None:
    [die] = confirmed(4, 0, 1).dice
    assert die.crop is not None
    for k in range(MOST_OF_A_FACE + 3):
        learn_roll(TrayReading(Verdict.ACCEPTED, "", (replace(die, crop=die.crop + np.uint8(k)),)))
    [kept] = confirmed_rolls()
    assert len(kept.shots) == MOST_OF_A_FACE
    assert np.array_equal(crop_of_png(kept.shots[-1].png), die.crop + np.uint8(MOST_OF_A_FACE + 2))


def test_two_confirmed_examples_speak_for_a_face_and_one_does_not() -> None:
    face = np.eye(64, dtype=np.float32)[:6]
    looked = Prediction(
        *(np.zeros(n, np.float32) for n in (9, 6, 21)), (np.zeros((1, 6)), np.zeros((1, 21))), face[3:4]
    )
    one = confirmed_dice(Kind.D6, [(4, face[3:4]), (5, face[4:5])])
    assert one.recall(looked) is None
    two = confirmed_dice(Kind.D6, [(4, face[3:4]), (4, face[3:4]), (5, face[4:5])])
    assert two.recall(looked) == ConfirmedFace(4, 2)
    contested = confirmed_dice(Kind.D6, [(4, face[3:4]), (4, face[3:4]), (5, face[3:4])])
    assert contested.recall(looked) is None
