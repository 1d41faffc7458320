"""All rules of Weave: importing this module registers every action of the system."""

from __future__ import annotations

from loomtable.engine.weave import (
    challenge,
    character,
    chronicle,
    combat,
    core,
    encounter,
    outcomes,
    passives,
    qualities,
    reference,
    scene,
    season,
)
from loomtable.engine.weave.system import WEAVE

CHAPTERS = (season, character, scene, challenge, core, qualities, passives, encounter, combat)
"""The modules that hold the rules, in the order of the rulebook."""

__all__ = ["CHAPTERS", "WEAVE", "chronicle", "outcomes", "reference"]
