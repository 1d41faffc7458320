"""What came of a roll: the dice as they lie, what each counts for, pass or fail, and what it did.

A result is a projection of the journal and is kept nowhere, so that it is right after an undo or an amendment and
for sessions of long ago. A game says what its dice mean in one function, registered with ``@SYSTEM.outcome``;
where a game has none, the faces and their total are shown. What a viewer may not hear of is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, Generic, TypeVar

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.chronicle import Decisive, RollMark, Sentence, Telling, kept, spoken
from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.fold import StepResult, changes
from loomtable.engine.kernel.play import Action, Event, Game
from loomtable.engine.kernel.readings import CoinReading, DiceReading
from loomtable.engine.kernel.requests import Flip, Request, Roll
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.wording import ended

S = TypeVar("S")
E = TypeVar("E", bound=Event)


class Tone(StrEnum):
    """How a die is marked: it helps, it hurts, it does neither, or it counts no more."""

    GOOD = "good"
    BAD = "bad"
    PLAIN = "plain"
    SPENT = "spent"


class Meaning(msgspec.Struct, frozen=True):
    """What one die counts for: ``"success"``, ``"Strike"``, ``"rolled again"``; nothing where it is plain."""

    says: str = ""
    tone: Tone = Tone.PLAIN


NOTHING = Meaning()
SPENT = Meaning("rolled again", Tone.SPENT)


class Throw(msgspec.Struct, frozen=True):
    """Dice that were thrown together, or a coin, as they lie on the table."""

    by: str
    purpose: str
    die: Die
    faces: tuple[Face, ...]
    meanings: tuple[Meaning, ...] = ()
    """Die by die; empty where the single die means nothing by itself."""


class Outcome(msgspec.Struct, frozen=True):
    """What a game says about a roll."""

    settled: bool = False
    """Whether nothing about the dice is open any more."""
    verdict: str = ""
    """Pass or fail in a word: ``"Pass"``, ``"Ada wins"``."""
    passed: bool | None = None
    counted: tuple[str, ...] = ()
    """What was counted, everything once: successes, Strikes, bonuses."""
    meanings: tuple[tuple[Meaning, ...], ...] = ()
    """For each throw what its dice count for; fewer throws than there are leave the rest plain."""
    title: str = ""
    """What it was about, where the question does not say it."""
    ending: str = ""
    """Who won, where something came to its end by this."""
    card: ComponentId | None = None
    """The card that this is about, where one lies open."""
    said: tuple[type[Event], ...] = ()
    """Events that need no sentence here: they are in the words above, or this roll did not bring them about."""


class RollInPlay(Generic[S]):
    """A roll with everything that followed it until the next one, as a game's outcome function sees it."""

    def __init__(self, before: Game[S], earlier: tuple[Event, ...], first: StepResult[S], asked: Request | None):
        self.before = before
        """The game before the first of its steps."""
        self.earlier = earlier
        """What happened in the same action before."""
        self.steps = [first]
        self.asked: list[Request | None] = [asked]
        """What each step answered."""

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened since the first throw."""
        return tuple(event for step in self.steps for event in step.events)

    @property
    def after(self) -> Game[S]:
        """The game after the last of its steps."""
        return self.steps[-1].game

    def last(self, kind: type[E]) -> E | None:
        """The latest event of a kind since the first throw."""
        return next((event for event in reversed(self.events) if isinstance(event, kind)), None)

    def faced(self, kind: type[E]) -> E | None:
        """The latest event of a kind before the first throw: what the roll was about."""
        return next((event for event in reversed(self.earlier) if isinstance(event, kind)), None)

    @property
    def throws(self) -> tuple[Throw, ...]:
        """Every throw, with the faces that were asked for: stand-in dice are read already."""
        return tuple(
            throw for step, asked in zip(self.steps, self.asked, strict=True) if (throw := thrown(step, asked))
        )


class RollResult(msgspec.Struct, frozen=True):
    """What came of a roll, for one viewer."""

    seq: int
    """The journal's line that settled it; for one that is open, the last line so far."""
    lines: tuple[int, ...]
    """The journal's lines in which dice were thrown for it."""
    by: str
    title: str
    rule: str
    throws: tuple[Throw, ...]
    settled: bool
    verdict: str
    passed: bool | None
    counted: tuple[str, ...]
    ending: str
    card: ComponentId | None
    effects: tuple[str, ...]
    """What it did, in sentences that this viewer may hear."""


OutcomeOf = Callable[[RollInPlay[object], str], Outcome]
"""From a roll and its viewer to what the game says about it."""


def thrown(step: StepResult[S], asked: Request | None) -> Throw | None:
    """The throw in a step; ``None`` where nothing was thrown."""
    match step.step.what:
        case DiceReading() as reading if isinstance(asked, Roll):
            return Throw(asked.by, asked.purpose, asked.die, asked.check(reading).faces)
        case CoinReading(side=side) if isinstance(asked, Flip):
            return Throw(asked.by, asked.purpose, Die.COIN, (side,))
    return None


def roll_results(session: Session[S], viewer: str) -> tuple[RollResult, ...]:
    """Every roll that counts, oldest first, as ``viewer`` may see it."""
    return tuple(result for at in _actions(session) for result in _results_in(session, at, viewer))


def last_result(session: Session[object], viewer: str) -> RollResult | None:
    """The latest roll that counts; ``None`` where nothing was rolled yet."""
    for at in reversed(list(_actions(session))):
        if found := list(_results_in(session, at, viewer)):
            return found[-1]
    return None


def story_for(session: Session[object], viewer: str, most: int) -> tuple[str, ...]:
    """The story of the last ``most`` actions that ``viewer`` may hear, oldest first: a paragraph for each, of what
    the chronicle keeps. What was read aloud is not read again."""
    paragraphs: list[str] = []
    sentences: list[str] = []
    actions = 0
    for at in range(len(session.played) - 1, -1, -1):
        sentences[:0] = dict.fromkeys(told_in(session, at, viewer, words=_kept))
        if isinstance(session.played[at].step.what, Action):
            actions += 1
            if sentences:
                paragraphs.append(" ".join(sentences))
            sentences = []
        if actions == most:
            break
    return tuple(reversed(paragraphs))


def _kept(telling: Telling) -> tuple[str, ...]:
    marks = [mark for mark in kept(telling) if isinstance(mark, Sentence | RollMark | Decisive) and mark.says]
    words = (
        f"{ended(m.says)} {m.word.capitalize()}" if isinstance(m, RollMark) and m.word else m.says for m in marks
    )
    return tuple(map(ended, words))


def told_in(
    session: Session[S],
    at: int,
    viewer: str,
    without: tuple[type[Event], ...] = (),
    words: Callable[[Telling], tuple[str, ...]] = lambda telling: (spoken(telling),),
) -> tuple[str, ...]:
    """The sentences of one step that ``viewer`` may hear; ``says`` has those of an event.

    A game that does not say who hears what is told whole to those from whom nothing was hidden then; others are
    told what changed before their eyes.
    """
    system, step = session.system, session.played[at]
    before, events = game_before(session, at), [e for e in step.events if not isinstance(e, without)]
    if viewer == STORYTELLER or system.solo or system.says_who_hears:
        heard = (e for e in events if system.hears(e, step.game, viewer))
        return tuple(line for e in heard for line in words(system.telling(e, step.game, viewer)))
    view, was = system.view(step.game, viewer), system.view(before, viewer)
    if (was, view) == (system.view(before, STORYTELLER), system.view(step.game, STORYTELLER)):
        return tuple(line for event in events for line in words(system.telling(event, step.game)))
    return tuple(_changed(str(c.path), c.before, c.after) for c in changes(was, view))


def game_before(session: Session[S], at: int) -> Game[S]:
    """The game before a step."""
    return session.played[at - 1].game if at else session.start


def _changed(path: str, before: object, after: object) -> str:
    where = ", ".join(part.replace("_", " ").capitalize() for part in path.split("."))
    return ended(f"{where}: {_plain(before)} becomes {_plain(after)}")


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nothing" if value is None or value == "" else str(value)


def _actions(session: Session[S]) -> Iterator[range]:
    """The steps of each action."""
    begun = [at for at, p in enumerate(session.played) if isinstance(p.step.what, Action)]
    for place, start in enumerate(begun):
        yield range(start, begun[place + 1] if place + 1 < len(begun) else len(session.played))


def _results_in(session: Session[S], action: range, viewer: str) -> Iterator[RollResult]:
    """The results of one action: a throw opens one, and the first throw after it is settled opens the next."""
    outcome_of = session.system.outcome_of or _plain_outcome
    current: _Gathering | None = None
    earlier: list[Event] = []
    for at in action:
        step, asked = session.played[at], session.played[at - 1].pending if at else None
        throws = thrown(step, asked) is not None
        alone = RollInPlay(game_before(session, at), tuple(earlier), step, asked)
        if current is not None and not (throws and current.outcome.settled):
            current.roll.steps.append(step)
            current.roll.asked.append(asked)
            current.observe(at, outcome_of, viewer)
        elif throws or outcome_of(alone, viewer).settled:
            if current is not None:
                yield current.result(session, viewer)
            current = _Gathering(at, alone)
            current.observe(at, outcome_of, viewer)
        earlier += step.events
    if current is not None:
        yield current.result(session, viewer)


class _Gathering:
    """A roll while its steps are gathered."""

    def __init__(self, first: int, roll: RollInPlay[Any]) -> None:
        self.first = first
        self.roll = roll
        self.outcome = Outcome()
        self.settled_at = -1

    def observe(self, at: int, outcome_of: OutcomeOf, viewer: str) -> None:
        was, self.outcome = self.outcome, outcome_of(self.roll, viewer)
        if self.outcome.settled and (not was.settled or self.outcome.ending != was.ending):
            self.settled_at = at

    def result(self, session: Session[S], viewer: str) -> RollResult:
        roll, found = self.roll, self.outcome
        steps = range(self.first, self.first + len(roll.steps))
        throws = [
            msgspec.structs.replace(throw, meanings=found.meanings[place] if place < len(found.meanings) else ())
            for place, throw in enumerate(roll.throws)
        ]
        asked = next((request for request in roll.asked if request is not None), None)
        return RollResult(
            seq=roll.steps[self.settled_at - self.first if found.settled else -1].step.seq,
            lines=tuple(s.step.seq for s, a in zip(roll.steps, roll.asked, strict=True) if thrown(s, a)),
            by=throws[0].by if throws else "",
            title=found.title or (throws[0].purpose if throws else ""),
            rule=asked.rule if asked is not None and throws else "",
            throws=tuple(throws),
            settled=found.settled,
            verdict=found.verdict,
            passed=found.passed,
            counted=found.counted,
            ending=found.ending,
            card=found.card,
            effects=tuple(sentence for at in steps for sentence in told_in(session, at, viewer, found.said)),
        )


def _plain_outcome(roll: RollInPlay[S], viewer: str) -> Outcome:
    """What lies there and its total: for a game that says nothing about its rolls."""
    faces = [face for throw in roll.throws for face in throw.faces]
    if not faces:
        return Outcome()
    numbers = [face for face in faces if isinstance(face, int)]
    total = str(sum(numbers)) if len(numbers) == len(faces) else ", ".join(map(str, faces)).capitalize()
    return Outcome(settled=True, verdict=total)
