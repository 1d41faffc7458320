"""What lies hidden is seen by nobody else: not in views, sentences, questions or lists of moves (WO-16)."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator

import msgspec
import pytest

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.play import Game
from loomtable.engine.kernel.requests import ShowCard
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.woven.rules import WOVEN
from loomtable.engine.woven.spells import spell_named, spells
from loomtable.engine.woven.state import Contest
from loomtable.engine.woven.system import FACE_DOWN
from tests.woven_playing import WovenEvening


def hidden_from(contest: Contest, viewer: str) -> set[str]:
    """The spells that a player must not know of: hidden ones of others, and those that lie aside face down."""
    hidden = {key for name, mage in contest.mages.items() if name != viewer for key in (*mage.hand, *mage.dealt)}
    return hidden | (set() if contest.aside_shown else set(contest.aside))


_LONGEST_FIRST = sorted(spells(), key=lambda key: -len(key))
_NAMES = {**{key: key for key in _LONGEST_FIRST}, **{spell_named(key).name: key for key in _LONGEST_FIRST}}
_ANY_NAME = re.compile(rf"\b(?:{'|'.join(re.escape(name) for name in sorted(_NAMES, key=lambda n: -len(n)))})\b")


def named(text: str, keys: set[str]) -> set[str]:
    """Which of these spells a text names; longer names are looked for first, as Fire Burst holds Burst."""
    return {_NAMES[name] for name in _ANY_NAME.findall(text)} & keys


def evenings() -> Iterator[WovenEvening]:
    for players, seed in ((2, 3), (3, 5), (5, 8)):
        yield WovenEvening(players, seed, rounds=6)


def test_no_view_no_sentence_and_no_question_names_what_is_hidden() -> None:
    for evening in evenings():
        for step, (event, contest) in enumerate(evening.played(260)):
            told = WOVEN.tell(event, Game(contest, WOVEN.rulings.defaults()))
            assert not named(told, hidden_from(contest, "a screen")), told
            now, asked = evening.session.state, evening.session.pending
            if asked is not None and not isinstance(asked, ShowCard):
                text = json.dumps(to_builtins(asked))
                assert not named(text, hidden_from(now, asked.by)), text
            for viewer in (*now.mages, "a screen") if step % 5 == 0 else ():
                seen = evening.session.view(viewer)
                assert not named(json.dumps(seen), hidden_from(now, viewer))
                for name, mage in now.mages.items():
                    if name != viewer and mage.home_card is not None and not mage.home_shown:
                        assert seen["mages"][name]["home_card"] == FACE_DOWN
                assert seen["stack"] == {"pile": len(now.stack.pile), "discards": len(now.stack.discards)}


def test_a_player_sees_the_own_spells_and_the_storyteller_all_but_the_order_of_decks() -> None:
    evening = WovenEvening(3, 4, rounds=2)
    for _ in evening.played(60):
        pass
    session = evening.session
    for name, mage in session.state.mages.items():
        assert session.view(name)["mages"][name]["hand"] == list(mage.hand)
        assert session.view(name)["mages"][name]["home_card"] == mage.home_card
        assert session.view(STORYTELLER)["mages"][name]["hand"] == list(mage.hand)
    assert session.view(STORYTELLER)["stack"]["pile"] == len(session.state.stack.pile)
    assert session.view("Ada")["mages"]["Ben"]["laid"]["rows"], "tapestries lie open"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_games_that_differ_only_in_what_is_hidden_look_the_same(seed: int) -> None:
    """The strongest form: with others' hidden things exchanged, a player sees and may do exactly the same."""
    evening = WovenEvening(4, seed, rounds=9)
    for step, _ in enumerate(evening.played(400)):
        game = evening.session.game
        if step % 23 or game.state.turn is None:
            continue
        for viewer in game.state.mages:
            other = Game(_otherwise(game.state, viewer, random.Random(step)), game.rulings)
            assert WOVEN.view(other, viewer) == WOVEN.view(game, viewer)
            assert WOVEN.legal_actions(other, viewer) == WOVEN.legal_actions(game, viewer)


def _otherwise(contest: Contest, viewer: str, source: random.Random) -> Contest:
    """The game with all that this player does not know dealt anew: spells, home cards, the order of the stack."""
    others = [name for name in contest.mages if name != viewer]
    unseen = [*contest.aside, *(key for name in others for key in contest.mages[name].hand)]
    source.shuffle(unseen)
    mages = dict(contest.mages)
    cards = [c for n in others if not mages[n].home_shown and (c := mages[n].home_card) is not None]
    source.shuffle(cards)
    for name in others:
        mage = mages[name]
        hand = tuple(unseen.pop() for _ in mage.hand)
        home = mage.home_card if mage.home_shown or not cards else cards.pop()
        mages[name] = msgspec.structs.replace(mage, hand=hand, home_card=home)
    pile = tuple(source.sample(contest.stack.pile, len(contest.stack.pile)))
    stack: Deck[int] = msgspec.structs.replace(contest.stack, pile=pile)
    return msgspec.structs.replace(contest, mages=mages, aside=tuple(unseen), stack=stack)


def test_the_list_of_moves_is_for_its_player_while_the_home_is_hidden() -> None:
    session: Session[Contest] = WovenEvening(3, 2, rounds=1).session
    contest = session.state
    homes = {name: contest.home_of(mage) for name, mage in contest.mages.items()}
    moves = [move.args["to"] for move in WOVEN.legal_actions(session.game, "Ada") if move.name == "move"]
    assert moves == list(homes["Ada"])
    assert WOVEN.legal_actions(session.game, "Ben") == ()
