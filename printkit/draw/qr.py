"""QR codes as modules, for paper, pages and the terminal."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import zxingcpp

Modules = tuple[tuple[bool, ...], ...]
"""The squares of a symbol without its quiet zone, top row first; true is dark."""


class ErrorCorrection(StrEnum):
    """How much of a symbol may be unreadable: about 15 % at M, 30 % at H."""

    M = "M"
    H = "H"


def qr_modules(text: str, level: ErrorCorrection, version: int | None = None) -> Modules:
    """A text as a QR code, in the smallest ``version`` that holds it or in this one.

    Raises:
        ValueError: it does not fit.
    """
    asked = {"ec_level": level.value} | ({"version": version} if version else {})
    try:
        symbol = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, **asked)
    except ValueError:
        size = f"of version {version} " if version else ""
        raise ValueError(f"{text!r} does not fit a QR code {size}at level {level}") from None
    drawn: Any = symbol.to_image(scale=1, add_quiet_zones=False)
    rows: Any = memoryview(drawn).tolist()
    return tuple(tuple(level == 0 for level in row) for row in rows)
