"""Thymin's sheet, the fight that is on, and everything that can change them."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from engine.kernel.play import Event

MAX_HEALTH = 20
STARTING_GOLD = 50
STARTING_SPEED = 2
ATTRIBUTE_BASE = 5
ATTRIBUTE_POINTS = 4
DEATH_PARAGRAPH = 225
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


class Enemy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An enemy, as a paragraph describes it."""

    name: str
    dexterity: int
    health: int
    weapon_bonus: int = 0
    armour_class: int = 0


class Fight(msgspec.Struct, frozen=True):
    """A fight without a map (SW-15): the enemy as it is now, and the exchanges so far."""

    enemy: Enemy
    exchange: int = 0


class Tale(msgspec.Struct, frozen=True):
    """Everything about one solo adventure."""

    thymin: Sheet | None = None
    fight: Fight | None = None
    paragraph: int | None = None
    """The paragraph to read next, where a rule names one (SW-16)."""


class TaleEvent(Event, frozen=True, kw_only=True):
    """An event of Storm Weavers."""

    def apply(self, state: Tale) -> Tale:
        """The tale after this event."""
        return state


class SheetMade(TaleEvent, frozen=True, kw_only=True):
    """Thymin's sheet was made (SW-1)."""

    sheet: Sheet
    rule: str = "SW-1"

    def apply(self, state: Tale) -> Tale:
        return Tale(thymin=self.sheet)


class AttributeChanged(TaleEvent, frozen=True, kw_only=True):
    """A number on the sheet changed (SW-2)."""

    attribute: Attribute
    by: int
    reason: str
    rule: str = "SW-2"

    def apply(self, state: Tale) -> Tale:
        sheet = _sheet(state)
        value = getattr(sheet, self.attribute) + self.by
        if self.attribute is Attribute.HEALTH:
            value = min(value, MAX_HEALTH)
        return msgspec.structs.replace(state, thymin=msgspec.structs.replace(sheet, **{self.attribute: value}))


class ItemGained(TaleEvent, frozen=True, kw_only=True):
    """Thymin took an item (SW-2)."""

    item: str
    rule: str = "SW-2"

    def apply(self, state: Tale) -> Tale:
        sheet = _sheet(state)
        return msgspec.structs.replace(
            state, thymin=msgspec.structs.replace(sheet, items=(*sheet.items, self.item))
        )


class Tested(TaleEvent, frozen=True, kw_only=True):
    """A test of an attribute was made (SW-3)."""

    attribute: Attribute
    total: int
    modifier: int
    value: int
    passed: bool
    rule: str = "SW-3"


class CoinTested(TaleEvent, frozen=True, kw_only=True):
    """A coin test was made (SW-4)."""

    called: str
    side: str
    passed: bool
    rule: str = "SW-4"


class FightBegun(TaleEvent, frozen=True, kw_only=True):
    """A fight without a map began (SW-15)."""

    enemy: Enemy
    rule: str = "SW-15"

    def apply(self, state: Tale) -> Tale:
        return msgspec.structs.replace(state, fight=Fight(self.enemy))


class Exchanged(TaleEvent, frozen=True, kw_only=True):
    """Attack and Defence were compared (SW-8); ``winner`` is empty on a tie."""

    attacker: str
    attack: int
    defence: int
    winner: str
    injuries: int
    rule: str = "SW-8"

    def apply(self, state: Tale) -> Tale:
        fight = _fight(state)
        return msgspec.structs.replace(state, fight=msgspec.structs.replace(fight, exchange=fight.exchange + 1))


class CunningStrikeMade(TaleEvent, frozen=True, kw_only=True):
    """Thymin tried a Cunning Strike (SW-11)."""

    passed: bool
    rule: str = "SW-11"

    def apply(self, state: Tale) -> Tale:
        fight = _fight(state)
        return msgspec.structs.replace(state, fight=msgspec.structs.replace(fight, exchange=fight.exchange + 1))


class Injured(TaleEvent, frozen=True, kw_only=True):
    """Somebody lost Health in a fight (SW-9)."""

    who: str
    injuries: int
    rule: str = "SW-9"

    def apply(self, state: Tale) -> Tale:
        if self.who == THYMIN:
            sheet = _sheet(state)
            hurt = msgspec.structs.replace(sheet, health=sheet.health - self.injuries)
            return msgspec.structs.replace(state, thymin=hurt)
        fight = _fight(state)
        enemy = msgspec.structs.replace(fight.enemy, health=fight.enemy.health - self.injuries)
        return msgspec.structs.replace(state, fight=msgspec.structs.replace(fight, enemy=enemy))


class FightEnded(TaleEvent, frozen=True, kw_only=True):
    """A fight came to its end (SW-15)."""

    enemy: str
    won: bool
    exchanges: int
    rule: str = "SW-15"

    def apply(self, state: Tale) -> Tale:
        return msgspec.structs.replace(state, fight=None)


class ParagraphReached(TaleEvent, frozen=True, kw_only=True):
    """A rule sent Thymin to a paragraph (SW-16)."""

    paragraph: int
    rule: str = "SW-16"

    def apply(self, state: Tale) -> Tale:
        return msgspec.structs.replace(state, paragraph=self.paragraph)


def _sheet(state: Tale) -> Sheet:
    assert state.thymin is not None, "an event changed a sheet that does not exist"
    return state.thymin


def _fight(state: Tale) -> Fight:
    assert state.fight is not None, "an event changed a fight that is not on"
    return state.fight
