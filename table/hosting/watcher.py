"""One camera, watched in a thread of its own: frames, and what is done when there are none.

A watcher knows nothing of dice, cards or sessions: it hands each frame to whoever looks at it. No frame is ever
kept; the last one lies in memory until the next.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.wording import ended
from loomtable.table.hosting.backoff import Backoff
from loomtable.table.hosting.proposal import as_jpeg
from loomtable.table.hosting.sources import PushedFrames, open_camera
from loomtable.vision.camera import FrameSource
from loomtable.vision.pictures import BgrImage

logger = logging.getLogger(__name__)

AGAIN_AFTER = 2.0
"""Seconds after which a camera that was lost is tried again."""
OFF = "no camera is on"
GETTING_READY = "getting ready to read"
AT_END = "the recording has come to its end"


class Looker(Protocol):
    """Who looks at a watcher's frames."""

    def get_ready(self) -> None:
        """Called in the watcher's thread before the first frame."""

    def begin_anew(self) -> None:
        """The next frame is another camera's, or the same one's after a pause: nothing before it counts."""

    def look(self, frame: BgrImage) -> bool:
        """Look at a frame; whether it could be read, as far as there was anything to read."""
        ...

    def changed(self) -> None:
        """The camera's name, status or trouble has changed."""


class Watcher:
    """Watches with one camera at a time.

    Nothing that goes wrong ends the thread: a camera that is lost is opened again, and a frame that could not be
    looked at is logged, said, and followed by a pause.

    Args:
        looker: is given every frame.
        opens: opens a camera by what people call it.
        real_time: whether a phone's frames come as they are taken, not as those of a film.
    """

    def __init__(
        self,
        looker: Looker,
        opens: Callable[[str], FrameSource] = open_camera,
        *,
        real_time: bool = True,
    ) -> None:
        self._looker, self.real_time = looker, real_time
        self._opens = opens
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._source: FrameSource | None = None
        self._frame: BgrImage | None = None
        self._encoded: bytes | None = None
        self.name = ""
        """What people call the camera; empty where none is on."""
        self.status = OFF
        """Why there is nothing to look at, in words; empty while frames come."""
        self.trouble = ""
        """What is wrong with the camera, in words; empty where all is well."""

    @property
    def on(self) -> bool:
        """Whether a camera is watching, or is being tried again."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def lost(self) -> bool:
        """Whether it was on, and sends nothing that could be looked at now."""
        return bool(self.name) and (not self.on or (self._frame is None and bool(self.trouble)))

    def start(self, spec: str) -> None:
        """Watch with this camera: a number, an address, a file or a folder.

        Raises:
            CameraMissing, FileUnreadable, CameraGone: it cannot be opened.
        """
        self._begin(self._opens(spec), spec)

    def push(self, picture: BgrImage, by: str) -> PushedFrames:
        """A frame that a phone has sent; the phone is the camera from then on, and is returned as such."""
        source = self._source
        if not isinstance(source, PushedFrames) or source.name != by or not self.on:
            source = PushedFrames(by, real_time=self.real_time)
            self._begin(source, None)
        source.push(picture)
        return source

    def stop(self) -> None:
        """Give the camera back."""
        self._stop.set()
        source, thread = self._source, self._thread
        if isinstance(source, PushedFrames):
            source.close()
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=5)
        with self._lock:
            self._thread, self._source, self._frame, self._encoded = None, None, None, None
            self.name, self.trouble, self.status = "", "", OFF
        self._looker.changed()

    @property
    def frame(self) -> BgrImage | None:
        """The latest frame; none where no camera is on, or it is lost."""
        return self._frame

    def jpeg(self) -> bytes | None:
        """The latest frame as a JPEG; made when it is first wanted."""
        with self._lock:
            frame, encoded = self._frame, self._encoded
        if encoded is None and frame is not None:
            encoded = as_jpeg(frame)
            with self._lock:
                if self._frame is frame:
                    self._encoded = encoded
        return encoded

    def _begin(self, source: FrameSource, spec: str | None) -> None:
        self.stop()
        logger.info("the camera %r is open", source.name)
        self._looker.begin_anew()
        with self._lock:
            self._stop = threading.Event()
            self._source, self.name = source, source.name
            run = (source, spec, self._stop)
            self._thread = threading.Thread(target=self._run, args=run, name="camera", daemon=True)
            self._thread.start()

    def _run(self, source: FrameSource, spec: str | None, stop: threading.Event) -> None:
        """Hand over every frame until the source ends or is given back."""
        opened: FrameSource | None = source
        self._get_ready(stop)
        reading, looking = Backoff(), Backoff()
        look_from, anew = 0.0, False
        while not stop.is_set():
            try:
                if opened is None:
                    opened = self._opens(spec or "")
                frame = opened.read()
            except Exception as error:  # noqa: BLE001 - this thread's last net; it is logged, said and tried again
                self._failed(error, "the camera gave no picture, and it is our fault", stop)
                anew = True
                if spec is not None:  # a phone is waited for, not opened
                    _close(opened)
                    opened = None
                if not isinstance(error, LoomtableError):
                    stop.wait(reading.failed())
                elif spec is not None:
                    stop.wait(AGAIN_AFTER)
                continue
            if frame is None:
                if not stop.is_set():
                    self._set(status=AT_END, trouble="")
                break
            reading.worked()
            with self._lock:
                self._frame, self._encoded = frame, None
            if not looking.failing:
                self._set(trouble="")
            if time.monotonic() < look_from:
                continue  # after a defect the picture is still shown, and looked at again after a pause
            try:
                if anew:
                    self._looker.begin_anew()
                    anew = False
                if self._looker.look(frame) and looking.failing:
                    looking.worked()
                    self._set(trouble="")
            except Exception as error:  # noqa: BLE001 - as above
                self._failed(error, "the picture could not be read, and it is our fault", stop)
                look_from, anew = time.monotonic() + looking.failed(), True
        _close(opened)

    def _get_ready(self, stop: threading.Event) -> None:
        self._set(status=GETTING_READY)
        try:
            self._looker.get_ready()
        except Exception:  # this thread's last net; what is wrong is said once something is to be read
            logger.exception("the camera's readers could not be made ready")
        if not stop.is_set():
            self._set(status="")

    def _failed(self, error: Exception, defect: str, stop: threading.Event) -> None:
        """Say on the page what went wrong, a defect in the words for it, and on the terminal where it happened."""
        if not isinstance(error, LoomtableError):
            logger.error("%s: %s", self.name, defect, exc_info=error)
        elif not self.trouble:  # it is tried again and again, and logged once
            logger.info("the camera %r is lost, and tried again", self.name)
        if not stop.is_set():
            words = str(error) if isinstance(error, LoomtableError) else defect
            with self._lock:
                self._frame, self._encoded = None, None
            self._set(trouble=f"{ended(words)} It is tried again; tap or type what you rolled meanwhile")

    def _set(self, *, status: str | None = None, trouble: str | None = None) -> None:
        with self._lock:
            before = (self.status, self.trouble)
            self.status = self.status if status is None else status
            self.trouble = self.trouble if trouble is None else trouble
            changed = before != (self.status, self.trouble)
        if changed:
            self._looker.changed()


def _close(source: FrameSource | None) -> None:
    try:
        if source is not None:
            source.close()
    except Exception:  # a camera that cannot even be given back must not keep the next one from being opened
        logger.exception("the camera %s could not be given back", source.name if source else "")
