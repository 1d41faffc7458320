"""What was seen is drawn readably on the picture, whatever its verdict and however full the table is."""

import numpy as np
import pytest

from loomtable.vision.overlay import Mark, draw_marks, place_plates
from loomtable.vision.verdict import Verdict

FRAME = (1280, 720)


def square(x, y, side=60.0):
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def crossing(one, other):
    return (
        min(one[2], other[2]) > max(one[0], other[0]) + 0.01
        and min(one[3], other[3]) > max(one[1], other[1]) + 0.01
    )


@pytest.mark.parametrize("frame", [(1280, 720), (640, 480), (3840, 2160)])
def test_plates_stay_in_the_picture_and_off_one_another(frame) -> None:
    wide, high = frame
    rng = np.random.default_rng(wide)
    marks = [
        Mark(square(*rng.uniform([-20, -20], [wide - 30, high - 30]), side=wide / 22), f"S{index} · The Long Road")
        for index in range(10)
    ]
    plates = place_plates(marks, frame)
    for index, plate in enumerate(plates):
        assert plate[0] >= 0
        assert plate[1] >= 0
        assert plate[2] <= wide
        assert plate[3] <= high
        assert not any(crossing(plate, other) for other in plates[:index])


def test_plates_leave_the_other_marks_free_where_there_is_room() -> None:
    marks = [Mark(square(300 + 90 * index, 300), str(index + 1)) for index in range(5)]
    plates = place_plates(marks, FRAME)
    for index, plate in enumerate(plates):
        for other in marks[:index] + marks[index + 1 :]:
            (left, top), _, (right, bottom), _ = other.polygon
            assert not crossing(plate, (left, top, right, bottom))


def test_verdicts_differ_in_line_and_not_in_colour_alone() -> None:
    painted = {}
    for verdict in Verdict:
        drawn = draw_marks(np.full((720, 1280, 3), 128, np.uint8), [Mark(square(300, 200, 300), "", verdict)])
        # Light pixels on the band of the upper side: the whole of it, much of it, or dots of it.
        band = drawn[185:215, 310:590].max(axis=2).max(axis=0) > 200
        strokes = int(np.count_nonzero(np.diff(band.astype(int)) == 1)) + int(band[0])
        painted[verdict] = (float(band.mean()), strokes)
    assert painted[Verdict.ACCEPTED] == (1.0, 1)
    assert 0.4 < painted[Verdict.ASK][0] < 0.9
    assert 5 < painted[Verdict.ASK][1] < 20
    assert painted[Verdict.REJECTED][1] > 1.5 * painted[Verdict.ASK][1]


def test_the_picture_given_is_left_as_it_was_and_nothing_changes_without_marks() -> None:
    picture = np.full((360, 640, 3), 90, np.uint8)
    drawn = draw_marks(picture, [Mark(square(100, 100), "4")])
    assert (picture == 90).all()
    assert (drawn != 90).any()
    assert (draw_marks(picture, []) == picture).all()
    assert (draw_marks(picture, [Mark(((1, 1), (5, 5)), "a line")]) == picture).all()


def test_a_label_is_written_on_its_plate() -> None:
    picture = np.full((720, 1280, 3), 90, np.uint8)
    mark = Mark(square(600, 300), "WWWW")
    ((left, top, right, bottom),) = place_plates([mark], FRAME)
    plate = draw_marks(picture, [mark])[round(top) : round(bottom), round(left) : round(right)]
    empty = draw_marks(picture, [Mark(mark.polygon, "iiii")])
    assert (plate.min(axis=2) > 200).mean() > 0.08
    assert plate.shape[1] > place_plates([Mark(mark.polygon, "iiii")], FRAME)[0][2] - left
    assert empty.shape == picture.shape


def test_a_label_too_long_is_shortened_and_things_at_the_rim_are_drawn() -> None:
    marks = [Mark(square(-40, 690), "A very long name " * 30), Mark(square(1270, -30), "x", Verdict.REJECTED)]
    for plate in place_plates(marks, FRAME):
        assert 0 <= plate[0] < plate[2] <= FRAME[0]
        assert 0 <= plate[1] < plate[3] <= FRAME[1]
    assert draw_marks(np.zeros((720, 1280, 3), np.uint8), marks).max() > 200
