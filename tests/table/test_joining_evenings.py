"""A household joins the table in real browsers: laptop, television, four phones. Every interaction is counted."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import zxingcpp
from PIL import Image

from docs.site import page_pictures
from docs.site.page_pictures import SIZES
from loomtable.engine.kernel.play import Action
from loomtable.table.app import ALL_GUESSES
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.serving import Plan, served
from loomtable.table.store import open_store
from tests.table.browsing import CUT_OFF, PATIENCE
from tests.table.ports import free_port
from tests.tiers import mostly

EVENING = "Three chairs at the Heron"
FAMILY = ("Ada", "Ben", "Cyd", "Dan")


@contextlib.contextmanager
def evening(folder: Path, port: int = 0) -> Iterator[tuple[TableHost, Plan]]:
    """The table as ``loom table --lan`` opens it."""
    with (
        TableHost(open_store(folder / "sessions.db")) as host,
        served(host, lan=True, folder=folder, port=port) as planned,
    ):
        if not planned.addresses.plain:
            pytest.skip("this machine is in no network, so no phone could join")
        yield host, planned


@pytest.fixture(autouse=True)
def many_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """At home each device has an address of its own; here they share one, which may try as often as they all."""
    monkeypatch.setattr("loomtable.table.app.GUESSES", ALL_GUESSES)


class Household:
    """Browsers of one household, each with its own cookies; what people do to join is counted."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self.interactions = 0

    def device(self, size: tuple[int, int] = SIZES["phone"]) -> Any:
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]}, ignore_https_errors=True, permissions=["camera"]
        )
        context.set_default_timeout(PATIENCE)
        return context.new_page()

    def has_joined(self, host: TableHost, planned: Plan, role: Role, person: str = "") -> Any:
        """A page of a device that has joined the session that is open; it goes nowhere yet."""
        page = self.device((1920, 1080) if role is Role.SCREEN else SIZES["phone"])
        _, token = host.devices.admit(role, person, host.opened)
        cookie = {"name": f"loomtable-{planned.port}", "value": token, "url": planned.addresses.plain[0]}
        page.context.add_cookies([cookie])
        return page

    def goes_to(self, page: Any, address: str) -> None:
        """Scan a code, or type an address."""
        self.interactions += 1
        page.goto(address)

    def presses(self, page: Any, name: str) -> None:
        self.interactions += 1
        page.get_by_role("button", name=name, exact=True).click()

    def types(self, page: Any, label: str, words: str) -> None:
        self.interactions += 1
        page.get_by_label(label).fill(words)


@pytest.fixture
def household(browser: Any) -> Iterator[Household]:
    yield Household(browser)
    for context in tuple(browser.contexts):
        context.close()


def scanned(page: Any) -> str:
    """The address in the code that a screen shows, read as a phone reads it."""
    picture = Image.open(io.BytesIO(page.locator(".invite .qr").screenshot()))
    [found] = zxingcpp.read_barcodes(picture)
    return str(found.text)


def test_a_television_shows_the_chronicle_s_code_when_the_story_is_over(
    household: Household, tmp_path: Path
) -> None:
    with evening(tmp_path) as (host, planned):
        played = host.live_session(page_pictures.evening(host, "whole", "woven-duel")).session.played
        last = next(at for at, one in enumerate(played) if one.game.state.winners)
        before = played[last - 1].step.seq
        live = host.live_session(page_pictures.evening(host, "A duel", "woven-duel", lambda seq, _: seq == before))
        host.open(live.name)
        television = household.has_joined(host, planned, Role.SCREEN)
        phone = household.has_joined(host, planned, Role.PLAYER, "Ada")
        television.goto(f"{planned.addresses.plain[0]}/room/{quote(live.name)}")
        assert television.locator(".take-home").count() == 0
        live.take(played[last].step.what, by="", revision=live.revision)
        television.locator(".take-home").wait_for()
        television.keyboard.press("Escape")  # what came of the last spell
        assert television.evaluate(CUT_OFF) == []
        phone.goto(scanned(television))
        phone.get_by_role("heading", name="A duel").wait_for()
        assert phone.url.endswith("/chronicle")


@pytest.mark.parametrize("game", mostly(["Weave", "Spellwoven"], ["Weave"]))
def test_an_evening_that_the_host_ends_is_taken_home_by_a_phone_that_never_joined(
    household: Household, tmp_path: Path, game: str
) -> None:
    with evening(tmp_path) as (host, planned):
        live = host.begin_ready(game.lower())
        host.open(live.name)
        laptop = host_page(household, host, planned)
        laptop.goto(f"{planned.addresses.own}/table/{quote(live.name)}")
        television = household.has_joined(host, planned, Role.SCREEN)
        television.goto(f"{planned.addresses.plain[0]}/room/{quote(live.name)}")
        assert television.locator(".take-home").count() == 0
        laptop.get_by_role("button", name="Menu").click()
        laptop.get_by_role("link", name="End the evening").click()
        laptop.get_by_role("button", name="Share the chronicle").click()
        television.get_by_text("The evening is over").wait_for()
        assert television.evaluate(CUT_OFF) == []
        phone = household.device(SIZES["phone"])
        phone.goto(scanned(television))
        phone.get_by_text(f"A chronicle of {game}").wait_for()
        assert scanned(laptop) == phone.url and phone.context.cookies() == []
        laptop.get_by_role("button", name="Stop sharing").click()
        television.locator(".take-home").wait_for(state="detached")
        phone.reload()
        phone.get_by_text("not shared any more").wait_for()


def host_page(household: Household, host: TableHost, planned: Plan) -> Any:
    """The laptop's browser, which ``loom table`` opens by itself."""
    page = household.device(SIZES["laptop"])
    page.goto(f"{planned.addresses.own}/join?code={host.devices.pair().code}")
    page.wait_for_url("**/")
    return page


def begins(page: Any) -> None:
    page.get_by_role("button", name="A ready evening of Spellwoven").click()
    page.wait_for_url("**/table/**")


def test_a_household_joins_once_with_one_code_and_never_again(household: Household, tmp_path: Path) -> None:
    port = free_port()
    with evening(tmp_path, port) as (host, planned):
        laptop = host_page(household, host, planned)
        begins(laptop)
        television = household.device((1920, 1080))
        household.goes_to(television, planned.addresses.plain[0])
        household.types(television, "The code on the television", laptop.locator(".big-code").inner_text())
        household.presses(television, "Join")
        household.presses(television, "This is the television")
        television.wait_for_url(f"**/room/{quote(EVENING)}")
        assert scanned(television) == scanned(laptop), "one code for all"
        assert television.evaluate(CUT_OFF) == []
        phones = {name: household.device() for name in FAMILY}
        for name, phone in phones.items():
            household.goes_to(phone, scanned(television))
            household.presses(phone, name)
            phone.wait_for_url(f"**/table/{quote(EVENING)}")
            for screen in (laptop, television):
                if name != FAMILY[-1]:  # who has joined is seen at once
                    screen.locator(".joined .here", has_text=name).wait_for()
        for screen in (laptop, television):
            screen.locator(".invite").wait_for(state="detached")
        assert household.interactions == 4 + 2 * len(FAMILY)
        laptop.context.close()

    household.interactions = 0
    with evening(tmp_path, port) as (host, planned):
        laptop = host_page(household, host, planned)
        begins(laptop)
        tonight = host.opened
        assert tonight != EVENING
        for page, place in ((television, "room"), *((phone, "table") for phone in phones.values())):
            page.wait_for_url(f"**/{place}/{quote(tonight)}")  # left open, it goes on by itself
        for name, phone in phones.items():
            phone.locator(".top h1", has_text=name).wait_for()
        ada = phones["Ada"].context.new_page()
        ada.goto(planned.addresses.plain[0])  # she had closed hers
        ada.wait_for_url(f"**/table/{quote(tonight)}")
        laptop.locator(".invite").wait_for(state="detached")  # nobody needs the code
        assert household.interactions == 0
        laptop.context.close()


def test_devices_that_joined_before_the_game_are_led_on_by_themselves_and_to_every_next_one(
    household: Household, tmp_path: Path
) -> None:
    with evening(tmp_path) as (host, planned):
        address = f"{planned.addresses.plain[0]}/join?code={host.devices.code}"
        television, ada, ben = household.device((1920, 1080)), household.device(), household.device()
        television.goto(address)
        household.presses(television, "This is the television")
        television.get_by_role("heading", name="The host is choosing the game").wait_for()
        for name, phone in (("Ada", ada), ("Ben", ben)):
            phone.goto(address)
            household.types(phone, "My name is", name)
            household.presses(phone, "Join")
            television.locator(".come .here", has_text=name).wait_for()
        assert television.evaluate(CUT_OFF) == [] and scanned(television) == address
        ben.goto("about:blank")
        television.locator(".come .away", has_text="Ben").wait_for()
        ben.goto(planned.addresses.plain[0])
        television.locator(".come .here", has_text="Ben").wait_for()
        ben.get_by_role("link", name="I am somebody else").click()
        ben.get_by_role("heading", name="Who are you?").wait_for()  # and is left so
        household.interactions = 0
        for system in ("weave", "mnemonic"):
            live = host.begin_ready(system) if system == "weave" else host.begin(system, "From nothing")
            for page, place in ((television, "room"), (ada, "table"), (ben, "table")):
                page.wait_for_url(f"**/{place}/{quote(live.name)}")
        assert household.interactions == 0
        ada.goto(f"{planned.addresses.plain[0]}/join")
        ada.wait_for_url("**/table/**")


def test_the_code_is_one_line_once_the_evening_has_begun_and_can_be_scanned_on_request(
    household: Household, tmp_path: Path
) -> None:
    with evening(tmp_path) as (host, planned):
        live = host.begin_ready("weave")
        laptop, television = host_page(household, host, planned), household.device((1920, 1080))
        laptop.goto(f"{planned.addresses.own}/table/{quote(live.name)}")
        television.goto(f"{planned.addresses.plain[0]}/join?code={host.devices.code}")
        household.presses(television, "This is the television")
        address = scanned(television)  # large before it begins
        who = next(iter(live.session.state.characters))
        live.take(Action("challenge", {"who": who, "suit": "gales"}), by="", revision=live.revision)
        for screen in (television, laptop):
            line = screen.locator(".invite-line")
            line.wait_for()
            said = " ".join(line.inner_text().split())
            assert said.startswith(f"Join: {planned.addresses.plain[0].removeprefix('http://')} · ")
            assert "".join(said.split("· ")[1].split()[:2]) == host.devices.code
        assert television.locator(".invite").count() == 0 and television.evaluate(CUT_OFF) == []
        laptop.get_by_role("button", name="Show it large").click()
        television.locator(".invite .qr").wait_for()
        assert scanned(television) == scanned(laptop) == address
        large, asked = (television.locator(what).bounding_box() for what in (".invite", ".tv-now"))
        assert large["y"] >= asked["y"] + asked["height"] and television.evaluate(CUT_OFF) == []
        laptop.get_by_role("button", name="Make it small again").click()
        television.locator(".invite").wait_for(state="detached")
        assert host.lets_in(host.devices.code), "small, it lets in all the same"


def test_a_phone_that_waits_for_a_name_gets_it_without_being_reloaded(
    household: Household, tmp_path: Path
) -> None:
    with evening(tmp_path) as (host, planned):
        live = host.begin_ready("weave")
        address = f"{planned.addresses.plain[0]}/join?code={host.devices.code}"
        held, _ = host.devices.admit(Role.PLAYER, "Ada", live.name)
        new = household.device()
        new.goto(address)
        button = new.locator("[value=Ada]").element_handle()
        assert button.is_disabled() and button.inner_text() == "Ada has joined"
        host.devices.admit(Role.PLAYER, "Ben", live.name)
        new.get_by_text("Everybody on the list has joined").wait_for()
        host.devices.become(held.id, Role.PLAYER, "", live.name)
        household.presses(new, "Ada")
        new.wait_for_url("**/table/**")


def test_a_finger_on_a_name_never_presses_another(household: Household, tmp_path: Path) -> None:
    """Between finger down and finger up somebody else joins, and the page is made anew."""
    with evening(tmp_path) as (host, planned):
        live = host.begin_ready("spellwoven")
        phone = household.device()
        phone.goto(f"{planned.addresses.plain[0]}/join?code={host.devices.code}")
        box = phone.locator("[value=Cyd]").bounding_box()
        phone.mouse.move(box["x"] + 20, box["y"] + 20)
        phone.mouse.down()
        for name in ("Ada", "Ben"):
            host.devices.admit(Role.PLAYER, name, live.name)
        phone.get_by_text("Ben has joined").wait_for()
        phone.mouse.up()
        phone.wait_for_url("**/table/**")
        assert host.devices.holders(live.name)["Cyd"].role is Role.PLAYER


def test_who_joins_between_a_screen_s_page_and_its_first_news_is_seen(
    household: Household, tmp_path: Path
) -> None:
    held: list[Any] = []
    with evening(tmp_path) as (host, planned):
        live = host.begin_ready("spellwoven")
        television = household.has_joined(host, planned, Role.SCREEN)
        television.route("**/events*", lambda request: held.append(request))  # a slow connection
        television.goto(f"{planned.addresses.plain[0]}/room/{quote(live.name)}")
        assert television.locator(".joined :is(.here, .away)", has_text="Ada").count() == 0
        host.devices.admit(Role.PLAYER, "Ada", live.name)
        while not held:  # the page is there before its script has asked
            television.wait_for_timeout(20)
        held.pop().continue_()
        television.locator(".joined .away", has_text="Ada").wait_for()


def test_a_phone_becomes_the_camera_at_the_secure_address_without_joining_again(
    household: Household, tmp_path: Path
) -> None:
    with evening(tmp_path) as (host, planned):
        host.begin_ready("spellwoven")
        phone = household.device()
        phone.goto(f"{planned.addresses.plain[0]}/join?code={host.devices.code}")
        household.presses(phone, "Ada")
        phone.get_by_role("button", name="Menu").click()
        phone.get_by_role("link", name="Be the camera").click()
        phone.get_by_role("link", name="Go to the secure page").click()
        phone.wait_for_url(f"{planned.addresses.secure[0]}/camera/**")
        phone.get_by_role("button", name="Start the camera").wait_for()
        assert len(host.devices.all()) == 1


def test_a_name_is_given_up_on_the_phone_or_set_free_by_the_host_and_taken_by_another(
    household: Household, tmp_path: Path
) -> None:
    with evening(tmp_path) as (host, planned):
        host.begin_ready("spellwoven")
        laptop = host_page(household, host, planned)
        laptop.goto(f"{planned.addresses.own}/devices")
        old, new = household.device(), household.device()
        old.goto(scanned(laptop))
        household.presses(old, "Ada")
        new.goto(scanned(laptop))
        new.get_by_text("Ada has joined").wait_for()
        household.presses(new, "Ben")
        new.get_by_role("button", name="Menu").click()
        new.get_by_role("link", name="I am somebody else").click()
        new.get_by_text("Ada has joined").wait_for()
        laptop.get_by_role("button", name="Free Ada's name").click()
        old.get_by_role("heading", name="Who are you?").wait_for()
        household.presses(new, "Ada")
        new.locator(".top h1", has_text="Ada").wait_for()
        old.get_by_text("Ada has joined").wait_for()
