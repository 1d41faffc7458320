"""The journal: what people did and what was read, in order, never changed, only added to.

Actions and readings are the truth; the state is a fold over them. Undoing, amending and taking back are lines of
their own that point at earlier ones, so that what was struck through can always still be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, get_args

import msgspec

from loomtable.engine.kernel.errors import JournalCorrupt
from loomtable.engine.kernel.play import Action
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.requests import Request


class _Entry(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="entry"):
    """What all entries share."""


class Opened(_Entry, frozen=True, tag="opened"):
    """The session's first line: what is played, by which rules, from which set-up."""

    system: str
    rules_version: str
    seed: str
    setup: dict[str, Any] = {}
    rulings: dict[str, str] = {}
    program: str = ""
    """The version of Loomtable that began it."""


class Acted(_Entry, frozen=True, tag="acted"):
    """A person began an action."""

    action: Action
    draft: str = ""
    """Whose draft it belongs to: it counts once a ``Joined`` line says so."""


class Answered(_Entry, frozen=True, tag="answered"):
    """A reading answered the open request."""

    reading: Reading
    request: Request
    draft: str = ""
    """As in ``Acted``."""


class Joined(_Entry, frozen=True, tag="joined"):
    """A draft is done: its lines count here, one after the other, whatever was written between them."""

    targets: tuple[int, ...]
    goes_on: bool = False
    """Only as its author has it, who undoes one of its lines after the other; written once it is done."""


class Struck(StrEnum):
    """Why lines were struck through: by hand, by undo, or because others have made them impossible in a draft."""

    OUT = "struck out"
    UNDO = "undo"
    MISFIT = "does not fit any more"


class Voided(_Entry, frozen=True, tag="voided"):
    """Lines struck through: undo, or an action taken out of the middle."""

    targets: tuple[int, ...]
    why: str = Struck.OUT
    """A ``Struck``; older lines have somebody's own words here, which now are in ``said``."""
    said: str = ""


class Amended(_Entry, frozen=True, tag="amended"):
    """A past reading put right.

    ``inserted`` answers what the amended play asks at that place and the old one did not; ``dropped`` are the
    later lines that no longer fit.
    """

    target: int
    reading: Reading
    inserted: tuple[Reading, ...] = ()
    dropped: tuple[int, ...] = ()
    why: str = ""


class WentBack(_Entry, frozen=True, tag="went-back"):
    """The table is again as it was after an earlier line: whatever stands between the two counts no more."""

    to: int


class Restored(_Entry, frozen=True, tag="restored"):
    """A ``Voided``, ``Amended`` or ``WentBack`` line taken back: redo."""

    target: int


class SavePoint(_Entry, frozen=True, tag="save-point"):
    """A name for the table as it is at this line, by which people find it again; given again, it moves."""

    name: str


Entry = Opened | Acted | Answered | Joined | Voided | Amended | WentBack | Restored | SavePoint


class Line(msgspec.Struct, frozen=True):
    """An entry with its number (from 0), the moment it was written (UTC, ISO 8601), and by whose hand."""

    seq: int
    at: str
    entry: Entry
    who: str = ""
    """The person or device that acted, typed, corrected or took back; empty where a table does not say."""


class Journal:
    """What was done, line by line; one like this, kept in memory alone, is for transcripts and previews."""

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        self._lines = list(lines)
        self._gathers = False

    def append(self, entry: Entry, who: str = "") -> Line:
        """Add an entry and return its line, once that is safe."""
        line = Line(len(self._lines), now(), entry, who)
        with self.together():
            self._lines.append(line)
        return line

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is added meanwhile is kept once this ends, all of it; where it fails, none is there."""
        begun, within, self._gathers = len(self._lines), self._gathers, True
        try:
            yield
            if not within and self._lines[begun:]:
                self._keep(self._lines[begun:])
        except BaseException:  # Ctrl+C too: what is not kept is not there
            del self._lines[begun:]
            raise
        finally:
            self._gathers = within

    def _keep(self, lines: Sequence[Line]) -> None:
        """Write new lines where they outlive the program."""

    def lines(self) -> Sequence[Line]:
        """All lines so far."""
        return tuple(self._lines)


def now() -> str:
    """The present moment as it is written in a line."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Step(msgspec.Struct, frozen=True):
    """One action or reading that counts, and the number of the line that it stands in."""

    seq: int
    what: Action | Reading
    request: Request | None = None
    """For a reading: the request it answered; ``None`` for one that an amendment inserted."""


def effective_steps(lines: Sequence[Line]) -> tuple[Step, ...]:
    """The actions and readings that count, after every striking-through, amendment and taking back.

    Raises:
        JournalCorrupt: a line points at one that does not exist or is of the wrong sort.
    """
    struck, amended = _in_force(lines)
    steps: list[Step] = []
    for line in _in_order(lines, struck):
        if line.seq in struck:
            continue
        if isinstance(line.entry, Acted):
            steps.append(Step(line.seq, line.entry.action))
        elif isinstance(line.entry, Answered):
            change = amended.get(line.seq)
            reading = change.reading if change else line.entry.reading
            steps.append(Step(line.seq, reading, line.entry.request))
            steps.extend(Step(line.seq, extra) for extra in (change.inserted if change else ()))
    return tuple(steps)


def _in_order(lines: Sequence[Line], struck: Set[int]) -> Iterable[Line]:
    """The lines in the order in which they count: a draft's where it was joined, and still is."""
    for line in lines:
        if isinstance(line.entry, Joined):
            for target in line.entry.targets if line.seq not in struck else ():
                _target(lines, line, target, (Acted, Answered))
                yield lines[target]
        elif not draft_of(line):
            yield line


def draft_of(line: Line) -> str:
    """Whose draft a line was written for; empty for any other line."""
    return line.entry.draft if isinstance(line.entry, Acted | Answered) else ""


def drafts(lines: Sequence[Line]) -> dict[str, tuple[int, ...]]:
    """The lines of every draft that is not joined yet and has any, by whose it is."""
    struck, _ = _in_force(lines)
    joined = (line.entry.targets for line in lines if isinstance(line.entry, Joined) and line.seq not in struck)
    done = struck.union(*joined)
    found: dict[str, tuple[int, ...]] = {}
    for line in lines:
        if (whose := draft_of(line)) and line.seq not in done:
            found[whose] = (*found.get(whose, ()), line.seq)
    return found


def _in_force(lines: Sequence[Line]) -> tuple[set[int], dict[int, Amended]]:
    taken_back: set[int] = set()
    for line in reversed(lines):
        if line.seq in taken_back:
            continue
        if isinstance(line.entry, Restored):
            _target(lines, line, line.entry.target, (Voided, Amended, WentBack, Restored))
            taken_back.add(line.entry.target)
        elif isinstance(line.entry, WentBack):
            _target(lines, line, line.entry.to, get_args(Entry))
            taken_back.update(range(line.entry.to + 1, line.seq))
    struck: set[int] = set()
    amended: dict[int, Amended] = {}
    for line in lines:
        if line.seq in taken_back:
            continue
        if isinstance(line.entry, Voided):
            for target in line.entry.targets:
                _target(lines, line, target, (Acted, Answered))
            struck.update(line.entry.targets)
        elif isinstance(line.entry, WentBack):
            struck.update(range(line.entry.to + 1, line.seq))
        elif isinstance(line.entry, Amended):
            _target(lines, line, line.entry.target, (Answered,))
            amended[line.entry.target] = line.entry
    # A line put right a second time is as if it had been put right once: what only the first time cost comes back.
    for amendment in amended.values():
        struck.update(amendment.dropped)
    return struck, amended


def _target(lines: Sequence[Line], line: Line, target: int, sorts: tuple[type[Entry], ...]) -> None:
    if not 0 <= target < line.seq or not isinstance(lines[target].entry, sorts):
        raise JournalCorrupt(f"journal line {line.seq} points at line {target}, which cannot be what it means")


def steps_of(line: Line) -> tuple[int, ...]:
    """The lines of the steps that count by this one: itself, or those of a draft that has joined."""
    return line.entry.targets if isinstance(line.entry, Joined) else (line.seq,)


class History(msgspec.Struct, frozen=True):
    """What people did in order, as undo and redo walk through it. Each is the number of a line."""

    done: tuple[int, ...]
    """What counts: steps, corrections, actions struck out, changes taken back; undo begins with the last one."""
    undone: tuple[tuple[int, int], ...]
    """What was undone, if nothing was done since: the line that no longer counts, and the line that undid it."""


def history(lines: Sequence[Line]) -> History:
    """What can be undone, and what can be done again."""
    done: list[int] = []
    undone: list[tuple[int, int]] = []
    own = {line.seq for line in lines if draft_of(line)}  # what is changed in a draft is undone there
    for line in lines[1:]:
        entry = line.entry
        match entry:
            case Joined(targets=targets):
                own.difference_update(targets)
                done.extend(targets if entry.goes_on else (line.seq,))
                undone.clear()
                continue
            case _ if line.seq in own or (isinstance(entry, Voided) and own.issuperset(entry.targets)):
                continue
            case Voided(targets=t, why=Struck.UNDO) if found := [d for d in done if steps_of(lines[d]) == t]:
                (undoes,) = found
            case Restored(target=target) if undone and undone[-1][1] == target:
                done.append(undone.pop()[0])
                continue
            case Restored(target=target) if done and done[-1] == target:
                undoes = target
            case SavePoint():
                continue
            case _:
                done.append(line.seq)
                undone.clear()
                continue
        done.remove(undoes)
        undone.append((undoes, line.seq))
    return History(tuple(done), tuple(undone))


def save_points(lines: Sequence[Line]) -> dict[str, int]:
    """The moments that have a name, and the lines after which the table was so; the latest last."""
    return {line.entry.name: line.seq for line in lines if isinstance(line.entry, SavePoint)}


def opening(lines: Sequence[Line]) -> Opened:
    """The session's first line.

    Raises:
        JournalCorrupt: the journal is empty or begins with something else.
    """
    if not lines or not isinstance(lines[0].entry, Opened):
        raise JournalCorrupt("the journal does not begin with the opening of a session")
    return lines[0].entry
