"""Words and drawings where the output lacks some letters: a pipe on Windows, a terminal in Latin-1 or ASCII."""

from __future__ import annotations

import codecs
import io
import json
import re
import sys
import unicodedata

_LIKE = str.maketrans(
    "■□░▒▓█♣♥♦♠≈·•×←↑→↓−⁄─━│┃╭╮╯╰‐‑–—‘’“”",
    "#o.:%##HDS=.*x<^>v-/--||++++----''\"\"",
) | {ord("°"): " degrees"}
"""What is written for what cannot be. What maps are drawn with is replaced one for one, in their legends too."""
_BY_LIKENESS = "loomtable.likeness"


def prepare_output() -> None:
    """Write in any encoding, with what looks like a letter in place of one that is missing there; and write each
    line at once: whoever reads along in a pipe or a log is told where the table is while it is open."""
    codecs.register_error(_BY_LIKENESS, _likeness)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_BY_LIKENESS, line_buffering=True)


def can_be_written(text: str) -> bool:
    """Whether standard output has every letter of a text."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def writable_json(text: str) -> str:
    """The same JSON in letters that standard output has: in data for programs nothing is replaced."""
    if can_be_written(text):
        return text
    return re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], text)


def _likeness(error: UnicodeError) -> tuple[str | bytes, int]:
    """The next character in ASCII, without its accents; a byte of a file's name that is no text stays a byte."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    if "\udc80" <= character <= "\udcff":
        return bytes([ord(character) - 0xDC00]), error.start + 1
    plain = unicodedata.normalize("NFKD", character.translate(_LIKE)).encode("ascii", "ignore").decode()
    return plain or "?", error.start + 1
