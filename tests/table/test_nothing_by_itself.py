"""Nothing happens that no hand did: not by what befalls the whole picture, nor by what comes to light."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.systems import SYSTEMS
from loomtable.table.reading.scene import REST_AFTER
from loomtable.testing import VirtualTable
from loomtable.testing.virtual import Cutout
from loomtable.testing.virtual_table import Frames, Place
from loomtable.vision.card_stream import AWAY
from loomtable.vision.pictures import BgrImage
from tests.systems import weave_table
from tests.table.hands_on import FRAME, HAND, NEAR, Evening, Places, table_with
from tests.tiers import mostly
from tests.vision.needed import needs_networks

SETTLES = 8
"""Frames in which dice are read, taken after the countdown, and everything else as well."""


class Befallen(VirtualTable):
    """A table whose lamp, lens and camera are not left alone."""

    light, blur = 1.0, 0.0
    """The share of the light that is left, and pixels by which the camera is out of focus."""

    def knock(self, across: Place, turn: float) -> Frames:
        """The camera shakes, and looks elsewhere by so many mm and degrees from then on."""
        stood = self.camera
        for share in (0.4, 1.3, 1.0):
            aim = stood.aim[0] + share * across[0], stood.aim[1] + share * across[1]
            self.camera = self._film.camera = replace(stood, aim=aim, roll=stood.roll + share * turn)
            self._film._grounds.clear()
            self._scene = None
            yield self._frame()

    def _frame(self, moving: Sequence[Cutout] = ()) -> BgrImage:
        frame = super()._frame(moving)
        if self.blur:
            frame = np.asarray(cv2.GaussianBlur(frame, (0, 0), self.blur), np.uint8)
        return np.asarray(np.clip(frame * self.light, 0, 255), np.uint8)


class AtTheCamera(Evening):
    """An evening before the camera of a virtual table."""

    def __init__(self, session: Session, table: Befallen) -> None:
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

TOGETHER = ("the lamp goes out", "the stream is lost and found", "a knock that turns the camera")


def storm_weavers() -> Session:
    session = Session.open(SYSTEMS["storm-weavers"], seed="s")
    session.perform("create", dexterity_points=2)
    session.perform("test", attribute="wisdom")
    return session


@needs_networks
@pytest.mark.parametrize("befalls", mostly([TOGETHER, *((name, name) for name in BEFALLS)], [TOGETHER]))
def test_what_befalls_the_whole_picture_throws_no_dice(befalls: tuple[str, ...]) -> None:
    """The dice of the last roll lie there, and the next roll is asked for."""
    evening = AtTheCamera(storm_weavers(), Befallen(seed=3))
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
    evening.shows(evening.table.throw(["d6 1", "d6 2"], (6, 1)))
    evening.settles()
    assert evening.session.pending is None, "thrown, they are taken"


UNDO = (700, 400)
MUG = (slice(330, 560), slice(640, 900))


def steps(evening: Evening) -> int:
    """How many steps there are that nobody has undone."""
    return len([*evening.session.played])


def used_undo() -> tuple[Evening, Places]:
    """A card *Undo* that has undone a step, and is left lying; more steps could be undone."""
    evening = Evening(weave_table.Table().session)
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


@pytest.mark.parametrize(
    ("what", "seconds", "across"),
    mostly(
        [(what, *long) for what in ("mug", "phone", "page", "arm", "darkness") for long in ((4, 0), (26, 12))],
        [("mug", 26, 12), ("page", 4, 0), ("arm", 26, 12), ("darkness", 4, 0)],
    ),
)
def test_what_comes_to_light_was_not_laid(what: str, seconds: int, across: int) -> None:
    evening, lying = used_undo()
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
