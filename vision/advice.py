"""What to change so that a camera sees better, in words, from one picture (and the one before it).

>>> advice(picture, scan_cards(picture))
('move closer: the codes are 1.8 pixels a module, 2.5 are needed', 'glare on the left')

How often each piece of advice is given where its fault is, and where it is not, stands in benchmarks/README.md.
Numbers here are set by hand.
"""

from __future__ import annotations

import math

import cv2
import msgspec
import numpy as np

from loomtable.vision.arrays import GrayImage
from loomtable.vision.camera_pose import CameraPose
from loomtable.vision.cards import ENOUGH_PIXELS_PER_MODULE, CardScan
from loomtable.vision.code_places import code_places
from loomtable.vision.code_reading import MODULES
from loomtable.vision.motion import Change, Motion
from loomtable.vision.pictures import BgrImage, to_gray
from loomtable.vision.quads import Quad, quad_centre, quad_side

DARK = 125.0
"""Grey level of the brightest things, below which a picture is too dark."""
BRIGHT_SHARE = 0.12
"""Share of the picture that may be burnt out."""
GRAINY = 3.0
"""Noise in grey levels from which there is too little light, however bright the camera makes it."""
BLURRED = 1.4
"""Sigma of the blur of edges in pixels: from here on codes of 3 pixels a module begin to be lost."""
SHAKEN = 1.5
"""How much more blurred edges of one direction are than those of the other where something moved."""
OBLIQUE = 0.72
"""Shorter side of a code against its longer one, from which the camera looks too much from the side."""
LEAST_ELEVATION = 45.0
"""Degrees above the table from which the top of a d6 is seen larger than its front. By definition."""
GLARE = 0.5
"""How bright the black of a code is against its white, from which glare lies over it."""
_LEAST_SIDE = 1.6 * MODULES
"""Pixels: a smaller code tells nothing of glare."""
_SATURATED = 250
"""Grey level from which a pixel is burnt out."""


class PictureQuality(msgspec.Struct, frozen=True):
    """What the advice rests on."""

    brightest: float
    """Grey level that one pixel in fifty exceeds."""
    saturated: float
    """Share of the picture that is burnt out."""
    noise: float
    """In grey levels."""
    blur_along: float
    blur_across: float
    """Sigma of the blur of the clearest edges in pixels, along rows and along columns."""


def advice(picture: BgrImage, scan: CardScan | None = None, before: BgrImage | None = None) -> tuple[str, ...]:
    """What to change, the most important first; nothing where all is well.

    ``scan`` is what was read in the picture, for what hangs on the size of codes; ``before`` is the frame before.
    """
    grey = to_gray(picture)
    quality = measure_quality(picture)
    said: list[str] = []
    if quality.brightest < DARK:
        said.append("too dark: more light, or a longer exposure")
    elif quality.noise > GRAINY:
        said.append("too dark: the picture is grainy; more light helps, also where the picture looks bright")
    if quality.saturated > BRIGHT_SHARE:
        said.append("too bright: less light, or a shorter exposure")
    sizes = _sizes(scan)
    # Small things have no sharp edges to go by: they are brought nearer first.
    said += _moving(picture, quality, before, too_small=bool(sizes))
    said += sizes
    glares = glare_places(grey, scan) if scan is not None else ()
    said += [f"glare {place}: move the lamp, or tilt the camera" for place in glares]
    if not said and scan is not None and not (scan.cards or scan.unread or scan.refused) and code_places(grey):
        said.append("no code can be made out: lay cards under the camera, or move it closer")
    return tuple(said)


def elevation_advice(pose: CameraPose | None) -> tuple[str, ...]:
    """What to change where the dice show that the camera stands too low."""
    if pose is None or not pose.is_known or pose.elevation >= LEAST_ELEVATION:
        return ()
    return (
        f"the camera stands low, about {pose.elevation:.0f} degrees above the table: raise it until it looks down "
        f"from {LEAST_ELEVATION:.0f} or more, or it cannot always tell which face of a die is up",
    )


def measure_quality(picture: BgrImage) -> PictureQuality:
    """Light, noise and blur of a picture (BGR or grey)."""
    grey = to_gray(picture)
    along, across = _blur(grey, 1), _blur(grey, 0)
    return PictureQuality(
        float(np.quantile(grey[::4, ::4], 0.98)),
        float((grey[::4, ::4] >= _SATURATED).mean()),
        _noise(grey),
        along,
        across,
    )


def glare_places(grey: GrayImage, scan: CardScan) -> tuple[str, ...]:
    """Where glare lies on codes: ``"on the left"``, ``"at the top right"``, ``"in the middle"``.

    Under glare what is black is no longer dark. One that lies beside the codes does no harm and is not reported.
    """
    height, width = grey.shape
    quads = [quad for quad in (*(c.quad for c in scan.cards), *scan.unread) if quad_side(quad) >= _LEAST_SIDE]
    veils = [(glare_level(grey, quad), quad_centre(quad)) for quad in quads]
    # Codes at the rim of a patch of glare are not reported beside the one in its midst.
    least = max(GLARE, 0.8 * max((thick for thick, _ in veils), default=0.0))
    places = [_place(x / width, y / height) for thick, (x, y) in veils if thick >= least]
    return tuple(dict.fromkeys(places))


def glare_level(grey: GrayImage, quad: Quad) -> float:
    """How bright the black of a code is against its white: about 0.2 in good light, towards 1 under glare."""
    side = 4 * MODULES
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    upright = cv2.getPerspectiveTransform(np.array(quad, np.float32), square)
    code = cv2.warpPerspective(grey, upright, (side, side), flags=cv2.INTER_LINEAR)
    # The marks in three corners are solid black, and wide enough to stay black in small codes.
    marks = [code[y : y + 4, x : x + 4] for y, x in ((12, 12), (12, side - 16), (side - 16, 12))]
    black = float(np.median([np.median(mark) for mark in marks]))
    return black / max(float(np.quantile(code, 0.9)), 1.0)


def _place(x: float, y: float) -> str:
    column = "left" if x < 0.36 else "right" if x > 0.64 else ""
    row = "top" if y < 0.3 else "bottom" if y > 0.7 else ""
    if row and column:
        return f"at the {row} {column}"
    if row:
        return f"at the {row}"
    return f"on the {column}" if column else "in the middle"


def _moving(picture: BgrImage, quality: PictureQuality, before: BgrImage | None, *, too_small: bool) -> list[str]:
    if before is not None and before.shape == picture.shape and picture.ndim == 3:
        motion = Motion()
        motion.change(before)
        if motion.change(picture) is not Change.STILL:
            return ["something moves: hold still, and take the hand away"]
    if too_small:
        return []
    less, more = sorted((quality.blur_along, quality.blur_across))
    if more > BLURRED and more > SHAKEN * less:
        return ["the picture is shaken: hold the camera and the cards still"]
    if less > BLURRED:
        return ["out of focus: let the camera focus again, or move it a little further away"]
    return []


def _sizes(scan: CardScan | None) -> list[str]:
    if scan is None:
        return []
    quads = [card.quad for card in scan.cards] + list(scan.unread)
    if not quads:
        return []
    said: list[str] = []
    smallest = min(quad_side(quad) for quad in quads) / MODULES
    if smallest < ENOUGH_PIXELS_PER_MODULE:
        said.append(
            f"move closer: the codes are {smallest:.1f} pixels a module, {ENOUGH_PIXELS_PER_MODULE:g} are needed"
        )
    if scan.cards and min(_aspect_ratio(card.quad) for card in scan.cards) < OBLIQUE:
        said.append("the camera looks too much from the side: hold it further above the cards")
    return said


def _aspect_ratio(quad: Quad) -> float:
    sides = [math.dist(quad[i], quad[(i + 1) % 4]) for i in range(4)]
    return min(sides) / max(*sides, 1e-6)


def _noise(grey: GrayImage) -> float:
    """Sigma of the noise in grey levels, from the quieter half of the picture: print and grain are no noise."""
    field = grey.astype(np.float32)
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    step = np.abs(cv2.filter2D(field, -1, kernel))
    side = 16
    height, width = (length // side * side for length in step.shape)
    if not height or not width:
        return 0.0
    blocks = cv2.resize(step[:height, :width], (width // side, height // side), interpolation=cv2.INTER_AREA)
    return float(np.quantile(blocks, 0.25) * math.sqrt(math.pi / 2) / 6)


def _blur(grey: GrayImage, axis: int) -> float:
    """Sigma in pixels by which the picture's clearest edges across one axis (1: along rows) are blurred.

    A step blurred by s has a slope of 1 / s; blurred by 2 pixels more, of 1 / sqrt(s^2 + 4). The ratio of both
    gives s, whatever the contrast.
    """
    field = cv2.GaussianBlur(grey, (0, 0), 0.7).astype(np.float32)
    softer = cv2.GaussianBlur(field, (0, 0), 2.0)
    own, soft = (np.abs(cv2.Sobel(f, cv2.CV_32F, axis, 1 - axis, ksize=3)) for f in (field, softer))
    least = max(float(np.quantile(soft[::2, ::2], 0.985)), 12.0)
    edges = soft >= least
    if edges.sum() < 50:
        return 0.0
    # Grain and shadows are soft by themselves: where the sharper fifth of all edges is sharp, the lens is.
    ratio = float(np.quantile(own[edges] / soft[edges], 0.8))
    if ratio <= 1.02:
        return 10.0
    return math.sqrt(max(4.0 / (ratio * ratio - 1) - 0.9, 0.0))
