"""Weave's cards and views: where every card lies, who sees what, and a whole table at random."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import IllegalAction, ReadingMisfit
from loomtable.engine.kernel.requests import Choose, Roll, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.weave.encounter import MOST_ACTIONS
from loomtable.engine.weave.playset import QualityKind
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.weave.state import HAND, MOST_WOUNDS, STRIKE_TRACK, Season
from loomtable.engine.weave.system import FACE_DOWN
from loomtable.testing import play_at_random
from tests.short import as_a, present
from tests.systems.weave_table import ALL_CARDS, Table, card, pick, weave
from tests.systems.weave_table import HAND as HELD
from tests.tiers import examples


def ids(*shorts: str) -> tuple[ComponentId, ...]:
    return tuple(ComponentId.parse(s) for s in shorts)


# The decks


def test_a_card_that_is_shown_must_be_in_the_pile_it_comes_from() -> None:
    table = Table()
    table.session.perform("draw-hand")
    for short in ("C10", "C25", "C31", "C1"):
        table.session.answer(card(short))
    assert as_a(ShowCard, table.pending).kind is Kind.STORY
    with pytest.raises(ReadingMisfit, match="S5 is not one of the story cards that can be shown now"):
        table.session.answer(card("S5"))
    with pytest.raises(ReadingMisfit, match="a story card was asked for"):
        table.session.answer(card("C2"))
    table.session.answer(card("S2"))
    table.session.answer(card("S21"))
    assert table.state.hand == ids(*HELD)
    assert not set(ids(*HELD)) & {*table.state.story.pile, *table.state.challenges.pile}


def test_the_hand_is_filled_again_after_every_play() -> None:
    table = Table(hand=True)
    table.do("challenge", card("C2"), weave("gales", *["stones"] * 4), who="Ilse", suit="gales", card="C25")
    assert table.state.held(Kind.CHALLENGE) == ids("C10", "C31", "C1", "C2")
    table.do("play-story", card("S4"), pick("1"), kind="npc", card="S2")
    assert table.state.held(Kind.STORY) == ids("S21", "S4")
    assert table.state.spread == ids("C25", "S2")
    with pytest.raises(IllegalAction, match="C25 is already in the spread"):
        table.session.perform("challenge", who="Ilse", suit="gales", card="C25")


def test_the_end_of_a_scene_gives_back_all_but_the_foundation() -> None:
    table = Table(hand=True)
    table.strikes("Odo", 4)
    table.do("challenge", card("C2"), weave("gales", *["stones"] * 4), who="Ilse", suit="gales", card="C25")
    foundation, shuffles = table.state.foundation, table.state.challenges.shuffles
    table.do("end-scene")
    assert (table.state.spread, table.state.foundation, table.state.scene) == ((), foundation, 2)
    assert ComponentId.parse("C25") in table.state.challenges.pile
    assert table.state.challenges.shuffles == shuffles + 1
    assert table.odo.strikes == 0
    assert not {q.card for q in foundation} & set(table.state.story.pile)


def test_where_the_computer_deals_the_same_seed_deals_the_same_cards() -> None:
    def dealt(seed: str) -> tuple[ComponentId, ...]:
        session: Session[Season] = Session.open(WEAVE, seed=seed, rulings={"decks": "dealt"})
        session.perform("new-season", playset="the-salt-road")
        while isinstance(session.pending, Choose):
            session.answer(pick("1"))
        session.answer(random_answer(present(session.pending), random.Random(1)))
        session.perform("draw-hand")
        return (*(q.card for q in session.state.foundation), *session.state.hand)

    assert dealt("one") == dealt("one")
    assert len({dealt(str(n)) for n in range(5)}) == 5


def test_a_misread_card_is_put_right_and_what_followed_stays() -> None:
    table = Table(hand=True)
    roll = weave("gales", *["stones"] * 4)
    table.do("challenge", card("C2"), roll, who="Ilse", suit="gales", card="C25")
    drawn = [p.step for p in table.session.played if p.step.request and "hand" in p.step.request.purpose]
    done = table.session.amend(drawn[0].seq, card("C12"))
    assert done.dropped == ()
    assert set(table.state.hand) == set(ids("C12", "C31", "C1", "S2", "S21", "C2"))
    assert sorted(table.state.cards()) == ALL_CARDS
    twice = table.session.preview_amend(drawn[0].seq, card("C2"))
    assert [d.step.what for d in twice.dropped[:1]] == [card("C2")], "the same card cannot be drawn twice"


# What is brought in


@pytest.mark.parametrize(
    ("kind", "name"),
    [("location", "Forty"), ("subplot", "Whose Wrist Is This"), ("asset", "Skein That Finds People")],
)
def test_a_story_card_brings_in_what_it_is_played_for(kind: str, name: str) -> None:
    table = Table()
    table.do("play-story", pick("1"), kind=kind, card="S21")
    [element] = table.state.elements
    assert element.kind == kind
    if kind != "location":
        assert element.quality.name == name
    if kind == "asset":
        table.do("take-asset", who="Odo", asset=name)
        assert table.state.elements == ()
        assert [q.quality.name for q in table.odo.qualities if q.kind is QualityKind.ASSET][-1] == name


def test_an_npc_met_twice_gets_a_number() -> None:
    table = Table()
    table.do("play-story", pick("1"), kind="enemy", card="S21")
    table.do("end-scene")
    table.do("play-story", pick("1"), kind="enemy", card="S21")
    assert list(table.state.npcs) == ["The Scissor Boys", "The Scissor Boys 2"]


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


@examples(10, 25)
@given(st.integers(0, 2**32), st.booleans())
def test_at_a_random_table_no_card_is_lost_and_no_track_overflows(seed: int, house_rules: bool) -> None:
    source = random.Random(seed)
    rulings = random_rulings(source) if house_rules else {}
    session: Session[Season] = Session.open(WEAVE, seed=str(seed), rulings=rulings)
    play_at_random(session, source, 150, check=check_invariants)
    again = Session.resume({"weave": WEAVE}, session.journal)
    assert (again.game, again.pending) == (session.game, session.pending)
    assert all(sentence[-1] in ".!?" for sentence in session.story())
    for player in ("Ada", "Ben"):
        seen = session.view(player)
        assert {c["player"] for c in seen["characters"].values()} <= {player}
        assert set(seen["hand"]) <= {FACE_DOWN}
