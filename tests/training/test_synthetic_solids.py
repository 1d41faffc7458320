"""The dice of made-up scenes are dice: solids, marks that fit, and numbers as makers have them."""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from loomtable.vision.dice.solids import KINDS, Face, solid
from training.glyphs import PIP_STYLES, TURNABLE, Atlas, atlas, pip_places
from training.invent import make_scene
from training.scenes import LaidDie, Scene

FACES = {"d4": 4, "d6": 6, "d6_numeral": 6, "d8": 8, "d10": 10, "d100": 10, "d12": 12, "d20": 20}
CORNERS = {"d4": 4, "d6": 8, "d6_numeral": 8, "d8": 6, "d10": 12, "d100": 12, "d12": 20, "d20": 12}
OPPOSITE = {"d6": 7, "d6_numeral": 7, "d8": 9, "d10": 9, "d100": 90, "d12": 13, "d20": 21}
seeds = st.integers(0, 10**7)


@cache
def marks() -> Atlas:
    return atlas()


@cache
def scene(seed: int) -> Scene:
    return make_scene(seed, typefaces=marks().typefaces, size=(320, 240))


def dice_of(kind: str, most: int = 120) -> list[LaidDie]:
    found = [die for seed in range(most) for die in scene(seed).dice if die.kind == kind and not die.cocked]
    assert found, f"no {kind} in {most} scenes"
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_solids_are_right(kind: str) -> None:
    shape = solid(kind)
    edges = sum(len(face.corners) for face in shape.faces) // 2
    assert len(shape.faces) == FACES[kind]
    assert len(shape.corners) == CORNERS[kind]
    assert len(shape.corners) - edges + len(shape.faces) == 2, "Euler"
    assert (shape.corners @ shape.normals.T).max() < 1 + 1e-9, "no corner outside a plane"
    if kind != "d4":
        assert all(np.isclose(shape.normals @ face.normal, -1).sum() == 1 for face in shape.faces), (
            "faces in pairs"
        )
    for face in shape.faces:
        assert np.allclose(face.corners @ face.normal, 1) and np.isclose(face.middle @ face.normal, 1)
        assert np.isclose(np.linalg.norm(face.up), 1) and np.isclose(face.up @ face.normal, 0)


@pytest.mark.parametrize("lean", [43.5, 46.5, 49.5])
def test_every_d10_that_is_made_stands_on_a_face_with_another_above_it(lean: float) -> None:
    shape = solid("d10", lean)
    assert len(shape.corners) == 12
    kites = [sorted(np.linalg.norm(face.corners - np.roll(face.corners, 1, 0), axis=1)) for face in shape.faces]
    assert np.allclose(kites, kites[0]), "all faces are the same kite"
    assert np.allclose(kites[0][0], kites[0][1]) and np.allclose(kites[0][2], kites[0][3])


def in_face(face: Face, at: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether points of a face's plane lie within its corners."""
    inside = np.ones(len(at), bool)
    for one, two in zip(face.corners, np.roll(face.corners, -1, axis=0), strict=True):
        across = np.cross(face.normal, two - one)
        inside &= (at - one) @ across * np.sign((face.middle - one) @ across) > 0
    return inside


def inked(face: Face, tile: NDArray[np.uint8], size: float) -> NDArray[np.float64]:
    """Where on a face its mark's paint is."""
    rows, columns = np.nonzero(tile > 128)
    right, up = np.cross(face.up, face.normal), face.up
    at = (np.stack([columns, rows], 1) + 0.5) / tile.shape[0] * 2 - 1
    return np.asarray(face.middle + size * face.room * (at[:, :1] * right - at[:, 1:] * up))


@pytest.mark.parametrize("kind", KINDS)
def test_marks_fit_on_their_faces(kind: str) -> None:
    """Pips lie on their faces as a whole; of the largest numerals a bar or a corner may reach over an edge."""
    shares = []
    for die in dice_of(kind)[:12]:
        for face, mark in zip(die.solid.faces, die.marks, strict=True):
            tile = marks().tiles[marks().places[mark.mark, die.style, mark.text]]
            turned = dataclasses.replace(
                face, up=np.cos(mark.turn) * face.up - np.sin(mark.turn) * np.cross(face.up, face.normal)
            )
            shares.append(in_face(face, inked(turned, tile, die.size)).mean())
            assert shares[-1] > (0.999 if kind == "d6" else 0.75), f"{mark.text} ({mark.mark}) in size {die.size}"
    assert np.mean(shares) > 0.96


@pytest.mark.parametrize("kind", OPPOSITE)
def test_opposite_faces_add_up_as_makers_have_it(kind: str) -> None:
    for die in dice_of(kind)[:60]:
        numbers = [int(mark.text) for mark in die.marks]
        assert len(set(numbers)) == FACES[kind]
        for face, number in zip(die.solid.faces, numbers, strict=True):
            across = int(np.argmin(die.solid.normals @ face.normal))
            assert number + numbers[across] == OPPOSITE[kind]


def test_pips_are_as_many_as_they_count() -> None:
    import cv2

    for style in range(PIP_STYLES):
        for value in range(1, 7):
            tile = marks().tiles[marks().places["pips", style, str(value)]]
            discs, _ = cv2.connectedComponents((tile > 128).astype(np.uint8))
            assert discs - 1 == value == len(pip_places(value))


def test_six_and_nine_carry_a_mark_and_differ_by_it() -> None:
    for typeface in range(marks().typefaces):
        for text in TURNABLE:
            plain = marks().tiles[marks().places["plain", typeface, text]].astype(int)
            for kind in ("bar", "dot"):
                marked = marks().tiles[marks().places[kind, typeface, text]].astype(int)
                assert ((marked > 128) & (plain < 120)).sum() >= 12, f"typeface {typeface}: {text} has no {kind}"
    shown = [
        mark.mark
        for seed in range(120)
        for die in scene(seed).dice
        if die.kind == "d10"
        for mark in die.marks
        if mark.text in ("6", "9")
    ]
    assert {"bar", "dot", "plain"} == set(shown)
    assert shown.count("plain") < 0.35 * len(shown), "most dice say which way up their 6 and 9 are"


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_dice_lie_on_the_table_with_their_value_up(seed: int) -> None:
    for die in scene(seed).dice:
        at = die.solid.corners @ die.turn.T * die.inner + die.place
        assert np.isclose(at[:, 2].min(), 0, atol=1e-6), "nothing below the table, nothing above it"
        assert np.allclose(die.turn @ die.turn.T, np.eye(3)) and np.linalg.det(die.turn) > 0
        assert die.cocked or np.isclose(np.abs(die.turn @ die.solid.faces[die.up_face].normal)[2], 1)
        if die.value is not None:
            assert np.isclose((die.turn @ die.solid.faces[die.up_face].normal)[2], 1)
            assert die.value == int(die.marks[die.up_face].text)
        assert (die.value is None) == (die.cocked or die.kind == "d4")


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_a_seed_makes_one_scene(seed: int) -> None:
    again = make_scene(seed, typefaces=marks().typefaces, size=(320, 240))
    assert repr(again) == repr(scene(seed))
