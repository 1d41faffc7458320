"""Looking for the tags of cards in the frames of a camera, a little in each, so that no frame takes long.

A whole frame of 1920 x 1080 takes a third of a second. So a tag is looked for where it has to be: in the corner of
each card that has just been placed, and of one that is there already; and where one was seen that no code
confirms. In every other frame one window more is searched, three times as fast, for tags whose cards nobody knows
of, by turns. Where nothing has changed, all of this is done more seldom. Numbers here are set by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from msgspec.structs import replace

from loomtable.engine.kernel.components import ComponentId
from loomtable.vision.card_tags import card_of
from loomtable.vision.cards import SeenCard
from loomtable.vision.motion import Motion
from loomtable.vision.pictures import BgrImage
from loomtable.vision.quads import Point, Quad, moved, quad_centre, quad_side
from loomtable.vision.tags import SeenTag, add_tags, find_tags, to_picture

WINDOW = 400
"""Pixels along the side of a window that is searched in one frame. Bound by time."""
OVERLAP = 100
"""Of neighbouring windows, px: smaller tags are whole in one of them, larger ones show in the reduced frame."""
AT_ONCE = 4
"""Windows that have changed and are searched in one frame in which nothing moves. Bound by time."""
MOST_CORNERS = 12
"""Corners of cards that are looked into in one frame. Bound by time."""
UNCHANGED_EVERY = 8
"""Every so many frames a window is searched again in which nothing has changed; not every search finds all."""
_ROOM = 1.5
"""How far round a tag's middle it is looked for, in its sides."""

Window = tuple[int, int, int, int]
"""Left, top, right, bottom, px."""


@dataclass(frozen=True)
class TaggedCards:
    """How code and tag stand to one another on printed cards that carry both."""

    on_card: Callable[[SeenCard, Point], bool]
    """Whether a point of the picture (px) lies on a card whose code was read."""
    code_by_tag: Callable[[ComponentId, Quad], Quad]
    """Where the code of a card lies (px) whose tag was read."""
    tag_by_code: Callable[[SeenCard], Quad | None]
    """Where the tag of a card lies (px) whose code was read; nothing where such cards have none."""


@dataclass
class TagSearch:
    """Looks for tags, one call of ``look`` for each frame."""

    cards: TaggedCards
    _held: list[SeenTag] = field(default_factory=list)
    """Tags of cards in the frame before that no code confirms; maps and figures are looked for elsewhere."""
    _frames: int = 0
    _windows: list[Window] = field(default_factory=list)
    """Those that together show a frame, the first the whole of it, which is reduced; whose turn is next first."""
    _changed: set[Window] = field(default_factory=set)
    """Those of them in which something has changed since they were searched."""
    _size: tuple[int, ...] = ()

    def search_frame(
        self,
        frame: BgrImage,
        read: Sequence[SeenCard],
        known: Collection[ComponentId],
        motion: Motion | None = None,
    ) -> tuple[SeenTag, ...]:
        """The tags that were seen in this frame, each once: not all that are there.

        Args:
            read: the cards whose codes were read in it.
            known: those of them that have been looked at before; of these one is looked at in each frame.
            motion: what moves in it; nothing where all of it may have changed.
        """

        def changed(window: Window) -> bool:
            return motion is None or motion.touches(window, (frame.shape[1], frame.shape[0]))

        unchanged = [tag for tag in self._held if card_of(tag) in known and not changed(_about(tag.quad, frame))]
        if unchanged:
            del unchanged[self._frames % len(unchanged)]  # by turns one of them is looked at all the same
        self._held = [tag for tag in self._held if tag not in unchanged]
        found = list(unchanged)
        for window in self.corners(frame, read, known):
            add_tags(_tags_in(frame, window), found)
        if frame.shape[:2] != self._size:
            self._size = frame.shape[:2]
            self._windows = [(0, 0, self._size[1], self._size[0]), *windows(*self._size)]
            self._changed = set(self._windows)
        self._changed |= set(filter(changed, self._windows))
        waiting = min(len(self._changed), AT_ONCE) if motion is None or motion.still else self._frames % 2
        for _ in range(max(waiting, self._frames % 2)):
            if (next_window := self._next_window()) is not None:
                add_tags(_tags_in(frame, next_window, quick=True), found)
        self._frames += 1
        self._held = [
            tag
            for tag in found
            if card_of(tag) is not None and not any(self.cards.on_card(card, tag.centre) for card in read)
        ]
        return tuple(found)

    def corners(self, frame: BgrImage, read: Sequence[SeenCard], known: Collection[ComponentId]) -> list[Window]:
        """Where the next look goes because of what is known already; the arguments are those of ``look``."""
        fresh = [card for card in read if card.card not in known]
        old = [card for card in read if card.card in known]
        asked = fresh + ([old[self._frames % len(old)]] if old else [])
        places = [place for place in map(self.cards.tag_by_code, asked) if place is not None]
        places = [tag.quad for tag in self._held] + places
        return [_about(place, frame) for place in places[:MOST_CORNERS]]

    def _next_window(self) -> Window | None:
        """The window whose turn it is: of those that have changed, or now and then of all."""
        window = next((waiting for waiting in self._windows if waiting in self._changed), None)
        if window is None and self._frames % UNCHANGED_EVERY == 1:
            window = self._windows[0]
        if window is not None:
            self._windows.remove(window)
            self._windows.append(window)
            self._changed.discard(window)
        return window


def windows(height: int, width: int) -> list[Window]:
    """The windows that together show a frame of this size, px."""

    def starts(length: int) -> list[int]:
        many = max(1, -(-(length - OVERLAP) // (WINDOW - OVERLAP)))
        return [round(k * (length - WINDOW) / max(many - 1, 1)) if many > 1 else 0 for k in range(many)]

    return [(x, y, x + WINDOW, y + WINDOW) for y in starts(height) for x in starts(width)]


def _about(quad: Quad, frame: BgrImage) -> Window:
    x, y = quad_centre(quad)
    room = min(max(_ROOM * quad_side(quad), 16.0), WINDOW / 2)
    high, wide = frame.shape[:2]
    left, right = (round(min(max(place, 0), wide)) for place in (x - room, x + room))
    top, foot = (round(min(max(place, 0), high)) for place in (y - room, y + room))
    return left, top, right, foot


def _tags_in(frame: BgrImage, window: Window, *, quick: bool = False) -> list[SeenTag]:
    if window == (0, 0, frame.shape[1], frame.shape[0]):
        return _tags_in_reduced(frame)
    left, top, right, foot = window
    part = frame[top:foot, left:right]
    tags = find_tags(part, quick=quick) if part.size else ()
    return [replace(tag, quad=moved(tag.quad, left, top)) for tag in tags]


def _tags_in_reduced(frame: BgrImage) -> list[SeenTag]:
    scale = min(1.0, WINDOW / max(frame.shape[0], 1), 1.5 * WINDOW / max(frame.shape[1], 1))
    small = np.asarray(cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return [replace(tag, quad=to_picture(np.array(tag.quad), scale)) for tag in find_tags(small, quick=True)]
