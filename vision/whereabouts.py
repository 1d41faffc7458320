"""Where things lie on a table and where they were seen last: what comes to light there was not laid.

A thing was laid anew only if bare table was seen in its place, or if it comes elsewhere than where it was lost.
All places move with the picture when the camera is knocked. Numbers here are set by hand.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from loomtable.vision.card_outlines import like_cards
from loomtable.vision.motion import COMPARED_WIDTH, Ground, Motion
from loomtable.vision.pictures import BgrImage
from loomtable.vision.quads import Point, Quad, apart, moved, nearest_pairs

NEAR = 5.0
"""Sides of what is seen of a thing (its code) within which it has not moved where it is seen again: about a hand's
breadth."""
ON = 2.0
"""The same within which one thing lies on another; those that are side by side are further apart."""
AWAY = 1.5
"""Seconds after which a thing that is not seen has been taken away."""
MOST_LOST = 64
"""Lost places that are remembered, the latest. Bound by time."""


@dataclass(frozen=True, eq=False)
class Place:
    """One thing in one place."""

    thing: Hashable
    """What it is called; things that look alike are called alike."""
    quad: Quad
    """What is seen of it, px."""
    what: Any
    """What was read of it last."""
    seen: bool = True
    """Whether it is seen now."""
    laying: int = 0
    """Counts each time that something was laid; the same for as long as it lies there, hidden or not. 0 where
    nobody laid it: a knock of the camera brought it into the picture."""
    bare: Ground | None = None
    """The table before it came; nothing where it lay there from the beginning."""
    over: tuple[Place, ...] = ()
    """What was lost where it came: that may lie below, or have lain on it, and then nobody need have laid it."""
    bare_since: float | None = None
    """When bare table was first seen in its place since it was lost."""


class Whereabouts:
    """Keeps them from frame to frame, one call of ``see`` for each."""

    def __init__(self, motion: Motion) -> None:
        self._motion, self._ground, self._shift = motion, motion.ground, motion.shift
        """``_ground``: the table as it lay before anything moved last; ``_shift``: that of all places."""
        self.layings = 0
        """How many there have been."""
        self.here: list[Place] = []
        """Everything that is there, also what is not seen for a moment."""
        self._lost: list[Place] = []
        """Where things were that have gone, until bare table is seen there."""

    @property
    def hidden(self) -> list[Place]:
        """What is not seen anywhere, where no bare table was seen since: something may lie over it."""
        things = {place.thing for place in self.here}
        return [one for one in self._lost if one.bare_since is None and one.thing not in things]

    def unread(self, frame: BgrImage) -> list[Point]:
        """The middles, px, of what looks like cards in the last frame and was not there before something moved."""
        new = like_cards(self._motion.differs(self._ground)) if self._ground is not None else []
        return [(x * frame.shape[1] / COMPARED_WIDTH, y * frame.shape[1] / COMPARED_WIDTH) for _, x, y in new]

    def see(self, sightings: Sequence[Place], at: float, frame: BgrImage, *, still: bool) -> None:
        """These things are there ``at`` so many seconds; of a ``Place`` only the first four fields are used.

        ``frame`` is the last that the motion was asked about; bare table is looked for where it is ``still``.
        """
        if not still and self._motion.ground is not None:
            self._ground = self._motion.ground
        (x, y), self._shift = np.subtract(self._motion.shift, self._shift) * frame.shape[1], self._motion.shift
        if x or y:
            for places in (self.here, self._lost):
                places[:] = [replace(one, quad=moved(one.quad, x, y)) for one in places]
        given = nearest_pairs(*([(one.thing, one.quad) for one in every] for every in (self.here, sightings)))
        before, self.here = self.here, []
        for k, old in enumerate(before):
            new = sightings[given[k]] if k in given else None
            if new is None or (new.seen and old.bare is not None and apart(old.quad, new.quad) > NEAR):
                self._lost.append(replace(old, seen=False))  # taken away or pushed: what comes there may lie below
            if new is not None:
                self.here.append(self._goes_on(old, new))
        self.here += [self._come(new, at, frame) for j, new in enumerate(sightings) if j not in given.values()]
        if still:
            self._see_bare(frame, at)
        kept = [one for one in self._lost if one.bare_since is None or at - one.bare_since < 4 * AWAY]
        self._lost = kept[-MOST_LOST:]

    def _come(self, new: Place, at: float, frame: BgrImage) -> Place:
        """The place of a thing that was not there: one that was lost in this place, or it was laid."""
        for one in self._lost:
            gone = one.bare_since is not None and at - one.bare_since >= AWAY
            if one.thing == new.thing and not gone and apart(one.quad, new.quad) < NEAR:
                self._lost.remove(one)
                return self._goes_on(one, new)
        unseen = (one for one in self.here if not one.seen)
        lost = [one for one in (*self._lost, *unseen) if apart(one.quad, new.quad) < ON]
        # The table as it was when nothing lay there may be older than what lay there last.
        bare = next((one.bare for one in lost if one.bare_since is not None), self._ground)
        if bare is not None and not self._motion.saw(bare, new.quad, frame):
            return new
        over = tuple(replace(one, over=()) for one in lost if one.bare_since is None)
        self.layings += 1
        return replace(new, laying=self.layings, bare=bare, over=over)

    def _see_bare(self, frame: BgrImage, at: float) -> None:
        """Bare table may be seen where something is not; with what lies lowest all that lay on it is gone."""
        gone: list[Quad] = []
        for places in (self._lost, self.here):
            for k, one in enumerate(places):
                if one.seen or one.bare_since is not None:
                    continue
                below = any(apart(quad, one.quad) < ON / 2 for quad in gone)
                if below or self._motion.is_as(one.bare, one.quad, frame):
                    gone.append(one.quad)
                    places[k] = replace(one, bare_since=at, bare=self._motion.latest)

    @staticmethod
    def _goes_on(old: Place, new: Place) -> Place:
        since = None if new.seen else old.bare_since
        return replace(old, quad=new.quad, what=new.what, seen=new.seen, bare_since=since)
