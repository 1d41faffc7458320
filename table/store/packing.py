"""A session as one file: JSON Lines, first what it is, then each journal line with its hash.

Written out, read in and written out again it is the same, byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from loomtable.engine.kernel.errors import BadInput
from loomtable.engine.kernel.journal import Entry, Line
from loomtable.engine.kernel.serialization import from_json, to_json
from loomtable.engine.kernel.wording import how_many
from loomtable.table.store.store import linked

FORMAT = "loomtable session"
VERSION = 1
SUFFIX = ".loom"
MOST_BYTES = 12_000_000
_MOST_LINES = 200_000


class PackInvalid(BadInput):
    """A file is no session that was taken out of Loomtable, or is damaged; the message says where."""


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    version: int
    session: str
    lines: int


class _Packed(msgspec.Struct, forbid_unknown_fields=True):
    seq: int
    at: str
    who: str
    entry: msgspec.Raw
    chain: str


def pack(session: str, lines: Sequence[Line]) -> bytes:
    """A session's journal as a file."""
    rows = [msgspec.json.encode(_Head(FORMAT, VERSION, session, len(lines)))]
    chain = ""
    for line in lines:
        entry = to_json(line.entry)
        chain = linked(chain, line.seq, line.at, line.who, entry.decode())
        rows.append(msgspec.json.encode(_Packed(line.seq, line.at, line.who, msgspec.Raw(entry), chain)))
    return b"\n".join(rows) + b"\n"


def unpack(packed: bytes) -> tuple[str, tuple[Line, ...]]:
    """The name and the lines of a session in a file.

    Raises:
        PackInvalid: it is no such file, of a later version, cut short, or changed.
    """
    if len(packed) > MOST_BYTES:
        raise PackInvalid(f"the file is too large for a session ({MOST_BYTES // 1_000_000} MB at most)")
    rows = packed.split(b"\n")
    try:
        head = from_json(rows[0], _Head)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise PackInvalid("the file is no session that was taken out of Loomtable") from None
    if head.format != FORMAT:
        raise PackInvalid("the file is no session that was taken out of Loomtable")
    if head.version != VERSION:
        raise PackInvalid(f"the file is of version {head.version}, this Loomtable reads version {VERSION}")
    if not 0 < head.lines <= _MOST_LINES or len(rows) != head.lines + 2 or rows[-1]:
        why = f"the file is cut short or put together wrongly: it says {how_many(head.lines, 'line', 'lines')}"
        raise PackInvalid(why)
    lines: list[Line] = []
    chain = ""
    for seq, row in enumerate(rows[1:-1]):
        chain, line = _line(row, seq, chain)
        lines.append(line)
    return head.session, tuple(lines)


def _line(row: bytes, seq: int, chain: str) -> tuple[str, Line]:
    try:
        kept = from_json(row, _Packed)
        line = Line(kept.seq, kept.at, from_json(bytes(kept.entry), Entry), kept.who)  # type: ignore[arg-type]
        # What would be written again is what has to be linked, so that nothing comes back changed.
        chain = linked(chain, kept.seq, kept.at, kept.who, to_json(line.entry).decode())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise PackInvalid(f"the file is damaged at line {seq}; nothing was brought in") from None
    if kept.seq != seq or kept.chain != chain:
        raise PackInvalid(f"the file is damaged at line {seq}; nothing was brought in")
    return chain, line
