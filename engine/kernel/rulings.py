"""Rulings: what a table decides where a rulebook is silent, contradicts itself, or offers an option.

Never a silent guess in the code. Every ruling has an id, a question, its choices and our default; a table changes
one before or during play by an action, and the change is an event in the journal like any other.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from loomtable.engine.kernel.errors import UnknownRuling


class RulingChoice(msgspec.Struct, frozen=True):
    """One way to decide: a key, and what it says."""

    key: str
    says: str


class Ruling(msgspec.Struct, frozen=True):
    """One question a rulebook leaves open. The first choice is our default."""

    id: str
    question: str
    choices: tuple[RulingChoice, ...]
    rule: str
    """The rule id that asks for it."""
    source: str
    """Where the rulebook is silent or contradicts itself."""

    @property
    def default(self) -> str:
        """The key of the choice we take unless a table says otherwise."""
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

    def __init__(self, rulings: Iterable[Ruling]) -> None:
        self._rulings = {r.id: r for r in rulings}

    def __getitem__(self, ruling_id: str) -> Ruling:
        try:
            return self._rulings[ruling_id]
        except KeyError:
            near = difflib.get_close_matches(ruling_id, self._rulings, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise UnknownRuling(f"there is no ruling {ruling_id!r}{hint}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._rulings)

    def __len__(self) -> int:
        return len(self._rulings)

    def defaults(self) -> dict[str, str]:
        """Every ruling at our default."""
        return {r.id: r.default for r in self._rulings.values()}


def ruling(ruling_id: str, rule: str, question: str, source: str, **choices: str) -> Ruling:
    """Write a ruling in one breath; the keyword names are the choices' keys, with ``_`` for ``-``."""
    return Ruling(
        ruling_id,
        question,
        tuple(RulingChoice(key.strip("_").replace("_", "-"), says) for key, says in choices.items()),
        rule,
        source,
    )
