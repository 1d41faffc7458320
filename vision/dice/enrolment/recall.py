"""Dice of your own: examples of each face, kept on this machine, that help to read the same dice again.

No network is trained. The reader's network embeds every crop in 64 dimensions, where two crops of one face lie
near one another; the nearest neighbours add a prior to the ensemble, the stronger the further all other faces
are. The limits are set by hand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.enrolment.confirmed import ConfirmedDice, ConfirmedFace
from loomtable.vision.dice.enrolment.relief import LearnedCoin
from loomtable.vision.dice.fusion.ensemble import Prediction
from loomtable.vision.die_kinds import Kind

NEIGHBOURS = 3
"""So many of a face's examples count, the nearest."""
MIN_SIMILARITY = 0.6
"""Cosine under which even the nearest example is of another die."""
CERTAIN_MARGIN = 0.5
"""How much nearer the best face must be than the next, as a share of the next one's angle, to be certain."""


@dataclass(frozen=True)
class LearnedDie:
    """One die of a person's own."""

    name: str
    kind: Kind
    numbers: tuple[int, ...]
    """The printed number of each example."""
    examples: Float32Array
    """(n, 64): where each example lies, of length 1."""

    @property
    def faces(self) -> tuple[int, ...]:
        """The printed numbers that were shown."""
        return tuple(sorted(set(self.numbers)))


@dataclass(frozen=True)
class RecalledFace:
    """Which face of one's own dice a crop is most like."""

    name: str
    kind: Kind
    number: int
    margin: float
    """0 to 1: how clearly nearer it is than every other face."""


@dataclass(frozen=True)
class OwnDice:
    """All dice and coins that were learned on this machine."""

    dice: tuple[LearnedDie, ...] = ()
    coins: tuple[LearnedCoin, ...] = ()
    confirmed: tuple[ConfirmedDice, ...] = ()
    """What people confirmed at the table, by kind."""

    def confirmed_face(self, prediction: Prediction, kind: Kind) -> ConfirmedFace | None:
        """The face of a die of this kind by rolls that people confirmed; nothing where these say nothing."""
        mine = [dice.recall(prediction) for dice in self.confirmed if dice.kind is kind]
        return mine[0] if mine else None

    def recall(self, prediction: Prediction) -> RecalledFace | None:
        """The face that a crop is most like; nothing where it is like none of them."""
        if prediction.embedding is None:
            return None
        similarities = [
            (_similarity(die, number, prediction.embedding), die, number)
            for die in self.dice
            for number in die.faces
        ]
        if not similarities:
            return None
        similarities.sort(key=lambda found: -found[0])
        best, die, number = similarities[0]
        if best < MIN_SIMILARITY:
            return None
        # The same face of two dice of one kind is no contradiction.
        others = [similarity for similarity, d, n in similarities[1:] if (d.kind, n) != (die.kind, number)]
        # Angles, because a one lies near a two and a five near a six: all their cosines are close to 1.
        nearest, next_one = math.acos(min(best, 1.0)), math.acos(min(max([*others, 0.0]), 1.0))
        apart = 1 - nearest / max(next_one, 1e-6)
        return RecalledFace(die.name, die.kind, number, min(max(apart / CERTAIN_MARGIN, 0.0), 1.0))


def _similarity(die: LearnedDie, number: int, embedding: Float32Array) -> float:
    """Mean cosine of the nearest examples of one face, the best of all views."""
    rows = die.examples[np.array(die.numbers) == number]
    cosines = np.sort(rows @ embedding.T, axis=0)[::-1]
    return float(cosines[:NEIGHBOURS].mean(axis=0).max())


def learned_die(name: str, kind: Kind, shown: Sequence[tuple[int, Float32Array]]) -> LearnedDie:
    """A die from what was shown: the printed number and the embeddings (m, 64) of each example's crops."""
    numbers = tuple(number for number, embeddings in shown for _ in range(len(embeddings)))
    examples = np.concatenate([embeddings for _, embeddings in shown]).astype(np.float32)
    return LearnedDie(name, kind, numbers, examples / np.linalg.norm(examples, axis=1, keepdims=True))
