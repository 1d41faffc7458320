"""A random table of Weave: actions that could be meant, mostly legal ones, over everything the system offers."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from loomtable.engine.kernel.components import Kind
from loomtable.engine.weave.decks import challenge_card, challenge_deck
from loomtable.engine.weave.mechanics import Band, EffectKind, Span
from loomtable.engine.weave.playset import IN_PLAY, QualityKind
from loomtable.engine.weave.state import Season
from loomtable.engine.weave.suits import Suit

Move = tuple[str, dict[str, Any]]
PLAYSET = "the-salt-road"


def weave_action(season: Season, source: random.Random) -> Move:
    """An action of Weave, legal or not."""
    if not season.name:
        return source.choice(
            [
                ("new-season", {"playset": PLAYSET}),
                ("new-season", {"playset": PLAYSET, "season_wide": True}),
                ("new-season", {"playset": PLAYSET, "planned": True}),
                ("plan-episode", {"playset": PLAYSET}),
            ]
        )
    if not season.characters or source.random() < 0.05:
        return "add-character", {"player": source.choice(["Ada", "Ben"])}
    if season.encounter is not None:
        return source.choice(_IN_ENCOUNTERS)(season, source)
    return source.choice(_ANYWHERE)(season, source)


def _who(season: Season, source: random.Random) -> str:
    acting = season.encounter.acting if season.encounter else ""
    if acting and source.random() < 0.7:
        return acting
    return source.choice([*season.characters, *season.npcs, "Nobody"])


def _card(season: Season, source: random.Random) -> str:
    held = season.held(Kind.CHALLENGE)
    return source.choice(held or [c.id for c in challenge_deck()]).short


def _enticed(season: Season, who: str, source: random.Random) -> dict[str, Any]:
    if who not in season.characters or source.random() < 0.6:
        return {}
    flaws = [q.quality.name for q in season.characters[who].qualities if q.kind is QualityKind.FLAW]
    return {"enticement": {"flaw": source.choice(flaws), "card": _card(season, source)}}


def _suit(source: random.Random) -> str:
    return source.choice(list(Suit)).value


def _challenge(season: Season, source: random.Random) -> Move:
    who = _who(season, source)
    arguments: dict[str, Any] = {"who": who, "suit": _suit(source), **_enticed(season, who, source)}
    if source.random() < 0.7:
        card = source.choice(season.held(Kind.CHALLENGE) or [c.id for c in challenge_deck()])
        arguments |= {"suit": challenge_card(card).suit.value, "card": card.short}
    if source.random() < 0.3:
        arguments["instead"] = _suit(source)
    if source.random() < 0.2:
        arguments |= {"dice": source.randint(-3, 3), "easier": source.randint(0, 2)}
    return "challenge", arguments


def _npc_challenge(season: Season, source: random.Random) -> Move:
    return "npc-challenge", {"npc": _who(season, source), "suit": _suit(source)}


def _core(season: Season, source: random.Random) -> Move:
    who = source.sample([*season.characters, *season.npcs], source.randint(0, 2) % (1 + len(season.characters)))
    return "core-challenge", {"suit": _suit(source), "who": who}


def _quality(season: Season, source: random.Random) -> Move:
    who = source.choice(list(season.characters))
    kind, action, named = source.choice(
        [
            (QualityKind.TALENT, "use-talent", "talent"),
            (QualityKind.ASSET, "use-asset", "asset"),
            (QualityKind.SIGNATURE_MOVE, "signature-move", "move"),
        ]
    )
    names = [q.quality.name for q in season.characters[who].qualities if q.kind is kind] or ["Nothing"]
    return action, {"who": who, named: source.choice(names), **_enticed(season, who, source)}


def _effect(season: Season, source: random.Random) -> Move:
    do = source.choice(list(EffectKind))
    arguments: dict[str, Any] = {"who": _who(season, source), "do": do.value, "because": "the road"}
    if do in (EffectKind.EXTRA_DICE, EffectKind.LOWER_LEVEL, EffectKind.REROLL_DICE):
        arguments |= {"challenges": source.randint(1, 2), "lasts": source.choice([None, *Span])}
        arguments["suit"] = source.choice([None, *Suit])
    return "effect", arguments | {"amount": source.randint(1, 4)}


def _heal(season: Season, source: random.Random) -> Move:
    arguments: dict[str, Any] = {"who": _who(season, source)}
    if source.random() < 0.5:
        arguments |= {"suit": _suit(source), "healer": _who(season, source)}
    return "heal", arguments


def _auto_pass(season: Season, source: random.Random) -> Move:
    held = season.held(Kind.CHALLENGE)
    discards = source.sample(held, source.randint(0, len(held)))
    return "auto-pass", {"who": _who(season, source), "discards": [c.short for c in discards]}


def _story(season: Season, source: random.Random) -> Move:
    arguments: dict[str, Any] = {"kind": source.choice([*IN_PLAY, QualityKind.THEME]).value}
    held = season.held(Kind.STORY)
    if held and source.random() < 0.6:
        arguments["card"] = source.choice(held).short
    return "play-story", arguments


def _subplot(season: Season, source: random.Random) -> Move:
    subplots = [q.quality.name for q in season.elements if q.kind is QualityKind.SUBPLOT] or ["None"]
    involved = source.sample(list(season.characters), source.randint(1, len(season.characters)))
    return "resolve-subplot", {"subplot": source.choice(subplots), "involved": involved}


def _take(season: Season, source: random.Random) -> Move:
    assets = [q.quality.name for q in season.elements if q.kind is QualityKind.ASSET] or ["None"]
    return "take-asset", {"who": _who(season, source), "asset": source.choice(assets)}


def _players(season: Season, source: random.Random) -> Move:
    player = source.choice(["Ada", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gil"])
    accepted = {"player": player, "accept": source.random() < 0.8}
    return source.choice([("invite", {"player": player}), ("answer-invitation", accepted)])


def _level(season: Season, source: random.Random) -> Move:
    return "level-up", {"who": source.choice(list(season.characters))}


def _now_and_then(season: Season, source: random.Random) -> Move:
    rare = ("leave-season", {"who": source.choice(list(season.characters))})
    return source.choice(
        [
            ("new-episode", {"planned": source.random() < 0.3}),
            ("new-episode", {}),
            ("plan-episode", {}),
            ("boss-sheet", {"assets": source.randint(0, 1)}),
            ("add-location", {}),
            ("add-npc", {"npc": f"Stranger {source.randint(1, 9)}", "enemy": True, "dice": {_suit(source): 2}}),
            rare if source.random() < 0.2 else ("end-scene", {}),
        ]
    )


def _begin(season: Season, source: random.Random) -> Move:
    starter = source.choice([None, *season.characters, *season.npcs])
    arguments: dict[str, Any] = {"against": list(season.npcs), "starter": starter, "suit": _suit(source)}
    arguments |= {"combat": source.random() < 0.8, "band": source.choice(list(Band)).value}
    return "begin-encounter", arguments


def _attack(season: Season, source: random.Random) -> Move:
    who = _who(season, source)
    figure = season.characters.get(who) or season.npcs.get(who)
    assets = [q.quality.name for q in figure.qualities if q.kind is QualityKind.ASSET] if figure else []
    arguments: dict[str, Any] = {"who": who, "target": source.choice([*season.npcs, *season.characters])}
    return "attack", arguments | {"suit": _suit(source), "asset": source.choice([None, *assets])}


def _move(season: Season, source: random.Random) -> Move:
    everyone = [*season.npcs, *season.characters]
    arguments: dict[str, Any] = {"who": _who(season, source), "other": source.choice(everyone)}
    if source.random() < 0.3:
        return "set-band", arguments | {"band": source.choice(list(Band)).value}
    return "move", arguments | {"closer": source.random() < 0.6, "bands": source.randint(1, 2)}


def _turn(season: Season, source: random.Random) -> Move:
    return "end-turn", {}


def _settle(season: Season, source: random.Random) -> Move:
    order = list(season.encounter.order) if season.encounter else []
    source.shuffle(order)
    return source.choice([("change-order", {"order": order}), ("change-actions", {"by": source.randint(-2, 2)})])


def _join(season: Season, source: random.Random) -> Move:
    return "join-encounter", {"who": _who(season, source)}


def _end(season: Season, source: random.Random) -> Move:
    return "end-encounter", {"resolution": "They talk."}


def _hand(season: Season, source: random.Random) -> Move:
    return "draw-hand", {}


def _scene(season: Season, source: random.Random) -> Move:
    return "end-scene", {}


_BOTH: list[Callable[[Season, random.Random], Move]] = [
    _challenge,
    _challenge,
    _challenge,
    _npc_challenge,
    _core,
    _quality,
    _quality,
    _effect,
    _heal,
    _auto_pass,
    _story,
]
_ANYWHERE = [*_BOTH, _subplot, _take, _players, _level, _level, _now_and_then, _begin, _hand, _scene, _story]
_IN_ENCOUNTERS = [*_BOTH, _attack, _attack, _attack, _move, _turn, _turn, _turn, _join, _settle, _end]
