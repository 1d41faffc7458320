"""Dice: what lies on a tray, how surely, and what to ask when it is not sure.

``read_dice(picture, expect=(3, Die.D10))`` gives a ``TrayReading``; its ``rolled()`` is what the engine takes.
"""

from loomtable.vision.dice.reader import read_dice, read_either, warm_up
from loomtable.vision.die_kinds import Kind
from loomtable.vision.pool import Expect, Pool, parse_dice
from loomtable.vision.tray import SeenDie, TrayReading
from loomtable.vision.verdict import Verdict

__all__ = [
    "Expect",
    "Kind",
    "Pool",
    "SeenDie",
    "TrayReading",
    "Verdict",
    "parse_dice",
    "read_dice",
    "read_either",
    "warm_up",
]
