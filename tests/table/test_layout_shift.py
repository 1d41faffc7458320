"""Whole evenings while a player's phone lies open on the table: nothing on it jumps while others play."""

from __future__ import annotations

from typing import Any

import pytest

from docs.site.page_pictures import evening
from loomtable.table.hosting.devices import Role
from tests.table.browsing import Served
from tests.tiers import mostly

EVENINGS = {
    "weave": ("weave-an-hour-ahead", 0),
    "spellwoven": ("spellwoven-the-nineteenth-piece", 0),
    "storm-weavers": ("storm-weavers-lantern-and-thread", 2),
    "mnemonic": ("mnemonic-into-the-grey", 0),
    "woven": ("woven-duel", 15),
}
"""A transcript of each game, and how many steps lay out its map or first page, before the phone opens."""
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
  }).observe({ type: "layout-shift", buffered: true });
}"""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.mark.parametrize("key", mostly(sorted(EVENINGS), ["storm-weavers"]))
def test_nothing_jumps_on_a_phone_while_an_evening_is_played(table: Served, key: str) -> None:
    transcript, begun = EVENINGS[key]
    whole = table.host.live_session(evening(table.host, "whole", transcript)).session
    people = tuple(whole.system.people(whole.game)) or ("Ada",)
    live = table.host.begin(
        key, "Friday", seed=whole.opened.seed, rulings=whole.opened.rulings, setup=whole.opened.setup
    )
    phone: Any = None
    shifts: list[tuple[float, str, str]] = []
    for at, played in enumerate(whole.played):
        if at == begun:
            phone = table.page(Role.PLAYER, people[0], "Friday", size="phone", reads=True)
            phone.goto(f"{table.base}/table/Friday")
            phone.evaluate(COUNTS_SHIFTS)
        live.take(played.step.what, by="another", revision=live.revision)
        if phone is None:
            continue
        phone.wait_for_function(
            "n => [...document.querySelectorAll('input[name=revision]')].every((one) => +one.value >= n)",
            arg=live.revision,
        )
        phone.evaluate(PAINTED)
        what = str(played.step.what)[:80]
        shifts += [(value, moved, what) for value, moved in phone.evaluate("shifts.splice(0)")]
    assert live.session.state == whole.state, "another evening was played"
    assert phone.evaluate("document.querySelectorAll('.asked').length") == 1
    assert sum(value for value, *_ in shifts) <= MOST_SHIFT, sorted(shifts, reverse=True)[:5]
