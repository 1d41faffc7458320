"""Sentences of events that need nothing but the event's own values, as data: ``templates/GAME/sentences.yaml``.

A sentence names values in braces; ``{n:Strike|Strikes}`` is counted, ``{names:and}`` and ``{names:,}`` are listed;
``{kept:?keeps|loses}`` is the first of two where it is so, or is 1; ``{kind:A}`` has a capital, ``{says:.}`` an
end; ``{faces:-}`` is ``2-5-6``, and ``{dice:dice}`` so many dice. Any other format is Python's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from string import Formatter
from typing import Any

import msgspec

from loomtable.engine.kernel.chronicle import Decisive, Sentence, Spoken, Telling
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.play import Event
from loomtable.engine.kernel.wording import dice_count, ended, how_many, listed
from loomtable.engine.kernel.yamlfile import parse_yaml

_WAYS: dict[str, Callable[[Any], str]] = {
    "and": listed,
    ",": ", ".join,
    "-": lambda faces: "-".join(map(str, faces)),
    "A": str.capitalize,
    ".": ended,
    "dice": dice_count,
}


class _Filler(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.startswith("?"):
            one, other = format_spec[1:].split("|")
            return one if value == 1 else other
        if "|" in format_spec:
            return how_many(value, *format_spec.split("|"))
        way = _WAYS.get(format_spec)
        return way(value) if way is not None else str(super().format_field(value, format_spec))


filled = _Filler().vformat


class SentencesFile(msgspec.Struct, forbid_unknown_fields=True):
    """The sentences of events by their names, by what they are to a chronicle."""

    spoken: dict[str, str] = {}
    sentence: dict[str, str] = {}
    decisive: dict[str, str] = {}


Sentences = Callable[[Event], Telling]
"""Of an event its sentence, or nothing where it has none here."""


def read_sentences(game: str) -> Sentences:
    """The sentences that ship with a game, read when the first is told.

    Raises:
        ContentInvalid: the file does not hold together; the message names the line.
    """

    @cache
    def every() -> dict[str, tuple[Callable[[str], Telling], str]]:
        file, _ = parse_yaml(shipped(game, "sentences.yaml")[0], SentencesFile, "sentences.yaml")
        return {
            event: (kind, said)
            for kind, sentences in ((Spoken, file.spoken), (Sentence, file.sentence), (Decisive, file.decisive))
            for event, said in sentences.items()
        }

    def told(event: Event) -> Telling:
        kind, said = every().get(type(event).__name__, (str, ""))
        return kind(filled(said, (), {name: getattr(event, name) for name in event.__struct_fields__}))

    return told
