"""Paper dice really fold up: every net, folded in space by its solid's angles, closes."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from loomtable.printkit.components.plain_dice import D6_EDGE, D10_NUMBERS, D10_RADIUS
from loomtable.printkit.components.plain_dice_net import Folding, Net, cube, overlap, trapezohedron, unfolded
from loomtable.printkit.games.weave.weave_die import EDGE

SOLIDS = {
    "d6": cube(D6_EDGE),
    "weave": cube(EDGE),
    "d10": trapezohedron(D10_RADIUS),
    "flat d10": trapezohedron(20, 0.08),
}
Vector = npt.NDArray[np.float64]


@pytest.fixture(params=SOLIDS, ids=str)
def solid(request: pytest.FixtureRequest) -> Folding:
    return SOLIDS[request.param]


def loop_of(solid: Folding, face: int) -> Vector:
    return np.array([solid.corners[corner] for corner in solid.faces[face]])


def normal_of(solid: Folding, face: int) -> Vector:
    a, b, c = loop_of(solid, face)[:3]
    across = np.cross(b - a, c - b)
    return across / np.linalg.norm(across)


def test_faces_are_flat_and_look_outwards(solid: Folding) -> None:
    for face in range(len(solid.faces)):
        corners, normal = loop_of(solid, face), normal_of(solid, face)
        assert np.ptp(corners @ normal) < 1e-9
        assert (corners @ normal).min() > 0


def test_every_edge_is_shared_by_two_faces_that_run_along_it_in_opposite_directions(solid: Folding) -> None:
    edges = [(loop[at - 1], loop[at]) for loop in solid.faces for at in range(len(loop))]
    assert len(edges) == len(set(edges))
    assert {(b, a) for a, b in edges} == set(edges)
    assert len(solid.corners) - len(edges) // 2 + len(solid.faces) == 2


def test_every_length_on_the_paper_is_the_length_on_the_solid(solid: Folding) -> None:
    net = unfolded(solid)
    for face, flat in enumerate(net.faces):
        for (a, p), (b, q) in combinations(zip(loop_of(solid, face), flat, strict=True), 2):
            assert math.dist(p, q) == pytest.approx(math.dist(a, b), abs=1e-9)


def folded(solid: Folding, net: Net) -> list[Vector]:
    """The net's faces in space, each turned about its fold until it stands to its neighbour as on the solid."""
    before = {following: placed for placed, following in solid.folds}
    fold_of = {following: at for at, (_, following) in enumerate(solid.folds)}
    spatial = [np.column_stack([np.array(face), np.zeros(len(face))]) for face in net.faces]

    def branch(face: int) -> list[int]:
        return [face, *(n for child, parent in before.items() if parent == face for n in branch(child))]

    def depth(face: int) -> int:
        return 0 if face not in before else 1 + depth(before[face])

    # From the tips inwards, so that every fold still lies where the net has it when its turn comes.
    for face in sorted(before, key=depth, reverse=True):
        start, end = (np.array([*point, 0.0]) for point in net.folds[fold_of[face]])
        angle = math.acos(np.clip(normal_of(solid, face) @ normal_of(solid, before[face]), -1, 1))
        axis = (end - start) / np.linalg.norm(end - start)
        # The fold runs along its placed face with the next face to its right; the printed side (up) stays outside.
        for part in branch(face):
            spatial[part] = turned(spatial[part] - start, axis, angle) + start
    return spatial


def turned(points: Vector, axis: Vector, angle: float) -> Vector:
    along = np.outer(points @ axis, axis)
    return along + math.cos(angle) * (points - along) + math.sin(angle) * np.cross(axis, points)


def test_the_folded_net_closes(solid: Folding) -> None:
    spatial = folded(solid, unfolded(solid))
    met: dict[int, list[Vector]] = {}
    for loop, places in zip(solid.faces, spatial, strict=True):
        for corner, place in zip(loop, places, strict=True):
            met.setdefault(corner, []).append(place)
    for corner, places in met.items():
        assert np.ptp(np.array(places), axis=0).max() < 1e-6, f"corner {corner} does not meet"
    middles = [np.mean(met[corner], axis=0) for corner in range(len(solid.corners))]
    for (a, p), (b, q) in combinations(zip(solid.corners, middles, strict=True), 2):
        assert math.dist(p, q) == pytest.approx(math.dist(a, b), abs=1e-6)


def test_each_open_edge_has_one_flap_and_nothing_overlaps(solid: Folding) -> None:
    net = unfolded(solid)
    edges = sum(map(len, solid.faces)) // 2
    assert len(net.folds) == len(solid.faces) - 1
    assert len(net.flaps) == edges - len(net.folds)
    for one, other in combinations((*net.faces, *net.flaps), 2):
        assert not overlap(one, other)


@pytest.mark.parametrize("name", ["d6", "weave"])
def test_opposite_sides_of_a_cube_sum_to_seven(name: str) -> None:
    solid = SOLIDS[name]
    for one, other in combinations(range(6), 2):
        opposite = bool(np.allclose(normal_of(solid, one), -normal_of(solid, other)))
        assert opposite == (one + 1 + other + 1 == 7)


def test_one_two_and_three_run_anticlockwise_round_their_corner() -> None:
    one, two, three = (normal_of(SOLIDS["d6"], face) for face in range(3))
    assert np.linalg.det(np.array([one, two, three])) > 0


def test_opposite_numbers_of_a_d10_sum_to_nine_and_odd_ones_share_a_pole() -> None:
    solid = SOLIDS["d10"]
    assert sorted(D10_NUMBERS) == list(range(10))
    for face in range(5):
        assert np.allclose(normal_of(solid, face), -normal_of(solid, face + 5))
        assert D10_NUMBERS[face] + D10_NUMBERS[face + 5] == 9
    assert {number % 2 for number in D10_NUMBERS[:5]} == {1}
