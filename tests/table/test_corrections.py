"""Putting an answer right: begun with what was recorded, seen before it is done, and undone like anything else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs.site.page_pictures import evening
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import DiceReading, ReadDie, Source, rolled
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.arguments import put_right
from loomtable.table.hosting.devices import Role
from loomtable.table.reading.typed import reading_of, words_of
from tests.playing import EVENINGS
from tests.playing import evening as random_evening
from tests.table.browsing import OUT_OF_SIGHT, Served
from tests.tiers import examples, mostly


@examples(10, 40)
@given(st.sampled_from(sorted(SYSTEMS)), st.integers(0, EVENINGS - 1))
def test_an_answer_can_be_given_again_by_the_words_that_a_form_begins_with(system: str, seed: int) -> None:
    for played in random_evening(system, seed).played:
        asked, was = played.step.request, played.step.what
        if asked is None or isinstance(was, Action):
            continue
        again = reading_of(asked, words_of(asked, was))
        assert words_of(asked, again) == words_of(asked, was)
        if isinstance(asked, Roll):
            assert put_right(asked, was, again) == was, "what is not changed stays as it was read"


def test_an_ordinary_die_in_place_of_a_symbol_is_put_right_alone() -> None:
    asked = Roll(
        Die.WEAVE,
        2,
        "Gales Challenge",
        ("flames", "brooks", "gales", "stones", "weave", "strike"),
        by="Ilse",
        rule="",
    )
    was = DiceReading(tuple(ReadDie(Die.D6, face, Source.CAMERA, 0.99) for face in (3, 6)))
    assert words_of(asked, was) == ["gales", "strike"]
    right = put_right(asked, was, reading_of(asked, ["gales", "weave"]))
    assert isinstance(right, DiceReading) and right.dice[0] == was.dice[0]
    assert (right.dice[1].face, right.dice[1].how, right.dice[1].misread) == ("weave", Source.CORRECTED, 6)


@pytest.mark.parametrize("size", mostly(["laptop", "phone"], ["phone"]))
def test_one_die_is_corrected_without_entering_the_others_and_undo_undoes_it(table: Served, size: str) -> None:
    live = table.host.live_session(evening(table.host, "Friday", "salt-road-evening"))
    rolls = [p.step for p in live.session.played if isinstance(p.step.request, Roll)]
    step = next(step for step in rolls if len(words_of(step.request, step.what)) == 5)  # type: ignore[arg-type]
    recorded = words_of(step.request, step.what)  # type: ignore[arg-type]
    page = table.page(Role.HOST, size=size)
    page.goto(f"{table.base}/table/Friday/journal")
    page.locator(f"#line-{step.seq}").get_by_role("link", name="Correct").click()
    page.get_by_role("heading", name=f"Correct line {step.seq}").wait_for()
    assert [row.get_attribute("value") for row in page.locator(".die-row :checked").all()] == recorded
    assert page.locator(".changed:visible").count() == 0

    page.locator(".die-row").nth(1).get_by_label("Stones", exact=True).check(force=True)
    assert page.locator(".changed:visible").inner_text() == f"It was {recorded[1].capitalize()}."
    page.get_by_role("button", name="Show what would change").click()
    page.get_by_role("heading", name="What would change").wait_for()
    assert page.locator(".changed:visible").count() == 1
    assert page.evaluate(OUT_OF_SIGHT, [".would section h2", ".decide .first"]) == [], "both are seen at once"
    page.get_by_role("button", name="Correct it").click()

    page.get_by_text(f"Line {step.seq} is corrected.").wait_for()
    page.wait_for_url(f"{table.base}/table/Friday/journal")
    page.reload()
    page.get_by_role("heading", name="Journal").wait_for()
    line = page.locator(f"#line-{step.seq}")
    right = [recorded[0], "stones", *recorded[2:]]
    before, after = (", ".join(map(str.capitalize, some)) for some in (recorded, right))
    assert line.locator(".what a").inner_text().endswith(f": {after}"), "the dice as they count"
    assert line.locator(".what del").inner_text().endswith(before)
    corrected = page.locator(".journal li.amended .what").first.inner_text()
    assert corrected.endswith(f"{before}, entered by hand; now {after}")
    assert words_of(step.request, counting(live, step.seq)) == right  # type: ignore[arg-type]
    page.goto(f"{table.base}/table/Friday")
    page.locator("#undo").click()
    page.get_by_text(f"Undone: the correction of line {step.seq}.").wait_for()
    assert counting(live, step.seq) == step.what


def test_a_moment_is_named_in_the_journal_and_returned_to_and_undo_brings_the_rest_back(table: Served) -> None:
    live = table.host.live_session(evening(table.host, "Friday", "salt-road-evening"))
    page = table.page(Role.HOST, size="phone")
    page.goto(f"{table.base}/table/Friday/journal")
    page.get_by_label("Name this moment").fill("before the bridge")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Go back to before the bridge").wait_for()
    then, seq = live.session.game, live.revision - 1
    live.take(Action("end-scene"), by="", revision=live.revision)
    later = live.session.game
    page.goto(f"{table.base}/table/Friday/journal")
    page.get_by_role("link", name="Go back to before the bridge").click()
    page.get_by_text("The scene ends. The spread goes back").wait_for()
    page.get_by_role("button", name="Go back").click()
    page.wait_for_url(f"{table.base}/table/Friday")
    page.get_by_text(f"The table is as it was after line {seq}.").wait_for()
    assert live.session.game == then != later
    page.locator("#undo").click()
    page.get_by_text(f"Undone: the way back to line {seq}.").wait_for()
    assert live.session.game == later


def counting(live: Any, seq: int) -> Any:
    return next(p.step.what for p in live.session.played if p.step.seq == seq)


def test_a_correction_begins_with_what_counts_not_with_what_was_first_read(table: Served) -> None:
    live = table.host.begin("storm-weavers", "friday")
    for what in (
        Action("create", {"dexterity_points": 2}),
        Action("test", {"attribute": "wisdom"}),
        rolled(Die.D6, 1, 2),
    ):
        live.take(what, by="", revision=live.revision)
    live.change(lambda session: session.amend(3, rolled(Die.D6, 4, 2)), by="", revision=live.revision)
    page = table.page(Role.HOST)
    page.goto(f"{table.base}/table/friday/journal/3/amend")
    assert [row.get_attribute("value") for row in page.locator(".die-row :checked").all()] == ["4", "2"]
