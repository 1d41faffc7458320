"""About what a fight of Spellwoven may cost, at once, for sheets as they are now (SP-2, SP-10 to SP-18).

``loomtable.testing`` plays fights by all the rules, which takes seconds; this takes a blink, and tests hold it
near what is played. Each attack has its exact chances, and the rest is chance, the same each time. Everybody is in
reach and acts once a round by initiative, with the weapon that wounds most: heroes against one foe after the
other, the easiest to hit first, foes against whom chance names. Effort is spent where one or two turn a miss into
a hit. Nobody uses a talent, tends, talks or flees; a shield catches what it can.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate, permutations
from typing import NamedTuple

from loomtable.engine.odds.spellwoven import AttackOdds, attack_odds, wound_odds
from loomtable.engine.spellwoven.attribute_tests import DICE
from loomtable.engine.spellwoven.levels import LEVELS, Levels, Severity, landing, stacked
from loomtable.engine.spellwoven.people import PARTY
from loomtable.engine.spellwoven.state import Adventure, Character
from loomtable.engine.spellwoven.strike import EVASION_SLOTS

FIGHTS = 400
MOST_ROUNDS = 60
MOST_EFFORT = 2
"""To turn a miss into a hit."""
Blow = tuple[Severity | None, bool, int]
"""The wound of an attack, or nothing for a miss; whether it goes past armour and shield; the Effort it takes."""


class Reserves(NamedTuple):
    """What somebody can still take."""

    wounds: Levels
    marked: Levels
    """Soak that is used up."""
    shield: int


class Warrior(NamedTuple):
    """What counts of somebody in such a fight."""

    initiative: float
    defence: int
    attacks: tuple[tuple[int, int], ...]
    """The rating and Menace of each way to attack."""
    effort: int
    slots: Levels
    soak: Levels
    body: Reserves


class ConflictOdds(NamedTuple):
    """How fights came out: the share that the heroes won, how many of them fell on average, rounds."""

    won: float
    fell: float
    rounds: float


def fighter(who: Character) -> Warrior:
    """A character as it is now."""
    skills = ("manoeuvre", "quickness") if who.is_player_character else ("prowess",)
    rating = next((who.ratings[skill] for skill in skills if skill in who.ratings), 0)
    initiative = rating + DICE * (rating + 1) / 10  # a die at the rating or under it, and a 1 counts twice
    defence = max(0, who.quickness_defence - stacked(*who.worn).total // EVASION_SLOTS)
    attacks = tuple(
        (who.ratings.get(use.skill, 0), weapon.menace) for weapon in who.weapons for use in weapon.uses
    )
    body = Reserves(who.wounds, who.soak_marked, who.shield.left if who.shield else 0)
    return Warrior(initiative, defence, attacks or ((0, 1),), who.effort, who.wound_slots, who.soak_slots, body)


@lru_cache(maxsize=1024)
def _blows(attacks: tuple[tuple[int, int], ...], defence: int) -> tuple[tuple[Blow, ...], tuple[float, ...]]:
    """What the weapon that wounds most may do, with its running chances."""
    best = max(
        (attack_odds(skill, defence, menace, effort=MOST_EFFORT) for skill, menace in attacks), key=_graveness
    )
    wounds = wound_odds(best.menace)
    hits = [float(line.hit) for line in best.with_effort]
    chances: dict[Blow, float] = {(None, False, 0): 1 - hits[-1]}
    for severity, chance in best.severities.items():
        chances[severity, True, 0] = float(best.pierces[severity])
        chances[severity, False, 0] = float(chance - best.pierces[severity])
        for cost in range(1, MOST_EFFORT + 1):
            chances[severity, False, cost] = (hits[cost] - hits[cost - 1]) * float(wounds.severities[severity])
    return tuple(chances), tuple(accumulate(chances.values()))


def _graveness(odds: AttackOdds) -> float:
    return float(sum(at * odds.severities[severity] for at, severity in enumerate(LEVELS, start=1)))


@lru_cache(maxsize=65536)
def _struck(target: Warrior, body: Reserves, blow: Blow) -> Reserves | None:
    """The body after a blow; ``None`` once it has fallen (SP-12, SP-13, SP-15, SP-18)."""
    severity, pierces, _ = blow
    if severity is None or severity is Severity.GLANCE:
        return body
    if not pierces and body.shield:
        return body._replace(shield=body.shield - 1)
    if not pierces and body.marked.at(severity) < target.soak.at(severity):
        return body._replace(marked=body.marked.plus(severity))
    level = landing(target.slots, body.wounds, severity)
    if level is None or level in (Severity.FELLING, Severity.MORTAL):
        return None
    return body._replace(wounds=body.wounds.plus(level))


@lru_cache(maxsize=256)
def plain_fight(heroes: tuple[Warrior, ...], foes: tuple[Warrior, ...], fights: int = FIGHTS) -> ConflictOdds:
    """So many fights of these heroes against these foes, fought out; each side has at least one."""
    source = random.Random(0)
    everybody = (*heroes, *foes)
    order = sorted(range(len(everybody)), key=lambda at: -everybody[at].initiative)
    throws = {
        (at, target): _blows(everybody[at].attacks, everybody[target].defence)
        for at, target in permutations(range(len(everybody)), 2)
    }
    won = fell = rounds = 0
    for _ in range(fights):
        sides: tuple[dict[int, Reserves], dict[int, Reserves]] = (
            {at: hero.body for at, hero in enumerate(heroes)},
            {at: foe.body for at, foe in enumerate(foes, start=len(heroes))},
        )
        effort = [each.effort for each in everybody]
        for _ in range(MOST_ROUNDS):
            rounds += 1
            for at in order:
                mine, theirs = sides if at < len(heroes) else sides[::-1]
                if at not in mine or not theirs:
                    continue
                target = next(iter(theirs)) if mine is sides[0] else source.choice(list(theirs))
                blows, running = throws[at, target]
                blow = blows[bisect(running, source.random() * running[-1], 0, len(blows) - 1)]
                if blow[2] > effort[at]:
                    continue
                effort[at] -= blow[2]
                if blow[0] is None:
                    continue
                after = _struck(everybody[target], theirs[target], blow)
                if after is None:
                    del theirs[target]
                else:
                    theirs[target] = after
            if not all(sides):
                break
        won += not sides[1]
        fell += len(heroes) - len(sides[0])
    return ConflictOdds(won / fights, fell / fights, rounds / fights)


def fight_ahead(adventure: Adventure) -> tuple[list[Character], list[Character], ConflictOdds] | None:
    """The heroes, everybody else who is there, and what it may cost to fight them; ``None`` where it cannot be."""
    able = [who for who in adventure.characters.values() if not (who.dead or who.incapacitated)]
    heroes = [who for who in able if who.is_player_character]
    foes = [who for who in able if not who.is_player_character and who.side != PARTY]
    fought = expected_of(heroes, foes) if adventure.conflict is None else None
    return None if fought is None else (heroes, foes, fought)


def expected_of(heroes: Iterable[Character], foes: Iterable[Character]) -> ConflictOdds | None:
    """What a fight may come to; ``None`` where a side has nobody who can fight."""
    ours, theirs = (
        tuple(fighter(who) for who in side if not (who.dead or who.incapacitated)) for side in (heroes, foes)
    )
    easiest = tuple(sorted(theirs, key=lambda foe: foe.defence))
    return plain_fight(ours, easiest) if ours and theirs else None
