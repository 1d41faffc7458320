"""The printed sides of our own dice and coins as pictures, and what the reader keeps of them.

``python -m docs.site.printed_symbols`` draws ``models/printed-symbols.png`` anew; do so when a symbol's
drawing changes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from loomtable.engine.kernel.dice import Face
from loomtable.engine.kernel.ring_codes import SYMBOL_RADIUS
from loomtable.printkit.draw.facecode import SIDE_COLOURS, draw_symbol
from loomtable.printkit.draw.pen import Pen
from loomtable.printkit.raster import MM_PER_INCH, Picture, picture_of
from loomtable.vision.pictures import write_picture
from loomtable.vision.printed.symbols import FACES, REACH, SIDE

SYMBOLS = Path(__file__).resolve().parents[2] / "models" / "printed-symbols.png"


def symbol_pictures() -> Picture:
    """The strip of symbols that the reader compares with: grey, ``SIDE`` pixels each, ordered as ``FACES``."""
    fine = 12
    across = 20.0
    radius = across / 2 / REACH

    def shown(face: Face) -> Picture:
        def draw(pen: Pen) -> None:
            with pen.at(across / 2, across / 2):
                draw_symbol(pen, face, SYMBOL_RADIUS * radius, *SIDE_COLOURS[face])

        drawn = picture_of(draw, across, across, SIDE * fine * MM_PER_INCH / across)
        grey = cv2.cvtColor(drawn, cv2.COLOR_RGB2GRAY)
        return np.asarray(cv2.resize(grey, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)

    return np.hstack([shown(face) for face in FACES])


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else SYMBOLS
    write_picture(target, symbol_pictures())
    print(target)
