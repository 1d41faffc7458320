"""Looks at one table through a running camera: what has not changed since the look before is not read again."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from msgspec import structs

from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.boxes import area, intersection
from loomtable.vision.motion import changed_pixels, reduced
from loomtable.vision.pictures import BgrImage, to_gray
from loomtable.vision.quads import Quad, moved, quad_centre, quad_side, same_place
from loomtable.vision.tags import CELLS, SeenTag, add_tags, by_number, find_tags, seen_as_read

CLOSELY = 60_000
"""Pixels of a place that is searched closely at once. Bound by time."""
WORSE = 0.03
"""By how much less a tag may correlate with what was read there, and be it. Set by hand."""
MOST_PLACES = 12
"""Places that are searched closely at once where a tag is expected. Bound by time."""
MOST_LOST = 32
"""Tags that are remembered when they are gone, the latest. Bound by time."""
PARTS, OVERLAP = (2, 3), 0.1
"""Columns and rows of parts searched closely, one a look; how far they overlap, of the height. Set by hand."""
ROOM = 1.5
"""How far round its middle a tag is looked for where it is expected, in its sides. Set by hand."""
Box = tuple[int, int, int, int]
"""Left, top, right, bottom, px."""


@dataclass(frozen=True)
class TableLook:
    """What is before a camera in one picture, and where that may have changed since the look before."""

    picture: BgrImage
    tags: tuple[SeenTag, ...]
    """Every tag in it, in the order of their numbers."""
    changed: tuple[Box, ...]
    unsearched: tuple[Box, ...] = ()
    """Where a closer look may find more tags, part by part."""
    before: Mapping[Hashable, Any] = field(default_factory=dict)
    """What readers kept of the look before, by what they read."""
    kept: dict[Hashable, Any] = field(default_factory=dict)
    """What they keep of this one."""

    @classmethod
    def at(cls, picture: BgrImage, *, quick: bool = False) -> TableLook:
        """A first look, at one picture."""
        whole = (0, 0, picture.shape[1], picture.shape[0])
        return cls(picture, find_tags(picture, quick=quick), (whole,), _parts(picture, [whole]) if quick else ())

    def closer(self) -> TableLook:
        """The same look, with more patience in the next part that is unsearched."""
        part, *left = self.unsearched
        tags = _with_tags_in(self.picture, [part], self.tags, closely=True)
        return replace(self, tags=tags, unsearched=tuple(left), kept=self.kept if tags == self.tags else {})


class TableLooks:
    """The looks at a table: one at a picture in which nothing moves, and the next once something has changed."""

    def __init__(self) -> None:
        self.last: TableLook | None = None
        """The latest."""
        self._reduced: Float32Array | None = None
        self._fits: dict[SeenTag, float] = {}
        """How well each tag correlated where it was read."""
        self._lost: tuple[SeenTag, ...] = ()
        """Tags that were read earlier, for a camera out of focus leaves the table as it was."""
        self._searched: list[Quad] = []
        """Where tags were expected, and looked for closely."""

    def look(self, picture: BgrImage, expected: Iterable[Quad] = ()) -> TableLook:
        """Look at the next picture; the last look where nothing has changed since.

        Where a tag is ``expected`` (px), or seems to be back, it is looked for closely, a few places at a time.
        """
        now, before, last = reduced(picture), self._reduced, self.last
        changed = None if before is None else changed_pixels(before, now)
        if changed is None or last is None:
            look, self._searched = TableLook.at(picture, quick=True), []
        else:
            boxes, stay = _boxes(changed, last.tags, set(self.glance(picture)), picture)
            look = last
            if boxes:
                tags = _with_tags_in(picture, boxes, stay, closely=False)
                look = TableLook(picture, tags, boxes, _parts(picture, boxes, last.unsearched), last.kept)
                self._searched = [place for place in self._searched if not _is_in(place, boxes)]
        back = [tag.quad for tag in self._still_there(picture, self._lost)]
        due = [place for place in expected if not any(same_place(place, other) for other in self._searched)]
        if due := [*back, *due][:MOST_PLACES]:
            self._searched += due
            self._lost = tuple(tag for tag in self._lost if tag.quad not in due)
            places = [_about(np.array([quad_centre(place)]), ROOM * quad_side(place)) for place in due]
            tags = _with_tags_in(picture, places, look.tags, closely=True)
            if tags != look.tags:
                seen = TableLook(picture, tags, (), look.unsearched, look.kept) if look is last else look
                look = replace(seen, tags=tags, changed=(*seen.changed, *places))
        if look is not last:
            self._reduced = now
            self.keep(look)
        return look

    def glance(self, picture: BgrImage) -> tuple[SeenTag, ...]:
        """The tags of the last look that are still where they were."""
        return self._still_there(picture, self.last.tags if self.last is not None else ())

    def _still_there(self, picture: BgrImage, known: Sequence[SeenTag]) -> tuple[SeenTag, ...]:
        fits = seen_as_read(to_gray(picture), known)
        return tuple(tag for tag, fit in zip(known, fits, strict=True) if fit > self._fits[tag] - WORSE)

    def keep(self, look: TableLook) -> None:
        """Go on from this look: the last, or that with more patience."""
        known = (*self._lost, *(self.last.tags if self.last is not None else ()))
        lost = [tag for tag in known if not any(same_place(tag.quad, other.quad) for other in look.tags)]
        self.last, self._lost = look, tuple(lost[-MOST_LOST:])
        new = [tag for tag in look.tags if tag not in self._fits]
        fits = self._fits | dict(zip(new, seen_as_read(to_gray(look.picture), new).tolist(), strict=True))
        self._fits = {tag: fits[tag] for tag in (*look.tags, *self._lost)}


def _boxes(
    changed: npt.NDArray[np.bool_], tags: Sequence[SeenTag], there: Collection[SeenTag], picture: BgrImage
) -> tuple[tuple[Box, ...], list[SeenTag]]:
    """Boxes about what has changed and tags that are not ``there``, and the tags that are left as they are."""
    scale = picture.shape[1] / changed.shape[1]
    mask = cv2.dilate(changed.astype(np.uint8), np.ones((3, 3), np.uint8))
    places = {tag: _about(np.array(tag.quad) / scale, quad_side(tag.quad) / CELLS / scale) for tag in tags}
    due = [place for tag, place in places.items() if tag not in there]
    while True:
        for left, top, right, foot in due:
            mask[max(top, 0) : foot, max(left, 0) : right] = 1
        _, _, found, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        boxes = [(x, y, x + w, y + h) for x, y, w, h, _ in found[1:].tolist()]
        cut = [place for place in places.values() if mask[_slice(place)].any() and not mask[_slice(place)].all()]
        due = [*boxes, *cut]
        if not cut and all(mask[_slice(box)].all() for box in boxes):
            break
    grown = (_about(np.array([box[:2], box[2:]]) * scale, 2 * scale) for box in boxes)
    height, width = picture.shape[:2]
    within = tuple((max(x, 0), max(y, 0), min(right, width), min(foot, height)) for x, y, right, foot in grown)
    return within, [tag for tag, place in places.items() if not mask[_slice(place)].any()]


def _about(corners: Float64Array, room: float) -> Box:
    (x, y), (right, foot) = np.floor(corners.min(axis=0) - room), np.ceil(corners.max(axis=0) + room)
    return int(x), int(y), int(right), int(foot)


def _slice(box: Box) -> tuple[slice, slice]:
    left, top, right, foot = (max(value, 0) for value in box)
    return slice(top, foot), slice(left, right)


def _is_in(place: Quad, boxes: Iterable[Box]) -> bool:
    x, y = quad_centre(place)
    return any(left <= x < right and top <= y < foot for left, top, right, foot in boxes)


def _parts(picture: BgrImage, boxes: Iterable[Box], unsearched: Collection[Box] = ()) -> tuple[Box, ...]:
    """The parts that are ``unsearched`` or hold some of a large box; they overlap by the width of a tag."""
    high, wide = picture.shape[:2]
    fields = [np.array([at, np.add(at, 1)]) * (wide, high) / PARTS for at in np.ndindex(PARTS)]
    parts = [_about(field, OVERLAP * high / 2) for field in fields]
    large = [box for box in boxes if area(box) > CLOSELY]
    return tuple(part for part in parts if part in unsearched or any(intersection(part, box) for box in large))


def _with_tags_in(
    picture: BgrImage, boxes: Iterable[Box], known: Iterable[SeenTag], *, closely: bool
) -> tuple[SeenTag, ...]:
    """The tags that are known and those in boxes, which may overlap, each once."""
    found = list(known)
    for box in boxes:
        part = picture[_slice(box)]
        tags = find_tags(part, quick=not closely and area(box) > CLOSELY) if part.size else ()
        add_tags(
            [structs.replace(tag, quad=moved(tag.quad, max(box[0], 0), max(box[1], 0))) for tag in tags], found
        )
    return by_number(found)
