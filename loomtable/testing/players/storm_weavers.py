"""Storm Weavers: how Thymin is played (SW-3 to SW-17).

He has not read ahead. Of a paragraph's ways he takes one that he has not been on, that costs least by what is
printed beside it, and for which he needed something that he has; of ways that are alike, chance picks one. He uses
every item that helps. In a fight he strikes the enemy with the least Health, by attack or Cunning Strike,
whichever promises more injuries to it less those to him; on a map he goes straight at the nearest, with a run-up
if he can.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.play import Action, Game, Play
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.requests import Choose, Request
from loomtable.engine.odds.exact import whole
from loomtable.engine.odds.played import Share
from loomtable.engine.odds.storm_weavers import SQUARE, blows, cunning_strike_odds
from loomtable.engine.storm_weavers.adventure_check import playable_adventure
from loomtable.engine.storm_weavers.attacks import CUNNING_STRIKE_INJURIES
from loomtable.engine.storm_weavers.combat_map import combat_map
from loomtable.engine.storm_weavers.map_moves import STAY, MoveOption, ground_of, map_fight_of, thymins_moves
from loomtable.engine.storm_weavers.movement import adjacent, way_to_reach
from loomtable.engine.storm_weavers.paragraphs import open_choices, page_of
from loomtable.engine.storm_weavers.plans import Enemy, Modifiers, Terms
from loomtable.engine.storm_weavers.rules import STORM_WEAVERS
from loomtable.engine.storm_weavers.sheet import ATTRIBUTE_POINTS, MAX_HEALTH, Attribute
from loomtable.engine.storm_weavers.state import AdventureEnding, Tale
from loomtable.testing.player import Move, play_on


def thymin_prefers(play: Play[Tale], asked: Request | None, source: random.Random) -> Iterator[Move]:
    """What he does next."""
    if asked is None:
        yield Action("go-on")
    elif isinstance(asked, Choose):
        keys = [option.key for option in asked.options]
        if asked.rule == "SW-3":
            yield ChoiceReading(tuple(option.key for option in asked.options if option.says.startswith("-")))
        elif asked.rule == "SW-6":
            yield ChoiceReading((_move(play),))
        elif asked.rule in ("SW-8", "SW-11"):
            yield ChoiceReading((max(keys, key=lambda key: _promise(play, key)),))
        elif asked.rule == "SW-17":
            worth = {key: _worth(play.state, key) for key in keys}
            yield ChoiceReading((source.choice([key for key in keys if worth[key] == max(worth.values())]),))


def adventure_played(
    adventure: str,
    seed: str,
    dexterity_points: int,
    rulings: Mapping[str, str],
    health: int = MAX_HEALTH,
    paragraph: int | None = None,
) -> Tale:
    """One play of an adventure by a new Thymin, or only of what one paragraph asks of him, as its fight.

    The tale has no ending where he goes round for ever.

    Raises:
        LoomtableError: there is no such adventure, paragraph or ruling, or he has not so many points or so much
            Health.
    """
    whole(dexterity_points, "the points for Dexterity", 0, ATTRIBUTE_POINTS)
    whole(health, "Thymin's Health", 1, MAX_HEALTH)
    page = playable_adventure(adventure).paragraphs.get(paragraph) if paragraph is not None else None
    if paragraph is not None and (page is None or page.ending is not None):
        raise ContentInvalid(f"{adventure} has no paragraph {paragraph} that goes on")
    opening = [
        Action("create", {"dexterity_points": dexterity_points}),
        Action("change", {"attribute": "health", "to": health, "reason": "as he begins"}),
        Action("begin-adventure", {"adventure": adventure}),
    ]
    game: Game[Tale] = STORM_WEAVERS.new_game({}, rulings)
    game = play_on(
        STORM_WEAVERS, game, lambda tale: True, opening=opening if health < MAX_HEALTH else opening[::2]
    )
    if paragraph is not None:
        there = msgspec.structs.replace(game.state, paragraph=paragraph, visited=(paragraph,), ending=None)
        game = Game(there, game.rulings)

    def over(tale: Tale) -> bool:
        return tale.ending is not None or paragraph not in (None, tale.paragraph)

    tale: Tale = play_on(STORM_WEAVERS, game, over, prefers=thymin_prefers, seed=seed).state
    return tale


def ends_of(tales: Sequence[Tale], *, alone: bool = False) -> tuple[list[tuple[int | None, str, Share]], Share]:
    """Where the tales came to, victories first: paragraph, ending, how often; and how often any was a victory.

    ``alone``: one paragraph was played, which need not be an ending.
    """
    ends = Counter((tale.paragraph, str(tale.ending or ("" if alone else "none"))) for tale in tales)
    order = sorted(ends, key=lambda end: (end[1] != AdventureEnding.VICTORY, -ends[end], end))
    won = sum(tale.ending is AdventureEnding.VICTORY for tale in tales)
    return [(*end, Share(ends[end], len(tales))) for end in order], Share(won, len(tales))


# Ways


def _worth(tale: Tale, key: str) -> tuple[bool, int, bool]:
    """How good a way looks: not been there, what it gives and costs, and whether something was needed for it."""
    choice = open_choices(tale)[key]
    gains = (change.by or 0 for change in choice.changes if change.attribute is not Attribute.GOLD)
    items = sum(bool(change.gain) - bool(change.lose) for change in choice.changes)
    return choice.to not in tale.visited, sum(gains) + items, not choice.needs.always


# Fights


def _promise(play: Play[Tale], key: str) -> tuple[int, Fraction]:
    """How good a way to strike looks: the weaker the enemy; then injuries to it less those to him."""
    way, _, number = key.rpartition("-") if key[-1].isdecimal() else (key, "", "")
    if way not in ("attack", "cunning-strike"):  # to hold back
        return -1000, Fraction(0)
    enemy, modifiers, terms = _opponent(play, int(number or 0))
    thymin, rulings = play.state.thymin, play.game.rulings
    assert thymin is not None
    if way == "cunning-strike":
        odds = cunning_strike_odds(thymin, modifier=terms.settled(thymin.items), rulings=rulings)
        return -enemy.health, CUNNING_STRIKE_INJURIES * (2 * odds.passed - 1)
    ways = blows(thymin, enemy, by_thymin=True, modifiers=modifiers, rulings=rulings)
    return -enemy.health, Fraction(sum((b.to_enemy - b.to_thymin) * n for b, n in ways.items()), SQUARE)


def _opponent(play: Play[Tale], number: int) -> tuple[Enemy, Modifiers, Terms]:
    """Whom he can strike, what the paragraph adds to the dice, and what it says of Cunning Strikes."""
    tale = play.state
    if tale.fight is None:
        fought = map_fight_of(play)
        return fought.enemies[number], fought.plan.modifiers_against(number), fought.plan.strike_test
    page = page_of(tale)
    plan = page.fight if page is not None else None
    modifiers, strikes = (plan.modifiers, plan.strike_test) if plan is not None else (Modifiers(), Terms())
    return tale.fight.enemy, modifiers, strikes


def _move(play: Play[Tale]) -> str:
    """Where he goes: straight at the nearest enemy; he stays where one is beside him (SW-6)."""
    fought, moves = map_fight_of(play), thymins_moves(play)
    ends = {key: key.partition("-")[0] if move.path else fought.thymin for key, move in moves.items()}
    enemies, ground = [enemy.square for enemy in fought.standing.values()], combat_map(fought.plan.map)
    fighting = [key for key in moves if adjacent(ground, ends[key], enemies)]
    if STAY in fighting:
        return STAY
    charging = [key for key in fighting if moves[key].run_up is not None]
    return next(iter(charging or fighting), None) or _approach(play, moves)


def _approach(play: Play[Tale], moves: Mapping[str, MoveOption]) -> str:
    """Along the shortest way to the nearest enemy, as far as it goes."""
    fought, ground = map_fight_of(play), ground_of(play, 0)
    ways = [way_to_reach(ground, fought.thymin, enemy.square) for enemy in fought.standing.values()]
    paths = [way.path for way in ways if way is not None]
    return next((square for square in reversed(min(paths, key=len, default=())) if square in moves), STAY)
