"""A phone or an IP camera by its address: streams and single pictures from a local server, good and bad ones."""

import http.server
import threading
import time
from contextlib import contextmanager

import cv2
import numpy as np
import pytest

from loomtable.vision import network_camera
from loomtable.vision.camera import CameraLost, open_source
from loomtable.vision.network_camera import AddressUnusable, open_address

PATIENCE = 2.0
"""Seconds: short enough to wait for, long enough for a local server on a machine that is busy."""


def jpeg(level):
    ok, encoded = cv2.imencode(".jpg", np.full((48, 64, 3), level, np.uint8))
    assert ok
    return encoded.tobytes()


def part(body, length=True):
    head = b"--frame\r\nContent-Type: image/jpeg\r\n"
    return head + (b"Content-Length: %d\r\n" % len(body) if length else b"") + b"\r\n" + body + b"\r\n"


STREAM = "multipart/x-mixed-replace; boundary=frame"
ELSEWHERE = {
    "elsewhere": "file:///etc/hostname",
    "admin": "http://127.0.0.1:PORT/admin",
    "lan": "http://192.168.0.1/admin",
    "moved": "/shot.jpg",
}
"""Where a camera sends one."""


class Phone(http.server.BaseHTTPRequestHandler):
    """What an app on a phone serves, and what other machines do in its place."""

    asked = 0
    stop = threading.Event()

    def log_message(self, *_):
        pass

    def do_GET(self):
        name = self.path.strip("/").split("?")[0]
        if name in ELSEWHERE:
            self.send_response(302)
            self.send_header("Location", ELSEWHERE[name].replace("PORT", str(self.server.server_port + 1)))
            self.end_headers()
            return
        kind, send = getattr(self, "as_" + name.replace(".", "_"))()
        if kind:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
        try:
            for body in send:
                self.wfile.write(body)
                self.wfile.flush()
        except OSError:
            pass

    def as_video(self):
        def frames():
            for level in range(20, 220, 20):
                yield part(jpeg(level), length=level % 40 == 0)
                time.sleep(0.02)

        return STREAM, frames()

    def as_thumbnails(self):
        whole = jpeg(200)
        note = b"Exif\0\0" + jpeg(10)
        with_small = whole[:2] + b"\xff\xe1" + (len(note) + 2).to_bytes(2, "big") + note + whole[2:]
        return STREAM, iter([part(with_small)] * 3)

    def as_shot_jpg(self):
        Phone.asked += 1
        return "image/jpeg", iter([jpeg(40 * Phone.asked)])

    def as_page(self):
        return "text/html", iter([b"<html>hello</html>"])

    def as_rubbish(self):
        def frames():
            for _ in range(20):
                yield part(b"\xff\xd8\xff" + b"x" * 50 + b"\xff\xd9")
                time.sleep(0.03)

        return STREAM, frames()

    def as_silence(self):
        def nothing():
            Phone.stop.wait(5)
            yield b""

        return STREAM, nothing()

    def as_never(self):
        Phone.stop.wait(5)
        return "", iter([])

    def as_endless(self):
        return STREAM, self.without_end()

    def as_endless_jpg(self):
        return "image/jpeg", self.without_end()

    def without_end(self):
        yield b"\xff\xd8\xff"
        while not Phone.stop.is_set():
            yield b"\0" * 1_000_000

    def as_drip_jpg(self):
        return "image/jpeg", self.drops(b"", b"\xff")

    def as_headers(self):
        return "", self.drops(b"HTTP/1.1 200 OK\r\nX-Slow: ", b"a")

    def drops(self, first, each):
        yield first
        while not Phone.stop.is_set():
            yield each
            time.sleep(0.05)

    def as_locked(self):
        good = self.headers.get("Authorization") == "Basic QWRhOnNlY3JldA=="
        if good:
            return "image/jpeg", iter([jpeg(99)])
        self.send_error(401)
        return "", iter([])


@pytest.fixture(scope="module")
def phone():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Phone)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    Phone.stop.set()
    server.shutdown()
    server.server_close()


@contextmanager
def within(seconds):
    begun = time.monotonic()
    yield
    assert time.monotonic() - begun < seconds


def test_a_stream_gives_its_newest_pictures_until_it_ends(phone) -> None:
    with open_source(f"{phone}/video") as source:
        assert source.live
        shown = []
        with pytest.raises(CameraLost, match="the stream has ended"):
            for picture in source:
                shown.append(int(picture.mean()))
    assert len(shown) >= 2
    assert shown == sorted(shown)
    assert abs(shown[-1] - 200) < 4


def test_the_small_picture_inside_a_large_one_is_not_taken_for_it(phone) -> None:
    with open_address(f"{phone}/thumbnails") as source:
        assert abs(float(source.read().mean()) - 200) < 4


def test_single_pictures_are_asked_for_one_by_one(phone) -> None:
    Phone.asked = 0
    with open_source(f"{phone}/shot.jpg") as source:
        assert [round(float(source.read().mean()) / 40) for _ in range(4)] == [1, 2, 3, 4]
        source.close()
        assert source.read() is None


def test_name_and_password_are_sent_and_never_shown(phone) -> None:
    with open_address(phone.replace("//", "//Ada:secret@") + "/locked") as source:
        assert abs(float(source.read().mean()) - 99) < 4
        assert "secret" not in source.name
    with pytest.raises(AddressUnusable, match="answers 401") as caught:
        open_address(phone.replace("//", "//Ada:wrong@") + "/locked")
    assert "wrong" not in str(caught.value)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("page", "sends text/html, no pictures"),
        ("rubbish", "and so were the 4 before it"),
        ("silence", "no picture for 2 seconds"),
        ("never", "nobody answers there in time"),
        ("endless", "sends pictures of more than 3 MB"),
        ("endless.jpg", "sends more than 3 MB"),
        ("drip.jpg", "no whole picture in 2 seconds"),
        ("elsewhere", "cannot be reached"),
        ("admin", "it sends one to another machine"),
        ("lan", "it sends one to another machine"),
        ("headers", "nobody answers there in time"),
    ],
)
def test_whatever_else_answers_is_refused_in_time(phone, path, words, monkeypatch) -> None:
    monkeypatch.setattr(network_camera, "MOST_BYTES", 3_000_000)
    with within(15), pytest.raises((AddressUnusable, CameraLost), match=words) as caught:
        open_address(f"{phone}/{path}", patience=PATIENCE)
    assert "\n" not in str(caught.value)


def test_a_camera_may_send_one_elsewhere_on_itself(phone) -> None:
    with open_address(f"{phone}/moved", patience=PATIENCE) as source:
        assert source.read() is not None


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("ftp://127.0.0.1/x", "begins with http, https or rtsp"),
        ("file:///etc/passwd", "begins with http, https or rtsp"),
        ("rtsps://127.0.0.1/video", "begins with http, https or rtsp"),  # by a TLS of 2023 inside OpenCV
        ("http://", "names no machine"),
        ("http://[::1", "no address of a camera"),
        ("http://127.0.0.1:99999/", "no address of a camera"),
        ("http://127.0.0.1:1/video", "nothing listens there"),
        ("rtsp://127.0.0.1:1/video", "cannot be opened"),
    ],
)
def test_addresses_that_cannot_be_used_are_one_clear_sentence(address, words, capfd) -> None:
    with within(8), pytest.raises(AddressUnusable, match=words):
        open_source(address)
    assert capfd.readouterr().err == ""
