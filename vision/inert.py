"""Text from untrusted codes, made safe to show: nothing in it is acted on, by us or by a screen."""

from __future__ import annotations

import unicodedata

LONGEST = 60
"""Characters of a foreign code that are shown. Set by hand."""


def inert_text(payload: bytes) -> str:
    """What a code says as one short line: letters, digits, marks and plain spaces only.

    Control characters, line ends, marks that turn the direction of writing, invisible and private characters are
    left out; of marks that are stacked on a letter two are kept. What is no text is told as so many bytes.
    """
    text = _text_of(payload)
    if text is None:
        return f"{len(payload)} bytes that are no text"
    # Only the beginning is shown, so only that is looked at.
    line = " ".join("".join(_kept(text[: 16 * LONGEST])).split())
    if not line:
        return f"{len(payload)} bytes that are no text"
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"


def _text_of(payload: bytes) -> str | None:
    """The payload as UTF-8, else as Latin-1, in which many codes are written; nothing where it is neither."""
    try:
        return payload.decode("utf-8")
    except UnicodeDecodeError as error:
        # The payload may have been cut in the middle of its last character.
        if 0 < error.start >= len(payload) - 3:
            return payload[: error.start].decode("utf-8")
    text = payload.decode("latin-1")
    return text if all(c.isprintable() or c.isspace() for c in text) else None


def _kept(text: str) -> list[str]:
    kept: list[str] = []
    stacked = 0
    for character in text:
        category = unicodedata.category(character)
        stacked = stacked + 1 if category in ("Mn", "Me") else 0
        if category[0] == "Z" or character in "\t\r\n":
            kept.append(" ")
        elif category[0] != "C" and stacked <= 2:
            kept.append(character)
    return kept
