"""Destroyed bodies, and how a game is decided (WO-14, ruling ``win-condition``)."""

from __future__ import annotations

from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.woven.events.beginning import ContestWon, PointsScored
from loomtable.engine.woven.events.ground import BodyDestroyed
from loomtable.engine.woven.events.weaving import TapestryDiscarded
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.tapestries import lay_first_card

BODIES_TO_WIN = 2
POINTS_TO_WIN = 15


def destroy_body(play: Play[Contest], who: str, *, by: str) -> Steps[None]:
    """A mage's body is destroyed by an attack of ``by``; that may decide the game (WO-14)."""
    yield BodyDestroyed(who=who, by=by)
    if by != who and not play.state.winners:
        needed = _kills_to_win(play)
        if needed and play.state.mages[by].kills >= needed:
            because = "first to destroy another's body" if needed == 1 else "first to destroy a body twice"
            yield ContestWon(winners=(by,), because=because)
    if play.ruled("death-tapestry") == "discarded" and not play.state.winners:
        yield TapestryDiscarded(who=who)
        yield from lay_first_card(play, who, rule="WO-14")


def _kills_to_win(play: Play[Contest]) -> int:
    """So many destroyed bodies decide the game at once; 0 where they do not."""
    match play.ruled("win-condition"):
        case "first-kill":
            return 1
        case "bodies" if len(play.state.mages) == BODIES_TO_WIN:
            return BODIES_TO_WIN
    return 0


def cities_held(contest: Contest, who: str) -> tuple[str, ...]:
    """The cities in which a mage has a tendril."""
    return tuple(city for city in contest.ground.cities if city in contest.mages[who].tendrils)


def all_cities(play: Play[Contest]) -> Steps[None]:
    """Somebody who holds every city wins at once (ruling ``win-condition``)."""
    contest = play.state
    if play.ruled("win-condition") != "city-control" or not contest.ground.cities or contest.winners:
        return
    for who in contest.mages:
        if len(cities_held(contest, who)) == len(contest.ground.cities):
            yield ContestWon(winners=(who,), because="a tendril in every city")
            return


def count_cities(play: Play[Contest], who: str) -> Steps[None]:
    """Points for cities at the end of one's own turn (ruling ``win-condition``)."""
    if play.ruled("win-condition") != "city-control":
        return
    points = len(cities_held(play.state, who))
    if points:
        yield PointsScored(who=who, points=points)
        if play.state.mages[who].points >= POINTS_TO_WIN:
            yield ContestWon(winners=(who,), because=f"{POINTS_TO_WIN} points for cities")


def last_round_over(play: Play[Contest]) -> Steps[None]:
    """After the last round, most destroyed bodies win, or most points for cities; equals share it."""
    contest = play.state
    by_cities = play.ruled("win-condition") == "city-control"
    scores = {who: mage.points if by_cities else mage.kills for who, mage in contest.mages.items()}
    most = max(scores.values())
    most_of = "points for cities" if by_cities else "bodies destroyed"
    because = f"most {most_of} after {how_many(contest.round, 'round', 'rounds')}"
    yield ContestWon(winners=tuple(who for who, score in scores.items() if score == most), because=because)
