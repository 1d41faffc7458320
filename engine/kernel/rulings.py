"""Rulings: what a table decides where a rulebook is silent, contradicts itself, or offers an option.

Never a silent guess in the code. Every ruling has an id, a question, its choices and our default; a table changes
one before or during play by an action, and the change is an event in the journal like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from loomtable.engine.kernel.errors import ContentInvalid, UnknownRuling
from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.wording import nearest
from loomtable.engine.kernel.yamlfile import ReadLater, parse_yaml, read_text


class RulingChoice(msgspec.Struct, frozen=True):
    """One way to decide: a key, and what it says."""

    key: str
    says: str


class Ruling(msgspec.Struct, frozen=True):
    """One question a rulebook leaves open. The first choice is the default of journals that say nothing."""

    id: str
    question: str
    choices: tuple[RulingChoice, ...]
    rule: str
    """The rule id that asks for it."""
    source: str
    """Where the rulebook is silent or contradicts itself."""
    usual: str
    """The key of the choice with which a table begins unless it says otherwise."""

    @property
    def default(self) -> str:
        """The key of the choice that counts where a journal says nothing (and ``System.earlier`` neither)."""
        return self.choices[0].key

    def choice(self, key: str) -> RulingChoice:
        """The choice of this key.

        Raises:
            UnknownRuling: it has no such choice; the message lists those it has.
        """
        for known in self.choices:
            if known.key == key:
                return known
        keys = ", ".join(c.key for c in self.choices)
        raise UnknownRuling(f"the ruling {self.id} has no choice {key!r}; it has {keys}")


class RulingBook(Mapping[str, Ruling]):
    """All rulings of one system, by id."""

    def __init__(self, rulings: Mapping[str, Ruling]) -> None:
        self._rulings = rulings

    def __getitem__(self, ruling_id: str) -> Ruling:
        try:
            return self._rulings[ruling_id]
        except KeyError:
            hint = nearest(ruling_id, self._rulings, "loom rulings lists them")
            raise UnknownRuling(f"there is no ruling {ruling_id!r}{hint}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._rulings)

    def __len__(self) -> int:
        return len(self._rulings)

    def defaults(self) -> dict[str, str]:
        """Every ruling at its default."""
        return {r.id: r.default for r in self._rulings.values()}

    def usual(self) -> dict[str, str]:
        """The rulings with which a new table begins otherwise than by default; its journal says so."""
        return {r.id: r.usual for r in self._rulings.values() if r.usual != r.default}


class _RulingEntry(msgspec.Struct, forbid_unknown_fields=True):
    rule: str
    question: str
    book: str
    choices: dict[str, str]
    usual: str = ""


class _RulingFile(msgspec.Struct, forbid_unknown_fields=True):
    rulings: dict[str, _RulingEntry]


def read_rulings(path: Path) -> RulingBook:
    """The rulings of one game from its file.

    Raises:
        FileUnreadable: it cannot be read.
        ContentInvalid: as ``parse_rulings``.
    """
    return parse_rulings(read_text(path), path.name)


def shipped_rulings(game: str) -> RulingBook:
    """The rulings of a game of ours (``"storm_weavers"``), read when one of them is wanted."""
    return RulingBook(ReadLater(lambda: parse_rulings(*shipped(game, "rulings.yaml"))))


def parse_rulings(text: str, name: str) -> RulingBook:
    """Rulings from a YAML text: by id, the rule that asks, the question, what the book says, and the choices.

    Raises:
        ContentInvalid: it does not hold together; the message names the file and the line.
    """
    file, lines = parse_yaml(text, _RulingFile, name)
    for ruling_id, entry in file.rulings.items():
        if not entry.choices:
            where = lines.place("rulings", ruling_id, "choices")
            raise ContentInvalid(f"{where}: a ruling needs a choice; the first is the default")
        if entry.usual and entry.usual not in entry.choices:
            where = lines.place("rulings", ruling_id, "usual")
            raise ContentInvalid(f"{where}: {entry.usual!r} is none of the choices: {', '.join(entry.choices)}")
    return RulingBook(
        {
            ruling_id: Ruling(
                ruling_id,
                entry.question,
                tuple(RulingChoice(key, sentence) for key, sentence in entry.choices.items()),
                entry.rule,
                entry.book,
                entry.usual or next(iter(entry.choices)),
            )
            for ruling_id, entry in file.rulings.items()
        }
    )
