"""Counters on paper, and the tags of region maps: what a mage owns, told apart without colour."""

from __future__ import annotations

import numpy as np
import pytest

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.tags import map_tags
from loomtable.engine.woven.region_map import map_names, parse_region_map, print_region_map, region_map
from loomtable.printkit.catalogue import RenderOptions, components
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.woven.counter import COUNTER, CounterFace, draw_counter
from loomtable.printkit.games.woven.mages import MAGES
from loomtable.printkit.games.woven.region_map_legend import draw_region_sheet, region_sheet, sheet_size
from loomtable.printkit.sheet.pieces import PrintedCard
from tests.print.drawn_cards import drawn
from tests.print.second_reader import read_tags

DISC = np.hypot(*np.meshgrid(np.linspace(-1, 1, 47), np.linspace(-1, 1, 47))) < 0.9


def face(mage: int, side: CounterFace, style: Style) -> np.ndarray:
    picture = drawn(
        lambda pen: draw_counter(pen, MAGES[mage], side), (COUNTER.width, COUNTER.height), style, 80
    ).mean(axis=2)[:47, :47]
    return np.where(DISC, picture, 255.0)


def test_every_mage_has_its_mana() -> None:
    pieces = [p for p in components()["mana-counters"].pieces(RenderOptions()) if isinstance(p, PrintedCard)]
    assert [piece.copies for piece in pieces] == [13] * 5


@pytest.mark.parametrize("style", [Style.GREY, Style.LOW_INK])
def test_mages_and_faces_are_told_apart_without_colour(style: Style) -> None:
    seen = {(mage, side): face(mage, side, style) for mage in range(5) for side in CounterFace}
    keys = list(seen)
    for at, one in enumerate(keys):
        for other in keys[:at]:
            assert np.abs(seen[one] - seen[other]).mean() > 3, (one, other)


@pytest.mark.parametrize(
    ("name", "dpi", "style"),
    [
        ("the-maple-reach", 75, Style.COLOUR),
        ("the-maple-reach", 110, Style.GREY),
        ("the-maple-reach", 110, Style.LOW_INK),
        ("the-weft-wolds", 75, Style.GREY),
        ("the-lace-weald", 75, Style.LOW_INK),
    ],
)
def test_region_maps_carry_their_tags_in_their_corners(name: str, dpi: int, style: Style) -> None:
    plan = region_map(name)
    width, height = sheet_size(plan)
    seen = read_tags(drawn(lambda pen: draw_region_sheet(pen, plan), (width, height), style, dpi))
    found = {number: (x * 25.4 / dpi, y * 25.4 / dpi) for number, (x, y) in seen}
    tags = map_tags(ComponentId(Kind.MAP, plan.number))
    assert set(found) == set(tags)
    upper_left, upper_right, lower_right, lower_left = (found[tag] for tag in tags)
    assert upper_right[0] - upper_left[0] == pytest.approx(lower_right[0] - lower_left[0], abs=0.5)
    assert lower_left[1] - upper_left[1] == pytest.approx(plan.size[1] - 10.8, abs=0.5)
    assert lower_right[0] - lower_left[0] == pytest.approx(plan.size[0] - 10.8, abs=0.5)
    assert region_sheet(plan).id == ComponentId(Kind.MAP, plan.number)


def test_installed_region_maps_have_numbers_of_their_own() -> None:
    numbers = [region_map(name).number for name in map_names()]
    assert len(set(numbers)) == len(numbers)
    assert all(21 <= number <= 34 for number in numbers)


def test_a_number_that_belongs_to_other_maps_is_refused() -> None:
    text = print_region_map(region_map("the-maple-reach"))
    assert parse_region_map(text, "m.yaml").number == 21
    with pytest.raises(ContentInvalid, match=r"m\.yaml line 5: region maps are numbered 21 to 34, not 7"):
        parse_region_map(text.replace("number: 21\n", "number: 7\n"), "m.yaml")
