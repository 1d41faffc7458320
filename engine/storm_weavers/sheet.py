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


class Gear(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The bonuses that an item brings to whoever has it (SW-2)."""

    weapon_bonus: int = 0
    armour_class: int = 0
    about: str = ""
    """What its card says of it; nothing that a rule asks about."""

    @property
    def said(self) -> str:
        """In words, what it adds: ``Weapon Bonus +2``; empty where it adds nothing."""
        named = {Attribute.WEAPON_BONUS: self.weapon_bonus, Attribute.ARMOUR_CLASS: self.armour_class}
        return ", ".join(f"{attribute.label} {by:+d}" for attribute, by in named.items() if by)


class CarriedGear(Gear, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What an item that Thymin has brought him when he took it."""

    item: str


GEAR = {
    "Axe": Gear(about="You have swung it for thirty years. It has had two heads and four hafts."),
    "Double-edged Axe": Gear(weapon_bonus=2, about="It cuts on the way back, too. Mind whoever is behind you."),
    "Chainmail": Gear(armour_class=2, about="Heavy on a stair, and lighter than the other thing."),
}
"""The weapons and armour that the rulebook names with their figures."""


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
    gear: tuple[CarriedGear, ...] = ()
    """What those of the items brought that carry a bonus."""

    def value(self, attribute: Attribute) -> int:
        """What stands there now."""
        return int(getattr(self, attribute))

    def worn(self, item: str) -> CarriedGear | None:
        """What an item that is lost takes with it, if anything. Of two alike, the plain one goes first."""
        carrying = [gear for gear in self.gear if gear.item == item]
        return carrying[0] if carrying and len(carrying) == self.items.count(item) else None

    def taking(self, item: str, brought: Gear) -> Sheet:
        """The sheet with an item more, which brings so much."""
        gear = (CarriedGear(brought.weapon_bonus, brought.armour_class, item=item),) if brought != Gear() else ()
        return msgspec.structs.replace(
            self,
            items=(*self.items, item),
            gear=(*self.gear, *gear),
            weapon_bonus=self.weapon_bonus + brought.weapon_bonus,
            armour_class=self.armour_class + brought.armour_class,
        )

    def losing(self, item: str, brought: Gear) -> Sheet:
        """The sheet without an item, whose loss brings so much: less, where it carried a bonus."""
        items, gear, worn = list(self.items), list(self.gear), self.worn(item)
        items.remove(item)
        if worn is not None:
            gear.remove(worn)
        return msgspec.structs.replace(
            self,
            items=tuple(items),
            gear=tuple(gear),
            weapon_bonus=self.weapon_bonus + brought.weapon_bonus,
            armour_class=self.armour_class + brought.armour_class,
        )

    def brought_by(self, gear: Gear, below_zero: str) -> Gear:
        """What gear really adds now, where a table lets bonuses stop at 0 (ruling below-zero)."""
        if below_zero == "falls-below":
            return Gear(gear.weapon_bonus, gear.armour_class)
        return Gear(
            max(gear.weapon_bonus, min(0, -self.weapon_bonus)),
            max(gear.armour_class, min(0, -self.armour_class)),
        )

    def taken_with(self, item: str, below_zero: str) -> Gear:
        """What the loss of an item really adds now: less than nothing, where it carried a bonus."""
        worn = self.worn(item) or Gear()
        return self.brought_by(Gear(-worn.weapon_bonus, -worn.armour_class), below_zero)
