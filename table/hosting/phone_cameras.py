"""Phones that want to be the camera. Where none is on, whoever presses *Start* is; else the host is asked.

A phone whose place was taken, or that was switched off, does not begin again by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from loomtable.table.hosting.devices import Device, Role
from loomtable.table.hosting.errors import CameraGone
from loomtable.table.hosting.watcher import Lease


class PhoneCameras:
    """The phones that want to be the camera of one session; ``tell`` makes its pages look again."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._lock, self._tell = threading.Lock(), tell
        self._asking: dict[str, Device] = {}
        self._allowed: set[str] = set()

    @property
    def asking(self) -> tuple[Device, ...]:
        """Those that wait for the host."""
        return tuple(self._asking.values())

    def waits(self, lease: Lease, device: Device, *, starts: bool) -> str:
        """Why a phone's frame waits for the host; empty where it is looked at, and may take the lease's place.

        ``starts`` where its person has pressed *Start* since the last.

        Raises:
            CameraGone: it has to be started again.
        """
        if lease.is_of(device.id):
            return ""
        with self._lock:
            waited, allowed = self._asking.pop(device.id, None), device.id in self._allowed
            self._allowed.discard(device.id)
            if not (starts or waited or allowed):
                why = "the camera was switched off" if lease.free else f"another camera is on now: {lease.name}"
                raise CameraGone(f"{why}. Press Start to begin again")
            if lease.free or allowed or device.role is Role.HOST:
                return ""
            self._asking[device.id] = device
        if waited is None:
            self._tell()
        return f"Another camera is on: {lease.name}. The host is asked whether you may take its place."

    def decide(self, device: str, *, allowed: bool) -> str:
        """The host says whether a phone may be the camera; what comes of it, in words.

        Raises:
            CameraGone: the phone asks no longer.
        """
        with self._lock:
            asked = self._asking.pop(device, None)
            if asked is None:
                raise CameraGone("this phone does not ask to be the camera any more")
            if allowed:
                self._allowed.add(device)
        self._tell()
        return f"{asked.name} may be the camera now." if allowed else "The camera stays as it is."

    def forget(self) -> None:
        """The cameras are switched off: who waited has to begin again."""
        with self._lock:
            self._asking.clear()
            self._allowed.clear()
