"""What hands do is seen on every screen, stopped by anybody, and what is hidden is not told."""

from __future__ import annotations

import pytest

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.requests import Roll
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.proposals import COUNTDOWN
from loomtable.table.reading.answers import answer_of_tray
from loomtable.vision.card_stream import AWAY
from loomtable.vision.pool import Pool
from loomtable.vision.tray import SeenDie, assess_tray
from tests.systems import weave_table
from tests.table.asking import Table
from tests.table.filming import until
from tests.table.hands_on import FAR, NEAR, Evening, table_with

CHALLENGE = {"C10": NEAR, "R1": (300, 90)}
SAYS = "Ilse faces Brooks at level 2"


@pytest.fixture
def evening(friday: Table) -> Evening:
    return Evening(weave_table.Table(hand=True).session, friday.host.live_session("friday"))


def test_everybody_sees_what_counts_down_and_anybody_stops_it(friday: Table, evening: Evening) -> None:
    host, ada, tv = friday.join(Role.HOST), friday.join(Role.PLAYER, "Ada"), friday.join(Role.SCREEN)
    evening.lie(CHALLENGE)
    for page in (host.get("/table/friday"), ada.get("/table/friday"), tv.get("/room/friday")):
        assert SAYS in page.text
        assert 'class="ring"' in page.text
    number = evening.watch.proposals.current.number  # type: ignore[union-attr]
    assert ada.play("camera-accept", proposal=number).status == 403, "a Challenge is the host's to set"
    assert tv.play("camera-not", proposal=number).status == 403
    assert ada.play("camera-not", proposal=number).status == 200
    evening.lie(CHALLENGE, COUNTDOWN + 1)
    assert evening.session.pending is None
    assert SAYS not in host.get("/table/friday").text
    evening.lie({}, AWAY + 1)
    evening.lie(CHALLENGE)
    number = evening.watch.proposals.current.number  # type: ignore[union-attr]
    assert host.play("camera-accept", proposal=number).status == 200
    assert evening.session.last_action.name == "challenge"


def test_dice_that_are_about_to_be_taken_are_on_every_screen_and_anybody_stops_them(
    friday: Table, evening: Evening
) -> None:
    """Odo is asked, so Ben's page has the dice themselves; Ada's phone has the countdown, with Stop."""
    host, ada, tv = friday.join(Role.HOST), friday.join(Role.PLAYER, "Ada"), friday.join(Role.SCREEN)
    evening.session.perform("challenge", who="Odo", suit="stones")
    asked = evening.session.pending
    assert isinstance(asked, Roll)
    dice = tuple(SeenDie(Die.WEAVE, "stones", (90 * at, 0, 90 * at + 60, 60), 0.99) for at in range(asked.count))
    seen = answer_of_tray(asked, assess_tray(dice, Pool.of((asked.count, Die.WEAVE))))
    evening.watch.proposals.offer(asked, evening.live.revision, seen, table_with({}), taken_by="the camera")
    pages = [page.get("/table/friday").text for page in (host, ada)] + [tv.get("/room/friday").text]
    assert [page.count('class="ring"') for page in pages] == [1, 1, 1]
    number = evening.watch.proposals.current.number  # type: ignore[union-attr]
    assert "camera-not" in pages[1] and "camera-accept" not in pages[1]
    assert ada.play("camera-not", proposal=number).status == 200
    evening.watch.proposals.tick(evening.now + COUNTDOWN)
    assert evening.session.pending is asked


def test_why_a_card_cannot_be_played_is_for_the_host(friday: Table, evening: Evening) -> None:
    host, ada = friday.join(Role.HOST), friday.join(Role.PLAYER, "Ada")
    evening.lie({"C11": NEAR, "R1": (300, 90)})
    assert "is not in the storyteller" in host.get("/table/friday").text
    phone = ada.get("/table/friday").text
    assert SAYS in phone
    assert "hand" not in phone[phone.index(SAYS) : phone.index(SAYS) + 200]


def test_what_can_be_chosen_bears_the_letters_of_the_answer_cards(friday: Table, evening: Evening) -> None:
    host = friday.join(Role.HOST)
    evening.session.perform("new-episode")
    evening.session.answer(weave_table.card("S20"))
    assert "The answer card A" in host.get("/table/friday").text
    assert host.play("camera-hands").json["says"] == "The camera reads only what is asked."
    assert "The answer card A" not in host.get("/table/friday").text


def test_whose_marker_is_whose_is_on_the_sheet_the_television_and_the_live_picture(
    friday: Table, evening: Evening
) -> None:
    host, tv = friday.join(Role.HOST), friday.join(Role.SCREEN)
    for page in (host.get("/table/friday"), tv.get("/room/friday")):
        assert "star marker (R1)" in page.text
        assert "moon marker (R2)" in page.text
    evening.lie({"R2": NEAR, "R7": FAR})
    assert [mark.label for mark in evening.watch._marks()] == ["R2 Odo", "R7 Anchor marker"]


def test_what_is_known_of_the_table_is_drawn_on_the_live_picture(friday: Table, evening: Evening) -> None:
    host = friday.join(Role.HOST)
    shown = table_with({"S20": NEAR})
    evening.watch.camera.push(shown, "Ada's phone")
    until(lambda: evening.watch.camera.frame is shown)
    evening.lie({"S20": NEAR})
    evening.watch.proposals.withdraw()
    drawn = host.get("/api/play/friday/camera.jpg").body
    evening.watch.lead(False)
    assert drawn != host.get("/api/play/friday/camera.jpg").body
