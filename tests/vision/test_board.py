"""Maps, figures and tapestry cards by their tags: laws of the geometry, with tags seen exactly where they are."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.tags import map_tags, tag_of
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.squares import square_at
from loomtable.engine.woven.cards import COLUMNS, ROWS, CardSide, tapestry_card
from loomtable.engine.woven.region_map import region_map
from loomtable.engine.woven.tapestry import CardPlacement, Spot, Tapestry
from loomtable.table.games.storm_weavers.board import combat_sheet, square_of
from loomtable.table.games.woven.board_regions import region_of, region_sheet
from loomtable.table.games.woven.board_tapestry import TAPESTRY_TAGS, placed_beside
from loomtable.table.reading.board import standing
from loomtable.table.reading.board_geometry import BASE_CARD, FIGURE_PRINTS
from loomtable.testing.places_on_maps import region_middle, square_middle
from loomtable.testing.virtual.lens import Points, VirtualCamera, rotated
from loomtable.vision.board.camera_fit import outward_steps
from loomtable.vision.board.figures import FigurePrint, figures_on
from loomtable.vision.board.maps import SeenSheet, TaggedSheet, find_sheet, tag_advice
from loomtable.vision.board.tapestry import read_tapestry
from loomtable.vision.tags import SeenTag
from tests.vision.scenes.boards import bent_places

BELL_HALL = combat_map("bell-hall")
SHEET = combat_sheet(BELL_HALL)
FRAME = (1920, 1080)
SHAPE = (1080, 1920, 3)
CAMERAS = st.builds(
    VirtualCamera,
    height=st.floats(300, 900),
    tilt=st.floats(0, 45),
    roll=st.floats(-180, 180),
    field_of_view=st.floats(50, 78),
    frame=st.just(FRAME),
)
PLACES = st.tuples(st.floats(30, 255), st.floats(30, 230))
STANDEE, TOKEN = FIGURE_PRINTS


def seen(number: int, pixels: Points) -> SeenTag:
    a, b, c, d = ((float(x), float(y)) for x, y in pixels)
    return SeenTag(number, (a, b, c, d))


def on_table(places: npt.ArrayLike, sheet: TaggedSheet = SHEET) -> Points:
    """Places of a sheet that lies with its middle in the middle of the table."""
    return np.asarray(np.array(places, float) - [sheet.width / 2, sheet.height / 2])


def sheet_tags(camera: VirtualCamera, sheet: TaggedSheet = SHEET) -> list[SeenTag]:
    return [seen(tag, camera.project(on_table(quad, sheet))) for tag, quad in sheet.tags.items()]


def figure_tag(
    camera: VirtualCamera, number: int, place: tuple[float, float], turn: float, one: FigurePrint, height: float
) -> SeenTag:
    """The tag of a figure whose base's middle is at a place of the map."""
    half = one.side / 2
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) - np.array(one.middle)
    laid = rotated(corners, turn) + on_table([place])
    return seen(number, camera.project(np.column_stack([laid, np.full(4, height)])))


@settings(max_examples=60, deadline=None)
@given(camera=CAMERAS, x=st.floats(0, 285), y=st.floats(0, 260), height=st.floats(0, 6))
def test_places_become_pixels_and_pixels_places_at_any_height(
    camera: VirtualCamera, x: float, y: float, height: float
) -> None:
    sheet = find_sheet(sheet_tags(camera), SHEET, SHAPE)
    assert isinstance(sheet, SeenSheet)
    place = np.array([[x, y]])
    assert sheet.places(sheet.pixels(place, height), height) == pytest.approx(place, abs=1e-5)
    true = camera.project(np.column_stack([on_table(place), [height]]))
    # From nearly straight above the focal length cannot be told, and heights only roughly.
    slack = 0.05 if camera.tilt > 20 else 2.0
    assert np.abs(sheet.pixels(place, height) - true).max() < 0.6 + slack * height


def test_the_order_of_tags_does_not_matter_and_three_of_them_suffice() -> None:
    camera = VirtualCamera(height=420, tilt=30, roll=12, frame=FRAME)
    tags = sheet_tags(camera)
    for some in permutations(tags, 3):
        sheet = find_sheet(some, SHEET, SHAPE)
        assert isinstance(sheet, SeenSheet)
        assert sheet.tags == 3
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * [SHEET.width, SHEET.height]
        assert np.abs(np.array(sheet.outline) - camera.project(on_table(corners))).max() < 0.01


def test_half_a_map_is_found_and_a_lone_corner_is_not() -> None:
    tags = sheet_tags(VirtualCamera(height=420, tilt=30, frame=FRAME))
    half = find_sheet(tags[:2], SHEET, SHAPE)
    assert isinstance(half, SeenSheet)
    assert half.tags == 2
    lone = find_sheet(tags[3:], SHEET, SHAPE)
    assert isinstance(lone, str) and lone.startswith(
        "only one of the four corner tags of the map M3 is seen; uncover"
    )
    assert find_sheet([], SHEET, SHAPE) == "no map is seen: none of its corner tags is in the picture"


def test_a_tag_that_was_moved_or_stands_twice_is_left_out() -> None:
    camera = VirtualCamera(height=420, tilt=20, frame=FRAME)
    tags = sheet_tags(camera)
    moved = seen(tags[1].number, np.array(tags[1].quad) + 90)
    sheet = find_sheet([tags[0], moved, tags[2], tags[3]], SHEET, SHAPE)
    assert isinstance(sheet, SeenSheet)
    assert (sheet.tags, sheet.off < 0.01) == (3, True)
    twice = find_sheet([tags[0], moved, tags[1]], SHEET, SHAPE)
    assert isinstance(twice, str) and f"tag {tags[1].number} is seen twice" in twice


@settings(max_examples=25, deadline=None)
@given(camera=CAMERAS, bend=st.floats(-0.06, 0.06), edge=st.floats(-0.3, 0.3), place=PLACES)
def test_a_lens_that_bends_and_black_that_bleeds_are_reckoned_with(
    camera: VirtualCamera, bend: float, edge: float, place: tuple[float, float]
) -> None:
    camera = replace(camera, height=400)

    def photographed(tag: SeenTag) -> SeenTag:
        quad = np.array(tag.quad)
        return seen(tag.number, bent_places(quad + edge * outward_steps(quad[None])[0], bend, FRAME))

    tags = [photographed(tag) for tag in sheet_tags(camera)]
    sheet = find_sheet(tags, SHEET, SHAPE)
    assert isinstance(sheet, SeenSheet)
    assert sheet.lens.distortion == pytest.approx(bend, abs=0.02)
    assert sheet.places(sheet.pixels(np.array([place]), 2.0), 2.0) == pytest.approx(np.array([place]), abs=0.01)
    for one in FIGURE_PRINTS:
        tag = photographed(figure_tag(camera, 7, place, 90 * bend, one, BASE_CARD))
        [figure] = figures_on(sheet, [tag], FIGURE_PRINTS)
        assert figure.prints == (one.name,)
        assert math.dist(figure.place, place) < 0.8


def test_the_less_of_a_map_is_seen_the_less_sure_its_far_end_is() -> None:
    camera = VirtualCamera(height=420, tilt=30, roll=12, frame=FRAME)
    tags = sheet_tags(camera)
    far = camera.project(on_table([(SHEET.width / 2, SHEET.height - 20)]))[0]
    sheets = [find_sheet(tags[:many], SHEET, SHAPE) for many in (4, 3, 2)]
    out = [sheet.position_error(far) for sheet in sheets if isinstance(sheet, SeenSheet)]
    assert out == sorted(out)
    assert out[0] < 0.2
    sheet = sheets[-1]
    assert isinstance(sheet, SeenSheet)
    place = square_middle(BELL_HALL, 5, 7)
    [figure] = figures_on(sheet, [figure_tag(camera, 7, place, 0, TOKEN, BASE_CARD)], FIGURE_PRINTS)
    assert figure.position_error > 2 * out[0]
    unsure = replace(figure, position_error=5.0)
    told = standing("Thymin", [unsure], "F8", lambda at: square_of(BELL_HALL, at))
    assert told.doubt == "seems to be on F8, but too little of the map is in view; uncover its corners"
    assert standing("Thymin", [figure], "F8", lambda at: square_of(BELL_HALL, at)).says == "Thymin is on F8"


@pytest.mark.parametrize("hidden", [0.1, 0.3])
def test_where_a_tag_is_seen_in_part_its_size_does_not_tell_the_print(hidden: float) -> None:
    camera = VirtualCamera(height=420, tilt=20, frame=FRAME)
    sheet = find_sheet(sheet_tags(camera), SHEET, SHAPE)
    assert isinstance(sheet, SeenSheet)
    whole = np.array(figure_tag(camera, 7, square_middle(BELL_HALL, 4, 4), 0, STANDEE, BASE_CARD).quad)
    part = whole + hidden * np.array([whole[1] - whole[0], [0, 0], [0, 0], whole[2] - whole[3]])
    [figure] = figures_on(sheet, [seen(7, part)], FIGURE_PRINTS)
    assert set(figure.prints) == {"standee", "token"}


@settings(max_examples=60, deadline=None)
@given(
    corners=st.lists(st.tuples(st.floats(-50, 2000), st.floats(-50, 1100)), min_size=8, max_size=16),
    alike=st.booleans(),
)
def test_tags_that_lie_anyhow_make_no_map_and_no_error(corners: list[tuple[float, float]], alike: bool) -> None:
    quads = [np.array(corners[:4] if alike else corners[at : at + 4]) for at in range(0, len(corners) - 3, 4)]
    tags = [seen(number, quad) for number, quad in zip(SHEET.tags, quads, strict=False)]
    assert find_sheet(tags, SHEET, SHAPE)


def test_a_map_may_lie_upside_down_and_another_map_is_told_apart() -> None:
    camera = VirtualCamera(height=420, tilt=20, roll=180, frame=FRAME)
    other = combat_sheet(combat_map("sluice-yard"))
    assert isinstance(find_sheet(sheet_tags(camera), other, SHAPE), str)
    sheet = find_sheet(sheet_tags(camera), SHEET, SHAPE)
    assert isinstance(sheet, SeenSheet)
    left, right = sheet.pixels(np.array([[0.0, 0.0], [SHEET.width, 0.0]]))
    assert right[0] < left[0]


def test_from_too_far_away_it_is_said_what_to_do() -> None:
    near, far = (sheet_tags(VirtualCamera(height=height, frame=(1280, 720))) for height in (420, 2600))
    assert tag_advice(near) is None
    assert tag_advice([]) is None
    assert "move the camera closer" in (tag_advice(far) or "")


@settings(max_examples=60, deadline=None)
@given(
    camera=CAMERAS,
    column=st.integers(0, 9),
    row=st.integers(0, 8),
    off=st.tuples(st.floats(-9, 9), st.floats(-9, 9)),
    turn=st.floats(0, 360),
    one=st.sampled_from(FIGURE_PRINTS),
)
def test_a_figure_stands_where_its_base_is_however_it_is_turned(
    camera: VirtualCamera, column: int, row: int, off: tuple[float, float], turn: float, one: FigurePrint
) -> None:
    x, y = square_middle(BELL_HALL, column, row)
    place = x + off[0], y + off[1]
    tags = [*sheet_tags(camera), figure_tag(camera, 7, place, turn, one, BASE_CARD)]
    sheet = find_sheet(tags, SHEET, SHAPE)
    assert isinstance(sheet, SeenSheet)
    (figure,) = figures_on(sheet, tags[4:], FIGURE_PRINTS)
    assert figure.prints[0] == one.name
    assert math.dist(figure.place, place) < 0.5
    assert square_of(BELL_HALL, figure.place)[0] == square_at(column, row)
    assert abs((figure.rotation - turn + 180) % 360 - 180) < 1.0


def test_the_two_tags_of_a_standing_figure_are_one_figure_and_two_figures_are_told() -> None:
    camera = VirtualCamera(height=420, tilt=35, frame=FRAME)
    place = square_middle(BELL_HALL, 4, 3)
    flaps = [figure_tag(camera, 5, place, turn, STANDEE, 2.0) for turn in (20, 200)]
    sheet = find_sheet(sheet_tags(camera), SHEET, SHAPE)
    assert isinstance(sheet, SeenSheet)
    (figure,) = figures_on(sheet, flaps, FIGURE_PRINTS)
    assert figure.prints == ("standee",)
    assert not figure.doubt
    other = figure_tag(camera, 5, square_middle(BELL_HALL, 7, 6), 0, TOKEN, 1.0)
    both = figures_on(sheet, [*flaps, other], FIGURE_PRINTS)
    assert [one.doubt for one in both] == ["is seen two times"] * 2
    beside = figure_tag(camera, 6, (-80.0, 100.0), 0, TOKEN, 1.0)
    assert figures_on(sheet, [beside], FIGURE_PRINTS) == ()


def test_every_square_and_every_region_holds_its_own_middle() -> None:
    for column in range(BELL_HALL.width):
        for row in range(BELL_HALL.height):
            where, room = square_of(BELL_HALL, square_middle(BELL_HALL, column, row))
            assert (where, round(room, 6)) == (square_at(column, row), 12.5)
    assert square_of(BELL_HALL, (5.0, 5.0))[0] is None
    ground = region_map("the-weft-wolds")
    for region in ground.regions:
        where, room = region_of(ground, region_middle(ground, region.key))
        assert where == region.key
        assert room > 0
    assert region_of(ground, (0.5, 0.5))[0] is None


def test_the_tags_of_maps_are_those_of_the_register() -> None:
    for sheet in (SHEET, region_sheet(region_map("the-weft-wolds"))):
        assert tuple(sheet.tags) == map_tags(sheet.component)
        for quad in sheet.tags.values():
            assert all(0 < x < sheet.width and 0 < y < sheet.height for x, y in quad)


# Tapestry cards


def card_tags(
    camera: VirtualCamera, placed: CardPlacement, off: tuple[float, float] = (0, 0)
) -> list[tuple[Spot, SeenTag]]:
    """The tags of a laid card, each with the cell of the grid in which it stands."""
    wide, high = COLUMNS * 30.0, ROWS * 30.0
    across, down = (COLUMNS, ROWS) if placed.turns % 2 == 0 else (ROWS, COLUMNS)
    middle = np.array([placed.at[0] + across / 2, placed.at[1] + down / 2]) * 30.0 + off
    half, inset = TAPESTRY_TAGS.side / 2, TAPESTRY_TAGS.inset
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    number = tag_of(tapestry_card(placed.card).component(placed.side))
    tags = []
    for x in (inset, wide - inset):
        for y in (inset, high - inset):
            laid = rotated(square + np.array([x - wide / 2, y - high / 2]), 90 * placed.turns) + middle
            column, row = np.floor((laid.mean(axis=0) - off) / 30).astype(int).tolist()
            tags.append((Spot(column, row), seen(number, camera.project(laid))))
    return tags


def in_sight(camera: VirtualCamera, tapestry: Tapestry) -> list[SeenTag]:
    """The tags of all cards that no later card covers."""
    tags = []
    for at, placed in enumerate(tapestry.placements):
        later = {spot for other in tapestry.placements[at + 1 :] for spot in other.cells()}
        tags += [tag for spot, tag in card_tags(camera, placed) if spot not in later]
    return tags


@settings(max_examples=50, deadline=None)
@given(
    camera=CAMERAS,
    cards=st.lists(st.integers(1, 33), min_size=2, max_size=6, unique=True),
    luck=st.randoms(use_true_random=False),
)
def test_a_card_laid_over_others_is_put_where_it_lies(
    camera: VirtualCamera, cards: list[int], luck: object
) -> None:
    whole = Tapestry()
    for card in cards:
        ways = whole.legal_placements(card)
        whole, _ = whole.with_card(luck.choice(ways))  # type: ignore[attr-defined]
    *before, new = whole.placements
    tags = in_sight(camera, whole)
    luck.shuffle(tags)  # type: ignore[attr-defined]
    tapestry = read_tapestry(tags, TAPESTRY_TAGS)
    mine = next(card for card in tapestry.cards if card.card.number == new.card)
    placed, why = placed_beside(mine, tapestry.cards, Tapestry(tuple(before)))
    known = {tag.number for tag in tags} - {tag_of(tapestry_card(new.card).component(new.side))}
    if known:
        assert (placed, mine.doubt) == (new, ""), why
    else:
        assert placed is None


def test_a_card_a_little_off_is_snapped_and_one_far_off_is_asked_about() -> None:
    camera = VirtualCamera(height=420, tilt=25, roll=40, frame=FRAME)
    first = [tag for _, tag in card_tags(camera, CardPlacement(3, CardSide.A, Spot(0, 0)))]
    new = CardPlacement(9, CardSide.B, Spot(1, 1), 1)
    for off in ((0.0, 0.0), (2.5, -2.5), (-3.0, 1.0)):
        seen_tags = first + [tag for _, tag in card_tags(camera, new, off)]
        cards = read_tapestry(seen_tags, TAPESTRY_TAGS).cards
        assert [(card.card.short, card.doubt) for card in cards] == [("T3A", ""), ("T9B", "")]
        assert (cards[1].column - cards[0].column, cards[1].row - cards[0].row) in [
            (1, 1),
            (-1, 1),
            (-1, -1),
            (1, -1),
        ]
    askew = first + [tag for _, tag in card_tags(camera, new, (15.0, 4.5))]
    assert read_tapestry(askew, TAPESTRY_TAGS).cards[1].doubt


def test_one_corner_alone_does_not_tell_where_the_grid_runs() -> None:
    camera = VirtualCamera(height=420, tilt=10, frame=FRAME)
    tags = [tag for _, tag in card_tags(camera, CardPlacement(3, CardSide.A, Spot(0, 0)))]
    assert not read_tapestry(tags, TAPESTRY_TAGS).cards[0].doubt
    assert "too few corners" in read_tapestry(tags[:1], TAPESTRY_TAGS).cards[0].doubt
    assert read_tapestry([], TAPESTRY_TAGS).cards == ()
    other = [tag for _, tag in card_tags(camera, CardPlacement(3, CardSide.B, Spot(0, 3)))]
    assert "two prints" in read_tapestry(tags + other, TAPESTRY_TAGS).cards[0].doubt
