"""Group scenes: everybody's best die against the adversary's (MN-4, MN-12)."""

from __future__ import annotations

from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import IllegalAction
from loomtable.engine.kernel.play import Play, Steps, ask
from loomtable.engine.kernel.poker import CardSuit
from loomtable.engine.kernel.requests import GROUP, Choose, Option, Roll
from loomtable.engine.mnemonic.almanac import key_of, prompts
from loomtable.engine.mnemonic.events.people import Complicated, ComplicationRemoved
from loomtable.engine.mnemonic.events.scenes import (
    AdversaryRolled,
    GroupSceneBegun,
    GroupSceneEnded,
    RolledTogether,
    StayedBack,
    StoodUp,
)
from loomtable.engine.mnemonic.hands import card_for, has_card, suit_of
from loomtable.engine.mnemonic.modes import end_when_cards_are_gone
from loomtable.engine.mnemonic.state import SCENE_MODES, Chronicle, GroupOutcome, GroupScene, Stand
from loomtable.engine.mnemonic.system import MNEMONIC, active, sitting_in
from loomtable.engine.mnemonic.uses import face_roll, improve, is_clean, learn_skill, may_learn
from loomtable.engine.mnemonic.weaving import injure

USE, LEARN, STAY = "use-", "learn", "stay-back"
LONGEST_ABOUT = 200


@MNEMONIC.action("group-scene", "MN-4", "MN-12", group="Scenes")
def group_scene(play: Play[Chronicle], *, about: str = "") -> Steps[None]:
    """A group scene after a full round: everybody rolls a skill against a die for each complication."""
    players, adversary = _ready(play)
    if len(about) > LONGEST_ABOUT or not about.isprintable():
        raise IllegalAction(f"what the group scene is about takes at most {LONGEST_ABOUT} characters")
    yield GroupSceneBegun(
        players=players,
        adversary=adversary,
        number=play.state.scenes + 1,
        about=about.strip() or prompts().group[play.state.group_scenes % len(prompts().group)],
    )
    for who in players:
        yield from _stand(play, who)
    lying = yield from ask(Roll(Die.D6, adversary, "The adversary of the group scene", by=GROUP, rule="MN-12"))
    yield AdversaryRolled(faces=lying.pips)
    for stand in _scene(play).stands:
        yield from _roll(play, stand)
    yield from _resolve(play)
    yield from end_when_cards_are_gone(play)


def _ready(play: Play[Chronicle]) -> tuple[tuple[str, ...], int]:
    """Who takes part, and how many dice the adversary has, if there can be a group scene now."""
    sitting = sitting_in(play, "a group scene", *SCENE_MODES)
    if sitting.mode.has_rounds:
        if play.state.due:
            raise IllegalAction(f"a group scene comes after the round; still to come: {', '.join(play.state.due)}")
        if sitting.group_scene_played:
            raise IllegalAction("this round has had its group scene; go round once more first (Next round)")
    players = tuple(n for n in sitting.order if not active(play, n).absent)
    if not players:
        raise IllegalAction("everybody is out of the next group scene, so there is nobody to play it")
    adversary = play.state.complications
    if adversary == 0:
        if play.ruled("group-scene-without-complications") == "refused":
            raise IllegalAction("nothing is complicated, so there is nothing to repair in a group scene")
        adversary = 1
    return players, adversary


def _scene(play: Play[Chronicle]) -> GroupScene:
    assert play.state.group is not None, "no group scene is on"
    return play.state.group


def _stand(play: Play[Chronicle], who: str) -> Steps[None]:
    """A card, and the skill that somebody brings (MN-3, MN-12)."""
    suit: CardSuit | None = None
    free = play.ruled("group-scene-cards") == "free-choice"
    if not free:
        if not has_card(play, who):
            yield StayedBack(who=who)
            return
        card = yield from card_for(play, who, None, rule="MN-12")
        suit = yield from suit_of(play, who, card, rule="MN-12")
    sheet = active(play, who)
    usable = {USE + key_of(s.name): s for s in (sheet.usable(suit) if free or suit is not None else ())}
    options = [Option(key, s.name, f"{s.suit.label}, rating {s.rating}") for key, s in usable.items()]
    if suit is not None and may_learn(play, who, suit):
        options.append(Option(LEARN, "Learn a new skill", f"of {suit.label}; it counts if it is not locked"))
    if not usable:
        options.append(Option(STAY, "Stay back"))
    if [o.key for o in options] == [STAY]:
        yield StayedBack(who=who)
        return
    purpose = f"Skill of {who} for the group scene"
    chosen = yield from ask(Choose(purpose, tuple(options), by=sheet.player, rule="MN-12"))
    skill = usable.get(chosen.key)
    if chosen.key == LEARN:
        assert suit is not None, "a skill is learned in a suit"
        learned = yield from learn_skill(play, who, suit)
        skill = None if active(play, who).locked(learned) else learned
    if skill is None:
        yield StayedBack(who=who)
        return
    dice = yield from face_roll(play, who, skill, rule="MN-12")
    yield StoodUp(stand=Stand(who, skill.name, skill.suit, dice))


def _roll(play: Play[Chronicle], stand: Stand) -> Steps[None]:
    purpose = f"{stand.skill} of {stand.who} in the group scene"
    by = active(play, stand.who).player
    lying = yield from ask(Roll(Die.D6, stand.dice, purpose, by=by, rule="MN-12"))
    yield RolledTogether(who=stand.who, faces=lying.pips)
    if play.ruled("group-scene-complications") == "as-always" and not is_clean(lying.pips):
        yield Complicated(who=stand.who, skill=stand.skill, rule="MN-12")
    yield from improve(play, stand.who, stand.skill, lying.pips)


def outcome_of(players: int, adversary: int) -> GroupOutcome:
    """By the highest die of each side: a player's is victory, a shared one a draw (MN-12)."""
    if players == adversary:
        return GroupOutcome.DRAW
    return GroupOutcome.VICTORY if players > adversary else GroupOutcome.DEFEAT


def _resolve(play: Play[Chronicle]) -> Steps[None]:
    played = _scene(play)
    adversary = max(played.adversary_faces)
    outcome = outcome_of(played.best, adversary)
    yield GroupSceneEnded(outcome=outcome, players=played.best, adversary=adversary)
    cleared = outcome is GroupOutcome.DRAW and play.ruled("complications-after-draw") == "cleared"
    if outcome is GroupOutcome.VICTORY or cleared:
        for who, skill in [(n, s) for n in play.state.active for s in active(play, n).skills if s.complicated]:
            yield ComplicationRemoved(who=who, skill=skill.name)
    elif outcome is GroupOutcome.DEFEAT:
        for stand in played.stands:
            yield from injure(play, stand.who, stand.suit, rule="MN-12")
