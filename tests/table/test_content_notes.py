"""Content notes: what is in a playset, an adventure or an encounter is said where one begins it."""

from __future__ import annotations

from loomtable.engine.ready_evening import content_notes, ready_evenings
from loomtable.engine.spellwoven.encounters import encounter_names, installed_encounter
from loomtable.engine.storm_weavers.adventure_check import adventure_names, playable_adventure
from loomtable.engine.systems import SYSTEMS
from loomtable.engine.weave.cards.playset import playset, playset_names
from loomtable.table.hosting.devices import Role
from tests.table.asking import Table


def test_each_says_what_is_in_it() -> None:
    adventures = [playable_adventure(name) for name in adventure_names()]
    encounters = [installed_encounter(name) for name in encounter_names()]
    for begun in (*map(playset, playset_names()), *adventures, *encounters):
        notes = begun.content_notes
        assert len(notes.split()) >= 12 and notes.endswith("."), begun.title


def test_the_first_page_says_what_is_in_a_ready_evening(friday: Table) -> None:
    shown = friday.join(Role.HOST).get("/", accept="text/html").text
    for key, at, begun in (
        ("weave", 0, playset("the-lamplit-court")),
        ("weave", 2, playset("the-still-harbour")),
        ("spellwoven", 0, installed_encounter("three-chairs-at-the-heron")),
    ):
        system = SYSTEMS[key]
        notes = content_notes(system, ready_evenings(system)[at])
        assert notes == f"In it: {begun.content_notes}".strip()
        assert "<p>" + notes.replace("'", "&#39;") + "</p>" in shown, "on a phone no pointer rests on a button"
    assert content_notes(SYSTEMS["woven"], ready_evenings(SYSTEMS["woven"])[0]) == ""


def test_a_players_phone_has_them_with_the_opening_scene(friday: Table) -> None:
    live = friday.host.begin_ready("weave")
    shown = friday.join(Role.PLAYER, "Ada", live.name).get(f"/table/{live.name}".replace(" ", "%20")).text
    assert playset("the-lamplit-court").content_notes[:40] in shown


def test_what_can_be_begun_says_so_beside_its_name(friday: Table) -> None:
    host = friday.join(Role.HOST)
    friday.host.begin("spellwoven", "saturday")
    shown = host.get("/table/saturday?do=open-encounter").text
    for name in encounter_names():
        assert f"In it: {installed_encounter(name).content_notes[:30]}" in shown
    live = friday.host.begin("weave", "sunday")
    host.play("act", "sunday", {"action": "new-season", "args": {}})
    asked = live.session.pending
    assert asked is not None and {option.key: option.does for option in asked.options} == {
        name: f"In it: {playset(name).content_notes}" for name in playset_names()
    }
