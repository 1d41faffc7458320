"""Finding a printed map by the tags in its corners; a hand may cover one of them, or two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.wording import number_word
from loomtable.vision.arrays import Float64Array
from loomtable.vision.board.camera_fit import NEARBY, CameraFit, fit_cameras, outward_steps
from loomtable.vision.quads import Quad
from loomtable.vision.tags import ENOUGH_PIXELS_PER_CELL, SeenTag

_LEAST_TAGS = 2
"""Tags by which a map is found. Set by hand."""
_MOST_OFF = 1.2
"""Millimetres by which the corners of tags may be out in the mean: more, and the sheet is bent. Set by hand."""


@dataclass(frozen=True)
class TaggedSheet:
    """A printed sheet whose tags stand in known places, mm from its upper left corner, x right and y down."""

    component: ComponentId
    width: float
    height: float
    tags: Mapping[int, Quad]
    """The corners of each tag's black, in the order of a ``Quad``."""


@dataclass(frozen=True)
class SeenSheet(CameraFit):
    """A sheet in a picture."""

    sheet: TaggedSheet
    tags: int
    """How many of its tags were seen."""
    off: float
    """How far its tags are from where they should be, mm in the mean."""
    others: tuple[CameraFit, ...]
    """Cameras ``NEARBY`` this one, in each direction that the tags leave open."""

    def true_quad(self, quad: Quad) -> Float64Array:
        """The corners (4, 2) of a tag, px, where its black ends on paper."""
        corners = np.array(quad)
        return np.asarray(corners - self.edge * outward_steps(corners[None])[0])

    def position_error(self, pixel: Float64Array) -> float:
        """How far (mm, a deviation) the place under a pixel (2,) may be out: the fewer tags, the further."""
        here = self.places(pixel[None])[0]
        return float(np.linalg.norm([other.places(pixel[None])[0] - here for other in self.others])) / NEARBY

    @property
    def outline(self) -> Quad:
        """Its four corners in the picture, px."""
        wide, high = self.sheet.width, self.sheet.height
        a, b, c, d = self.pixels(np.array([[0, 0], [wide, 0], [wide, high], [0, high]])).tolist()
        return tuple(a), tuple(b), tuple(c), tuple(d)


def find_sheet(tags: Sequence[SeenTag], sheet: TaggedSheet, size: tuple[int, ...]) -> SeenSheet | str:
    """Where a sheet lies in a picture of shape ``size`` (height, width, ...), by its tags; or why it is not found.

    Two tags tell where a sheet lies, three tell it well. One tag alone is too small to tell the far end of a map
    and is not enough. A tag that stands twice in the picture, or that does not fit the others, is left out.
    """
    own = [tag for tag in tags if tag.number in sheet.tags]
    seen = Counter(tag.number for tag in own)
    single = [tag for tag in own if seen[tag.number] == 1]
    fitted = _through(sheet, single, size) if len(single) >= _LEAST_TAGS else None
    if fitted is None and len(single) > 3:  # where one of four does not fit, through the other three
        some = [_through(sheet, [tag for tag in single if tag is not left], size) for left in single]
        fitted = min(filter(None, some), key=lambda found: found.off, default=None)
    return fitted or _why_not(sheet, single, [number for number, times in seen.items() if times > 1])


def _why_not(sheet: TaggedSheet, single: Sequence[SeenTag], twice: Sequence[int]) -> str:
    called = f"the map {sheet.component.short}"
    if not (single or twice):
        return "no map is seen: none of its corner tags is in the picture"
    if twice:
        return f"{called} cannot be placed: tag {twice[0]} is seen twice; take the other print of this map away"
    if len(single) < _LEAST_TAGS:
        seen = f"{number_word(len(single))} of the {number_word(len(sheet.tags))} corner tags of {called}"
        return f"only {seen} is seen; uncover the corners, or move the camera back until all are in the picture"
    return f"the corner tags of {called} are not in one plane: lay the map flat"


def _through(sheet: TaggedSheet, tags: Sequence[SeenTag], size: tuple[int, ...]) -> SeenSheet | None:
    places = np.array([corner for tag in tags for corner in sheet.tags[tag.number]])
    pixels = np.array([corner for tag in tags for corner in tag.quad])
    first, _ = cv2.findHomography(places, pixels, 0)
    if np.size(first) != 9:
        return None
    homography = np.asarray(first, np.float64)
    if _folds(homography, sheet):
        return None
    found = fit_cameras(places.reshape(-1, 4, 2), pixels.reshape(-1, 4, 2), homography, size)
    if found is None or _folds(found[0].homography, sheet):
        return None
    camera, others = found
    plane = SeenSheet(camera.homography, camera.view, camera.lens, camera.edge, sheet, len(tags), 0.0, others)
    there = np.concatenate([plane.places(plane.true_quad(tag.quad)) for tag in tags])
    off = float(np.linalg.norm(there - places, axis=1).mean())
    return replace(plane, off=off) if off <= _MOST_OFF else None


def _folds(homography: Float64Array, sheet: TaggedSheet) -> bool:
    """Whether a part of the sheet would lie behind the camera, or be seen from below."""
    corners = np.array(
        [[0, 0, 1], [sheet.width, 0, 1], [sheet.width, sheet.height, 1], [0, sheet.height, 1]], float
    )
    depth = (corners @ homography.T)[:, 2]
    return bool(depth.min() * depth.max() <= 0 or np.linalg.det(homography) * depth[0] <= 0)


def tag_advice(tags: Sequence[SeenTag]) -> str | None:
    """What to change where tags are seen too small to be sure of all of them; nothing where all is well."""
    if not tags:
        return None
    least = min(tag.pixels_per_cell for tag in tags)
    if least >= ENOUGH_PIXELS_PER_CELL:
        return None
    return (
        f"tags are {least:.1f} pixels a cell; {ENOUGH_PIXELS_PER_CELL:g} are needed to be sure of every one: "
        "move the camera closer or use a higher resolution"
    )
