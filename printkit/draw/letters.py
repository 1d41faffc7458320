"""How words are written into a file: every character as the byte that the file's font gives it."""

from __future__ import annotations

from typing import Any

_ESCAPED = {"(": "\\(", ")": "\\)", "\\": "\\\\", "\r": "\\r", "\n": "\\n"}
"""Bytes that would end a PDF's string or be read as something else; every other byte stands for itself."""


class Letters(dict[int, str]):
    """The bytes of one font's characters in one document, by code point, found when first used.

    A font of a document has room for 255 characters; more go into a second font.
    """

    def __init__(self, font: Any, document: Any) -> None:
        self._font, self._document = font, document
        self._first = str(font.getSubsetInternalName(0, document))

    def __missing__(self, code: int) -> str:
        [(subset, byte)] = self._font.splitString(chr(code), self._document)
        if subset:
            raise _InAnotherFont
        self[code] = written = _string(byte)
        return written

    def coded(self, words: str) -> list[tuple[str, str]]:
        """The words as they stand in strings of the file, and the font of each part: mostly one."""
        try:
            return [(self._first, words.translate(self))]
        except _InAnotherFont:
            parts = self._font.splitString(words, self._document)
            return [
                (str(self._font.getSubsetInternalName(subset, self._document)), _string(letters))
                for subset, letters in parts
            ]


class _InAnotherFont(Exception):
    """A character that the first font of the document has no room for."""


def _string(letters: bytes) -> str:
    return "".join([_ESCAPED.get(letter, letter) for letter in letters.decode("latin-1")])
