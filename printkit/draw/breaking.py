"""Where a line may be broken within what has no spaces: between the phrases of Japanese, Chinese and Thai.

BudouX knows the phrases. Where one of Japanese or Chinese is wider than its box, it is broken between its
letters, but never so that a line begins with a closing bracket, a full stop or a small letter.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

_KANA = (0x3040, 0x30FF)
_HAN = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF))
_THAI = (0x0E00, 0x0E7F)
_SPLIT_ANYWHERE = (_KANA, *_HAN, (0x3000, 0x303F), (0xFF00, 0xFFEF))
_NEVER_FIRST = frozenset(
    "、。，．・：；？！゛゜ヽヾゝゞ々ーぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ…‥〜～%％,.:;!?"
)
_ZERO_SPACE = "\u200b"


def parts_of(word: str) -> list[str]:
    """A word in the parts between which a line may be broken; most words are one."""
    parts: list[str] = []
    for piece in _after(word, _ZERO_SPACE):
        kind = _phrases_of(piece)
        for part in _parser(kind).parse(piece) if kind else [piece]:
            if parts and (_never_first(part[0]) or _never_last(parts[-1][-1])):
                parts[-1] += part
            else:
                parts.append(part)
    return parts


def smallest_parts_of(part: str) -> list[str]:
    """A phrase in the smallest parts that may stand on a line of their own: letters of Japanese and Chinese."""
    parts: list[str] = []
    for letter in part:
        free = parts and (_stands_alone(letter) or _stands_alone(parts[-1][-1]))
        if free and not _never_first(letter) and not _never_last(parts[-1][-1]):
            parts.append(letter)
        else:
            parts[-1:] = [(parts[-1] if parts else "") + letter]
    return parts


def _after(word: str, mark: str) -> list[str]:
    pieces = word.split(mark)
    return [piece for piece in (*(before + mark for before in pieces[:-1]), pieces[-1]) if piece]


def _phrases_of(word: str) -> str:
    """Whose phrases to look for: those of ``ja``, ``zh-hans``, ``th``, or none."""
    codes = [ord(letter) for letter in word]
    if max(codes, default=0) < _THAI[0]:
        return ""
    if any(_KANA[0] <= code <= _KANA[1] for code in codes):
        return "ja"
    if any(low <= code <= high for code in codes for low, high in _HAN):
        return "zh-hans"
    return "th" if any(_THAI[0] <= code <= _THAI[1] for code in codes) else ""


def _stands_alone(letter: str) -> bool:
    return any(low <= ord(letter) <= high for low, high in _SPLIT_ANYWHERE)


def _never_first(letter: str) -> bool:
    return letter in _NEVER_FIRST or unicodedata.category(letter) in ("Pe", "Pf", "Mn", "Mc", "Me", "Cf")


def _never_last(letter: str) -> bool:
    return unicodedata.category(letter) in ("Ps", "Pi")


@cache
def _parser(kind: str) -> Any:
    import budoux

    load = {
        "ja": budoux.load_default_japanese_parser,
        "zh-hans": budoux.load_default_simplified_chinese_parser,
        "th": budoux.load_default_thai_parser,
    }
    return load[kind]()
