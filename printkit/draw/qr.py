"""QR codes as modules, for paper, pages and the terminal."""

from __future__ import annotations

from enum import IntEnum

from qrcode import QRCode, constants
from qrcode.exceptions import DataOverflowError

Modules = tuple[tuple[bool, ...], ...]
"""The squares of a symbol without its quiet zone, top row first; true is dark."""


class ErrorCorrection(IntEnum):
    """How much of a symbol may be unreadable: about 15 % at M, 30 % at H."""

    M = constants.ERROR_CORRECT_M
    H = constants.ERROR_CORRECT_H


def qr_modules(text: str, level: ErrorCorrection, version: int | None = None) -> Modules:
    """A text as a QR code, in the smallest ``version`` that holds it or in this one.

    Raises:
        ValueError: it does not fit.
    """
    symbol = QRCode(version=version, error_correction=level.value, border=0)
    symbol.add_data(text)
    try:
        symbol.make(fit=version is None)
    except DataOverflowError:
        raise ValueError(f"{text!r} does not fit a QR code of version {version} at level {level.name}") from None
    return tuple(tuple(map(bool, row)) for row in symbol.get_matrix())
