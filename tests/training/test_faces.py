"""What the network learns from that reads one face of a die laid flat."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs PyTorch, of training/pyproject.toml")
from loomtable.vision.dice.faces import FACE_SIDE
from loomtable.vision.dice.numerals import STRINGS
from loomtable.vision.dice.pose import SolidPose, yaw_of
from loomtable.vision.die_kinds import Kind
from training.invent import make_scene
from training.train_faces import PATCH, ROW, Faces, face_views
from training.views import projected, upright_at


@pytest.mark.parametrize("kind", ["d8", "d10", "d12", "d20"])
def test_a_face_is_cut_out_for_training_where_the_reader_looks_for_it(kind: str) -> None:
    """The pose of a solid and the scene it is drawn from agree about where the upper face lies."""
    scene = make_scene(2, typefaces=1, kinds=(kind,), elevations=(35, 60))
    for die in scene.dice:
        if die.cocked:
            continue
        face = die.solid.faces[die.up_face]
        polygon = projected(scene.camera, face.corners * die.inner @ die.turn.T + die.place)
        upright = upright_at(scene.camera, die.place)
        away = float(np.linalg.norm(scene.camera.eye - die.place))
        scale = scene.camera.focal * scene.camera.width * die.inner / away
        ((x, y),) = projected(scene.camera, die.place[None]).tolist()
        pose = SolidPose(Kind(kind), upright, yaw_of(polygon.tolist(), upright.tolist()), scale, (x, y), 1.0)
        place, radius, squeeze = pose.circle_on(0, 0)
        shown = STRINGS.index(die.marks[die.up_face].text)
        views = {string: (where, steps) for string, where, steps in face_views(scene, die)}
        where, steps = views[shown]
        assert np.hypot(*(where - place)) < 0.35 * radius
        assert np.linalg.det(steps) == pytest.approx(np.linalg.det(squeeze) * radius**2, rel=0.4), (
            "and not mirrored"
        )


def test_a_numeral_is_to_be_read_upright_and_in_the_middle_alone() -> None:
    """Of a bar above the middle, what is to be read has it above, and nothing else does."""
    patch = np.full((PATCH, PATCH, 3), 60, np.uint8)
    patch[PATCH // 2 - 20 : PATCH // 2 - 8, PATCH // 2 - 14 : PATCH // 2 + 14] = 220
    rows = np.array([(7, 60.0)], ROW)
    rng, away = np.random.default_rng(5), np.arange(FACE_SIDE) - (FACE_SIDE - 1) / 2
    above = {True: 0, False: 0}
    shown = [Faces(patch[None], rows).one(rng) for _ in range(200)]
    for crop, string in shown:
        assert string in (7, len(STRINGS))
        grey = crop.astype(float).mean(axis=2)
        strange = np.abs(grey - np.median(grey))
        strange[strange < 0.5 * strange.max()] = 0
        x, y = (strange @ away).sum() / strange.sum(), (strange * away[:, None]).sum() / strange.sum()
        above[string == 7] += abs(x) < 0.5 * -y
    read = sum(string == 7 for _, string in shown)
    assert 90 < read < 140
    assert above[True] > 0.55 * read
    assert above[False] < 0.2 * (200 - read)
