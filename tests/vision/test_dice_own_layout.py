"""The layout of a person's own die, learned from the rolls that they agreed to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import platformdirs
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from loomtable.vision.dice import Kind, TrayReading, Verdict
from loomtable.vision.dice.enrolment.own_layout import MIN_ROLLS, AgreedRoll, learn_layouts
from loomtable.vision.dice.enrolment.rolls import confirmed_rolls, forget_rolls, learn_roll, own_dice
from loomtable.vision.dice.faces import read_layout
from loomtable.vision.dice.layouts import MIN_LOG, LayoutReading, LearnedLayout, hypotheses, rotations, ways_of
from loomtable.vision.dice.networks import load_models
from loomtable.vision.dice.pose import standing
from loomtable.vision.tray import SeenDie
from tests.vision.needed import needs_networks
from tests.vision.solids_drawn import UPRIGHT, camera_at, drawn, lying_as


def spindown(kind: Kind, seed: int) -> LearnedLayout:
    """A die on which each number lies beside the next, for counting down; its numerals stand in any direction."""
    chance, shape = np.random.default_rng(seed), standing(kind)
    near = np.sort(shape.normals @ shape.normals.T)[:, -2:-1] - 1e-6 <= shape.normals @ shape.normals.T
    path: list[int] = []

    def on(face: int) -> bool:
        path.append(face)
        free = [int(k) for k in np.flatnonzero(near[face]) if k not in path]
        free.sort(key=lambda k: (sum(near[k, m] and m not in path for m in range(len(near))), chance.random()))
        done = len(path) == len(near) or any(on(k) for k in free)
        if not done:
            path.pop()
        return done

    assert on(0)
    turns = chance.integers(shape.ups.shape[1], size=len(path))
    return LearnedLayout(kind, tuple((len(path) - 1 - path.index(k), int(turns[k])) for k in range(len(path))))


def rolled(layout: LearnedLayout, way: int, seed: int, misread: float = 0.1) -> AgreedRoll:
    """What is read of a die that lies in one of its ways: of its upper face and those beside it, some wrongly."""
    chance, shape, ways = np.random.default_rng(seed), standing(layout.kind), ways_of(layout)
    seen = np.zeros((len(shape.faces), shape.ups.shape[1], len(layout.kind.numbers)), np.float32)
    for face in np.flatnonzero(shape.normals[:, 2] > 0.4):
        seen[face] = MIN_LOG
        at = (ways.turns[way, face], ways.numbers[way, face])
        if chance.random() < misread:
            at = (chance.integers(seen.shape[1]), chance.integers(seen.shape[2]))
        seen[face][at] = np.log(0.9)
    return int(ways.numbers[way, 0]), seen


def wrong_faces(found: LearnedLayout, truth: LearnedLayout) -> int:
    """How many faces are numbered otherwise than on the die, however it is turned."""
    known, (from_, turned) = np.array(found.marks), rotations(truth.kind)
    numbers, turns = np.array(truth.marks).T
    turns = (turns[from_] + turned) % standing(truth.kind).ups.shape[1]
    alike = (known[:, 0] == numbers[from_]) & (known[:, 1] == turns)
    return int((known[:, 0] >= 0).sum() - (alike & (known[:, 0] >= 0)).sum(axis=1).max())


def read(kind: Kind, seen: np.ndarray, own: tuple[LearnedLayout, ...]) -> LayoutReading:
    """What a die's faces say, where one's own layouts are known."""
    ways = hypotheses(kind, own)
    assert ways is not None
    scores = ways.fits(seen).sum(axis=1)
    shape = lying_as(kind, 0)[0]
    return LayoutReading(shape, ways.upper(scores), float(scores.max()), (), np.zeros(1), seen)


def all_rolls(layout: LearnedLayout, count: int, seed: int, misread: float = 0.1) -> list[AgreedRoll]:
    ways = np.random.default_rng(seed).integers(len(ways_of(layout).numbers), size=count)
    return [rolled(layout, int(way), 1000 * seed + k, misread) for k, way in enumerate(ways)]


@settings(deadline=None, max_examples=8, phases=(Phase.generate,))
@given(st.sampled_from((Kind.D20, Kind.D12)), st.integers(0, 2**16))
def test_a_die_laid_out_otherwise_is_learned_and_never_read_wrongly(kind: Kind, seed: int) -> None:
    truth = spindown(kind, seed)
    agreed, later = all_rolls(truth, 40, seed), all_rolls(truth, 20, seed + 1, 0.0)
    assert not any(read(kind, seen, ()).is_sure for _, seen in later), "it is asked about"
    assert learn_layouts(kind, agreed[: MIN_ROLLS - 1]) == ()
    own = learn_layouts(kind, agreed)
    assert own and all(wrong_faces(layout, truth) == 0 for layout in own)
    sure = [(number, seen) for number, seen in later if read(kind, seen, own).is_sure]
    assert len(sure) >= len(later) / 2
    assert all(read(kind, seen, own).numbers.argmax() == number for number, seen in sure)


@settings(deadline=None, max_examples=3, phases=(Phase.generate,))
@given(st.integers(0, 2**16))
def test_of_two_such_dice_and_with_wrong_taps_nothing_is_read_that_is_not_so(seed: int) -> None:
    kind, chance = Kind.D20, np.random.default_rng(seed)
    dice = spindown(kind, seed), spindown(kind, seed + 1)
    agreed = [*all_rolls(dice[0], 32, seed), *all_rolls(dice[1], 32, seed + 1)]
    told = [(int(chance.integers(20)) if chance.random() < 0.1 else number, seen) for number, seen in agreed]
    own = learn_layouts(kind, [told[k] for k in chance.permutation(len(told))])
    for number, seen in all_rolls(dice[0], 20, seed + 2, 0.0):
        found = read(kind, seen, own)
        assert not found.is_sure or found.numbers.argmax() == number


@settings(deadline=None, max_examples=6)
@given(st.integers(0, 2**16))
def test_a_die_that_is_laid_out_as_usual_teaches_no_layout(seed: int) -> None:
    known = hypotheses(Kind.D20)
    assert known is not None
    usual = LearnedLayout(Kind.D20, tuple(zip(known.numbers[0].tolist(), known.turns[0].tolist(), strict=True)))
    assert learn_layouts(Kind.D20, all_rolls(usual, 40, seed, 0.0)) == ()


def pictures(
    layout: LearnedLayout | None, ways: Sequence[int], own: tuple[LearnedLayout, ...]
) -> list[LayoutReading]:
    """A drawn d20 of this layout, or of the usual one, as it is read lying in these ways."""
    models = load_models()
    assert models is not None and models.faces is not None
    found = []
    for way in ways:
        pose, marks = lying_as(Kind.D20, way)
        if layout is not None:
            at = ways_of(layout)
            marks = [(n + 1, t) for n, t in zip(at.numbers[way].tolist(), at.turns[way].tolist(), strict=True)]
        reading = read_layout(models.faces, drawn(pose, marks), pose, camera_at(UPRIGHT), own)
        assert reading is not None
        found.append(reading)
    return found


@needs_networks
def test_a_drawn_spindown_is_asked_about_until_its_rolls_were_agreed_to_and_forgotten_when_told_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path))
    truth, chance = spindown(Kind.D20, 3), np.random.default_rng(3)
    up = ways_of(truth).numbers[:, 0]
    ways = chance.permutation(60).tolist()
    for way, seen in zip(ways[:45], pictures(truth, ways[:45], ()), strict=True):
        assert not seen.is_sure or int(seen.numbers.argmax()) == up[way], "before, it is asked about"
        crop = np.zeros((96, 96, 3), np.uint8)
        die = SeenDie(Kind.D20.die, int(up[way]) + 1, (0, 0, 60, 60), 1.0, crop=crop, seen=seen.seen)
        assert learn_roll(TrayReading(Verdict.ACCEPTED, "", (die,))) == 1
    own = own_dice().layouts
    assert [wrong_faces(layout, truth) for layout in own] == [0]
    assert "a layout of your own" in confirmed_rolls()[0].words
    later = pictures(truth, ways[45:], own)
    sure = [
        (int(seen.numbers.argmax()), int(up[way]))
        for way, seen in zip(ways[45:], later, strict=True)
        if seen.is_sure
    ]
    assert len(sure) >= 8 and all(read == lying for read, lying in sure)
    usual = pictures(None, (6, 18, 54), own)
    known = hypotheses(Kind.D20)
    assert known is not None
    assert [int(seen.numbers.argmax()) for seen in usual] == known.numbers[[6, 18, 54], 0].tolist()
    assert all(seen.is_sure for seen in usual), "a die that is laid out as usual lies beside it"
    forget_rolls()
    assert own_dice().layouts == ()
