"""A die read by all faces that can be seen, laid flat, and by the layout of its kind."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.vision.dice import Kind, Verdict
from loomtable.vision.dice.faces import read_layout
from loomtable.vision.dice.layouts import (
    MIN_SCORE,
    DieLayout,
    LayoutReading,
    hypotheses,
    layouts,
    marks_of,
    parse_layouts,
)
from loomtable.vision.dice.networks import load_models
from loomtable.vision.dice.pose import standing
from loomtable.vision.network import Network
from tests.vision.dice_seen import laid, lying, read
from tests.vision.needed import needs_networks
from tests.vision.solids_drawn import UPRIGHT, camera_at, drawn, lying_as


def seen(kind: Kind, way: int, *, off: float = 0.0, swapped: bool = False) -> LayoutReading:
    """What is read of a die that lies as one hypothesis has it, if its yaw is told ``off`` radians away; or of one
    whose numbers are all elsewhere but the upper one."""
    models = load_models()
    assert models is not None and models.faces is not None
    pose, marks = lying_as(kind, way)
    if swapped:
        marks[1:] = marks[:0:-1]
    near = replace(pose, yaw=pose.yaw + off)
    reading = read_layout(models.faces, drawn(pose, marks), near, camera_at(UPRIGHT))
    assert reading is not None
    return reading


@pytest.mark.parametrize("layout", layouts(), ids=lambda layout: layout.kind.value)
def test_opposite_faces_add_up_as_makers_have_it(layout: DieLayout) -> None:
    kind = layout.kind
    numbers = np.array(kind.numbers)[marks_of(layout)[:, 0]]
    normals = standing(kind).normals
    opposite = (normals @ normals.T).argmin(axis=1)
    assert {*(numbers + numbers[opposite]).tolist()} == {kind.numbers[0] + kind.numbers[-1]}


@pytest.mark.parametrize("kind", [Kind.D8, Kind.D10, Kind.D12, Kind.D20])
def test_each_way_to_lie_is_another_and_every_number_is_up_as_often(kind: Kind) -> None:
    ways = hypotheses(kind)
    assert ways is not None
    assert len({tuple(way) for way in np.hstack([ways.numbers, ways.turns])}) == len(ways.numbers)
    assert len({*np.bincount(ways.numbers[:, 0])}) == 1
    assert all(sorted(way) == list(range(len(kind.numbers))) for way in ways.numbers.tolist())


def test_neighbours_that_fit_on_no_die_are_refused() -> None:
    faces = {1: (2, 3, 5, 4), 2: (1, 4, 6, 3), 3: (1, 2, 6, 5), 4: (1, 5, 6, 2), 5: (1, 3, 6, 4), 6: (2, 3, 5, 4)}
    for wrong in (faces, {1: (2, 3, 5, 4)}):
        with pytest.raises(ContentInvalid, match="no d6 with numerals has all of these neighbours"):
            parse_layouts(f"- {{kind: d6_numeral, source: nobody, faces: {{{_listed(wrong)}}}}}", "table.yaml")


def _listed(faces: dict[int, tuple[int, ...]]) -> str:
    return ", ".join(f"{number}: [{', '.join(map(str, ring))}]" for number, ring in faces.items())


@needs_networks
@pytest.mark.parametrize("way", [0, 17, 40])
def test_a_d20_is_read_by_all_its_faces(way: int) -> None:
    ways = hypotheses(Kind.D20)
    assert ways is not None
    reading = seen(Kind.D20, way, off=math.radians(10))
    assert reading.is_sure, (reading.score, reading.faces)
    assert int(reading.numbers.argmax()) == ways.numbers[way, 0]
    assert len(reading.faces) >= 4
    assert all(shown == Kind.D20.numbers[ways.numbers[way, face]] for face, shown, _ in reading.faces)
    assert reading.up.argmax() == 0 and reading.up.sum() == pytest.approx(1)


@needs_networks
def test_a_die_that_fits_nowhere_is_looked_for_in_few_places(monkeypatch: pytest.MonkeyPatch) -> None:
    seen_crops: list[int] = []
    run = Network.run

    def counted(self: Network, inputs: np.ndarray) -> dict[str, np.ndarray]:
        seen_crops.append(len(inputs))
        return run(self, inputs)

    monkeypatch.setattr(Network, "run", counted)
    assert not seen(Kind.D20, 17, swapped=True).is_sure
    assert 1 < len(seen_crops) <= 4, "a hopeless die is not looked for farther away"
    seen_crops.clear()
    assert seen(Kind.D20, 53).is_sure
    assert len(seen_crops) == 1, "the first pose fits"
    seen_crops.clear()
    assert seen(Kind.D20, 17, off=math.radians(20)).is_sure
    assert 1 < len(seen_crops) <= 6, "the pose was found step by step"
    seen_crops.clear()
    assert seen(Kind.D10, 4, off=math.radians(20)).is_clear
    assert len(seen_crops) > 1, "where another number nearly fits, it is looked at from elsewhere"


@needs_networks
def test_a_die_whose_numbers_lie_elsewhere_fits_no_layout() -> None:
    reading = seen(Kind.D20, 17, swapped=True)
    assert not reading.is_sure
    assert reading.score < MIN_SCORE


def test_a_die_whose_faces_fit_no_layout_is_asked_about() -> None:
    sure = lying(Kind.D20, 14)
    assert read(sure, asked="1d20").verdict is Verdict.ACCEPTED
    for layout in (None, laid(Kind.D20, 14, score=MIN_SCORE - 0.1), laid(Kind.D20, 14, lead=1.0)):
        unsure = replace(sure, layout=layout)
        tray = read(unsure, asked="1d20")
        assert (tray.verdict, tray.faces) == (Verdict.ASK, (14,)), "the number is proposed"


def test_the_layout_outweighs_the_networks_unless_it_is_hardly_surer() -> None:
    misread = lying(Kind.D20, 4)
    assert read(replace(misread, layout=laid(Kind.D20, 14)), asked="1d20").faces == (14,)
    torn = read(replace(misread, layout=laid(Kind.D20, 14, lead=5.0)), asked="1d20")
    assert (torn.verdict, torn.reason) == (Verdict.ASK, "the die could be a 4 or a 14")


def test_a_face_that_the_networks_read_beside_the_upper_one_is_asked_about_unless_the_camera_is_known() -> None:
    """A die held before the camera upside down: its pose is as good with the neighbour up."""
    for chance, verdict in ((0.2, Verdict.ASK), (0.001, Verdict.ACCEPTED)):
        tray = read(replace(lying(Kind.D20, 20), layout=laid(Kind.D20, 14, beside=(20, chance))), asked="1d20")
        assert tray.verdict is verdict, tray.reason
    assert (
        "more than one face"
        in read(replace(lying(Kind.D20, 20), layout=laid(Kind.D20, 14, beside=(20, 0.2))), asked="1d20").reason
    )
