"""Keeping the flips that people confirm at the table: pictures of the coin, by the side that they say lies up.

One label may be wrong, as with dice (``confirmed.py``): a side counts from two pictures on, and a coin that is as
like to one picture of the other side is asked about.
"""

from __future__ import annotations

import threading
from pathlib import Path

import cv2
import msgspec
import numpy as np

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.vision.arrays import GrayImage
from loomtable.vision.dice.enrolment.relief import FLAT_SIDE, MIN_EXAMPLES, SIDES, LearnedCoin, find_coins, unroll
from loomtable.vision.dice.enrolment.storage import kept_file, learns_from_rolls, read_kept, write_kept
from loomtable.vision.pictures import BgrImage

MOST_OF_A_SIDE = 24
"""So many pictures of each side are kept, the newest. Set by hand."""
_FILE = "flips"
_writing = threading.Lock()


class ConfirmedFlips(msgspec.Struct, frozen=True):
    """What the file holds: for each side its pictures as PNG, the coin laid flat, 128 pixels wide, grey."""

    heads: tuple[bytes, ...] = ()
    tails: tuple[bytes, ...] = ()

    @property
    def sides(self) -> dict[str, tuple[bytes, ...]]:
        """The pictures by side."""
        return {"heads": self.heads, "tails": self.tails}


def learn_flip(side: str, picture: BgrImage, folder: Path | None = None) -> bool:
    """Keep the coin in a picture, of which a person has said which side lies up; whether there was just one.

    Raises:
        ContentInvalid: the file is damaged.
    """
    if side not in SIDES or not learns_from_rolls(folder):
        return False
    coins = find_coins(picture)
    if len(coins) != 1:
        return False
    png = bytes(cv2.imencode(".png", coins[0].flat)[1].tobytes())
    with _writing:
        sides = confirmed_flips(folder).sides
        sides[side] = (*sides[side], png)[-MOST_OF_A_SIDE:]
        write_kept(_file(folder), ConfirmedFlips(**sides))
    return True


def confirmed_flips(folder: Path | None = None) -> ConfirmedFlips:
    """The flips that were confirmed.

    Raises:
        ContentInvalid: the file is damaged.
    """
    file = _file(folder)
    return read_kept(file, ConfirmedFlips) if file.exists() else ConfirmedFlips()


def forget_flips(folder: Path | None = None) -> None:
    """Forget every confirmed flip, a damaged file too."""
    with _writing:
        _file(folder).unlink(missing_ok=True)


def known_coin(folder: Path | None = None) -> LearnedCoin | None:
    """The coin that was flipped, ready to be known again; nothing before both sides were seen often enough, or
    where it is switched off.

    Raises:
        ContentInvalid: the file is damaged.
    """
    sides = confirmed_flips(folder).sides if learns_from_rolls(folder) else {}
    if not sides or any(len(pictures) < MIN_EXAMPLES for pictures in sides.values()):
        return None
    return LearnedCoin({side: tuple(unroll(_flat(png)) for png in pngs) for side, pngs in sides.items()})


def _file(folder: Path | None) -> Path:
    return kept_file("coin", _FILE, folder)


def _flat(png: bytes) -> GrayImage:
    flat = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    if flat is None or flat.shape != (FLAT_SIDE, FLAT_SIDE):
        raise ContentInvalid("the picture of a confirmed flip is damaged; loom dice --forget begins again")
    return np.asarray(flat, np.uint8)
