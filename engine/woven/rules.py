"""The rules of Woven as coroutines; importing this module registers every action with the system."""

from __future__ import annotations

from loomtable.engine.woven import (  # noqa: F401  each tells the system what it has
    acting,
    charges,
    gestures,
    outcomes,
    reference,
    setting_up,
    turns,
)
from loomtable.engine.woven.system import WOVEN

__all__ = ["WOVEN"]
