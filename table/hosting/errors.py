"""What can go wrong between a page and a table, beyond what the rules refuse."""

from __future__ import annotations

from loomtable.engine.kernel.errors import BadInput, Broken, Missing, NotNow


class CameraGone(NotNow):
    """There is no camera, or none that shows anything; the message says what to do."""


class NotThere(Missing):
    """No such session, page or file here."""


class Elsewhere(NotThere):
    """The device follows another session, or has to say first whose it is: its place is elsewhere."""


class NotAllowed(NotNow):
    """The device that asks may not do this; the message says who may."""

    status = 403


class TooMuch(BadInput):
    """More was sent than is taken: bytes, pixels or requests."""

    status = 413


class TooOften(NotNow):
    """Too many requests in a short time; ``wait`` is how many seconds to wait."""

    status = 429

    def __init__(self, message: str, wait: float = 1.0) -> None:
        super().__init__(message)
        self.wait = wait


class BadForm(BadInput):
    """A form that cannot be read: a field is missing, or is not what it should be."""


class InternalError(Broken):
    """Something that should never happen: our fault, not theirs."""

    status = 500

    def __init__(self) -> None:
        super().__init__("something went wrong, and it is our fault; nothing was lost, so load the page again")
