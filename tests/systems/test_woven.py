"""A game of Woven, from turns to a destroyed body: moves, tendrils, threads and cards (WO-3 to WO-14)."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.errors import ContentInvalid, IllegalAction, UnknownAction
from loomtable.engine.kernel.session import Session
from loomtable.engine.woven.cards import CardSide, tapestry_cards
from loomtable.engine.woven.patterns import completed
from loomtable.engine.woven.rules import WOVEN
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.state import MANA, Contest
from tests.short import present, raises, refuses
from tests.systems.woven_table import Table, across_river, ground, one_card, road

HERE, NEXT, THIRD, FOURTH, FAR = road(5)


# Turns and rest


def test_nothing_is_played_before_the_set_up_or_out_of_turn() -> None:
    session: Session[Contest] = Session.open(WOVEN, seed="x")
    refuses(session.perform, r"no mage 'Ada'; nobody plays yet \(Set up\)", "rest", who="Ada")
    table = Table(Ada={}, Ben={})
    refuses(table.do, "it is Ada's turn, not Ben's", "rest", who="Ben")
    refuses(table.do, "there is no mage 'Eve'; there are Ada, Ben", "rest", who="Eve")


def test_rest_brings_one_thread_and_all_spent_mana_back() -> None:
    table = Table(Ada={"threads": 3, "pool": 4}, Ben={})
    spots = table.mage("Ada").threads
    table.do("rest", f"{spots[1][0]}/{spots[1][1]}", who="Ada")
    assert (table.mage("Ada").pool, table.mage("Ada").spent) == (11, 0)
    assert table.mage("Ada").threads == (spots[0], spots[2])
    assert present(table.contest.turn).mage == "Ben"


def test_a_rest_takes_a_whole_turn() -> None:
    table = Table(Ada={"tendrils": {HERE: 1}}, Ben={})
    refuses(table.do, "has done nothing in this turn yet", "end-turn", who="Ada")
    table.do("recover", who="Ada", tendril=HERE)
    refuses(table.do, "has acted in this turn", "rest", who="Ada")
    table.do("end-turn", who="Ada")
    assert present(table.contest.turn).mage == "Ben"


# Moves


def test_a_move_goes_into_an_adjacent_location() -> None:
    table = Table(Ada={"place": HERE}, Ben={})
    refuses(table.do, "is not adjacent to", "move", who="Ada", to=FAR)


# Tendrils and charges


def test_a_tendril_is_one_mana_and_moves_for_three_over_anything() -> None:
    bank, over = across_river()
    table = Table(Ada={"place": bank}, Ben={})
    table.do("create-tendril", who="Ada")
    assert (table.mage("Ada").pool, table.mage("Ada").tendrils) == (MANA - 1, {bank: 1})
    table.do("rest", who="Ben")
    table.do("move-tendril", who="Ada", start=bank, to=over)
    assert (table.mage("Ada").spent, table.mage("Ada").tendrils) == (3, {over: 1})
    table = Table(Ada={"tendrils": {HERE: 1}}, Ben={})
    refuses(table.do, "is not adjacent", "move-tendril", who="Ada", start=HERE, to=FAR)
    refuses(table.do, "has no tendril in", "move-tendril", who="Ada", start=NEXT, to=HERE)
    refuses(table.do, "is not on the map", "create-tendril", who="Ada")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({}, "name either the spell of the charge or the location"),
        ({"charge": "protection", "tendril": HERE}, "name either"),
        ({"charge": "haste"}, "Ada has no charge on Haste"),
        ({"charge": "hast"}, "did you mean haste"),
        ({"tendril": HERE}, "Ada has no tendril in"),
    ],
)
def test_what_cannot_be_recovered(args: dict[str, str], words: str) -> None:
    with pytest.raises((IllegalAction, ContentInvalid), match=words):
        Table(Ada={}, Ben={}).do("recover", who="Ada", **args)


@pytest.mark.parametrize(
    ("spell", "charges", "threads", "words"),
    [
        ("recovery-shield", {}, 1, "Ben has no charge on Recovery Shield"),
        ("protection", {"protection": 1}, 1, "good when something happens"),
        ("recovery-shield", {"recovery-shield": 1}, 0, "no thread on the tapestry"),
    ],
)
def test_charges_that_cannot_be_spent_now(spell: str, charges: dict[str, int], threads: int, words: str) -> None:
    table = Table(Ada={}, Ben={"charges": charges, "threads": threads})
    refuses(table.do, words, "spend-charge", who="Ben", spell=spell)


# Threads and cards


def test_a_thread_goes_into_an_empty_box_and_another_action_may_follow() -> None:
    table = Table(Ada={"place": HERE, "threads": 1}, Ben={})
    woven = table.mage("Ada").tapestry
    symbol = next(spot for spot, cell in woven.visible().items() if cell is not None)
    for spot, words in (
        (symbol, "threads go into empty boxes"),
        (woven.threads[0], "already"),
        ((9, 9), "no card"),
    ):
        refuses(table.do, words, "place-thread", who="Ada", at=list(spot))
    table.do("place-thread", who="Ada", at=list(woven.free_boxes()[0]))
    assert len(table.mage("Ada").threads) == 2
    table.do("create-tendril", who="Ada")
    assert present(table.contest.turn).mage == "Ben"
    raises(UnknownAction, "in “At”", table.do, "place-thread", who="Ben", at="here")


def test_of_several_completed_patterns_one_is_chosen() -> None:
    """Haste and Protection have the same pattern; a box between Air and Earth serves both."""
    both = [spell_named("haste"), spell_named("protection")]
    card, side, spot = next(
        (card, side, spot)
        for card in tapestry_cards()
        for side in CardSide
        for spot in one_card(card, side).free_boxes()
        if len(completed(one_card(card, side).with_thread(spot), both, spot)) == len(both)
    )
    table = Table(Ada={"tapestry": one_card(card, side), "hand": ("haste", "protection"), "place": HERE}, Ben={})
    table.do("place-thread", who="Ada", at=list(spot))
    assert table.options == ["haste", "protection", "no"]
    table.answer("protection")
    assert (table.mage("Ada").shown, table.mage("Ada").hand) == (("protection",), ("haste",))


def test_an_acquired_card_costs_three_and_gives_covered_threads_back() -> None:
    table = Table(Ada={"threads": 2, "pool": 6}, Ben={})
    top = table.contest.stack.pile[0]
    table.do("acquire-card", "B", "0", "0/0", who="Ada")
    mage = table.mage("Ada")
    assert [p.card for p in mage.tapestry.placements] == [1, top]
    assert (mage.threads, mage.pool) == ((), 6 - 3 + 2)
    assert mage.mana == MANA


def test_a_card_needs_three_mana_in_the_pool() -> None:
    table = Table(Ada={"pool": 2}, Ben={})
    with pytest.raises(IllegalAction, match="a tapestry card costs 3 mana; Ada has 2 in the pool and 11 spent"):
        table.do("acquire-card", who="Ada")


# Death


def test_a_destroyed_body_loses_tendrils_and_charges_and_comes_back() -> None:
    table = Table(
        Ada={"casts": ("fire-arrow",), "place": HERE, "tendrils": {NEXT: 1}},
        Ben={"place": NEXT, "tendrils": {FAR: 2}, "charges": {"deflect": 1}, "threads": 2},
        Cyd={},
    )
    table.cast("fire-arrow", "take-the-hit")
    ben = table.mage("Ben")
    assert (ben.on_map, ben.tendrils, ben.charges, ben.spent, len(ben.threads)) == (False, {}, {}, 3, 2)
    assert present(table.contest.turn).mage == "Ben"
    home = ground().homes[1]
    table.do("move", who="Ben", to=home)
    assert table.mage("Ben").place == home


def test_the_second_body_wins_a_game_of_two_and_nothing_is_played_after() -> None:
    table = Table(Ada={"casts": ("sneak-n-stab",), "place": HERE, "kills": 1}, Ben={"place": NEXT, "destroyed": 1})
    table.cast("sneak-n-stab", NEXT)
    assert table.contest.winners == ("Ada",)
    assert table.mage("Ada").place == HERE, "what the spell would do after it is not played"
    refuses(table.do, "the game is over; Ada won", "rest", who="Ben")


def test_after_the_last_round_most_bodies_win_and_equals_share() -> None:
    for kills, winners in (({"Ben": 1}, ("Ben",)), ({"Ada": 1, "Cyd": 1}, ("Ada", "Cyd"))):
        table = Table(turn="Cyd", **{n: {"kills": kills.get(n, 0)} for n in ("Ada", "Ben", "Cyd")})
        table.change(last_round=1)
        table.do("rest", who="Cyd")
        assert table.contest.winners == winners
