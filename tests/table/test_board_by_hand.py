"""Figures and tapestry cards lead: they are moved and laid, and the screen says where table and book differ."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import numpy as np

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.woven.cards import CardSide
from loomtable.engine.woven.tapestry import CardPlacement, Spot
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.woven.counter import COUNTER, CounterFace
from loomtable.printkit.games.woven.mages import MAGES
from loomtable.printkit.games.woven.region_map import sheet_size
from loomtable.printkit.games.woven.tapestry_card import CELL
from loomtable.table.choices.taking import hands_shown
from loomtable.table.games.woven.board_regions import placed_tendril, region_middle
from loomtable.table.hosting.proposals import COUNTDOWN
from loomtable.table.reading.scene import REST_AFTER
from loomtable.vision.pictures import BgrImage
from loomtable.vision.virtual.lens import VirtualCamera, rotated
from tests.short import present
from tests.table.hands_on import Evening
from tests.table.sluice_yard import fight, flat_corners, photographed, yard_with
from tests.table.wolds import contest
from tests.vision.scenes.boards import Panel, lying
from tests.vision.scenes.counters import counter_picture
from tests.vision.scenes.maps import region_picture
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
    assert lines(evening) == ["Thymin is on C3, the book says C2"]
    evening.watch.table_is_right("Thymin", by="Ada", revision=evening.live.revision)
    evening.film(at_c3, 1.2)
    assert (thymin(evening), lines(evening)) == ("C3", [])


def test_while_an_enemy_is_elsewhere_thymins_move_is_asked_about() -> None:
    evening = Evening(fight(("Stair-wolf", "F2")))
    evening.watch.begin_anew()
    evening.film(yard("C2", "F3"), REST_AFTER + 1.5)
    assert lines(evening) == ["Stair-wolf 1 is on F3, the book says F2: put it there"]
    evening.film(yard("C3", "F3"), COUNTDOWN + 1.5)
    assert (evening.says, thymin(evening)) == ("Thymin moves from C2 to C3", "C2")
    evening.film(yard("C3"), COUNTDOWN + 1.5)
    assert (thymin(evening), lines(evening)) == ("C3", [])


def test_a_figure_of_another_game_is_one_sentence() -> None:
    evening = Evening(fight(("Stair-wolf", "F2")))
    evening.film(yard_with({}, {"Thymin": "C2", "Stair-wolf": "F2", "Cave Bear": "E3"}), COUNTDOWN + 1.5)
    assert lines(evening) == ["Cave Bear is on E3, the book has it nowhere on this map"]
    assert evening.says == ""


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


def test_a_thread_counter_put_into_a_box_places_the_thread_once() -> None:
    evening = Evening(contest())
    tapestry = evening.session.state.mage("Ada").tapestry
    rng = np.random.default_rng(3)
    card = card_panel(tapestry.placements[0], 33.0, Style.COLOUR, rng, 0.3)
    box = tapestry.free_boxes()[0]
    middle = rotated([[(box.column + 0.5) * CELL, (box.row + 0.5) * CELL]], 33.0)[0]
    madder = counter_picture(MAGES[0], CounterFace.THREAD, Style.COLOUR)
    put = replace(lying(madder, (COUNTER.width,) * 2, (middle[0], middle[1]), 70.0, 1.0), round=True)
    camera = VirtualCamera(height=260, tilt=20, frame=(1920, 1080), aim=(20.0, 30.0))
    before, after = photographed([card], camera), photographed([card, put], camera)
    evening.watch.begin_anew()
    evening.film(before, REST_AFTER + 1.5)
    evening.film(after, 1.2)
    assert evening.says == f"Ada places a thread at column {box.column}, row {box.row}"
    evening.film(after, COUNTDOWN + 0.5)
    assert evening.session.state.mage("Ada").tapestry.threads == (box,)
    evening.live.undo(by="Ada", revision=evening.live.revision)
    undone = evening.live.revision
    evening.film(after, COUNTDOWN + 1.5)
    assert evening.live.revision == undone, "what was undone is not done again"


def test_a_tendril_counter_is_created_where_the_mage_is_and_nowhere_else() -> None:
    session = contest()
    home = session.state.home_of(session.state.mage("Ada"))[2]
    session.perform("move", who="Ada", to=home)
    while session.system.turn(session.game) != "Ada" or session.pending is not None:
        if session.pending is not None:
            session.answer(random_answer(session.pending, random.Random(0)))
        else:
            who = session.system.turn(session.game)
            session.perform("end-turn" if session.state.turn.acted else "rest", who=who)  # type: ignore[union-attr]
    ground, size = session.state.ground, sheet_size(session.state.ground)
    other = next(region.key for region in ground.regions if ground.adjacent(home, region.key))

    def with_tendril(region: str) -> BgrImage:
        x, y = region_middle(ground, region)
        counter = counter_picture(MAGES[0], CounterFace.TENDRIL, Style.COLOUR)
        put = lying(counter, (COUNTER.width,) * 2, (x - size[0] / 2, y - size[1] / 2), 20.0, 1.0)
        land = Panel(region_picture(ground.key, Style.COLOUR), flat_corners(size, (0, 0), 0.2))
        return photographed(
            [land, replace(put, round=True)], VirtualCamera(height=330, tilt=10, frame=(1920, 1080))
        )

    made = present(placed_tendril(session, "Ada", with_tendril(home)))
    assert (made.says, made.legal) == (f"Ada creates a tendril in {ground.region(home).name}", True)
    assert present(placed_tendril(session, "Ada", with_tendril(other))).reason == "a tendril begins where Ada is"
