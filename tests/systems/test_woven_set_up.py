"""Setting up Woven: mana, seats, home cards, the draft, first cards (WO-1, WO-2, WO-16)."""

from __future__ import annotations

from typing import Any

import pytest

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import ContentInvalid, IllegalAction
from loomtable.engine.kernel.readings import CardReading, ChoiceReading
from loomtable.engine.kernel.requests import Choose, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.woven.rules import WOVEN
from loomtable.engine.woven.spells import spells
from loomtable.engine.woven.state import Contest, Dye
from loomtable.printkit.games.woven.mages import MAGES
from loomtable.table.games.woven.counters import seats
from loomtable.table.screens import screen_of
from tests.short import present, raises, refuses
from tests.systems.woven_table import road
from tests.table.panels_shown import html_of

HERE, NEXT, THIRD, FOURTH, FAR = road(5)
PEOPLE = ("Ada", "Ben", "Cyd", "Dov", "Eve")


def dealt(players: int, **rulings: str) -> Session[Contest]:
    """A game that was set up by the computer; everybody keeps the first spell and lays side A."""
    session: Session[Contest] = Session.open(WOVEN, seed="deal", rulings={"decks": "dealt", **rulings})
    session.perform("set-up", players=list(PEOPLE[:players]))
    while isinstance(session.pending, Choose):
        session.answer(ChoiceReading((session.pending.options[0].key,)))
    return session


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ([], ["madder", "woad", "moss"]),
        (["orchil"], ["orchil", "madder", "woad"]),
        (["woad", "weld", "madder"], ["woad", "weld", "madder"]),
    ],
)
def test_players_choose_colours_and_the_next_free_one_is_who_chooses_nones(
    wanted: list[str], given: list[str]
) -> None:
    session: Session[Contest] = Session.open(WOVEN, seed="deal", rulings={"decks": "dealt"})
    session.perform("set-up", players=["Ada", "Ben", "Cyd"], colours=wanted)
    assert [mage.colour for mage in session.state.mages.values()] == given
    assert session.story()[0].startswith(f"Ada ({Dye(given[0]).label}), Ben ({Dye(given[1]).label}) and Cyd (")


@pytest.mark.parametrize(
    ("colours", "words"),
    [
        (["moss", "moss"], "two players cannot both be moss green"),
        (["moss", "weld", "woad"], "there are 3 colours"),
    ],
)
def test_colours_that_cannot_be_are_refused(colours: list[str], words: str) -> None:
    session: Session[Contest] = Session.open(WOVEN, seed="deal")
    refuses(session.perform, words, "set-up", players=["Ada", "Ben"], colours=colours)


def test_the_colours_are_those_of_the_printed_counters_and_of_the_figures() -> None:
    assert [mage.name.casefold() for mage in MAGES] == list(Dye)
    session: Session[Contest] = Session.open(WOVEN, seed="deal", rulings={"decks": "dealt"})
    session.perform("set-up", players=["Ada", "Ben"], colours=["weld", "moss"])
    assert seats(session.state) == {54: "Ada", 53: "Ben"}
    [mage] = [panel for panel in screen_of(session, "Ada") if panel.title == "Ada"]
    assert "weld yellow" in html_of(mage)


def test_the_draft_passes_to_the_left() -> None:
    session: Session[Contest] = Session.open(WOVEN, seed="deal", rulings={"decks": "dealt"})
    session.perform("set-up", players=["Ada", "Ben", "Cyd"])
    hands = {name: mage.dealt for name, mage in session.state.mages.items()}
    kept = {}
    for name in ("Ada", "Ben", "Cyd"):
        assert present(session.pending).by == name
        kept[name] = hands[name][2]
        session.answer(ChoiceReading((kept[name],)))
    for giver, taker in (("Ada", "Ben"), ("Ben", "Cyd"), ("Cyd", "Ada")):
        assert session.state.mages[taker].dealt == tuple(k for k in hands[giver] if k != kept[giver])


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"players": ["Ada"]}, "for 2 to 5 players, not 1"),
        ({"players": list("ABCDEF")}, "for 2 to 5 players, not 6"),
        ({"players": ["Ada", "Ada"]}, "cannot have the same name"),
        ({"players": ["Ada", " "]}, "one line of 1 to 30 characters"),
        ({"players": ["Ada", "storyteller"]}, "nobody can be called storyteller"),
        ({"players": ["Ada", "Ben"], "rounds": 0}, "at least one round, not 0"),
        ({"players": ["Ada", "Ben"], "map": "narnia"}, "no region map 'narnia'"),
    ],
)
def test_what_cannot_be_set_up_is_refused_with_a_reason(args: dict[str, Any], words: str) -> None:
    session: Session[Contest] = Session.open(WOVEN, seed="x")
    raises((IllegalAction, ContentInvalid), words, session.perform, "set-up", **args)
    assert session.state == Contest()


def test_a_draft_by_hand_is_shown_to_the_engine_alone() -> None:
    session: Session[Contest] = Session.open(WOVEN, seed="x")
    session.perform("set-up", players=["Ada", "Ben", "Cyd"])
    for number in (3, 1, 5):
        assert isinstance(session.pending, ShowCard)
        assert session.pending.kind is Kind.HOME
        assert session.pending.among == (1, 2, 3, 4, 5), "the list does not tell what others have drawn"
        session.answer(CardReading(ComponentId(Kind.HOME, number)))
    everything = list(spells().values())
    for player in range(3):
        for spell in everything[7 * player : 7 * player + 7]:
            assert isinstance(session.pending, ShowCard)
            own = session.state.mages[PEOPLE[player]].hand
            assert len(session.pending.among) == 36 - len(own), "nor does it tell what they have kept"
            if player == 1:
                session.answer(CardReading(everything[0].component))
                assert session.pending.why == "That card cannot be yours; show one of your own."
            session.answer(CardReading(spell.component))
    for card in ("T4B", "T9A", "T33B"):
        session.answer(CardReading(ComponentId.parse(card)))
    assert [m.home_card for m in session.state.mages.values()] == [3, 1, 5]
    assert [f"{p.card}{p.side}" for m in session.state.mages.values() for p in m.tapestry.placements] == [
        "4B",
        "9A",
        "33B",
    ]
