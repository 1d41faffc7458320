"""What lies on the table before a camera: dice and cards, each with where it lies and how sure it is.

The scene does not hang on what is asked. A question only says which readers are worth running (``Wanted``), and
from when on things count as new (``SceneReader.look_for``); what of the scene answers it is decided elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from loomtable.engine.kernel.components import ComponentId
from loomtable.table.reading.card_geometry import MIDDLE, TAGGED
from loomtable.vision.card_stream import CardWatch
from loomtable.vision.cards import SeenCard
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
class Wanted:
    """What is looked for on the table; readers of anything else do not run."""

    pools: tuple[Pool, ...] = ()
    """Dice that may lie there: any one of these pools."""
    cards: bool = False


NOTHING = Wanted()


@dataclass(frozen=True)
class Scene:
    """What lies on the table; *new* is what came since ``SceneReader.look_for``."""

    dice: TrayReading | None = None
    """The dice as one frame shows them; nothing before they were read for this, or while something moves."""
    roll: TrayReading | None = None
    """The dice once enough frames agree on them, if that is new. It stays the same object for as long as they lie
    so, also after a hand has passed over them."""
    thrown: bool = False
    """Whether something has moved on the table since the first look, so that a roll may have been thrown."""
    cards: tuple[SeenCard, ...] = ()
    """The cards in reading order, those in doubt too."""
    laid: frozenset[ComponentId] = frozenset()
    """The cards that are new."""
    notes: tuple[str, ...] = ()
    """What a person should do or say about cards, in sentences."""
    disturbed: str = ""
    """What keeps the table from being read: ``"a hand is over the table"``."""
    read: bool = True
    """Whether this frame could be read, as far as there was anything to read."""

    @property
    def sure_cards(self) -> tuple[ComponentId, ...]:
        """The cards that are not in doubt."""
        return tuple(seen.card for seen in self.cards if not seen.doubt)


class SceneReader:
    """Keeps the scene up to date, one call of ``read`` for each frame of one camera."""

    def __init__(self) -> None:
        self.scene = Scene()
        self._wanted = NOTHING
        self._dice = StreamReader(min_readings=AGREEING, still_frames=STILL, max_readings=MOST_READINGS)
        self._cards = CardWatch(MIDDLE, tagged=TAGGED)
        self._likelier = 0
        """Which of several pools lay there last."""
        self._settled: TrayReading | None = None
        """The new roll, also while a hand hides it."""
        self._advice: tuple[str, ...] = ()
        self._first = True

    def look_for(self, wanted: Wanted) -> None:
        """Look for this from now on; what comes after it is new."""
        self._wanted, self._settled, self._first = wanted, None, True
        self.scene = Scene(cards=self.scene.cards)
        self._dice.own = own_dice()  # a roll that was confirmed meanwhile may have taught some
        self._dice.expect = self._pool

    @property
    def _pool(self) -> Pool | None:
        pools = self._wanted.pools
        return pools[self._likelier % len(pools)] if pools else None

    def read(self, frame: BgrImage) -> Scene:
        """Take the next frame."""
        self.scene = replace(self.scene, disturbed="", read=True)
        if self._wanted.pools:
            self.scene = self._with_dice(frame)
        if self._wanted.cards:
            self.scene = self._with_cards(frame)
        self._first = False
        return self.scene

    def _with_dice(self, frame: BgrImage) -> Scene:
        seen = self._dice.read_frame(frame)
        if seen.phase in (Phase.MOVING, Phase.HAND):
            # What moved before the first look was not thrown for what is asked.
            moved = replace(self.scene, thrown=self.scene.thrown or not self._first)
            return replace(moved, dice=None, roll=None, disturbed=seen.says, read=False)
        still = replace(self.scene, read=seen.phase is Phase.SETTLED)
        if seen.tray is None:
            return still
        lying = seen.tray
        if len(self._wanted.pools) > 1 and lying.verdict is Verdict.REJECTED:
            lying = self._as_other_pool(frame, lying)
        if seen.roll is not None and lying is seen.tray:
            self._settled = seen.roll.tray
        settled = lying is seen.tray and (seen.roll is not None or seen.unmoved is not None)
        return replace(still, dice=lying, roll=self._settled if settled else None, read=True)

    def _as_other_pool(self, frame: BgrImage, tray: TrayReading) -> TrayReading:
        """The dice held against the next pool, where they fit that better; it is looked for from then on."""
        other = self._wanted.pools[(self._likelier + 1) % len(self._wanted.pools)]
        second = read_dice(frame, other, own=self._dice.own)
        if second.verdict is Verdict.REJECTED and len(second.dice) <= len(tray.dice):
            return tray
        self._likelier += 1
        self._dice.expect_instead(other, second)
        return second

    def _with_cards(self, frame: BgrImage) -> Scene:
        news = self._cards.update(frame)
        doubts = tuple(seen.asks for seen in news.present if seen.doubt)
        advice = tuple(note for note in news.asks if note not in doubts)
        if advice or news.placed or news.taken:
            self._advice = advice  # said once, and true for as long as the cards lie so
        laid = self.scene.laid | {seen.card for seen in news.placed}
        disturbed = self.scene.disturbed or news.says
        return replace(self.scene, cards=news.present, laid=laid, notes=doubts + self._advice, disturbed=disturbed)
