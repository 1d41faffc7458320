"""Files that cameras and people send: films, and a picture that says that it is huge."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import cv2

from loomtable.vision.pictures import BgrImage


def write_film(path: Path, frames: Iterable[BgrImage], rate: float = 10) -> None:
    """Frames (H, W, 3) as a video file, so many a second."""
    first, *rest = frames
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, first.shape[1::-1])
    assert film.isOpened()
    for frame in chain([first], rest):
        film.write(frame)
    film.release()


def png_that_claims(width: int, height: int) -> bytes:
    """A PNG file of a few bytes, whose head says that it has so many pixels."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(b"")), (b"IEND", b"")]
    framed = [
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)
