"""The course of one casting: what it has chosen so far, and the places that its effects speak of (WO-15)."""

from __future__ import annotations

import dataclasses

from loomtable.engine.kernel.play import Play, Steps
from loomtable.engine.woven.asking import choose_place
from loomtable.engine.woven.effects import Where
from loomtable.engine.woven.events.weaving import NoEffect
from loomtable.engine.woven.regions import RegionKey
from loomtable.engine.woven.spells import Spell
from loomtable.engine.woven.state import Contest, Mage
from loomtable.engine.woven.travel import places_seen, tendril_places


@dataclasses.dataclass
class Casting:
    """One spell while it is being cast; effects write down here what later ones speak of."""

    play: Play[Contest]
    who: str
    spell: Spell
    place: RegionKey | None = None
    """That place: the location that an effect chose."""
    tendril: RegionKey | None = None
    """Where that tendril is: the caster's, which an effect chose or moved."""
    placed: RegionKey | None = None
    """Where the new tendril is."""
    rival: str | None = None
    """That mage: the owner of the tendril that an effect found."""
    rival_tendril: RegionKey | None = None
    again: bool = False
    """Whether another action may follow."""

    @property
    def mage(self) -> Mage:
        """The caster as things stand now."""
        return self.play.state.mages[self.who]

    @property
    def contest(self) -> Contest:
        """The game as it stands now."""
        return self.play.state

    def question(self, words: str) -> str:
        """A question about this casting."""
        return f"{self.spell.name}: {words}"

    def nothing(self, why: str, *, rule: str = "WO-15") -> NoEffect:
        """Say that an effect does nothing."""
        return NoEffect(who=self.who, spell=self.spell.key, why=why, rule=rule)

    def places(self, where: Where) -> tuple[RegionKey, ...]:
        """All locations that ``where`` can mean now, without choosing."""
        if where is Where.THAT_PLACE:
            return () if self.place is None else (self.place,)
        if where is Where.THAT_MAGE:
            rival = None if self.rival is None else self.contest.mages[self.rival]
            return (rival.place,) if rival is not None and rival.on_map else ()
        return places_seen(self.contest, self.mage, where)

    def why_none(self, where: Where) -> str:
        """Why there is no location for an effect, in words."""
        if where in (Where.HERE, Where.ADJACENT) or not self.mage.on_map:
            return f"{self.who} is not on the map"
        if where in (Where.THAT_PLACE, Where.THAT_MAGE):
            return "there is no location left for it"
        return f"{self.who} has no tendril on the map"


def choose_tendril(casting: Casting) -> Steps[RegionKey | None]:
    """One of the caster's tendrils, which becomes that tendril; ``None`` where there is none."""
    places = tendril_places(casting.contest, casting.mage)
    if not places:
        return None
    place = yield from choose_place(casting.play, casting.who, casting.question("which of your tendrils?"), places)
    casting.tendril = place
    return place


def choose_one(casting: Casting, where: Where) -> Steps[RegionKey | None]:
    """One location of ``where``, which becomes that place; ``None`` where there is none."""
    if where is Where.OWN_TENDRIL:
        casting.place = yield from choose_tendril(casting)
        return casting.place
    places = casting.places(where)
    if where is Where.BESIDE_OWN_TENDRIL and places:
        tendril = yield from choose_tendril(casting)
        assert tendril is not None, "a place beside a tendril has a tendril beside it"
        places = casting.contest.ground.neighbours(tendril)
    if not places:
        return None
    casting.place = yield from choose_place(casting.play, casting.who, casting.question("which location?"), places)
    return casting.place


EVERY = (Where.EVERY_OWN_TENDRIL, Where.AROUND_OWN_TENDRILS)
"""Where an effect happens in each location."""


def choose_all(casting: Casting, where: Where) -> Steps[tuple[RegionKey, ...]]:
    """Every location in which an effect happens: several, one that the caster chooses, or none."""
    if where in EVERY:
        return casting.places(where)
    if where is Where.AROUND_OWN_TENDRIL:
        tendril = yield from choose_tendril(casting)
        return () if tendril is None else casting.contest.ground.neighbours(tendril)
    place = yield from choose_one(casting, where)
    return () if place is None else (place,)
