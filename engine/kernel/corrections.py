"""What a change in the middle of a journal would do, found out before it is written, and a draft's own journal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import Generic, TypeVar

import msgspec

from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.fold import Change, DroppedStep, Fold, StepResult, changes, replay_lenient
from loomtable.engine.kernel.journal import (
    Acted,
    Amended,
    Answered,
    Entry,
    Joined,
    Journal,
    Line,
    Opened,
    Voided,
    drafts,
    effective_steps,
)
from loomtable.engine.kernel.play import Action, Game
from loomtable.engine.kernel.requests import Request

S = TypeVar("S")


class Consequences(msgspec.Struct, Generic[S], frozen=True):
    """What a change in the middle of the journal would do."""

    before: Game[S]
    after: Game[S]
    dropped: tuple[DroppedStep, ...]
    """Later steps that no longer fit; they would be struck through."""
    pending: Request | None
    """What would be asked then."""
    changes: tuple[Change, ...]
    gone: tuple[str, ...]
    """Sentences of events that would not have happened."""
    new: tuple[str, ...]
    """Sentences of events that would have happened instead."""


def voiding(played: Sequence[StepResult[S]], seq: int) -> Voided:
    """What strikes the action in line ``seq`` through, with its answers.

    Raises:
        IllegalAction: the line holds no action that counts.
    """
    steps = [p.step for p in played]
    places = [i for i, s in enumerate(steps) if s.seq == seq and isinstance(s.what, Action)]
    if not places:
        raise IllegalAction(f"journal line {seq} holds no action that counts")
    answers = takewhile(lambda step: not isinstance(step.what, Action), steps[places[0] + 1 :])
    return Voided(tuple(dict.fromkeys((seq, *(step.seq for step in answers)))))


def amending(folded: Fold[S], opened: Opened, journal: Journal, entry: Amended) -> Amended:
    """The entry that puts a reading right, if it can be played.

    Raises:
        IllegalAction: the line holds no reading that counts, or what replaces it does not fit there.
        ReadingMisfit: the new reading does not answer what was asked there.
    """
    for played in folded.played:
        if played.step.seq == entry.target and played.step.request is not None:
            played.step.request.check(entry.reading)
            break
    else:
        raise IllegalAction(f"journal line {entry.target} holds no reading that counts")
    _, dropped = _dry_run(folded, opened, journal, entry)
    for lost in dropped:
        if lost.step.seq == entry.target:
            raise IllegalAction(f"the amended line {entry.target} cannot be played: {lost.reason}")
    return entry


def consequences_of(folded: Fold[S], opened: Opened, journal: Journal, entry: Entry) -> Consequences[S]:
    """What writing an entry down would do."""
    after, dropped = _dry_run(folded, opened, journal, entry)
    old, new = story_of(folded), story_of(after)
    return Consequences(
        before=folded.game,
        after=after.game,
        dropped=dropped,
        pending=after.pending,
        changes=changes(folded.game.state, after.game.state),
        gone=_missing(old, new),
        new=_missing(new, old),
    )


def _dry_run(
    folded: Fold[S], opened: Opened, journal: Journal, entry: Entry
) -> tuple[Fold[S], tuple[DroppedStep, ...]]:
    trial = Journal(journal.lines())
    trial.append(entry)
    return replay_lenient(folded.system, opened, effective_steps(trial.lines()))


def story_of(folded: Fold[S]) -> tuple[str, ...]:
    """Everything that happened, a sentence an event."""
    return tuple(folded.system.tell(event, played.game) for played in folded.played for event in played.events)


def _missing(some: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """The sentences of ``some`` that ``others`` lacks, counted."""
    left = list(others)
    missing: list[str] = []
    for sentence in some:
        if sentence in left:
            left.remove(sentence)
        else:
            missing.append(sentence)
    return tuple(missing)


class DraftJournal(Journal):
    """A journal as the author of a draft has it: what is finished counts, then the draft itself."""

    def __init__(self, journal: Journal, whose: str, unfinished: tuple[int, ...]) -> None:
        self._journal = journal
        self._whose = whose
        self._unfinished = unfinished

    def append(self, entry: Entry, who: str = "") -> Line:
        if isinstance(entry, Acted | Answered):
            entry = msgspec.structs.replace(entry, draft=self._whose)
        return self._journal.append(entry, who)

    @contextmanager
    def together(self) -> Iterator[None]:
        with self._journal.together():
            yield

    def lines(self) -> Sequence[Line]:
        lines = Journal(self._journal.lines())
        if self._unfinished:
            lines.append(Voided(self._unfinished))
        lines.append(Joined(drafts(self._journal.lines()).get(self._whose, ()), goes_on=True))
        return lines.lines()
