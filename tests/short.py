"""Short words for what tests often say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar

import pytest

from loomtable.engine.kernel.errors import IllegalAction

T = TypeVar("T")


class Said(NamedTuple):
    """What a command has said on both streams."""

    out: str
    err: str


class Loom(Protocol):
    """A fixture that runs a command, which has to end with this ``code``."""

    def __call__(self, *arguments: object, code: int = 0) -> Said:
        """Run it."""


def refuses(do: Callable[..., object], because: str, *args: Any, **more: Any) -> None:
    """The rules do not let it be done, and say why; ``because`` is a regular expression."""
    raises(IllegalAction, because, do, *args, **more)


def raises(error: type[Exception], because: str, do: Callable[..., object], *args: Any, **more: Any) -> None:
    """It raises this error, whose message ``because`` fits."""
    with pytest.raises(error, match=because):
        do(*args, **more)


def present(what: T | None) -> T:
    """What is there; a test in which it is not has failed."""
    assert what is not None
    return what


def as_a(kind: type[T], what: object) -> T:
    """What is of this kind; a test in which it is not has failed."""
    assert isinstance(what, kind), what
    return what
