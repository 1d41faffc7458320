"""What can go wrong between a page and a table, beyond what the rules refuse."""

from __future__ import annotations

from loomtable.engine.kernel.errors import LoomtableError


class CameraGone(LoomtableError):
    """There is no camera, or none that shows anything; the message says what to do."""


class NotThere(LoomtableError):
    """No such session, page or file here."""


class NotAllowed(LoomtableError):
    """The device that asks may not do this; the message says who may."""


class TooMuch(LoomtableError):
    """More was sent than is taken: bytes, pixels or requests."""


class TooOften(LoomtableError):
    """Too many requests in a short time; ``wait`` is how many seconds to wait."""

    def __init__(self, message: str, wait: float = 1.0) -> None:
        super().__init__(message)
        self.wait = wait


class Overtaken(LoomtableError):
    """The same device has sent a newer photograph before this one was read."""


class BadForm(LoomtableError):
    """A form that cannot be read: a field is missing, or is not what it should be."""


class InternalError(LoomtableError):
    """Something that should never happen: our fault, not theirs."""

    def __init__(self) -> None:
        super().__init__("something went wrong, and it is our fault; nothing was lost, so load the page again")
