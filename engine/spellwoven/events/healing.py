"""First aid, recuperation and repairs."""

from __future__ import annotations

from loomtable.engine.kernel.play import Open, changed
from loomtable.engine.spellwoven.events.base import AdventureEvent, CharacterEvent
from loomtable.engine.spellwoven.levels import Levels, Severity
from loomtable.engine.spellwoven.state import AID_REST, Activity, Adventure


class AidDeclared(Open, CharacterEvent, frozen=True, kw_only=True):
    """A healer will tend a patient at the end of the round (SP-19)."""

    patient: str
    rule: str = "SP-19"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_combatant(self.who, aiding=self.patient, hurt_while_aiding=False)


class AidLost(Open, CharacterEvent, frozen=True, kw_only=True):
    """First aid could not be given after all (SP-19)."""

    patient: str
    because: str
    rule: str = "SP-19"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_combatant(self.who, aiding=None)


class AidGiven(CharacterEvent, frozen=True, kw_only=True):
    """First aid was given, well or badly: bleeding is stopped by any success (SP-19)."""

    patient: str
    successes: int
    reduced: tuple[Severity, ...]
    wounds: Levels
    rests: bool
    tended: bool
    rule: str = "SP-19"

    def apply(self, state: Adventure) -> Adventure:
        patient = state.characters[self.patient]
        state = state.with_combatant(self.who, aiding=None)
        return state.with_character(
            self.patient,
            wounds=self.wounds,
            treated_at=state.hours,
            resting_until=state.hours + AID_REST if self.rests else patient.resting_until,
            tended=self.tended or patient.tended,
            collapsed=patient.collapsed and self.successes == 0,
            maimed=patient.maimed and self.wounds.total > 0,
        )


class Recuperated(CharacterEvent, frozen=True, kw_only=True):
    """Days passed, and wounds may have slid a level down (SP-20)."""

    activity: Activity
    days: int
    wounds: Levels
    rested: int
    rule: str = "SP-20"

    def apply(self, state: Adventure) -> Adventure:
        patient = state.characters[self.who]
        hurt = self.wounds.total > 0
        return state.with_character(
            self.who,
            wounds=self.wounds,
            activity=self.activity,
            rested=self.rested,
            collapsed=patient.collapsed and hurt,
            maimed=patient.maimed and hurt,
            tended=patient.tended and self.wounds.felling > 0,
        )


class TimePassed(Open, AdventureEvent, frozen=True, kw_only=True):
    """Hours passed (SP-19, SP-20)."""

    hours: int
    rule: str = "SP-20"

    def apply(self, state: Adventure) -> Adventure:
        return changed(state, hours=state.hours + self.hours)


class ShieldRepaired(CharacterEvent, frozen=True, kw_only=True):
    """An armourer repaired a shield that was only partly used up (SP-18)."""

    rule: str = "SP-18"

    def apply(self, state: Adventure) -> Adventure:
        return changed(state, "characters", self.who, "shield", marked=0)


class ArmourMended(CharacterEvent, frozen=True, kw_only=True):
    """The soak of somebody's armour is free again (SP-15)."""

    rule: str = "SP-15"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_character(self.who, soak_marked=Levels())
