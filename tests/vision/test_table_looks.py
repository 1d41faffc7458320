"""Looks at a table, one after another: what has not changed stays known, and nothing is lost beside a change."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.tags import tag_of
from loomtable.printkit.draw.tags import tag_modules
from loomtable.vision.pictures import BgrImage
from loomtable.vision.table_looks import TableLook, TableLooks

FIGURE, OTHER = (tag_of(ComponentId.parse(short)) for short in ("F1", "F2"))


def table_with(*tags: tuple[int, int, int]) -> BgrImage:
    """A grey table with small tags, each with the place (x, y) of its upper left corner, px."""
    picture = np.full((1080, 1920, 3), 215, np.uint8)
    for number, x, y in tags:
        tag = np.kron(np.where(np.array(tag_modules(number)), 20, 235), np.ones((3, 3))).astype(np.uint8)
        picture[y : y + len(tag), x : x + len(tag)] = tag[..., None]
    return picture


def numbers(looks: TableLooks, picture: BgrImage) -> list[int]:
    return [tag.number for tag in looks.look(picture).tags]


@pytest.mark.parametrize("gap", range(2, 30, 7))
def test_a_tag_beside_what_has_changed_is_still_there(gap: int) -> None:
    looks, before = TableLooks(), table_with((FIGURE, 600, 300))
    assert numbers(looks, before) == [FIGURE]
    after = before.copy()
    after[290:340, 560 - gap : 600 - gap] = 90
    assert numbers(looks, after) == [FIGURE]


def test_a_tag_that_moves_comes_or_goes_is_followed() -> None:
    looks = TableLooks()
    for tags in (
        [(FIGURE, 600, 300)],
        [(FIGURE, 640, 330)],
        [(FIGURE, 640, 330), (OTHER, 900, 80)],
        [(OTHER, 900, 80)],
    ):
        look = looks.look(table_with(*tags))
        assert [tag.number for tag in look.tags] == [number for number, _, _ in tags]
        for tag, (_, x, y) in zip(look.tags, tags, strict=True):
            assert np.abs(np.array(tag.centre) - (x + 11.5, y + 11.5)).max() < 2


@pytest.mark.parametrize("blurs", [(2.0,), (1.5, 4.0, 2.0), (6.0, 1.5)])
def test_tags_are_there_again_when_the_camera_has_found_its_focus(blurs: tuple[float, ...]) -> None:
    """At the width at which frames are compared hardly anything has changed."""
    looks, sharp = TableLooks(), table_with((FIGURE, 600, 300), (OTHER, 900, 80))
    assert numbers(looks, sharp) == [FIGURE, OTHER]
    for blur in blurs:
        numbers(looks, cv2.GaussianBlur(sharp, (0, 0), blur))
    assert numbers(looks, sharp) == [FIGURE, OTHER]
    moved = table_with((FIGURE, 600, 300))
    assert (numbers(looks, moved), numbers(looks, moved)) == ([FIGURE], [FIGURE])


@pytest.mark.parametrize("at", [(100, 100), (945, 340), (930, 700), (960, 365), (1890, 1050)])
def test_what_a_first_look_misses_is_found_part_by_part_wherever_it_is(at: tuple[int, int]) -> None:
    look = replace(TableLook.at(table_with((FIGURE, *at)), quick=True), tags=())
    while look.unsearched:
        look = look.closer()
    assert [tag.number for tag in look.tags] == [FIGURE]


def test_where_the_light_changes_all_is_looked_at_anew() -> None:
    looks, picture = TableLooks(), table_with((FIGURE, 600, 300))
    first = looks.look(picture)
    assert looks.look(picture) is first, "nothing has changed"
    assert looks.look((picture * 0.7).astype(np.uint8)).changed == ((0, 0, 1920, 1080),)
