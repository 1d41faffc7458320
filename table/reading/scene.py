"""What lies on the table before a camera: dice, cards and figures, each with where it lies and how sure it is.

The scene does not hang on what is asked. A question only says which readers are worth running (``Wanted``), and
from when on things count as new (``SceneReader.look_for``); what of the scene answers it is decided elsewhere.
Where hands lead the table, everything is wanted all the time, and the readers rest while nothing changes.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.table.reading.board import BoardLook, LyingCounters
from loomtable.table.reading.card_edges import flat_prints, is_edged
from loomtable.table.reading.card_geometry import TAGGED, code_of_outline, on_card
from loomtable.vision.boxes import Box
from loomtable.vision.card_stream import UNREAD_FOR, CardsWatched, CardWatch
from loomtable.vision.cards import SeenCard
from loomtable.vision.dice import Pool, TrayReading
from loomtable.vision.dice.cues import among_cards
from loomtable.vision.dice.enrolment.confirmed import OwnDice
from loomtable.vision.dice.enrolment.rolls import own_dice
from loomtable.vision.dice.settling import Phase, StreamReader, StreamReading
from loomtable.vision.motion import Change, Motion
from loomtable.vision.pictures import BgrImage
from loomtable.vision.poker import read_poker
from loomtable.vision.quads import Quad, box_round
from loomtable.vision.table_looks import TableLook
from loomtable.vision.tray import SeenDie
from loomtable.vision.verdict import Verdict
from loomtable.vision.whereabouts import Place, Whereabouts

logger = logging.getLogger(__name__)

STILL = 1
"""Frames in which nothing moves before one is read. One is enough here: two readings have to agree, and between
them nothing may move."""
AGREEING = 2
"""Sure readings that have to agree: people wait for the result, and frames of one roll hardly differ."""
MOST_READINGS = 4
"""Readings after which people are asked about what is still in doubt; more frames of the same hardly help."""
REST_AFTER = 2.5
"""Seconds without a change after which the readers rest, if all is read; longer than a card is away to be gone."""
LOOK_EVERY = 0.12
"""Seconds from look to look, however many frames the camera sends: at any pace the same is seen of a table."""
STIRS, BETWEEN = {Change.DICE, Change.HAND, Change.FIRST}, 0.5
"""What may be hands at work: light and camera throw and lay nothing. Seconds without it after which the next
movement is another one."""
FACE_DOWN = "a card seems to lie face down; turn it over, or type it"
CODE_PLATE = 1.3
"""Side of what is painted over where a code lies, in its own sides."""
INDEX = 9, 1
"""Where a playing card's index is between its corner and the opposite one, as the weights of both; set by hand."""


@dataclass(frozen=True)
class Wanted:
    """What is looked for on the table; readers of anything else do not run."""

    pools: tuple[Pool, ...] = ()
    """Dice that may lie there: any one of these pools."""
    cards: bool = False
    hands: bool = False
    """Whether hands lead the table: what lies there is looked for whatever is asked, and only when it changes."""
    playing_cards: bool = False
    """Whether ordinary playing cards count, which bear no code and are read by their corners."""
    board: Callable[[TableLook], BoardLook] | None = None
    """Reads what the game is played on, a map with figures or cards on a grid."""


NOTHING = Wanted()


@dataclass(frozen=True)
class Scene:
    """What lies on the table; *new* is what came since ``SceneReader.look_for``."""

    dice: TrayReading | None = None
    """The dice as one frame shows them; nothing before they were read for this, or while something moves."""
    roll: TrayReading | None = None
    """The dice once enough frames agree on them, if that is new. It stays the same object for as long as they lie
    so, also after a hand has passed over them."""
    under_way: bool | None = None
    """Whether nothing has moved since but what moved already: that was meant for what was asked before. Nothing
    before the first look."""
    thrown: bool = False
    """Whether something has moved on the table since, so that a roll may have been thrown."""
    fallen: tuple[SeenDie, ...] = ()
    """The dice of the roll that were thrown for it; the others were pushed, or left lying from the last."""
    stayed: int = 0
    """How many of the roll lie just where and as one of the last lay."""
    picked_up: tuple[SeenDie, ...] = ()
    """The dice of the last roll that do not lie any more as they lay then, with what they showed."""
    cards: tuple[SeenCard, ...] = ()
    """The cards in reading order, those in doubt too."""
    laid: frozenset[ComponentId] = frozenset()
    """The cards that are new."""
    lying: tuple[Place, ...] = ()
    """Every card as it came, in doubt or not, and those that are not seen, where no bare table was seen since."""
    unsure: frozenset[ComponentId] = frozenset()
    """Cards that nobody need have laid: they came where another was lost, or may be a picture on a screen."""
    notes: tuple[str, ...] = ()
    """What a person should do or say about cards, in sentences."""
    disturbed: str = ""
    """What keeps the table from being read: ``"a hand is over the table"``."""
    board: BoardLook | None = None
    """What is on the board; nothing where none is looked at, or before."""
    rests: bool = False
    """Whether nothing has changed for so long that the readers rest."""
    read: bool = True
    """Whether this frame could be read, as far as there was anything to read."""
    in_tray: bool = False
    """Whether the dice were seen by a camera of their own, so that their places are those of its picture."""

    @property
    def all_fallen(self) -> bool:
        """Whether all dice of the roll were thrown for it: one beside where its like lay looks as if pushed."""
        return bool(self.fallen) and not self.stayed

    @property
    def sure_cards(self) -> tuple[ComponentId, ...]:
        """The cards that are not in doubt."""
        return tuple(seen.card for seen in self.cards if not seen.doubt)


class SceneReader:
    """Keeps the scene up to date, one call of ``read`` for each frame of one camera."""

    def __init__(self) -> None:
        self.scene = Scene()
        self._wanted = NOTHING
        self._motion = Motion()
        self._cards = CardWatch(TAGGED, motion=self._motion)
        self._likelier = 0
        """Which of several pools surely lay there last."""
        self._advice: tuple[str, ...] = ()
        self._now, self._moved_at, self._stirred_at = -math.inf, 0.0, -math.inf
        """``_moved_at``: when something was seen that keeps the readers awake; ``_stirred_at``: that stirs."""
        self.has_tray = False
        """Whether a second camera sees the dice, and the first everything else."""
        self._places, self._before = Whereabouts(self._motion), 0
        """``_before``: how many layings there had been when something was asked."""
        self._edged: dict[int, bool] = {}
        """Of each laying of a card, whether it has edges where it is printed."""
        self._read_of: TableLook | None = None
        """The look at the table in which board and playing cards were read."""
        self._board = BoardLook()
        self.begin_dice_anew()

    def begin_dice_anew(self) -> None:
        """Read dice as if for the first time: another camera sees them, or one that was lost; all else is kept."""
        self.dice = StreamReader(self._pool, None, known_dice(), AGREEING, STILL, MOST_READINGS)
        self._settled: TrayReading | None = None
        """The new roll, also while a hand hides it."""
        self._tray: BgrImage | None = None
        self._told: StreamReading | None = None
        """What the last frame with dice brought; nothing before one was read for this."""
        self.scene = replace(self.scene, dice=None, roll=None, thrown=False, fallen=(), stayed=0, picked_up=())

    def look_for(self, wanted: Wanted, at: float | None = None) -> None:
        """Look for this from now on, ``at`` as of ``read``; what comes after it is new."""
        self._wanted, self._settled, self._told = wanted, None, None
        self.scene = Scene(cards=self.scene.cards, lying=self.scene.lying, unsure=self.scene.unsure)
        self._moved_at = time.monotonic() if at is None else at
        self._now, self._before, self._read_of = -math.inf, self._places.layings, None
        self.dice.own = known_dice()  # a roll that was confirmed meanwhile may have taught some
        self.dice.expect = self._pool

    @property
    def _pool(self) -> Pool | None:
        pools = self._wanted.pools
        return pools[self._likelier % len(pools)] if pools else None

    def touched(self, boxes: Iterable[Box], frame: BgrImage, *, in_tray: bool = False) -> bool:
        """Whether something moves in one of these places of the last frame."""
        return any((self.dice.motion if in_tray else self._motion).touches(box, frame) for box in boxes)

    def read(self, frame: BgrImage | None, at: float | None = None, tray: BgrImage | None = None) -> Scene:
        """Take the next frame, seen ``at`` so many seconds of any clock that runs on; by default now.

        ``tray`` is the latest frame of the second camera, where there is one: dice are looked for there alone, and
        nothing else while the first gives no ``frame``.
        """
        now = time.monotonic() if at is None else at
        if now < self._now + LOOK_EVERY:
            return self.scene
        self._now = now
        change = over_dice = self._motion.change(frame, now) if frame is not None else Change.STILL
        still, fresh = frame is None or self._motion.still, not self.has_tray
        told = self._told
        if not self.has_tray:
            self.dice.motion = self._motion
        elif tray is not None and tray is not self._tray:
            self._tray, fresh = tray, True
            over_dice = self.dice.motion.change(tray, now)
            if not self.dice.motion.still:
                self._moved_at = now
        stirs, begins = STIRS & {change, over_dice}, now - self._stirred_at > BETWEEN
        if stirs or self.scene.under_way is None:
            # A camera that is opened may be in somebody's hands.
            under_way = Change.FIRST in stirs or (self.scene.under_way is not False and not begins)
            self.scene = replace(self.scene, under_way=under_way)
        self._stirred_at = now if stirs else self._stirred_at
        if self._wanted.hands:
            if not still:
                self._moved_at = now
            elif self.scene.disturbed and now - self._moved_at > REST_AFTER:
                # Not even a hand that rests lies so still: it is a card or a map over the edge of the picture.
                self._motion.lain_still()
                self._moved_at = now
            reading = fresh and told is not None and told.phase is Phase.READING
            missed = self._board.misses and not self.scene.disturbed
            searching = missed and self._cards.looks.last is not self._read_of
            rests = now - self._moved_at > REST_AFTER + UNREAD_FOR * bool(self._cards.unread)
            if rests and not reading and not searching:
                if not self.scene.rests:
                    self.scene = replace(self.scene, rests=True)
                    if self._motion.ground is None:
                        self._motion.settle()
                return self.scene
        # A frame that was read already would only agree with itself.
        disturbed = "" if fresh or told is None or not told.disturbed else told.says
        self.scene = replace(self.scene, disturbed=disturbed, read=True, rests=False, in_tray=self.has_tray)
        with_dice = frame if tray is None else tray
        if self._wanted.pools and fresh and with_dice is not None:
            self.scene = self._with_dice(with_dice, over_dice)
        elif fresh and over_dice is not Change.STILL:
            self.dice.disturb(over_dice)
        if frame is None or not self._wanted.cards:
            return self.scene
        news = self._cards.update(frame, now, change)
        self.scene = self._with_cards(frame, news)
        look = self._cards.looks.last
        if still and look is not None and look is not self._read_of and not self.scene.disturbed:
            # What is not told by a code is read once after a change.
            if self._wanted.playing_cards:
                self.scene = self._with_playing_cards(frame)
            if self._wanted.board is not None:
                self.scene = self._with_board(frame, look, self._wanted.board)
            self._read_of = look
        hidden = {card.card for card in self._cards.present} - news.seen
        cards = [Place(card.card, card.quad, card, card.card not in hidden) for card in self.scene.cards]
        piles = ((one.counted, one) for one in self._board.piles)
        counters = [Place((of.who, of.kind), quad, one) for of, one in piles if of for quad in one.places]
        self._places.see([*cards, *counters], now, frame, still=change is Change.STILL)
        self.scene = self._with_places(frame, still=change is Change.STILL)
        unread = self._places.unread(frame) if change is Change.STILL and not self._cards.unread else ()
        if not all(any(on_card(card, at) for card in self.scene.cards) for at in unread):
            self.scene = replace(self.scene, notes=(*self.scene.notes, FACE_DOWN))
        return self.scene

    def _with_places(self, frame: BgrImage, *, still: bool) -> Scene:
        """What was laid, and what something may lie over."""
        hidden, edged = self._places.hidden, self._edged
        here = [one for one in self._places.here if isinstance(one.what, SeenCard)]
        below = [one for one in hidden if isinstance(one.what, SeenCard)]
        lying = sorted(here + below, key=lambda one: one.laying)
        for one in here if still else ():
            if one.laying and one.laying not in edged and one.seen and not _by_corner(one.what):
                edged[one.laying] = is_edged(frame, one.what)
        unsure = {one.what.card for one in here if _may_have_lain_below(one) or not edged.get(one.laying, True)}
        laid = {one.what.card for one in here if one.laying > self._before} - unsure
        board = self.scene.board
        if board is not None:
            piles = (one.what for one in hidden if one.bare is not None)
            board = replace(board, hidden=frozenset(of.name for of in piles if isinstance(of, LyingCounters)))
        return replace(self.scene, lying=tuple(lying), laid=frozenset(laid), unsure=frozenset(unsure), board=board)

    def _with_board(self, frame: BgrImage, look: TableLook, read: Callable[[TableLook], BoardLook]) -> Scene:
        board = self._board = read(look)
        if board.misses and look.unsearched:
            self._cards.looks.keep(look.closer())  # which is read at the next frame
        if board.flat is not None and not self.has_tray:
            self.dice.see_prints((board.flat,), frame)
        return replace(self.scene, board=board)

    def _with_dice(self, frame: BgrImage, change: Change) -> Scene:
        if self._wanted.hands and not self.has_tray and change is Change.STILL:
            # Cards lie there as well; they look like dice, and so do the squares of their codes.
            cards = [card.quad for card in self.scene.cards]
            self.dice.cues = among_cards(map(box_round, cards))
            look, figures = self._cards.looks.last, [one.outline for one in self._board.standings if one.outline]
            codes = cards + ([tag.quad for tag in look.tags] if look is not None else [])
            frame = _without(frame, [*((code, CODE_PLATE) for code in codes), *((one, 1.0) for one in figures)])
        seen = self._told = self.dice.read_frame(frame, change)
        if seen.disturbed:
            self.dice.expect = self._pool
            thrown = self.scene.thrown or (change in STIRS and not self.scene.under_way)
            return replace(self.scene, thrown=thrown, dice=None, roll=None, disturbed=seen.says, read=False)
        still = replace(self.scene, read=seen.phase is Phase.SETTLED)
        if seen.tray is None:
            return still
        lying = seen.tray
        if len(self._wanted.pools) > 1 and lying.verdict is not Verdict.ACCEPTED:
            lying = self._as_other_pool(frame, lying)
        if seen.roll is not None and lying is seen.tray:
            self._settled = seen.roll.tray
            tracked, dice = seen.roll.dice, seen.roll.tray.dice
            fallen = tuple(die for die, at in zip(dice, tracked.numbers, strict=True) if at in tracked.thrown)
            stayed = len(tracked.numbers) - len(tracked.thrown) - len(tracked.nudged)
            still = replace(still, fallen=fallen, stayed=stayed, picked_up=tracked.picked_up)
        elif self._settled and seen.unmoved and len(self._settled.dice) < len(seen.unmoved.dice):
            self._settled = None  # something was only over the others for a while
        settled = lying is seen.tray and (seen.roll is not None or seen.unmoved is not None)
        return replace(still, dice=lying, roll=self._settled if settled else None, read=True)

    def _as_other_pool(self, frame: BgrImage, tray: TrayReading) -> TrayReading:
        """The dice held against the other pools; the first that fits better is looked for until something moves,
        and from then on, too, if it is sure.

        One that is in doubt gives way only to one that is sure: printed dice may look like dubious others.
        """
        for other in self._wanted.pools:
            if other == self.dice.expect:
                continue
            second = self.dice.read(frame, other)
            sure, rejected = second.verdict is Verdict.ACCEPTED, tray.verdict is Verdict.REJECTED
            # Among cards, and while some dice are in a hand, more that are not clear tell nothing.
            more = len(second.dice) > len(tray.dice) and not self._wanted.hands
            if sure or (rejected and (second.verdict is Verdict.ASK or more)):
                self._likelier = self._wanted.pools.index(other) if sure else self._likelier
                self.dice.expect_instead(other, second)
                return second
        return tray

    def _with_cards(self, frame: BgrImage, news: CardsWatched) -> Scene:
        present = self._cards.present
        doubts = tuple(seen.asks for seen in present if seen.doubt)
        advice = tuple(note for note in news.asks if note not in doubts)
        if advice or news.placed or news.taken:
            self._advice = advice  # said once, and true for as long as the cards lie so
        disturbed = self.scene.disturbed or news.says
        sure = [card for card in news.placed if not card.doubt]
        if sure and not disturbed and not self.has_tray:
            self.dice.see_prints(flat_prints(frame, sure), frame)
        cards = (*present, *filter(_by_corner, self.scene.cards))
        return replace(self.scene, cards=cards, notes=doubts + self._advice, disturbed=disturbed)

    def _with_playing_cards(self, frame: BgrImage) -> Scene:
        """Playing cards are read by their corners once nothing moves; then again after the next change."""
        coded = tuple(seen for seen in self.scene.cards if not _by_corner(seen))
        turned = _playing_cards(frame, coded)
        notes = self.scene.notes + tuple(seen.asks for seen in turned if seen.doubt)
        return replace(self.scene, cards=coded + turned, notes=notes)


def _by_corner(card: SeenCard) -> bool:
    """Whether it is a playing card without a code, as it lay when nothing moved last."""
    return not card.pixels_per_module


def _may_have_lain_below(card: Place) -> bool:
    """Whether nobody need have laid a card: it came where another was that may have lain on it.

    Answer cards lie in heaps. Others are laid on one another, and what lay below one that was seen to be laid was
    seen before it; tapestry cards always are.
    """
    kind = card.what.card.kind
    unknown = any(kind is Kind.ANSWER or one.bare is None for one in card.over if isinstance(one.what, SeenCard))
    return kind is not Kind.TAPESTRY and unknown


def known_dice() -> OwnDice | None:
    """What this machine has learned of its owner's dice; none where that is damaged, which is said once."""
    try:
        return own_dice()
    except (LoomtableError, ValueError) as error:
        _say_once(str(error))
        return None


@cache
def _say_once(damage: str) -> None:
    logger.warning("dice are read without what was learned of yours: %s", damage)


def _playing_cards(frame: BgrImage, coded: Sequence[SeenCard]) -> tuple[SeenCard, ...]:
    """The ordinary playing cards in a frame, as if each bore a code; printed ones, which do, are left out, and
    what their index at the upper right alone tells of."""
    found = []
    for read in read_poker(frame).cards:
        x, y = np.average(read.quad[::2], axis=0, weights=INDEX if read.indices < 2 else (1, 1)).tolist()
        if read.card is not None and not any(on_card(other, (x, y)) for other in coded):
            card, doubt = ComponentId(Kind.POKER, read.card.number), read.doubt and f"it {read.doubt}"
            found.append(SeenCard(card, code_of_outline(read.quad), 0.0, doubt))
    return tuple(found)


def _without(frame: BgrImage, prints: Sequence[tuple[Quad, float]]) -> BgrImage:
    """The frame with these prints, each so much larger, painted over in the colour of their paper."""
    if not prints:
        return frame
    painted = frame.copy()
    for corners, side in prints:
        quad = np.array(corners, np.float32)
        middle = quad.mean(axis=0)
        (x0, y0), (x1, y1) = np.floor(quad.min(axis=0)).astype(int), np.ceil(quad.max(axis=0)).astype(int)
        code = frame[max(y0, 0) : y1, max(x0, 0) : x1]
        if code.size:
            paper = tuple(float(grey) for grey in np.percentile(code.reshape(-1, 3), 90, axis=0))
            plate = np.rint(middle + side * (quad - middle)).astype(np.int32)
            cv2.fillConvexPoly(painted, plate, paper)
    return painted
