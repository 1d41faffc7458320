"""What keeps a reader from believing one die: each reason in words, and doubt never a number."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from benchmarks.flat_things import make_picture
from loomtable.engine.kernel.dice import Die
from loomtable.testing.printed_things import plastic_d10
from loomtable.testing.virtual import (
    TINTS,
    Scene,
    Surface,
    TenSidedDie,
    VirtualCamera,
    photograph,
)
from loomtable.vision.dice import Kind, Verdict, read_dice
from loomtable.vision.dice.enrolment.confirmed import OwnDice, confirmed_dice
from loomtable.vision.dice.evidence import DieEvidence
from loomtable.vision.dice.fusion.doubts import UNREAD_D4
from loomtable.vision.dice.pose import ORDERS
from tests.tiers import mostly
from tests.vision.dice_seen import laid, lying, print_of, read
from tests.vision.needed import needs_networks


def seen_from(die: DieEvidence, elevation: float, concentration: float) -> DieEvidence:
    """The die before a camera that stands so many degrees above the table, its yaw known so surely."""
    yaw = np.tile(np.array([concentration, 0], np.float32), len(ORDERS))
    upright = np.array([0.0, -math.cos(math.radians(elevation))])
    return replace(die, yaw=yaw, upright=upright)


@pytest.mark.parametrize(
    ("kind", "elevation", "concentration", "verdict"),
    [
        (Kind.D10, 50, 0.5, Verdict.ASK),
        (Kind.D10, 50, 20, Verdict.ASK),
        (Kind.D10, 80, 0.5, Verdict.ACCEPTED),
        (Kind.D8, 50, 0.5, Verdict.ASK),
        (Kind.D8, 70, 0.5, Verdict.ACCEPTED),
    ],
)
def test_a_die_seen_obliquely_is_asked_about_where_its_layout_does_not_tell(
    kind: Kind, elevation: float, concentration: float, verdict: Verdict
) -> None:
    told = seen_from(lying(kind, 7), elevation, concentration)
    tray = read(replace(told, layout=laid(kind, 7, score=-9)), asked=f"1{kind.value}")
    assert tray.verdict is verdict, tray.reason
    assert ("raise the camera" in tray.reason) == (verdict is Verdict.ASK)
    if kind is Kind.D10 and concentration > 1:
        (die,) = tray.dice
        assert (len(die.polygon), len(die.sides)) == (4, 4), "the kite that is up, and four beside it"
    assert read(told, asked=f"1{kind.value}").verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(("kind", "number", "other"), [(Kind.D8, 8, 3), (Kind.D10, 9, 6), (Kind.D6_NUMERAL, 3, 5)])
def test_where_no_layout_tells_a_number_is_believed_only_if_every_reader_reads_it(
    kind: Kind, number: int, other: int
) -> None:
    asked, die = f"1{kind.die.value}", lying(kind, number)
    if kind is not Kind.D6_NUMERAL:
        die = replace(die, layout=laid(kind, number, score=-9))
    assert read(die, asked=asked).verdict is Verdict.ACCEPTED
    differing = replace(die, second=lying(kind, other).reader)
    unread = replace(die, digits=None, layout=None)
    torn = replace(unread, digits=print_of(other)) if die.layout is None else unread
    hardly = replace(die, layout=laid(kind, number, score=-9, top=0.85)) if die.layout is not None else unread
    for doubtful in (differing, torn, unread, hardly):
        tray = read(doubtful, asked=asked)
        assert tray.verdict is Verdict.ASK, tray.reason
        assert "could be" in tray.reason


def paper_d10(face: int, x: float, turn: float) -> TenSidedDie:
    die = plastic_d10(face)
    white = [
        np.clip(1.1 * (255.0 - side[..., :1]), 0, 255).astype(np.uint8).repeat(3, axis=2) for side in die.sides
    ]
    return replace(die, sides=tuple(white), body=(245, 245, 245), gloss=0.0, x=x, turn=turn)


@needs_networks
@pytest.mark.parametrize(("exposure", "bright"), [(-2.0, False), (1.0, True)])
def test_white_dice_so_bright_that_no_edge_is_left_are_asked_about(exposure: float, bright: bool) -> None:
    camera = VirtualCamera(height=260, frame=(960, 720), exposure=exposure)
    dice = (paper_d10(4, -25, 20), paper_d10(8, 25, 200))
    tray = read_dice(photograph(Scene(Surface("felt", TINTS["felt"][0], 3), (), dice), camera, 1).picture, "2d10")
    assert ("edges between its faces are lost" in tray.reason) == bright, tray.reason
    assert tray.verdict is (Verdict.ASK if bright else Verdict.ACCEPTED)


def test_a_d4_is_believed_by_the_three_numerals_of_one_face() -> None:
    die = replace(lying(Kind.D4, 1), d4=np.log(np.array([0.1, 0.05, 0.8, 0.1], np.float32)))
    tray = read(die, asked="1d4")
    assert (tray.verdict, tray.faces) == (Verdict.ACCEPTED, (3,)), "the networks have not learned which counts"
    torn = replace(die, d4=np.log(np.array([0.1, 0.05, 0.8, 0.7], np.float32)))
    assert read(torn, asked="1d4").reason == "the die could be a 3 or a 4"


def test_a_d4_whose_numerals_are_not_seen_is_recognised_and_asked_about() -> None:
    unread = replace(lying(Kind.D4, 3), digits=None)
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
    torn = replace(barrel, digits=print_of(2))
    assert read(torn, asked="1d4").verdict is Verdict.ASK


def test_one_numeral_on_a_face_of_a_d4_is_no_die_of_its_own() -> None:
    face = lying(Kind.D6_NUMERAL, 2, 100, side=40)
    whole = replace(lying(Kind.D4, 2, 110, side=90, heat=0.2), digits=None)
    tray = read(face, whole)
    assert tray.verdict is Verdict.ASK, tray.reason
    assert "could be a d6 with numerals or one face of a d4" in tray.reason
    assert read(face, whole, asked="1d6").verdict is Verdict.ACCEPTED, "no d4 was rolled"


def test_a_kind_that_one_network_takes_for_another_is_asked_about_though_it_was_asked_for() -> None:
    """A 6 on a d10 is no 6 on a d8: the numeral is read all the same, and only the shape tells."""
    eight = lying(Kind.D8, 6)
    torn = replace(eight, second=lying(Kind.D10, 6).second)
    assert read(eight, asked="1d8").verdict is Verdict.ACCEPTED
    assert read(torn, asked="1d8").reason == "the die could be a d8 or a d10"
    hardly = replace(lying(Kind.D10, 7), layout=replace(laid(Kind.D10, 7, score=-3), faces=((0, 7, 0.95),)))
    assert read(hardly, asked="1d10").verdict is Verdict.ACCEPTED
    beside = read(hardly, lying(Kind.D8, 3, 300), asked="1d10+1d8")
    assert "could be a d10 or a d8" in beside.reason, "its one face fits badly, and a d8 was rolled too"


def test_two_numbers_in_doubt_are_both_named() -> None:
    tray = read(lying(Kind.D10, 6, sure=0.6, or_number=9), asked="1d10")
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "the die could be a 6 or a 9")
    assert read(lying(Kind.D8, 3, sure=0.6, or_number=8), asked="1d8").reason == "the die could be a 3 or an 8"


def test_networks_that_hold_a_d6_for_different_things_are_not_believed_however_the_votes_add_up() -> None:
    sure = lying(Kind.D6, 3)
    six = replace(sure, second=lying(Kind.D6, 6, sure=0.8, or_number=3).second)
    tray = read(six, asked="1d6")
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "the die could be a 3 or a 6")
    numeral = lying(Kind.D6_NUMERAL, 3, kind_sure=0.9, or_kind=Kind.D6).second
    tray = read(replace(sure, second=numeral), asked="1d6")
    assert tray.verdict is Verdict.ASK
    assert read(sure, asked="1d6").verdict is Verdict.ACCEPTED


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
    assert read(replace(unsure, crop=crop), asked="1d6").reason != "the die has a gleam on it: move the lamp"
    cv2.circle(crop, (40, 44), 14, (255, 255, 255), -1, cv2.LINE_AA)
    tray = read(replace(unsure, crop=crop), asked="1d6")
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "the die has a gleam on it: move the lamp")


@pytest.mark.parametrize(
    ("rival", "share", "asked_about"),
    [(Kind.D6_NUMERAL, 0.15, True), (Kind.D6_NUMERAL, 0.35, False), (Kind.D4, 0.3, False)],
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


def test_where_nobody_said_what_lies_there_a_numeral_on_one_of_two_kinds_is_asked_about() -> None:
    """A 6 on a d10 is no 6 on a d8: the number alone is not enough."""
    either = lying(Kind.D10, 6, sure=0.999999, kind_sure=0.6, or_kind=Kind.D12)
    tray = read(either)
    assert (tray.verdict, tray.reason) == (Verdict.ASK, "the die could be a d10 or a d12")
    assert read(either, asked="1d10").verdict is Verdict.ACCEPTED
    assert read(lying(Kind.D10, 6, sure=0.999999, kind_sure=0.99, or_kind=Kind.D12)).verdict is Verdict.ACCEPTED


@needs_networks
@pytest.mark.parametrize("seed", mostly(range(26, 37), [26, 30, 32]))
def test_cards_tiles_and_biscuits_are_no_dice_that_anybody_believes(seed: int) -> None:
    """Their spots and signs are read as pips and numerals, surely, but they do not look like dice."""
    _, count, picture = make_picture(seed)
    for expect in (None, (count, Die.D6)):
        assert read_dice(picture, expect).verdict is not Verdict.ACCEPTED


def test_a_die_that_is_not_legible_has_no_value() -> None:
    tray = read(lying(Kind.D10, 7, sure=0.12), asked="1d10")
    assert tray.verdict is Verdict.ASK
    assert tray.dice[0].value is None


def test_confirmed_rolls_do_not_overrule_a_die_that_is_sure_without_them() -> None:
    face = np.eye(64, dtype=np.float32)
    own = OwnDice((confirmed_dice(Kind.D6, [(4, face[3:4])] * 3 + [(5, face[4:5])]),))
    tray = read(lying(Kind.D6, 5, embedding=face[3:4]), asked="1d6", own=own)
    assert (tray.faces, tray.reason) == ((5,), "the die looks more like a 4 that you confirmed")
    unsure = lying(Kind.D6, 5, sure=0.7, or_number=4, embedding=face[3:4])
    assert read(unsure, asked="1d6", own=own).faces == (4,)


def test_a_face_of_a_d20_that_was_confirmed_is_believed_though_it_fits_no_layout() -> None:
    """A die for counting down has its numbers elsewhere; each of its faces is learned from rolls."""
    face = np.eye(64, dtype=np.float32)[3:4]
    own_layout = replace(lying(Kind.D20, 17, embedding=face), layout=laid(Kind.D20, 17, score=-9.0))
    assert read(own_layout, asked="1d20").verdict is Verdict.ASK
    once = OwnDice((confirmed_dice(Kind.D20, [(17, face)]),))
    assert read(own_layout, asked="1d20", own=once).verdict is Verdict.ASK
    twice = OwnDice((confirmed_dice(Kind.D20, [(17, face)] * 2),))
    assert read(own_layout, asked="1d20", own=twice).verdict is Verdict.ACCEPTED
