"""Counters lead a contest of Woven: threads laid in boxes, tendrils laid and moved on the map."""

from __future__ import annotations

import numpy as np

from loomtable.engine.kernel.gestures import Counted, Offer, Table
from loomtable.engine.kernel.offered import offers
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.requests import Choose
from loomtable.engine.woven.regions import RegionKey, RegionMap
from loomtable.printkit.components.figure_file import Figure
from loomtable.printkit.draw.palette import Style
from loomtable.printkit.games.woven.counter import CounterFace
from loomtable.printkit.games.woven.region_map_legend import sheet_size
from loomtable.table.games.woven.board_regions import region_board
from loomtable.table.hosting.proposals import COUNTDOWN
from loomtable.table.reading.board import look_at_board, stand_on
from loomtable.testing.places_on_maps import region_middle
from loomtable.testing.virtual.lens import VirtualCamera
from loomtable.vision.pictures import BgrImage
from loomtable.vision.table_looks import TableLook, TableLooks
from tests.short import present
from tests.table.hands_on import table_with
from tests.table.sluice_yard import flat_corners, photographed
from tests.table.threads import MADDER, counter, lines, tapestry_with, weaving
from tests.table.wolds import contest
from tests.tiers import thorough
from tests.vision.scenes.boards import Panel
from tests.vision.scenes.maps import lying_token, region_picture

# Threads


def test_a_thread_laid_in_a_box_is_placed_and_a_letter_casts_the_spell() -> None:
    evening, _ = weaving()
    laid = tapestry_with(evening, (1, 0))
    evening.film(laid, 1.2)
    assert evening.says == "Ada places a thread on column 1, row 0"
    assert not evening.session.state.mage("Ada").threads, "everybody has two seconds to stop it"
    evening.film(laid, COUNTDOWN + 0.5)
    asked = present(evening.session.pending)
    assert isinstance(asked, Choose)
    assert (asked.purpose, [option.key for option in asked.options]) == ("Cast a spell?", ["haste", "no"])
    assert lines(evening) == []
    with_a = laid.copy()
    with_a[410:688, 1040:1238] = table_with({"A": (1150, 600)})[410:688, 1040:1238]
    evening.film(with_a, COUNTDOWN + 1.5)
    assert evening.session.state.mage("Ada").shown == ("haste",)


def test_a_thread_where_none_can_lie_or_on_a_border_is_one_sentence() -> None:
    evening, _ = weaving()
    evening.film(tapestry_with(evening, (0, 0)), 1.2)
    assert evening.says.startswith("Ada places a thread on column 0, row 0: column 0, row 0 shows the symbol of")
    assert lines(evening) == ["Ada has 1 thread on column 0, row 0, the record says 0: take one away"]
    evening.film(tapestry_with(evening, (1.4, 0)), 1.2)
    assert lines(evening) == ["a counter on column 1, row 0 is on a border; push it to the middle of its place"]
    assert (evening.says, evening.session.state.mage("Ada").threads) == ("", ())


@thorough
def test_what_was_undone_is_not_placed_again_until_it_is_laid_anew() -> None:
    evening, empty = weaving()
    laid = tapestry_with(evening, (2, 0))
    evening.film(laid, COUNTDOWN + 1.5)
    assert evening.session.last_action == Action("place-thread", {"who": "Ada", "at": [2, 0]})
    evening.live.undo(by="Ada", revision=evening.live.revision)
    evening.film(laid, COUNTDOWN + 1.5)
    assert (evening.says, evening.session.state.mage("Ada").threads) == ("", ())
    assert lines(evening) == ["Ada has 1 thread on column 2, row 0, the record says 0: take one away"], (
        "the table can be right"
    )
    evening.film(empty, 1.2)
    assert lines(evening) == []
    evening.film(laid, COUNTDOWN + 1.5)
    assert len(evening.session.state.mage("Ada").threads) == 1


@thorough
def test_a_thread_taken_away_is_asked_about_and_comes_back_with_a_rest() -> None:
    evening, empty = weaving()
    laid = tapestry_with(evening, (2, 0))
    evening.film(laid, COUNTDOWN + 1.5)
    evening.session.perform("end-turn", who="Ada")
    evening.session.perform("rest", who="Bo")
    evening.film(laid, 1.2)
    evening.film(empty, COUNTDOWN + 1.5)
    assert evening.says == "Ada rests, and takes back the thread on column 2, row 0"
    assert evening.session.state.mage("Ada").threads, "a hand or a card may only cover it"
    evening.watch.stop_proposal(present(evening.watch.proposals.current).number)
    evening.film(empty, 1.2)
    assert (evening.says, lines(evening)) == (
        "",
        ["Ada has no thread on column 2, row 0, the record says 1: lay it back"],
    )
    evening.film(laid, 1.2)
    assert lines(evening) == []
    evening.film(empty, 1.2)
    evening.watch.proposals.accept(
        present(evening.watch.proposals.current).number, by="Ada", revision=evening.live.revision
    )
    assert not evening.session.state.mage("Ada").threads
    assert evening.session.last_action == Action("rest", {"who": "Ada"})


# Tendrils


def wolds_with(ground: RegionMap, mage: RegionKey, *tendrils: RegionKey) -> BgrImage:
    """The printed map with Ada's mage and her tendrils in regions."""
    size = sheet_size(ground)

    def place(region: RegionKey, beside: float) -> tuple[float, float]:
        x, y = region_middle(ground, region)
        return x + beside - size[0] / 2, y - size[1] / 2

    panels = [Panel(region_picture(ground.key, Style.COLOUR), flat_corners(size, (0, 0), 0.2))]
    figure = Figure(MADDER.number, "Madder Mage", MADDER.art)
    panels.append(lying_token(figure, Style.COLOUR, place(mage, -11), 10.0, 1.0))
    panels += [counter(CounterFace.TENDRIL, place(one, 11 if one == mage else 0)) for one in tendrils]
    return photographed(panels, VirtualCamera(height=330, tilt=15, frame=(1920, 1080)))


@thorough
def test_a_tendril_is_created_beside_the_mage_and_moved_to_a_region_beside_it() -> None:
    session = contest()
    ground = session.state.ground
    home, beside, far = "stillcroft", "wolfley", "cordstone"
    session.perform("move", who="Ada", to=home)
    session.perform("rest", who="Bo")
    there = wolds_with(ground, home, home)
    created = present(look_at_board(session, region_board(session), there).offer)
    assert (created.says, created.legal, created.sure) == ("Ada creates a tendril on Stillcroft", True, True)
    created.take(session)
    assert session.state.mage("Ada").tendrils == {home: 1}
    look = look_at_board(session, region_board(session), there)
    assert look.agrees
    assert look.lines[-1] == "Ada has 1 tendril on Stillcroft"
    session.perform("rest", who="Bo")
    moved = present(look_at_board(session, region_board(session), wolds_with(ground, home, beside)).offer)
    assert (moved.says, moved.sure) == ("Ada's tendril moves from Stillcroft to Wolfley", True)
    moved.take(session)
    assert session.state.mage("Ada").tendrils == {beside: 1}
    session.perform("rest", who="Bo")
    look = look_at_board(session, region_board(session), wolds_with(ground, home, beside, far))
    strayed = present(look.offer)
    assert not strayed.legal
    assert strayed.reason == "Ada's mage is not there, and no tendril of theirs is gone from beside it"
    assert "Ada has 1 tendril on Cordstone, the record says 0" in look.lines


@thorough
def test_counters_read_where_the_map_has_changed_are_those_of_a_whole_look() -> None:
    session = contest()
    ground, home = session.state.ground, "stillcroft"
    session.perform("move", who="Ada", to=home)
    board, looks = region_board(session), TableLooks()
    picture = wolds_with(ground, home, home, "wolfley")

    def lying(look: TableLook) -> dict[str, str]:
        return {one.name: one.seen for one in stand_on(board, look).everything}

    first = TableLook.at(picture, quick=True)
    whole = lying(first)
    [outline] = [one.outline for one in stand_on(board, first).everything if one.outline and "Wolfley" in one.name]
    (left, top), (right, foot) = np.min(outline, axis=0).astype(int), np.max(outline, axis=0).astype(int)
    before = picture.copy()
    before[top - 4 : foot + 4, left - 4 : right + 4] = 200
    assert whole.keys() - lying(looks.look(before)).keys() == {"Ada's tendril on Wolfley"}
    look = looks.look(picture)
    assert lying(look) == whole
    assert 0 < sum((right - left) * (foot - top) for left, top, right, foot in look.changed) < 0.05 * 1920 * 1080


def on_table(who: str, field: str, count: int, record: int) -> Counted:
    return Counted(who, "tendril", field, count, record)


def test_where_a_tendril_can_have_come_from_more_than_one_place_the_table_is_asked() -> None:
    session = contest()
    steps = (("move", {"to": "stillcroft"}), ("create-tendril", {}), ("move", {"to": "wolfley"}))
    for name, args in steps:
        session.perform(name, who="Ada", **args)
        session.perform("rest", who="Bo")
    new, gone = on_table("Ada", "Wolfley", 1, 0), on_table("Ada", "Stillcroft", 0, 1)

    def seen(*counters: Counted) -> list[Offer]:
        return [one for one in offers(session, Table(counters=counters)) if one.says]

    assert [present(one.action).name for one in seen(new, gone)] == ["create-tendril", "move-tendril"]
    [alone] = seen(new)
    assert (alone.legal, alone.sure) == (True, True)
    [created] = seen(new, on_table("Bo", "Fogstone", 0, 1))
    assert (created.legal, created.sure) == (True, False), "another one is not where the record has it"
    [theirs] = seen(on_table("Bo", "Wolfley", 1, 0))
    assert not theirs.legal
    [back] = seen(gone)
    assert (back.says, back.sure) == ("Ada takes back a tendril from Stillcroft", False)
    assert back.action == Action("recover", {"who": "Ada", "tendril": "stillcroft"})
    assert back.legal
    assert not [one for one in seen(gone, on_table("Bo", "Wolfley", 1, 0)) if one.about == gone.name]
    [two] = seen(on_table("Ada", "Wolfley", 2, 0))
    assert two.reason == "lay one at a time"
    session.perform("acquire-card", who="Ada")
    [waits] = seen(new)
    assert waits.reason.startswith("a tendril has to wait: ")
