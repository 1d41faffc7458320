"""Misspelt words in the texts that ship, and names that are written two ways.

The dictionary of English is that of ``pyspellchecker``; the words that a file has of its own stand in ``words/``,
one list for all files and one for each that needs one. Names need no list where they stand with a capital inside a
sentence, or in a heading.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from loomtable.engine.kernel.yamlfile import YamlLines, parse_yaml, read_text
from loomtable.table.content.prose import LEAST_WORDS, WORD, PlacedText, passages_of

LISTS = Path(__file__).parent / "words"
_HOUSE = "house"
_MIDDLE = re.compile(r"(?<=[a-z,;:\u2013] )[A-Z][^\W\d_]+(?:['\u2019][a-z]+)?")
_BRITISH = (("our", "or"), ("ise", "ize"), ("ising", "izing"), ("isation", "ization"), ("elled", "eled"))


@cache
def _dictionary() -> Callable[[str], bool]:
    from spellchecker import SpellChecker

    known = SpellChecker(language="en", distance=1)
    return lambda word: word in known


@cache
def words_of(stem: str) -> frozenset[str]:
    """The words that a file has of its own, in small letters; nothing where there is no list for it."""
    path = LISTS / f"{stem}.txt"
    return words_in(path) if path.exists() else frozenset()


def words_in(path: Path) -> frozenset[str]:
    """The words of a list, in small letters; ``#`` begins a remark."""
    kept = (line.partition("#")[0] for line in read_text(path).splitlines())
    return frozenset(word.lower() for line in kept for word in line.split())


def misspelt(text: str, name: str) -> list[str]:
    """Words that no dictionary has, and names that are written two ways, each with its line."""
    fields, lines = parse_yaml(text, dict[str, Any], name)
    passages = list(passages_of(fields))
    stem = Path(name).stem
    own = words_of(_HOUSE) | words_of(stem)
    names = _names(passages, own)
    found: dict[str, str] = {}
    for passage in passages:
        for word in WORD.findall(passage.words):
            bare = _bare(word)
            if len(bare) < 3 or bare.lower() in own or bare in names or is_word(word):
                continue
            found.setdefault(bare, f"{lines.place(*passage.path)}: is {bare!r} spelt so?")
    return [*found.values(), *_nearly_alike(passages, names, lines)]


def _bare(word: str) -> str:
    return re.sub(r"['\u2019]s?$", "", word)


def is_word(word: str) -> bool:
    """Whether the dictionary has it: as it stands, without accents or a possessive, or in its American form."""
    small = word.replace("\u2019", "'").lower()
    forms = {small, _bare(small), _without_accents(small), _without_accents(_bare(small))}
    return any(_dictionary()(form) or _dictionary()(_american(form)) for form in forms)


def _without_accents(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def _american(word: str) -> str:
    """The American form of a British word, as far as letters follow a rule: the dictionary knows those best."""
    changed = (word.replace(british, there) for british, there in _BRITISH if british in word)
    return next((form for form in changed if _dictionary()(form)), word)


def _names(passages: list[PlacedText], own: frozenset[str]) -> Counter[str]:
    """Words with a capital inside a sentence or in a name, which no dictionary has, and how often each stands."""
    found: Counter[str] = Counter()
    for passage in passages:
        capitals = WORD.findall(passage.words) if _is_name(passage.words) else _MIDDLE.findall(passage.words)
        for word in capitals:
            bare = _bare(word)
            if bare[0].isupper() and not is_word(word) and bare.lower() not in own:
                found[bare] += 1
    every = Counter(_bare(word) for passage in passages for word in WORD.findall(passage.words))
    return Counter({name: every[name] for name in found})


def _is_name(words: str) -> bool:
    """Whether it is too short to be a sentence: all its capitals are names."""
    return len(words.split()) < LEAST_WORDS and not words.rstrip().endswith((".", "?", "!"))


def _nearly_alike(passages: list[PlacedText], names: Counter[str], lines: YamlLines) -> list[str]:
    """A name that stands once and differs by a letter from one that stands more often."""
    remarks: list[str] = []
    often = [name for name, count in names.items() if count > 1]
    for name, count in names.items():
        near = next((other for other in often if _one_letter_apart(name, other)), None) if count == 1 else None
        if near is not None and len(name) > 4 and not name.endswith("s") and not near.endswith("s"):
            place = next(p.path for p in passages if name in p.words)
            remarks.append(f"{lines.place(*place)}: {name!r} stands once, and {near!r} {names[near]} times")
    return remarks


def _one_letter_apart(one: str, other: str) -> bool:
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    short, long = sorted((one, other), key=len)
    same = next((at for at, letter in enumerate(short) if letter != long[at]), len(short))
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]
