"""Whose turn it is, and who is on whose side; used by every action that can be taken in an encounter (WV-23)."""

from __future__ import annotations

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.weave.cards.mechanics import EffectKind, RangeBand
from loomtable.engine.weave.encounter.hurt import check_able
from loomtable.engine.weave.events.encounters import ActionSpent
from loomtable.engine.weave.events.figures import BoonsEnded
from loomtable.engine.weave.state import Boon, Encounter, Figure, Npc, Season


def the_encounter(play: Play[Season]) -> Encounter:
    """The encounter that is being played.

    Raises:
        IllegalAction: there is none.
    """
    if play.state.encounter is None:
        raise IllegalAction("there is no encounter; begin one first (Begin encounter)")
    return play.state.encounter


def by_today(play: Play[Season]) -> bool:
    """Whether this is played by what the cards say today, as every new season is (ruling ``cards-edition``)."""
    return play.ruled("cards-edition") == "second"


def can_act(season: Season, who: str) -> bool:
    """Whether somebody takes part in the encounter and is able to: neither out nor gone (WV-9)."""
    figure, met = season.figure(who), season.encounter
    return met is not None and who in met.participants and not (figure.out or figure.left)


def check_season(play: Play[Season], *, between: bool = False) -> None:
    """Refuse what needs a season, and where it is done ``between`` encounters, that none is under way.

    Raises:
        IllegalAction: none has begun, or an encounter has.
    """
    if not play.state.name:
        raise IllegalAction("there is no season yet; begin one first (New season)")
    if between and play.state.encounter is not None:
        raise IllegalAction("an encounter is under way; end it first (End encounter)")


def check_turn(play: Play[Season], figure: Figure, actions: int) -> bool:
    """Whether ``actions`` of a turn have to be spent; NPCs may act between (ruling ``npc-actions``).

    Raises:
        IllegalAction: it is somebody else's turn, or too few actions are left.
    """
    met = play.state.encounter
    if met is None:
        return False
    if isinstance(figure, Npc) and (figure.name not in met.order or play.ruled("npc-actions") == "at-any-time"):
        return False
    if figure.name not in met.participants:
        raise IllegalAction(f"{figure.name} takes no part in the encounter (Join encounter)")
    if not met.acting:
        why = "nobody was left who could act (end-turn)" if met.order else "the order is still being rolled"
        raise IllegalAction(f"it is nobody's turn: {why}")
    if met.acting != figure.name and _between(figure):
        return False
    if met.acting != figure.name:
        raise IllegalAction(f"it is {met.acting}'s turn, not {figure.name}'s")
    if met.actions_left < actions:
        left = "no action" if met.actions_left == 0 else "only one action"
        raise IllegalAction(f"{figure.name} has {left} left in this turn (End turn)")
    return True


def take_action(play: Play[Season], who: str, actions: int = 1) -> Steps[Figure]:
    """The figure that acts, once it has spent its actions; outside of encounters none are counted (WV-23)."""
    check_season(play)
    figure = check_able(play, who)
    met = play.state.encounter
    if check_turn(play, figure, actions):
        yield ActionSpent(who=who, actions=actions)
    elif met is not None and met.acting != who and (free := _between(figure)):
        yield BoonsEnded(who=who, ended=free)
    return figure


def _between(figure: Figure) -> tuple[Boon, ...]:
    """What lets a figure act once out of turn, if anything does (WV-10)."""
    return tuple(b for b in figure.boons if b.do is EffectKind.ACT_BETWEEN)[:1]


def others(play: Play[Season], who: str, *, against: bool, even_out: bool = False) -> tuple[str, ...]:
    """Allies or, ``against``, those on the other side: characters and friendly NPCs here, enemies there.

    In an encounter only those who take part in it, where ``who`` does.
    """
    hostile = is_hostile(play.state.figure(who))
    everyone: list[Figure] = [*play.state.characters.values(), *play.state.npcs.values()]
    met = play.state.encounter
    there = met.participants if met is not None and who in met.participants else None
    return tuple(
        f.name
        for f in everyone
        if f.name != who
        and (there is None or f.name in there)
        and not f.left
        and (even_out or not f.out)
        and ((is_hostile(f) != hostile) if against else (is_hostile(f) == hostile))
    )


def is_hostile(figure: Figure) -> bool:
    """Whether a figure is on the side of the enemies."""
    return isinstance(figure, Npc) and figure.hostile


def near(play: Play[Season], who: str, other: str, within: RangeBand) -> bool:
    """Whether two are no farther from each other than a band; outside of encounters nobody is far (WV-25)."""
    met = play.state.encounter
    if met is None or who == other or not {who, other} <= set(met.participants):
        return True
    bands = list(RangeBand)
    return bands.index(met.band(who, other)) <= bands.index(within)
