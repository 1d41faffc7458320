"""What combatants do in a round."""

from __future__ import annotations

from enum import StrEnum

from loomtable.engine.kernel.play import Open
from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.engine.spellwoven.events.base import CharacterEvent
from loomtable.engine.spellwoven.state import Adventure


class Moved(Open, CharacterEvent, frozen=True, kw_only=True):
    """A combatant is at another proximity (SP-7)."""

    to: Proximity
    rule: str = "SP-7"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_combatant(self.who, proximity=self.to)


class TalkIntent(StrEnum):
    """What talk in a conflict is meant to bring (SP-8)."""

    TALK_DOWN = "talk-down"
    DISTRACT = "distract"
    TRICK = "trick"
    DELAY = "delay"
    INTRIGUE = "intrigue"
    PARLAY = "parlay"


class Talked(Open, CharacterEvent, frozen=True, kw_only=True):
    """Somebody talked to an opponent, with or without success (SP-8)."""

    target: str
    intent: TalkIntent
    succeeded: bool
    rule: str = "SP-8"


class Attacked(Open, CharacterEvent, frozen=True, kw_only=True):
    """A blow or shot landed, or went wide (SP-10)."""

    target: str
    weapon: str
    hit: bool
    rule: str = "SP-10"

    def apply(self, state: Adventure) -> Adventure:
        assert state.conflict is not None, "an attack outside a conflict"
        attackers = state.conflict.combatants[self.target].attacked_by
        if self.who not in attackers:
            attackers = (*attackers, self.who)
        attacked = state.with_combatant(self.target, attacked_by=attackers, open_to_attack=False)
        return attacked.with_combatant(self.who, hampered=False)


class OverSwung(Open, CharacterEvent, frozen=True, kw_only=True):
    """A miss with a very heavy weapon left its wielder open (SP-22)."""

    rule: str = "SP-22"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_combatant(self.who, open_to_attack=True)


class Loaded(Open, CharacterEvent, frozen=True, kw_only=True):
    """A blackpowder weapon was loaded, or fired and so emptied (SP-22)."""

    weapon: str
    ready: bool
    rule: str = "SP-22"

    def apply(self, state: Adventure) -> Adventure:
        others = tuple(k for k in state.characters[self.who].loaded if k != self.weapon)
        return state.with_character(self.who, loaded=(*others, self.weapon) if self.ready else others)


class FreeAttackGiven(Open, CharacterEvent, frozen=True, kw_only=True):
    """Somebody got a free attack (SP-22)."""

    target: str
    because: str
    rule: str = "SP-22"


class EvasionCounted(CharacterEvent, frozen=True, kw_only=True):
    """The weight of armour lowered a Quickness Defence (SP-16, SP-22)."""

    penalty: int
    defence: int
    rule: str = "SP-16"
