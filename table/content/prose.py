"""How the texts of a content file read: openings that come again and again.

These are remarks: nothing of it keeps a file from being played. The spelling of what ships is held by the tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from loomtable.engine.kernel.yamlfile import YamlLines, parse_yaml

OPENING = 3
"""Words that make an opening."""
OFTEN = 4
"""So many texts of a file with one opening are remarked on."""
LEAST_WORDS = 6
"""Shorter texts are names and headings: they open nothing."""
WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_ONLY_DATA = {
    *("at", "boxes", "back", "size", "legend", "rows", "regions"),
    *("licence", "motif", "seed", "system", "rules", "rulings", "setup", "with", "expect", "before", "meanwhile"),
    *("tells", "chance", "print", "ratings"),
}
"""Fields whose words are keys, or are held by something else."""
_KEYS = frozenset(["ready", "weapons", "armour", "talents", "skill", "skills"])
"""Fields that hold keys where they hold plain words, as on a sheet, and entries where a file lists them."""
_MECHANICS = {"mechanic", "trigger", "effects", "spells", "arguments", "moments"}
"""Fields whose texts follow the rules' own wording, and so begin alike."""


class PlacedText(NamedTuple):
    """A text, and where it stands in its file."""

    path: tuple[str | int, ...]
    words: str


def remarks_on(text: str, name: str) -> list[str]:
    """What a reader would mark in the margin of a content file, each with its line.

    Raises:
        ContentInvalid: it is no good YAML.
    """
    fields, lines = parse_yaml(text, dict[str, Any], name)
    return _opened_alike(list(passages_of(fields)), lines)


def passages_of(value: object, path: tuple[str | int, ...] = ()) -> Iterator[PlacedText]:
    """Every text in a file's fields that people read; keys and short codes are left out."""
    if isinstance(value, str):
        if " " in value.strip() or value[:1].isupper():
            yield PlacedText(path, value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key == "play":
                yield from _told_in(inner, (*path, key))
            elif key not in _ONLY_DATA:
                words = inner if isinstance(inner, list) else [inner]
                if key not in _KEYS or not all(isinstance(part, str) for part in words):
                    yield from passages_of(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from passages_of(inner, (*path, place))


def _told_in(steps: object, path: tuple[str | int, ...]) -> Iterator[PlacedText]:
    """Notes and written answers of a transcript's steps: all else in them is typed for the engine."""
    for place, step in enumerate(steps if isinstance(steps, list) else ()):
        for field in ("note", "write"):
            if isinstance(step, dict) and isinstance(step.get(field), str):
                yield PlacedText((*path, place, field), step[field])


def _opened_alike(passages: list[PlacedText], lines: YamlLines) -> list[str]:
    """Openings of three words that come again and again."""
    found: dict[str, list[PlacedText]] = {}
    for passage in passages:
        words = WORD.findall(passage.words)
        if len(words) >= LEAST_WORDS and not _MECHANICS & set(passage.path):
            found.setdefault(" ".join(words[:OPENING]).lower(), []).append(passage)
    return [
        f"{lines.place(*alike[-1].path)}: {len(alike)} texts begin {opening!r}"
        for opening, alike in found.items()
        if len(alike) >= OFTEN
    ]
