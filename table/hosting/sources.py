"""Where a table's pictures come from besides cameras: frames that a phone sends, and recordings, played at the
pace of a camera."""

from __future__ import annotations

import threading
import time

from loomtable.table.hosting.errors import CameraGone
from loomtable.vision.camera import CameraLost, FrameSource, open_source
from loomtable.vision.pictures import BgrImage

PACE = 30.0
"""Pictures a second at which recordings without a pace of their own are played."""
QUIET_AFTER = 8.0
"""Seconds without a picture after which a phone counts as gone."""


class PushedFrames(FrameSource):
    """Frames as a phone sends them; only the latest counts. ``device`` tells it from others of the same name.

    Without ``real_time`` frames are of a film: however long the next one takes, the phone is still there, and
    however long one is looked at, it is waited for.
    """

    live = True

    def __init__(self, name: str, device: str = "", *, real_time: bool = True) -> None:
        self.name, self.device, self._real_time = name, device, real_time
        self._latest: BgrImage | None = None
        self._read = False
        """Whether somebody looks at a picture now."""
        self._come = threading.Condition()
        self._closed = False

    def push(self, picture: BgrImage) -> None:
        """The next frame; one that nobody has looked at yet is passed over."""
        with self._come:
            self._latest = picture
            self._come.notify_all()

    def wait_until_free(self, seconds: float) -> bool:
        """Wait, for so long at most, until every picture has been looked at or passed over: what comes then is
        looked at as it is taken. Whether it came to that.
        """
        with self._come:
            longest = seconds if self._real_time else None
            return self._come.wait_for(lambda: self._closed or (self._latest is None and not self._read), longest)

    def read(self) -> BgrImage | None:
        with self._come:
            self._read = False
            self._come.notify_all()
            longest = QUIET_AFTER if self._real_time else None
            if not self._come.wait_for(lambda: self._closed or self._latest is not None, longest):
                raise CameraLost(f"{self.name} has stopped; is its page still open?")
            latest, self._latest, self._read = self._latest, None, True
            return None if self._closed else latest

    def close(self) -> None:
        with self._come:
            self._closed = True
            self._come.notify_all()


class Paced(FrameSource):
    """A recording at the pace of a camera: what nobody looked at in time is passed over, as with a real one."""

    def __init__(self, source: FrameSource, pace: float = PACE) -> None:
        self.name = source.name
        self._source = source
        self._pace = pace
        self._begun: float | None = None
        self._next = 0

    def read(self) -> BgrImage | None:
        if self._begun is None:
            self._begun = time.monotonic()
        due = self._begun + self._next / self._pace
        now = time.monotonic()
        if now < due:
            time.sleep(due - now)
        late = int((time.monotonic() - due) * self._pace)
        picture = self._source.read()
        self._next += 1
        for _ in range(late):
            later = self._source.read() if picture is not None else None
            if later is None:
                break  # the last picture is always shown
            picture = later
            self._next += 1
        return picture

    def close(self) -> None:
        self._source.close()


def open_camera(spec: str) -> FrameSource:
    """Open a camera by its number, its address, or a recording or a folder of pictures in its place.

    Raises:
        CameraMissing, AddressUnusable, FileUnreadable: there is none.
        CameraGone: the name of a camera is missing.
    """
    text = spec.strip()
    if not text:
        raise CameraGone("say which camera: its number, its address, or a file")
    source = open_source(text)
    return source if source.live else Paced(source)
