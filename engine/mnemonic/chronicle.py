"""How an evening of Mnemonic is told afterwards: questions and answers, cards, skills, weavings, stands."""

from __future__ import annotations

from collections.abc import Iterator

from loomtable.engine.kernel.chronicle import Cards, Decisive, Ending, Mark, Passage, RollMark, Scene, Sentence
from loomtable.engine.kernel.play import Action, Event
from loomtable.engine.kernel.wording import article, ended, listed
from loomtable.engine.mnemonic.almanac import prompts, weaving_dice
from loomtable.engine.mnemonic.events import modes as m
from loomtable.engine.mnemonic.events import people as p
from loomtable.engine.mnemonic.events import scenes as s
from loomtable.engine.mnemonic.state import SCENE_MODES, Chronicle, GroupOutcome
from loomtable.engine.mnemonic.system import MNEMONIC

_STANDS = {
    GroupOutcome.VICTORY: ("victory", "Whatever was complicated is mended."),
    GroupOutcome.DRAW: ("draw", "Neither side has it."),
    GroupOutcome.DEFEAT: ("defeat", "Every suit that was used is injured."),
}


@MNEMONIC.chronicle
def mnemonic_chronicle(event: Event, chronicle: Chronicle, viewer: str, action: Action) -> Iterator[Mark]:
    """Modes and scenes, what was asked and answered, what skills did and what was woven."""
    yield from _rituals(event)
    yield from _scenes(event, chronicle)
    yield from _skills(event)
    yield from _together(event)


def _rituals(event: Event) -> Iterator[Mark]:
    match event:
        case p.CharacterMade(character=made):
            like = f", like {article(made.concept)}" if made.concept else ""
            yield Sentence(f"{made.player} plays {made.name}{like}.", apart=True)
        case m.ModeBegun(sitting=sitting):
            yield Scene(sitting.mode.label)
        case m.Introduced(who=who, prompt=prompt, text=text) | m.Remembered(who=who, prompt=prompt, text=text):
            yield Passage(ended(text), by=who, prompt=prompt)
        case m.Met(who=who, other=other, prompt=prompt, text=text):
            yield Passage(ended(text), by=f"{who}, about {other}", prompt=prompt)
        case m.Gathered(text=text):
            yield Passage(ended(text), prompt="Why do you stay together?")
        case m.LaidToRest(subject=subject, text=text):
            yield Passage(ended(text), prompt=f"{subject or 'The story'} is laid to rest.")
            yield Ending(f"{subject or 'The story'} is laid to rest. {ended(text)}")
        case p.JournalWritten(who=who, text=text):
            yield Passage(ended(text), by=f"{who}'s journal")


def _scenes(event: Event, chronicle: Chronicle) -> Iterator[Mark]:
    match event:
        case s.SceneBegun(who=who):
            yield Scene(who)
        case s.CardPlayed(card=card):
            yield Cards((card,))
            if chronicle.group is None and chronicle.sitting is not None and chronicle.sitting.mode in SCENE_MODES:
                yield Passage(prompts().cards[card.number])
        case s.GroupSceneBegun(players=players, about=about):
            yield Scene("Together", about=ended(about))
            yield Sentence(f"{listed(players)} {'stand' if len(players) > 1 else 'stands'} against it.")
        case m.GameFaceBegun(players=players, about=about):
            yield Scene("Game Face", about=f"{listed(players)}{f', about {about}' if about else ''}.")


def _skills(event: Event) -> Iterator[Mark]:
    match event:
        case s.SkillUsed(who=who, skill=skill, clean=clean, helps=helps):
            whom = f" for {helps}" if helps else ""
            way = "it works, cleanly" if clean else "it works, but not cleanly"
            yield RollMark(
                f"{who} uses {skill}{whom}: {way}.", ("clean",), missed=not clean, word="clean" if clean else ""
            )
        case p.ComplicationRemoved(who=who, skill=skill):
            yield Sentence(f"{skill} of {who} is mended.")
        case p.SkillImproved(who=who, skill=skill, rating=rating):
            yield Sentence(f"{who} has learned something about {skill}: it rises to {rating}.")
        case p.SkillLearned(who=who, skill=skill):
            yield RollMark(f"{who} learns {skill.name}.")
        case p.SuitInjured(who=who, suit=suit):
            yield Sentence(f"{who}'s {suit.label} are injured.")
        case p.WentAlone(who=who):
            yield Sentence(f"{who} goes off alone for a while.")
        case p.SuitHealed(who=who, suit=suit, absent=absent):
            key = "alone-absent" if absent else "alone-grows"
            yield RollMark(f"{who}'s {suit.label} heal.", (key,))
        case s.WeavingPerformed(who=who, weaver=weaver, die=die, band=band):
            kind = weaving_dice()[die]
            whom = "" if weaver == who else f" for {who}"
            yield RollMark(f"{weaver} weaves {kind.name}{whom}.", (band.label,), word=band.label)
            yield Passage(kind.text(band))
        case s.TruthCalled(who=who, keeper=keeper, skill=skill):
            yield RollMark(f"{who} calls for {skill} of {keeper}.", ("truth-solves",))


def _together(event: Event) -> Iterator[Mark]:
    match event:
        case s.StoodUp(stand=stand):
            yield Sentence(f"{stand.who} stands by {stand.skill}.")
        case s.StayedBack(who=who):
            yield Sentence(f"{who} stays back.")
        case s.GroupSceneEnded(outcome=outcome, players=players, adversary=adversary):
            word, says = _STANDS[outcome]
            against = f"{players or 'Nothing'} against {adversary}."
            yield RollMark(f"{against} {says}", (word,), word=word)
            if outcome is not GroupOutcome.DRAW:
                yield Decisive("")
        case m.FaceRoundPlayed(winner=winner):
            says = f"The round is {winner}'s." if winner else "Nobody has the better of this round."
            yield RollMark(says, (f"{winner} wins the round",) if winner else ())
        case m.GameFaceEnded(winner=winner):
            yield Decisive(f"{winner} has kept their face." if winner else "Neither has the better of it.")
