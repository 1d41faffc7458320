"""From the Menace roll to the slot that is marked, and what follows from it."""

from __future__ import annotations

from loomtable.engine.kernel.play import Open, changed
from loomtable.engine.spellwoven.events.base import CharacterEvent
from loomtable.engine.spellwoven.levels import Severity
from loomtable.engine.spellwoven.state import Adventure


class ArmourPierced(Open, CharacterEvent, frozen=True, kw_only=True):
    """A triplet or a talent goes past armour and shield (SP-17, SP-9)."""

    because: str
    rule: str = "SP-17"


class MenaceCounted(Open, CharacterEvent, frozen=True, kw_only=True):
    """The Menace roll says how grave the wound is (SP-11)."""

    target: str
    successes: int
    severity: Severity
    rule: str = "SP-11"


class BlowPulled(Open, CharacterEvent, frozen=True, kw_only=True):
    """A Mortal wound was made a Felling one (SP-22)."""

    target: str
    rule: str = "SP-22"


class ShieldMarked(CharacterEvent, frozen=True, kw_only=True):
    """A blow was caught on the shield (SP-18)."""

    severity: Severity
    marks: int = 1
    rule: str = "SP-18"

    def apply(self, state: Adventure) -> Adventure:
        shield = state.characters[self.who].shield
        assert shield is not None, "a blow was caught without a shield"
        return changed(state, "characters", self.who, "shield", marked=shield.marked + self.marks)


class ShieldDestroyed(Open, CharacterEvent, frozen=True, kw_only=True):
    """A shield has no soak left (SP-18)."""

    rule: str = "SP-18"


class Hampered(Open, CharacterEvent, frozen=True, kw_only=True):
    """The shield will be in the way of the next attack (SP-22)."""

    rule: str = "SP-22"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_combatant(self.who, hampered=True)


class SoakMarked(CharacterEvent, frozen=True, kw_only=True):
    """Armour took a wound at its level (SP-15)."""

    level: Severity
    rule: str = "SP-15"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_character(self.who, soak_marked=state.characters[self.who].soak_marked.plus(self.level))


class WoundMarked(CharacterEvent, frozen=True, kw_only=True):
    """A wound was marked, at its own level or where it flowed (SP-12; SP-14 past a level that is missing)."""

    severity: Severity
    level: Severity
    rule: str = "SP-12"

    def apply(self, state: Adventure) -> Adventure:
        wounds = state.characters[self.who].wounds.plus(self.level)
        tended = state.characters[self.who].tended and self.level is not Severity.FELLING
        return _hurt_while_aiding(state.with_character(self.who, wounds=wounds, tended=tended), self.who)


class NoSlotLeft(CharacterEvent, frozen=True, kw_only=True):
    """A wound flowed past the last slot (SP-12)."""

    severity: Severity
    rule: str = "SP-12"

    def apply(self, state: Adventure) -> Adventure:
        return _hurt_while_aiding(state, self.who)


def _hurt_while_aiding(state: Adventure, who: str) -> Adventure:
    if state.conflict is None or who not in state.conflict.combatants:
        return state
    return state.with_combatant(who, hurt_while_aiding=state.conflict.combatants[who].aiding is not None)


class Collapsed(Open, CharacterEvent, frozen=True, kw_only=True):
    """Incapacitated without a wound on the track that says so (SP-12, SP-22)."""

    rule: str = "SP-22"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_character(self.who, collapsed=True)


class Incapacitated(Open, CharacterEvent, frozen=True, kw_only=True):
    """A character is out of the fight until somebody tends or time heals the wound (SP-13)."""

    rule: str = "SP-13"


class Died(Open, CharacterEvent, frozen=True, kw_only=True):
    """A character died (SP-13)."""

    rule: str = "SP-13"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_character(self.who, dead=True, heroic=False)


class LastStandBegun(Open, CharacterEvent, frozen=True, kw_only=True):
    """A player chose a heroic death: three successes more on every roll, and death when it is over (SP-22)."""

    rule: str = "SP-22"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_character(self.who, heroic=True)


class Maimed(CharacterEvent, frozen=True, kw_only=True):
    """More wounds than Fortitude: tests are at a disadvantage until all are healed (SP-22)."""

    rule: str = "SP-22"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_character(self.who, maimed=True)
