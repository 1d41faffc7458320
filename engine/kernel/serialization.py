"""Between our values and plain JSON: one place, so that every value looks the same in journals and transcripts."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import msgspec.inspect

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.errors import LoomtableError

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


_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}
_PREPARING = threading.Lock()


def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:
    """The decoder of a type, made once and by one thread.

    msgspec finds out about a type when it is first used, and writes that down in the type before it is complete; a
    second thread that meets it then reads memory that is not there yet, and the process dies.
    """
    made = _decoders.get(shape)
    if made is None:
        with _PREPARING:
            made = _decoders.setdefault(shape, msgspec.json.Decoder(shape, dec_hook=_read))
    return made


def to_builtins(value: Any) -> Any:
    """``value`` as dicts, lists, text and numbers: just what its JSON would say."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=_write))


def from_builtins(value: Any, shape: type[T]) -> T:
    """The value of type ``shape`` that the plain ``value`` describes.

    Raises:
        msgspec.ValidationError: it does not describe one; the message holds the path.
    """
    return reader(shape)(value)


def reader(shape: type[T]) -> Callable[[Any], T]:
    """What reads plain values of one type as :func:`from_builtins` does; quicker where there are many."""
    _decoder(shape)
    return lambda value: msgspec.convert(value, shape, dec_hook=_read)


def to_json(value: Any) -> bytes:
    """``value`` as compact JSON; fields and keys keep their order."""
    return msgspec.json.encode(value, enc_hook=_write)


def from_json(text: bytes | str, shape: type[T]) -> T:
    """The value of type ``shape`` in a JSON text.

    Raises:
        msgspec.DecodeError: no JSON, or not of that shape.
    """
    decoded: T = _decoder(shape).decode(text)
    return decoded


_AT = re.compile(r"^(?P<why>.*?) - at (?P<key>`key` in )?`\$(?P<path>.*)`$", re.DOTALL)
_STEP = re.compile(r"\.(\w[\w -]*)|\[(\d+)\]|\[(\.\.\.)\]")
_UNKNOWN_FIELD = re.compile(r"unknown field `(.*)`")
_NO_CHOICE = re.compile(r"^Invalid (?:enum )?value (?P<given>.*)$", re.DOTALL)
_KINDS = re.compile(r"`((?:object|array|str|int|float|null|bool)(?: \| \w+)*)`")
_NAMES = {
    "object": "a block of fields",
    "array": "a list",
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "null": "nothing",
    "bool": "yes or no",
}
_IN_WORDS = (
    ("Object contains unknown field", "there is no field"),
    ("Object missing required field", "it needs the field"),
)


def validation_message(error: msgspec.ValidationError, shape: Any = None) -> tuple[str, tuple[str | int, ...]]:
    """Why a plain value is not of the wanted shape, in words for people, and the path to where it is not.

    With the ``shape`` that it was to be, a word that is none of the possible ones is answered with those.
    """
    found = _AT.match(str(error))
    why, path = (found["why"], found["path"]) if found else (str(error), "")
    stranger, strange_word = _UNKNOWN_FIELD.search(why), _NO_CHOICE.match(why)
    for old, new in _IN_WORDS:
        why = why.replace(old, new)
    why = _KINDS.sub(lambda kinds: " or ".join(_NAMES.get(k, k) for k in kinds[1].split(" | ")), why)
    taken = list(_STEP.finditer(path))
    if strange_word:
        way: list[str | int] = [int(m[2]) if m[2] else m[1] or m[3] for m in taken]
        known = _choices(msgspec.inspect.type_info(shape), way, found is not None and bool(found["key"]))
        why = f"{strange_word['given']} is not one of {', '.join(known)}" if known else why
    steps: list[str | int] = [int(m[2]) if m[2] else m[1] for m in taken if not m[3]]
    if stranger:
        steps.append(stranger[1])
    return why[0].lower() + why[1:], tuple(steps)


def _choices(node: msgspec.inspect.Type, way: list[str | int], of_keys: bool) -> list[str]:
    """The words that can stand at the end of ``way`` within a type; none where they cannot be told."""
    kinds = msgspec.inspect
    if isinstance(node, kinds.Metadata):
        return _choices(node.type, way, of_keys)
    if isinstance(node, kinds.UnionType):
        return list(dict.fromkeys(word for member in node.types for word in _choices(member, way, of_keys)))
    if isinstance(node, kinds.DictType) and (way or of_keys):
        return _choices(node.value_type, way[1:], of_keys) if way else _choices(node.key_type, way, False)
    if not way:
        if isinstance(node, kinds.EnumType):
            return [str(member.value) for member in node.cls]
        return [str(member) for member in node.values] if isinstance(node, kinds.LiteralType) else []
    if isinstance(node, kinds.StructType):
        if way == [node.tag_field]:
            return [str(node.tag)]
        return [
            word for f in node.fields if f.encode_name == way[0] for word in _choices(f.type, way[1:], of_keys)
        ]
    if isinstance(node, kinds.TupleType) and isinstance(way[0], int) and way[0] < len(node.item_types):
        return _choices(node.item_types[way[0]], way[1:], of_keys)
    if isinstance(node, kinds.ListType | kinds.VarTupleType | kinds.SetType | kinds.FrozenSetType):
        return _choices(node.item_type, way[1:], of_keys)
    return []
