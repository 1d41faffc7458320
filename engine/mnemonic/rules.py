"""The rules of Mnemonic as coroutines; importing this module registers every action with the system."""

from __future__ import annotations

from loomtable.engine.mnemonic import (
    chronicle,
    game_face,
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

CHAPTERS = (people, modes, rituals, scenes, uses, group, game_face)
"""Where the actions stand, in the order in which a group needs them."""

__all__ = ["CHAPTERS", "MNEMONIC", "chronicle", "outcomes", "reference"]
