"""Watching a camera for cards: each is reported once when it has been placed, and once when it has been taken
away.

A card counts when two frames in a row show it in the same place. It lies there until it has not been seen for
``AWAY`` seconds; while a hand is over it, or the light or the camera changes, that clock stands still. A card
that is pushed elsewhere is still the same card, and so is one that comes to light where it was lost, at any later
time: it was laid anew only if bare table was seen there between.

Where it is told how code and tag stand on the cards (``CardWatch.tagged``), their tags are looked for as well. A
card whose code is torn or covered then counts by its tag; one whose code and tag differ is asked about. Numbers
here are set by hand.
"""

from __future__ import annotations

import dataclasses
import math
import time
from dataclasses import dataclass, field

from msgspec.structs import replace

from loomtable.engine.kernel.components import ComponentId
from loomtable.vision.arrays import Float32Array
from loomtable.vision.card_tag_search import TaggedCards, TagSearch
from loomtable.vision.card_tags import card_of, with_tags
from loomtable.vision.cards import CODE_MIDDLE, CardScan, RefusedCode, SeenCard, reading_order, scan_cards
from loomtable.vision.code_reading import MAX_CODES
from loomtable.vision.motion import SAYS, Change, Motion
from loomtable.vision.pictures import BgrImage
from loomtable.vision.quads import Point, Quad, quad_centre, quad_side, same_place

AGREEING = 2
"""Frames in a row that have to show a card in one place before it counts."""
AWAY = 1.5
"""Seconds after which a card that is not seen has been taken away."""
NEAR = 5.0
"""Sides of its code within which a card has not moved where it is seen again: about a hand's breadth."""
THOROUGH_EVERY = 8
"""Every so many frames all passes are made, to find what no quick look finds."""
UNREAD_LOOKS = 3
"""Thorough looks in a row that find the same unreadable code before a person is asked about it."""
_STILL = 1.0
"""How far a code may move between two frames that agree, in its own sides."""


@dataclass(frozen=True)
class CardsWatched:
    """What one frame brought."""

    present: tuple[SeenCard, ...] = ()
    """Every card that lies there, in reading order, where it was seen last; one under a hand is among them."""
    placed: tuple[SeenCard, ...] = ()
    """The cards that count since this frame, in reading order."""
    taken: tuple[SeenCard, ...] = ()
    """The cards that are gone since this frame."""
    refused: tuple[RefusedCode, ...] = ()
    """Codes that are not our cards', each reported once while it lies there."""
    asks: tuple[str, ...] = ()
    """What a person should do or say, each reported once: a card in doubt, a code that nothing reads."""
    hidden: tuple[SeenCard, ...] = ()
    """Cards that are not seen, where no bare table was seen since: something may lie over them."""
    uncovered: frozenset[ComponentId] = frozenset()
    """Cards that came to light where another was lost: nobody need have laid them."""
    says: str = ""
    """For people, where something keeps the table from being read: ``"a hand is over the table"``."""


@dataclass(eq=False)
class _Track:
    """One code that is tracked from frame to frame."""

    code: SeenCard | RefusedCode
    last_seen: float
    in_a_row: int = 1
    told: bool = False
    asked: str = ""
    """The doubt that people were asked about."""
    bare: Float32Array | None = None
    """The table before it came; nothing where it lay there from the beginning."""
    lifted: bool = False
    """Whether bare table was seen in its place since it was."""
    uncovered: bool = False

    def same_code(self, code: SeenCard | RefusedCode) -> bool:
        """Whether this detection says the same."""
        mine = self.code
        if isinstance(code, SeenCard) and isinstance(mine, SeenCard):
            return code.card == mine.card
        if isinstance(code, RefusedCode) and isinstance(mine, RefusedCode):
            return (code.kind, code.says) == (mine.kind, mine.says)
        return False

    def distance(self, quad: Quad) -> float:
        """How far off a quad is, in sides of the code."""
        far = math.dist(quad_centre(self.code.quad), quad_centre(quad))
        return far / max(quad_side(self.code.quad), quad_side(quad), 1.0)


@dataclass
class CardWatch:
    """Watches frames, one call of ``look`` for each. ``middle`` is where a card's middle lies, for their order."""

    middle: Point = CODE_MIDDLE
    away: float = AWAY
    tagged: TaggedCards | None = None
    """How code and tag stand on cards that carry both; without it no tags are looked for."""
    _tracks: list[_Track] = field(default_factory=list)
    motion: Motion = field(default_factory=Motion)
    """Of the camera whose frames are watched."""
    _frames: int = 0
    _at: float | None = None
    _changed: bool = True
    """Whether something has changed since the table was last looked at as a whole."""
    _left: list[_Track] = field(default_factory=list)
    """Cards where they were seen last, until bare table is."""
    _unread: list[tuple[Quad, int]] = field(default_factory=list)
    """Places of codes that could not be read, and in how many thorough looks in a row."""
    _tags: TagSearch | None = None

    def __post_init__(self) -> None:
        if self.tagged is not None:
            self._tags = TagSearch(self.tagged)

    def update(self, frame: BgrImage, at: float | None = None, change: Change | None = None) -> CardsWatched:
        """Take the next frame, seen ``at`` so many seconds of any clock that runs on; by default now.

        ``change`` is what happened in it, where ``motion`` has been asked already.
        """
        now = time.monotonic() if at is None else at
        passed = 0.0 if self._at is None else max(now - self._at, 0.0)
        self._at = now
        change = self.motion.change(frame) if change is None else change
        if change not in (Change.STILL, Change.DICE):  # nothing unseen grows older under a hand
            for track in self._tracks:
                track.last_seen += passed
        thorough = self._frames % THOROUGH_EVERY == 0
        self._frames += 1
        near = [track.code.quad for track in self._tracks]
        scan = scan_cards(frame, quick=not thorough, near=near, middle=self.middle)
        scan = self._checked_by_tags(scan, frame, change)
        self._associate([*scan.cards, *scan.refused], now)
        if change is Change.STILL:
            self._see_bare(frame)
        placed, refused = self._newly_told()
        taken = self._gone(now)
        self._changed = self._changed or bool(placed or taken) or change in (Change.LIGHT, Change.CAMERA)
        if self._changed and change is Change.STILL and all(t.in_a_row for t in self._tracks):
            # The table as it lies now, with nothing over its cards, is what a hand is told from.
            self.motion.settle()
            self._changed = False
        lying = self.present
        return CardsWatched(
            lying,
            tuple(card for card in lying if card in placed),
            tuple(taken),
            tuple(refused),
            tuple(self._asks(scan, thorough)),
            tuple(t.code for t in self._left if isinstance(t.code, SeenCard) and not self._seen_elsewhere(t)),
            frozenset(t.code.card for t in self._tracks if t.uncovered and isinstance(t.code, SeenCard)),
            SAYS.get(change, ""),
        )

    def lies_still(self) -> None:
        """What was a hand so far has lain still for long, so it belongs to the table, unless it hides a card."""
        if all(track.in_a_row for track in self._tracks):
            self.motion.settle()

    @property
    def present(self) -> tuple[SeenCard, ...]:
        """Every card that lies there, in reading order."""
        told = [t.code for t in self._tracks if t.told and isinstance(t.code, SeenCard)]
        return reading_order(told, self.middle)

    def _checked_by_tags(self, scan: CardScan, frame: BgrImage, change: Change) -> CardScan:
        """The scan with what the tags say that were looked for in this frame. A doubt stays until the right tag is
        seen: it is not looked for in every frame.
        """
        if self._tags is None or self.tagged is None:
            return scan
        tracks = [t for t in self._tracks if isinstance(t.code, SeenCard)]
        known = {t.code.card for t in tracks if t.told and isinstance(t.code, SeenCard)}
        anew = change in (Change.LIGHT, Change.CAMERA)
        tags = self._tags.search_frame(frame, scan.cards, known, None if anew else self.motion)
        where = self.tagged
        scan = with_tags(scan, tags, on_card=where.on_card, code_by_tag=where.code_by_tag, middle=self.middle)
        vouched = {card_of(tag) for tag in tags}
        doubts = {t.code.card: t.code.doubt for t in tracks if isinstance(t.code, SeenCard)}
        cards = tuple(
            card if card.doubt or card.card in vouched else replace(card, doubt=doubts.get(card.card, ""))
            for card in scan.cards
        )
        return replace(scan, cards=cards)

    def _see_bare(self, frame: BgrImage) -> None:
        """Nothing moves: where a card was lost, bare table may be seen."""
        for track in (*self._left, *(track for track in self._tracks if not track.in_a_row)):
            track.lifted = self.motion.is_as(track.bare, track.code.quad, frame) or track.lifted
        self._left = [track for track in self._left if not track.lifted]

    def _seen_elsewhere(self, lost: _Track) -> bool:
        return any(track.same_code(lost.code) for track in self._tracks)

    def _new_track(self, code: SeenCard | RefusedCode, now: float) -> _Track:
        """The track of a code that was not there: one that was lost in this place, or hidden by what was."""
        unseen = (track for track in self._tracks if track.told and not track.in_a_row and not track.lifted)
        lost = [track for track in (*unseen, *self._left) if track.distance(code.quad) < NEAR]
        same = next((track for track in lost if track.same_code(code)), None)
        self._left = [track for track in self._left if track not in lost]
        if same is None:
            return _Track(code, now, bare=self.motion.ground, uncovered=bool(lost))
        return dataclasses.replace(same, code=code, last_seen=now, in_a_row=1)

    def _associate(self, detections: list[SeenCard | RefusedCode], now: float) -> None:
        """Give every detection to the track it belongs to: the nearest that says the same, or a new one."""
        pairs = [
            (track.distance(code.quad), at, place)
            for at, track in enumerate(self._tracks)
            for place, code in enumerate(detections)
            if track.same_code(code)
        ]
        given: dict[int, int] = {}
        for _, at, place in sorted(pairs):
            if at not in given and place not in given.values():
                given[at] = place
        for at, track in enumerate(self._tracks):
            if at not in given:
                track.in_a_row = 0
                continue
            code = detections[given[at]]
            if track.told and track.bare is not None and track.distance(code.quad) > NEAR:
                self._left.append(dataclasses.replace(track))
            track.in_a_row = track.in_a_row + 1 if track.distance(code.quad) < _STILL else 1
            track.code, track.last_seen, track.lifted = code, now, False
        for place, code in enumerate(detections):
            if place not in given.values() and len(self._tracks) < MAX_CODES:
                self._tracks.append(self._new_track(code, now))

    def _newly_told(self) -> tuple[list[SeenCard], list[RefusedCode]]:
        placed: list[SeenCard] = []
        refused: list[RefusedCode] = []
        for track in self._tracks:
            if track.told or track.in_a_row < AGREEING:
                continue
            track.told = True
            if isinstance(track.code, SeenCard):
                placed.append(track.code)
            else:
                refused.append(track.code)
        return placed, refused

    def _gone(self, now: float) -> list[SeenCard]:
        """Forget what has not been seen for long enough; what never counted goes at once."""
        gone = [t for t in self._tracks if not t.in_a_row and (not t.told or now - t.last_seen > self.away)]
        self._tracks = [track for track in self._tracks if track not in gone]
        self._left += [track for track in gone if track.told and not track.lifted]
        return [t.code for t in gone if t.told and isinstance(t.code, SeenCard)]

    def _asks(self, scan: CardScan, thorough: bool) -> list[str]:
        asks: list[str] = []
        for track in self._tracks:
            code = track.code
            if isinstance(code, SeenCard) and track.told and code.doubt not in ("", track.asked):
                track.asked = code.doubt
                asks.append(code.asks)
        if not thorough:
            return asks
        before, self._unread = self._unread, []
        for quad in scan.unread:
            times = 1 + max((n for other, n in before if same_place(quad, other)), default=0)
            self._unread.append((quad, times))
        if any(times == UNREAD_LOOKS for _, times in self._unread):
            asks += [scan.advice] if scan.advice else []
        return asks
