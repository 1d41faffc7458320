"""Characters, their gear and Effort, and the tests they make."""

from __future__ import annotations

from loomtable.engine.kernel.play import Open, changed
from loomtable.engine.spellwoven.armoury import Armour, Talent, TalentEffect, Weapon
from loomtable.engine.spellwoven.events.base import AdventureEvent, CharacterEvent
from loomtable.engine.spellwoven.levels import Levels
from loomtable.engine.spellwoven.state import Advance, Adventure, Character, Ending, OpenEncounter, Shield


class CharacterAdded(AdventureEvent, frozen=True, kw_only=True):
    """A character came into the adventure (SP-12, SP-14, SP-16)."""

    character: Character

    def apply(self, state: Adventure) -> Adventure:
        return changed(state, characters={**state.characters, self.character.name: self.character})


class Equipped(CharacterEvent, frozen=True, kw_only=True):
    """A character took up other gear, which is whole (SP-10, SP-15, SP-18)."""

    weapons: tuple[Weapon, ...]
    armour: tuple[Armour, ...]
    soak_slots: Levels
    soak_marked: Levels
    shield: Shield | None
    put_away: bool = False
    """Whether a shield was put away."""
    rule: str = "SP-15"

    def apply(self, state: Adventure) -> Adventure:
        carried = {w.key for w in self.weapons}
        return state.with_character(
            self.who,
            weapons=self.weapons,
            armour=self.armour,
            soak_slots=self.soak_slots,
            soak_marked=self.soak_marked,
            shield=self.shield,
            loaded=tuple(k for k in state.characters[self.who].loaded if k in carried),
        )


class Advanced(CharacterEvent, frozen=True, kw_only=True):
    """A character got better at a skill, or learnt a talent (SP-1, SP-9)."""

    advance: Advance
    skill: str = ""
    """The skill's key, unless it is a talent."""
    talent: Talent | None = None
    rule: str = "SP-1"

    def apply(self, state: Adventure) -> Adventure:
        sheet = state.characters[self.who]
        ratings = {**sheet.ratings, self.skill: self.advance.rating} if self.skill else sheet.ratings
        known = sheet.talents if self.talent is None else (*sheet.talents, self.talent)
        advances = (*sheet.advances, self.advance)
        return state.with_character(self.who, ratings=ratings, talents=known, advances=advances)


class EffortChanged(CharacterEvent, frozen=True, kw_only=True):
    """Effort was spent, regained or given (SP-2)."""

    by: int
    reason: str = ""
    rule: str = "SP-2"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_character(self.who, effort=state.characters[self.who].effort + self.by)


class RollFaced(CharacterEvent, frozen=True, kw_only=True):
    """Somebody is about to roll: everything that the odds of it depend on (SP-1, SP-11)."""

    rating: int
    difficulty: int | None
    """``None`` where successes are only counted, as for Menace."""
    bonus: int
    """Successes that are certain: declared Effort, heroism."""
    edge: int
    """1 at an advantage, -1 at a disadvantage, 0 at neither."""
    effort: int
    """Effort that may still be spent after the roll."""
    rule: str = "SP-1"


class Tested(CharacterEvent, frozen=True, kw_only=True):
    """A test was made (SP-1); ``difficulty`` is ``None`` where successes are only counted."""

    what: str
    rating: int
    faces: tuple[int, ...]
    """The three dice that count."""
    bonus: int
    """Successes from Effort, talents, advantage and heroism."""
    successes: int
    difficulty: int | None
    passed: bool
    doing: str = ""
    """What it was for, as the table put it."""
    rule: str = "SP-1"


class Opposed(Open, CharacterEvent, frozen=True, kw_only=True):
    """An opposed test was decided; nobody's name is nobody's victory (SP-23)."""

    opposer: str
    winner: str
    rule: str = "SP-23"


class TalentUsed(CharacterEvent, frozen=True, kw_only=True):
    """A talent was used, one of the times that it can be used in a conflict (SP-9)."""

    talent: str
    instead_of: tuple[int, ...] = ()
    """The dice that it has rolled again."""
    rule: str = "SP-9"

    def apply(self, state: Adventure) -> Adventure:
        if state.conflict is None:
            return state
        used = state.conflict.combatants[self.who].talents_used
        count = used.get(self.talent, 0) + 1
        return state.with_combatant(self.who, talents_used={**used, self.talent: count})


class TalentWorked(CharacterEvent, frozen=True, kw_only=True):
    """A talent that is an action had its effect (SP-9)."""

    effect: TalentEffect
    by: int
    rule: str = "SP-9"

    def apply(self, state: Adventure) -> Adventure:
        assert state.conflict is not None, "a talent worked outside a conflict"
        combatant = state.conflict.combatants[self.who]
        match self.effect:
            case TalentEffect.RAISE_INITIATIVE:
                return state.with_combatant(self.who, momentum=combatant.momentum + self.by)
            case TalentEffect.LOWER_INITIATIVE:
                return state.with_combatant(self.who, momentum=combatant.momentum - self.by)
            case TalentEffect.RAISE_DEFENCE:
                return state.with_combatant(self.who, guard=self.by)
        return state


class EncounterOpened(Open, AdventureEvent, frozen=True, kw_only=True):
    """The heroes came upon an encounter (SP-12)."""

    encounter: OpenEncounter
    rule: str = "SP-12"

    def apply(self, state: Adventure) -> Adventure:
        return changed(state, encounter=self.encounter)


class EncounterClosed(Open, AdventureEvent, frozen=True, kw_only=True):
    """An encounter is over: what follows, and what was gained (SP-21)."""

    ending: Ending
    follows: str
    reward: str
    rule: str = "SP-21"

    def apply(self, state: Adventure) -> Adventure:
        return changed(state, encounter=None)
