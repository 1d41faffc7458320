"""A season of Weave: its decks, its episode, its characters and encounters. ``events`` change it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.decks import Deck
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.weave.cards.mechanics import FOR_CHALLENGES, EffectKind, RangeBand, Span
from loomtable.engine.weave.cards.playset import CREATION, Quality, QualityKind
from loomtable.engine.weave.suits import Suit

STRIKE_TRACK = 10
MOST_WOUNDS = 3
BASE_POOL = 3
HIGHEST_LEVEL = 11
HAND = {Kind.CHALLENGE: 4, Kind.STORY: 2}
"""How many cards of each deck the storyteller holds (WV-13)."""
TURN_ACTIONS = 2


class ScannedQuality(msgspec.Struct, frozen=True):
    """A quality somebody chose, and the Story card it came from (WV-1, WV-6)."""

    kind: QualityKind
    card: ComponentId
    quality: Quality


class Boon(msgspec.Struct, frozen=True):
    """What stays with a figure for a while: dice for a coming Challenge, a ward, a hold (WV-10)."""

    do: EffectKind
    amount: int
    because: str
    suit: Suit | None = None
    challenges: int = 1
    lasts: Span | None = None
    by: str = ""
    """Who brought it about; what lasts a turn ends when theirs begins."""
    firm: bool = False
    """A hold that no action breaks, a ward that no attack uses up; Strikes that were put off and fall due now."""
    unbroken: bool = False
    """No attack ends it."""
    attack: str | None = None
    """Whom an attack has to be on, for it to count; empty for any attack, ``None`` where it need not be one."""

    def fits(self, suit: Suit, target: str) -> bool:
        """Whether it counts for a Challenge of this suit, an attack if there is a ``target``."""
        return self.do in FOR_CHALLENGES and self.suit in (None, suit) and self.meets(target)

    def meets(self, target: str) -> bool:
        """Whether it counts against this target of an attack, or where there is none."""
        return self.attack is None or (target != "" and self.attack in ("", target))


class Character(msgspec.Struct, frozen=True):
    """A character sheet (WV-7)."""

    name: str
    player: str
    core_suit: Suit
    qualities: tuple[ScannedQuality, ...]
    level: int = 1
    strikes: int = 0
    wounds: int = 0
    kept: tuple[ComponentId, ...] = ()
    """Challenge cards to redeem (WV-16, WV-26, WV-27)."""
    boons: tuple[Boon, ...] = ()
    spent: dict[str, Span] = {}
    """Qualities that were used, by name, and until when they cannot be used again (WV-12)."""
    levelled_in: int = 0
    """The episode of the last Level Up (WV-11)."""
    left: bool = False
    """The character has left the season (WV-9)."""

    def dice_bonus(self, suit: Suit) -> int:
        """One die for each Backstory in the suit and one for the Core Suit (WV-7)."""
        backstories = sum(q.kind is QualityKind.BACKSTORY and q.quality.suit is suit for q in self.qualities)
        return backstories + (suit is self.core_suit)

    @property
    def creation_cards(self) -> tuple[ComponentId, ...]:
        """The four Story cards by which the character was made (WV-6, WV-11)."""
        return tuple(q.card for q in self.qualities[: len(CREATION)])

    @property
    def out(self) -> bool:
        """Three Wounds: out of the scene until one is healed (WV-9)."""
        return self.wounds >= MOST_WOUNDS


class Npc(msgspec.Struct, frozen=True):
    """Somebody whom the storyteller plays: an NPC, an enemy, or the Boss with a sheet (WV-4, WV-15, WV-20)."""

    name: str
    enemy: bool
    dice: dict[Suit, int] = {}
    qualities: tuple[ScannedQuality, ...] = ()
    track: int = STRIKE_TRACK
    """The length of the Strike track, for tables that give enemies their own."""
    strikes: int = 0
    wounds: int = 0
    boons: tuple[Boon, ...] = ()
    spent: dict[str, Span] = {}
    reach: tuple[RangeBand, ...] = (RangeBand.MELEE,)
    """The range bands in which it attacks without an Asset (WV-24)."""
    beaten: bool = False
    """The enemy's own track was filled."""

    def dice_bonus(self, suit: Suit) -> int:
        """The bonus from the card, and one die for each Backstory of a Boss (WV-4)."""
        backstories = sum(q.kind is QualityKind.BACKSTORY and q.quality.suit is suit for q in self.qualities)
        return self.dice.get(suit, 0) + backstories

    @property
    def hostile(self) -> bool:
        """An enemy, unless it has changed sides; or somebody who has come over to the enemies."""
        return self.enemy != any(b.do is EffectKind.CHANGE_SIDES for b in self.boons)

    @property
    def core_suit(self) -> Suit | None:
        """Nobody whom the storyteller plays has a Core Suit."""
        return None

    @property
    def left(self) -> bool:
        """NPCs never leave the season by themselves."""
        return False

    @property
    def out(self) -> bool:
        """Three Wounds, or the enemy's own track filled."""
        return self.beaten or self.wounds >= MOST_WOUNDS


Figure = Character | Npc


class ChallengeOutcome(StrEnum):
    """How a Challenge went (WV-17, WV-18)."""

    EPIC_PASS = "epic pass"
    PASS = "pass"
    FAIL = "fail"
    EPIC_FAIL = "epic fail"

    @property
    def passed(self) -> bool:
        """Whether the Challenge was passed at all."""
        return self in (ChallengeOutcome.EPIC_PASS, ChallengeOutcome.PASS)


class Encounter(msgspec.Struct, frozen=True):
    """A fast moment played in turns (WV-23)."""

    combat: bool
    suit: Suit
    """In which suit everyone rolled for the order of turns."""
    participants: tuple[str, ...]
    starter: str = ""
    """Who took a turn before the order was rolled."""
    order: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    """The order from the next round on, where that is another."""
    round: int = 0
    """The round, from 1; 0 while the starter takes the initial turn."""
    acting: str = ""
    actions_left: int = 0
    moved: int = 0
    """How many range bands were moved in this turn."""
    bands: dict[str, RangeBand] = {}
    """How far two figures are from each other, by ``pair`` (WV-25)."""
    opening_band: RangeBand = RangeBand.SHORT

    def band(self, one: str, other: str) -> RangeBand:
        """How far the two are from each other."""
        return self.bands.get(pair(one, other), self.opening_band)


def pair(one: str, other: str) -> str:
    """The name under which the distance of two figures stands."""
    return " - ".join(sorted((one, other)))


class EpisodePlan(msgspec.Struct, frozen=True):
    """Story cards that were scanned ahead, and combinations of them (WV-3)."""

    playset: str
    cards: tuple[ComponentId, ...] = ()
    tried: tuple[ScannedQuality, ...] = ()
    kept: bool = False


EMPTY: Deck[ComponentId] = Deck("", ())


class Season(msgspec.Struct, frozen=True):
    """Everything about one season."""

    name: str = ""
    playset: str = ""
    episode: int = 1
    scene: int = 1
    opening: bool = False
    """The episode has begun and nothing has been played yet: the time to level up (WV-11)."""
    season_wide: tuple[ScannedQuality, ...] = ()
    """Story elements of the season as a whole (WV-3)."""
    foundation: tuple[ScannedQuality, ...] = ()
    """The episode's Theme, Location and Boss; their cards lie face down (WV-1, WV-13)."""
    elements: tuple[ScannedQuality, ...] = ()
    """Locations, Subplots and Assets that came into play in this episode (WV-4, WV-15)."""
    past: tuple[ScannedQuality, ...] = ()
    """Themes, Locations and Bosses of earlier episodes (WV-2)."""
    place: str = ""
    """The Location where the scene plays, once somebody has said so."""
    plan: EpisodePlan | None = None
    players: dict[str, bool] = {}
    """Who was invited, and whether they have accepted (WV-5)."""
    characters: dict[str, Character] = {}
    npcs: dict[str, Npc] = {}
    encounter: Encounter | None = None
    spread: tuple[ComponentId, ...] = ()
    """The cards that were played in this scene, in order (WV-14)."""
    hand: tuple[ComponentId, ...] = ()
    hand_drawn: bool = False
    """Whether the storyteller's hand is kept here at all (WV-13)."""
    judged: dict[str, bool] = {}
    """What the storyteller says always, or never, applies in this scene, by quality and occasion (WV-10)."""
    face_down: ComponentId | None = None
    """The Challenge card of an enticement that is not decided yet (WV-26)."""
    story: Deck[ComponentId] = EMPTY
    challenges: Deck[ComponentId] = EMPTY

    def deck(self, kind: Kind) -> Deck[ComponentId]:
        """The Story deck or the Challenge deck."""
        return self.story if kind is Kind.STORY else self.challenges

    def held(self, kind: Kind) -> tuple[ComponentId, ...]:
        """The storyteller's cards of one deck."""
        return tuple(c for c in self.hand if c.kind is kind)

    def figure(self, name: str) -> Figure:
        """The character or NPC of this name.

        Raises:
            IllegalAction: there is none; the message lists those there are.
        """
        found: Figure | None = self.characters.get(name) or self.npcs.get(name)
        if found is None:
            known = ", ".join([*self.characters, *self.npcs]) or "none yet"
            raise IllegalAction(f"there is no character {name!r}; there are: {known}")
        return found

    @property
    def locations(self) -> tuple[ScannedQuality, ...]:
        """The Locations of the episode (WV-1, WV-4)."""
        return tuple(q for q in (*self.foundation, *self.elements) if q.kind is QualityKind.LOCATION)

    @property
    def face_down_names(self) -> frozenset[str]:
        """The Theme, Location and Boss that no player has seen: their cards lie face down (WV-13)."""
        return frozenset(q.quality.name for q in self.foundation) - frozenset(self.npcs)

    @property
    def present(self) -> tuple[str, ...]:
        """The characters who can act in this scene (WV-9)."""
        return tuple(n for n, c in self.characters.items() if not c.out and not c.left)

    def cards(self) -> Iterator[ComponentId]:
        """Every card, wherever it lies; each of them exactly once."""
        for deck in (self.story, self.challenges):
            yield from deck.pile
            yield from deck.discards
        yield from self.hand
        yield from self.spread
        yield from (q.card for q in self.foundation)
        for character in self.characters.values():
            yield from character.kept
        if self.face_down is not None:
            yield self.face_down
