"""Pictures of codes, and pictures that are made to be hard for the scanner."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import zxingcpp

from loomtable.vision.pictures import BgrImage

FRAME = (1080, 1920)
_FINDER = np.pad(np.pad(np.pad(np.zeros((3, 3)), 1, constant_values=1), 1), 1, constant_values=1)


def code(payload: bytes | str, scale: int = 3, level: str = "L") -> BgrImage:
    """A QR code with its quiet zone as a grey picture."""
    symbol = zxingcpp.create_barcode(payload, zxingcpp.BarcodeFormat.QRCode, ec_level=level)
    return np.array(symbol.to_image(scale=scale, add_quiet_zones=True), np.uint8)


def finders(count: int, scale: int) -> BgrImage:
    """So many finder patterns in rows, with no code about them."""
    one = np.kron((_FINDER * 255).astype(np.uint8), np.ones((scale, scale), np.uint8))
    picture = np.full(FRAME, 255, np.uint8)
    columns = FRAME[1] // len(one)
    for k in range(min(count, columns * (FRAME[0] // len(one)))):
        y, x = k // columns * len(one), k % columns * len(one)
        picture[y : y + len(one), x : x + len(one)] = one
    return picture


def many_codes(count: int) -> BgrImage:
    """So many different codes in one picture."""
    columns = 20
    codes = [code(f"FOREIGN {k}", 3) for k in range(count)]
    side = max(one.shape[0] for one in codes)
    picture = np.full((side * -(-count // columns), side * columns), 255, np.uint8)
    for k, one in enumerate(codes):
        y, x = k // columns * side, k % columns * side
        picture[y : y + one.shape[0], x : x + one.shape[1]] = one
    return picture


def nasties(large: bool = True) -> Iterator[tuple[str, BgrImage]]:
    """Pictures by name; without ``large`` none of many megapixels."""
    chance = np.random.default_rng(1)
    rows, columns = FRAME
    yield "noise", chance.integers(0, 256, FRAME, np.uint8)
    yield "black and white noise", (chance.integers(0, 2, FRAME) * 255).astype(np.uint8)
    coarse = (chance.integers(0, 2, (rows // 4, columns // 4)) * 255).astype(np.uint8)
    yield "noise of 4 pixels, as modules are", np.kron(coarse, np.ones((4, 4), np.uint8))
    stripes = np.where(np.isin(np.arange(columns) % 9, [1, 3, 4, 5, 7]), 0, 255).astype(np.uint8)
    yield "stripes like finder patterns", np.tile(stripes, (rows, 1))
    for count, scale in ((200, 4), (2000, 2), (10_000, 2)):
        yield f"{count} finder patterns", finders(count, scale)
    yield "200 codes", many_codes(200)
    yield "a code of 2,900 bytes", code(b"x" * 2900, 3)
    yield "one row", np.zeros((1, 50_000), np.uint8)
    if large:
        yield "noise, 100 megapixels", chance.integers(0, 256, (8000, 12_500), np.uint8)
        yield (
            "a checkerboard, 100 megapixels",
            np.kron(np.indices((1000, 1250)).sum(0) % 2 * 255, np.ones((8, 10))).astype(np.uint8),
        )
