"""Reading a printer's calibration sheet from a photograph: where it put what, and where that should have been.

The tags say how the picture was taken and, at once, how the page was printed; the paper's own edges tell the two
apart. Tags and edges lie in one plane, so that neither the camera's place nor its focal length matters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from loomtable.engine.kernel.calibration_sheet import BACK_TAGS, FRONT_TAGS, TAG_WIDTH, Place, tag_places
from loomtable.engine.kernel.errors import BadInput
from loomtable.vision.arrays import Float64Array, GrayImage
from loomtable.vision.pictures import BgrImage
from loomtable.vision.tags import find_tags

LEAST_TAGS = 6
MOST_RESIDUAL = 0.25
"""Tags that miss their places by more than this (mm, root mean square) were not sharp, or not on flat paper."""
LEAST_PIXELS_PER_MM = 3.0
MOST_STRETCH = 0.05
"""Beyond this the paper is another than was said, or the page was scaled to fit."""
_INSIDE, _OUTSIDE = 4.0, 14.0
"""How far inside and outside of where the paper's edge should be it is looked for (mm)."""
_SAMPLES = 90
_STEP = 0.1
"""Between looks across an edge (mm)."""
_LEAST_CONTRAST = 12.0
"""Paper is brighter than the table by at least this (of 255), over half a millimetre."""
_LEAST_SHARE = 0.55
_NEAR = 0.35
"""Places on an edge further than this from its line (mm) are not of it."""
_CORNER_REACH = 5
"""Pixels round a tag's corner from which its exact place is told. On 24 drawn photographs this measures
misprints to 0.041 mm in the mean, as ``cv2.aruco`` with the same reach does; the tags' own edges measure them
to 0.078 mm."""


class SheetUnread(BadInput):
    """A photograph of a calibration sheet cannot be measured; the message says why and what to do."""


@dataclass(frozen=True)
class PrintedSide:
    """How one side was printed: about the paper's middle stretched, turned anticlockwise, then shifted.

    Shifts in mm (right and up), angle in degrees, scales as shares of 1; ``residual`` is by how much the tags miss
    (mm, root mean square), ``tags`` how many were found.
    """

    dx: float
    dy: float
    angle: float
    scale_x: float
    scale_y: float
    residual: float
    tags: int


def read_printed_side(picture: BgrImage, paper: tuple[float, float], is_back: bool) -> PrintedSide:
    """Measure one side of the sheet in a picture (BGR); ``paper`` is its width and height in mm.

    Raises:
        SheetUnread: it cannot be measured; the message says why.
    """
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    tags = _tags(grey)
    wanted = tag_places(*paper, is_back)
    found = {number: corners for number, corners in tags.items() if number in wanted}
    _check_tags(found, tags, paper, is_back)
    to_picture, residual = _page_to_picture(found, wanted)
    _check_sharpness(to_picture, paper, residual)
    edges = [_edge(grey, to_picture, paper, side) for side in _SIDES]
    return _misregistration(_page_to_paper(edges, paper), paper, residual, len(found))


def _tags(grey: GrayImage) -> dict[int, Float64Array]:
    """Every tag's corners in the picture, by its number: upper left, upper right, lower right, lower left."""
    tags = find_tags(grey, among=(*FRONT_TAGS, *BACK_TAGS), quick=True)
    return {tag.number: _refined(grey, np.array(tag.quad)) for tag in tags}


def _refined(grey: GrayImage, quad: Float64Array) -> Float64Array:
    """Corners (4, 2) put to a fraction of a pixel; those of a tag at the picture's very edge stay as they are."""
    if quad.min() < 0 or (quad > np.array(grey.shape[::-1]) - 1).any():
        return quad
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 0.01)
    corners = np.ascontiguousarray(quad, np.float32).reshape(4, 1, 2)
    moved = cv2.cornerSubPix(grey, corners, (_CORNER_REACH, _CORNER_REACH), (-1, -1), stop)
    return np.asarray(moved, np.float64).reshape(4, 2)


def _check_tags(
    found: Mapping[int, Float64Array], tags: Mapping[int, Float64Array], paper: tuple[float, float], is_back: bool
) -> None:
    side, other = ("back", "front") if is_back else ("front", "back")
    if len(found) >= LEAST_TAGS:
        return
    if len(set(tags) & set(tag_places(*paper, not is_back))) > len(found):
        raise SheetUnread(f"this is the {other} of the calibration sheet; its {side} was asked for")
    if not found:
        raise SheetUnread(
            "no tag of the calibration sheet is in the picture; photograph the whole sheet, in focus"
        )
    raise SheetUnread(
        f"only {len(found)} of 8 tags can be read, {LEAST_TAGS} are needed; photograph the whole sheet, in focus"
    )


def _square(middle: Place) -> Float64Array:
    """A tag's corners on the page, in the order of the detector."""
    x, y, half = *middle, TAG_WIDTH / 2
    return np.array([(x - half, y + half), (x + half, y + half), (x + half, y - half), (x - half, y - half)])


def _page_to_picture(found: Mapping[int, Float64Array], wanted: Mapping[int, Place]) -> tuple[Float64Array, float]:
    """The homography from the page as designed to the picture, and by how much tags miss it (mm)."""
    page = np.concatenate([_square(wanted[number]) for number in found])
    corners = np.concatenate(list(found.values()))
    matrix, _ = cv2.findHomography(page, corners, 0)
    if matrix is None:
        raise SheetUnread(
            "the tags are not arranged as on a calibration sheet; photograph the printed sheet itself"
        )
    back = _mapped(np.linalg.inv(np.asarray(matrix, dtype=np.float64)), corners)
    return np.asarray(matrix, dtype=np.float64), float(np.sqrt(((back - page) ** 2).sum(axis=1).mean()))


def _check_sharpness(to_picture: Float64Array, paper: tuple[float, float], residual: float) -> None:
    middle = np.array([[paper[0] / 2 - 0.5, paper[1] / 2], [paper[0] / 2 + 0.5, paper[1] / 2]])
    pixels = float(np.linalg.norm(np.diff(_mapped(to_picture, middle), axis=0)))
    if pixels < LEAST_PIXELS_PER_MM:
        raise SheetUnread(
            f"the picture has {pixels:.1f} pixels to a millimetre, {LEAST_PIXELS_PER_MM:g} are needed; go nearer, "
            "or use a camera with more pixels"
        )
    if residual > MOST_RESIDUAL:
        raise SheetUnread(
            f"the tags miss their places by {residual:.2f} mm; lay the sheet flat, hold the camera still and level"
        )


_SIDES = ("left", "right", "bottom", "top")


def _edge(grey: GrayImage, to_picture: Float64Array, paper: tuple[float, float], side: str) -> Float64Array:
    """Points (n, 2) of one edge of the paper, in the page's own mm."""
    width, height = paper
    along = np.linspace(0.06, 0.94, _SAMPLES)
    across = np.arange(-_INSIDE, _OUTSIDE, _STEP)
    a, b = np.meshgrid(along, across, indexing="ij")
    x = {"left": -b, "right": width + b}.get(side, a * width)
    y = {"bottom": -b, "top": height + b}.get(side, a * height)
    places = _mapped(to_picture, np.stack([x, y], axis=-1).reshape(-1, 2)).astype(np.float32)
    columns, rows = (np.ascontiguousarray(places[:, at]).reshape(a.shape) for at in (0, 1))
    looked_up = cv2.remap(grey, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    sampled = np.asarray(looked_up, dtype=np.float64)
    inside = (
        (places[:, 0] >= 0)
        & (places[:, 1] >= 0)
        & (places[:, 0] <= grey.shape[1] - 1)
        & (places[:, 1] <= grey.shape[0] - 1)
    ).reshape(a.shape)
    points: list[Place] = []
    for at in range(_SAMPLES):
        beyond = _falls(sampled[at], inside[at], across)
        if beyond is not None:
            points.append(
                {
                    "left": (-beyond, y[at, 0]),
                    "right": (width + beyond, y[at, 0]),
                    "bottom": (x[at, 0], -beyond),
                    "top": (x[at, 0], height + beyond),
                }[side]
            )
    return _on_one_line(np.array(points).reshape(-1, 2), side)


def _falls(profile: Float64Array, inside: npt.NDArray[np.bool_], across: Float64Array) -> float | None:
    """Where along ``across`` the paper's brightness falls off into the table's, or ``None``."""
    reach = round(0.25 / _STEP)
    smooth = np.convolve(profile, np.ones(3) / 3, mode="same")
    drop = np.zeros_like(smooth)
    drop[reach:-reach] = smooth[: -2 * reach] - smooth[2 * reach :]
    drop[~inside] = 0
    drop[: reach + 2] = drop[-reach - 2 :] = 0
    at = int(drop.argmax())
    if drop[at] < _LEAST_CONTRAST:
        return None
    weights = np.clip(drop[max(at - 5, 0) : at + 6] - 0.3 * drop[at], 0, None)
    places = across[max(at - 5, 0) : at + 6]
    return float((weights * places).sum() / weights.sum())


def _on_one_line(points: Float64Array, side: str) -> Float64Array:
    """Those points that lie on the line most of them agree on."""
    complaint = (
        f"the paper's {side} edge cannot be told from the table; lay the sheet on a darker, even ground, "
        "with all four edges in the picture"
    )
    if len(points) < _LEAST_SHARE * _SAMPLES:
        raise SheetUnread(complaint)
    flat = points if side in ("bottom", "top") else points[:, ::-1]
    best = np.zeros(len(flat), dtype=bool)
    rng = np.random.default_rng(0)
    for _ in range(200):
        point, other = flat[rng.choice(len(flat), 2, replace=False)]
        if abs(other[0] - point[0]) < 20:
            continue
        slope = (other[1] - point[1]) / (other[0] - point[0])
        near = np.abs(flat[:, 1] - point[1] - slope * (flat[:, 0] - point[0])) < _NEAR
        if near.sum() > best.sum():
            best = near
    if best.sum() < _LEAST_SHARE * _SAMPLES:
        raise SheetUnread(complaint)
    return points[best]


def _page_to_paper(edges: list[Float64Array], paper: tuple[float, float]) -> Float64Array:
    """The affine matrix (2, 3) that lays the edges, found on the page, onto the paper's own edges."""
    left, right, bottom, top = edges
    rows = []
    for near, far, length in ((left, right, paper[0]), (bottom, top, paper[1])):
        points = np.concatenate([near, far])
        goal = np.concatenate([np.zeros(len(near)), np.full(len(far), length)])
        rows.append(np.linalg.lstsq(np.column_stack([points, np.ones(len(points))]), goal, rcond=None)[0])
    return np.array(rows)


def _misregistration(matrix: Float64Array, paper: tuple[float, float], residual: float, tags: int) -> PrintedSide:
    linear = matrix[:, :2]
    middle = np.array(paper) / 2
    shift = linear @ middle + matrix[:, 2] - middle
    turned_x, turned_y = math.atan2(linear[1, 0], linear[0, 0]), math.atan2(-linear[0, 1], linear[1, 1])
    scales = (float(np.linalg.norm(linear[:, 0])), float(np.linalg.norm(linear[:, 1])))
    if max(abs(scale - 1) for scale in scales) > MOST_STRETCH:
        raise SheetUnread(
            f"the sheet comes out {scales[0]:.1%} wide and {scales[1]:.1%} high, which no printer does to a page "
            f"at 100 %; check that the paper is {paper[0]:g} x {paper[1]:g} mm and that scaling is off"
        )
    return PrintedSide(
        dx=float(shift[0]),
        dy=float(shift[1]),
        angle=math.degrees((turned_x + turned_y) / 2),
        scale_x=scales[0],
        scale_y=scales[1],
        residual=residual,
        tags=tags,
    )


def _mapped(matrix: Float64Array, points: Float64Array) -> Float64Array:
    """Points (n, 2) through a homography."""
    mapped = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), matrix)
    return np.asarray(mapped, dtype=np.float64).reshape(-1, 2)
