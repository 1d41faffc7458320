"""Strikes, Wounds and healing."""

from __future__ import annotations

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.weave.events.figures import EnemyBeaten, LeftScene, StrikesMarked, WoundHealed, WoundMarked
from loomtable.engine.weave.state import MOST_WOUNDS, STRIKE_TRACK, ChallengeOutcome, Figure, Npc, Season

OUT = "three Wounds"


def check_able(play: Play[Season], who: str) -> Figure:
    """The figure of this name, if it can act in this scene.

    Raises:
        IllegalAction: nobody of that name, or it is out of the scene or the season (WV-9).
    """
    figure = play.state.figure(who)
    if figure.left:
        raise IllegalAction(f"{who} has left the season")
    if isinstance(figure, Npc) and figure.beaten:
        raise IllegalAction(f"{who} is beaten and cannot go on")
    if figure.out:
        raise IllegalAction(f"{who} has three Wounds and cannot go on until one is healed (WV-9)")
    return figure


def _own_track(play: Play[Season], figure: Figure) -> bool:
    return isinstance(figure, Npc) and play.ruled("combat-strikes-on-npc") == "own-track"


def bear(play: Play[Season], who: str, strikes: int, outcome: ChallengeOutcome) -> Steps[None]:
    """Mark what a Challenge cost: the Wound of an epic fail, and Strikes (WV-8, WV-18)."""
    failed = outcome is ChallengeOutcome.EPIC_FAIL
    if failed:
        yield from wound(play, who, "an epic fail", rule="WV-18")
    if not (failed and play.ruled("epic-fail-wound-and-strikes") == "wound-only"):
        yield from mark_strikes(play, who, strikes)


def mark_strikes(play: Play[Season], who: str, strikes: int, *, rule: str = "WV-8") -> Steps[None]:
    """Ten Strikes are a Wound, and the track starts again (WV-8); an enemy may have its own track (WV-24)."""
    figure = play.state.figure(who)
    if not strikes:
        return
    if _own_track(play, figure):
        assert isinstance(figure, Npc)
        track = min(figure.strikes + strikes, figure.track)
        yield StrikesMarked(who=who, strikes=strikes, track=track, rule=rule)
        if track == figure.track and not figure.beaten:
            yield EnemyBeaten(who=who)
        return
    wounds, track = divmod(figure.strikes + strikes, STRIKE_TRACK)
    if wounds and play.ruled("strikes-overflow") == "stops-at-10":
        wounds, track = 1, 0
    yield StrikesMarked(who=who, strikes=strikes, track=track, rule=rule)
    for _ in range(wounds):
        yield from wound(play, who, "the tenth Strike", rule="WV-8")


def wound(play: Play[Season], who: str, because: str, *, rule: str) -> Steps[None]:
    """Mark a Wound; with the third the figure is out of the scene, and there is no fourth (WV-9)."""
    figure = play.state.figure(who)
    if figure.wounds >= MOST_WOUNDS or _own_track(play, figure):
        return
    yield WoundMarked(who=who, because=because, rule=rule)
    if figure.wounds + 1 == MOST_WOUNDS:
        yield LeftScene(who=who)


def heal_wounds(play: Play[Season], who: str, wounds: int) -> Steps[None]:
    """Heal so many Wounds, as far as there are any (WV-21)."""
    for _ in range(min(wounds, play.state.figure(who).wounds)):
        yield WoundHealed(who=who)
