"""What a page offers is not refused, whatever somebody presses; and every action is begun from its form."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from random import Random
from typing import Any
from urllib.parse import quote

import pytest

from loomtable.engine.kernel.journal import Acted, Line
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import Role
from tests.playing import live_evening
from tests.table.browsing import Served
from tests.table.robot import Robot, filled
from tests.tiers import thorough

GAMES = sorted(SYSTEMS)
A_WHILE = 20_000
"""Milliseconds that a field of a form may take to be there."""
LATER = [pytest.param(key, 200, marks=thorough) for key in GAMES]


@pytest.mark.parametrize(("key", "presses"), [("spellwoven", 15), *LATER])
def test_nothing_that_somebody_in_a_hurry_presses_is_refused(table: Served, key: str, presses: int) -> None:
    live = table.host.begin_ready(key, seed="robot")
    page = table.page(Role.HOST, live=live.name)
    home = f"{table.base}/table/{quote(live.name)}"
    page.goto(home)
    robot, before = Robot(page, home, Random(presses)), live.revision
    for _ in range(3 * presses):
        robot.step()
        if robot.presses >= presses:
            break
    assert robot.presses >= presses and live.revision > before
    assert robot.refused == []


def begun_somewhere(key: str) -> dict[str, tuple[tuple[Line, ...], Mapping[str, Any]]]:
    """For each action of a game an evening just before somebody begins it, and with what."""
    found: dict[str, tuple[tuple[Line, ...], Mapping[str, Any]]] = {}
    for seed in range(10):
        lines = live_evening(key, seed).lines()
        for at, line in enumerate(lines):
            if isinstance(line.entry, Acted):
                found.setdefault(line.entry.action.name, (lines[:at], line.entry.action.args))
    return found


def says(robot: Robot, path: str, values: list[str]) -> None:
    """Say one thing in the form that is open, where it stands."""
    robot.page.locator("#act-form details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    controls = robot.page.locator(f"#act-form [name='{path}']")
    kind = controls.first.evaluate("one => one.type || one.localName")
    if kind in ("radio", "checkbox"):
        for value in values:
            if kind == "radio" or value != "false":
                robot.touch(robot.page.locator(f"#act-form [name='{path}'][value='{value}']").element_handle())
    elif kind.startswith("select"):
        controls.first.select_option(values[0])
    elif kind not in ("hidden", "submit"):  # there is nothing else to choose; or saying it begins the action
        controls.first.fill(", ".join(values))
        robot.page.keyboard.press("Tab")
    robot.quiet()


def said(value: Any) -> Any:
    """A place as a form writes it: ``2/3``."""
    place = isinstance(value, list) and value and all(isinstance(one, int) for one in value)
    return "/".join(map(str, value)) if place else value


@pytest.mark.parametrize("key", [pytest.param(key, marks=thorough) for key in GAMES])
def test_every_action_that_an_evening_knows_is_begun_from_the_page(table: Served, key: str) -> None:
    error: Any = pytest.importorskip("playwright.sync_api").TimeoutError
    page, missed = table.page(Role.HOST), list[str]()
    page.set_default_timeout(A_WHILE)
    robot = Robot(page, table.base, Random(0))
    begun = begun_somewhere(key)
    for action, (lines, args) in begun.items():
        table.host.store.bring_in(action, lines)
        live = table.host.live_session(action)
        page.goto(f"{table.base}/table/{action}?do={action}")
        form = filled({name: said(value) for name, value in args.items()})
        with contextlib.suppress(error):  # what is wanted is not there: the form shows what is
            for path, values in form.items():
                says(robot, path, values)
            last = [path for path in form if robot.seen(f"#act-form button[name='{path}']")]
            sends = f"[name='{last[0]}'][value='{form[last[0]][0]}']" if last else ".large"
            robot.press(page.locator(f"#act-form button{sends}").element_handle())
        if live.revision == len(lines):
            missed.append(f"{action} {args}: {page.locator('#act-form').inner_text()}")
    assert missed == [] and robot.refused == []
    assert len(begun) > 9
