"""A whole game of Woven in a real browser: places are tapped on the map, boxes on the tapestries, cards are laid
by hand; what has no place on a picture is pressed as a button or sent by its form."""

from __future__ import annotations

import json
from typing import Any

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.transcript import replay
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.woven.tapestry import Spot
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.live_session import LiveSession
from tests.short import as_a
from tests.table.browsing import Served, act
from tests.tiers import thorough

GAME = "woven-three-at-the-loom"
DEEDS = {"rest": "Rest", "acquire-card": "Draw a card", "end-turn": "End the turn"}


class Player:
    """Plays a game on its page, step by step as a transcript has it."""

    def __init__(self, page: Any, live: LiveSession) -> None:
        self.page, self.live = page, live
        self.done: dict[str, int] = {}

    def counted(self, how: str) -> None:
        self.done[how] = self.done.get(how, 0) + 1

    def play(self, steps: list[Any]) -> None:
        at = 0
        while at < len(steps):
            before = self.live.revision
            at += self.step(steps, at)
            self.shown(before + 1)

    def shown(self, revision: int) -> None:
        """Wait until the page shows the table as it is after so many lines, and no older one."""
        shows = "n => Number(document.querySelector('input[name=revision]')?.value) >= n"
        self.page.wait_for_function(shows, arg=revision, polling=30)
        if self.page.locator("#result:not([hidden])").count():
            self.page.keyboard.press("Escape")  # what came of it has been read
        self.page.wait_for_function(shows, arg=self.live.revision, polling=30)

    def step(self, steps: list[Any], at: int) -> int:
        """Take the step; how many of the transcript's it was."""
        what = steps[at]
        if isinstance(what, Action):
            self.action(what)
            return 1
        [key] = as_a(ChoiceReading, what).keys
        laid = [one.keys[0] for one in steps[at : at + 3] if isinstance(one, ChoiceReading)]
        if self.page.locator(".laying").count() and len(laid) == 3 and "/" in laid[2]:
            self.lay(*laid)
            return 3
        marked = self.page.locator(f"svg [data-answer='{json.dumps({'keys': [key]})}']")
        if marked.count():
            self.press(marked.first, "answers on a picture")
        else:
            self.page.locator(f"#answer button[value='{key}']").click()
            self.counted("options")
        return 1

    def action(self, what: Action) -> None:
        if what.name in DEEDS:
            self.page.locator(".deeds").get_by_role("button", name=DEEDS[what.name]).click()
            self.counted("deeds")
            return
        wanted = json.dumps({"name": what.name, "args": what.args})
        marked = self.page.locator(f"svg [data-act='{wanted}']")
        if marked.count():
            if what.name == "move-tendril":
                self.press(self.page.locator(f"[data-tendril='{what.args['start']}']"), "lifts")
            self.press(marked.first, f"{what.name} on a picture")
        else:
            act(self.page, what.name.replace("-", " ").capitalize(), **{k: str(v) for k, v in what.args.items()})
            self.counted("forms")

    def press(self, marked: Any, how: str) -> None:
        """See what it would do, then do it where the finger is: within the place, wherever that lies."""
        from playwright.sync_api import expect

        x, y = marked.evaluate(_POINT_IN)
        says = marked.get_attribute("data-says")
        preview = marked.locator("xpath=ancestor::section[1]").locator(".preview").first
        for step in range(20):  # A map that is drawn anew under a mouse that rests tells nothing until it moves.
            self.page.mouse.move(x + step % 2, y)
            if says in preview.inner_text():
                break
            self.page.wait_for_timeout(50)
        expect(preview, "what it does and costs is told before").to_contain_text(says)
        self.page.mouse.click(x, y)
        self.counted(how)

    def lay(self, side: str, turns: str, spot: str) -> None:
        """Lay the drawn card, in turn by two taps and by dragging it."""
        page = self.page
        before = self.live.revision
        column, row = (int(part) for part in spot.split("/"))
        page.locator(f".drawn[data-side='{side}']").click()
        for _ in range(int(turns)):
            page.get_by_role("button", name="Turn").click()
        wide, high = (3, 2) if int(turns) % 2 == 0 else (2, 3)
        if self.done.get("laid by taps", 0) <= self.done.get("laid by dragging", 0):
            corner = self.at(Spot(column, row), 0.5, 0.5)
            page.mouse.click(*corner)
            page.locator(".ghost image, .ghost .box").first.wait_for()
            page.mouse.click(*corner)
            self.counted("laid by taps")
        else:
            held = page.locator(f".drawn[data-side='{side}']").bounding_box()
            page.mouse.move(held["x"] + 12, held["y"] + 12)
            page.mouse.down()
            page.mouse.move(*self.at(Spot(column, row), 0.2, 0.3))
            page.mouse.move(*self.at(Spot(column, row), wide / 2, high / 2))
            page.mouse.up()
            self.counted("laid by dragging")
        self.shown(before + 3)

    def at(self, spot: Spot, right: float, down: float) -> tuple[float, float]:
        """Where a spot of the tapestry lies on the screen, and so many cells beyond its corner."""
        x, y = self.page.locator(".laying svg.tapestry").evaluate(_SPOT_ON_SCREEN, [*spot, right, down])
        return x, y


_POINT_IN = """one => {
  const path = one.querySelector("path, rect, circle");
  one.ownerSVGElement.scrollIntoView({ block: "center", behavior: "instant" });
  const box = path.getBBox(), point = new DOMPoint();
  for (const share of [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8]) for (const other of [0.5, 0.4, 0.6, 0.3, 0.7]) {
    point.x = box.x + share * box.width; point.y = box.y + other * box.height;
    const there = point.matrixTransform(path.getScreenCTM());
    const hit = document.elementFromPoint(there.x, there.y);
    if (path.isPointInFill(point) && one.contains(hit)) return [there.x, there.y];
  }
  throw new Error("nobody can touch " + one.getAttribute("aria-label"));
}"""
_SPOT_ON_SCREEN = """(one, [column, row, right, down]) => {
  const cell = Number(one.dataset.cell);
  const x = (column - Number(one.dataset.left) + right) * cell, y = (row - Number(one.dataset.top) + down) * cell;
  const there = new DOMPoint(x, y).matrixTransform(one.getScreenCTM());
  return [there.x, there.y];
}"""


@thorough
def test_a_whole_game_is_played_by_taps_on_the_map_and_the_tapestries(table: Served) -> None:
    path = package_file("templates", "transcripts") / f"{GAME}.yaml"
    written = replay(path.read_text("utf-8"), path.name, SYSTEMS).session
    opened, (first, *rest) = written.opened, [played.step.what for played in written.played]
    live = table.host.begin("woven", "Loom", seed=opened.seed, rulings=opened.rulings)
    live.take(first, by="", revision=live.revision)
    page = table.page(Role.HOST)
    page.set_viewport_size({"width": 1280, "height": 1800})
    page.goto(table.base + "/table/Loom")
    player = Player(page, live)
    player.play(rest)
    assert live.session.state == written.state
    assert live.session.state.winners == ("Cleo",)
    page.get_by_role("heading", name="Cleo won").wait_for()
    on_pictures = {how for how in player.done if "picture" in how or how.startswith("laid")}
    assert {"move on a picture", "place-thread on a picture", "laid by taps", "laid by dragging"} <= on_pictures
    assert player.done.get("forms", 0) <= 1, player.done
