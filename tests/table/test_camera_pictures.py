"""Frames and photographs that a phone sends: read, bounded, kept nowhere."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from loomtable.table.hosting.devices import Role
from loomtable.table.hosting.errors import CameraGone
from loomtable.table.hosting.sources import Paced, PushedFrames, open_camera
from loomtable.vision.camera import PictureRun
from loomtable.vision.pictures import BgrImage
from tests.pictures_made import png_that_claims
from tests.table.asking import Answer, Asker, Table
from tests.table.filming import LONGEST, TWO, a_throw, shot, told_by, until, watching


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
    watch.camera.start("0")
    until(lambda: watch.says == "something moves")
    watch.show(lying)
    assert told[-1] == ("something moves", "", True)
    shown.set()
    until(lambda: not watch.camera.on)
    assert told[told.index(("something moves", "", True)) + 1] == ("something moves", "", False)


def test_a_phone_sends_frames_and_gets_an_answer_to_each(friday: Table, empty: BgrImage, lying: BgrImage) -> None:
    phone = friday.join(Role.CAMERA)
    for picture in a_throw(empty, lying, still=30):
        answer = send(phone, "frame?start=1", jpeg(picture))
        assert answer.status == 200 and set(answer.json) == {"says", "revision", "looked"}
        time.sleep(0.05)
        if friday.host.live_session("friday").watch.proposals.current:
            break
    watch = friday.host.live_session("friday").watch
    until(lambda: watch.proposals.current)
    assert watch.camera.name == "a camera"
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
    number = friday.host.live_session("friday").watch.proposals.current.number  # type: ignore[union-attr]
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
    assert send(phone, "frame?start=1", jpeg(lying)).status == 200
    written = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert {name.split(".db")[0] for name in written} == {"e"}
    assert jpeg(lying)[200:400] not in b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())


def test_a_phone_that_goes_away_is_said(friday: Table, empty: BgrImage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loomtable.table.hosting.sources.QUIET_AFTER", 0.2)
    phone = friday.join(Role.CAMERA)
    send(phone, "frame?start=1", jpeg(empty))
    watch = friday.host.live_session("friday").watch
    until(lambda: watch.camera.trouble)
    assert "has stopped; is its page still open?" in watch.camera.trouble
    send(phone, "frame", jpeg(empty))  # it is back
    until(lambda: not watch.camera.trouble)
    watch.stop()
    assert (watch.camera.on, watch.says, watch.picture()) == (False, "no camera is on", None)


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


def test_a_phone_waits_while_its_frame_is_looked_at() -> None:
    pushed, picture, told = PushedFrames("a phone"), np.zeros((4, 4, 3), np.uint8), list[str]()

    def send() -> None:
        pushed.push(picture)
        assert pushed.wait_until_free(LONGEST)
        told.append("answered")

    phone = threading.Thread(target=send)
    phone.start()
    assert pushed.read() is picture
    assert not pushed.wait_until_free(0.01)
    told.append("looked at")
    looker = threading.Thread(target=pushed.read)
    looker.start()
    phone.join(LONGEST)
    assert told == ["looked at", "answered"]
    pushed.close()
    looker.join(LONGEST)
    pushed.wait_until_free(LONGEST)  # nobody waits for a camera that is gone


def jpeg(picture: BgrImage) -> bytes:
    return cv2.imencode(".jpg", picture)[1].tobytes()


def send(phone: Asker, verb: str, body: bytes) -> Answer:
    headers = {"content-type": "image/jpeg", "sec-fetch-site": "same-origin"}
    return phone.ask("POST", f"/api/play/friday/{verb}", body, headers)
