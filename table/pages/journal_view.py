"""The journal as a page shows it: each line, how it was come by, what it caused, and what can be done with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from loomtable.engine.kernel.corrections import Consequences
from loomtable.engine.kernel.journal import (
    Acted,
    Amended,
    Answered,
    Line,
    Restored,
    Voided,
    WentBack,
    drafts,
    effective_steps,
)
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import ended, label_of
from loomtable.table.journal_words import answer_in_words, answered_in_words, line_in_words


class LineShown(msgspec.Struct, frozen=True):
    """One line of the journal."""

    seq: int
    kind: str
    """The tag of its entry: ``opened``, ``acted``, ``answered``, ``voided``..."""
    says: str
    how: str
    who: str
    at: str
    struck: bool
    story: tuple[str, ...]
    can_amend: bool = False
    can_strike: bool = False
    can_restore: bool = False
    rule: str = ""
    """The rule by which it was asked, if it was."""
    was: str = ""
    """The answer as it was given, where another counts by now."""


class ConsequencesShown(msgspec.Struct, frozen=True):
    """Everything that a change in the middle would do."""

    gone: tuple[str, ...]
    new: tuple[str, ...]
    changes: tuple[str, ...]
    dropped: tuple[str, ...]
    asked_then: str
    nothing: bool


def lines_of(
    session: Session[object], newest: int | None = None, most: int | None = None
) -> tuple[LineShown, ...]:
    """Lines from ``newest`` (the last one if left out) back, the latest first; what was struck through stays.

    Args:
        session: whose journal.
        newest: the number of the first line that is shown.
        most: how many are shown; all if left out.
    """
    lines = session.lines()
    end = len(lines) if newest is None else min(newest + 1, len(lines))
    wanted = lines[0 if most is None else max(0, end - most) : end]
    counting = {step.seq: step.what for step in reversed(effective_steps(lines))}
    drafted = {seq for own in drafts(lines).values() for seq in own}
    taken_back = {line.entry.target for line in lines if isinstance(line.entry, Restored)}
    story: dict[int, list[str]] = {line.seq: [] for line in wanted}
    for played in (line for line in session.played if line.step.seq in story):
        told = [session.system.tell(event, played.game) for event in played.events]
        story[played.step.seq] += told
    return tuple(
        _line(line, lines, counting, taken_back, tuple(story[line.seq]), line.seq in drafted)
        for line in reversed(wanted)
    )


def _line(
    line: Line,
    lines: tuple[Line, ...],
    counting: Mapping[int, Any],
    taken_back: set[int],
    story: tuple[str, ...],
    drafted: bool,
) -> LineShown:
    entry = line.entry
    played = isinstance(entry, Acted | Answered)
    struck = (played and line.seq not in counting and not drafted) or line.seq in taken_back
    says, how, was = "", "", ""
    if isinstance(entry, Answered):
        now = counting.get(line.seq, entry.reading)
        was = answer_in_words(entry.request, entry.reading) if now != entry.reading else ""
        says, how = answered_in_words(entry.request, now, line.who)
    else:
        says = line_in_words(line, lines)
    if drafted:
        how = f"{how}, in a draft" if how else "in a draft"
    return LineShown(
        seq=line.seq,
        kind=str(type(entry).__struct_config__.tag),
        says=says,
        how=how,
        who=line.who,
        at=line.at,
        struck=struck,
        story=story,
        can_amend=isinstance(entry, Answered) and not struck and not drafted,
        can_strike=isinstance(entry, Acted) and not struck and not drafted,
        can_restore=isinstance(entry, Voided | Amended | WentBack) and not struck,
        rule=entry.request.rule if isinstance(entry, Answered) else "",
        was=was,
    )


def consequences_shown(session: Session[object], found: Consequences[object]) -> ConsequencesShown:
    """What a change would do, in words."""
    then = found.pending
    asked = f"{then.by}: {ended(then.purpose)}" if then is not None and then != session.pending else ""
    return ConsequencesShown(
        gone=found.gone,
        new=found.new,
        changes=tuple(_change(str(c.path), c.before, c.after) for c in found.changes),
        dropped=tuple(f"Line {d.step.seq} is struck through: {ended(d.reason)}" for d in found.dropped),
        asked_then=asked,
        nothing=found.after == found.before and not found.dropped,
    )


def _change(path: str, before: object, after: object) -> str:
    where = ", ".join(_part(part) for part in path.split("."))
    return f"{where}: {_plain(before)} becomes {_plain(after)}"


def _part(part: str) -> str:
    return f"no. {int(part) + 1}" if part.isdecimal() else label_of(part).lower()


def _plain(value: object) -> str:
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
