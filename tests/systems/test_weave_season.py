"""Weave's seasons and episodes: planning, inviting, levels, and leaving (WV-1 to WV-7, WV-9, WV-11)."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.requests import Choose, ShowCard
from loomtable.engine.weave.character import LEVEL_BONUSES
from loomtable.engine.weave.playset import QualityKind
from loomtable.engine.weave.suits import Suit
from tests.short import refuses
from tests.systems.weave_table import Table, card, pick, write

THREE = (card("S9"), pick("1"), card("S10"), pick("1"), card("S11"), pick("1"))


def test_a_story_card_lies_in_one_place_only() -> None:
    table = Table(people=False)
    table.session.perform("new-season", playset="the-salt-road")
    table.session.answer(card("S5"))
    table.session.answer(pick("1"))
    assert isinstance(table.pending, ShowCard)
    assert 5 not in table.pending.among
    assert len(table.pending.among) == 21


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
        with pytest.raises(IllegalAction, match="no combination has been kept yet"):
            table.session.perform("new-season", planned=True, **named)
        assert table.session.pending is None, "refused before anything is asked that no answer would fit"


def test_elements_for_the_whole_season_stay_when_an_episode_ends() -> None:
    table = Table(people=False)
    answers = [card("S1"), pick("1"), card("S2"), pick("1"), card("S3"), pick("1")]
    table.do("new-season", *answers, *THREE, write("Long"), playset="the-salt-road", season_wide=True)
    wide = table.state.season_wide
    assert [q.card.short for q in wide] == ["S1", "S2", "S3"]
    table.do("new-episode", card("S1"), pick("1"), card("S2"), pick("1"), card("S3"), pick("1"))
    assert table.state.season_wide == wide
    assert [q.card.short for q in table.state.foundation] == ["S1", "S2", "S3"]


def test_a_new_episode_clears_the_elements_and_marks_used_ones() -> None:
    table = Table()
    table.do("add-location", card("S20"), pick("1"))
    table.do("boss-sheet", card("S6"), pick("1"), card("S4"), pick("2"), card("S7"), pick("1"))
    table.session.perform("new-episode")
    assert (table.state.elements, table.state.npcs, table.state.foundation) == ((), {}, ())
    for answer in (card("S5"),):
        table.session.answer(answer)
    assert isinstance(table.pending, Choose)
    assert [o.label.endswith("(used before)") for o in table.pending.options] == [True, False]
    table.session.answer(pick("1"))
    assert table.pending.purpose == "The Lamp Turns Inland was used before in this season"
    table.session.answer(pick("other"))
    assert table.pending.purpose == "Theme from S5"
    table.session.answer(pick("1"))
    table.session.answer(pick("again"))
    table.session.answer(card("S20"))
    table.session.answer(pick("1"))
    assert table.pending.purpose == "The Bench Hall was used before in this season", (
        "a further Location counts too"
    )


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


def test_the_sheet_lists_the_dice_bonus_and_remembers_the_cards() -> None:
    table = Table()
    assert [c.short for c in table.ilse.creation_cards] == ["S1", "S8", "S6", "S16"]
    assert {s: table.ilse.dice_bonus(s) for s in Suit} == {
        Suit.FLAMES: 0,
        Suit.BROOKS: 0,
        Suit.GALES: 2,
        Suit.STONES: 0,
    }
    assert "Ilse's dice bonus: Gales +2." in table.story()


def test_a_name_is_given_once() -> None:
    table = Table()
    answers = [card("S2"), pick("1"), card("S4"), pick("1"), card("S7"), pick("1"), card("S9"), pick("1")]
    table.do(
        "add-character", pick("stones"), *answers, write("Ilse"), write("storyteller"), write("Tib"), player="Ada"
    )
    assert list(table.state.characters) == ["Ilse", "Odo", "Tib"]


# Levels


def test_the_levels_bring_what_the_book_says() -> None:
    brought = {level: "+".join(k.value for k in kinds) for level, kinds in LEVEL_BONUSES.items()}
    assert brought == {
        2: "backstory",
        3: "talent",
        4: "backstory",
        5: "talent+flaw",
        6: "talent",
        7: "signature-move",
        8: "backstory",
        9: "talent",
        10: "talent",
        11: "signature-move",
    }


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


def test_a_creation_card_offers_only_what_is_new() -> None:
    table = Table()
    table.session.perform("level-up", who="Ilse")
    table.session.answer(pick("accept"))
    table.session.answer(card("S1"))
    assert isinstance(table.pending, Choose)
    assert [o.label for o in table.pending.options] == ["The Wick's Last Apprentice", "Porter of the Forty Lamps"]


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
