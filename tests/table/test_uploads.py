"""Pictures that phones send: asked for first, one at a time, and never more of them in memory than is read."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest
from PIL import Image

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.readings import DiceReading, ReadDie, Source
from loomtable.table.hosting import uploads
from loomtable.table.hosting.devices import Role
from loomtable.vision.pictures import KEPT, BgrImage, PictureUnreadable, decode_upload
from tests.short import raises
from tests.table.asking import Answer, Asker, Table
from tests.tiers import thorough


def felt(width: int, height: int) -> BgrImage:
    return np.full((height, width, 3), (60, 110, 50), np.uint8)


def encoded(picture: BgrImage, suffix: str = ".jpg", *how: int) -> bytes:
    return cv2.imencode(suffix, picture, list(how))[1].tobytes()


def send(phone: Asker, verb: str, body: bytes) -> Answer:
    headers = {"content-type": "image/jpeg", "sec-fetch-site": "same-origin"}
    return phone.ask("POST", f"/api/play/friday/{verb}", body, headers)


def watched(monkeypatch: pytest.MonkeyPatch, before: Callable[[], None] = lambda: None) -> list[str]:
    """The names of the pictures that are decoded from now on."""
    decoded: list[str] = []

    def decode(body: bytes, name: str) -> BgrImage:
        decoded.append(name)
        before()
        return decode_upload(body, name)

    monkeypatch.setattr(uploads, "decode_upload", decode)
    return decoded


def test_a_photograph_that_nobody_asked_for_is_never_decoded(
    friday: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded = watched(monkeypatch)
    camera, ilse = friday.join(Role.CAMERA), friday.join(Role.PLAYER, "Ilse")
    live = friday.host.live_session("friday")
    asked = live.session.pending
    assert asked is not None
    rolled = DiceReading(tuple(ReadDie(Die.D6, face, Source.TYPED) for face in (3, 5)))
    live.take(rolled, by="", revision=live.revision)
    for phone, status in ((camera, 400), (ilse, 403)):
        answer = send(phone, "photo", encoded(felt(640, 480)))
        assert answer.status == status and "othing is asked" in answer.json["error"]
    assert decoded == []


def test_one_photograph_at_a_time_is_decoded_and_read(friday: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once: list[int] = []
    now = [0]

    def before() -> None:
        now[0] += 1
        at_once.append(now[0])
        time.sleep(0.02)
        now[0] -= 1

    decoded = watched(monkeypatch, before)
    camera, body = friday.join(Role.CAMERA), encoded(felt(320, 240))
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda _: send(camera, "photo", body).status, range(6)))
    assert answers == [200] * 6 and len(decoded) == 6 and max(at_once) == 1


@thorough
def test_while_a_photograph_is_read_few_wait_and_the_table_answers(
    friday: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "FRAME_WAITS", 0.01)
    reading, go_on = threading.Event(), threading.Event()

    def before() -> None:
        reading.set()
        assert go_on.wait(30)

    decoded = watched(monkeypatch, before)
    camera, host, body = friday.join(Role.CAMERA), friday.join(Role.HOST), encoded(felt(320, 240))
    with ThreadPoolExecutor(uploads.MOST_WAITING + 3) as threads:
        sent = [threads.submit(send, camera, "photo", body) for _ in range(uploads.MOST_WAITING + 3)]
        assert reading.wait(30)
        until = time.monotonic() + 30
        while sum(one.done() for one in sent) < 3 and time.monotonic() < until:
            time.sleep(0.01)
        assert host.get("/api/play/friday/state").status == 200
        frame = send(camera, "frame", body)
        assert frame.status == 200 and decoded == ["the photograph"], "a live picture is passed over"
        go_on.set()
        answers = [one.result() for one in sent]
    assert sorted(answer.status for answer in answers) == [200] * uploads.MOST_WAITING + [429] * 3
    refused = next(answer for answer in answers if answer.status == 429)
    assert "send this one again in a moment" in refused.json["error"] and refused.headers["retry-after"] == "5"
    assert send(camera, "photo", body).status == 200


def test_a_large_jpeg_is_reduced_while_it_is_decoded_and_turned_as_it_was_held() -> None:
    picture = felt(7000, 4000)
    cv2.rectangle(picture, (0, 0), (1000, 1000), (255, 255, 255), -1)
    body = encoded(picture)
    assert decode_upload(body, "a").shape == (2000, 3500, 3)
    exif = Image.Exif()
    exif[0x0112] = 6  # held upright: turned to the right to be shown
    turned = io.BytesIO()
    Image.fromarray(picture[..., ::-1]).save(turned, "JPEG", exif=exif)
    shown = decode_upload(turned.getvalue(), "a")
    assert shown.shape == (3500, 2000, 3)
    assert shown[100, -100].min() > 200 and shown[100, 100].min() < 200, "top left has become top right"
    small = encoded(felt(6016, 4016))
    assert decode_upload(small, "a").shape == (4016, 6016, 3), "24 megapixels stay as they are"


def test_what_cannot_be_reduced_while_it_is_decoded_is_refused_in_words() -> None:
    for body, words in (
        (encoded(felt(7000, 4000), ".png"), "too large for a PNG"),
        (encoded(felt(7000, 4000), ".webp"), "too large for a WEBP"),
        (encoded(felt(5000, 4000), ".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1), "too large for a progressive JPEG"),
        (encoded(felt(7000, 4000))[:-5000], "cut short"),
        (b"no picture", "is not a picture"),
    ):
        raises(PictureUnreadable, words, decode_upload, body, "the photograph")
    assert decode_upload(encoded(felt(4000, 3000), ".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1), "a").size < 3 * KEPT
