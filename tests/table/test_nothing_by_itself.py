"""Nothing happens that no hand did: not by what befalls the whole picture, nor by what comes to light."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import DiceReading, ReadDie, Source
from loomtable.engine.kernel.requests import Roll, ShowCard
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.hosting.proposals import COUNTDOWN
from loomtable.table.reading.scene import FACE_DOWN, REST_AFTER
from loomtable.testing import VirtualTable
from loomtable.vision.card_stream import AWAY
from loomtable.vision.pictures import BgrImage
from tests.systems import mnemonic_table, weave_table
from tests.table.hands_on import FRAME, HAND, NEAR, Evening, Places, table_with
from tests.table.threads import lines, tapestry_with, weaving
from tests.tiers import mostly
from tests.vision.needed import needs_networks
from tests.vision.scenes.playing_cards import laid

SETTLES = 8
"""Frames in which dice are read, taken after the countdown, and everything else as well."""


class AtTheCamera(Evening):
    """An evening before the camera of a virtual table."""

    def __init__(self, session: Session, table: VirtualTable) -> None:
        super().__init__(session)
        self.table = table
        self.watch.begin_anew()
        self.shows(table.rest(round((REST_AFTER + 1) / FRAME)))

    def shows(self, frames: Iterable[BgrImage]) -> None:
        for frame in frames:
            self.watch.look(frame)
            self.now += FRAME

    def settles(self) -> None:
        self.shows(self.table.rest(4 * SETTLES))


def lamp(*levels: float) -> Callable[[AtTheCamera], None]:
    def befall(evening: AtTheCamera) -> None:
        for level in (*levels, 1.0):
            evening.table.light = level
            evening.shows(evening.table.rest(5 if level in (levels[-1], 1.0) else 1))

    return befall


def unfocused(evening: AtTheCamera) -> None:
    for evening.table.blur in (1.5, 4.0, 4.0, 2.0, 0.0):
        evening.shows(evening.table.rest(2))


def knocked(x: float, y: float, turn: float = 0.0) -> Callable[[AtTheCamera], None]:
    return lambda evening: evening.shows(evening.table.knock((x, y), turn))


def lost_and_found(evening: AtTheCamera) -> None:
    """The stream ends; the camera that is opened again first has to find its exposure."""
    evening.watch.begin_anew()
    lamp(0.4, 0.8)(evening)


BEFALLS = {
    "the lamp goes out": lamp(0.35),
    "the lamp is turned down": lamp(0.8, 0.6),
    "a cloud passes": lamp(0.9, 0.75, 0.6, 0.75, 0.9),
    "it is quite dark": lamp(0.02),
    "the sun comes out": lamp(1.35),
    "the camera looks for its focus": unfocused,
    "a knock": knocked(30, 10),
    "a knock that turns the camera": knocked(-20, 15, 5),
    "a small knock": knocked(8, -6, 1),
    "the stream is lost and found": lost_and_found,
}

TOGETHER = ("the lamp goes out", "a knock that turns the camera", "the stream is lost and found")


def storm_weavers() -> Session:
    session = Session.open(SYSTEMS["storm-weavers"], seed="s")
    session.perform("create", dexterity_points=2)
    session.perform("test", attribute="wisdom")
    return session


@needs_networks
@pytest.mark.parametrize("befalls", mostly([TOGETHER, *((name, name) for name in BEFALLS)], [TOGETHER]))
def test_what_befalls_the_whole_picture_throws_no_dice(befalls: tuple[str, ...]) -> None:
    """The dice of the last roll lie there, and the next roll is asked for."""
    evening = AtTheCamera(storm_weavers(), VirtualTable(seed=3))
    evening.shows(evening.table.throw("2d6", (3, 5)))
    evening.settles()
    assert evening.session.pending is None
    evening.session.perform("test", attribute="wisdom")
    evening.shows(evening.table.rest(3))
    before = evening.live.revision
    for name in befalls:
        BEFALLS[name](evening)
        evening.settles()
        assert isinstance(evening.session.pending, Roll), f"{name}: nobody has thrown them"
        assert evening.live.revision == before, name
        if BEFALLS[name] is not lost_and_found:  # before a camera that was opened anew all dice are new
            assert evening.watch.proposals.current is None, f"{name}: nothing is asked about either"
    evening.shows(evening.table.throw(["d6 1", "d6 2"], (6, 1)))
    evening.settles()
    assert evening.session.pending is None, "thrown, they are taken"


UNDO = (700, 400)
MUG = (slice(330, 560), slice(640, 900))


def steps(evening: Evening) -> int:
    """How many steps there are that nobody has undone."""
    return len([*evening.session.played])


def used_undo(rate: float = 1 / FRAME) -> tuple[Evening, Places]:
    """A card *Undo* that has undone a step, and is left lying; more steps could be undone."""
    evening = Evening(weave_table.Table().session)
    evening.every = 1 / rate
    for _ in range(2):
        evening.live.take(Action("end-scene"), by="", revision=evening.live.revision)
    lying = {"Undo": UNDO}
    before = steps(evening)
    evening.lay(lying)
    assert steps(evening) == before - 1
    return evening, lying


def covered(picture: BgrImage, what: str) -> BgrImage:
    """Something without a code lies on the card, or the whole table is dark."""
    if what == "darkness":
        return (picture * 0.03).astype(np.uint8)
    over = picture.copy()
    over[MUG] = {"mug": (40, 40, 120), "phone": (15, 15, 15), "page": (250, 250, 250), "arm": HAND}[what]
    if what == "arm":
        over[330:, 640:900] = HAND
    return over


EVERY_RATE = [*itertools.product(["mug", "phone", "page", "arm", "darkness"], (3, 8, 15, 30))]
"""Frames a second that cameras send."""


@pytest.mark.parametrize(
    ("what", "rate"), mostly(EVERY_RATE, [("mug", 3), ("page", 8), ("darkness", 15), ("arm", 30), ("phone", 3)])
)
@pytest.mark.parametrize(("seconds", "across"), [(4, 0), (26, 12)])
def test_what_comes_to_light_was_not_laid(what: str, rate: int, seconds: int, across: int) -> None:
    evening, lying = used_undo(rate)
    before, table = steps(evening), table_with(lying)
    evening.film(covered(table, what), seconds)
    evening.lay({"Undo": (UNDO[0] + across, UNDO[1] - across)})
    evening.lie({"Undo": (UNDO[0] + across, UNDO[1] - across)}, REST_AFTER + 1)
    assert (steps(evening), evening.says) == (before, "")
    evening.lie({}, AWAY + 1)
    evening.lay(lying)
    assert steps(evening) == before - 1, "taken away, and laid anew, it undoes"


def test_a_card_that_appears_where_another_was_lifted_is_asked_about() -> None:
    """Answer cards in a heap: No is taken, and Undo comes to light."""
    evening = Evening(weave_table.Table().session)
    evening.live.take(Action("end-scene"), by="", revision=evening.live.revision)
    evening.lie({"No": UNDO}, REST_AFTER + 1)
    before = steps(evening)
    evening.film(table_with({}, np.s_[330:, 640:900]), 1)
    evening.lay({"Undo": (UNDO[0] + 8, UNDO[1] - 5)})
    evening.lie({"Undo": (UNDO[0] + 8, UNDO[1] - 5)}, REST_AFTER + 1)
    assert steps(evening) == before
    assert evening.watch.proposals.current is not None, "somebody may have laid it"


def test_of_cards_that_were_seen_to_be_laid_on_one_another_the_upper_one_was_laid() -> None:
    """A Challenge card is laid where another lies; below the first nothing was."""
    evening, lying = Evening(weave_table.Table().session), {"R1": (300, 90)}
    evening.lay({**lying, "C10": NEAR})
    while (asked := evening.session.pending) is not None:
        evening.live.take(random_answer(asked, random.Random(2)), by="", revision=evening.live.revision)
    before = steps(evening)
    evening.film(table_with(lying, np.s_[0:330, 0:260]), 1)
    evening.lay({**lying, "C11": (NEAR[0] + 6, NEAR[1] + 4)})
    evening.lie({**lying, "C11": (NEAR[0] + 6, NEAR[1] + 4)})
    assert steps(evening) == before + 1
    assert evening.session.last_action.args["card"] == "C11"


def test_cards_that_are_laid_in_one_place_in_turn_are_each_laid() -> None:
    evening = Evening(weave_table.Table().session)
    for _ in range(3):
        evening.live.take(Action("end-scene"), by="", revision=evening.live.revision)
    before, evening.every = steps(evening), 0.5
    for number in range(3):
        evening.lay({"No": UNDO})
        evening.lie({}, AWAY + 0.5)
        evening.lay({"Undo": (UNDO[0] + 4, UNDO[1])})
        assert steps(evening) == before - 1 - number, "nothing lies below it"
        evening.lie({}, AWAY + 0.5)


def test_go_on_in_the_place_of_pause_lets_the_screens_go_on() -> None:
    evening = Evening(weave_table.Table().session)
    evening.lie({"Pause": UNDO}, 1.5)
    assert evening.live.pause.on
    evening.film(table_with({}, np.s_[330:, 640:900]), 1)
    evening.lie({"Go on": UNDO}, 1.5)
    assert not evening.live.pause.on


@pytest.mark.parametrize("shown", [np.s_[355:545, 665:810], np.s_[210:488, 590:788]], ids=["a part", "all of it"])
def test_a_card_on_a_screen_is_asked_about(shown: tuple[slice, slice]) -> None:
    """The code and what is round it are on the screen of a phone, or the whole card, as large as it is."""
    evening = Evening(weave_table.Table().session)
    evening.live.take(Action("end-scene"), by="", revision=evening.live.revision)
    before, picture = steps(evening), table_with({})
    rows, columns = shown
    picture[rows.start - 90 : rows.stop + 90, columns.start - 10 : columns.stop + 10] = (15, 15, 15)
    picture[shown] = table_with({"Undo": UNDO})[shown]
    evening.film(picture, COUNTDOWN + 2)
    assert steps(evening) == before
    assert evening.watch.proposals.current is not None


def test_a_card_that_lies_face_down_where_one_is_asked_gets_a_sentence() -> None:
    """A mug does not, nor does it where no card is asked."""
    session, chance = Session.open(SYSTEMS["weave"], seed="s", rulings={"decks": "physical"}), random.Random(1)
    session.perform("new-season")
    while not isinstance(asked := session.pending, ShowCard):
        assert asked is not None
        session.answer(random_answer(asked, chance))
    evening, down = Evening(session), table_with({})
    down[210:488, 590:788] = (120, 60, 50)
    cv2.rectangle(down, (606, 226), (771, 471), (235, 240, 240), 4)
    mug = cv2.circle(table_with({}), (700, 400), 130, (40, 40, 120), -1)
    for picture, says in ((mug, "looking for a card"), (down, FACE_DOWN)):
        evening.film(picture, 3)
        assert evening.watch._sees == says
        evening.lie({}, 3)
    evening.film(down, 2)
    evening.lay({str(ComponentId(asked.kind, asked.among[0])): UNDO})
    assert evening.session.pending is not asked, "turned over, it is taken"
    told = Evening(weave_table.Table().session)
    told.film(down, 3)
    assert told.says == ""


def test_a_playing_card_that_comes_to_light_was_not_turned() -> None:
    """Ordinary playing cards bear no code, and are read anew whenever something moves."""
    table = mnemonic_table.Table()
    evening, card = Evening(table.session), laid(("7H", -60, 0, 20))
    evening.watch.begin_anew()
    evening.film(laid(), REST_AFTER + 1)
    evening.film(card, COUNTDOWN + 1.5)
    while (asked := evening.session.pending) is not None:
        evening.live.take(random_answer(asked, random.Random(2)), by="", revision=evening.live.revision)
    evening.film(card, 1.5)
    before = evening.live.revision
    for over in ("page", "darkness"):
        hidden = (card * 0.03).astype(np.uint8)
        if over == "page":
            hidden = card.copy()
            hidden[:, : card.shape[1] * 2 // 3] = (235, 240, 240)
        evening.film(hidden, 5)
        evening.film(card, COUNTDOWN + 1.5)
        assert (evening.live.revision, evening.watch.proposals.current, evening.says) == (before, None, "")


def test_a_thread_that_something_lies_over_is_not_taken_away() -> None:
    evening, empty = weaving()
    lying = tapestry_with(evening, (2, 0))
    evening.film(lying, COUNTDOWN + 1.5)
    evening.session.perform("end-turn", who="Ada")
    evening.session.perform("rest", who="Bo")
    evening.film(lying, 1.2)
    sleeve = lying.copy()
    x, y = cv2.minMaxLoc(cv2.absdiff(lying, empty).max(axis=2))[3]
    sleeve[max(y - 60, 0) : y + 60, max(x - 60, 0) : x + 60] = (60, 40, 90)
    before = evening.live.revision
    for picture in (sleeve, lying, sleeve, lying):
        evening.film(picture, 4)
        assert (evening.live.revision, evening.says, lines(evening)) == (before, "", [])
    evening.film(empty, COUNTDOWN + 1.5)
    assert evening.says == "Ada rests, and takes back the thread on column 2, row 0"


def test_a_card_that_was_refused_is_not_kept_for_later() -> None:
    """A Challenge card is laid while a roll is open; it is not begun once somebody has typed the roll."""
    evening, lying = Evening(weave_table.Table().session), {"C10": NEAR, "R1": (300, 90)}
    evening.live.take(Action("challenge", {"who": "Odo", "suit": "stones"}), by="", revision=evening.live.revision)
    evening.lay(lying)
    assert isinstance(evening.session.pending, Roll) and evening.says
    while (asked := evening.session.pending) is not None:
        evening.live.take(random_answer(asked, random.Random(2)), by="", revision=evening.live.revision)
    before = steps(evening)
    evening.lay(lying)
    assert (steps(evening), evening.watch.proposals.current) == (before, None)
    evening.lie({"R1": (300, 90)}, AWAY + 1)
    evening.lay(lying)
    assert steps(evening) == before + 1, "laid anew, it begins"


def test_a_card_that_is_left_of_two_that_were_refused_is_asked_about() -> None:
    evening = Evening(weave_table.Table().session)
    lying = {"R1": (300, 90), "C10": NEAR, "C21": (900, 400)}
    before = steps(evening)
    evening.lay({"R1": (300, 90)})
    evening.lay(lying)
    assert evening.says == "Challenge cards are on the table: lay one"
    evening.lay({"R1": (300, 90), "C10": NEAR})
    assert steps(evening) == before and evening.watch.proposals.current is not None


def test_of_two_cards_that_are_alike_the_one_that_is_left_has_meant_what_it_meant() -> None:
    evening, lying = used_undo()
    before, lay = steps(evening), table_with(lying)
    both = lay.copy()
    both[:, :640] = table_with({"Undo": (200, 400)})[:, :640]
    evening.film(both, COUNTDOWN + 1.5)
    assert steps(evening) == before - 1, "the second one was laid"
    evening.film(lay, COUNTDOWN + 1.5)
    assert (steps(evening), evening.watch.proposals.current) == (before - 1, None)


@pytest.mark.parametrize("rate", [3, 8, 15, 30])
def test_what_a_hand_does_while_somebody_presses_is_asked_about(rate: int) -> None:
    """It was meant for what was asked before: *Undo* is laid and pressed, and one step is undone."""
    evening = Evening(weave_table.Table().session)
    evening.every = 1 / rate
    for _ in range(3):
        evening.live.take(Action("end-scene"), by="", revision=evening.live.revision)
    evening.lie({}, 2)
    before = steps(evening)
    hand = (slice(330, 720), slice(600, 900))
    evening.film(table_with({}, hand), 0.7)
    evening.live.undo(by="Ada", revision=evening.live.revision)
    evening.film(table_with({"Undo": UNDO}, (slice(500, 720), slice(600, 900))), 0.7)
    evening.lay({"Undo": UNDO})
    assert steps(evening) == before - 1
    evening.lie({}, AWAY + 1)
    evening.lay({"Undo": UNDO})
    assert steps(evening) == before - 2, "laid after that, it counts"


@needs_networks
def test_dice_that_were_typed_while_they_rolled_are_no_second_roll() -> None:
    evening = AtTheCamera(storm_weavers(), VirtualTable(seed=3))
    frames = [*evening.table.throw("2d6", (3, 5))]
    evening.shows(frames[:-2])
    typed = DiceReading(tuple(ReadDie(Die.D6, face, Source.TYPED, 1.0) for face in (3, 5)))
    evening.live.take(typed, by="Ada", revision=evening.live.revision)
    evening.live.take(Action("test", {"attribute": "wisdom"}), by="Ada", revision=evening.live.revision)
    evening.shows(frames[-2:])
    evening.settles()
    assert isinstance(evening.session.pending, Roll), "they are asked about, or mean nothing"


@needs_networks
def test_dice_under_the_hand_of_whoever_mends_the_camera_are_no_roll() -> None:
    evening = AtTheCamera(storm_weavers(), VirtualTable(seed=3))
    evening.shows(evening.table.throw("2d6", (3, 5)))
    evening.settles()
    evening.session.perform("test", attribute="wisdom")
    first = evening.table.lying["d6 1"]
    arm = [*evening.table.rest_arm((first.x, first.y), 6)]
    evening.shows(arm[:4])
    evening.watch.begin_anew()
    evening.shows(arm[4:])
    evening.settles()
    assert isinstance(evening.session.pending, Roll)
