"""The virtual camera tells the truth: dice show what they say they show, and everything is where it says it is."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from loomtable.testing.virtual import (
    TINTS,
    Glare,
    ImpossibleScene,
    Light,
    PlacedCard,
    PlacedDie,
    Scene,
    Surface,
    TenSidedDie,
    VirtualCamera,
    any_die,
    handful_of_dice,
    photograph,
    row_of_cards,
    truth_of,
)
from loomtable.testing.virtual.scene import light_of
from loomtable.testing.virtual.shade import draw_die
from tests.short import raises

BLACK_ON_WHITE = {"body": (235, 235, 232), "pips": (15, 15, 15)}
SMALL = VirtualCamera(frame=(480, 360), height=150, tilt=0)
FELT = Surface("felt", TINTS["felt"][0])
WHITE_CARD = np.full((176, 126, 3), 245, np.uint8)


def dark_spots(picture, polygon, inset):
    """How many dark spots lie wholly inside a quad (4, 2) px that is drawn in by ``inset`` of its size."""
    corners = polygon.mean(axis=0) + (polygon - polygon.mean(axis=0)) * (1 - inset)
    size = 120
    square = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    face = cv2.warpPerspective(
        picture,
        cv2.getPerspectiveTransform(corners.astype(np.float32), square),
        (size, size),
        flags=cv2.INTER_CUBIC,
    )
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)
    dark = (grey < 0.55 * np.median(grey)).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    return sum(1 for spot in stats[1:] if spot[cv2.CC_STAT_AREA] > 120)


@pytest.mark.parametrize("value", range(1, 7))
def test_seen_from_above_a_die_shows_as_many_pips_as_its_value(value) -> None:
    die = PlacedDie(value, x=3, y=-2, turn=17 * value, **BLACK_ON_WHITE)
    shot = photograph(Scene(FELT, (), (die,)), SMALL, value)
    (true,) = shot.truth.dice
    assert true.value == value
    assert dark_spots(shot.picture, true.top, 0.06) == value


@pytest.mark.parametrize("value", range(1, 11))
def test_a_ten_sided_die_lies_on_the_face_opposite_to_its_value(value) -> None:
    """Its upper face alone is black, where it is nearest to the pole."""
    half_black = np.full((64, 64, 3), 230, np.uint8)
    half_black[:32] = 10
    sides = tuple(half_black if place == value else np.full_like(half_black, 230) for place in range(1, 11))
    die = TenSidedDie(value, sides=sides, body=(230, 230, 230))
    shots = [photograph(Scene(FELT, (), (replace(die, turn=turn),)), SMALL) for turn in (0, 180)]
    greys = [cv2.cvtColor(shot.picture, cv2.COLOR_BGR2GRAY).astype(int) for shot in shots]
    height, width = greys[0].shape
    above, below = (slice(height // 2 + at - 4, height // 2 + at + 4) for at in (-10, 10))
    middle = slice(width // 2 - 4, width // 2 + 4)
    assert greys[0][below, middle].mean() - greys[0][above, middle].mean() > 60
    assert greys[1][above, middle].mean() - greys[1][below, middle].mean() > 60


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("turn", [0, 90])
def test_the_face_towards_the_viewer_shows_the_pips_that_belong_there(value, turn) -> None:
    camera = replace(SMALL, tilt=35, height=110)
    die = PlacedDie(value, turn=turn, **BLACK_ON_WHITE)
    light = Light(azimuth=90, elevation=40, sky=0.9)
    half, full = die.size_mm / 2, die.size_mm
    front = camera.project([[-half, half, full], [half, half, full], [half, half, 0], [-half, half, 0]])
    picture = photograph(Scene(FELT, (), (die,), light), camera, 1).picture
    assert dark_spots(picture, front, 0.06) == die.facing(np.array([0.0, -1.0, 0.0]))


@pytest.mark.parametrize("turn", [0, 33, 120, 271])
def test_opposite_faces_sum_to_seven_and_one_two_three_run_counter_clockwise(turn) -> None:
    for value in range(1, 7):
        die = PlacedDie(value, turn=turn)
        assert die.facing(np.array([0.0, 0.0, 1.0])) == value
        for way in np.vstack([np.eye(3), [[0.6, 0.7, 0.2]]]):
            assert die.facing(way) + die.facing(-way) == 7
        # The right-handed die: looking at the corner of 1, 2 and 3, their directions turn counter-clockwise.
        one, two, three = (die.axes[:, axis] for axis in range(3))
        assert [die.facing(way) for way in (one, two, three)] == [1, 2, 3]
        assert np.allclose(np.cross(one, two), three)


def test_a_die_turns_clockwise_as_the_camera_sees_it() -> None:
    before, after = (truth_of(Scene(dice=(PlacedDie(2, turn=turn),)), SMALL).dice[0].top for turn in (0, 20))
    assert before[1][1] == pytest.approx(before[0][1])
    edge = after[1] - after[0]
    assert np.degrees(np.arctan2(edge[1], edge[0])) == pytest.approx(20, abs=0.01)


@pytest.mark.parametrize("corner", [0.0, 0.6, 1.0])
def test_the_true_outline_of_a_die_holds_all_its_pixels_and_little_else(corner) -> None:
    camera = VirtualCamera(frame=(640, 480), height=170, tilt=25, roll=10)
    die = PlacedDie(4, x=20, y=-14, turn=30, corner=corner)
    sprite = draw_die(die, (), (0.0, 0.0, 0.0), camera, Light())
    drawn = np.zeros((480, 640), np.float32)
    height, width = sprite.cover.shape
    drawn[sprite.y : sprite.y + height, sprite.x : sprite.x + width] = sprite.cover
    inside = np.zeros((480, 640), np.uint8)
    (true,) = truth_of(Scene(dice=(die,)), camera).dice
    cv2.fillPoly(inside, [np.round(true.polygon).astype(np.int32)], 1)
    wider = cv2.dilate(inside, np.ones((3, 3), np.uint8))
    assert drawn.sum() > 1500
    assert drawn[wider == 0].sum() < 1
    assert inside.sum() < 1.06 * drawn.sum()


def test_the_true_corners_of_a_card_are_those_in_the_picture() -> None:
    camera = VirtualCamera(frame=(640, 480), height=300, tilt=20, roll=5, noise=0.3)
    card = PlacedCard(WHITE_CARD, x=15, y=-10, turn=25)
    shot = photograph(Scene(FELT, (card,)), camera, 1)
    light = (shot.picture.min(axis=2) > 130).astype(np.uint8)
    inside = np.zeros_like(light)
    cv2.fillPoly(inside, [np.round(shot.truth.cards[0].polygon).astype(np.int32)], 1)
    near = cv2.dilate(inside, np.ones((5, 5), np.uint8))
    deep = cv2.erode(inside, np.ones((5, 5), np.uint8))
    assert light[near == 0].sum() == 0
    assert light[deep == 1].mean() > 0.99


def test_the_head_of_a_card_is_where_the_truth_puts_it() -> None:
    face = WHITE_CARD.copy()
    face[:30] = (200, 20, 20)
    camera = VirtualCamera(frame=(640, 480), height=260, tilt=15)
    shot = photograph(Scene(FELT, (PlacedCard(face, turn=140),)), camera, 2)
    corners = shot.truth.cards[0].polygon
    middle = corners.mean(axis=0)
    head = (corners[0] + corners[1]) / 2 * 0.9 + middle * 0.1
    foot = (corners[2] + corners[3]) / 2 * 0.9 + middle * 0.1
    blue, _, red = (int(level) for level in shot.picture[round(head[1]), round(head[0])])
    assert red > 2 * blue
    assert shot.picture[round(foot[1]), round(foot[0])].min() > 130


def test_the_same_seed_gives_the_same_picture_and_another_does_not() -> None:
    camera = VirtualCamera(frame=(480, 360), height=260, tilt=18)
    first, again = (
        photograph(handful_of_dice([1, 6], 5, camera, spread_mm=70), camera, 3).picture for _ in range(2)
    )
    assert np.array_equal(first, again)
    scene = handful_of_dice([1, 6], 5, camera, spread_mm=70)
    other_noise = photograph(scene, camera, 4).picture
    assert not np.array_equal(first, other_noise)
    assert np.abs(first.astype(int) - other_noise).mean() < 8
    moved = handful_of_dice([1, 6], 6, camera, spread_mm=70)
    assert (moved.dice[0].x, moved.dice[0].y) != (scene.dice[0].x, scene.dice[0].y)


@pytest.mark.parametrize("seed", range(12))
def test_scattered_dice_lie_apart_and_inside_the_picture(seed) -> None:
    # So close that a die thrown to the rim of the spread would often lie outside.
    camera = VirtualCamera(height=180, tilt=(seed * 7) % 36, roll=seed * 3 - 15)
    values = [1, 2, 3, 4, 5, 6][: 2 + seed % 5]
    scene = handful_of_dice(values, seed, camera)
    truth = truth_of(scene, camera)
    assert [die.value for die in truth.dice] == values
    for die in truth.dice:
        assert camera.shows(die.polygon)
    floors = [
        cv2.boxPoints(((die.x, die.y), (die.size_mm, die.size_mm), die.turn)).astype(np.float32)
        for die in scene.dice
    ]
    for index, floor in enumerate(floors):
        for other in floors[:index]:
            assert cv2.intersectConvexConvex(floor, other)[0] == 0


def test_a_row_of_cards_lies_from_left_to_right_inside_the_picture() -> None:
    camera = VirtualCamera(height=360, tilt=20)
    truth = truth_of(row_of_cards([WHITE_CARD] * 4, 3, camera, turn=8), camera)
    middles = [card.polygon.mean(axis=0)[0] for card in truth.cards]
    assert middles == sorted(middles)
    assert all(camera.shows(card.polygon) for card in truth.cards)


def test_what_does_not_fit_or_cannot_be_is_refused_in_words() -> None:
    near = VirtualCamera(height=120)
    raises(ImpossibleScene, "3 cards does not fit", row_of_cards, [WHITE_CARD] * 3, 1, near)
    with pytest.raises(ImpossibleScene, match="finds no free place within 35 mm"):
        handful_of_dice([1] * 5, 1, near, spread_mm=35)
    raises(ImpossibleScene, "shows 1 to 6, not 7", PlacedDie, 7)
    raises(ImpossibleScene, "tilt is 0 to 75, not 80", VirtualCamera, tilt=80)
    raises(ImpossibleScene, "sees over the table's far edge", VirtualCamera, tilt=70)
    raises(ImpossibleScene, "uint8", PlacedCard, np.zeros((10, 10), np.uint8))


def test_places_and_pixels_are_two_ways_of_saying_the_same() -> None:
    camera = VirtualCamera(height=333, tilt=27, roll=-13, aim=(12, -30))
    places = np.array([[0.0, 0.0], [100, 40], [-80, 90], [12, -30]])
    assert np.allclose(camera.place(camera.project(places)), places)
    assert np.allclose(camera.project(places)[3], [639.5, 359.5])
    through = np.column_stack([places, np.ones(4)]) @ camera.homography.T
    assert np.allclose(through[:, :2] / through[:, 2:], camera.project(places))


def test_a_die_shades_the_table_on_the_side_away_from_the_lamp() -> None:
    lamp = Light(azimuth=180, elevation=45, sky=0.4)
    bare = light_of(Scene(FELT, light=lamp), SMALL)
    shaded = light_of(Scene(FELT, (), (PlacedDie(1),), lamp), SMALL)

    def left(x, y):
        column, row = np.round(SMALL.project([[x, y]])[0]).astype(int)
        around = np.s_[row - 3 : row + 4, column - 3 : column + 4]
        return float(shaded[around].mean() / bare[around].mean())

    assert left(18, 0) < 0.6
    assert left(-18, 0) > 0.85
    assert left(-45, 30) > 0.98


def test_exposure_glare_and_vignetting_do_what_they_say() -> None:
    camera = VirtualCamera(frame=(480, 360), height=300, tilt=0)
    scene = Scene(Surface("wood"), (PlacedCard(WHITE_CARD, x=70),))
    plain = photograph(scene, camera).picture.astype(float)
    assert photograph(scene, replace(camera, exposure=-1)).picture.mean() < 0.8 * plain.mean()
    dull = photograph(scene, replace(camera, vignetting=0.0)).picture.astype(float)
    corner, middle = np.s_[:40, :40], np.s_[160:200, 100:140]
    assert plain[corner].mean() / plain[middle].mean() < 0.93 * dull[corner].mean() / dull[middle].mean()
    shining = replace(scene, light=Light(glare=Glare(-60, 0, 30, 0.8)))
    column, row = np.round(camera.project([[-60, 0]])[0]).astype(int)
    around = np.s_[row - 5 : row + 5, column - 5 : column + 5]
    assert photograph(shining, camera).picture[around].mean() > 1.3 * plain[around].mean()


def test_dice_of_every_chance_look_can_be_drawn() -> None:
    rng = np.random.default_rng(3)
    looks = [any_die(rng, value=1 + index % 6) for index in range(40)]
    assert len({die.body for die in looks}) > 4
    assert min(die.size_mm for die in looks) < 15 < 17 < max(die.size_mm for die in looks)
    assert any_die(rng, size_mm=12.0, body=(1, 2, 3)).size_mm == 12.0
