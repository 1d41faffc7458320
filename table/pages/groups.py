"""Actions of every game by what they are for, in the order in which an evening needs them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from loomtable.engine.kernel.system import RULING_ACTION, ActionRule, System
from loomtable.table.pages.fields import label_of

OTHER = "More"

_GROUPS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "weave": {
        "Challenges": (
            *("challenge", "core-challenge", "use-talent", "use-asset", "signature-move"),
            *("npc-challenge", "auto-pass", "heal", "effect"),
        ),
        "The scene": (
            *("play-story", "add-location", "add-npc", "take-asset", "resolve-subplot", "draw-hand", "end-scene"),
        ),
        "Encounters": (
            *("begin-encounter", "attack", "move", "end-turn", "change-actions", "change-order", "join-encounter"),
            *("set-band", "end-encounter"),
        ),
        "Characters": ("invite", "answer-invitation", "add-character", "level-up", "leave-season"),
        "The season": ("new-season", "plan-episode", "new-episode", "boss-sheet"),
    },
    "spellwoven": {
        "In a conflict": (
            *("attack", "move", "use-talent", "talk", "load", "act", "first-aid", "flee", "surrender"),
            *("next-round", "cooperate", "opportunity-attack", "morale"),
        ),
        "Tests": ("test", "opposed-test", "change-effort"),
        "Beginning and ending": (
            *("open-encounter", "begin-conflict", "ambush", "join-conflict", "end-conflict", "close-encounter"),
        ),
        "Time and healing": ("pass-time", "recuperate", "mend-armour", "repair-shield"),
        "People": ("add-player-character", "add-npc", "add-incidental-npc", "equip"),
    },
    "storm-weavers": {
        "The journey": ("go-on", "note", "begin-adventure", "create"),
        "Tests and fights": ("test", "coin-test", "fight", "map-fight"),
        "The sheet": ("change", "gain-item", "lose-item"),
    },
    "mnemonic": {
        "Scenes": ("scene", "group-scene", "game-face", "learn", "next-round"),
        "Beginning and ending": (
            *("begin-mode", "introduce", "meet", "gather", "remember", "lay-to-rest", "end-mode"),
        ),
        "Characters": ("add-character", "note", "mark-truth", "define-suits"),
    },
    "woven": {
        "The turn": (
            *("move", "place-thread", "create-tendril", "move-tendril", "acquire-card", "recover"),
            *("rest", "end-turn", "spend-charge"),
        ),
        "The game": ("set-up",),
    },
}


_FIRST: Mapping[str, tuple[str, ...]] = {
    "weave": ("new-season", "plan-episode"),
    "spellwoven": ("open-encounter", "add-player-character", "add-npc"),
    "storm-weavers": ("create", "begin-adventure"),
    "mnemonic": ("add-character", "define-suits"),
    "woven": ("set-up",),
}
"""What an evening begins with."""
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


def groups_of(system: System[Any], allowed: Collection[str], *, begun: bool = True) -> tuple[Group, ...]:
    """The allowed actions of a system in their groups; what no group names comes last.

    Before anything has been played, what an evening begins with comes first.
    """
    named = _GROUPS.get(system.key, {})
    placed = {name for names in named.values() for name in names}
    # Rulings have a page of their own, where each stands with its question.
    rest = tuple(name for name in system.actions if name not in placed and name != RULING_ACTION)
    every = {**named, OTHER: rest}
    groups = [
        Group(title, _shown(system, [name for name in names if name in allowed])) for title, names in every.items()
    ]
    if not begun:
        groups.insert(0, Group(BEGINNING, _shown(system, [n for n in _FIRST.get(system.key, ()) if n in allowed])))
    return tuple(group for group in groups if group.actions)


def action_shown(rule: ActionRule) -> ActionShown:
    """An action as a list shows it."""
    return ActionShown(rule.name, label_of(rule.name), rule.says, rule.rules)


def _shown(system: System[Any], names: Sequence[str]) -> tuple[ActionShown, ...]:
    return tuple(action_shown(system.actions[name]) for name in names if name in system.actions)
