"""A random player, and the laws that hold in every evening of every game."""

from __future__ import annotations

import random
import typing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from math import prod
from typing import Any

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER, ActionRule
from loomtable.engine.kernel.arguments import fields_in, without_none
from loomtable.engine.kernel.chance import random_answer
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.fold import StepResult
from loomtable.engine.kernel.legal import Candidates, why_not
from loomtable.engine.kernel.play import Action, apply
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import System
from loomtable.engine.kernel.transcript import parse_transcript, print_transcript, replay, transcript_of
from loomtable.engine.ready_evening import begun_ready

__all__ = ["check_game", "check_session", "play_at_random", "random_action", "random_session", "random_step"]

_WORDS = ("Ada", "Ben", "Cleo", "Dov")
_NUMBERS = (1, 2, 0, 3, 4, 6, 9, -1)
_TRIES = 12
_FEW = 2000
"""So many ways to begin an action are all tried; of more, some at random."""


# The random player


def random_action(session: Session[Any], source: random.Random) -> Action:
    """An action that could be meant: mostly a legal one, if one is found.

    >>> import random
    >>> from loomtable import SYSTEMS, Session
    >>> from loomtable.testing import random_action
    >>> random_action(Session.open(SYSTEMS["storm-weavers"], seed="s"), random.Random(1)).name
    'create'
    """
    system, game = session.system, session.game
    if source.random() < 0.1 and system.rulings:
        ruling = source.choice(list(system.rulings.values()))
        return Action("ruling", {"ruling": ruling.id, "choice": source.choice(ruling.choices).key})
    if source.random() < 0.4:  # what was done least so far, for arguments at random seldom fit it
        done = Counter(p.step.what.name for p in session.played if isinstance(p.step.what, Action))
        legal = system.legal_actions(game, STORYTELLER, each=8)
        names = sorted(dict.fromkeys(a.name for a in legal), key=lambda name: (done[name], source.random()))
        if names:
            return source.choice([action for action in legal if action.name == names[0]])
    able = system.candidates(game, STORYTELLER, words=_WORDS, numbers=_NUMBERS)
    rules = system.begun_by(game, STORYTELLER)
    for _ in range(1 if source.random() < 0.15 else _TRIES):
        rule = source.choice(rules)
        action = Action(rule.name, _filled(able, rule.arguments, source))
        if not why_not(system.start, game, action):
            break
    return action


def random_step(session: Session[Any], source: random.Random) -> Action | Reading:
    """An answer to what is asked, or an action where nothing is.

    >>> import random
    >>> from loomtable import SYSTEMS, Session
    >>> from loomtable.testing import random_step
    >>> session = Session.open(SYSTEMS["storm-weavers"], seed="s")
    >>> _ = session.perform("create", dexterity_points=3)
    >>> _ = session.perform("test", attribute="wisdom")
    >>> len(random_step(session, random.Random(1)).dice)
    2
    """
    return random_action(session, source) if session.pending is None else random_answer(session.pending, source)


def play_at_random(
    session: Session[Any],
    source: random.Random,
    steps: int,
    *,
    undo: float = 0.0,
    check: Callable[[Session[Any]], object] = lambda session: None,
) -> None:
    """Play ``steps`` steps; of them, undo about the share ``undo``; call ``check`` after each.

    >>> import random
    >>> from loomtable import SYSTEMS, Session
    >>> from loomtable.testing import play_at_random
    >>> session = Session.open(SYSTEMS["weave"], seed="s")
    >>> play_at_random(session, random.Random(1), 30, undo=0.1)
    >>> len(session.lines()) > 10
    True

    Raises:
        AssertionError: a refusal changed the game or is not one line, or something else than a ``LoomtableError``
            was raised.
    """
    for number in range(1, steps + 1):
        with _named(f"step {number}"):
            before = session.game
            what = None if source.random() < undo else random_step(session, source)
            with _named(_said(what)):
                try:
                    session.undo() if what is None else session.take(what)
                except LoomtableError as refused:
                    says = str(refused)
                    _hold(session.game == before, f"the refusal {says!r} changed the game")
                    _hold(bool(says) and "\n" not in says, f"the refusal {says!r} is not one line")
        check(session)


def random_session(system: System[Any], seed: int, steps: int, *, undo: float = 0.1) -> Session[Any]:
    """A session that was played at random, decided by ``seed`` alone; each second one began as a ready evening.

    >>> from loomtable import SYSTEMS
    >>> from loomtable.testing import random_session
    >>> random_session(SYSTEMS["woven"], 3, 40).story() == random_session(SYSTEMS["woven"], 3, 40).story()
    True

    Raises:
        AssertionError: as ``play_at_random``.
    """
    source = random.Random(seed)
    ready = seed % 2 == 1
    session = begun_ready(system, str(seed), source) if ready else Session.open(system, seed=str(seed))
    play_at_random(session, source, steps, undo=undo)
    return session


def _filled(able: Candidates, shape: type[msgspec.Struct], source: random.Random) -> dict[str, Any]:
    """Arguments that could be meant, legal or not; of those that can be left out about a third."""
    return {
        f.encode_name: _at_random(able, f.type, source)
        for f in fields_in(shape)
        if f.required or source.random() < 0.3
    }


def _at_random(able: Candidates, shape: Any, source: random.Random) -> Any:
    """One of the values that an argument of this type can have."""
    bare, _ = without_none(shape)
    origin, inside = typing.get_origin(bare), typing.get_args(bare)
    if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
        return _filled(able, bare, source)
    if origin in (tuple, list):
        each = able.of(inside[0]) or [_at_random(able, inside[0], source)]
        return source.sample(each, source.randint(1, len(each)))
    if origin is dict:
        keys = able.of(inside[0])
        return {key: _at_random(able, inside[1], source) for key in source.sample(keys, len(keys))}
    return source.choice(able.of(shape) or [None])


# The laws


def check_game(system: System[Any], seeds: Iterable[int] = range(10), steps: int = 60) -> None:
    """Play an evening for each seed, and hold every law against it.

    >>> from loomtable import SYSTEMS
    >>> from loomtable.testing import check_game
    >>> check_game(SYSTEMS["storm-weavers"], seeds=range(2), steps=20)

    Raises:
        AssertionError: a law is broken; the message names the game, the seed and the step.
    """
    with _named(system.title):
        begun = {action.name for action in system.legal_actions(system.new_game({}, {}), STORYTELLER, each=1)}
        opening = {rule.name for rule in system.actions.values() if rule.opens}
        _hold(bool(begun & opening), "no action with opens=True can begin an evening")
    for seed in seeds:
        with _named(f"{system.title}, seed {seed}"):
            check_session(random_session(system, seed, steps), random.Random(seed))


def check_session(session: Session[Any], source: random.Random | None = None) -> None:
    """Hold every law against a session, which stays as it is. ``source`` draws arguments where there are too many.

    - Each event leads to the next state, and is told in a sentence.
    - Its journal is folded, and its steps are played again, to the same states, questions and story.
    - Undone step by step it comes to the start, and back by redo.
    - Written down as a transcript, it replays.
    - Views are plain values for everybody.
    - What is listed as possible can be begun, and what is called impossible cannot. A form offers all that is
      possible, and players are offered actions of their own figures only.

    >>> from loomtable import SYSTEMS, Session
    >>> from loomtable.testing import check_session
    >>> session = Session.open(SYSTEMS["storm-weavers"], seed="s")
    >>> _ = session.perform("create", dexterity_points=3)
    >>> check_session(session)

    Raises:
        AssertionError: a law is broken.
    """
    _check_events(session)
    _check_journal(session)
    _check_undo(session)
    _check_transcript(session)
    _check_views(session)
    _check_choices(session, source or random.Random(0))


def _check_events(session: Session[Any]) -> None:
    game = session.start
    for played in session.played:
        with _named(_line(played)):
            for event in played.events:
                game = apply(game, event)
                session.system.tell(event, played.game)  # it asserts that there is a sentence
            _hold(game == played.game, "its events do not lead to the state after it")


def _check_journal(session: Session[Any]) -> None:
    _same(session.copy(), session, "its journal, folded,")
    _same(_played_again(session), session, "the same steps, played again,")


def _check_undo(session: Session[Any]) -> None:
    again = _played_again(session)
    moments = [(again.start, None), *((p.game, p.pending) for p in again.played)]
    for moment in reversed(moments):
        _hold((again.game, again.pending) == moment, f"undo to step {len(again.played)} leads elsewhere")
        if again.can_undo:
            again.undo()
    _hold(not again.played, "undo does not lead back to the start")
    for moment in moments[1:]:
        again.redo()
        _hold((again.game, again.pending) == moment, f"redo of step {len(again.played)} leads elsewhere")


def _check_transcript(session: Session[Any]) -> None:
    written = transcript_of(session, "An evening")
    text = print_transcript(written)
    _hold(parse_transcript(text, "the transcript") == written, "its transcript is read otherwise than written")
    _same(replay(text, "the transcript", {session.system.key: session.system}).session, session, "its transcript")


def _check_views(session: Session[Any]) -> None:
    system = session.system
    for played in session.played:
        for viewer in (STORYTELLER, *system.people(played.game), "somebody else"):
            with _named(f"line {played.step.seq}, the view of {viewer}"):
                seen = system.view(played.game, viewer)
                _hold(to_builtins(seen) == _listed(seen), "has values that are not plain")


def _check_choices(session: Session[Any], source: random.Random) -> None:
    again = session.copy()
    while again.pending is not None:
        again.undo()
    system, game = again.system, again.game
    for action in system.legal_actions(game, STORYTELLER, each=5):
        why = again.refusal(action.name, **action.args)
        _hold(not why, f"{_said(action)} is listed as possible and refused: {why}")
    people = [] if system.solo else list(system.people(game))
    for person in people:
        own = system.names_of(game, person)
        for action in system.legal_actions(game, person, each=3):
            rule = system.actions[action.name]
            mine = rule in system.begun_by(game, person) and action.args.get(rule.actor) in own
            _hold(mine, f"{person} is offered {_said(action)}, which is for none of their own figures")
    for viewer in (STORYTELLER, *people[:1]):
        able = system.candidates(game, viewer, words=_WORDS, numbers=_NUMBERS)
        for name, why in system.refusals(game, viewer).items():
            for action in _fillings(system.actions[name], able, source) if why else ():
                possible = not why_not(system.start, game, action)
                _hold(not possible, f"{_said(action)} can be begun, but is called impossible: {why}")
    able = system.candidates(game, STORYTELLER)
    for rule in system.begun_by(game, STORYTELLER):
        offered = system.possible_values(game, STORYTELLER, rule.name).values
        for action in _fillings(rule, able, source) if offered else ():
            given = {name: value for name, value in action.args.items() if name in offered}
            for name, value in given.items():
                left = set(_written(value)) - set(offered[name])
                possible = bool(left) and not why_not(system.start, game, action)
                _hold(not possible, f"{_said(action)} can be begun, but its form does not offer this {name}")
    _hold(again.game == game, "listing what can be done changed the game")


def _written(value: Any) -> list[Any]:
    """The names in an argument, as they are offered: a place as ``"2/3"``."""
    if not isinstance(value, list):
        return [str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int) else value]
    return ["/".join(map(str, value))] if value and all(isinstance(part, int) for part in value) else value


def _fillings(rule: ActionRule, able: Candidates, source: random.Random) -> list[Action]:
    """All ways to fill what is needed, and one other argument besides, where they are few; and some at random."""
    fields = {f.encode_name: f for f in fields_in(rule.arguments)}
    needed = [name for name, f in fields.items() if f.required]
    found = [Action(rule.name, _filled(able, rule.arguments, source)) for _ in range(40)]
    for added in ([], *([name] for name in fields if name not in needed)):
        values = {name: able.of(fields[name].type) for name in (*needed, *added)}
        if prod(map(len, values.values())) <= _FEW:
            found += [Action(rule.name, dict(zip(values, row, strict=True))) for row in product(*values.values())]
    return found


def _played_again(session: Session[Any]) -> Session[Any]:
    """A session with the steps that count alone, without undos and corrections."""
    opened = session.opened
    again = Session.open(session.system, seed=opened.seed, setup=opened.setup, rulings=opened.rulings)
    for played in session.played:
        again.take(played.step.what)
    return again


def _same(again: Session[Any], session: Session[Any], what: str) -> None:
    for new, old in zip(again.played, session.played, strict=False):
        with _named(_line(old)):
            same = (new.step.what, new.game, new.pending) == (old.step.what, old.game, old.pending)
            _hold(same, f"{what} leads elsewhere from here on")
    _hold(again.story() == session.story(), f"{what} is told otherwise")


def _listed(value: Any) -> Any:
    """A plain value as JSON has it: with lists for tuples."""
    if isinstance(value, dict):
        return {key: _listed(part) for key, part in value.items()}
    return [_listed(part) for part in value] if isinstance(value, list | tuple) else value


def _line(played: StepResult[Any]) -> str:
    return f"line {played.step.seq}, {_said(played.step.what)}"


def _said(what: Action | Reading | None) -> str:
    if isinstance(what, Action):
        return " ".join([what.name, *(f"{name}={value!r}" for name, value in what.args.items())])
    return "undo" if what is None else str(to_builtins(what))


def _hold(holds: bool, otherwise: str) -> None:
    """As ``assert``, which Python may leave out, and which says nothing outside of pytest."""
    if not holds:
        raise AssertionError(otherwise)


@contextmanager
def _named(where: str) -> Iterator[None]:
    """Whatever is raised becomes an ``AssertionError`` that says where."""
    try:
        yield
    except Exception as error:
        what = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
        raise AssertionError(f"{where}: {what}") from error
