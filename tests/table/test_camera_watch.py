"""A camera at the table: what lies still is proposed, put right, taken."""

from __future__ import annotations

import asyncio
import random
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.journal import Answered
from loomtable.engine.kernel.readings import DiceReading, Source
from loomtable.engine.kernel.requests import Roll
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.event_bus import Change, Topic
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.proposal import Proposal, proposal_of
from loomtable.table.hosting.proposals import Taking
from loomtable.table.hosting.table_watch import TableWatch
from loomtable.table.reading.answers import answer_of_tray
from loomtable.table.reading.kept_cameras import kept_prints
from loomtable.table.store import open_store
from loomtable.testing.virtual import PlacedDie
from loomtable.vision.camera import PictureRun
from loomtable.vision.dice import read_dice
from loomtable.vision.dice.enrolment.rolls import confirmed_rolls
from loomtable.vision.dice.enrolment.storage import learns_from_rolls
from loomtable.vision.pictures import BgrImage
from loomtable.vision.tray import assess_tray
from loomtable.vision.verdict import Verdict
from tests.short import present
from tests.table.asking import Table
from tests.table.filming import LONGEST, TWO, a_throw, again, shot, told_by, until, watching
from tests.vision.needed import needs_networks
from tests.vision.printed_laid import cards_seen_aslant


def test_a_throw_before_the_camera_is_proposed_and_taken_by_one_tap(
    friday: Table, empty: BgrImage, lying: BgrImage
) -> None:
    live = friday.host.live_session("friday")
    host = friday.join(Role.HOST)
    watch = watching(live, PictureRun(a_throw(empty, lying)))
    watch.camera.start("0")
    until(lambda: watch.proposals.current)
    seen = host.get("/api/play/friday/camera").json
    proposal = seen["proposal"]
    assert (proposal["verdict"], proposal["sure"]) == ("accepted", True)
    assert sorted(die["face"] for die in proposal["dice"]) == ["3", "5"]
    for die in proposal["dice"]:
        x0, y0, x1, y1 = die["box"]
        assert 0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1
    picture = host.get("/api/play/friday/camera.jpg")
    assert cv2.imdecode(np.frombuffer(picture.body, np.uint8), cv2.IMREAD_COLOR).shape == (450, 800, 3)
    taken = host.play("camera-accept", proposal=proposal["number"])
    assert taken.json["says"] == "Test of Wisdom: 8 against 7, failed."
    line = live.lines()[-1]
    assert isinstance(line.entry, Answered) and isinstance(line.entry.reading, DiceReading)
    assert {die.how for die in line.entry.reading.dice} == {Source.CAMERA}
    assert watch.proposals.current is None
    assert host.play("camera-accept", proposal=proposal["number"]).status in (400, 403)


def test_a_page_that_listens_late_is_told_what_the_camera_has_read(friday: Table, lying: BgrImage) -> None:
    """Between a page and its first news dice may have come to rest; then nothing moves, and no news would come."""
    live = friday.host.live_session("friday")

    async def first(count: int) -> list[Change | None]:
        listening = live.subscribe(heartbeat=5)
        return [await anext(listening) for _ in range(count)]

    assert asyncio.run(first(1)) == [Change(Topic.PLAY, live.revision)]
    live.watch.show(lying)
    assert asyncio.run(first(2)) == [Change(Topic.PLAY, live.revision), Change(Topic.CAMERA, live.revision)]


def test_a_die_is_put_right_in_two_taps(friday: Table, lying: BgrImage) -> None:
    live = friday.host.live_session("friday")
    host = friday.join(Role.HOST)
    proposal = live.watch.show(lying)
    place = next(die.place for die in proposal.dice if die.face == "3")
    assert next(die.likely for die in proposal.dice) == (), "it is sure"
    put_right = host.play("camera-correct", proposal=proposal.number, place=place, face="2")
    assert put_right.status == 200, put_right.text
    for bad in ({"place": 9, "face": "2"}, {"place": place, "face": "7"}, {"place": "x", "face": "1"}):
        assert host.play("camera-correct", proposal=proposal.number, **bad).status == 400
    assert host.play("camera-correct", proposal=proposal.number + 1, place=place, face="2").status == 400
    assert "7 against 7" in host.play("camera-accept", proposal=proposal.number).json["says"]
    reading = live.lines()[-1].entry.reading  # type: ignore[union-attr]
    [corrected] = [die for die in reading.dice if die.how is Source.CORRECTED]  # type: ignore[union-attr]
    assert (corrected.face, corrected.misread) == (2, 3)


def test_the_last_die_in_doubt_takes_them_all_and_can_be_taken_back(friday: Table, lying: BgrImage) -> None:
    live, phone = friday.host.live_session("friday"), friday.join(Role.PLAYER, "Ilse")
    proposal = doubting(live.watch, lying)
    assert (proposal.verdict, proposal.answer) == (Verdict.ASK, None)
    before = live.revision
    taken = phone.play("camera-correct", proposal=proposal.number, place=1, face=proposal.dice[0].face)
    assert (taken.status, live.revision) == (200, before + 1), taken.text
    assert phone.play("take-back").json["says"].startswith("Undone: Test of ")
    assert isinstance(live.session.pending, Roll), "it is asked again"
    # What somebody else has rolled, and what is long past, is the host's to undo.
    friday.join(Role.PLAYER, "Ben").play("answer", answer=["3", "4"])
    assert phone.play("take-back").status == 403
    assert live.session.pending is None
    live.undo(by="", revision=live.revision)
    phone.play("answer", random="1")
    assert phone.play("take-back").status == 403, "what was left to chance is not rolled again until it pleases"


def doubting(watch: TableWatch, lying: BgrImage) -> Proposal:
    """A proposal of which the first die is not sure."""
    sure = watch.show(lying)
    assert sure.tray is not None
    first, *others = sure.tray.dice
    dice = (replace(first, doubt="was read as 3 and as 5"), *others)
    tray = assess_tray(dice, sure.tray.expected)
    assert isinstance(sure.request, Roll)
    seen = answer_of_tray(sure.request, tray)
    watch.proposals.current = proposal_of(sure.number, sure.revision, sure.request, seen, lying)
    return watch.proposals.current


def test_a_hand_that_only_passes_over_the_dice_does_not_lose_them(
    friday: Table, empty: BgrImage, lying: BgrImage
) -> None:
    """Nothing was thrown anew, so they are offered again and never taken by themselves."""
    live = friday.host.live_session("friday")
    read = threading.Event()
    hand = lying.copy()
    hand[:, :300] = (120, 150, 200)

    def run() -> Iterator[BgrImage]:
        yield from a_throw(empty, lying)
        assert read.wait(LONGEST)
        live.watch.proposals.taking = Taking.AT_ONCE
        yield from [hand, hand]
        yield from again(lying, 12)

    watch = watching(live, PictureRun(run()))
    told = told_by(watch)
    watch.camera.start("0")
    until(lambda: watch.proposals.current)
    first = watch.proposals.current
    read.set()
    until(lambda: not watch.camera.on)
    assert watch.proposals.current is first and live.session.pending is not None
    assert ("a hand is over the table", "", False) in told


def test_the_camera_says_what_it_sees_while_it_cannot_answer(
    friday: Table, empty: BgrImage, lying: BgrImage
) -> None:
    live = friday.host.live_session("friday")
    asked = Roll(Die.D6, 5, "a test of five", by="Thymin", rule="SW-3")
    dark = (empty * 0.1).astype(np.uint8)
    for frames, expected in ((again(lying, 8), "two of five dice"), (again(dark, 8), "too dark to read")):
        watch = watching(live, PictureRun(frames))
        watch._pending = lambda: (live.revision, asked)  # type: ignore[method-assign]
        told = told_by(watch)
        watch.camera.start("0")
        until(lambda watch=watch: not watch.camera.on)
        assert any(says.startswith(expected) for says, _, _ in told), told
        assert watch.proposals.current is None or watch.proposals.current.answer is None
        watch.stop()


def test_the_networks_are_ready_before_anything_is_asked(
    friday: Table, empty: BgrImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = friday.host.live_session("friday")
    assert live.session.pending is not None
    live.take(random_answer(live.session.pending, random.Random(1)), by="", revision=live.revision)
    assert live.session.pending is None
    ready: list[str] = []
    monkeypatch.setattr("loomtable.table.hosting.table_watch.warm_up", lambda: ready.append("ready"))
    watch = watching(live, PictureRun(again(empty, 2)))
    watch.camera.start("0")
    until(lambda: not watch.camera.on)
    assert ready == ["ready"]


@needs_networks
def test_the_last_die_in_doubt_is_answered_and_the_roll_taken_by_one_tap_which_teaches_it(
    friday: Table, lying: BgrImage
) -> None:
    watch = friday.host.live_session("friday").watch
    tray = read_dice(lying, (2, Die.D6))
    first, second = tray.dice
    doubted = assess_tray((replace(first, doubt="has a gleam on it"), second), (2, Die.D6))
    revision, request = watch.wanted()
    assert isinstance(request, Roll)
    watch.proposals.current = proposal_of(1, revision, request, answer_of_tray(request, doubted), lying)
    host = friday.join(Role.HOST)
    seen = host.get("/api/play/friday/camera").json["proposal"]
    assert (seen["sure"], [bool(die["doubt"]) for die in seen["dice"]]) == (False, [True, False])
    assert host.play("camera-accept", proposal=1).status == 400
    taken = host.play("camera-correct", proposal=1, place=1, face=str(first.face))
    assert "Test of Wisdom: 8 against 7" in taken.json["says"]
    [kept] = confirmed_rolls()
    assert sorted(shot.number for shot in kept.shots) == sorted(tray.faces)
    assert host.get("/devices").body.count(b"/api/dice/d6.png") == 1
    assert host.get("/api/dice/d6.png").status == 200
    assert host.post("/api/dice/learning").status == 200
    assert not learns_from_rolls()
    assert host.post("/api/dice/forget").status == 200
    assert (confirmed_rolls(), host.get("/api/dice/d6.png").status) == ([], 404)


def test_the_first_buttons_of_a_doubtful_die_are_what_it_most_likely_shows(friday: Table, lying: BgrImage) -> None:
    watch = friday.host.live_session("friday").watch
    revision, request = watch.wanted()
    assert isinstance(request, Roll)
    first, second = present(watch.show(lying).tray).dice
    tray = assess_tray((replace(first, doubt="could be a 2 or a 5", likely=(5, 2)), second), (2, Die.D6))
    answer = answer_of_tray(request, tray)
    assert answer.says.endswith(f"They show 5 or 2 (?), {second.face}")
    watch.proposals.current = proposal_of(1, revision, request, answer, lying)
    page = friday.join(Role.HOST).get("/table/friday/taking").body.decode()
    doubtful, sure = (page.split(f'id="fix-{place}"')[1].split("</form>")[0] for place in (1, 2))
    shown = re.findall(r'name="face" value="(\d)" class="tile( likely)?"', doubtful)
    assert shown == [("5", " likely"), ("2", " likely"), ("1", ""), ("3", ""), ("4", ""), ("6", "")]
    assert "likely" not in sure


def test_where_the_table_says_so_a_sure_throw_is_taken_at_once(
    friday: Table, empty: BgrImage, lying: BgrImage
) -> None:
    live = friday.host.live_session("friday")
    host = friday.join(Role.HOST)
    watch = watching(live, PictureRun(a_throw(empty, lying)))
    host.play("camera-setting", taking="at once")
    watch.camera.start("0")
    until(lambda: live.revision == 4)
    assert live.lines()[-1].who.startswith("the camera")
    until(lambda: not watch.camera.on)
    assert live.revision == 4, "the same throw is not taken twice"
    assert "ask, countdown, at once" in host.play("camera-setting", taking="soon").text


def test_dice_that_lay_there_before_are_no_throw_that_is_taken_by_itself(friday: Table, lying: BgrImage) -> None:
    live = friday.host.live_session("friday")
    watch = watching(live, PictureRun(again(lying, 14)))
    watch.proposals.taking = Taking.AT_ONCE
    watch.camera.start("0")
    until(lambda: not watch.camera.on)
    assert present(watch.proposals.current).answer is not None, "they are sure, and offered"
    assert live.session.pending is not None, "and not taken"


def test_dice_that_are_picked_up_are_gone_from_the_page(friday: Table, empty: BgrImage, lying: BgrImage) -> None:
    """Whoever looks at the page must not accept what no longer lies there."""
    live, host = friday.host.live_session("friday"), friday.join(Role.HOST)
    read = threading.Event()

    def run() -> Iterator[BgrImage]:
        yield from a_throw(empty, lying)
        assert read.wait(LONGEST)
        yield shot([replace(die, x=die.x + 25) for die in TWO], 31)

    watch = watching(live, PictureRun(run()))
    watch.camera.start("0")
    until(lambda: watch.proposals.current)
    number = watch.proposals.current.number  # type: ignore[union-attr]
    read.set()
    until(lambda: not watch.camera.on)
    assert host.get("/api/play/friday/camera").json["proposal"] is None
    late = host.play("camera-accept", proposal=number)
    assert (late.status, "dice have moved" in late.json["error"]) == (400, True)
    assert live.session.pending is not None


def test_a_picture_of_an_earlier_question_is_no_answer_to_a_later_one(friday: Table, lying: BgrImage) -> None:
    live = friday.host.live_session("friday")
    host = friday.join(Role.HOST)
    proposal = live.watch.show(lying)
    host.play("undo")
    host.play("act", action="test", arg__attribute="dexterity")
    assert live.watch.proposals.current is None
    late = host.play("camera-accept", proposal=proposal.number)
    assert (late.status, "been read again since" in late.json["error"]) == (400, True)
    with pytest.raises(ReadingMisfit):
        live.watch.proposals.correct(proposal.number, 1, "1")


def test_what_was_read_while_somebody_typed_the_answer_is_not_offered(friday: Table, lying: BgrImage) -> None:
    live = friday.host.live_session("friday")
    watch, asked = live.watch, live.revision
    read = watch.show(lying)
    assert isinstance(read.request, Roll) and read.tray is not None
    seen = answer_of_tray(read.request, read.tray)
    watch.proposals.offer(read.request, asked, seen, lying, roll=read.tray)
    watch.proposals.hide()  # a hand reaches over the dice
    assert friday.join(Role.PLAYER, "Ilse").play("answer", answer=["3", "4"]).status == 200
    watch.proposals.offer(read.request, asked, seen, lying, roll=read.tray)
    assert watch.proposals.current is None
    watch.proposals.offer(read.request, asked, seen, lying)
    assert watch.proposals.current is None


def test_a_test_die_in_another_shape_is_not_taken(friday: Table) -> None:
    """Three dice where two are asked for: rejected in words, and nothing can be accepted."""
    three = (*TWO, PlacedDie(6, 0, 40, 5, body=(236, 230, 214), pips=(18, 18, 20)))
    host = friday.join(Role.HOST)
    proposal = friday.host.live_session("friday").watch.show(shot(three))
    assert (proposal.verdict, proposal.answer) == (Verdict.REJECTED, None)
    answer = host.play("camera-accept", proposal=proposal.number)
    assert answer.status == 400 and "Three dice, two expected" in answer.json["error"]
    assert proposal.dice[0].die is Die.D6


def test_ordinary_dice_stand_in_for_weave_dice_before_the_camera(tmp_path: Path, lying: BgrImage) -> None:
    asked = Roll(Die.WEAVE, 2, "a challenge", by="Ilse", rule="WV-12", stand_in=tuple(map(str, Die.WEAVE.faces)))
    with TableHost(open_store(tmp_path / "e.db")) as runs:
        live = runs.begin("weave", "friday", seed="1")
        watch = watching(live, PictureRun(again(lying, 17)))
        watch._pending = lambda: (live.revision, asked)  # type: ignore[method-assign]
        watch.camera.start("0")
        until(lambda: watch.proposals.current)
        assert watch.proposals.current is not None and watch.proposals.current.answer is not None
        assert isinstance(watch.proposals.current.answer, DiceReading)
        assert sorted(watch.proposals.current.answer.pips) == [3, 5]
        assert watch.proposals.current.says in ("Two dice: Gales and Weave", "Two dice: Weave and Gales")
        asked.check(watch.proposals.current.answer)
        until(lambda: not watch.camera.on)


def test_cards_on_the_table_tell_from_where_the_camera_sees_it_until_it_is_moved(friday: Table) -> None:
    live, host, cards = friday.host.live_session("friday"), friday.join(Role.HOST), cards_seen_aslant()
    bumped, moved = threading.Event(), np.roll(cards, 40, axis=1)
    frames = (next(again(moved if bumped.is_set() else cards, 1, seed)) for seed in range(100_000))
    watch = watching(live, PictureRun(frames, "desk"))
    watch.leads = True
    watch.camera.start("0")
    until(lambda: kept_prints("desk", cards))
    assert watch.stands in {f"The camera stands {angle} degrees above the table." for angle in range(49, 56)}
    assert watch.stands.encode() in host.get("/devices").body
    bumped.set()
    until(lambda: not kept_prints("desk", cards))
    assert not watch.stands, "where it stands now is not known"
    watch.stop()


def test_what_one_phone_has_seen_is_not_kept_for_another_of_the_same_name(friday: Table) -> None:
    live, cards = friday.host.live_session("friday"), cards_seen_aslant()
    live.watch = watch = TableWatch(live)
    watch.leads = True
    frames = again(cards, 100_000)
    until(lambda: watch.camera.push(next(frames), "a camera", "one") and kept_prints("a camera one", cards))
    assert not kept_prints("a camera two", cards) and not kept_prints("a camera", cards)
    watch.stop()
