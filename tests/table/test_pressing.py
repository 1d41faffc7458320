"""What a page offers is not refused, whatever somebody presses."""

from __future__ import annotations

from random import Random
from urllib.parse import quote

import pytest

from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import Role
from tests.table.browsing import Served
from tests.table.robot import Robot
from tests.tiers import thorough

LATER = [pytest.param(key, 200, marks=thorough) for key in sorted(SYSTEMS)]


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
