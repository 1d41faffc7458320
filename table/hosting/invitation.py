"""How a phone finds the table: an address with a code, as a QR code, as text, and to type."""

from __future__ import annotations

from loomtable.printkit.draw.qr import ErrorCorrection, Modules, qr_modules

QUIET = 2
"""Modules of white round a code in the terminal; phones read it so, and it fits on a screen."""
_BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}


def address_modules(text: str) -> Modules:
    """The modules of a QR code for an address, top row first; true is dark. Error correction M, no quiet zone."""
    return qr_modules(text, ErrorCorrection.M)


def qr_in_terminal(text: str) -> str:
    """A QR code in block characters, two rows of modules a line; light modules are drawn, for dark terminals."""
    modules = address_modules(text)
    width = len(modules) + 2 * QUIET
    blank = (False,) * width
    rows = [blank] * QUIET
    rows += [(False,) * QUIET + row + (False,) * QUIET for row in modules]
    rows += [blank] * (QUIET + (len(modules) + 2 * QUIET) % 2)
    return "\n".join(
        "".join(_BLOCKS[upper, lower] for upper, lower in zip(rows[k], rows[k + 1], strict=True))
        for k in range(0, len(rows), 2)
    )
