"""What a rule has looked at when it refuses: arguments without a value say so, and its code says how far it came.

For trying rules (``legal.py``).
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable
from functools import cache
from types import CodeType, TracebackType
from typing import Any, Never


class LookedAt(BaseException):
    """A rule looks at an argument that has no value yet; no ``except`` of a rule may catch it."""

    def __init__(self, argument: str) -> None:
        self.argument = argument


class Unread:
    """An argument without a value: whatever is done with it raises :class:`LookedAt`, but for ``is``."""

    def __init__(self, argument: str) -> None:
        object.__setattr__(self, "argument", argument)

    def __getattribute__(self, name: str) -> Never:
        _looked_at(self)


def _looked_at(unread: object, *_: object) -> Never:
    raise LookedAt(object.__getattribute__(unread, "argument"))


_TWO_SIDED = ("add", "sub", "mul", "mod", "floordiv", "truediv", "pow", "and", "or")
for _name in (  # Python looks for these in the class, past __getattribute__
    *("abs", "bool", "call", "contains", "eq", "float", "format", "ge", "getitem", "gt", "hash", "index", "int"),
    *("iter", "le", "len", "lt", "ne", "neg", "pos", "repr", "reversed", "round", "str"),
    *(f"{side}{name}" for name in _TWO_SIDED for side in ("", "r")),
):
    setattr(Unread, f"__{_name}__", _looked_at)


def line_reached(rule: Callable[..., Any], error: BaseException) -> int:
    """The line at which a rule stopped."""
    place = _place(rule, error)
    return 0 if place is None else place.tb_lineno


def read_until(rule: Callable[..., Any], error: BaseException, arguments: Iterable[str]) -> list[str]:
    """Those of the arguments that a rule may have used when it stopped; what its code has below, it has not."""
    place = _place(rule, error)
    if place is None:
        return list(arguments)
    first, loops = _first_mentions(place.tb_frame.f_code)
    reached = max((end for start, end in loops if start <= place.tb_lasti <= end), default=place.tb_lasti)
    return [name for name in arguments if first.get(name, 0) <= reached]


def _place(rule: Callable[..., Any], error: BaseException) -> TracebackType | None:
    code, place = getattr(rule, "__code__", None), error.__traceback__
    while place is not None and place.tb_frame.f_code is not code:
        place = place.tb_next
    return place


@cache
def _first_mentions(code: CodeType) -> tuple[dict[str, int], tuple[tuple[int, int], ...]]:
    """Where each name is first mentioned in a function, and from where to where it may go round."""
    first: dict[str, int] = {}
    loops = []
    for step in dis.get_instructions(code):
        for name in step.argval if isinstance(step.argval, tuple) else (step.argval,):
            first.setdefault(str(name), step.offset)
        if step.opcode in dis.hasjrel and isinstance(step.argval, int) and step.argval < step.offset:
            loops.append((step.argval, step.offset))
    return first, tuple(loops)
