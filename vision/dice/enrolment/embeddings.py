"""Crops of dice as they are kept, and where they lie among all faces: the embeddings of the reader's network."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.crops import as_input
from loomtable.vision.dice.fusion.ensemble import CROP
from loomtable.vision.dice.networks import Models
from loomtable.vision.pictures import BgrImage

TURNS_PER_EXAMPLE = 8
"""Each example is kept turned in so many ways: a die is never laid twice alike. Set by hand."""


def embeddings_of(crops: Sequence[BgrImage], models: Models) -> Float32Array:
    """(crops * ``TURNS_PER_EXAMPLE``, 64): the embedding of each crop, turned in each way."""
    turned = [_turned(crop, 360 * turn / TURNS_PER_EXAMPLE) for crop in crops for turn in range(TURNS_PER_EXAMPLE)]
    return np.concatenate(
        [models.reader.run(as_input(turned[k : k + 64]))["embedding"] for k in range(0, len(turned), 64)]
    )


def _turned(crop: BgrImage, degrees: float) -> BgrImage:
    middle = ((CROP - 1) / 2, (CROP - 1) / 2)
    turn = cv2.getRotationMatrix2D(middle, degrees, 1.0)
    flat = cv2.warpAffine(crop, turn, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


@lru_cache(maxsize=4)
def fingerprint_of(network: Path) -> str:
    """Which network a file holds."""
    return hashlib.sha256(network.read_bytes()).hexdigest()[:16]


def as_png(crop: BgrImage) -> bytes:
    """A crop as it is kept."""
    return bytes(cv2.imencode(".png", crop)[1].tobytes())


def picture_of_png(png: bytes) -> BgrImage:
    """A picture that was kept.

    Raises:
        ContentInvalid: it is damaged.
    """
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ContentInvalid("the picture of a confirmed roll is damaged; loom dice --forget begins again")
    return np.asarray(picture, np.uint8)
