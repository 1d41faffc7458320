"""A page that follows the table: only what has changed changes, and a device that slept catches up."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from docs.site.page_pictures import evening, idle_after
from loomtable.engine.kernel.play import Action
from loomtable.table.hosting.devices import Role
from tests.table.asking import a_tale
from tests.table.browsing import Served
from tests.tiers import mostly, thorough


def shown(page: Any, revision: int) -> None:
    page.locator(f"input[name=revision][value='{revision}']").first.wait_for(state="attached")


def between_turns(table: Served) -> tuple[Any, int]:
    """A page of Woven between two turns, and how many lines the journal has."""
    evening(table.host, "five", "woven-five-at-the-table", idle_after(70))
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/five")
    page.evaluate("document.fonts.ready")
    return page, table.host.live_session("five").revision


def test_what_does_not_change_stays_as_it_is_when_somebody_plays(table: Served) -> None:
    page, revision = between_turns(table)
    live = table.host.live_session("five")
    mage = live.session.view("storyteller")["turn"]["mage"]
    page.locator(".panels summary").first.focus()
    page.locator("details").last.evaluate("one => { one.open = true; one.dataset.mine = '1'; }")
    page.evaluate(
        """(whose) => {
          scrollTo(0, 300);
          const hers = document.getElementById(whose);
          window.before = [...document.querySelectorAll(".panels > section, .panels svg, .panels img")]
            .filter((one) => !hers.contains(one));
          window.moved = document.getAnimations().length;
          document.addEventListener("animationstart", () => { window.moved += 1; });
        }""",
        f"panel-mage-{mage}",
    )
    live.take(Action("rest", {"who": mage}), by="another", revision=revision)
    shown(page, live.revision)
    found = page.evaluate(
        """() => ({
          there: window.before.filter((one) => document.contains(one)).length,
          of: window.before.length,
          focus: document.activeElement.localName,
          y: scrollY,
          moved: window.moved,
          open: document.querySelector("details:last-of-type")?.open ?? true,
        })"""
    )
    assert found["of"] > 5 and found["there"] == found["of"], "a panel that did not change was made anew"
    assert found["focus"] == "summary"
    assert found["y"] == 300 and found["moved"] == 0


def test_a_form_that_is_half_filled_in_stays_while_others_play(table: Served) -> None:
    live = table.host.begin_ready("weave")
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/{live.name}?do=challenge")
    page.locator("#act-form .further > summary").click()
    field = page.locator("#act-form input[type=number]").first
    field.fill("-2")
    live.take(Action("add-npc", {"npc": "Wolf"}), by="another", revision=live.revision)
    shown(page, live.revision)
    assert field.input_value() == "-2"


def test_what_was_typed_for_one_question_is_not_left_for_the_next(table: Served) -> None:
    live = a_tale(table.host)
    live.take(Action("test", {"attribute": "wisdom"}), by="", revision=2)
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/friday")
    page.locator("#typed").fill("5 2")
    live.undo(by="another", revision=3)
    live.take(Action("test", {"attribute": "dexterity"}), by="another", revision=4)
    shown(page, 5)
    page.locator("text=Dexterity").first.wait_for()
    assert page.locator("#typed").input_value() == ""


def test_the_page_can_be_put_on_a_home_screen(table: Served) -> None:
    page = table.page(Role.HOST)
    page.goto(table.base + "/")
    asked = page.context.new_cdp_session(page)
    found = asked.send("Page.getAppManifest")
    assert not found["errors"] and found["manifest"]["name"] == "Loomtable", found
    assert {(icon["sizes"], icon["purpose"]) for icon in json.loads(found["data"])["icons"]} == {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }
    wrong = {error["errorId"] for error in asked.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    # The browsers of the tests keep nothing, as private windows do; that is their only complaint.
    assert wrong <= {"in-incognito"}
    for icon in [*json.loads(found["data"])["icons"], {"src": "/icon/touch-180.png", "sizes": "180x180"}]:
        edges = page.evaluate(
            """async (src) => {
              const i = new Image();
              i.src = src;
              await i.decode();
              return `${i.width}x${i.height}`;
            }""",
            icon["src"],
        )
        assert edges == icon["sizes"]
    assert page.request.get(table.base + "/icon/another.png").status == 404


class Freezing:
    """A way to the table (SOCKS 5) over which, from one moment on, nothing comes through that was open before."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._frozen: set[socket.socket] = set()
        self._open: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def freeze(self) -> None:
        """Whatever is connected now hears nothing any more, and is not told."""
        self._frozen.update(self._open)

    def close(self) -> None:
        for one in (self._listening, *self._open):
            with contextlib.suppress(OSError):
                one.close()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._listening.accept()
            except OSError:
                return
            here.recv(64)
            here.sendall(b"\x05\x00")
            here.recv(64)
            here.sendall(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
            there = socket.create_connection(("127.0.0.1", self._target))
            self._open += [here, there]
            for one, other in ((here, there), (there, here)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                if one not in self._frozen:
                    other.sendall(data)
            if one not in self._frozen:
                other.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def over_a_way_that_freezes(table: Served) -> Iterator[tuple[Any, Freezing]]:
    """A page that has reached the table by a way which can freeze."""
    a_tale(table.host)
    page = table.page(Role.HOST)
    own = int(table.base.rpartition(":")[2])
    way = Freezing(own)
    # The table hears its own name and port; only the way there is another.
    context = page.context.browser.new_context(
        storage_state=page.context.storage_state(),
        proxy={"server": f"socks5://127.0.0.1:{way.port}", "bypass": "<-loopback>"},
    )
    context.set_default_timeout(30_000)
    slept = table.watched(context.new_page())
    slept.clock.install()
    slept.goto(f"{table.base}/table/friday")
    try:
        yield slept, way
    finally:
        context.close()
        way.close()


def still_there(page: Any) -> None:
    """What was half given: a five that was typed, and a four that was tapped."""
    page.locator(".slot[data-value='4']").wait_for()
    assert page.locator("#typed").input_value() == "5"


@thorough
def test_an_answer_that_is_half_given_is_kept_while_the_phone_sleeps(table: Served) -> None:
    with over_a_way_that_freezes(table) as (page, way):
        live = table.host.live_session("friday")
        live.take(Action("test", {"attribute": "wisdom"}), by="another", revision=2)
        page.get_by_text("Test of Wisdom").first.wait_for()
        page.locator("#typed").fill("5")
        page.locator("#answer [data-face='4']").click()
        way.freeze()
        asked: list[str] = []
        page.on("response", lambda answer: asked.append(answer.url))
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        with page.expect_response(f"{table.base}/table/friday"):
            pass
        page.wait_for_timeout(200)
        still_there(page)
        page.locator("#answer [data-face='2']").click()
        page.get_by_text("6 against 7, passed").first.wait_for()


def test_an_answer_that_is_half_given_outlives_the_page(table: Served) -> None:
    """A longer sleep takes the page itself away; it is made anew when the phone wakes."""
    live = a_tale(table.host)
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/friday")
    live.take(Action("test", {"attribute": "wisdom"}), by="another", revision=2)
    page.locator("#typed").fill("5")
    page.locator("#answer [data-face='4']").click()
    page.reload()
    still_there(page)
    live.undo(by="another", revision=3)
    live.take(Action("test", {"attribute": "dexterity"}), by="another", revision=4)
    shown(page, 5)
    page.reload()
    page.get_by_text("Test of Dexterity").first.wait_for()
    assert page.locator("#typed").input_value() == "" and page.locator(".slot[data-value]").count() == 0


@thorough
@pytest.mark.parametrize("wakes", mostly(["it is looked at again", "only time passes"], ["it is looked at again"]))
def test_a_phone_that_slept_catches_up(table: Served, wakes: str) -> None:
    with over_a_way_that_freezes(table) as (page, way):
        live = table.host.live_session("friday")
        live.take(Action("test", {"attribute": "wisdom"}), by="another", revision=2)
        page.get_by_text("Test of Wisdom").first.wait_for()  # it follows
        way.freeze()
        live.undo(by="another", revision=3)
        live.take(Action("test", {"attribute": "dexterity"}), by="another", revision=4)
        page.wait_for_timeout(500)
        assert page.get_by_text("Test of Dexterity").count() == 0, "the way is not frozen"
        if wakes == "only time passes":
            page.clock.fast_forward(60_000)
        else:
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.get_by_text("Test of Dexterity").first.wait_for()
        live.undo(by="another", revision=5)
        page.get_by_text("Test of Dexterity").first.wait_for(state="detached")  # and follows again


def test_a_choice_in_a_form_narrows_the_next_one_at_once(table: Served) -> None:
    live = table.host.begin_ready("weave")
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/{live.name}?do=use-talent")
    page.get_by_role("radio", name="Odo").check()
    page.locator("#act-form", has_not_text="Bird at the Window").wait_for()
    page.locator("#act-form .only", has_text="A Breath Before").wait_for()  # there is no other
    assert page.get_by_role("radio", name="Odo").is_checked()
    page.get_by_role("radio", name="Ilse").check()
    page.locator("#act-form .only", has_text="Bird at the Window").wait_for()


def test_the_host_sees_what_the_television_shows_as_it_is_and_small(table: Served) -> None:
    live = table.host.begin_ready("weave", seed="scene")
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/{live.name}")
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("View as").select_option("the room")
    page.get_by_role("button", name="View", exact=True).click()
    shown = page.frame_locator("iframe[title='What the television shows']")
    shown.locator(".tv-stage").wait_for()
    live.take(Action("challenge", {"who": "Ilse", "suit": "gales"}), by="", revision=live.revision)
    shown.get_by_role("heading", name="Roll five Weave dice").wait_for()
    box, frame = page.locator(".television").bounding_box(), page.locator(".television iframe").bounding_box()
    assert box and frame and abs(box["width"] - frame["width"]) < 4, "the whole of it"
    assert page.locator(".panels .paper").count() == 0, "no list beside it"
    page.get_by_role("button", name="See everything").click()
    page.locator(".television").wait_for(state="detached")
    page.locator("#panel-sheet-Ilse").wait_for()
