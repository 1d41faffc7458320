"""Dice lead: a throw is taken, Weaves picked up and thrown again are rolled again, old dice are no new roll."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loomtable.engine.kernel.answer_cards import AnswerCard
from loomtable.engine.kernel.requests import EnterNumber, Roll
from loomtable.table.hosting.proposals import COUNTDOWN
from loomtable.table.reading.scene import REST_AFTER, SceneReader, Wanted
from loomtable.testing import VirtualTable
from loomtable.testing.virtual import TINTS, Surface
from loomtable.vision.dice import Pool, read_dice
from loomtable.vision.dice.cues import among_cards
from tests.systems import weave_table
from tests.table.filming import TWO, shot
from tests.table.hands_on import FRAME, HAND, Evening
from tests.table.scenes_by_hand import LARGE
from tests.tiers import mostly
from tests.vision.needed import needs_networks

WEAVE, GALES = TWO
"""Ordinary dice, whose five and three stand in for these faces."""
STONES = replace(WEAVE, value=4, x=15, y=50)
THROWN_AGAIN = replace(WEAVE, value=4, x=-70, y=-30, turn=77)


@needs_networks
def test_a_pool_is_thrown_a_weave_is_thrown_again_and_the_dice_that_stay_are_no_new_roll() -> None:
    evening = Evening(weave_table.Table().session)
    evening.watch.begin_anew()
    evening.film(shot(()), REST_AFTER + 0.5)
    evening.session.perform("challenge", who="Odo", suit="stones")
    evening.film(shot(()), 0.6)
    dice = (WEAVE, GALES, STONES)
    evening.film(shot([replace(die, x=die.x + 20, turn=die.turn + 40) for die in dice], 20), FRAME)
    evening.film(shot(dice), 1.6)
    assert isinstance(evening.session.pending, Roll), "everybody has two seconds to stop it"
    evening.film(shot(dice), COUNTDOWN)
    assert isinstance(evening.session.pending, EnterNumber), "one of them shows Weave"

    evening.film(shot((GALES, STONES)), FRAME)
    evening.film(shot((THROWN_AGAIN, GALES, STONES)), 1.6)
    assert evening.says == "The die was thrown again"
    evening.film(shot((THROWN_AGAIN, GALES, STONES)), COUNTDOWN)
    assert evening.session.pending is None
    assert evening.session.story()[-1] == "Odo: 3 successes against level 1: epic pass."

    evening.session.perform("challenge", who="Odo", suit="stones")
    lying = shot((THROWN_AGAIN, GALES, STONES))
    hand = lying.copy()
    hand[:150, :250] = HAND
    evening.film(lying, 1)
    evening.film(hand, 2 * FRAME)
    evening.film(lying, COUNTDOWN + 2)
    assert isinstance(evening.session.pending, Roll), "the dice that lay there were not thrown for it"

    beside = replace(STONES, x=STONES.x + 9, turn=12)
    elsewhere = [replace(die, x=die.x + 30, y=die.y - 25, turn=die.turn + 70) for die in (THROWN_AGAIN, GALES)]
    evening.film(hand, 3 * FRAME)
    evening.film(shot((beside, *elsewhere)), COUNTDOWN + 2.4)
    assert evening.session.pending is None, "one of them came to rest beside where its like had lain"
    assert evening.session.story()[-1] == "Odo: 2 successes against level 1: pass."


@needs_networks
def test_where_a_card_said_so_the_one_die_that_is_thrown_answers_though_others_lie_there() -> None:
    evening = Evening(weave_table.Table().session)
    evening.watch.begin_anew()
    evening.film(shot(()), REST_AFTER + 0.5)
    evening.session.perform("challenge", who="Odo", suit="stones")
    evening.film(shot(()), 0.6)
    dice = (WEAVE, GALES, STONES)
    evening.film(shot([replace(die, x=die.x + 20, turn=die.turn + 40) for die in dice], 20), FRAME)
    evening.film(shot(dice), COUNTDOWN + 1.6)
    evening.live.take(weave_table.say(1), by="Ben", revision=evening.live.revision)
    evening.film(shot(dice), 0.6)
    evening.film(shot((GALES, STONES)), FRAME)
    evening.film(shot((THROWN_AGAIN, GALES, STONES)), COUNTDOWN + 1.6)
    assert evening.session.story()[-1] == "Odo: 3 successes against level 1: epic pass."


@needs_networks
def test_what_looks_like_a_die_and_was_there_before_anything_moved_is_not_asked_about() -> None:
    evening = Evening(weave_table.Table().session)
    evening.watch.begin_anew()
    printed = (replace(WEAVE, x=-80, y=45),)
    evening.film(shot(printed), REST_AFTER + 0.5)
    evening.session.perform("challenge", who="Odo", suit="stones")
    hand = shot(printed).copy()
    hand[:150, 1000:] = HAND
    for frame in (shot(printed), hand, shot(printed)):
        evening.film(frame, 1.3)
    assert evening.watch.proposals.standing is None
    dice = (WEAVE, GALES, STONES)
    evening.film(shot([*printed, *(replace(die, x=die.x + 20, turn=die.turn + 40) for die in dice)], 20), FRAME)
    evening.film(shot([*printed, *dice]), COUNTDOWN + 2)
    assert isinstance(evening.session.pending, EnterNumber), "the three that were thrown are the roll"


@needs_networks
def test_a_hand_over_the_dice_stops_the_countdown() -> None:
    evening = Evening(weave_table.Table().session)
    evening.watch.begin_anew()
    evening.film(shot(()), REST_AFTER + 0.5)
    evening.session.perform("challenge", who="Odo", suit="stones")
    evening.film(shot(()), 0.6)
    dice = (WEAVE, GALES, STONES)
    evening.film(shot([replace(die, x=die.x + 20, turn=die.turn + 40) for die in dice], 20), FRAME)
    evening.film(shot(dice), 1.3)
    assert evening.watch.proposals.counting
    hand = shot(dice).copy()
    hand[200:, 300:900] = HAND
    evening.film(hand, 3 * FRAME)
    evening.film(shot(dice), COUNTDOWN + 2)
    assert isinstance(evening.session.pending, Roll), "somebody laid a hand over them"
    assert evening.watch.proposals.current is not None, "and they are still offered"


@needs_networks
@pytest.mark.parametrize("card", mostly(AnswerCard, [AnswerCard.A, AnswerCard.GO_ON]))
def test_no_card_is_a_large_die_where_one_die_is_looked_for(card: AnswerCard) -> None:
    """Nor is it once the lamp has gone out and come back."""
    table, reader = VirtualTable(seed=2, surface=Surface("wood", TINTS["wood"][0], 5)), SceneReader()
    table.put(card.value, (-190, 72), 3)
    table.put("7D", (-130, -60), 3)
    reader.look_for(Wanted((Pool.of("1d6"),), cards=True, hands=True), 0.0)
    seen = []
    for light in (1.0, 0.02, 1.0):
        table.light = light
        for frame in table.rest(6):
            scene = reader.read(frame, len(seen) / 3)
            seen.append(scene.dice.dice if scene.dice is not None else ())
    assert not any(seen[2:6]) and not any(seen[14:])


@needs_networks
def test_a_die_on_a_ring_of_a_map_is_no_mark_of_a_die_as_large_as_the_ring() -> None:
    table = VirtualTable(seed=12, surface=Surface("linen", TINTS["linen"][3], 5), camera=LARGE)
    table.put("M35", (-105, -35))
    for place in ((-89, -45), (60, 40)):
        [*_, frame] = table.throw("d10", [7], near=place, spread=1)
    [frame] = table.rest(1)
    assert read_dice(frame, "2d10", cues=among_cards(())).faces == (7, 7)
