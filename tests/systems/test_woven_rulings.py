"""Every ruling of Woven, with every choice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.requests import Choose, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.woven.events.ground import Attacked
from loomtable.engine.woven.events.weaving import CardDrawn, StackRenewed
from loomtable.engine.woven.region_map import map_names
from loomtable.engine.woven.regions import MapEdge, Terrain
from loomtable.engine.woven.rules import WOVEN
from loomtable.engine.woven.rulings import RULINGS
from loomtable.engine.woven.spells import spell_named
from loomtable.engine.woven.state import Contest
from tests.short import present, refuses
from tests.systems.woven_table import Table, across_river, beside, ground, road
from tests.tiers import mostly

HERE, NEXT, THIRD, FOURTH, FAR = road(5)
REGIONS = [place.key for place in ground().regions]


def table(ruling: str, choice: str, *, turn: str = "Ada", **mages: Any) -> Table:
    """A table that plays one ruling so."""
    RULINGS[ruling].choice(choice)
    return Table(turn, rulings={ruling: choice}, **mages)


def begun(seed: str = "x", players: int = 2, **rulings: str) -> Session[Contest]:
    """A game at its set-up, with these rulings."""
    chosen = {"decks": "dealt", **{key.replace("_", "-"): choice for key, choice in rulings.items()}}
    session: Session[Contest] = Session.open(WOVEN, seed=seed, rulings=chosen)
    session.perform("set-up", players=["Ada", "Ben", "Cyd", "Dov", "Eve"][:players])
    return session


def through_the_draft(session: Session[Contest]) -> Session[Contest]:
    while isinstance(session.pending, Choose):
        session.answer(ChoiceReading((session.pending.options[0].key,)))
    return session


def an_arrow(ruling: str, choice: str, spell: str = "fire-arrow", **mages: Any) -> Table:
    """Ada strikes at the location next to her."""
    return table(ruling, choice, Ada={"casts": (spell,), "place": HERE, "tendrils": {NEXT: 1}}, **mages)


@pytest.mark.parametrize(("choice", "asked"), [("physical", ShowCard), ("dealt", Choose)])
def test_decks(choice: str, asked: type) -> None:
    assert isinstance(begun(decks=choice).pending, asked)


def test_map() -> None:
    maps = map_names()
    assert {begun(seed, map="first-shipped").state.map for seed in "abcdefgh"} == {maps[0]}
    assert {begun(seed, map="by-seed").state.map for seed in "abcdefghijklmnop"} == set(maps)


def test_first_move_enters() -> None:
    at = table("first-move", "enters", Ada={}, Ben={})
    edge = ground().edge(MapEdge.SOUTH)
    inside = next(n for n in ground().neighbours(edge[0]) if n not in edge)
    refuses(at.do, "comes onto the map at their own edge", "move", who="Ada", to=inside)
    at.do("move", who="Ada", to=edge[0])
    assert (at.mage("Ada").place, at.mage("Ada").spent) == (edge[0], ground().region(edge[0]).terrain.cost)


@pytest.mark.parametrize("to", mostly(REGIONS, REGIONS[::6]))
def test_first_move_stands_there(to: str) -> None:
    """Whatever lies beside the edge can be gone to, from any location of it, for what the step costs."""
    at = table("first-move", "stands-there", Ada={}, Ben={})
    starts = [place for place in ground().edge(MapEdge.SOUTH) if ground().adjacent(place, to)]
    if not starts:
        refuses(at.do, "is not next to a place on Ada's own edge", "move", who="Ada", to=to)
        return
    assert any(m.name == "move" and m.args["to"] == to for m in WOVEN.legal_actions(at.through.game, "Ada"))
    at.do("move", who="Ada", to=to)
    if len(starts) > 1:
        assert list(at.options) == starts
        at.answer(starts[-1])
    assert at.mage("Ada").place == to
    assert at.mage("Ada").spent == ground().step_cost(starts[-1], to)


def test_after_a_death_a_mage_comes_back_as_ever() -> None:
    at = table("first-move", "stands-there", Ada={"destroyed": 1}, Ben={})
    home = ground().edge(MapEdge.SOUTH)[0]
    at.do("move", who="Ada", to=home)
    assert at.mage("Ada").spent == ground().region(home).terrain.cost


@pytest.mark.parametrize("choice", ["not-allowed", "allowed"])
def test_passing(choice: str) -> None:
    at = table("passing", choice, Ada={"place": HERE}, Ben={})
    if choice == "not-allowed":
        refuses(at.do, "has done nothing in this turn yet", "end-turn", who="Ada")
        return
    at.do("end-turn", who="Ada")
    assert present(at.contest.turn).mage == "Ben"
    assert at.mage("Ada").pool == 13


@pytest.mark.parametrize(("choice", "shown"), [("set-aside", False), ("shown-to-all", True)])
def test_fifth_player_leftover(choice: str, shown: bool) -> None:
    session = through_the_draft(begun(players=5, fifth_player_leftover=choice))
    [left] = session.state.aside
    assert (session.view("Ada")["aside"] == [left]) is shown
    assert any(spell_named(left).name in sentence for sentence in session.story()) is shown


@pytest.mark.parametrize(("choice", "needed"), [("bodies", 2), ("first-kill", 1)])
def test_win_condition_by_bodies(choice: str, needed: int) -> None:
    for kills in (0, 1):
        at = an_arrow("win-condition", choice, Ben={"place": NEXT})
        at.change(mages={**at.contest.mages, "Ada": _killer(at, kills)})
        at.cast("fire-arrow")
        assert bool(at.contest.winners) is (kills + 1 >= needed)


def _killer(at: Table, kills: int) -> Any:
    return msgspec.structs.replace(at.mage("Ada"), kills=kills)


def test_win_condition_with_three_needs_the_last_round() -> None:
    at = an_arrow("win-condition", "bodies", Ben={"place": NEXT}, Cyd={})
    at.change(mages={**at.contest.mages, "Ada": _killer(at, 5)})
    at.cast("fire-arrow")
    assert at.contest.winners == ()
    assert at.mage("Ada").kills == 6


def test_win_condition_city_control() -> None:
    cities = ground().cities
    assert len(cities) >= 2
    at = table("win-condition", "city-control", Ada={"tendrils": {cities[0]: 2, cities[1]: 1}}, Ben={})
    at.do("rest", who="Ada")
    assert at.mage("Ada").points == 2
    at = table("win-condition", "city-control", Ada={"tendrils": {cities[0]: 1}, "points": 14}, Ben={})
    at.do("rest", who="Ada")
    assert at.contest.winners == ("Ada",)
    at = table(
        "win-condition",
        "city-control",
        Ada={"tendrils": dict.fromkeys(cities[1:], 1), "place": cities[0]},
        Ben={"place": FAR},
    )
    at.do("create-tendril", who="Ada")
    assert at.contest.winners == ("Ada",), "all at once"


@pytest.mark.parametrize(("choice", "free"), [("pays-terrain", False), ("free", True)])
def test_astral_plane(choice: str, free: bool) -> None:
    at = table("astral-plane", choice, Ada={}, Ben={}, Cyd={})
    home = ground().homes[0]
    at.do("move", who="Ada", to=home)
    assert at.mage("Ada").spent == (0 if free else ground().region(home).terrain.cost)


@pytest.mark.parametrize("choice", ["kept", "discarded"])
def test_death_tapestry(choice: str) -> None:
    at = an_arrow("death-tapestry", choice, Ben={"place": NEXT, "threads": 3}, Cyd={})
    cards = [p.card for p in at.mage("Ben").tapestry.placements]
    at.cast("fire-arrow")
    ben = at.mage("Ben")
    if choice == "kept":
        assert (len(ben.threads), ben.spent) == (3, 0)
        assert [p.card for p in ben.tapestry.placements] == cards
    else:
        assert at.asked.startswith("Ben: Which side of tapestry card")
        at.answer("B")
        assert (at.mage("Ben").threads, at.mage("Ben").spent) == ((), 3)
        assert list(at.contest.stack.discards) == cards
        assert len(at.mage("Ben").tapestry.placements) == 1
    assert at.mage("Ben").mana == 13


@pytest.mark.parametrize("choice", ["not-available", "discards-return"])
def test_tapestry_stack_empty(choice: str) -> None:
    at = table("tapestry-stack-empty", choice, Ada={}, Ben={})
    pile = at.contest.stack.pile
    at.change(stack=type(at.contest.stack)("test", (), pile))
    if choice == "not-available":
        refuses(at.do, "no tapestry card is left", "acquire-card", who="Ada")
    else:
        events = at.do("acquire-card", who="Ada")
        assert [type(event) for event in events] == [StackRenewed, CardDrawn]
        assert len(at.contest.stack.pile) == len(pile) - 1
        at.change(stack=type(at.contest.stack)("test", ()))
        refuses(at.do, "no tapestry card is left", "acquire-card", who="Ada")


def test_a_first_card_after_death_is_found_even_in_the_discards() -> None:
    at = an_arrow("death-tapestry", "discarded", Ben={"place": NEXT}, Cyd={})
    at.change(stack=type(at.contest.stack)("test", ()))
    at.cast("fire-arrow", "A")
    assert len(at.mage("Ben").tapestry.placements) == 1


@pytest.mark.parametrize(
    ("choice", "turns"), [("quarter-turns", ["0", "1", "2", "3"]), ("half-turns", ["0", "2"])]
)
def test_card_grid(choice: str, turns: list[str]) -> None:
    at = table("card-grid", choice, Ada={}, Ben={})
    at.do("acquire-card", "A", who="Ada")
    assert at.options == turns


@pytest.mark.parametrize("choice", ["must", "may"])
def test_rest_thread(choice: str) -> None:
    at = table("rest-thread", choice, Ada={"threads": 1}, Ben={})
    at.do("rest", who="Ada")
    if choice == "may":
        at.answer("no")
    assert len(at.mage("Ada").threads) == (1 if choice == "may" else 0)


@pytest.mark.parametrize(("choice", "spent"), [("is-the-tendril", 0), ("one-more", 1)])
def test_tendril_cost(choice: str, spent: int) -> None:
    at = table("tendril-cost", choice, Ada={"place": HERE}, Ben={})
    at.do("create-tendril", who="Ada")
    assert (at.mage("Ada").tendrils, at.mage("Ada").spent) == ({HERE: 1}, spent)
    at = table("tendril-cost", choice, Ada={"place": HERE, "pool": spent}, Ben={})
    refuses(at.do, f"costs {spent + 1} mana", "create-tendril", who="Ada")


@pytest.mark.parametrize(("choice", "stands"), [("hits-everyone", False), ("spares-the-caster", True)])
def test_own_attack(choice: str, stands: bool) -> None:
    at = table(
        "own-attack",
        choice,
        Ada={"casts": ("fire-arrow",), "place": NEXT, "tendrils": {NEXT: 1}},
        Ben={"place": NEXT},
    )
    at.cast("fire-arrow")
    assert at.mage("Ada").on_map is stands
    assert not at.mage("Ben").on_map
    assert at.mage("Ada").kills == 1, "one's own body counts for nobody"


@pytest.mark.parametrize(("choice", "kills"), [("the-deflector", (0, 1)), ("the-attacker", (1, 0))])
def test_deflected_by(choice: str, kills: tuple[int, int]) -> None:
    at = an_arrow("deflected-by", choice, Ben={"place": NEXT, "charges": {"deflect": 1}}, Cyd={"place": THIRD})
    at.cast("fire-arrow", "deflect:spend", THIRD)
    assert not at.mage("Cyd").on_map
    assert (at.mage("Ada").kills, at.mage("Ben").kills) == kills


@pytest.mark.parametrize("choice", ["the-deflector", "the-attacker"])
def test_deflected_by_and_the_attackers_own_body(choice: str) -> None:
    at = an_arrow("deflected-by", choice, Ben={"place": NEXT, "charges": {"stone-reflection": 1}}, Cyd={})
    at.cast("fire-arrow")
    assert not at.mage("Ada").on_map
    assert at.mage("Ben").kills == (1 if choice == "the-deflector" else 0)
    assert at.mage("Ada").kills == 0


@pytest.mark.parametrize(("choice", "left"), [("stays", 1), ("spent", 0)])
def test_reflection_charge(choice: str, left: int) -> None:
    at = an_arrow("reflection-charge", choice, Ben={"place": NEXT, "charges": {"stone-reflection": 1}}, Cyd={})
    at.cast("fire-arrow")
    assert at.mage("Ben").charges.get("stone-reflection", 0) == left


@pytest.mark.parametrize(("choice", "left"), [("stays", 1), ("spent", 0)])
@pytest.mark.parametrize("spell", ["whiplash", "snapback"])
def test_sacrifice_charge(choice: str, left: int, spell: str) -> None:
    ben = {"place": NEXT, "charges": {spell: 1}, "tendrils": {FAR: 1}}
    at = an_arrow("sacrifice-charge", choice, Ben=ben)
    at.cast("fire-arrow", f"{spell}:{FAR}")
    assert at.mage("Ben").on_map
    assert at.mage("Ben").charges.get(spell, 0) == left


@pytest.mark.parametrize(
    ("choice", "teleports", "returns"),
    [("teleport-barred", False, True), ("all-barred", False, False), ("open", True, True)],
)
def test_barrier_and_astral(choice: str, teleports: bool, returns: bool) -> None:
    wall = {"tendrils": {NEXT: 1}, "charges": {"barrier": 1}, "place": NEXT}
    at = table(
        "barrier-and-astral",
        choice,
        Ada={"casts": ("teleport",), "place": FAR, "tendrils": {HERE: 1}},
        Ben=dict(wall),
    )
    at.cast("teleport")
    assert at.mage("Ada").place == (HERE if teleports else FAR)
    home = ground().homes[0]
    beside_home = ground().neighbours(home)[0]
    at = table(
        "barrier-and-astral", choice, Ada={}, Ben={"tendrils": {beside_home: 1}, "charges": {"barrier": 1}}, Cyd={}
    )
    if returns:
        at.do("move", who="Ada", to=home)
        assert at.mage("Ada").place == home
    else:
        refuses(at.do, "a barrier of Ben bars the way", "move", who="Ada", to=home)


@pytest.mark.parametrize(("choice", "allowed"), [("allowed", True), ("barred", False)])
def test_spell_move_water(choice: str, allowed: bool) -> None:
    shore, water = beside(Terrain.WATER)
    for charges in ({}, {"water-moccasins": 1}):
        at = table(
            "spell-move-water", choice, Ada={"casts": ("hands-of-flame",), "place": shore, "charges": charges}
        )
        at.cast("hands-of-flame")
        assert (water in at.options) is (allowed or bool(charges))


@pytest.mark.parametrize("choice", ["as-plains", "as-usual"])
def test_moccasins_cost(choice: str) -> None:
    shore, water = beside(Terrain.WATER)
    bank, over = across_river()
    for start, end, usual, cheap in (
        (shore, water, 5, 1),
        (bank, over, ground().region(over).terrain.cost + 3, ground().region(over).terrain.cost),
    ):
        at = table("moccasins-cost", choice, Ada={"place": start, "charges": {"water-moccasins": 1}}, Ben={})
        at.do("move", who="Ada", to=end)
        assert at.mage("Ada").spent == (cheap if choice == "as-plains" else usual)


@pytest.mark.parametrize(("choice", "at_once"), [("every-action", True), ("turns-end", False)])
def test_moccasins_tendril(choice: str, at_once: bool) -> None:
    shore, _ = beside(Terrain.WATER)
    at = table("moccasins-tendril", choice, Ada={"place": shore, "charges": {"water-moccasins": 1}}, Ben={})
    box = at.mage("Ada").tapestry.free_boxes()[0]
    at.do("place-thread", who="Ada", at=list(box))
    assert bool(at.asked) is at_once
    if at_once:
        at.answer("no")
        at.do("end-turn", who="Ada")
        assert at.asked == "", "ending a turn is no action"
    else:
        at.do("end-turn", shore, who="Ada")
        assert at.mage("Ada").tendrils == {shore: 1}


@pytest.mark.parametrize(("choice", "back"), [("any-adjacent", True), ("away", False)])
def test_push_destination(choice: str, back: bool) -> None:
    at = table("push-destination", choice, Ada={"casts": ("push",), "place": HERE}, Ben={"place": NEXT})
    at.cast("push", NEXT)
    assert (HERE in at.options) is back


@pytest.mark.parametrize(("choice", "over_it"), [("stop", False), ("ignored", True)])
def test_push_barriers(choice: str, over_it: bool) -> None:
    bank, over = across_river()
    start = next(n for n in ground().neighbours(bank) if n != over)
    at = table("push-barriers", choice, Ada={"casts": ("push",), "place": start}, Ben={"place": bank})
    at.cast("push", bank)
    offered = at.options if at.asked else []
    assert (over in offered) is over_it


def test_push_barriers_where_nobody_can_go_anywhere() -> None:
    walls = {"tendrils": {NEXT: 1}, "charges": {"barrier": 1}}
    at = table(
        "push-barriers", "stop", Ada={"casts": ("push",), "place": HERE}, Ben={"place": NEXT}, Cyd=dict(walls)
    )
    at.cast("push", NEXT)
    assert at.mage("Ben").place == NEXT
    assert "There is nowhere to push" in at.story()


@pytest.mark.parametrize(("choice", "attacks"), [("each-location", 1), ("each-tendril", 2)])
def test_fire_reign(choice: str, attacks: int) -> None:
    at = table(
        "fire-reign",
        choice,
        Ada={"casts": ("fire-reign",), "place": HERE, "tendrils": {NEXT: 2}},
        Ben={"place": NEXT, "charges": {"protection": 1}},
    )
    events = at.cast("fire-reign")
    assert len([event for event in events if isinstance(event, Attacked)]) == attacks
    assert at.mage("Ben").on_map is (attacks == 1)


def test_every_choice_of_every_ruling_is_played_here() -> None:
    text = Path(__file__).read_text("utf-8")
    for ruling in RULINGS.values():
        assert ruling.id in text or ruling.id.replace("-", "_") in text, ruling.id
        for choice in ruling.choices:
            assert f'"{choice.key}"' in text, f"{ruling.id}: {choice.key}"
