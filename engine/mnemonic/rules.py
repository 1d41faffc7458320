"""The rules of Mnemonic as coroutines; importing this module registers every action with the system."""

from __future__ import annotations

from loomtable.engine.mnemonic import (  # noqa: F401  each tells the system what it has
    game_face,
    gestures,
    group,
    modes,
    outcomes,
    people,
    reference,
    rituals,
    scenes,
    uses,
)
from loomtable.engine.mnemonic.system import MNEMONIC

__all__ = ["MNEMONIC"]
