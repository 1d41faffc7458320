"""Whole evenings with every screen open: nothing on a phone, laptop or television jumps while others play."""

from __future__ import annotations

from typing import Any

import pytest

from docs.site.page_pictures import evening
from loomtable.table.hosting.devices import Role
from loomtable.table.store.packing import pack
from tests.table.browsing import Served
from tests.tiers import mostly

EVENINGS = {
    "weave": ("weave-an-hour-ahead", 0),
    "spellwoven": ("spellwoven-the-nineteenth-piece", 0),
    "storm-weavers": ("storm-weavers-lantern-and-thread", 2),
    "mnemonic": ("mnemonic-into-the-grey", 0),
    "woven": ("woven-duel", 15),
}
"""A transcript of each game, and how many steps lay out its map or first page, before the screens open."""
MOST_SHIFT = 0.1
"""What browsers call good for one view (Cumulative Layout Shift), here for a whole evening."""
COUNTS_SHIFTS = """() => {
  window.shifts = [];
  const where = (box) => `${Math.round(box.y)}+${Math.round(box.height)}`;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) {
      const moved = one.sources.map(({ node, previousRect, currentRect }) =>
        `${node?.id || node?.className || node?.nodeName} from ${where(previousRect)} to ${where(currentRect)}`);
      if (!one.hadRecentInput) window.shifts.push([one.value, moved.join(", ")]);
    }
  }).observe({ type: "layout-shift", buffered: false });
}"""
TYPE_IS_THERE = "() => Promise.all([...document.fonts].map((one) => one.load())).then(() => null)"
"""As on every evening but the first, when the browser has them yet to fetch."""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.mark.parametrize(
    ("key", "steps"),
    mostly([("storm-weavers", 8), *((key, 10_000) for key in sorted(EVENINGS))], [("storm-weavers", 8)]),
)
def test_nothing_jumps_on_any_screen_while_an_evening_is_played(table: Served, key: str, steps: int) -> None:
    transcript, begun = EVENINGS[key]
    whole = table.host.live_session(evening(table.host, "whole", transcript)).session
    people = tuple(whole.system.people(whole.game)) or ("Ada",)
    live = table.host.bring_in(pack("Friday", whole.lines()[:1]))  # begun by its own rulings, not as usual
    for played in whole.played[:begun]:
        live.take(played.step.what, by="another", revision=live.revision)
    screens: dict[str, Any] = {
        "laptop": table.page(Role.HOST, reads=True),
        "phone": table.page(Role.PLAYER, people[0], "Friday", size="phone", reads=True),
        "television": table.page(Role.SCREEN, live="Friday", size="television", reads=True),
    }
    for name, page in screens.items():
        page.goto(f"{table.base}/{'room' if name == 'television' else 'table'}/Friday")
        for script in (TYPE_IS_THERE, PAINTED, COUNTS_SHIFTS):
            page.evaluate(script)
    shifts: dict[str, list[tuple[float, str, str]]] = {name: [] for name in screens}
    for played in whole.played[begun : begun + steps]:
        live.take(played.step.what, by="another", revision=live.revision)
        what = str(played.step.what)[:80]
        for name, page in screens.items():
            page.locator(f"main[data-revision='{live.revision}']").wait_for()
            page.evaluate(PAINTED)
            shifts[name] += [(value, moved, what) for value, moved in page.evaluate("shifts.splice(0)")]
    assert live.session.game == played.game, "another evening was played"
    for name, moved in shifts.items():
        assert sum(value for value, *_ in moved) <= MOST_SHIFT, (name, sorted(moved, reverse=True)[:5])
