"""Dice in a picture: ``read_dice`` is the one way in.

1. The cues say, one after another, what they make of the picture (``cues.py``): what looks like a die, what two
   networks and an OCR model read on it, and where the camera stands.
2. All that they say of a die, and how it is seen, is weighed into a measured confidence (``fusion/weigh.py``).
3. Each die is believed, or doubted in words (``fusion/doubts.py``); those that most likely are dice count
   (``fusion/select.py``), and are held against the pool (``vision/tray.py``).
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from loomtable.engine.kernel.dice import Die
from loomtable.vision.boxes import Box, area, intersection, iou
from loomtable.vision.camera_pose import CameraPose
from loomtable.vision.dice.crops import framed
from loomtable.vision.dice.cues import AMONG_CARDS, CUES, Cue, gather_evidence
from loomtable.vision.dice.detector import Detection
from loomtable.vision.dice.enrolment.confirmed import OwnDice
from loomtable.vision.dice.evidence import DieEvidence
from loomtable.vision.dice.fusion.calibration import Calibration
from loomtable.vision.dice.fusion.doubts import NO_DIE, UNREAD_D4, doubt_of
from loomtable.vision.dice.fusion.select import Selection, select_dice
from loomtable.vision.dice.fusion.weigh import Decision, weigh_dice
from loomtable.vision.dice.layouts import LayoutReading
from loomtable.vision.dice.networks import Models, load_models
from loomtable.vision.dice.numerals import spelling
from loomtable.vision.dice.pose import SolidPose
from loomtable.vision.die_kinds import Kind, kind_of
from loomtable.vision.overlay import Mark
from loomtable.vision.pictures import BgrImage, check_picture
from loomtable.vision.pool import Expect, Pool
from loomtable.vision.printed import read_printed
from loomtable.vision.tray import SeenDie, TrayReading, assess_tray, reading_order
from loomtable.vision.verdict import Verdict, how_sure

logger = logging.getLogger(__name__)
Polygon = tuple[tuple[float, float], ...]
BLACK = "the picture is black; is something over the lens, or the light off?"
NO_NETWORKS = "the networks that read dice are missing; loom doctor says what to do"
MAX_DARK_LEVEL = 14
"""Grey level (of 255) that hardly a pixel of a covered or unlit camera's picture exceeds. Set by hand."""

MAX_PRINTED_IOU = 0.2
"""Intersection over union with one of our printed dice from which a detection is that die. Set by hand."""
MIN_PLATE = 90
"""Pixels from which a thing that hardly looks like a die may have one on it. Set by hand."""
FRAME, FRAMED_SIDE = 0.6, 640
"""Border round a picture that one die may fill, in parts of its longer side, which is that many pixels
at most. Set by hand."""
MIN_WHOLE, MIN_SHARED = 2.0, 0.75
"""How much larger than a box one is whose part it is, by area, and how much of it that holds. Set by hand."""
LIKELY = 3
"""So many numbers of a doubtful die are offered before all others. Set by hand."""
MIN_READ = 0.5
"""Probability of its number from which a face of a die counts as read where all are drawn. Set by hand."""
MAX_ASPECT_MISFIT = 0.2
"""Logarithm up to which a solid may be higher or wider than its box to be drawn. Set by hand."""


def read_dice(
    picture: BgrImage,
    expect: Expect = None,
    *,
    models: Models | None = None,
    own: OwnDice | None = None,
    camera: CameraPose | None = None,
    cues: Iterable[Cue] = CUES,
) -> TrayReading:
    """Read the dice in a picture.

    Args:
        picture: (height, width, 3) blue green red, 8 bits.
        expect: what was asked for, ``"3d10"``, ``"5weave"``, ``(3, Die.D10)`` or a ``Pool``; count and kinds are
            held against it. Where nothing was asked for, more is doubted.
        models: the networks; the shipped ones by default.
        own: dice that a person has taught this machine.
        camera: what earlier rolls (``TrayReading.camera``) and prints (``pose_by_prints``) told of where it
            stands.
        cues: what the picture is read by, in their order (``cues.without`` leaves some out).

    Raises:
        PictureUnreadable: it is no picture.
        ReadingMisfit: ``expect`` is not a pool of dice.
        ModelBroken: an installed model is damaged.

    >>> from loomtable import read_dice
    >>> from loomtable.testing.virtual import VirtualCamera, handful_of_dice, photograph
    >>> camera = VirtualCamera(tilt=20)
    >>> shot = photograph(handful_of_dice([3, 5, 6], seed=1, camera=camera), camera, seed=1)
    >>> tray = read_dice(shot.picture, "3d6")
    >>> tray.verdict.value, tray.reason, sorted(tray.faces)
    ('accepted', 'three dice', [3, 5, 6])
    """
    check_picture(picture)
    begun = time.perf_counter()
    tray = _read(picture, Pool.of(expect), models or load_models(), own, camera, tuple(cues))
    shown = ", ".join(f"{die.name} {die.value}" for die in tray.dice)
    asked = "anything" if tray.expected is None else tray.expected.words
    taken = 1000 * (time.perf_counter() - begun)
    logger.debug("%s (%s) of %s: %s; %.0f ms", tray.verdict.value, tray.reason, asked, shown or "no dice", taken)
    return tray


def _read(
    picture: BgrImage,
    pool: Pool | None,
    networks: Models | None,
    own: OwnDice | None,
    camera: CameraPose | None,
    cues: Sequence[Cue],
) -> TrayReading:
    tray = _read_once(picture, pool, networks, own, camera, cues)
    unmade = tray.verdict is Verdict.REJECTED or any(die.doubt == NO_DIE for die in tray.dice)
    if networks is None or pool is None or pool.total > 1 or not unmade:
        return tray
    if all(cue.name != AMONG_CARDS for cue in cues):  # where there are cards no die fills the picture
        # From farther away: a die that does may have been boxed by one of its marks.
        scale = min(FRAMED_SIDE / max(picture.shape[:2]), 1.0)
        border = round(FRAME * scale * max(picture.shape[:2]))
        far = _read_once(framed(picture, scale, border), pool, networks, own, None, cues)
        far = far.placed(1 / scale, (-border / scale, -border / scale))
        if len(far.dice) == 1 and all(_is_part(die.box, far.dice[0].box) for die in tray.dice):
            return tray if far.verdict is Verdict.REJECTED else replace(far, camera=tray.camera)
    # From nearer: what is so large may be a plate, or a dome, with the die on it.
    large = max((die.box for die in tray.dice), key=area, default=(0.0, 0.0, 0.0, 0.0))
    x0, y0, x1, y1 = (max(int(edge), 0) for edge in large)
    if min(x1 - x0, y1 - y0) < MIN_PLATE:
        return tray
    near = _read_once(np.ascontiguousarray(picture[y0:y1, x0:x1]), pool, networks, own, None, cues)
    near = near.placed(1.0, (x0, y0))
    is_on_it = near.verdict is not Verdict.REJECTED and _is_part(near.dice[0].box, large)
    return replace(near, camera=tray.camera) if is_on_it else tray


def _is_part(box: Box, whole: Box) -> bool:
    return area(whole) > MIN_WHOLE * area(box) and intersection(box, whole) > MIN_SHARED * area(box)


def _read_once(
    picture: BgrImage,
    pool: Pool | None,
    networks: Models | None,
    own: OwnDice | None,
    camera: CameraPose | None,
    cues: Sequence[Cue],
) -> TrayReading:
    ours, others = _split_pool(pool)
    if pool is not None and others is None:
        return read_printed(picture, ours)
    if networks is None:
        return TrayReading(Verdict.REJECTED, NO_NETWORKS, (), pool)
    layouts = () if own is None else own.layouts
    evidence = gather_evidence(picture, others, networks, earlier=camera, layouts=layouts, cues=cues)
    dice: Sequence[DieEvidence] = evidence.dice
    if pool is not None and ours is None:
        tray = resolve_tray(dice, picture, pool, networks.calibration, own)
    else:
        printed = read_printed(picture, ours)
        taken = [die.box for die in printed.dice]
        dice = [die for die in dice if all(iou(die.detection.box, box) < MAX_PRINTED_IOU for box in taken)]
        tray = _beside_printed(printed, resolve_tray(dice, picture, others, networks.calibration, own))
    measured = evidence.camera is not None and evidence.camera.dice
    return replace(tray, camera=evidence.camera if measured else None)


@cache
def warm_up() -> None:
    """Load the networks and run each once, on an empty picture: first runs take several times as long as others.

    Raises:
        ModelBroken: an installed model is damaged.
    """
    read_dice(np.full((720, 1280, 3), 90, np.uint8), (2, Die.D6))


def read_either(picture: BgrImage, pools: Sequence[Expect], *, own: OwnDice | None = None) -> TrayReading:
    """Read a picture in which one of several pools lies: our Weave dice, say, or d6 that stand in for them.

    Returns:
        The first reading that is accepted; where none is, one to be asked about, or else the first.
    """
    readings: list[TrayReading] = []
    for pool in pools:
        readings.append(read_dice(picture, pool, own=own))
        if readings[-1].verdict is Verdict.ACCEPTED:
            return readings[-1]
    return next((reading for reading in readings if reading.verdict is Verdict.ASK), readings[0])


def _split_pool(pool: Pool | None) -> tuple[Pool | None, Pool | None]:
    """A pool's dice that we print, and its others; nothing for none."""
    if pool is None:
        return None, None
    ours = tuple((die, count) for die, count in pool.counts if kind_of(die) is None)
    others = tuple((die, count) for die, count in pool.counts if kind_of(die) is not None)
    return Pool(ours) if ours else None, Pool(others) if others else None


def _beside_printed(printed: TrayReading, rest: TrayReading) -> TrayReading:
    """A tray of dice that we print and of others.

    Where nobody said what lies there, there may be none of the one or of the other.
    """
    if rest.expected is None and not printed.dice:
        return rest
    if rest.expected is None and not rest.dice:
        return printed
    dice = reading_order([*printed.dice, *rest.dice])
    asked = [part.expected for part in (printed, rest) if part.expected is not None]
    pool = Pool(asked[0].counts + asked[1].counts) if len(asked) == 2 else None
    parts = [part for part in (printed, rest) if part.verdict is not Verdict.ACCEPTED]
    if not parts:
        return assess_tray(dice, pool)
    worst = Verdict.REJECTED if any(part.verdict is Verdict.REJECTED for part in parts) else Verdict.ASK
    return TrayReading(worst, "; ".join(part.reason for part in parts), dice, pool)


def resolve_tray(
    dice: Sequence[DieEvidence],
    picture: BgrImage,
    pool: Pool | None,
    calibration: Calibration,
    own: OwnDice | None = None,
) -> TrayReading:
    """The verdict on what was found in a picture, where a pool was asked for, or nobody said what."""
    found = select_dice(assess_dice(dice, picture, pool, calibration, own), pool, calibration)
    tray = tray_of(found, pool, calibration)
    if not found.dice and (float(np.percentile(picture[::4, ::4], 99)) < MAX_DARK_LEVEL):
        return replace(tray, reason=f"{tray.reason}: {BLACK}")
    return tray


def assess_dice(
    dice: Sequence[DieEvidence],
    picture: BgrImage,
    pool: Pool | None,
    calibration: Calibration,
    own: OwnDice | None = None,
) -> list[Decision]:
    """Every detection of a picture with what it is held to be, how surely, and why it is doubted."""
    weighed = weigh_dice(dice, picture, pool, calibration, own)
    return [replace(decision, doubt=doubt_of(decision)) for decision in weighed]


def tray_of(found: Selection, pool: Pool | None, calibration: Calibration) -> TrayReading:
    """The verdict on detections that were decided."""
    dice = reading_order([_seen_die(decision, calibration) for decision in found.dice])
    return assess_tray(dice, pool, len(found.possible))


def _seen_die(decision: Decision, calibration: Calibration) -> SeenDie:
    evidence, kind = decision.evidence, decision.kind
    polygon, sides = _solid(evidence.pose(kind), evidence.detection)
    layout = evidence.layout if evidence.layout is not None and evidence.layout.pose.kind is kind else None
    return SeenDie(
        kind.die,
        kind.face(decision.number),
        evidence.detection.box,
        decision.confidence,
        polygon,
        decision.doubt,
        legible=decision.confidence >= calibration.min_confidence and decision.doubt != UNREAD_D4,
        crop=evidence.crop if evidence.rectified is None else evidence.rectified,
        numerals=kind is Kind.D6_NUMERAL,
        likely=tuple(kind.face(kind.numbers[at]) for at in _likeliest(decision)) if decision.doubt else (),
        sides=sides,
        laid_out=(laid := decision.laid_out) is not None and laid.is_plain,
        seen=None if layout is None else layout.seen,
        read=() if layout is None else _faces_read(layout),
    )


def _likeliest(decision: Decision) -> list[int]:
    """The places of the numbers that a person is most likely to name, the first the one it is held to show."""
    others = [int(at) for at in np.argsort(-decision.numbers) if at != decision.place]
    return [decision.place, *others[: LIKELY - 1]]


def _faces_read(layout: LayoutReading) -> tuple[Mark, ...]:
    """What is read on each face, whether its layout is sure or not."""
    return tuple(
        Mark(
            tuple((float(x), float(y)) for x, y in layout.pose.corners_of(face)),
            f"{spelling(layout.pose.kind, number)}: {how_sure(chance)}",
            Verdict.ACCEPTED if chance >= MIN_READ else Verdict.ASK,
        )
        for face, number, chance in layout.faces
    )


def _solid(pose: SolidPose | None, detection: Detection) -> tuple[Polygon, tuple[Polygon, ...]]:
    """The upper face of a solid, and its other faces that can be seen; nothing where its pose is not sure, or does
    not fill its box."""
    if pose is None or not pose.is_sure:
        return (), ()
    x0, y0, x1, y1 = detection.box
    if abs(math.log(pose.aspect * (x1 - x0) / (y1 - y0))) > MAX_ASPECT_MISFIT:
        return (), ()
    top, *others = (tuple((float(x), float(y)) for x, y in face) for face in pose.faces)
    return top, tuple(others)
