"""What a camera says: what it sees so far, and what it has read, in words for the table.

Nothing is called accepted before somebody has taken it.
"""

from __future__ import annotations

import numpy as np

from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.requests import Flip, Request, Roll, ShowCard
from loomtable.engine.kernel.wording import dice_count, listed, number_word
from loomtable.vision.pictures import BgrImage
from loomtable.vision.tray import TrayReading
from loomtable.vision.verdict import Verdict

DIM = 60
"""Grey level (of 255) that next to nothing in a picture exceeds that is too dark to read dice in. Set by hand."""


def waiting_for(request: Request | None) -> str:
    """What is looked for as long as nothing of it has been seen."""
    match request:
        case Roll(count=count):
            return f"waiting for {'the die' if count == 1 else f'the {number_word(count)} dice'}"
        case Flip():
            return "waiting for the coin"
        case ShowCard():
            return "looking for a card"
        case _:
            return "nothing is asked that a camera could read"


def meant(request: Roll | Flip, die: Die, face: Face) -> tuple[Die, Face]:
    """The die and the face that count: those that were asked for, where an ordinary d6 stands in for one."""
    if isinstance(request, Roll) and die is Die.D6 is not request.die and request.stand_in:
        return request.die, request.die.parse_face(request.stand_in[int(face) - 1])
    return die, face


def seen_so_far(request: Roll | Flip, tray: TrayReading, picture: BgrImage) -> str:
    """What lies before the camera while it cannot answer: ``"two of five dice"``, ``"too dark to read"``."""
    count = len(tray.dice)
    if not count and float(np.percentile(picture[::8, ::8], 98)) < DIM:
        return "too dark to read; more light, or is something over the lens?"
    if isinstance(request, Flip):
        return "reading the coin" if count else "no coin yet"
    if not count:
        return "no dice yet"
    if count == request.count:
        return f"reading {dice_count(count)}"
    if count < request.count:
        return _part_of(request, tray)
    return f"{dice_count(count)}, and only {number_word(request.count)} asked for"


def read_in_words(request: Roll | Flip, tray: TrayReading) -> str:
    """What was read: the faces where it is sure, what is in doubt where it is not, what is wrong otherwise."""
    if tray.verdict is Verdict.ACCEPTED:
        faces = listed(str(meant(request, die.die, die.face)[1]).capitalize() for die in tray.dice)
        return faces if isinstance(request, Flip) else f"{dice_count(len(tray.dice)).capitalize()}: {faces}"
    if tray.verdict is Verdict.ASK:
        return f"Not sure yet: {tray.reason}"
    if isinstance(request, Roll) and 0 < len(tray.dice) < request.count:
        return _part_of(request, tray).capitalize()
    return tray.reason[:1].upper() + tray.reason[1:]


def _part_of(request: Roll, tray: TrayReading) -> str:
    return f"{number_word(len(tray.dice))} of {dice_count(request.count)}"
