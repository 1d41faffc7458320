"""What a content file is, told by a field of its own, and what does not hold together in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any

from loomtable.engine.kernel.arguments import parse_arguments
from loomtable.engine.kernel.errors import ContentInvalid, LoomtableError
from loomtable.engine.kernel.plugins import Hook
from loomtable.engine.kernel.reference import parse_reference
from loomtable.engine.kernel.rulings import parse_rulings
from loomtable.engine.kernel.sentences import SentencesFile
from loomtable.engine.kernel.transcript import parse_transcript
from loomtable.engine.kernel.yamlfile import parse_yaml
from loomtable.engine.odds.played import parse_fair_fights
from loomtable.engine.quick_start import check_quick_start
from loomtable.engine.ready_evening import check_ready_evening
from loomtable.printkit.catalogue import parse_components
from loomtable.printkit.components.figure_file import parse_figures
from loomtable.printkit.decks.template import parse_template
from loomtable.printkit.sheet.papers import parse_papers

Check = Callable[[str, str], Iterable[object]]
"""From a file's text and its name to sentences, each with its line."""
Reader = Callable[[str, str], object]
"""Reads a file's text, and raises what is wrong first."""


@dataclass(frozen=True)
class GameContent:
    """The files that people write for a game, by the field that only files of their sort have."""

    readers: Mapping[str, Reader]
    checks: Mapping[str, Check] = field(default_factory=dict)
    """Of sorts of which everything that is wrong can be said at once."""
    shortfalls: Callable[[], Iterable[str]] = tuple
    """A sentence for everything that the installed game should have and has not."""
    begun: frozenset[str] = frozenset()
    """Sorts that a table begins, and so should know what is in them (``content_notes``)."""
    summary: Callable[[], str] | None = None
    """What it has, for ``loom doctor``."""


CONTENT: Hook[GameContent] = Hook("loomtable.content")


def game_contents() -> list[GameContent]:
    """Those that games registered."""
    return [content for _, content in CONTENT.load_all()]


def findings_in(text: str, name: str) -> tuple[str, list[str]]:
    """The sort of a file, and a sentence for everything that does not hold together in it.

    Raises:
        ContentInvalid: it is none of those that can be checked.
    """
    fields, lines = parse_yaml(text, dict[str, Any], name)
    known = checks()
    telling = [sort for sort in known if sort in fields]
    if not telling:
        why = f"{lines.place()}: loom check does not know this kind of file; it checks {', '.join(known)}"
        raise ContentInvalid(why)
    # Of several, the one that names the file: a playset has people, and is no file of people.
    sort = min(telling, key=lambda field: isinstance(fields[field], list | dict))
    return sort, [str(finding) for finding in known[sort](text, name)]


def notes_asked_for(text: str, sort: str, name: str) -> list[str]:
    """A remark on a file that a table begins and that does not say what people may want to know before."""
    fields, lines = parse_yaml(text, dict[str, Any], name)
    if (
        not any(sort in content.begun for content in game_contents())
        or str(fields.get("content_notes", "")).strip()
    ):
        return []
    return [f"{lines.place()}: say in content_notes what people may want to know before they play this"]


def checks() -> Mapping[str, Check]:
    """The check of each sort of file by the field that tells it: of all games, and what no game owns."""
    found: dict[str, Check] = {}
    for content in (*game_contents(), _SHARED):
        found |= {sort: partial(_first_fault, reader) for sort, reader in content.readers.items()}
        found |= content.checks
    return found


def _first_fault(reader: Reader, text: str, name: str) -> list[str]:
    try:
        reader(text, name)
    except LoomtableError as error:
        return [str(error)]
    return []


_SHARED = GameContent(
    {
        "shops": lambda *file: import_module("loomtable.printkit.shops").parse_shops(*file),  # loads NumPy
        "papers": parse_papers,
        "components": parse_components,
        "transcript": parse_transcript,
        "fair_fights": parse_fair_fights,
        "figures": parse_figures,
        "template": parse_template,
        "rulings": parse_rulings,
        "reference": parse_reference,
        "arguments": parse_arguments,
        "spoken": lambda text, name: parse_yaml(text, SentencesFile, name),
    }
    | {"odds": lambda text, name: parse_yaml(text, dict[str, dict[str, str]], name)}
    | dict.fromkeys(("typed", "conflicts"), lambda text, name: parse_yaml(text, dict[str, Any], name)),
    {"quick_start": check_quick_start, "ready_evening": check_ready_evening},
)
