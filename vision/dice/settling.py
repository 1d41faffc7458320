"""Watching a camera until a roll counts: the dice lie still, several frames agree, and nobody's hand is over them.
Numbers here are set by hand."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from loomtable.vision.camera_pose import CameraPose
from loomtable.vision.dice.cues import CUES, Cue
from loomtable.vision.dice.enrolment.confirmed import OwnDice
from loomtable.vision.dice.identity import DiceTracker, TrackedRoll
from loomtable.vision.dice.networks import Models, load_models
from loomtable.vision.dice.reader import read_dice
from loomtable.vision.motion import SAYS, Change, Motion
from loomtable.vision.pictures import BgrImage
from loomtable.vision.plane_pose import FlatPrint, pose_by_prints
from loomtable.vision.pool import Expect, Pool
from loomtable.vision.quads import Point, corners
from loomtable.vision.tray import SeenDie, TrayReading, assess_tray, reading_order
from loomtable.vision.verdict import Verdict

STILL_FRAMES = 2
"""Frames in which nothing moves before one is read."""
MIN_READINGS, MAX_READINGS = 4, 10
"""Readings that a roll takes at least; and after which it is decided however little they agree."""
MIN_SAME_COUNT = 0.6
"""Share of the readings that must show the same number of dice."""
MAX_MATCH_DISTANCE = 0.4
"""How far apart, in sides of its box, a die may lie in two frames."""
MIN_AGREEMENT = 0.75
"""Share of the frames that must read the same face."""
MAX_DOUBTED = 0.25
"""Share of the frames that agree of which their doubt does not stay: looked at again and again, dice that are in
doubt are believed at some time."""
MAX_PRINTS = 8
"""So many printed things tell how the table lies, the latest."""
MAX_ANGLE = 15.0
"""Degrees by which what newly lies there may tell another table than what lay there before."""
FRAME_CORRELATION = 0.9
"""Where no networks are installed, whose calibration has a measured one."""
NEVER_STILL = "the dice never lay still long enough"


class Phase(StrEnum):
    """What the reader is waiting for."""

    MOVING = "moving"
    """Something moves."""
    HAND = "hand"
    """A hand, or something as large, is over the table."""
    READING = "reading"
    """The dice lie still and are being read."""
    SETTLED = "settled"
    """The roll has been read; nothing has moved since."""


@dataclass(frozen=True)
class Settled:
    """A roll that counts, or that a person has to help with."""

    tray: TrayReading
    dice: TrackedRoll
    """Which die of the table each is, and which were thrown since the last roll."""


@dataclass(frozen=True)
class StreamReading:
    """What one frame brought."""

    phase: Phase
    says: str
    """For people: ``"something moves"``."""
    tray: TrayReading | None = None
    """What this frame alone shows, where it was read; not to be counted on."""
    roll: Settled | None = None
    """In the one frame in which a roll settles."""
    unmoved: TrayReading | None = None
    """In the one frame in which dice that were given as a roll before turn out to lie as they lay."""
    milliseconds: float = 0.0
    """How long reading this frame took."""

    @property
    def disturbed(self) -> bool:
        """Whether something moves, so that nothing can be read."""
        return self.phase in (Phase.MOVING, Phase.HAND)


@dataclass
class StreamReader:
    """Reads frames, one call of ``read_frame`` for each; gives every roll once, when it has settled."""

    expect: Expect = None
    models: Models | None = None
    own: OwnDice | None = None
    min_readings: int = MIN_READINGS
    """Readings that a roll takes at least where each is sure by itself; otherwise it takes ``MIN_READINGS``."""
    still_frames: int = STILL_FRAMES
    max_readings: int = MAX_READINGS
    cues: Iterable[Cue] = CUES
    """What a frame is read by, as in ``read_dice``."""
    motion: Motion = field(default_factory=Motion)
    """Of the camera whose frames are read."""
    _tracker: DiceTracker = field(default_factory=DiceTracker)
    camera: CameraPose | None = None
    """From where the camera sees the table, as prints and rolls that are over told; nothing once it was moved."""
    prints: tuple[FlatPrint, ...] = ()
    """What lay there of known size since the camera was moved last."""
    _contradicted: int = 0
    """Rolls in a row whose dice lay otherwise than what was printed."""
    _still: int = 0
    _readings: list[TrayReading] = field(default_factory=list)
    _settled: bool = False
    _shift: Point | None = None
    """The ``Motion.shift`` when dice were read last; where it is another now, all places are other ones."""
    _last: TrayReading | None = None
    _unmoved: TrayReading | None = None

    def expect_instead(self, expect: Expect, tray: TrayReading) -> None:
        """Other dice than were expected lie there: read these from now on; ``tray`` is their first reading."""
        self.expect, self._readings, self._settled = expect, [tray], False

    def see_prints(self, prints: Sequence[FlatPrint], frame: BgrImage) -> None:
        """These lie still in a frame, and tell how the table lies; those before count as long as they fit."""
        size, known = (frame.shape[1], frame.shape[0]), self.camera
        alone = pose_by_prints(prints, size)
        if alone is None:
            return
        measured = known is not None and known.is_measured and alone.is_measured
        if known is None or (measured and known.angle_from(alone) > MAX_ANGLE):
            self.prints = ()
        self.prints = (*self.prints, *prints)[-MAX_PRINTS:]
        self.camera = pose_by_prints(self.prints, size)

    def learn_from(self, told: CameraPose) -> None:
        """A roll is over whose dice told this; twice in a row against what was printed, and that is forgotten."""
        self._contradicted = 0 if told.prints else self._contradicted + 1
        if not self.prints or self._contradicted > 1:
            self.camera, self.prints = told, ()

    def read_frame(self, frame: BgrImage, change: Change | None = None) -> StreamReading:
        """Take the next frame; ``change`` is what happened in it, where ``motion`` has been asked already."""
        change = self.motion.change(frame) if change is None else change
        if change is not Change.STILL:
            self.disturb(change)
            phase = Phase.HAND if change is Change.HAND else Phase.MOVING
            return StreamReading(phase, SAYS[change])
        self._still += 1
        self._shift = self._shift or self.motion.shift
        if self._settled:
            return StreamReading(Phase.SETTLED, "the roll has been read")
        if self._still < self.still_frames:
            return StreamReading(Phase.READING, "the dice are being read")
        begun = time.perf_counter()
        tray = self.read(frame, self.expect)
        taken = 1000 * (time.perf_counter() - begun)
        self._readings.append(tray)
        self._last = tray
        self._unmoved = None
        roll = self._roll(frame)
        phase = Phase.SETTLED if self._settled else Phase.READING
        return StreamReading(phase, "the dice are being read", tray, roll, self._unmoved, taken)

    def read(self, frame: BgrImage, expect: Expect) -> TrayReading:
        """The dice in the last frame, if these are expected; where that is in doubt, without what was there before
        anything moved, and never lay there as a die: it is printed there."""
        tray = read_dice(frame, expect, models=self.models, own=self.own, camera=self.camera, cues=self.cues)
        ground, known = self.motion.ground, [one.die for one in self._tracker.dice]
        if tray.verdict is Verdict.ACCEPTED or ground is None:
            return tray
        there = [self.motion.is_as(ground, corners(die.box), frame) for die in tray.dice]
        dice = [die for die, was in zip(tray.dice, there, strict=True) if not was or _match(die, known)]
        left = assess_tray(dice, Pool.of(expect))
        return tray if len(dice) == len(tray.dice) else replace(left, camera=tray.camera)

    def disturb(self, change: Change) -> None:
        """Something happened in a frame, which need not be read."""
        if change is Change.CAMERA:
            self.camera, self.prints = None, ()
        self._still = 0
        self._readings.clear()
        # A hand that only passes over dice that lie still rolls nothing; what they show is read again.
        self._settled = False

    def unsettled(self) -> TrayReading:
        """What was read last where no roll has settled: never accepted."""
        if self._last is None:
            return TrayReading(Verdict.REJECTED, NEVER_STILL, (), Pool.of(self.expect))
        return replace(self._last, verdict=Verdict.ASK, reason=NEVER_STILL) if self._last.dice else self._last

    def _roll(self, frame: BgrImage) -> Settled | None:
        """The roll in the last frame, once enough readings agree or there are enough of them."""
        sure = all(reading.verdict is Verdict.ACCEPTED for reading in self._readings)
        if len(self._readings) < (self.min_readings if sure else MIN_READINGS):
            return None
        models = self.models or load_models()
        correlation = FRAME_CORRELATION if models is None else models.calibration.frame_correlation
        tray = merge_readings(self._readings, Pool.of(self.expect), correlation)
        if tray.verdict is not Verdict.ACCEPTED and len(self._readings) < self.max_readings:
            return None
        (x, y), now, wide = self._shift or self.motion.shift, self.motion.shift, frame.shape[1]
        self._settled, self._shift, knock = True, now, ((now[0] - x) * wide, (now[1] - y) * wide)
        self._readings.clear()
        if tray.camera is not None:
            self.learn_from(tray.camera)
        ground = self.motion.ground
        before = list(self._tracker.dice)
        there = [not before and self.motion.is_as(ground, corners(die.box), frame) for die in tray.dice]
        self.motion.settle()
        if not tray.dice:
            return None  # an empty table is no roll; it is the ground that the next dice fall on
        dice = self._tracker.track(tray.dice, knock)
        lay = {number for number, was in zip(dice.numbers, there, strict=True) if was}  # before any were known
        dice = replace(dice, thrown=tuple(number for number in dice.thrown if number not in lay))
        pool = Pool.of(self.expect)
        if pool is not None and len(tray.dice) < pool.total:
            self._tracker.dice = before  # some are still in a hand: they are held against the whole roll
        if before and not (dice.thrown or dice.nudged or dice.gone) and len(before) == len(tray.dice):
            # A hand passed, and every die lies as it lay: that roll was given already.
            self._unmoved = tray
            return None
        return Settled(tray, dice)


def merge_readings(readings: Sequence[TrayReading], pool: Pool | None, correlation: float) -> TrayReading:
    """One reading from those of several frames of the same still dice.

    Each die takes the face that most frames give it. Frames of one roll repeat each other's mistakes, so ten
    that agree say only a little more than one: ``correlation`` is how much of each frame is a repetition, 0 to 1.
    """
    count = Counter(len(r.dice) for r in readings).most_common(1)[0][0]
    usual = [r for r in readings if len(r.dice) == count]
    if len(usual) < MIN_SAME_COUNT * len(readings):
        last = readings[-1]
        reason = "the number of dice changes from frame to frame"
        return replace(last, verdict=Verdict.ASK if last.dice else Verdict.REJECTED, reason=reason)
    last = usual[-1]
    if not last.dice or last.verdict is Verdict.REJECTED:
        return last
    dice = [_merge_die(die, [_match(die, r.dice) for r in usual], correlation) for die in last.dice]
    unread = 0 if last.verdict is Verdict.ACCEPTED or any(die.doubt for die in last.dice) else 1
    if any(len(r.dice) > len(last.dice) for r in readings):
        unread = 1  # what one frame left out may be the very die that was rolled
    return replace(assess_tray(reading_order(dice), pool, unread), camera=last.camera)


def _match(die: SeenDie, others: Sequence[SeenDie]) -> SeenDie | None:
    """The die of another frame that lies where this one does."""
    side = max(die.box[2] - die.box[0], die.box[3] - die.box[1])
    near = [(math.dist(die.centre, other.centre), k) for k, other in enumerate(others)]
    distance, k = min(near, default=(math.inf, 0))
    return others[k] if distance < MAX_MATCH_DISTANCE * side else None


def _merge_die(die: SeenDie, frames: Sequence[SeenDie | None], correlation: float) -> SeenDie:
    """One die from what each frame shows of it: the face most of them read, and a confidence for all of them."""
    sightings = [sighting for sighting in frames if sighting is not None]
    counts = Counter((sighting.die, sighting.face) for sighting in sightings)
    (kind, face), most = counts.most_common(1)[0]
    agreeing = [sighting for sighting in sightings if (sighting.die, sighting.face) == (kind, face)]
    differing = [sighting for sighting in sightings if (sighting.die, sighting.face) != (kind, face)]
    against = any(sighting.confidence > 0 and not sighting.doubt for sighting in differing)
    clamped = [min(max(sighting.confidence, 0.001), 0.999) for sighting in agreeing]  # their logarithms exist
    log_odds = [math.log(confidence / (1 - confidence)) for confidence in clamped]
    independent = 1 + (1 - correlation) * (len(agreeing) - 1)
    mean = sum(log_odds) / len(log_odds) * independent * most / len(frames)
    doubts = Counter(sighting.doubt for sighting in agreeing if sighting.doubt)
    doubt = ""
    if against or most < MIN_AGREEMENT * len(frames):
        others = sorted({str(sighting.face) for sighting in sightings} - {str(face)})
        doubt = (
            f"was read as {face} and as {' and as '.join(others)}" if others else "comes and goes in the picture"
        )
    elif doubts.total() > MAX_DOUBTED * len(agreeing):
        doubt = doubts.most_common(1)[0][0]
    laid_out = all(sighting.laid_out for sighting in agreeing)
    return replace(agreeing[-1], confidence=1 / (1 + math.exp(-mean)), doubt=doubt, laid_out=laid_out)
