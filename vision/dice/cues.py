"""The cues by which dice are read: each takes what is known of a picture, and gives more.

``CUES`` are those that ship, in the order in which one builds on another. Any of them can be left out:
``read_dice(picture, cues=without("second"))``. Numbers here are set by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce

import numpy as np

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import BadInput
from loomtable.vision.boxes import Box, area, intersection
from loomtable.vision.camera_pose import CameraPose
from loomtable.vision.dice.crops import as_input, square_about
from loomtable.vision.dice.d4 import read_d4
from loomtable.vision.dice.detector import detect_dice, worth_reading
from loomtable.vision.dice.elevation import DieView, measure_pose
from loomtable.vision.dice.evidence import KNOWS_NOTHING, NUMERAL_KINDS, PRINTED_KINDS, DieEvidence, Evidence
from loomtable.vision.dice.faces import read_layout
from loomtable.vision.dice.fusion.ensemble import MIN_D4_PROBABILITY, d4_probability, predict, views_of
from loomtable.vision.dice.fusion.low_camera import lay_flat
from loomtable.vision.dice.fusion.turned import turn_upright
from loomtable.vision.dice.layouts import LearnedLayout
from loomtable.vision.dice.networks import Models
from loomtable.vision.dice.numerals import Place, read_face
from loomtable.vision.dice.pose import joint_yaw
from loomtable.vision.die_kinds import KINDS, Kind
from loomtable.vision.pictures import BgrImage
from loomtable.vision.pool import Pool

MAX_NUMERALS, EXTRA_NUMERALS, MAX_D4, EXTRA_D4 = 10, 3, 4, 1
"""Numerals, and d4, that are read if nobody said what lies there, and how many more than asked for."""
MAX_MEASURED, EXTRA_FLAT = 6, 2
"""Dice that tell the camera's elevation, and how many more have their tops laid flat. Bound by time."""
MAX_NONE = math.log(0.5)
"""Logarithm of the probability of being no die up to which a detection tells from where it is seen."""
MIN_CUBE_PROBABILITY = 0.15
"""Probability of being a d6 with pips from which a detection is held against a cube."""
MIN_NUMERAL_PROBABILITY = 0.15
"""Probability that a detection has a numeral on the face that lies up from which that is read."""
MIN_CUBE_NUMERAL_PROBABILITY = 0.5
"""The same where d6 alone were asked for, and it has to be one with numerals: of 1,494 detections in pictures of
d6 with pips five are read then, of 202 d6 with numerals all."""
AMONG_CARDS = "codes"
"""The cue that is read first where a picture shows a table with cards."""
MIN_CODE_INSIDE, MIN_CARD_AREA = 0.9, 3.0
"""Share of a code that a box has to hold, and how many times its area the box has to have, to be the card's."""


@dataclass(frozen=True)
class Cue:
    """One source of evidence about the dice of a picture."""

    name: str
    read: Callable[[BgrImage, Evidence], Evidence]
    """From the picture (height, width, 3) and what is known of it to what is known with this cue."""


class UnknownCue(BadInput):
    """There is no cue of this name; the message lists those there are."""


def gather_evidence(
    picture: BgrImage,
    pool: Pool | None,
    models: Models,
    *,
    earlier: CameraPose | None = None,
    layouts: tuple[LearnedLayout, ...] = (),
    every: bool = False,
    cues: Iterable[Cue] | None = None,
) -> Evidence:
    """Everything in a picture that may be a die, with all that the cues say about it.

    Args:
        picture: (height, width, 3) blue green red, 8 bits.
        pool: the dice that were asked for; nothing where nobody said.
        models: the networks.
        earlier: what earlier rolls told of where the camera stands.
        layouts: how a person's own dice are laid out.
        every: read also what hardly can be a die, as is done where nobody says what lies there.
        cues: in their order; the shipped ones by default.
    """
    given = Evidence(models, pool, every, earlier, layouts)
    return reduce(lambda evidence, cue: cue.read(picture, evidence), CUES if cues is None else cues, given)


def without(*names: str) -> tuple[Cue, ...]:
    """The shipped cues without some of them.

    Raises:
        UnknownCue: there is no cue of this name.
    """
    known = [cue.name for cue in CUES]
    for name in set(names).difference(known):
        raise UnknownCue(f"there is no cue {name!r}; there are {', '.join(known)}")
    return tuple(cue for cue in CUES if cue.name not in names)


def among_cards(codes: Iterable[Box]) -> tuple[Cue, ...]:
    """The shipped cues for a picture in which codes of cards and markers are seen in these places, px."""
    seen = tuple(codes)
    return (Cue(AMONG_CARDS, lambda picture, evidence: replace(evidence, codes=seen)), *CUES)


def _is_card(box: Box, codes: Sequence[Box]) -> bool:
    """Whether a box is that of the card of such a code: it holds it and is far larger, as no die on it is."""
    near = (code for code in codes if intersection(box, code) > MIN_CODE_INSIDE * area(code))
    return any(area(box) > MIN_CARD_AREA * area(code) for code in near)


def _detect(picture: BgrImage, evidence: Evidence) -> Evidence:
    """Boxes round what looks like a die."""
    models, expected = evidence.models, evidence.count
    is_card = partial(_is_card, codes=evidence.codes or ())
    large = bool if evidence.codes is None else is_card
    found = detect_dice(models.detector, picture, models.calibration.detector, expected, large)
    detections = [die for die in found if not is_card(die.box)]
    detections = [detections[k] for k in worth_reading(detections, None if evidence.every else expected)]
    views = [views_of(picture, square_about(die.box), models.calibration) for die in detections]
    dice = tuple(DieEvidence(die, seen[0]) for die, seen in zip(detections, views, strict=True))
    return replace(
        evidence, dice=dice, views=as_input([view for seen in views for view in seen]) if views else None
    )


def _classify(picture: BgrImage, evidence: Evidence) -> Evidence:
    """What the first network takes each die for, where it sees the top, and from where it is seen."""
    if evidence.views is None:
        return evidence
    read = predict(evidence.models, "reader", evidence.views)
    return evidence.with_dice(replace(die, reader=guess) for die, guess in zip(evidence.dice, read, strict=True))


def _classify_again(picture: BgrImage, evidence: Evidence) -> Evidence:
    """The same by another architecture."""
    if evidence.views is None or evidence.models.second is None:
        return evidence
    read = predict(evidence.models, "second", evidence.views)
    return evidence.with_dice(replace(die, second=guess) for die, guess in zip(evidence.dice, read, strict=True))


def _is_cube(die: DieEvidence) -> bool:
    return float(die.reader.kind[1 + KINDS.index(Kind.D6)]) > math.log(MIN_CUBE_PROBABILITY)


def _read_d4s(picture: BgrImage, evidence: Evidence) -> Evidence:
    """What the pyramids among the dice show: the numeral that stands upright on a face."""
    ocr, dice = evidence.models.numerals, evidence.dice
    limit = MAX_D4 if evidence.asked is None else evidence.asked.count(Die.D4)
    if ocr is None or not limit:
        return evidence
    likely = [k for k, die in enumerate(dice) if d4_probability(die) > MIN_D4_PROBABILITY]
    likely.sort(key=lambda k: -d4_probability(dice[k]))
    places = likely[: limit if evidence.asked is None else limit + EXTRA_D4]
    boxes = {k: dice[k].detection for k in places}
    return evidence.with_dice(
        {k: replace(dice[k], d4=read_d4(ocr, picture, (square_about(d.box)[0], d.side))) for k, d in boxes.items()}
    )


def _clearest(evidence: Evidence) -> tuple[list[int], int]:
    """The places of what may tell from where the picture was taken, the clearest first; and how many do."""
    dice, level = evidence.dice, evidence.models.calibration.detector.high
    likely = [k for k, die in enumerate(dice) if _is_cube(die) or die.reader.kind[0] < MAX_NONE]
    if evidence.count is None:
        likely = [k for k in likely if dice[k].detection.score >= level]
    likely.sort(key=lambda k: -dice[k].detection.score)
    return likely, MAX_MEASURED if evidence.count is None else evidence.count


def _measure_camera(picture: BgrImage, evidence: Evidence) -> Evidence:
    """From where the camera sees the table, and so how each die stands before it."""
    clearest, count = _clearest(evidence)
    views = [_view(evidence.dice[k]) for k in clearest[:count]]
    camera, stances = measure_pose(views, (picture.shape[1], picture.shape[0]), evidence.earlier)
    if camera.dice:
        evidence = evidence.with_dice(_posed(die, camera) for die in evidence.dice)
    measured = zip(clearest, stances, strict=False)
    posed = {k: replace(evidence.dice[k], stance=stance) for k, stance in measured}
    return replace(evidence.with_dice(posed), camera=camera)


def _view(die: DieEvidence) -> DieView:
    """What tells from where a die is seen."""
    uprights = tuple(network.upright for network in die.networks if network.upright is not None)
    return DieView(die.detection.box, die.reader.top, uprights, _is_cube(die))


def _posed(die: DieEvidence, camera: CameraPose) -> DieEvidence:
    """The evidence, with how the die stands before a camera and how it is turned."""
    yaw = joint_yaw([network.yaw for network in die.networks if network.yaw is not None])
    return replace(die, upright=camera.upright_at(square_about(die.detection.box)[0]), yaw=yaw)


def _read_numerals(picture: BgrImage, evidence: Evidence) -> Evidence:
    """What stands on the dice that may have numerals, the likeliest of them; where only d6 were asked for, on
    those that are likely d6 with numerals: all faces in sight, and the top by an OCR model if no layout tells."""
    ocr, faces, dice, camera = evidence.models.numerals, evidence.models.faces, evidence.dice, evidence.camera
    if ocr is None:
        return evidence
    cubes_only = evidence.asked is not None and set(evidence.asked.dice) == {Die.D6}
    kinds = [1 + KINDS.index(kind) for kind in ((Kind.D6_NUMERAL,) if cubes_only else NUMERAL_KINDS)]
    least = MIN_CUBE_NUMERAL_PROBABILITY if cubes_only else MIN_NUMERAL_PROBABILITY
    chances = [float(np.exp(die.reader.kind[kinds]).sum()) for die in dice]
    likely = sorted((k for k, chance in enumerate(chances) if chance > least), key=lambda k: -chances[k])
    limit = MAX_NUMERALS if evidence.count is None else evidence.count + EXTRA_NUMERALS
    read: dict[int, DieEvidence] = {}
    for k in likely[:limit]:
        kind = _likeliest_kind(dice[k], evidence.asked)
        pose, layout = dice[k].pose(kind), None
        if faces is not None and camera is not None and pose is not None:
            layout = read_layout(faces, picture, pose, camera, evidence.layouts)
        asks = kind in PRINTED_KINDS and (layout is None or not layout.is_sure)
        digits = read_face(ocr, picture, _face_up(dice[k])) if asks else None
        read[k] = replace(dice[k], layout=layout, digits=digits)
    return evidence.with_dice(read)


def _likeliest_kind(die: DieEvidence, asked: Pool | None) -> Kind:
    """The kind of a die with numerals, of those that were asked for."""
    kinds = [kind for kind in NUMERAL_KINDS if asked is None or asked.count(kind.die)] or NUMERAL_KINDS
    return max(kinds, key=lambda kind: float(die.reader.kind[1 + KINDS.index(kind)]))


def _face_up(die: DieEvidence) -> Place:
    (x, y), side = square_about(die.detection.box)
    top = die.reader.top
    dx, dy = (0.0, 0.0) if top is None else (float(part) for part in np.clip(top, -0.5, 0.5))
    return (x + dx * side / 2, y + dy * side / 2), die.detection.side


def _lay_flat(picture: BgrImage, evidence: Evidence) -> Evidence:
    """What both networks make of the tops laid flat, where the camera may stand low; the first centres them."""
    if evidence.camera is None or all(die.reader is KNOWS_NOTHING for die in evidence.dice):
        return evidence
    clearest, count = _clearest(evidence)
    layouts = {k: evidence.dice[k].layout for k in clearest[: count + EXTRA_FLAT]}
    cubes = [k for k, layout in layouts.items() if layout is None or layout.is_mute]
    return evidence.with_dice(lay_flat(evidence.models, picture, evidence.dice, cubes, evidence.camera, count))


def _turn_upright(picture: BgrImage, evidence: Evidence) -> Evidence:
    """What both networks make of d6 turned upright, where the camera may be turned, or hang over the die's far
    side: they have learned from pictures that are held upright, where sides are seen below tops."""
    if evidence.camera is None or not evidence.camera.dice:
        return evidence
    clearest, count = _clearest(evidence)
    places = [k for k in clearest[: count + EXTRA_FLAT] if _is_cube(evidence.dice[k])]
    turned, camera = turn_upright(evidence.models, picture, evidence.dice, places, evidence.camera)
    return replace(evidence.with_dice(turned), camera=camera)


CUES = (
    Cue("detector", _detect),
    Cue("reader", _classify),
    Cue("second", _classify_again),
    Cue("d4", _read_d4s),
    Cue("elevation", _measure_camera),
    Cue("turned", _turn_upright),
    Cue("numerals", _read_numerals),
    Cue("low-camera", _lay_flat),
)
"""Those that ship: a network that finds dice, two of different make that read them, the camera's place, dice
turned upright, and numerals."""
