"""Dice: what lies on a tray, how surely, and what to ask when it is not sure.

``read_dice(picture, expect=(3, Die.D10))`` gives a ``TrayReading``; its ``rolled()`` is what the engine takes.
"""

from vision.dice.kinds import Kind
from vision.dice.pool import Expect, Pool, parse_dice
from vision.dice.reader import read_dice, read_either
from vision.dice.reading import SeenDie, Stranger, TrayReading
from vision.verdict import Verdict

__all__ = [
    "Expect",
    "Kind",
    "Pool",
    "SeenDie",
    "Stranger",
    "TrayReading",
    "Verdict",
    "parse_dice",
    "read_dice",
    "read_either",
]
