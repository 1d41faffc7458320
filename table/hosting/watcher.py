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
from loomtable.table.hosting.errors import CameraGone
from loomtable.table.hosting.locks import Order, OrderedLock
from loomtable.table.hosting.sources import PushedFrames, open_camera
from loomtable.vision.camera import FrameSource
from loomtable.vision.pictures import BgrImage

logger = logging.getLogger(__name__)

AGAIN_AFTER = 2.0
"""Seconds after which a camera that was lost is tried again."""
HANGS = 5.0
"""Seconds for which a camera is waited for that is to be given back; a driver may hang."""
OFF = "no camera is on"
GETTING_READY = "getting ready to read"
AT_END = "the recording has come to its end"


class Looker(Protocol):
    """Who looks at a watcher's frames."""

    def begin_anew(self) -> None:
        """The next frame is another camera's, or the same one's after a pause: nothing before it counts."""

    def get_ready(self) -> None:
        """Called in the watcher's thread before the first frame."""

    def look(self, frame: BgrImage) -> bool:
        """Look at a frame; whether it could be read, as far as there was anything to read."""
        ...

    def changed(self) -> None:
        """The camera's name, status or trouble has changed."""


class Lease:
    """One camera for as long as it is on, or none; held by the thread that watches, which gives the camera back as
    soon as another lease counts. ``spec`` opens it again; a phone, which is waited for, has none."""

    def __init__(self, source: FrameSource | None = None, spec: str = "") -> None:
        self.source, self.spec = source, spec
        self.name = source.name if source is not None else ""
        self.status = OFF if source is None else GETTING_READY
        """Why there is nothing to look at, in words; empty while frames come."""
        self.trouble = ""
        self.frame: BgrImage | None = None
        self.over, self.thread = threading.Event(), threading.Thread()

    @property
    def on(self) -> bool:
        """Whether its camera is watching, or is being tried again."""
        return self.thread.is_alive()

    @property
    def lost(self) -> bool:
        """Whether its camera was on, and sends nothing that could be looked at now."""
        return self.source is not None and (not self.on or (self.frame is None and bool(self.trouble)))

    @property
    def free(self) -> bool:
        """Whether a phone may begin without taking a camera's place: none is on, or a phone that has gone away."""
        return not self.on or (self.lost and isinstance(self.source, PushedFrames))

    @property
    def kept_as(self) -> str:
        """Its camera's name, and of a phone what tells it from others of that name."""
        phone = self.source if isinstance(self.source, PushedFrames) else None
        return f"{self.name} {phone.device}" if phone and phone.device else self.name

    def is_of(self, device: str) -> bool:
        """Whether its camera is this phone."""
        return isinstance(self.source, PushedFrames) and self.source.device == device and self.on

    def end(self) -> None:
        """Tell its thread that another lease counts."""
        self.over.set()
        if isinstance(self.source, PushedFrames):
            self.source.close()


class Watcher:
    """Watches with one camera at a time: the one whose lease counts.

    Nothing that goes wrong ends the thread: a camera that is lost is opened again, and a frame that could not be
    looked at is logged, said, and followed by a pause. May be called from any thread.

    Args:
        looker: is given every frame, one after another.
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
        self._lock = OrderedLock(Order.CAMERA)
        self._lease = Lease()

    @property
    def lease(self) -> Lease:
        """The one that counts, with its thread begun; it is replaced, never changed to mean another camera."""
        with self._lock:
            return self._lease

    @property
    def name(self) -> str:
        """What people call the camera; empty where none is on."""
        return self.lease.name

    @property
    def status(self) -> str:
        """As of the lease."""
        return self.lease.status

    @property
    def trouble(self) -> str:
        """What is wrong with the camera, in words; empty where all is well."""
        return self.lease.trouble

    @property
    def on(self) -> bool:
        """As of the lease."""
        return self.lease.on

    @property
    def frame(self) -> BgrImage | None:
        """The latest frame; none where no camera is on, or it is lost."""
        return self.lease.frame

    def start(self, spec: str) -> None:
        """Watch with this camera: a number, an address, a file or a folder.

        Raises:
            CameraMissing, FileUnreadable, CameraGone: it cannot be opened, or another was chosen meanwhile.
        """
        before = self.lease
        source = self._opens(spec)
        with self._lock:
            if self._lease is before:
                self._begin(Lease(source, spec))
                return
        _close(source)
        if self.lease.spec != spec:
            raise CameraGone("meanwhile another camera was chosen, or it was switched off; look at what is on now")

    def push(
        self, picture: BgrImage, by: str, device: str = "", instead: Lease | None = None
    ) -> PushedFrames | None:
        """A frame that a phone has sent; the phone as a camera, if it is one or could become one.

        ``by`` is what people call it, ``device`` tells it from others of the same name. It may take the place of
        the lease ``instead``, and of no other; by default of any.
        """
        with self._lock:
            if not self._lease.is_of(device):
                if instead not in (None, self._lease):
                    return None
                self._begin(Lease(PushedFrames(by, device, real_time=self.real_time)))
            source = self._lease.source
        assert isinstance(source, PushedFrames)
        source.push(picture)
        return source

    def stop(self) -> None:
        """Give the camera back."""
        with self._lock:
            before, self._lease = self._lease, Lease()
            before.end()
        if before.thread.is_alive() and before.thread is not threading.current_thread():
            before.thread.join(HANGS)
        if before.source is not None:
            self._looker.changed()

    def _begin(self, lease: Lease) -> None:
        """Let this lease count; its thread waits until the one before has looked at its last frame."""
        before, self._lease = self._lease, lease
        before.end()
        logger.info("the camera %r is open", lease.name)
        lease.thread = threading.Thread(target=self._run, args=(lease, before.thread), name="camera", daemon=True)
        lease.thread.start()

    def _run(self, lease: Lease, before: threading.Thread) -> None:
        """Hand over every frame until the source ends or another lease counts."""
        opened = lease.source
        if before.is_alive():
            before.join(HANGS)
        self._get_ready(lease)
        reading, looking = Backoff(), Backoff()
        look_from, anew = 0.0, False
        while not lease.over.is_set():
            try:
                if opened is None:
                    opened = self._opens(lease.spec)
                frame = opened.read()
            except Exception as error:  # noqa: BLE001 - this thread's last net; it is logged, said and tried again
                self._failed(lease, error, "the camera gave no picture, and it is our fault")
                anew = True
                if lease.spec:  # a phone is waited for, not opened
                    _close(opened)
                    opened = None
                if not isinstance(error, LoomtableError):
                    lease.over.wait(reading.failed())
                elif lease.spec:
                    lease.over.wait(AGAIN_AFTER)
                continue
            if frame is None or lease.over.is_set():
                self._set(lease, status=AT_END, trouble="")
                break
            reading.worked()
            lease.frame = frame
            if not looking.failing:
                self._set(lease, trouble="")
            if time.monotonic() < look_from:
                continue  # after a defect the picture is still shown, and looked at again after a pause
            try:
                if anew:
                    self._looker.begin_anew()
                    anew = False
                if self._looker.look(frame) and looking.failing:
                    looking.worked()
                    self._set(lease, trouble="")
            except Exception as error:  # noqa: BLE001 - as above
                self._failed(lease, error, "the picture could not be read, and it is our fault")
                look_from, anew = time.monotonic() + looking.failed(), True
        _close(opened)

    def _get_ready(self, lease: Lease) -> None:
        self._looker.changed()
        try:
            self._looker.begin_anew()
            self._looker.get_ready()
        except Exception:  # this thread's last net; what is wrong is said once something is to be read
            logger.exception("the camera's readers could not be made ready")
        self._set(lease, status="")

    def _failed(self, lease: Lease, error: Exception, defect: str) -> None:
        """Say on the page what went wrong, a defect in the words for it, and on the terminal where it happened."""
        if not isinstance(error, LoomtableError):
            logger.error("%s: %s", lease.name, defect, exc_info=error)
        elif not lease.trouble:  # it is tried again and again, and logged once
            logger.info("the camera %r is lost, and tried again", lease.name)
        words = str(error) if isinstance(error, LoomtableError) else defect
        lease.frame = None
        self._set(lease, trouble=f"{ended(words)} It is tried again; tap or type what you rolled meanwhile")

    def _set(self, lease: Lease, *, status: str | None = None, trouble: str | None = None) -> None:
        before = (lease.status, lease.trouble)
        lease.status = lease.status if status is None else status
        lease.trouble = lease.trouble if trouble is None else trouble
        if before != (lease.status, lease.trouble) and lease is self._lease:
            self._looker.changed()


def _close(source: FrameSource | None) -> None:
    try:
        if source is not None:
            source.close()
    except Exception:  # a camera that cannot even be given back must not keep the next one from being opened
        logger.exception("the camera %s could not be given back", source.name if source else "")
