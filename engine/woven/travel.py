"""Where mages may go: costs, rivers, Water and the barriers of others. Pure; nobody is asked (WO-5, WO-15)."""

from __future__ import annotations

from collections.abc import Collection

from loomtable.engine.kernel.play import Play
from loomtable.engine.woven.effects import BlockEntry, PassTerrain, Where
from loomtable.engine.woven.regions import RIVER_COST, RegionKey, Terrain
from loomtable.engine.woven.state import Contest, Mage


def tendril_places(contest: Contest, mage: Mage) -> tuple[RegionKey, ...]:
    """The locations of a mage's tendrils, in the order of the map."""
    return tuple(region.key for region in contest.ground.regions if region.key in mage.tendrils)


def places_seen(contest: Contest, mage: Mage, where: Where) -> tuple[RegionKey, ...]:
    """All locations that ``where`` can mean for a mage, in the order of the map."""
    near = contest.ground.neighbours
    match where:
        case Where.HERE:
            found = {mage.place} if mage.on_map else set()
        case Where.ADJACENT:
            found = set(near(mage.place)) if mage.on_map else set()
        case Where.OWN_TENDRIL | Where.EVERY_OWN_TENDRIL:
            found = set(mage.tendrils)
        case Where.BESIDE_OWN_TENDRIL | Where.AROUND_OWN_TENDRIL | Where.AROUND_OWN_TENDRILS:
            found = {place for tendril in mage.tendrils for place in near(tendril)}
        case Where.THAT_PLACE | Where.THAT_MAGE:
            found = set()
    return tuple(region.key for region in contest.ground.regions if region.key in found)


def barred_by(contest: Contest, who: str, place: RegionKey) -> str:
    """The other mage whose charged spell keeps ``who`` out of a location; empty where nobody does (WO-15)."""
    for name, other in contest.mages.items():
        for _, effect in other.standing(BlockEntry):
            if name != who and place in places_seen(contest, other, effect.where):
                return name
    return ""


def passes_rivers(mage: Mage) -> bool:
    """Whether a charged spell lets the mage cross rivers."""
    return any(effect.rivers for _, effect in mage.standing(PassTerrain))


def passes_terrain(mage: Mage, terrain: Terrain) -> bool:
    """Whether a charged spell lets the mage enter this terrain."""
    return any(terrain in effect.terrain for _, effect in mage.standing(PassTerrain))


def step_trouble(
    play: Play[Contest],
    who: str,
    start: RegionKey,
    end: RegionKey,
    *,
    by_spell: bool,
    only: Collection[Terrain] = (),
) -> str:
    """Why a mage cannot step into an adjacent location, in words; empty where the mage can.

    A paid move pays for a river; a move by a spell is stopped by it (WO-5, WO-15).
    """
    contest = play.state
    ground, mage = contest.ground, contest.mages[who]
    there = ground.region(end)
    if not ground.adjacent(start, end):
        return f"{there.name} is not adjacent to {ground.region(start).name}"
    owner = barred_by(contest, who, end)
    if owner:
        return f"a barrier of {owner} bars the way into {there.name}"
    if not by_spell:
        return ""
    if only and there.terrain not in only:
        return f"{there.name} is {there.terrain}, not {' or '.join(only)}"
    if ground.river_between(start, end) and not passes_rivers(mage):
        return f"a river bars the way into {there.name}"
    barred = play.ruled("spell-move-water") == "barred" and not passes_terrain(mage, there.terrain)
    return f"{there.name} is Water" if there.terrain is Terrain.WATER and barred else ""


def within_steps(
    play: Play[Contest], who: str, steps: int, *, only: Collection[Terrain] = ()
) -> tuple[RegionKey, ...]:
    """Where a mage can be after at most so many steps by a spell, the start left out, nearest first (WO-15)."""
    start = play.state.mages[who].place
    reached = play.state.ground.within(
        start,
        steps,
        may_step=lambda one, other: not step_trouble(play, who, one, other, by_spell=True, only=only),
    )
    return tuple(sorted((p for p in reached if p != start), key=lambda place: (reached[place], place)))


def paid_cost(play: Play[Contest], who: str, start: RegionKey, end: RegionKey) -> int:
    """Mana for a move into an adjacent location, with what charged spells change about it (WO-5, WO-15)."""
    ground, mage = play.state.ground, play.state.mages[who]
    cost = ground.step_cost(start, end)
    if play.ruled("moccasins-cost") == "as-usual":
        return cost
    terrain = ground.region(end).terrain
    if passes_terrain(mage, terrain):
        cost -= max(0, terrain.cost - Terrain.PLAINS.cost)
    if ground.river_between(start, end) and passes_rivers(mage):
        cost -= RIVER_COST
    return cost


def easing_spell(play: Play[Contest], who: str, start: RegionKey, end: RegionKey) -> str:
    """The charged spell that makes a paid move cheaper than it is for others; empty where none does (WO-15)."""
    if paid_cost(play, who, start, end) == play.state.ground.step_cost(start, end):
        return ""
    return next(spell.key for spell, _ in play.state.mages[who].standing(PassTerrain))


def stands_on_the_edge(play: Play[Contest], mage: Mage) -> bool:
    """Whether a mage is about to begin a game of two from a location of the edge (ruling ``first-move``)."""
    fresh = mage.edge is not None and not mage.on_map and not mage.destroyed
    return fresh and play.ruled("first-move") == "stands-there"


def return_trouble(play: Play[Contest], who: str, place: RegionKey) -> str:
    """Why a mage cannot come onto the map there, in words; empty where the mage can (WO-2, WO-14)."""
    contest = play.state
    mage = contest.mages[who]
    homes = contest.home_of(mage)
    name = contest.ground.region(place).name
    if place not in homes:
        own = "their own edge of the map" if mage.edge else "the place of their own home card"
        return f"{who} comes onto the map at {own}, and {name} is not there"
    owner = barred_by(contest, who, place)
    if owner and play.ruled("barrier-and-astral") == "all-barred":
        return f"a barrier of {owner} bars the way into {name}"
    return ""


def teleport_trouble(play: Play[Contest], who: str, place: RegionKey) -> str:
    """Why a mage cannot teleport there, in words; empty where the mage can (WO-15)."""
    owner = barred_by(play.state, who, place)
    if owner and play.ruled("barrier-and-astral") != "open":
        return f"a barrier of {owner} bars the way into {play.state.ground.region(place).name}"
    return ""
