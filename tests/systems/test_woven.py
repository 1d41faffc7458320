"""A game of Woven, from turns to a destroyed body: moves, tendrils, threads and cards (WO-3 to WO-14)."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import ContentInvalid, IllegalAction, UnknownAction
from loomtable.engine.kernel.readings import CardReading
from loomtable.engine.kernel.requests import ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.woven.cards import CardSide, tapestry_cards
from loomtable.engine.woven.patterns import completed
from loomtable.engine.woven.region_map import MapEdge, Terrain
from loomtable.engine.woven.rules import WOVEN
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.state import MANA, Contest
from tests.short import as_a, present, raises, refuses
from tests.systems.woven_table import Table, across_river, beside, ground, nearly_woven, one_card, road

HERE, NEXT, THIRD, FOURTH, FAR = road(5)


# Turns and rest


def test_nothing_is_played_before_the_set_up_or_out_of_turn() -> None:
    session: Session[Contest] = Session.open(WOVEN, seed="x")
    refuses(session.perform, r"no mage 'Ada'; nobody plays yet \(set-up\)", "rest", who="Ada")
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


def test_rounds_are_counted_when_everybody_has_had_a_turn() -> None:
    table = Table(Ada={}, Ben={}, Cyd={})
    for who in ("Ada", "Ben", "Cyd"):
        assert table.contest.round == 1
        table.do("rest", who=who)
    assert table.contest.round == 2


# Moves


@pytest.mark.parametrize("terrain", list(Terrain))
def test_a_move_costs_what_the_terrain_does(terrain: Terrain) -> None:
    start, end = beside(terrain)
    table = Table(Ada={"place": start}, Ben={})
    table.do("move", who="Ada", to=end)
    cost = {"plains": 1, "forest": 2, "mountains": 3, "water": 5}[terrain]
    assert (table.mage("Ada").place, table.mage("Ada").spent) == (end, cost)


def test_a_river_costs_three_more_and_too_little_mana_is_refused() -> None:
    bank, over = across_river()
    cost = ground().region(over).terrain.cost + 3
    table = Table(Ada={"place": bank, "pool": cost - 1}, Ben={})
    refuses(table.do, f"costs {cost} mana; Ada has {cost - 1} in the pool and", "move", who="Ada", to=over)
    table = Table(Ada={"place": bank}, Ben={})
    table.do("move", who="Ada", to=over)
    assert table.mage("Ada").spent == cost


def test_a_mage_comes_onto_the_map_at_the_own_edge_or_home() -> None:
    south, north = ground().edge(MapEdge.SOUTH)[0], ground().edge(MapEdge.NORTH)[0]
    table = Table(Ada={}, Ben={})
    refuses(table.do, "at their own edge of the map", "move", who="Ada", to=north)
    refuses(table.do, "no region 'nowhere'", "move", who="Ada", to="nowhere")
    table.do("move", who="Ada", to=south)
    assert table.mage("Ada").spent == ground().region(south).terrain.cost
    table = Table(Ada={}, Ben={}, Cyd={})
    table.do("move", who="Ada", to=ground().homes[0])
    assert table.mage("Ada").home_shown


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


def test_recovered_mana_is_in_the_pool_and_another_action_may_follow() -> None:
    table = Table(Ada={"place": HERE, "charges": {"protection": 1}, "tendrils": {FAR: 1}}, Ben={})
    before = table.mage("Ada").pool
    table.do("recover", who="Ada", charge="protection")
    table.do("recover", who="Ada", tendril=FAR)
    assert table.mage("Ada").pool == before + 2
    table.do("move", who="Ada", to=NEXT)
    assert present(table.contest.turn).mage == "Ben"


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
    raises(UnknownAction, "in at", table.do, "place-thread", who="Ben", at="here")


def test_threads_stay_after_a_cast() -> None:
    woven, (last,) = nearly_woven("protection")
    table = Table(Ada={"casts": ("protection",), "place": HERE}, Ben={})
    table.cast("protection")
    assert table.mage("Ada").threads == (*woven.threads, last)


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


def test_an_old_pattern_needs_a_new_thread_in_it() -> None:
    table = Table(Ada={"casts": ("haste",), "place": HERE}, Ben={})
    table.cast("haste", "stay")
    table.do("rest", who="Ben")
    elsewhere = next(spot for spot in table.mage("Ada").tapestry.free_boxes() if not nearest_symbol(table, spot))
    table.do("place-thread", who="Ada", at=list(elsewhere))
    assert table.asked == "", "the pattern of Haste still lies there, and the new thread is no part of one"


def nearest_symbol(table: Table, spot: tuple[int, int]) -> bool:
    """Whether a symbol of Air lies beside a spot, so that a thread there would make Haste."""
    seen = table.mage("Ada").tapestry.visible()
    column, row = spot
    around = ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1))
    return any(seen.get(s) == "air" for s in around)  # type: ignore[call-overload]  # a spot is a pair


def test_an_acquired_card_costs_three_and_gives_covered_threads_back() -> None:
    table = Table(Ada={"threads": 2, "pool": 6}, Ben={})
    top = table.contest.stack.pile[0]
    table.do("acquire-card", "B", "0", "0/0", who="Ada")
    mage = table.mage("Ada")
    assert [p.card for p in mage.tapestry.placements] == [1, top]
    assert (mage.threads, mage.pool) == ((), 6 - 3 + 2)
    assert mage.mana == MANA


def test_a_card_is_only_offered_where_it_overlaps() -> None:
    table = Table(Ada={}, Ben={})
    table.do("acquire-card", "A", "1", who="Ada")
    assert "0/0" in table.options
    assert "3/0" not in table.options, "beside the tapestry"
    assert "-1/-2" in table.options, "a corner overlaps"


def test_a_card_needs_three_mana_in_the_pool() -> None:
    table = Table(Ada={"pool": 2}, Ben={})
    with pytest.raises(IllegalAction, match="a tapestry card costs 3 mana; Ada has 2 in the pool and 11 spent"):
        table.do("acquire-card", who="Ada")


def test_a_printed_card_is_laid_with_the_side_that_is_shown() -> None:
    table = Table(rulings={"decks": "physical"}, Ada={}, Ben={})
    table.do("acquire-card", who="Ada")
    assert set(as_a(ShowCard, table.through.pending).among) == set(tapestry_cards()) - {1, 2}
    table.events += table.through.answer(CardReading(ComponentId.parse("T20B")))
    table.answer("0", "1/0")
    assert f"{table.mage('Ada').tapestry.placements[-1].side}" == "B"


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


def test_a_mage_in_the_astral_plane_is_not_hit_again() -> None:
    table = Table(Ada={"casts": ("fire-arrow",), "place": HERE, "tendrils": {NEXT: 1}}, Ben={})
    table.cast("fire-arrow")
    assert table.mage("Ben").destroyed == 0


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
