"""Pause, lines and veils: anybody may stop an evening, say what it keeps out, and is never named."""

from __future__ import annotations

from typing import Any

import pytest

from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import StoreBehind, open_store
from loomtable.table.store.file import FileStore
from tests.table.asking import Table, a_tale
from tests.table.browsing import Served


def what_is_seen(page: Any) -> str:
    """The words on a page that are not hidden, without what a screen reader is told."""
    said: str = page.locator("body").inner_text()
    return " ".join(said.split()).removesuffix(" The table is paused.")


def test_nothing_is_played_while_the_table_is_paused_by_hand_or_by_camera(friday: Table) -> None:
    host, live = friday.join(Role.HOST), friday.host.live_session("friday")
    before = live.lines()
    live.pause.set(True)  # as a card that the camera reads would
    told = host.post("/api/play/friday/answer", {"revision": len(before), "answer": ["2", "3"]})
    assert (told.status, told.json["error"]) == (409, "The table is paused; press Go on first.")
    assert host.post("/api/play/friday/undo", {"revision": len(before)}).status == 409
    assert live.lines() == before
    host.post("/api/pause", {"on": ""})
    assert host.post("/api/play/friday/answer", {"revision": len(before), "answer": ["2", "3"]}).status == 200


def test_nobody_is_named_for_a_line_and_only_the_host_removes_one(friday: Table) -> None:
    host, ada = friday.join(Role.HOST), friday.join(Role.PLAYER, "Ada")
    page = "/table/friday/lines-and-veils"
    before = friday.host.export("friday")
    assert ada.post(page, {"kind": "line", "words": "  spiders,  close up "}).status == 200
    assert ada.post(page, {"kind": "veil", "words": "wounds"}).status == 200
    for shown in (host.get(page).text, ada.get(page).text):
        assert "spiders, close up" in shown and "wounds" in shown
        assert "Ada" not in shown.partition('<main id="main"')[2].partition("</main>")[0]
    assert "Remove" not in ada.get(page).text
    assert ada.post(f"{page}/remove", {"kind": "line", "words": "spiders, close up"}).status == 403
    assert host.post(f"{page}/remove", {"kind": "line", "words": "spiders, close up"}).status == 200
    assert "spiders" not in host.get(page).text and "wounds" in host.get(page).text
    for address in ("/table/friday/chronicle", "/table/friday/journal", "/table/friday"):
        assert "wounds" not in host.get(address).text
    assert friday.host.export("friday") == before


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"kind": "line", "words": " "}, "Write 1 to 80 characters."),
        ({"kind": "line", "words": "x" * 81}, "Write 1 to 80 characters."),
        ({"kind": "wish", "words": "x"}, "Choose a line or a veil."),
    ],
)
def test_a_line_that_cannot_be_kept_is_refused_in_words(friday: Table, sent: dict[str, str], says: str) -> None:
    told = friday.join(Role.HOST).post("/table/friday/lines-and-veils", sent)
    assert (told.status, told.json["error"]) == (400, says)
    assert friday.host.store.memos("friday", "line") == {}


def test_memos_stay_with_their_session_and_follow_its_name(place: str) -> None:
    with TableHost(open_store(place)) as host:
        host.begin("mnemonic", "friday")
        host.begin("mnemonic", "saturday")
        host.store.keep_memo("friday", "line", "spiders", "")
        host.store.keep_memo("friday", "line", "spiders", "big ones")
        with pytest.raises(StoreBehind):
            host.store.keep_memo("sunday", "line", "spiders", "")
        host.rename("friday", "a long night")
    with open_store(place) as store:
        assert store.memos("a long night", "line") == {"spiders": "big ones"}
        assert store.memos("saturday", "line") == store.memos("friday", "line") == {}


def test_a_store_from_before_memos_keeps_them_from_now_on(place: str) -> None:
    with TableHost(open_store(place)) as host:
        host.begin("mnemonic", "friday")
        with host.store._transaction(writes=True) as database:
            database.execute("DROP TABLE memo")
            if isinstance(host.store, FileStore):
                database.execute("PRAGMA user_version = 2")
    with open_store(place) as store:
        store.keep_memo("friday", "veil", "wounds", "")
        assert list(store.memos("friday", "veil")) == ["wounds"]
        assert len(store.journal("friday").lines()) == 1


def test_a_phone_pauses_every_screen_that_is_open_and_another_goes_on(table: Served) -> None:
    a_tale(table.host)
    ada = table.page(Role.PLAYER, "Ada", "friday", size="phone")
    tv = table.page(Role.SCREEN, "", "friday", size="television")
    laptop, devices, camera = table.page(Role.HOST), table.page(Role.HOST), table.page(Role.CAMERA, "", "friday")
    pages = {
        ada: "/table/friday",
        tv: "/room/friday",
        laptop: "/table/friday",
        devices: "/devices",
        camera: "/camera/friday",
    }
    for page, address in pages.items():
        page.goto(table.base + address)
    ada.get_by_role("button", name="Pause").click()
    for page in pages:
        page.get_by_role("heading", name="The table is paused").wait_for()
        size = page.locator(".paused").bounding_box()
        assert (size["width"], size["height"]) == tuple(page.viewport_size.values())
    seen = {address: what_is_seen(page) for page, address in pages.items()}
    assert set(seen.values()) == {
        "The table is paused; take all the time you need. Go on",
        "The table is paused; take all the time you need.",
    }
    assert table.host.live_session("friday").revision == 2, "a pause is no part of the journal"
    camera.get_by_role("button", name="Go on").click()
    for page in pages:
        page.locator(".paused").wait_for(state="detached")
    assert "Thymin" in what_is_seen(tv)


def test_pause_and_lists_work_without_scripts(table: Served) -> None:
    a_tale(table.host)
    page = table.page(Role.PLAYER, "Ada", "friday", size="phone", java_script_enabled=False)
    page.goto(f"{table.base}/table/friday")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Lines and veils").click()
    page.get_by_label("Add a line").fill("spiders")
    page.get_by_role("button", name="Add").first.click()
    assert page.locator("#line-1").inner_text() == "spiders"
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").click()
    page.locator("#line-1").wait_for()
