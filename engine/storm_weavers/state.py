"""Everything about one solo adventure: Thymin's sheet, the fight that is on, the paragraph and the journey."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from loomtable.engine.storm_weavers.plans import Enemy, MapEnemy, MapFightPlan
from loomtable.engine.storm_weavers.sheet import Sheet
from loomtable.engine.storm_weavers.squares import Square

DEATH_PARAGRAPH = 225


class Round(msgspec.Struct, frozen=True):
    """A round of a fight, and the injuries that Thymin caused and received in it (SW-14)."""

    number: int
    caused: int = 0
    received: int = 0


class Fight(msgspec.Struct, frozen=True):
    """A fight without a map (SW-15): the enemy as it is now, and the exchanges so far."""

    enemy: Enemy
    exchange: int = 0
    round: Round | None = None
    """Kept only where the paragraph asks for rounds (SW-14)."""


class MapFight(msgspec.Struct, frozen=True):
    """A fight on a map (SW-5): where everybody stands, the enemies by number as they are now, the round."""

    plan: MapFightPlan
    thymin: Square
    enemies: dict[int, MapEnemy]
    round: Round = Round(0)

    @property
    def standing(self) -> dict[int, MapEnemy]:
        """The enemies that are alive, by number."""
        return {number: e for number, e in self.enemies.items() if e.health > 0}

    def label(self, number: int) -> str:
        """The enemy's name with the number on its figure."""
        return f"{self.enemies[number].name} {number}"


class AdventureEnding(StrEnum):
    """How an adventure ends (SW-17)."""

    VICTORY = "victory"
    DEATH = "death"


class Leg(msgspec.Struct, frozen=True):
    """One line on the map of the journey: from a paragraph to the next (SW-17)."""

    start: int
    end: int


class Tale(msgspec.Struct, frozen=True):
    """Everything about one solo adventure."""

    thymin: Sheet | None = None
    fight: Fight | None = None
    paragraph: int | None = None
    """The paragraph where Thymin is, or to which a rule sent him (SW-16)."""
    map_fight: MapFight | None = None
    adventure: str = ""
    visited: tuple[int, ...] = ()
    """Every paragraph of the adventure that was read, in the order of the first time (SW-17)."""
    journey: tuple[Leg, ...] = ()
    """Every step from paragraph to paragraph, in order (SW-17)."""
    notes: dict[int, tuple[str, ...]] = {}
    """What the player wrote on the map of the journey, by paragraph."""
    ending: AdventureEnding | None = None

    @property
    def thymin_is_dead(self) -> bool:
        """Whether the tale is over by his death (SW-16)."""
        spent = self.thymin is not None and self.thymin.health <= 0 and self.paragraph == DEATH_PARAGRAPH
        return spent or self.ending is AdventureEnding.DEATH
