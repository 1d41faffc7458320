"""What lies under the dice and stands round the room, as textures: drawn from a seed, or a folder's pictures."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from loomtable.testing.virtual.colour import linear, noise
from loomtable.testing.virtual.surfaces import TINTS, Cover, Surface, paint
from loomtable.vision.arrays import Float32Array
from training.scenes import Scene, Table

SIDE = 640
"""Pixels on a side of a table's texture."""
PICTURES = "LOOMTABLE_COVERS"
"""Environment variable: a folder of pictures of anything, laid under the dice for variety."""


def cover_texture(table: Table) -> tuple[Float32Array, Float32Array]:
    """The table's colour, (SIDE, SIDE, 3) linear RGB 0 to 1, and its mean (3,)."""
    rng = np.random.default_rng([table.seed, 3])
    scale = SIDE / table.span
    if table.cover in TINTS:
        cover: Cover = table.cover
        tints = TINTS[cover]
        tint = tints[int(rng.integers(len(tints)))] if rng.random() < 0.4 else _any_tint(rng)
        texture = paint(Surface(cover, tint, table.seed), SIDE, SIDE, scale).copy()
    elif table.cover == "picture" and picture_files():
        texture = _picture(rng)
    elif table.cover == "board":
        texture = _board(rng)
    elif table.cover == "page":
        texture = _page(rng)
    else:
        texture = _plain(rng, scale)
    texture = np.clip(texture, 0, 1)
    return np.asarray(texture, np.float32), np.asarray(texture.mean(axis=(0, 1)), np.float32)


def _any_tint(rng: np.random.Generator) -> tuple[int, int, int]:
    grey = rng.uniform(20, 235)
    red, green, blue = np.clip(grey + rng.normal(0, rng.choice([4, 40]), 3), 8, 250)
    return int(red), int(green), int(blue)


def _plain(rng: np.random.Generator, scale: float) -> Float32Array:
    tint = linear(_any_tint(rng))
    waves = 0.05 * noise((SIDE, SIDE), (60 * scale, 60 * scale), rng)
    specks = rng.uniform(0, 0.05) * rng.normal(0, 1, (SIDE, SIDE))
    return np.asarray(tint * (1 + waves + specks)[..., None], np.float32)


def _board(rng: np.random.Generator) -> Float32Array:
    """Something like a game board: fields, tracks, discs, letters and lines in a few colours."""
    inks = [tuple(int(c) for c in rng.integers(0, 256, 3)) for _ in range(5)]
    board = np.full((SIDE, SIDE, 3), inks[0], np.uint8)
    for _ in range(int(rng.integers(10, 90))):
        ink = inks[int(rng.integers(5))]
        x, y = (int(v) for v in rng.integers(0, SIDE, 2))
        big = int(np.exp(rng.uniform(np.log(4), np.log(120))))
        shape = int(rng.integers(5))
        if shape == 0:
            cv2.circle(board, (x, y), big, ink, -1 if rng.random() < 0.6 else 2, cv2.LINE_AA)
        elif shape == 1:
            cv2.rectangle(board, (x, y), (x + big, y + int(big * rng.uniform(0.5, 2))), ink, -1)
        elif shape == 2:
            sides = int(rng.integers(3, 8))
            turns = np.arange(sides) * 2 * np.pi / sides + rng.uniform(0, 3)
            points = np.stack([x + big * np.cos(turns), y + big * np.sin(turns)], 1).astype(np.int32)
            cv2.fillPoly(board, [points], ink, cv2.LINE_AA)
        elif shape == 3:
            end = (int(x + rng.normal(0, 200)), int(y + rng.normal(0, 200)))
            cv2.line(board, (x, y), end, ink, max(1, big // 12), cv2.LINE_AA)
        else:
            text = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVWZ0123456789"), int(rng.integers(1, 7))))
            letters = int(rng.integers(0, 8))
            cv2.putText(board, text, (x, y), letters, max(0.4, big / 40), ink, max(1, big // 20), cv2.LINE_AA)
    return _linear_picture(board)


def _page(rng: np.random.Generator) -> Float32Array:
    """A printed page: lines of words, boxes, a picture."""
    page = np.full((SIDE, SIDE, 3), int(rng.integers(200, 256)), np.uint8)
    y = 20
    while y < SIDE:
        size = float(rng.choice([0.35, 0.45, 0.8]))
        letters = list("abcdefghilmnoprstuvw")
        words = " ".join("".join(rng.choice(letters, int(rng.integers(2, 9)))) for _ in range(14))
        ink = int(rng.integers(0, 90))
        cv2.putText(page, words, (16, y), int(rng.integers(0, 4)), size, (ink, ink, ink), 1, cv2.LINE_AA)
        y += int(34 * size) + int(rng.integers(2, 14))
        if rng.random() < 0.12:
            high = int(rng.integers(30, 120))
            colour = tuple(int(c) for c in rng.integers(0, 256, 3))
            cv2.rectangle(page, (20, y), (SIDE - 20, y + high), colour, -1 if rng.random() < 0.5 else 2)
            y += high + 24
    return _linear_picture(page)


@lru_cache(maxsize=1)
def picture_files() -> tuple[Path, ...]:
    """The pictures of the folder that ``LOOMTABLE_COVERS`` names; none where it is not set."""
    folder = os.environ.get(PICTURES)
    if not folder:
        return ()
    kinds = (".jpg", ".jpeg", ".png", ".webp")
    return tuple(sorted(path for path in Path(folder).rglob("*") if path.suffix.lower() in kinds))


@lru_cache(maxsize=160)
def _reduced(file: Path) -> NDArray[np.uint8] | None:
    picture = cv2.imread(str(file), cv2.IMREAD_COLOR)
    if picture is None:
        return None
    factor = 1300 / max(picture.shape[:2])
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


def _picture(rng: np.random.Generator) -> Float32Array:
    files = picture_files()
    picture = _reduced(files[int(rng.integers(len(files)))])
    if picture is None:
        return _plain(rng, 2.0)
    side = int(rng.integers(min(SIDE // 2, min(picture.shape[:2]) - 1), min(picture.shape[:2])))
    y, x = (int(rng.integers(0, picture.shape[k] - side + 1)) for k in (0, 1))
    crop = cv2.resize(picture[y : y + side, x : x + side], (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return _linear_picture(np.asarray(crop, np.uint8))


def _linear_picture(picture: NDArray[np.uint8]) -> Float32Array:
    return np.asarray((picture[..., ::-1].astype(np.float32) / 255) ** 2.2, np.float32)


def room_texture(scene: Scene) -> Float32Array:
    """What a glossy die mirrors: (32, 64, 3) linear RGB, sky on top; windows, lamps and dark furniture."""
    rng = np.random.default_rng([scene.seed, 4])
    height, width = 32, 64
    rows = np.linspace(0, 1, height)[:, None, None]
    ceiling, floor = rng.uniform(0.4, 1.2), rng.uniform(0.1, 0.6)
    tone = np.where(rows < 0.5, ceiling + (floor - ceiling) * rows * 2, floor) * np.ones((1, width, 3))
    room = np.asarray(tone * np.array(scene.ambient), np.float32)
    for _ in range(int(rng.integers(1, 7))):
        x, y = int(rng.integers(width)), int(rng.integers(0, height // 2))
        w, h = int(rng.integers(2, 16)), int(rng.integers(2, 9))
        bright = float(rng.choice([0.1, 0.4, 2.5, 5.0]))
        room[y : y + h, x : x + w] = bright * np.array(scene.ambient) + rng.uniform(0, 0.1)
    for lamp in scene.lamps:
        x = int((np.arctan2(lamp.towards[1], lamp.towards[0]) / (2 * np.pi) + 0.5) * width)
        y = int(np.arccos(np.clip(lamp.towards[2], -1, 1)) / np.pi * height)
        r = max(1, int(lamp.softness * 6))
        room[max(y - r, 0) : y + r, max(x - r, 0) : x + r] = 5 * np.array(lamp.colour)
    return np.asarray(cv2.GaussianBlur(room, (0, 0), 0.8), np.float32)
