"""Forms as people fill them in: they type, leave the field, and press."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from loomtable.engine.kernel.play import Action
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.live_session import LiveSession
from tests.table.browsing import Served

FIRST = {"name": "Bram", "dexterity": "6", "health": "8"}


@pytest.mark.parametrize(
    ("label", "action", "enemy", "map_"),
    [("Fight", "fight", "enemy", ""), ("Map fight", "map-fight", "enemies.0", "sluice-yard")],
)
def test_a_fight_of_the_printed_book_begins_with_one_enemy_typed_in(
    table: Served, label: str, action: str, enemy: str, map_: str
) -> None:
    live = tale(table)
    laptop = table.page(Role.HOST, live="tale")
    laptop.goto(f"{table.base}/table/tale?do={action}")
    form = laptop.locator("#act-form")
    asked = form.locator(":invalid").count()
    if map_:
        form.locator("[name='arg.map']").select_option(map_)
        laptop.wait_for_url("**arg.map=**")
    for name, value in FIRST.items():
        form.locator(f"[name='arg.{enemy}.{name}']").fill(value)
        laptop.keyboard.press("Tab")
        laptop.wait_for_url(f"**arg.{enemy}.{name}={value}**")
    assert asked >= len(FIRST)
    form.get_by_role("button", name=label, exact=True).click()
    laptop.locator("#act-form").wait_for(state="detached")
    assert live.session.last_action.name == action


def tale(table: Served) -> LiveSession:
    live = table.host.begin("storm-weavers", "tale")
    live.session.perform("create", dexterity_points=3)
    return live


NEEDS = "Change still needs “Attribute” and “Reason”."
DESCRIBED = """(one) => one.getAttribute("aria-describedby").split(" ")
  .map((id) => document.getElementById(id).textContent).join(" ")"""


def test_a_button_sleeps_until_its_form_can_be_sent_and_says_beside_it_what_is_missing(table: Served) -> None:
    live = tale(table)
    laptop = table.page(Role.HOST, live="tale")
    laptop.goto(f"{table.base}/table/tale?do=change")
    button, missing = laptop.locator("#act-form button.large"), laptop.locator("#act-missing")
    assert missing.inner_text() == NEEDS
    assert button.get_attribute("aria-disabled") == "true"
    assert button.get_attribute("aria-describedby") == "act-missing"
    before, wrong = live.revision, laptop.locator("#act-form .wrong")
    assert wrong.count() == 0, "a form that nobody has tried to send complains of nothing"
    button.press("Enter")  # too early, with the keyboard: what is missing is told, and the place for it is at hand
    laptop.locator("#live", has_text=NEEDS).wait_for(state="attached")
    assert laptop.evaluate("document.activeElement.name") == "arg.attribute"
    assert wrong.all_inner_texts() == ["Choose one.", "Fill this in."], "each at its field, all at once"
    assert laptop.get_by_label("Reason").get_attribute("aria-invalid") == "true"
    assert laptop.get_by_label("Reason").evaluate(DESCRIBED).endswith("Fill this in.")
    laptop.locator("[name='arg.attribute']").select_option("wisdom")
    laptop.locator("#act-form .wrong", has_text="Choose one.").wait_for(state="detached")
    laptop.locator("#act-missing", has_text="“Reason”").wait_for()
    laptop.get_by_label("Reason").press_sequentially("A long night")
    laptop.locator("#act-missing", has_text="Fill in “By” or “To”").wait_for()  # while somebody is still typing
    laptop.locator(".further > summary").click()
    laptop.locator("[name='arg.by']").fill("1")
    missing.wait_for(state="detached")
    laptop.locator("[name='arg.to']").fill("9")  # they go too far, and press at once
    button.press("Enter")
    missing.wait_for()
    assert live.revision == before and not laptop.locator("#note").inner_text()
    assert wrong.all_inner_texts() == [missing.inner_text()] * 2, "both are named, and it is told at both"
    laptop.locator("[name='arg.to']").fill("")
    button.click()
    laptop.locator("#act-form[action*=act] [name=action][value=change]").wait_for(state="detached")
    assert live.session.last_action.args == {"attribute": "wisdom", "by": 1, "reason": "A long night"}


def test_who_changes_their_mind_is_offered_what_goes_with_the_last_word(table: Served) -> None:
    live = table.host.begin_ready("weave")
    laptop = table.page(Role.HOST, live=live.name)
    laptop.goto(
        f"{table.base}/table/{quote(live.name)}?do=use-talent&arg.who=Ilse&arg.talent=Bird%20at%20the%20Window"
    )
    assert laptop.get_by_role("radio", name="Odo").is_visible(), "Ilse alone is left"
    laptop.get_by_role("radio", name="Odo").check()
    laptop.locator(".only", has_text="A Breath Before").wait_for()
    assert laptop.locator("#act-form button.large[aria-disabled]").count() == 0


def test_without_a_script_a_press_too_early_comes_back_to_the_form_with_what_was_said(table: Served) -> None:
    live = tale(table)
    laptop = table.page(Role.HOST, live="tale", java_script_enabled=False)
    laptop.goto(f"{table.base}/table/tale?do=change")
    laptop.get_by_label("Reason").fill("A long night")
    laptop.locator("#act-form button.large").click(force=True)
    assert laptop.locator("#act-missing").inner_text() == "Change still needs “Attribute”."
    assert laptop.locator("#act-form .wrong").all_inner_texts() == ["Choose one."]
    assert laptop.get_by_label("Reason").input_value() == "A long night"
    laptop.locator("[name='arg.attribute']").select_option("wisdom")
    laptop.locator(".further > summary").click()
    laptop.locator("[name='arg.by']").fill("1")
    laptop.locator("#act-form button.large").click(force=True)
    assert live.session.last_action.name == "change"


def test_what_is_refused_of_the_one_thing_that_is_asked_for_is_told_beside_it(table: Served) -> None:
    live = table.host.begin_ready("weave")
    laptop = table.page(Role.HOST, live=live.name)
    live.take(Action("challenge", {"who": "Ilse", "suit": "stones"}), by="", revision=live.revision)
    laptop.goto(f"{table.base}/table/{quote(live.name)}")
    field = laptop.get_by_label("Or type them")
    field.fill("XYZ")
    field.press("Enter")
    laptop.locator(".asked .wrong").wait_for()
    assert field.get_attribute("aria-invalid") == "true" and not laptop.locator("#note").inner_text()


def test_who_is_there_is_chosen_and_somebody_else_is_written(table: Served) -> None:
    live = table.host.begin("mnemonic", "grey")
    for person in ("Ada", "Ben"):
        table.host.devices.admit(Role.PLAYER, person, live.name)
    laptop = table.page(Role.HOST, live=live.name)
    laptop.goto(f"{table.base}/table/grey?do=add-character")
    who = laptop.locator("#act-form [name='arg.player']")
    who.first.fill("Cleo")
    laptop.keyboard.press("Tab")
    laptop.wait_for_url("**Cleo**")
    laptop.get_by_role("radio", name="Ben").check()
    laptop.wait_for_url("**Ben**")
    assert "Cleo" not in laptop.url and who.first.input_value() == ""
