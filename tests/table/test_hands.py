"""Hands lead the table: what is laid, thrown and taken away before the camera becomes steps of the game."""

from __future__ import annotations

import random
import sys
import threading

import numpy as np
import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import ChoiceReading
from loomtable.engine.kernel.requests import Choose, Roll
from loomtable.engine.ready_evening import begun_ready
from loomtable.engine.spellwoven.rules import SPELLWOVEN
from loomtable.engine.weave.rules import WEAVE
from loomtable.table.choices.taking import hands_shown
from loomtable.table.hosting.proposals import COUNTDOWN, Taking
from loomtable.table.reading.board import BoardLook, Standing
from loomtable.table.reading.hands import Hands
from loomtable.table.reading.scene import LOOK_EVERY, REST_AFTER, Scene
from loomtable.vision.card_stream import AWAY
from loomtable.vision.cards import SeenCard
from loomtable.vision.pool import Pool
from loomtable.vision.tray import SeenDie, assess_tray
from tests.short import present
from tests.systems import weave_table
from tests.table.hands_on import FAR, FRAME, NEAR, Evening, Places, table_with, with_cat
from tests.table.sluice_yard import fight


@pytest.fixture
def evening() -> Evening:
    return Evening(weave_table.Table().session)


def challenged(evening: Evening) -> tuple[str, str]:
    action = evening.session.last_action
    assert action.name == "challenge", action
    return action.args["who"], action.args["card"]


def test_a_challenge_card_beside_a_heros_marker_begins_the_challenge(evening: Evening) -> None:
    lying = {"C10": NEAR, "R1": (300, 90), "R2": FAR}
    evening.lie(lying)
    assert evening.says == "Ilse faces Brooks at level 2"
    assert evening.session.pending is None, "everybody has two seconds to stop it"
    evening.lie(lying, COUNTDOWN)
    assert challenged(evening) == ("Ilse", "C10")
    assert isinstance(evening.session.pending, Roll)
    assert evening.live.lines()[-1].who == "the camera ()"


def test_a_table_that_is_asked_takes_nothing_by_itself(evening: Evening) -> None:
    evening.watch.proposals.taking = Taking.ASK
    lying = {"C10": NEAR, "R1": (300, 90)}
    evening.lay(lying)
    assert (evening.says, evening.session.pending) == ("Ilse faces Brooks at level 2", None)
    evening.lie({**lying, "Yes": (700, 400)})
    assert challenged(evening) == ("Ilse", "C10")


def test_the_ready_evening_is_played_with_the_printed_decks_from_the_first_card_of_them() -> None:
    """The computer has dealt a hand of four cards; none of them is C10."""
    evening = Evening(begun_ready(WEAVE, "friday", random.Random(1)))
    assert ComponentId.parse("C10") not in evening.session.state.hand
    lying = {"C10": NEAR, "R1": (300, 90)}
    evening.lie(lying)
    shown = hands_shown(evening.watch, in_full=True)
    assert shown.says == "Ilse faces Brooks at level 2, and cards come from the printed decks from now on"
    assert shown.by == "C10, beside the star marker"
    evening.lie(lying, COUNTDOWN)
    assert challenged(evening) == ("Ilse", "C10")
    assert (evening.session.game.rulings["decks"], evening.session.state.hand) == ("physical", ())
    evening.live.undo(by="Ada", revision=evening.live.revision)
    evening.lie({}, AWAY + 1)
    evening.lie({"C20": NEAR, "R1": (300, 90)})
    assert evening.says == "Ilse faces Gales at level 2", "that is said once"


@pytest.mark.parametrize(("card", "done"), [("Go on", "challenge"), ("Undo", "add-character")])
def test_go_on_and_undo_by_card_are_shown_for_two_seconds_where_the_table_is_asked_too(
    evening: Evening, card: str, done: str
) -> None:
    evening.watch.proposals.taking = Taking.ASK
    lying: Places = {"C10": NEAR, "R1": (300, 90)} if card == "Go on" else {}
    evening.lay(lying)
    if card == "Undo":
        evening.live.take(Action("end-scene"), by="", revision=evening.live.revision)
    before = evening.live.revision
    evening.lie({**lying, card: (700, 400)})
    assert hands_shown(evening.watch, in_full=True).counting
    assert evening.live.revision == before
    evening.lie({**lying, card: (700, 400)}, COUNTDOWN)
    assert (evening.live.revision > before, evening.session.last_action.name) == (True, done)


def test_without_a_marker_the_table_is_asked_whose_it_is_and_a_letter_says(evening: Evening) -> None:
    evening.lay({"C10": NEAR})
    shown = hands_shown(evening.watch, in_full=True)
    assert [(way.letter, way.says[:4]) for way in shown.ways] == [("A", "Ilse"), ("B", "Odo ")]
    assert (shown.counting, evening.session.pending) == (False, None)
    evening.lie({"C10": NEAR, "B": (700, 400)})
    assert challenged(evening) == ("Odo", "C10")


def test_a_card_between_two_markers_is_asked_about_though_one_hero_is_out_of_the_scene() -> None:
    table = weave_table.Table()
    table.wound("Odo", 3)
    evening = Evening(table.session)
    before = evening.live.revision
    evening.lay({"C10": (300, 250), "R1": (150, 330), "R2": (450, 330)})
    shown = hands_shown(evening.watch, in_full=True)
    assert (shown.says, shown.counting, evening.live.revision) == ("Ilse faces Brooks at level 2", False, before)


@pytest.mark.parametrize(
    ("lying", "sentence"),
    [
        ({"C10": NEAR, "C20": FAR, "R1": (300, 90)}, "Challenge cards are on the table: lay one"),
        ({"C59": NEAR, "R1": (300, 90)}, "A Challenge card is on the table: "),
        ({"C10": NEAR, "R7": (300, 90)}, "Brooks 2 is on the table: that marker is nobody's yet"),
        ({"F3": NEAR}, "a Figure card is on the table: nothing can be begun with that now"),
        ({"S90": NEAR}, "A Story card is on the table: "),
        ({"T3A": NEAR}, "a Tapestry card is on the table: nothing can be begun with that now"),
        ({"Yes": NEAR}, "the card Yes is on the table: nothing is asked"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence_and_nothing_is_taken(
    evening: Evening, lying: Places, sentence: str
) -> None:
    before = evening.live.revision
    evening.lay(lying)
    assert evening.says.startswith(sentence), evening.says
    assert evening.live.revision == before


def test_a_cat_that_sits_down_on_the_cards_stops_everything_and_nothing_is_taken(evening: Evening) -> None:
    table, before = table_with({"C10": NEAR, "R1": (300, 90)}), evening.live.revision
    evening.watch.camera.lease.status = ""
    evening.film(table, 1.0)
    assert evening.watch.proposals.counting
    for place in ((1300, 700), (900, 500), (450, 250)):
        evening.film(with_cat(table, place), 0.4)
    for breath in range(10):
        evening.film(with_cat(table, (450 + 6 * (breath % 2), 250)), 1)
    assert (evening.watch.says, evening.live.revision) == ("a hand is over the table", before)
    for place in ((900, 500), (1300, 700)):
        evening.film(with_cat(table, place), 0.4)
    evening.film(table, COUNTDOWN + 1.5)
    assert evening.says == "Ilse faces Brooks at level 2", "it was touched, so people are asked"
    assert (evening.watch.says, evening.live.revision) == ("watching the table", before)


def test_what_lay_there_before_means_nothing() -> None:
    evening = Evening(weave_table.Table().session)
    evening.watch.begin_anew()
    evening.lay({"C10": NEAR, "R1": (300, 90)})
    evening.lay({"C10": NEAR, "R1": (300, 90)})
    assert (evening.says, evening.session.pending) == ("", None)


def test_after_an_undo_what_lies_there_means_nothing_until_it_is_laid_anew(evening: Evening) -> None:
    evening.watch.proposals.taking = Taking.ASK
    evening.live.take(Action("end-scene"), by="", revision=evening.live.revision)
    lying = {"C10": NEAR, "R1": (300, 90)}
    evening.lie(lying)
    assert evening.says == "Ilse faces Brooks at level 2"
    evening.live.undo(by="Ada", revision=evening.live.revision)
    evening.lie(lying)
    assert evening.says == ""
    evening.lie({}, AWAY + 1)
    evening.lie(lying)
    assert evening.says == "Ilse faces Brooks at level 2"


def test_a_hand_back_on_the_card_stops_it_and_one_elsewhere_only_waits(evening: Evening) -> None:
    lying = {"C10": NEAR, "R1": (300, 90)}
    evening.lie(lying)
    assert evening.watch.proposals.counting
    evening.film(table_with(lying, np.s_[420:, 700:]), 0.4)
    assert not evening.watch.proposals.counting, "while a hand is there nothing is taken"
    evening.lie(lying, 0.8)
    assert evening.watch.proposals.counting, "it was not on the card"
    evening.film(table_with(lying, np.s_[60:, :200]), 0.4)
    evening.lay(lying)
    assert (evening.says, evening.session.pending) == ("Ilse faces Brooks at level 2", None), "people are asked"


def test_an_answer_card_answers_what_was_asked_when_it_was_laid() -> None:
    """Somebody lays A and taps another answer: A says nothing about the question after that."""
    evening = Evening(fight(("Stair-wolf", "F2")))
    evening.lie({"A": NEAR})
    asked = present(evening.session.pending)
    assert isinstance(asked, Choose) and evening.watch.proposals.counting
    evening.live.take(ChoiceReading((asked.options[-1].key,)), by="Ada", revision=evening.live.revision)
    while not isinstance(evening.session.pending, Choose):
        answer = random_answer(present(evening.session.pending), random.Random(1))
        evening.live.take(answer, by="Ada", revision=evening.live.revision)
    tapped = evening.live.revision
    evening.lay({"A": NEAR})
    assert evening.live.revision == tapped
    evening.lie({}, AWAY + 1)
    evening.lay({"A": NEAR})
    assert evening.live.revision > tapped, "laid anew, it answers"


def test_the_undo_card_stops_what_is_counting_down_and_undoes_what_was_done(evening: Evening) -> None:
    lying = {"C10": NEAR, "R1": (300, 90)}
    evening.lie(lying)
    evening.lie({**lying, "Undo": (700, 400)}, 0.8)
    evening.lay({**lying, "Undo": (700, 400)})
    assert (evening.says, evening.session.pending) == ("", None)
    evening.lie({}, AWAY + 1)
    evening.lay(lying)
    assert evening.session.pending is not None
    evening.lay({**lying, "Undo": (700, 400)})
    assert evening.session.pending is None
    evening.lay(lying)
    assert (evening.says, evening.session.pending) == ("", None), "what still lies there does not begin it again"


def test_the_pause_card_darkens_every_screen_and_go_on_goes_on(evening: Evening) -> None:
    evening.lie({"Pause": NEAR})
    assert evening.live.pause.on
    evening.lay({"C10": (500, 40), "R1": (800, 90), "Pause": NEAR})
    assert evening.session.pending is None
    evening.lie({})
    evening.lie({"Go on": NEAR})
    assert not evening.live.pause.on


def test_three_story_cards_begin_an_episode_and_are_its_cards(evening: Evening) -> None:
    evening.lay({"S20": NEAR, "S11": (480, 40), "S19": FAR})
    assert evening.session.last_action == Action("new-episode")
    asked = present(evening.session.pending)
    assert isinstance(asked, Choose)
    assert asked.purpose == "Theme from S20"
    for option in "AAA":
        evening.lie({}, AWAY + 1)
        evening.lay({option: NEAR})
    assert [str(one.card) for one in evening.session.state.foundation] == ["S20", "S11", "S19"]


def test_an_episode_begins_with_the_cards_that_were_laid_though_the_computer_holds_one_of_them() -> None:
    evening = Evening(begun_ready(WEAVE, "s", random.Random(1)))
    held = next(card.short for card in evening.session.state.hand if card.kind is Kind.STORY)
    evening.lay({held: NEAR, "S20": (480, 40), "S19": FAR})
    played = [step.step.what for step in evening.session.played]
    assert [what.name for what in played if isinstance(what, Action)][-2:] == ["printed-decks", "new-episode"]
    assert present(evening.session.pending).purpose == f"Theme from {held}"


def test_a_card_over_the_edge_of_the_picture_is_no_hand(evening: Evening) -> None:
    marker = {"R1": (1000, 500)}
    lying = {**marker, "C10": (1188, 560)}
    evening.lie(marker)
    evening.lie(lying)
    assert evening.says == "", "so far it may be one"
    evening.lie(lying, REST_AFTER + 1)
    assert evening.says == "Ilse faces Brooks at level 2"
    evening.lie(lying, COUNTDOWN)
    assert challenged(evening) == ("Ilse", "C10")


def test_an_enticement_is_a_card_on_the_heros_flaw(evening: Evening) -> None:
    """Ilse's Flaw is on Story card 6, which has lain before her."""
    before = {"S6": FAR}
    evening.lie(before)
    lying = {**before, "C10": NEAR, "C25": (930, 190)}
    evening.lay(lying)
    assert evening.session.last_action.args["enticement"]["card"] == "C25"
    assert challenged(evening) == ("Ilse", "C10")


def test_hands_off_nothing_but_what_is_asked_is_read() -> None:
    evening = Evening(weave_table.Table().session)
    evening.watch.lead(False)
    evening.lay({"C10": NEAR, "R1": (300, 90)})
    assert (evening.says, evening.session.pending, evening.watch.proposals.current) == ("", None, None)


def test_an_idle_table_is_not_read(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.lie({"C10": NEAR}, REST_AFTER + 1)
    reads: list[object] = []
    monkeypatch.setattr("loomtable.vision.card_stream.scan_cards", lambda *given, **named: reads.append(given))
    evening.lie({"C10": NEAR}, 2)
    assert reads == []


def test_a_table_is_looked_at_no_more_often_than_eight_times_a_second(evening: Evening) -> None:
    evening.lie({}, REST_AFTER + 1)
    laid = table_with({"C10": NEAR})
    evening.now += LOOK_EVERY - FRAME - 0.02
    evening.watch.look(laid)
    assert evening.watch._reader.scene.rests, "too soon after the last look"
    evening.now += 0.04
    evening.watch.look(laid)
    assert not evening.watch._reader.scene.rests


@pytest.mark.parametrize(
    ("side", "leads", "tray", "laid_out", "sure", "card", "taken"),
    [
        (43, False, False, False, 0.999, 900, False),
        (60, False, False, False, 0.999, 900, True),
        (60, False, False, False, 0.999, 30, False),
        (60, False, False, False, 0.9, 900, False),
        (60, True, False, False, 0.999, 900, False),
        (60, True, False, True, 0.9, 900, True),
        (60, True, True, False, 0.999, 900, True),
    ],
)
def test_numerals_wait_for_somebody_where_no_layout_is_sure_and_they_are_small_or_one_camera_sees_all(
    side: int, leads: bool, tray: bool, laid_out: bool, sure: float, card: int, taken: bool
) -> None:
    """So does what is seen on a card, and what is read unsurely."""
    evening = Evening(begun_ready(SPELLWOVEN, title="A first fight"))
    evening.watch.lead(leads)
    evening.watch._reader.has_tray = tray
    asked, before, frame = evening.session.pending, evening.live.revision, table_with({})
    assert isinstance(asked, Roll) and asked.die is Die.D10
    boxes = [(100.0 * at, 0.0, 100.0 * at + side, float(side)) for at in range(asked.count)]
    dice = tuple(SeenDie(Die.D10, 2, box, sure, laid_out=laid_out) for box in boxes)
    code = SeenCard(ComponentId.parse("C10"), ((card, 0), (card + 88, 0), (card + 88, 88), (card, 88)), 3.0)
    seen = Scene(roll=assess_tray(dice, Pool.of((asked.count, Die.D10))), thrown=True, fallen=dice, cards=(code,))
    evening.watch._offer_dice(asked, before, Scene(), seen, frame, evening.now)
    evening.watch.proposals.tick(evening.now + COUNTDOWN)
    assert (evening.live.revision > before) == taken
    if not taken:
        evening.watch.proposals.accept(1, by="Ada", revision=before)
    assert evening.live.revision > before


def test_a_throw_that_cannot_be_read_is_met_by_a_sentence() -> None:
    session = begun_ready(SPELLWOVEN, "s", random.Random(1), "A first fight")
    while session.pending is not None:
        session.answer(random_answer(session.pending, random.Random(1)))
    evening = Evening(session)
    evening.lie({}, REST_AFTER + 1)
    two = tuple(SeenDie(Die.D10, 2, (100 * at, 0, 100 * at + 60, 60), 0.999) for at in range(2))
    thrown = Scene(roll=assess_tray(two, Pool.of((3, Die.D10))), thrown=True, fallen=two)
    evening.watch._by_hand(thrown, evening.live.revision, None, table_with({}), evening.now)
    assert evening.says == "The dice cannot be read: two dice, three expected; throw them again"


def test_what_a_device_says_of_a_figure_is_kept_while_the_camera_looks() -> None:
    """Two threads: one sees the table again and again, one says that figures mean nothing."""
    figures = tuple(Standing(f"F{at}", seen="A1", record="B1", who=f"F{at}") for at in range(60))
    scene, over, raised = Scene(board=BoardLook(figures)), threading.Event(), list[Exception]()

    def look(hands: Hands) -> None:
        while not over.is_set() and not raised:
            try:
                hands.see(scene)
            except RuntimeError as error:
                raised.append(error)

    hands, every = Hands(), sys.getswitchinterval()
    looking = threading.Thread(target=look, args=(hands,))
    sys.setswitchinterval(1e-6)
    try:
        looking.start()
        for at in [*range(60)] * 400:
            hands.use((), f"F{at}")
            assert (f"F{at}", "A1") in hands._meant
            if at == 59:
                hands._meant = set()
    finally:
        over.set()
        looking.join()
        sys.setswitchinterval(every)
    assert not raised
