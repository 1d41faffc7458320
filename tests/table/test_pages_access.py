"""Everybody can use the pages: WCAG 2.2 AA by axe on every screen, by keyboard alone, in light and in dark.

Each screen is held once against all of axe's rules, on a phone in light colours; then contrast in dark ones. The
thorough run holds every screen against all rules at every size and in both looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.first_view import MOST_BYTES, View
from docs.site.page_pictures import LOOKS, SIZES, Onlooker, screens, table_of_examples
from loomtable.table.hosting.devices import Role
from loomtable.table.pages.open_pages import SHORTCUTS
from tests.table.browsing import PATIENCE, chromium
from tests.tiers import mostly, thorough

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
NAMES = [
    "home",
    "new",
    "weave-roll",
    "weave-camera",
    "weave-acts",
    "weave-ready",
    "weave-cards",
    "weave-form",
    "spellwoven",
    "storm-map",
    "mnemonic",
    "woven-cast",
    "woven",
    "storm-page",
    "journal",
    "chronicle",
    "chronicle-woven",
    "then",
    "amend",
    "strike",
    "back",
    "season",
    "emblems",
    "rulings",
    "devices",
    "join",
    "join-code",
    "print",
    "help",
    "trouble",
    "room",
    "room-map",
    "room-woven",
    "phone-player",
    "phone-camera",
]
ALWAYS = frozenset(
    [
        "home",
        "weave-roll",
        "weave-form",
        "storm-map",
        "woven",
        "journal",
        "chronicle",
        "join",
        "room",
        "phone-player",
    ]
)
"""One screen of each sort."""
DARK_TOO = frozenset({"weave-roll", "storm-map", "woven", "amend", "chronicle"})


class Looking:
    """A browser before a table with an evening of every game."""

    def __init__(self, browser: Any, host: Any, base: str) -> None:
        self._onlooker = Onlooker(browser, host, base)
        self.base = base
        self.screens = {screen.name: screen for screen in screens(host)}
        self._pages: dict[Any, Any] = {}

    def new(self, name: str) -> Any:
        """A browser's first page, on a laptop."""
        return self._onlooker.page(self.screens[name].role, SIZES["laptop"], "light")

    def at(self, name: str, size: str = "phone", look: str = "light") -> Any:
        """The page of a screen, of a device of the role that it is for."""
        screen = self.screens[name]
        page = self._pages.get(screen.role)
        if page is None:
            page = self._pages[screen.role] = self._onlooker.page(screen.role, SIZES[size], look)
            page.set_default_timeout(PATIENCE)
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=look)
        page.goto(self.base + screen.address)
        return page


@pytest.fixture(scope="module")
def looking() -> Iterator[Looking]:
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    for browser in chromium():
        with table_of_examples() as (host, base):
            yield Looking(browser, host, base)
            for context in tuple(browser.contexts):
                context.close()


def faults(page: Any, *rules: str) -> list[str]:
    """What axe finds: each fault with the elements that have it."""
    from axe_playwright_python.sync_playwright import Axe

    # What lies behind the question at a phone's foot is pressed once it has been scrolled out of there.
    only = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": RULES}
    for _ in range(2):  # a page that was renewed meanwhile has scrolled back: it is scrolled once more
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        found = Axe().run(page, options={"runOnly": only, "resultTypes": ["violations"]}).response["violations"]
        if not found:
            break
    return [f"{one['id']}: {', '.join(node['html'][:120] for node in one['nodes'][:4])}" for one in found]


def test_the_list_of_screens_is_whole(looking: Looking) -> None:
    assert list(looking.screens) == NAMES


@pytest.mark.parametrize("name", mostly(NAMES, ALWAYS))
def test_a_screen_is_accessible_and_fits_a_phone(looking: Looking, name: str) -> None:
    page = looking.at(name)
    assert not faults(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it is wider than a phone"
    if name in DARK_TOO:
        page.emulate_media(color_scheme="dark")
        assert not faults(page, "color-contrast", "link-in-text-block")


@thorough
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_every_screen_at_every_size(looking: Looking, name: str, size: str, look: str) -> None:
    page = looking.at(name, size, look)
    assert not faults(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_check_finds_what_is_wrong(looking: Looking) -> None:
    page = looking.at("help")
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert any("button-name" in fault for fault in faults(page))


def test_targets_are_large_enough_for_a_thumb(looking: Looking) -> None:
    page = looking.at("weave-roll")
    small = page.evaluate(
        """[...document.querySelectorAll("button, .button, summary, .face, select, .top a")]
        .filter((one) => one.offsetParent && !one.closest("p"))
        .map((one) => [one.textContent.trim().slice(0, 30), one.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5)).map(([words]) => words)"""
    )
    assert not small


def test_the_keyboard_alone_reaches_and_does_everything(looking: Looking) -> None:
    page = looking.at("weave-acts", "laptop")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the page"
    link = page.locator("#acts a").first
    label = link.locator("b").inner_text()
    link.focus()
    page.keyboard.press("Enter")
    page.locator("#asked-title", has_text=label).wait_for()
    assert page.evaluate("document.activeElement.id") == "asked-title"
    page.keyboard.press("Escape")
    page.locator("#acts").wait_for()
    page.keyboard.press("j")
    page.wait_for_url("**/journal")
    page.keyboard.press("t")
    page.wait_for_url("**/table/*")
    page.keyboard.press("?")
    page.wait_for_url("**/help")
    shown = page.locator("kbd").all_inner_texts()
    assert shown == [key for key, _ in SHORTCUTS]


def test_light_and_dark_are_chosen_without_a_script(looking: Looking) -> None:
    page = looking.at("help")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)

    def chosen(button: str) -> str:
        """The look of the whole page that comes back."""
        page.get_by_role("button", name="Menu").click()
        with page.expect_navigation():
            page.get_by_role("button", name=button).click()
        return str(page.evaluate("document.documentElement.dataset.look"))

    assert chosen("change to dark") == "dark"
    assert page.evaluate(ground) != light
    assert chosen("change to light") == "light"
    assert chosen("as the device") == "system"


def test_colours_of_the_system_are_kept_where_they_are_forced(looking: Looking) -> None:
    page = looking.at("amend", "laptop")
    page.emulate_media(forced_colors="active")
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    page.locator(".face input").first.check(force=True)
    marked = page.locator(".face").first.evaluate("one => getComputedStyle(one).outlineStyle")
    page.emulate_media(forced_colors="none")
    assert marked == "solid"


ON_TOP = """(one) => {
  const box = one.getBoundingClientRect();
  const hit = (y) => document.elementFromPoint(box.left + box.width / 2, y) === one;
  return hit(box.top + 2) && hit(box.bottom - 2);
}"""


def test_the_card_of_a_challenge_and_what_rolls_for_you_need_no_scrolling_on_a_laptop(looking: Looking) -> None:
    page = looking.at("weave-roll", "laptop")
    assert page.locator("#panel-spread .card img").first.evaluate(ON_TOP)
    assert page.locator("#chance").evaluate(ON_TOP)


def test_players_and_screens_are_not_shown_the_hosts_pages(looking: Looking) -> None:
    page = looking.at("phone-player")
    assert page.locator(".top nav a").all_inner_texts() == ["Rules"]
    assert looking.screens["phone-player"].role is Role.PLAYER


@pytest.mark.parametrize("name", mostly(["weave-roll", "weave-ready"], ["weave-roll"]))
def test_the_first_view_of_a_table_is_at_most_180_kb(looking: Looking, name: str) -> None:
    page, view = looking.new(name), View()
    view.look(page, looking.base + looking.screens[name].address)
    page.context.close()
    assert 50_000 < view.bytes <= MOST_BYTES
