"""Mechanics as data: how a quality comes into play, its Trigger, and the effects the engine applies (WV-10).

What a mechanic does stands in its words. Where the engine can apply them, the playset lists effects beside them;
what a passive mechanic changes, and when, stands in ``always``.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from loomtable.engine.kernel.package_data import shipped
from loomtable.engine.kernel.yamlfile import parse_yaml
from loomtable.engine.weave.suits import Suit

MOST_AMOUNT = 10
"""Of an effect: all Strikes, all distances."""


class MechanicType(StrEnum):
    """How a quality comes into play (WV-10)."""

    PASSIVE = "passive"
    STANDARD = "standard"
    LUCKY = "lucky"


class Span(StrEnum):
    """How long something lasts, or how often it can be had."""

    TURN = "turn"
    """Until the next turn of whoever brought it about; only for how long something lasts."""
    ENCOUNTER = "encounter"
    SCENE = "scene"
    EPISODE = "episode"


class RangeBand(StrEnum):
    """How far two figures of an encounter are from each other (WV-25)."""

    MELEE = "melee"
    SHORT = "short"
    LONG = "long"

    @property
    def label(self) -> str:
        """The range band's name in a sentence."""
        return f"{self.value.capitalize()} Range"

    def steps_to(self, other: RangeBand) -> int:
        """How many range bands lie between the two."""
        bands = list(RangeBand)
        return abs(bands.index(self) - bands.index(other))

    def moved(self, bands: int) -> RangeBand | None:
        """The band so many steps farther off (nearer if negative), or ``None`` where there is none."""
        place = list(RangeBand).index(self) + bands
        return list(RangeBand)[place] if 0 <= place < len(RangeBand) else None


class EffectKind(StrEnum):
    """Everything that the engine can apply by itself; ``docs/playsets.md`` says what each does."""

    HEAL_WOUNDS = "heal-wounds"
    CLEAR_STRIKES = "clear-strikes"
    DEAL_STRIKES = "deal-strikes"
    STRIKES_LATER = "strikes-later"
    EXTRA_DICE = "extra-dice"
    FEWER_DICE = "fewer-dice"
    LOWER_LEVEL = "lower-level"
    RAISE_LEVEL = "raise-level"
    REROLL_DICE = "reroll-dice"
    MORE_STRIKES = "more-strikes"
    WARD = "ward"
    THORNS = "thorns"
    CALM = "calm"
    SAFE = "safe"
    SPARE = "spare"
    HOLD = "hold"
    ROOTED = "rooted"
    BARBS = "barbs"
    GAIN_ACTIONS = "gain-actions"
    LOSE_ACTIONS = "lose-actions"
    ACT_NOW = "act-now"
    TAKE_BOON = "take-boon"
    MOVE_BANDS = "move-bands"
    PUSH = "push"
    PULL = "pull"
    EXCHANGE_PLACES = "exchange-places"
    LEAVE = "leave"
    CHANGE_SIDES = "change-sides"
    DRAW_CHALLENGE = "draw-challenge"
    ANSWER = "answer"
    STAND = "stand"
    LET_MOVE = "let-move"
    SET_BANDS = "set-bands"
    CHANGE_TURN = "change-turn"
    ACT_BETWEEN = "act-between"

    @property
    def label(self) -> str:
        """The effect's name in a question."""
        return self.value.replace("-", " ")


class EffectWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An effect in brief, and its sort: for a ``challenge``, what ``stays`` with a figure, of an ``encounter``."""

    brief: str
    more: str = ""
    """Said where the amount is more than one."""
    all: str = ""
    sort: str = ""


class Vocabulary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of mechanics (``templates/weave/mechanics.yaml``)."""

    effects: dict[EffectKind, EffectWords]
    moments: dict[str, str]
    """What is asked at each, where people have to say what holds."""

    def of(self, *sorts: str) -> tuple[EffectKind, ...]:
        """The effects of some sorts."""
        return tuple(kind for kind, effect in self.effects.items() if effect.sort in sorts)


VOCABULARY = parse_yaml(shipped("weave", "mechanics.yaml")[0], Vocabulary, "mechanics.yaml")[0]
FOR_CHALLENGES = VOCABULARY.of("challenge")
BOONS = VOCABULARY.of("challenge", "stays")
"""Effects that stay with a figure for a while, for good or ill."""
IN_ENCOUNTERS = VOCABULARY.of("encounter")
"""Effects that change an encounter; where there is none they change nothing."""


class Whom(StrEnum):
    """Whom an effect is for; a person chooses where there is a choice. ``docs/playsets.md`` says who each is."""

    SELF = "self"
    ALLY = "ally"
    SELF_OR_ALLY = "self-or-ally"
    ALLIES = "allies"
    ENEMY = "enemy"
    ENEMIES = "enemies"
    TARGET = "target"
    ANYONE = "anyone"
    EVERYONE = "everyone"
    """All who are there, friend or foe, its owner too; nobody is asked."""
    AROUND = "around"
    ENEMIES_AROUND = "enemies-around"
    SAME = "same"

    @property
    def many(self) -> bool:
        """Whether any number can be chosen."""
        return self in (Whom.ALLIES, Whom.ENEMIES)


class Effect(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One thing that the engine does when a mechanic or a Trigger takes effect (WV-10)."""

    do: EffectKind
    amount: int = 1
    to: Whom = Whom.SELF
    suit: Suit | None = None
    """For what waits for a Challenge: only Challenges of this suit."""
    challenges: int = 1
    """For what waits for a Challenge: for how many coming ones; 0 is every one, as long as it lasts."""
    lasts: Span | None = None
    """When it is lost if nothing used it; without it, what is for Challenges waits."""
    within: RangeBand | None = None
    """In an encounter: only those no farther from its owner than this, or from the target (WV-25)."""
    marked: int = 0
    """Only those who have marked so many Strikes."""
    other: bool = False
    """Only others: nobody whom an effect before it was for, nor the target of the attack."""
    attack: Whom | None = None
    """For what waits for a Challenge: only an attack, on ``ANYONE``, or on ``SELF``, ``SAME`` or ``TARGET``."""
    led: bool = False
    """The storyteller chooses in place of its owner."""
    firm: bool = False
    """No attack ends it sooner than it was said to."""
    towards: RangeBand | None = None
    """Range bands are changed in this direction alone."""
    lifted: bool = False
    """A cost of the mechanic that its Trigger lifts: it is not paid where that is met."""
    optional: bool = False
    """Applied where the table plays the ruling ``cards-applied`` so."""

    @property
    def trouble(self) -> str:
        """What does not hold together, or nothing."""
        if not 1 <= self.amount <= MOST_AMOUNT:
            return f"has an effect {self.do} of {self.amount}; it must be 1 to {MOST_AMOUNT}"
        if not 0 <= self.challenges <= 5 or (self.challenges == 0 and self.lasts is None):
            return f"has an effect for {self.challenges} Challenges; it must be 1 to 5, or 0 with a span"
        if self.do not in FOR_CHALLENGES and (self.suit or self.challenges != 1):
            kinds = ", ".join(FOR_CHALLENGES)
            return f"has an effect {self.do} with a suit or Challenges, which belong to {kinds}"
        if self.attack and self.do not in (*FOR_CHALLENGES, EffectKind.MORE_STRIKES):
            return f"has an effect {self.do} for an attack, which waits for none"
        if self.do not in BOONS and self.lasts:
            return f"has an effect {self.do} with a span, which belongs to {', '.join(BOONS)}"
        if self.do in (EffectKind.STAND, EffectKind.CHANGE_SIDES) and self.lasts is None:
            return f"has an effect {self.do} that never ends; say how long it lasts"
        if self.do in (EffectKind.MOVE_BANDS, EffectKind.EXCHANGE_PLACES) and self.to.many:
            return "moves several at once; range bands are changed one by one"
        if self.do is EffectKind.SPARE and self.to is Whom.SELF:
            return "spares itself; name whom it is for, who then spares its owner"
        if self.within and self.to in (Whom.SELF, Whom.TARGET):
            return "has a range band for somebody who is not chosen"
        return ""


class Trigger(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Two or three additional exact suit symbols, and what they bring (WV-10)."""

    symbols: int
    suit: Suit
    says: str
    effects: tuple[Effect, ...] = ()
    instead: bool = False
    """Its effects take the place of the mechanic's."""
    once: Span | None = None
    """It takes effect once in an encounter, a scene or an episode, though the mechanic itself may oftener."""
    whole: bool = False
    """Somebody has read every clause beside the effects: none is left for people to see to, so none is told."""


class Moment(StrEnum):
    """When a passive mechanic makes itself felt; ``docs/playsets.md`` says when each of them is."""

    CHALLENGE = "challenge"
    PASSED = "passed"
    FAILED = "failed"
    EPIC_PASS = "epic-pass"
    EPIC_FAIL = "epic-fail"
    MARKED = "marked"
    STRUCK = "struck"
    TAKEN = "taken"
    WOUNDED = "wounded"
    ENCOUNTER = "encounter"
    TURN = "turn"
    TURN_END = "turn-end"
    ROUND_END = "round-end"
    MOVE = "move"
    MOVED = "moved"
    SHIFTED = "shifted"
    ORDER = "order"
    ATTACK = "attack"
    TALENT = "talent"
    ASSET = "asset"
    ROLLED = "rolled"
    SCENE = "scene"
    ANY = "any"


class Whose(StrEnum):
    """Whose Challenge, turn or Strikes a passive mechanic is about, as its owner sees them."""

    OWNER = "owner"
    ALLY = "ally"
    FOE = "foe"
    OTHERS = "others"
    ALL = "all"


class Given(StrEnum):
    """Conditions of passive mechanics that the engine knows; ``docs/playsets.md`` says what each means."""

    ENCOUNTER = "encounter"
    FIRST_ROUND = "first-round"
    LATER_ROUNDS = "third-round"
    WOUNDED = "wounded"
    MELEE = "melee"
    SHORT = "short"
    AGAINST = "against"
    BY_OWNER = "by-owner"
    ATTACK = "attack"
    FROM_MELEE = "from-melee"
    FROM_AFAR = "from-afar"
    WITH_ASSET = "with-asset"
    HEALING = "healing"
    NO_ALLY_MELEE = "no-ally-melee"
    NO_ALLY_SHORT = "no-ally-short"
    TWO_FOES_MELEE = "two-foes-melee"
    A_STRIKE = "a-strike"
    TWO_STRIKES = "two-strikes"
    THREE_STRIKES = "three-strikes"
    FOUR_STRIKES = "four-strikes"
    ODD_NUMBER = "odd-number"
    FACING = "facing"
    BY_OTHERS = "by-others"
    FAILING = "failing"
    TENTH_STRIKE = "tenth-strike"
    TWO_BANDS = "two-bands"


class Acts(StrEnum):
    """Where in the order of turns somebody acts (WV-23); ``docs/playsets.md`` says where each is."""

    LAST = "last"
    NOT_FIRST = "not-first"
    AFTER_FOE = "after-foe"
    BEFORE_ONE = "before-one"


class Passive(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a passive mechanic changes, when, and for whom (WV-10).

    What the engine knows is applied; where ``judged``, or where it cannot know what is ``given``, the storyteller
    is asked whether it holds.
    """

    at: Moment = Moment.CHALLENGE
    whose: Whose = Whose.OWNER
    suits: tuple[Suit, ...] = ()
    """Only in these suits; without any, in all."""
    given: tuple[Given, ...] = ()
    judged: bool = False
    once: Span | None = None
    dice: int = 0
    level: int = 0
    rerolls: int = 0
    """So many dice of the first roll are rolled again; at ``ROLLED``, so many that show a Strike."""
    strikes: int = 0
    """Strikes more or fewer; ``double`` and ``half`` instead where they are doubled or halved."""
    double: bool = False
    half: bool = False
    most: int | None = None
    """No more Strikes than this, whatever else is reckoned; 0 is no harm at all."""
    actions: int = 0
    forbids: bool = False
    """It is not done; a move that was made is taken back."""
    acts: Acts | None = None
    """In the first round only, where that is given."""
    band: RangeBand | None = None
    """The attack is made as if at this distance."""
    bands: int = 0
    """The most range bands that can be moved in a turn."""
    needs: Suit | None = None
    """A Challenge of level 1 in this suit has to be passed first."""
    track: int = 0
    """The track of Strikes stops here."""
    mirrors: bool = False
    """The owner has the same dice bonus as whoever it faces."""
    again: bool = False
    """The whole pool is rolled again, and the new roll counts."""
    tells: bool = False
    """Nothing is reckoned; its words are told."""
    effects: tuple[Effect, ...] = ()
    optional: bool = False
    """Applied where the table plays the ruling ``cards-applied`` so."""

    @property
    def trouble(self) -> str:
        """What does not hold together, or nothing."""
        changes = {
            "dice": (bool(self.dice), (Moment.CHALLENGE, Moment.ORDER)),
            "levels": (bool(self.level), (Moment.CHALLENGE,)),
            "re-rolls": (bool(self.rerolls), (Moment.CHALLENGE, Moment.ROLLED)),
            "Strikes": (
                bool(self.strikes or self.double or self.half or self.track) or self.most is not None,
                (Moment.MARKED, Moment.STRUCK),
            ),
            "actions": (bool(self.actions), (Moment.TURN, Moment.MOVE)),
            "what can be done": (self.forbids, _FORBIDDING),
            "the order of turns": (self.acts is not None, (Moment.ORDER,)),
            "what an attack meets": (self.band is not None or self.mirrors, (Moment.ATTACK,)),
            "a move": (bool(self.bands or self.needs), (Moment.MOVE,)),
            "a roll": (self.again, (Moment.ROLLED,)),
        }
        for what, (changed, moments) in changes.items():
            if changed and self.at not in moments:
                return f"changes {what} at {self.at}; that is done at {' or '.join(moments)}"
        if not any(changed for changed, _ in changes.values()) and not (self.effects or self.tells):
            return "has something that is always on and changes nothing"
        return next(filter(None, (effect.trouble for effect in self.effects)), "")


_FORBIDDING = (Moment.ATTACK, Moment.TALENT, Moment.ASSET, Moment.MOVE, Moment.MOVED, Moment.SHIFTED)


class Mechanic(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A quality's effect on play (WV-10)."""

    type: MechanicType
    says: str
    suit: Suit | None = None
    trigger: Trigger | None = None
    effects: tuple[Effect, ...] = ()
    either: bool = False
    """One of its effects, as its owner chooses."""
    once: Span | None = None
    """It takes effect once in an encounter, a scene or an episode."""
    reach: tuple[RangeBand, ...] = ()
    """It is used to attack, in these range bands (WV-24)."""
    always: tuple[Passive, ...] = ()
    """What a passive mechanic changes by itself."""
    whole: bool = False
    """As in ``Trigger``, of its own words."""


def mechanic_trouble(mechanic: Mechanic) -> str:
    """What does not hold together, or nothing.

    Passive has no Trigger, Standard and Lucky have a suit, Lucky always has a Trigger; a Trigger needs two or
    three symbols (WV-10).
    """
    triggered = mechanic.trigger.effects if mechanic.trigger else ()
    parts: tuple[Effect | Passive, ...] = (*mechanic.effects, *triggered, *mechanic.always)
    for part in parts:
        if part.trouble:
            return part.trouble
    if Span.TURN in (mechanic.once, mechanic.trigger.once if mechanic.trigger else None):
        return "is had once a turn; that is once an encounter, a scene or an episode"
    if mechanic.always and mechanic.type is not MechanicType.PASSIVE:
        return f"is {mechanic.type}, and only what is passive is always on"
    if mechanic.type is MechanicType.PASSIVE:
        if mechanic.trigger:
            return "is passive and can have no Trigger"
        idle = mechanic.effects and not mechanic.reach
        return "is passive and never activated; its effects belong under always" if idle else ""
    if mechanic.suit is None:
        return f"is {mechanic.type} and needs the suit that activates it"
    if mechanic.type is MechanicType.LUCKY and mechanic.trigger is None:
        return "is lucky and needs a Trigger"
    if mechanic.trigger and mechanic.trigger.symbols not in (2, 3):
        return f"has a Trigger of {mechanic.trigger.symbols} symbols; it must be 2 or 3"
    return ""
