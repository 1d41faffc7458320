"""What comes over a page and goes again covers neither Pause nor the menu nor a question, and ends everywhere."""

from __future__ import annotations

import random
from typing import Any

import pytest

from docs.site.page_pictures import evening, rolls
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.play import Action
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.store.packing import pack
from tests.table.browsing import OUT_OF_SIGHT, Served
from tests.tiers import mostly

EVENINGS = {
    "weave": ("weave-an-hour-ahead", 60),
    "spellwoven": ("spellwoven-the-nineteenth-piece", 12),
    "storm-weavers": ("storm-weavers-lantern-and-thread", 2),
    "mnemonic": ("mnemonic-into-the-grey", 4),
    "woven": ("woven-duel", 15),
}
"""A transcript of each game, and how many steps are played before the screens open."""
COVERED = """(moments) => {
  const controls = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, "
    + "summary, [data-act], [data-answer]")];
  const kept = ".top, .tv-head, .tv-now, .asked, [data-section=acts], .paused, .moment, #layer";
  const inside = (box, x, y) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  const parents = (one) => one.parentElement ? [one.parentElement, ...parents(one.parentElement)] : [];
  const wrong = [];
  for (const one of controls) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.closest(".skip")) continue;
    const box = one.getClientRects()[0], x = box.left + box.width / 2, y = box.top + box.height / 2;
    if (!inside({ left: 0, top: 0, right: innerWidth - 1, bottom: innerHeight - 1 }, x, y)) continue;
    // What has to be scrolled to is not covered.
    const cut = (at) => getComputedStyle(at).overflowY !== "visible" && !inside(at.getBoundingClientRect(), x, y);
    if (parents(one).some(cut)) continue;
    const hit = document.elementFromPoint(x, y);
    if (one.contains(hit) || hit.contains(one) || hit.closest("label")?.contains(one)) continue;
    // A page goes by behind what is docked, and is scrolled from under it.
    const front = (at) => at.matches(".front") || getComputedStyle(at).position === "sticky";
    const docked = (at) => !at.contains(one) && front(at);
    if ([hit, ...parents(hit)].some(docked) || (moments && hit.closest(".moment") && !one.closest(kept))) continue;
    wrong.push(`${one.textContent.trim() || one.name}, under ${hit.className || hit.localName}`);
  }
  return wrong;
}"""
"""The controls in sight that something covers; with ``moments`` a result or hand-out may cover the sheets."""
OVERLAID = """() => {
  const boxes = (what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility())
    .map((one) => [one.className || one.id, one.getBoundingClientRect()]).filter(([, box]) => box.width);
  const apart = (one, other) => one.left >= other.right - 1 || other.left >= one.right - 1
    || one.top >= other.bottom - 1 || other.top >= one.bottom - 1;
  const kept = boxes(".top, .tv-head, .tv-now, .asked, [data-section=acts]");
  return boxes(".moment, #said .note").flatMap(([name, one]) => kept.filter(([, other]) => !apart(one, other))
    .map(([other]) => `${name} over ${other}`));
}"""
"""What of the layer covers the bar, the head or what is asked."""


def opened(table: Served, live: LiveSession, people: tuple[str, ...]) -> dict[str, Any]:
    """A laptop, a television and a phone or two that follow an evening."""
    table.host.open(live.name)
    screens = {"laptop": table.page(Role.HOST, reads=True)}
    screens["television"] = table.page(Role.SCREEN, live=live.name, size="television", reads=True)
    for person in people[:2] or ("Ada",):
        screens[person] = table.page(Role.PLAYER, person, live.name, size="phone", reads=True)
    for name, page in screens.items():
        page.goto(f"{table.base}/{'room' if name == 'television' else 'table'}/{live.name}")
    return screens


def nothing_is_covered(screens: dict[str, Any], revision: int, after: str) -> None:
    """On every screen, once it shows this revision: with whatever has come over it, and when that is gone."""
    for page in screens.values():
        page.locator(f"main[data-revision='{revision}']").wait_for()
    for name, page in screens.items():
        assert (page.evaluate(COVERED, True), page.evaluate(OVERLAID)) == ([], []), (name, after)
    if screens["laptop"].locator("#result:not([hidden])").count():
        screens["laptop"].keyboard.press("Escape")
    for name, page in screens.items():
        page.locator("#result").wait_for(state="hidden")
        page.locator("#shown-now").evaluate_all("all => all.forEach((one) => { if (!one.hidden) one.click(); })")
        assert page.evaluate(COVERED, False) == [], (name, after)


@pytest.mark.parametrize(
    ("key", "steps"), mostly([("weave", 5), *((key, 40) for key in sorted(EVENINGS))], [("weave", 5)])
)
def test_nothing_is_covered_after_any_act_of_an_evening(table: Served, key: str, steps: int) -> None:
    transcript, begun = EVENINGS[key]
    whole = table.host.live_session(evening(table.host, "whole", transcript)).session
    live = table.host.bring_in(pack("Friday", whole.lines()[:1]))
    for played in whole.played[:begun]:
        live.take(played.step.what, by="another", revision=live.revision)
    screens = opened(table, live, tuple(whole.system.people(whole.game)))
    for page in screens.values():
        page.evaluate("note('This was done a moment ago, in about fifteen words, which somebody still reads.')")
    for played in whole.played[begun : begun + steps]:
        live.take(played.step.what, by="another", revision=live.revision)
        nothing_is_covered(screens, live.revision, str(played.step.what)[:80])


def test_go_on_goes_on_everywhere_and_a_new_question_ends_an_old_result(table: Served) -> None:
    evening(table.host, "Friday", "salt-road-evening", rolls("Gales Challenge"))
    live, source = table.host.live_session("Friday"), random.Random(3)
    screens = opened(table, live, ("Ada", "Ben"))

    def settled() -> None:
        while live.session.pending is not None:
            live.take(random_answer(live.session.pending, source), by="", revision=live.revision)
        for page in screens.values():
            page.locator("#result:not([hidden]) .verdict-word").wait_for()

    settled()
    screens["Ben"].get_by_role("button", name="Go on").click()
    for page in screens.values():
        page.locator("#result").wait_for(state="hidden", timeout=4000)  # it would be read for longer
    late = table.page(Role.PLAYER, "Cleo", "Friday", size="phone", reads=True)
    late.goto(f"{table.base}/table/Friday")
    assert late.evaluate("fetch('/api/play/Friday/result').then((one) => one.json())")["read"]
    begins = Action("challenge", {"who": next(iter(live.session.state.characters)), "suit": "gales"})
    live.take(begins, by="", revision=live.revision)
    settled()
    live.take(begins, by="", revision=live.revision)
    for page in screens.values():
        page.locator("main h2", has_text="Weave dice").first.wait_for()
        assert page.evaluate(OVERLAID) == []
        page.locator("#result").wait_for(state="hidden", timeout=4500)


def test_a_note_goes_when_it_has_been_read_and_not_while_nobody_can(table: Served) -> None:
    evening(table.host, "Friday", "salt-road-evening", rolls("Gales Challenge"))
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/Friday")
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.reload()
    said = page.locator("#note p")
    for words, seconds in (("Undone.", 4), ("word " * 26, 12)):
        page.evaluate("(words) => note(words)", words)
        page.clock.run_for(1000 * seconds - 200)
        assert said.is_visible()
        page.clock.run_for(400)
        assert said.count() == 0
    page.evaluate("note('Undone.')")
    table.host.pause.set(True)
    page.clock.run_for(500)
    page.locator(".paused").wait_for()
    page.clock.run_for(60_000)
    assert said.count() == 1
    table.host.pause.set(False)
    page.clock.run_for(500)
    page.locator(".paused").wait_for(state="detached")
    page.clock.run_for(2000)
    assert said.count() == 0


def test_a_hand_out_comes_to_a_phone_that_is_scrolled_once_and_goes_with_the_host(table: Served) -> None:
    evening(table.host, "Friday", "weave-an-hour-ahead")
    live = table.host.live_session("Friday")
    screens = opened(table, live, ("Ada",))
    phone, shown = screens["Ada"], screens["Ada"].locator("#shown-now")
    phone.evaluate("scrollTo(0, 900)")
    live.handouts.show("Ada", "The ferryman lies", None, b"")
    shown.get_by_text("The ferryman lies").wait_for()
    assert phone.evaluate(OUT_OF_SIGHT, ["#shown-now figcaption"]) == [] and phone.evaluate(OVERLAID) == []
    assert screens["laptop"].locator("#shown-now").is_hidden(), "the host knows what was shown"
    shown.get_by_role("button", name="Go on").click()
    phone.reload()
    phone.locator("main .handout").wait_for()
    assert shown.is_hidden(), "once"
    phone.locator("main .handout").click()
    shown.get_by_text("The ferryman lies").wait_for()
    live.handouts.put_away(1)
    shown.wait_for(state="hidden")
    for number in range(3):
        live.handouts.show("", f"Line {number}", None, b"")
    for number in range(3):
        screens["television"].locator(".tv-stage .handout", has_text=f"Line {number}").wait_for()
    assert screens["television"].evaluate(OUT_OF_SIGHT, [".handout figcaption"]) == []
