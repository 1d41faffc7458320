"""Reading dice before a camera that stands low, where a side is seen larger than the top.

The camera's elevation says how much the top is shortened, and the first network where it lies. Laid flat, it looks
as from straight above, which is what the networks read best; they need no training for it. The first network's own
prediction of the top's middle, made on the flat view, then puts it in the middle of the view.

Whether the networks are sure of a die as it is seen, and of its top laid flat, tells something about the camera in
turn: of what is no top they seldom are. The figures stand in ``models/README.md``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from loomtable.vision.arrays import Float64Array
from loomtable.vision.camera_pose import CameraPose
from loomtable.vision.dice.crops import CROP_MARGIN, as_input, cut, square_about
from loomtable.vision.dice.evidence import DieEvidence, RectifiedView
from loomtable.vision.dice.fusion.calibration import Calibration
from loomtable.vision.dice.fusion.ensemble import CROP, kinds_of, numbers_by_networks, predict, views_of
from loomtable.vision.dice.networks import Models
from loomtable.vision.die_kinds import Kind
from loomtable.vision.pictures import BgrImage

PLAUSIBLE = 0.01
"""Probability from which a low camera, or a high one, is reckoned with at all. Set by hand."""
CENTRING_STEPS = 3
"""How often the view is moved to where the first network sees the top's middle. Set by hand: of
``low-oblique`` 151 are accepted in an evening after one or two, 153 after three."""
MIN_ACROSS = 0.8
"""The box across, in its length along the upright: a narrower one has lost a part. Set by hand."""
MAX_STEP = 0.5
"""How far it is moved at most, in halves of its side: farther away lie the tops of other dice. Set by hand: 0.2
to 0.9 read as many rightly."""
SURE, MAX_NONE, NO_DIE = 0.8, 0.3, 0.5
"""Probabilities of the likeliest number and of no die at which a view is read surely; of no die. Set by hand."""
_LOW_LOG_ODDS = {("sure", "none"): -1.3, ("unsure", "sure"): 3.5, ("unsure", "unsure"): 1.0}
"""What a die adds to the log-odds of a low camera by how it is read as it is seen, and laid flat; 0 where it is
not named: where a box goes round the front alone, the top that is laid flat is hardly read. Measured: logarithms
of how often this was so before low cameras (even half of ``low-oblique``, every second of 120 rendered pictures)
over how often before high ones (six sources); lessened, since the networks know these six sources and are surer of
them than of others."""

Top = tuple[tuple[float, float], float, Float64Array]
"""Middle and side of a square on the table, in pixels of the picture, and how the picture shortens it."""


def lay_flat(
    models: Models,
    picture: BgrImage,
    found: Sequence[DieEvidence],
    places: Sequence[int],
    pose: CameraPose,
    clear: int,
) -> list[DieEvidence]:
    """The evidence; the dice at these ``places`` with their tops laid flat if the camera may stand low.

    How surely the first ``clear`` of them are read tells something about the camera.
    """
    if pose.low < PLAUSIBLE or not places:
        return list(found)
    tops = _centred(models, picture, [_top_by_pose(found[k], pose) for k in places])
    cuts = [
        view
        for middle, side, squeeze in tops
        for view in views_of(picture, (middle, side), models.calibration, squeeze=squeeze)
    ]
    flat = read_cuts(models, cuts, pose.low, by_both=found[places[0]].second is not None)
    dice = [replace(found[k], flat=top) for k, top in zip(places, flat, strict=True)]
    cubes = [die for die in dice[:clear] if die.digits is None]
    low = _low_after_reading(pose.low, cubes, models.calibration)
    read = list(found)
    for k, top in zip(places, flat, strict=True):
        # Of what kind it is, and whether one at all, the whole die tells, not what the top is cut out with.
        reader, second, whole = replace(top.reader, kind=found[k].reader.kind), top.second, found[k].second
        if second is not None and whole is not None:
            second = replace(second, kind=whole.kind)
        read[k] = replace(found[k], flat=replace(top, reader=reader, second=second, probability=low))
    return read


def read_cuts(models: Models, cuts: Sequence[BgrImage], probability: float, by_both: bool) -> list[RectifiedView]:
    """What the networks read of dice that were cut out as they know them, in all views of each."""
    inputs = as_input(cuts)
    readers = predict(models, "reader", inputs)
    seconds = predict(models, "second", inputs) if by_both else [None] * len(readers)
    seen = zip(readers, seconds, cuts[:: len(models.calibration.views)], strict=True)
    return [RectifiedView(reader, second, crop, probability) for reader, second, crop in seen]


def plausible_views(die: DieEvidence) -> list[tuple[float, DieEvidence]]:
    """The die as each way the camera may stand shows it, the likeliest first, with its probability."""
    high = 1 - die.low
    views = [(high * (1 - sum(view.probability for view in die.turned)), die.seen_as(None))]
    views += [(high * view.probability, die.seen_as(view)) for view in die.turned]
    if die.flat is not None:
        views.append((die.low, die.seen_as(die.flat)))
    return sorted(((chance, view) for chance, view in views if chance >= PLAUSIBLE), key=lambda likely: -likely[0])


def _top_by_pose(die: DieEvidence, pose: CameraPose) -> Top:
    """Where the top of a cube lies that fills its box before a camera, and as wide as the box: above the middle by
    half of what the top does not take of its height. It may stand on any of its edges."""
    x0, y0, x1, y1 = die.detection.box
    view = pose.view_at(square_about(die.detection.box)[0])
    up, size = np.abs(view.up), np.array([x1 - x0, y1 - y0])
    across = max(float(up[::-1] @ size), MIN_ACROSS * float(up @ size))
    most = across * math.sqrt(1 - view.sine**2)
    tall = min(max(float(up @ size) - across * view.sine, most / math.sqrt(2)), most)
    x, y = (tall / 2 * np.array(view.up)).tolist()
    return ((x0 + x1) / 2 + x, (y0 + y1) / 2 + y), CROP_MARGIN * across, view.squeeze


def _centred(models: Models, picture: BgrImage, tops: Sequence[Top]) -> list[Top]:
    """The squares, moved to where the first network sees the middles of the tops in them."""
    steps, moved = np.zeros((len(tops), 2)), list(tops)
    for _ in range(CENTRING_STEPS):
        cuts = [cut(picture, middle, side, 0.0, CROP, squeeze) for middle, side, squeeze in moved]
        steps = np.clip(steps + models.reader.run(as_input(cuts))["top"][:, :2], -MAX_STEP, MAX_STEP)
        moved = [_moved(top, step * top[1] / 2) for top, step in zip(tops, steps, strict=True)]
    return moved


def _moved(top: Top, step: Float64Array) -> Top:
    """The square, moved by a step on the table in pixels as seen from above."""
    (x, y), side, squeeze = top
    dx, dy = (squeeze @ step).tolist()
    return (x + dx, y + dy), side, squeeze


def _low_after_reading(before: float, cubes: Sequence[DieEvidence], calibration: Calibration) -> float:
    """Probability of a low camera once it is known how surely d6 with pips are read in either way."""
    odds = math.log(before / max(1 - before, 1e-9))
    pairs = ((_sureness(die, calibration), _sureness(die.seen_as(die.flat), calibration)) for die in cubes)
    odds += sum(_LOW_LOG_ODDS.get(pair, 0.0) for pair in pairs)
    return 1 / (1 + math.exp(-min(max(odds, -30.0), 30.0)))


def _sureness(view: DieEvidence, calibration: Calibration) -> str:
    """How surely both networks together read a d6: "sure", "unsure", or "none" where it is held to be no die."""
    none = math.exp(float(kinds_of(view, calibration)[0]))
    if none < MAX_NONE and math.exp(float(numbers_by_networks(view, Kind.D6, calibration).max())) > SURE:
        return "sure"
    return "none" if none > NO_DIE else "unsure"
