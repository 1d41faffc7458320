"""Taking dice on the page: one press beside the picture, a tap a die; and places that a finger taps twice."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from docs.site.page_pictures import asks, evening, five_dice, idle_after, rolls
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading, DiceReading
from loomtable.engine.kernel.requests import Roll
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.proposal import proposal_of
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.reading.answers import answer_of_tray
from loomtable.vision.camera import CameraLost, PictureRun
from loomtable.vision.pictures import BgrImage
from loomtable.vision.tray import assess_tray
from tests.table.browsing import Served, played_on, serving
from tests.tiers import mostly, thorough

SIZES = [(1280, 800), (390, 844)]


@pytest.fixture(scope="module")
def table(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(browser, tmp_path_factory.mktemp("table")) as here:
        evening(here.host, "Friday", "salt-road-evening", rolls("Gales Challenge"))
        evening(here.host, "Duel", "woven-duel", idle_after(46))
        evening(here.host, "Five", "woven-five-at-the-table", idle_after(70))
        yield here


@pytest.fixture
def friday(table: Served) -> Iterator[LiveSession]:
    """A Challenge with five Weave dice, asked; whatever a test answers is undone."""
    live = table.host.live_session("Friday")
    yield live
    live.watch.proposals.current = None
    while not isinstance(live.session.pending, Roll):
        live.undo(by="", revision=live.revision)


def page_of(table: Served, name: str, size: tuple[int, int] = (1280, 800), **more: Any) -> Any:
    page = table.page(Role.HOST, **more)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{table.base}/table/{name}")
    return page


def box_of(one: Any) -> Any:
    """Where something is on the screen; it may just be made anew, and is then looked at once more."""
    one.wait_for()
    return one.bounding_box() or box_of(one)


@pytest.mark.parametrize("size", [SIZES[0], pytest.param(SIZES[1], marks=thorough)])
def test_five_dice_are_taken_by_one_press_without_scrolling(
    table: Served, friday: LiveSession, size: tuple[int, int]
) -> None:
    friday.watch.show(five_dice())
    page, before = page_of(table, "Friday", size), friday.revision
    take = page.get_by_role("button", name="Take it", exact=True)
    for needed in (page.locator("#camera-picture"), page.locator(".taking .tiles"), take):
        box = box_of(needed)
        assert box["y"] >= 0 and box["y"] + box["height"] <= size[1], needed
    tops = {round(box_of(tile)["y"]) for tile in page.locator(".tiles .tile[popovertarget]").all()}
    assert len(tops) == 1, "the dice stand in one row"
    assert "accepted" not in page.locator("#taking").inner_text()
    take.click()
    page.locator(".take-back").get_by_role("button", name="Undo").wait_for()
    assert friday.revision == before + 1
    assert isinstance(friday.session.played[-1].step.what, DiceReading)


def test_the_die_in_doubt_alone_is_asked_for_and_its_tap_takes_all(table: Served, friday: LiveSession) -> None:
    watch = friday.watch
    seen = watch.show(five_dice())
    assert seen.tray is not None and isinstance(seen.request, Roll)
    dice = [
        replace(die, doubt="was read as 3 and as 5" if at == 2 else "") for at, die in enumerate(seen.tray.dice)
    ]
    tray = assess_tray(dice, seen.tray.expected)
    shown = answer_of_tray(seen.request, tray)
    watch.proposals.current = proposal_of(seen.number, seen.revision, seen.request, shown, five_dice())
    page, before = page_of(table, "Friday"), friday.revision
    assert page.locator("#accept").count() == 0 and page.locator(".tile.doubtful").count() == 1
    page.locator(".one-die").get_by_role("button", name="shows Gales").click()
    page.locator(".take-back").wait_for()
    assert friday.revision == before + 1


def test_the_last_tap_takes_the_dice_and_undo_asks_again(table: Served, friday: LiveSession) -> None:
    page, before = page_of(table, "Friday"), friday.revision
    for face in ("gales", "weave", "strike"):
        page.locator(f"#answer [data-face={face}]").click()
    page.get_by_role("button", name="Die 2: Weave. Take it off").click()
    for face in ("stones", "flames"):
        page.locator(f"#answer [data-face={face}]").click()
    assert friday.revision == before, "one die is still missing"
    page.locator("#answer [data-face=brooks]").click()
    page.locator(".take-back").get_by_role("button", name="Undo").click()
    page.locator(".take-back").wait_for(state="hidden")
    page.get_by_role("heading", name="Roll five Weave dice").wait_for()
    answered = [line.entry for line in friday.lines()[before : before + 1]]
    assert str(getattr(answered[0], "reading", "")).count("face=") == 5
    assert friday.session.pending is not None


def test_what_the_camera_sees_changes_without_the_rest_of_the_page(table: Served, friday: LiveSession) -> None:
    page = page_of(table, "Friday")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(200)
    friday.watch.show(five_dice())
    friday.watch.changed()
    page.locator("#accept").wait_for()
    assert any(url.endswith("/table/Friday/taking") for url in asked)
    assert not any(url.endswith("/table/Friday") for url in asked)


class Unplugged(PictureRun):
    """A camera that gives pictures until its plug is drawn."""

    def __init__(self, picture: BgrImage) -> None:
        super().__init__(itertools.repeat(picture))
        self.out = Event()

    def read(self) -> BgrImage | None:
        if self.out.is_set():
            raise CameraLost("camera 0 sends no more pictures; is it still plugged in?")
        return super().read()


def test_dice_can_be_tapped_at_once_when_the_camera_is_lost(
    table: Served, friday: LiveSession, empty: BgrImage
) -> None:
    camera = Unplugged(empty)
    friday.watch = TableWatch(friday, lambda _: camera)
    friday.watch.camera.start("0")
    page = page_of(table, "Friday", (390, 844))
    page.locator("#camera-picture").wait_for()
    face = page.locator("#answer [data-face]").first
    assert not face.is_visible()
    camera.out.set()
    page.locator("#taking").get_by_text("is it still plugged in?").wait_for()
    face.click()
    assert page.locator("#answer [data-slot][data-value]").count() == 1
    page.reload()
    assert face.is_visible(), "whoever opens the page later sees them too"
    friday.watch.stop()


def test_a_finger_sees_what_a_place_costs_before_it_goes_there(table: Served) -> None:
    live = table.host.live_session("Duel")
    page, before = page_of(table, "Duel", (390, 844), has_touch=True), live.revision
    place = page.locator("svg.map .open").first
    place.tap()
    told = page.locator("section:has(svg.map) .preview")
    assert "mana" in told.inner_text() and place.get_attribute("data-says") in told.inner_text()
    assert live.revision == before
    told.get_by_role("button", name="Do it").click()
    played_on(page, before)
    assert live.revision > before


@pytest.mark.parametrize("by", mostly(["finger", "mouse", "keys"], ["finger"]))
def test_a_tendril_is_moved_by_pressing_it_and_then_where_it_goes(table: Served, by: str) -> None:
    live = table.host.live_session("Five")
    page, before = page_of(table, "Five", (390, 844), has_touch=by == "finger"), live.revision
    knot = page.locator("svg.map [data-tendril]").first
    start = knot.get_attribute("data-tendril")
    places = page.locator(f"svg.map [data-reach='{start}'] .open")
    told = page.locator("section:has(svg.map) .preview")

    assert not places.first.is_visible()
    press(knot, by)
    assert "3 mana, 0 left" in told.inner_text() and told.get_by_role("button", name="Take one back").is_visible()
    assert not page.locator("svg.map > [data-walk] .open").first.is_visible(), "other places stay open"
    assert live.revision == before
    says = places.first.get_attribute("data-says")
    press(places.first, by)
    played_on(page, before)
    moved = next(p.step.what for p in live.session.played if p.step.seq == before)
    assert isinstance(moved, Action) and moved.name == "move-tendril" and moved.args["start"] == start
    assert says.startswith(f"{moved.args['who']} moves a tendril")
    live.undo(by="", revision=live.revision)


ON_SCREEN = """(one, [column, row]) => {
  const cell = Number(one.dataset.cell);
  const x = (column - Number(one.dataset.left)) * cell, y = (row - Number(one.dataset.top)) * cell;
  const there = new DOMPoint(x, y).matrixTransform(one.getScreenCTM());
  return [there.x, there.y];
}"""
"""Where a place of the tapestry, in cells, lies on the screen."""


@pytest.mark.parametrize("by", mostly(["taps", "dragging"], ["dragging"]))
def test_a_drawn_card_is_turned_and_laid_by_two_taps_or_by_dragging_it(table: Served, by: str) -> None:
    evening(table.host, by, "woven-duel", asks("Which side of tapestry card 27 is up?"))
    live = table.host.live_session(by)
    page, before = page_of(table, by, (1280, 1800)), live.revision
    card, tapestry = page.locator(".drawn[data-side='A']"), page.locator(".laying svg.tapestry")
    card.click()
    for _ in range(2):
        page.get_by_role("button", name="Turn").click()
    if by == "taps":
        page.mouse.click(*tapestry.evaluate(ON_SCREEN, [1.5, 0.5]))
        page.locator(".ghost image, .ghost .box").first.wait_for()
        page.mouse.click(*tapestry.evaluate(ON_SCREEN, [1.5, 0.5]))
    else:
        held = card.bounding_box()
        page.mouse.move(held["x"] + 12, held["y"] + 12)
        page.mouse.down()
        page.mouse.move(*tapestry.evaluate(ON_SCREEN, [1.2, 0.3]))
        page.mouse.move(*tapestry.evaluate(ON_SCREEN, [2.5, 1.0]))
        page.mouse.up()
    played_on(page, before + 2)
    laid = [played.step.what for played in live.session.played if played.step.seq >= before]
    assert laid[:3] == [ChoiceReading((key,)) for key in ("A", "2", "1/0")]


def press(one: Any, by: str) -> None:
    """As somebody would who has this at hand."""
    if by == "finger":
        one.tap()
    elif by == "mouse":
        one.click()
    else:
        one.focus()
        one.press("Enter")
