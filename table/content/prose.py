"""How the texts of a content file read: spelling, names that are written two ways, openings that come again.

These are remarks: nothing of it keeps a file from being played. Spelling is checked where ``pyspellchecker`` is
installed, whose dictionary of English lies in the package; the words that a file has of its own stand in
``templates/spelling``, one list for all files and one for each that needs one.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.yamlfile import YamlLines, parse_yaml, read_text

OPENING = 3
"""Words that make an opening."""
OFTEN = 4
"""So many texts of a file with one opening are remarked on."""
LEAST_WORDS = 6
"""Shorter texts are names and headings: they open nothing, and their capitals are names."""
_HOUSE = "house"
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_MIDDLE = re.compile(r"(?<=[a-z,;:\u2013] )[A-Z][^\W\d_]+(?:['\u2019][a-z]+)?")
_ONLY_DATA = {
    *("at", "boxes", "back", "size", "legend", "rows", "regions"),
    *("licence", "motif", "seed", "system", "rules", "rulings", "setup", "with", "expect", "before", "meanwhile"),
    *("tells", "chance", "print", "ratings"),
}
"""Fields whose words are keys, or are held by something else."""
_KEYS = frozenset(["ready", "weapons", "armour", "talents", "skill", "skills"])
"""Fields that hold keys where they hold plain words, as on a sheet, and entries where a file lists them."""
_BRITISH = (("our", "or"), ("ise", "ize"), ("ising", "izing"), ("isation", "ization"), ("elled", "eled"))
_MECHANICS = {"mechanic", "trigger", "effects", "spells"}
"""Fields whose texts follow the rules' own wording, and so begin alike."""


class Passage(NamedTuple):
    """A text, and where it stands in its file."""

    path: tuple[str | int, ...]
    words: str

    @property
    def is_name(self) -> bool:
        """Whether it is too short to be a sentence."""
        return len(self.words.split()) < LEAST_WORDS and not self.words.rstrip().endswith((".", "?", "!"))


def remarks_on(text: str, name: str) -> list[str]:
    """What a reader would mark in the margin of a content file, each with its line.

    Raises:
        ContentInvalid: it is no good YAML.
    """
    fields, lines = parse_yaml(text, dict[str, Any], name)
    passages = list(passages_of(fields))
    return [*_misspelt(passages, lines, Path(name).stem), *_opened_alike(passages, lines)]


def passages_of(value: object, path: tuple[str | int, ...] = ()) -> Iterator[Passage]:
    """Every text in a file's fields that people read; keys and short codes are left out."""
    if isinstance(value, str):
        if " " in value.strip() or value[:1].isupper():
            yield Passage(path, value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key == "play":
                yield from _told_in(inner, (*path, key))
            elif key not in _ONLY_DATA and not (key in _KEYS and _plain_words(inner)):
                yield from passages_of(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from passages_of(inner, (*path, place))


def _plain_words(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(one, str) for one in value))


def _told_in(steps: object, path: tuple[str | int, ...]) -> Iterator[Passage]:
    """Notes and written answers of a transcript's steps: all else in them is typed for the engine."""
    for place, step in enumerate(steps if isinstance(steps, list) else ()):
        for field in ("note", "write"):
            if isinstance(step, dict) and isinstance(step.get(field), str):
                yield Passage((*path, place, field), step[field])


def can_spell() -> bool:
    """Whether the spelling checker is installed."""
    return find_spec("spellchecker") is not None


@cache
def _dictionary() -> Callable[[str], bool]:
    from spellchecker import SpellChecker

    known = SpellChecker(language="en", distance=1)
    return lambda word: word in known


@cache
def words_of(stem: str) -> frozenset[str]:
    """The words that a file has of its own, in small letters; nothing where there is no list for it."""
    try:
        path = package_file("templates", "spelling", f"{stem}.txt")
    except FileUnreadable:
        return frozenset()
    kept = (line.partition("#")[0] for line in read_text(path).splitlines())
    return frozenset(word.lower() for line in kept for word in line.split())


def _misspelt(passages: list[Passage], lines: YamlLines, stem: str) -> list[str]:
    if not can_spell():
        return []
    own = words_of(_HOUSE) | words_of(stem)
    names = _names(passages, own)
    found: dict[str, str] = {}
    for passage in passages:
        for word in _WORD.findall(passage.words):
            bare = _bare(word)
            if len(bare) < 3 or bare.lower() in own or bare in names or _is_word(word):
                continue
            found.setdefault(bare, f"{lines.place(*passage.path)}: is {bare!r} spelt so?")
    return [*found.values(), *_nearly_alike(passages, names, lines)]


def _bare(word: str) -> str:
    return re.sub(r"['\u2019]s?$", "", word)


def _is_word(word: str) -> bool:
    """Whether the dictionary has it: as it stands, without accents or a possessive, or in its American form."""
    small = word.replace("\u2019", "'").lower()
    forms = {small, _bare(small), _without_accents(small), _without_accents(_bare(small))}
    return any(_dictionary()(form) or _dictionary()(american(form)) for form in forms)


def _without_accents(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def american(word: str) -> str:
    """The American form of a British word, as far as letters follow a rule: the dictionary knows those best."""
    changed = (word.replace(british, there) for british, there in _BRITISH if british in word)
    return next((form for form in changed if _dictionary()(form)), word)


def _names(passages: list[Passage], own: frozenset[str]) -> Counter[str]:
    """Words with a capital inside a sentence or in a name, which no dictionary has, and how often each stands."""
    found: Counter[str] = Counter()
    for passage in passages:
        capitals = _WORD.findall(passage.words) if passage.is_name else _MIDDLE.findall(passage.words)
        for word in capitals:
            bare = _bare(word)
            if bare[0].isupper() and not _is_word(word) and bare.lower() not in own:
                found[bare] += 1
    every = Counter(_bare(word) for passage in passages for word in _WORD.findall(passage.words))
    return Counter({name: every[name] for name in found})


def _nearly_alike(passages: list[Passage], names: Counter[str], lines: YamlLines) -> list[str]:
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


def _opened_alike(passages: list[Passage], lines: YamlLines) -> list[str]:
    """Openings of three words that come again and again."""
    found: dict[str, list[Passage]] = {}
    for passage in passages:
        words = _WORD.findall(passage.words)
        if len(words) >= LEAST_WORDS and not _MECHANICS & set(passage.path):
            found.setdefault(" ".join(words[:OPENING]).lower(), []).append(passage)
    return [
        f"{lines.place(*alike[-1].path)}: {len(alike)} texts begin {opening!r}"
        for opening, alike in found.items()
        if len(alike) >= OFTEN
    ]
