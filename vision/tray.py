"""The reading of a dice tray: each die with its doubt, and a verdict on the whole tray in words.

A wrong number that looks right is the worst thing this program can do. So a tray is *accepted* only when every die
on it is sure; it is *asked* about when a person can put it right by tapping a die; and it is *rejected* when it is
not what was asked for at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from loomtable.engine.kernel.dice import Die, Face, percentile_of
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.readings import DiceReading, ReadDie, Source
from loomtable.engine.kernel.wording import dice_count, number_word
from loomtable.vision.arrays import Float32Array
from loomtable.vision.camera_pose import CameraPose
from loomtable.vision.die_kinds import Kind, kind_of
from loomtable.vision.overlay import Mark
from loomtable.vision.pictures import BgrImage
from loomtable.vision.pool import Expect, Pool
from loomtable.vision.verdict import Verdict

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in pixels of the picture that was read."""

MIN_NAMED_CONFIDENCE = 0.5
"""Confidence from which something of another kind than was asked for is named. Set by hand."""
UNMADE_OUT = "something is there that could not be made out"


@dataclass(frozen=True)
class SeenDie:
    """One die of a picture, and the face that most probably lies up."""

    die: Die
    face: Face
    box: Box
    """Round the face that lies up, in pixels."""
    confidence: float
    """0 to 1: how often a die read this surely shows this face. Measured, see ``models/README.md``."""
    polygon: tuple[tuple[float, float], ...] = ()
    """Corners of the face that lies up, in pixels, in order round it; empty where unknown."""
    doubt: str = ""
    """Why it is not sure, as the end of a sentence: ``"a gleam hides part of it"``; empty where it is sure."""
    how: Source = Source.CAMERA
    misread: Face | None = None
    """What the camera had said, where a person corrected it."""
    legible: bool = True
    """Whether the face was read at all; where not, ``face`` is only the likeliest."""
    crop: BgrImage | None = field(default=None, compare=False, repr=False)
    """(96, 96, 3): the die as the networks saw it, to learn from once a person has confirmed it."""
    numerals: bool = False
    """Whether a d6 has numerals in the place of pips."""
    likely: tuple[Face, ...] = ()
    """What it most likely shows, the likeliest first; empty where that is sure, or a person has said it."""
    sides: tuple[tuple[tuple[float, float], ...], ...] = ()
    """Corners of each other face that can be seen, in pixels, where the pose of the whole solid is known."""
    laid_out: bool = False
    """Whether its layout, which is known, surely says this number."""
    seen: Float32Array | None = field(default=None, compare=False, repr=False)
    """What is read on each of its faces (``LayoutReading.seen``), from which its layout can be learned."""
    read: tuple[Mark, ...] = field(default=(), compare=False, repr=False)
    """Each face that was read, with its number and how surely, the upper one first; where layouts are known."""

    @property
    def kind(self) -> Kind | None:
        """Its kind; nothing for what is told by its symbol."""
        return Kind.D6_NUMERAL if self.numerals else kind_of(self.die)

    @property
    def name(self) -> str:
        """What the die is called in labels and JSON: ``"d10"``, ``"d6_numeral"``."""
        return self.die.value if self.kind is None else self.kind.value

    @property
    def value(self) -> Face | None:
        """What is printed on the face (0 on a d10's last), or its word; nothing where it could not be read."""
        if not self.legible:
            return None
        return self.face if self.kind is None else self.kind.printed(self.face)

    @property
    def centre(self) -> tuple[float, float]:
        """Middle of the box, in pixels."""
        x0, y0, x1, y1 = self.box
        return (x0 + x1) / 2, (y0 + y1) / 2


@dataclass(frozen=True)
class TrayReading:
    """All dice of a picture in reading order, and whether they may be believed."""

    verdict: Verdict
    reason: str
    """Why it is not accepted, in words for people: ``"two dice, three expected"``; how many where it is."""
    dice: tuple[SeenDie, ...] = ()
    expected: Pool | None = None
    """What was asked for."""
    camera: CameraPose | None = field(default=None, compare=False, repr=False)
    """From where the picture was taken, as its dice tell; nothing where none were measured."""

    @property
    def accepted(self) -> bool:
        """Whether its faces may be used; a verdict by itself is true whatever it says."""
        return self.verdict is Verdict.ACCEPTED

    @property
    def faces(self) -> tuple[Face, ...]:
        """The faces that lie up, in reading order."""
        return tuple(die.face for die in self.dice)

    @property
    def percentile(self) -> int | None:
        """What a percentile d10 and a d10 make together, 1 to 100; nothing where there is not one of each."""
        tens, units = ([d for d in self.dice if d.die is die] for die in (Die.D100, Die.D10))
        return percentile_of(int(tens[0].face), int(units[0].face)) if len(tens) == len(units) == 1 else None

    def placed(self, factor: float, shift: tuple[float, float] = (0.0, 0.0)) -> TrayReading:
        """The same in a picture ``factor`` times as wide, then ``shift`` pixels farther right and down."""

        def at(points: Iterable[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
            return tuple((x * factor + shift[0], y * factor + shift[1]) for x, y in points)

        def moved(die: SeenDie) -> SeenDie:
            (x0, y0), (x1, y1) = at([die.box[:2], die.box[2:]])
            read = tuple(replace(mark, polygon=at(mark.polygon)) for mark in die.read)
            return replace(
                die, box=(x0, y0, x1, y1), polygon=at(die.polygon), sides=tuple(map(at, die.sides)), read=read
            )

        return replace(self, dice=tuple(map(moved, self.dice)))

    def rolled(self) -> DiceReading:
        """The engine's reading of this tray.

        Raises:
            ReadingMisfit: the tray is not accepted; ``reason`` says why. Correct or confirm its dice first.
        """
        if self.verdict is not Verdict.ACCEPTED:
            raise ReadingMisfit(f"the tray cannot be taken as it was read: {self.reason}")
        dice = (ReadDie(die.die, die.face, die.how, die.confidence, die.misread) for die in self.dice)
        return DiceReading(tuple(dice))

    def corrected(self, index: int, face: Face) -> TrayReading:
        """The same tray after a person tapped die ``index`` (in reading order) and said what it shows.

        The camera's face is kept as the misread one where it differs; where it does not, the person has confirmed
        it. Once no die is doubtful any more and the count is right, the tray is accepted.

        Raises:
            ReadingMisfit: there is no such die, or the die has no such face.
        """
        if not 0 <= index < len(self.dice):
            raise ReadingMisfit(f"there is no die {index + 1} on the tray; it has {dice_count(len(self.dice))}")
        die = self.dice[index]
        camera_face = die.misread if die.misread is not None else die.face
        corrected_die = replace(
            die,
            face=die.die.check(face),
            how=Source.CORRECTED,
            confidence=1.0,
            doubt="",
            likely=(),
            legible=True,
            misread=None if camera_face == face else camera_face,
        )
        dice = (*self.dice[:index], corrected_die, *self.dice[index + 1 :])
        return assess_tray(dice, self.expected)


def assess_tray(dice: Sequence[SeenDie], expected: Expect, unread: int = 0) -> TrayReading:
    """The tray of these dice, in their order: a wrong count or kind is rejected, a doubtful die is asked about.

    ``unread`` is how many more things lie there that may be dice; a person has to look at them.
    """
    lying, pool = tuple(dice), Pool.of(expected)
    reason = _mismatch(lying, pool)
    if reason:
        return TrayReading(Verdict.REJECTED, reason, lying, pool)
    doubtful = [die for die in lying if die.doubt]
    if doubtful:
        reasons = "; ".join(f"{_place(die, lying)} {die.doubt}" for die in doubtful[:3])
        more = f"; and {len(doubtful) - 3} more" if len(doubtful) > 3 else ""
        return TrayReading(Verdict.ASK, reasons + more, lying, pool)
    if unread:
        more = "something more" if unread == 1 else f"{number_word(unread)} more things"
        reason = f"{dice_count(len(lying))} read, and {more} that may be dice"
        return TrayReading(Verdict.ASK, reason, lying, pool)
    accepted = TrayReading(Verdict.ACCEPTED, dice_count(len(lying)), lying, pool)
    return replace(accepted, reason=accepted.reason + _in_percent(accepted))


def _in_percent(tray: TrayReading) -> str:
    """What a percentile pair makes, as the end of a sentence; empty where none lies there."""
    if tray.percentile is None:
        return ""
    tens, units = (next(d.value for d in tray.dice if d.die is die) for die in (Die.D100, Die.D10))
    return f": {tens:02d} and {units} make {tray.percentile}"


def _mismatch(dice: tuple[SeenDie, ...], pool: Pool | None) -> str:
    """What does not fit what was asked for, in words; empty where all does."""
    wanted = "" if pool is None else f", {number_word(pool.total)} expected"
    if not dice:
        return f"no dice{wanted}"
    if pool is None:
        return ""
    others = [die for die in dice if die.kind is not None and not pool.count(die.die)]
    if others:
        kinds = [die.kind for die in others if die.kind is not None and die.confidence >= MIN_NAMED_CONFIDENCE]
        lying = UNMADE_OUT
        if kinds:
            lying = f"{kinds[0].some(kinds.count(kinds[0]))} {'is' if kinds.count(kinds[0]) == 1 else 'are'} there"
        return f"{lying}; {pool.words} {'was' if pool.total == 1 else 'were'} asked for"
    if len(pool.counts) == 1 and len(dice) != pool.total:
        return f"{dice_count(len(dice))}{wanted}"
    for die, count in pool.counts:
        lying_there = sum(seen.die is die for seen in dice)
        if lying_there != count:
            name = die.label if lying_there == 1 else die.plural
            return f"{number_word(lying_there)} {name}, {number_word(count)} expected"
    return ""


def reading_order(dice: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    """The dice as people read them: by rows from the top, each from the left."""
    waiting = sorted(dice, key=lambda die: die.centre[1])
    ordered: list[SeenDie] = []
    while waiting:
        first = waiting[0]
        line = first.centre[1] + (first.box[3] - first.box[1]) / 2
        row = [die for die in waiting if die.centre[1] <= line]
        ordered += sorted(row, key=lambda die: die.centre[0])
        waiting = [die for die in waiting if die.centre[1] > line]
    return tuple(ordered)


def _place(die: SeenDie, tray: Sequence[SeenDie]) -> str:
    """Which die is meant, by where it lies among the others."""
    if len(tray) == 1:
        return "the die"
    others = [other.centre for other in tray if other is not die]
    x, y = die.centre
    if all(x < other[0] for other in others):
        return "the die at the left"
    if all(x > other[0] for other in others):
        return "the die at the right"
    if all(y < other[1] for other in others):
        return "the die at the top"
    if all(y > other[1] for other in others):
        return "the die at the bottom"
    return f"die {tray.index(die) + 1} of {len(tray)}"
