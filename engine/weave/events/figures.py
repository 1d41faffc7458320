"""What happens to characters and NPCs, in Challenges and by their mechanics, as events."""

from __future__ import annotations

import msgspec

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.play import Open, changed
from loomtable.engine.weave.cards.decks import challenge_card
from loomtable.engine.weave.cards.mechanics import Passive, Span
from loomtable.engine.weave.events.base import FigureEvent, SeasonEvent, discarded, with_figure
from loomtable.engine.weave.state import Boon, ChallengeOutcome, Character, Npc, ScannedQuality, Season
from loomtable.engine.weave.suits import Suit


class OpenOfCharacters:
    """Mixed into events that anybody hears of a player's character, and nobody of the storyteller's figures."""

    __slots__ = ()


# Characters and NPCs


class CharacterCreated(SeasonEvent, frozen=True, kw_only=True):
    """A character was completed; the four Story cards go back to the storyteller (WV-6)."""

    character: Character
    rule: str = "WV-6"

    def apply(self, state: Season) -> Season:
        made = {**state.characters, self.character.name: self.character}
        return changed(state, characters=made, story=state.story.shuffle())


class SheetCompleted(FigureEvent, frozen=True, kw_only=True):
    """The dice bonus for each suit, as it stands at the top of the sheet (WV-7)."""

    bonus: dict[Suit, int]
    rule: str = "WV-7"


class NpcAdded(SeasonEvent, frozen=True, kw_only=True):
    """Somebody whom the storyteller plays came in (WV-4, WV-15)."""

    npc: Npc
    rule: str = "WV-15"

    def apply(self, state: Season) -> Season:
        return changed(state, npcs={**state.npcs, self.npc.name: self.npc})


class LevelUpDeclined(FigureEvent, frozen=True, kw_only=True):
    """A Level Up was offered, and the player does not want it now (WV-11)."""

    rule: str = "WV-11"


class LevelReached(FigureEvent, frozen=True, kw_only=True):
    """A character is of a new level (WV-11)."""

    level: int
    rule: str = "WV-11"

    def apply(self, state: Season) -> Season:
        raised = with_figure(state, self.who, level=self.level, levelled_in=state.episode)
        return changed(raised, story=state.story.shuffle())


class QualityGained(FigureEvent, frozen=True, kw_only=True):
    """A quality was added to a sheet (WV-7)."""

    gained: ScannedQuality
    rule: str = "WV-7"

    def apply(self, state: Season) -> Season:
        return with_figure(state, self.who, qualities=(*state.figure(self.who).qualities, self.gained))


class LeftSeason(Open, FigureEvent, frozen=True, kw_only=True):
    """A character leaves the season; the cards they kept are handed back (WV-9)."""

    rule: str = "WV-9"

    def apply(self, state: Season) -> Season:
        return with_figure(discarded(state, *state.characters[self.who].kept), self.who, left=True)


# Strikes and Wounds


class StrikesMarked(OpenOfCharacters, FigureEvent, frozen=True, kw_only=True):
    """Strikes were marked on a track; the track now stands at ``track`` (WV-8)."""

    strikes: int
    track: int
    rule: str = "WV-8"

    def apply(self, state: Season) -> Season:
        return with_figure(state, self.who, strikes=self.track)


class StrikesCleared(OpenOfCharacters, FigureEvent, frozen=True, kw_only=True):
    """Strikes were taken off a track (WV-10)."""

    strikes: int
    rule: str = "WV-10"

    def apply(self, state: Season) -> Season:
        return with_figure(state, self.who, strikes=state.figure(self.who).strikes - self.strikes)


class WoundMarked(OpenOfCharacters, FigureEvent, frozen=True, kw_only=True):
    """A Wound was marked (WV-8, WV-18)."""

    because: str
    rule: str = "WV-9"

    def apply(self, state: Season) -> Season:
        return with_figure(state, self.who, wounds=state.figure(self.who).wounds + 1)


class WoundHealed(OpenOfCharacters, FigureEvent, frozen=True, kw_only=True):
    """A Wound was healed (WV-21)."""

    rule: str = "WV-21"

    def apply(self, state: Season) -> Season:
        return with_figure(state, self.who, wounds=state.figure(self.who).wounds - 1)


class LeftScene(Open, FigureEvent, frozen=True, kw_only=True):
    """A figure with three Wounds cannot go on in the scene (WV-9)."""

    rule: str = "WV-9"


class EnemyBeaten(Open, FigureEvent, frozen=True, kw_only=True):
    """The track of an enemy that has its own is full (WV-24)."""

    rule: str = "WV-24"

    def apply(self, state: Season) -> Season:
        return with_figure(state, self.who, beaten=True)


# Challenges


class ChallengeIssued(Open, FigureEvent, frozen=True, kw_only=True):
    """The storyteller issued a Challenge (WV-17, WV-20, WV-24)."""

    suit: Suit
    level: int
    pool: int
    rule: str = "WV-17"

    def apply(self, state: Season) -> Season:
        return changed(state, opening=False)


class ChallengeResolved(Open, FigureEvent, frozen=True, kw_only=True):
    """The dice of a Challenge have been counted (WV-17, WV-18)."""

    suit: Suit
    level: int
    successes: int
    strikes: int
    outcome: ChallengeOutcome
    rule: str = "WV-17"


class AutoPassed(Open, FigureEvent, frozen=True, kw_only=True):
    """The storyteller let a character pass without a roll (WV-19)."""

    rule: str = "WV-19"


class CoreChallengeRolled(Open, FigureEvent, frozen=True, kw_only=True):
    """One figure's roll in a Core Challenge: level 1, and no Strikes are marked (WV-22)."""

    suit: Suit
    pool: int
    successes: int
    symbols: int
    """How many dice showed the suit itself."""
    passed: bool
    rule: str = "WV-22"

    def apply(self, state: Season) -> Season:
        return changed(state, opening=False)


class Ranked(Open, SeasonEvent, frozen=True, kw_only=True):
    """The order of those who rolled the same Core Challenge (WV-22)."""

    order: tuple[str, ...]
    rule: str = "WV-22"


class EnticementAnswered(Open, FigureEvent, frozen=True, kw_only=True):
    """The player accepted or refused an enticement (WV-26)."""

    flaw: str
    accepted: bool
    rule: str = "WV-26"


class ActionFailed(Open, FigureEvent, frozen=True, kw_only=True):
    """What a character meant to do fails, with no Strikes and no consequences of its own (WV-26)."""

    because: str
    rule: str = "WV-26"


class CardRedeemed(Open, FigureEvent, frozen=True, kw_only=True):
    """A kept Challenge card lowered a Challenge by its level and was discarded (WV-27)."""

    card: ComponentId
    rule: str = "WV-27"

    @property
    def lowers(self) -> int:
        """By how much."""
        return challenge_card(self.card).level

    def apply(self, state: Season) -> Season:
        return discarded(state, self.card)


# Mechanics


class QualityActivated(OpenOfCharacters, FigureEvent, frozen=True, kw_only=True):
    """A mechanic takes effect, perhaps with its Trigger (WV-10)."""

    quality: str
    triggered: bool
    says: str = ""
    """The words of what people see to themselves."""
    rule: str = "WV-10"


class QualitySpent(OpenOfCharacters, FigureEvent, frozen=True, kw_only=True):
    """A quality cannot be used again before its span ends (WV-10, WV-12)."""

    quality: str
    span: Span
    rule: str = "WV-10"

    def apply(self, state: Season) -> Season:
        return with_figure(state, self.who, spent={**state.figure(self.who).spent, self.quality: self.span})


class BoonGiven(OpenOfCharacters, FigureEvent, frozen=True, kw_only=True):
    """Something waits for a coming Challenge (WV-10)."""

    boon: Boon
    rule: str = "WV-10"

    def apply(self, state: Season) -> Season:
        return with_figure(state, self.who, boons=(*state.figure(self.who).boons, self.boon))


class BoonsUsed(OpenOfCharacters, FigureEvent, frozen=True, kw_only=True):
    """Whatever waited for a Challenge of this suit counts now (WV-10)."""

    suit: Suit
    used: tuple[Boon, ...]
    rule: str = "WV-10"

    def apply(self, state: Season) -> Season:
        left: list[Boon] = []
        for boon in state.figure(self.who).boons:
            if boon not in self.used:
                left.append(boon)
            elif boon.challenges != 1:
                left.append(changed(boon, challenges=max(0, boon.challenges - 1)))
        return with_figure(state, self.who, boons=tuple(left))


class BoonsEnded(OpenOfCharacters, FigureEvent, frozen=True, kw_only=True):
    """What stayed with a figure is used, broken or taken away (WV-10)."""

    ended: tuple[Boon, ...]
    rule: str = "WV-10"

    def apply(self, state: Season) -> Season:
        left = list(state.figure(self.who).boons)
        for boon in self.ended:
            left.remove(boon)
        return with_figure(state, self.who, boons=tuple(left))


class Answered(OpenOfCharacters, FigureEvent, frozen=True, kw_only=True):
    """The storyteller answered, as a mechanic asks (WV-10)."""

    quality: str
    words: str
    rule: str = "WV-10"


class Applied(msgspec.Struct, frozen=True):
    """What a passive quality changes, with its name."""

    quality: str
    owner: str
    """Whose it is; empty where it is a place's."""
    change: Passive
    says: str = ""
    """The words of what people see to themselves."""


class PassiveJudged(SeasonEvent, frozen=True, kw_only=True):
    """The storyteller says once for the whole scene whether something applies (WV-10)."""

    quality: str
    occasion: str
    """Where it is kept in ``Season.judged``."""
    applies: bool
    rule: str = "WV-10"

    def apply(self, state: Season) -> Season:
        return changed(state, judged={**state.judged, self.occasion: self.applies})


class JudgedAnew(SeasonEvent, frozen=True, kw_only=True):
    """The storyteller is asked again what applies (WV-10)."""

    rule: str = "WV-10"

    def apply(self, state: Season) -> Season:
        return changed(state, judged={})


class PassivesApplied(OpenOfCharacters, FigureEvent, frozen=True, kw_only=True):
    """What is always on makes itself felt; of a roll, all that applies to it so far (WV-10)."""

    applied: tuple[Applied, ...]
    rule: str = "WV-10"
