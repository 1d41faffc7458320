"""QR codes as modules, for paper, pages and the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qrcode import QRCode

Modules = tuple[tuple[bool, ...], ...]
"""The squares of a symbol without its quiet zone, top row first; true is dark."""
_FINDERS = (0b00001011101, 0b10111010000)
"""What looks like a finder pattern, with the light modules before or after it."""


class ErrorCorrection(IntEnum):
    """How much of a symbol may be unreadable: about 15 % at M, 30 % at H (ISO/IEC 18004, table 12)."""

    M = 0
    H = 2


def qr_modules(text: str, level: ErrorCorrection, version: int | None = None) -> Modules:
    """A text as a QR code, in the smallest ``version`` that holds it or in this one.

    Raises:
        ValueError: it does not fit.
    """
    from qrcode import QRCode
    from qrcode.exceptions import DataOverflowError

    symbol = QRCode(version=version, error_correction=level.value, border=0)
    symbol.add_data(text)
    try:
        if version is None:
            symbol.best_fit()
        symbol.mask_pattern = _best_mask(symbol)
        symbol.make(fit=False)
    except DataOverflowError:
        raise ValueError(f"{text!r} does not fit a QR code of version {version} at level {level.name}") from None
    return tuple(tuple(map(bool, row)) for row in symbol.get_matrix())


def _best_mask(symbol: QRCode) -> int:
    """The mask of the lowest penalty (ISO/IEC 18004, 7.8.3): the library's choice, several times as fast."""
    symbol.makeImpl(True, 0)
    rows, columns = _lines(symbol.modules)
    changes = _changes(symbol.version, symbol.error_correction)
    penalties = [_penalty(rows ^ one, columns ^ other, symbol.modules_count) for one, other in changes]
    return penalties.index(min(penalties))


def _lines(modules: list[list[Any]]) -> tuple[int, int]:
    """All rows as one number, a bit for each module and an empty one after each row; and all columns."""

    def number(lines: Iterable[Iterable[Any]]) -> int:
        return int("".join("0" + "".join("1" if dark else "0" for dark in line) for line in lines), 2)

    return number(modules), number(zip(*modules, strict=True))


@lru_cache(maxsize=64)
def _changes(version: int, level: int) -> list[tuple[int, int]]:
    """What each mask changes in a symbol that has the first one, as rows and as columns, whatever it says."""
    from qrcode import QRCode

    symbol = QRCode(version=version, error_correction=level)
    masked = [_lines(symbol.modules) for mask in range(8) if symbol.makeImpl(True, mask) is None]
    return [(rows ^ masked[0][0], columns ^ masked[0][1]) for rows, columns in masked]


@lru_cache(maxsize=256)
def _bits(size: int, width: int) -> int:
    """The lowest bits, ``width`` of them, of each line."""
    return sum(((1 << width) - 1) << (line * (size + 1)) for line in range(size))


def _penalty(rows: int, columns: int, size: int) -> int:
    points = 0
    for lines in (rows, columns):
        alike = ~(lines ^ lines >> 1) & _bits(size, size - 1)
        fives = alike & alike >> 1 & alike >> 2 & alike >> 3
        points += fives.bit_count() + 2 * (fives & ~(fives << 1)).bit_count()
        for finder in _FINDERS:
            found = _bits(size, size - 10)
            for place in range(11):
                found &= lines >> place if finder >> place & 1 else ~(lines >> place)
            points += 40 * found.bit_count()
    squares = alike & alike >> size + 1 & ~(lines ^ lines >> size + 1)
    dark = rows.bit_count() / size**2
    return points + 3 * squares.bit_count() + 10 * int(abs(dark * 100 - 50) / 5)
