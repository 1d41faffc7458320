"""What pages send: fields of forms or JSON, bounded before they are read, and a file where one is wanted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from loomtable.table.hosting.errors import BadForm, TooMuch

MOST_OF_ANYBODY = 64_000
"""Bytes of a form or of JSON where nobody has to have joined: a code and a name."""
MOST_FORM = 256_000
"""Bytes of a form or of JSON of those who have. The longest notes (8,000 characters) take 96,000 in a form."""
MOST_UPLOAD = 12_000_000
"""Bytes of a photograph or of a session's file, with the form round it."""
_MOST_FIELDS = 400
_MOST_VALUES = 4_000
"""Values in JSON, and names of values; each takes far more memory and time than its bytes."""
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
    """Read the body of a request, no more than ``most`` bytes of it; only a file may be longer than ``MOST_FORM``.

    It is taken apart in a thread: nobody else waits for that.

    Raises:
        TooMuch: it is longer, or has too many fields.
        BadForm: it is no form, no JSON object, or was cut short.
    """
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind in ("application/json", "application/x-www-form-urlencoded", ""):
        most = min(most, MOST_FORM)
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise _too_much(most)
    parts: list[bytes] = []
    size = 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise _too_much(most)
            parts.append(part)
    except ClientDisconnect:
        raise BadForm("the device disconnected before everything was sent; nothing was changed") from None
    return await run_in_threadpool(_form_in, b"".join(parts), kind, request.headers, files)


def _form_in(body: bytes, kind: str, headers: Headers, files: bool) -> Form:
    if kind == "multipart/form-data":
        return asyncio.run(_multipart(body, headers, files))
    if kind == "application/json":
        plain = as_json(body)
        if not isinstance(plain, dict):
            raise BadForm("a JSON object is expected here")
        return Form({key: tuple(v) if isinstance(v, list) else (v,) for key, v in plain.items()}, plain=plain)
    if kind in ("application/x-www-form-urlencoded", ""):
        try:
            pairs = parse_qsl(body.decode("utf-8", "replace"), True, max_num_fields=_MOST_FIELDS)
        except ValueError:  # counted before anything is taken apart
            raise TooMuch(f"the form has too many fields ({_MOST_FIELDS} at most)") from None
        return Form(_by_name(pairs))
    if files:
        return Form({}, body)
    raise BadForm(f"a form or JSON is expected here, not {kind[:60]!r}")


async def _multipart(body: bytes, headers: Headers, files: bool) -> Form:
    async def whole() -> AsyncGenerator[bytes]:
        yield body

    parser = MultiPartParser(
        headers, whole(), max_files=1 if files else 0, max_fields=_MOST_FIELDS, max_part_size=MOST_FORM
    )
    parser.spool_max_size = len(body) + 1  # in memory, never on the disk: a photograph is not kept
    try:
        parsed = await parser.parse()
    except MultiPartException as error:
        raise BadForm(f"the form cannot be read ({error.message})") from None
    file, name = None, ""
    pairs: list[tuple[str, str]] = []
    for key, value in parsed.multi_items():
        if isinstance(value, UploadFile):
            file, name = await value.read(), value.filename or ""
        else:
            pairs.append((key, value))
    await parsed.close()
    return Form(_by_name(pairs), file, name)


def _by_name(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    fields: dict[str, tuple[str, ...]] = {}
    for key, value in pairs:
        fields[key] = (*fields.get(key, ()), value)
    return fields


def _too_much(most: int) -> TooMuch:
    size = f"{most // 1_000_000} MB" if most >= 1_000_000 else f"{most // 1000} KB"
    return TooMuch(f"more was sent than is taken here ({size} at most)")


def as_json(text: str | bytes) -> Any:
    """The value of a JSON text, by itself or in a field; counted before it is read.

    Raises:
        TooMuch: it holds too many values.
        BadForm: it is none.
    """
    encoded = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    if sum(map(encoded.count, (b",", b"[", b"{"))) > _MOST_VALUES:
        raise TooMuch(f"what was sent has too many values ({_MOST_VALUES:,} at most)")
    try:
        return msgspec.json.decode(encoded)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise BadForm("what was sent is not JSON that can be read") from None
