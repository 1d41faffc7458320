"""How a phone finds the table: an address with a code, as a QR code, as text, and to type."""

from __future__ import annotations

import numpy as np
import zxingcpp

QUIET = 2
"""Modules of white round a code in the terminal; phones read it so, and it fits on a screen."""
_BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}


def qr_modules(text: str) -> tuple[tuple[bool, ...], ...]:
    """The modules of a QR code for an address, top row first; true is dark. Error correction M, no quiet zone."""
    symbol = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level="M")
    dark = np.asarray(symbol.to_image(scale=1, add_quiet_zones=False)) < 128
    return tuple(tuple(row) for row in dark.tolist())


def qr_in_terminal(text: str) -> str:
    """A QR code in block characters, two rows of modules a line; light modules are drawn, for dark terminals."""
    modules = qr_modules(text)
    width = len(modules) + 2 * QUIET
    blank = (False,) * width
    rows = [blank] * QUIET
    rows += [(False,) * QUIET + row + (False,) * QUIET for row in modules]
    rows += [blank] * (QUIET + (len(modules) + 2 * QUIET) % 2)
    return "\n".join(
        "".join(_BLOCKS[upper, lower] for upper, lower in zip(rows[k], rows[k + 1], strict=True))
        for k in range(0, len(rows), 2)
    )
