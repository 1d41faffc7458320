"""What the readers and the detector are trained on: pictures change at random, labels stay true."""

from __future__ import annotations

import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.augment import change, sample_of, shown
from training.augment_pictures import photographed_view, target_of, tiled, view_of
from training.crops import PATCH, ROW, SPREAD, UNKNOWN, crops_of
from training.labels import KnownDie, LabelledPicture, scene_pictures, whole_from_top
from training.shapes import CROP, KINDS, STRIDE

SIDE = PATCH / SPREAD
"""Pixels of a patch to one side of its die."""


def spotted(x: float, y: float) -> np.ndarray:
    """A grey patch with a white spot ``x``, ``y`` die sides from its middle."""
    patch = np.full((PATCH, PATCH, 3), 60, np.uint8)
    middle = (PATCH - 1) / 2
    cv2.circle(patch, (round(middle + x * SIDE), round(middle + y * SIDE)), 4, (255, 255, 255), -1)
    return patch


def row(kind: str, pips: int = UNKNOWN, numeral: int = UNKNOWN, top: tuple[float, float] = (0.0, 0.0)) -> np.void:
    labelled = (KINDS.index(kind), pips, numeral, True, top, 0.0, (0.0, 0.0), 0.0, 1.0, 80.0, "scenes", "a/b.jpg")
    return np.array([labelled], ROW)[0]


@given(
    st.floats(-180, 180),
    st.booleans(),
    st.floats(0.8, 1.25),
    st.floats(-0.3, 0.3),
    st.floats(-0.3, 0.3),
)
def test_the_label_of_the_up_face_moves_with_the_picture(
    turn: float, mirrored: bool, zoom: float, x: float, y: float
) -> None:
    how = change(turn, mirrored, zoom)
    crop = shown(spotted(x, y), how)
    place = how.moved(np.array((x, y), np.float32)) * CROP / 2 + (CROP - 1) / 2
    white = np.argwhere(crop[:, :, 0] > 150)
    assert len(white)
    assert np.hypot(*(white.mean(axis=0)[::-1] - place)) < 1.5


def test_a_turned_numeral_points_where_its_label_says() -> None:
    # The numeral's up lies to the right of its middle: a quarter turn clockwise.
    how = change(30.0)
    turned = how.turned(90.0)
    before, after = np.array((0.0, 0.0), np.float32), np.array((0.2, 0.0), np.float32)
    along = how.moved(after) - how.moved(before)
    assert turned == pytest.approx(math.degrees(math.atan2(along[0], -along[1])), abs=0.1)
    assert turned == pytest.approx(120.0)


def test_numerals_are_never_shown_mirrored_and_pips_sometimes_are() -> None:
    rng = np.random.default_rng(3)
    left_and_right = {"d10": set(), "d6": set()}
    for kind, numeral, pips in (("d10", 7, UNKNOWN), ("d6", UNKNOWN, 4)):
        for _ in range(40):
            sample = sample_of(spotted(0.2, 0.0), row(kind, pips, numeral, (0.2, 0.0)), rng)
            assert (sample.kind, sample.pips, sample.numeral) == (KINDS.index(kind), pips, numeral)
            if not np.isnan(sample.top[2]):
                # A turn of 0 points up; the spot lies a quarter clockwise of it, whatever the turn.
                clockwise = math.degrees(math.atan2(sample.top[0], -sample.top[1]) - math.atan2(*sample.top[2:]))
                left_and_right[kind].add(round(clockwise / 90) % 4 if np.hypot(*sample.top[:2]) > 0.3 else 1)
    assert left_and_right["d10"] == {1}


def test_a_view_keeps_its_dice_where_they_are_seen() -> None:
    picture = np.full((300, 400, 3), 30, np.uint8)
    cv2.ellipse(picture, (150, 120), (30, 20), 0, 0, 360, (255, 255, 255), -1)
    die = KnownDie("d6", 3, (120.0, 100.0, 180.0, 140.0))
    rng, seen = np.random.default_rng(5), 0
    for _ in range(30):
        view = view_of(LabelledPicture(Path("a"), "scenes", (die,), True), picture, rng)
        for x0, y0, x1, y1 in view.boxes:
            white = np.argwhere(view.picture.min(axis=2) > 200)
            inside = white[(white > 0).all(axis=1) & (white < len(view.picture) - 1).all(axis=1)]
            if len(inside) and x0 > 0 and y0 > 0 and x1 < len(view.picture) and y1 < len(view.picture):
                found = (*inside.min(axis=0)[::-1], *inside.max(axis=0)[::-1])
                border = np.array(view.picture[0, 0]).min() > 200
                assert border or np.abs(np.array(found) - (x0, y0, x1, y1)).max() < 0.1 * (x1 - x0) + 4
                seen += 1
    assert seen > 10


def test_the_detectors_target_says_where_and_how_large() -> None:
    pytest.importorskip("torch", reason="training needs PyTorch, of training/pyproject.toml")
    from training.train_detector import batch_of

    picture = np.zeros((160, 160, 3), np.uint8)
    die = KnownDie("d6", 3, (40.0, 44.0, 88.0, 92.0))
    rng = np.random.default_rng(1)
    views = [view_of(LabelledPicture(Path("a"), "scenes", (die,), True), picture, rng, 160) for _ in range(4)]
    view = tiled(views)
    assert photographed_view(view.picture, rng).shape == (320, 320, 3)
    batch = batch_of([view])
    for x0, y0, x1, y1 in view.boxes:
        column, line = int((x0 + x1) / 2 / STRIDE), int((y0 + y1) / 2 / STRIDE)
        assert batch.heat[0, line, column] == 1
        wide, high = np.exp(batch.size[0, :, line, column].numpy()) * STRIDE
        middle = (np.array((column, line)) + batch.offset[0, :, line, column].numpy()) * STRIDE
        assert (wide, high) == pytest.approx((x1 - x0, y1 - y0), rel=1e-3)
        assert middle == pytest.approx(((x0 + x1) / 2, (y0 + y1) / 2), abs=0.01)
    target = target_of(view)
    assert (target.heat == 1).sum() == len(view.boxes)


def test_crops_are_cut_once_and_read_back(tmp_path: Path) -> None:
    picture = np.full((120, 160, 3), 90, np.uint8)
    cv2.rectangle(picture, (40, 30), (80, 70), (0, 0, 255), -1)
    cv2.imwrite(str(tmp_path / "0.png"), picture)
    dice = [{"kind": "d10", "value": 0, "box": [40, 30, 80, 70], "top": [60, 40], "turn": 15.0, "seen": 1.0}]
    scene = {"image": "0.png", "width": 160, "height": 120, "dice": dice}
    (tmp_path / "scenes.jsonl").write_text(json.dumps(scene) + "\n")
    crops = crops_of(scene_pictures([tmp_path]), tmp_path / "cache", "scenes")
    again = crops_of(scene_pictures([tmp_path]), tmp_path / "cache", "scenes")
    assert crops.rows.tobytes() == again.rows.tobytes() and len(crops) == len(again) > 1
    first = crops.rows[0]
    assert (KINDS[first["kind"]], first["pips"], first["numeral"]) == ("d10", UNKNOWN, 0)
    assert first["top"] == pytest.approx((0.0, -0.25))
    assert crops.patches[0, PATCH // 2, PATCH // 2].tolist() == [0, 0, 255]
    assert all(KINDS[kind] == "none" for kind in crops.rows["kind"][1:])


def test_a_whole_die_reaches_below_its_top_face_on_a_flat_look() -> None:
    assert whole_from_top((0, 0, 40, 40)) == (0, 0, 40, 40)
    assert whole_from_top((0, 0, 40, 20))[3] > 40
