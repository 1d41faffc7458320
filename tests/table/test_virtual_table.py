"""The virtual table, and hands that do things on it: what lies where, and what readers see of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.testing import VirtualTable
from loomtable.testing.virtual import ImpossibleScene, PlacedCard, PlacedDie
from loomtable.testing.virtual_table import CAMERA
from loomtable.vision.cards import scan_cards
from loomtable.vision.dice import Pool, read_dice
from loomtable.vision.motion import Change, Motion
from loomtable.vision.pictures import BgrImage
from loomtable.vision.verdict import Verdict
from tests.short import raises
from tests.vision.needed import needs_networks

SMALL = replace(CAMERA, frame=(CAMERA.frame[0] // 2, CAMERA.frame[1] // 2))
"""Enough where nothing has to be read."""


def last(frames: Iterator[BgrImage]) -> BgrImage:
    *_, frame = frames
    return frame


def cards(table: VirtualTable) -> set[str]:
    return {str(seen.card) for seen in scan_cards(last(table.rest(1))).cards}


def test_what_hands_do_is_what_lies_there_afterwards() -> None:
    table = VirtualTable(seed=3)
    for frames in (table.lay("C12", at=(-120, -20)), table.lay("S7", beside="C12", by=1)):
        last(frames)
    assert cards(table) == {"C12", "S7"}
    assert table.lying["S7"].x - table.lying["C12"].x == pytest.approx(71, abs=1)
    last(table.turn_over("C12"))
    assert cards(table) == {"S7"}
    last(table.move("S7", to=(60, 10), turn=30, by=2))
    moved = table.lying["S7"]
    assert (round(moved.x), round(moved.y), moved.turn) == (60, 10, 30)
    assert cards(table) == {"S7"}
    last(table.take_away("S7"))
    assert (cards(table), list(table.lying)) == (set(), ["C12"]), "it lies face down"


@needs_networks
def test_thrown_dice_show_what_was_thrown_and_some_are_picked_up_again() -> None:
    table = VirtualTable(seed=5)
    last(table.throw("5weave", ["flames", "gales", "weave", "stones", "weave"]))
    assert read(table, 5) == ["flames", "gales", "stones", "weave", "weave"]
    before = dict(table.lying)
    last(table.throw(["weave 3", "weave 5"], ["brooks", "gales"]))
    assert read(table, 5) == ["brooks", "flames", "gales", "gales", "stones"]
    assert all(table.lying[name] is before[name] for name in ("weave 1", "weave 2", "weave 4")), (
        "they are left lying"
    )


@needs_networks
@pytest.mark.parametrize(("seed", "faces"), [(1, [2, 3, 5, 10]), (2, [1, 2, 2, 6]), (3, [3, 4, 9, 10])])
def test_ten_sided_dice_are_accepted_since_they_are_numbered_like_ours(seed: int, faces: list[int]) -> None:
    table = VirtualTable(seed=seed)
    last(table.throw("4d10", faces))
    tray = read_dice(last(table.rest(1)), Pool.of((4, Die.D10)))
    assert (tray.verdict, sorted(die.face for die in tray.dice)) == (Verdict.ACCEPTED, faces), tray.reason


def read(table: VirtualTable, count: int) -> list[str]:
    tray = read_dice(last(table.rest(1)), Pool.of((count, Die.WEAVE)))
    assert tray.verdict is Verdict.ACCEPTED, tray.reason
    return sorted(map(str, tray.faces))


def test_a_die_leans_against_a_card_and_others_keep_off_it() -> None:
    table = VirtualTable(seed=2)
    table.put("C12", (0, 60))
    last(table.throw("3d6", [1, 2, 3], against="C12", near=(0, 60), spread=200))
    card = table.lying["C12"]
    assert isinstance(card, PlacedCard)
    first, *others = (table.lying[f"d6 {n}"] for n in (1, 2, 3))
    half = card.width_mm / 2, card.height_mm / 2
    apart = [max(abs(die.x - card.x) - half[0], abs(die.y - card.y) - half[1]) for die in (first, *others)]
    assert isinstance(first, PlacedDie) and apart[0] == pytest.approx(first.half + 0.3, abs=0.1)
    assert min(apart[1:]) > 9


VERBS: dict[str, Callable[[VirtualTable], Iterator[BgrImage]]] = {
    "lay": lambda table: table.lay("S7", at=(90, -20), by=3),
    "throw": lambda table: table.throw("2d6", [3, 5], by=2),
    "move": lambda table: table.move("C12", to=(20, 0), by=1),
    "turn over": lambda table: table.turn_over("C12"),
    "take away": lambda table: table.take_away("C12"),
    "sweep": lambda table: table.sweep(by=1),
}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_seen_as_a_hand_and_ends_in_a_table_that_lies_still(verb: str) -> None:
    table, motion = VirtualTable(seed=7, camera=SMALL), Motion()
    table.put("C12", (-60, -10))
    for frame in table.rest(2):
        motion.change(frame)
    motion.settle()
    during = [motion.change(frame) for frame in VERBS[verb](table)]
    afterwards = [motion.change(frame) for frame in table.rest(3)]
    assert Change.HAND in during
    assert afterwards[-2:] == [Change.STILL] * 2


def test_the_same_seed_and_verbs_give_the_same_frames() -> None:
    one, same, other = (VirtualTable(seed=seed, camera=SMALL) for seed in (1, 1, 2))
    for frames in zip(*(table.throw("2d6", [3, 5]) for table in (one, same, other)), strict=True):
        assert np.array_equal(*frames[:2])
    assert one.lying == same.lying != other.lying


def test_a_map_lies_under_figures_and_coins_show_their_side() -> None:
    table = VirtualTable(seed=1)
    table.put("M3")
    counter = table.lay("woad thread 1", at=(-80, 0))
    for frames in (table.lay("F1", at=(10, 5)), counter, table.throw("coin", ["tails"], near=(60, 30))):
        last(frames)
    assert list(table.lying) == ["M3", "F1", "woad thread 1", "coin 1"]
    assert table.lying["woad thread 1"].width_mm == 15
    tray = read_dice(last(table.rest(1)), Pool.of((1, Die.COIN)))
    assert [str(face) for face in tray.faces] == ["tails"]


def test_what_cannot_be_is_refused_in_a_sentence_and_changes_nothing() -> None:
    table = VirtualTable(seed=1)
    table.put("C12")
    for says, frames in {
        "no S7 is on the table; there are C12": table.move("S7", to=(0, 0)),
        "out of the camera's sight": table.lay("S7", at=(900, 0)),
        "nothing with the code T60A is printed": table.lay("T60A", at=(0, 0)),
        "say where: at a place, beside or on": table.lay("S7"),
        "its dice are d6, d10, weave and coin": table.throw("d20", [3]),
        "3 faces for 2 dice": table.throw("2d6", [1, 2, 3]),
        "there is no room for d6": table.throw("9d6", [1] * 9, spread=20),
        "no S9 is on": table.lay("S7", beside="S9"),
    }.items():
        raises(ImpossibleScene, says, lambda frames=frames: list(frames))
    assert list(table.lying) == ["C12"]
