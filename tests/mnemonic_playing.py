"""A random group of Mnemonic: actions that could be meant, mostly legal ones, over all that the system offers."""

from __future__ import annotations

import random
from typing import Any

from loomtable.engine.kernel.poker import Suit
from loomtable.engine.mnemonic.almanac import concepts
from loomtable.engine.mnemonic.state import DECK, Chronicle, Mode

Move = tuple[str, dict[str, Any]]
PLAYERS = ("Ada", "Ben", "Cleo", "Dov")


def mnemonic_action(chronicle: Chronicle, source: random.Random) -> Move:
    """An action of Mnemonic, legal or not."""
    if chronicle.sitting is None:
        return _between(chronicle, source)
    who = _who(chronicle, source)
    if source.random() < 0.06:
        return _anywhere(chronicle, source)
    match chronicle.sitting.mode:
        case Mode.FIRST_GATHERING:
            waiting = [n for n in chronicle.active if n not in chronicle.sitting.met]
            meet = ("meet", {"who": source.choice(waiting or [who]), "other": source.choice(chronicle.active)})
            return ("introduce", {"who": who}) if chronicle.due else source.choice([meet, meet, ("gather", {})])
        case Mode.LAID_TO_REST:
            return ("remember", {"who": who}) if chronicle.due else ("lay-to-rest", {})
        case Mode.FREE_PLAY:
            return source.choice([("scene", {"who": who}), ("group-scene", {}), ("end-mode", {})])
    if chronicle.due:
        return "scene", {"who": who, **_card(chronicle, who, source)}
    return source.choice([("next-round", {}), ("next-round", {}), ("group-scene", {}), ("end-mode", {})])


def _card(chronicle: Chronicle, who: str, source: random.Random) -> dict[str, Any]:
    """Now and then a card that is named beforehand: one of the hand, where hands are known, or any."""
    if chronicle.cards is None or source.random() < 0.2:
        return {}
    hand = chronicle.cards.hands.get(who)
    if hand is not None and hand.cards:
        return {"card": source.choice(hand.cards).short}
    return {"card": source.choice(DECK).short} if source.random() < 0.1 else {}


def _who(chronicle: Chronicle, source: random.Random) -> str:
    if chronicle.due and source.random() < 0.9:
        return chronicle.due[0]
    return source.choice([*chronicle.characters, "Nobody"])


def _between(chronicle: Chronicle, source: random.Random) -> Move:
    missing = [p for p in PLAYERS if p not in {chronicle.characters[n].player for n in chronicle.active}]
    if len(missing) > 2 or (missing and source.random() < 0.3):
        made = {"player": missing[0], "name": f"Walker {len(chronicle.characters) + 1}"}
        if source.random() < 0.7:
            made["concept"] = source.choice(list(concepts()))
        return "add-character", made
    mode = source.choice(list(Mode) if source.random() < 0.3 else [Mode.DECK_BURNER, Mode.INTO_THE_GREY])
    whom = source.choice(chronicle.active) if mode is Mode.LAID_TO_REST and source.random() < 0.9 else ""
    return source.choice([("begin-mode", {"mode": mode.value, "who": whom})] * 3 + [_anywhere(chronicle, source)])


def _anywhere(chronicle: Chronicle, source: random.Random) -> Move:
    names = [*chronicle.characters, "Nobody"]
    who = source.choice(names)
    skills = [s.name for c in chronicle.characters.values() for s in c.skills] or ["None"]
    return source.choice(
        [
            ("game-face", {"who": who, "other": source.choice(names), "about": "the last seat"}),
            ("note", {"who": who, "text": "Rain again."}),
            ("mark-truth", {"who": who, "skill": source.choice(skills)}),
            ("learn", {"who": who, "suit": source.choice([None, *Suit])}),
            ("define-suits", {source.choice(list(Suit)).value: source.choice(["weather", "debts", "the dead"])}),
            ("end-mode", {}),
        ]
    )
