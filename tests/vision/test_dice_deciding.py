"""From what the witnesses say of a tray to accepted, ask or rejected: the right dice, each surely read."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ContentInvalid, FileUnreadable, ReadingMisfit
from loomtable.vision.boxes import iou
from loomtable.vision.dice import Kind, Pool, Verdict, parse_dice
from loomtable.vision.dice.detector import Detection, non_max_suppression, worth_reading
from loomtable.vision.dice.fusion.calibration import ANY, Calibration, ConfidenceModel, Threshold, load_calibration
from loomtable.vision.dice.reader import resolve_tray
from tests.short import raises
from tests.vision.dice_seen import BOARD, CALIBRATION, THREE, lying, read


def test_sure_dice_of_the_right_kind_and_count_are_accepted() -> None:
    tray = read(*THREE, asked="3d10")
    assert (tray.verdict, tray.faces) == (Verdict.ACCEPTED, (7, 10, 3)), tray.reason
    assert [die.value for die in tray.dice] == [7, 0, 3], "as printed"
    assert [d.face for d in tray.rolled().dice] == [7, 10, 3], "as played"


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


def test_what_is_hardly_read_is_not_named_as_another_kind() -> None:
    """The base under a small die's dome is no fact."""
    tray = read(lying(Kind.D6, 5, sure=0.3), asked="1d20")
    assert (tray.verdict, tray.reason) == (
        Verdict.REJECTED,
        "something is there that could not be made out; one d20 was asked for",
    )


def test_unasked_specks_are_none_and_what_may_be_a_die_is_asked_about() -> None:
    """A pip or a shadow beside sure dice keeps no tray from being taken; a faint die of their size does."""
    dice = (lying(Kind.D6, 2), lying(Kind.D6, 5, 200))
    speck = lying(Kind.D6, 1, 300, side=20, heat=0.25, none=0.4, sure=0.4)
    assert read(*dice, speck).verdict is Verdict.ACCEPTED
    faint = lying(Kind.D6, 1, 300, heat=0.28, none=0.2, sure=0.6)
    tray = read(*dice, faint)
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "two dice read, and something more that may be dice")
    assert read(speck).verdict is not Verdict.ACCEPTED


@given(st.lists(st.floats(0.12, 1.0), max_size=12), st.none() | st.integers(1, 8))
def test_what_can_hardly_be_a_die_is_read_unless_all_dice_are_clear(
    scores: list[float], expected: int | None
) -> None:
    found = [Detection((40.0 * k, 0, 40.0 * k + 30, 30), score) for k, score in enumerate(scores)]
    read = worth_reading(found, expected)
    assert read == sorted(read)
    left_out = [scores[k] for k in range(len(scores)) if k not in read]
    assert all(score < 0.25 for score in left_out)
    if expected is None or sum(score >= 0.6 for score in scores) < expected:
        assert not left_out
    else:
        assert min((scores[k] for k in read), default=1.0) >= 0.25


def test_unasked_dice_of_any_kind_are_counted() -> None:
    tray = read(lying(Kind.D12, 11), lying(Kind.D8, 8, 300), lying(Kind.D20, 17, 400))
    assert (tray.verdict, tray.faces) == (Verdict.ACCEPTED, (11, 8, 17))


def test_a_d20_and_d6s_with_pips_or_numerals_are_one_mixed_pool() -> None:
    dice = (lying(Kind.D20, 17), lying(Kind.D6, 2, 200), lying(Kind.D6_NUMERAL, 5, 300))
    tray = read(*dice, asked="d20+2d6")
    assert (tray.verdict, tray.faces) == (Verdict.ACCEPTED, (17, 2, 5)), tray.reason
    assert [die.name for die in tray.dice] == ["d20", "d6", "d6_numeral"]
    assert [die.die for die in tray.rolled().dice] == [Die.D20, Die.D6, Die.D6]


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


def test_a_die_half_out_of_the_picture_is_asked_about_however_sure() -> None:
    tray = read(lying(Kind.D10, 7, -22, 200), asked="1d10")
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "the die is half out of the picture: move it in")


@pytest.mark.parametrize(
    ("over", "sure", "verdict"),
    [(4, 0.999, Verdict.ACCEPTED), (4, 0.97, Verdict.ASK), (12, 0.999, Verdict.ASK), (0, 0.97, Verdict.ACCEPTED)],
)
def test_a_surely_read_d6_may_miss_its_edge(over: int, sure: float, verdict: Verdict) -> None:
    """Its pips keep away from the edges; a numeral, or a row of pips further in, may be lost."""
    score = ConfidenceModel(0.0, {"score": 1.0})
    fair = CALIBRATION.__class__(confidence_models={ANY: score}, thresholds={ANY: Threshold(0.85, 0.85)})
    for kind, number in ((Kind.D6, 4), (Kind.D10, 7)):
        tray = resolve_tray([lying(kind, number, -over, heat=sure)], BOARD, Pool.of((1, kind.die)), fair)
        assert tray.verdict is (verdict if kind is Kind.D6 or not over else Verdict.ASK)
        assert tray.verdict is Verdict.ACCEPTED or tray.reason == "the die is half out of the picture: move it in"


def test_dice_upon_each_other_are_asked_about() -> None:
    tray = read(lying(Kind.D6, 2, 100, 200), lying(Kind.D6, 5, 124, 210), asked="2d6")
    assert tray.verdict is Verdict.ASK
    assert "is on another die, or too close to it" in tray.reason


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


def test_what_is_asked_for_can_be_written() -> None:
    assert Pool.of("5weave + 2d10") == Pool(((Die.WEAVE, 5), (Die.D10, 2)))
    assert Pool.of("d20") == Pool.of((1, Die.D20))
    raises(ReadingMisfit, r"'5 bananas' is not a pool of dice", Pool.of, "5 bananas")


def test_many_dice_must_be_surer_than_one() -> None:
    fair = CALIBRATION.__class__(
        confidence_models={ANY: ConfidenceModel(math.log(0.98 / 0.02), {})},
        thresholds={ANY: Threshold(0.97, 0.985)},
    )
    dice = [lying(Kind.D6, 4, 40.0 + 90 * k) for k in range(6)]
    assert resolve_tray(dice[:1], BOARD, parse_dice("1d6"), fair).verdict is Verdict.ACCEPTED
    tray = resolve_tray(dice, BOARD, parse_dice("6d6"), fair)
    assert tray.verdict is Verdict.ASK
    assert "could be a 1 or a 4" in tray.reason


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
    could_be = next((die.doubt for die in asked if "could be a 1 or a 4" in die.doubt), "")
    assert {die.doubt for die in asked} <= {"is half out of the picture: move it in", could_be}
    surest_asked = max((die.confidence for die in asked if die.doubt == could_be), default=0.0)
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


def test_a_black_picture_says_so() -> None:
    black = np.zeros((480, 640, 3), np.uint8)
    tray = resolve_tray([], black, parse_dice("3d10"), CALIBRATION)
    assert tray.verdict is Verdict.REJECTED
    assert tray.reason.startswith("no dice, three expected: the picture is black")


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
    file.write_text('{"format": 5, "tray": {"expected": 0.9, "open": 0.95}}')
    assert load_calibration(file).tray.expected == 0.9
    for text, said in (
        ('{"format": 3}', "format 3"),
        ('{"format": 5, "threshold": 3}', "threshold"),
        ("{", "truncated"),
        ('{"format": 5, "thresholds": {}}', "entry '*'"),
        ('{"format": 5, "confidence_models": {"*": {"bias": 0, "weights": {"luck": 1}}}}', "luck"),
        ('{"format": 5, "die_model": {"bias": 0, "weights": {"luck": 1}}}', "luck"),
    ):
        file.write_text(text)
        with pytest.raises(ContentInvalid, match=r"dice_calibration\.json") as caught:
            load_calibration(file)
        assert said in str(caught.value)
    with pytest.raises(FileUnreadable):
        load_calibration(tmp_path / "none.json")


def test_a_doubtful_die_offers_what_it_most_likely_shows_first() -> None:
    torn = lying(Kind.D6, 3, sure=0.5, or_number=5)
    (doubted,) = read(torn, asked="1d6").dice
    assert doubted.doubt and doubted.likely[:2] == (3, 5)
    assert read(lying(Kind.D6, 3), asked="1d6").dice[0].likely == ()
    tray = read(torn, asked="1d6").corrected(0, 5)
    assert (tray.dice[0].face, tray.dice[0].likely) == (5, ())


def test_advice_is_given_where_following_it_would_bring_something() -> None:
    said = []
    for weight, sure in ((-9.0, 0.95), (-0.2, 0.85)):
        weights = ConfidenceModel(0.0, {"value": 0.7, "smallness": weight}, {"value": 2.0})
        fair = CALIBRATION.__class__(confidence_models={ANY: weights}, thresholds={ANY: Threshold(0.85, 0.85)})
        far_away = lying(Kind.D6, 3, side=24, sure=sure)
        said.append(resolve_tray([far_away], BOARD, Pool.of((1, Die.D6)), fair).reason)
    assert said[0] == "the die is small in the picture: bring the camera closer", "near it would be believed"
    assert said[1].startswith("the die could be a "), "it would not change anything"
