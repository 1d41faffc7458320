"""Between our values and plain JSON: one place, so that every value looks the same in journals and transcripts."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from engine.kernel.components import ComponentId
from engine.kernel.errors import LoomtableError

T = TypeVar("T")


def _write(value: Any) -> Any:
    if isinstance(value, ComponentId):
        return value.short
    raise NotImplementedError(f"{type(value).__name__} has no plain form")


def _read(shape: type, value: Any) -> Any:
    if shape is ComponentId:
        if not isinstance(value, str):
            raise ValueError("Expected a card's short code, like S7")
        try:
            return ComponentId.parse(value)
        except LoomtableError as error:
            raise ValueError(str(error)) from None
    raise NotImplementedError(f"{shape.__name__} has no plain form")


def to_plain(value: Any) -> Any:
    """``value`` as dicts, lists, text and numbers: just what its JSON would say."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=_write))


def from_plain(value: Any, shape: type[T]) -> T:
    """The value of type ``shape`` that the plain ``value`` describes.

    Raises:
        msgspec.ValidationError: it does not describe one; the message holds the path.
    """
    return msgspec.convert(value, shape, dec_hook=_read)


def to_json(value: Any) -> bytes:
    """``value`` as compact JSON; fields and keys keep their order."""
    return msgspec.json.encode(value, enc_hook=_write)


def from_json(text: bytes | str, shape: type[T]) -> T:
    """The value of type ``shape`` in a JSON text.

    Raises:
        msgspec.DecodeError: no JSON, or not of that shape.
    """
    return msgspec.json.decode(text, type=shape, dec_hook=_read)


_AT = re.compile(r"^(?P<why>.*?) - at `(?:key in )?\$(?P<path>.*)`$", re.DOTALL)
_STEP = re.compile(r"\.(\w[\w -]*)|\[(\d+)\]")
_UNKNOWN_FIELD = re.compile(r"unknown field `(.*)`")
_IN_WORDS = (
    ("Object contains unknown field", "there is no field"),
    ("Object missing required field", "it needs the field"),
    ("`object`", "a block of fields"),
    ("`array`", "a list"),
    ("`str`", "text"),
    ("`int`", "a whole number"),
    ("`float`", "a number"),
    ("`null`", "nothing"),
    ("`bool`", "yes or no"),
)


def misfit(error: msgspec.ValidationError) -> tuple[str, tuple[str | int, ...]]:
    """Why a plain value is not of the wanted shape, in words for people, and the path to where it is not."""
    found = _AT.match(str(error))
    why, path = (found["why"], found["path"]) if found else (str(error), "")
    stranger = _UNKNOWN_FIELD.search(why)
    for old, new in _IN_WORDS:
        why = why.replace(old, new)
    steps = [int(m[2]) if m[2] else m[1] for m in _STEP.finditer(path)]
    if stranger:
        steps.append(stranger[1])
    return why[0].lower() + why[1:], tuple(steps)
