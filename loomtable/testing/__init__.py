"""Test a game, ours or yours: players, the laws of any game, and a virtual table with hands.

These are plain functions and classes for any test runner. A broken law is an ``AssertionError`` that names the
game, the seed and the step; ``random_session`` with the same seed plays the same evening again, and you can look
into it.

``play_on`` plays on from any moment, by what its caller prefers; ``loom odds`` plays adventures and fights so.

``VirtualTable`` films printed cards, maps, figures and dice while hands lay, throw, move and take them away, and
``EveningByHand`` plays such a film to a real table; both need what reads and prints, and are imported at first
use. For single photographs whose truth is known, see ``loomtable.testing.virtual``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from loomtable.testing.laws import (
    check_game,
    check_session,
    play_at_random,
    random_action,
    random_session,
    random_step,
)
from loomtable.testing.player import play_on

if TYPE_CHECKING:
    from loomtable.testing.evening_by_hand import EveningByHand
    from loomtable.testing.mishaps import Mishaps
    from loomtable.testing.virtual_table import VirtualTable

__all__ = [
    "EveningByHand",
    "Mishaps",
    "VirtualTable",
    "check_game",
    "check_session",
    "play_at_random",
    "play_on",
    "random_action",
    "random_session",
    "random_step",
]

_HOMES = {"EveningByHand": "evening_by_hand", "Mishaps": "mishaps", "VirtualTable": "virtual_table"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'loomtable.testing' has no attribute {name!r}")
    return getattr(importlib.import_module(f"loomtable.testing.{_HOMES[name]}"), name)
