"""All rules of Weave: importing this module registers every action of the system."""

from __future__ import annotations

from engine.weave import challenge, character, combat, core, encounter, qualities, scene, season
from engine.weave.system import WEAVE

CHAPTERS = (season, character, scene, challenge, core, qualities, encounter, combat)
"""The modules that hold the rules, in the order of the rulebook."""

__all__ = ["CHAPTERS", "WEAVE"]
