"""Watching for the dice that are asked for, frame by frame: what moves, what lies there so far, what counts."""

from __future__ import annotations

from dataclasses import dataclass

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.requests import Flip, Request, Roll
from loomtable.table.hosting.camera_words import seen_so_far
from loomtable.vision.dice import Pool, TrayReading, read_dice
from loomtable.vision.dice.enrolment.rolls import own_dice
from loomtable.vision.dice.settling import Phase, StreamReader
from loomtable.vision.pictures import BgrImage
from loomtable.vision.verdict import Verdict

STILL = 1
"""Frames in which nothing moves before one is read. One is enough here: two readings have to agree, and between
them nothing may move."""
AGREEING = 2
"""Sure readings that have to agree: people wait for the result, and frames of one roll hardly differ."""
MOST_READINGS = 4
"""Readings after which people are asked about what is still in doubt; more frames of the same hardly help."""


@dataclass(frozen=True)
class FrameReading:
    """What one frame brought."""

    says: str
    """For people; empty where there is nothing new to say."""
    moves: bool
    """Something moves, or a hand is over the table: what was read before counts no more."""
    was_read: bool
    roll: TrayReading | None = None
    """In the one frame in which a roll has settled."""
    unmoved: bool = False
    """In the one frame in which dice that were given before turn out to lie as they lay."""


class DiceWatch:
    """Watches for what is asked, or for ordinary dice that stand in for it."""

    def __init__(self) -> None:
        self._d6_first = False
        self.begin_anew()

    def begin_anew(self) -> None:
        """Look as if for the first time: another camera, or the same one elsewhere."""
        self._stream = StreamReader(
            own=own_dice(), min_readings=AGREEING, still_frames=STILL, max_readings=MOST_READINGS
        )

    def expect(self, request: Request | None) -> None:
        """Something else is asked now."""
        self._stream.own = own_dice()  # a roll that was confirmed meanwhile may have taught some
        self._stream.expect = None
        if isinstance(request, Roll):
            die = Die.D6 if request.stand_in and self._d6_first else request.die
            self._stream.expect = Pool.of((request.count, die))
        elif isinstance(request, Flip):
            self._stream.expect = Pool.of((1, Die.COIN))

    def read_frame(self, request: Roll | Flip, frame: BgrImage) -> FrameReading:
        """Take the next frame."""
        seen = self._stream.read_frame(frame)
        if seen.phase in (Phase.MOVING, Phase.HAND):
            return FrameReading(seen.says, moves=True, was_read=False)
        if seen.tray is None:
            return FrameReading("", moves=False, was_read=seen.phase is Phase.SETTLED)
        lying = seen.tray
        if isinstance(request, Roll) and request.stand_in and lying.verdict is Verdict.REJECTED:
            lying = self._other_kind(request, frame, lying)
        says = seen_so_far(request, lying, frame)
        roll = seen.roll.tray if seen.roll is not None and lying is seen.tray else None
        return FrameReading(says, moves=False, was_read=True, roll=roll, unmoved=seen.unmoved is not None)

    def _other_kind(self, request: Roll, frame: BgrImage, asked: TrayReading) -> TrayReading:
        """What lies there, held against the other kind of dice that may answer where that fits better; from the
        next frame on those are looked for."""
        other = (request.count, request.die) if self._d6_first else (request.count, Die.D6)
        second = read_dice(frame, other, own=own_dice())
        if second.verdict is Verdict.REJECTED and len(second.dice) <= len(asked.dice):
            return asked
        self._d6_first = not self._d6_first
        self._stream.expect_instead(Pool.of(other), second)
        return second
