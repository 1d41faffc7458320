"""About what a fight of Weave may cost, at once, for sheets as they are now (WV-8, WV-9, WV-18, WV-24).

``loomtable.testing`` plays fights by all the rules, which takes seconds; this takes a blink, counts dice alone,
and tests hold it near what is played. Each attack has its exact chances, and the rest is chance, the same each
time. Everybody is in reach and attacks twice a turn in the suit that promises most: heroes one foe after the
other, foes whom chance names. Nobody heals, moves, or uses what is on a sheet besides its dice.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from loomtable.engine.kernel.play import Game
from loomtable.engine.odds.weave import joint_odds
from loomtable.engine.weave.cards.playset import QualityKind
from loomtable.engine.weave.challenge.tally import EPIC_MARGIN, LOWEST_LEVEL
from loomtable.engine.weave.state import (
    BASE_POOL,
    MOST_WOUNDS,
    STRIKE_TRACK,
    TURN_ACTIONS,
    Character,
    Figure,
    Npc,
    Season,
)
from loomtable.engine.weave.story.scene import boss_comes
from loomtable.engine.weave.suits import Suit

FIGHTS = 400
MOST_ROUNDS = 60
LISTED = 14
"""Successes and Strikes of one attack up to here; what is beyond is too rare to count."""


class Striker(NamedTuple):
    """Somebody who fights: dice bonuses by suit, Wounds, and a track of their own, or 0 for Wounds."""

    bonus: tuple[int, ...]
    wounds: int = 0
    track: int = 0


class EncounterOdds(NamedTuple):
    """How fights came out for the heroes: the share won, Wounds that each took, rounds."""

    won: float
    wounds: float
    rounds: float


def fighter(figure: Figure, *, own_track: bool) -> Striker:
    """A figure as it fights; enemies have their own track by the ruling ``combat-strikes-on-npc``."""
    track = figure.track if isinstance(figure, Npc) and own_track else 0
    return Striker(tuple(figure.dice_bonus(suit) for suit in Suit), figure.wounds, track)


@lru_cache(maxsize=64)
def _throws(pool: int) -> tuple[tuple[tuple[int, int], ...], tuple[float, ...]]:
    """Successes and Strikes of a pool, with their running chances."""
    chances = joint_odds(pool, upto=LISTED).chances
    return tuple(chances), tuple(accumulate(map(float, chances.values())))


@lru_cache(maxsize=512)
def _promise(pool: int, level: int) -> float:
    """The Strikes that an attack deals on average."""
    chances = joint_odds(pool, upto=LISTED).chances.items()
    return float(sum(chance * (1 + s - level) for (s, _), chance in chances if s >= level))


def _way(who: Striker | _Figure, target: Striker | _Figure, suit: int) -> tuple[int, int]:
    """The pool and level of an attack in a suit (WV-17, WV-24)."""
    return max(1, BASE_POOL + who.bonus[suit] - who.wounds), max(
        LOWEST_LEVEL, target.bonus[suit] - who.bonus[suit]
    )


def best_suit(who: Striker | _Figure, target: Striker | _Figure) -> int:
    """The place of the suit in which an attack promises most."""
    return max(range(len(who.bonus)), key=lambda suit: _promise(*_way(who, target, suit)))


@lru_cache(maxsize=4096)
def _best_attack(who: Striker, target: Striker) -> tuple[int, tuple[tuple[int, int], ...], tuple[float, ...]]:
    """The level of the attack that promises most, and what it may throw, with the running chances."""
    pool, level = _way(who, target, best_suit(who, target))
    return level, *_throws(pool)


class _Figure:
    """A fighter in the middle of a fight."""

    def __init__(self, who: Striker) -> None:
        self.bonus, self.track, self.wounds, self.strikes = who.bonus, who.track, who.wounds, 0
        self.out = self.wounds >= MOST_WOUNDS and not self.track
        self._key = Striker(self.bonus, self.wounds)

    def mark(self, strikes: int, wounds: int = 0) -> None:
        self.strikes += strikes
        if self.track:
            self.out = self.strikes >= self.track
            return
        if self.strikes >= STRIKE_TRACK:
            self.strikes, wounds = 0, wounds + 1
        if wounds:
            self.wounds += wounds
            self.out = self.wounds >= MOST_WOUNDS
            self._key = Striker(self.bonus, self.wounds)

    def attack(self, target: _Figure, source: random.Random) -> None:
        level, faces, running = _best_attack(self._key, target._key)
        successes, strikes = faces[bisect(running, source.random() * running[-1], 0, len(faces) - 1)]
        self.mark(strikes, int(successes <= level - EPIC_MARGIN and not self.track))
        if successes >= level:
            target.mark(1 + successes - level)


def _standing(side: Iterable[_Figure]) -> list[_Figure]:
    return [figure for figure in side if not figure.out]


@lru_cache(maxsize=256)
def plain_fight(heroes: tuple[Striker, ...], foes: tuple[Striker, ...], fights: int = FIGHTS) -> EncounterOdds:
    """So many fights of these heroes against these foes, fought out; each side has at least one."""
    source = random.Random(0)
    won = wounds = rounds = 0
    for _ in range(fights):
        ours, theirs = [_Figure(hero) for hero in heroes], [_Figure(foe) for foe in foes]
        order = [(hero, theirs) for hero in ours] + [(foe, ours) for foe in theirs]
        source.shuffle(order)
        for _ in range(MOST_ROUNDS):
            rounds += 1
            for acting, others in order:
                for _ in range(TURN_ACTIONS):
                    against = [] if acting.out else _standing(others)
                    if not against:
                        break
                    acting.attack(against[0] if others is theirs else source.choice(against), source)
            if not (_standing(ours) and _standing(theirs)):
                break
        won += bool(_standing(ours)) and not _standing(theirs)
        wounds += sum(min(hero.wounds, MOST_WOUNDS) for hero in ours) - sum(hero.wounds for hero in heroes)
    return EncounterOdds(won / fights, wounds / fights / len(heroes), rounds / fights)


def fights_ahead(game: Game[Season]) -> Iterator[tuple[list[Npc], EncounterOdds]]:
    """What it may cost those in the scene to fight each enemy there is, all of them at once, and the Boss."""
    season = game.state
    foes = [npc for npc in season.npcs.values() if npc.hostile and not npc.beaten]
    sides = [[foe] for foe in foes] + ([foes] if len(foes) > 1 else [])
    bosses = (laid for laid in season.foundation if laid.kind is QualityKind.BOSS)
    sides += [[boss_comes(laid).npc] for laid in bosses if laid.quality.name not in season.npcs]
    heroes = [season.characters[name] for name in season.present]
    own_track = game.rulings["combat-strikes-on-npc"] == "own-track"
    for side in sides:
        if (fought := expected_of(heroes, side, own_track=own_track)) is not None:
            yield side, fought


def expected_of(heroes: Iterable[Character], foes: Iterable[Npc], *, own_track: bool) -> EncounterOdds | None:
    """What a fight may come to; ``None`` where a side has nobody who can fight."""
    ours = tuple(sorted(fighter(hero, own_track=False) for hero in heroes if not (hero.out or hero.left)))
    theirs = tuple(fighter(foe, own_track=own_track) for foe in foes if not (foe.out or foe.beaten))
    return plain_fight(ours, theirs) if ours and theirs else None
