"""The chronicle of a group: characters and their journals, the play mode that is on, and where the cards are."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.play import changed
from loomtable.engine.kernel.poker import CARDS, CardSuit, PokerCard

TRUTH_RATING = 6
"""The rating from which a skill can be marked as a universal truth (MN-8)."""
MEANINGS = {
    CardSuit.HEARTS: "the body",
    CardSuit.DIAMONDS: "the mind",
    CardSuit.SPADES: "tools and things",
    CardSuit.CLUBS: "people and the world",
}
"""What the suits stand for unless a group redefines them (MN-1)."""
DECK = tuple(ComponentId(Kind.POKER, number) for number in CARDS)
"""The 54 cards, two jokers among them."""


def poker(card: ComponentId) -> PokerCard:
    """The poker card that a component is."""
    return PokerCard(card.number)


class Skill(msgspec.Struct, frozen=True):
    """A skill: a free name in a suit, with a rating (MN-2)."""

    name: str
    suit: CardSuit
    rating: int
    complicated: bool = False
    truth: bool = False
    """Marked as a universal truth (MN-8)."""


class Mark(StrEnum):
    """What a line of a journal is about (MN-16)."""

    MADE = "made"
    SKILL = "skill"
    SCENE = "scene"
    HELPED = "helped"
    PASSED = "passed"
    COMPLICATED = "complicated"
    REPAIRED = "repaired"
    INJURED = "injured"
    HEALED = "healed"
    IMPROVED = "improved"
    LEARNED = "learned"
    RENAMED = "renamed"
    WOVE = "wove"
    TRUTH = "truth"
    CALLED = "called"
    GIVEN = "given"
    GROUP_SCENE = "group-scene"
    ABSENT = "absent"
    TOLD = "told"
    MET = "met"
    MOURNED = "mourned"
    AT_REST = "at-rest"
    GAME_FACE = "game-face"
    OWN = "own"


class JournalLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a character's journal: in which scene, what, and whatever belongs to it (MN-16)."""

    scene: int
    mark: Mark
    skill: str = ""
    suit: CardSuit | None = None
    rating: int | None = None
    text: str = ""


class Character(msgspec.Struct, frozen=True):
    """A character, as the journal has it (MN-10, MN-16)."""

    name: str
    player: str
    strong: CardSuit
    weak: CardSuit
    concept: str = ""
    skills: tuple[Skill, ...] = ()
    injured: tuple[CardSuit, ...] = ()
    gift: int = 0
    """Dice that weavings of others add to the next skill roll (MN-11)."""
    absent: bool = False
    """Out of the next group scene (MN-13)."""
    at_rest: bool = False
    """Laid to rest: the journal stays, the play goes on without them (MN-14)."""
    journal: tuple[JournalLine, ...] = ()

    def skill(self, name: str) -> Skill:
        """The skill of this name, which the character has."""
        return next(s for s in self.skills if s.name == name)

    def locked(self, skill: Skill) -> bool:
        """Complicated, or of an injured suit (MN-2, MN-4)."""
        return skill.complicated or skill.suit in self.injured

    def usable(self, suit: CardSuit | None = None) -> tuple[Skill, ...]:
        """The skills that are not locked, of one suit or of all (MN-3)."""
        return tuple(s for s in self.skills if suit in (None, s.suit) and not self.locked(s))

    @property
    def complications(self) -> int:
        """How many skills are complicated."""
        return sum(s.complicated for s in self.skills)


class PlayMode(StrEnum):
    """The play modes that fill an evening (MN-14); Game Face and A Moment Alone happen within them."""

    FIRST_GATHERING = "first-gathering"
    INTO_THE_GREY = "into-the-grey"
    DECK_BURNER = "deck-burner"
    LAID_TO_REST = "laid-to-rest"
    FREE_PLAY = "free-play"

    @property
    def label(self) -> str:
        """The mode's name as printed."""
        return self.value.replace("-", " ").title().replace(" The ", " the ").replace(" To ", " to ")

    @property
    def has_rounds(self) -> bool:
        """Whether individual scenes go round the table in it."""
        return self in (PlayMode.INTO_THE_GREY, PlayMode.DECK_BURNER)


SCENE_MODES = (PlayMode.INTO_THE_GREY, PlayMode.DECK_BURNER, PlayMode.FREE_PLAY)
RITUALS = (PlayMode.FIRST_GATHERING, PlayMode.LAID_TO_REST)


class Sitting(msgspec.Struct, frozen=True):
    """The play mode that is on."""

    mode: PlayMode
    order: tuple[str, ...]
    """The characters in it, as they sit."""
    dealt: bool
    """The computer shuffles and deals (ruling ``cards``)."""
    round: int = 1
    acted: tuple[str, ...] = ()
    """Who has had a scene, or has spoken, in this round."""
    met: tuple[str, ...] = ()
    """Who has said what they see in another (First Gathering)."""
    group_scene_played: bool = False
    """This round has had its group scene."""
    subject: str = ""
    """Who is laid to rest; empty for the story as a whole."""


class Hand(msgspec.Struct, frozen=True):
    """Cards that somebody holds: how many, and which, where the computer dealt them."""

    count: int = 0
    cards: tuple[ComponentId, ...] = ()


class Cards(msgspec.Struct, frozen=True):
    """Where the 54 cards are.

    Where the computer deals, ``deck.pile`` is the draw pile in its order. Where the people do, it holds every card
    that has not been seen yet, in a hand or not, in the order of their numbers.
    """

    deck: Deck[ComponentId]
    hands: dict[str, Hand] = {}
    aside: Hand = Hand()
    """Left over when the cards did not go round (ruling ``uneven-deal``)."""

    @property
    def unseen(self) -> tuple[ComponentId, ...]:
        """Every card that nobody but its holder can have seen, in the order of their numbers."""
        held = [card for hand in (*self.hands.values(), self.aside) for card in hand.cards]
        return tuple(sorted((*self.deck.pile, *held)))


class Stand(msgspec.Struct, frozen=True):
    """What somebody brings to a group scene: a skill, the dice it rolls, and how they lie (MN-12)."""

    who: str
    skill: str
    suit: CardSuit
    dice: int
    faces: tuple[int, ...] = ()


class GroupScene(msgspec.Struct, frozen=True):
    """A group scene that is being played (MN-12)."""

    players: tuple[str, ...]
    adversary: int
    """How many dice the adversary rolls."""
    stands: tuple[Stand, ...] = ()
    adversary_faces: tuple[int, ...] = ()

    @property
    def best(self) -> int:
        """The highest die of a player so far."""
        return max((face for s in self.stands for face in s.faces), default=0)


class GroupOutcome(StrEnum):
    """How a group scene ends (MN-12)."""

    VICTORY = "victory"
    DRAW = "draw"
    DEFEAT = "defeat"


class GameFace(msgspec.Struct, frozen=True):
    """A game of Game Face between two characters: three rounds, a die from the same four for each (MN-14)."""

    players: tuple[str, str]
    about: str
    secret: bool
    """Both choose before either shows (ruling ``game-face-choice``)."""
    round: int = 1
    used: dict[str, tuple[str, ...]] = {}
    score: dict[str, int] = {}
    chosen: dict[str, str] = {}
    """The dice of this round, as far as they are chosen; hidden from others while ``secret``."""


class Chronicle(msgspec.Struct, frozen=True):
    """Everything about one group's story."""

    suits: dict[CardSuit, str] = {}
    """What the suits stand for, where the group redefined them (MN-1)."""
    characters: dict[str, Character] = {}
    sitting: Sitting | None = None
    cards: Cards | None = None
    group: GroupScene | None = None
    game_face: GameFace | None = None
    scenes: int = 0
    group_scenes: int = 0
    modes: int = 0
    ended: str = ""
    """The last words of a story that was laid to rest."""

    def with_character(self, name: str, **changes: object) -> Chronicle:
        """The chronicle with a character changed."""
        return changed(self, "characters", name, **changes)

    def with_skill(self, who: str, skill: str, **changes: object) -> Chronicle:
        """The chronicle with one skill of a character changed."""
        skills = tuple(
            msgspec.structs.replace(s, **changes) if s.name == skill else s for s in self.characters[who].skills
        )
        return self.with_character(who, skills=skills)

    def noted(
        self,
        who: str,
        mark: Mark,
        *,
        skill: str = "",
        suit: CardSuit | None = None,
        rating: int | None = None,
        text: str = "",
    ) -> Chronicle:
        """The chronicle with a line more in a character's journal (MN-16)."""
        line = JournalLine(self.scenes, mark, skill, suit, rating, text)
        return self.with_character(who, journal=(*self.characters[who].journal, line))

    def meaning(self, suit: CardSuit) -> str:
        """What a suit stands for at this table (MN-1)."""
        return self.suits.get(suit, MEANINGS[suit])

    @property
    def active(self) -> tuple[str, ...]:
        """The characters who are played, in the order in which they came."""
        return tuple(name for name, c in self.characters.items() if not c.at_rest)

    @property
    def complications(self) -> int:
        """One die for the adversary each (MN-12)."""
        return sum(self.characters[name].complications for name in self.active)

    @property
    def due(self) -> tuple[str, ...]:
        """Who has still to have a scene, or to speak, in this round, as they sit."""
        if self.sitting is None:
            return ()
        return tuple(n for n in self.sitting.order if n not in self.sitting.acted and self.can_act(n))

    def can_act(self, who: str) -> bool:
        """Whether somebody has a card to play, where cards are played from the hand."""
        if self.sitting is None or self.sitting.mode is not PlayMode.INTO_THE_GREY or self.cards is None:
            return True
        return self.cards.hands[who].count > 0
