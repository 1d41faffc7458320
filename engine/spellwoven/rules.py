"""The rules of Spellwoven as coroutines; importing this module registers every action with the system."""

from __future__ import annotations

from loomtable.engine.spellwoven import (
    acting,
    chronicle,
    encounters,
    free_attacks,
    healing,
    outcomes,
    people,
    reference,
    rounds,
    trials,
)
from loomtable.engine.spellwoven.system import SPELLWOVEN

CHAPTERS = (people, encounters, trials, rounds, acting, free_attacks, healing)
"""Where the actions stand, in the order in which a group needs them."""

__all__ = ["CHAPTERS", "SPELLWOVEN", "chronicle", "outcomes", "reference"]
