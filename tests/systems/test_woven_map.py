"""Region maps: what a step costs, what a file may say, and maps made from a seed (WO-2, WO-5, WO-7)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.woven.map.fairness import MEASURES, fairness
from loomtable.engine.woven.map.maker import PLANS, MapSize, make_map
from loomtable.engine.woven.map.names import parse_map_names
from loomtable.engine.woven.region_map import parse_region_map, print_region_map, region_map
from loomtable.engine.woven.regions import RegionKey, RegionMap, Terrain
from tests.short import raises, refuses
from tests.systems.woven_maps import FOUR, square_maps
from tests.tiers import mostly

FIELDS = parse_region_map(FOUR, "four.yaml")
SHIPPED = {"the-maple-reach": MapSize.SMALL, "the-weft-wolds": MapSize.MEDIUM, "the-lace-weald": MapSize.LARGE}


@pytest.mark.parametrize(
    ("start", "end", "cost"),
    [
        ("high-fell", "south-lea", 1),
        ("south-lea", "high-fell", 3),
        ("south-lea", "ash-wood", 2 + 3),
        ("ash-wood", "south-lea", 1 + 3),
        ("ash-wood", "dark-mere", 5),
    ],
)
def test_a_step_costs_its_terrain_and_three_more_over_a_river(start: str, end: str, cost: int) -> None:
    assert FIELDS.step_cost(start, end) == cost


def test_a_bridge_takes_the_river_out_of_the_price() -> None:
    bridged = parse_region_map(FOUR.replace("bridges: []", "bridges: [[ash-wood, south-lea]]"), "four.yaml")
    assert bridged.step_cost("south-lea", "ash-wood") == 2
    assert not bridged.river_between("south-lea", "ash-wood")


def test_regions_that_meet_in_a_corner_are_not_adjacent() -> None:
    assert not FIELDS.adjacent("south-lea", "dark-mere")
    refuses(FIELDS.step_cost, "Darkmere is not adjacent to Southlea", "south-lea", "dark-mere")


def test_a_region_that_there_is_not_is_refused_with_the_nearest() -> None:
    refuses(FIELDS.neighbours, "no region 'ash-wod' on the map four-fields; did you mean ash-wood", "ash-wod")


def test_whoever_may_not_cross_goes_round() -> None:
    def dry(one: RegionKey, other: RegionKey) -> bool:
        return not FIELDS.river_between(one, other)

    assert FIELDS.within("south-lea", 3, may_step=dry) == {
        "south-lea": 0, "high-fell": 1, "dark-mere": 2, "ash-wood": 3,
    }  # fmt: skip


def test_beside_water_is_beside_a_river_or_a_lake() -> None:
    dry = parse_region_map(FOUR.replace("rivers:\n  - {name: Wend, course: [4, 1]}\n", ""), "four.yaml")
    assert [FIELDS.beside_water(r.key) for r in FIELDS.regions] == [True, True, True, False]
    assert [dry.beside_water(r.key) for r in dry.regions] == [False, True, True, False]


def slow_costs(region_map: RegionMap, start: RegionKey) -> dict[RegionKey, float]:
    """The twin of ``costs_from``: every step is tried again until nothing gets cheaper."""
    costs = {region.key: float("inf") for region in region_map.regions} | {start: 0.0}
    for _ in region_map.regions:
        for one, other in product(costs, costs):
            if region_map.adjacent(one, other):
                costs[other] = min(costs[other], costs[one] + region_map.step_cost(one, other))
    return costs


@given(square_maps())
@settings(max_examples=25)
def test_the_cheapest_way_is_the_one_that_trying_everything_finds(squares: RegionMap) -> None:
    start = squares.regions[0].key
    assert squares.costs_from(start) == slow_costs(squares, start)


@given(square_maps())
@settings(max_examples=60)
def test_a_printed_map_reads_as_the_same_map(squares: RegionMap) -> None:
    assert parse_region_map(print_region_map(squares), "squares.yaml") == squares


@given(square_maps())
@settings(max_examples=30)
def test_the_laws_of_neighbours(squares: RegionMap) -> None:
    for one, other in product(squares.by_key, squares.by_key):
        assert squares.adjacent(one, other) == squares.adjacent(other, one) == (other in squares.neighbours(one))
        assert squares.river_between(one, other) == squares.river_between(other, one)
        assert squares.adjacent(one, other) == (squares.within(one, 1).get(other) == 1)
    assert all(squares.neighbours(key) for key in squares.by_key)


@pytest.mark.parametrize(
    "row", msgspec.yaml.decode(Path(__file__).with_name("four_spoilt.yaml").read_bytes()), ids=itemgetter("why")
)
def test_a_map_that_does_not_hold_together_is_refused_with_its_line(row: dict[str, Any]) -> None:
    assert row["old"] in FOUR
    with pytest.raises(ContentInvalid, match=rf"four\.yaml line {row['line']}: .*{row['why']}"):
        parse_region_map(FOUR.replace(row["old"], row["new"]), "four.yaml")


def test_a_river_must_reach_something() -> None:
    inland = parse_region_map(print_region_map(make_map("2", MapSize.SMALL)), "small.yaml")
    longest = max(inland.rivers, key=lambda river: len(river.course))
    cut_short = print_region_map(inland).replace(str(list(longest.course)), str(list(longest.course[:-1])))
    with pytest.raises(ContentInvalid, match=f"the river {longest.name} ends in the middle of the land"):
        parse_region_map(cut_short, "small.yaml")


def test_a_region_without_neighbours_is_named() -> None:
    alone = FOUR.replace("[4, 5, 8, 7]", "[9, 10, 11]").replace(
        "regions:", "  - [60, 50]\n  - [90, 50]\n  - [90, 70]\nregions:"
    )
    raises(ContentInvalid, r"line 22: Darkmere has no neighbour", parse_region_map, alone, "four.yaml")


def test_regions_that_lie_on_one_another_are_named() -> None:
    twice = FOUR.replace(
        "rivers:", "  - {region: dark-moor, name: Darkmoor, terrain: plains, corners: [4, 5, 8]}\nrivers:"
    )
    with pytest.raises(ContentInvalid, match="line 20: Darkmoor and Darkmere are on the same side of the border"):
        parse_region_map(twice, "four.yaml")


def test_there_is_no_such_map() -> None:
    raises(ContentInvalid, "no region map 'atlantis'; installed: the-lace-weald", region_map, "atlantis")


@pytest.mark.parametrize(("name", "size"), SHIPPED.items())
def test_a_shipped_map_is_fair_and_what_its_seed_gives(name: str, size: MapSize) -> None:
    shipped, plan = region_map(name), PLANS[size]
    made = make_map(shipped.seed, size, len(shipped.homes))
    assert msgspec.structs.replace(made, number=shipped.number) == shipped
    assert fairness(shipped).fair
    terrains = Counter(region.terrain for region in shipped.regions)
    assert len(shipped.regions) == plan.regions
    assert (terrains[Terrain.FOREST], terrains[Terrain.MOUNTAINS]) == (plan.forest, plan.mountains)
    assert terrains[Terrain.WATER] == plan.water
    assert (len(shipped.homes), len(shipped.cities), len(shipped.rivers)) == (5, plan.cities, plan.rivers)


@pytest.mark.parametrize(("seed", "homes"), mostly([("a", 2), ("b", 3), ("c", 4), ("d", 5)], [("a", 2)]))
def test_a_made_map_is_fair_by_another_reckoning(seed: str, homes: int) -> None:
    """Each way reckoned anew by trying everything, and held against what the map promises."""
    made = make_map(seed, MapSize.SMALL, homes)
    ways = {home: slow_costs(made, home) for home in made.homes}
    entering = {home: made.by_key[home].terrain.cost for home in made.homes}
    for found in fairness(made).homes:
        costs, enter = ways[found.start], entering[found.start]
        rivals = [costs[other] + enter for other in made.homes if other != found.start]
        assert found.nearest_rival == min(rivals)
        assert found.rivals == pytest.approx(sum(rivals) / len(rivals))
        assert found.nearest_city == min(costs[city] + enter for city in made.cities)
    for spread in fairness(made).spreads():
        assert spread.most - spread.least <= spread.tolerated
    assert set(MEASURES) == {spread.measure for spread in fairness(made).spreads()}


@pytest.mark.parametrize("seed", ["e", "f"])
def test_rivers_run_from_mountains_and_share_nothing_but_a_joint(seed: str) -> None:
    made = make_map(seed, MapSize.MEDIUM, 5)
    for river in made.rivers:
        source = {
            made.by_key[k].terrain for b, keys in made.sides_of.items() if river.course[0] in b for k in keys
        }
        assert Terrain.MOUNTAINS in source
        for start, end in pairwise(river.course):
            sides = made.sides_of[frozenset((start, end))]
            assert all(made.by_key[key].terrain is not Terrain.WATER for key in sides)
    for at, one in enumerate(made.rivers):
        for other in made.rivers[:at]:
            common = set(one.course) & set(other.course)
            assert len(common) <= 1
            assert common <= {one.course[-1], other.course[-1]}


@given(st.text(max_size=12))
@settings(max_examples=4)
def test_any_text_is_a_seed(seed: str) -> None:
    made = make_map(seed, MapSize.SMALL, 2)
    assert parse_region_map(print_region_map(made), "made.yaml") == made


@pytest.mark.parametrize("homes", [1, 6])
def test_too_few_or_too_many_homes_are_refused(homes: int) -> None:
    raises(ContentInvalid, f"2 to 5 homes, not {homes}", make_map, "1", MapSize.SMALL, homes)


def test_lists_of_names_are_checked() -> None:
    short = "title: N\nlicence: CC0\nfirsts: [Ash]\nendings: {plains: [lea]}\nrivers: [Wend]\nlands: [March]\n"
    with pytest.raises(ContentInvalid, match=r"names\.yaml line 4: there is no ending for forest"):
        parse_map_names(short, "names.yaml")
