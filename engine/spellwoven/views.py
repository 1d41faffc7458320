"""What one viewer sees of an adventure."""

from __future__ import annotations

from typing import Any

import msgspec

from loomtable.engine.kernel.serialization import from_builtins
from loomtable.engine.spellwoven.levels import Levels
from loomtable.engine.spellwoven.state import Character, Conflict, Ending, Reward, Shield


class HeroTracks(msgspec.Struct, frozen=True):
    """What everybody sees of a hero."""

    wounds: Levels
    wound_slots: Levels
    effort: int
    shield: Shield | None


class FromAfar(msgspec.Struct, frozen=True):
    """What anybody at the table sees of somebody else's character."""

    name: str
    player: str | None
    condition: str
    weapons: tuple[str, ...]
    armour: tuple[str, ...]


class EncounterView(msgspec.Struct, frozen=True):
    """An encounter; what everybody wants and how it can end is for the storyteller alone."""

    title: str
    opening: str
    wants: str = ""
    endings: dict[Ending, str] = {}
    reward: Reward | None = None


class AdventureView(msgspec.Struct, frozen=True):
    """An adventure."""

    characters: dict[str, dict[str, Any]]
    """The viewer's own sheets, all for the storyteller, and the others as they look from across the table."""
    tracks: dict[str, HeroTracks]
    conflict: Conflict | None
    encounter: EncounterView | None
    hours: int

    @property
    def sheets(self) -> dict[str, Character]:
        """The sheets that the viewer may see."""
        return {n: from_builtins(c, Character) for n, c in self.characters.items() if "wound_slots" in c}

    @property
    def others(self) -> dict[str, FromAfar]:
        """Those of whom the viewer sees no sheet."""
        return {n: from_builtins(c, FromAfar) for n, c in self.characters.items() if "wound_slots" not in c}
