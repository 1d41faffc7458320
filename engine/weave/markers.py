"""The printed markers of heroes: one lies beside a card to say whose Challenge it is."""

from __future__ import annotations

from loomtable.engine.kernel.components import MARKERS, ComponentId, Kind

EMBLEMS = (
    "star", "moon", "leaf", "key", "shell", "sun", "anchor", "bell", "tower", "acorn", "crown", "heart"
)  # fmt: skip
"""What is drawn on each marker, in the order of their numbers."""


def markers() -> tuple[ComponentId, ...]:
    """Every marker that is printed."""
    return tuple(ComponentId(Kind.MARKER, number) for number in range(1, MARKERS + 1))


def marker_name(marker: ComponentId) -> str:
    """What people call a marker: ``Anchor marker``."""
    return f"{EMBLEMS[marker.number - 1].capitalize()} marker"
