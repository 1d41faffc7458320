"""Dice in a picture, by networks and pips together: ``read_dice`` is the one way in.

1. The detector finds what looks like a die (``detector.py``).
2. Two networks of different architecture classify each crop (``fusion/ensemble.py``), pips are counted apart from
   them (``pips/reader.py``), and an OCR model reads numerals (``numerals.py``).
3. All predictions, and how the die is seen, become a measured confidence (``fusion/features.py``,
   ``fusion/calibration.py``).
4. Each die is believed or doubted in words (``fusion/decide.py``, ``fusion/doubts.py``); the tray is held
   against the pool (``vision/tray.py``).

Where no networks are installed, d6 are read by their pips alone.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache

import numpy as np

from loomtable.engine.kernel.dice import Die
from loomtable.vision.boxes import iou
from loomtable.vision.dice.crops import square_about
from loomtable.vision.dice.detector import Detection, detect_dice, worth_reading
from loomtable.vision.dice.elevation import CameraPose, DieView, StandingCamera, measure_pose
from loomtable.vision.dice.enrolment.confirmed import OwnDice
from loomtable.vision.dice.enrolment.relief import MIN_SIDE_MARGIN, CoinSide, sides_up
from loomtable.vision.dice.fusion.calibration import Calibration
from loomtable.vision.dice.fusion.decide import Decision, Selection, assess_dice, select_dice
from loomtable.vision.dice.fusion.doubts import CUT_OFF
from loomtable.vision.dice.fusion.ensemble import Evidence, classify_crops, read_d4s, read_numerals
from loomtable.vision.dice.fusion.explaining import log_decisions
from loomtable.vision.dice.fusion.low_camera import lay_flat
from loomtable.vision.dice.fusion.numeral_doubts import UNREAD_D4
from loomtable.vision.dice.networks import Models, load_models
from loomtable.vision.dice.pips.reader import PipFace, PipsOfDie, detect_pip_faces, faces_up, pips_of
from loomtable.vision.dice.plane import Plane
from loomtable.vision.dice.pose import SolidPose, joint_yaw
from loomtable.vision.die_kinds import Kind, kind_of
from loomtable.vision.pictures import BgrImage, check_picture
from loomtable.vision.pool import Expect, Pool
from loomtable.vision.printed import read_printed
from loomtable.vision.tray import SeenDie, TrayReading, assess_tray, reading_order
from loomtable.vision.verdict import Verdict

logger = logging.getLogger(__name__)
Polygon = tuple[tuple[float, float], ...]
BLACK = "the picture is black; is something over the lens, or the light off?"
MAX_DARK_LEVEL = 14
"""Grey level (of 255) that hardly a pixel of a covered or unlit camera's picture exceeds. Set by hand."""

EARLY_PIP_COUNTS = 6
"""How many detections have their pips counted while the networks still run, where nobody said what lies there; the
others follow if the first network takes them for d6."""

MAX_NUMERALS, EXTRA_NUMERALS = 10, 3
"""How many numerals are read where nobody said what lies there; and how many more than were asked for."""

MAX_MEASURED, EXTRA_FLAT = 6, 2
"""From how many dice the camera's elevation is measured where nobody said what lies there; and how many more than
were asked for have their tops laid flat."""

# What follows is set by hand.
MAX_NONE = math.log(0.5)
"""Logarithm of the probability of being no die up to which a detection tells from where it is seen."""
MIN_PIPS_PROBABILITY = 0.15
"""Probability of being a d6 from which a detection's pips are counted."""
MAX_PRINTED_IOU = 0.2
"""Intersection over union with one of our printed dice from which a detection is that die."""
MIN_OUTLINE_SCORE = 0.5
"""Score of the pips from which their face is drawn round the die."""
MIN_PICTURE_SIDE = 12
"""Pixels: a smaller picture shows nothing."""
MAX_WHOLE_ASPECT_RATIO = 2
"""Longer over shorter side up to which a whole picture may be one die's."""
COIN_STEEPNESS = 30
"""Of the logistic curve that makes a coin's margin a confidence: one half at half of ``MIN_SIDE_MARGIN``."""
MAX_ASPECT_MISFIT = 0.2
"""Logarithm up to which a solid may be higher or wider than its box to be drawn."""
BORDER = 1
"""Pixels: a face of pips this near to the picture's border is cut off by it, unless the die fills the picture."""
CLOSE_UP_SHARE = 0.5
"""Share of the picture's shorter side from which one die fills it."""


def read_dice(
    picture: BgrImage,
    expect: Expect = None,
    *,
    models: Models | None = None,
    own: OwnDice | None = None,
    plane: Plane | None = None,
    camera: StandingCamera | None = None,
) -> TrayReading:
    """Read the dice in a picture.

    Args:
        picture: (height, width, 3) blue green red, 8 bits.
        expect: what was asked for, ``(3, Die.D10)`` or a ``Pool``; count and kinds are held against it. Where
            nothing was asked for, more is doubted.
        models: the networks; the shipped ones by default.
        own: dice that a person has taught this machine.
        plane: the table's plane, where a printed mat tells it; the picture is then read as seen from above.
        camera: what earlier rolls told of where the camera stands; what this picture tells is noted there.

    Raises:
        PictureUnreadable: it is no picture.
        ModelBroken: an installed model is damaged.

    >>> from loomtable import Die, read_dice
    >>> from loomtable.vision.virtual import VirtualCamera, handful_of_dice, photograph
    >>> camera = VirtualCamera(tilt=20)
    >>> shot = photograph(handful_of_dice([3, 5, 6], seed=1, camera=camera), camera, seed=1)
    >>> tray = read_dice(shot.picture, (3, Die.D6))
    >>> tray.verdict.value, tray.reason, sorted(tray.faces)
    ('accepted', 'three dice', [3, 5, 6])
    """
    check_picture(picture)
    begun = time.perf_counter()
    tray = _read(picture, Pool.of(expect), models or load_models(), own, plane, camera)
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
    plane: Plane | None = None,
    camera: StandingCamera | None = None,
) -> TrayReading:
    if plane is not None:
        return plane.back(_read(plane.rectified(picture), pool, networks, own))
    ours, others = _split_pool(pool)
    if pool is not None and others is None:
        return _with_own_coins(picture, read_printed(picture, ours), own)
    if networks is None:
        return read_by_pips(picture, pool)
    if pool is not None and ours is None:
        found = gather_evidence(picture, pool, networks, camera)
        return resolve_tray(found, picture, pool, networks.calibration, own)
    return _read_beside_printed(picture, read_printed(picture, ours), others, networks, own, camera)


def measure_camera(picture: BgrImage) -> CameraPose | None:
    """From where a picture of dice was taken; nothing where no networks are installed, or no die lies there."""
    models, camera = load_models(), StandingCamera()
    if models is None:
        return None
    gather_evidence(picture, None, models, camera)
    return camera.latest if camera.latest is not None and camera.latest.dice else None


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
    return next((one for one in readings if one.verdict is Verdict.ASK), readings[0])


def _split_pool(pool: Pool | None) -> tuple[Pool | None, Pool | None]:
    """A pool's dice that we print, and its others; nothing for none."""
    if pool is None:
        return None, None
    ours = tuple((die, count) for die, count in pool.counts if kind_of(die) is None)
    others = tuple((die, count) for die, count in pool.counts if kind_of(die) is not None)
    return Pool(ours) if ours else None, Pool(others) if others else None


def _with_own_coins(picture: BgrImage, printed: TrayReading, own: OwnDice | None) -> TrayReading:
    """The same tray with the coin that people confirmed, where coins were asked for and are missing."""
    pool = printed.expected
    if own is None or own.coin is None or pool is None or printed.verdict is Verdict.ACCEPTED:
        return printed
    if not pool.count(Die.COIN):
        return printed
    return assess_tray(
        reading_order([*printed.dice, *(_coin(side) for side in sides_up(picture, own.coin))]), pool
    )


def _coin(up: CoinSide) -> SeenDie:
    outline = up.coin.outline
    (x0, y0), (x1, y1) = np.min(outline, axis=0).tolist(), np.max(outline, axis=0).tolist()
    clear = up.margin >= MIN_SIDE_MARGIN
    doubt = "" if clear else "shows its relief too weakly to tell heads from tails"
    sure = 1 / (1 + math.exp(-COIN_STEEPNESS * (up.margin - MIN_SIDE_MARGIN / 2)))
    return SeenDie(Die.COIN, up.side, (x0, y0, x1, y1), sure, outline, doubt, legible=clear)


def _read_beside_printed(
    picture: BgrImage,
    printed: TrayReading,
    others: Pool | None,
    models: Models,
    own: OwnDice | None,
    camera: StandingCamera | None,
) -> TrayReading:
    """A tray of dice that we print and of others: detections of the printed ones are left out.

    Where nobody said what lies there (``others`` is nothing), there may be none of the one or of the other.
    """
    taken = [die.box for die in printed.dice]
    found = gather_evidence(picture, others, models, camera)
    found = [e for e in found if all(iou(e.detection.box, box) < MAX_PRINTED_IOU for box in taken)]
    rest = resolve_tray(found, picture, others, models.calibration, own)
    if others is None and not printed.dice:
        return rest
    if others is None and not rest.dice:
        return printed
    dice = reading_order([*printed.dice, *rest.dice])
    pool = None if printed.expected is None or others is None else Pool(printed.expected.counts + others.counts)
    parts = [part for part in (printed, rest) if part.verdict is not Verdict.ACCEPTED]
    if not parts:
        return assess_tray(dice, pool)
    worst = Verdict.REJECTED if any(part.verdict is Verdict.REJECTED for part in parts) else Verdict.ASK
    return TrayReading(worst, "; ".join(part.reason for part in parts), dice, pool)


def gather_evidence(
    picture: BgrImage, pool: Pool | None, models: Models, camera: StandingCamera | None = None, every: bool = False
) -> list[Evidence]:
    """Everything in a picture that may be a die, with every prediction about it; ``every`` reads also what hardly
    can be one, as is done where nobody says what lies there."""
    expected = None if pool is None else pool.total
    detections = detect_dice(models.detector, picture, models.calibration.detector, expected)
    detections = [detections[k] for k in worth_reading(detections, None if every else expected)]
    if not detections:
        detections = _whole_picture(picture, models.calibration.detector.low)
    with ThreadPoolExecutor(1) as beside:
        # Counting pips takes as long as both readers, and needs neither: the two go on at the same time.
        early = sorted(range(len(detections)), key=lambda k: -detections[k].score)[: _early_pip_counts(pool)]
        counting = beside.submit(_count_pips, picture, detections, early)
        predictions = classify_crops(models, picture, detections, alone=not early)
        counted = counting.result()
    pip_like = [
        k for k, (reader, _, _) in enumerate(predictions) if reader.kind[1] > math.log(MIN_PIPS_PROBABILITY)
    ]
    counted |= _count_pips(picture, detections, [k for k in pip_like if k not in counted])
    pips = [counted[k] if k in pip_like else PipsOfDie() for k in range(len(predictions))]
    d4s = read_d4s(models, picture, detections, predictions, None if pool is None else pool.count(Die.D4))
    found = [
        Evidence(detection, reader, second, pips[k].up, crop, sides=pips[k].sides, d4=d4s.get(k))
        for k, (detection, (reader, second, crop)) in enumerate(zip(detections, predictions, strict=True))
    ]
    dice_like = [k for k, one in enumerate(found) if k in pip_like or one.reader.kind[0] < MAX_NONE]
    clearest = sorted(dice_like, key=lambda k: -found[k].detection.score)
    if pool is None:
        clearest = [k for k in clearest if found[k].detection.score >= models.calibration.detector.high]
    count = MAX_MEASURED if pool is None else pool.total
    pose = measure_pose(
        [_view(found[k], k in pip_like) for k in clearest[:count]],
        (picture.shape[1], picture.shape[0]),
        None if camera is None else camera.known,
    )
    if camera is not None:
        camera.latest = pose
    if pose.dice:
        found = [_posed(one, pose) for one in found]
    for k, shares in zip(clearest, pose.beside, strict=False):
        found[k] = replace(found[k], beside=shares)
    limit = MAX_NUMERALS if pool is None else pool.total + EXTRA_NUMERALS
    found = read_numerals(models, picture, found, limit, pool is not None and set(pool.dice) == {Die.D6})
    return lay_flat(models, picture, found, clearest[: count + EXTRA_FLAT], pose, count)


def _posed(die: Evidence, pose: CameraPose) -> Evidence:
    """The evidence, with how the die stands before a camera and how it is turned."""
    yaw = joint_yaw([one.yaw for one in die.networks if one.yaw is not None])
    return replace(die, upright=pose.upright_at(square_about(die.detection.box)[0]), yaw=yaw)


def _view(die: Evidence, is_cube: bool) -> DieView:
    """What tells from where a die is seen."""
    uprights = tuple(one.upright for one in die.networks if one.upright is not None)
    return DieView(die.detection.box, die.sides, die.reader.top, uprights, is_cube)


def _early_pip_counts(pool: Pool | None) -> int:
    """How many detections have their pips counted before a network has taken them for d6."""
    if pool is None:
        return EARLY_PIP_COUNTS
    return pool.total if pool.count(Die.D6) else 0


def _count_pips(picture: BgrImage, detections: Sequence[Detection], places: Sequence[int]) -> dict[int, PipsOfDie]:
    """What the pips of these detections make, by their place."""
    return dict(zip(places, pips_of(picture, [detections[k].box for k in places]), strict=True))


def resolve_tray(
    evidence: Sequence[Evidence],
    picture: BgrImage,
    pool: Pool | None,
    calibration: Calibration,
    own: OwnDice | None = None,
) -> TrayReading:
    """The verdict on what was found in a picture, where a pool was asked for, or nobody said what."""
    found = select_dice(assess_dice(evidence, picture, pool, calibration, own), pool, calibration)
    log_decisions(found.dice, found.possible)
    tray = tray_of(found, pool, calibration)
    if not found.dice and _is_dark(picture):
        return replace(tray, reason=f"{tray.reason}: {BLACK}")
    return tray


def tray_of(found: Selection, pool: Pool | None, calibration: Calibration) -> TrayReading:
    """The verdict on detections that were decided."""
    seen = reading_order([_seen_die(one, calibration) for one in found.dice])
    return assess_tray(seen, pool, len(found.possible))


def _seen_die(one: Decision, calibration: Calibration) -> SeenDie:
    pips = one.evidence.pips
    polygon, sides = _solid(one.evidence.pose(one.kind), one.evidence.detection)
    if (
        one.kind is Kind.D6
        and pips is not None
        and pips.value == one.number
        and pips.confidence_score > MIN_OUTLINE_SCORE
    ):
        polygon, sides = pips.corners, ()
    return SeenDie(
        one.kind.die,
        one.kind.face(one.number),
        one.evidence.detection.box,
        one.confidence,
        polygon,
        one.doubt,
        legible=one.confidence >= calibration.min_confidence and one.doubt != UNREAD_D4,
        crop=one.evidence.crop if one.evidence.laid is None else one.evidence.laid,
        numerals=one.kind is Kind.D6_NUMERAL,
        sides=sides,
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


def _whole_picture(picture: BgrImage, score: float) -> list[Detection]:
    """A small picture in which no die was found may be one die's: a crop."""
    height, width = picture.shape[:2]
    if max(height, width) > MAX_WHOLE_ASPECT_RATIO * min(height, width) or min(height, width) < MIN_PICTURE_SIDE:
        return []
    return [Detection((0.04 * width, 0.04 * height, 0.96 * width, 0.96 * height), score)]


def _is_dark(picture: BgrImage) -> bool:
    return float(np.percentile(picture[::4, ::4], 99)) < MAX_DARK_LEVEL


def read_by_pips(picture: BgrImage, pool: Pool | None) -> TrayReading:
    """Read d6 by their pips, without networks."""
    others = [] if pool is None else [die for die in pool.dice if die is not Die.D6]
    if others:
        reason = f"without its networks this reader reads d6 with pips only, and {others[0].plural} were asked for"
        return TrayReading(Verdict.REJECTED, reason, (), pool)
    faces, more = faces_up(detect_pip_faces(picture), None if pool is None else pool.total)
    tray = assess_tray(reading_order([_by_pips(face, picture) for face in faces]), pool, more)
    if not faces and _is_dark(picture):
        return replace(tray, reason=f"{tray.reason}: {BLACK}")
    return tray


def _by_pips(face: PipFace, picture: BgrImage) -> SeenDie:
    (x0, y0), (x1, y1) = np.min(face.corners, axis=0).tolist(), np.max(face.corners, axis=0).tolist()
    height, width = picture.shape[:2]
    over = min(x0, y0, width - x1, height - y1) < BORDER
    # A close-up of one die has the picture's border all round.
    doubt = CUT_OFF if over and max(x1 - x0, y1 - y0) < CLOSE_UP_SHARE * min(height, width) else face.doubt
    logger.debug("by its pips: %d, score %.3f, %s", face.value, face.confidence_score, doubt or "no doubt")
    return SeenDie(Die.D6, face.value, (x0, y0, x1, y1), face.confidence, face.corners, doubt)
