"""Mnemonic's hands and views: who sees what, and whole groups at random."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from loomtable.engine.kernel.poker import CARDS
from loomtable.engine.kernel.requests import Choose, Roll, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.mnemonic.journal import journal_page
from loomtable.engine.mnemonic.rules import MNEMONIC
from loomtable.engine.mnemonic.state import DECK, Chronicle, PlayMode
from loomtable.engine.mnemonic.system import HIDDEN
from loomtable.table.store import open_store
from loomtable.testing import play_at_random
from tests.short import Loom, present, refuses
from tests.systems.mnemonic_table import ILSE, Table
from tests.tiers import examples

# Views


def test_a_hand_is_seen_by_its_player_alone_and_no_request_tells_it() -> None:
    table = Table("into-the-grey", cards="dealt")
    own = [c.short for c in present(table.state.cards).hands["Ilse"].cards]
    assert table.session.view("Ada")["cards"]["hands"]["Ilse"]["cards"] == own
    for viewer in ("Ben", "Cleo"):
        assert table.session.view(viewer)["cards"]["hands"]["Ilse"] == {"count": 27}
    assert table.session.view("storyteller")["cards"]["hands"]["Odo"]["count"] == 27
    table.session.perform("scene", who="Ilse")
    assert isinstance(table.session.pending, ShowCard)
    assert table.session.pending.among == tuple(CARDS), "every card that has not been seen"
    missing = next(c for c in DECK if c.short not in own)
    refuses(table.answer, "is not in the hand of Ilse", missing.short)
    assert isinstance(table.session.pending, ShowCard), "the question stays open"


def test_nobody_sees_the_order_of_the_deck() -> None:
    table = Table(cards="dealt")
    for viewer in ("Ada", "storyteller"):
        assert table.session.view(viewer)["cards"]["deck"] == {"pile": 54, "discards": []}


def test_a_die_chosen_in_secret_is_hidden_until_both_are() -> None:
    table = Table("")
    table.do("game-face", "d12", who="Ilse", other="Odo")
    assert table.session.view("Ada")["game_face"]["chosen"] == {"Ilse": "d12"}
    assert table.session.view("Ben")["game_face"]["chosen"] == {"Ilse": HIDDEN}
    assert "d12" not in table.session.story()[-1]
    assert "The d" not in table.session.story()[-1]


def test_a_journal_is_printed_by_its_characters_name(tmp_path: Path, loom: Loom) -> None:
    file = tmp_path / "sessions.db"
    with open_store(file) as store:
        session: Session[Chronicle] = Session.open(MNEMONIC, seed="s", journal=store.journal("evening"))
        session.perform("add-character", player="Ada", name="Ilse", strong="hearts", weak="clubs", skills=ILSE)
        session.perform("note", who="Ilse", text="It is still raining.")
    assert loom("journal", "--store", file, "--session", "evening", "--page", "Ilse").out == journal_page(
        session.state, "Ilse"
    )
    heard = loom("journal", "--store", file, "--session", "evening", "--page", "Odo", code=2).err
    assert "'Odo' keeps no journal in this session; there are: 'Ilse'" in heard


# A whole group at random


def check_invariants(session: Session[Chronicle]) -> None:
    state = session.state
    for sheet in state.characters.values():
        assert len({s.name.casefold() for s in sheet.skills}) == len(sheet.skills)
        assert len(set(sheet.injured)) == len(sheet.injured)
        assert all(s.rating >= 1 for s in sheet.skills)
        assert sheet.gift >= 0
    players = [state.characters[n].player for n in state.active]
    assert len(set(players)) == len(players), "one character a player"
    if state.cards is not None and state.sitting is not None:
        held = [c for h in (*state.cards.hands.values(), state.cards.aside) for c in h.cards]
        lying = [*state.cards.deck.pile, *state.cards.deck.discards, *held]
        assert sorted(lying) == list(DECK), "every card lies somewhere, exactly once"
        counted = sum(h.count for h in state.cards.hands.values()) + state.cards.aside.count
        if state.sitting.dealt:
            assert counted == len(held)
        elif state.sitting.mode is PlayMode.INTO_THE_GREY:
            assert counted == len(state.cards.deck.pile)
    assert (state.group is None) or session.pending is not None
    assert (state.game_face is None) or session.pending is not None
    asked = session.pending
    if isinstance(asked, Roll):
        assert asked.count >= 1
    if isinstance(asked, Choose):
        assert len({o.key for o in asked.options}) == len(asked.options) >= 1
        assert all(" " not in o.key for o in asked.options), "a key can be typed in one word"


def check_views(session: Session[Chronicle]) -> None:
    state = session.state
    for viewer in ("Ada", "Ben", "Cleo", "Nobody"):
        seen = session.view(viewer)
        for who, hand in (seen["cards"] or {"hands": {}})["hands"].items():
            if state.characters[who].player != viewer:
                assert set(hand) == {"count"}
        game = state.game_face
        if game is not None and game.secret:
            for who, die in seen["game_face"]["chosen"].items():
                assert state.characters[who].player == viewer or die == HIDDEN


@examples(4, 10)
@given(st.integers(0, 2**32), st.booleans())
def test_at_a_random_table_everything_holds_together(seed: int, house_rules: bool) -> None:
    source = random.Random(seed)
    rulings = {r.id: source.choice(r.choices).key for r in MNEMONIC.rulings.values()} if house_rules else {}
    session: Session[Chronicle] = Session.open(MNEMONIC, seed=str(seed), rulings=rulings)
    start = session.game
    play_at_random(session, source, 90, check=check_invariants)
    check_views(session)
    assert all(sentence[-1] in ".!?" for sentence in session.story())
    assert all(journal_page(session.state, name) for name in session.state.characters)
    again = Session.resume({"mnemonic": MNEMONIC}, session.journal)
    assert (again.game, again.pending) == (session.game, session.pending), "the fold is the live state"
    while again.played:
        again.undo()
    assert again.game == start, "undone to the start is the start"
