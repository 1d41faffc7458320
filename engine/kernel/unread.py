"""What a rule has looked at when it refuses: arguments without a value say so, and the refusal how far it came.

For trying rules (``legal.py``).
"""

from __future__ import annotations

from collections.abc import Callable
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
    """The line at which a rule stopped; 0 where it had not begun."""
    code, place = getattr(rule, "__code__", None), error.__traceback__
    while place is not None and place.tb_frame.f_code is not code:
        place = place.tb_next
    return 0 if place is None else place.tb_lineno
