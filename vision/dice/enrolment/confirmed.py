"""Faces that people confirmed at the table: crops of their own rolls, by which the same dice are known again.

One label may be wrong: somebody taps beside it, or takes a wrong reading as it is. So a face counts only where two
confirmed examples of it lie nearer than any one of another face. It speaks for what the networks read, or makes
them ask; in the place of what they read it counts only where they are unsure and three examples say so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.evidence import Prediction
from loomtable.vision.dice.layouts import LearnedLayout
from loomtable.vision.die_kinds import Kind

MIN_EXAMPLES, MIN_OVERRULING = 2, 3
"""So many pictures of a face are needed before it counts, and before it overrules the networks. Set by hand."""
MIN_COSINE = 0.75
"""Mean cosine of the two nearest examples from which a crop shows that face. Chosen on photographs taken from
above, where nine in ten pairs of the same face are more alike, and hardly one pair of different faces."""
MIN_MARGIN = 0.3
"""How much nearer they must be than the nearest example of another face, as a share of its angle. Chosen on the
same: of 23 doubtful dice whose number was then confirmed by earlier rolls all were read rightly."""


@dataclass(frozen=True)
class ConfirmedFace:
    """The face that a crop shows, by confirmed rolls."""

    number: int
    votes: int
    """How many confirmed examples of it lie nearer than any of another face."""


@dataclass(frozen=True, eq=False)
class ConfirmedDice:
    """All confirmed examples of one kind of dice."""

    kind: Kind
    numbers: tuple[int, ...]
    """The printed number of each example."""
    examples: Float32Array
    """(n, turns, 64): the embeddings of each, turned in several ways, of length 1."""

    def recall(self, prediction: Prediction) -> ConfirmedFace | None:
        """The face that a crop clearly shows; nothing where it is like none, or like two."""
        if prediction.embedding is None or not self.numbers:
            return None
        cosines = (self.examples @ prediction.embedding.T).max(axis=(1, 2))
        numbers = np.array(self.numbers)
        nearest = {number: np.sort(cosines[numbers == number])[::-1] for number in set(self.numbers)}
        known = {n: float(near[:MIN_EXAMPLES].mean()) for n, near in nearest.items() if len(near) >= MIN_EXAMPLES}
        if not known:
            return None
        best = max(known, key=known.__getitem__)
        rival = max((float(near[0]) for number, near in nearest.items() if number != best), default=-1.0)
        # Angles, because a one lies near a two and a five near a six: all their cosines are close to 1.
        angle, next_angle = (math.acos(min(max(cosine, -1.0), 1.0)) for cosine in (known[best], rival))
        if known[best] < MIN_COSINE or angle >= (1 - MIN_MARGIN) * next_angle:
            return None
        return ConfirmedFace(best, int((nearest[best] > max(rival, MIN_COSINE)).sum()))


def confirmed_dice(kind: Kind, shown: list[tuple[int, Float32Array]]) -> ConfirmedDice:
    """Dice from confirmed crops: the printed number and the embeddings (turns, 64) of each."""
    examples = np.stack([embeddings for _, embeddings in shown]).astype(np.float32)
    examples /= np.linalg.norm(examples, axis=2, keepdims=True)
    return ConfirmedDice(kind, tuple(number for number, _ in shown), examples)


@dataclass(frozen=True)
class OwnDice:
    """The dice that people have confirmed on this machine."""

    dice: tuple[ConfirmedDice, ...] = ()
    """By kind."""
    layouts: tuple[LearnedLayout, ...] = ()
    """Of those that are numbered in a way of their own."""

    def confirmed_face(self, prediction: Prediction, kind: Kind) -> ConfirmedFace | None:
        """The face of a die of this kind; nothing where the confirmed rolls say nothing."""
        return next((dice.recall(prediction) for dice in self.dice if dice.kind is kind), None)
