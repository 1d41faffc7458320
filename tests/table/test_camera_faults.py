"""Cameras that die and readers with a defect: it is said, tried again, and everything else goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from loomtable.engine.kernel.readings import DiceReading
from loomtable.table.hosting.backoff import Backoff
from loomtable.table.hosting.devices import Role
from loomtable.testing.virtual import PlacedDie
from loomtable.vision.camera import FrameSource, PictureRun
from loomtable.vision.dice import TrayReading, read_dice
from loomtable.vision.pictures import BgrImage
from tests.short import present
from tests.table.asking import Table
from tests.table.filming import TWO, Dying, a_throw, again, shot, told_by, until, watching


def test_a_camera_that_dies_is_said_and_tried_again(
    friday: Table, empty: BgrImage, lying: BgrImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loomtable.table.hosting.watcher.AGAIN_AFTER", 0.05)
    live = friday.host.live_session("friday")
    host = friday.join(Role.HOST)
    back = PictureRun(a_throw(empty, lying))
    watch = watching(live, Dying(again(empty, 3)), Dying(iter(())), back)
    told = told_by(watch)
    watch.camera.start("0")
    until(lambda: any("is it still plugged in?" in trouble for _, trouble, _ in told))
    assert host.get("/api/play/friday/state").status == 200, "everything else goes on"
    until(lambda: watch.proposals.current)
    assert watch.camera.trouble == ""
    assert any("type what you rolled meanwhile" in trouble for _, trouble, _ in told)


def test_a_lost_camera_is_begun_again_with_one_press(
    friday: Table, empty: BgrImage, lying: BgrImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loomtable.table.hosting.watcher.AGAIN_AFTER", 600)
    live = friday.host.live_session("friday")
    host, player = friday.join(Role.HOST), friday.join(Role.PLAYER, "Ilse")
    watch = watching(live, Dying(iter(())), PictureRun(a_throw(empty, lying, still=10_000)))
    watch.camera.start("0")
    until(lambda: watch.camera.lease.lost)
    page = host.get("/table/friday", accept="text/html").text
    assert "It is tried again" in page and "Try it again now" in page and 'name="camera" value="0"' in page
    assert "Try it again now" not in player.get("/table/friday", accept="text/html").text
    assert host.post("/api/play/friday/camera-choose", {"camera": "0"}).status == 200
    until(lambda: watch.proposals.current)
    assert "Try it again now" not in host.get("/table/friday", accept="text/html").text
    watch.stop()


def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loomtable.table.hosting.backoff.FIRST_PAUSE", 0.02)
    monkeypatch.setattr("loomtable.table.hosting.backoff.LONGEST_PAUSE", 0.1)


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
    watch.camera.start("0")
    until(lambda: watch.proposals.current)
    assert watch.proposals.current is not None and watch.proposals.current.answer is not None
    assert any("our fault. It is tried again; tap or type what you rolled meanwhile" in t for _, t, _ in told)
    assert watch.camera.trouble == ""
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
    watch.camera.start("0")
    until(lambda: len(caplog.records) >= 4)
    wrong = [trouble for _, trouble, _ in told]
    assert all(wrong[wrong.index(next(filter(None, wrong))) :]), "it is not taken back before a reading went well"
    seen = host.get("/api/play/friday/camera").json
    assert seen["on"] and "the picture could not be read, and it is our fault" in seen["trouble"]
    until(lambda: host.get("/api/play/friday/camera.jpg").status == 200)  # what the camera sees is still shown
    monkeypatch.setattr("loomtable.vision.dice.settling.read_dice", read_dice)
    until(lambda: watch.proposals.current)
    assert watch.camera.trouble == ""
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
    watch.camera.start("0")
    until(lambda: watch.proposals.current)
    assert first.closed and second.closed and watch.camera.trouble == ""
    assert any("the camera gave no picture, and it is our fault" in trouble for _, trouble, _ in told)


def test_after_the_camera_was_lost_only_the_dice_that_are_asked_for_count(
    friday: Table, lying: BgrImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is unplugged in the middle of a question; a third die lies there when it is back."""
    monkeypatch.setattr("loomtable.table.hosting.watcher.AGAIN_AFTER", 0.05)
    three = shot((*TWO, PlacedDie(6, 0, 40, 5, body=(236, 230, 214), pips=(18, 18, 20))))
    watch = watching(friday.host.live_session("friday"), Dying(again(lying, 3)), PictureRun(again(three, 14)))
    watch.camera.start("0")
    until(lambda: not watch.camera.on)
    answer = present(watch.proposals.current).answer
    assert answer is None or (isinstance(answer, DiceReading) and len(answer.dice) == 2)


def test_pauses_grow_and_begin_again_after_a_success() -> None:
    backoff = Backoff()
    assert [backoff.failed() for _ in range(7)] == [1, 2, 4, 8, 16, 30, 30] and backoff.failing
    backoff.worked()
    assert not backoff.failing and backoff.failed() == 1


def test_cameras_that_are_not_there_are_said_at_once(friday: Table, tmp_path: Path) -> None:
    host = friday.join(Role.HOST)
    for bad in ("", "99", "9" * 20, "9" * 5000, "x" * 300, str(tmp_path / "none.mp4"), "ftp://somewhere/x"):
        answer = host.play("camera-choose", camera=bad)
        assert answer.status in (400, 404, 409) and answer.json["error"].endswith("."), bad
    answer = host.play("camera-again")
    assert (answer.status, answer.json["error"]) == (409, "No camera is on; choose one, or type what you rolled.")
    assert host.get("/api/play/friday/camera.jpg").status == 409
