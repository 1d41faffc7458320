"""The reader of d6 by their pips alone: no network, only where the pips lie and what the face's pixels say.

Pips are found, faces are fitted to them (first look), each face's pixels are asked again (second look), the
faces of one die are told apart from those of its neighbours, and the one that lies up is named. What any of
these steps doubts is asked about; nothing is guessed. It stands beside the networks as a cue of another
make, and in their place where they are not installed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import cv2
import numpy as np

from loomtable.vision.arrays import Float64Array
from loomtable.vision.boxes import Box
from loomtable.vision.dice.pips.body import extents
from loomtable.vision.dice.pips.faces import FaceFit, fit_faces, single_sized
from loomtable.vision.dice.pips.scoring import REASONS, all_scores, body_score, calibrated, fit_scores
from loomtable.vision.dice.pips.spots import Pips, find_pips
from loomtable.vision.dice.pips.upper_faces import PERHAPS, Candidate, as_many_as, unread, upper_faces
from loomtable.vision.dice.pips.verification import verify_face
from loomtable.vision.pictures import BgrImage

LONG_SIDE = 1280
"""Pictures are brought to this length before they are searched (enlarged at most fourfold)."""
SURE = 0.9
"""Confidence from which a die is believed."""
_GOOD_LAYOUT = 0.5
"""Product of the checks of layout from which a face that failed otherwise is perhaps a die; set by hand."""
_LEAST_UNIFORMITY, _LEAST_CONTRAST = 0.5, 40
"""Of a spot that may be a one; set by hand."""
DIE_SIDE = 72.0
"""Pixels to which one die is brought before its pips are sought; they then are of the two smallest sizes."""


@dataclass(frozen=True)
class PipFace:
    """A face that lies up, as its pips tell it; positions in pixels of the picture that was given."""

    value: int
    confidence_score: float
    """All checks together, 0 to 1: 1 where there is nothing to object."""
    corners: tuple[tuple[float, float], ...]
    """The four corners of the face, in order round it."""
    ellipse: Float64Array
    """(2, 2): the pips' mean covariance; its shape says how the face lies to the camera."""
    weakest: str
    """The check that says most against it, a key of ``scoring.REASONS``."""

    @property
    def confidence(self) -> float:
        """How often such a face was right on photographs, 0 to 1."""
        return calibrated(self.confidence_score)

    @property
    def doubt(self) -> str:
        """What speaks against it, as the end of a sentence; empty where it is sure."""
        return "" if self.confidence_score >= SURE else REASONS[self.weakest]


@dataclass(frozen=True)
class PipSide:
    """A face of a die, whether it lies up or not."""

    value: int
    confidence: float
    """All checks of the face by itself, 0 to 1; which face lies up is none of them."""
    middle: tuple[float, float]
    """x, y in pixels of the picture."""
    ellipse: Float64Array
    """(2, 2): the pips' mean covariance in square pixels of the picture; a circle where the camera looks straight
    at the face."""


@dataclass(frozen=True)
class PipsOfDie:
    """What the pips of one die say."""

    up: PipFace | None = None
    """The face that lies up; nothing where none fits."""
    sides: tuple[PipSide, ...] = ()
    """Every face that fits some of the pips in and round its box."""


@dataclass(frozen=True)
class PipDetections:
    """Everything that was seen in a picture, before it is held against what was asked for."""

    tops: list[Candidate]
    unsure: list[FaceFit]
    """Faces of three pips and more whose layout is right and whose look is not: perhaps dice, in bad light."""
    pips: Pips
    zoom: float
    """How much the picture was enlarged before it was searched."""


def detect_pip_faces(picture: BgrImage) -> PipDetections:
    """Find every face that may be a die's top."""
    zoom = min(LONG_SIDE / max(picture.shape[:2]), 4.0)
    view = _zoomed(picture, zoom)
    pips = find_pips(view)
    candidates, unsure = _candidates(view, pips, zoom)
    return PipDetections(upper_faces(candidates, pips), unsure, pips, zoom)


def faces_up(seen: PipDetections, expected: int | None) -> tuple[list[PipFace], int]:
    """The dice of a picture in which ``expected`` d6 were asked for (or nobody said), and how many more there
    may be."""
    tops = as_many_as(seen.tops, expected, SURE)
    more = len(unread(seen.pips, tops, seen.unsure)) if expected is None else 0
    return [_face(top, seen.zoom) for top in tops], more


def pips_of(picture: BgrImage, boxes: Sequence[Box]) -> list[PipsOfDie]:
    """What the pips of the one die in each box say.

    Only the boxes and what lies close round them are searched, all in one go: brought to one size and put beside
    one another, because a search costs nearly as much for one die as for ten.
    """
    tiles = [_tile(picture, box) for box in boxes]
    spots = find_pips(np.hstack([tile.view for tile in tiles]), levels=2) if tiles else None
    dice: list[PipsOfDie] = []
    for place, (tile, box) in enumerate(zip(tiles, boxes, strict=True)):
        assert spots is not None
        dice.append(_in_tile(tile, _of_tile(spots, place), box))
    return dice


@dataclass(frozen=True)
class _Tile:
    """A die brought to ``DIE_SIDE``, in a square with the border's colour round it."""

    view: BgrImage
    zoom: float
    left: float
    top: float
    """Where the square's corner lies in the picture."""


_TILE = 112
"""Side of a tile: wide enough that no spot reaches from one die to the next, and no wider, for it costs time."""


def _tile(picture: BgrImage, box: Box) -> _Tile:
    x0, y0, x1, y1 = box
    side = max(x1 - x0, y1 - y0, 4.0)
    zoom = min(DIE_SIDE / side, 4.0)
    room = 0.22 * side
    height, width = picture.shape[:2]
    left, right = (int(np.clip(x, 0, width - 1)) for x in (x0 - room, x1 + room))
    top, bottom = (int(np.clip(y, 0, height - 1)) for y in (y0 - room, y1 + room))
    view = _zoomed(picture[top : bottom + 1, left : right + 1], zoom)[:_TILE, :_TILE]
    dy, dx = (_TILE - view.shape[0]) // 2, (_TILE - view.shape[1]) // 2
    after_y, after_x = _TILE - view.shape[0] - dy, _TILE - view.shape[1] - dx
    square = cv2.copyMakeBorder(view, dy, after_y, dx, after_x, cv2.BORDER_REPLICATE)
    return _Tile(np.asarray(square, np.uint8), zoom, left - dx / zoom, top - dy / zoom)


def _of_tile(spots: Pips, place: int) -> Pips:
    """The spots of one tile, in its own pixels."""
    shift = np.array([place * _TILE, 0.0])
    away = np.abs(spots.centre - shift - _TILE / 2).max(axis=1)
    mine = spots.take(np.flatnonzero(away < 0.75 * DIE_SIDE))
    wholes = spots.wholes - np.array([place * _TILE, 0.0, 0.0])
    wholes = wholes[(wholes[:, 0] >= 0) & (wholes[:, 0] < _TILE)]
    return replace(mine, centre=mine.centre - shift, wholes=wholes)


def _in_tile(tile: _Tile, pips: Pips, box: Box) -> PipsOfDie:
    """The faces in a tile, and the upper one in its middle."""
    candidates, _ = _candidates(tile.view, pips, tile.zoom)
    middle = (np.array([box[0] + box[2], box[1] + box[3]]) / 2 - (tile.left, tile.top)) * tile.zoom
    reach = 0.5 * max(box[2] - box[0], box[3] - box[1]) * tile.zoom
    near = [top for top in upper_faces(candidates, pips) if np.abs(top.fit.centre - middle).max() < reach]
    sides = tuple(_side(candidate, tile) for candidate in candidates)
    if not near:
        return PipsOfDie(None, sides)
    face = _face(max(near, key=lambda top: (top.confidence, top.fit.diameter)), tile.zoom)
    corners = tuple((x + tile.left, y + tile.top) for x, y in face.corners)
    return PipsOfDie(replace(face, corners=corners), sides)


def _side(found: Candidate, tile: _Tile) -> PipSide:
    x, y = (found.fit.centre / tile.zoom).tolist()
    return PipSide(
        found.fit.value, found.confidence, (x + tile.left, y + tile.top), found.fit.ellipse / tile.zoom**2
    )


def _zoomed(picture: BgrImage, zoom: float) -> BgrImage:
    if abs(zoom - 1) < 0.01:
        return picture
    how = cv2.INTER_CUBIC if zoom > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=how), np.uint8)


def _candidates(view: BgrImage, pips: Pips, zoom: float) -> tuple[list[Candidate], list[FaceFit]]:
    """Faces that do not share pips, fullest first, each with its scores; and those of good layout that failed."""
    taken: set[int] = set()
    chosen: list[Candidate] = []
    unsure: list[FaceFit] = []
    fits = fit_faces(pips)

    def ones() -> Iterator[tuple[FaceFit, float]]:
        # Begun when all others are done: by then most pips are taken, and a one's body takes long to trace.
        yield from _sized_singles(view, pips, [f for f in fits if f.value == 1 and f.pips[0] not in taken])

    for fit, body in chain(((fit, 1.0) for fit in fits if fit.value > 1), ones()):
        if not taken.isdisjoint(fit.pips):
            continue
        first = fit_scores(fit, pips, zoom)
        if fit.value == 1:
            first = first.with_score("body", body)
        if (
            fit.value > 2
            and math.prod(first.checks[name] for name in ("layout", "square", "alike")) > _GOOD_LAYOUT
        ):
            unsure.append(fit)
        if first.confidence < PERHAPS:
            continue
        rows = list(fit.pips)
        ink, paint = pips.ink[rows].mean(axis=0), pips.body[rows].mean(axis=0)
        candidate = Candidate(fit, all_scores(first, fit, verify_face(view, fit, ink, paint), pips), ink, paint)
        if candidate.confidence >= PERHAPS:
            taken.update(fit.pips)
            chosen.append(candidate)
    return chosen, [fit for fit in unsure if not taken.intersection(fit.pips)]


def _sized_singles(view: BgrImage, pips: Pips, fits: Sequence[FaceFit]) -> list[tuple[FaceFit, float]]:
    """The ones with the size that their body has, and how like a die's that body is."""
    clear = (pips.uniformity > _LEAST_UNIFORMITY) & (pips.contrast > _LEAST_CONTRAST)
    plain = [fit for fit in fits if clear[fit.pips[0]]]
    reaches = extents(view, pips, np.array([fit.pips[0] for fit in plain], np.intp))
    return [
        (single_sized(fit, reach.middle), body_score(reach)) for fit, reach in zip(plain, reaches, strict=True)
    ]


def _face(top: Candidate, zoom: float) -> PipFace:
    corners = tuple((float(x), float(y)) for x, y in top.fit.corners / zoom)
    return PipFace(top.fit.value, top.confidence, corners, top.fit.ellipse / zoom**2, top.scores.weakest)
