"""The fold: from steps to a game, strictly for a stored journal, leniently to see what an amendment would do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

import msgspec

from loomtable.engine.kernel.errors import (
    IllegalAction,
    JournalCorrupt,
    LoomtableError,
    ReadingMisfit,
    UnknownAction,
)
from loomtable.engine.kernel.journal import Opened, Step
from loomtable.engine.kernel.play import Action, Event, Game, Playthrough
from loomtable.engine.kernel.requests import Choose, Request, Roll, answered_by, same_question
from loomtable.engine.kernel.serialization import to_builtins, to_json
from loomtable.engine.kernel.system import System

S = TypeVar("S")


class StepResult(msgspec.Struct, Generic[S], frozen=True):
    """One step, the events it caused, the game after it, and what is asked then."""

    step: Step
    events: tuple[Event, ...]
    game: Game[S]
    pending: Request | None


class DroppedStep(msgspec.Struct, frozen=True):
    """A step that no longer fits, and why."""

    step: Step
    reason: str


class Fold(Generic[S]):
    """A playthrough together with the record of its steps."""

    def __init__(self, system: System[S], opened: Opened) -> None:
        self.system = system
        self.start = system.new_game(opened.setup, opened.rulings)
        self._through = Playthrough(self.start, opened.seed, system.start)
        self.played: list[StepResult[S]] = []

    @property
    def game(self) -> Game[S]:
        """The game after all steps so far."""
        return self._through.game

    @property
    def pending(self) -> Request | None:
        """What is asked now."""
        return self._through.pending

    def take(self, step: Step) -> StepResult[S]:
        """Play one step.

        Raises:
            LoomtableError: it is not legal or does not fit; see ``Playthrough``.
        """
        if isinstance(step.what, Action):
            events = self._through.perform(step.what)
        else:
            events = self._through.answer(step.what)
        played = StepResult(step, events, self.game, self.pending)
        self.played.append(played)
        return played

    def rules_touched(self) -> set[str]:
        """The ids of all rules by which something was asked or changed."""
        touched = {e.rule for p in self.played for e in p.events}
        touched.update(p.pending.rule for p in self.played if p.pending is not None)
        return touched - {""}


def fold(system: System[S], opened: Opened, steps: Iterable[Step]) -> Fold[S]:
    """Play all steps; every one of them has to fit.

    Raises:
        JournalCorrupt: the rules of this system do not play what is written there.
    """
    folded = Fold(system, opened)
    for step in steps:
        try:
            _hold_against_request(folded.pending, step)
            folded.take(step)
        except LoomtableError as error:
            raise JournalCorrupt(f"journal line {step.seq} cannot be played: {error}") from error
    return folded


def replay_lenient(
    system: System[S], opened: Opened, steps: Iterable[Step]
) -> tuple[Fold[S], tuple[DroppedStep, ...]]:
    """Play the steps that still fit.

    A reading fits when the same question is asked again. Once one reading of an action does not fit, the others of
    that action are dropped too: dice that were rolled for one moment are never moved to another. Where a question
    is open and the next step is an action, play stops: that question comes first, and the rest is dropped.
    """
    folded = Fold(system, opened)
    kept: list[Step] = []
    dropped: list[DroppedStep] = []
    broken = stopped = ""
    for step in steps:
        is_action = isinstance(step.what, Action)
        if is_action:
            broken = ""
            if folded.pending is not None:
                stopped = stopped or f"before it, {folded.pending.purpose} has to be answered"
        reason = stopped or broken
        if not reason:
            try:
                _hold_against_request(folded.pending, step)
                folded.take(step)
                kept.append(step)
                continue
            except (IllegalAction, ReadingMisfit, UnknownAction) as error:
                reason = str(error)
                broken = "it followed on something that no longer fits"
                folded = fold(system, opened, kept)
        dropped.append(DroppedStep(step, reason))
    return folded, tuple(dropped)


def _hold_against_request(pending: Request | None, step: Step) -> None:
    if step.request is None or isinstance(step.what, Action):
        return
    if pending is None:
        raise ReadingMisfit(f"{step.request.purpose} is no longer asked")
    pending = answered_by(pending, step.what)
    if same_question(pending, step.request):
        return
    if pending.purpose != step.request.purpose:
        raise ReadingMisfit(f"{step.request.purpose} is no longer asked; {pending.purpose} is")
    raise ReadingMisfit(f"{step.request.purpose} is asked {_otherwise(pending, step.request)} now")


def _otherwise(pending: Request, before: Request) -> str:
    """How a question differs from one that had the same purpose."""
    if isinstance(pending, Choose) and isinstance(before, Choose):
        return "with other choices"
    if isinstance(pending, Roll) and isinstance(before, Roll):
        return f"for {pending.dice} instead of {before.dice}"
    return f"of {pending.by}" if pending.by != before.by else "in another way"


class Change(msgspec.Struct, frozen=True):
    """One value of the state that differs, by its path, as plain values."""

    path: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.path}: {to_json(self.before).decode()} becomes {to_json(self.after).decode()}"


def changes(before: object, after: object) -> tuple[Change, ...]:
    """Every plain value that differs between two states, with its dotted path."""
    old, new = _flat("", to_builtins(before)), _flat("", to_builtins(after))
    paths = [*old, *(p for p in new if p not in old)]
    return tuple(Change(p, old.get(p), new.get(p)) for p in paths if old.get(p) != new.get(p))


def _flat(path: str, value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        inner = value.items()
    elif isinstance(value, list | tuple):
        inner = enumerate(value)  # type: ignore[assignment]
    else:
        return {path: value}
    flat: dict[str, Any] = {}
    for key, part in inner:
        flat.update(_flat(f"{path}.{key}" if path else str(key), part))
    return flat
