"""The rules of Spellwoven as coroutines; importing this module registers every action with the system."""

from __future__ import annotations

from loomtable.engine.spellwoven import (  # noqa: F401  each tells the system what it has
    acting,
    advancing,
    encounters,
    free_attacks,
    gestures,
    healing,
    outcomes,
    people,
    reference,
    rounds,
    trials,
)
from loomtable.engine.spellwoven.system import SPELLWOVEN

__all__ = ["SPELLWOVEN"]
