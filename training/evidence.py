"""Which labelled die a reading is of."""

from __future__ import annotations

import math

from training.photographs import Labelled

Box = tuple[float, float, float, float]


def boxed(photograph: Labelled) -> bool:
    """Whether each die of a photograph can be told by its place: all have boxes."""
    return all(die.box is not None for die in photograph.dice)


def labelled_at(photograph: Labelled, box: Box) -> tuple[str, int | None] | None:
    """Kind and value of the die that is labelled where a box lies; the only one, where a photograph shows one.

    Some labels go round the die and some round the face that lies up, so it is enough that the middle of either
    box lies in the other; the nearest counts.
    """
    if not boxed(photograph):
        return (photograph.dice[0].kind, photograph.dice[0].value) if len(photograph.dice) == 1 else None
    near = [
        (math.dist(_middle(box), _middle(die.box)), die)
        for die in photograph.dice
        if die.box and (_within(_middle(box), die.box) or _within(_middle(die.box), box))
    ]
    if not near:
        return None
    die = min(near, key=lambda candidate: candidate[0])[1]
    return die.kind, die.value


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _within(place: tuple[float, float], box: Box) -> bool:
    return box[0] <= place[0] <= box[2] and box[1] <= place[1] <= box[3]
