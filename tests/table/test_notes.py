"""Notes of one's own: kept with the session, shown to nobody else, and in no export."""

from __future__ import annotations

from loomtable.table.hosting.devices import Role
from tests.table.asking import Asker, Table
from tests.table.browsing import Served

PAGE = "/table/three/notes"


def three(friday: Table) -> dict[str, Asker]:
    friday.host.begin("spellwoven", "three")
    players = {name: friday.join(Role.PLAYER, name, "three") for name in ("Ada", "Ben")}
    return {"host": friday.join(Role.HOST), **players}


def test_each_sees_their_own_notes_and_nobody_elses(friday: Table) -> None:
    people = three(friday)
    before = friday.host.export("three")
    for name, asker in people.items():
        assert asker.post(PAGE, {"text": f"{name} suspects <the> cook\r\n"}).status == 200
    for name, asker in people.items():
        shown = asker.get(PAGE).text
        assert f"{name} suspects &lt;the&gt; cook</textarea>" in shown
        assert shown.count("suspects") == 1
        for address in ("/table/three", "/table/three/chronicle", "/api/play/three/state"):
            assert "suspects" not in asker.get(address).text
    assert friday.host.export("three") == before


def test_notes_stay_with_the_name_when_the_session_gets_another_and_go_when_they_are_emptied(
    friday: Table,
) -> None:
    people = three(friday)
    people["Ada"].post(PAGE, {"text": "the cook"})
    friday.host.rename("three", "four")
    assert "the cook" in people["Ada"].get("/table/four/notes").text
    people["Ada"].post("/table/four/notes", {"text": "  "})
    assert friday.host.store.memos("four", "notes") == {}
    told = people["Ada"].post("/table/four/notes", {"text": "x" * 8001})
    assert (told.status, told.json["error"]) == (413, "Notes have at most 8,000 characters; these have 8,001.")


def test_what_is_being_written_stays_while_others_play(table: Served) -> None:
    live = table.host.begin("spellwoven", "three")
    page = table.page(Role.PLAYER, "Ada", "three", size="phone")
    page.goto(table.base + PAGE)
    field = page.get_by_label("Your notes")
    field.fill("the cook")
    with page.expect_response(lambda answer: answer.request.method == "GET" and answer.url.endswith("/notes")):
        live.session.perform("add-player-character", player="Ben", ready="joss-greave", called="Joss")
        table.host.tell()
    assert field.input_value() == "the cook"
    page.get_by_role("button", name="Keep them").click()
    page.get_by_text("Kept.").wait_for()
    page.reload()
    assert field.input_value() == "the cook"
