"""Emblems: everybody has one, by turn or of their choice, beside the name on every screen; the name stays text."""

from __future__ import annotations

from typing import Any

import pytest

from loomtable.printkit.draw.art import art_names
from loomtable.table.hosting.devices import Role
from loomtable.table.screens.emblems import EMBLEMS, emblems_of
from tests.table.asking import Asker, Table
from tests.table.browsing import CUT_OFF, Served

HTML = {"accept": "text/html"}
PEOPLE = ("Ada", "Ben", "Cleo")


@pytest.fixture
def three(friday: Table) -> Table:
    live = friday.host.begin("spellwoven", "three")
    for name, ready in zip(PEOPLE, ("hedda-marl", "joss-greave", "sister-amable"), strict=True):
        live.session.perform("add-player-character", player=name, ready=ready, called=f"{name}'s hero")
    return friday


def shown(asker: Asker, page: str = "/table/three") -> str:
    return asker.ask("GET", page, headers=HTML).text


def emblems(table: Table) -> dict[str, str]:
    session = table.host.live_session("three").session
    return emblems_of(session, table.host.store.memos("three", "emblem"))


def choose(asker: Asker, person: str, emblem: str) -> Any:
    return asker.post("/table/three/emblems", {"person": person, "emblem": emblem})


def test_each_emblem_is_a_picture_that_is_there() -> None:
    assert sorted(EMBLEMS) == sorted(art_names("weaving-dice"))


def test_everybody_has_one_by_turn_and_their_hero_the_same(three: Table) -> None:
    assert emblems(three) == {
        name: emblem
        for person, emblem in zip(PEOPLE, EMBLEMS, strict=False)
        for name in (person, f"{person}'s hero")
    }
    session = three.host.live_session("three").session
    crowd = emblems_of(session, {"Ada": EMBLEMS[1], "Somebody who left": EMBLEMS[2]})
    assert [crowd[person] for person in PEOPLE] == [EMBLEMS[1], EMBLEMS[2], EMBLEMS[3]], "no two have the same"


def test_a_player_chooses_their_own_and_the_host_anybody_s(three: Table) -> None:
    host, ada, ben = three.join(Role.HOST), *(three.join(Role.PLAYER, name, "three") for name in ("Ada", "Ben"))
    assert choose(ada, "Ada", "tide").status == 200
    assert emblems(three)["Ada's hero"] == "tide"
    for asker, page in ((host, "/table/three"), (ben, "/table/three"), (host, "/room/three")):
        assert 'class="emblem" src="/art/emblem/tide.svg" alt=""' in shown(asker, page)
    assert choose(ben, "Ada", "rust").status == 403
    refused = choose(ben, "Ben", "tide")
    assert (refused.status, refused.json["error"]) == (400, "Ada has chosen this emblem already; choose another.")
    assert choose(ben, "Ben", "../suit").status == 400
    assert choose(host, "Ben", "rust").status == 200 and emblems(three)["Ben"] == "rust"
    assert choose(host, "Nobody", "salt").status == 403
    assert "Ben" not in shown(ada, "/table/three/emblems").partition("<main")[2]
    three.host.rename("three", "four")
    assert three.host.store.memos("four", "emblem") == {"Ada": "tide", "Ben": "rust"}


def test_it_is_chosen_in_one_tap_and_shown_on_the_television_at_once(table: Served) -> None:
    live = table.host.begin_ready("spellwoven")
    person = next(iter(live.session.system.people(live.session.game)))
    television = table.page(Role.SCREEN, "", live.name, size="television")
    television.goto(f"{table.base}/room/{live.name}")
    phone = table.page(Role.PLAYER, person, live.name, size="phone")
    phone.goto(f"{table.base}/table/{live.name}")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.get_by_role("button", name="Menu").click()
    phone.get_by_role("link", name="Your emblem").click()
    phone.get_by_role("button", name="Honey").click()
    television.locator(".person .emblem[src='/art/emblem/honey.svg']").wait_for()
    assert television.evaluate(CUT_OFF) == []
    phone.locator("button[aria-current=true]").get_by_text("Honey").wait_for()
