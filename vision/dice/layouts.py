"""Which numbers lie beside each other on a die, and what is read of a die by all faces that can be seen.

Layouts are data (``models/dice_layouts.yaml``). A die that lies still shows any of its numbers, in as many turns
as its solid has. Each of these ways is a *hypothesis*: it says what stands on every face that can be seen, and
which way up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache

import msgspec
import numpy as np
import numpy.typing as npt

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.package_data import package_file, read_text
from loomtable.engine.kernel.yamlfile import parse_yaml
from loomtable.vision.arrays import Float32Array, Float64Array
from loomtable.vision.dice.pose import SYMMETRIES, SolidPose, Standing, standing
from loomtable.vision.die_kinds import Kind

FILE = "dice_layouts.yaml"
MIN_SCORE, MIN_SCORE_OF_D10 = -2.5, -4.0
"""Score from which a die is laid out like the likeliest hypothesis; that of a d10 is lower, since its faces differ
from maker to maker. Chosen on photographs and rendered dice (models/README.md)."""
MIN_LOG = -5.0
"""No face speaks against a hypothesis by more nats: a gleam may lie on it. Set by hand."""
MIN_ALONE = 0.5
"""Probability from which a face is read by itself. Chosen on rendered d10."""
LAID_OUT_KINDS = (Kind.D12, Kind.D20)
"""Kinds whose number is believed only where all faces that can be seen fit a layout that is known."""
MIN_LEAD, MIN_SURE_LEAD = 1.5, 4.0
"""How much likelier that is than any other number on top, nats; and with the networks'. Chosen on the same."""


class DieLayout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a maker numbers a kind of dice."""

    kind: Kind
    source: str
    """How it is known."""
    faces: dict[int, tuple[int, ...]]
    """The neighbours of each printed number, clockwise from the top of its numeral."""
    upright: bool = True
    """Whether the numerals of all such dice stand on their faces like this; else in any direction."""


class LearnedLayout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a person's own die is numbered, as far as it is known."""

    kind: Kind
    marks: tuple[tuple[int, int], ...]
    """What stands on each face of the standing solid, as ``marks_of`` has it; -1 and -1 on those never read."""


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """Every way in which a die of a kind can lie, by the layouts that are known of it."""

    numbers: npt.NDArray[np.intp]
    """(n, faces): the place, among the kind's numbers, of what stands on each face of the standing solid; -1 where
    nobody knows, but on the upper one."""
    turns: npt.NDArray[np.intp]
    """(n, faces): which direction of that face (``Standing.ups``) is up for it; -1 for any."""

    def fits(self, seen: Float32Array) -> Float32Array:
        """(n, faces): how well each fits what is read of each face, as ``LayoutReading.seen`` has it."""
        read = np.concatenate([seen, seen.max(axis=1, keepdims=True)], axis=1)  # the last is any turn
        read = np.pad(read, ((0, 0), (0, 0), (0, 1)), constant_values=MIN_LOG)  # the last is what nobody knows
        read[~seen.any(axis=(1, 2))] = 0
        return np.asarray(read[np.arange(len(seen)), self.turns, self.numbers])

    def upper(self, scores: Float32Array) -> Float32Array:
        """(numbers,): how well each number lies up, from how well each hypothesis fits (n,)."""
        numbers = np.full(self.numbers.max() + 1, -np.inf, np.float32)
        np.maximum.at(numbers, self.numbers[:, 0], scores)
        return numbers


@dataclass(frozen=True, eq=False)
class LayoutReading:
    """What is read of a die by its layout."""

    pose: SolidPose
    """At which its faces were laid flat."""
    numbers: Float32Array
    """(n,): log-probabilities of the kind's printed numbers, of lying up."""
    score: float
    """Of the likeliest hypothesis, nats: 0 where every numeral is surely read where it has to stand."""
    faces: tuple[tuple[int, int, float], ...]
    """Each face that was read: its place in the standing solid, the printed number that stands there by the
    likeliest hypothesis, and the probability with which it is read, 0 to 1; the upper one first."""
    up: Float64Array
    """(faces,): how surely each face of the standing solid is the upper one, as the camera's pose tells."""
    seen: Float32Array
    """(faces, turns, numbers): log-probability that each number stands on each face, by which of its directions is
    up, the less the more aslant it is seen; 0 on faces that are not seen."""

    @property
    def is_sure(self) -> bool:
        """Whether the numbers stand as on a known layout, and on no other way to lie."""
        second, first = np.sort(self.numbers)[-2:].tolist()
        least = MIN_SCORE_OF_D10 if self.pose.kind is Kind.D10 else MIN_SCORE
        return not self.is_mute and self.score >= least and first - second >= MIN_LEAD

    @property
    def is_clear(self) -> bool:
        """Whether a look from elsewhere would tell no more: all faces fit, and no other number nearly does."""
        second, first = np.sort(self.numbers)[-2:].tolist()
        return self.is_sure and self.score >= MIN_SCORE and first - second >= MIN_SURE_LEAD

    @property
    def is_mute(self) -> bool:
        """Whether it says nothing: a cube often shows its upper face alone, and may be of either hand."""
        return self.pose.kind is Kind.D6_NUMERAL and not self._tells_of_two

    @property
    def is_plain(self) -> bool:
        """Whether nobody need agree: all faces fit well, or two of them are read by themselves."""
        return self.is_sure and (self.score >= MIN_SCORE or self._tells_of_two)

    @property
    def _tells_of_two(self) -> bool:
        return sum(chance >= MIN_ALONE for _, _, chance in self.faces) > 1


@cache
def layouts() -> tuple[DieLayout, ...]:
    """All that are known.

    Raises:
        FileUnreadable: the file is missing.
        ContentInvalid: it is damaged, or its neighbours do not fit together.
    """
    return parse_layouts(read_text(package_file("models", FILE)), FILE)


def parse_layouts(text: str, name: str) -> tuple[DieLayout, ...]:
    """The layouts that a text lists.

    Raises:
        ContentInvalid: it is no list of layouts, or neighbours do not fit together.
    """
    known, _ = parse_yaml(text, tuple[DieLayout, ...], name)
    for layout in known:
        marks_of(layout)
    return known


@lru_cache(maxsize=32)
def hypotheses(kind: Kind, own: tuple[LearnedLayout, ...] = ()) -> Hypotheses | None:
    """Every way in which a die of this kind can lie, by the layouts that are known, and by those of a person's own
    dice; nothing where none is."""
    known: tuple[DieLayout | LearnedLayout, ...] = (*layouts(), *own)
    ways = [ways_of(layout) for layout in known if layout.kind is kind]
    both = zip(*((way.numbers, way.turns) for way in ways), strict=True)
    return Hypotheses(*map(np.concatenate, both)) if ways else None


def ways_of(layout: DieLayout | LearnedLayout) -> Hypotheses:
    """Every way in which a die of one layout can lie, but those in which nobody knows what is up."""
    from_, turned = rotations(layout.kind)
    marks = np.array(layout.marks) if isinstance(layout, LearnedLayout) else marks_of(layout)
    numbers, turns = marks[from_, 0], (marks[from_, 1] + turned) % standing(layout.kind).ups.shape[1]
    if isinstance(layout, DieLayout) and not layout.upright:
        turns[:] = -1
    known = numbers[:, 0] >= 0
    return Hypotheses(numbers[known], turns[known])


def marks_of(layout: DieLayout) -> npt.NDArray[np.intp]:
    """(faces, 2): what stands on each face of the standing solid, as ``Hypotheses`` has it, if the first number
    lies up.

    Raises:
        ContentInvalid: neighbours do not fit together.
    """
    shape, kind, faces = standing(layout.kind), layout.kind, layout.faces
    misfit = ContentInvalid(f"{FILE}: no {kind.label} has all of these neighbours; correct the list of its faces")
    if set(faces) != set(kind.numbers) or {len(ring) for ring in faces.values()} != {len(shape.faces[0])}:
        raise misfit
    beside = [[_neighbours(shape, face, turn) for turn in range(shape.ups.shape[1])] for face in range(len(faces))]
    for start in range(shape.ups.shape[1]):
        found, order, fits = {0: (kind.numbers[0], start)}, [0], True
        for at in order:  # it grows on the way, until all faces are in it
            number, turn = found[at]
            for other, face in zip(faces[number], beside[at][turn], strict=True):
                rings = enumerate(beside[face])
                turns = [k for k, ring in rings if (number, at) in zip(faces[other], ring, strict=True)]
                fits &= bool(turns) and found.setdefault(face, (other, turns[0])) == (other, turns[0])
                order += [face] if fits and face not in order else []
        if fits:
            return np.array(
                [(kind.numbers.index(found[at][0]), found[at][1]) for at in range(len(faces))], np.intp
            )
    raise misfit


def _neighbours(shape: Standing, face: int, turn: int) -> list[int]:
    """The faces that share an edge with one, clockwise as seen from outside from what is up there."""
    up = shape.ups[face, turn]
    right = np.cross(shape.normals[face], up)
    angles: dict[int, float] = {}
    for other, corners in enumerate(shape.faces):
        edge = sorted(set(corners) & set(shape.faces[face]))
        if len(edge) == 2:
            way = shape.corners[edge].mean(axis=0) - shape.middles[face]
            angles[other] = round(math.atan2(float(way @ right), float(way @ up)), 6) % (2 * math.pi)
    return sorted(angles, key=angles.__getitem__)


@cache
def rotations(kind: Kind) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Each rotation after which a solid lies as it lay: which face comes to each place (n, faces), and by how many
    of the place's directions it is turned there (n, faces)."""
    shape, found = standing(kind), []

    def frame(face: int, turn: int) -> Float64Array:
        normal, up = shape.normals[face], shape.ups[face, turn]
        return np.stack([np.cross(normal, up), up, normal])

    for face in range(len(shape.faces)):
        for turn in range(SYMMETRIES[kind]):
            rotation = frame(face, turn).T @ frame(0, 0)
            from_ = (shape.normals @ rotation @ shape.normals.T).argmax(axis=0)
            ups = shape.ups[from_, 0] @ rotation
            found.append((from_, (shape.ups * ups[:, None]).sum(axis=2).argmax(axis=1)))
    from_, turned = map(np.array, zip(*found, strict=True))
    return from_, turned
