"""The pose of a die: solids that stand on a face, seen from anywhere, and what is drawn and read by them."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.vision.arrays import Float64Array
from loomtable.vision.boxes import intersection
from loomtable.vision.dice.pose import ORDERS, SYMMETRIES, SolidPose, joint_yaw, pose_in, standing, yaw_of
from loomtable.vision.die_kinds import Kind
from loomtable.vision.overlay import Mark, draw_marks, place_plates
from training.develop import labels
from training.invent import make_scene
from training.raster import Rasteriser
from training.views import RendererMissing

SOLIDS = st.sampled_from(list(SYMMETRIES))
ELEVATIONS = st.floats(15, 90)
TURNS = st.floats(-math.pi, math.pi)


def upright_from(elevation: float, roll: float) -> Float64Array:
    length = math.cos(math.radians(elevation))
    return np.array([math.sin(roll) * length, -math.cos(roll) * length])


def said(kind: Kind, yaw: float, concentration: float = 20.0) -> np.ndarray:
    """What a network says that sees the yaw."""
    vectors = np.zeros((len(ORDERS), 2), np.float32)
    turned = SYMMETRIES[kind] * yaw
    vectors[ORDERS.index(SYMMETRIES[kind])] = concentration * math.cos(turned), concentration * math.sin(turned)
    return vectors.ravel()


def posed(kind: Kind, upright: Float64Array, yaw: float, scale: float = 30.0) -> SolidPose:
    return SolidPose(kind, upright, yaw, scale, (200.0, 150.0), 1.0)


def apart(one: Float64Array, other: Float64Array) -> float:
    """How far the corners of one outline lie from those of another, whichever comes first."""
    return float(np.linalg.norm(one[:, None] - other, axis=2).min(axis=1).max())


@given(SOLIDS, ELEVATIONS, TURNS, TURNS)
def test_a_solid_is_found_again_in_its_box(kind: Kind, elevation: float, roll: float, yaw: float) -> None:
    upright = upright_from(elevation, roll)
    true = posed(kind, upright, yaw)
    corners = true.project(standing(kind).corners)
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    found = pose_in((x0, y0, x1, y1), kind, upright, said(kind, yaw))
    assert found.scale == pytest.approx(30)
    assert found.aspect == pytest.approx((y1 - y0) / (x1 - x0))
    assert apart(found.faces[0], true.faces[0]) < 0.01
    assert apart(found.project(standing(kind).corners), corners) < 0.01
    assert found.is_sure
    assert not pose_in((x0, y0, x1, y1), kind, upright, said(kind, yaw, 0.5)).is_sure


@given(SOLIDS, TURNS, st.floats(1, 20))
def test_two_networks_that_agree_on_the_yaw_are_surer_and_two_that_differ_are_not(
    kind: Kind, yaw: float, sure: float
) -> None:
    def sureness(*yaws: float) -> float:
        told = joint_yaw([said(kind, one, sure) for one in yaws])
        assert told is not None
        return pose_in((0, 0, 60, 60), kind, upright_from(50, 0), told).yaw_probability

    alone, opposite = sureness(yaw), yaw + math.pi / SYMMETRIES[kind]
    assert sureness(yaw, yaw) > alone > sureness(yaw, opposite)
    assert sureness(yaw, opposite) < 0.3


@given(SOLIDS, st.floats(20, 90), TURNS, TURNS)
def test_the_yaw_is_told_by_the_upper_face(kind: Kind, elevation: float, roll: float, yaw: float) -> None:
    upright = upright_from(elevation, roll)
    off = SYMMETRIES[kind] * (yaw_of(posed(kind, upright, yaw).faces[0], upright) - yaw)
    assert math.cos(off) == pytest.approx(1, abs=1e-6)


@given(SOLIDS, ELEVATIONS, TURNS, TURNS)
def test_the_faces_that_are_seen_cover_the_outline_once(
    kind: Kind, elevation: float, roll: float, yaw: float
) -> None:
    pose = posed(kind, upright_from(elevation, roll), yaw)
    outline = cv2.convexHull(pose.project(standing(kind).corners).astype(np.float32))
    faces = sum(cv2.contourArea(face.astype(np.float32)) for face in pose.faces)
    assert faces == pytest.approx(cv2.contourArea(outline), rel=0.02)


def test_sides_are_drawn_thinly_and_no_plate_covers_them() -> None:
    pose = posed(Kind.D6, upright_from(30, 0.0), 0.4, 60.0)
    top, *sides = (tuple((float(x), float(y)) for x, y in face) for face in pose.faces)
    bare, mark = np.full((400, 400, 3), 90, np.uint8), Mark(top, "5", sides=tuple(sides))
    drawn = draw_marks(bare, [mark])
    half = mark.scaled(0.5)
    assert half.sides[0][0] == (sides[0][0][0] / 2, sides[0][0][1] / 2)
    assert half.polygon[1] == (top[1][0] / 2, top[1][1] / 2)
    for side in sides:
        (ax, ay), (bx, by) = side[0], side[1]
        x, y = round((ax + bx) / 2), round((ay + by) / 2)
        assert (drawn[y - 2 : y + 3, x - 2 : x + 3] != 90).any()
    (plate,) = place_plates([mark], (400, 400))
    x, y = np.concatenate(pose.faces).T
    assert intersection(plate, (x.min(), y.min(), x.max(), y.max())) == 0


@pytest.mark.parametrize("kind", ["d6_numeral", "d8", "d10", "d12", "d20"])
def test_the_labels_of_a_rendered_die_agree_with_its_pose(kind: str) -> None:
    try:
        renderer = Rasteriser(finer=1.0)
    except RendererMissing as missing:
        pytest.skip(str(missing))
    compared = 0
    for seed in range(7_200_000, 7_200_002):
        scene = make_scene(seed, typefaces=renderer.typefaces, size=(320, 240), kinds=(kind,), elevations=(25, 70))
        for die in labels(scene, renderer.draw(scene).which):
            if die.cocked or die.seen < 0.98:
                continue
            upright = np.array(die.upright)
            pose = pose_in(die.box, Kind(kind), upright, said(Kind(kind), yaw_of(die.polygon, die.upright)))
            side = max(die.box[2] - die.box[0], die.box[3] - die.box[1])
            off = np.linalg.norm(pose.faces[0].mean(axis=0) - np.mean(die.polygon, axis=0))
            assert off < 0.1 * side, (seed, die)
            compared += 1
    assert compared
