"""What a paragraph says about a fight, as data: enemies, special conditions, how it ends and what follows."""

from __future__ import annotations

from collections.abc import Container
from enum import StrEnum
from typing import Annotated

import msgspec

from loomtable.engine.kernel.arguments import USUAL
from loomtable.engine.kernel.dice import Die, parse_pool
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.storm_weavers.sheet import Attribute
from loomtable.engine.storm_weavers.squares import Square


class Enemy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An enemy, as a paragraph describes it."""

    name: str
    dexterity: int
    health: int
    weapon_bonus: Annotated[int, USUAL] = 0
    armour_class: Annotated[int, USUAL] = 0


class Modifiers(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the paragraph adds to Attack and Defence (SW-8)."""

    thymin_attack: int = 0
    thymin_defence: int = 0
    enemy_attack: int = 0
    enemy_defence: int = 0

    def along_with(self, other: Modifiers) -> Modifiers:
        """Both added up."""
        return Modifiers(*(getattr(self, f) + getattr(other, f) for f in self.__struct_fields__))


class MapEnemy(Enemy, frozen=True, omit_defaults=False, forbid_unknown_fields=True):
    """An enemy on a combat map; its number is its place in the paragraph's list."""

    speed: int | None = None
    """Its own Speed, where it differs from that of the fight."""
    square: Square = ""
    """Where it stands; in a plan, empty for the map's own start square of its number."""
    still: bool = False
    """It does not come to Thymin, but attacks him when he stands beside it (SW-7)."""
    keeps_away: bool = False
    """It goes as far from Thymin as it can, and attacks him only where he stands beside it after that (SW-7)."""
    peaceful: bool = False
    """It does nothing until Thymin attacks it; from then on it fights like any other (SW-7)."""
    flees_at: int = 0
    """The Health at or under which it keeps away and attacks no more (SW-7)."""
    attacks: int = 1
    """How often it attacks Thymin in its phase, while it stands beside him (SW-8)."""
    modifiers: Modifiers = Modifiers()
    """What is added to the fight's own modifiers where this enemy and Thymin compare Attack and Defence (SW-8)."""

    @property
    def flees(self) -> bool:
        """Whether it is hurt enough to flee."""
        return self.health <= self.flees_at


class NamedSide(StrEnum):
    """A side of a coin that a paragraph names (SW-4)."""

    HEADS = "heads"
    TAILS = "tails"


class Change(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One change on the sheet (SW-2): an attribute ``by`` or ``to`` a number, an item gained, or an item lost."""

    attribute: Attribute | None = None
    by: int | None = None
    to: int | None = None
    gain: str = ""
    lose: str = ""

    @property
    def trouble(self) -> str:
        """Why this is no change, in words; empty where it is one."""
        sorts = (self.attribute is not None) + bool(self.gain) + bool(self.lose)
        if sorts != 1:
            return "a change is one of “Attribute”, “Gain” and “Lose”"
        if (self.attribute is not None) != ((self.by is not None) != (self.to is not None)):
            return "fill in “By” or “To”, and not both: an attribute changes by a number, or to one"
        if self.attribute is None and (self.by is not None or self.to is not None):
            return "“By” and “To” belong to an attribute"
        if self.to is None or self.to >= 0 or self.attribute in (Attribute.WEAPON_BONUS, Attribute.ARMOUR_CLASS):
            return ""
        return "only Weapon Bonus and Armour Class can be set below 0"


class FightOutcome(StrEnum):
    """How a fight can end (SW-5)."""

    ALL_DEAD = "all-dead"
    ROUNDS = "rounds"
    ENEMY_HEALTH = "enemy-health"
    THYMIN_HEALTH = "thymin-health"
    ROUND_WON = "round-won"
    ROUND_LOST = "round-lost"
    THYMIN_DEAD = "thymin-dead"

    @property
    def of_a_round(self) -> bool:
        """Whether it is looked for only when a round is over."""
        return self in (FightOutcome.ROUNDS, FightOutcome.ROUND_WON, FightOutcome.ROUND_LOST)


class FightEnd(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A way in which a fight ends, and what follows (SW-5).

    ``at`` is the count of rounds, or the Health at or under which somebody has to be; ``enemy`` the number of the
    enemy meant, 0 for any of them.
    """

    when: FightOutcome
    at: int = 0
    enemy: int = 0
    to: int | None = None
    changes: tuple[Change, ...] = ()

    def trouble(self, enemies: int) -> str:
        """Why this can never end a fight against so many enemies, in words; empty where it can.

        Its changes are another matter; see ``Change.trouble``.
        """
        counted = self.when in (FightOutcome.ROUNDS, FightOutcome.ENEMY_HEALTH, FightOutcome.THYMIN_HEALTH)
        if self.when is FightOutcome.THYMIN_DEAD:
            return "Thymin's death always leads to paragraph 225 and cannot be planned otherwise"
        if counted and self.at < 1:
            return f"the end '{self.when}' needs 'at', a number from 1"
        if not counted and self.at:
            return f"the end '{self.when}' has no 'at'"
        if self.enemy and self.when is not FightOutcome.ENEMY_HEALTH:
            return f"the end '{self.when}' is not about one enemy"
        if not 0 <= self.enemy <= enemies:
            return f"there is no enemy {self.enemy}"
        return ""


class Conditions(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The special conditions of a fight on a map."""

    thymin_crosses: tuple[str, ...] = ()
    """Kinds of obstacle that Thymin may move across; he cannot stop on them (SW-6)."""
    enemies_cross: tuple[str, ...] = ()
    """Kinds of obstacle that enemies may move across."""
    through_characters: bool = False
    """Everybody may move through the squares of others."""
    attacks: int = 1
    """How many different enemies Thymin may attack in his phase (SW-8)."""
    cunning_strike: bool = True
    push_squares: int = 2
    """How far a push out leads; 0 where nobody is pushed (SW-10)."""
    collision: dict[str, int] = {}
    """Health lost on being pushed into an obstacle of a kind, or into a ``character``, where it is not 1."""


USUAL_DICE = "2d6"
"""What a test is made with, unless its paragraph says otherwise (SW-3)."""
TEST_DICE = (Die.D6, Die.D8, Die.D10, Die.D12)
"""What a paragraph may name instead."""


def dice_of_a_test(text: str) -> tuple[int, Die]:
    """How many of which dice a test is made with (SW-3): ``"3d6"``.

    Raises:
        ReadingMisfit: the text names no dice, or none that a test is made with.
    """
    count, die = parse_pool(text)
    if die not in TEST_DICE:
        raise ReadingMisfit(f"a test is made with d6, d8, d10 or d12, not with {die.plural}")
    return count, die


class Terms(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """What a paragraph adds to the dice of a test (SW-3); ``items`` is what each helpful item adds, if used."""

    modifier: int = 0
    items: dict[str, int] = {}

    def settled(self, has: Container[str]) -> int:
        """What is added in all by somebody who has these items and uses each that helps."""
        return self.modifier + sum(by for item, by in self.items.items() if by < 0 and item in has)


class FightPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fight without a map (SW-15)."""

    enemy: Enemy
    modifiers: Modifiers = Modifiers()
    ends: tuple[FightEnd, ...] = ()
    strike_test: Terms = Terms()
    """What is added to the dice of a Cunning Strike's test (SW-11)."""


class MapFightPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fight on a combat map (SW-5)."""

    map: str
    enemies: tuple[MapEnemy, ...]
    thymin: Square = ""
    """Where Thymin starts, where it is not the map's own square."""
    speed: int | None = None
    """Everybody's Speed in this fight; without it Thymin's own, and 2 for the enemies (SW-1)."""
    conditions: Conditions = Conditions()
    modifiers: Modifiers = Modifiers()
    ends: tuple[FightEnd, ...] = ()
    strike_test: Terms = Terms()
    """What is added to the dice of a Cunning Strike's test (SW-11)."""

    def modifiers_against(self, number: int) -> Modifiers:
        """What the paragraph adds to Attack and Defence where Thymin and this enemy meet."""
        return self.modifiers.along_with(self.enemies[number - 1].modifiers)
