"""What happens in encounters, as events: turns, actions and range bands (WV-23, WV-25)."""

from __future__ import annotations

from loomtable.engine.kernel.play import Open, replace_in
from loomtable.engine.weave.events import FigureEvent, SeasonEvent, figures, forget, replace, with_figure
from loomtable.engine.weave.mechanics import Band, EffectKind, Span
from loomtable.engine.weave.state import TURN_ACTIONS, Boon, Encounter, Season, pair


class EncounterBegun(Open, SeasonEvent, frozen=True, kw_only=True):
    """An encounter begins (WV-23)."""

    encounter: Encounter
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        return replace(state, encounter=self.encounter, opening=False)


class TurnOrderSet(Open, SeasonEvent, frozen=True, kw_only=True):
    """The order of turns is settled (WV-23)."""

    order: tuple[str, ...]
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        assert state.encounter is not None
        return replace(state, encounter=replace(state.encounter, order=self.order, round=1, acting=""))


class TurnBegun(Open, FigureEvent, frozen=True, kw_only=True):
    """Somebody's turn begins, with two actions (WV-23), or as many as effects leave (WV-10).

    What was to last until this turn ends, and so does what waited for it.
    """

    round: int
    actions: int = TURN_ACTIONS
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        assert state.encounter is not None
        turn = replace(state.encounter, acting=self.who, round=self.round, actions_left=self.actions)
        for figure in figures(state):
            left = tuple(b for b in figure.boons if not self._ends(figure.name, b))
            state = with_figure(state, replace(figure, boons=left))
        return replace(state, encounter=turn)

    def _ends(self, who: str, boon: Boon) -> bool:
        waited = who == self.who and boon.do in (EffectKind.GAIN_ACTIONS, EffectKind.LOSE_ACTIONS)
        return waited or (boon.lasts is Span.TURN and boon.by == self.who)


class ActionSpent(Open, FigureEvent, frozen=True, kw_only=True):
    """Actions of a turn were used (WV-23)."""

    actions: int
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        assert state.encounter is not None
        left = state.encounter.actions_left - self.actions
        return replace(state, encounter=replace(state.encounter, actions_left=left))


class ActionsChanged(Open, FigureEvent, frozen=True, kw_only=True):
    """An effect in words gave or took actions of the turn that is being played (WV-23)."""

    by: int
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        assert state.encounter is not None
        left = state.encounter.actions_left + self.by
        return replace(state, encounter=replace(state.encounter, actions_left=left))


class OrderChanged(Open, SeasonEvent, frozen=True, kw_only=True):
    """The storyteller changed the order of turns; whoever acts goes on acting (WV-23)."""

    order: tuple[str, ...]
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        assert state.encounter is not None
        return replace(state, encounter=replace(state.encounter, order=self.order))


class JoinedEncounter(Open, FigureEvent, frozen=True, kw_only=True):
    """Somebody came in late, and acts last (WV-23)."""

    in_order: bool
    """Whether they get turns, once there is an order."""
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        met = state.encounter
        assert met is not None
        waits = met.order and self.in_order and self.who not in met.order
        order = (*met.order, self.who) if waits else met.order
        return replace(state, encounter=replace(met, participants=(*met.participants, self.who), order=order))


class LeftEncounter(Open, FigureEvent, frozen=True, kw_only=True):
    """Somebody is no longer part of the encounter; their turns are passed over (WV-23)."""

    rule: str = "WV-10"

    def apply(self, state: Season) -> Season:
        assert state.encounter is not None
        stay = tuple(n for n in state.encounter.participants if n != self.who)
        return replace(state, encounter=replace(state.encounter, participants=stay))


class BandChanged(Open, FigureEvent, frozen=True, kw_only=True):
    """Two figures are nearer to each other or farther off (WV-25)."""

    other: str
    band: Band
    rule: str = "WV-25"

    def apply(self, state: Season) -> Season:
        assert state.encounter is not None
        bands = replace_in(state.encounter.bands, pair(self.who, self.other), self.band)
        return replace(state, encounter=replace(state.encounter, bands=bands))


class EncounterEnded(Open, SeasonEvent, frozen=True, kw_only=True):
    """The encounter is resolved (WV-23)."""

    resolution: str
    rule: str = "WV-23"

    def apply(self, state: Season) -> Season:
        return replace(forget(state, Span.TURN, Span.ENCOUNTER), encounter=None)
