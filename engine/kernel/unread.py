"""What a rule has looked at when it refuses: arguments without a value say so, and the refusal how far it came.

For trying rules (``legal.py``).
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Set
from functools import cache
from types import CodeType
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


def stopped(rule: Callable[..., Any], error: BaseException, names: Set[str]) -> tuple[int, Set[str]]:
    """The line at which a rule stopped, 0 where it had not begun, and what of ``names`` it may have read before.

    Whatever the others are, it stops there.
    """
    code, place = getattr(rule, "__code__", None), error.__traceback__
    while place is not None and place.tb_frame.f_code is not code:
        place = place.tb_next
    if code is None or place is None:
        return 0, names
    unseen = {*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]} - _touched(code, place.tb_lasti)
    return place.tb_lineno, names - unseen


@cache
def _touched(code: CodeType, until: int) -> frozenset[str]:
    """The local names that code can have come by when it stands at an offset; those of inner functions always."""
    steps = list(dis.get_instructions(code))
    jumps = {*dis.hasjrel, *dis.hasjabs}
    back = sorted((s.argval, s.offset) for s in steps if s.opcode in jumps and s.argval < s.offset)
    for to, start in back:
        if to <= until:  # it may have been further down before
            until = max(until, start)
    found = (s.argval for s in steps if s.offset <= until and "FAST" in s.opname)
    each = (one for names in found for one in (names if isinstance(names, tuple) else (names,)))
    return frozenset(each) | {*code.co_cellvars}
