"""Questions between two rolls: the dice lie beside them, and one tap answers."""

from __future__ import annotations

import re
from typing import Any

import pytest

from docs.site.page_pictures import evening, rolls
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import rolled
from loomtable.engine.kernel.requests import EnterNumber, Roll
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.live_session import LiveSession
from tests.short import as_a, present
from tests.table.browsing import OUT_OF_SIGHT, Served


def rolled_so(table: Served, *first: str) -> LiveSession:
    """A Challenge in an evening of Weave whose dice show these faces, and Stones on the others."""
    live = table.host.live_session(evening(table.host, "Friday", "weave-an-hour-ahead", rolls("Challenge")))
    count = as_a(Roll, live.session.pending).count
    faces = [*first, *["stones"] * (count - len(first))]
    live.take(rolled(Die.WEAVE, *faces), by="", revision=live.revision)
    return live


@pytest.mark.parametrize("size", ["laptop", "phone"])
def test_a_die_is_rolled_again_by_one_tap_beside_the_dice(table: Served, size: str) -> None:
    rolled_so(table, "weave")
    page = table.page(Role.HOST, size=size)
    page.goto(f"{table.base}/table/Friday")
    page.get_by_role("heading", name="Roll the Weave die again?").wait_for()
    assert (
        page.evaluate(
            OUT_OF_SIGHT,
            ["#asked-title", ".asked .roll-dice", "#answer button[value='0']", "#answer button[value='1']"],
        )
        == []
    )
    page.locator("#answer button[value='1']").click()
    page.get_by_role("heading", name="Roll one Weave die").wait_for()


def test_where_a_roll_cannot_go_better_it_goes_on_by_one_button(table: Served) -> None:
    live = rolled_so(table, "weave", "brooks", "brooks", "brooks", "brooks")
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/Friday")
    page.get_by_text("Nothing better can come of it.").wait_for()
    assert page.get_by_role("button", name="Roll the Weave die again").count() == 0, (
        "folded away, and still allowed"
    )
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("heading", name="Roll the Weave die again?").wait_for(state="detached")
    assert not isinstance(live.session.pending, EnterNumber)


def test_what_only_the_storyteller_can_judge_is_one_tap_even_for_the_whole_scene(table: Served) -> None:
    live = table.host.begin_ready("weave", seed="scene")
    challenge = Action("challenge", {"who": "Ilse", "suit": "gales"})
    live.take(challenge, by="", revision=live.revision)
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/{live.name}")
    page.get_by_role("heading", name="Does this apply to this roll of Ilse?").wait_for()
    page.get_by_role("button", name="Never in this scene").click()
    page.get_by_role("heading", name="Roll five Weave dice").wait_for()
    live.take(rolled(Die.WEAVE, *["stones"] * 5), by="", revision=live.revision)
    live.take(challenge, by="", revision=live.revision)
    assert isinstance(live.session.pending, Roll), "and is not asked again"


def begins_the_fight(table: Served) -> tuple[LiveSession, Any]:
    live = table.host.begin_ready("spellwoven", seed="heron")
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/{live.name}?do=begin-conflict")
    page.get_by_role("button", name="Begin conflict").click()
    page.get_by_role("heading", name="Roll twelve d10").wait_for()
    return live, page


def test_a_conflict_of_eight_begins_after_few_questions_on_the_laptop(table: Served) -> None:
    live, page = begins_the_fight(table)
    assert len(present(live.session.state.conflict).combatants) == 8
    prompts = 0
    while live.session.pending is not None:
        prompts += 1
        question = page.locator(f".asked[data-question='{live.revision}']")
        question.get_by_role("button", name=re.compile("^(Roll for me|Done|.*No talent)$")).click()
        question.wait_for(state="detached")
    assert prompts <= 4


def test_each_hero_may_roll_on_a_phone_while_the_laptop_waits_for_the_rest(table: Served) -> None:
    live, page = begins_the_fight(table)
    phones = {name: table.page(Role.PLAYER, name, live.name, size="phone") for name in ("Ada", "Ben")}
    for phone in phones.values():
        phone.goto(f"{table.base}/table/{live.name}")
        phone.get_by_role("heading", name="Roll three d10").wait_for()
    ada, ben = phones.values()
    assert ada.locator(".slots .whose").all_inner_texts() == ["Hedda"]
    for phone in (ada, ben):  # Ben has tapped two before Ada's last one counts
        phone.locator(".pad [data-face='4']").click()
        phone.locator(".pad [data-face='4']").click()
    ada.locator(".pad [data-face='4']").click()
    page.get_by_role("heading", name="Roll nine d10").wait_for()
    assert page.locator(".slots .whose").all_inner_texts() == ["Joss", "Sister Amable", "Wat"]
    ben.locator(".pad [data-face='4']").click()
    page.get_by_role("heading", name="Roll six d10").wait_for()
    ada.get_by_text("Waiting for the group").wait_for()
    page.goto(f"{table.base}/table/{live.name}/journal/{live.revision - 1}/amend")
    assert page.locator(".die-row legend").all_inner_texts() == ["Joss, Die 1", "Joss, Die 2", "Joss, Die 3"]
