"""Ordinary playing cards lead an evening of Mnemonic: they bear no code, and are read by their corners."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.poker import PokerCard
from loomtable.engine.kernel.requests import Choose, ShowCard
from loomtable.table.hosting.proposals import COUNTDOWN, Taking
from loomtable.table.hosting.table_watch import LAY_FREE
from loomtable.table.reading.scene import REST_AFTER, SceneReader, Wanted
from loomtable.testing import VirtualTable
from loomtable.vision.pictures import BgrImage
from tests.short import present
from tests.systems import mnemonic_table
from tests.table.hands_on import Evening
from tests.tiers import mostly
from tests.vision.scenes.playing_cards import laid


@pytest.fixture(scope="module")
def felt() -> BgrImage:
    return laid()


def begun(felt: BgrImage, session: mnemonic_table.Table) -> Evening:
    evening = Evening(session.session)
    evening.watch.begin_anew()
    evening.film(felt, REST_AFTER + 1)
    return evening


def test_a_card_turned_from_an_ordinary_deck_begins_the_scene(felt: BgrImage) -> None:
    evening = begun(felt, mnemonic_table.Table())
    evening.film(laid(("7H", -60, 0, 20)), 1.0)
    assert evening.says == "A scene of Ilse's"
    evening.film(laid(("7H", -60, 0, 20)), COUNTDOWN + 0.5)
    assert evening.session.last_action.args["who"] == "Ilse"
    assert ComponentId.parse("7H") not in present(evening.session.state.cards).unseen
    assert isinstance(evening.session.pending, Choose), "which skill of that suit"


def test_without_hands_a_card_that_is_asked_for_is_read_by_its_corners(felt: BgrImage) -> None:
    table = mnemonic_table.Table()
    evening = begun(felt, table)
    evening.watch.lead(False)
    evening.watch.proposals.taking = Taking.AT_ONCE
    table.do("scene", who="Ilse")
    assert isinstance(evening.session.pending, ShowCard)
    evening.film(felt, 1.0)
    evening.film(laid(("KS", 0, 0, 100)), 1.5)
    assert ComponentId.parse("KS") not in present(evening.session.state.cards).unseen


FOURS = [tuple(PokerCard(number).short for number in range(first, first + 4)) for first in range(1, 52, 4)]


@pytest.mark.parametrize("four", mostly(FOURS, FOURS[1:12:5]))
def test_no_printed_card_is_a_second_one_by_its_corners(four: tuple[str, ...]) -> None:
    table, reader = VirtualTable(seed=2), SceneReader()
    for at, name in enumerate(four):
        table.put(name, (-195 + 75 * at, -40), 4 - 3 * at)
    reader.look_for(Wanted(cards=True, hands=True, playing_cards=True), 0.0)
    for at, frame in enumerate(table.rest(6)):
        scene = reader.read(frame, at / 3)
    assert sorted(str(seen.card) for seen in scene.cards) == sorted(four)


def test_a_card_that_is_not_clear_gets_a_sentence_of_its_own(felt: BgrImage) -> None:
    evening = begun(felt, mnemonic_table.Table())
    evening.watch.camera.lease.status = ""
    crossed, other = laid(("KS", -60, 0, 0)), laid(("7H", -60, 0, 0))
    crossed[360:] = other[360:]
    evening.film(crossed, COUNTDOWN)
    assert evening.watch.says == f"a playing card has corners that show different ranks; {LAY_FREE}"


def test_a_joker_of_an_ordinary_deck_is_never_taken_for_a_card_that_looks_like_it(felt: BgrImage) -> None:
    evening = begun(felt, mnemonic_table.Table())
    before = evening.live.revision
    evening.watch.camera.lease.status = ""  # as while frames come
    evening.film(laid(("RJ", -60, 0, 20)), COUNTDOWN + 1.5)
    assert (evening.live.revision, evening.says) == (before, "")
    assert evening.watch.says.startswith("a playing card has a sign of no suit, as jokers have, which are typed")
    evening.film(felt, 1.0)
    assert evening.watch.says == "watching the table"
