"""A camera at the table: what lies still is proposed, put right, taken; what goes wrong is said; play goes on."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.journal import Answered
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import CardReading, DiceReading, Source
from loomtable.engine.kernel.requests import Roll, ShowCard
from loomtable.printkit.draw.codes import modules
from loomtable.table.hosting.backoff import Backoff
from loomtable.table.hosting.camera import CameraWatch
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.errors import CameraGone
from loomtable.table.hosting.event_bus import Change, Topic
from loomtable.table.hosting.host import TableHost
from loomtable.table.hosting.live_session import LiveSession
from loomtable.table.hosting.proposals import Proposal, proposal_of
from loomtable.table.hosting.sources import Paced, PushedFrames, open_camera
from loomtable.table.reading.answers import CameraAnswer, answer_of_tray
from loomtable.table.store import open_store
from loomtable.vision.camera import CameraLost, FrameSource, PictureRun
from loomtable.vision.dice import TrayReading, read_dice
from loomtable.vision.dice.enrolment.rolls import confirmed_rolls, learns_from_rolls
from loomtable.vision.pictures import BgrImage
from loomtable.vision.tray import assess_tray
from loomtable.vision.verdict import Verdict
from loomtable.vision.virtual import TINTS, Light, PlacedDie, Scene, Surface, VirtualCamera, photograph
from tests.table.asking import Answer, Asker, Table
from tests.vision.needed import needs_networks

CAMERA = VirtualCamera(height=240, tilt=6, frame=(800, 450), noise=0.8)
FELT = Surface("felt", TINTS["felt"][0], 3)
LAMP = Light(azimuth=200, elevation=58, distance=1100, size=9, sky=0.7)
TWO = (
    PlacedDie(5, -40, 10, 20, body=(236, 230, 214), pips=(18, 18, 20)),
    PlacedDie(3, 30, -18, 60, body=(150, 24, 28), pips=(240, 236, 226)),
)
LONGEST = 40.0
"""Seconds that a busy machine may take; a quiet one needs one or two."""


def shot(dice: Sequence[PlacedDie], seed: int = 1) -> BgrImage:
    return photograph(Scene(FELT, (), tuple(dice), LAMP), CAMERA, seed).picture


@pytest.fixture(scope="module")
def empty() -> BgrImage:
    return shot(())


@pytest.fixture(scope="module")
def lying() -> BgrImage:
    return shot(TWO)


def again(picture: BgrImage, frames: int) -> Iterator[BgrImage]:
    noise = np.random.default_rng(1)
    for _ in range(frames):
        yield np.clip(picture + noise.normal(0, 1.2, picture.shape), 0, 255).astype(np.uint8)


def a_throw(empty: BgrImage, lying: BgrImage, still: int = 8) -> Iterator[BgrImage]:
    """An empty table, dice that tumble, dice that lie still."""
    yield from again(empty, 2)
    for k in range(3):
        yield shot([replace(die, x=die.x + 9 * (k + 1), turn=die.turn + 40 * k) for die in TWO], 20 + k)
    yield from again(lying, still)


def watching(live: LiveSession, *runs: FrameSource) -> CameraWatch:
    """A watch whose camera is these runs, one after another each time that it is opened."""
    left = iter(runs)
    live.camera = CameraWatch(live, lambda spec: next(left))
    return live.camera


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + LONGEST
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


def test_a_throw_before_the_camera_is_proposed_and_taken_by_one_tap(
    friday: Table, empty: BgrImage, lying: BgrImage
) -> None:
    live = friday.host.live_session("friday")
    host = friday.join(Role.HOST)
    watch = watching(live, PictureRun(a_throw(empty, lying)))
    watch.start("0")
    until(lambda: watch.proposal)
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
    assert watch.proposal is None
    assert host.play("camera-accept", proposal=proposal["number"]).status in (400, 403)


def test_a_page_that_listens_late_is_told_what_the_camera_has_read(friday: Table, lying: BgrImage) -> None:
    """Between a page and its first news dice may have come to rest; then nothing moves, and no news would come."""
    live = friday.host.live_session("friday")

    async def first(count: int) -> list[Change | None]:
        listening = live.subscribe(heartbeat=5)
        return [await anext(listening) for _ in range(count)]

    assert asyncio.run(first(1)) == [Change(Topic.PLAY, live.revision)]
    live.camera_watch().show(lying)
    assert asyncio.run(first(2)) == [Change(Topic.PLAY, live.revision), Change(Topic.CAMERA, live.revision)]


def test_a_die_is_put_right_in_two_taps(friday: Table, lying: BgrImage) -> None:
    live = friday.host.live_session("friday")
    host = friday.join(Role.HOST)
    proposal = live.camera_watch().show(lying)
    place = next(die.place for die in proposal.dice if die.face == "3")
    assert next(die.faces for die in proposal.dice) == ("1", "2", "3", "4", "5", "6")
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
    proposal = doubting(live.camera_watch(), lying)
    assert (proposal.verdict, proposal.answer) == (Verdict.ASK, None)
    before = live.revision
    taken = phone.play("camera-correct", proposal=proposal.number, place=1, face=proposal.dice[0].face)
    assert (taken.status, live.revision) == (200, before + 1), taken.text
    assert phone.play("take-back").json["says"] == "Taken back."
    assert isinstance(live.session.pending, Roll), "it is asked again"
    # What somebody else has rolled, and what is long past, is the host's to undo.
    friday.join(Role.PLAYER, "Ben").play("answer", answer=["3", "4"])
    assert phone.play("take-back").status == 403
    assert live.session.pending is None


def doubting(watch: CameraWatch, lying: BgrImage) -> Proposal:
    """A proposal of which the first die is not sure."""
    sure = watch.show(lying)
    assert sure.tray is not None
    first, *others = sure.tray.dice
    dice = (replace(first, doubt="was read as 3 and as 5"), *others)
    tray = assess_tray(dice, sure.tray.expected)
    assert isinstance(sure.request, Roll)
    seen = answer_of_tray(sure.request, tray)
    watch.proposal = proposal_of(sure.number, sure.revision, sure.request, seen, lying, tray)
    return watch.proposal


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
        live.camera_watch().takes_itself = True
        yield from [hand, hand]
        yield from again(lying, 12)

    watch = watching(live, PictureRun(run()))
    told = told_by(watch)
    watch.start("0")
    until(lambda: watch.proposal)
    first = watch.proposal
    read.set()
    until(lambda: not watch.on)
    assert watch.proposal is first and live.session.pending is not None
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
        watch.start("0")
        until(lambda watch=watch: not watch.on)
        assert any(says.startswith(expected) for says, _, _ in told), told
        assert watch.proposal is None or watch.proposal.answer is None
        watch.stop()


def test_the_networks_are_ready_before_anything_is_asked(
    friday: Table, empty: BgrImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = friday.host.live_session("friday")
    assert live.session.pending is not None
    live.take(random_answer(live.session.pending, random.Random(1)), by="", revision=live.revision)
    assert live.session.pending is None
    ready: list[str] = []
    monkeypatch.setattr("loomtable.table.hosting.camera.warm_up", lambda: ready.append("ready"))
    watch = watching(live, PictureRun(again(empty, 2)))
    watch.start("0")
    until(lambda: not watch.on)
    assert ready == ["ready"]


@needs_networks
def test_the_last_die_in_doubt_is_answered_and_the_roll_taken_by_one_tap_which_teaches_it(
    friday: Table, lying: BgrImage
) -> None:
    watch = friday.host.live_session("friday").camera_watch()
    tray = read_dice(lying, (2, Die.D6))
    first, second = tray.dice
    doubted = assess_tray((replace(first, doubt="has a gleam on it"), second), (2, Die.D6))
    revision, request = watch.wanted()
    watch.proposal = proposal_of(1, revision, request, CameraAnswer("", None, doubted, doubted), lying, doubted)
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


def test_where_the_table_says_so_a_sure_throw_is_taken_at_once(
    friday: Table, empty: BgrImage, lying: BgrImage
) -> None:
    live = friday.host.live_session("friday")
    host = friday.join(Role.HOST)
    watch = watching(live, PictureRun(a_throw(empty, lying)))
    host.play("camera-setting", takes_itself="on")
    watch.start("0")
    until(lambda: live.revision == 4)
    assert live.lines()[-1].who.startswith("the camera")
    until(lambda: not watch.on)
    assert live.revision == 4, "the same throw is not taken twice"


def test_dice_that_lay_there_before_are_no_throw_that_is_taken_by_itself(friday: Table, lying: BgrImage) -> None:
    live = friday.host.live_session("friday")
    watch = watching(live, PictureRun(again(lying, 1)), PictureRun(again(lying, 14)))
    watch.takes_itself = True
    watch._asked = (live.revision, live.session.pending)
    watch.start("0")
    until(lambda: not watch.on)
    assert live.session.pending is not None
    watch.stop()


class Dying(FrameSource):
    """A camera that is unplugged after a few frames."""

    live = True

    def __init__(self, frames: Iterator[BgrImage]) -> None:
        self.name, self._frames = "camera 0", frames

    def read(self) -> BgrImage | None:
        picture = next(self._frames, None)
        if picture is None:
            raise CameraLost("camera 0 sends no more pictures; is it still plugged in?")
        return picture

    def close(self) -> None:
        self._frames = iter(())


def test_a_camera_that_dies_is_said_and_tried_again(
    friday: Table, empty: BgrImage, lying: BgrImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loomtable.table.hosting.camera.AGAIN_AFTER", 0.05)
    live = friday.host.live_session("friday")
    host = friday.join(Role.HOST)
    told: list[str] = []
    back = PictureRun(a_throw(empty, lying))
    watch = watching(live, Dying(again(empty, 3)), Dying(iter(())), back)
    tell = watch._tell

    def listening() -> None:
        told.append(watch.trouble)
        tell()

    watch._tell = listening  # type: ignore[method-assign]
    watch.start("0")
    until(lambda: any("is it still plugged in?" in one for one in told))
    assert host.get("/api/play/friday/state").status == 200, "everything else goes on"
    until(lambda: watch.proposal)
    assert watch.trouble == ""
    assert any("can be typed meanwhile" in one for one in told)


def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loomtable.table.hosting.backoff.FIRST_PAUSE", 0.02)
    monkeypatch.setattr("loomtable.table.hosting.backoff.LONGEST_PAUSE", 0.1)


def told_by(watch: CameraWatch) -> list[tuple[str, str, bool]]:
    """What a page that listens sees at each piece of news: what is said, what is wrong, whether dice are read."""
    told: list[tuple[str, str, bool]] = []
    tell = watch._tell

    def listening() -> None:
        told.append((watch.says, watch.trouble, watch.proposal is not None))
        tell()

    watch._tell = listening  # type: ignore[method-assign]
    return told


def throws(error: Exception, times: int | None) -> Callable[..., TrayReading]:
    """A reader of dice with a defect: it fails so many times, or always."""
    left = [times]

    def read(*given: object, **named: object) -> TrayReading:
        if left[0] is None or left[0] > 0:
            left[0] = None if left[0] is None else left[0] - 1
            raise error
        return read_dice(*given, **named)  # type: ignore[arg-type]

    return read


@pytest.mark.parametrize("error", [ValueError("a defect"), cv2.error("of OpenCV"), AssertionError()])
def test_a_reader_that_fails_once_is_said_and_reads_the_next_throw(
    friday: Table,
    empty: BgrImage,
    lying: BgrImage,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    short_pauses(monkeypatch)
    monkeypatch.setattr("loomtable.vision.dice.settling.read_dice", throws(error, 1))
    watch = watching(friday.host.live_session("friday"), PictureRun(a_throw(empty, lying, still=10_000)))
    told = told_by(watch)
    watch.start("0")
    until(lambda: watch.proposal)
    assert watch.proposal is not None and watch.proposal.answer is not None
    assert any("our fault; it is tried again, and everything can be typed meanwhile" in t for _, t, _ in told)
    assert watch.trouble == ""
    assert [record.exc_info[1] for record in caplog.records if record.exc_info] == [error]
    watch.stop()


def test_a_reader_that_always_fails_stays_said_and_everything_else_goes_on(
    friday: Table,
    empty: BgrImage,
    lying: BgrImage,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    short_pauses(monkeypatch)
    live, host = friday.host.live_session("friday"), friday.join(Role.HOST)
    monkeypatch.setattr("loomtable.vision.dice.settling.read_dice", throws(ValueError("a defect"), None))
    watch = watching(live, PictureRun(again(lying, 10_000)))
    told = told_by(watch)
    watch.start("0")
    until(lambda: len(caplog.records) >= 4)
    wrong = [trouble for _, trouble, _ in told]
    assert all(wrong[wrong.index(next(filter(None, wrong))) :]), "it is not taken back before a reading went well"
    seen = host.get("/api/play/friday/camera").json
    assert seen["on"] and "the picture could not be read, and it is our fault" in seen["trouble"]
    until(lambda: host.get("/api/play/friday/camera.jpg").status == 200)  # what the camera sees is still shown
    monkeypatch.setattr("loomtable.vision.dice.settling.read_dice", read_dice)
    until(lambda: watch.proposal)
    assert watch.trouble == ""
    watch.stop()


class Defective(FrameSource):
    """A camera whose driver does what no driver should."""

    live = True

    def __init__(self) -> None:
        self.name, self.closed = "camera 0", False

    def read(self) -> BgrImage | None:
        raise cv2.error("of a driver")

    def close(self) -> None:
        self.closed = True
        raise OSError("not even this")


def test_a_camera_whose_driver_fails_is_opened_anew(
    friday: Table, empty: BgrImage, lying: BgrImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    short_pauses(monkeypatch)
    first, second = Defective(), Defective()
    watch = watching(friday.host.live_session("friday"), first, second, PictureRun(a_throw(empty, lying)))
    told = told_by(watch)
    watch.start("0")
    until(lambda: watch.proposal)
    assert first.closed and second.closed and watch.trouble == ""
    assert any("the camera gave no picture, and it is our fault" in trouble for _, trouble, _ in told)


def test_after_the_camera_was_lost_only_the_dice_that_are_asked_for_count(
    friday: Table, lying: BgrImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is unplugged in the middle of a question; a third die lies there when it is back."""
    monkeypatch.setattr("loomtable.table.hosting.camera.AGAIN_AFTER", 0.05)
    three = shot((*TWO, PlacedDie(6, 0, 40, 5, body=(236, 230, 214), pips=(18, 18, 20))))
    watch = watching(friday.host.live_session("friday"), Dying(again(lying, 3)), PictureRun(again(three, 14)))
    watch.start("0")
    until(lambda: not watch.on)
    assert watch.proposal is not None
    answer = watch.proposal.answer
    assert answer is None or (isinstance(answer, DiceReading) and len(answer.dice) == 2)


def test_pauses_grow_and_begin_again_after_a_success() -> None:
    backoff = Backoff()
    assert [backoff.failed() for _ in range(7)] == [1, 2, 4, 8, 16, 30, 30] and backoff.failing
    backoff.worked()
    assert not backoff.failing and backoff.failed() == 1


def test_dice_that_are_picked_up_are_gone_from_the_page(friday: Table, empty: BgrImage, lying: BgrImage) -> None:
    """Whoever looks at the page must not accept what no longer lies there."""
    live, host = friday.host.live_session("friday"), friday.join(Role.HOST)
    read = threading.Event()

    def run() -> Iterator[BgrImage]:
        yield from a_throw(empty, lying)
        assert read.wait(LONGEST)
        yield shot([replace(die, x=die.x + 25) for die in TWO], 31)

    watch = watching(live, PictureRun(run()))
    watch.start("0")
    until(lambda: watch.proposal)
    number = watch.proposal.number  # type: ignore[union-attr]
    read.set()
    until(lambda: not watch.on)
    assert host.get("/api/play/friday/camera").json["proposal"] is None
    late = host.play("camera-accept", proposal=number)
    assert (late.status, "dice were moved" in late.json["error"]) == (400, True)
    assert live.session.pending is not None


def test_a_page_is_told_when_a_hand_reaches_for_dice_that_were_photographed(
    friday: Table, lying: BgrImage
) -> None:
    """The hand was there before, so that the camera says nothing new: only the reading goes."""
    shown = threading.Event()

    def run() -> Iterator[BgrImage]:
        yield lying
        yield from (shot([replace(die, x=die.x + 15 * k, turn=40 * k) for die in TWO], 20 + k) for k in (1, 2))
        assert shown.wait(LONGEST)
        yield shot([replace(die, x=die.x - 20) for die in TWO], 25)

    watch = watching(friday.host.live_session("friday"), PictureRun(run()))
    told = told_by(watch)
    watch.start("0")
    until(lambda: watch.says == "something moves")
    watch.show(lying)
    assert told[-1] == ("something moves", "", True)
    shown.set()
    until(lambda: not watch.on)
    assert told[told.index(("something moves", "", True)) + 1] == ("something moves", "", False)


def test_a_picture_of_an_earlier_question_is_no_answer_to_a_later_one(friday: Table, lying: BgrImage) -> None:
    live = friday.host.live_session("friday")
    host = friday.join(Role.HOST)
    proposal = live.camera_watch().show(lying)
    host.play("undo")
    host.play("act", action="test", arg__attribute="dexterity")
    assert live.camera_watch().proposal is None
    late = host.play("camera-accept", proposal=proposal.number)
    assert (late.status, "read anew meanwhile" in late.json["error"]) == (400, True)
    with pytest.raises(ReadingMisfit):
        live.camera_watch().correct(proposal.number, 1, "1")


def test_a_phone_sends_frames_and_gets_an_answer_to_each(friday: Table, empty: BgrImage, lying: BgrImage) -> None:
    phone = friday.join(Role.CAMERA)
    for picture in a_throw(empty, lying, still=30):
        answer = send(phone, "frame", jpeg(picture))
        assert answer.status == 200 and set(answer.json) == {"says", "revision"}
        time.sleep(0.05)
        if friday.host.live_session("friday").camera_watch().proposal:
            break
    watch = friday.host.live_session("friday").camera_watch()
    until(lambda: watch.proposal)
    assert watch.name == "a camera"
    seen = phone.get("/api/play/friday/camera").json
    assert sorted(die["face"] for die in seen["proposal"]["dice"]) == ["3", "5"]
    assert phone.get("/api/play/friday/camera.jpg").status == 403


def test_a_photograph_over_plain_http_is_read_as_well(friday: Table, lying: BgrImage) -> None:
    phone = friday.join(Role.PLAYER, "Ilse")
    boundary = b"--x"
    body = b"\r\n".join(
        [
            boundary,
            b'Content-Disposition: form-data; name="photo"; filename="table.jpg"',
            b"Content-Type: image/jpeg",
            b"",
            jpeg(lying),
            boundary + b"--",
            b"",
        ]
    )
    headers = {"content-type": "multipart/form-data; boundary=x", "origin": "http://127.0.0.1:8417"}
    answer = phone.ask("POST", "/api/play/friday/photo", body, headers)
    assert answer.status == 200 and answer.json["sure"], answer.text
    number = friday.host.live_session("friday").camera_watch().proposal.number  # type: ignore[union-attr]
    assert phone.play("camera-accept", proposal=number).status == 200


def test_pictures_are_bounded_in_bytes_and_pixels_before_they_are_decoded(friday: Table) -> None:
    phone = friday.join(Role.CAMERA)
    for verb in ("frame", "photo"):
        large = send(phone, verb, b"\xff\xd8" + bytes(12_000_001))
        assert (large.status, "12 MB at most" in large.json["error"]) == (413, True)
        assert send(phone, verb, b"no picture").status == 400
        assert send(phone, verb, b"").status == 400
    bomb = png_that_claims(60_000, 60_000)
    assert len(bomb) < 200
    begun = time.perf_counter()
    assert send(phone, "photo", bomb).status == 400
    assert send(phone, "frame", png_that_claims(5000, 4000)).status == 413
    assert time.perf_counter() - begun < 5
    assert send(phone, "frame", jpeg(np.zeros((40, 40, 3), np.uint8))[:200]).status == 400


def test_no_picture_is_written_anywhere(friday: Table, lying: BgrImage, tmp_path: Path) -> None:
    phone = friday.join(Role.CAMERA)
    assert send(phone, "photo", jpeg(lying)).status == 200
    assert send(phone, "frame", jpeg(lying)).status == 200
    written = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert {name.split(".db")[0] for name in written} == {"e"}
    assert jpeg(lying)[200:400] not in b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())


def test_a_phone_that_goes_away_is_said(friday: Table, empty: BgrImage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loomtable.table.hosting.sources.QUIET_AFTER", 0.2)
    phone = friday.join(Role.CAMERA)
    send(phone, "frame", jpeg(empty))
    watch = friday.host.live_session("friday").camera_watch()
    until(lambda: watch.trouble)
    assert "sends no pictures any more; is its page still open?" in watch.trouble
    send(phone, "frame", jpeg(empty))  # it is back
    until(lambda: not watch.trouble)
    watch.stop()
    assert (watch.on, watch.says, watch.picture()) == (False, "no camera is on", None)


def test_cameras_that_are_not_there_are_said_at_once(friday: Table, tmp_path: Path) -> None:
    host = friday.join(Role.HOST)
    for bad in ("", "99", str(tmp_path / "none.mp4"), "ftp://somewhere/x"):
        answer = host.play("camera-choose", camera=bad)
        assert answer.status in (400, 409) and answer.json["error"].endswith("."), bad
    answer = host.play("camera-again")
    assert (answer.status, answer.json["error"]) == (409, "No camera is on; choose one, or type what lies there.")
    assert host.get("/api/play/friday/camera.jpg").status == 409


def test_a_recording_is_played_at_its_pace_and_late_pictures_are_passed_over() -> None:
    frames = [np.full((4, 4, 3), n, np.uint8) for n in range(30)]
    source = Paced(PictureRun(iter(frames)), pace=100)
    begun = time.monotonic()
    first = source.read()
    time.sleep(0.105)
    later = source.read()
    assert first is not None and later is not None
    assert later[0, 0, 0] >= 10
    rest = [picture[0, 0, 0] for picture in source]
    assert rest[-1] == 29 and time.monotonic() - begun >= 0.28
    source.close()


def test_only_the_latest_frame_of_a_phone_counts() -> None:
    pushed = PushedFrames("a phone")
    for n in range(5):
        pushed.push(np.full((4, 4, 3), n, np.uint8))
    latest = pushed.read()
    assert latest is not None and latest[0, 0, 0] == 4
    pushed.close()
    assert pushed.read() is None
    with pytest.raises(CameraGone):
        open_camera("  ")


def test_a_test_die_in_another_shape_is_not_taken(friday: Table) -> None:
    """Three dice where two are asked for: rejected in words, and nothing can be accepted."""
    three = (*TWO, PlacedDie(6, 0, 40, 5, body=(236, 230, 214), pips=(18, 18, 20)))
    host = friday.join(Role.HOST)
    proposal = friday.host.live_session("friday").camera_watch().show(shot(three))
    assert (proposal.verdict, proposal.answer) == (Verdict.REJECTED, None)
    answer = host.play("camera-accept", proposal=proposal.number)
    assert answer.status == 400 and "Three dice, two expected" in answer.json["error"]
    assert proposal.dice[0].die is Die.D6


def jpeg(picture: BgrImage) -> bytes:
    return cv2.imencode(".jpg", picture)[1].tobytes()


def send(phone: Asker, verb: str, body: bytes) -> Answer:
    headers = {"content-type": "image/jpeg", "sec-fetch-site": "same-origin"}
    return phone.ask("POST", f"/api/play/friday/{verb}", body, headers)


def png_that_claims(width: int, height: int) -> bytes:
    """A picture whose header says that it is huge, in a few bytes."""
    import struct
    import zlib

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def coded(*cards: ComponentId) -> BgrImage:
    """A table with these cards' codes on it, side by side."""
    picture = np.full((360, 640, 3), 150, np.uint8)
    for place, card in enumerate(cards):
        code = np.where(np.array(modules(card.code)), 0, 255).astype(np.uint8)
        plate = np.kron(np.pad(code, 4, constant_values=255), np.ones((5, 5), np.uint8))
        x = 30 + 200 * place
        picture[90 : 90 + plate.shape[0], x : x + plate.shape[1]] = plate[..., None]
    return picture


def test_a_card_that_is_shown_answers_and_one_that_lay_there_before_does_not(tmp_path: Path) -> None:
    with open_store(tmp_path / "e.db") as store:
        runs = TableHost(store)
        live = runs.begin("weave", "friday", seed="1")
        table = Table(runs, hurried=True)
        host = table.join(Role.HOST)
        ada, ben, screen = table.join(Role.PLAYER, "Ada"), table.join(Role.PLAYER, "Ben"), table.join(Role.SCREEN)
        host.play("act", action="new-season", arg__playset="the-salt-road")
        source = random.Random(2)
        while not isinstance(asked := live.session.pending, ShowCard):
            if asked is None:
                host.play("act", action="add-character", arg__player="Ada")
            else:
                live.take(random_answer(asked, source), by="", revision=live.revision)
        first, second = (ComponentId(asked.kind, number) for number in asked.among[:2])
        both = [*again(coded(first), 4), *again(coded(first, second), 9)]
        watch = watching(live, PictureRun(both[:4]), PictureRun(both[4:]))
        watch.start("0")
        until(lambda: not watch.on)
        assert watch.proposal is not None and watch.proposal.answer == CardReading(first, Source.CAMERA)
        assert screen.get("/api/play/friday/camera").json["proposal"] is None
        for asker, own in ((ada, asked.by == "Ada"), (ben, False)):
            assert (asker.get("/api/play/friday/camera").json["proposal"] is not None) is own
            assert (asker.get("/api/play/friday/camera.jpg").status == 200) is own
        host.play("camera-accept", proposal=watch.proposal.number)
        while not isinstance(asked := live.session.pending, ShowCard):
            assert asked is not None
            live.take(random_answer(asked, source), by="", revision=live.revision)
        assert first.number not in asked.among
        watch.start("0")  # the first card still lies there, and the second one beside it
        until(lambda: not watch.on)
        assert watch.proposal is not None and watch.proposal.answer == CardReading(second, Source.CAMERA)
        runs.close()


def test_of_two_cards_the_one_that_was_laid_after_the_question_is_meant(tmp_path: Path) -> None:
    """Ada lays a card and says another; it still lies there when the next one is asked for."""
    with open_store(tmp_path / "e.db") as store:
        runs = TableHost(store)
        live = runs.begin("weave", "friday", seed="1")
        live.take(Action("new-season", {"playset": "the-salt-road"}), by="", revision=live.revision)
        source = random.Random(2)

        def next_card() -> ShowCard:
            while not isinstance(asked := live.session.pending, ShowCard):
                what = Action("add-character", {"player": "Ada"})
                step = what if asked is None else random_answer(asked, source)
                live.take(step, by="", revision=live.revision)
            return asked

        asked = next_card()
        lies, laid, said = (ComponentId(asked.kind, number) for number in asked.among[:3])
        answered = threading.Event()

        def run() -> Iterator[BgrImage]:
            yield from again(coded(lies), 4)
            assert answered.wait(LONGEST)
            yield from again(coded(lies), 2)
            yield from again(coded(lies, laid), 9)

        watch = watching(live, PictureRun(run()))
        watch.start("0")
        until(lambda: watch.proposal)
        live.take(CardReading(said), by="Ada", revision=live.revision)
        asked = next_card()
        assert {lies.number, laid.number} <= set(asked.among), "both could be meant"
        answered.set()
        until(lambda: not watch.on)
        assert watch.proposal is not None and watch.proposal.answer == CardReading(laid, Source.CAMERA)
        runs.close()


def test_ordinary_dice_stand_in_for_weave_dice_before_the_camera(tmp_path: Path, lying: BgrImage) -> None:
    asked = Roll(Die.WEAVE, 2, "a challenge", by="Ilse", rule="WV-12", stand_in=tuple(map(str, Die.WEAVE.faces)))
    with open_store(tmp_path / "e.db") as store:
        runs = TableHost(store)
        live = runs.begin("weave", "friday", seed="1")
        watch = watching(live, PictureRun(again(lying, 17)))
        watch._pending = lambda: (live.revision, asked)  # type: ignore[method-assign]
        watch.start("0")
        until(lambda: watch.proposal)
        assert watch.proposal is not None and watch.proposal.answer is not None
        assert isinstance(watch.proposal.answer, DiceReading)
        assert sorted(watch.proposal.answer.pips) == [3, 5]
        assert watch.proposal.says in ("Two dice: Gales and Weave", "Two dice: Weave and Gales")
        asked.check(watch.proposal.answer)
        until(lambda: not watch.on)
        runs.close()
