"""A camera that stands too low: a die whose front competes with its top is asked about, never read wrongly."""

from __future__ import annotations

import math

import numpy as np
import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice import Kind, Verdict, read_dice
from loomtable.vision.dice.detector import Detection
from loomtable.vision.dice.fusion.agreement import networks_agree
from loomtable.vision.dice.fusion.calibration import Calibration
from loomtable.vision.dice.fusion.elevation import ASPECT_RATIO_AT_45, TOP_HEIGHT_AT_45, seen_too_low
from loomtable.vision.dice.fusion.ensemble import Evidence, Prediction
from loomtable.vision.dice.networks import load_models
from loomtable.vision.dice.pips.reader import PipFace, PipSide
from loomtable.vision.dice.reader import resolve_tray
from loomtable.vision.die_kinds import KINDS
from loomtable.vision.virtual import TINTS, Photograph, Surface, VirtualCamera, handful_of_dice, photograph

needs_networks = pytest.mark.skipif(load_models() is None, reason="no dice networks are installed in models/")
BOARD = np.full((480, 640, 3), 120, np.uint8)
CROP = np.zeros((96, 96, 3), np.uint8)


def logs(size: int, place: int, share: float) -> Float32Array:
    chances = np.full(size, (1 - share) / (size - 1))
    chances[place] = share
    return np.log(chances).astype(np.float32)


def says(number: int, top: float = 0.5, sure: float = 0.999, six_sided: float = 0.999) -> Prediction:
    """A network that sees this number on a d6 of 60 pixels, and the middle of its top at ``top`` of its height."""
    kind, pips, numeral = logs(9, 1 + KINDS.index(Kind.D6), six_sided), logs(6, number - 1, sure), logs(21, 0, 0.5)
    at = np.array([0.0, (top - 0.5) * 60 / 45], np.float32)
    return Prediction(kind, pips, numeral, (pips[None], numeral[None]), None, at)


def side(value: int, height: float, slimness: float, sureness: float = 1.0) -> PipSide:
    return PipSide(value, sureness, (130.0, 200 + 60 * height), slimness)


def die(number: int, top: float, *sides: PipSide) -> Evidence:
    said = says(number, top)
    return Evidence(Detection((100, 200, 160, 260), 0.9), said, said, None, CROP, None, sides)


def test_the_heights_that_are_asked_for_are_those_of_a_cube_seen_from_45_degrees() -> None:
    angle = math.radians(45)
    assert pytest.approx(math.sin(angle) / 2 / (math.sin(angle) + math.cos(angle))) == TOP_HEIGHT_AT_45
    assert pytest.approx(math.sin(angle), abs=0.005) == ASPECT_RATIO_AT_45


@pytest.mark.parametrize(
    ("number", "top", "sides"),
    [
        (6, 0.2, (side(6, 0.6, 0.9),)),
        (6, 0.3, (side(6, 0.6, 0.9), side(3, 0.1, 0.4))),
        (6, 0.35, (side(5, 0.1, 0.45),)),
        (3, 0.22, (side(4, 0.55, 0.85),)),
        (2, 0.5, (side(2, 0.59, 0.75, 0.3), side(1, 0.1, 0.4))),
        (5, 0.45, (side(5, 0.59, 0.85),)),
    ],
    ids=["below the top", "a front", "another number on top", "only a front", "a flatter one on top", "far down"],
)
def test_a_front_that_competes_with_the_top_is_asked_about(
    number: int, top: float, sides: tuple[PipSide, ...]
) -> None:
    assert seen_too_low(die(number, top, *sides), number)
    tray = resolve_tray([die(number, top, *sides)], BOARD, None, Calibration())
    assert tray.verdict is Verdict.ASK
    assert tray.reason == "the die is seen from too low to tell which face is up: raise the camera"


@pytest.mark.parametrize(
    ("number", "top", "sides"),
    [
        (6, 0.5, (side(6, 0.5, 0.97),)),
        (6, 0.25, (side(6, 0.25, 0.7), side(4, 0.75, 0.7))),
        (3, 0.15, (side(3, 0.12, 0.4), side(5, 0.6, 0.9))),
        (2, 0.2, (side(5, 0.6, 0.5), side(4, 0.6, 0.5))),
        (6, 0.5, (side(6, 0.5, 0.97), side(3, -0.4, 0.4))),
        (4, 0.5, ()),
    ],
    ids=["from above", "from 45 degrees", "pips on the top", "a flat die's sides", "a neighbour", "no pips"],
)
def test_a_top_that_network_and_pips_agree_on_is_believed(
    number: int, top: float, sides: tuple[PipSide, ...]
) -> None:
    tray = resolve_tray([die(number, top, *sides)], BOARD, None, Calibration())
    assert (tray.verdict, tray.faces) == (Verdict.ACCEPTED, (number,)), tray.reason


def face(value: int, x: float = 100.0) -> PipFace:
    corners = ((x, 200.0), (x + 60, 200.0), (x + 60, 260.0), (x, 260.0))
    return PipFace(value, 1.0, corners, np.eye(2), "plain")


def at(x: float, reader: Prediction, second: Prediction | None = None, *sides: PipSide) -> Evidence:
    return Evidence(Detection((x, 200, x + 60, 260), 0.9), reader, second, None, CROP, None, sides)


def test_pips_that_either_network_holds_to_be_impossible_are_not_believed() -> None:
    unsure, against = says(4, sure=0.6), says(3, sure=0.99)
    assert networks_agree([face(4)], [at(100, unsure, unsure)])
    assert not networks_agree([face(4)], [at(100, unsure, against)]), "however the two add up"
    assert not networks_agree([face(4)], [at(100, against, unsure)])
    no_d6 = says(4, sure=0.6, six_sided=0.01)
    assert not networks_agree([face(4)], [at(100, unsure, no_d6)])


def test_pips_are_believed_only_where_more_than_half_of_them_lie_on_dice_that_were_seen() -> None:
    seen = [at(100, says(4)), at(300, says(2))]
    assert networks_agree([face(4), face(2, 300), face(6, 500)], seen)
    assert not networks_agree([face(4), face(6, 500)], seen)
    assert not networks_agree([face(6, 500)], seen)


def test_pips_of_a_front_are_no_witness_of_what_lies_up() -> None:
    assert not networks_agree([face(6)], [at(100, says(6, 0.2), None, side(6, 0.6, 0.9))])


def thrown(tilt: float, seed: int) -> tuple[int, Photograph]:
    """One die before a camera that stands 350 mm off, tilted so far from looking straight down."""
    camera = VirtualCamera(
        height=350 * math.cos(math.radians(tilt)), tilt=tilt, field_of_view=24, frame=(640, 480), noise=0.8
    )
    felt = Surface("felt", TINTS["felt"][seed % len(TINTS["felt"])], seed) if seed % 2 else None
    value = 1 + seed % 6
    return value, photograph(handful_of_dice([value], seed, camera, spread_mm=50, surface=felt), camera, seed)


@needs_networks
def test_dice_before_a_low_camera_are_asked_about_or_read_rightly_and_from_above_they_are_accepted() -> None:
    asked = 0
    for seed in (0, 1, 5, 14, 15, 17):
        value, shot = thrown(68, seed)
        tray = read_dice(shot.picture, (1, Die.D6))
        assert tray.verdict is not Verdict.ACCEPTED or tray.faces == (value,), seed
        asked += "raise the camera" in tray.reason
    assert asked >= 2
    accepted = 0
    for seed in (2, 4, 15):
        value, shot = thrown(20, seed)
        tray = read_dice(shot.picture, (1, Die.D6))
        accepted += tray.verdict is Verdict.ACCEPTED and tray.faces == (value,)
    assert accepted >= 2
