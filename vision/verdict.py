"""What is to be done with something that was seen."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """Believe it, ask a person about it, or turn it away; never guess.

    >>> import numpy as np
    >>> from loomtable import Die, Verdict, read_dice
    >>> read_dice(np.zeros((480, 640, 3), np.uint8), (2, Die.D6)).verdict is Verdict.REJECTED
    True
    """

    ACCEPTED = "accepted"
    ASK = "ask"
    REJECTED = "rejected"


def how_sure(confidence: float) -> str:
    """A confidence from 0 to 1 in words for people: nothing that a camera saw is called certain."""
    return "over 99%" if confidence > 0.99 else f"{confidence:.0%}"
