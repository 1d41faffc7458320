"""The printed markers of heroes: one lies beside a card to say whose Challenge it is."""

from __future__ import annotations

from collections.abc import Iterable

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


def marker_owners(characters: Iterable[str]) -> dict[ComponentId, str]:
    """Whose each marker is: the first is that of the season's first character, and so on."""
    return dict(zip(markers(), characters, strict=False))


def marker_of(name: str, characters: Iterable[str]) -> str:
    """A character's marker for people: ``star marker (R1)``; nothing where there are too few."""
    owners = marker_owners(characters).items()
    return next((f"{EMBLEMS[number.number - 1]} marker ({number})" for number, who in owners if who == name), "")
