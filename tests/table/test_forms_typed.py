"""Forms as people fill them in: they type, leave the field, and press."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loomtable.table.hosting.devices import Role
from tests.table.browsing import Served, chromium, serving


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from chromium()


@pytest.fixture
def table(browser: Any, tmp_path: Path) -> Iterator[Served]:
    with serving(browser, tmp_path) as served:
        yield served


FIRST = {"name": "Bram", "dexterity": "6", "health": "8"}


@pytest.mark.parametrize(
    ("label", "action", "enemy", "map_"),
    [("Fight", "fight", "enemy", ""), ("Map fight", "map-fight", "enemies.0", "sluice-yard")],
)
def test_a_fight_of_the_printed_book_begins_with_one_enemy_typed_in(
    table: Served, label: str, action: str, enemy: str, map_: str
) -> None:
    live = table.host.begin("storm-weavers", "tale")
    live.session.perform("create", dexterity_points=3)
    laptop = table.page(Role.HOST, live="tale")
    laptop.goto(f"{table.base}/table/tale?do={action}")
    form = laptop.locator("#act-form")
    asked = form.locator(":invalid").count()
    if map_:
        form.locator("[name='arg.map']").select_option(map_)
        laptop.wait_for_url("**arg.map=**")
    for name, value in FIRST.items():
        form.locator(f"[name='arg.{enemy}.{name}']").fill(value)
        laptop.keyboard.press("Tab")
        laptop.wait_for_url(f"**arg.{enemy}.{name}={value}**")
    assert asked >= len(FIRST)
    form.get_by_role("button", name=label, exact=True).click()
    laptop.locator("#act-form").wait_for(state="detached")
    assert live.session.last_action.name == action
