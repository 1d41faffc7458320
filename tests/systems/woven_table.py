"""A table of Woven for tests: mages where they are wanted, and spells one thread away from being cast."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import msgspec

from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.play import Action, Event, Game, Playthrough
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.woven.cards import CardSide, tapestry_cards
from loomtable.engine.woven.patterns import castable
from loomtable.engine.woven.region_map import map_names, region_map
from loomtable.engine.woven.regions import MapEdge, RegionKey, RegionMap, Terrain
from loomtable.engine.woven.rules import WOVEN
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.state import MANA, Contest, Mage, Turn
from loomtable.engine.woven.tapestry import CardPlacement, Spot, Tapestry

EDGES = (MapEdge.SOUTH, MapEdge.NORTH)


def ground() -> RegionMap:
    """The map on which the tests play."""
    return region_map(map_names()[0])


# Places on the map, found by what they are


def road(length: int, start: RegionKey = "") -> list[RegionKey]:
    """So many plain-sailing regions in a row: no Water, no river between them, each further from the first."""
    land = ground()

    def longer(way: list[RegionKey]) -> list[RegionKey] | None:
        if len(way) == length:
            return way
        for end in land.neighbours(way[-1]):
            dry = land.region(end).terrain is not Terrain.WATER and not land.river_between(way[-1], end)
            if dry and land.within(way[0], len(way)).get(end) == len(way) and (found := longer([*way, end])):
                return found
        return None

    starts = [start] if start else [r.key for r in land.regions if r.terrain is not Terrain.WATER]
    return next(way for begin in starts if (way := longer([begin])))


def beside(terrain: Terrain) -> tuple[RegionKey, RegionKey]:
    """A region of land, and one of this terrain next to it with no river between them."""
    land = ground()
    return next(
        (r.key, end)
        for r in land.regions
        if r.terrain is not Terrain.WATER
        for end in land.neighbours(r.key)
        if land.region(end).terrain is terrain and not land.river_between(r.key, end)
    )


def across_river() -> tuple[RegionKey, RegionKey]:
    """Two regions of land with a river between them."""
    land = ground()
    return next(
        (r.key, end)
        for r in land.regions
        for end in land.neighbours(r.key)
        if land.river_between(r.key, end) and Terrain.WATER not in (r.terrain, land.region(end).terrain)
    )


# Tapestries


@cache
def nearly_woven(*keys: str) -> tuple[Tapestry, tuple[Spot, ...]]:
    """A tapestry with all threads but one of each of these spells' patterns, and the box of each last thread."""
    source = random.Random("/".join(keys))
    numbers = sorted(tapestry_cards())
    for _ in range(20_000):
        woven = _stacked(source, numbers, source.randint(1, 8))
        last: list[Spot] = []
        for key in keys:
            found = castable(woven, [spell_named(key)], 2)
            if not found:
                break
            *laid, final = found[0].place
            if final in woven.threads or final in last or any(spot in last for spot in laid):
                break
            for spot in laid:
                woven = woven.with_thread(spot)
            last.append(final)
        else:
            return woven, tuple(last)
    raise AssertionError(f"no tapestry was found for {keys}")


def _stacked(source: random.Random, numbers: list[int], count: int) -> Tapestry:
    woven = Tapestry()
    for card in source.sample(numbers, count):
        ways = woven.legal_placements(card)
        woven, _ = woven.with_card(source.choice(ways))
    return woven


def one_card(card: int = 1, side: CardSide = CardSide.A) -> Tapestry:
    """A tapestry of one card."""
    return Tapestry((CardPlacement(card, side, Spot(0, 0)),))


class Table:
    """A game in which everything stands as a test wants it; the computer deals."""

    def __init__(self, turn: str = "Ada", *, rulings: Mapping[str, str] | None = None, **mages: Any) -> None:
        edges = EDGES if len(mages) == len(EDGES) else (None,) * len(mages)
        self.last: dict[tuple[str, str], Spot] = {}
        made = {
            name: self._mage(name, edge, number, **wanted)
            for number, ((name, wanted), edge) in enumerate(zip(mages.items(), edges, strict=True), start=1)
        }
        used = {p.card for mage in made.values() for p in mage.tapestry.placements}
        contest = Contest(
            map=map_names()[0],
            mages=made,
            stack=Deck("test", tuple(n for n in tapestry_cards() if n not in used)),
            turn=Turn(turn),
            round=1,
        )
        rules = {**WOVEN.rulings.defaults(), "decks": "dealt", **(rulings or {})}
        self.through = Playthrough(Game(contest, rules), "test", WOVEN.start)
        self.events: list[Event] = []

    def _mage(
        self,
        name: str,
        edge: MapEdge | None,
        number: int,
        *,
        casts: tuple[str, ...] = (),
        charges: Mapping[str, int] = MappingProxyType({}),
        threads: int = 0,
        pool: int | None = None,
        **wanted: Any,
    ) -> Mage:
        """A mage. ``casts`` are hidden spells that one thread completes; ``charges`` lie on spells that are shown.

        ``threads`` lie on the one card of a mage who casts nothing; mana that is not in the ``pool`` is spent.
        """
        woven: Tapestry = wanted.pop("tapestry", one_card(number))
        for spot in woven.free_boxes()[:threads]:
            woven = woven.with_thread(spot)
        if casts:
            woven, lasts = nearly_woven(*casts)
            self.last |= {(name, key): spot for key, spot in zip(casts, lasts, strict=True)}
        mage = Mage(
            name,
            edge=edge,
            home_card=None if edge else number,
            pool=0,
            tapestry=woven,
            hand=wanted.pop("hand", casts),
            shown=tuple(charges),
            charges=dict(charges),
            **wanted,
        )
        left = MANA - mage.mana
        filled = left if pool is None else pool
        assert 0 <= filled <= left, f"{name} cannot have {filled} in the pool"
        return msgspec.structs.replace(mage, pool=filled, spent=left - filled)

    @property
    def contest(self) -> Contest:
        return self.through.game.state

    def mage(self, name: str) -> Mage:
        return self.contest.mages[name]

    def change(self, **values: Any) -> None:
        """Put other values of the contest as a test wants them, while nothing is asked."""
        game = self.through.game
        changed = msgspec.structs.replace(game.state, **values)
        self.through = Playthrough(Game(changed, game.rulings), "test", WOVEN.start)

    @property
    def asked(self) -> str:
        """What is asked, of whom: ``"Ben: Keep the tendril in Sloefold?"``; empty where nothing is."""
        pending = self.through.pending
        return f"{pending.by}: {pending.purpose}" if pending else ""

    @property
    def options(self) -> list[str]:
        """The keys that can be chosen now."""
        assert isinstance(self.through.pending, Choose), self.asked
        return [option.key for option in self.through.pending.options]

    def do(self, name: str, *answers: str | tuple[str, ...], **args: Any) -> list[Event]:
        """An action and answers to what it asks; returns what happened."""
        before = len(self.events)
        self.events += self.through.perform(Action(name, args))
        self.answer(*answers)
        return self.events[before:]

    def answer(self, *answers: str | tuple[str, ...]) -> None:
        """Answers one after another: a key, or several keys at once."""
        for given in answers:
            self.events += self.through.answer(ChoiceReading((given,) if isinstance(given, str) else given))

    def cast(self, spell: str, *answers: str | tuple[str, ...], who: str = "Ada") -> list[Event]:
        """Place the last thread of a spell, cast it, and answer what it asks; returns what happened."""
        return self.do("place-thread", spell, *answers, who=who, at=list(self.last[who, spell]))

    def story(self) -> str:
        """Everything that happened, in sentences."""
        return "\n".join(WOVEN.tell(event, self.through.game) for event in self.events)
