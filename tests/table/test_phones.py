"""A player's phone: one's own turn near the thumb, and the own sheet as drawn tracks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from docs.site.page_pictures import evening, rolls
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.devices import Role
from tests.table.browsing import Served, serving
from tests.tiers import mostly

SCREEN = 844
"""What a phone of 390 by 844 shows at once."""
FIRST = {
    "weave": "#can-do summary",
    "spellwoven": "#can-do summary",
    "storm-weavers": "#answer button",
    "mnemonic": "#act-form button.large",
    "woven": ".deeds button, .asked .tap",
}
"""What is pressed first in a ready evening."""
DRAWN = {
    "weave": ("Strikes", "Wounds"),
    "spellwoven": ("Charm", "Polearms"),
    "storm-weavers": ("Health", "Dexterity", "Wisdom"),
}
"""Tracks of the own sheet, by their names."""


@pytest.fixture(scope="module")
def table(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(browser, tmp_path_factory.mktemp("table")) as here:
        yield here


def phone_of(table: Served, key: str) -> Any:
    """The phone of whoever plays first in a ready evening; where one plays alone, of the host."""
    live = table.host.begin_ready(key, seed="A duel in the Maple Reach")
    solo = live.session.system.solo
    person = "" if solo else next(iter(live.session.system.people(live.session.game)))
    page = table.page(
        Role.HOST if solo else Role.PLAYER,
        person=person,
        live="" if solo else live.name,
        size="phone",
        has_touch=True,
    )
    page.goto(f"{table.base}/table/{live.name}")
    page.evaluate("document.fonts.ready")
    return page


def ends(one: Any) -> float:
    """How far down the page something ends."""
    box = one.bounding_box()
    return float(box["y"] + box["height"])


@pytest.mark.parametrize("key", mostly(sorted(SYSTEMS), ["weave", "woven"]))
def test_what_is_asked_and_the_first_press_stand_on_the_first_screen_and_the_own_sheet_on_the_second(
    table: Served, key: str
) -> None:
    page = phone_of(table, key)
    for shown, most in (("#asked-title", SCREEN), (FIRST[key], SCREEN), (".mine", 2 * SCREEN)):
        first, tries = page.locator(shown).first, 0
        while ends(first) > most and (tries := tries + 1) < 100:
            page.wait_for_timeout(50)  # a page that has only just come may still be laid out
        assert ends(first) <= most, shown
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("key", mostly(sorted(DRAWN), ["weave"]))
def test_the_own_sheet_is_drawn_as_tracks(table: Served, key: str) -> None:
    page = phone_of(table, key)
    for name in DRAWN[key]:
        track = page.locator(".mine .track").filter(has=page.locator(f".track-name:text-is('{name}')"))
        boxes = track.locator(".boxes i")
        assert boxes.count() > 2, name
        shown = {round(box["y"]) for box in (one.bounding_box() for one in boxes.all())}
        assert len(shown) <= 2, f"{name} runs over more than two lines"


def test_what_sends_a_form_stays_at_the_thumb_while_the_form_is_read(table: Served) -> None:
    page = phone_of(table, "mnemonic")
    page.locator("#act-form details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    send = page.locator("#act-form button.large")
    page.evaluate("scrollTo(0, 0)")
    assert 0 < ends(send) <= SCREEN


def test_dice_are_tapped_without_scrolling(table: Served) -> None:
    evening(table.host, "friday", "salt-road-evening", rolls("Gales Challenge"))
    page = table.page(Role.PLAYER, person="Ada", live="friday", size="phone", has_touch=True)
    page.goto(f"{table.base}/table/friday")
    assert ends(page.locator("#answer [data-face]").last) <= SCREEN
    assert ends(page.locator("#chance")) <= SCREEN


def test_a_map_fills_the_phone_and_its_names_can_be_larger(table: Served) -> None:
    page = phone_of(table, "woven")
    wide = page.locator("#panel-land svg.map").bounding_box()["width"]
    assert wide >= 388, "from edge to edge"
    page.get_by_label("Larger").check()
    assert page.locator("#panel-land svg.map").bounding_box()["width"] > 2.2 * wide
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, "it is scrolled in its own place"
