"""The upper face of a die whose pose is known, as a network reads it that has learned from faces laid flat.

How the die is turned matters little: the middle of a regular face lies where it lies at any yaw. The face is shown
to the network turned in steps, and it says of each what stands there upright, if anything does. What lies round it
goes with it, for the edges of a face, or a bar or dot, tell a 6 from a 9.
"""

from __future__ import annotations

import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.crops import as_input, patch_for
from loomtable.vision.dice.evidence import log_softmax
from loomtable.vision.dice.numerals import NumeralReading, reading_of
from loomtable.vision.dice.pose import SolidPose
from loomtable.vision.network import Network
from loomtable.vision.pictures import BgrImage

FACE_SIDE = 48
"""Side of the network's crops, px. As trained."""
FACE_ROOMS = 3.6
"""The same in radii of the largest circle on the face: a numeral fills a quarter to half of it. As trained."""
TURNS, SIZES = np.arange(0.0, 360.0, 30.0), (1.0, 0.85, 1.18)
"""Degrees by which the face is turned, and how much more of it is shown, as boxes are loose. Set by hand."""


def read_upper_face(network: Network, picture: BgrImage, pose: SolidPose) -> NumeralReading:
    """Read the face that a pose names."""
    centre, room, squeeze = pose.upper_circle
    side = FACE_ROOMS * room
    patch = patch_for(picture, centre, side * max(SIZES), FACE_SIDE)
    crops = [patch.cut(centre, side * size, turn, FACE_SIDE, squeeze) for size in SIZES for turn in TURNS]
    logs = log_softmax(network.run(as_input(crops))["strings"])
    return reading_of(_at_some_turn(logs.reshape(len(SIZES), len(TURNS), -1).mean(axis=0)))


def _at_some_turn(logs: Float32Array) -> Float32Array:
    """(strings,): how likely each stands there, from log-probabilities (turns, strings and none) of what stands
    upright at each turn, the last of nothing.

    Of all turns but one nothing should be read. As likely as that nothing is at any turn, a face cannot be read,
    and shows each string as likely.
    """
    odds = np.exp(logs[:, :-1] - logs[:, -1:]).sum(axis=0)
    return np.asarray((odds + 1 / len(odds)) / (odds.sum() + 1), np.float32)
