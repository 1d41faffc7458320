"""Addresses as QR codes, for phones to scan from a screen."""

from __future__ import annotations

from markupsafe import Markup

from loomtable.table.hosting.invitation import address_modules

QUIET = 4
"""Modules of white around the symbol (ISO/IEC 18004)."""


def qr_code(text: str, says: str) -> Markup:
    """A text as a QR code in SVG; ``says`` is what it is, for people who cannot see it."""
    modules = address_modules(text)
    size = len(modules) + 2 * QUIET
    places = [(x + QUIET, y + QUIET) for y, row in enumerate(modules) for x, is_dark in enumerate(row) if is_dark]
    dark = "".join(f"M{x} {y}h1v1h-1z" for x, y in places)
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" role="img" aria-label="{says}"'
        ' shape-rendering="crispEdges"><rect width="{size}" height="{size}" fill="#fff"/>'
        '<path d="{dark}" fill="#000"/></svg>'
    ).format(size=size, says=says, dark=dark)
