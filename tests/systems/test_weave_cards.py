"""Weave's cards and views: where every card lies, who sees what, and a whole table at random."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.requests import Choose, Roll, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.weave.encounter.encounter import MOST_ACTIONS
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.weave.state import HAND, MOST_WOUNDS, STRIKE_TRACK, Season
from loomtable.engine.weave.system import FACE_DOWN
from loomtable.testing import play_at_random
from tests.systems.weave_table import ALL_CARDS, Table, card, pick, weave
from tests.systems.weave_table import HAND as HELD
from tests.tiers import examples


def ids(*shorts: str) -> tuple[ComponentId, ...]:
    return tuple(ComponentId.parse(s) for s in shorts)


def test_the_hand_is_filled_again_after_every_play() -> None:
    table = Table(hand=True)
    table.do("challenge", card("C2"), weave("gales", *["stones"] * 4), who="Ilse", suit="gales", card="C25")
    assert table.state.held(Kind.CHALLENGE) == ids("C10", "C31", "C1", "C2")
    table.do("play-story", card("S4"), pick("1"), kind="npc", card="S2")
    assert table.state.held(Kind.STORY) == ids("S21", "S4")
    assert table.state.spread == ids("C25", "S2")
    with pytest.raises(IllegalAction, match="C25 is already in the spread"):
        table.session.perform("challenge", who="Ilse", suit="gales", card="C25")


# What is brought in


def test_a_player_picks_a_card_of_the_hand_unseen() -> None:
    table = Table(hand=True)
    table.session.perform("play-story", kind="subplot", chooser="Ada")
    assert isinstance(table.pending, Choose)
    assert table.pending.by == "Ada"
    assert not {"S2", "S21", "The Loom", "The Red Thread"} & set(str(table.pending).replace("'", " ").split())
    table.session.answer(pick("2"))
    assert table.state.spread == ids("S21")


# Views


def test_the_storyteller_sees_all_but_the_order_of_the_decks() -> None:
    table = Table(hand=True)
    seen = table.session.view("storyteller")
    assert set(seen["characters"]) == {"Ilse", "Odo"}
    assert seen["hand"] == list(HELD)
    assert seen["foundation"][0]["card"] == "S5"
    assert seen["challenges"] == {"pile": 32, "discards": 0}


def test_a_player_sees_their_own_sheet_and_what_lies_face_up() -> None:
    table = Table(hand=True)
    table.do("effect", card("C20"), who="Ilse", do="draw-challenge", because="the road")
    table.do("challenge", card("C2"), weave("gales", "gales", "stones"), who="Odo", suit="gales", card="C25")
    table.do("play-story", card("S4"), pick("1"), kind="enemy", card="S21")
    seen = table.session.view("Ada")
    assert set(seen["characters"]) == {"Ilse"}
    assert seen["characters"]["Ilse"]["kept"] == ["C20"]
    assert seen["spread"] == ["C25", "S21"]
    assert seen["npcs"] == {"The Scissor Boys": {"name": "The Scissor Boys", "enemy": True, "beaten": False}}
    assert seen["hand"] == [FACE_DOWN] * 6
    assert seen["foundation"] == [FACE_DOWN] * 3
    hidden = {c.short for c in table.state.hand} | {q.card.short for q in table.state.foundation}
    assert not hidden & {part.strip("',[]{}") for part in str(seen).split()}
    assert "C20" not in str(table.session.view("Ben"))
    assert table.session.view("Cleo")["characters"] == {}


# A whole table at random


def check_invariants(session: Session[Season]) -> None:
    season = session.state
    if season.playset:
        assert sorted(season.cards()) == ALL_CARDS, "every card lies somewhere, exactly once"
    for character in season.characters.values():
        assert 0 <= character.strikes < STRIKE_TRACK
        assert 0 <= character.wounds <= MOST_WOUNDS
        assert 1 <= character.level <= 11
        assert not (character.left and character.kept)
    for npc in season.npcs.values():
        assert 0 <= npc.strikes <= STRIKE_TRACK
        assert 0 <= npc.wounds <= MOST_WOUNDS
    for kind, most in HAND.items():
        assert len(season.held(kind)) <= most
    if season.encounter is not None:
        assert 0 <= season.encounter.actions_left <= MOST_ACTIONS
        assert len(set(season.encounter.order)) == len(season.encounter.order)
    asked = session.pending
    if isinstance(asked, Roll):
        assert asked.count >= 1
    if isinstance(asked, Choose):
        assert len(asked.options) >= max(1, asked.at_least)
        assert len({o.key for o in asked.options}) == len(asked.options)
    if isinstance(asked, ShowCard):
        assert asked.among


def random_rulings(source: random.Random) -> dict[str, str]:
    return {r.id: source.choice(r.choices).key for r in WEAVE.rulings.values()}


@examples(4, 25)
@given(st.integers(0, 2**32), st.booleans())
def test_at_a_random_table_no_card_is_lost_and_no_track_overflows(seed: int, house_rules: bool) -> None:
    source = random.Random(seed)
    rulings = random_rulings(source) if house_rules else {}
    session: Session[Season] = Session.open(WEAVE, seed=str(seed), rulings=rulings)
    play_at_random(session, source, 150, check=check_invariants)
    again = Session.resume({"weave": WEAVE}, session.journal)
    assert (again.game, again.pending) == (session.game, session.pending)
    assert all(sentence.rstrip('"\u201d')[-1] in ".!?" for sentence in session.story())
    for player in ("Ada", "Ben"):
        seen = session.view(player)
        assert {c["player"] for c in seen["characters"].values()} <= {player}
        assert set(seen["hand"]) <= {FACE_DOWN}
