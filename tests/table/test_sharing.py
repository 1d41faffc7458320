"""A chronicle shared with the house: read by whoever has its address, nothing hidden in it, until it ends."""

from __future__ import annotations

import pytest

from docs.site.page_pictures import evening
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from tests.table.asking import Answer, Asker, Table

HIDDEN, OPEN = "Reflections Out of Step", "Grey Gloves is beaten."
GONE = "This chronicle is not shared any more; ask at the table for a new code."


@pytest.fixture
def told(friday: Table) -> LiveSession:
    return friday.host.live_session(evening(friday.host, "told", "weave-an-hour-ahead"))


def read(asker: Asker, live: LiveSession, secret: str = "") -> Answer:
    return asker.ask("GET", f"/shared/{secret or live.shared}", headers={"accept": "text/html"})


def share(asker: Asker, on: str = "1") -> Answer:
    return asker.post("/table/told/share", {"on": on})


def test_whoever_has_the_address_reads_what_everybody_may_know_and_nothing_else(
    friday: Table, told: LiveSession
) -> None:
    host, stranger = friday.join(Role.HOST), friday.stranger()
    assert HIDDEN in host.get("/table/told/chronicle").text
    assert share(host).status == 200
    page = read(stranger, told)
    assert page.status == 200 and OPEN in page.text and HIDDEN not in page.text
    assert (
        "data-session" not in page.text and 'href="/table/' not in page.text and "set-cookie" not in page.headers
    )
    for further in ("/table/told/chronicle", "/table/told", "/room/told", "/api/play/told/state", "/"):
        assert stranger.get(further).status == 401, further
    assert stranger.get(f"/shared/{told.shared}/chronicle.pdf").status == 404


def test_only_the_host_shares_and_an_address_never_works_again(friday: Table, told: LiveSession) -> None:
    host, ada, stranger = friday.join(Role.HOST), friday.join(Role.PLAYER, "Ada", "told"), friday.stranger()
    assert share(ada).status == 403 and share(stranger).status == 401 and not told.shared
    share(host)
    first = told.shared
    share(host)
    assert told.shared == first and len(first) >= 22, "pressed twice, it stays as it is"
    assert first not in ada.get("/table/told/chronicle").text, "it is the host's to show"
    share(host, "")
    assert read(stranger, told, first).status == 404 and GONE in read(stranger, told, first).text
    share(host)
    assert told.shared != first and read(stranger, told, first).status == 404
    for guessed in ("x", "%00", "ä", told.shared[:-1]):
        assert read(stranger, told, guessed).status == 404


def test_it_ends_when_another_evening_is_opened_and_with_the_table(friday: Table, told: LiveSession) -> None:
    host, stranger = friday.join(Role.HOST), friday.stranger()
    friday.host.open("told")
    share(host)
    secret = told.shared
    host.post("/api/sessions/open", {"session": "told"})
    assert read(stranger, told).status == 200, "it is the one that is open"
    friday.host.rename("told", "An hour ahead")
    assert read(stranger, told).status == 200
    host.post("/api/sessions/open", {"session": "friday"})
    assert read(stranger, told, secret).status == 404
    with TableHost(friday.host.store) as again:
        assert not again.live_session("An hour ahead").shared
