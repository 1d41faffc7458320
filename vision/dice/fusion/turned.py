"""Reading d6 whose sides do not point down in the picture, as in a tray under a wide camera.

The networks have learned from pictures held upright, where the sides of a die are seen below its top. Beyond the
nadir, the point under the camera, they are seen above it, and left or right of it beside it: there the networks
take one for the other. Cut out turned, so that upright things point up, such a die looks as they know it; they
need no training for it. The figures stand in ``models/README.md``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from loomtable.vision.camera_pose import LOW, CameraPose
from loomtable.vision.dice.crops import square_about
from loomtable.vision.dice.evidence import DieEvidence
from loomtable.vision.dice.fusion.ensemble import numbers_by_networks, views_of
from loomtable.vision.dice.fusion.low_camera import PLAUSIBLE, read_cuts
from loomtable.vision.dice.networks import Models
from loomtable.vision.die_kinds import Kind
from loomtable.vision.pictures import BgrImage

SURE = 0.95
"""Probability of the likeliest number from which a view is read surely. Set by hand."""
_SURE_LOG_ODDS, _UNSURE_LOG_ODDS = 0.7, -1.2
"""What a d6 adds to the log-odds of the cameras before which it is turned like a view, by whether that is read
surely. Measured: in rendered trays 77 to 92 % of 226 d6 that are seen from below 55 degrees are read surely as
they are turned, and 18 to 46 % as they lie in the picture."""
_ALIKE = 0.5
"""How far dice of one picture err alike in that: 0 not at all, 1 altogether. Set by hand."""


def turn_upright(
    models: Models, picture: BgrImage, dice: Sequence[DieEvidence], places: Sequence[int], camera: CameraPose
) -> tuple[dict[int, DieEvidence], CameraPose]:
    """The d6 at these places with what is read of them turned upright, where one of them may be turned, and how
    surely that is read beside their tops; and the camera, once it is known how surely they are read so."""
    squares = {k: square_about(dice[k].detection.box) for k in places}
    turns = {k: camera.turns_at(middle) for k, (middle, _) in squares.items()}
    likely = [(k, q) for k in places for q in (1, 2, 3) if turns[k].chances[q] >= PLAUSIBLE]
    cuts: list[BgrImage] = []
    for k, q in likely:
        cuts += views_of(picture, squares[k], models.calibration, -turns[k].degrees[q])
    by_both = any(dice[k].second is not None for k, _ in likely)
    read = dict(zip(likely, read_cuts(models, cuts, 0.0, by_both) if likely else [], strict=True))

    log_weights = camera.log_weights.copy()
    for k in places if likely else ():
        told = np.full(4, _UNSURE_LOG_ODDS)
        for q in (0, *(q for at, q in likely if at == k)):
            numbers = numbers_by_networks(dice[k].seen_as(read.get((k, q))), Kind.D6, models.calibration)
            if math.exp(float(numbers.max())) > SURE:
                told[q] = _SURE_LOG_ODDS
        log_weights += told[turns[k].quarters] / (1 + _ALIKE * (len(places) - 1))
    camera = replace(camera, log_weights=log_weights)
    high = np.where(camera.cameras.elevation < LOW, 0.0, camera.weights)

    turned: dict[int, DieEvidence] = {}
    for k in places:
        die, turn = dice[k], turns[k]
        misread = [
            0.0 if die.stance is None else die.stance.misread(np.where(turn.quarters == q, high, 0.0), degrees)
            for q, degrees in enumerate(turn.degrees)
        ]
        now = camera.turns_at(squares[k][0]).chances
        seen = [
            replace(read[at, q], probability=now[q] / max(1 - camera.low, 1e-9), misread=misread[q])
            for at, q in likely
            if at == k
        ]
        turned[k] = replace(die, turned=tuple(seen), misread=misread[0])
    return turned, camera
