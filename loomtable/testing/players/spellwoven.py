"""Spellwoven: how a conflict is played, by all sides (SP-2, SP-6 to SP-18).

Whoever is due attacks with the weapon that promises the gravest wound: heroes the foe who is easiest to hit and
most hurt, foes an opponent whom chance names. Out of reach, they load or come nearer. One or two Effort are spent
where they turn a miss into a hit. A talent that is offered is used, and a shield catches all but glances. Nobody
tends, talks or flees.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from loomtable.engine.kernel.play import Action, Game, Play
from loomtable.engine.kernel.readings import ChoiceReading, NumberReading
from loomtable.engine.kernel.requests import Choose, EnterNumber, Request
from loomtable.engine.odds.spellwoven import attack_odds
from loomtable.engine.spellwoven.armoury import Proximity, key_of, look_up
from loomtable.engine.spellwoven.encounters import installed_encounter
from loomtable.engine.spellwoven.levels import LEVELS
from loomtable.engine.spellwoven.lookup import character, opponents, stands
from loomtable.engine.spellwoven.people import characters, incidentals, npcs
from loomtable.engine.spellwoven.reach import carried, distance
from loomtable.engine.spellwoven.rules import SPELLWOVEN
from loomtable.engine.spellwoven.state import Adventure
from loomtable.engine.spellwoven.strike import quickness_defence
from loomtable.engine.spellwoven.turns import due
from loomtable.testing.player import Fought, Move, play_on

MOST_ROUNDS = 60
MOST_EFFORT = 2
"""To turn a miss into a hit."""
_TAKEN = ("catch", "kill", "incapacitated")
"""What is chosen wherever it can be: to catch a blow on the shield, to let one kill, to fall without dying."""


def fighter_prefers(play: Play[Adventure], asked: Request | None, source: random.Random) -> Iterator[Move]:
    """What whoever is due does next."""
    if isinstance(asked, EnterNumber):
        enough = (int(option.key) for option in asked.options if option.does.endswith(", enough"))
        effort = next(enough, MOST_EFFORT + 1)
        yield NumberReading(effort if effort <= MOST_EFFORT else asked.low)
    elif isinstance(asked, Choose):
        keys = [option.key for option in asked.options]
        glances = "glance" in asked.purpose.lower()
        yield from (ChoiceReading((key,)) for key in _TAKEN if key in keys and not (key == "catch" and glances))
        if keys[:1] == ["none"]:
            yield ChoiceReading((keys[1],))
        if not asked.at_least:
            yield ChoiceReading(())
    elif asked is None and play.state.conflict is not None:
        for who in due(play.state)[:1]:
            yield from _turn(play, who, source)
        yield Action("next-round")


def _turn(play: Play[Adventure], who: str, source: random.Random) -> Iterator[Action]:
    targets = list(opponents(play, who))
    source.shuffle(targets)
    if character(play, who).is_player_character:
        targets.sort(key=lambda foe: (quickness_defence(play, foe), -character(play, foe).wounds.total))
    for target in targets:
        yield from _attacks(play, who, target)
    yield Action("load", {"who": who})
    for target in targets:
        nearer = list(Proximity)[max(0, list(Proximity).index(distance(play, who, target)) - 1)]
        yield Action("move", {"who": who, "to": nearer.value, "towards": target})
    yield Action("act", {"who": who, "doing": "waits"})


def _attacks(play: Play[Adventure], who: str, target: str) -> Iterator[Action]:
    sheet, defence = character(play, who), quickness_defence(play, target)
    grips = carried(play, who) if sheet.weapons else []
    ways = [(sheet.ratings.get(use.skill, 0), weapon.menace, weapon.key, use.skill) for weapon, use in grips]
    for _, _, weapon, skill in sorted(ways, key=lambda way: -_promise(way[0], defence, way[1])):
        yield Action("attack", {"who": who, "target": target, "weapon": weapon, "skill": skill})


@lru_cache(maxsize=1024)
def _promise(rating: int, defence: int, menace: int) -> float:
    """How grave a wound an attack brings on average, from 1 for a glance to 6; a miss is 0 (SP-10, SP-11)."""
    odds = attack_odds(rating, defence, menace)
    return float(sum(at * odds.severities[severity] for at, severity in enumerate(LEVELS, start=1)))


# What is played


def conflict_played(game: Game[Adventure], opening: Sequence[Action], seed: str) -> Fought:
    """One conflict to its end, from a moment at which it begins with ``opening``."""
    adventure = after_conflict(game, opening, seed)
    heroes = [name for name, who in adventure.characters.items() if who.is_player_character]
    fell = sum(not stands(adventure, name) for name in heroes)
    return Fought(fell < len(heroes) and len(_sides(adventure)) == 1, fell)


def after_conflict(game: Game[Adventure], opening: Sequence[Action], seed: str) -> Adventure:
    """The adventure once only one side of a conflict stands, or nobody.

    Raises:
        LoomtableError: an action of the opening is refused.
    """
    adventure: Adventure = play_on(
        SPELLWOVEN, game, _over, opening=opening, prefers=fighter_prefers, seed=seed
    ).state
    return adventure


def _over(adventure: Adventure) -> bool:
    met = adventure.conflict
    return met is not None and (met.round > MOST_ROUNDS or len(_sides(adventure)) < 2)


def _sides(adventure: Adventure) -> set[str]:
    """The sides that still have somebody standing."""
    assert adventure.conflict is not None
    return {adventure.characters[name].side for name in adventure.conflict.combatants if stands(adventure, name)}


def the_four(rulings: Mapping[str, str]) -> Game[Adventure]:
    """The four ready characters, and nobody else yet."""
    game: Game[Adventure] = SPELLWOVEN.new_game({}, {**SPELLWOVEN.rulings.usual(), **rulings})
    join = [Action("add-player-character", {"player": f"Player {key}", "ready": key}) for key in characters()]
    return play_on(SPELLWOVEN, game, lambda adventure: True, opening=join)


def against(foes: Sequence[str]) -> list[Action]:
    """The opening of a conflict of the ready characters with ready foes, everybody Engaged.

    Raises:
        IllegalAction: there is no such foe.
    """
    met = []
    for number, foe in enumerate(foes, start=1):
        look_up("ready foe", key_of(foe), npcs() | incidentals())
        kind = "add-incidental-npc" if key_of(foe) in incidentals() else "add-npc"
        met.append(Action(kind, {"ready": foe, "called": f"Foe {number}"}))
    names = [*(sheet.name for sheet in characters().values()), *(f"Foe {n + 1}" for n in range(len(foes)))]
    return [*met, Action("begin-conflict", {"combatants": dict.fromkeys(names, Proximity.ENGAGED.value)})]


def encountered(encounter: str, rulings: Mapping[str, str]) -> tuple[Game[Adventure], list[Action]]:
    """The four, by the rulings that suit an encounter, and the opening of a fight where its file has everybody."""
    suiting = installed_encounter(encounter).rulings
    return the_four({**suiting, **rulings}), [
        Action("open-encounter", {"encounter": encounter}),
        Action("begin-conflict"),
    ]
