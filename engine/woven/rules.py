"""The rules of Woven as coroutines; importing this module registers every action with the system."""

from __future__ import annotations

from loomtable.engine.woven import acting, charges, chronicle, moves, outcomes, reference, setting_up, turns
from loomtable.engine.woven.system import WOVEN

CHAPTERS = (setting_up, acting, turns, charges)
"""Where the actions stand, in the order in which players need them."""

__all__ = ["CHAPTERS", "WOVEN", "chronicle", "moves", "outcomes", "reference"]
