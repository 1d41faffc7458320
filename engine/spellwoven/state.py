"""Characters, the conflict they are in, and the hours that pass."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.play import changed
from loomtable.engine.spellwoven.armoury import Armour, Proximity, ShieldSize, Talent, Weapon
from loomtable.engine.spellwoven.levels import Levels

COOPERATION_COST = 5
"""What cooperating takes from an initiative, and how high it must be (SP-5)."""
AID_INTERVAL = 24
"""Hours between two first aids for the same patient (SP-19)."""
AID_REST = 1
"""Hours that a patient rests after first aid (SP-19)."""
RECUPERATION = 105
"""A whole slide: what three, five or seven days add up to in their shares (SP-20)."""


class CharacterKind(StrEnum):
    """Who keeps the sheet, and how full it is (SP-14)."""

    PLAYER_CHARACTER = "player-character"
    NPC = "npc"
    INCIDENTAL = "incidental"


class Activity(StrEnum):
    """How somebody spends the days in which wounds heal (SP-20)."""

    BED_REST = "bed-rest"
    LIGHT = "light"
    HEAVY = "heavy"

    @property
    def days(self) -> int:
        """Days until wounds slide one level."""
        return {"bed-rest": 3, "light": 5, "heavy": 7}[self.value]


class Shield(msgspec.Struct, frozen=True):
    """A shield on an arm: how many blows it catches and how many it caught (SP-18)."""

    size: ShieldSize
    soak: int
    marked: int = 0

    @property
    def left(self) -> int:
        """How many blows it can still catch; at 0 it is destroyed."""
        return self.soak - self.marked


class Advance(msgspec.Struct, frozen=True):
    """What a character has learnt in play, and why."""

    what: str
    """A skill or a talent."""
    rating: int
    """What the skill was raised to; 0 for a talent."""
    because: str


class Character(msgspec.Struct, frozen=True):
    """A character sheet, or a stat block."""

    name: str
    kind: CharacterKind
    side: str
    ratings: dict[str, int]
    quickness_defence: int
    """Before the penalty for armour (SP-16)."""
    presence_defence: int
    wound_slots: Levels
    player: str | None = None
    effort: int = 0
    wounds: Levels = Levels()
    weapons: tuple[Weapon, ...] = ()
    armour: tuple[Armour, ...] = ()
    own_soak: Levels = Levels()
    """Of armour for which the sheet names no pieces."""
    hide: Levels = Levels()
    """Natural soak, which is not worn and weighs nothing (SP-15, SP-16)."""
    soak_slots: Levels = Levels()
    """Of everything worn, at most 3 at each level (SP-15)."""
    soak_marked: Levels = Levels()
    shield: Shield | None = None
    talents: tuple[Talent, ...] = ()
    loaded: tuple[str, ...] = ()
    """Blackpowder weapons that are ready to fire (SP-22)."""
    dead: bool = False
    tended: bool = False
    """Felling wounds no longer incapacitate, by the ruling ``felling-tended``."""
    collapsed: bool = False
    """Incapacitated otherwise than by a wound on the track, until a Healing test succeeds."""
    maimed: bool = False
    heroic: bool = False
    """In a last stand; dies when the conflict ends (SP-22)."""
    treated_at: int | None = None
    resting_until: int | None = None
    activity: Activity | None = None
    rested: int = 0
    """Share of the next recuperation, of ``RECUPERATION``."""
    advances: tuple[Advance, ...] = ()
    """In the order in which they came."""

    @property
    def is_player_character(self) -> bool:
        """Whether a player has it."""
        return self.kind is CharacterKind.PLAYER_CHARACTER

    @property
    def keeper(self) -> str:
        """Who decides for it: its player, or the storyteller."""
        return self.player or STORYTELLER

    @property
    def incapacitated(self) -> bool:
        """Alive, but unable to act (SP-13)."""
        felled = self.wounds.felling > 0 and not self.tended
        return not self.heroic and (felled or self.collapsed or self.wounds.mortal > 0)

    @property
    def worn(self) -> tuple[Levels, ...]:
        """The soak of everything worn, piece by piece; a hide is not worn (SP-16)."""
        return self.own_soak, *(piece.soak for piece in self.armour)

    @property
    def worn_slots(self) -> int:
        """All soak slots of all pieces, also those that stacking wastes."""
        return sum(soak.total for soak in self.worn)


class Distraction(StrEnum):
    """What a distraction brings (SP-8)."""

    ACTS_LAST = "acts-last"
    LOSES_TURN = "loses-turn"


class Left(StrEnum):
    """How a combatant got out of a conflict (SP-8, SP-21)."""

    FLED = "fled"
    SURRENDERED = "surrendered"
    STOOD_DOWN = "stood-down"


class Combatant(msgspec.Struct, frozen=True):
    """What a conflict has to know of somebody in it."""

    initiative: int = 0
    momentum: int = 0
    """What the next round adds to initiative (SP-4, SP-5)."""
    tie: tuple[int, ...] = ()
    """The dice that settled a tie in this round, lowest first (SP-3)."""
    proximity: Proximity = Proximity.NEARBY
    acted: bool = False
    cooperating: bool = False
    group: int = 0
    """Of those who cooperate: which of the round's groups, from 1 (SP-5)."""
    left: Left | None = None
    distraction: Distraction | None = None
    distracted_in: int = 0
    """The round in which the distraction counts."""
    aiding: str | None = None
    """Whom this healer will tend at the end of the round (SP-19)."""
    hurt_while_aiding: bool = False
    guard: int = 0
    """Added to Quickness Defence until this combatant acts again (SP-9)."""
    open_to_attack: bool = False
    hampered: bool = False
    shoots: bool = False
    """Declared a ranged attack for this round (SP-22)."""
    attacked_by: tuple[str, ...] = ()
    """Who attacked this combatant in this round."""
    talents_used: dict[str, int] = {}


class Conflict(msgspec.Struct, frozen=True):
    """A conflict: its round and everybody in it (SP-6)."""

    combatants: dict[str, Combatant]
    round: int = 0
    """0 until all initiatives are known."""


class Ending(StrEnum):
    """How the heroes came out of an encounter."""

    TALK = "talk"
    FLEE = "flee"
    WIN = "win"
    LOSE = "lose"


class Reward(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the heroes gain by an encounter, and after which endings."""

    says: str
    after: tuple[Ending, ...]
    effort: int = 0
    """Effort for each player character who is still alive."""


class OpenEncounter(msgspec.Struct, frozen=True):
    """An encounter that is open, as its file says."""

    key: str
    title: str
    opening: str
    wants: str
    talking: str
    """Who can be talked to, by which skill, and how hard it is."""
    heroes: Proximity
    """How near the player characters are when it comes to a fight."""
    proximities: dict[str, Proximity]
    """How near everybody else is."""
    endings: dict[Ending, str]
    reward: Reward


class Adventure(msgspec.Struct, frozen=True):
    """Everything about one game."""

    characters: dict[str, Character] = {}
    conflict: Conflict | None = None
    encounter: OpenEncounter | None = None
    hours: int = 0
    """Hours since the beginning."""

    def with_character(self, name: str, **changes: object) -> Adventure:
        """The adventure with a character changed."""
        return changed(self, "characters", name, **changes)

    def with_combatant(self, name: str, **changes: object) -> Adventure:
        """The adventure with a combatant changed; without one, or for a bystander, nothing changes."""
        if self.conflict is None or name not in self.conflict.combatants:
            return self
        return changed(self, "conflict", "combatants", name, **changes)
