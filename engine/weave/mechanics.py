"""Mechanics as data: how a quality comes into play, its Trigger, and the effects the engine applies (WV-10).

What a mechanic does stands in its words, and the table applies them. Where the words say exactly one of the
effects below, the playset lists it as well, and the engine applies it.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from loomtable.engine.weave.suits import Suit


class MechanicType(StrEnum):
    """How a quality comes into play (WV-10)."""

    PASSIVE = "passive"
    STANDARD = "standard"
    LUCKY = "lucky"


class Span(StrEnum):
    """How long something lasts, or how often it can be had."""

    ENCOUNTER = "encounter"
    SCENE = "scene"
    EPISODE = "episode"


class Band(StrEnum):
    """How far two figures of an encounter are from each other (WV-25)."""

    MELEE = "melee"
    SHORT = "short"
    LONG = "long"

    @property
    def label(self) -> str:
        """The range band's name in a sentence."""
        return f"{self.value.capitalize()} Range"

    def steps_to(self, other: Band) -> int:
        """How many range bands lie between the two."""
        bands = list(Band)
        return abs(bands.index(self) - bands.index(other))

    def moved(self, bands: int) -> Band | None:
        """The band so many steps farther off (nearer if negative), or ``None`` where there is none."""
        place = list(Band).index(self) + bands
        return list(Band)[place] if 0 <= place < len(Band) else None


class EffectKind(StrEnum):
    """Everything that the engine can apply by itself."""

    HEAL_WOUNDS = "heal-wounds"
    CLEAR_STRIKES = "clear-strikes"
    DEAL_STRIKES = "deal-strikes"
    EXTRA_DICE = "extra-dice"
    LOWER_LEVEL = "lower-level"
    MOVE_BANDS = "move-bands"
    DRAW_CHALLENGE = "draw-challenge"
    REROLL_DICE = "reroll-dice"

    @property
    def label(self) -> str:
        """The effect's name in a question."""
        return self.value.replace("-", " ")


BOONS = (EffectKind.EXTRA_DICE, EffectKind.LOWER_LEVEL, EffectKind.REROLL_DICE)
"""Effects that wait for a coming Challenge."""


class Whom(StrEnum):
    """Whom an effect is for; a person chooses wherever there is a choice."""

    SELF = "self"
    ALLY = "ally"
    SELF_OR_ALLY = "self-or-ally"
    ALLIES = "allies"
    ENEMY = "enemy"
    ENEMIES = "enemies"
    TARGET = "target"
    """The target of the attack; there is none outside of an attack."""
    ANYONE = "anyone"
    SAME = "same"
    """Whoever the effect before it was for."""

    @property
    def many(self) -> bool:
        """Whether any number can be chosen."""
        return self in (Whom.ALLIES, Whom.ENEMIES)


class Effect(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One thing that the engine does when a mechanic or a Trigger takes effect (WV-10)."""

    do: EffectKind
    amount: int = 1
    to: Whom = Whom.SELF
    suit: Suit | None = None
    """For extra dice and lower levels: only Challenges of this suit."""
    challenges: int = 1
    """For extra dice and lower levels: for how many coming Challenges."""
    lasts: Span | None = None
    """When it is lost if no such Challenge came; without it, it waits."""

    @property
    def trouble(self) -> str:
        """What does not hold together, or nothing."""
        if not 1 <= self.amount <= 10:
            return f"has an effect {self.do} of {self.amount}; it must be 1 to 10"
        if not 1 <= self.challenges <= 5:
            return f"has an effect for {self.challenges} Challenges; it must be 1 to 5"
        if self.do not in BOONS and (self.suit or self.lasts or self.challenges != 1):
            return f"has an effect {self.do} with a suit, a span or Challenges, which belong to {', '.join(BOONS)}"
        if self.do is EffectKind.MOVE_BANDS and self.to.many:
            return "moves several at once; range bands are changed one by one"
        return ""


class Trigger(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Two or three additional exact suit symbols, and what they bring (WV-10)."""

    symbols: int
    suit: Suit
    says: str
    effects: tuple[Effect, ...] = ()


class Mechanic(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A quality's effect on play (WV-10)."""

    type: MechanicType
    says: str
    suit: Suit | None = None
    trigger: Trigger | None = None
    effects: tuple[Effect, ...] = ()
    once: Span | None = None
    """It takes effect once in an encounter, a scene or an episode."""
    reach: tuple[Band, ...] = ()
    """It is used to attack, in these range bands (WV-24)."""


def mechanic_trouble(mechanic: Mechanic) -> str:
    """What does not hold together, or nothing.

    Passive has no Trigger, Standard and Lucky have a suit, Lucky always has a Trigger; a Trigger needs two or
    three symbols (WV-10).
    """
    for effect in (*mechanic.effects, *(mechanic.trigger.effects if mechanic.trigger else ())):
        if effect.trouble:
            return effect.trouble
    if mechanic.type is MechanicType.PASSIVE:
        if mechanic.trigger:
            return "is passive and can have no Trigger"
        idle = mechanic.effects and not mechanic.reach
        return "is passive and never activated, so its effects stay words" if idle else ""
    if mechanic.suit is None:
        return f"is {mechanic.type} and needs the suit that activates it"
    if mechanic.type is MechanicType.LUCKY and mechanic.trigger is None:
        return "is lucky and needs a Trigger"
    if mechanic.trigger and mechanic.trigger.symbols not in (2, 3):
        return f"has a Trigger of {mechanic.trigger.symbols} symbols; it must be 2 or 3"
    return ""
