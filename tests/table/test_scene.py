"""What lies before a camera, kept whatever is asked: dice and cards, what is new, and what a hand only hides."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

import cv2
import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.table.reading.scene import LOOK_EVERY, REST_AFTER, Scene, SceneReader, Wanted
from loomtable.vision.card_stream import UNREAD_FOR
from loomtable.vision.dice import Pool, Verdict
from loomtable.vision.pictures import BgrImage
from tests.short import present
from tests.table.filming import TWO, again, coded, shot, tumbling
from tests.vision.needed import needs_networks
from tests.vision.scenes.cards import anyhow

CARD = ComponentId.parse("S7")
WANTED = Wanted(pools=(Pool(((Die.D6, 2),)),), cards=True)


@pytest.fixture(scope="module")
def table() -> BgrImage:
    """Two dice, and a card's code in the corner."""
    picture = shot(TWO).copy()
    picture[:185, :185] = coded(CARD)[75:260, 15:200]
    return picture


CLOCK = itertools.count(0, LOOK_EVERY + 0.01)


def after(reader: SceneReader, frames: Iterable[BgrImage]) -> Scene:
    for frame in frames:
        reader.read(frame, next(CLOCK))
    return reader.scene


def test_dice_and_cards_are_in_one_scene_and_stay_there_when_something_else_is_asked(table: BgrImage) -> None:
    reader = SceneReader()
    reader.look_for(WANTED)
    scene = after(reader, again(table, 8))
    roll = present(scene.roll)
    assert (roll.verdict, sorted(map(int, roll.faces))) == (Verdict.ACCEPTED, [3, 5])
    assert (scene.sure_cards, scene.laid, scene.thrown) == ((CARD,), {CARD}, False)
    reader.look_for(WANTED)
    scene = after(reader, again(table, 4))
    assert scene.sure_cards == (CARD,), "it still lies there"
    assert (scene.roll, scene.laid) == (None, frozenset()), "and nothing of it is new"


def test_a_throw_is_new_and_a_hand_that_passes_over_it_makes_no_other(table: BgrImage) -> None:
    reader = SceneReader()
    reader.look_for(WANTED)
    bare = shot(()).copy()
    bare[:185, :185] = table[:185, :185]
    scene = after(reader, [*again(bare, 6), *tumbling(), *again(table, 8)])
    roll = present(scene.roll)
    assert scene.thrown
    hand = table.copy()
    hand[:, 500:] = (120, 150, 200)
    scene = after(reader, [hand, hand])
    assert (scene.roll, scene.dice) == (None, None)
    assert scene.disturbed == "a hand is over the table"
    assert after(reader, again(table, 12)).roll is roll


@needs_networks
def test_a_card_over_the_edge_of_the_picture_keeps_no_dice_from_being_read(table: BgrImage) -> None:
    """It reaches in like a hand, but no hand lies so still."""
    reader, at = SceneReader(), itertools.count(0, 0.2)
    reader.look_for(replace(WANTED, hands=True), 0.0)
    for frame in again(table, 12):
        reader.read(frame, next(at))
    assert present(reader.scene.dice).verdict is Verdict.ACCEPTED
    edge = table.copy()
    edge[:, -180:] = (235, 240, 240)
    for frame in again(edge, 4):
        reader.read(frame, next(at))
    assert (reader.scene.disturbed, reader.scene.dice) == ("a hand is over the table", None)
    for frame in again(edge, round(REST_AFTER / 0.2) + 6):
        reader.read(frame, next(at))
    assert present(reader.scene.dice).verdict is Verdict.ACCEPTED and not reader.scene.disturbed


def test_no_reader_runs_that_nothing_is_wanted_of(table: BgrImage) -> None:
    reader = SceneReader()
    reader.look_for(Wanted(cards=True))
    scene = after(reader, again(table, 6))
    assert (scene.dice, scene.roll, scene.sure_cards) == (None, None, (CARD,))


@needs_networks
@pytest.mark.parametrize(("blur", "likelier"), [(9, 0), (0, 1)], ids=["in doubt", "sure"])
def test_other_dice_are_looked_for_after_the_next_throw_only_if_they_were_sure(blur: int, likelier: int) -> None:
    """What merely looks like an ordinary d6, as a corner of a card may, is no reason to look past printed dice."""
    pools = Pool.of("1weave"), Pool.of("1d6")
    still = shot(TWO[:1])
    reader = SceneReader()
    reader.look_for(replace(WANTED, pools=pools))
    after(reader, again(cv2.GaussianBlur(still, (0, 0), blur) if blur else still, 8))
    assert reader.dice.expect == pools[1]
    after(reader, tumbling())
    assert reader.dice.expect == pools[likelier]


def test_hands_are_told_what_is_out_of_focus_before_the_readers_rest() -> None:
    reader, blurred, begun = SceneReader(), anyhow(13, 6, blur=3.5).picture, next(CLOCK)
    reader.look_for(Wanted(cards=True, hands=True), begun)
    while not reader.scene.rests:
        told = after(reader, again(blurred, 1)).notes
        assert next(CLOCK) - begun < 2 * (REST_AFTER + UNREAD_FOR)
    assert told == ("about six cards, out of focus: hold still, and let the camera focus again",)


@needs_networks
def test_a_table_rests_as_soon_after_it_lay_still_where_dice_are_looked_for() -> None:
    """Until it rests once, what hands do means nothing; people are told that it takes about three seconds."""
    reader, at = SceneReader(), 0.0
    reader.look_for(Wanted((Pool.of("3d10"),), cards=True, hands=True), 0.0)
    while not reader.read(shot(()), at).rests and at < 9:
        at += 0.5
    assert at <= REST_AFTER + 1
