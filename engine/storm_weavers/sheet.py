"""Thymin's Character Sheet: its attributes, and what they begin at."""

from __future__ import annotations

from enum import StrEnum

import msgspec

MAX_HEALTH = 20
STARTING_GOLD = 50
STARTING_SPEED = 2
ATTRIBUTE_BASE = 5
ATTRIBUTE_POINTS = 4
THYMIN = "Thymin"


class Attribute(StrEnum):
    """What stands on the sheet as a number (SW-1)."""

    SPEED = "speed"
    DEXTERITY = "dexterity"
    WISDOM = "wisdom"
    WEAPON_BONUS = "weapon_bonus"
    ARMOUR_CLASS = "armour_class"
    HEALTH = "health"
    GOLD = "gold"

    @property
    def label(self) -> str:
        """The attribute's name in a sentence."""
        return self.value.replace("_", " ").title()


def least_value(attribute: Attribute, below_zero: str) -> int | None:
    """Under what a change by a paragraph does not take a number; ``None`` where there is no such bound (SW-2).

    ``below_zero`` is the table's ruling.
    """
    if attribute in (Attribute.WEAPON_BONUS, Attribute.ARMOUR_CLASS):
        return None if below_zero == "falls-below" else 0
    return None if attribute is Attribute.HEALTH else 0


class Sheet(msgspec.Struct, frozen=True):
    """Thymin's Character Sheet (SW-1)."""

    dexterity: int
    wisdom: int
    speed: int = STARTING_SPEED
    weapon_bonus: int = 0
    armour_class: int = 0
    health: int = MAX_HEALTH
    gold: int = STARTING_GOLD
    items: tuple[str, ...] = ("Axe",)

    def value(self, attribute: Attribute) -> int:
        """What stands there now."""
        return int(getattr(self, attribute))
