"""All rules of Weave: importing this module registers every action of the system."""

from __future__ import annotations

from loomtable.engine.weave import (  # noqa: F401  each tells the system what it has
    challenge,
    character,
    combat,
    core,
    encounter,
    gestures,
    oracle,
    outcomes,
    passives,
    qualities,
    reference,
    scene,
    season,
)
from loomtable.engine.weave.system import WEAVE

__all__ = ["WEAVE"]
