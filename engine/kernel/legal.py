"""What can be begun now: actions with arguments from what these declare, tried on the rules themselves.

Rules are coroutines over states that never change, so trying one costs nothing but time: it runs to its first
request or its refusal, and is dropped. It runs with arguments that have no value yet; the one that it looks at
first is then given each of its values in turn. So when somebody is refused whose turn it is not, that counts for
all targets and skills, and the search is small and complete (demand-driven, like that of Lazy SmallCheck).
"""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from enum import Enum
from functools import cache, partial
from itertools import chain, combinations, islice, product, takewhile
from operator import ne
from typing import Any, NamedTuple

import msgspec

from loomtable.engine.kernel.action_rules import ActionRule
from loomtable.engine.kernel.arguments import Names, View, fields_in, names_in, without_none
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.play import Action, ActionStarter, Game, Playthrough
from loomtable.engine.kernel.serialization import reader
from loomtable.engine.kernel.unread import LookedAt, Unread, line_reached

MOST_TRIED = 2000
"""So often a rule is tried in one search, for some 20 ms; what was not found by then may be possible."""
MOST_TRIED_FOR_A_FORM = 5000
"""The same for the values that a form offers, of all its fields together."""
LEAST_TRIED = 50
"""So often for each of these values, also where those before it took all that there was."""
WAYS_COMPARED = 200
"""So many ways to begin an action say what all of them need."""
_ANY_NUMBER = (1, 0, 2, -1)


class Candidates(msgspec.Struct, frozen=True):
    """What arguments can be, as plain values, by what one viewer sees."""

    seen: View
    own: frozenset[str] | None = None
    """The names for which the viewer acts; ``None`` for all."""
    turn: str = ""
    """Whose turn it is: tried first."""
    words: Sequence[str] = ("somebody", "somebody else")
    """What stands for words that somebody thinks of."""
    numbers: Sequence[int] = _ANY_NUMBER
    players: Sequence[str] = ()
    """Who has joined the table, and may play too."""

    def of(self, shape: Any) -> list[Any]:
        """Values that an argument of this type can have; of lists none, each, all, then any others of several."""
        names, (bare, _) = names_in(shape), without_none(shape)
        origin, inside = typing.get_origin(bare), typing.get_args(bare)
        if origin in (tuple, list):
            return [list(some) for some in _several(self.of(inside[0]))]
        if origin is dict:
            keys, values = _several(self.of(inside[0])), self.of(inside[1])
            return [dict.fromkeys(some, value) for some in keys if some for value in values]
        if names is not None:
            found = [list(name) if isinstance(name, tuple) else name for name in self.names(names)]
            free = bare is str and not names.closed and not (names.acting and self.own is not None)
            return [*found, *(word for word in self.words if free and word not in found)]
        if bare is bool:
            return [False, True]
        if bare is int:
            return list(self.numbers)
        if bare is str:
            return list(self.words)
        if isinstance(bare, type) and issubclass(bare, Enum):
            return [member.value for member in bare]
        if isinstance(bare, type) and issubclass(bare, tuple):  # a named one
            return [list(both) for both in product(self.numbers, repeat=len(bare.__annotations__))]
        if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
            needed = {f.encode_name: self.of(f.type) for f in fields_in(bare) if f.required}
            filled = product(*(values or [None] for values in needed.values()))
            few = islice(filled, MOST_TRIED if any(names_in(f.type) for f in fields_in(bare)) else 1)
            return [{n: v for n, v in zip(needed, values, strict=True) if v is not None} for values in few]
        return self.of(inside[0]) if inside else []

    def names(self, names: Names) -> list[Any]:
        """The names that are declared, as far as they are the viewer's; who acts now comes first."""
        players = self.players if names.acting and not names.closed else ()
        found = list(dict.fromkeys((*names.among(self.seen), *players)))
        if names.acting and self.own is not None:
            found = [name for name in found if name in self.own] or sorted(self.own)
        return sorted(found, key=lambda name: names.acting and name != self.turn)


def _several(each: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """None of them, each, all together, then any others of several; never more than are tried."""
    sizes = dict.fromkeys(size for size in (0, 1, len(each), *range(2, len(each))) if size <= len(each))
    return islice(chain.from_iterable(combinations(each, size) for size in sizes), MOST_TRIED)


class Search:
    """The ways to begin one action, with some arguments ``given``, some tried ``first``; iterate over it once.

    ``values`` are what some arguments can be, where that is known.
    After that, ``why`` is the reason why there is none, in the words of the rules, and ``sure`` whether there can
    be none: not where the search was cut short, or where a few numbers stood for all.
    """

    def __init__(
        self,
        game: Game[Any],
        rule: ActionRule,
        able: Candidates,
        given: Mapping[str, Any] | None = None,
        most: int = MOST_TRIED,
        first: Mapping[str, Any] | None = None,
        values: Mapping[str, list[Any]] | None = None,
    ) -> None:
        self._game, self._rule, self._able = game, rule, able
        self._given, self._most, self._first = given or {}, most, first or {}
        self._shapes = _shapes_in(rule.arguments)
        self._needed = {name for name, shape in self._shapes.items() if shape.required or name in self._given}
        self._plain = {**(values or {}), **{name: [value] for name, value in self._given.items()}}
        self._empty: dict[str, bool] = {}
        self._furthest, self._line, self._before = (False, False, -1), 0, 0
        self.why, self.sure, self.tried = "", True, 0

    def refusal(self) -> str:
        """Why the action cannot be begun; empty where it can, or where that is not sure."""
        for _ in self:
            return ""
        return self.why if self.sure else ""

    def __iter__(self) -> Iterator[Action]:
        # What can be left out is added one by one where it matters, and further to what got further.
        todo, done = [(0, frozenset[str]())], set[frozenset[str]]()
        while todo:
            todo.sort(key=lambda entry: -entry[0])
            self._before, added = todo.pop(0)
            self._line = 0
            yield from self._from({}, [name for name in self._shapes if name in self._needed or name in added])
            if not added or self._line > self._before:
                for more in (added | {n} for n in self._shapes if n not in self._needed | added):
                    if more not in done:
                        done.add(more)
                        todo.append((self._line, more))

    def _from(self, known: _Known, names: Sequence[str]) -> Iterator[Action]:
        """The ways in which some of the arguments are these; the others of ``names`` have a value too."""
        if self.tried >= self._most:
            self.sure = False
            return
        unknown = self._looks_at(known, [name for name in names if name not in known])
        if unknown:
            for value in self._values_of(unknown):
                yield from self._from({**known, unknown: value}, names)
            if self._line > self._before and not (self._shapes[unknown].every or unknown in self._given):
                self.sure = False  # another value may get further
        elif unknown is not None:
            yield Action(self._rule.name, {name: known[name][0] for name in names})

    def _looks_at(self, known: _Known, unknown: Sequence[str]) -> str | None:
        """The argument that has to be known next; ``""`` where the action begins, ``None`` where it is refused."""
        self.tried += 1
        at_once = [name for name in unknown if self._shapes[name].by_identity]
        arguments: dict[str, Any] = {name: Unread(name) for name in unknown}
        arguments |= {name: value for name in at_once for _, value in islice(self._values_of(name), 1)}
        arguments |= {name: value for name, (_, value) in known.items()}
        try:
            Playthrough(self._game, "", lambda play, _: self._rule.run(play, **arguments)).perform(Action(""))
        except LookedAt as looked:
            if self._nothing(looked.argument):
                self._refused(f"there is no {looked.argument.replace('_', ' ')} to choose yet", known, looked)
            return looked.argument
        except LoomtableError as error:
            if not at_once:
                self._refused(str(error), known, error)
            return next(iter(at_once), None)
        except Exception:  # something that cannot be done without a value, as joining it to other words
            if not unknown:
                raise
        return next(iter(unknown), "")

    def _values_of(self, name: str) -> Iterator[tuple[Any, Any]]:
        """Values of an argument, plain and as the rule takes them."""
        shape = self._shapes[name].type
        if name not in self._plain:
            self._plain[name] = sorted(self._able.of(shape), key=lambda value: value != self._first.get(name))
        read = reader(shape)
        for value in self._plain[name]:
            with suppress(msgspec.ValidationError):
                yield value, read(value)

    def _nothing(self, name: str) -> bool:
        """Whether there is nothing yet that an argument can be; words only stand in for a name."""
        if name not in self._empty:
            names = self._shapes[name].names
            named = names is not None and not names.acting and name not in self._given
            values = names.among(self._able.seen) if names is not None and named else self._values_of(name)
            self._empty[name] = not any(True for _ in values)
        return self._empty[name]

    def _refused(self, why: str, known: _Known, error: BaseException) -> None:
        """Keep the reason that stands last in the rule, of names that there are, and of who is on turn."""
        on_turn = any(plain == self._able.turn for plain, _ in known.values())
        line = line_reached(self._rule.run, error)
        self._line = max(self._line, line)
        reached = (not any(map(self._nothing, known)), on_turn, line)
        if reached > self._furthest:
            self._furthest, self.why = reached, why
        elif reached == self._furthest and why not in self.why:
            self.why = f"for instance, {self.why.removeprefix('for instance, ')}"


_Known = Mapping[str, tuple[Any, Any]]
"""Arguments with a value, plain and as the rule takes it."""


class _Shape(NamedTuple):
    """An argument as it is declared."""

    type: Any
    required: bool
    names: Names | None
    every: bool
    """Whether all its values can be tried; words stand for all words, but numbers do not for all numbers."""
    by_identity: bool
    """Whether rules compare it with ``is``, which shows to nobody that it is looked at."""
    parts: tuple[str, ...]
    """What it has to hold, where names are among that."""
    bare: Any
    """Its type without declarations and ``None``."""
    origin: Any

    def paths(self, name: str) -> list[str]:
        """Under what its names and choices stand."""
        return [f"{name}.{part}" for part in self.parts] or [name]

    def fits(self, value: Any) -> bool:
        """Whether a plain value is whole."""
        try:
            reader(self.type)(value)
        except msgspec.ValidationError:
            return False
        return True

    def candidates(self, able: Candidates, path: str, given: Any, filling: Any) -> list[Any] | None:
        """What can stand at a path while the rest is as given; ``None`` if only all of it can be tried."""
        if self.origin is tuple and len(filling or ()) <= 1:
            return [[value] for value in able.of(typing.get_args(self.bare)[0])]
        if self.origin is not None:
            return None
        part = path.rpartition(".")[2]
        rest = {key: value for key, value in (given or {}).items() if key != part} if self.parts else {}
        values = able.of(self.type)
        return [value for value in values if not rest or all(value.get(key) == rest[key] for key in rest)]

    def written(self, name: str, value: Any) -> Iterator[tuple[str, str]]:
        """The names and choices in a value, as a form writes them, each with its path."""
        if isinstance(value, dict) and self.parts:
            yield from ((f"{name}.{part}", str(value[part])) for part in self.parts if part in value)
        elif isinstance(value, bool):
            yield name, "true" if value else "false"
        elif isinstance(value, list) and self.origin is None:
            yield name, "/".join(map(str, value))
        else:
            items = value if isinstance(value, list) else [value]
            yield from ((name, str(item)) for item in items if isinstance(item, str | int))


@cache
def _shapes_in(arguments: type[msgspec.Struct]) -> dict[str, _Shape]:
    found = {}
    for f in fields_in(arguments):
        shape, (bare, _) = f.type, without_none(f.type)
        inner = fields_in(bare) if isinstance(bare, type) and issubclass(bare, msgspec.Struct) else ()
        needed = tuple(part.encode_name for part in inner if part.required)
        parts = needed if any(names_in(part.type) for part in inner if part.required) else ()
        kind = names_in(shape), _every(shape), _by_identity(shape)
        found[f.encode_name] = _Shape(shape, f.required, *kind, parts, bare, typing.get_origin(bare))
    return found


def _every(shape: Any) -> bool:
    names, (bare, _) = names_in(shape), without_none(shape)
    if inside := [part for part in typing.get_args(bare) if part is not ...]:
        return all(map(_every, inside))
    return bare is str or _by_identity(bare) or (names is not None and names.closed)


def _by_identity(shape: Any) -> bool:
    bare, _ = without_none(shape)
    return bare is bool or (isinstance(bare, type) and issubclass(bare, Enum))


def why_not(start: ActionStarter, game: Game[Any], action: Action) -> str:
    """Why the rules refuse an action as it is written, before its first request; empty where it begins."""
    try:
        Playthrough(game, "", start).perform(action)
    except LoomtableError as error:
        return str(error)
    return ""


class Possible(msgspec.Struct, frozen=True):
    """With what an action may begin, when some of its arguments are given."""

    values: Mapping[str, Sequence[str]]
    """The names and choices for each argument, those in lists one by one; a place as ``"2/3"``.

    A part of an argument stands under both names: ``"enticement.flaw"``.
    Left out is what it would take long to know, and where other things than names fit as well.
    """
    filling: Mapping[str, Any]
    """The first way that was found to begin it, with as few arguments as will do; empty where there is none."""
    needed: Set[str] = frozenset()
    """What every way needs besides what is given; of two things either of which will do, neither."""


def possible_values(
    game: Game[Any], rule: ActionRule, able: Candidates, given: Mapping[str, Any] | None = None
) -> Possible:
    """What each argument can be, while all others that are ``given`` stay as they are."""
    given = given or {}
    shapes = {n: s for n, s in _shapes_in(rule.arguments).items() if s.names or s.by_identity or s.parts}
    found: dict[str, dict[str, None]] = {path: {} for name, s in shapes.items() for path in s.paths(name)}
    only = {name: value for name, value in given.items() if name not in shapes or shapes[name].fits(value)}
    as_given = {name: only[name] for name in _shapes_in(rule.arguments) if name in only}
    likely: Mapping[str, Any] = {}
    left = MOST_TRIED_FOR_A_FORM
    kept: dict[str, list[Any]] = {}

    def in_all(wanted: Mapping[str, Any]) -> tuple[Mapping[str, Any], Set[str]]:
        """The first way, and what it shares with the next ones, while that is more than has to be given."""
        nonlocal left, likely
        declared = _shapes_in(rule.arguments)
        must = {name for name, own in declared.items() if own.required} | wanted.keys()
        search = Search(game, rule, able, wanted, left)
        first: Mapping[str, Any] = {}
        shared = set[str]()
        for action in islice(search, WAYS_COMPARED):
            first, shared = (first, shared & action.args.keys()) if first else (action.args, {*action.args})
            if shared <= must:
                break
        left, likely = left - search.tried, first
        sure = search.sure and all(own.every for own in declared.values())
        return first, shared if sure else shared & must

    def look(wanted: Mapping[str, Any], ways: int | None, of: Set[str], among: Mapping[str, list[Any]]) -> bool:
        """Note so many ways, of these arguments; whether it is sure that there is no other."""
        nonlocal left, likely
        search = Search(game, rule, able, wanted, max(left, LEAST_TRIED), likely, among)
        for action in islice(search, ways):
            likely = action.args
            for name in shapes.keys() & action.args.keys():
                for path, written in shapes[name].written(name, action.args[name]):
                    if path in of:
                        found[path][written] = None
        left -= search.tried
        return search.sure

    filling, needed = in_all(only)
    if not filling:  # some of what is given by names may still be missing
        filling, needed = in_all({name: value for name, value in only.items() if not isinstance(value, dict)})
    waits = False  # what can be left out is narrowed once nothing else is open
    for name in sorted(shapes, key=lambda name: not shapes[name].required):
        # What follows from a value that is given, or was given after it, narrows not what else it could be.
        shape, others = shapes[name], {other: value for other, value in only.items() if other != name}
        if name in given:
            others = {other: as_given[other] for other in takewhile(partial(ne, name), as_given)}
        among = kept if name not in given else {}
        if waits and not shapes[name].required and not {name} & {*given, *filling}:
            found = {path: values for path, values in found.items() if path not in shape.paths(name)}
            continue
        for path in shape.paths(name):
            values = shape.candidates(able, path, given.get(name), filling.get(name))
            of = {path} if name in given else found.keys()
            if values is None and (shape.origin is dict or not look(others, None, of, among)):
                del found[path]
            for value in values or ():
                unknown = [written for at, written in shape.written(name, value) if at == path]
                unknown = [written for written in unknown if written not in found[path]]
                if unknown and not look({**others, name: value}, 1, of, among):
                    found[path] |= dict.fromkeys(unknown)
            if values is not None and shape.origin is None and not shape.parts and name not in given:
                fits = {(path, written) for written in found[path]}
                kept[name] = [value for value in values if fits.intersection(shape.written(name, value))]
            waits = waits or (shape.required and name not in given and len(found.get(path, ())) > 1)
            if shape.required and shape.origin is None and len(found[path]) == 1 and name in likely:
                only.setdefault(name, likely[name])
    sure = {path for name, shape in shapes.items() if shape.every or shape.parts for path in shape.paths(name)}
    kept = {path: list(values) for path, values in found.items() if values or path in sure}
    return Possible(kept, filling, needed - as_given.keys())
