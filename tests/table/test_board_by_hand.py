"""Figures and tapestry cards lead: they are moved and laid, and the screen says where table and record differ."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from loomtable.engine.woven.cards import CardSide
from loomtable.engine.woven.tapestry import CardPlacement, Spot
from loomtable.printkit.draw.palette import Style
from loomtable.table.choices.taking import hands_shown
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.proposals import COUNTDOWN
from loomtable.table.reading.scene import REST_AFTER
from loomtable.testing.virtual.lens import VirtualCamera
from loomtable.vision.pictures import BgrImage
from loomtable.vision.table_looks import PARTS
from loomtable.vision.tags import SeenTag, find_tags
from tests.short import present
from tests.table.asking import Table
from tests.table.hands_on import Evening
from tests.table.sluice_yard import fight, photographed, yard_with
from tests.table.wolds import contest
from tests.vision.scenes.tapestries import card_panel


@cache
def yard(thymin: str, wolf: str = "F2") -> BgrImage:
    """The sluice yard with Thymin and the wolf on these squares."""
    return yard_with({}, {"Thymin": thymin, "Stair-wolf": wolf})


def lines(evening: Evening) -> list[str]:
    return [one.says for one in hands_shown(evening.watch, in_full=True).differences]


def thymin(evening: Evening) -> str:
    return present(evening.session.state.map_fight).thymin


def test_thymins_figure_moves_him_and_after_an_undo_the_screen_says_what_to_move_back() -> None:
    evening = Evening(fight(("Stair-wolf", "F2")))
    at_c2, at_c3 = yard("C2"), yard("C3")
    evening.watch.begin_anew()
    evening.film(at_c2, REST_AFTER + 1.5)
    assert (evening.says, lines(evening)) == ("", [])
    evening.film(at_c3, 1.2)
    assert (evening.says, thymin(evening)) == ("Thymin moves from C2 to C3", "C2")
    evening.film(at_c3, COUNTDOWN + 0.5)
    assert (thymin(evening), lines(evening)) == ("C3", [])
    evening.live.undo(by="Ada", revision=evening.live.revision)
    evening.film(at_c3, COUNTDOWN + 1.5)
    assert (thymin(evening), evening.says) == ("C2", ""), "what was undone is not done again"
    assert lines(evening) == ["Thymin is on C3, the record says C2: put it there"]
    evening.watch.table_is_right("Thymin", by="Ada", revision=evening.live.revision)
    evening.film(at_c3, 1.2)
    assert (thymin(evening), lines(evening)) == ("C3", [])


def test_while_an_enemy_is_elsewhere_thymins_move_is_asked_about() -> None:
    evening = Evening(fight(("Stair-wolf", "F2")))
    evening.watch.begin_anew()
    evening.film(yard("C2", "F3"), REST_AFTER + 1.5)
    assert lines(evening) == ["Stair-wolf 1 is on F3, the record says F2: put it there"]
    evening.film(yard("C3", "F3"), COUNTDOWN + 1.5)
    assert (evening.says, thymin(evening)) == ("Thymin moves from C2 to C3", "C2")
    evening.film(yard("C3"), COUNTDOWN + 1.5)
    assert (thymin(evening), lines(evening)) == ("C3", [])


def test_the_book_is_right_silences_the_line_until_the_figure_moves_again() -> None:
    evening = Evening(fight(("Stair-wolf", "F2")))
    evening.watch.begin_anew()
    evening.film(yard("C2", "F3"), REST_AFTER + 1.5)
    settled = evening.watch.record_is_right("Stair-wolf 1")
    assert settled == "Stair-wolf 1 is on F3, the record says F2: put it there"
    evening.film(yard("C3", "F3"), COUNTDOWN + 1.5)
    assert (thymin(evening), lines(evening)) == ("C3", []), "nothing else stops"
    evening.film(yard("C3", "F4"), 1.2)
    assert lines(evening) == ["Stair-wolf 1 is on F4, the record says F2: put it there"]


def test_on_the_page_the_host_says_which_is_right(friday: Table) -> None:
    evening = Evening(fight(("Stair-wolf", "F2")), friday.host.live_session("friday"))
    host, tv = friday.join(Role.HOST), friday.join(Role.SCREEN)
    evening.watch.begin_anew()
    evening.film(yard("C3", "F3"), REST_AFTER + 1.5)
    page = host.get("/table/friday").text
    assert page.count("The table is right") == 1, "only Thymin can be moved there by the rules"
    assert page.count("The record is right") == 2
    assert "Stair-wolf 1 is on F3" in tv.get("/room/friday").text
    said = host.play("camera-settle", about="Stair-wolf 1", right="record")
    assert said.json["says"] == "Stair-wolf 1 is on F3, the record says F2: put it there."
    assert "Stair-wolf 1 is on F3" not in tv.get("/room/friday").text
    assert host.play("camera-settle", about="Stair-wolf 1", right="table").status == 400
    assert host.play("camera-settle", about="Thymin", right="table").status == 200
    assert thymin(evening) == "C3"


def test_a_figure_of_another_game_is_one_sentence() -> None:
    evening = Evening(fight(("Stair-wolf", "F2")))
    evening.film(yard_with({}, {"Thymin": "C2", "Stair-wolf": "F2", "Cave Bear": "E3"}), COUNTDOWN + 1.5)
    assert lines(evening) == ["Cave Bear is on E3, the record has it nowhere on this map: take it off"]
    assert evening.says == ""


def test_the_board_is_looked_at_once_and_then_only_where_a_figure_stood_and_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening, searched = Evening(fight(("Stair-wolf", "F2"))), []

    def noted(picture: BgrImage, *, quick: bool = False) -> tuple[SeenTag, ...]:
        searched.append((picture.size, quick))
        return find_tags(picture, quick=quick)

    monkeypatch.setattr("loomtable.vision.table_looks.find_tags", noted)
    evening.watch.begin_anew()
    there = yard_with({}, {"Thymin": "C2"})
    evening.film(there, REST_AFTER + 1)
    (first, quick), *parts = searched
    assert (first, quick, len(parts)) == (there.size, True, math.prod(PARTS)), "the wolf is looked for closely"
    assert first <= sum(size for size, _ in parts) and max(parts) < (0.3 * first, False), "a part at a time"
    searched.clear()
    evening.film(yard_with({}, {"Thymin": "C3"}), 1.2)
    assert evening.says == "Thymin moves from C2 to C3"
    assert 0 < sum(size for size, _ in searched) < 0.1 * there.size


def test_a_tapestry_card_laid_over_others_is_acquired_and_placed() -> None:
    evening = Evening(contest())
    contest_ = evening.session.state
    [first] = contest_.mage("Ada").tapestry.placements
    new = CardPlacement(contest_.stack.pile[-1], CardSide.A, Spot(2, -1), 3)
    rng = np.random.default_rng(3)
    panels = [card_panel(one, 33.0, Style.COLOUR, rng, 0.3 + at) for at, one in enumerate((first, new))]
    camera = VirtualCamera(height=230, tilt=30, frame=(1280, 720), aim=(40.0, 50.0))
    before, after = photographed(panels[:1], camera), photographed(panels, camera)
    evening.watch.begin_anew()
    evening.film(before, REST_AFTER + 1.5)
    assert evening.says == ""
    evening.film(after, COUNTDOWN + 1.5)
    assert evening.session.state.mage("Ada").tapestry.placements == (first, new)
    evening.live.undo(by="Ada", revision=evening.live.revision)
    undone = evening.live.revision
    evening.film(after, COUNTDOWN + 1.5)
    assert evening.live.revision == undone, "what was undone is not done again"
    card = f"T{new.card}A"
    assert lines(evening) == [f"Card {card} is on the table, the record has it nowhere: take it back"]
