"""What can be begun now: actions with arguments from what these declare, tried on the rules themselves.

Rules are coroutines over states that never change, so trying one costs nothing but time: it runs to its first
request or its refusal, and is dropped.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import chain, islice, product
from typing import TYPE_CHECKING, Any

import msgspec

from loomtable.engine.kernel.arguments import View, fields_in, names_in, without_none
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.play import Action, Game, Playthrough

if TYPE_CHECKING:
    from loomtable.engine.kernel.system import ActionRule, System

MOST_TRIED = 200
"""So many ways to fill the arguments of one action are tried."""
_ANY_WORD, _ANY_NUMBER = ("somebody", "somebody else"), (1, 0, 2)


class Candidates(msgspec.Struct, frozen=True):
    """What arguments can be, as plain values, by what one viewer sees."""

    seen: View
    own: frozenset[str] | None = None
    """The names for which the viewer acts; ``None`` for all."""
    words: Sequence[str] = _ANY_WORD
    """What stands for words that somebody thinks of."""
    numbers: Sequence[int] = _ANY_NUMBER

    def of(self, shape: Any) -> list[Any]:
        """Values that an argument of this type can have; of lists, each value alone and all of them together."""
        names, (bare, _) = names_in(shape), without_none(shape)
        origin, inside = typing.get_origin(bare), typing.get_args(bare)
        if origin in (tuple, list):
            each = self.of(inside[0])
            return [[], *([one] for one in each), *([each] if len(each) > 1 else [])]
        if origin is dict:
            keys, values = self.of(inside[0]), self.of(inside[1])
            return [dict.fromkeys(keys, value) for value in values] if keys else []
        if names is not None:
            found = sorted(self.own) if names.acting and self.own is not None else names.among(self.seen)
            return list(dict.fromkeys(found)) or (list(self.words) if bare is str else [])
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
            return list(islice(self.filled(bare), 1))
        return self.of(inside[0]) if inside else []

    def filled(self, shape: type[msgspec.Struct]) -> Iterator[dict[str, Any]]:
        """Ways to fill what has to be filled, then each other argument besides, in turn."""
        fields = fields_in(shape)
        needed = {f.encode_name: self.of(f.type) for f in fields if f.required}
        for values in product(*needed.values()):
            yield dict(zip(needed, values, strict=True))
        for f in fields:
            if not f.required:
                for values in product(*needed.values(), self.of(f.type)):
                    yield dict(zip((*needed, f.encode_name), values, strict=True))


def begins(system: System[Any], game: Game[Any], action: Action) -> bool:
    """Whether the rules let an action begin; what follows its first request is not tried."""
    try:
        Playthrough(game, "", system.start).perform(action)
    except LoomtableError:
        return False
    return True


def refusal(system: System[Any], game: Game[Any], rule: ActionRule, able: Candidates) -> str:
    """Why an action cannot be begun now, in the words of the rules; only what is needed is filled in."""
    for field in fields_in(rule.arguments):
        names = names_in(field.type)
        known = names is None or names.acting or any(True for _ in names.among(able.seen))
        if field.required and not (known and able.of(field.type)):
            return f"there is no {field.encode_name.replace('_', ' ')} to choose yet"
    try:
        Playthrough(game, "", system.start).perform(Action(rule.name, next(able.filled(rule.arguments))))
    except LoomtableError as error:
        return str(error)
    return ""


def legal_actions(
    system: System[Any], game: Game[Any], rules: Iterable[ActionRule], able: Candidates, each: int
) -> Iterator[Action]:
    """The actions that can be begun, with their arguments, at most ``each`` of one name."""
    for rule in rules:
        tried = islice((Action(rule.name, args) for args in able.filled(rule.arguments)), MOST_TRIED)
        yield from islice((action for action in tried if begins(system, game, action)), each)


def legal_among(
    system: System[Any],
    game: Game[Any],
    thinkable: Callable[[Any, str], Iterable[Action]],
    figures: Iterable[str],
    each: int,
    only: str = "",
) -> tuple[Action, ...]:
    """The actions that can be begun, among those that a game itself holds worth trying for some figures.

    At most ``each`` of one name, and those of one name together; once they are found, no more of it are tried.
    """
    found: dict[str, list[Action]] = {}
    for action in chain.from_iterable(thinkable(game.state, figure) for figure in figures):
        wanted = only in ("", action.name) and len(found.get(action.name, ())) < each
        if wanted and begins(system, game, action):
            found.setdefault(action.name, []).append(action)
    return tuple(chain.from_iterable(found.values()))
