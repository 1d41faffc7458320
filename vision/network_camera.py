"""A phone or an IP camera by its address: an MJPEG stream or single JPEG pictures over HTTP, or RTSP.

What arrives is untrusted: no picture is larger than ``MOST_BYTES``, and nothing is waited for longer than
``PATIENCE``. Addresses come from people at the table only, never out of a code.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import logging
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

import cv2

from loomtable.engine.kernel.errors import BadInput
from loomtable.vision.camera_base import CameraLost, Captured, FrameSource, quiet
from loomtable.vision.pictures import BgrImage, PictureUnreadable, decode_upload

logger = logging.getLogger(__name__)

PATIENCE = 5.0
"""Seconds without a byte, or without a whole picture, after which a camera counts as silent. Set by hand."""
MOST_BYTES = 20_000_000
"""No picture of a stream is larger. Bound by memory."""
FASTEST = 1 / 15
"""Seconds between two single pictures that are asked for. Set by hand."""
_CHUNK = 65_536
"""Bytes that are read at once. Bound by memory."""
_START, _END = b"\xff\xd8\xff", b"\xff\xd9"
_BAD_PICTURES = 5
"""Bad pictures in a row after which a camera is lost. Set by hand."""


class AddressUnusable(BadInput):
    """No picture comes from this address; the message says why, and what to try."""


def is_address(text: str) -> bool:
    """Whether this names a camera by an address, whatever the scheme."""
    return "://" in text


def open_address(address: str, patience: float = PATIENCE) -> FrameSource:
    """Open a camera by its address: ``http://192.168.0.7:8080/video``, ``rtsp://...``.

    Raises:
        AddressUnusable: the address is none, nobody answers there, or what answers sends no pictures.
    """
    try:
        parts = urlsplit(address.strip())
        port, host = parts.port, parts.hostname
    except ValueError as error:
        raise AddressUnusable(f"{address[:80]!r} is no address of a camera ({error})") from None
    if parts.scheme not in ("http", "https", "rtsp"):
        raise AddressUnusable(
            f"a camera's address begins with http, https or rtsp, not with {parts.scheme[:20]!r}"
        )
    if not host or (port is not None and port == 0):
        raise AddressUnusable(f"{_shown(parts)} names no machine")
    if parts.scheme == "rtsp":
        return _Rtsp(parts, patience)
    response = _request(parts, patience)
    kind = response.headers.get_content_type()
    if kind.startswith("multipart/"):
        return _MjpegStream(parts, response, patience)
    if kind in ("image/jpeg", "image/jpg", "image/png", "image/webp"):
        first = _body(response, parts, patience)
        return _Snapshots(parts, first, patience)
    response.close()
    raise AddressUnusable(
        f"{_shown(parts)} sends {kind[:40]}, no pictures; an app on a phone usually shows them at an address that "
        "ends in /video or /shot.jpg"
    )


class _Snapshots(FrameSource):
    """Single pictures, asked for one by one."""

    live = True

    def __init__(self, parts: SplitResult, first: bytes, patience: float) -> None:
        self.name = _shown(parts)
        self._parts, self._patience = parts, patience
        self._first: BgrImage | None = _first(first, self.name)
        self._asked = 0.0
        self._open = True

    def read(self) -> BgrImage | None:
        if not self._open:
            return None
        if self._first is not None:
            picture, self._first = self._first, None
            return picture
        time.sleep(max(0.0, self._asked + FASTEST - time.monotonic()))
        self._asked = time.monotonic()
        try:
            return decode_upload(
                _body(_request(self._parts, self._patience), self._parts, self._patience), self.name
            )
        except (AddressUnusable, PictureUnreadable) as error:
            raise CameraLost(f"{error}; is the camera still switched on?") from None

    def close(self) -> None:
        self._open = False


class _MjpegStream(FrameSource):
    """A stream of JPEG pictures. A thread reads on and keeps the newest alone, so that none is shown late."""

    live = True

    def __init__(self, parts: SplitResult, response: http.client.HTTPResponse, patience: float) -> None:
        self.name = _shown(parts)
        self._response, self._patience = response, patience
        self._arrived = threading.Condition()
        self._newest: bytes | None = None
        self._trouble = ""
        self._open = True
        self._bad = self._searched = 0
        self._waiting: BgrImage | None = None
        self._thread = threading.Thread(target=self._listen, name="camera", daemon=True)
        self._thread.start()
        try:
            self._waiting = self.read()
        except CameraLost as error:
            self.close()
            raise AddressUnusable(str(error)) from None

    def read(self) -> BgrImage | None:
        """The newest picture that has not been seen yet.

        Raises:
            CameraLost: none came in time, or the stream has ended.
        """
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            return waiting
        until = time.monotonic() + self._patience
        while self._open:
            with self._arrived:
                self._arrived.wait_for(
                    lambda: self._newest is not None or bool(self._trouble), max(until - time.monotonic(), 0)
                )
                encoded, self._newest = self._newest, None
            if encoded is None:
                why = self._trouble or self._silent
                self.close()
                raise CameraLost(f"{why}; is the camera still switched on?")
            try:
                picture = decode_upload(encoded, self.name)
            except PictureUnreadable as error:
                # A picture may be lost on the way; a stream of nothing but rubbish is no camera.
                self._bad += 1
                if self._bad >= _BAD_PICTURES:
                    self.close()
                    raise CameraLost(f"{error}, and so were the {_BAD_PICTURES - 1} before it") from None
                continue
            self._bad = 0
            return picture
        return None

    @property
    def _silent(self) -> str:
        return f"{self.name} has sent no picture for {self._patience:g} seconds"

    def close(self) -> None:
        self._open = False
        self._end(f"{self.name} was closed")

    def _listen(self) -> None:
        """Cut the pictures out of the stream, each from its first mark to its last, whatever stands between."""
        kept = b""
        try:
            while self._open:
                got = self._response.read1(_CHUNK)
                if not got:
                    raise OSError("the stream has ended")
                kept = self._taken_from(kept + got)
                if len(kept) > MOST_BYTES:
                    raise OSError(f"sends pictures of more than {MOST_BYTES // 1_000_000} MB")
        except TimeoutError:
            # The socket and the reader wait equally long, and either may give up first.
            self._end(self._silent)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._end(f"{self.name}: {_why(error)}")
        except Exception:  # this thread's last net; whoever reads is told, and opens the camera anew
            if self._open:
                logger.exception("the camera %s could not be read", self.name)
            self._end(f"{self.name}: something went wrong here, and it is our fault")
        finally:
            self._response.close()

    def _end(self, why: str) -> None:
        with self._arrived:
            self._trouble = self._trouble or why
            self._arrived.notify_all()

    def _taken_from(self, kept: bytes) -> bytes:
        """Hand on every whole picture in ``kept``, the newest last, and return what begins after them."""
        while (start := kept.find(_START)) >= 0:
            end = self._end_in(kept, start)
            if end < 0:
                return kept[start:]
            with self._arrived:
                self._newest = kept[start:end]
                self._arrived.notify_all()
            kept = kept[end:]
        # Before a picture begins there is nothing worth keeping but half of its first mark.
        return kept[-2:]

    def _end_in(self, kept: bytes, start: int) -> int:
        """Where the picture that begins at ``start`` ends, or -1 where its end has not arrived."""
        at = start + self._searched
        while (at := kept.find(_END, at)) >= 0:
            # The small picture that some cameras put into a large one ends in the midst of bytes, not of a line.
            if kept[at + 2 : at + 3] in (b"", b"\r", b"\n", b"-"):
                self._searched = 0
                return at + 2
            at += 2
        self._searched = max(len(kept) - start - 1, 0)
        return -1


class _Rtsp(Captured):
    """A stream that OpenCV opens by itself, where its build can."""

    live = True

    def __init__(self, parts: SplitResult, patience: float) -> None:
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(patience * 1000)]
        limits += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(patience * 1000)]
        with quiet():
            super().__init__(cv2.VideoCapture(urlunsplit(parts), cv2.CAP_FFMPEG, limits), _shown(parts))
        if not self._capture.isOpened():
            raise AddressUnusable(f"{self.name} cannot be opened; is the camera on, and the address right?")

    def read(self) -> BgrImage | None:
        if not self._capture.isOpened():
            return None
        if (picture := super().read()) is None:
            raise CameraLost(f"{self.name} sends no more pictures; is the camera still switched on?")
        return picture


class _SameHost(urllib.request.HTTPRedirectHandler):
    """A camera may send one elsewhere on itself only: no machine, and no port, is asked that nobody named."""

    max_redirections = 3

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        here, there = urlsplit(req.full_url), urlsplit(newurl)
        if there.scheme not in ("http", "https"):
            raise urllib.error.URLError("it sends one to another kind of address")
        if there.hostname != here.hostname or (there.port != here.port and here.scheme == there.scheme):
            raise urllib.error.URLError(
                "it sends one to another machine; give that one's address, if you trust it"
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _Deadline(urllib.request.HTTPSHandler):
    """Opens connections, and ends them once so many seconds are over in all: a socket's own patience begins anew
    with every byte."""

    handler_order = 400  # before the usual ones

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.over = False
        self._sockets: list[socket.socket] = []
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> _Deadline:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        for connection in self._sockets:
            connection.close()

    def note(self, connected: socket.socket) -> None:
        """A connection that is to be ended; by a handle of its own, for TLS takes the socket's away."""
        self._sockets.append(connected.dup())

    def _end(self) -> None:
        self.over = True
        for connection in self._sockets:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def http_open(self, req: Any) -> Any:
        return self.do_open(_Connection, req, deadline=self)  # type: ignore[arg-type]

    def https_open(self, req: Any) -> Any:
        return self.do_open(_SecureConnection, req, deadline=self)


class _Connection(http.client.HTTPConnection):
    def __init__(self, *args: Any, deadline: _Deadline, **more: Any) -> None:
        super().__init__(*args, **more)
        self._deadline = deadline

    def connect(self) -> None:
        super().connect()
        self._deadline.note(self.sock)


class _SecureConnection(http.client.HTTPSConnection, _Connection):
    """TLS over a connection that is noted before the handshake."""


def _request(parts: SplitResult, patience: float) -> http.client.HTTPResponse:
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="")
    deadline = _Deadline(patience)
    # Cameras stand in the same house: no proxy is asked.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _SameHost(), deadline)
    try:
        request = urllib.request.Request(urlunsplit(bare), headers={"User-Agent": "loomtable"})
        if parts.username:
            login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
            request.add_unredirected_header("Authorization", f"Basic {base64.b64encode(login).decode()}")
        with deadline:
            response: http.client.HTTPResponse = opener.open(request, timeout=patience)
        if deadline.over:  # headers that are cut off look like their end
            response.close()
            raise TimeoutError
    except (OSError, http.client.HTTPException, ValueError) as error:
        why = _why(TimeoutError() if deadline.over else error)
        raise AddressUnusable(f"{_shown(parts)} cannot be reached: {why}") from None
    return response


def _body(response: http.client.HTTPResponse, parts: SplitResult, patience: float) -> bytes:
    """The whole of an answer, within bounds of size and time."""
    until = time.monotonic() + patience
    got = bytearray()
    try:
        with response:
            while chunk := response.read1(_CHUNK):
                got += chunk
                if len(got) > MOST_BYTES:
                    raise OSError(f"it sends more than {MOST_BYTES // 1_000_000} MB")
                if time.monotonic() > until:
                    raise OSError(f"it has sent no whole picture in {patience:g} seconds")
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise AddressUnusable(f"{_shown(parts)}: {_why(error)}") from None
    return bytes(got)


def _first(encoded: bytes, name: str) -> BgrImage:
    try:
        return decode_upload(encoded, name)
    except PictureUnreadable as error:
        raise AddressUnusable(str(error)) from None


def _why(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    if isinstance(error, urllib.error.HTTPError):
        wants = "; write the address as http://name:password@..." if error.code == 401 else ""
        return f"it answers {error.code} ({error.reason}){wants}"
    if isinstance(reason, TimeoutError):
        return "nobody answers there in time"
    if isinstance(reason, socket.gaierror):
        return "there is no machine of this name"
    if isinstance(reason, ssl.SSLError):
        return "its certificate is not trusted; try the address with http"
    if isinstance(reason, ConnectionRefusedError):
        return "nothing listens there; is the camera on?"
    return str(getattr(reason, "strerror", None) or reason)[:120]


def _shown(parts: SplitResult) -> str:
    """The address for messages: without name and password."""
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment=""))[:100]
