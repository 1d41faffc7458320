"""Actions of every game by what they are for, in the order in which an evening needs them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from loomtable.engine.kernel.system import RULING_ACTION, ActionRule, System
from loomtable.table.pages.fields import label_of

OTHER = "More"

BEGINNING = "To begin"


class ActionShown(msgspec.Struct, frozen=True):
    """One action in a list."""

    name: str
    label: str
    says: str
    rules: tuple[str, ...]


class Group(msgspec.Struct, frozen=True):
    """Actions that belong together."""

    title: str
    actions: tuple[ActionShown, ...]


def groups_of(
    system: System[Any], allowed: Collection[str], *, begun: bool = True, legal: Collection[str] = ()
) -> tuple[Group, ...]:
    """The allowed actions of a system in their groups; what belongs to none comes last.

    Before anything has been played, what an evening begins with comes first. Within a group, what is known to be
    ``legal`` now stands before the rest.
    """
    # Rulings have a page of their own, where each stands with its question.
    rules = [rule for rule in system.actions.values() if rule.name in allowed and rule.name != RULING_ACTION]
    rules.sort(key=lambda rule: rule.name not in legal)
    grouped: dict[str, list[ActionShown]] = {title: [] for title in (BEGINNING, *system.groups, OTHER)}
    for rule in rules:
        title = rule.group if rule.group in system.groups else OTHER
        grouped[title].append(action_shown(rule))
        if rule.opens and not begun:
            grouped[BEGINNING].append(action_shown(rule))
    return tuple(Group(title, tuple(actions)) for title, actions in grouped.items() if actions)


def action_shown(rule: ActionRule) -> ActionShown:
    """An action as a list shows it."""
    return ActionShown(rule.name, label_of(rule.name), rule.says, rule.rules)
