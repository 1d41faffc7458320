"""Scenes of dice as data: what lies where, how it is lit and who looks.

Lengths are millimetres; the table is the plane z = 0. Scenes are made up in ``invent``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loomtable.vision.arrays import Float64Array
from loomtable.vision.dice.solids import Solid, solid

Colour = tuple[float, float, float]
"""Linear red, green, blue, 0 to 1."""


@dataclass(frozen=True)
class Mark:
    """What stands on one face."""

    text: str
    """The number as printed."""
    mark: str
    """"plain", "bar" or "dot"; "pips" for pips."""
    turn: float
    """Radians by which it is turned from the face's own up."""


@dataclass(frozen=True)
class Make:
    """How the dice of one maker look."""

    lean: float
    """Degrees, d10 only: see ``solids.D10_LEAN``."""
    style: int
    """Pip style or typeface number."""
    size: float
    """Height of a numeral, or side of the layout of pips, as a share of the room on the face."""
    weight: float
    """Added thickness of the paint, in the tile's measure."""
    rounding: float
    """How blunt the edges are, 0 to 1."""
    ball: float
    """Radius in inner radii of the ball to which corners are tumbled; large where there is none."""
    body: Colour
    second: Colour
    """Colour of swirls or specks."""
    swirl: float
    """0 none, 1 strong."""
    grain: float
    """Size of the swirls, in inner radii."""
    ink: Colour
    ink_of_one: Colour
    """Asian dice have a red one; the same as ``ink`` on others."""
    depth: float
    """How deep marks are cut: 0 painted on, 1 deep."""
    gloss: float
    metal: float
    clear: float
    """How much light goes through, 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class LaidDie(Make):
    """One die on the table."""

    kind: str
    value: int | None
    """What lies up; nothing where the die leans or stands on no face."""
    inner: float
    """Inner radius, mm: half the distance between opposite faces."""
    turn: Float64Array
    """(3, 3) die to table."""
    place: Float64Array
    """Middle of the die, mm."""
    up_face: int
    marks: tuple[Mark, ...]
    cocked: bool = False

    @property
    def solid(self) -> Solid:
        return solid(self.kind, self.lean)

    @property
    def sharpness(self) -> float:
        """Of its edges, in planes smoothed by a sum of exponentials: large is sharp.

        Solids of many faces need a larger one for the same bluntness.
        """
        blunt = {"d12": 1.8, "d20": 2.6, "d8": 1.2, "d10": 1.5, "d100": 1.5}.get(self.kind, 1.0)
        return float(np.interp(self.rounding, [0, 1], [90, 13]) * blunt)


@dataclass(frozen=True)
class Thing:
    """Clutter: a rod with round ends (a finger, a pen) or a block (a box, a book, a tray's wall)."""

    rod: bool
    start: Float64Array
    end: Float64Array
    """Ends of a rod; for a block its middle and its half sides."""
    radius: float
    """Of the rod, or of a block's rounded edges; mm."""
    yaw: float
    colour: Colour

    @property
    def middle(self) -> Float64Array:
        return (self.start + self.end) / 2 if self.rod else self.start

    @property
    def reach(self) -> float:
        """Radius of the ball round it, mm."""
        half = np.linalg.norm(self.end - self.start) / 2 if self.rod else np.linalg.norm(self.end)
        return float(half) + self.radius


@dataclass(frozen=True)
class Lamp:
    """A light far away."""

    towards: Float64Array
    """Unit vector from the table to the lamp."""
    colour: Colour
    softness: float
    """Sine of the half angle under which it is seen: 0.01 a bare bulb, 0.3 a window."""


@dataclass(frozen=True)
class Camera:
    """Where the picture is taken from."""

    eye: Float64Array
    target: Float64Array
    roll: float
    focal: float
    """In units of the picture's width."""
    width: int
    height: int


@dataclass(frozen=True)
class Table:
    """What it is covered with: drawn anew from a seed, or a picture of a folder."""

    cover: str
    """"wood", "felt", "linen", "plain", "board", "page" or "picture"."""
    seed: int
    span: float
    """Millimetres that its texture covers."""
    turn: float
    gloss: float


@dataclass(frozen=True)
class Optics:
    """What lens and sensor do to the light."""

    blur: float
    motion: float
    noise: float
    exposure: float
    warmth: float
    vignetting: float
    sharpening: float
    jpeg_quality: int
    grey: bool
    smaller: float
    """The picture is first taken at this share of its size, as cheap cameras do."""


@dataclass(frozen=True)
class Scene:
    """Everything of one picture."""

    seed: int
    dice: tuple[LaidDie, ...]
    things: tuple[Thing, ...]
    lamps: tuple[Lamp, ...]
    ambient: Colour
    camera: Camera
    table: Table
    film: Optics
