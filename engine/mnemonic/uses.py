"""Using a skill, improving it, and learning a new one (MN-3, MN-6, MN-7, MN-9)."""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.kernel.action_rules import PLAYER
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.kernel.requests import Roll
from loomtable.engine.mnemonic.almanac import key_of, weaving_dice
from loomtable.engine.mnemonic.arguments import Who
from loomtable.engine.mnemonic.events.people import Complicated, SkillImproved, SkillLearned, SuitInjured
from loomtable.engine.mnemonic.events.scenes import SkillFaced, SkillUsed
from loomtable.engine.mnemonic.people import choose_suit, name_skill
from loomtable.engine.mnemonic.state import TRUTH_RATING, Chronicle, Skill
from loomtable.engine.mnemonic.system import MNEMONIC, active

CLEAN = 6
LEARNED = {1: (1, True), 2: (1, False), 3: (1, False), 4: (2, True), 5: (2, True), 6: (2, False)}
"""The rating of a learned skill, and whether it is complicated, by the die (MN-7)."""


def is_clean(faces: Sequence[int]) -> bool:
    """Whether the highest die is a 6 (MN-3)."""
    return CLEAN in faces


def teaches(faces: Sequence[int]) -> bool:
    """Whether all dice show only 1s and 6s (MN-6)."""
    return set(faces) <= {1, CLEAN}


def can_improve(play: Play[Chronicle], skill: Skill) -> bool:
    """Whether a rating may rise: not a universal truth's, and by the ruling ``rating-above-6`` (MN-6, MN-8)."""
    capped = play.ruled("rating-above-6") == "stops-at-6" and skill.rating >= TRUTH_RATING
    return not skill.truth and not capped


def face_roll(play: Play[Chronicle], who: str, skill: Skill, *, rule: str, helps: str = "") -> Steps[int]:
    """The dice that somebody is about to roll: the rating, and what weavings gave, which is spent now."""
    dice = skill.rating + active(play, who).gift
    improves = can_improve(play, skill)
    yield SkillFaced(who=who, skill=skill.name, dice=dice, improves=improves, helps=helps, rule=rule)
    return dice


def use_skill(play: Play[Chronicle], who: str, name: str, *, helps: str = "") -> Steps[bool]:
    """Roll a skill in an individual scene; returns whether it has become complicated by it (MN-3, MN-6)."""
    sheet = active(play, who)
    skill = sheet.skill(name)
    # A skill named after a weaving is an ordinary skill; it is told apart only to say so.
    rule = "MN-9" if key_of(skill.name) in weaving_dice() else "MN-3"
    dice = yield from face_roll(play, who, skill, rule=rule, helps=helps)
    lying = yield from ask(Roll(Die.D6, dice, f"{skill.name} of {who}", by=sheet.player, rule=rule))
    clean = is_clean(lying.pips)
    yield SkillUsed(who=who, skill=name, suit=skill.suit, faces=lying.pips, clean=clean, helps=helps, rule=rule)
    spared = helps and play.ruled("helpers-complication") == "spared"
    complicated = not clean and not skill.complicated and not spared
    if complicated:
        yield Complicated(who=who, skill=name)
    yield from improve(play, who, name, lying.pips)
    return complicated


def improve(play: Play[Chronicle], who: str, name: str, faces: Sequence[int]) -> Steps[None]:
    """One more in the rating if all dice are 1s and 6s (MN-6)."""
    skill = active(play, who).skill(name)
    if teaches(faces) and can_improve(play, skill):
        yield SkillImproved(who=who, skill=name, rating=skill.rating + 1)


def may_learn(play: Play[Chronicle], who: str, suit: CardSuit) -> bool:
    """Whether a skill of this suit can be learned, by the ruling ``learning-in-an-injured-suit`` (MN-7)."""
    return suit not in active(play, who).injured or play.ruled("learning-in-an-injured-suit") == "allowed"


def learn_skill(play: Play[Chronicle], who: str, suit: CardSuit) -> Steps[Skill]:
    """Name a skill, and roll how well it is learned (MN-7)."""
    name = yield from name_skill(play, who, suit, rule="MN-7")
    lying = yield from ask(Roll(Die.D6, 1, f"Learning {name} for {who}", by=active(play, who).player, rule="MN-7"))
    face = lying.pips[0]
    rating, complicated = LEARNED[face]
    yield SkillLearned(who=who, skill=Skill(name, suit, rating, complicated), face=face)
    if face == CLEAN and suit not in active(play, who).injured:
        yield SuitInjured(who=who, suit=suit)
    return active(play, who).skill(name)


@MNEMONIC.action("learn", "MN-7", begun_by=PLAYER, group="Scenes")
def learn(play: Play[Chronicle], *, who: Who, suit: CardSuit | None = None) -> Steps[None]:
    """Learn a skill between scenes, at a table where that needs no card (ruling learning-needs-card)."""
    sheet = active(play, who)
    if play.state.ended:
        raise IllegalAction("this story was laid to rest")
    if play.ruled("learning-needs-card") == "of-its-suit":
        raise IllegalAction("a skill is learned in a scene, in the suit of its card (ruling learning-needs-card)")
    open_suits = tuple(s for s in CardSuit if may_learn(play, who, s))
    if suit is None:
        if not open_suits:
            raise IllegalAction(f"all suits of {who} are injured; nothing can be learned before one is healed")
        suit = yield from choose_suit(
            play, f"Suit of a new skill for {who}", open_suits, by=sheet.player, rule="MN-7"
        )
    if suit not in open_suits:
        raise IllegalAction(f"{suit.label} of {who} is injured; nothing is learned in it before it is healed")
    yield from learn_skill(play, who, suit)
