"""The one family of errors. Each names the thing, the reason, and where it helps what to do next.

A ``LoomtableError`` is something a person can put right: a damaged card code, a transcript with an unknown
action, a die that does not exist. Commands print its message as one sentence and exit with code 2. Anything
else that is raised is a defect of ours.
"""

from __future__ import annotations

from typing import ClassVar


class LoomtableError(Exception):
    """Something a person can put right; ``str(error)`` is one clear sentence.

    >>> from loomtable import Die, LoomtableError
    >>> try:
    ...     Die.D6.check(7)
    ... except LoomtableError as error:
    ...     print(error)
    a d6 has no face 7; its faces are 1, 2, 3, 4, 5, 6
    """

    exit_code: ClassVar[int] = 2
    """What a command that ends so returns."""
    status: ClassVar[int] = 400
    """The HTTP status with which a request is refused."""


class BadInput(LoomtableError):
    """What was given cannot be used: a file, a word, a number, a picture."""

    status = 400


class NotNow(LoomtableError):
    """What was asked for can be done, but not as things are."""

    status = 409


class Missing(LoomtableError):
    """There is no such thing here."""

    status = 404


class Broken(LoomtableError):
    """The machine, or what is kept on it, does not do what it should."""

    status = 503


class BadCode(BadInput):
    """A code was read that is not one of our cards' codes."""


class ForeignCode(BadCode):
    """The code was not printed by Loomtable at all."""


class OtherCodeVersion(BadCode):
    """The code is one of ours, printed for another version of the code format."""


class DamagedCode(BadCode):
    """The code is one of ours, and its checksum does not fit."""


class UnknownComponent(Missing):
    """No such printed thing: the kind, number or side does not exist."""


class IllegalAction(NotNow):
    """The rules do not allow this now; the message says why."""

    status = 400


class UnknownAction(BadInput):
    """The system has no action of this name, or not with these arguments."""


class ReadingMisfit(BadInput):
    """The reading does not answer the pending request."""


class UnknownRuling(BadInput):
    """No such ruling, or no such choice for it."""


class JournalCorrupt(Broken):
    """A stored journal does not check out; the message says at which entry."""


class TranscriptInvalid(BadInput):
    """A transcript cannot be read; the message says in which line."""


class TranscriptFailed(BadInput):
    """A transcript was replayed and something did not come out as it says."""


class ContentInvalid(BadInput):
    """A data file (deck, playset, ...) does not hold together."""


class FileUnreadable(BadInput):
    """A file is missing, or is not what it should be."""
