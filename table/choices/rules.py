"""The rules of a game by their ids, in our words: what they say, how this table rules, what plays them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from loomtable.engine.kernel.reference import Block
from loomtable.engine.kernel.rulings import Ruling
from loomtable.engine.kernel.system import System
from loomtable.table.choices.groups import ActionShown, action_shown


class Ruled(msgspec.Struct, frozen=True):
    """A question that a rule leaves open, and how this table answers it."""

    ruling: Ruling
    says: str


class RuleShown(msgspec.Struct, frozen=True):
    """One rule."""

    id: str
    blocks: tuple[Block, ...]
    rulings: tuple[Ruled, ...]
    actions: tuple[ActionShown, ...]

    def words(self) -> Iterator[str]:
        """Everything that is said of it."""
        yield self.id
        for block in self.blocks:
            yield from (block.title, block.text, *(cell for row in block.table for cell in row))
        for ruled in self.rulings:
            yield from (ruled.ruling.question, ruled.says, ruled.ruling.source)
        for action in self.actions:
            yield from (action.name, action.label, action.says)


def rules_of(system: System[object], ruled: Mapping[str, str]) -> tuple[RuleShown, ...]:
    """All rules of a game in order, with the choices that a table has ``ruled``."""
    short = system.rules_in_short() if system.rules_in_short is not None else None
    blocks = [*short.front, *short.back, *short.further] if short is not None else []
    rulings, actions = system.rulings.values(), system.actions.values()
    ids = {
        *(rule for block in blocks for rule in block.rule_ids),
        *(ruling.rule for ruling in rulings),
        *(rule for action in actions for rule in action.rules),
    }
    return tuple(
        RuleShown(
            rule,
            tuple(block for block in blocks if rule in block.rule_ids),
            tuple(Ruled(asked, asked.choice(ruled[asked.id]).says) for asked in rulings if asked.rule == rule),
            tuple(action_shown(action) for action in actions if rule in action.rules),
        )
        for rule in sorted(ids, key=lambda rule: (len(rule), rule))
    )


def about(rules: Iterable[RuleShown], wanted: str) -> tuple[RuleShown, ...]:
    """The rules of which each word that is ``wanted`` says something, whatever its capitals."""
    words = wanted.casefold().split()
    said = ((rule, " ".join(rule.words()).casefold()) for rule in rules)
    return tuple(rule for rule, text in said if all(word in text for word in words))
