"""Keeping your own coins on this machine: one file for each, with examples of both sides."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2
import msgspec
import numpy as np

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.vision.arrays import GrayImage
from loomtable.vision.dice.enrolment.relief import FLAT_SIDE, SIDES, LearnedCoin, find_coins, unroll
from loomtable.vision.dice.enrolment.storage import NothingToLearn, kept_file, kept_files, read_kept, write_kept
from loomtable.vision.pictures import BgrImage

KIND = "coins"


class CoinExample(msgspec.Struct, frozen=True):
    """One example of one side."""

    side: str
    png: bytes
    """The coin laid flat, 128 pixels wide, grey."""


class KeptCoin(msgspec.Struct, frozen=True):
    """What the file of a coin holds."""

    name: str
    looks: tuple[CoinExample, ...]

    @property
    def sides(self) -> tuple[str, ...]:
        """Which sides were shown."""
        return tuple(side for side in SIDES if any(look.side == side for look in self.looks))


def learn_coin(name: str, shown: Iterable[tuple[str, BgrImage]], folder: Path | None = None) -> KeptCoin:
    """Learn a coin from pictures of its sides, or add to what is known of it.

    Raises:
        NothingToLearn: a side that no coin has, nothing shown, or a picture in which no coin is found.
    """
    file = kept_file(name, KIND, folder)
    looks = list(read_kept(file, KeptCoin).looks) if file.exists() else []
    for side, picture in shown:
        if side not in SIDES:
            raise NothingToLearn(f"a coin has no side {side!r}; it has heads and tails")
        coins = find_coins(picture)
        if not coins:
            raise NothingToLearn(f"no coin was found in the picture of {side}; lay it alone on a plain ground")
        looks.append(CoinExample(side, bytes(cv2.imencode(".png", coins[0].flat)[1].tobytes())))
    if not looks:
        raise NothingToLearn("nothing was shown; give pictures as heads=PICTURE and tails=PICTURE")
    kept = KeptCoin(name, tuple(looks))
    write_kept(file, kept)
    return kept


def known_coins(folder: Path | None = None) -> list[KeptCoin]:
    """The coins that are kept, by name.

    Raises:
        ContentInvalid: a file is damaged.
    """
    return [read_kept(file, KeptCoin) for file in kept_files(KIND, folder)]


def learned_coins(folder: Path | None = None) -> tuple[LearnedCoin, ...]:
    """The coins whose sides were both shown, ready to be known again."""
    return tuple(
        LearnedCoin(kept.name, tuple((look.side, unroll(_flat(look.png))) for look in kept.looks))
        for kept in known_coins(folder)
        if kept.sides == SIDES
    )


def _flat(png: bytes) -> GrayImage:
    flat = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    if flat is None or flat.shape != (FLAT_SIDE, FLAT_SIDE):
        raise ContentInvalid("a learned coin's picture is damaged; forget the coin and show it again")
    return np.asarray(flat, np.uint8)
