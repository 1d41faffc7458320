"""Every event of Mnemonic as a sentence: the one place to translate."""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.kernel.play import Event
from loomtable.engine.kernel.wording import article, dice_count, ended, listed
from loomtable.engine.mnemonic.almanac import prompts, weaving_dice
from loomtable.engine.mnemonic.events import modes as m
from loomtable.engine.mnemonic.events import people as p
from loomtable.engine.mnemonic.events import scenes as s
from loomtable.engine.mnemonic.state import SCENE_MODES, Chronicle, GroupOutcome, Mode, Skill, poker


def tell(event: Event, chronicle: Chronicle) -> str:
    """The event as a sentence for people; ``chronicle`` is the chronicle after it."""
    for chapter in (_people, _skills, _scenes, _weavings, _group, _modes, _game_face):
        if sentence := chapter(event, chronicle):
            return sentence
    return ""


def _people(event: Event, chronicle: Chronicle) -> str:
    match event:
        case p.SuitsDefined(meanings=meanings):
            return f"{listed([f'{suit.label} stand for {said}' for suit, said in meanings.items()])}."
        case p.CharacterMade(character=made):
            like = f", like {article(made.concept)}" if made.concept else ""
            return (
                f"{made.player} plays {made.name}{like}: strong in {made.strong.label}, weak in {made.weak.label}."
            )
        case p.SkillWritten(who=who, skill=skill):
            return f"{who} has {described(skill)}."
        case p.JournalWritten(who=who, text=text):
            return f"{who}'s journal: {ended(text)}"
        case p.TruthMarked(who=who, skill=skill):
            return f"{who}'s {skill} is a universal truth from now on."
    return ""


def _skills(event: Event, chronicle: Chronicle) -> str:
    match event:
        case s.SkillsLocked(who=who, suit=suit, injured=True):
            return f"{who}'s {suit.label} are injured, and no skill of that suit can be used."
        case s.SkillsLocked(who=who, skills=skills):
            return f"{who} cannot use {listed(skills)}: {'it is' if len(skills) == 1 else 'they are'} complicated."
        case s.SkillFaced(who=who, skill=skill, dice=dice):
            return f"{who} takes {dice_count(dice)} for {skill}."
        case s.SkillUsed(who=who, skill=skill, faces=faces, clean=clean, helps=helps):
            way = "cleanly" if clean else "but not cleanly"
            whom = f" for {helps}" if helps else ""
            return f"{who} uses {skill}{whom} ({shown(faces)}): it works, {way}."
        case p.Complicated(who=who, skill=skill):
            return f"{who}'s {skill} is complicated now: it hurt somebody, and that has to be mended first."
        case p.ComplicationRemoved(who=who, skill=skill):
            return f"{who}'s {skill} is no longer complicated."
        case p.SkillImproved(who=who, skill=skill, rating=rating):
            return f"{who} has learned something about {skill}: it rises to {rating}."
        case p.SkillLearned(who=who, skill=skill, face=face):
            return f"{who} learns {described(skill)} (a {face})."
        case p.SuitInjured(who=who, suit=suit):
            return f"{who}'s {suit.label} are injured: no skill of that suit can be used until they heal."
        case p.WentAlone(who=who, suit=suit):
            return f"{who} goes off alone for a while, with {suit.label} to heal."
        case p.SuitHealed(who=who, suit=suit, face=face, absent=absent):
            price = f", and stays away from the next group scene to do it (a {face})" if absent else f" (a {face})"
            return f"A moment alone: {who} heals {suit.label}{price}."
        case p.SkillRenamed(who=who, skill=skill, name=name, rating=rating):
            return f"{who}'s {skill} is now {name}, at {rating}."
    return ""


def _scenes(event: Event, chronicle: Chronicle) -> str:
    match event:
        case s.SceneBegun(who=who, number=number):
            return f"Scene {number}: {who}."
        case s.CardPlayed(who=who, card=card, from_hand=from_hand):
            prompt = prompts().cards[card.number] if _leads_in(chronicle) else ""
            how = "plays" if from_hand else "turns"
            return f"{who} {how} the {poker(card).name}{': ' + prompt if prompt else '.'}"
        case s.DeckShuffledAgain():
            return "The deck is used up, and all its cards are shuffled again."
        case s.SuitNamed(who=who, suit=suit):
            return f"{who} has the joker count for {suit.label}."
        case s.SceneEnded(who=who, passed=passed):
            return f"{who}'s scene is passed over." if passed else f"{who}'s scene is over."
        case s.RoundBegun(round=number):
            return f"Once more round the table: round {number}."
    return ""


def _leads_in(chronicle: Chronicle) -> bool:
    """Whether a card that is turned begins an individual scene."""
    return chronicle.group is None and chronicle.sitting is not None and chronicle.sitting.mode in SCENE_MODES


def _weavings(event: Event, chronicle: Chronicle) -> str:
    match event:
        case s.WeavingPerformed(who=who, weaver=weaver, die=die, face=face, band=band):
            kind = weaving_dice()[die]
            whom = "" if weaver == who else f" for {who}"
            return f"{weaver} weaves {kind.name}{whom} (a {face}, {band.label}): {kind.text(band)}"
        case s.DieGiven(who=who, to=to):
            return f"What {who} wove stays with {to}: one die more on the next roll."
        case s.TruthCalled(who=who, keeper=keeper, skill=skill, face=face):
            if face == 1:
                return f"{who} calls on {keeper}'s {skill} (a 1), and {keeper} cannot come."
            over = ", too sure of it to see what else it does" if face == 6 else ""
            return f"{who} calls on {keeper}'s {skill} (a {face}), and {keeper} comes and settles it{over}."
    return ""


def _group(event: Event, chronicle: Chronicle) -> str:
    match event:
        case s.GroupSceneBegun(players=players, adversary=adversary, about=about):
            return f"Group scene, {listed(players)} against {dice_count(adversary)}: {ended(about)}"
        case s.StoodUp(stand=stand):
            return f"{stand.who} stands with the others, by {stand.skill}."
        case s.StayedBack(who=who):
            return f"{who} stays back."
        case s.AdversaryRolled(faces=faces):
            return f"The adversary rolls {shown(faces)}."
        case s.RolledTogether(who=who, faces=faces):
            return f"{who} rolls {shown(faces)}."
        case s.GroupSceneEnded(outcome=outcome, players=players, adversary=adversary):
            against = f"{players or 'nothing'} against {adversary}"
            match outcome:
                case GroupOutcome.VICTORY:
                    return f"Victory, {against}: whatever was complicated is mended."
                case GroupOutcome.DRAW:
                    return f"A draw, {against}."
            return f"Defeat, {against}: every suit that was used is injured."
    return ""


def _modes(event: Event, chronicle: Chronicle) -> str:
    match event:
        case m.ModeBegun(sitting=sitting, cards=cards):
            name, who = sitting.mode.label, listed(sitting.order)
            if sitting.mode is Mode.LAID_TO_REST:
                return f"{name}, for {sitting.subject or 'the story as a whole'}."
            if not cards.hands:
                return f"{name}: {who}."
            held = listed([f"{n} {hand.count}" for n, hand in cards.hands.items()])
            aside = f"; {cards.aside.count} put aside" if cards.aside.count else ""
            return f"{name}, the cards are dealt: {held}{aside}."
        case m.ModeEnded(because=because):
            return f"The mode is over: {because}."
        case m.Introduced(who=who, prompt=prompt, text=text) | m.Remembered(who=who, prompt=prompt, text=text):
            return f"{who} is asked: {prompt} {who} says: {ended(text)}"
        case m.Met(who=who, other=other, prompt=prompt, text=text):
            return f"{who} is asked about {other}: {prompt} {who} says: {ended(text)}"
        case m.Gathered(text=text):
            return f"Why they stay together: {ended(text)}"
        case m.LaidToRest(subject=subject, text=text):
            return f"{subject or 'The story'} is laid to rest: {ended(text)}"
    return ""


def _game_face(event: Event, chronicle: Chronicle) -> str:
    match event:
        case m.GameFaceBegun(players=players, about=about):
            what = f", about {about}" if about else ""
            return f"Game Face: {players[0]} against {players[1]}{what}."
        case m.DieChosen(who=who, die=die, secret=secret):
            return f"{who} has chosen a die." if secret else f"{who} takes the {die}."
        case m.FaceRoundPlayed(dice=dice, faces=faces, winner=winner, again=again):
            lying = listed([f"{name} {faces[name]} on the {dice[name]}" for name in dice])
            if winner:
                return f"{lying}: the round is {winner}'s."
            return f"{lying}: {'both roll again' if again else 'nobody scores'}."
        case m.GameFaceEnded(winner=winner):
            return f"{winner} has kept their face." if winner else "Neither has the better of it."
    return ""


def described(skill: Skill) -> str:
    """``Held Breath 2 (Hearts)``, and whether it is complicated."""
    state = ", complicated" if skill.complicated else ""
    return f"{skill.name} {skill.rating} ({skill.suit.label}{state})"


def shown(faces: Sequence[int]) -> str:
    """``2-5-6``."""
    return "-".join(map(str, faces))
