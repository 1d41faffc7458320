"""Rules as coroutines, and what drives them.

A rule is a generator, written top to bottom as it is read in the book. It yields an ``Event`` to say what changed
(the state changes at once), and asks with ``answer = yield from ask(request)``; it never rolls a die itself::

    def test(play, attribute):
        lying = yield from ask(Roll(Die.D6, 2, "Test of Wisdom", by="Thymin", rule="SW-3"))
        yield Tested(attribute, total=sum(lying.pips), passed=...)

A ``Playthrough`` drives such generators: ``perform`` runs an action to its first request, ``answer`` runs on.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from loomtable.engine.kernel.errors import IllegalAction, ReadingMisfit
from loomtable.engine.kernel.readings import ChoiceReading, DiceReading, Reading
from loomtable.engine.kernel.requests import Request, Roll, answered_by
from loomtable.engine.kernel.wording import label_of

S = TypeVar("S")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Event(msgspec.Struct, frozen=True, tag_field="event", tag=True, kw_only=True):
    """What changed, as data: one of the four currencies. ``rule`` is the rule id by which it changed."""

    rule: str

    def apply(self, state: Any) -> Any:
        """The state after this event. Pure: the given state stays as it is."""
        raise NotImplementedError(type(self).__name__)


class Open:
    """Mixed into events that happen before everybody's eyes: anybody may hear their sentence."""

    __slots__ = ()


class RulingChanged(Event, frozen=True, kw_only=True):
    """The table decided a ruling anew."""

    ruling: str
    choice: str
    rule: str = ""


Steps = Generator[Request | Event, Reading | None, R]
"""A rule while it runs: yields requests and events, is sent readings, returns an ``R``."""


class Asks(Protocol[R_co]):
    """A request that knows what answers it."""

    def check(self, reading: Reading, /) -> R_co:
        """The answer in the request's own terms."""
        ...


def ask(request: Asks[R]) -> Steps[R]:
    """Ask, and return the answer, already held against the request and put into its terms."""
    answer = yield request  # type: ignore[misc]  # every request asks
    if answer is None:
        raise ReadingMisfit("a request was passed over without an answer")
    return request.check(answer)


def ask_once(roll: Roll) -> Steps[DiceReading | ChoiceReading]:
    """Ask for a roll, and return the dice, or what was ticked or unticked in place of rolling."""
    answer = yield roll
    if answer is None:
        raise ReadingMisfit("a request was passed over without an answer")
    checked = answered_by(roll, answer).check(answer)
    assert isinstance(checked, DiceReading | ChoiceReading)
    return checked


class Action(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something a person does: its name and its arguments, as plain values."""

    name: str
    args: dict[str, Any] = {}


class Game(msgspec.Struct, Generic[S], frozen=True):
    """A system's state, and the rulings by which it is played."""

    state: S
    rulings: dict[str, str]


class Play(Generic[S]):
    """What a rule sees while it runs: the state as it is at that moment, and the rulings."""

    def __init__(self, game: Game[S], seed: str) -> None:
        self.game = game
        self.seed = seed

    @property
    def state(self) -> S:
        """The state, all events so far included."""
        return self.game.state

    def ruled(self, ruling_id: str) -> str:
        """The key of the choice by which this table plays the ruling."""
        return self.game.rulings[ruling_id]


class ActionStarter(Protocol):
    """Turns an action into a running rule; refuses unknown names and arguments."""

    def __call__(self, play: Play[Any], action: Action) -> Steps[None]: ...


class Playthrough(Generic[S]):
    """Actions and readings folded into a game, one at a time."""

    def __init__(self, game: Game[S], seed: str, start: ActionStarter) -> None:
        self._start = start
        self._play = Play(game, seed)
        self._running: Steps[None] | None = None
        self.pending: Request | None = None

    @property
    def game(self) -> Game[S]:
        """The game as it is now."""
        return self._play.game

    def perform(self, action: Action) -> tuple[Event, ...]:
        """Begin an action and run to its first request or its end; returns what changed.

        Raises:
            IllegalAction: a request is still open, or the rules do not allow it now. Nothing has changed then.
            UnknownAction: no such action, or not with these arguments.
        """
        if self.pending is not None:
            waits = label_of(action.name)
            raise IllegalAction(f"{waits} has to wait: {self.pending.purpose} is still to be answered")
        before = self._play.game
        try:
            self._running = self._start(self._play, action)
            return self._advance(lambda running: next(running))
        except Exception:  # whatever a rule raises, nothing of the action may stay
            self._play.game, self._running, self.pending = before, None, None
            raise

    def answer(self, reading: Reading) -> tuple[Event, ...]:
        """Answer the open request and run on; returns what changed.

        Raises:
            ReadingMisfit: nothing is asked, or the reading does not answer it. Nothing has changed then.
            IllegalAction: the rules refuse what follows. The playthrough is spent then and must be folded anew.
        """
        if self.pending is None or self._running is None:
            raise ReadingMisfit("nothing is asked for at the moment")
        answered_by(self.pending, reading).check(reading)
        return self._advance(lambda running: running.send(reading))

    def _advance(self, step: Callable[[Steps[None]], Request | Event]) -> tuple[Event, ...]:
        assert self._running is not None
        events: list[Event] = []
        try:
            yielded = step(self._running)
            while isinstance(yielded, Event):
                self._play.game = apply(self._play.game, yielded)
                events.append(yielded)
                yielded = next(self._running)
            self.pending = yielded
        except StopIteration:
            self._running, self.pending = None, None
        return tuple(events)


def apply(game: Game[S], event: Event) -> Game[S]:
    """The game after one event; the fold's single step."""
    if isinstance(event, RulingChanged):
        return Game(game.state, {**game.rulings, event.ruling: event.choice})
    return Game(event.apply(game.state), game.rulings)


def changed(state: S, *path: Any, **values: Any) -> S:
    """A copy with fields changed, at a path of fields and keys: ``changed(tale, "fight", "enemy", health=3)``."""
    if not path:
        return msgspec.structs.replace(state, **values)  # type: ignore[type-var]
    first, *rest = path
    if isinstance(state, dict):
        return {**state, first: changed(state[first], *rest, **values)}  # type: ignore[return-value]
    inner = getattr(state, first)
    assert inner is not None, f"an event changed {first} while there was none"
    return msgspec.structs.replace(state, **{first: changed(inner, *rest, **values)})  # type: ignore[type-var]
