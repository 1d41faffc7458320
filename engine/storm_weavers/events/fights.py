"""Events of fights, with and without a map."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.play import changed
from loomtable.engine.storm_weavers.events.base import TaleEvent, sheet_of
from loomtable.engine.storm_weavers.plans import Enemy, FightOutcome, MapEnemy, MapFightPlan
from loomtable.engine.storm_weavers.sheet import THYMIN
from loomtable.engine.storm_weavers.squares import Direction, Path, Square
from loomtable.engine.storm_weavers.state import Fight, MapFight, Round, Tale


class FightBegun(TaleEvent, frozen=True, kw_only=True):
    """A fight without a map began (SW-15)."""

    enemy: Enemy
    counts_rounds: bool = False
    rule: str = "SW-15"

    def apply(self, state: Tale) -> Tale:
        return changed(state, fight=Fight(self.enemy, round=Round(1) if self.counts_rounds else None))


class MapFightBegun(TaleEvent, frozen=True, kw_only=True):
    """A fight on a combat map began; everybody stands on the start squares (SW-5)."""

    plan: MapFightPlan
    thymin: Square
    enemies: dict[int, MapEnemy]
    rule: str = "SW-5"

    def apply(self, state: Tale) -> Tale:
        return changed(state, map_fight=MapFight(self.plan, self.thymin, self.enemies))


class RoundBegun(TaleEvent, frozen=True, kw_only=True):
    """A round on the map began (SW-5)."""

    round: int
    rule: str = "SW-5"

    def apply(self, state: Tale) -> Tale:
        return changed(state, "map_fight", round=Round(self.round))


class RoundEnded(TaleEvent, frozen=True, kw_only=True):
    """A round was over: won where injuries were caused and none received (SW-14)."""

    round: int
    caused: int
    received: int
    won: bool
    rule: str = "SW-14"

    def apply(self, state: Tale) -> Tale:
        if state.fight is None:
            return state
        return changed(state, "fight", round=Round(self.round + 1))


class Moved(TaleEvent, frozen=True, kw_only=True):
    """Somebody moved on the map (SW-6, SW-7); ``number`` is 0 for Thymin."""

    who: str
    number: int
    start: Square
    path: Path
    shortest: int = 0
    """For an enemy: the squares of its whole way to Thymin."""
    equally_short: int = 1
    """For an enemy: how many ways were as short; the first by north, east, south, west is taken."""
    barred: bool = False
    """For an enemy: no way leads to Thymin, and it goes as near as it can."""
    away: bool = False
    """For an enemy: it keeps away from Thymin, or flees."""
    rule: str = "SW-6"

    def apply(self, state: Tale) -> Tale:
        return _put(state, self.number, self.path[-1])


class Waited(TaleEvent, frozen=True, kw_only=True):
    """An enemy found no way to come nearer (SW-7)."""

    who: str
    rule: str = "SW-7"


class Roused(TaleEvent, frozen=True, kw_only=True):
    """Thymin attacked an enemy that had left him in peace (SW-7)."""

    who: str
    number: int
    rule: str = "SW-7"

    def apply(self, state: Tale) -> Tale:
        return changed(state, "map_fight", "enemies", self.number, peaceful=False)


class Charged(TaleEvent, frozen=True, kw_only=True):
    """Somebody attacks with a charge (SW-12)."""

    who: str
    direction: Direction
    rule: str = "SW-12"


class Flanked(TaleEvent, frozen=True, kw_only=True):
    """Several enemies stand beside Thymin while Attack and Defence are compared (SW-13)."""

    enemies: int
    lost: int
    rule: str = "SW-13"


class Exchanged(TaleEvent, frozen=True, kw_only=True):
    """Attack and Defence were compared (SW-8); ``winner`` is empty on a tie."""

    attacker: str
    attack: int
    defence: int
    winner: str
    injuries: int
    rule: str = "SW-8"

    def apply(self, state: Tale) -> Tale:
        return _counted(state)


class CunningStrikeMade(TaleEvent, frozen=True, kw_only=True):
    """Thymin tried a Cunning Strike (SW-11)."""

    passed: bool
    rule: str = "SW-11"

    def apply(self, state: Tale) -> Tale:
        return _counted(state)


class Injured(TaleEvent, frozen=True, kw_only=True):
    """Somebody lost Health in a fight (SW-9); ``number`` is the enemy's on a map."""

    who: str
    injuries: int
    number: int = 0
    rule: str = "SW-9"

    def apply(self, state: Tale) -> Tale:
        if self.who == THYMIN:
            hurt = changed(state, "thymin", health=sheet_of(state).health - self.injuries)
            return _scored(hurt, received=self.injuries)
        if state.fight is not None:
            hurt = changed(state, "fight", "enemy", health=state.fight.enemy.health - self.injuries)
        else:
            left = _map_fight(state).enemies[self.number].health - self.injuries
            hurt = changed(state, "map_fight", "enemies", self.number, health=left)
        return _scored(hurt, caused=self.injuries)


class PushedOut(TaleEvent, frozen=True, kw_only=True):
    """Somebody was pushed over the map (SW-10); ``number`` is 0 for Thymin.

    ``stopped_by`` says what stood in the way, and is empty where nothing did.
    """

    who: str
    number: int
    start: Square
    path: Path
    stopped_by: str = ""
    rule: str = "SW-10"

    def apply(self, state: Tale) -> Tale:
        return _put(state, self.number, self.path[-1]) if self.path else state


class FightEnded(TaleEvent, frozen=True, kw_only=True):
    """A fight came to its end (SW-5, SW-15); with no exchanges, one that held before it began."""

    enemy: str
    won: bool
    exchanges: int
    outcome: FightOutcome
    at: int = 0
    rule: str = "SW-15"

    def apply(self, state: Tale) -> Tale:
        return changed(state, fight=None, map_fight=None)


def _map_fight(state: Tale) -> MapFight:
    assert state.map_fight is not None, "an event changed a fight that is not on"
    return state.map_fight


def _put(state: Tale, number: int, square: Square) -> Tale:
    """The figure put on a square; 0 is Thymin's."""
    if number == 0:
        return changed(state, "map_fight", thymin=square)
    return changed(state, "map_fight", "enemies", number, square=square)


def _counted(state: Tale) -> Tale:
    """One more exchange, in a fight that counts them."""
    if state.fight is None:
        return state
    return changed(state, "fight", exchange=state.fight.exchange + 1)


def _scored(state: Tale, *, caused: int = 0, received: int = 0) -> Tale:
    """Injuries counted for the round, in whichever fight is on (SW-14)."""
    on: Any = state.fight or state.map_fight
    if on is None or on.round is None:
        return state
    where = "fight" if state.fight is not None else "map_fight"
    counted = {"caused": on.round.caused + caused, "received": on.round.received + received}
    return changed(state, where, "round", **counted)
