"""Individual scenes, weavings and group scenes (MN-3, MN-5, MN-8, MN-11, MN-12)."""

from __future__ import annotations

from loomtable.engine.kernel.components import ComponentId
from loomtable.engine.kernel.play import changed
from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.mnemonic.almanac import WeavingBand
from loomtable.engine.mnemonic.events.base import CharacterEvent, ChronicleEvent
from loomtable.engine.mnemonic.state import (
    Cards,
    Chronicle,
    GroupOutcome,
    GroupScene,
    Hand,
    Mark,
    Sitting,
    Stand,
)


class SceneBegun(CharacterEvent, frozen=True, kw_only=True):
    """An individual scene begins (MN-11)."""

    number: int
    rule: str = "MN-11"

    def apply(self, state: Chronicle) -> Chronicle:
        return changed(state, scenes=self.number)


class CardPlayed(CharacterEvent, frozen=True, kw_only=True):
    """A card was turned from the deck, or played from a hand; it lies open now (MN-3)."""

    card: ComponentId
    from_hand: bool
    rule: str = "MN-3"

    def apply(self, state: Chronicle) -> Chronicle:
        assert state.cards is not None, "a card without a deck"
        cards = state.cards
        deck = changed(cards.deck, pile=tuple(c for c in cards.deck.pile if c != self.card))
        hands = cards.hands
        if self.from_hand:
            held = hands[self.who]
            left = Hand(held.count - 1, tuple(c for c in held.cards if c != self.card))
            hands = {**hands, self.who: left}
        return changed(state, cards=Cards(deck.discard(self.card), hands, cards.aside))


class DeckShuffledAgain(ChronicleEvent, frozen=True, kw_only=True):
    """The deck of a Deck Burner was used up, and all its cards are the deck again (MN-14)."""

    rule: str = "MN-14"

    def apply(self, state: Chronicle) -> Chronicle:
        assert state.cards is not None, "a shuffle without a deck"
        return changed(state, "cards", deck=state.cards.deck.put_back())


class SuitNamed(CharacterEvent, frozen=True, kw_only=True):
    """Somebody named the suit for which a joker counts (MN-3)."""

    suit: CardSuit
    rule: str = "MN-3"


class SkillsLocked(CharacterEvent, frozen=True, kw_only=True):
    """Skills of the scene's suit cannot be used in it: complicated, or the suit is injured (MN-2, MN-4)."""

    suit: CardSuit
    skills: tuple[str, ...]
    injured: bool
    """Whether it is for the suit's injury, and so for all of them."""
    rule: str = "MN-4"

    def apply(self, state: Chronicle) -> Chronicle:
        return state


class SkillFaced(CharacterEvent, frozen=True, kw_only=True):
    """Somebody is about to roll a skill: everything that its odds depend on (MN-3)."""

    skill: str
    dice: int
    """The rating, and dice that weavings gave."""
    improves: bool
    """Whether the skill can improve by this roll (MN-6)."""
    helps: str = ""
    """Whose scene it is, where that is another's."""
    rule: str = "MN-3"

    def apply(self, state: Chronicle) -> Chronicle:
        return state.with_character(self.who, gift=0)


class SkillUsed(CharacterEvent, frozen=True, kw_only=True):
    """A skill was rolled; it does what it was meant to, cleanly or not (MN-3, MN-9)."""

    skill: str
    suit: CardSuit
    faces: tuple[int, ...]
    clean: bool
    helps: str = ""
    """Whose scene it is, where that is another's."""
    rule: str = "MN-3"

    def apply(self, state: Chronicle) -> Chronicle:
        state = state.noted(self.who, Mark.SCENE, skill=self.skill, suit=self.suit, text=self.helps)
        return state.noted(self.helps, Mark.HELPED, skill=self.skill, text=self.who) if self.helps else state


class WeavingPerformed(CharacterEvent, frozen=True, kw_only=True):
    """Another player chose a weaving die and rolled it (MN-5)."""

    weaver: str
    die: str
    face: int
    band: WeavingBand
    rule: str = "MN-5"

    def apply(self, state: Chronicle) -> Chronicle:
        return state.noted(self.who, Mark.WOVE, skill=self.die, rating=self.face, text=self.weaver)


class DieGiven(CharacterEvent, frozen=True, kw_only=True):
    """A weaving gives another player one die on their next roll (MN-11)."""

    to: str
    rule: str = "MN-11"

    def apply(self, state: Chronicle) -> Chronicle:
        state = state.with_character(self.to, gift=state.characters[self.to].gift + 1)
        return state.noted(self.to, Mark.GIVEN, text=self.who)


class TruthCalled(CharacterEvent, frozen=True, kw_only=True):
    """A universal truth was asked for instead of a weaving (MN-8)."""

    keeper: str
    skill: str
    face: int
    rule: str = "MN-8"

    def apply(self, state: Chronicle) -> Chronicle:
        return state.noted(self.who, Mark.CALLED, skill=self.skill, rating=self.face, text=self.keeper)


class SceneEnded(CharacterEvent, frozen=True, kw_only=True):
    """An individual scene is over, and the next player's turn comes (MN-11)."""

    passed: bool = False
    """Nothing could be done, or nothing was."""
    rule: str = "MN-11"

    def apply(self, state: Chronicle) -> Chronicle:
        assert state.sitting is not None, "a scene outside a play mode"
        if self.passed:
            state = state.noted(self.who, Mark.PASSED)
        if not state.sitting or not state.sitting.mode.has_rounds:
            return state
        return changed(state, "sitting", acted=(*state.sitting.acted, self.who))


class RoundBegun(ChronicleEvent, frozen=True, kw_only=True):
    """Everybody had a scene, and the group goes round once more (MN-11)."""

    round: int
    rule: str = "MN-11"

    def apply(self, state: Chronicle) -> Chronicle:
        assert state.sitting is not None, "a round outside a play mode"
        begun: Sitting = changed(state.sitting, round=self.round, acted=(), group_scene_played=False)
        return changed(state, sitting=begun)


class GroupSceneBegun(ChronicleEvent, frozen=True, kw_only=True):
    """A group scene begins: the adversary has a die for each complication (MN-12)."""

    players: tuple[str, ...]
    adversary: int
    number: int
    about: str = ""
    rule: str = "MN-12"

    def apply(self, state: Chronicle) -> Chronicle:
        return changed(
            state,
            group=GroupScene(self.players, self.adversary),
            scenes=self.number,
            group_scenes=state.group_scenes + 1,
        )


class StoodUp(ChronicleEvent, frozen=True, kw_only=True):
    """Somebody brings a skill to the group scene (MN-12)."""

    stand: Stand
    rule: str = "MN-12"

    def apply(self, state: Chronicle) -> Chronicle:
        assert state.group is not None, "a stand without a group scene"
        return changed(state, "group", stands=(*state.group.stands, self.stand))


class StayedBack(CharacterEvent, frozen=True, kw_only=True):
    """Somebody has nothing to bring to the group scene (MN-12)."""

    rule: str = "MN-12"


class AdversaryRolled(ChronicleEvent, frozen=True, kw_only=True):
    """The adversary's dice; each stays single (MN-12)."""

    faces: tuple[int, ...]
    rule: str = "MN-12"

    def apply(self, state: Chronicle) -> Chronicle:
        return changed(state, "group", adversary_faces=self.faces)


class RolledTogether(CharacterEvent, frozen=True, kw_only=True):
    """A player's roll in the group scene (MN-12)."""

    faces: tuple[int, ...]
    rule: str = "MN-12"

    def apply(self, state: Chronicle) -> Chronicle:
        assert state.group is not None, "a roll without its group scene"
        stands = tuple(changed(s, faces=self.faces) if s.who == self.who else s for s in state.group.stands)
        return changed(state, "group", stands=stands)


class GroupSceneEnded(ChronicleEvent, frozen=True, kw_only=True):
    """How the group scene came out; what follows from it follows (MN-12)."""

    outcome: GroupOutcome
    players: int
    """The highest die of a player."""
    adversary: int
    """The adversary's highest die."""
    rule: str = "MN-12"

    def apply(self, state: Chronicle) -> Chronicle:
        assert state.group is not None, "an end without a group scene"
        for name in state.active:
            if name in state.group.players:
                skill = next((s.skill for s in state.group.stands if s.who == name), "")
                state = state.noted(name, Mark.GROUP_SCENE, skill=skill, text=self.outcome.value)
            state = state.with_character(name, absent=False)
        sitting = state.sitting
        if sitting is not None and sitting.mode.has_rounds:
            sitting = changed(sitting, group_scene_played=True)
        return changed(state, group=None, sitting=sitting)
