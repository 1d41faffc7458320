"""Weave's seasons and episodes: planning, inviting, levels, and leaving (WV-1 to WV-7, WV-9, WV-11)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.requests import Choose, EnterText
from loomtable.engine.kernel.session import Session
from loomtable.engine.ready_evening import begun_ready, ready_evenings
from loomtable.engine.weave.cards.playset import QualityKind, playset, playset_names
from loomtable.engine.weave.rules import WEAVE
from loomtable.engine.weave.suits import Suit
from loomtable.testing import random_step
from tests.short import as_a, refuses
from tests.systems.weave_table import Table, card, pick, write

THREE = (card("S9"), pick("1"), card("S10"), pick("1"), card("S11"), pick("1"))


def test_combinations_are_tried_before_one_is_kept() -> None:
    table = Table(people=False)
    scans = [answer for c in ("S1", "S2", "S3", "S4") for answer in (pick("scan"), card(c))]
    first = (pick("try"), pick("S1"), pick("1"), pick("S2"), pick("1"), pick("S3"), pick("1"))
    second = (pick("try"), pick("S4"), pick("2"), pick("S1"), pick("1"), pick("S2"), pick("2"))
    table.do("plan-episode", *scans, *first, *second, pick("keep"), pick("stop"), playset="the-salt-road")
    assert table.session.view("Ada")["plan"] is None, "the storyteller's alone"
    table.do("new-season", write("Planned"), playset="the-salt-road", planned=True)
    assert [q.card.short for q in table.state.foundation] == ["S4", "S1", "S2"]
    assert [q.kind for q in table.state.foundation] == list(QualityKind)[:3]
    assert table.state.plan is None


def test_what_was_tried_and_not_kept_is_not_used() -> None:
    table = Table(people=False)
    scans = [answer for c in ("S1", "S2", "S3") for answer in (pick("scan"), card(c))]
    tried = (pick("try"), pick("S1"), pick("1"), pick("S2"), pick("1"), pick("S3"), pick("1"))
    table.do("plan-episode", *scans, *tried, pick("stop"), playset="the-salt-road")
    for named in ({}, {"playset": "the-salt-road"}):
        refuses(table.session.perform, "no combination has been kept yet", "new-season", planned=True, **named)
        assert table.session.pending is None, "refused before anything is asked that no answer would fit"


def test_invited_players_have_to_accept_and_from_six_on_there_is_advice() -> None:
    table = Table()
    table.do("invite", player="Cleo")
    refuses(table.session.perform, "has already been invited", "invite", player="Cleo")
    refuses(table.session.perform, "Cleo has not accepted", "add-character", player="Cleo")
    advised = []
    for player in ("Cleo", "Dov", "Eva", "Finn", "Gil"):
        if player != "Cleo":
            table.do("invite", player=player)
        table.do("answer-invitation", player=player, accept=True)
        advised.append(table.story()[-1].endswith("hard to lead."))
    assert advised == [False, False, False, True, True], "Ada and Ben already play"
    table.do("invite", player="Hal")
    table.do("answer-invitation", player="Hal", accept=False)
    assert "Hal" not in table.state.players


def test_a_name_is_given_once() -> None:
    table = Table()
    answers = [card("S2"), pick("1"), card("S4"), pick("1"), card("S7"), pick("1"), card("S9"), pick("1")]
    table.do(
        "add-character", pick("stones"), *answers, write("Ilse"), write("storyteller"), write("Tib"), player="Ada"
    )
    assert list(table.state.characters) == ["Ilse", "Odo", "Tib"]


# Levels


def test_a_level_is_offered_accepted_and_had_once_in_an_episode() -> None:
    table = Table()
    table.do("level-up", pick("decline"), who="Ilse")
    assert table.ilse.level == 1
    table.do("level-up", pick("accept"), card("S4"), pick("2"), who="Ilse")
    assert table.ilse.level == 2
    assert table.ilse.dice_bonus(Suit.STONES) == 1
    refuses(table.session.perform, "already levelled up in this episode", "level-up", who="Ilse")
    table.do("level-up", pick("accept"), card("S3"), pick("2"), who="Odo")
    table.do("new-episode", *THREE)
    table.session.perform("level-up", who="Ilse")


def test_level_eleven_is_the_end_of_it() -> None:
    table = Table({"level-up-when": "any-time", "decks": "dealt"}, people=False)
    table.do("new-season", pick("1"), pick("1"), pick("1"), write("x"), playset="the-salt-road")
    table.do("add-character", *(pick(k) for k in ("gales", "1", "1", "1", "1")), write("Sefa"), player="Ada")
    while table.state.characters["Sefa"].level < 11:
        for action, arguments in (("level-up", {"who": "Sefa"}), ("new-episode", {})):
            table.session.perform(action, **arguments)
            while isinstance(table.pending, Choose):
                table.session.answer(pick(table.pending.options[0].key))
    sefa = table.state.characters["Sefa"]
    kinds = [q.kind for q in sefa.qualities]
    counts = {k: kinds.count(k) for k in QualityKind if k in kinds}
    assert counts == {
        QualityKind.BACKSTORY: 4,
        QualityKind.TALENT: 6,
        QualityKind.FLAW: 2,
        QualityKind.ASSET: 1,
        QualityKind.SIGNATURE_MOVE: 2,
    }
    names = [(q.kind, q.quality.name) for q in sefa.qualities]
    assert len(set(names)) == len(names), "nothing is had twice"
    refuses(table.session.perform, "the highest there is", "level-up", who="Sefa")


# Leaving


@pytest.mark.parametrize(("answer", "left", "wounds"), [("heal", False, 2), ("leave", True, 3)])
def test_with_three_wounds_one_is_healed_or_the_character_leaves(answer: str, left: bool, wounds: int) -> None:
    table = Table()
    table.do("effect", card("C1"), who="Ilse", do="draw-challenge", because="the road")
    table.wound("Ilse", 3)
    table.do("new-episode", pick(answer), *THREE)
    assert (table.ilse.left, table.ilse.wounds) == (left, wounds)
    assert len(table.ilse.kept) == (0 if left else 1)
    assert ("Ilse" in table.state.present) == (not left)


def test_a_character_may_leave_at_any_time_but_in_an_encounter() -> None:
    table = Table()
    table.fight("Ilse", "Odo", "Wolf")
    refuses(table.session.perform, "Ilse takes part in the encounter", "leave-season", who="Ilse")
    refuses(table.session.perform, "an encounter is under way", "new-episode")
    table.do("end-encounter", resolution="They run.")
    table.do("leave-season", who="Ilse")
    refuses(table.session.perform, "Ilse has left the season", "challenge", who="Ilse", suit="gales")


def strings(seen: object) -> Iterator[str]:
    """Every text in plain values, names of fields too."""
    if isinstance(seen, str):
        yield seen
    elif isinstance(seen, dict):
        yield from (text for pair in seen.items() for part in pair for text in strings(part))
    elif isinstance(seen, list):
        yield from (text for part in seen for text in strings(part))


@pytest.mark.parametrize("title", [evening.title for evening in ready_evenings(WEAVE)])
def test_nothing_that_players_see_or_hear_names_a_card_that_lies_face_down(title: str) -> None:
    for seed in range(3):
        session, source = begun_ready(WEAVE, str(seed), Random(seed), title), Random(seed)
        hidden = session.state.face_down_names
        assert not [name for name in hidden if name.casefold() in title.casefold()]
        for _ in range(40):
            said = len(session.played)
            random_step(session, source)
            hidden = session.state.face_down_names
            for viewer in ("a stranger", *WEAVE.people(session.game)):
                seen = [*strings(session.view(viewer))]
                for step in session.played[said:]:
                    seen += [
                        WEAVE.tell(e, step.game, viewer) for e in step.events if WEAVE.hears(e, step.game, viewer)
                    ]
                assert not [(name, text) for text in seen for name in hidden if name in text], viewer


@pytest.mark.parametrize("name", playset_names())
def test_the_names_offered_for_a_season_are_of_places_and_of_no_card_that_lies_face_down(name: str) -> None:
    session = Session.open(WEAVE, seed=name, rulings={"decks": "dealt"})
    session.perform("new-season", playset=name)
    while isinstance(session.pending, Choose):
        session.answer(random_answer(session.pending, Random(name)))
    offered = as_a(EnterText, session.pending).suggestions
    assert set(offered) == {place.name for place in playset(name).places} - session.state.face_down_names != set()


def test_a_place_of_the_playset_that_lies_face_down_is_not_offered() -> None:
    session = Session.open(WEAVE, seed="s")
    session.perform("new-season", playset="the-still-harbour")
    for answer in (card("S20"), pick("1"), card("S2"), pick("1"), card("S10"), pick("1")):
        session.answer(answer)
    (hidden,) = session.state.face_down_names & {place.name for place in playset("the-still-harbour").places}
    assert hidden not in as_a(EnterText, session.pending).suggestions


def test_what_a_place_that_lies_face_down_has_given_is_on_the_sheet_without_its_name() -> None:
    table = Table()
    hidden = table.state.locations[0].quality.name
    table.do("effect", who="Ilse", do="extra-dice", because=hidden)
    assert hidden in str(table.session.view("storyteller")["characters"])
    own = table.session.view("Ada")["characters"]["Ilse"]
    assert own["boons"][0]["because"] == "face down" and hidden not in str(own)
