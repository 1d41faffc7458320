"""The first minutes, in a real browser: how many presses there are from the terminal's link to the first dice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.joining import join_path
from tests.table.browsing import PATIENCE, Served, chromium, serving

MOST = 8
DICELESS = {"woven"}
"""Games whose first step is none with dice."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from chromium()


@pytest.fixture
def table(browser: Any, tmp_path: Path) -> Iterator[Served]:
    with serving(browser, tmp_path) as here:
        yield here


class Counting:
    """A person at a browser that has never been here, whose presses are counted."""

    def __init__(self, table: Served) -> None:
        context = table.browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(PATIENCE)
        self.table = table
        self.page = table.watched(context.new_page())
        self.presses: list[str] = []

    def comes_in(self) -> None:
        """The terminal opens the link."""
        pairing = self.table.host.devices.pair(Role.HOST, makes_room=True)
        self.page.goto(self.table.base + join_path(pairing))
        self.page.wait_for_url(self.table.base + "/")

    def press(self, what: Any) -> None:
        self.presses.append(what.inner_text().split("\n")[0] or str(what.get_attribute("value")))
        what.click()
