"""Figures lead a fight of Storm Weavers: they are moved, and the screen says where table and book differ."""

from __future__ import annotations

from functools import cache

from loomtable.table.choices.taking import hands_shown
from loomtable.table.hosting.proposals import COUNTDOWN
from loomtable.table.reading.scene import REST_AFTER
from loomtable.vision.pictures import BgrImage
from tests.short import present
from tests.table.hands_on import Evening
from tests.table.sluice_yard import fight, yard_with


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
    assert lines(evening) == ["Thymin is on C3, the book says C2"]
    evening.watch.table_is_right("Thymin", by="Ada", revision=evening.live.revision)
    evening.film(at_c3, 1.2)
    assert (thymin(evening), lines(evening)) == ("C3", [])


def test_while_an_enemy_is_elsewhere_thymins_move_is_asked_about() -> None:
    evening = Evening(fight(("Stair-wolf", "F2")))
    evening.watch.begin_anew()
    evening.film(yard("C2", "F3"), REST_AFTER + 1.5)
    assert lines(evening) == ["Stair-wolf 1 is on F3, the book says F2: put it back"]
    evening.film(yard("C3", "F3"), COUNTDOWN + 1.5)
    assert (evening.says, thymin(evening)) == ("Thymin moves from C2 to C3", "C2")
    evening.film(yard("C3"), COUNTDOWN + 1.5)
    assert (thymin(evening), lines(evening)) == ("C3", [])


def test_a_figure_of_another_game_is_one_sentence() -> None:
    evening = Evening(fight(("Stair-wolf", "F2")))
    evening.film(yard_with({}, {"Thymin": "C2", "Stair-wolf": "F2", "Cave Bear": "E3"}), COUNTDOWN + 1.5)
    assert lines(evening) == ["Cave Bear is on E3, the book has it nowhere on this map"]
    assert evening.says == ""
