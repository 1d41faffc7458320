"""Watching a camera for cards: each is reported once when it has been placed, and once when it has been taken
away.

A card counts when two frames in a row show it in the same place. It lies there until it has not been seen for
``AWAY`` seconds; while a hand is over it, or the light or the camera changes, that clock stands still. A card
that is pushed elsewhere is still the same card.

Their tags are looked for as well: a card whose code is torn or covered counts by its tag; one whose code and tag
differ is asked about. Numbers here are set by hand.
"""

from __future__ import annotations

import math
import time
from collections.abc import Hashable
from dataclasses import dataclass, field

from msgspec.structs import replace

from loomtable.engine.kernel.components import ComponentId
from loomtable.vision.card_outlines import blurred_cards
from loomtable.vision.card_tags import TaggedCards, card_of, with_tags
from loomtable.vision.cards import CardScan, RefusedCode, SeenCard, reading_order, scan_cards
from loomtable.vision.code_reading import MAX_CODES
from loomtable.vision.motion import SAYS, Change, Motion
from loomtable.vision.pictures import BgrImage
from loomtable.vision.quads import Quad, apart, nearest_pairs, same_place
from loomtable.vision.table_looks import TableLooks
from loomtable.vision.whereabouts import AWAY

AGREEING = 2
"""Frames in a row that have to show a card in one place before it counts."""
THOROUGH_EVERY = 1.0
"""Seconds after which all passes are made again, to find what no quick look finds."""
UNREAD_FOR = 2.0
"""Seconds for which thorough looks find the same unreadable code, or all out of focus, before people are asked."""
_STILL = 1.0
"""How far a code may move between two frames that agree, in its own sides."""


@dataclass(frozen=True)
class CardsWatched:
    """What one frame brought."""

    placed: tuple[SeenCard, ...] = ()
    """The cards that count since this frame, in reading order."""
    taken: tuple[SeenCard, ...] = ()
    """The cards that are gone since this frame."""
    refused: tuple[RefusedCode, ...] = ()
    """Codes that are not our cards', each reported once while it lies there."""
    asks: tuple[str, ...] = ()
    """What a person should do or say, each reported once: a card in doubt, an unread code, the focus."""
    unclear: CardScan | None = None
    """The look of which that says what cannot be read."""
    seen: frozenset[ComponentId] = frozenset()
    """Those that are there and seen in this frame."""
    says: str = ""
    """For people, where something keeps the table from being read: ``"a hand is over the table"``."""


def _called(code: SeenCard | RefusedCode) -> Hashable:
    """What is the same wherever this code lies."""
    return code.card if isinstance(code, SeenCard) else (code.kind, code.says)


@dataclass(eq=False)
class _Track:
    """One code that is tracked from frame to frame."""

    code: SeenCard | RefusedCode
    last_seen: float
    in_a_row: int = 1
    told: bool = False
    asked: str = ""
    """The doubt that people were asked about."""


@dataclass
class CardWatch:
    """Watches frames, one call of ``update`` for each."""

    tagged: TaggedCards
    """How code and tag stand on cards that carry both."""
    _tracks: list[_Track] = field(default_factory=list)
    motion: Motion = field(default_factory=Motion)
    """Of the camera whose frames are watched."""
    _at: float | None = None
    _thorough_at: float = -math.inf
    """When all passes were made last."""
    _changed: bool = True
    """Whether something has changed since the table was last looked at as a whole."""
    unread: list[tuple[Quad, float]] = field(default_factory=list)
    """Places of codes that could not be read, and since when no thorough look has read them."""
    _blurred: int = 0
    """About how many cards were out of focus when all lay still last."""
    looks: TableLooks = field(default_factory=TableLooks)
    """At the tags on the table."""

    def update(self, frame: BgrImage, at: float | None = None, change: Change | None = None) -> CardsWatched:
        """Take the next frame, seen ``at`` so many seconds of any clock that runs on; by default now.

        ``change`` is what happened in it, where ``motion`` has been asked already.
        """
        now = time.monotonic() if at is None else at
        passed = 0.0 if self._at is None else max(now - self._at, 0.0)
        self._at = now
        change = self.motion.change(frame, now) if change is None else change
        if change not in (Change.STILL, Change.DICE):  # nothing unseen grows older under a hand
            for track in self._tracks:
                track.last_seen += passed
        thorough = now - self._thorough_at >= THOROUGH_EVERY
        near = [track.code.quad for track in self._tracks]
        scan = scan_cards(frame, quick=not thorough, near=near, middle=self.tagged.middle)
        scan = self._checked_by_tags(scan, frame, change)
        if thorough and change is Change.STILL:
            self._blurred = max(blurred_cards(frame) - len(scan.cards), 0)
        scan = replace(scan, blurred=self._blurred)
        self._associate([*scan.cards, *scan.refused], now)
        new = [track for track in self._tracks if not track.told and track.in_a_row >= AGREEING]
        for track in new:
            track.told = True
        told = [track.code for track in new]
        # What has not been seen for long enough is gone; what never counted goes at once.
        gone = [t for t in self._tracks if not t.in_a_row and (not t.told or now - t.last_seen > AWAY)]
        self._tracks = [track for track in self._tracks if track not in gone]
        taken = [t.code for t in gone if t.told and isinstance(t.code, SeenCard)]
        self._changed = self._changed or bool(told or taken) or change in (Change.LIGHT, Change.CAMERA)
        if self._changed and change is Change.STILL and all(t.in_a_row for t in self._tracks):
            # The table as it lies now, with nothing over its cards, is what a hand is told from.
            self.motion.settle()
            self._changed = False
        asks = self._asks(scan, thorough, now)
        return CardsWatched(
            tuple(card for card in self.present if card in told),
            tuple(taken),
            tuple(code for code in told if isinstance(code, RefusedCode)),
            tuple(asks),
            scan if scan.advice in asks else None,
            frozenset(t.code.card for t in self._tracks if t.in_a_row and isinstance(t.code, SeenCard)),
            SAYS.get(change, ""),
        )

    @property
    def present(self) -> tuple[SeenCard, ...]:
        """Every card that lies there, in reading order, where it was seen last; one under a hand is among them."""
        told = [t.code for t in self._tracks if t.told and isinstance(t.code, SeenCard)]
        return reading_order(told, self.tagged.middle)

    def _checked_by_tags(self, scan: CardScan, frame: BgrImage, change: Change) -> CardScan:
        """The scan with what the tags say; while something moves, those that are still where they were. A doubt
        stays until the right tag is seen.
        """
        where = self.tagged
        if change is Change.STILL:
            expected = (place for place in map(where.tag_by_code, scan.cards) if place is not None)
            tags = self.looks.look(frame, expected).tags
        else:
            tags = self.looks.glance(frame)
        scan = with_tags(scan, tags, where)
        vouched = {card_of(tag) for tag in tags}
        doubts = {t.code.card: t.code.doubt for t in self._tracks if isinstance(t.code, SeenCard)}
        cards = tuple(
            card if card.doubt or card.card in vouched else replace(card, doubt=doubts.get(card.card, ""))
            for card in scan.cards
        )
        return replace(scan, cards=cards)

    def _associate(self, detections: list[SeenCard | RefusedCode], now: float) -> None:
        """Give every detection to the track it belongs to: the nearest that says the same, or a new one."""
        tracks, seen = (
            [(_called(one), one.quad) for one in codes] for codes in ((t.code for t in self._tracks), detections)
        )
        given = nearest_pairs(tracks, seen)
        for at, track in enumerate(self._tracks):
            if at not in given:
                track.in_a_row = 0
                continue
            code = detections[given[at]]
            track.in_a_row = track.in_a_row + 1 if apart(track.code.quad, code.quad) < _STILL else 1
            track.code, track.last_seen = code, now
        for place, code in enumerate(detections):
            if place not in given.values() and len(self._tracks) < MAX_CODES:
                self._tracks.append(_Track(code, now))

    def _asks(self, scan: CardScan, thorough: bool, now: float) -> list[str]:
        asks: list[str] = []
        for track in self._tracks:
            code = track.code
            if isinstance(code, SeenCard) and track.told and code.doubt not in ("", track.asked):
                track.asked = code.doubt
                asks.append(code.asks)
        if not thorough:
            return asks
        last, self._thorough_at = self._thorough_at, now
        before, self.unread = self.unread, []
        everywhere = ((0.0, 0.0),) * 4  # stands for the picture as a whole
        for quad in (*scan.unread, everywhere) if scan.blurred else scan.unread:
            since = min((then for other, then in before if same_place(quad, other)), default=now)
            self.unread.append((quad, since))
        if any(last - since < UNREAD_FOR <= now - since for _, since in self.unread):
            asks += [scan.advice] if scan.advice else []
        return asks
