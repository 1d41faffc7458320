"""Pictures that phones send: asked for first, one at a time, and never more of them in memory than is read."""

from __future__ import annotations

import io
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.readings import DiceReading, ReadDie, Source
from loomtable.table.hosting import lanes, uploads
from loomtable.table.hosting.devices import Role
from loomtable.vision import pictures
from loomtable.vision.pictures import KEPT, BgrImage, PictureUnreadable, decode_upload, read_reduced
from tests.short import raises
from tests.table.asking import Answer, Asker, Table
from tests.tiers import mostly


def felt(width: int, height: int) -> BgrImage:
    return np.full((height, width, 3), (60, 110, 50), np.uint8)


def encoded(picture: BgrImage, suffix: str = ".jpg", *how: int) -> bytes:
    return cv2.imencode(suffix, picture, list(how))[1].tobytes()


def send(phone: Asker, verb: str, body: bytes) -> Answer:
    headers = {"content-type": "image/jpeg", "sec-fetch-site": "same-origin"}
    return phone.ask("POST", f"/api/play/friday/{verb}", body, headers)


def watched(monkeypatch: pytest.MonkeyPatch, before: Callable[[str], None] = lambda name: None) -> list[str]:
    """The names of the pictures that are decoded from now on."""
    decoded: list[str] = []

    def decode(body: bytes, name: str) -> BgrImage:
        decoded.append(name)
        before(name)
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


@pytest.mark.parametrize(("wide", "high"), [(900, 1), (2907, 4), (2, 60_000)])
def test_a_strip_is_refused_in_words(friday: Table, wide: int, high: int) -> None:
    camera = friday.join(Role.CAMERA)
    for verb in ("photo", "frame"):
        answer = send(camera, verb, encoded(felt(wide, high)))
        assert (answer.status, f"is too thin ({wide} x {high} pixels;" in answer.text) == (400, True)


def test_one_photograph_at_a_time_is_decoded_and_read(friday: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once: list[int] = []
    now = [0]

    def before(_: str) -> None:
        now[0] += 1
        at_once.append(now[0])
        time.sleep(0.02)
        now[0] -= 1

    decoded = watched(monkeypatch, before)
    cameras, body = [friday.join(Role.CAMERA) for _ in range(6)], encoded(felt(320, 240))
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda camera: send(camera, "photo", body).status, cameras))
    assert answers == [200] * 6 and len(decoded) == 6 and max(at_once) == 1


@pytest.fixture
def held_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, threading.Event, list[str]]]:
    """Photographs are decoded only once the second event is set; the first one tells that the first has come."""
    reading, go_on = threading.Event(), threading.Event()

    def before(name: str) -> None:
        if name == "the photograph":
            reading.set()
            assert go_on.wait(120)

    yield reading, go_on, watched(monkeypatch, before)
    go_on.set()


def test_while_a_photograph_is_read_few_wait_and_the_table_answers(
    friday: Table, held_up: tuple[threading.Event, threading.Event, list[str]]
) -> None:
    reading, go_on, _ = held_up
    cameras = [friday.join(Role.CAMERA) for _ in range(lanes.MOST + 3)]
    host, body = friday.join(Role.HOST), encoded(felt(320, 240))
    with ThreadPoolExecutor(len(cameras)) as threads:
        sent = [threads.submit(send, camera, "photo", body) for camera in cameras]
        assert reading.wait(120)
        refused = [one.result() for one in islice(as_completed(sent, 120), 3)]
        assert host.get("/api/play/friday/state").status == 200
        go_on.set()
        assert [one.result().status for one in sent].count(200) == lanes.MOST
    for answer in refused:
        assert answer.status == 429 and answer.headers["retry-after"] == "2"
        assert "send this one again in a moment" in answer.json["error"]
    assert send(cameras[0], "photo", body).status == 200


def test_a_live_camera_does_not_wait_for_the_photographs_of_others(
    friday: Table, held_up: tuple[threading.Event, threading.Event, list[str]]
) -> None:
    reading, go_on, decoded = held_up
    live, other, body = friday.join(Role.CAMERA), friday.join(Role.CAMERA), encoded(felt(320, 240))
    with ThreadPoolExecutor(1) as threads:
        photograph = threads.submit(send, other, "photo", body)
        assert reading.wait(120)
        assert [send(live, "frame?start=1", body).status for _ in range(3)] == [200] * 3
        assert decoded == ["the photograph", *["the frame"] * 3], "none is passed over"
        go_on.set()
        assert photograph.result().status == 200
    assert friday.host.live_session("friday").watch.camera.on


def test_of_each_phone_one_photograph_is_read_at_a_time(
    friday: Table, held_up: tuple[threading.Event, threading.Event, list[str]]
) -> None:
    reading, go_on, decoded = held_up
    phone, body = friday.join(Role.CAMERA), encoded(felt(320, 240))
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(send, phone, "photo", body)
        assert reading.wait(120)
        assert [send(phone, "photo", body).status for _ in range(3)] == [429] * 3
        go_on.set()
        assert first.result().status == 200
    assert send(phone, "photo", body).status == 200 and decoded == ["the photograph"] * 2


def test_a_large_picture_is_reduced_to_what_is_read() -> None:
    assert decode_upload(encoded(felt(4032, 3024)), "a").shape == (3024, 4032, 3), "12 megapixels stay as they are"
    reduced = decode_upload(encoded(felt(4160, 3120)), "a")
    assert 0.99 * KEPT < reduced.shape[0] * reduced.shape[1] < 1.01 * KEPT, "and of 13 hardly any are lost"
    assert decode_upload(encoded(felt(8000, 6000)), "a").shape == (3000, 4000, 3), "nor of 48"


def test_a_picture_is_turned_as_it_was_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "KEPT", 120_000)
    picture = felt(600, 400)
    picture[:100, :100] = 255
    for orientation, corner in ((1, (20, 20)), (3, (-20, -20)), (5, (20, 20)), (6, (20, -20)), (8, (-20, 20))):
        exif = Image.Exif()
        exif[ExifTags.Base.Orientation] = orientation
        held = io.BytesIO()
        Image.fromarray(picture[..., ::-1]).save(held, "JPEG", exif=exif)
        shown = decode_upload(held.getvalue(), "a")
        assert shown.shape[:2] == ((283, 424) if orientation < 5 else (424, 283))
        assert [(y, x) for y in (20, -20) for x in (20, -20) if shown[y, x].min() > 200] == [corner]


def test_reduced_in_bands_or_at_once_a_picture_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "KEPT", 300_000)
    noise = np.random.default_rng(1).integers(0, 256, (777, 1031, 3), np.uint8)
    shown = decode_upload(encoded(noise, ".png"), "a")
    whole = Image.fromarray(noise[..., ::-1]).resize(shown.shape[1::-1], Image.Resampling.HAMMING)
    assert cv2.absdiff(shown, np.asarray(whole)[..., ::-1].copy()).max() <= 1
    grey16 = io.BytesIO()
    Image.fromarray(np.full((60, 80), 40_000, np.uint16)).save(grey16, "PNG")
    assert (decode_upload(grey16.getvalue(), "a") == 40_000 >> 8).all()


def test_a_file_is_reduced_alike_and_says_by_how_much(tmp_path: Path) -> None:
    (tmp_path / "large.jpg").write_bytes(encoded(felt(6000, 4000)))
    picture, scale = read_reduced(tmp_path / "large.jpg")
    assert picture.shape[1] == 4347 and picture.shape[1] * scale == pytest.approx(6000, abs=2)
    (tmp_path / "small.png").write_bytes(encoded(felt(640, 480), ".png"))
    assert read_reduced(tmp_path / "small.png")[1] == 1


def test_only_what_phones_send_is_opened_and_damage_is_not_told_to_the_terminal(
    capfd: pytest.CaptureFixture[str],
) -> None:
    picture = cv2.resize(np.random.default_rng(1).integers(0, 256, (30, 40, 3), np.uint8), (400, 300))
    for suffix in (".tiff", ".bmp", ".gif", ".ppm"):
        raises(PictureUnreadable, "is not a picture that can be read here; take a JPEG", decode_upload,
               encoded(picture, suffix), "the photograph")  # fmt: skip
    chance, refused = random.Random(1), 0
    for suffix, how in ((".jpg", ()), (".jpg", (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)), (".png", ()), (".webp", ())):
        whole = encoded(picture, suffix, *how)
        for _ in range(60):
            damaged = bytearray(whole[: chance.choice((len(whole), chance.randrange(1, len(whole))))])
            damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
            try:
                decode_upload(bytes(damaged), "the photograph")
            except PictureUnreadable:
                refused += 1
    assert refused > 100
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured on Linux")
@pytest.mark.parametrize("megapixels", mostly([12, 24], [12]))
def test_one_photograph_of_12_or_24_megapixels_takes_less_than_200_mb(megapixels: int) -> None:
    command = [sys.executable, "-m", "tests.table.photograph_memory", str(megapixels)]
    measured = subprocess.run(command, capture_output=True, text=True, check=True)
    assert 0 < float(measured.stdout) < 200


def test_what_cannot_be_reduced_while_it_is_decoded_is_refused_in_words() -> None:
    for body, words in (
        (encoded(felt(7000, 4000), ".png"), "too large for a PNG"),
        (encoded(felt(16383, 1400), ".webp"), "too large for a WebP"),
        (encoded(felt(7000, 4000), ".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1), "too large for a progressive JPEG"),
        (encoded(felt(7000, 4000))[:-5000], "cut short"),
        (b"no picture", "is not a picture"),
    ):
        raises(PictureUnreadable, words, decode_upload, body, "the photograph")
    progressive = encoded(felt(6000, 4000), ".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
    assert decode_upload(progressive, "a").shape == (2000, 3000, 3)
