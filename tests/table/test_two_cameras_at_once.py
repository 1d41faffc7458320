"""Cameras, phones and answers that come at the same moment: one camera is on, one answer counts."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from loomtable import SYSTEMS, Session
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction, LoomtableError, ReadingMisfit
from loomtable.engine.kernel.gestures import Offer
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import DiceReading, ReadDie, Source
from loomtable.table.choices.taking import camera_shown
from loomtable.table.hosting import proposals as proposals_module
from loomtable.table.hosting import uploads
from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.errors import CameraGone
from loomtable.table.hosting.live_session import LiveSession, StalePage
from loomtable.table.hosting.locks import Order, OrderedLock
from loomtable.table.hosting.proposals import COUNTDOWN, Proposals, Taking
from loomtable.table.hosting.watcher import Watcher
from loomtable.table.reading.answers import CameraAnswer
from loomtable.vision.camera import FrameSource, PictureRun
from loomtable.vision.dice.enrolment.rolls import confirmed_rolls
from loomtable.vision.dice.enrolment.storage import kept_file
from loomtable.vision.pictures import BgrImage, decode_upload
from tests.short import present, raises
from tests.table.asking import Answer, Asker, Table
from tests.table.at_once import raised_by
from tests.table.browsing import Served, chromium, serving
from tests.table.filming import TWO, Dying, again, shot, until, watching
from tests.table.hands_on import NEAR, Evening
from tests.vision.needed import needs_networks

PICTURE = np.full((45, 80, 3), 90, np.uint8)


pytestmark = pytest.mark.usefixtures("in_turns")


class Nobody:
    """Looks at a watcher's frames and does nothing."""

    def get_ready(self) -> None: ...

    def begin_anew(self) -> None: ...

    def look(self, frame: BgrImage) -> bool:
        return True

    def changed(self) -> None: ...


class Webcam(FrameSource):
    """A camera that runs until it is given back."""

    live = True

    def __init__(self, spec: str) -> None:
        self.name, self.closed = f"camera {spec}", False

    def read(self) -> BgrImage:
        time.sleep(0.002)
        return PICTURE

    def close(self) -> None:
        self.closed = True


def watching_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "camera"]


# One camera is on


def test_of_cameras_that_are_started_at_once_one_is_on_and_all_others_are_given_back() -> None:
    opened = list[Webcam]()

    def opens(spec: str) -> Webcam:
        opened.append(Webcam(spec))
        return opened[-1]

    for second in ("1", "2"):
        for _ in range(15):
            watcher = Watcher(Nobody(), opens)
            watcher.start("0")
            refused = raised_by(lambda w=watcher: w.start("1"), lambda w=watcher, s=second: w.start(s))  # type: ignore[misc]
            assert all(isinstance(error, CameraGone) for error in refused) and len(refused) <= (second == "2")
            until(lambda: sum(not camera.closed for camera in opened) == 1)
            [left] = [camera for camera in opened if not camera.closed]
            assert watcher.name == left.name and watcher.on
            watcher.stop()
            until(lambda left=left: left.closed)
    until(lambda: not watching_threads())
    assert len(opened) == 90


def test_frames_that_a_phone_sends_at_once_begin_one_camera() -> None:
    for _ in range(15):
        webcam, watcher = Webcam("0"), Watcher(Nobody())
        watcher._opens = lambda spec, camera=webcam: camera  # type: ignore[misc]
        watcher.start("0")
        assert not raised_by(*[lambda w=watcher: w.push(PICTURE, "Ada's phone", "a")] * 3)
        assert watcher.name == "Ada's phone" and watcher.lease.is_of("a")
        until(lambda webcam=webcam: webcam.closed and len(watching_threads()) == 1)
        watcher.stop()
        until(lambda: not watching_threads())


def test_what_is_stopped_while_it_opens_stays_off() -> None:
    opening, stopped, webcam = threading.Event(), threading.Event(), Webcam("0")

    def opens(spec: str) -> Webcam:
        opening.set()
        assert stopped.wait(120)
        return webcam

    def stop() -> None:
        assert opening.wait(120)
        watcher.stop()
        stopped.set()

    watcher = Watcher(Nobody(), opens)
    [refused] = raised_by(lambda: watcher.start("0"), stop)
    assert "switched off" in str(refused)
    assert webcam.closed and not watcher.on and not watching_threads()


def test_a_frame_that_was_let_in_before_stop_was_pressed_begins_nothing_after_it() -> None:
    watcher = Watcher(Nobody())
    free = watcher.lease
    watcher.stop()
    assert watcher.push(PICTURE, "Ada's phone", "a", free) is None and not watcher.on
    assert watcher.push(PICTURE, "Ada's phone", "a", watcher.lease) is not None and watcher.on
    watcher.stop()


def test_stop_gives_both_cameras_back_though_the_first_has_ended(friday: Table) -> None:
    host, live = friday.join(Role.HOST), friday.host.live_session("friday")
    watch, over_tray = live.watch, Webcam("1")
    watch.camera._opens = lambda spec: PictureRun(iter([PICTURE]), "film.mp4")
    watch.tray._opens = lambda spec: over_tray
    watch.start("0")
    watch.start("1", tray=True)
    until(lambda: not watch.camera.on)
    assert watch.on and not live.idle and camera_shown(watch).on
    assert "Switch both off" in host.get("/devices").text, "whoever wants it off can still reach it"
    assert host.play("camera-stop").json["says"] == "The camera is off."
    assert over_tray.closed and not watch.on
    assert (camera_shown(watch).says, camera_shown(watch).on) == ("no camera is on", False)


# Phones


def send(phone: Asker, *, start: bool = False, picture: BgrImage = PICTURE) -> Answer:
    headers = {"content-type": "image/jpeg", "sec-fetch-site": "same-origin"}
    body = cv2.imencode(".jpg", picture)[1].tobytes()
    return phone.ask("POST", f"/api/play/friday/frame{'?start=1' if start else ''}", body, headers)


def test_a_phone_that_was_switched_off_begins_again_only_when_its_person_says_so(friday: Table) -> None:
    watch, host = friday.host.live_session("friday").watch, friday.join(Role.HOST)
    phone = friday.join(Role.CAMERA)
    assert send(phone).status == 409, "nobody has pressed Start"
    assert send(phone, start=True).status == 200 and watch.camera.on
    assert send(phone).json["looked"]
    host.play("camera-stop")
    for _ in range(3):
        said = send(phone)
        assert (said.status, watch.on) == (409, False) and "switched off" in said.json["error"]
    send(phone, start=True)
    assert watch.camera.on
    watch.stop()


def test_no_phone_takes_the_place_of_a_camera_before_the_host_has_said_so(friday: Table) -> None:
    watch, host = friday.host.live_session("friday").watch, friday.join(Role.HOST)
    ilse, ben = friday.join(Role.PLAYER, "Ilse"), friday.join(Role.PLAYER, "Ben")
    watch.camera._opens = Webcam
    watch.start("0")
    for phone, starts in ((ilse, True), (ilse, False), (ben, True)):
        said = send(phone, start=starts).json
        assert said["waits"] and "Another camera is on: camera 0. The host is asked" in said["says"]
    assert watch.camera.name == "camera 0"
    for page in (host.get("/table/friday").text, host.get("/devices").text):
        assert "Ilse&#39;s phone wants to take the camera's place." in page
    assert "wants to take" not in ilse.get("/table/friday").text
    assert ilse.post("/api/play/friday/camera-phone", device=ilse.id, allowed="yes").status == 403
    host.post("/api/play/friday/camera-phone", device=ben.id, allowed="no")
    assert send(ben).status == 409 and watch.camera.name == "camera 0", "and Ben's phone asks no more"
    host.post("/api/play/friday/camera-phone", device=ilse.id, allowed="yes")
    assert send(ilse).status == 200 and watch.camera.name == "Ilse's phone"
    assert send(ben).status == 409 and send(ben, start=True).json["waits"], "one is on, and it is not Ben's"
    assert host.post("/api/play/friday/camera-phone", device=ilse.id, allowed="yes").status == 409
    watch.camera.start("0")
    assert "Another camera is on now: camera 0" in send(ilse).json["error"], "nor is it taken back in silence"
    host.play("camera-stop")
    assert send(ben).status == 409, "who waited has to begin again"


def test_the_phone_of_the_host_needs_to_ask_nobody(friday: Table) -> None:
    watch, host = friday.host.live_session("friday").watch, friday.join(Role.HOST)
    watch.camera._opens = Webcam
    watch.start("0")
    assert "waits" not in send(host, start=True).json and watch.camera.name == "the host"
    watch.stop()


def test_of_two_phones_that_start_at_once_one_is_the_camera_and_the_other_is_told(friday: Table) -> None:
    watch = friday.host.live_session("friday").watch
    phones = [friday.join(Role.CAMERA), friday.join(Role.CAMERA)]
    for _ in range(4):
        assert not raised_by(*[lambda phone=phone: send(phone, start=True) for phone in phones])
        said = [send(phone) for phone in phones]
        assert sum(one.status == 409 or "waits" in one.json for one in said) == 1
        assert [watch.camera.lease.is_of(phone.id) for phone in phones].count(True) == 1
        assert len(watching_threads()) == 1
        watch.stop()


def test_a_phone_that_has_gone_away_keeps_nobody_waiting(friday: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = friday.host.live_session("friday").watch
    first, second = friday.join(Role.CAMERA), friday.join(Role.CAMERA)
    send(first, start=True)
    assert send(second, start=True).json["waits"]
    monkeypatch.setattr("loomtable.table.hosting.sources.QUIET_AFTER", 0.05)
    send(first)
    until(lambda: watch.camera.lease.lost)
    assert "waits" not in send(second).json and watch.camera.lease.is_of(second.id)
    watch.stop()


def test_of_each_device_one_frame_is_received_at_a_time(friday: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    decoding, go_on = threading.Event(), threading.Event()

    def decode(body: bytes, name: str) -> BgrImage:
        decoding.set()
        assert go_on.wait(120)
        return decode_upload(body, name)

    monkeypatch.setattr(uploads, "decode_upload", decode)
    phone, other = friday.join(Role.CAMERA), friday.join(Role.CAMERA)
    answers = list[Answer]()

    def more() -> None:
        assert decoding.wait(120)
        refused = [send(phone, start=True) for _ in range(5)]
        assert [answer.status for answer in refused] == [429] * 5
        go_on.set()

    assert not raised_by(lambda: answers.append(send(phone, start=True)), more)
    assert [answer.status for answer in answers] == [200] == [send(other, start=True).status]
    friday.host.live_session("friday").watch.stop()


# What one camera loses is not the other's


@needs_networks
def test_a_lost_frame_of_the_tray_forgets_nothing_of_the_table(
    friday: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loomtable.table.hosting.watcher.AGAIN_AFTER", 0.05)
    evening = Evening(friday.host.live_session("friday").session, friday.host.live_session("friday"))
    watch, lost = evening.watch, threading.Event()

    def until_lost() -> Iterator[BgrImage]:
        for picture in itertools.cycle(again(shot(TWO), 3)):
            if lost.is_set():
                return
            time.sleep(0.02)
            yield picture

    runs = iter([Dying(until_lost(), "camera 1"), Dying(itertools.cycle(again(shot(TWO), 3)), "camera 1")])
    watch.tray._opens = lambda spec: next(runs)
    watch.tray.start("1")
    until(lambda: watch.tray.frame is not None)
    evening.lie({"S20": NEAR}, 1.0)
    before = (watch._hands, watch._differences, watch._reader, watch._reader.scene.cards, watch._asked)
    dice = watch._reader.dice
    assert before[3]
    lost.set()
    until(lambda: watch._reader.dice is not dice)
    evening.lie({"S20": NEAR}, 0.4)
    kept = (watch._hands, watch._differences, watch._reader, watch._reader.scene.cards, watch._asked)
    assert all(now is then for now, then in zip(kept[:3], before[:3], strict=True)) and kept[3:] == before[3:]
    watch.stop()


# What is taken


def asked_for_dice() -> LiveSession:
    session = Session.open(SYSTEMS["storm-weavers"], seed="a")
    session.perform("create", dexterity_points=3)
    session.perform("test", attribute="wisdom")
    return LiveSession("x", session)


def dice(*faces: int) -> DiceReading:
    return DiceReading(tuple(ReadDie(Die.D6, face, Source.CAMERA, 0.99) for face in faces))


def counting(live: LiveSession) -> Proposals:
    """A countdown has begun at which two dice are taken."""
    offered = live.watch.proposals
    offered.taking = Taking.COUNTDOWN
    seen = CameraAnswer("accepted", dice(1, 2))
    offered.offer(present(live.session.pending), live.revision, seen, PICTURE, taken_by="the camera", at=0.0)
    assert offered.counting
    return offered


def test_ask_me_ends_a_countdown_and_tells_the_screens() -> None:
    live = asked_for_dice()
    offered, before, told = counting(live), live.revision, list[object]()
    live.bus.publish = told.append  # type: ignore[method-assign]
    offered.taking = Taking.ASK
    assert told and not offered.counting
    offered.tick(COUNTDOWN + 1)
    assert live.revision == before and present(offered.current).sure, "it is still offered"


def test_once_ask_me_is_said_nothing_is_taken_whatever_is_due_at_that_moment() -> None:
    for _ in range(20):
        live, said = asked_for_dice(), list[int]()
        offered = counting(live)

        def ask(offered: Proposals = offered, live: LiveSession = live, said: list[int] = said) -> None:
            offered.taking = Taking.ASK
            said.append(live.revision)

        assert not raised_by(ask, lambda offered=offered: offered.tick(COUNTDOWN + 1))  # type: ignore[misc]
        assert [live.revision] == said, "what was taken was taken before that"


def test_a_refusal_of_the_second_step_leaves_nothing_of_the_first() -> None:
    session = Session.open(SYSTEMS["storm-weavers"], seed="a")
    session.perform("create", dexterity_points=3)
    live = LiveSession("x", session)
    begins, used = Action("test", {"attribute": "wisdom"}), list[Offer]()
    live.watch.proposals.used = used.append
    before = live.revision
    for answers in ((dice(1, 2, 3),), (dice(1, 2), dice(1, 2))):
        offer = Offer("Test of Wisdom", action=begins, answers=answers)
        raises(
            LoomtableError,
            "dice|nothing is asked",
            live.watch.proposals.play,
            offer,
            by="Ada",
            revision=live.revision,
        )
        assert (live.revision, used, live.session.pending) == (before, [], None)
    offer = Offer("Test of Wisdom", action=begins, answers=(dice(1, 2),))
    live.watch.proposals.play(offer, by="Ada", revision=live.revision)
    assert (live.revision, used) == (before + 2, [offer])


# What is learned


@pytest.fixture
def learned(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is learned; no lock is held meanwhile."""
    kept = list[object]()

    def learn(what: object, *_: object) -> None:
        assert not OrderedLock._mine.__dict__.get("held"), "networks run while pages wait"
        kept.append(what)

    monkeypatch.setattr(proposals_module, "learn_roll", learn)
    return kept


def offered_dice(live: LiveSession, lying: BgrImage, **more: Any) -> None:
    request = present(live.session.pending)
    seen = live.watch.show(lying)
    assert seen.answer is not None and seen.tray is not None
    answer = CameraAnswer(seen.says, seen.answer, seen.tray)
    live.watch.proposals.offer(request, live.revision, answer, lying, roll=seen.tray, **more)


@needs_networks
def test_what_the_camera_takes_by_itself_teaches_nothing(lying: BgrImage, learned: Sequence[object]) -> None:
    for taking, at in ((Taking.AT_ONCE, 0.0), (Taking.COUNTDOWN, COUNTDOWN)):
        live = asked_for_dice()
        live.watch.proposals.taking = taking
        offered_dice(live, lying, taken_by="the camera (0)", at=0.0)
        live.watch.proposals.tick(at)
        assert live.lines()[-1].who == "the camera (0)" and live.session.pending is None
    assert (list(learned), confirmed_rolls()) == ([], [])


@needs_networks
def test_what_two_agree_with_at_once_is_taken_and_learned_once(lying: BgrImage, learned: Sequence[object]) -> None:
    live = asked_for_dice()
    offered_dice(live, lying)
    number, before = present(live.watch.proposals.current).number, live.revision

    def agree(by: str) -> None:
        with live.held():
            live.watch.proposals.accept(number, by=by, revision=before)

    [late] = raised_by(lambda: agree("Ada"), lambda: agree("Ben"))
    assert isinstance(late, StalePage | ReadingMisfit)
    assert (live.revision, len(learned)) == (before + 1, 1)


@needs_networks
def test_with_a_damaged_file_of_rolls_dice_are_read_and_it_is_said_once(
    friday: Table, lying: BgrImage, caplog: pytest.LogCaptureFixture
) -> None:
    damaged = kept_file("d6", "confirmed")
    damaged.parent.mkdir(parents=True)
    damaged.write_text('{"kind":"d6","shots":[')
    host, watch = friday.join(Role.HOST), watching(friday.host.live_session("friday"))
    for _ in range(2):
        watch.begin_anew()
        for picture in again(lying, 4):
            watch.look(picture)
        assert sorted(die.face for die in present(watch.proposals.current).dice) == ["3", "5"]
        assert watch.show(lying).sure
    assert [str(damaged) in record.message for record in caplog.records] == [True]
    page = host.get("/devices")
    assert page.status == 200 and "is damaged" in page.text and "Forget them" in page.text
    assert host.post("/api/dice/forget").status == 200
    assert "is damaged" not in host.get("/devices").text and not damaged.exists()


# The order of the locks


def test_locks_are_taken_in_their_order_or_not_at_all() -> None:
    session, offered, again_ = OrderedLock(Order.SESSION), OrderedLock(Order.PROPOSALS), list[str]()
    with session, offered, session:
        session.afterwards(lambda: again_.append("let go"))
        assert not again_
    assert again_ == ["let go"]
    with offered:
        raises(RuntimeError, "too late to take SESSION", session.__enter__)
    with session:
        raises(RuntimeError, "too late to take SESSION", OrderedLock(Order.SESSION).__enter__)
    assert OrderedLock._mine.held == []


def test_while_somebody_looks_and_agrees_others_change_the_session_and_nobody_waits_for_ever(
    lying: BgrImage, learned: Sequence[object]
) -> None:
    live = asked_for_dice()
    live.watch.proposals.taking = Taking.AT_ONCE
    ends = time.monotonic() + 2

    def keep(act: Callable[[], object]) -> Callable[[], None]:
        def go() -> None:
            while time.monotonic() < ends:
                try:
                    act()
                except LoomtableError:
                    time.sleep(0)

        return go

    def offer() -> None:
        request, revision = live.session.pending, live.revision
        if request is None:
            raise IllegalAction("nothing is asked")
        live.watch.proposals.offer(request, revision, CameraAnswer("", dice(1, 2)), lying, taken_by="a", at=0.0)

    def anew() -> None:
        live.watch.begin_anew()
        live.watch.begin_dice_anew()

    def page() -> None:
        with live.held():
            camera_shown(live.watch)
            live.watch.proposals.accept(0, by="Ada", revision=live.revision)

    raised = raised_by(
        keep(lambda: live.watch.look(PICTURE)),
        keep(offer),
        keep(anew),
        keep(page),
        keep(lambda: live.undo(by="Ben", revision=live.revision)),
    )
    assert not raised


# In a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One whose camera is the test picture of the browser itself."""
    yield from chromium("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")


@pytest.fixture
def served(browser: Any, tmp_path: Path) -> Iterator[Served]:
    with serving(browser, tmp_path) as here:
        here.host.begin("storm-weavers", "Friday")
        yield here


def test_a_phone_says_that_it_was_switched_off_and_asks_the_host_for_anothers_place(served: Served) -> None:
    watch = served.host.live_session("Friday").watch
    phone, host = served.page(Role.PLAYER, "Ilse", "Friday", size="phone"), served.page(Role.HOST)
    host.goto(f"{served.base}/devices")
    phone.goto(f"{served.base}/camera/Friday")
    phone.get_by_role("button", name="Start the camera").click()
    until(lambda: phone.title() and watch.camera.frame is not None)
    host.reload()
    host.get_by_role("button", name="Switch it off").click()
    phone.get_by_text("The camera was switched off.").wait_for()
    assert not watch.on and phone.locator("#live-video").is_hidden()
    watch.camera._opens = Webcam
    watch.start("0")
    phone.get_by_role("button", name="Start the camera").click()
    phone.get_by_text("Another camera is on: camera 0.").wait_for()
    host.goto(f"{served.base}/table/Friday")
    host.get_by_text("Ilse's phone wants to take the camera's place.").wait_for()
    assert watch.camera.name == "camera 0"
    host.get_by_role("button", name="Let it").click()
    until(lambda: phone.title() and watch.camera.name == "Ilse's phone")
    watch.stop()
