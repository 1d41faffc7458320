"""Dice: what lies on a tray, how surely, and what to ask when it is not sure.

``read_dice(picture, expect=(3, Die.D6))`` gives a ``TrayReading``; its ``rolled()`` is what the engine takes.
"""

from vision.dice.reader import read_dice
from vision.dice.reading import SeenDie, TrayReading
from vision.verdict import Verdict

__all__ = ["SeenDie", "TrayReading", "Verdict", "read_dice"]
