"""A die with numerals, read by all faces that can be seen, laid flat, by a network that knows faces laid flat.

The pose of the solid says where each face lies; how large it is, its yaw and its elevation are looked for round
what the other networks measure, until what is read fits a layout (``layouts.py``). Each face is shown upright for
every way in which its numeral may stand, with what lies round it, and the network says what stands there upright,
if anything.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.camera_pose import CameraPose, views
from loomtable.vision.dice.crops import as_input, patch_for
from loomtable.vision.dice.evidence import log_softmax
from loomtable.vision.dice.layouts import MIN_LOG, Hypotheses, LayoutReading, LearnedLayout, hypotheses
from loomtable.vision.dice.numerals import STRINGS, spelling
from loomtable.vision.dice.pose import SolidPose, standing
from loomtable.vision.die_kinds import Kind
from loomtable.vision.network import Network
from loomtable.vision.pictures import BgrImage

FACE_SIDE = 48
"""Side of the network's crops, px. As trained."""
FACE_ROOMS = 3.6
"""The same in radii of the largest circle on the face: a numeral fills a quarter to half of it. As trained."""
MIN_FACING, MIN_FACING_BESIDE = 0.5, 0.35
"""Cosine between a face's normal and the camera's direction from which it is read; the second of d8 and d12, whose
faces beside the top are steep. Chosen on photographs and rendered dice."""
SEARCH = (
    (-math.inf, ((0.85, 0.0, 1.0),)),
    (-math.inf, ((1.0, -12.0, 1.0), (1.0, 12.0, 1.0))),
    (-7.0, ((1.0, -12.0, 1.0), (1.0, 12.0, 1.0))),
    (-7.0, ((1.0, 0.0, 0.6),)),
)
"""Where else a die is looked for until a reading is clear, each round from the best so far, if that has this
score: how much smaller than its box says, how many degrees turned, and with what part of the camera's lean. Chosen
on photographs and rendered dice (``models/README.md``)."""
_REACH = 2.2
"""How far from the middle of a solid a face is shown, in its inner radii. By definition, and a little more."""


def read_layout(
    network: Network, picture: BgrImage, pose: SolidPose, camera: CameraPose, own: tuple[LearnedLayout, ...] = ()
) -> LayoutReading | None:
    """Read a die at a pose, or one near it; nothing where no layout of its kind is known.

    Args:
        network: reads faces laid flat.
        picture: (height, width, 3) blue green red, 8 bits.
        pose: as the die's box and the other networks tell it.
        camera: from where the picture was taken.
        own: how a person's own dice are laid out.
    """
    ways = hypotheses(pose.kind, own)
    if ways is None:
        return None
    best = (1.0, 0.0, 1.0)
    tried = {best: _read(network, picture, pose, 1.0, ways, camera)}
    for least, steps in SEARCH:
        for near in [(best[0] * size, best[1] + yaw, best[2] * lean) for size, yaw, lean in steps]:
            if near in tried or tried[best].is_clear or tried[best].is_mute or tried[best].score < least:
                continue
            size, yaw, lean = near
            posed = replace(pose, upright=lean * pose.upright, yaw=pose.yaw + math.radians(yaw))
            tried[near] = _read(network, picture, posed, size, ways, camera)
            best = max(best, near, key=lambda at: tried[at].score)
    return tried[best]


def _read(
    network: Network, picture: BgrImage, pose: SolidPose, size: float, ways: Hypotheses, camera: CameraPose
) -> LayoutReading:
    kind, facing = pose.kind, pose.normals[:, 2]
    least = MIN_FACING_BESIDE if kind in (Kind.D8, Kind.D12) else MIN_FACING
    places = [0, *(k for k in range(1, len(facing)) if facing[k] > least)]
    logs = _flat_faces(network, picture, pose, places, size)
    strings = [STRINGS.index(spelling(kind, number)) for number in kind.numbers]
    weights = np.where(np.array(places) == 0, 1.0, facing[places])
    seen = np.zeros((len(facing), logs.shape[1], len(strings)), np.float32)
    seen[places] = weights[:, None, None] * np.maximum(logs[:, :, strings], MIN_LOG)
    fits = ways.fits(seen)
    scores = fits.sum(axis=1)
    best = int(scores.argmax())
    chances = np.exp(fits[best, places] / weights).tolist()
    shown = [kind.numbers[number] for number in ways.numbers[best, places]]
    faces = tuple(zip(places, shown, chances, strict=True))
    return LayoutReading(
        pose, log_softmax(ways.upper(scores)), float(scores[best]), faces, _up(pose, camera), seen
    )


def _flat_faces(
    network: Network, picture: BgrImage, pose: SolidPose, places: list[int], size: float
) -> Float32Array:
    """(places, turns, strings): log-probabilities of what stands upright on faces, each way up."""
    turns = standing(pose.kind).ups.shape[1]
    circles = [pose.circle_on(face, turn) for face in places for turn in range(turns)]
    side = FACE_ROOMS * circles[0][1] * size
    patch = patch_for(picture, pose.middle, side, FACE_SIDE, _REACH * pose.scale)
    cuts = [patch.cut(middle, side, 0.0, FACE_SIDE, squeeze) for middle, _, squeeze in circles]
    return log_softmax(network.run(as_input(cuts))["strings"]).reshape(len(places), turns, -1)


def _up(pose: SolidPose, camera: CameraPose) -> Float64Array:
    """(faces,): how surely each is the upper one, whose normal is nearest to where upright things point."""
    sine, across = views(camera.cameras, pose.middle, camera.size)
    towards = np.column_stack([across * np.sqrt(1 - sine**2)[:, None], sine])
    nearest = (towards @ pose.normals.T).argmax(axis=1)
    return np.bincount(nearest, camera.weights, len(pose.normals)).astype(float)
