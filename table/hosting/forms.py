"""What pages send: fields of forms or JSON, bounded before they are read, and a file where one is wanted."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from starlette.datastructures import UploadFile
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from loomtable.table.hosting.errors import BadForm, TooMuch

MOST_FORM = 2_000_000
"""Bytes of a form or of JSON."""
MOST_UPLOAD = 12_000_000
"""Bytes of a photograph or of a session's file, with the form round it."""
_MOST_FIELDS = 400
# Its warnings about what strangers send would go to the host's terminal; the answer to them says what is wrong.
logging.getLogger("python_multipart").addHandler(logging.NullHandler())


@dataclass(frozen=True)
class Form:
    """The fields of a form, and the file that came with it."""

    fields: Mapping[str, tuple[Any, ...]]
    file: bytes | None = None
    file_name: str = ""
    plain: Mapping[str, Any] = field(default_factory=dict)
    """What was sent as JSON, as it was."""

    def one(self, name: str, default: str | None = None) -> str:
        """The text of a field.

        Raises:
            BadForm: it is missing and there is no default, or it is no text or number.
        """
        given = self.fields.get(name, ())
        if not given:
            if default is None:
                raise BadForm(f"the form lacks the field {name!r}")
            return default
        if isinstance(given[0], dict | list) or given[0] is None:
            raise BadForm(f"the field {name!r} is no text")
        return str(given[0])

    def many(self, name: str) -> tuple[str, ...]:
        """All values of a field, as text."""
        return tuple(str(value) for value in self.fields.get(name, ()))

    def number(self, name: str, default: int | None = None) -> int:
        """The whole number in a field.

        Raises:
            BadForm: it is missing and there is no default, or it is no whole number.
        """
        text = self.one(name, None if default is None else str(default))
        try:
            return int(text)
        except ValueError:
            raise BadForm(f"the field {name!r} is to be a whole number, not {text[:40]!r}") from None

    def yes(self, name: str) -> bool:
        """Whether a box was ticked."""
        return self.one(name, "").lower() in ("1", "on", "yes", "true")


async def read_form(request: Request, most: int, *, files: bool) -> Form:
    """Read the body of a request, no more than ``most`` bytes of it.

    Raises:
        TooMuch: it is longer, or has too many fields.
        BadForm: it is no form, no JSON object, or was cut short.
    """
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise _too_much(most)
    try:
        if kind == "multipart/form-data":
            return await _multipart(request, most, files)
        body = await _bounded(request, most)
    except ClientDisconnect:
        raise BadForm("the device disconnected before everything was sent; nothing was changed") from None
    if kind == "application/json":
        return _json(body)
    if kind in ("application/x-www-form-urlencoded", ""):
        return await _urlencoded(request, body)
    if files:
        return Form({}, body)
    raise BadForm(f"a form or JSON is expected here, not {kind[:60]!r}")


async def _bounded(request: Request, most: int) -> bytes:
    parts: list[bytes] = []
    async for part in _stream(request, most):
        parts.append(part)
    return b"".join(parts)


async def _stream(request: Request, most: int) -> AsyncIterator[bytes]:
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise _too_much(most)
        yield part


async def _multipart(request: Request, most: int, files: bool) -> Form:
    parser = MultiPartParser(
        request.headers,
        _stream(request, most),  # type: ignore[arg-type]  # an async generator is what it needs
        max_files=1 if files else 0,
        max_fields=_MOST_FIELDS,
        max_part_size=most,
    )
    parser.spool_max_size = most + 1  # in memory, never on the disk: a photograph is not kept
    try:
        parsed = await parser.parse()
    except MultiPartException as error:
        raise BadForm(f"the form cannot be read ({error.message})") from None
    fields: dict[str, tuple[Any, ...]] = {}
    file, name = None, ""
    for key, value in parsed.multi_items():
        if isinstance(value, UploadFile):
            file, name = await value.read(), value.filename or ""
        else:
            fields[key] = (*fields.get(key, ()), value)
    await parsed.close()
    return Form(fields, file, name)


async def _urlencoded(request: Request, body: bytes) -> Form:
    async def once() -> AsyncIterator[bytes]:
        yield body
        yield b""

    parsed = await FormParser(request.headers, once()).parse()  # type: ignore[arg-type]
    fields: dict[str, tuple[Any, ...]] = {}
    for count, (key, value) in enumerate(parsed.multi_items()):
        if count >= _MOST_FIELDS:
            raise TooMuch(f"the form has too many fields ({_MOST_FIELDS} at most)")
        fields[key] = (*fields.get(key, ()), value)
    return Form(fields)


def _json(body: bytes) -> Form:
    try:
        plain = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise BadForm("what was sent is not JSON") from None
    if not isinstance(plain, dict):
        raise BadForm("a JSON object is expected here")
    fields = {key: tuple(value) if isinstance(value, list) else (value,) for key, value in plain.items()}
    return Form(fields, plain=plain)


def _too_much(most: int) -> TooMuch:
    return TooMuch(f"more was sent than is taken here ({most // 1_000_000} MB at most)")


def as_json(text: str) -> Any:
    """The value of a JSON text in a field.

    Raises:
        BadForm: it is none.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadForm("a field that is to be JSON cannot be read") from None
