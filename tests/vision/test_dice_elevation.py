"""A camera that stands low: its elevation is measured from the dice, and the top is read, or asked about."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.package_data import package_file
from loomtable.testing.virtual import TINTS, Photograph, Surface, VirtualCamera, handful_of_dice, photograph
from loomtable.vision.advice import elevation_advice
from loomtable.vision.arrays import Float32Array
from loomtable.vision.camera_pose import CameraPose
from loomtable.vision.dice import Kind, Verdict, read_dice
from loomtable.vision.dice.crops import cut
from loomtable.vision.dice.cues import without
from loomtable.vision.dice.detector import Detection
from loomtable.vision.dice.elevation import (
    LEARNED_SCALE,
    LEARNED_UPRIGHT,
    DieView,
    measure_pose,
)
from loomtable.vision.dice.evidence import DieEvidence, Prediction, RectifiedView
from loomtable.vision.dice.fusion.calibration import load_calibration
from loomtable.vision.dice.fusion.doubts import MORE_FACES, TOO_LOW, TOP_OR_SIDE
from loomtable.vision.dice.fusion.low_camera import lay_flat
from loomtable.vision.dice.networks import CALIBRATION, Models, load_models
from loomtable.vision.dice.reader import resolve_tray
from loomtable.vision.die_kinds import KINDS
from loomtable.vision.network import Network
from loomtable.vision.pool import Pool
from loomtable.vision.tray import TrayReading
from tests.vision.scenes.wide_trays import camera_over_tray, roll_in_tray

needs_networks = pytest.mark.skipif(load_models() is None, reason="no dice networks are installed in models/")
SHIPPED = load_calibration(package_file("models") / CALIBRATION)
BOARD = np.full((480, 640, 3), 120, np.uint8)
CROP = np.zeros((96, 96, 3), np.uint8)
SIZE = (640, 480)


def cube(
    elevation: float,
    yaw: float,
    middle: tuple[float, float] = (320, 240),
    side: float = 50,
    turn: float = 0,
    between: float = 0,
    rounding: float = 0.03,
    scale: float = 0.1,
) -> DieView:
    """A d6 as the projection shows it, turned clockwise in the picture: its box, and what networks answer: where
    upright things point and where the middle of the top is, or so far ``between`` the top's and its front's."""
    e, y = math.radians(elevation), math.radians(yaw)
    normals = np.array(
        [
            (0, -math.cos(e), math.sin(e)),
            (math.sin(y), math.cos(y) * math.sin(e), math.cos(y) * math.cos(e)),
            (-math.cos(y), math.sin(y) * math.sin(e), math.sin(y) * math.cos(e)),
        ]
    )
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    normals[:, :2] = normals[:, :2] @ np.array([[c, s], [-s, c]])
    half = side * ((0.5 - rounding) * np.abs(normals[:, :2]).sum(axis=0) + rounding)
    box = (middle[0] - half[0], middle[1] - half[1], middle[0] + half[0], middle[1] + half[1])
    answer = (1 - between) * normals[0, :2] + between * normals[1 + int(y > math.pi / 4), :2]
    top = side / 2 * answer / (1.5 * float(half.max()))
    return DieView(box, top.astype(np.float32), (np.array((*answer, math.log(scale)), np.float32),))


def camera_of(dice: list[DieView], size: tuple[int, int] = SIZE, before: CameraPose | None = None) -> CameraPose:
    return measure_pose(dice, size, before)[0]


@pytest.mark.parametrize("elevation", [20, 30, 40, 55, 70, 85])
def test_the_elevation_is_measured_from_a_few_dice(elevation: int) -> None:
    dice = [cube(elevation, yaw, (320 + 30 * k, 240)) for k, yaw in enumerate((10, 35, 60))]
    pose = camera_of(dice)
    assert abs(pose.elevation - elevation) < 8
    assert (pose.low > 0.95) == (elevation <= 35), pose.low
    assert (pose.low < 0.05) == (elevation >= 55), pose.low
    assert bool(elevation_advice(pose)) == (elevation < 45)


@pytest.mark.parametrize("elevation", [30, 70])
def test_dice_say_together_how_far_they_are_rounded(elevation: int) -> None:
    """The box of a rounded die is as that of a sharp one seen from elsewhere."""

    def told_by_boxes(rounding: float) -> float:
        dice = [cube(elevation, yaw, rounding=rounding) for yaw in (3, 3, 20, 20, 45, 45, 70, 70)]
        return camera_of([replace(die, top=None, uprights=()) for die in dice]).elevation

    assert abs(told_by_boxes(0.03) - told_by_boxes(0.22)) < 2.5


def under_a_wide_lens(x: float, y: float, yaw: float, between: float = 0) -> DieView:
    """A die in a tray under a camera of 95 degrees that looks straight down: it shows its top, and the side that
    faces the middle of the picture."""
    away = math.hypot(x - 320, y - 240)
    aslant = math.degrees(math.atan(away / (320 / math.tan(math.radians(95 / 2)))))
    return cube(90 - aslant, yaw, (x, y), turn=math.degrees(math.atan2(x - 320, 240 - y)), between=between)


@pytest.mark.parametrize("between", [0.5, 0.55, 0.6])
def test_networks_that_answer_the_mean_of_two_faces_do_not_say_that_a_lens_is_narrow(between: float) -> None:
    """Dice along the walls of a tray look alike from two sides: half of each leans less than it does."""
    walls = [under_a_wide_lens(*at, between) for at in ((330, 455, 3), (40, 240, 5), (600, 230, 50))]
    camera = camera_of([*walls, under_a_wide_lens(300, 30, 80), under_a_wide_lens(330, 240, 30)])
    assert float(camera.weights[camera.cameras.field > 80].sum()) > 0.5
    assert camera.upright_at((330, 455))[1] > 0.35, "its top is seen from the side"


@pytest.mark.parametrize(("degrees", "turned"), [(50, 180), (45, 90), (60, 180)])
def test_a_die_is_misread_as_it_lies_and_read_turned_upright(degrees: int, turned: int) -> None:
    """Networks that know pictures held upright take the larger of two faces below for the front."""
    camera, (stance,) = measure_pose([cube(degrees, 5, turn=turned)], SIZE)
    right = (camera.cameras.roll == turned) & (camera.cameras.elevation == max(degrees, 45))
    weights = np.where(right, camera.weights, 0.0)
    assert stance.misread(weights, turned) < 0.05 < 0.3 < stance.misread(weights)
    assert stance.misread(np.zeros_like(weights)) == 0, "no camera, no answer"


def test_alone_a_die_that_two_cameras_explain_is_asked_about_and_among_others_it_is_known() -> None:
    """A low camera, or one overhead with the die beyond its nadir."""
    side = under_a_wide_lens(330, 455, 3)
    others = [under_a_wide_lens(x, y, yaw) for x, y, yaw in ((40, 240, 5), (600, 230, 50), (300, 30, 80))]
    alone, among = (camera_of([side, *more]).turns_at(side.middle).chances for more in ((), others))
    assert max(alone) < 0.97 < among[2]


def plate(elevation: float, yaw: float) -> DieView:
    """A flat square seen so: its middle is the box's."""
    sine, c, s = math.sin(math.radians(elevation)), math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    across, down = 25 * (abs(c) + abs(s)), 25 * sine * (abs(c) + abs(s))
    upright = np.array([0.0, -math.cos(math.radians(elevation)), math.log(0.15)], np.float32)
    box = (320 - across, 240 - down, 320 + across, 240 + down)
    return DieView(box, np.zeros(2, np.float32), (upright,))


@pytest.mark.parametrize("yaw", [5, 20, 40, 70])
def test_what_shows_no_side_is_no_cube_once_it_is_known_that_one_would(yaw: float) -> None:
    """From above, or where nobody knows from where, a plate may be the top of a die."""

    def fits(thing: DieView, before: CameraPose | None) -> float:
        return measure_pose([thing], SIZE, before)[1][0].fit

    aslant, above = (camera_of([cube(degrees, turn) for turn in (10, 35, 60)]) for degrees in (45, 85))
    assert fits(plate(45, yaw), aslant) < 0 < 1 < fits(cube(45, yaw), aslant)
    assert fits(plate(85, yaw), above) > 1
    assert fits(plate(45, yaw), None) == pytest.approx(0)


def told(*elevations: float, scale: float = 0.15, middle: tuple[float, float] = (320, 240)) -> DieView:
    """A die of any kind, of which networks tell from where it is seen."""
    x, y = middle
    uprights = tuple(
        np.array([0.0, -math.cos(math.radians(one)), math.log(scale)], np.float32) for one in elevations
    )
    return DieView((x - 25, y - 25, x + 25, y + 25), uprights=uprights, is_cube=False)


@pytest.mark.parametrize("elevation", [20, 30, 55, 70, 85])
def test_dice_without_pips_tell_the_elevation_through_the_network(elevation: int) -> None:
    pose = camera_of([told(elevation, middle=(300 + 20 * k, 240)) for k in range(3)])
    assert abs(pose.elevation - elevation) < 8, pose.elevation
    assert (pose.low > 0.6) == (elevation <= 30), pose.low
    alone = camera_of([told(elevation)])
    assert pose.spread < alone.spread < camera_of([told(elevation, scale=0.6)]).spread
    alike = camera_of([told(elevation)] * 8)
    assert alike.spread > alone.spread / 8, "dice of one picture are misjudged alike"


@given(st.floats(20, 85), st.floats(20, 85))
def test_two_networks_tell_the_elevation_between_theirs(one: float, other: float) -> None:
    pose, swapped = (camera_of([told(*pair)]) for pair in ((one, other), (other, one)))
    assert pose.elevation == pytest.approx(swapped.elevation)
    # One by itself is drawn towards where cameras usually stand; and the grid has steps of five degrees.
    told_alone = [one, other, *(camera_of([told(elevation)]).elevation for elevation in (one, other))]
    assert min(told_alone) - 5 < pose.elevation < max(told_alone) + 5


def test_two_networks_that_agree_are_surer_than_one_but_not_than_two_dice() -> None:
    one, both = camera_of([told(50)]), camera_of([told(50, 50)])
    assert camera_of([told(50), told(50)]).spread < both.spread < one.spread


@pytest.mark.parametrize("count", [1, 3, 8])
def test_dice_of_which_the_network_says_what_its_scenes_were_like_tell_nothing(count: int) -> None:
    nothing_seen = np.float32([*LEARNED_UPRIGHT, math.log(LEARNED_SCALE)])
    die = DieView((300, 220, 340, 260), uprights=(nothing_seen,), is_cube=False)
    for one, unseen in ((die, []), (cube(30, 20), [replace(cube(30, 20), uprights=())] * count)):
        before, after = camera_of(unseen), camera_of([replace(one, uprights=(nothing_seen,))] * count)
        assert (after.elevation, after.spread) == pytest.approx((before.elevation, before.spread), abs=0.01)


def test_a_camera_on_its_side_is_known_by_its_dice() -> None:
    def turned(one: DieView) -> DieView:
        (x0, y0, x1, y1), quarter = one.box, np.array([[0.0, -1.0], [1.0, 0.0]])
        assert one.top is not None
        up = [np.array([*(quarter @ upright[:2]), upright[2]], np.float32) for upright in one.uprights]
        return DieView((480 - y1, x0, 480 - y0, x1), (quarter @ one.top).astype(np.float32), tuple(up))

    pose = camera_of([turned(cube(30, yaw)) for yaw in (10, 35, 60)], (480, 640))
    assert pose.low > 0.9
    assert np.allclose(pose.view_at((240, 320)).up, (1, 0), atol=0.1), "what stands upright points to the right"


def test_a_die_alone_tells_less_than_rolls_before_a_camera_that_is_not_moved() -> None:
    lone = cube(30, 5)
    lone = replace(lone, uprights=lone.uprights[:0])
    first = camera_of([lone])
    earlier = camera_of([cube(30, yaw) for yaw in (10, 35)])
    again = camera_of([lone], SIZE, earlier)
    assert first.low < 0.9 < again.low
    assert again.dice == 3
    assert camera_of([lone], (1280, 720), again).dice == 1, "other pictures, another camera"


def test_without_dice_nothing_is_known() -> None:
    assert not camera_of([]).is_known
    assert not elevation_advice(camera_of([]))
    assert not elevation_advice(None)


def test_a_square_on_the_table_is_laid_flat() -> None:
    picture = np.zeros((200, 200, 3), np.uint8)
    picture[85:115, 70:130] = 255
    pose = camera_of([cube(30, yaw, (100, 100)) for yaw in (10, 35, 60)], (200, 200))
    flat = cut(picture, (100, 100), 120, 0.0, 120, pose.view_at((100, 100)).squeeze)
    rows, columns = np.nonzero(flat[..., 0] > 127)
    assert np.ptp(columns) == pytest.approx(60, abs=3)
    assert np.ptp(rows) == pytest.approx(60, abs=9), "seen from 30 degrees it was half as high"


def logs(size: int, place: int, share: float) -> Float32Array:
    chances = np.full(size, (1 - share) / (size - 1))
    chances[place] = share
    return np.log(chances).astype(np.float32)


def says(number: int, sure: float = 0.999, six_sided: float = 0.999) -> Prediction:
    """A network that sees this number on a d6."""
    kind, pips, numeral = logs(9, 1 + KINDS.index(Kind.D6), six_sided), logs(6, number - 1, sure), logs(21, 0, 0.5)
    return Prediction(kind, pips, numeral)


def die(seen: int, flat: int, low: float) -> DieEvidence:
    """A die that shows one number as it is seen, another with its top laid flat."""
    said, top = says(seen), says(flat)
    flattened = RectifiedView(top, top, CROP, low)
    return DieEvidence(Detection((100, 200, 160, 260), 0.9), CROP, said, said, flat=flattened)


@pytest.mark.parametrize(
    ("seen", "flat", "low", "number"),
    [(5, 3, 0.99, 3), (5, 3, 0.01, 5), (5, 5, 0.6, 5), (5, 5, 0.3, 5)],
    ids=["a low camera", "a high one", "either, if it is low", "either, if it is high"],
)
def test_the_number_that_the_elevation_names_is_believed(seen: int, flat: int, low: float, number: int) -> None:
    tray = resolve_tray([die(seen, flat, low)], BOARD, None, SHIPPED)
    assert (tray.verdict, tray.faces) == (Verdict.ACCEPTED, (number,)), tray.reason


@pytest.mark.parametrize(("low", "why"), [(0.85, TOO_LOW), (0.6, MORE_FACES), (0.3, MORE_FACES)])
def test_where_two_numbers_are_left_you_are_asked(low: float, why: str) -> None:
    """A camera that looks down is not to be raised."""
    tray = resolve_tray([die(5, 3, low)], BOARD, None, SHIPPED)
    assert (tray.verdict, tray.reason) == (Verdict.ASK, f"the die {why}")


def test_a_die_before_a_low_camera_has_to_be_surer_to_be_accepted() -> None:
    """Rendered dice that are laid flat are wrong as often as their confidence says."""
    sure = says(5, 0.75), says(5, 0.65)
    for low, verdict in (0.0, Verdict.ACCEPTED), (0.99, Verdict.ASK):
        seen = replace(die(5, 5, low), reader=sure[0], second=sure[1])
        flat = RectifiedView(*sure, CROP, low)
        tray = resolve_tray([replace(seen, flat=flat)], BOARD, Pool.of((1, Die.D6)), SHIPPED)
        assert tray.verdict is verdict, (tray.reason, tray.dice[0].confidence)


class SeesATopAbove(Network):
    """A network that sees no die in what it is shown, and the middle of a top far above."""

    def __init__(self) -> None:
        pass

    def run(self, inputs: Float32Array) -> dict[str, Float32Array]:
        kinds = np.tile(logs(9, 0, 0.99), (len(inputs), 1))
        return {"kind": kinds, "pips": np.zeros((len(inputs), 6), np.float32),
                "numeral": np.zeros((len(inputs), 21), np.float32),
                "top": np.tile(np.array([0, -1], np.float32), (len(inputs), 1))}  # fmt: skip


def test_what_is_laid_flat_is_the_top_of_the_die_itself_and_the_whole_die_tells_what_it_is() -> None:
    """Another die behind it has a top as well."""
    lying = cube(30, 0, (320, 300))
    x0, y0, x1, y1 = (round(edge) for edge in lying.box)
    picture = BOARD.copy()
    picture[y0:y1, x0:x1] = (0, 0, 255)
    seen = DieEvidence(Detection(lying.box, 0.9), CROP, says(5))
    camera = camera_of([cube(30, yaw) for yaw in (0, 35, 60)])
    (read,) = lay_flat(Models(SeesATopAbove(), SeesATopAbove(), None, SHIPPED), picture, [seen], [0], camera, 1)
    assert read.flat is not None and read.flat.crop[48, 48, 2] > 200, "it went on to what lies behind"
    assert read.flat.reader.kind is seen.reader.kind


def test_where_the_face_that_was_read_may_be_a_side_you_are_asked() -> None:
    plain = replace(die(5, 5, 0.0), flat=None)
    for share, verdict in (0.05, Verdict.ACCEPTED), (0.3, Verdict.ASK):
        tray = resolve_tray([replace(plain, misread=share)], BOARD, None, SHIPPED)
        assert tray.verdict is verdict, tray.reason
    assert tray.reason == f"the die {TOP_OR_SIDE}"
    small = BOARD[:460, :260]
    middle = resolve_tray([replace(plain, misread=0.3)], small, None, SHIPPED)
    assert middle.reason == f"the die {MORE_FACES}", "it lies in the middle already"
    laid = replace(die(5, 5, 0.99), misread=0.3)
    assert resolve_tray([laid], BOARD, None, SHIPPED).verdict is Verdict.ACCEPTED, "it was cut out as the top"


def test_a_die_that_may_be_turned_is_read_as_it_is_or_you_are_asked() -> None:
    """As it lies in the picture it shows a 4, turned upright a 2."""

    def read(*turned: tuple[int, float]) -> TrayReading:
        views = tuple(RectifiedView(says(number), says(number), CROP, chance) for number, chance in turned)
        lying = DieEvidence(Detection((100, 200, 160, 260), 0.9), CROP, says(4), says(4), turned=views)
        return resolve_tray([lying], BOARD, None, SHIPPED)

    for likely, number in ((0.0, 4), (0.02, 4), (0.98, 2)):
        assert (read((2, likely)).verdict, read((2, likely)).faces) == (Verdict.ACCEPTED, (number,))
    assert read((2, 0.6), (2, 0.39)).faces == (2,), "two turns that agree"
    for likely in 0.2, 0.8:
        assert read((2, likely)).reason == f"the die {MORE_FACES}"


def test_how_a_die_is_turned_follows_from_the_point_under_the_camera() -> None:
    around = [under_a_wide_lens(x, y, 30) for x, y in ((320, 440), (40, 240), (600, 240), (320, 30))]
    camera = camera_of(around)
    for quarter, middle in enumerate(((320, 30), (600, 240), (320, 440), (40, 240))):
        turns = camera.turns_at(middle)
        assert turns.chances[quarter] > 0.9
        assert abs((turns.degrees[quarter] - 90 * quarter + 180) % 360 - 180) < 15
    assert camera_of([cube(30, 10), cube(30, 50)]).turns_at((320, 440)).chances[0] > 0.99, "a low camera"


def test_a_die_teaches_what_was_read_of_it() -> None:
    top = CROP + 1
    for low, taught in ((0.99, top), (0.01, CROP)):
        seen = die(5, 5, low)
        assert seen.flat is not None
        (read,) = resolve_tray([replace(seen, flat=replace(seen.flat, crop=top))], BOARD, None, SHIPPED).dice
        assert read.crop is taught


def thrown(tilt: float, seed: int, count: int = 1) -> tuple[tuple[int, ...], Photograph]:
    """Dice before a camera that stands 350 mm off, tilted so far from looking straight down."""
    camera = VirtualCamera(
        height=350 * math.cos(math.radians(tilt)), tilt=tilt, field_of_view=24, frame=(640, 480), noise=0.8
    )
    felt = Surface("felt", TINTS["felt"][seed % len(TINTS["felt"])], seed) if seed % 2 else None
    values = [1 + (seed + 2 * k) % 6 for k in range(count)]
    scene = handful_of_dice(values, seed, camera, spread_mm=25 + 25 * count, surface=felt)
    return tuple(sorted(values)), photograph(scene, camera, seed)


@needs_networks
def test_dice_before_a_low_camera_are_read_or_asked_about_and_from_above_they_are_accepted() -> None:
    accepted = 0
    for tilt, seed in ((64, 0), (64, 1), (60, 5), (64, 14), (60, 15), (68, 17)):
        values, shot = thrown(tilt, seed, 2)
        tray = read_dice(shot.picture, (2, Die.D6))
        if tray.verdict is Verdict.ACCEPTED:
            assert tuple(sorted(tray.faces)) == values, (tilt, seed)
            accepted += 1
    assert accepted >= 2
    above = 0
    for seed in (2, 4, 15):
        values, shot = thrown(20, seed)
        tray = read_dice(shot.picture, (1, Die.D6))
        above += tray.verdict is Verdict.ACCEPTED and tray.faces == values
    assert above >= 2


@needs_networks
def test_the_elevation_of_a_rendered_picture_is_measured() -> None:
    for tilt in (62, 25):
        _, shot = thrown(tilt, 1, 3)
        camera = read_dice(shot.picture, (3, Die.D6)).camera
        assert camera is not None
        assert abs(camera.elevation - (90 - tilt)) < 12, camera.elevation
    assert read_dice(np.full((480, 640, 3), 90, np.uint8)).camera is None, "nothing there tells it"


@needs_networks
@pytest.mark.parametrize(("roll", "count"), [(5002, 5), (5004, 4)])
def test_in_a_tray_under_a_wide_camera_dice_are_read_whichever_way_they_are_turned(roll: int, count: int) -> None:
    shot = roll_in_tray(camera_over_tray(5), roll, count)
    lying = sorted(die.value for die in shot.truth.dice)
    tray = read_dice(shot.picture, (len(lying), Die.D6))
    assert sorted(map(int, tray.faces)) == lying
    as_seen = read_dice(shot.picture, (len(lying), Die.D6), cues=without("turned"))
    assert sorted(map(int, as_seen.faces)) != lying, "a side is taken for a top"
