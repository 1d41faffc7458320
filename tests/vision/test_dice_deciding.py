"""From what the witnesses say to accepted, ask or rejected: each reason in words, and doubt never believed."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ContentInvalid, FileUnreadable
from loomtable.vision.arrays import Float32Array
from loomtable.vision.boxes import iou
from loomtable.vision.dice import Kind, Pool, TrayReading, Verdict, parse_dice
from loomtable.vision.dice.detector import Detection, non_max_suppression
from loomtable.vision.dice.enrolment.recall import LearnedDie, OwnDice
from loomtable.vision.dice.fusion.calibration import ANY, Calibration, ConfidenceModel, Threshold, load_calibration
from loomtable.vision.dice.fusion.ensemble import Evidence, Prediction
from loomtable.vision.dice.fusion.numeral_doubts import UNANIMOUS_KINDS, UNREAD_D4
from loomtable.vision.dice.numerals import LocatedNumeral, NumeralReading
from loomtable.vision.dice.pips.reader import PipFace
from loomtable.vision.dice.pose import ORDERS
from loomtable.vision.dice.reader import resolve_tray
from loomtable.vision.die_kinds import KINDS, numeral_class

BOARD = np.full((480, 640, 3), 120, np.uint8)
WEIGHTS = {"value": 1.0, "kind": 0.5, "pips_agree": 0.5, "pips_differ": -3.0, "learned": 2.0}
WEIGHTS |= {"number_objection": -4.0, "kind_objection": -4.0, "askew": -100.0, "none": -4.0}
CALIBRATION = Calibration(
    confidence_models={ANY: ConfidenceModel(-3.0, WEIGHTS, {"value": 6.0, "kind": 6.0})},
    die_model=ConfidenceModel(1.0, {"score": 2.2, "none": -4.0, "value": 0.5, "smaller": -2.0, "larger": -1.0}),
    thresholds={ANY: Threshold(0.97, 0.985)},
)
CROP = np.random.default_rng(3).integers(0, 255, (96, 96, 3), np.uint8)


def logs(size: int, **shares: float) -> Float32Array:
    """Log-probabilities with these shares by place (``_4=0.9``), the rest spread over the others."""
    rest = (1 - sum(shares.values())) / (size - len(shares))
    probabilities = np.full(size, max(rest, 1e-6))
    for place, share in shares.items():
        probabilities[int(place[1:])] = share
    return np.log(probabilities / probabilities.sum()).astype(np.float32)


def opinion(
    kinds: dict[Kind | None, float], number: dict[int, float], kind: Kind, embedding: Float32Array | None = None
) -> Prediction:
    kind_logs = logs(9, **{f"_{0 if k is None else 1 + KINDS.index(k)}": share for k, share in kinds.items()})
    pips = logs(6, **{f"_{n - 1}": s for n, s in number.items()}) if kind is Kind.D6 else logs(6)
    numerals = {f"_{numeral_class(kind, n)}": s for n, s in number.items()} if kind is not Kind.D6 else {}
    numeral = logs(21, **numerals)
    return Prediction(kind_logs, pips, numeral, (pips[None], numeral[None]), embedding)


def lying(
    kind: Kind,
    number: int,
    x: float = 100,
    y: float = 200,
    *,
    sure: float = 0.995,
    kind_sure: float = 0.995,
    or_kind: Kind | None = None,
    or_number: int | None = None,
    heat: float = 0.9,
    side: float = 60,
    none: float = 0.001,
    pips: PipFace | None = None,
    embedding: Float32Array | None = None,
) -> Evidence:
    """A die with what the networks say of it."""
    kinds: dict[Kind | None, float] = {kind: kind_sure * (1 - none), None: none}
    if or_kind is not None:
        kinds[or_kind] = (1 - kind_sure) * (1 - none) * 0.99
    numbers = {number: sure}
    if or_number is not None:
        numbers[or_number] = (1 - sure) * 0.99
    said = opinion(kinds, numbers, kind, embedding)
    printed = print_of(kind, number, sure) if kind in UNANIMOUS_KINDS else None
    return Evidence(Detection((x, y, x + side, y + side), heat), said, said, pips, CROP, printed)


def print_of(kind: Kind, number: int, sure: float = 0.9) -> NumeralReading:
    """What the OCR model says of a die that it reads as this number."""
    place = numeral_class(kind, number)
    numeral, tens = logs(21, **{f"_{place}": sure}), logs(10)
    return NumeralReading(numeral, logs(10, **{f"_{place}": sure}) if kind is Kind.D100 else tens)


def read(*dice: Evidence, asked: str = "", own: OwnDice | None = None) -> TrayReading:
    return resolve_tray(dice, BOARD, parse_dice(asked) if asked else None, CALIBRATION, own)


THREE = (lying(Kind.D10, 7), lying(Kind.D10, 0, 200), lying(Kind.D10, 3, 300))


def test_sure_dice_of_the_right_kind_and_count_are_accepted() -> None:
    tray = read(*THREE, asked="3d10")
    assert (tray.verdict, tray.faces) == (Verdict.ACCEPTED, (7, 10, 3)), tray.reason
    assert [die.value for die in tray.dice] == [7, 0, 3], "as printed"
    assert [d.face for d in tray.rolled().dice] == [7, 10, 3], "as played"


def seen_from(die: Evidence, elevation: float, concentration: float) -> Evidence:
    """The die before a camera that stands so many degrees above the table, its yaw known so surely."""
    yaw = np.tile(np.array([concentration, 0], np.float32), len(ORDERS))
    upright = np.array([0.0, -math.cos(math.radians(elevation))])
    return replace(die, reader=replace(die.reader, yaw=yaw), upright=upright)


@pytest.mark.parametrize(
    ("kind", "elevation", "concentration", "verdict"),
    [
        (Kind.D10, 50, 0.5, Verdict.ASK),
        (Kind.D10, 50, 20, Verdict.ACCEPTED),
        (Kind.D10, 80, 0.5, Verdict.ACCEPTED),
        (Kind.D8, 50, 0.5, Verdict.ASK),
        (Kind.D8, 70, 0.5, Verdict.ACCEPTED),
        (Kind.D20, 50, 0.5, Verdict.ACCEPTED),
    ],
)
def test_a_die_seen_obliquely_is_asked_about_where_its_pose_is_not_sure(
    kind: Kind, elevation: float, concentration: float, verdict: Verdict
) -> None:
    """Of a d20 every reader by itself has to read the same number, which they seldom do from low."""
    tray = read(seen_from(lying(kind, 7), elevation, concentration), asked=f"1{kind.value}")
    assert tray.verdict is verdict, tray.reason
    assert ("raise the camera" in tray.reason) == (verdict is Verdict.ASK)
    if kind is Kind.D10 and concentration > 1:
        (die,) = tray.dice
        assert (len(die.polygon), len(die.sides)) == (4, 4), "the kite that is up, and four beside it"


def test_a_mixed_pool_is_held_against_each_kind() -> None:
    dice = (lying(Kind.D6, 2), lying(Kind.D6, 5, 200), lying(Kind.D10, 9, 300))
    assert read(*dice, asked="2d6+1d10").verdict is Verdict.ACCEPTED
    tray = read(*dice, asked="1d6+2d10")
    assert (tray.verdict, tray.reason) == (Verdict.REJECTED, "two d6s, one expected")


def test_a_die_too_many_and_one_too_few_are_rejected() -> None:
    assert read(*THREE, asked="2d10").reason == "three dice, two expected"
    assert read(*THREE[:2], asked="3d10").reason == "two dice, three expected"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Kind.D8, "a d8 is there; three d10s were asked for"),
        (Kind.D100, "a percentile d10 is there; three d10s were asked for"),
        (Kind.D20, "a d20 is there; three d10s were asked for"),
        (Kind.D6_NUMERAL, "a d6 with numerals is there; three d10s were asked for"),
    ],
)
def test_a_kind_that_nobody_asked_for_is_named(kind: Kind, said: str) -> None:
    tray = read(*THREE[:2], lying(kind, kind.numbers[1], 300), asked="3d10")
    assert (tray.verdict, tray.reason) == (Verdict.REJECTED, said)
    assert len(tray.dice) == 3


def test_unasked_specks_are_none_and_what_may_be_a_die_is_asked_about() -> None:
    """A pip or a shadow beside sure dice keeps no tray from being taken; a faint die of their size does."""
    dice = (lying(Kind.D6, 2), lying(Kind.D6, 5, 200))
    speck = lying(Kind.D6, 1, 300, side=20, heat=0.25, none=0.4, sure=0.4)
    assert read(*dice, speck).verdict is Verdict.ACCEPTED
    faint = lying(Kind.D6, 1, 300, heat=0.28, none=0.2, sure=0.6)
    tray = read(*dice, faint)
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "two dice read, and something more that may be dice")
    assert read(speck).verdict is not Verdict.ACCEPTED


def test_unasked_dice_of_any_kind_are_counted() -> None:
    tray = read(lying(Kind.D12, 11), lying(Kind.D8, 8, 300), lying(Kind.D20, 17, 400))
    assert (tray.verdict, tray.faces) == (Verdict.ACCEPTED, (11, 8, 17))


def test_a_d20_and_d6s_with_pips_or_numerals_are_one_mixed_pool() -> None:
    dice = (lying(Kind.D20, 17), lying(Kind.D6, 2, 200), lying(Kind.D6_NUMERAL, 5, 300))
    tray = read(*dice, asked="d20+2d6")
    assert (tray.verdict, tray.faces) == (Verdict.ACCEPTED, (17, 2, 5)), tray.reason
    assert [die.name for die in tray.dice] == ["d20", "d6", "d6_numeral"]
    assert [die.die for die in tray.rolled().dice] == [Die.D20, Die.D6, Die.D6]


@pytest.mark.parametrize(
    ("kind", "number", "other"), [(Kind.D20, 12, 17), (Kind.D12, 11, 4), (Kind.D6_NUMERAL, 3, 5)]
)
def test_a_seldom_seen_kind_is_believed_only_where_every_reader_reads_the_same(
    kind: Kind, number: int, other: int
) -> None:
    asked, die = f"1{kind.die.value}", lying(kind, number)
    differing = lying(kind, other)
    assert read(die, asked=asked).verdict is Verdict.ACCEPTED
    words = f"the die could be a {min(number, other)} or a"
    for torn in (replace(die, second=differing.reader), replace(die, numerals=print_of(kind, other))):
        tray = read(torn, asked=asked)
        assert tray.verdict is Verdict.ASK, tray.reason
        assert "could be" in tray.reason
        assert words in tray.reason.replace("an ", "a ")
    assert read(replace(die, numerals=None), asked=asked).verdict is Verdict.ASK, "nothing read it as print"


def test_half_of_a_number_of_two_digits_is_no_other_number() -> None:
    half = replace(lying(Kind.D20, 12), numerals=print_of(Kind.D20, 2))
    assert read(half, asked="d20").verdict is Verdict.ACCEPTED
    whole = replace(lying(Kind.D20, 2), numerals=print_of(Kind.D20, 12))
    assert read(whole, asked="d20").reason == "the die could be a 2 or a 12"


def test_a_d4_is_believed_by_the_three_numerals_of_one_face() -> None:
    die = replace(lying(Kind.D4, 1), d4=np.log(np.array([0.1, 0.05, 0.8, 0.1], np.float32)))
    tray = read(die, asked="1d4")
    assert (tray.verdict, tray.faces) == (Verdict.ACCEPTED, (3,)), "the networks have not learned which counts"
    torn = replace(die, d4=np.log(np.array([0.1, 0.05, 0.8, 0.7], np.float32)))
    assert read(torn, asked="1d4").reason == "the die could be a 3 or a 4"


def test_a_d4_whose_numerals_are_not_seen_is_recognised_and_asked_about() -> None:
    unread = replace(lying(Kind.D4, 3), numerals=None)
    tray = read(unread, asked="1d4")
    assert (tray.verdict, tray.reason) == (Verdict.ASK, f"the die {UNREAD_D4}")
    assert (tray.dice[0].name, tray.dice[0].value) == ("d4", None), "never guessed"
    assert tray.corrected(0, 2).rolled().faces == (2,)
    assert read(unread, asked="1d8").reason == "a d4 is there; one d8 was asked for"


def test_of_the_boxes_on_one_d4_the_one_counts_on_which_its_number_is_read() -> None:
    part = lying(Kind.D4, 2, 100, side=60)
    whole = replace(lying(Kind.D4, 2, 90, 185, side=110, heat=0.35), d4=np.log(np.float32([0.05, 0.05, 0.8, 0.1])))
    tray = read(part, whole, asked="1d4")
    assert (tray.verdict, tray.faces) == (Verdict.ACCEPTED, (3,)), tray.reason
    assert tray.dice[0].box == whole.detection.box
    two = read(lying(Kind.D4, 2, 320), part, whole, asked="2d4")
    assert two.faces == (3, 2), "a die of its own beside it stays one"
    faint = replace(whole, d4=np.log(np.float32([0.02, 0.02, 0.08, 0.01])))
    hardly = read(part, faint, asked="1d4")
    assert hardly.dice[0].box == part.detection.box, "what is hardly read says nothing about boxes"


def test_a_barrel_that_every_reader_reads_alike_is_a_d4_with_one_numeral_on_top() -> None:
    barrel = lying(Kind.D4, 3)
    assert read(barrel, asked="1d4").faces == (3,)
    assert read(barrel, asked="1d4").verdict is Verdict.ACCEPTED
    torn = replace(barrel, numerals=print_of(Kind.D4, 2))
    assert read(torn, asked="1d4").verdict is Verdict.ASK


def test_one_numeral_on_a_face_of_a_d4_is_no_die_of_its_own() -> None:
    face = lying(Kind.D6_NUMERAL, 2, 100, side=40)
    whole = replace(lying(Kind.D4, 2, 110, side=90, heat=0.2), numerals=None)
    for asked in ("", "1d6"):
        tray = read(face, whole, asked=asked)
        assert tray.verdict is Verdict.ASK, tray.reason
    assert "could be a d6 with numerals or one face of a d4" in tray.reason
    assert read(face, asked="1d6").verdict is Verdict.ACCEPTED


def test_a_kind_that_one_network_takes_for_another_is_asked_about_though_it_was_asked_for() -> None:
    """A 6 on a d10 is no 6 on a d8: the numeral is read all the same, and only the shape tells."""
    eight = lying(Kind.D8, 6)
    torn = replace(eight, second=lying(Kind.D10, 6).second)
    assert read(eight, asked="1d8").verdict is Verdict.ACCEPTED
    assert read(torn, asked="1d8").reason == "the die could be a d8 or a d10"


@pytest.mark.parametrize("kind", [Kind.D10, Kind.D12, Kind.D20])
def test_a_six_or_nine_without_bar_or_dot_is_asked_about(kind: Kind) -> None:
    marked, unmarked = print_of(kind, 9), logs(21, _6=0.45, _9=0.45)
    asked, nine = f"1{kind.value}", lying(kind, 9)
    assert read(replace(nine, numerals=marked), asked=asked).verdict is Verdict.ACCEPTED
    tray = read(replace(nine, numerals=NumeralReading(unmarked, logs(10))), asked=asked)
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "the die could be a 6 or a 9: no bar or dot tells")


def test_a_d8_has_no_nine_that_its_six_could_be() -> None:
    six = replace(lying(Kind.D8, 6), numerals=NumeralReading(logs(21, _6=0.45, _9=0.45), logs(10)))
    assert read(six, asked="1d8").verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(("tens", "units", "made"), [(40, 7, 47), (0, 0, 100), (0, 3, 3), (90, 0, 90)])
def test_a_percentile_pair_names_both_dice_and_what_they_make(tens: int, units: int, made: int) -> None:
    pair = (lying(Kind.D10, units), lying(Kind.D100, tens, 300))
    tray = read(*pair, asked="d100")
    assert (tray.verdict, tray.percentile) == (Verdict.ACCEPTED, made)
    assert tray.reason == f"two dice: {tens:02d} and {units} make {made}"
    assert {die.name: die.value for die in tray.dice} == {"d10": units, "d100": tens}
    assert read(*pair).percentile == made
    assert read(lying(Kind.D100, tens)).percentile is None
    missing = read(lying(Kind.D100, tens), asked="d100")
    assert (missing.verdict, missing.reason) == (Verdict.REJECTED, "no d10s, one expected")


def test_a_kind_in_doubt_is_held_to_be_the_one_that_was_asked_for_and_asked_about() -> None:
    unclear = lying(Kind.D8, 4, 300, kind_sure=0.75, or_kind=Kind.D10)
    tray = read(*THREE[:2], unclear, asked="3d10")
    assert (tray.verdict, len(tray.dice)) == (Verdict.ASK, 3)
    assert "could be a d10 or a d8" in tray.reason


def test_two_numbers_in_doubt_are_both_named() -> None:
    tray = read(lying(Kind.D10, 6, sure=0.6, or_number=9), asked="1d10")
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "the die could be a 6 or a 9")
    assert read(lying(Kind.D8, 3, sure=0.6, or_number=8), asked="1d8").reason == "the die could be a 3 or an 8"


def test_witnesses_that_contradict_each_other_are_not_believed() -> None:
    corners = ((100.0, 200.0), (160.0, 200.0), (160.0, 260.0), (100.0, 260.0))
    five = PipFace(5, 0.9, corners, np.eye(2), "plain")
    tray = read(lying(Kind.D6, 3, pips=five), asked="1d6")
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "the die looks like a 3, but its pips count 5")
    agreeing = PipFace(3, 0.9, corners, np.eye(2), "plain")
    assert read(lying(Kind.D6, 3, pips=agreeing), asked="1d6").verdict is Verdict.ACCEPTED


def test_networks_that_hold_a_d6_for_different_things_are_not_believed_however_the_votes_add_up() -> None:
    sure, pips = lying(Kind.D6, 3), PipFace(3, 1.0, ((100.0, 200.0),) * 4, np.eye(2), "plain")
    six = replace(sure, pips=pips, second=lying(Kind.D6, 6, sure=0.8, or_number=3).second)
    tray = read(six, asked="1d6")
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "the die could be a 3 or a 6")
    numeral = lying(Kind.D6_NUMERAL, 3, kind_sure=0.9, or_kind=Kind.D6).second
    tray = read(replace(sure, pips=pips, second=numeral), asked="1d6")
    assert tray.verdict is Verdict.ASK
    assert read(replace(sure, pips=pips), asked="1d6").verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(("share", "verdict"), [(0.2, Verdict.ASK), (0.8, Verdict.ACCEPTED)])
def test_a_die_that_one_network_hardly_takes_for_a_d6_is_asked_about(share: float, verdict: Verdict) -> None:
    doubting = lying(Kind.D6, 3, kind_sure=share, or_kind=Kind.D6_NUMERAL).second
    tray = read(replace(lying(Kind.D6, 3), second=doubting), asked="1d6")
    assert (tray.verdict, tray.faces) == (verdict, (3,)), tray.reason
    if verdict is Verdict.ASK:
        assert tray.reason == "the die could be a d6 or a d6 with numerals"


def test_a_gleam_that_leaves_a_die_unsure_is_what_a_person_is_told() -> None:
    unsure = lying(Kind.D6, 3, sure=0.8, or_number=5)
    crop = np.full((96, 96, 3), (40, 60, 150), np.uint8)
    assert read(replace(unsure, crop=crop), asked="1d6").reason != "the die has a gleam on it"
    cv2.circle(crop, (40, 44), 14, (255, 255, 255), -1, cv2.LINE_AA)
    tray = read(replace(unsure, crop=crop), asked="1d6")
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "the die has a gleam on it")


@pytest.mark.parametrize(
    ("rival", "share", "asked_about"),
    [(Kind.D6_NUMERAL, 0.15, True), (Kind.D6_NUMERAL, 0.35, False), (Kind.D4, 0.3, True), (Kind.D4, 0.4, False)],
)
def test_a_sure_numeral_on_another_shape_is_asked_about(rival: Kind, share: float, asked_about: bool) -> None:
    tray = read(lying(Kind.D10, 7, sure=0.999999, kind_sure=share, or_kind=rival), asked="1d10")
    assert (tray.verdict is Verdict.ASK, tray.faces) == (asked_about, (7,))
    if asked_about:
        assert tray.reason == f"the die could be a d10 or {rival.some(1)}"


def test_a_sure_numeral_on_what_is_likelier_a_d20_is_asked_about() -> None:
    alike = lying(Kind.D10, 7, sure=0.999999, kind_sure=0.3, or_kind=Kind.D20)
    tray = read(alike, asked="1d10")
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "the die could be a d10 or a d20")
    likelier = lying(Kind.D10, 7, sure=0.999999, kind_sure=0.5, or_kind=Kind.D20)
    assert read(likelier, asked="1d10").verdict is Verdict.ACCEPTED


def test_a_die_that_shows_two_faces_nearly_alike_is_asked_about_however_sure_a_numeral_is() -> None:
    def printed(*standing: LocatedNumeral) -> Evidence:
        logs = np.full(21, -9.0, np.float32)
        logs[8] = np.log(0.95)
        sure = lying(Kind.D10, 8, sure=0.999999)
        return replace(sure, numerals=NumeralReading(logs, np.full(10, -9.0, np.float32), standing))

    eight = LocatedNumeral("8", 0.95, -0.6, -0.4)
    tray = read(printed(eight, LocatedNumeral("0", 0.5, 0.5, 0.5)), asked="1d10")
    assert tray.verdict is Verdict.ASK
    assert tray.reason == "the die shows two faces nearly alike: it could be a 0 or an 8"
    assert read(printed(eight, LocatedNumeral("0", 0.1, 0.5, 0.5)), asked="1d10").verdict is Verdict.ACCEPTED
    assert read(printed(eight, LocatedNumeral("3", 0.5, -0.6, -0.3)), asked="1d10").verdict is Verdict.ACCEPTED


def test_where_nobody_said_what_lies_there_a_numeral_on_one_of_two_kinds_is_asked_about() -> None:
    """A 6 on a d10 is no 6 on a d8: the number alone is not enough."""
    either = lying(Kind.D10, 6, sure=0.999999, kind_sure=0.6, or_kind=Kind.D12)
    tray = read(either)
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "the die could be a d10 or a d12")
    assert read(either, asked="1d10").verdict is Verdict.ACCEPTED
    assert read(lying(Kind.D10, 6, sure=0.999999, kind_sure=0.99, or_kind=Kind.D12)).verdict is Verdict.ACCEPTED


def test_a_die_half_out_of_the_picture_is_asked_about_however_sure() -> None:
    tray = read(lying(Kind.D10, 7, -22, 200), asked="1d10")
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "the die is half out of the picture")


def test_dice_upon_each_other_are_asked_about() -> None:
    tray = read(lying(Kind.D6, 2, 100, 200), lying(Kind.D6, 5, 124, 210), asked="2d6")
    assert tray.verdict is Verdict.ASK
    assert "is on another die, or too close to it" in tray.reason


def test_a_die_that_leans_shows_its_pips_otherwise_than_the_others() -> None:
    def on_table(number: int, x: float, ellipse: Float32Array) -> Evidence:
        corners = ((x, 200.0), (x + 60, 200.0), (x + 60, 260.0), (x, 260.0))
        return lying(Kind.D6, number, x, pips=PipFace(number, 0.95, corners, ellipse, "plain"))

    flat = np.diag([9.0, 8.0])
    tray = read(on_table(4, 100, flat), on_table(6, 220, flat), on_table(5, 340, np.diag([9.0, 2.0])), asked="3d6")
    assert (tray.verdict, tray.reason) == (
        Verdict.ASK,
        "the die at the right leans on something or is askew (cocked)",
    )
    level = (on_table(4, 100, flat), on_table(6, 220, flat), on_table(5, 340, flat))
    assert read(*level, asked="3d6").verdict is Verdict.ACCEPTED


def test_something_that_is_hardly_a_die_makes_up_the_number_only_with_a_doubt() -> None:
    faint = lying(Kind.D10, 3, 300, heat=0.2, sure=0.7)
    tray = read(*THREE[:2], faint, asked="3d10")
    assert (tray.verdict, len(tray.dice)) == (Verdict.ASK, 3)
    assert read(*THREE[:2], faint).reason == "two dice read, and something more that may be dice"
    assert read(*THREE[:2], faint, asked="2d10").verdict is Verdict.ACCEPTED


def test_clutter_beside_the_dice_that_were_asked_for_does_not_count_and_a_die_does() -> None:
    clutter = lying(Kind.D10, 3, 400, heat=0.35, sure=0.15, none=0.4)
    assert read(*THREE, clutter, asked="3d10").verdict is Verdict.ACCEPTED
    speck = lying(Kind.D10, 3, 400, heat=0.4, side=16, sure=0.8)
    assert read(*THREE, speck, asked="3d10").verdict is Verdict.ACCEPTED
    assert read(*THREE, lying(Kind.D10, 3, 400, heat=0.35), asked="3d10").reason == "four dice, three expected"
    unclear = read(*THREE, lying(Kind.D10, 3, 400, sure=0.15), asked="3d10")
    assert (unclear.verdict, len(unclear.dice)) == (Verdict.ASK, 3)
    assert unclear.reason == "three dice read, and something more that may be dice"


def test_what_is_twice_as_large_as_the_dice_beside_it_is_asked_about_however_sure() -> None:
    tray = read(*THREE, lying(Kind.D10, 1, 420, side=130), asked="4d10")
    assert tray.verdict is Verdict.ASK
    assert "is of quite another size than the rest" in tray.reason
    assert read(*THREE, lying(Kind.D10, 1, 420, side=90), asked="4d10").verdict is Verdict.ACCEPTED


def test_the_likeliest_so_many_count_whatever_else_looks_like_a_die() -> None:
    buttons = [lying(Kind.D10, 1, 40.0 + 70 * k, heat=0.45, sure=0.1, none=0.3) for k in range(5)]
    tray = read(*THREE, *buttons, asked="3d10")
    assert sorted(map(str, tray.faces)) == sorted(map(str, read(*THREE, asked="3d10").faces))
    assert not [die for die in read(*THREE, *buttons).dice if die.confidence < 0.5]


def test_what_the_networks_call_no_die_is_none() -> None:
    tray = read(*THREE[:2], lying(Kind.D10, 3, 300, none=0.9), asked="2d10")
    assert (tray.verdict, len(tray.dice)) == (Verdict.ACCEPTED, 2)


def test_many_dice_must_be_surer_than_one() -> None:
    fair = CALIBRATION.__class__(
        confidence_models={ANY: ConfidenceModel(math.log(0.98 / 0.02), {})},
        thresholds={ANY: Threshold(0.97, 0.985)},
    )
    dice = [lying(Kind.D6, 4, 40.0 + 90 * k) for k in range(6)]
    assert resolve_tray(dice[:1], BOARD, parse_dice("1d6"), fair).verdict is Verdict.ACCEPTED
    tray = resolve_tray(dice, BOARD, parse_dice("6d6"), fair)
    assert tray.verdict is Verdict.ASK
    assert "is the least sure of so many" in tray.reason


@given(st.lists(st.floats(0.02, 0.1), min_size=1, max_size=20))
def test_once_somebody_is_asked_the_rest_is_surely_right(unsure: list[float]) -> None:
    odds = [math.log((1 - one) / one) for one in unsure]
    fair = CALIBRATION.__class__(
        confidence_models={ANY: ConfidenceModel(0.0, {"score": 1.0})},
        thresholds={ANY: Threshold(0.85, 0.85)},
    )
    dice = [lying(Kind.D6, 4, 100.0 + 90 * k, heat=1 / (1 + math.exp(-one))) for k, one in enumerate(odds)]
    cut_off = lying(Kind.D6, 2, -25.0)
    tray = resolve_tray(
        [cut_off, *dice], np.full((480, 2200, 3), 120, np.uint8), Pool.of((1 + len(dice), Die.D6)), fair
    )
    assert tray.verdict is Verdict.ASK
    rest, asked = ([die for die in tray.dice if bool(die.doubt) is doubted] for doubted in (False, True))
    assert math.prod(die.confidence for die in rest) >= 0.9
    assert {die.doubt for die in asked} <= {"is half out of the picture", "is not clear enough among so many"}
    surest_asked = max((die.confidence for die in asked if "clear enough among" in die.doubt), default=0.0)
    assert all(die.confidence >= surest_asked for die in rest), "the least sure are asked about"
    needed = math.prod([surest_asked, *(die.confidence for die in rest)])
    assert len(asked) == 1 or needed < 0.9, "and no more of them than it takes"


def test_unasked_more_is_doubted() -> None:
    fair = Calibration(
        confidence_models={ANY: ConfidenceModel(math.log(0.98 / 0.02), {})},
        thresholds={ANY: Threshold(0.97, 0.985)},
    )
    die = lying(Kind.D10, 7)
    assert resolve_tray([die], BOARD, parse_dice("1d10"), fair).verdict is Verdict.ACCEPTED
    assert resolve_tray([die], BOARD, None, fair).verdict is Verdict.ASK


def test_a_die_that_is_not_legible_has_no_value() -> None:
    tray = read(lying(Kind.D10, 7, sure=0.12), asked="1d10")
    assert tray.verdict is Verdict.ASK
    assert tray.dice[0].value is None


def test_a_black_picture_says_so() -> None:
    black = np.zeros((480, 640, 3), np.uint8)
    tray = resolve_tray([], black, parse_dice("3d10"), CALIBRATION)
    assert tray.verdict is Verdict.REJECTED
    assert tray.reason.startswith("no dice, three expected: the picture is black")


def test_ones_own_dice_decide_what_the_networks_leave_open() -> None:
    places = np.eye(64, dtype=np.float32)
    own = OwnDice((LearnedDie("ruby", Kind.D6, (1, 2, 3, 4, 5, 6), places[:6]),))
    unsure = lying(Kind.D6, 4, sure=0.7, or_number=5, embedding=places[3:4])
    assert read(unsure, asked="1d6").verdict is Verdict.ASK
    tray = read(unsure, asked="1d6", own=own)
    assert (tray.verdict, tray.faces, tray.dice[0].learned) == (Verdict.ACCEPTED, (4,), "ruby")
    other = lying(Kind.D6, 4, sure=0.7, or_number=5, embedding=places[4:5])
    assert read(other, asked="1d6", own=own).faces == (5,)
    strange = lying(Kind.D6, 4, sure=0.7, or_number=5, embedding=places[40:41])
    assert read(strange, asked="1d6", own=own).verdict is Verdict.ASK


@settings(max_examples=60, deadline=None)
@given(
    numbers=st.lists(st.integers(0, 9), min_size=0, max_size=5),
    sures=st.lists(st.floats(0.3, 0.999), min_size=5, max_size=5),
    asked=st.integers(1, 5),
)
def test_nothing_is_accepted_with_a_wrong_count_or_an_unsure_die(
    numbers: list[int], sures: list[float], asked: int
) -> None:
    dice = [
        lying(Kind.D10, n, 20.0 + 110 * k, sure=s) for k, (n, s) in enumerate(zip(numbers, sures, strict=False))
    ]
    tray = resolve_tray(dice, BOARD, Pool.of((asked, Die.D10)), CALIBRATION)
    assert tray.reason
    if tray.verdict is Verdict.ACCEPTED:
        assert len(numbers) == asked
        assert min(sures[: len(numbers)]) > 0.9
        assert tray.faces == tuple(10 if n == 0 else n for n in numbers)


def test_a_die_found_twice_is_one() -> None:
    one, again, other = (Detection((x, 0, x + 40, 40), heat) for x, heat in ((0, 0.9), (6, 0.6), (60, 0.7)))
    assert non_max_suppression([again, other, one], 0.3) == [one, other]
    assert iou(one.box, one.box) == pytest.approx(1)


def test_a_die_that_two_looks_place_a_third_of_its_breadth_apart_is_one_and_neighbours_are_two() -> None:
    """The boxes share 54 % and 33 % of their common area: the first are one die, the second two aslant."""
    one, again, neighbour = (Detection((x, 0, x + 40, 40), heat) for x, heat in ((0, 0.9), (12, 0.6), (20, 0.7)))
    assert non_max_suppression([one, again], 0.3) == [one]
    assert non_max_suppression([one, neighbour], 0.3) == [one, neighbour]


def test_pips_are_no_dice_beside_their_die() -> None:
    die, pip, beside = (
        Detection(box, heat)
        for box, heat in (((0, 0, 100, 100), 0.6), ((20, 20, 44, 44), 0.8), ((120, 0, 150, 30), 0.7))
    )
    assert non_max_suppression([die, pip, beside], 0.3) == [beside, die]
    faint = Detection(die.box, 0.2)
    assert non_max_suppression([faint, pip], 0.3) == [pip], "what is hardly a die rules nothing out"


def test_the_calibration_file_is_read_strictly(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "dice_calibration.json"
    file.write_text('{"format": 3, "tray": {"expected": 0.9, "open": 0.95}}')
    assert load_calibration(file).tray.expected == 0.9
    for text, said in (
        ('{"format": 2}', "format 2"),
        ('{"format": 3, "threshold": 3}', "threshold"),
        ("{", "truncated"),
        ('{"format": 3, "thresholds": {}}', "entry '*'"),
        ('{"format": 3, "confidence_models": {"*": {"bias": 0, "weights": {"luck": 1}}}}', "luck"),
        ('{"format": 3, "die_model": {"bias": 0, "weights": {"luck": 1}}}', "luck"),
    ):
        file.write_text(text)
        with pytest.raises(ContentInvalid, match=r"dice_calibration\.json") as caught:
            load_calibration(file)
        assert said in str(caught.value)
    with pytest.raises(FileUnreadable):
        load_calibration(tmp_path / "none.json")
