"""Every event of Mnemonic in words, and what the chronicle keeps of it: the one place to translate."""

from __future__ import annotations

from collections.abc import Sequence

from loomtable.engine.kernel.chronicle import (
    CardsMark,
    Decisive,
    EndingMark,
    PassageMark,
    RollMark,
    SceneMark,
    Sentence,
    Spoken,
    Telling,
)
from loomtable.engine.kernel.play import Event
from loomtable.engine.kernel.wording import article, dice_count, ended, listed
from loomtable.engine.mnemonic.almanac import prompts, weaving_dice
from loomtable.engine.mnemonic.events import modes as m
from loomtable.engine.mnemonic.events import people as p
from loomtable.engine.mnemonic.events import scenes as s
from loomtable.engine.mnemonic.state import SCENE_MODES, Chronicle, GroupOutcome, PlayMode, Skill, poker


def tell(event: Event, chronicle: Chronicle, viewer: str) -> Telling:
    """The event in words, which are the same for everybody; ``chronicle`` is the chronicle after it."""
    for chapter in (_people, _skills, _scenes, _weavings, _group, _modes, _game_face):
        if telling := chapter(event, chronicle):
            return telling
    return ""


def _people(event: Event, chronicle: Chronicle) -> Telling:
    match event:
        case p.SuitsDefined(meanings=meanings):
            return Spoken(f"{listed([f'{suit.label} stand for {said}' for suit, said in meanings.items()])}.")
        case p.CharacterMade(character=made):
            like = f", like {article(made.concept)}" if made.concept else ""
            plays = f"{made.player} plays {made.name}{like}"
            suits = f"strong in {made.strong.label}, weak in {made.weak.label}"
            return Spoken(f"{plays}: {suits}.", Sentence(f"{plays}.", apart=True))
        case p.SkillWritten(who=who, skill=skill):
            return Spoken(f"{who} has {described(skill)}.")
        case p.JournalWritten(who=who, text=text):
            return Spoken(f"{who}'s journal: {ended(text)}", PassageMark(ended(text), by=f"{who}'s journal"))
    return ""


def _skills(event: Event, chronicle: Chronicle) -> Telling:
    match event:
        case s.SkillsLocked(who=who, suit=suit, injured=True):
            return Spoken(f"{who}'s {suit.label} are injured, and no skill of that suit can be used.")
        case s.SkillsLocked(who=who, skills=skills):
            return Spoken(
                f"{who} cannot use {listed(skills)}: {'it is' if len(skills) == 1 else 'they are'} complicated."
            )
        case s.SkillUsed(who=who, skill=skill, faces=faces, clean=clean, helps=helps):
            used, way = (
                f"{who} uses {skill}{f' for {helps}' if helps else ''}",
                "cleanly" if clean else "but not cleanly",
            )
            mark = RollMark(
                f"{used}: it works, {way}.", ("clean",), missed=not clean, word="clean" if clean else ""
            )
            return Spoken(f"{used} ({shown(faces)}): it works, {way}.", mark)
        case p.SkillLearned(who=who, skill=skill, face=face):
            return Spoken(f"{who} learns {described(skill)} (a {face}).", RollMark(f"{who} learns {skill.name}."))
        case p.SuitHealed(who=who, suit=suit, face=face, absent=absent):
            price = f", and stays away from the next group scene to do it (a {face})" if absent else f" (a {face})"
            mark = RollMark(f"{who}'s {suit.label} heal.", ("alone-absent" if absent else "alone-grows",))
            return Spoken(f"A moment alone: {who} heals {suit.label}{price}.", mark)
    return ""


def _scenes(event: Event, chronicle: Chronicle) -> Telling:
    match event:
        case s.SceneBegun(who=who, number=number):
            return Spoken(f"Scene {number}: {who}.", SceneMark(who))
        case s.CardPlayed(who=who, card=card, from_hand=from_hand):
            prompt = prompts().cards[card.number] if _leads_in(chronicle) else ""
            how = "plays" if from_hand else "turns"
            sentence = f"{who} {how} the {poker(card).name}{': ' + prompt if prompt else '.'}"
            return Spoken(sentence, CardsMark((card,)), *([PassageMark(prompt)] if prompt else ()))
    return ""


def _leads_in(chronicle: Chronicle) -> bool:
    """Whether a card that is turned begins an individual scene."""
    return chronicle.group is None and chronicle.sitting is not None and chronicle.sitting.mode in SCENE_MODES


def _weavings(event: Event, chronicle: Chronicle) -> Telling:
    match event:
        case s.WeavingPerformed(who=who, weaver=weaver, die=die, face=face, band=band):
            kind = weaving_dice()[die]
            whom = "" if weaver == who else f" for {who}"
            mark = RollMark(f"{weaver} weaves {kind.name}{whom}.", (band.label,), word=band.label)
            sentence = f"{weaver} weaves {kind.name}{whom} (a {face}, {band.label}): {kind.text(band)}"
            return Spoken(sentence, mark, PassageMark(kind.text(band)))
        case s.TruthCalled(who=who, keeper=keeper, skill=skill, face=face):
            over = ", too sure of it to see what else it does" if face == 6 else ""
            came = "cannot come" if face == 1 else f"comes and settles it{over}"
            mark = RollMark(f"{who} calls for {skill} of {keeper}.", ("truth-solves",))
            return Spoken(f"{who} calls on {keeper}'s {skill} (a {face}), and {keeper} {came}.", mark)
    return ""


_STANDS = {
    GroupOutcome.VICTORY: ("victory", "Whatever was complicated is mended."),
    GroupOutcome.DRAW: ("draw", "Neither side has it."),
    GroupOutcome.DEFEAT: ("defeat", "Every suit that was used is injured."),
}


def _group(event: Event, chronicle: Chronicle) -> Telling:
    match event:
        case s.GroupSceneBegun(players=players, adversary=adversary, about=about):
            stand = f"{listed(players)} {'stand' if len(players) > 1 else 'stands'} against it."
            sentence = f"Group scene, {listed(players)} against {dice_count(adversary)}: {ended(about)}"
            return Spoken(sentence, SceneMark("Together", about=ended(about)), Sentence(stand))
        case s.GroupSceneEnded(outcome=outcome, players=players, adversary=adversary):
            against, (word, sentence) = f"{players or 'nothing'} against {adversary}", _STANDS[outcome]
            mark = RollMark(f"{against.capitalize()}. {sentence}", (word,), word=word)
            turned = () if outcome is GroupOutcome.DRAW else (Decisive(""),)
            return Spoken(f"{word.capitalize()}, {against}: {sentence[0].lower()}{sentence[1:]}", mark, *turned)
    return ""


def _modes(event: Event, chronicle: Chronicle) -> Telling:
    match event:
        case m.ModeBegun(sitting=sitting, cards=cards):
            name, who, scene = sitting.mode.label, listed(sitting.order), SceneMark(sitting.mode.label)
            if sitting.mode is PlayMode.LAID_TO_REST:
                return Spoken(f"{name}, for {sitting.subject or 'the story as a whole'}.", scene)
            if not cards.hands:
                return Spoken(f"{name}: {who}.", scene)
            held = listed([f"{n} {hand.count}" for n, hand in cards.hands.items()])
            aside = f"; {cards.aside.count} put aside" if cards.aside.count else ""
            return Spoken(f"{name}, the cards are dealt: {held}{aside}.", scene)
        case m.Introduced(who=who, prompt=prompt, text=text) | m.Remembered(who=who, prompt=prompt, text=text):
            sentence = f"{who} is asked: {prompt} {who} says: {ended(text)}"
            return Spoken(sentence, PassageMark(ended(text), by=who, prompt=prompt))
        case m.Met(who=who, other=other, prompt=prompt, text=text):
            sentence = f"{who} is asked about {other}: {prompt} {who} says: {ended(text)}"
            return Spoken(sentence, PassageMark(ended(text), by=f"{who}, about {other}", prompt=prompt))
        case m.Gathered(text=text):
            sentence = f"Why they stay together: {ended(text)}"
            return Spoken(sentence, PassageMark(ended(text), prompt="Why do you stay together?"))
        case m.LaidToRest(subject=subject, text=text):
            rests = f"{subject or 'The story'} is laid to rest"
            passage, ending = PassageMark(ended(text), prompt=f"{rests}."), EndingMark(f"{rests}. {ended(text)}")
            return Spoken(f"{rests}: {ended(text)}", passage, ending)
    return ""


def _game_face(event: Event, chronicle: Chronicle) -> Telling:
    match event:
        case m.GameFaceBegun(players=players, about=about):
            what = f", about {about}" if about else ""
            scene = SceneMark("Game Face", about=f"{listed(players)}{what}.")
            return Spoken(f"Game Face: {players[0]} against {players[1]}{what}.", scene)
        case m.FaceRoundPlayed(dice=dice, faces=faces, winner=winner, again=again):
            lying = listed([f"{name} {faces[name]} on the {dice[name]}" for name in dice])
            if winner:
                mark = RollMark(f"The round is {winner}'s.", (f"{winner} wins the round",))
                return Spoken(f"{lying}: the round is {winner}'s.", mark)
            mark = RollMark("Nobody has the better of this round.")
            return Spoken(f"{lying}: {'both roll again' if again else 'nobody scores'}.", mark)
        case m.GameFaceEnded(winner=winner):
            return Decisive(f"{winner} has kept their face." if winner else "Neither has the better of it.")
    return ""


def described(skill: Skill) -> str:
    """``Held Breath 2 (Hearts)``, and whether it is complicated."""
    state = ", complicated" if skill.complicated else ""
    return f"{skill.name} {skill.rating} ({skill.suit.label}{state})"


def shown(faces: Sequence[int]) -> str:
    """``2-5-6``."""
    return "-".join(map(str, faces))
