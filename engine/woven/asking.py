"""Questions that several rules of Woven ask: which place, which of two, how many. Options read well aloud."""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.requests import Choose, Option
from loomtable.engine.woven.regions import RegionKey
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.tapestry import Spot

NO = "no"
YES = "yes"
STAY = "stay"


def place_label(contest: Contest, place: RegionKey) -> str:
    """``"Hollow Fen (forest)"``."""
    region = contest.ground.region(place)
    return f"{region.name} ({region.terrain})"


def spot_key(spot: Spot) -> str:
    """A spot of a tapestry as it is typed: ``"2/-1"`` is column 2, row -1."""
    return f"{spot[0]}/{spot[1]}"


def spot_label(spot: Spot) -> str:
    """A spot of a tapestry as it is read aloud."""
    return f"Column {spot[0]}, row {spot[1]}"


def choose_place(
    play: Play[Contest], who: str, purpose: str, places: Sequence[RegionKey], *, rule: str = "WO-15"
) -> Steps[RegionKey]:
    """One of these locations; nobody is asked where there is only one."""
    if len(places) == 1:
        return places[0]
    options = tuple(Option(place, place_label(play.state, place)) for place in places)
    return (yield from ask(Choose(purpose, options, by=who, rule=rule))).key


def may_choose_place(
    play: Play[Contest],
    who: str,
    purpose: str,
    places: Sequence[RegionKey],
    instead: Option,
    *,
    rule: str = "WO-15",
) -> Steps[RegionKey | None]:
    """One of these locations, or ``None`` for the option ``instead``."""
    if not places:
        return None
    options = tuple(Option(place, place_label(play.state, place)) for place in places)
    key = (yield from ask(Choose(purpose, (*options, instead), by=who, rule=rule))).key
    return None if key == instead.key else key


def choose_mage(who: str, purpose: str, mages: Sequence[str]) -> Steps[str]:
    """One of these mages; nobody is asked where there is only one."""
    if len(mages) == 1:
        return mages[0]
    options = tuple(Option(str(place), name) for place, name in enumerate(mages, start=1))
    return mages[int((yield from ask(Choose(purpose, options, by=who, rule="WO-15"))).key) - 1]


def says_yes(who: str, purpose: str, yes: str, no: str, *, rule: str) -> Steps[bool]:
    """Whether a player wants something."""
    question = Choose(purpose, (Option(YES, yes), Option(NO, no)), by=who, rule=rule)
    return (yield from ask(question)).key == YES
