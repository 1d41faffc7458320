"""Suits, characters, and what happens to their skills (MN-1 to MN-10, MN-13, MN-16)."""

from __future__ import annotations

from loomtable.engine.kernel.play import changed
from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.mnemonic.events.base import CharacterEvent, ChronicleEvent
from loomtable.engine.mnemonic.state import Character, Chronicle, Mark, Skill


class SuitsDefined(ChronicleEvent, frozen=True, kw_only=True):
    """The group decided what suits stand for (MN-1)."""

    meanings: dict[CardSuit, str]
    rule: str = "MN-1"

    def apply(self, state: Chronicle) -> Chronicle:
        return changed(state, suits={**state.suits, **self.meanings})


class CharacterMade(ChronicleEvent, frozen=True, kw_only=True):
    """A character came into the chronicle; the skills follow (MN-10)."""

    character: Character
    rule: str = "MN-10"

    def apply(self, state: Chronicle) -> Chronicle:
        made = self.character
        state = changed(state, characters={**state.characters, made.name: made})
        return state.noted(made.name, Mark.MADE, suit=made.strong, text=made.concept)


class SkillWritten(CharacterEvent, frozen=True, kw_only=True):
    """A skill was written into a journal when its character was made (MN-2)."""

    skill: Skill
    rule: str = "MN-2"

    def apply(self, state: Chronicle) -> Chronicle:
        written = (*state.characters[self.who].skills, self.skill)
        state = state.with_character(self.who, skills=written)
        return state.noted(
            self.who, Mark.SKILL, skill=self.skill.name, suit=self.skill.suit, rating=self.skill.rating
        )


class SkillLearned(CharacterEvent, frozen=True, kw_only=True):
    """A new skill, by the die of learning (MN-7)."""

    skill: Skill
    face: int
    rule: str = "MN-7"

    def apply(self, state: Chronicle) -> Chronicle:
        known = (*state.characters[self.who].skills, self.skill)
        state = state.with_character(self.who, skills=known)
        new = self.skill
        state = state.noted(self.who, Mark.LEARNED, skill=new.name, suit=new.suit, rating=new.rating)
        return state.noted(self.who, Mark.COMPLICATED, skill=new.name) if new.complicated else state


class Complicated(CharacterEvent, frozen=True, kw_only=True):
    """A skill has become complicated (MN-3)."""

    skill: str
    rule: str = "MN-3"

    def apply(self, state: Chronicle) -> Chronicle:
        state = state.with_skill(self.who, self.skill, complicated=True)
        return state.noted(self.who, Mark.COMPLICATED, skill=self.skill)


class ComplicationRemoved(CharacterEvent, frozen=True, kw_only=True):
    """A skill can be used again: repaired in a group scene, or by a weaving (MN-4)."""

    skill: str
    rule: str = "MN-4"

    def apply(self, state: Chronicle) -> Chronicle:
        state = state.with_skill(self.who, self.skill, complicated=False)
        return state.noted(self.who, Mark.REPAIRED, skill=self.skill)


class SuitInjured(CharacterEvent, frozen=True, kw_only=True):
    """A suit was injured: all its skills are locked until it is healed (MN-2)."""

    suit: CardSuit
    rule: str = "MN-2"

    def apply(self, state: Chronicle) -> Chronicle:
        injured = (*state.characters[self.who].injured, self.suit)
        return state.with_character(self.who, injured=injured).noted(self.who, Mark.INJURED, suit=self.suit)


class WentAlone(CharacterEvent, frozen=True, kw_only=True):
    """A Moment Alone is about to be rolled (MN-13)."""

    suit: CardSuit
    grows: bool
    """Whether there is a skill of the suit that a 6 can improve."""
    rule: str = "MN-13"


class SuitHealed(CharacterEvent, frozen=True, kw_only=True):
    """A Moment Alone healed a suit; ``absent`` is out of the next group scene (MN-13)."""

    suit: CardSuit
    face: int
    absent: bool
    rule: str = "MN-13"

    def apply(self, state: Chronicle) -> Chronicle:
        left = tuple(s for s in state.characters[self.who].injured if s is not self.suit)
        state = state.with_character(self.who, injured=left, absent=self.absent)
        state = state.noted(self.who, Mark.HEALED, suit=self.suit)
        return state.noted(self.who, Mark.ABSENT) if self.absent else state


class SkillImproved(CharacterEvent, frozen=True, kw_only=True):
    """A rating rose by one (MN-6)."""

    skill: str
    rating: int
    rule: str = "MN-6"

    def apply(self, state: Chronicle) -> Chronicle:
        state = state.with_skill(self.who, self.skill, rating=self.rating)
        return state.noted(self.who, Mark.IMPROVED, skill=self.skill, rating=self.rating)


class SkillRenamed(CharacterEvent, frozen=True, kw_only=True):
    """A skill came out of A Moment Alone with another name and a higher rating (MN-13)."""

    skill: str
    name: str
    rating: int
    rule: str = "MN-13"

    def apply(self, state: Chronicle) -> Chronicle:
        state = state.with_skill(self.who, self.skill, name=self.name, rating=self.rating)
        return state.noted(self.who, Mark.RENAMED, skill=self.name, rating=self.rating, text=self.skill)


class TruthMarked(CharacterEvent, frozen=True, kw_only=True):
    """A skill is a universal truth now (MN-8)."""

    skill: str
    rule: str = "MN-8"

    def apply(self, state: Chronicle) -> Chronicle:
        return state.with_skill(self.who, self.skill, truth=True).noted(self.who, Mark.TRUTH, skill=self.skill)


class JournalWritten(CharacterEvent, frozen=True, kw_only=True):
    """A player wrote a line of their own into the journal (MN-16)."""

    text: str
    rule: str = "MN-16"

    def apply(self, state: Chronicle) -> Chronicle:
        return state.noted(self.who, Mark.OWN, text=self.text)
