"""The d6 reader: a picture in, a tray reading out.

Pips are found, faces are fitted to them (first witness), each face's pixels are asked again (second witness), the
faces of one die are told apart from those of its neighbours, and the one that lies up is named. What any of these
steps doubts is asked about; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.kernel.dice import Die
from vision.dice.body import extents
from vision.dice.faces import FaceFit, fit_faces, single_sized
from vision.dice.judging import WORDS, body_mark, calibrated, first_marks, full_marks
from vision.dice.pips import Pips, find_pips
from vision.dice.reading import SeenDie, TrayReading, judged, reading_order
from vision.dice.tops import PERHAPS, Candidate, as_many_as, tops_of, unread
from vision.dice.witness import testify
from vision.pictures import Picture
from vision.verdict import Verdict

LONG_SIDE = 1280
"""Pictures are brought to this length before they are searched (enlarged at most fourfold)."""
SURE = 0.9
"""Sureness from which a die is believed."""


def read_dice(picture: Picture, expect: tuple[int, Die] | None = None, *, sure: float = SURE) -> TrayReading:
    """Read the d6 with pips in a picture.

    Args:
        picture: (height, width, 3) blue green red, 8 bits.
        expect: how many of which dice were asked for; count and kind are held against it.
        sure: sureness from which a die is believed; lower asks less and errs more.
    """
    if expect is not None and expect[1] is not Die.D6:
        reason = f"this reader reads d6 with pips only, and {expect[1].plural} were asked for"
        return TrayReading(Verdict.REJECTED, reason, (), expect[0])
    return settle(look(picture), None if expect is None else expect[0], sure=sure)


@dataclass(frozen=True)
class Look:
    """Everything that was seen in a picture, before it is held against what was asked for."""

    tops: list[Candidate]
    unsure: list[FaceFit]
    """Faces of three pips and more whose layout is right and whose look is not: perhaps dice, in bad light."""
    pips: Pips
    zoom: float
    """How much the picture was enlarged before it was searched."""


def look(picture: Picture) -> Look:
    """Find every face that may be a die's top."""
    zoom = min(LONG_SIDE / max(picture.shape[:2]), 4.0)
    view = _zoomed(picture, zoom)
    pips = find_pips(view)
    candidates, unsure = _candidates(view, pips, zoom)
    return Look(tops_of(candidates, pips), unsure, pips, zoom)


def settle(seen: Look, expected: int | None, *, sure: float = SURE) -> TrayReading:
    """The verdict on what was seen, where ``expected`` d6 were asked for, or nobody said how many."""
    tops = as_many_as(seen.tops, expected, sure)
    dice = [_seen(top, seen.zoom, sure) for top in tops]
    more = len(unread(seen.pips, tops, seen.unsure)) if expected is None else 0
    return judged(reading_order(dice), expected, more)


def _zoomed(picture: Picture, zoom: float) -> Picture:
    if abs(zoom - 1) < 0.01:
        return picture
    how = cv2.INTER_CUBIC if zoom > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=how), np.uint8)


def _candidates(view: Picture, pips: Pips, zoom: float) -> tuple[list[Candidate], list[FaceFit]]:
    """Faces that do not share pips, fullest first, each with its marks; and those of good layout that failed."""
    taken: set[int] = set()
    chosen: list[Candidate] = []
    unsure: list[FaceFit] = []
    fits = fit_faces(pips)
    singles = _sized_singles(view, pips, [fit for fit in fits if fit.value == 1])
    for fit, body in [*((fit, 1.0) for fit in fits if fit.value > 1), *singles]:
        if taken.intersection(fit.pips):
            continue
        first = first_marks(fit, pips, zoom)
        if fit.value == 1:
            first = first.and_also("body", body)
        well_laid = first.checks["layout"] * first.checks["square"] * first.checks["alike"] > 0.5
        if fit.value > 2 and well_laid:
            unsure.append(fit)
        if first.sureness < PERHAPS:
            continue
        rows = list(fit.pips)
        ink, paint = pips.ink[rows].mean(axis=0), pips.body[rows].mean(axis=0)
        candidate = Candidate(fit, full_marks(first, fit, testify(view, fit, ink, paint), pips), ink, paint)
        if candidate.sureness >= PERHAPS:
            taken.update(fit.pips)
            chosen.append(candidate)
    return chosen, [fit for fit in unsure if not taken.intersection(fit.pips)]


def _sized_singles(view: Picture, pips: Pips, fits: Sequence[FaceFit]) -> list[tuple[FaceFit, float]]:
    """The ones with the size that their body has, and how like a die's that body is."""
    plain = [fit for fit in fits if pips.plainness[fit.pips[0]] > 0.5 and pips.contrast[fit.pips[0]] > 40]
    reaches = extents(view, pips, np.array([fit.pips[0] for fit in plain], np.intp))
    return [(single_sized(fit, reach.middle), body_mark(reach)) for fit, reach in zip(plain, reaches, strict=True)]


def _seen(top: Candidate, zoom: float, sure: float) -> SeenDie:
    corners = top.fit.corners / zoom
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    return SeenDie(
        Die.D6,
        top.fit.value,
        (float(x0), float(y0), float(x1), float(y1)),
        calibrated(top.sureness),
        tuple((float(x), float(y)) for x, y in corners),
        doubt="" if top.sureness >= sure else WORDS[top.marks.weakest],
    )
