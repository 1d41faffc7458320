"""A question that comes while pages are open: every screen shows it, and no longer than it is asked."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from docs.site.page_pictures import evening, five_dice
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Reading, rolled
from loomtable.engine.kernel.requests import Request, Roll
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.live_session import LiveSession
from loomtable.vision.camera import PictureRun
from loomtable.vision.pictures import BgrImage
from tests.table.asking import a_tale
from tests.table.browsing import CUT_OFF, OUT_OF_SIGHT, Served
from tests.table.filming import watching
from tests.tiers import mostly

EVENINGS = {
    "weave": "weave-an-hour-ahead",
    "spellwoven": "spellwoven-barrow-road",
    "storm-weavers": "storm-weavers-karrow-head",
    "mnemonic": "mnemonic-the-last-house",
    "woven": "woven-duel",
}
SCROLL_AWAY = (
    "() => { scrollTo(0, 1e6); const now = document.querySelector('.now'); now.scrollTop = now.scrollHeight; }"
)


def before_a_question(
    table: Served, transcript: str, least: int = 0
) -> tuple[LiveSession, list[Action | Reading], Request]:
    """An evening, played until nothing is asked; what was played next, and what that asked.

    Args:
        table: where it is played.
        transcript: the evening.
        least: how many dice are asked for, at least; anything may be asked where it is 0.
    """
    played = table.host.live_session(evening(table.host, "whole", transcript)).session.played
    at = next(
        at
        for at in range(len(played) // 3, len(played))
        if played[at - 1].pending is None and (asked := played[at].pending) and getattr(asked, "count", 0) >= least
    )
    ends = next(end for end in range(at + 1, len(played)) if played[end].pending is None)
    last, asked = played[at - 1].step.seq, played[at].pending
    assert asked is not None
    evening(table.host, "Friday", transcript, lambda seq, _: seq == last)
    return table.host.live_session("Friday"), [one.step.what for one in played[at : ends + 1]], asked


def whose(live: LiveSession, asked: Request) -> str:
    """Who plays and is asked; whoever plays first where that is the storyteller."""
    people = tuple(live.session.system.people(live.session.game)) or ("Ada",)
    return next((p for p in people if asked.by in live.session.system.names_of(live.session.game, p)), people[0])


def take(live: LiveSession, what: Action | Reading) -> None:
    live.take(what, by="another", revision=live.revision)


@pytest.mark.parametrize("key", mostly(sorted(EVENINGS), ["weave"]))
def test_every_open_screen_shows_a_question_that_comes_and_its_end(table: Served, key: str) -> None:
    live, steps, asked = before_a_question(table, EVENINGS[key])
    television = table.page(Role.SCREEN, live="Friday", size="television")
    laptop = table.page(Role.HOST)
    phone = table.page(Role.PLAYER, whose(live, asked), "Friday", size="phone")
    for page in (laptop, phone, television):
        page.goto(f"{table.base}/{'room' if page is television else 'table'}/Friday")
    assert television.locator(".tv-now").is_hidden()
    for page in (laptop, phone):
        page.evaluate(SCROLL_AWAY)
    take(live, steps[0])

    television.locator(".tv-now h2").wait_for()
    assert television.evaluate(OUT_OF_SIGHT, [".tv-now h2", ".tv-now .who"]) == []
    assert television.evaluate(CUT_OFF) == []
    for page in (laptop, phone):
        page.locator(f"[data-section=asked][data-question='{live.revision}']").wait_for()
        mine = page.locator(".asked:not(.theirs)").count()
        assert not mine or page.evaluate(OUT_OF_SIGHT, ["#asked-title"]) == [], "a new question is in sight"
    assert laptop.locator(".asked.theirs").count() == 0, "the host may answer everything"

    for step in steps[1:]:
        take(live, step)
    television.locator(".tv-now").wait_for(state="hidden")
    assert television.locator("main").get_attribute("class") == ""
    assert television.locator(".told p").last.is_visible()
    for page in (laptop, phone):
        page.locator("[data-section=acts]").wait_for()


def test_an_open_television_shows_the_camera_while_dice_are_asked(table: Served, empty: BgrImage) -> None:
    live, steps, asked = before_a_question(table, "salt-road-evening", 5)
    assert isinstance(asked, Roll)
    watch = watching(live, PictureRun(itertools.repeat(empty)))
    watch.camera.start("0")
    television = table.page(Role.SCREEN, live="Friday", size="television", reads=True)
    television.goto(f"{table.base}/room/Friday")
    take(live, steps[0])
    picture = television.locator(".tv-now .camera img")
    picture.wait_for()
    for _ in range(2):  # it moves
        before = picture.get_attribute("src")
        television.wait_for_function(
            "before => ((one) => one.src && !one.src.endsWith(before) && one.naturalWidth > 100)"
            "(document.querySelector('.tv-now .camera img'))",
            arg=before,
        )
    assert picture.bounding_box()["height"] > 200 and television.evaluate(CUT_OFF) == []
    watch.stop()
    watch.show(five_dice())
    watch.changed()
    television.locator(".tv-now .camera .verdict").wait_for()
    assert television.evaluate(CUT_OFF) == []
    for step in steps[1:]:
        take(live, step)
    television.locator(".tv-now").wait_for(state="hidden")
    assert television.locator(".tv-story").bounding_box()["height"] > 200


@pytest.fixture
def wisdom(table: Served) -> LiveSession:
    """Thymin is about to test his Wisdom."""
    live = a_tale(table.host)
    take(live, Action("test", {"attribute": "wisdom"}))
    return live


class HeldBack:
    """Answers of the table that reach the page only when they are let go; with ``asks``, what the page sends."""

    def __init__(self, page: Any, address: str, *, method: str = "POST", asks: bool = False) -> None:
        self.page = page
        self.method = method
        self._held: list[tuple[Any, Any]] = []
        page.route(address, lambda route: self._hold(route, asks))

    def _hold(self, route: Any, asks: bool) -> None:
        if route.request.method != self.method:
            route.continue_()
        else:
            self._held.append((route, None if asks else route.fetch()))

    def wait(self) -> None:
        while not self._held:
            self.page.wait_for_timeout(20)

    def let_go(self) -> None:
        route, answer = self._held.pop()
        route.fulfill(response=answer) if answer is not None else route.continue_()


@pytest.mark.parametrize("first", ["the news", "the answer"])
def test_dice_can_be_taken_back_whichever_message_comes_first(
    table: Served, wisdom: LiveSession, first: str
) -> None:
    page = table.page(Role.HOST, size="phone")
    late = HeldBack(page, "**/answer") if first == "the news" else None
    if first == "the answer":
        page.route("**/events", lambda route: route.abort())
    page.goto(f"{table.base}/table/friday")
    for face in "34":
        page.locator(f"#answer [data-face='{face}']").click()
    undo = page.locator(".take-back").get_by_role("button", name="Undo")
    if late:
        late.wait()
        undo.wait_for()  # the page was made anew by the news
        late.let_go()
        page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
    undo.wait_for()
    assert page.evaluate(COVERED) == [], "nothing to press is under anything else"
    undo.click()
    page.get_by_text("Undone: Test of Wisdom: 3, 4.").wait_for()
    page.get_by_role("heading", name="Roll two d6").wait_for()
    assert page.locator(".take-back").count() == 0
    assert wisdom.session.pending is not None


def test_what_is_chosen_meanwhile_outlives_a_late_answer(table: Served, wisdom: LiveSession) -> None:
    take(wisdom, rolled(Die.D6, 1, 2))
    page = table.page(Role.HOST)
    late = HeldBack(page, "**/rulings")
    page.goto(f"{table.base}/table/friday/rulings")
    first, second = (page.locator(f"fieldset:nth-of-type({at}) input:not(:checked)").first for at in (1, 2))
    chosen = second.get_attribute("value")
    first.check()
    page.get_by_role("button", name="Decide so").click()
    late.wait()
    page.locator(f"input[name=revision][value='{wisdom.revision}']").first.wait_for(state="attached")
    page.locator(f"fieldset:nth-of-type(2) input[value='{chosen}']").check()
    late.let_go()
    page.get_by_text("Decided; it counts from now on.").wait_for()
    assert page.locator(f"fieldset:nth-of-type(2) input[value='{chosen}']").is_checked()


def test_whoever_answers_second_is_told_until_it_is_read(table: Served, wisdom: LiveSession) -> None:
    phone = table.page(Role.PLAYER, "Ada", "friday", size="phone", reads=True)
    late = HeldBack(phone, "**/answer", asks=True)
    phone.goto(f"{table.base}/table/friday")
    for face in "65":
        phone.locator(f"#answer [data-face='{face}']").click()
    late.wait()
    wisdom.take(rolled(Die.D6, 1, 2), by="the host", revision=wisdom.revision)
    result, told = phone.locator("#result"), phone.get_by_role("alert")
    result.locator(".verdict-word").wait_for()
    late.let_go()
    told.get_by_text("The host answered first with 1, 2; your answer (6, 5) was not used.").wait_for()
    note, over = (one.bounding_box() for one in (phone.locator("#note p"), result))
    assert note["y"] >= over["y"] + over["height"] and phone.evaluate(OUT_OF_SIGHT, ["#note p"]) == [], "beside it"
    result.get_by_role("button", name="Go on").click()
    assert phone.evaluate(OUT_OF_SIGHT, ["#note p"]) == [], "and still when that is put away"
    take(wisdom, Action("coin-test", {"side": "heads"}))
    phone.get_by_role("heading", name="Flip a coin").wait_for()
    assert told.is_visible()


COVERED = """() => [...document.querySelectorAll(".asked :is(button, a)")].filter((one) => {
  const box = one.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
  return one.checkVisibility() && y > 0 && y < innerHeight && !one.contains(document.elementFromPoint(x, y));
}).map((one) => one.textContent)"""
