"""Weave: how a fight is played, by both sides (WV-17, WV-23 to WV-25).

Whoever acts attacks with each action, in the suit in which an attack promises most Strikes, with a weapon if they
have one that reaches. Heroes strike the foe who is nearest to falling, foes a hero whom chance names. Dice that
may be rolled again are. Whatever a card leaves to people's judgement does not apply; nobody heals, and no Talent
is used that is not always on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from loomtable.engine.kernel.play import Action, Game, Play, changed
from loomtable.engine.kernel.readings import ChoiceReading, NumberReading
from loomtable.engine.kernel.requests import Choose, EnterNumber, Request
from loomtable.engine.odds.exact import whole
from loomtable.engine.odds.weave import joint_odds
from loomtable.engine.weave.cards.playset import QualityKind, playset_names
from loomtable.engine.weave.challenge.tally import challenge_pool
from loomtable.engine.weave.encounter.combat import combat_level
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.weave.state import HIGHEST_LEVEL, MOST_WOUNDS, Figure, Season
from loomtable.engine.weave.suits import Suit
from loomtable.testing.player import Fought, Move, Preference, play_on

MOST_ROUNDS = 60
MOST_FIGHTERS, MOST_BONUS, MOST_TRACK = 12, 20, 99
"""Far more than any table has."""
LISTED = 14
"""Successes of one attack up to here; what is beyond is too rare to count."""


def fighter_prefers(
    play: Play[Season], asked: Request | None, source: random.Random, *, spread: bool = False
) -> Iterator[Move]:
    """What whoever acts does next; with ``spread`` heroes strike the foe who is least hurt."""
    if isinstance(asked, EnterNumber):
        yield NumberReading(asked.high)
    elif isinstance(asked, Choose) and not asked.at_least:
        yield ChoiceReading(())
    elif asked is None and (met := play.state.encounter) is not None:
        who = play.state.figure(met.acting)
        for target in _targets(play, who, source, spread):
            for asset in (*(q.quality.name for q in who.qualities if q.kind is QualityKind.ASSET), None):
                attack = {"who": who.name, "target": target.name, "suit": best_suit(who, target).value}
                yield Action("attack", attack | ({"asset": asset} if asset else {}))
        yield Action("break-free", {"who": who.name})
        for target in _targets(play, who, source, spread):
            yield Action("move", {"who": who.name, "other": target.name, "closer": True})
        yield Action("end-turn")


def best_suit(who: Figure, target: Figure) -> Suit:
    """The suit in which an attack promises most."""
    return max(
        Suit,
        key=lambda suit: _promise(challenge_pool(who, suit, minimum="one-die"), combat_level(who, target, suit)),
    )


@lru_cache(maxsize=512)
def _promise(pool: int, level: int) -> float:
    """The Strikes that an attack deals on average (WV-24)."""
    chances = joint_odds(pool, upto=LISTED).chances.items()
    return float(sum(chance * (1 + s - level) for (s, _), chance in chances if s >= level))


def _targets(play: Play[Season], who: Figure, source: random.Random, spread: bool) -> Sequence[Figure]:
    heroes, season = play.state.characters, play.state
    assert season.encounter is not None
    others = [season.figure(n) for n in season.encounter.participants if (n in heroes) != (who.name in heroes)]
    others = [other for other in others if not other.out]
    if who.name not in heroes:
        source.shuffle(others)
        return others
    return sorted(others, key=lambda other: (other.wounds, other.strikes), reverse=not spread)


# What is played


def _over(season: Season) -> bool:
    met = season.encounter
    return met is not None and (met.round > MOST_ROUNDS or not all(_standing(season)))


def _standing(season: Season) -> tuple[list[str], list[str]]:
    """The heroes and the foes in the encounter who are not out."""
    assert season.encounter is not None
    able = [name for name in season.encounter.participants if not season.figure(name).out]
    return [n for n in able if n in season.characters], [n for n in able if n not in season.characters]


def fight_played(
    game: Game[Season],
    heroes: Sequence[str],
    foes: Sequence[str],
    seed: str,
    prefers: Preference = fighter_prefers,
) -> Fought:
    """One fight to the end from a moment outside of encounters, everybody within Melee Range.

    Raises:
        IllegalAction: somebody cannot take part.
    """
    begin = Action("begin-encounter", {"who": [*heroes], "against": [*foes], "combat": True, "band": "melee"})
    season: Season = play_on(WEAVE, game, _over, opening=[begin], prefers=prefers, seed=seed).state
    ours, theirs = _standing(season)
    wounds = sum(min(season.characters[n].wounds, MOST_WOUNDS) - game.state.characters[n].wounds for n in heroes)
    return Fought(bool(ours) and not theirs, wounds / len(heroes))


@lru_cache(maxsize=1000)
def party(
    heroes: int, level: int, suited: int, seed: str, rulings: tuple[tuple[str, str], ...] = ()
) -> Game[Season]:
    """Heroes of a level as their cards make them, of a playset that the seed names.

    ``suited`` of them have the Core Suit of their first Backstory, the others another; further Backstories are in
    the Core Suit where their card has one.
    """
    usual = WEAVE.rulings.usual() | {"decks": "dealt", "level-up-first-episode": "allowed"}
    game: Game[Season] = WEAVE.new_game({}, {**usual, **dict(rulings)})
    opening = [Action("new-season", {"playset": random.Random(seed).choice(playset_names())})]
    opening += [Action("add-character", {"player": f"Player {n}"}) for n in range(1, heroes + 1)]
    game = _played(game, opening, seed)
    for number, name in enumerate(game.state.characters):
        story = next(q.quality.suit for q in game.state.characters[name].qualities if q.quality.suit)
        other = list(Suit)[(list(Suit).index(story) + 1) % len(Suit)]
        game = _with(game, name, core_suit=story if number < suited else other)
        for _ in range(1, level):
            game = _played(_with(game, name, levelled_in=0), [Action("level-up", {"who": name})], seed)
    return game


def fight_against(
    heroes: int,
    level: int,
    suited: int | None,
    foes: int,
    dice: int,
    track: int,
    seed: str,
    rulings: Mapping[str, str] | None = None,
    prefers: Preference = fighter_prefers,
) -> Fought:
    """One fight of a ``party`` against foes with so many dice in every suit.

    ``suited`` is all heroes but one where it is not given; ``track`` Strikes beat a foe, or with 0 three Wounds.

    Raises:
        LoomtableError: a number is out of bounds, or there is no such ruling.
    """
    whole(heroes, "the number of heroes", 1, MOST_FIGHTERS)
    whole(level, "the level", 1, HIGHEST_LEVEL)
    suited = whole(
        heroes - 1 if suited is None else suited,
        "the number of heroes with a Backstory in their Core Suit",
        0,
        heroes,
    )
    whole(foes, "the number of foes", 1, MOST_FIGHTERS)
    whole(dice, "a foe's dice bonus", 0, MOST_BONUS)
    whole(track, "a foe's Strike track", 0, MOST_TRACK)
    on_track = {"combat-strikes-on-npc": "own-track" if track else "like-characters"}
    made = party(heroes, level, suited, seed, tuple((rulings or {}).items()))
    game = Game(made.state, {**made.rulings, **on_track, **(rulings or {})})
    sheet = {"enemy": True, "dice": {suit.value: dice for suit in Suit}} | ({"track": track} if track else {})
    names = [f"Foe {n}" for n in range(1, foes + 1)]
    game = _played(game, [Action("add-npc", {"npc": name, **sheet}) for name in names], seed)
    return fight_played(game, tuple(game.state.characters), names, seed, prefers)


def _played(game: Game[Season], actions: Sequence[Action], seed: str) -> Game[Season]:
    return play_on(WEAVE, game, lambda season: True, opening=actions, prefers=_makes, seed=seed)


def _makes(play: Play[Season], asked: Request | None, source: random.Random) -> Iterator[Move]:
    """How a hero is made: every Level Up is accepted, and a Backstory is taken in the Core Suit if it can be."""
    if isinstance(asked, Choose) and asked.rule == "WV-11":
        yield ChoiceReading(("accept",))
        core = {hero.player: hero.core_suit.label for hero in play.state.characters.values()}[asked.by]
        yield from (ChoiceReading((option.key,)) for option in asked.options if core in option.does)


def _with(game: Game[Season], name: str, **values: object) -> Game[Season]:
    return Game(changed(game.state, "characters", name, **values), game.rulings)
