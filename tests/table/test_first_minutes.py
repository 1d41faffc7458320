"""The first minutes, in a real browser: how many presses there are from the terminal's link to the first dice."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.requests import Flip, Roll
from loomtable.engine.ready_evening import played_by_people
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.joining import join_path
from tests.table.browsing import OUT_OF_SIGHT, PATIENCE, Served, played_on
from tests.tiers import mostly

MOST = 8
DICELESS = {"woven"}
"""Games whose first step is none with dice."""

BY_THE_STAIR = {"storm-weavers"}
"""Where the last choice leads to dice sooner than the first: up the icy stair instead of shopping."""
LAST = -1
AWAITS_RENEWAL = """() => {
  window.renewal = new Promise((done) => document.addEventListener("renewed", () => done(), { once: true }));
}"""


class Counting:
    """A person at a browser that has never been here, whose presses are counted.

    ``prefers`` is which option is chosen where there is a choice: the first, or the last.
    """

    def __init__(self, table: Served, prefers: int = 0) -> None:
        context = table.browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(PATIENCE)
        self.table = table
        self.page = table.watched(context.new_page())
        self.presses: list[str] = []
        self.prefers = prefers

    def comes_in(self) -> None:
        """The terminal opens the link."""
        pairing = self.table.host.devices.pair(makes_room=True)
        self.page.goto(self.table.base + join_path(pairing.code))
        self.page.wait_for_url(self.table.base + "/")

    def press(self, what: Any) -> None:
        what.first.scroll_into_view_if_needed()
        self.presses.append(what.first.evaluate("one => one.innerText || one.value || one.dataset.act"))
        what.first.click()

    def one_step(self) -> None:
        """Whatever stands first on the page: a choice, a place to tap, or the largest button."""
        live = live_of(self.table)
        if live.session.pending:  # the page is renewed part by part
            self.page.locator(f"[data-section=asked][data-question='{live.revision}']").wait_for()
        options, tap = self.page.locator("#answer .options button"), self.page.locator(".asked .tap")
        if options.count():
            self.press(options.nth(self.prefers))
        elif tap.count():
            self.press(self.page.locator("[data-act]"))
        else:
            form = self.page.locator("#act-form")
            unsaid = form.locator("> fieldset:has(input[required]):not(:has(:checked))")
            while unsaid.count():  # what is said narrows the rest of the form
                self.page.evaluate(AWAITS_RENEWAL)
                self.press(unsaid.locator("label.tick"))
                self.page.evaluate("renewal")
            self.press(form.locator("button.large, .sends button"))


def live_of(table: Served) -> Any:
    [summary] = table.host.sessions()
    return table.host.live_session(summary.name)


@pytest.mark.parametrize("key", mostly(sorted(SYSTEMS), ["weave"]))
def test_a_ready_evening_comes_to_its_first_dice_in_at_most_eight_presses(
    table: Served, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A deal in which the first card is one that Ilse has a skill for; with another she learns one, by writing.
    monkeypatch.setattr("loomtable.engine.kernel.session.secrets.token_hex", lambda _: "0")
    at = Counting(table, LAST if key in BY_THE_STAIR else 0)
    at.comes_in()
    at.press(at.page.get_by_role("button", name=f"A ready evening of {SYSTEMS[key].title}"))
    at.page.wait_for_url("**/table/**")
    session = live_of(table).session
    while not begun(key, session):
        assert len(at.presses) < MOST, at.presses
        revision = len(session.lines())
        at.one_step()
        played_on(at.page, revision)
        session = live_of(table).session
    assert len(at.presses) <= MOST, at.presses
    print(f"{key}: {len(at.presses)} presses", at.presses)


def begun(key: str, session: Any) -> bool:
    """Whether dice or a coin are asked for; in a game without them, whether the first step was taken."""
    return played_by_people(session) > 0 if key in DICELESS else isinstance(session.pending, Roll | Flip)


def test_the_owners_browser_needs_no_press_to_come_in_and_none_to_come_back(table: Served) -> None:
    at = Counting(table)
    at.comes_in()
    assert at.presses == [] and [device.role for device in table.host.devices.all()] == [Role.HOST]
    at.page.goto(at.page.url)
    assert at.page.get_by_role("heading", name="What are you playing tonight?").is_visible()
    at.comes_in()
    assert len(table.host.devices.all()) == 1, "a browser that is in already is not joined again"


def test_the_newest_session_is_continued_in_one_press(table: Served) -> None:
    for key in ("weave", "woven"):
        table.host.begin_ready(key, seed="first")
    at = Counting(table)
    at.comes_in()
    at.press(at.page.get_by_role("button", name="Continue", exact=True))
    at.page.get_by_role("heading", name="A duel in the Maple Reach").wait_for()


@pytest.mark.parametrize(("key", "faces"), [("weave", 6), ("spellwoven", 10)])
def test_in_a_first_fight_every_face_is_in_sight_on_a_laptop(table: Served, key: str, faces: int) -> None:
    live = table.host.begin_ready(key, title="A first fight", seed="first")
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/{quote(live.name)}")
    page.locator("[data-face]").nth(faces - 1).wait_for()
    shown = [f"[data-face]:nth-of-type({at})" for at in range(1, faces + 1)]
    assert page.evaluate(OUT_OF_SIGHT, [".scene p", ".guide p", *shown]) == []


def test_from_my_cards_asks_for_the_first_card(table: Served) -> None:
    at = Counting(table)
    at.comes_in()
    at.press(at.page.get_by_role("button", name="From my cards for Weave"))
    at.press(at.page.locator("#answer .options button", has_text="The Kettle Moon Fair"))
    at.page.get_by_role("heading", name="Draw a Story card").wait_for()
    assert len(at.presses) == 2


def test_a_name_leads_to_its_sheet(table: Served) -> None:
    table.host.begin_ready("weave", seed="first")
    at = Counting(table)
    at.comes_in()
    at.press(at.page.get_by_role("button", name="Continue", exact=True))
    live = live_of(table)
    live.take(Action("challenge", {"who": "Odo", "suit": "flames"}), by="", revision=live.revision)
    at.page.locator(".asked .who a", has_text="Odo").click()
    assert at.page.evaluate("document.querySelector(':target h2').textContent.trim()") == "Odo"
