"""Random evenings of the games that hide something, and what of a text would tell it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.session import Session
from loomtable.engine.weave.decks import name_of
from loomtable.engine.woven.spells import spell_named, spells
from loomtable.table.hosting.live_session import LiveSession
from tests.playing import some_step

STEPS = 180
PEOPLE = ("Ada", "Ben")


def woven_hidden(session: Session[Any], viewer: str) -> set[str]:
    contest = session.state
    held = {key for name, mage in contest.mages.items() if name != viewer for key in (*mage.hand, *mage.dealt)}
    held |= set() if contest.aside_shown else set(contest.aside)
    return held | {spell_named(key).name for key in held}


def mnemonic_hidden(session: Session[Any], viewer: str) -> set[str]:
    cards, people = session.state.cards, session.state.characters
    if cards is None:
        return set()
    held = [card for who, hand in cards.hands.items() if people[who].player != viewer for card in hand.cards]
    return {text for card in (*held, *cards.aside.cards) for text in (card.short, name_of(card))}


def weave_hidden(session: Session[Any], viewer: str) -> set[str]:
    season = session.state
    laid = [one.card for one in season.foundation]
    held = [*season.hand, *laid, *([season.face_down] if season.face_down else [])]
    return {text for card in held for text in (card.short, _story_name(card))}


def _story_name(card: Any) -> str:
    # Challenge cards of one suit and level have one name; only their codes tell which one it is.
    return name_of(card) if card.kind is Kind.STORY else card.short


GAMES: dict[str, Callable[[Session[Any], str], set[str]]] = {
    "woven": woven_hidden,
    "mnemonic": mnemonic_hidden,
    "weave": weave_hidden,
}


DEALT = {"woven": {"decks": "dealt"}, "mnemonic": {"cards": "dealt"}, "weave": {}}
"""Where the computer deals it knows every hand, and so could tell."""


def played(live: LiveSession, key: str, source: random.Random) -> Iterator[None]:
    """A session by random players, through the live session, one step at a time."""
    for _ in range(STEPS):
        try:
            live.take(next_step(key, live.session, source), by="", revision=live.revision)
        except LoomtableError:
            continue
        yield


def next_step(key: str, session: Session[Any], source: random.Random) -> Action | Reading:
    """Something at random; in Mnemonic, where hands are held in play modes only, mostly the next mode."""
    if key == "mnemonic" and session.state.sitting is None and session.pending is None:
        there = {character.player for character in session.state.characters.values()}
        for missing in sorted({*PEOPLE} - there):
            return Action("add-character", {"player": missing, "name": f"Walker {missing[0]}"})
        return Action("begin-mode", {"mode": source.choice(["deck-burner", "into-the-grey"])})
    return some_step(session, source)


_SPELLS = frozenset(spell_named(key).name for key in spells())


def told_in(text: str, hidden: set[str]) -> set[str]:
    """Which of the hidden names a text tells: names as whole words, longer ones before those that they hold, and
    keys, which are small words of prose too, where a program would find them."""
    names = sorted({name for name in hidden if not name[0].islower()} | _SPELLS, key=lambda name: -len(name))
    found = set(re.findall(rf"\b(?:{'|'.join(map(re.escape, names))})\b", text))
    keys = [name for name in hidden if name[0].islower()]
    if keys:
        found |= set(re.findall(rf"""["'=](?:{"|".join(map(re.escape, keys))})["'& ]""", text))
        found = {name.strip("\"'=& ") for name in found}
    return found & hidden
