"""Initiative, rounds and turns, and how a conflict ends."""

from __future__ import annotations

from loomtable.engine.kernel.play import Open, changed
from loomtable.engine.spellwoven.armoury import Proximity
from loomtable.engine.spellwoven.events.base import AdventureEvent, CharacterEvent
from loomtable.engine.spellwoven.state import COOPERATION_COST, Adventure, Combatant, Conflict, Distraction, Left


class ConflictBegun(Open, AdventureEvent, frozen=True, kw_only=True):
    """A conflict broke out (SP-3)."""

    proximities: dict[str, Proximity]
    rule: str = "SP-3"

    def apply(self, state: Adventure) -> Adventure:
        combatants = {name: Combatant(proximity=p) for name, p in self.proximities.items()}
        return changed(state, conflict=Conflict(combatants))


class ConflictJoined(Open, CharacterEvent, frozen=True, kw_only=True):
    """Somebody came into a conflict that was on (SP-3)."""

    proximity: Proximity
    rule: str = "SP-3"

    def apply(self, state: Adventure) -> Adventure:
        assert state.conflict is not None, "somebody joined a conflict that is not on"
        there = {**state.conflict.combatants, self.who: Combatant(proximity=self.proximity)}
        return changed(state, "conflict", combatants=there)


class InitiativeSet(Open, CharacterEvent, frozen=True, kw_only=True):
    """Successes and rating are the initiative (SP-3)."""

    initiative: int
    rule: str = "SP-3"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_combatant(self.who, initiative=self.initiative)


class TieRolled(Open, CharacterEvent, frozen=True, kw_only=True):
    """A die for a tied initiative; the lowest acts first (SP-3)."""

    face: int
    rule: str = "SP-3"

    def apply(self, state: Adventure) -> Adventure:
        assert state.conflict is not None, "a tie outside a conflict"
        return state.with_combatant(self.who, tie=(*state.conflict.combatants[self.who].tie, self.face))


class RoundBegun(Open, AdventureEvent, frozen=True, kw_only=True):
    """A round began: initiatives moved by their momentum, and everybody may act again (SP-4, SP-6)."""

    round: int
    rule: str = "SP-6"

    def apply(self, state: Adventure) -> Adventure:
        assert state.conflict is not None, "a round outside a conflict"
        combatants = {name: self._anew(c) for name, c in state.conflict.combatants.items()}
        return changed(state, conflict=Conflict(combatants, self.round))

    def _anew(self, combatant: Combatant) -> Combatant:
        past = combatant.distracted_in < self.round
        return changed(
            combatant,
            initiative=max(0, combatant.initiative + combatant.momentum),
            momentum=0,
            tie=(),
            acted=combatant.distracted_in == self.round and combatant.distraction is Distraction.LOSES_TURN,
            cooperating=False,
            group=0,
            distraction=None if past else combatant.distraction,
            aiding=None,
            hurt_while_aiding=False,
            shoots=False,
            attacked_by=(),
        )


class RangedDeclared(Open, AdventureEvent, frozen=True, kw_only=True):
    """Who makes a ranged attack in this round, ahead of all others (SP-22)."""

    names: tuple[str, ...]
    rule: str = "SP-22"

    def apply(self, state: Adventure) -> Adventure:
        for name in self.names:
            state = state.with_combatant(name, shoots=True)
        return state


class Cooperated(Open, AdventureEvent, frozen=True, kw_only=True):
    """Player characters agreed to act together (SP-5)."""

    names: tuple[str, ...]
    initiative: int
    group: int = 1
    rule: str = "SP-5"

    def apply(self, state: Adventure) -> Adventure:
        for name in self.names:
            state = state.with_combatant(name, cooperating=True, group=self.group)
        return state


class CooperationPaid(Open, CharacterEvent, frozen=True, kw_only=True):
    """At the end of the round, cooperation costs 5 (SP-5)."""

    rule: str = "SP-5"

    def apply(self, state: Adventure) -> Adventure:
        assert state.conflict is not None, "cooperation outside a conflict"
        paid = state.conflict.combatants[self.who].momentum - COOPERATION_COST
        return state.with_combatant(self.who, momentum=paid)


class TurnTaken(Open, CharacterEvent, frozen=True, kw_only=True):
    """A combatant used the action of the round (SP-6)."""

    doing: str
    rule: str = "SP-6"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_combatant(self.who, acted=True, guard=0)


class MomentumChanged(Open, CharacterEvent, frozen=True, kw_only=True):
    """Success or failure moves the next round's initiative (SP-4)."""

    by: int
    rule: str = "SP-4"

    def apply(self, state: Adventure) -> Adventure:
        if state.conflict is None or self.who not in state.conflict.combatants:
            return state
        momentum = state.conflict.combatants[self.who].momentum + self.by
        return state.with_combatant(self.who, momentum=momentum)


class Distracted(Open, CharacterEvent, frozen=True, kw_only=True):
    """A combatant acts last, or loses the turn, in the round named (SP-8)."""

    distraction: Distraction
    round: int
    rule: str = "SP-8"

    def apply(self, state: Adventure) -> Adventure:
        assert state.conflict is not None, "a distraction outside a conflict"
        lost = {"acted": True} if self.distraction is Distraction.LOSES_TURN else {}
        now = lost if self.round == state.conflict.round else {}
        return state.with_combatant(self.who, distraction=self.distraction, distracted_in=self.round, **now)


class LeftConflict(Open, CharacterEvent, frozen=True, kw_only=True):
    """A combatant fled, surrendered or stood down (SP-8, SP-21)."""

    how: Left
    rule: str = "SP-21"

    def apply(self, state: Adventure) -> Adventure:
        return state.with_combatant(self.who, left=self.how, aiding=None)


class MoraleChecked(Open, AdventureEvent, frozen=True, kw_only=True):
    """The storyteller judged whether a side breaks (SP-21)."""

    because: str
    rule: str = "SP-21"


class ConflictEnded(Open, AdventureEvent, frozen=True, kw_only=True):
    """The conflict is over (SP-21); the sides that still stand."""

    standing: tuple[str, ...]
    outcome: str
    rounds: int
    rule: str = "SP-21"

    def apply(self, state: Adventure) -> Adventure:
        return changed(state, conflict=None)
