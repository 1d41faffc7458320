"""A season of Weave: its episode, its characters, and everything that can change them."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from engine.kernel.components import ComponentId
from engine.kernel.play import Event, replace_in
from engine.weave.playset import Quality, QualityKind
from engine.weave.suits import Suit

STRIKE_TRACK = 10
MOST_WOUNDS = 3
BASE_POOL = 3


class ScannedQuality(msgspec.Struct, frozen=True):
    """A quality somebody chose, and the Story card it came from (WV-1, WV-6)."""

    kind: QualityKind
    card: ComponentId
    quality: Quality


class Character(msgspec.Struct, frozen=True):
    """A character sheet (WV-7)."""

    name: str
    player: str
    core_suit: Suit
    qualities: tuple[ScannedQuality, ...]
    level: int = 1
    strikes: int = 0
    wounds: int = 0

    def dice_bonus(self, suit: Suit) -> int:
        """One die for each Backstory in the suit and one for the Core Suit (WV-7)."""
        backstories = sum(q.kind is QualityKind.BACKSTORY and q.quality.suit is suit for q in self.qualities)
        return backstories + (suit is self.core_suit)

    @property
    def out(self) -> bool:
        """Three Wounds: out of the scene until one is healed (WV-9)."""
        return self.wounds >= MOST_WOUNDS


class Outcome(StrEnum):
    """How a Challenge went (WV-17, WV-18)."""

    EPIC_PASS = "epic pass"
    PASS = "pass"
    FAIL = "fail"
    EPIC_FAIL = "epic fail"

    @property
    def passed(self) -> bool:
        """Whether the Challenge was passed at all."""
        return self in (Outcome.EPIC_PASS, Outcome.PASS)


class Season(msgspec.Struct, frozen=True):
    """Everything about one season."""

    name: str = ""
    playset: str = ""
    foundation: tuple[ScannedQuality, ...] = ()
    """The episode's Theme, Location and Boss (WV-1, WV-13)."""
    characters: dict[str, Character] = {}
    spread: tuple[ComponentId, ...] = ()
    """The cards that were played in this scene, in order (WV-14)."""
    scene: int = 1


class SeasonEvent(Event, frozen=True, kw_only=True):
    """An event of Weave."""

    def apply(self, state: Season) -> Season:
        """The season after this event."""
        return state


class StoryElementChosen(SeasonEvent, frozen=True, kw_only=True):
    """A Theme, Location or Boss was scanned and chosen (WV-1)."""

    chosen: ScannedQuality
    rule: str = "WV-1"

    def apply(self, state: Season) -> Season:
        return msgspec.structs.replace(state, foundation=(*state.foundation, self.chosen))


class SeasonBegun(SeasonEvent, frozen=True, kw_only=True):
    """A new season has its playset and its name (WV-1)."""

    name: str
    playset: str
    rule: str = "WV-1"

    def apply(self, state: Season) -> Season:
        return msgspec.structs.replace(state, name=self.name, playset=self.playset)


class CharacterCreated(SeasonEvent, frozen=True, kw_only=True):
    """A character sheet was completed (WV-6)."""

    character: Character
    rule: str = "WV-6"

    def apply(self, state: Season) -> Season:
        return _with(state, self.character)


class CardPlayed(SeasonEvent, frozen=True, kw_only=True):
    """A card joined the scene's spread (WV-14)."""

    card: ComponentId
    rule: str = "WV-14"

    def apply(self, state: Season) -> Season:
        return msgspec.structs.replace(state, spread=(*state.spread, self.card))


class ChallengeIssued(SeasonEvent, frozen=True, kw_only=True):
    """The storyteller issued a Challenge (WV-17)."""

    who: str
    suit: Suit
    level: int
    pool: int
    rule: str = "WV-17"


class ChallengeResolved(SeasonEvent, frozen=True, kw_only=True):
    """The dice of a Challenge have been counted (WV-17, WV-18)."""

    who: str
    suit: Suit
    level: int
    successes: int
    strikes: int
    outcome: Outcome
    rule: str = "WV-17"


class StrikesMarked(SeasonEvent, frozen=True, kw_only=True):
    """Strikes were marked on a track; the track now stands at ``track`` (WV-8)."""

    who: str
    strikes: int
    track: int
    rule: str = "WV-8"

    def apply(self, state: Season) -> Season:
        return _with(state, msgspec.structs.replace(state.characters[self.who], strikes=self.track))


class WoundMarked(SeasonEvent, frozen=True, kw_only=True):
    """A Wound was marked (WV-8, WV-18)."""

    who: str
    because: str
    rule: str = "WV-9"

    def apply(self, state: Season) -> Season:
        hurt = state.characters[self.who]
        return _with(state, msgspec.structs.replace(hurt, wounds=hurt.wounds + 1))


class LeftScene(SeasonEvent, frozen=True, kw_only=True):
    """A character with three Wounds cannot go on in the scene (WV-9)."""

    who: str
    rule: str = "WV-9"


class SceneEnded(SeasonEvent, frozen=True, kw_only=True):
    """The scene is over: the spread is taken up and all Strikes are cleared (WV-8, WV-14)."""

    rule: str = "WV-14"

    def apply(self, state: Season) -> Season:
        rested = {n: msgspec.structs.replace(c, strikes=0) for n, c in state.characters.items()}
        return msgspec.structs.replace(state, characters=rested, spread=(), scene=state.scene + 1)


def _with(state: Season, character: Character) -> Season:
    return msgspec.structs.replace(state, characters=replace_in(state.characters, character.name, character))
