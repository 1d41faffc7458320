"""All pages of a browser share its six connections to the table: many of them, seen or hidden, follow and act."""

from __future__ import annotations

from typing import Any

from loomtable.engine.kernel.play import Action
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.events import MOST_PER_DEVICE
from tests.table.asking import a_tale
from tests.table.browsing import Served

HIDDEN = """(hidden) => {
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}"""
"""A browser without windows shows all its pages; this says of one what a browser says of a tab that is covered."""


def another(table: Served, page: Any, address: str) -> Any:
    """One more page of the same browser."""
    tab = table.watched(page.context.new_page())
    tab.goto(table.base + address)
    return tab


def listening(page: Any, live: Any, count: int) -> None:
    """Wait until so many streams are open."""
    for _ in range(1000):
        if live.bus.subscribers == count:
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"{live.bus.subscribers} streams are open, not {count}")


def test_seven_tabs_of_one_browser_follow_and_act_and_a_television_sees_each_step(table: Served) -> None:
    """All of them are seen, as windows beside each other are."""
    live = a_tale(table.host)
    first = table.page(Role.HOST)
    tabs = [another(table, first, "/table/friday?do=gain-item") for _ in range(7)]
    room = another(table, first, "/room/friday")
    listening(room, live, MOST_PER_DEVICE + 1)  # the television is never left without
    for number, tab in enumerate((tabs[0], tabs[-1]), start=1):  # one that listens, one that has to ask
        tab.locator("#act-form [name='arg.item']").fill(f"Rope {number}")
        tab.keyboard.press("Enter")
        for page in (*tabs, room):
            page.locator("main", has_text=f"Rope {number}").wait_for()
    listening(room, live, MOST_PER_DEVICE + 1)
    for tab in tabs[:MOST_PER_DEVICE]:
        tab.close()
    listening(room, live, MOST_PER_DEVICE)  # what had to ask follows as soon as it can
    assert not any(tab.locator("#lost").is_visible() for tab in tabs[MOST_PER_DEVICE:])


def test_a_hidden_page_keeps_no_stream_and_misses_nothing(table: Served) -> None:
    live = a_tale(table.host)
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/friday")
    room = another(table, page, "/room/friday")
    listening(page, live, 2)
    page.evaluate(HIDDEN, True)
    room.evaluate(HIDDEN, True)
    listening(page, live, 1)
    live.take(Action("gain-item", {"item": "Rope"}), by="another", revision=live.revision)
    room.locator("main", has_text="Rope").wait_for()  # a television stays
    assert page.locator("main", has_text="Rope").count() == 0
    page.evaluate(HIDDEN, False)
    page.locator("main", has_text="Rope").wait_for()
    live.take(Action("gain-item", {"item": "Lamp"}), by="another", revision=live.revision)
    page.locator("main", has_text="Lamp").wait_for()  # and it follows again
    listening(page, live, 2)
