"""Our own printed dice and coins, and the mat they are rolled on.

``read_printed(picture, expect=(5, Die.WEAVE))`` gives a ``TrayReading``, as ``loomtable.vision.dice.read_dice``
does.
"""

from loomtable.vision.printed.mat import SeenMat, find_mat
from loomtable.vision.printed.reader import PRINTED, read_printed

__all__ = ["PRINTED", "SeenMat", "find_mat", "read_printed"]
