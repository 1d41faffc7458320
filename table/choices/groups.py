"""Actions of every game: what can be begun now, by what it is for, and of the rest why it cannot."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from loomtable.engine.kernel.action_rules import ActionRule
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import RULING_ACTION, System
from loomtable.engine.kernel.wording import as_sentence, label_of

OTHER = "More"

BEGINNING = "To begin"


class ActionShown(msgspec.Struct, frozen=True):
    """One action in a list."""

    name: str
    label: str
    says: str
    rules: tuple[str, ...]


class Refused(msgspec.Struct, frozen=True):
    """An action that cannot be begun now, and why."""

    action: ActionShown
    why: str


class Group(msgspec.Struct, frozen=True):
    """Actions that belong together."""

    title: str
    actions: tuple[ActionShown, ...]
    by_hand: bool = False
    """Whether only people who play from a printed book need them, so that they are held behind one entry."""


def groups_of(system: System[object], allowed: Collection[str], *, begun: bool = True) -> tuple[Group, ...]:
    """The allowed actions of a system in their groups; what belongs to none comes last.

    Before anything has been played, what an evening begins with comes first.
    """
    # Rulings have a page of their own, where each stands with its question.
    rules = [rule for rule in system.actions.values() if rule.name in allowed and rule.name != RULING_ACTION]
    grouped: dict[str, list[ActionShown]] = {
        title: [] for title in (BEGINNING, *system.presentation.groups, OTHER)
    }
    for rule in rules:
        title = rule.group if rule.group in system.presentation.groups else OTHER
        grouped[BEGINNING if rule.opens and not begun else title].append(action_shown(rule))
    by_hand = system.presentation.by_hand
    return tuple(Group(title, tuple(some), title in by_hand) for title, some in grouped.items() if some)


def action_shown(rule: ActionRule) -> ActionShown:
    """An action as a list shows it."""
    return ActionShown(rule.name, label_of(rule.name), rule.says, rule.rules)


class Moves(msgspec.Struct, frozen=True):
    """What one viewer can begin now."""

    likely: str
    """What tables want most often of it; empty where nothing of that kind can be begun."""
    groups: tuple[Group, ...]
    refused: tuple[Refused, ...]


def moves_of(session: Session[object], viewer: str, allowed: Collection[str]) -> Moves:
    """The allowed actions by whether they can be begun; for the viewer alone, as reasons may tell."""
    system, game = session.system, session.game
    refusals = {name: why for name, why in system.refusals(game, viewer).items() if name in allowed}
    can = [name for name, why in refusals.items() if not why]
    groups = groups_of(system, can, begun=bool(session.played))
    first = [action.name for group in groups for action in group.actions]
    likely = next((name for name in system.presentation.likely or first if name in can), "")
    cannot = ((system.actions[name], why) for name, why in refusals.items() if why)
    return Moves(
        likely,
        groups,
        tuple(Refused(action_shown(rule), as_sentence(why)) for rule, why in cannot),
    )
