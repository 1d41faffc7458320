"""Questions between two rolls: the dice lie beside them, and one tap answers."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from msgspec.structs import replace

from docs.site.page_pictures import evening, rolls
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading, rolled
from loomtable.engine.kernel.requests import Choose, EnterNumber, Option, Roll
from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.errors import NotAllowed
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.rights import as_asked, check_wish
from loomtable.table.reading.typed import reading_of
from tests.short import as_a
from tests.table.browsing import OUT_OF_SIGHT, Served
from tests.tiers import mostly


def rolled_so(table: Served, *first: str) -> LiveSession:
    """A Challenge in an evening of Weave whose dice show these faces, and Stones on the others."""
    live = table.host.live_session(evening(table.host, "Friday", "weave-an-hour-ahead", rolls("Challenge")))
    count = as_a(Roll, live.session.pending).count
    faces = [*first, *["stones"] * (count - len(first))]
    live.take(rolled(Die.WEAVE, *faces), by="", revision=live.revision)
    return live


@pytest.mark.parametrize("size", mostly(["laptop", "phone"], ["phone"]))
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


UNCOVERED = """(what) => {
  const one = document.querySelector(what), box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(box.x + box.width / 2, box.bottom - 4));
}"""


def begun(table: Served) -> tuple[LiveSession, Any]:
    """The first ready evening of Weave, and the storyteller's laptop."""
    live, laptop = table.host.begin_ready("weave", seed="scene"), table.page(Role.HOST)
    laptop.goto(f"{table.base}/table/{live.name}")
    return live, laptop


def begun_and_watched(table: Served) -> tuple[LiveSession, Any, Any]:
    """The same, and Ada's phone."""
    live, laptop = begun(table)
    phone = table.page(Role.PLAYER, "Ada", live.name, size="phone")
    phone.goto(f"{table.base}/table/{live.name}")
    return live, laptop, phone


def test_what_only_people_can_judge_is_ticked_beside_the_dice_on_laptop_and_phone(table: Served) -> None:
    live, laptop, phone = begun_and_watched(table)
    live.take(Action("challenge", {"who": "Ilse", "suit": "gales"}), by="", revision=live.revision)
    laptop.get_by_role("heading", name="Roll five Weave dice").wait_for()
    assert laptop.evaluate(UNCOVERED, ".pad [data-face=strike]"), "nothing lies over the dice to tap"
    laptop.locator("[data-face=stones]").click()
    assert laptop.evaluate(OUT_OF_SIGHT, ["#tick-1", "#for-the-scene summary", ".slot"]) == []
    assert phone.locator("#tick-always-1").count() == 0, "that is the storyteller's to say"

    phone.locator("#tick-1").click()
    for page in (laptop, phone):
        page.get_by_role("heading", name="Roll four Weave dice").wait_for()
        assert page.locator("#tick-1").get_attribute("aria-pressed") == "true"
    assert laptop.locator("[data-slot][data-value]").count() == 1, "a die that was tapped stays"
    phone.locator("#tick-1").click()
    laptop.get_by_role("heading", name="Roll five Weave dice").wait_for()
    laptop.get_by_text("For the whole scene").click()
    laptop.locator("#tick-never-1").click()
    laptop.locator("#tick-never-1[aria-pressed=true]").wait_for()
    phone.locator("#tick-1[aria-pressed=false]").wait_for()

    live.take(rolled(Die.WEAVE, *["stones"] * 5), by="", revision=live.revision)
    live.take(Action("challenge", {"who": "Ilse", "suit": "gales"}), by="", revision=live.revision)
    laptop.locator("#ticks").wait_for(state="detached")
    laptop.get_by_role("heading", name="Roll five Weave dice").wait_for()
    assert laptop.locator("#ticks").count() == 0, "it was said for the whole scene"


def counting(table: Served) -> tuple[LiveSession, Any]:
    """A Challenge has been; from now on what is pressed on the laptop is counted."""
    live, laptop = begun(table)
    live.take(Action("challenge", {"who": "Ilse", "suit": "stones"}), by="", revision=live.revision)
    while live.session.pending is not None:
        live.take(random_answer(live.session.pending, random.Random(1)), by="", revision=live.revision)
    laptop.get_by_role("button", name="Flames").wait_for()
    laptop.evaluate(
        "() => { window.presses = 0; document.addEventListener('pointerdown', () => window.presses++, true); }"
    )
    return live, laptop


@pytest.mark.parametrize(("who", "presses"), mostly([("Ilse", 1), ("Odo", 2)], [("Odo", 2)]))
def test_a_challenge_after_the_first_takes_at_most_two_presses(table: Served, who: str, presses: int) -> None:
    live, laptop = counting(table)
    if who != "Ilse":
        laptop.locator("#act-form").get_by_role("radio", name=who, exact=True).check()
        laptop.locator(f"input[value={who}]:checked").wait_for()
    laptop.get_by_role("button", name="Flames").click()
    laptop.get_by_role("heading", name=re.compile("^Roll .* Weave dic?e")).wait_for()
    assert laptop.evaluate("presses") == presses
    assert (live.session.last_action.args["who"], as_a(Roll, live.session.pending).purpose) == (
        who,
        "Flames Challenge, level 1",
    )


def test_a_challenge_with_a_card_of_the_hand_is_of_its_suit(table: Served) -> None:
    live, laptop = counting(table)
    card = laptop.locator("#act-form [name='arg.card']:not([value=''])").first
    card.locator("xpath=..").click()
    laptop.get_by_role("button", name=re.compile("^Challenge: ")).click()
    laptop.get_by_role("heading", name=re.compile("^Roll .* Weave dic?e")).wait_for()
    assert laptop.evaluate("presses") == 2
    assert live.session.last_action.args["card"]


def test_a_player_sees_and_ticks_only_what_lies_open(table: Served) -> None:
    session = table.host.begin_ready("weave").session
    options = (Option("1", "Her Flaw", open=True), Option("2", "A Boss's Talent"), Option("never-1", "Never"))
    ticks = Choose("What holds?", options, 0, 3, by="storyteller", rule="WV-10")
    roll = Roll(Die.WEAVE, 3, "Gales Challenge", ticks=ticks, ticked=("1", "2"), by="Ilse", rule="WV-17")
    phone = Device("2", "Ada's phone", Role.PLAYER, "Ada", "tonight")
    seen = as_a(Roll, as_asked(session, roll, phone))
    assert (as_a(Choose, seen.ticks).options, seen.ticked) == (options[:1], ("1",))
    assert reading_of(seen, ["tick", "1"]) == ChoiceReading(("1",))
    with pytest.raises(ReadingMisfit, match="'2' is not among the choices"):
        reading_of(seen, ["tick", "2"])
    assert as_asked(session, roll, Device("1", "the host", Role.HOST)) is roll
    hidden = replace(roll, ticks=replace(ticks, options=options[1:]))
    assert as_a(Roll, as_asked(session, hidden, phone)).ticks is None


def begins_the_fight(table: Served) -> tuple[LiveSession, Any]:
    live = table.host.begin_ready("spellwoven", seed="heron")
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/{live.name}?do=begin-conflict")
    page.get_by_role("button", name="Begin conflict").click()
    page.get_by_role("heading", name="Roll twelve d10").wait_for()
    return live, page


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
    ada.get_by_role("heading", name="Group: Roll six d10").wait_for()
    page.goto(f"{table.base}/table/{live.name}/journal/{live.revision - 1}/amend")
    assert page.locator(".die-row legend").all_inner_texts() == ["Joss, Die 1", "Joss, Die 2", "Joss, Die 3"]


def test_a_player_asks_for_a_challenge_and_the_storyteller_begins_it_by_one_press(table: Served) -> None:
    live, laptop, phone = begun_and_watched(table)
    phone.get_by_role("heading", name="What you can do now").click()
    phone.get_by_label("What you try").fill("I climb the wall")
    phone.get_by_role("button", name="Gales").click()
    phone.get_by_text("Waiting for the storyteller. Ilse: a").wait_for()
    assert live.session.pending is None, "it is the storyteller's to begin"
    laptop.get_by_text("I climb the wall").wait_for()
    laptop.get_by_role("button", name="Begin it").click()
    phone.get_by_role("heading", name="Roll five Weave dice").wait_for()
    for page in (laptop, phone):
        page.locator(".wish").wait_for(state="detached")
    assert live.session.last_action == Action("challenge", {"who": "Ilse", "suit": "gales"})


def test_what_is_asked_for_is_declined_taken_back_or_begun_with_a_card(table: Served) -> None:
    live, laptop, phone = begun_and_watched(table)
    phone.get_by_role("heading", name="What you can do now").click()
    for page, button in ((laptop, "Not now"), (phone, "Take it back")):
        phone.get_by_role("button", name="Gales").click()
        page.get_by_role("button", name=button).click()
        phone.locator(".wish").wait_for(state="detached")
        assert not live.wishes.all()
    phone.get_by_role("button", name="Gales").click()
    laptop.get_by_role("link", name="With a card").click()
    laptop.locator("#act-form input[value=gales]:checked").first.wait_for()
    laptop.locator("#act-form [name='arg.card']:not([value=''])").first.check()
    laptop.locator("#act-form button.large").click()
    phone.get_by_role("heading", name=re.compile("^Roll .* Weave dice")).wait_for()
    assert live.session.last_action.args["card"] and not live.wishes.all()


@pytest.mark.parametrize(
    ("args", "because"),
    [
        ({"who": "Odo", "suit": "gales"}, "Ada acts for their own character only"),
        ({"who": "Ilse", "suit": "gales", "easier": 3}, "Easier: that is the host's to say"),
    ],
)
def test_a_player_asks_only_for_the_own_character_and_only_what_has_to_be_said(
    table: Served, args: dict[str, object], because: str
) -> None:
    live = table.host.begin_ready("weave", seed="scene")
    phone = Device("2", "Ada's phone", Role.PLAYER, "Ada", live.name)
    with pytest.raises(NotAllowed, match=because):
        check_wish(live.session, Action("challenge", args), phone)
    with pytest.raises(NotAllowed, match="nothing to ask the host for"):
        check_wish(live.session, Action("end-scene"), phone)
