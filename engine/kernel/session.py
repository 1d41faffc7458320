"""A session: one game being played, with its journal.

``perform`` and ``answer`` play on; ``undo`` and ``redo`` go back and forth; ``void`` and ``amend`` change
something in the middle, and ``go_back`` leads to an earlier moment, after a preview that shows every consequence;
``restore`` takes such a change back. ``save_point`` names a moment.
Whatever happens is in the journal before it counts.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

import msgspec

from loomtable.engine.kernel.corrections import (
    Consequences,
    DraftJournal,
    amending,
    consequences_of,
    story_of,
    voiding,
)
from loomtable.engine.kernel.errors import IllegalAction, JournalCorrupt, LoomtableError
from loomtable.engine.kernel.fold import DroppedStep, Fold, StepResult, fold, replay_lenient
from loomtable.engine.kernel.installation import version
from loomtable.engine.kernel.journal import (
    Acted,
    Amended,
    Answered,
    Entry,
    Joined,
    Journal,
    Line,
    Opened,
    Restored,
    SavePoint,
    Step,
    Struck,
    Voided,
    WentBack,
    drafts,
    effective_steps,
    history,
    opening,
    save_points,
    steps_of,
)
from loomtable.engine.kernel.legal import why_not
from loomtable.engine.kernel.play import Action, Event, Game
from loomtable.engine.kernel.readings import ChoiceReading, Reading
from loomtable.engine.kernel.requests import Choose, Request, answered_by
from loomtable.engine.kernel.system import System
from loomtable.engine.kernel.wording import label_of

S = TypeVar("S")

LONGEST_NAME = 60
"""Characters of a save point's name; set by hand."""
SEED_BYTES = 16
"""128 bits: more than anybody can try."""


class Session(Generic[S]):
    """One game being played: a new one by ``Session.open``, a stored one by ``Session.resume``.

    Whatever writes a line takes ``by``, its author: a person or a device. The journal keeps it with the line.

    >>> from loomtable import SYSTEMS, Die, Session, rolled
    >>> session = Session.open(SYSTEMS["storm-weavers"], seed="a rainy evening")
    >>> _ = session.perform("create", dexterity_points=3)
    >>> _ = session.perform("test", attribute="wisdom")
    >>> session.pending.purpose, session.pending.count, session.pending.die.value
    ('Test of Wisdom', 2, 'd6')
    >>> _ = session.answer(rolled(Die.D6, 1, 2))
    >>> session.story()[-1]
    'Test of Wisdom: 3 against 6, passed.'
    >>> _ = session.undo()
    >>> session.pending.purpose
    'Test of Wisdom'
    """

    def __init__(self, system: System[S], journal: Journal) -> None:
        self.system = system
        self.journal = journal
        self._fold = self._folded()

    @classmethod
    def open(
        cls,
        system: System[S],
        *,
        seed: str = "",
        setup: Mapping[str, Any] | None = None,
        rulings: Mapping[str, str] | None = None,
        journal: Journal | None = None,
    ) -> Session[S]:
        """Begin a session in an empty journal (in memory unless one is given).

        Every shuffle follows from ``seed``, so whoever knows it can compute every hand: give one only to deal the
        same cards again. Without one, it is drawn from the system's entropy. Either way the journal keeps it.

        Raises:
            UnknownRuling: no such ruling or choice.
            ContentInvalid: the set-up values do not fit the system.
            JournalCorrupt: the journal is not empty.
        """
        kept = journal or Journal()
        if kept.lines():
            raise JournalCorrupt("the journal already holds a session; resume it instead")
        drawn = seed or secrets.token_hex(SEED_BYTES)
        opened = Opened(system.key, system.rules_version, drawn, dict(setup or {}), dict(rulings or {}), version())
        system.new_game(opened.setup, opened.rulings)
        kept.append(opened)
        return cls(system, kept)

    @classmethod
    def resume(cls, systems: Mapping[str, System[S]], journal: Journal) -> Session[S]:
        """Take up a stored session where it was left, its open request included.

        Raises:
            JournalCorrupt: the journal is empty, damaged, of an unknown system, or of other rules.
        """
        opened = opening(journal.lines())
        if opened.system not in systems:
            raise JournalCorrupt(f"the journal is of {opened.system!r}, which this Loomtable does not play")
        return cls(systems[opened.system], journal)

    def _folded(self) -> Fold[S]:
        opened = self.opened
        if opened.rules_version not in (self.system.rules_version, *self.system.earlier):
            raise JournalCorrupt(
                f"the journal was begun with version {opened.rules_version} of the rules of {self.system.title}; "
                f"this Loomtable plays version {self.system.rules_version}"
            )
        return fold(self.system, opened, effective_steps(self.journal.lines()))

    def copy(self) -> Session[S]:
        """The same game in memory, to try things on."""
        return Session(self.system, Journal(self.lines()))

    def __deepcopy__(self, memo: object) -> Session[S]:
        return self.copy()

    # What there is

    @property
    def game(self) -> Game[S]:
        """The state and the rulings now."""
        return self._fold.game

    @property
    def start(self) -> Game[S]:
        """The game before anything was played."""
        return self._fold.start

    @property
    def state(self) -> S:
        """The state now."""
        return self._fold.game.state

    @property
    def pending(self) -> Request | None:
        """What the people must do now, if anything is asked."""
        return self._fold.pending

    @property
    def opened(self) -> Opened:
        """How the session began; one of an earlier version of the rules, with the rulings of that version."""
        opened = opening(self.journal.lines())
        then = self.system.earlier.get(opened.rules_version, {})
        return msgspec.structs.replace(opened, rulings={**then, **opened.rulings})

    @property
    def played(self) -> tuple[StepResult[S], ...]:
        """Every step that counts, with its events and the game after it."""
        return tuple(self._fold.played)

    @property
    def last_action(self) -> Action:
        """The action that is being played, or was played last; there has to be one."""
        return next(p.step.what for p in reversed(self._fold.played) if isinstance(p.step.what, Action))

    def view(self, viewer: str) -> dict[str, Any]:
        """What ``viewer`` may see, as plain values."""
        return self.system.view(self.game, viewer)

    def story(self) -> tuple[str, ...]:
        """Everything that happened, a sentence an event; for those who may see everything, as ``view`` is not."""
        return story_of(self._fold)

    def rules_touched(self) -> set[str]:
        """The ids of all rules by which something was asked or changed so far."""
        return self._fold.rules_touched()

    # Playing on

    def perform(self, name: str, /, **args: Any) -> tuple[Event, ...]:
        """Begin an action; returns what changed before the first request, if any.

        Raises:
            UnknownAction: no such action, or not with these arguments.
            IllegalAction: the rules do not allow it now.
        """
        return self.take(Action(name, args))

    def answer(self, reading: Reading) -> tuple[Event, ...]:
        """Answer the open request; returns what changed.

        Raises:
            ReadingMisfit: nothing is asked, or the reading does not answer it.
            IllegalAction: the rules refuse what would follow; the request stays open.
        """
        return self.take(reading)

    def take(self, what: Action | Reading, *, by: str = "") -> tuple[Event, ...]:
        """Play one step, an action or a reading; it counts once it is in the journal."""
        asked = self.pending
        given = None if asked is None or isinstance(what, Action) else answered_by(asked, what)
        seq = len(self.journal.lines())
        spent = given is not None  # a refused answer spends what was running; a refused action changes nothing
        try:
            played = self._fold.take(Step(seq, what, given))
            spent = True
            self.journal.append(_entry(what, given), by)
        except BaseException:  # Ctrl+C too
            if spent:  # only the journal counts
                self._fold = self._folded()
            raise
        return played.events

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is done meanwhile counts once this ends, all of it; where it fails, nothing does."""
        try:
            with self.journal.together():
                yield
        except BaseException:  # Ctrl+C too: only the journal counts
            self._fold = self._folded()
            raise

    def answer_obvious(self, *, by: str = "") -> tuple[Event, ...]:
        """Answer what has one answer alone and so need not be asked, as tables do after a step; what changed."""
        asked, events = self.pending, tuple[Event, ...]()
        while isinstance(asked, Choose) and asked.obvious and asked.at_least == len(asked.options):
            events += self.take(ChoiceReading(tuple(option.key for option in asked.options)), by=by)
            asked = self.pending
        return events

    # Drafts: what one person does while the others play on

    def draft(self, whose: str) -> Session[S]:
        """The game with somebody's draft in it, as only they see it: without what is unfinished here.

        What is taken in it is in the journal at once, and counts here once the draft is joined.

        Raises:
            JournalCorrupt: the draft does not fit to what was played since; ``fit_draft`` first.
        """
        return Session(self.system, self._draft(whose))

    def fit_draft(self, whose: str) -> tuple[DroppedStep, ...]:
        """Strike out of a draft what does not fit to what was played since, and return it; that is asked again."""
        _, dropped = replay_lenient(self.system, self.opened, effective_steps(self._draft(whose).lines()))
        if dropped:
            self.journal.append(Voided(tuple(lost.step.seq for lost in dropped), Struck.MISFIT))
        return dropped

    def join(self, whose: str, *, by: str = "") -> None:
        """Let a draft count from here on.

        Raises:
            IllegalAction: it does not fit, or something is asked here.
        """
        if self.pending is not None:
            raise IllegalAction(f"a draft joins once this is answered: {self.pending.purpose}")
        self._write(Joined(drafts(self.journal.lines())[whose]), by)

    def discard_draft(self, whose: str, *, by: str = "") -> None:
        """Strike a whole draft through, one that somebody has left; ``restore`` brings it back.

        Raises:
            IllegalAction: there is none.
        """
        begun = drafts(self.journal.lines()).get(whose)
        if not begun:
            raise IllegalAction(f"{whose} has no draft that could be discarded; it is done, or discarded already")
        self.journal.append(Voided(begun), by)

    def _draft(self, whose: str) -> DraftJournal:
        unfinished: list[int] = []
        for played in reversed(self._fold.played if self.pending is not None else ()):
            unfinished.append(played.step.seq)
            if isinstance(played.step.what, Action):
                break
        return DraftJournal(self.journal, whose, tuple(dict.fromkeys(reversed(unfinished))))

    def refusal(self, name: str, /, **args: Any) -> str:
        """Why an action would be refused now, in words; empty where it can be taken. Nothing is written.

        An action that can be begun may still be refused after a question it asks.
        """
        if self.pending is not None:
            return f"{label_of(name)} has to wait: {self.pending.purpose} is still to be answered"
        return why_not(self.system.start, self.game, Action(name, args))

    # Going back

    def undo(self, *, by: str = "") -> Line:
        """Undo what was done last, and return its line: a step, or a correction, or anything else in the journal.

        What an undone answer answered is asked again; a draft that has joined is undone as a whole.

        Raises:
            IllegalAction: there is nothing to undo.
        """
        lines = self.journal.lines()
        done = history(lines).done
        if not done:
            raise IllegalAction("there is nothing to undo")
        last = lines[done[-1]]
        step = isinstance(last.entry, Acted | Answered | Joined)
        self._write(Voided(steps_of(last), Struck.UNDO) if step else Restored(last.seq), by)
        return last

    def redo(self, *, by: str = "") -> Line:
        """Take back the last undo that nothing was done after, and return the line that counts again.

        Raises:
            IllegalAction: there is none.
        """
        lines = self.journal.lines()
        undone = history(lines).undone
        if not undone:
            raise IllegalAction("there is nothing to redo")
        again, by_line = undone[-1]
        self._write(Restored(by_line), by)
        return lines[again]

    @property
    def can_undo(self) -> bool:
        """Whether anything was done that counts."""
        return bool(history(self.journal.lines()).done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an undo to take back."""
        return bool(history(self.journal.lines()).undone)

    def save_point(self, name: str, *, by: str = "") -> Line:
        """Give this moment a name, by which ``save_points`` has its line; a name given again moves here.

        Raises:
            IllegalAction: nobody could read or write such a name.
        """
        name = " ".join(name.split())
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
            raise IllegalAction(f"a save point needs a name of 1 to {LONGEST_NAME} characters")
        return self.journal.append(SavePoint(name), by)

    @property
    def save_points(self) -> dict[str, int]:
        """The moments that have a name, each with the line after which the table was so."""
        return save_points(self.journal.lines())

    def preview_back(self, seq: int) -> Consequences[S]:
        """What going back to the table after line ``seq`` would do.

        Raises:
            IllegalAction: the journal has no such line.
        """
        return self._what_follows(self._back(seq))

    def go_back(self, seq: int, *, by: str = "") -> Consequences[S]:
        """Let nothing count that was written after line ``seq``: the table is as it was then, its question too."""
        entry = self._back(seq)
        consequences = self._what_follows(entry)
        self._write(entry, by)
        return consequences

    def _back(self, seq: int) -> WentBack:
        last = len(self.journal.lines()) - 1
        if not 0 <= seq <= last:
            raise IllegalAction(f"the journal has no line {seq}; it has lines 0 to {last}")
        return WentBack(seq)

    def restore(self, seq: int, *, by: str = "") -> None:
        """Take back the striking-through, the amendment or the way back in line ``seq``.

        Raises:
            IllegalAction: the line is none of these, or what was played since does not fit to it.
        """
        lines = self.journal.lines()
        if not 0 <= seq < len(lines) or not isinstance(lines[seq].entry, Voided | Amended | WentBack):
            raise IllegalAction(f"journal line {seq} changes nothing that was before it")
        self._write(Restored(seq), by)

    def preview_void(self, seq: int) -> Consequences[S]:
        """What striking the action in line ``seq`` through, with all its answers, would do.

        Raises:
            IllegalAction: the line holds no action that counts.
        """
        return self._what_follows(voiding(self.played, seq))

    def void(self, seq: int, why: str = "", *, by: str = "") -> Consequences[S]:
        """Strike the action in line ``seq`` through, with its answers and whatever no longer fits after it."""
        entry = voiding(self.played, seq)
        consequences = self._what_follows(entry)
        dropped = tuple(d.step.seq for d in consequences.dropped)
        self._write(Voided(tuple(dict.fromkeys(entry.targets + dropped)), said=why), by)
        return consequences

    def preview_amend(self, seq: int, reading: Reading, *inserted: Reading) -> Consequences[S]:
        """What putting the reading in line ``seq`` right would do.

        ``inserted`` answers what is then asked at that place and was not before.

        Raises:
            IllegalAction: the line holds no reading that counts.
            ReadingMisfit: the new reading does not answer what was asked there, or an inserted one does not fit.
        """
        return self._what_follows(self._amendment(seq, reading, inserted))

    def amend(
        self, seq: int, reading: Reading, *inserted: Reading, why: str = "", by: str = ""
    ) -> Consequences[S]:
        """Put the reading in line ``seq`` right; later steps that no longer fit are struck through."""
        entry = self._amendment(seq, reading, inserted)
        consequences = self._what_follows(entry)
        dropped = tuple(dict.fromkeys(d.step.seq for d in consequences.dropped))
        self._write(Amended(seq, reading, inserted, dropped, why), by)
        return consequences

    def _amendment(self, seq: int, reading: Reading, inserted: tuple[Reading, ...]) -> Amended:
        return amending(self._fold, self.opened, self.journal, Amended(seq, reading, inserted))

    def _what_follows(self, entry: Entry) -> Consequences[S]:
        return consequences_of(self._fold, self.opened, self.journal, entry)

    def _write(self, entry: Entry, by: str) -> None:
        """Write an entry down, unless the journal could not be folded with it."""
        with self.together():
            self.journal.append(entry, by)
            try:
                self._fold = self._folded()
            except LoomtableError as error:
                raise IllegalAction(f"this cannot be taken back now: {error}") from error

    def lines(self) -> tuple[Line, ...]:
        """Every line of the journal, struck-through ones included."""
        return tuple(self.journal.lines())


def _entry(what: Action | Reading, request: Request | None) -> Entry:
    if isinstance(what, Action):
        return Acted(what)
    assert request is not None, "an answer was taken without a request"
    return Answered(what, request)
