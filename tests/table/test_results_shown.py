"""What came of a roll is on every screen at once, to each as far as it may be seen, and again from the journal."""

from __future__ import annotations

import html
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docs.site.page_pictures import evening, rolls
from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.results import last_result
from loomtable.table.hosting.devices import ROOM, Role
from loomtable.table.hosting.host import TableHost
from loomtable.table.store import open_store
from tests.table.asking import Asker, Table
from tests.table.browsing import serving
from tests.table.hidden_cards import HIDING, PEOPLE, secrets_of, told_in
from tests.tiers import mostly, thorough

EVENINGS = {"woven": "woven-duel", "weave": "weave-an-hour-ahead", "mnemonic": "mnemonic-into-the-grey"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with open_store(tmp_path / "results.db") as store:
        here = Table(TableHost(store), hurried=True)
        yield here
        here.host.close()


def shown(asker: Asker, live: str = "friday", query: str = "") -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(asker.get(f"/api/play/{live}/result{query}").text)
    return answer


def rolled_out(table: Table) -> None:
    """A Challenge of Weave, rolled by the computer to its end."""
    live, source = table.host.live_session("friday"), random.Random(3)
    while live.session.pending is not None:
        live.take(random_answer(live.session.pending, source), by="", revision=live.revision)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?line=abc", "number of a line in the journal, not 'abc'"),
        ("?line=-1", "not '-1'"),
        ("?as=bogus", "not 'bogus'"),
    ],
)
def test_a_result_that_is_asked_for_wrongly_is_refused_in_words(table: Table, query: str, words: str) -> None:
    evening(table.host, "friday", "salt-road-evening", rolls("Gales Challenge"))
    answer = table.join(Role.SCREEN).get(f"/api/play/friday/result{query}")
    assert answer.status == 400
    assert words in answer.text


def test_laptop_television_and_phone_see_one_result_each_with_what_it_may_know(table: Table) -> None:
    evening(table.host, "friday", "salt-road-evening", rolls("Gales Challenge"))
    laptop, room = table.join(Role.HOST), table.join(Role.SCREEN)
    phones = {person: table.join(Role.PLAYER, person) for person in PEOPLE}
    rolled_out(table)
    found = {name: shown(asker)["result"] for name, asker in {"laptop": laptop, "room": room, **phones}.items()}
    assert len({one["verdict"] for one in found.values()}) == 1 and found["room"]["settled"]
    assert len({json.dumps(one["throws"]) for one in found.values()}) == 1
    assert all(die["picture"].startswith("weave-") for throw in found["room"]["throws"] for die in throw["dice"])
    knows = {name: "Core Suit" in " ".join(one["counted"]) for name, one in found.items()}
    assert knows == {"laptop": True, "room": False, "Ada": True, "Ben": False}, "the pool stands on Ada's sheet"
    assert found["room"]["seconds"] >= 5
    as_room = shown(laptop, query="?as=room")["result"]
    assert as_room == found["room"], "a laptop that shows the room sees no more than the room"


def test_the_answer_to_an_act_is_what_came_of_it(table: Table) -> None:
    evening(table.host, "friday", "salt-road-evening", rolls("Gales Challenge"))
    phone = table.join(Role.PLAYER, "Ada")
    said = json.loads(phone.play("answer", random="1").text)["says"]
    while table.host.live_session("friday").session.pending is not None:
        said = json.loads(phone.play("answer", random="1").text)["says"]
    assert "against level" in said or "Strike" in said, said


def test_each_journal_line_with_a_roll_shows_its_result(table: Table) -> None:
    evening(table.host, "friday", "weave-an-hour-ahead")
    laptop, phone = table.join(Role.HOST), table.join(Role.PLAYER, "Ada")
    journal = html.unescape(laptop.get("/table/friday/journal", accept="text/html").text)
    assert journal.count("data-result-line=") >= 30
    old = shown(laptop, query="?line=145")["result"]
    assert (old["seq"], old["verdict"], old["next"]) == (147, "Pass", "")
    assert "2 successes against level 1" in shown(phone, query="?line=147")["result"]["counted"]
    then = laptop.get("/table/friday/journal/147", accept="text/html").text
    assert "verdict-word" in then and "2 successes against level 1" in then
    assert shown(laptop, query="?line=3")["result"] is None


@pytest.mark.parametrize("key", mostly(HIDING, ["woven"]))
def test_no_result_tells_anybody_what_is_hidden_from_them(key: str, table: Table) -> None:
    whole = table.host.live_session(evening(table.host, "whole", EVENINGS[key])).session
    live = table.host.begin(
        key, "friday", seed=whole.opened.seed, rulings=whole.opened.rulings, setup=whole.opened.setup
    )
    askers = {person: table.join(Role.PLAYER, person) for person in PEOPLE}
    askers[ROOM] = table.join(Role.SCREEN)
    compared = 0
    for step in whole.played:
        live.take(step.step.what, by="", revision=live.revision)
        session = live.session
        if last_result(session, STORYTELLER) is None:
            continue
        for viewer, asker in askers.items():
            hidden = secrets_of(session).untold(viewer)
            answer = shown(asker)
            assert not told_in(json.dumps(answer, ensure_ascii=False), hidden), viewer
            compared += bool(hidden and answer["result"])
    assert compared >= 20, "hardly anything was hidden; the test proves nothing"


@thorough
def test_everybody_sees_it_by_the_event_stream_and_puts_it_away(browser: Any, tmp_path: Path) -> None:
    with serving(browser, tmp_path) as here:
        evening(here.host, "Friday", "salt-road-evening", rolls("Gales Challenge"))
        pages = {
            "laptop": here.page(Role.HOST, reads=True),
            "room": here.page(Role.SCREEN, live="Friday", size="television", reads=True),
            "Ada": here.page(Role.PLAYER, "Ada", "Friday", size="phone", reads=True),
            "Ben": here.page(Role.PLAYER, "Ben", "Friday", size="phone", reads=True),
        }
        for name, page in pages.items():
            page.goto(f"{here.base}/{'room' if name == 'room' else 'table'}/Friday")
            assert page.locator("#result").is_hidden(), "what lies back is no news"
        live, source = here.host.live_session("Friday"), random.Random(3)
        while live.session.pending is not None:
            live.take(random_answer(live.session.pending, source), by="", revision=live.revision)
        for page in pages.values():
            page.locator("#result .verdict-word").wait_for()
            sizes = page.evaluate(
                "() => [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() &&"
                " [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))"
                ".map((one) => [parseFloat(getComputedStyle(one).fontSize), one.className])"
            )
            assert max(sizes)[1] == "verdict-word", "nothing on the screen is larger than the result"
        pages["Ada"].locator("#result").get_by_role("button", name="Go on").click()
        assert pages["Ada"].locator("#result").is_hidden()
        pages["laptop"].keyboard.press("Escape")
        pages["laptop"].locator("#result").wait_for(state="hidden")
        assert pages["laptop"].locator("[data-section=last-roll]").is_visible(), "and it stays in the page"
        pages["laptop"].goto(f"{here.base}/table/Friday/journal")
        pages["laptop"].locator("[data-result-line]").first.click()
        pages["laptop"].locator("#result .verdict-word").wait_for()
        pages["room"].locator("#result").wait_for(state="hidden")
        assert pages["room"].locator(".tv-last .verdict-word").is_visible()
        pages["Ben"].reload()
        assert pages["Ben"].locator("#result").is_hidden()
