"""What happens in encounters, as events: turns, actions and range bands (WV-23, WV-25)."""

from __future__ import annotations

from loomtable.engine.kernel.play import Open, changed
from loomtable.engine.weave.cards.mechanics import EffectKind, RangeBand, Span
from loomtable.engine.weave.events.base import FigureEvent, SeasonEvent, figures, forget, with_figure
from loomtable.engine.weave.state import TURN_ACTIONS, Boon, Encounter, Season, pair


def _met(state: Season) -> Encounter:
    assert state.encounter is not None, "an event changed an encounter that is not on"
    return state.encounter


class EncounterBegun(Open, SeasonEvent, frozen=True, kw_only=True):
    """An encounter begins (WV-23)."""

    encounter: Encounter
    anew: bool = False
    """What can be had once in an encounter can be had in this one, whatever was used before it."""
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        for figure in figures(state) if self.anew else ():
            left = {name: span for name, span in figure.spent.items() if span not in (Span.TURN, Span.ENCOUNTER)}
            state = with_figure(state, figure.name, spent=left)
        return changed(state, encounter=self.encounter, opening=False)


class TurnOrderSet(Open, SeasonEvent, frozen=True, kw_only=True):
    """The order of turns is settled (WV-23)."""

    order: tuple[str, ...]
    later: tuple[str, ...] = ()
    """The order from the second round on, where that is another."""
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        return changed(state, "encounter", order=self.order, later=self.later, round=1, acting="")


class TurnBegun(Open, FigureEvent, frozen=True, kw_only=True):
    """Somebody's turn begins, with two actions (WV-23), or as many as effects leave (WV-10).

    What was to last until this turn ends, and so does what waited for it.
    """

    round: int
    actions: int = TURN_ACTIONS
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        for figure in figures(state):
            left = tuple(b for b in figure.boons if not self._ends(figure.name, b))
            state = with_figure(state, figure.name, boons=left)
        spent = {name: span for name, span in state.figure(self.who).spent.items() if span is not Span.TURN}
        state = with_figure(state, self.who, spent=spent)
        return changed(state, "encounter", acting=self.who, round=self.round, actions_left=self.actions, moved=0)

    def _ends(self, who: str, boon: Boon) -> bool:
        waited = who == self.who and boon.do in (EffectKind.GAIN_ACTIONS, EffectKind.LOSE_ACTIONS)
        return waited or (boon.lasts is Span.TURN and boon.by == self.who)


class NobodyActs(Open, SeasonEvent, frozen=True, kw_only=True):
    """Nobody in the order can act, so that it is nobody's turn (WV-9, WV-23)."""

    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        return changed(state, "encounter", acting="", actions_left=0)


class ActionSpent(Open, FigureEvent, frozen=True, kw_only=True):
    """Actions of a turn were used (WV-23)."""

    actions: int
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        return changed(state, "encounter", actions_left=_met(state).actions_left - self.actions)


class ActionsChanged(Open, FigureEvent, frozen=True, kw_only=True):
    """An effect in words gave or took actions of the turn that is being played (WV-23)."""

    by: int
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        return changed(state, "encounter", actions_left=_met(state).actions_left + self.by)


class OrderChanged(Open, SeasonEvent, frozen=True, kw_only=True):
    """The order of turns is another, by a word of the storyteller or an effect; whoever acts goes on (WV-23)."""

    order: tuple[str, ...]
    later: tuple[str, ...] = ()
    """The order from the next round on, where that is another."""
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        return changed(state, "encounter", order=self.order, later=self.later)


class JoinedEncounter(Open, FigureEvent, frozen=True, kw_only=True):
    """Somebody came in late, and acts last (WV-23)."""

    in_order: bool
    """Whether they get turns, once there is an order."""
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        met = _met(state)
        waits = met.order and self.in_order and self.who not in met.order
        order = (*met.order, self.who) if waits else met.order
        later = (*met.later, self.who) if waits and met.later else met.later
        people = (*met.participants, self.who)
        return changed(state, "encounter", participants=people, order=order, later=later)


class LeftEncounter(Open, FigureEvent, frozen=True, kw_only=True):
    """Somebody is no longer part of the encounter; their turns are passed over (WV-23)."""

    rule: str = "WV-10"

    def apply(self, state: Season) -> Season:
        stay = tuple(n for n in _met(state).participants if n != self.who)
        return changed(state, "encounter", participants=stay)


class BandChanged(Open, FigureEvent, frozen=True, kw_only=True):
    """Two figures are nearer to each other or farther off (WV-25)."""

    other: str
    band: RangeBand
    moved: int = 0
    """How many bands of a turn's movement that took."""
    rule: str = "WV-25"

    def apply(self, state: Season) -> Season:
        met = _met(state)
        bands = {**met.bands, pair(self.who, self.other): self.band}
        return changed(state, "encounter", bands=bands, moved=met.moved + self.moved)


class EncounterEnded(Open, SeasonEvent, frozen=True, kw_only=True):
    """The encounter is resolved (WV-23)."""

    resolution: str
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        return changed(forget(state, Span.TURN, Span.ENCOUNTER), encounter=None)
